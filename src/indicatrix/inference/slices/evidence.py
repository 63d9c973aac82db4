"""How surely a slice is worse than the rest: one test for every measure.

A score between two bounds is as precise as a share of so many examples (``homogeneity``); that of counted examples is one. The
test of two shares is the signed root of their likelihood ratio, which keeps its size for small slices of rare errors, where a
normal test does not. Scores without bounds have a normal test with the variances of their intervals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...algebra.arrays import Array, quiet
from ..groups.homogeneity import Precision, of_intervals
from ..intervals.interval import Interval

HALF = 0.5  # of an example: the correction for continuity of counted examples


@dataclass(frozen=True, eq=False)
class Evidence:
    """How many standard errors slices are worse than the rest."""

    whole: Precision  # one value
    lower_is_worse: bool

    def against_rest(self, values: Array, sizes: Array) -> Array:
        """Return how far slices are on the bad side of all other examples together."""
        total, mean = float(self.whole.sizes[0]), float(self.whole.values[0])
        rest = np.maximum(total - sizes, 1e-9)
        with quiet():
            others = (total * mean - sizes * values) / rest
        return self.between(values, sizes, np.clip(others, 0, 1) if self.whole.bounded else others, rest)

    def between(self, values: Array, sizes: Array, others: Array, rest: Array) -> Array:
        """Return how far some values are on the bad side of others, in standard errors; nan counts as 0."""
        sign = 1.0 if self.lower_is_worse else -1.0
        with quiet():
            if not self.whole.bounded:
                z = sign * (others - values) / np.sqrt(1 / sizes + 1 / rest)
                return np.where(np.isfinite(z), z, 0.0)
            both = (sizes * values + rest * others) / (sizes + rest)
            hits = sizes * values
            if self.whole.counted:  # half an example towards what is expected
                near = np.minimum(np.abs(hits - sizes * both), HALF)
                hits = hits + np.sign(sizes * both - hits) * near
            ratio = _bent(hits, sizes, both) + _bent(rest * others, rest, both)
            z = sign * np.sign(both - values) * np.sqrt(2 * np.maximum(ratio, 0))
        return np.where(np.isfinite(z), z, 0.0)

    def at_most(self, bad: Array) -> Array:
        """Return how far a slice can be at most that has so many bad examples: one that has no others."""
        return self.against_rest(np.full(bad.shape, 0.0 if self.lower_is_worse else 1.0), bad)


def _bent(hits: Array, sizes: Array, share: Array) -> Array:
    """Return the logarithm of the likelihood ratio of a share against another."""

    def part(k: Array, expected: Array) -> Array:
        return np.where(k > 0, k * np.log(np.where(k > 0, k, 1.0) / np.where(expected > 0, expected, 1.0)), 0.0)

    return part(hits, sizes * share) + part(sizes - hits, sizes * (1 - share))


def precision_of(intervals: Sequence[Interval], span: tuple[float, float]) -> Precision:
    """Return the precision that intervals tell; scores without one have the size 0."""
    found = of_intervals(intervals, span)
    known = np.isfinite(found.values) & np.isfinite(found.sizes)
    return Precision(np.where(known, found.values, 0.0), np.where(known, found.sizes, 0.0), found.bounded)


def upper_tail(z: float) -> float:
    """Return how often a normal number is at least so large.

    >>> upper_tail(0.0), round(upper_tail(1.6449), 3)
    (0.5, 0.05)
    """
    return math.erfc(z / math.sqrt(2)) / 2
