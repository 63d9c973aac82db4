"""What was sampled of examples that are kept: each by itself, or clusters of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...algebra.arrays import Array


@dataclass(frozen=True, eq=False)
class Sampled:
    """Examples, and the number of the cluster of each; None: every example stands for itself."""

    n: int
    clusters: Array | None = None
    weights: Array | None = None  # of the examples, so scaled that they count effective ones; None: all the same

    @cached_property
    def things(self) -> int:
        """How many examples or clusters were sampled."""
        return self.n if self.clusters is None else int(self.clusters.max()) + 1

    @cached_property
    def owner(self) -> Array:
        """Which of them each example belongs to."""
        return np.arange(self.n) if self.clusters is None else self.clusters

    @property
    def freedom(self) -> float:
        """How many clusters were sampled, less one; for single examples it does not matter."""
        return math.inf if self.clusters is None else self.things - 1.0

    def sums(self, rows: Array, added: Array) -> Array:
        """Return what each of them adds, from what entries of some examples add."""
        return np.bincount(self.owner[rows], added, self.things)

    def count(self, rows: Array) -> int:
        """Return how many of them some examples belong to."""
        return int(np.count_nonzero(np.bincount(self.owner[rows], minlength=self.things)))

    def of_examples(self, drawn: Array) -> Array:
        """Return how often each example counts if each thing that was sampled counts this often."""
        often = drawn if self.clusters is None else drawn[:, self.clusters]
        return often if self.weights is None else often * self.weights


@dataclass(frozen=True)
class UnitSpread:
    """The variance of the value of one unit, seen and expected."""

    seen: float  # from the examples
    whole: float  # with what is expected, and with the pseudo-example
    smoothed: float
    more: float  # the part of the pseudo-example
    freedom: float
