"""Quantiles of normal, t and beta distributions and of a normal range; shares of a t distribution.

Tails of the normal, the chi-square and the F distribution.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.numbers.exact import context
from ...algebra.numbers.quantiles import mid_odds_at, odds_at, share_below


def normal(level: float) -> float:
    """Return how many standard deviations around the mean hold this share of a normal distribution.

    >>> round(normal(0.95), 4)
    1.96
    """
    return NormalDist().inv_cdf((1 + level) / 2)


def student(level: float, freedom: float) -> float:
    """Return the same for a t distribution with these degrees of freedom; nan for 0 degrees.

    >>> round(student(0.95, 1), 4), round(student(0.95, 30), 4)
    (12.7062, 2.0423)
    """
    if math.isinf(freedom):
        return normal(level)
    return math.sqrt(freedom * odds_at(level, 0.5, freedom / 2)) if freedom > 0 else math.nan


def student_below(t: float, freedom: float) -> float:
    """Return the share of a t distribution with these degrees of freedom that lies below t.

    >>> round(student_below(-2.0423, 30), 4), student_below(0, 3)
    (0.025, 0.5)
    """
    if math.isinf(freedom):
        return NormalDist().cdf(t)
    if not freedom > 0:
        return math.nan
    beyond = share_below(freedom / t / t, freedom / 2, 0.5) / 2 if t else 0.5
    return beyond if t <= 0 else 1 - beyond


def beta(share: float, a: float, b: float) -> float:
    """Return the quantile of a beta distribution at this share.

    >>> round(beta(0.025, 8, 3), 4)
    0.4439
    """
    odds = odds_at(share, a, b)
    return odds / (1 + odds)


def mid_beta(share: float, k: float, n: float) -> float:
    """Return the probability at which more than k of n are seen this often, k itself counted half.

    >>> round(mid_beta(0.025, 8, 10), 4)
    0.4805
    """
    odds = mid_odds_at(share, k, n)
    return odds / (1 + odds)


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
