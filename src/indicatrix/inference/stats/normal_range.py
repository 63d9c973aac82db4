"""The range of k independent standard normal numbers, which Nemenyi's test compares mean ranks with."""

from __future__ import annotations

import math

import numpy as np

from ...algebra.arrays import Array, quiet

STEP, FAR = 0.02, 12.0  # of the integral; the integrand is smooth and vanishes at the ends, so that equal steps are exact
HALVINGS = 50  # of the interval that holds a quantile


def range_above(q: float, k: int) -> float:
    """Return how often the range of k standard normal numbers is at least q.

    >>> round(range_above(3.633, 4), 3)
    0.05
    """
    if math.isnan(q):
        return math.nan
    z = np.arange(-FAR, FAR + q, STEP)
    below = _normal_below(z)
    # The largest is z; the others lie below it, and not all of them within q of it.
    with quiet():
        far = -np.expm1((k - 1) * np.log1p(-_normal_below(z - q) / below))
    density = np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    return min(1.0, float(k * STEP * (density * below ** (k - 1) * far).sum()))


def _normal_below(z: Array) -> Array:
    return np.array([math.erfc(-x / math.sqrt(2)) / 2 for x in z.tolist()])


def range_quantile(share: float, k: int) -> float:
    """Return the q that the range of k standard normal numbers exceeds with this share.

    >>> round(range_quantile(0.05, 4), 3)
    3.633
    """
    low, high = 0.0, 1.0
    while range_above(high, k) > share:
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if range_above(middle, k) > share else (low, middle)
    return (low + high) / 2
