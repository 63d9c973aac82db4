"""For how many rows each row with a gold label stands, and what a row then adds to a sum."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...algebra.arrays import Array
from .judged_rows import JudgedRows

TINY = 1e-300


@dataclass(frozen=True, eq=False)
class GoldWeights:
    """For how many rows each gold row stands: those of its stratum, within which gold rows were chosen at random."""

    rows: JudgedRows
    stratum: Array
    known: Array  # which rows have a gold label

    @cached_property
    def often(self) -> Array:
        """For how many rows each one stands; 0 without a gold label."""
        base, mass = np.where(self.known, self.rows.drawn, 0.0), self.rows.mass
        total, of_gold = np.bincount(self.stratum, mass), np.bincount(self.stratum, mass * base)
        return np.asarray(base * (total / np.maximum(of_gold, TINY))[self.stratum])

    @cached_property
    def few(self) -> Array:
        """The factor of a variance from few gold rows, its root."""
        number = np.bincount(self.stratum, self.rows.times * self.known)
        return np.asarray(np.sqrt(number / np.maximum(number - 1, 0.5))[self.stratum])

    def mean(self, values: Array) -> Array:
        """Return the mean over the rows of each stratum that gold rows tell, for every row."""
        mass = self.rows.mass
        top = np.bincount(self.stratum, mass * self.often * values)
        return np.asarray((top / np.maximum(np.bincount(self.stratum, mass), TINY))[self.stratum])

    def added(self, base: Array, truth: Array, moved: Array | float = 1.0) -> Array:
        """Return what each row adds to a sum: ``base``, and of what gold rows differ from it, the part of all they stand for.

        ``moved`` undoes what a gold row itself did to its base.
        """
        error = np.where(self.known, truth - base, 0.0)
        mean = self.mean(error)
        own = base + error + (self.often - 1) * moved * self.few * (error - mean)
        return np.asarray(self.rows.weight * np.where(self.known, own, base + mean))
