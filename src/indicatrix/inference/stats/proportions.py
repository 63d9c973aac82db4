"""Intervals of plain proportions, of one or of many at once: k of n independent examples."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.ends import wilson
from ...algebra.numbers.quantiles import HALF_LOG_2_PI, NEVER_ZERO, SMALL, STIRLING
from .quantiles import beta, mid_beta, normal

Ends = tuple[float, float]
NOTHING = 0.05  # of an effective example; the end for more is already below the smallest share that matters


def _mid_p(k: float, n: float, level: float) -> Ends:
    """The shares at which k, counted half, is just not in a tail.

    So neither end misses more than twice as often as its tail says.
    """
    tail = (1 - level) / 2
    return mid_beta(tail, k, n) if k > NOTHING else 0.0, 1 - mid_beta(tail, n - k, n) if n - k > NOTHING else 1.0


def _wilson(k: float, n: float, level: float) -> Ends:
    return wilson(k / n, n, normal(level))


def _clopper_pearson(k: float, n: float, level: float) -> Ends:
    tail = (1 - level) / 2
    return beta(tail, k, n - k + 1) if k > 0 else 0.0, beta(1 - tail, k + 1, n - k) if k < n else 1.0


def _jeffreys(k: float, n: float, level: float) -> Ends:
    tail = (1 - level) / 2
    return beta(tail, k + 0.5, n - k + 0.5) if k > 0 else 0.0, beta(1 - tail, k + 0.5, n - k + 0.5) if k < n else 1.0


def _agresti_coull(k: float, n: float, level: float) -> Ends:
    z = normal(level)
    more = n + z * z
    share = (k + z * z / 2) / more
    half = z * math.sqrt(share * (1 - share) / more)
    return max(0.0, share - half), min(1.0, share + half)


PROPORTIONS: dict[str, Callable[[float, float, float], Ends]] = {  # of k, n and the level
    "mid_p": _mid_p,
    "wilson": _wilson,
    "clopper_pearson": _clopper_pearson,
    "jeffreys": _jeffreys,
    "agresti_coull": _agresti_coull,
}


FEW = 24  # shares that are faster one by one
HALVINGS = 14  # of the way to the saddlepoint approximation
STEPS, NEAR = 5, 1e-4  # of Newton's method at most; a step, in standard deviations, after which the next is not needed
ENOUGH = 1e-10  # a factor of the continued fraction that is closer to 1 changes no digit that is read


def mid_p_of_each(hits: Array, sizes: Array, level: float) -> Array:
    """Return the lower and the upper ends (2, r) of the mid-P intervals of k of n, for several k and n.

    >>> import numpy as np
    >>> mid_p_of_each(np.array([0.0, 8.0, 10.0]), np.full(3, 10.0), 0.95).round(3).tolist()
    [[0.0, 0.48, 0.741], [0.259, 0.965, 1.0]]
    """
    if len(hits) <= FEW:
        each = [PROPORTIONS["mid_p"](k, n, level) for k, n in zip(hits.tolist(), sizes.tolist(), strict=True)]
        return np.array(each).reshape(-1, 2).T
    ends = np.empty((2, len(hits)))
    usual = (hits >= 1) & (sizes - hits >= 1)  # parts of an example, and none, are for the formulas of single shares
    tail, k, n = (1 - level) / 2, hits[usual], sizes[usual]
    below, above = _odds(tail, np.concatenate([k, n - k]), np.concatenate([n, n])).reshape(2, -1)
    ends[:, usual] = below / (1 + below), 1 / (1 + above)
    for i in np.flatnonzero(~usual):
        ends[:, i] = PROPORTIONS["mid_p"](float(hits[i]), float(sizes[i]), level)
    return ends


def _odds(tail: float, k: Array, n: Array) -> Array:
    """Return the odds at which more than k of n are seen with this share, k itself counted half.

    Newton's method from the saddlepoint approximation, which is close already.
    """
    place, width = _saddlepoint(tail, k, n), np.sqrt(1 / k + 1 / (n - k))
    constant = np.log((k + 1) / (n + 1) * (n - k)) / 2 - HALF_LOG_2_PI + _beyond(n + 1) - _beyond(k + 1) - _beyond(n - k)
    far = np.ones(len(k), bool)
    for _ in range(STEPS):
        odds, a, b = np.exp(place[far]), k[far] + 1, (n - k)[far]
        x, y = odds / (1 + odds), 1 / (1 + odds)
        apart = a * y - b * x
        density = np.exp(constant[far] - a * _excess(-apart / a) - b * _excess(apart / b))
        exactly = density / (x * b)
        found = density * _fraction(x, y, a, b) + exactly / 2
        step = np.log(found / tail) * found / (exactly * (k[far] * y + b * x) / 2)
        place[far] -= step
        far[far] = np.abs(step) > NEAR * width[far]
        if not far.any():
            break
    return np.exp(place)


def _saddlepoint(tail: float, k: Array, n: Array) -> Array:
    """Return the log odds at which more than k of n, k counted half, are seen with about this share.

    Here 0 < k < n. The signed root of the deviance, corrected for the lattice, is a normal number (Barndorff-Nielsen 1986,
    Biometrika 73:307).
    """
    wanted, own, wrong = -NormalDist().inv_cdf(tail), np.log(k / (n - k)), np.log1p(-k / n)
    near, far = np.zeros_like(n), (wanted**2 / 2 + 5 - n * wrong) / k + 1  # how far below the log odds of k itself
    scale = 2 * np.sqrt(k / n * (n - k))
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        root = np.sqrt(2 * np.maximum(k * middle + n * (np.log1p(np.exp(own - middle)) + wrong), 1e-20))
        found = root + np.log(scale * np.sinh(np.minimum(middle, 600) / 2) / root) / root
        near, far = np.where(found < wanted, middle, near), np.where(found < wanted, far, middle)
    return np.asarray(own - (near + far) / 2)


def _excess(e: Array) -> Array:
    """Return e - log(1 + e)."""
    series = e * e * (1 / 2 - e * (1 / 3 - e * (1 / 4 - e * (1 / 5 - e * (1 / 6 - e * (1 / 7 - e * (1 / 8 - e / 9)))))))
    with quiet():
        return np.where(np.abs(e) < 0.01, series, e - np.log1p(e))


def _beyond(z: Array) -> Array:
    """Return log Γ(z) less the first terms of Stirling's series."""
    out = np.zeros_like(z)
    for coefficient in reversed(STIRLING):
        out = out / (z * z) + coefficient
    out /= z
    small = z < SMALL
    out[small] = [math.lgamma(x) - (x - 0.5) * math.log(x) + x - HALF_LOG_2_PI for x in z[small].tolist()]
    return out


def _fraction(x: Array, y: Array, a: Array, b: Array) -> Array:
    """Return the incomplete beta function over its density, as for single numbers."""
    apart, numerator, n = a * y - b * x, np.ones_like(x), 0
    found = np.full_like(x, NEVER_ZERO)
    ahead, behind, factor = found.copy(), np.zeros_like(x), np.full_like(x, 2.0)
    while (np.abs(factor - 1) > ENOUGH).any():
        term = n + (a + n) / (a + 2 * n + 1) * (apart + 1 + n * (1 + y))
        if n:
            term += n * (b - n) * x / (a + 2 * n - 1)
        behind = 1 / (term + numerator * behind)
        ahead = term + numerator / ahead
        factor = ahead * behind
        found *= factor
        n += 1
        scale = x / (a + 2 * n - 1)
        numerator = n * (a + n - 1) * ((a + b + n - 1) * scale) * ((b - n) * scale)
    return found
