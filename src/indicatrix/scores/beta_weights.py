"""Beta distributions as weights of costs: the moments of a cost up to a limit."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from ..algebra.arrays import Array

STEPS = 400  # of the continued fraction; it needs about the root of the larger parameter
TINY = 1e-300
MOST_TERMS = 8  # a whole second parameter up to this makes a polynomial of so many terms, which fractions compute exactly


def partial_moments(x: Array, a: Any, b: Any) -> tuple[Array, Array]:
    """Return E[c; c <= x] and E[1 - c; c <= x] of c with a Beta(a, b) distribution, at each x.

    Of fractions and small whole parameters both are fractions.

    >>> below, rest = partial_moments(np.array([Fraction(1, 2), Fraction(1)], object), 2, 2)
    >>> [str(v) for v in (*below, *rest)]
    ['5/32', '1/2', '11/32', '1/2']
    """
    mean = Fraction(a) / (Fraction(a) + Fraction(b)) if _whole(a) and _whole(b) else float(a) / (float(a) + float(b))
    if x.dtype == object and _whole(a) and _whole(b):
        return mean * _polynomial(x, int(a) + 1, int(b)), (1 - mean) * _polynomial(x, int(a), int(b) + 1)
    at = np.asarray(x, np.float64)
    a, b = float(a), float(b)
    return float(mean) * beta_share(at, a + 1, b), (1 - float(mean)) * beta_share(at, a, b + 1)


def _whole(parameter: Any) -> bool:
    return bool(parameter == int(parameter) and parameter <= MOST_TERMS)


def _polynomial(x: Array, a: int, b: int) -> Array:
    """Return the share of Beta(a, b) up to x by the binomial sum, exactly."""
    n = a + b - 1
    return np.asarray(sum(math.comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a, n + 1)))


def beta_share(x: Array, a: float, b: float) -> Array:
    """Return the share of a Beta(a, b) distribution up to x: the regularised incomplete beta function.

    It is a continued fraction, computed by Lentz's method, on the side where that converges fast.

    >>> beta_share(np.array([0.0, 0.25, 1.0]), 2.0, 2.0).round(6).tolist()
    [0.0, 0.15625, 1.0]
    """
    far = x > (a + 1) / (a + b + 2)
    here = np.where(far, 1 - x, x)
    p, q = np.where(far, b, a), np.where(far, a, b)
    with np.errstate(divide="ignore"):  # log 0 is meant: the share up to 0 is 0
        front = np.exp(p * np.log(here) + q * np.log1p(-here) - _log_beta(a, b)) / p
    share = front * _continued_fraction(here, p, q)
    return np.asarray(np.clip(np.where(far, 1 - share, share), 0.0, 1.0))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _continued_fraction(x: Array, a: Array, b: Array) -> Array:
    c, d = np.ones_like(x), 1 / _not_zero(1 - (a + b) * x / (a + 1))
    value = d.copy()
    for m in range(1, STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / _not_zero(1 + term * d), _not_zero(1 + term / c)
            value = value * c * d
        if (abs(c * d - 1) < 1e-16).all():
            break
    return np.asarray(value)


def _not_zero(x: Array) -> Array:
    return np.where(abs(x) < TINY, TINY, x)
