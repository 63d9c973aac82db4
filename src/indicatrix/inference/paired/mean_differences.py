"""The difference of two means over the same examples, such as two Brier scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from ...algebra.arrays import Array
from ...algebra.score import Score
from ..estimators.of_examples import counted_units
from ..sampling.draw_weights import Draw, gamma, multinomial
from ..sampling.samples import chunk_sizes
from .contrasts import Contrast
from .swapped_groups import LISTED


@dataclass(frozen=True, eq=False)
class OfMeans(Contrast):
    """The difference of two means over the same examples, from what each example has in both.

    Of clusters, there are their means, with the weight of all their examples.
    """

    differences: Array  # of each example or cluster that counts
    weights: Array
    span: tuple[float, float]  # between which the values of an example lie
    freedom: float = math.inf
    clustered: bool = False
    right_or_wrong: bool = False  # whether the share of right examples is compared: each is right or wrong in both

    def discordant(self) -> tuple[int, int, int] | None:
        """Return how often only the first is right, only the second, and of how many.

        None if they have other values.
        """
        if not self.right_or_wrong or self.clustered or len(np.unique(self.weights)) > 1:
            return None
        return int((self.differences > 0).sum()), int((self.differences < 0).sum()), len(self.differences)

    @cached_property
    def spread(self) -> float:
        """The variance of the difference, with one more example that is as far apart as can be.

        It counts the less, the more examples show how far apart they are.
        """
        return self.variance() + (self._farthest / (len(self.differences) + 1) / (1 + self.apart)) ** 2

    @property
    def _farthest(self) -> float:
        width = self.span[1] - self.span[0]
        return width if math.isfinite(width) else float(np.abs(self.differences).max(initial=0.0))

    def variance(self) -> float:
        """Return the variance of the difference of the means."""
        shares = self.weights / self.weights.sum()
        return float(((shares * (self.differences - shares @ self.differences)) ** 2).sum()) * (1 + 1 / self.freedom)

    @property
    def apart(self) -> int:  # type: ignore[override]
        """For how many examples the two differ."""
        return int(np.count_nonzero(self.differences))

    def bootstrap(self, rng: np.random.Generator, draws: int) -> Array:
        """Return the differences in samples of examples drawn with replacement."""
        return self._drawn(multinomial(rng), draws)

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the difference: gamma weights on the examples."""
        return self._drawn(gamma(rng), draws)

    def _drawn(self, draw: Draw, draws: int) -> Array:
        once, parts = np.ones(len(self.differences)), []
        for size in chunk_sizes(draws, len(once)):
            weights = draw(once, None, size) * self.weights
            parts.append(weights @ self.differences / weights.sum(axis=1))
        return np.concatenate(parts)

    def swap(self, rng: np.random.Generator, draws: int) -> tuple[Array, Array]:
        """Return the differences after swapping the two at random in each example, and how likely each is."""
        added = (self.weights / self.weights.sum() * self.differences)[self.differences != 0]
        if self.is_listed():
            found = np.array([*product((-1.0, 1.0), repeat=len(added))]).reshape(-1, len(added)) @ added
        else:
            found = np.concatenate(
                [rng.choice((-1.0, 1.0), (size, len(added))) @ added for size in chunk_sizes(draws, len(added))]
            )
        return found, np.full(len(found), 1 / len(found))

    def is_listed(self) -> bool:
        """Return whether swapping has so few outcomes that each is listed."""
        return self.apart <= LISTED


def contrast_of_means(first: Score, second: Score, clusters: Array | None = None) -> OfMeans:
    """Return the difference of two means over the same examples, from the values that they carry.

    ``clusters`` has the number of the cluster of each example, if these were sampled.
    """
    (one, weights, here), (other, _, there) = counted_units(first), counted_units(second)
    if not np.array_equal(here, there):
        raise ValueError("the means are over different examples, because undefined values are left out")
    if clusters is None:
        if first.measure.reads.name != "answers":
            return OfMeans(one - other, weights, first.measure.range)
        # Questions may be few: without McNemar's test, the variance is known with their degrees of freedom.
        right_or_wrong = bool(np.isin(one, (0, 1)).all() and np.isin(other, (0, 1)).all())
        freedom = math.inf if right_or_wrong else max(len(one) - 1.0, 1.0)
        return OfMeans(one - other, weights, first.measure.range, freedom, right_or_wrong=right_or_wrong)
    return in_clusters(clusters[here], one - other, weights, first.measure.range)


def in_clusters(number: Array, differences: Array, weights: Array, span: tuple[float, float]) -> OfMeans:
    """Return the difference of two means over examples that were sampled in clusters."""
    whole, part = np.bincount(number, weights), np.bincount(number, weights * differences)
    seen = whole > 0
    return OfMeans(part[seen] / whole[seen], whole[seen], span, freedom=max(float(seen.sum()) - 1, 1.0), clustered=True)
