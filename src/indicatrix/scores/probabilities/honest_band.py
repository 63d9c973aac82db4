"""A band that holds the true shares of all predictions at once.

It does so if these only grow with the prediction.

Neighboring predictions, taken together, have a share that is at least the true one of the lowest and at most that of the highest
of them. So its exact lower end (Clopper and Pearson) lies below the true share of the highest, and of all above it; its upper end
above that of the lowest, and of all below it. The band is the highest of the lower and the lowest of the upper ends over all sets
of neighbors, each at a level at which all hold together (Bonferroni; Dimitriadis, Dümbgen, Henzi, Puke and Ziegel 2023). It is
true of any number of examples, and as it allows for the worst, it holds more often than its level says.
"""

from __future__ import annotations

import math

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.numbers.incomplete_beta import odds_at


def honest_ends(positives: Array, total: Array, level: float) -> tuple[Array, Array]:
    """Return the lower and upper ends at distinct predictions in ascending order.

    Some examples of each came true.

    >>> low, high = honest_ends(np.array([1.0, 9.0]), np.array([10.0, 10.0]), 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.001, 0.485], [0.515, 0.999])
    """
    m = len(total)
    tail = (1 - level) / max(m * (m + 1), 1)
    return _lower(positives, total, tail), 1 - _lower((total - positives)[::-1], total[::-1], tail)[::-1]


def _lower(positives: Array, total: Array, tail: float) -> Array:
    """Return the highest lower end of all sets of neighbors up to each place."""
    hits, size = (np.append(0.0, np.cumsum(x)) for x in (positives, total))
    found, best = np.zeros(len(total)), 0.0
    for place in range(len(total)):
        if positives[place]:  # without any, the neighbors before it say more
            k, n = (x[place + 1] - x[: place + 1] for x in (hits, size))
            start = int(np.argmax(_unlikely(k, n, best))) if best else 0
            while (end := _end(float(k[start]), float(n[start]), tail)) > best:
                best = end
                start = int(np.argmax(_unlikely(k, n, best)))
        found[place] = best
    return found


def _end(k: float, n: float, tail: float) -> float:
    """Return the share at which k or more of n are seen this often."""
    odds = odds_at(tail, k, n - k + 1)
    return odds / (1 + odds)


def _unlikely(k: Array, n: Array, share: float) -> Array:
    """Return about how unlikely k or more of n are at a share, as a logarithm (Bahadur and Rao 1960).

    It says which end is the highest; the end itself is exact.
    """
    rest = n - k
    with quiet():
        far = np.where(k > 0, k * np.log(k / n / share), 0.0) + np.where(rest > 0, rest * np.log(rest / n / (1 - share)), 0.0)
        more = np.log1p(2 * math.pi * k * rest / n) / 2 + np.log1p(-share / (1 - share) * rest / k)
    return np.where(k > n * share, far + more, -np.inf)
