"""Tails of the normal, the chi-square and the F distribution."""

from __future__ import annotations

import math

from ...algebra.numbers.exact import context
from ...algebra.numbers.incomplete_beta import share_below

DIGITS = 20
MANY = 1000  # degrees of freedom


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
    if freedom > MANY and x > freedom:  # the series that mpmath chooses there may not converge
        return _far_tail(freedom / 2, x / 2)
    return float(context(DIGITS).gammainc(freedom / 2, max(x, 0) / 2, regularized=True))


def _far_tail(a: float, x: float) -> float:
    """Return the share of the gamma function of a that lies above x, which is above a.

    Legendre's continued fraction.

    >>> round(_far_tail(5.0, 9.0), 6) == round(chi_square_tail(18, 10), 6)
    True
    """
    own = context(DIGITS)
    a, x = own.mpf(a), own.mpf(x)
    small = own.mpf(10) ** -DIGITS
    term = x + 1 - a
    over, under, change, k = 1 / small**2, 1 / term, own.mpf(0), 0
    whole = under
    while abs(change - 1) > small:
        k += 1
        part, term = k * (a - k), term + 2
        under = 1 / (part * under + term)
        over = term + part / over
        change = over * under
        whole *= change
    return float(whole * own.exp(a * own.log(x) - x - own.loggamma(a)))


def f_tail(f: float, top: float, bottom: float) -> float:
    """Return how often an F number with these degrees of freedom is at least f.

    >>> round(f_tail(4.46, 2, 8), 3), f_tail(0, 2, 8)
    (0.05, 1.0)
    """
    return share_below(bottom / (top * f), bottom / 2, top / 2) if f > 0 else 1.0
