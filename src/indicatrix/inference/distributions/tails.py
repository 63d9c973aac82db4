"""Tails of the normal, the chi-square and the F distribution."""

from __future__ import annotations

import math

from ...algebra.exact import context
from .incomplete_beta import share_below

DIGITS = 20


def two_sided(z: float) -> float:
    """Return how often a normal number is at least this far from 0.

    >>> round(two_sided(1.96), 3)
    0.05
    """
    return math.erfc(abs(z) / math.sqrt(2))


def chi_square_tail(x: float, freedom: float) -> float:
    """Return how often a chi-square number with these degrees of freedom, or parts of one, is at least x.

    >>> round(chi_square_tail(3.841, 1), 3), chi_square_tail(0, 2)
    (0.05, 1.0)
    """
    return float(context(DIGITS).gammainc(freedom / 2, max(x, 0) / 2, regularized=True))


def f_tail(f: float, top: float, bottom: float) -> float:
    """Return how often an F number with these degrees of freedom is at least f.

    >>> round(f_tail(4.46, 2, 8), 3), f_tail(0, 2, 8)
    (0.05, 1.0)
    """
    return share_below(bottom / (top * f), bottom / 2, top / 2) if f > 0 else 1.0
