"""Points of a curve along the thresholds of a score: which of them is asked for, and the weights that the curve adds up."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.weights import check_weights

ROUNDING = 4 * np.finfo(np.float64).eps  # shares of weights such as 0.1 are rounded: three of ten are a little more than 0.3


def check_point(name: str, of: str, share: float | None, threshold: float | None) -> None:
    """Refuse to look for a point unless one of a share, of this name, and a threshold is asked for."""
    if (share is None) == (threshold is None):
        raise TypeError(f"at() takes one of {name}= and threshold=.")
    if share is not None and not 0 <= share <= 1:
        raise ValueError(f"{name}={share!r} is a share of the {of}, from 0 to 1.")
    if threshold is not None and threshold != threshold:
        raise ValueError("threshold= is NaN; give a number.")


def place_of(thresholds: Array, shares: Array, share: float | None, threshold: float | None) -> int:
    """Return the last place whose share is not above the one asked for, up to rounding, or whose threshold is not below it.

    >>> place_of(np.array([np.inf, 0.9, 0.7]), np.array([0.0, 0.5, 1.0]), 0.8, None)
    1
    """
    within = thresholds >= threshold if share is None else shares <= share * (1 + ROUNDING)
    within[0] = True  # nothing is accepted there, which is within any limit
    return int(np.flatnonzero(within)[-1])


def weights_of(given: Any, n: int) -> Array | None:
    """Return sample weights, one per example; a curve has no place for negative ones."""
    weights = check_weights(given, n, signed=True)
    if weights is not None and (weights < 0).any():
        at = int((weights < 0).argmax())
        raise ValueError(
            f"sample_weight[{at}] = {weights[at]}: on a curve, which only grows, no weight is negative. Drop this row."
        )
    return weights
