"""A loss or a gain as a unit of a score: the sum of all parts over the sum of all wholes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from .clustered import Sampled, UnitSpread, design_effect, freedom_of_clusters

HALF = 0.5  # of the pseudo-example has the lowest value, the other half the highest


@dataclass(frozen=True, eq=False)
class SummedUnit:
    """The entries of one class, of a group, or of all; an entry may add nothing."""

    rows: Array  # the example of each entry
    parts: Array
    wholes: Array
    labels: Array  # which examples are its positives, where weights read them
    name: Any
    span: tuple[float, float]  # between which single values lie
    often: Array  # how often the example of each entry counts: its weight, or 1

    known = True

    @cached_property
    def _sums(self) -> tuple[float, float]:
        return float(self.often @ self.parts), float(self.often @ self.wholes)

    @property
    def value(self) -> float:
        """The ratio of the sums."""
        return self._sums[0] / self._sums[1]

    @property
    def bias(self) -> float:
        """A ratio of sums has hardly any."""
        return 0.0

    @cached_property
    def sides(self) -> tuple[float, float]:
        """How many positives and negatives there are."""
        return float(self.often[self.labels].sum()), float(self.often[~self.labels].sum())

    def values(self, weights: Array) -> tuple[Array, Array, Array]:
        """Return the value, the positives and the negatives for several sets of weights of the examples."""
        own = weights[:, self.rows]
        with quiet():
            return (own @ self.parts) / (own @ self.wholes), own @ self.labels, own @ ~self.labels

    def sizes(self, sampled: Sampled) -> dict[str, int]:
        """Return how many examples or clusters have a value."""
        return {"": sampled.count(self.rows[self.wholes > 0])}

    def _apart(self, value: float) -> Array:
        """Return by how much each example moves the sum of the parts beyond what a value leads to expect."""
        return np.asarray(self.often * (self.parts - value * self.wholes))

    def added(self, sampled: Sampled) -> Array:
        """Return what each example adds to the value, scaled so that few do not vary too little."""
        things = self.sizes(sampled)[""]
        return self._apart(self.value) / self._sums[1] * (math.sqrt(things / (things - 1)) if things > 1 else 1.0)

    def spread(self, sampled: Sampled, own: Array, score: float) -> UnitSpread:
        """Return the variance of the value with one pseudo-example, as of a mean of values in a finite range."""
        things = self.sizes(sampled)[""]
        together = float((sampled.sums(self.rows, own) ** 2).sum())
        (low, high), whole = self.span, self.often * self.wholes
        freedom = max(things - 1.0, 1.0)
        if not math.isfinite(high - low):
            return UnitSpread(together, together, self.value, 0.0, freedom)
        width, typical = high - low, float((whole**2).sum() / whole.sum())
        n = float(whole.sum()) / typical
        mean = (self.value - low) / width
        effect = 1.0
        if sampled.clusters is not None:
            apart = self._apart(self.value) / typical / width
            found = float((sampled.sums(self.rows, apart) ** 2).sum()) * (1 + 1 / freedom)
            effect = design_effect(float(apart @ apart), found, HALF**2, n / things)
            freedom = min(freedom, freedom_of_clusters(sampled.sums(self.rows, whole), effect))
        n /= effect
        share = (n * mean + HALF) / (n + 1)
        apart = self._apart(low + share * width) / typical / width
        squares = float((sampled.sums(self.rows, apart) ** 2).sum()) * (1 if sampled.clusters is None else 1 + 1 / freedom)
        unit = (width / (n + 1)) ** 2
        more = (HALF * share**2 + HALF * (1 - share) ** 2) * unit
        return UnitSpread(together, max(squares / effect**2 * unit, together) + more, low + share * width, more, freedom)
