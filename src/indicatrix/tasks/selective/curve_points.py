"""Points of a curve along the thresholds of a score: the requested one, and the weights of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import Array, refuse_where
from ...encode.weights import check_weights

ROUNDING = 4 * np.finfo(np.float64).eps  # shares of weights such as 0.1 are rounded: three of ten can be slightly more than 0.3


def check_point(name: str, of: str, share: float | None, threshold: float | None) -> None:
    """Raise an error unless exactly one of a share (of this name) and a threshold is given."""
    if (share is None) == (threshold is None):
        raise TypeError(f"at() takes either {name}= or threshold=. Pass exactly one of them.")
    if share is not None and not 0 <= share <= 1:
        raise ValueError(f"{name}={share!r}: give a share of the {of}, from 0 to 1.")
    if threshold is not None and threshold != threshold:
        raise ValueError("threshold= is NaN; give a number.")


def place_of(thresholds: Array, shares: Array, share: float | None, threshold: float | None) -> int:
    """Return the last place that the given share or threshold allows.

    Its share is not above the given one, up to rounding, or its threshold is not below it.

    >>> place_of(np.array([np.inf, 0.9, 0.7]), np.array([0.0, 0.5, 1.0]), 0.8, None)
    1
    """
    within = thresholds >= threshold if share is None else shares <= share * (1 + ROUNDING)
    within[0] = True  # nothing is accepted there, so every limit allows it
    return int(np.flatnonzero(within)[-1])


def weights_of(given: Any, n: int) -> Array | None:
    """Return sample weights, one per example; negative weights are an error."""
    weights = check_weights(given, n, signed=True)
    if weights is not None:
        why = "a curve only grows, so a weight must not be negative. Drop this row."
        refuse_where(weights < 0, "sample_weight", weights, why)
    return weights
