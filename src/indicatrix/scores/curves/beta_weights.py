"""Beta distributions as weights of costs: the moments of a cost up to a limit."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array

STEPS = 400  # of the continued fraction; it needs about the root of the larger parameter
TINY = 1e-300
CLOSE = 4e-16  # factors this near to 1 change nothing more
MOST_TERMS = 8  # a whole second parameter up to this makes a polynomial of this many terms, which fractions compute exactly


def partial_moments(x: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Return E[c; c <= x] and E[1 - c; c <= x] of c with a Beta(a, b) distribution, at each x.

    Of fractions x and small whole parameters, the same for all x, both are fractions.

    >>> x = np.array([Fraction(1, 2), Fraction(1)], object)
    >>> below, rest = partial_moments(x, np.full(2, 2.0), np.full(2, 2.0))
    >>> [str(v) for v in (*below, *rest)]
    ['5/32', '1/2', '11/32', '1/2']
    """
    if x.dtype == object and all(v == int(v) <= MOST_TERMS for v in (a[0], b[0])):
        p, q = int(a[0]), int(b[0])
        return Fraction(p, p + q) * _polynomial(x, p + 1, q), Fraction(q, p + q) * _polynomial(x, p, q + 1)
    at, mean = np.asarray(x, np.float64), a / (a + b)
    return mean * beta_share(at, a + 1, b), (1 - mean) * beta_share(at, a, b + 1)


def _polynomial(x: Array, a: int, b: int) -> Array:
    """Return the share of Beta(a, b) up to x by the binomial sum, exactly."""
    n = a + b - 1
    return np.asarray(sum(math.comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a, n + 1)))


def beta_share(x: Array, a: Any, b: Any) -> Array:
    """Return the share of a Beta(a, b) distribution up to x: the regularized incomplete beta function.

    It is a continued fraction, computed by Lentz's method, on the side where that converges fast.

    >>> beta_share(np.array([0.0, 0.25, 1.0]), 2.0, 2.0).round(6).tolist()
    [0.0, 0.15625, 1.0]
    """
    x, a, b = np.broadcast_arrays(x, np.float64(a), np.float64(b))
    far = x > (a + 1) / (a + b + 2)
    here = np.where(far, 1 - x, x)
    p, q = np.where(far, b, a), np.where(far, a, b)
    with np.errstate(divide="ignore"):  # log 0 is meant: the share up to 0 is 0
        front = np.exp(p * np.log(here) + q * np.log1p(-here) - _log_beta(a, b)) / p
    share = front * _continued_fraction(here, p, q)
    return np.asarray(np.clip(np.where(far, 1 - share, share), 0.0, 1.0))


def _log_beta(a: Array, b: Array) -> Array:
    pairs, at = np.unique(np.stack([a.ravel(), b.ravel()]), axis=1, return_inverse=True)  # few: rows share their parameters
    found = [math.lgamma(p) + math.lgamma(q) - math.lgamma(p + q) for p, q in pairs.T.tolist()]
    return np.array(found)[at.ravel()].reshape(a.shape)


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
        if (abs(c * d - 1) < CLOSE).all():
            break
    return np.asarray(value)


def _not_zero(x: Array) -> Array:
    return np.where(abs(x) < TINY, TINY, x)
