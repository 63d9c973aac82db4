"""Tails of the normal and the chi-square distribution.

They need no SciPy, which is optional: findings about groups have p-values without it.
"""

from __future__ import annotations

import math

from ...algebra.exact import context

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
