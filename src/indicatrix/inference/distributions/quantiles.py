"""Quantiles of the normal, t and beta distributions; SciPy is imported when one is needed."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any


def normal(level: float) -> float:
    """Return how many standard deviations around the mean hold this share of a normal distribution.

    >>> round(normal(0.95), 4)
    1.96
    """
    return NormalDist().inv_cdf((1 + level) / 2)


def student(level: float, freedom: float) -> float:
    """Return the same for a t distribution with these degrees of freedom."""
    if math.isinf(freedom):
        return normal(level)
    return float(special().stdtrit(freedom, (1 + level) / 2))


def student_below(t: float, freedom: float) -> float:
    """Return the share of a t distribution with these degrees of freedom that lies below t."""
    return float(special().stdtr(freedom, t))


def beta(share: float, a: float, b: float) -> float:
    """Return the quantile of a beta distribution at this share."""
    return float(special().betaincinv(a, b, share))


def check_level(level: float) -> None:
    """Refuse a level that is not a share."""
    if not isinstance(level, int | float) or isinstance(level, bool) or not 0 < level < 1:
        raise ValueError(f"level={level!r} must be a share between 0 and 1, such as 0.95.")


def special() -> Any:
    """Return scipy.special, or say how to install it."""
    try:
        from scipy import special
    except ImportError as missing:
        raise ImportError("Intervals and tests need SciPy: pip install 'indicatrix[inference]'.") from missing
    return special
