"""Intervals of plain proportions: k of n independent examples."""

from __future__ import annotations

import math
from collections.abc import Callable

from .quantiles import beta, normal

Ends = tuple[float, float]


def wilson(share: float, n: float, z: float) -> Ends:
    """Return Wilson's score interval of a share of n examples; z is the quantile.

    >>> [round(x, 4) for x in wilson(1.0, 20, 1.96)]
    [0.8389, 1.0]
    """
    if not n:
        return 0.0, 1.0
    if math.isinf(n):
        return share, share
    c = z * z / n
    middle, half = (share + c / 2) / (1 + c), z / (1 + c) * math.sqrt(max(share * (1 - share) / n, 0) + c / (4 * n))
    return max(0.0, middle - half), min(1.0, middle + half)


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
    "wilson": _wilson,
    "clopper_pearson": _clopper_pearson,
    "jeffreys": _jeffreys,
    "agresti_coull": _agresti_coull,
}
