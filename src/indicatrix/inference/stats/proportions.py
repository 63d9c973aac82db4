"""Intervals of plain proportions: k of n independent examples."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...algebra.wilson import wilson
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
