"""Tails of the binomial and of the chi-squared distribution, in any number type."""

from __future__ import annotations

import math
from typing import Any

from ...algebra.numbers.functions import constant, exp, log, log1p, log_gamma, special, sqrt

complementary_error = special(lambda x: math.erfc(x), lambda library, x: library.erfc(x))
MOST_TERMS = 10_000
NO_TRUE_P_VALUE = "it is a p-value of this sample, and has no true value in the population"


def chi_squared_tail(x: Any, degrees: int) -> Any:
    """Return the chance that chi-squared with these degrees of freedom is at least ``x``.

    Nan without any degree.

    >>> round(chi_squared_tail(3.841458820694124, 1), 6), chi_squared_tail(2.0, 2) == math.exp(-1)
    (0.05, True)
    """
    if not degrees or x != x:
        return math.nan
    x = _inexact(x)
    # Each step by two degrees adds one term: Q(k + 2) = Q(k) + (x/2)**(k/2) exp(-x/2) / Gamma(k/2 + 1).
    half, odd = x / 2, degrees % 2
    tail = complementary_error(sqrt(half)) if odd else exp(-half)
    if x == 0:
        return tail
    for k in range(2 - odd, degrees, 2):
        order = constant(1, x) * k / 2
        tail = tail + exp(order * log(half) - half - log_gamma(order + 1))
    return tail


def binomial_tail(least: Any, n: Any, share: Any) -> Any:
    """Return the chance of at least ``least`` of ``n`` successes, each with probability ``share``.

    >>> binomial_tail(2, 3, 0.5), binomial_tail(0, 5, 0.2), binomial_tail(5, 5, 1)
    (0.5, 1, 1)
    """
    if n == 0:
        return math.nan
    if least <= 0 or share == 1:
        return 1
    if least > n or share == 0:
        return 0
    a, b, x = map(_inexact, (least, n - least + 1, share))
    # The incomplete beta function I_x(a, b), by the continued fraction that converges quickly on either side of its mean.
    if x * (a + b + 2) < a + 1:
        return _beta_part(a, b, x)
    return 1 - _beta_part(b, a, 1 - x)


def _beta_part(a: Any, b: Any, x: Any) -> Any:
    """Return I_x(a, b) for an x below its mean: powers over Lentz's continued fraction."""
    front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x)) / a
    smallest = precision(x)
    tiny = smallest**4
    value, c, d = constant(1, x), constant(1, x), 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    value = d
    for k in range(1, MOST_TERMS):
        for step in (
            k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)),
            -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1)),
        ):
            d, c = 1 + step * d, 1 + step / c
            d, c = 1 / (d if abs(d) > tiny else tiny), c if abs(c) > tiny else tiny
            value = value * d * c
        if abs(d * c - 1) < smallest:
            break
    return front * value


def _inexact(x: Any) -> Any:
    """Return a float, or the number itself if it has more digits."""
    return x if hasattr(x, "context") else float(x)


def precision(x: Any) -> Any:
    """Return the distance from 1 to the next number of this type."""
    return x.context.eps if hasattr(x, "context") else 2.0**-52
