"""The power of McNemar's exact test, summed over disagreements and over who is right in them.

Connor's formula takes both for normal. The exact test keeps its level also for few disagreements, and so rejects less often than
the formula says: its power is summed here. Very many disagreements are normal enough, with a correction for continuity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from ...algebra.arrays import Array
from ...algebra.numbers.incomplete_beta import share_below
from ..stats.quantiles import normal
from .search import least

EXACT = 2000  # expected disagreements up to which the power is summed
FAR = 7.0  # standard deviations beyond which numbers of disagreements do not count
AHEAD = 8  # numbers of examples in a row that must reach the power, because it goes up and down a little


@dataclass(frozen=True)
class McNemarPlan:
    """What McNemar's test is planned for: the share of disagreements, and the difference."""

    disagreement: float
    difference: float
    level: float

    @property
    def share(self) -> float:
        """How often the better one is right if only one is."""
        return min((1 + abs(self.difference) / self.disagreement) / 2, 1.0) if self.disagreement else 0.5

    def power(self, n: int) -> float:
        """Return how often the exact test of n examples rejects.

        >>> round(McNemarPlan(0.06, 0.02, 0.95).power(1175), 3)
        0.776
        """
        mean = n * self.disagreement
        if mean > EXACT:
            return self._normal(n)
        spread = math.sqrt(mean * (1 - self.disagreement))
        most = min(n, math.ceil(mean + FAR * spread + FAR))
        numbers = range(max(0, math.floor(mean - FAR * spread - FAR)), most + 1)
        chances = _binomial_chances(n, self.disagreement, numbers)
        return float(chances @ [_rejection(m, self.share, self.level) for m in numbers])

    def _normal(self, n: int) -> float:
        """Return the power if disagreements are normal, with the correction for continuity."""
        spread = math.sqrt(n * max(self.disagreement - self.difference**2, 0.0))
        border = normal(self.level) * math.sqrt(n * self.disagreement) + 1
        if spread <= 0:
            return float(n * abs(self.difference) > border)
        return NormalDist().cdf((n * abs(self.difference) - border) / spread)

    def examples_for(self, power: float, guess: float) -> int | float:
        """Return how many examples the test needs to reject so often, and so for the next numbers, too."""
        needed = least(lambda n: self.power(n) >= power, guess)
        while math.isfinite(needed):
            behind = [k for k in range(AHEAD) if self.power(int(needed) + k) < power]
            if not behind:
                break
            needed += behind[-1] + 1
        return needed


def _binomial_chances(n: int, share: float, numbers: range) -> Array:
    """Return how likely each number of events is, of n that have this chance each."""
    if share >= 1:
        return np.array([float(m == n) for m in numbers])
    logs = [math.lgamma(n + 1) - math.lgamma(m + 1) - math.lgamma(n - m + 1) for m in numbers]
    steps = [m * math.log(share) + (n - m) * math.log1p(-share) for m in numbers]
    return np.exp(np.add(logs, steps))


@lru_cache(maxsize=1 << 16)
def _rejection(m: int, share: float, level: float) -> float:
    """Return how often the exact test of m disagreements rejects, if the better one wins this share.

    >>> round(_rejection(6, 0.5, 0.95), 12) == 2 / 2**6, _rejection(5, 0.9, 0.95)
    (True, 0.0)
    """
    most = _most_of_the_other(m, level)
    if most < 0:
        return 0.0
    return _at_most(most, m, 1 - share) + _at_most(most, m, share)


@lru_cache(maxsize=1 << 14)
def _most_of_the_other(m: int, level: float) -> int:
    """Return how often the other one may be right in m disagreements so that the test rejects; -1: never."""
    k = max(math.floor(m / 2 - normal(level) * math.sqrt(m) / 2), -1)
    while k >= 0 and 2 * _at_most(k, m, 0.5) >= 1 - level:
        k -= 1
    while 2 * (k + 1) < m and 2 * _at_most(k + 1, m, 0.5) < 1 - level:
        k += 1
    return k


def _at_most(k: int, m: int, share: float) -> float:
    """Return the chance of at most k of m events that have this chance each."""
    if k >= m or share <= 0:
        return 1.0
    return 0.0 if share >= 1 else share_below((1 - share) / share, m - k, k + 1)
