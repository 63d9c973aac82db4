"""Tails of the normal and the chi-square distribution, without SciPy: findings need them."""

from __future__ import annotations

import math

TERMS, ENOUGH = 10_000, 1e-16  # how long a series is summed, and when a term is too small to matter


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
    a, y = freedom / 2, x / 2
    if y <= 0:
        return 1.0
    front = math.exp(a * math.log(y) - y - math.lgamma(a))
    return 1 - front * _series(a, y) if y < a + 1 else front * _fraction(a, y)


def _series(a: float, y: float) -> float:
    """Return the lower incomplete gamma function without its factor, where y is small."""
    term = total = 1 / a
    for k in range(1, TERMS):
        term *= y / (a + k)
        total += term
        if term < total * ENOUGH:
            break
    return total


def _fraction(a: float, y: float) -> float:
    """Return the upper incomplete gamma function without its factor, where y is large."""
    tiny = 1e-300
    b = y + 1 - a
    c, d = 1 / tiny, 1 / b
    total = d
    for k in range(1, TERMS):
        step = -k * (k - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        total *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return total
