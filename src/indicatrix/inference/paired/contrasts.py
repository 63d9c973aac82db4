"""Contrasts: the difference of a score between two classifiers, with what was sampled.

There are three: scores of cells whose pairs are known, scores of classes of which sums of products are known, and areas.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...algebra.arrays import Array
from ..estimators.of_units import OfUnits
from ..estimators.of_weights import OfWeights, variance_of
from ..estimators.score_interval import Center
from ..sampling.draw_weights import multinomial
from ..sampling.samples import HALF
from ..sampling.score_function import ScoreFunction
from .paired_cells import CellScore, PairedSample
from .resampled import SwappedGroups

# Both were chosen by how often intervals of differences between areas near 1 cover, and equivalence is said, next to the power.
PSEUDO_APART = 0.25  # of the pseudo-example of an area is not the same in another area of the same examples
SHORTEST_TAIL = 0.85  # of an area near its limit, next to that of a normal distribution

Replicates = tuple[Array, Array]  # the differences of several samples, and how likely each is


class Contrast:
    """The difference of a score between two classifiers: of how it moves with what was sampled of both."""

    value: float  # the difference itself, of those that draw around it
    bounded: bool = True  # whether the difference is about normal: its values lie in a finite range, or it cannot be drawn
    refusal: str = ""  # why there is no test
    freedom: float = math.inf  # how many independent groups were sampled, less one; for single examples it does not matter
    clustered: bool | None = None  # whether groups were sampled; None: wherever there are degrees of freedom
    apart: int | None = None  # for how many examples the two differ in a way that the score sees; None: it is not counted

    if TYPE_CHECKING:

        @property
        def spread(self) -> float:
            """The variance with one pseudo-example about which they disagree; nan if the score has no slopes."""

    def variance(self) -> float:
        """Return the variance of the difference without pseudo-examples, for planning."""
        raise NotImplementedError

    def discordant(self) -> tuple[int, int, int] | None:
        """Return how often only the first is right, only the second, and of how many.

        None if the score does not only depend on which examples are right.
        """
        return None

    def bootstrap(self, rng: np.random.Generator, draws: int) -> Array:
        """Return the differences in samples drawn with replacement."""
        raise ValueError(self.without("bootstrap"))

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the difference from its posterior, or of a normal distribution where it has none."""
        return rng.normal(self.value, math.sqrt(self.spread), draws)

    def swap(self, rng: np.random.Generator, draws: int) -> Replicates:
        """Return the differences after swapping predictions at random, and how likely each is."""
        raise ValueError(self.without("permutation"))

    def without(self, method: str) -> str:
        """Return why a method is not possible."""
        return f"method={method!r} is not possible here; use 'delta'"

    def is_listed(self) -> bool:
        """Return whether swapping has so few outcomes that each is listed."""
        return False


@dataclass(frozen=True, eq=False)
class OfCells(Contrast):
    """The difference of two functions of cells, of which all pairs are known."""

    sample: PairedSample
    left: CellScore
    right: CellScore
    bounded: bool = True

    @cached_property
    def slopes(self) -> tuple[Array, Array]:
        """How each score moves with the number of examples in each cell, with the pseudo-example."""
        cells = self.sample.smooth_cells
        return self.left.slopes(cells[0]), self.right.slopes(cells[1])

    @cached_property
    def spread(self) -> float:
        """The variance of the difference, with the pseudo-example."""
        return self.sample.variance(*self.slopes) if self.left.smooth and self.right.smooth else math.nan

    def variance(self) -> float:
        """Return the variance of the difference without the pseudo-example, for planning.

        Functions with kinks have slopes, too, which are good away from kinks and for many examples.
        """
        sample = self.sample.without_extra()
        left, right = sample.cells
        return sample.variance(self.left.slopes(left), self.right.slopes(right))

    @cached_property
    def apart(self) -> int:  # type: ignore[override]
        """For how many examples the two differ in a way that the score sees."""
        right = self._right
        if right is not None:
            return self.sample.count_apart(right, right)
        if self.left.smooth and self.right.smooth:
            return self.sample.count_apart(*self.slopes)
        return self.sample.disagreements

    @property
    def refusal(self) -> str:  # type: ignore[override]
        """Why there is no test."""
        left, right, pairs = self.left.defined, self.right.defined, self.sample.pairs
        if left is not None and right is not None and (left[pairs.left] != right[pairs.right]).any():
            return "the means are over different examples, because undefined values are left out"
        return ""

    @cached_property
    def _split(self) -> tuple[Array, Array] | None:
        """What a cell adds to the numerator and the denominator of the first score; None: it is not a ratio."""
        return self.left.split()

    @cached_property
    def _right(self) -> Array | None:
        """1 for right cells and 0 for the others, if the score only depends on which are right.

        It does if both are a share of the same examples, whatever is predicted, to which each adds one of two numbers.
        """
        one, other = self._split, self.right.split()
        if self.sample.weights is not None or one is None or other is None or not np.array_equal(one, other):
            return None
        every, (top, bottom) = self.sample.with_extra, one
        left, right = every.left, every.right
        counted = bottom[left] != 0
        if not np.array_equal(bottom[left], bottom[right]) or len(np.unique(bottom[left][counted])) != 1:
            return None
        if top[left][~counted].any() or top[right][~counted].any():  # as in (tp - fp)/(tp + fn): the others move it, too
            return None
        values = np.unique(np.append(top[left][counted], top[right][counted]).round(12))
        return np.where((bottom != 0) & (top > values.mean()), 1.0, 0.0) if len(values) == 2 else None

    def discordant(self) -> tuple[int, int, int] | None:
        """Return how often only the first is right, only the second, and of how many."""
        right = self._right
        if right is None:
            return None
        pairs, bottom = self.sample.pairs, self._split
        assert bottom is not None
        a, b = right[pairs.left], right[pairs.right]
        n = int(pairs.times[bottom[1][pairs.left] != 0].sum())
        return int(pairs.times[(a > b)].sum()), int(pairs.times[(a < b)].sum()), n

    def _differences(self, samples: Iterator[tuple[Array, Array]]) -> Array:
        return np.concatenate([self.left.scores(a) - self.right.scores(b) for a, b in samples])

    def bootstrap(self, rng: np.random.Generator, draws: int) -> Array:
        """Return the differences in samples of examples drawn with replacement."""
        self._refuse_weights("bootstrap")
        return self._differences(self.sample.resample(rng, draws))

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the difference from its posterior."""
        self._refuse_weights("posterior")
        return self._differences(self.sample.posterior(rng, draws))

    def swap(self, rng: np.random.Generator, draws: int) -> Replicates:
        """Return the differences after swapping predictions at random, and how likely each is."""
        self._refuse_weights("permutation")
        found = [(self.left.scores(a) - self.right.scores(b), share) for a, b, share in self.sample.swap(rng, draws)]
        return np.concatenate([x for x, _ in found]), np.concatenate([share for _, share in found])

    def is_listed(self) -> bool:
        """Return whether swapping has so few outcomes that each is listed."""
        return self.sample.is_listed()

    def _refuse_weights(self, method: str) -> None:
        if self.sample.weights is not None:
            raise ValueError(f"the examples have weights, and method={method!r} draws single examples; 'delta' takes weights")


@dataclass(frozen=True, eq=False)
class OfSums(Contrast):
    """The difference of two scores over classes, of which sums over rows and sums of products are known."""

    left: ScoreFunction
    right: ScoreFunction
    smooth: bool
    n: int
    sums: tuple[Array, Array]  # the counts of the classes, (4, m) each
    squares: Array  # sums of products of the cells of both, (2 4 m) x (2 4 m)
    apart: int | None
    unit: float = 1.0  # the weight of the pseudo-example: that of an average example

    @property
    def refusal(self) -> str:  # type: ignore[override]
        """Why there is no test."""
        if self.smooth:
            return ""
        return (
            "its formula has kinks (min, max or abs), and of label matrices only sums over examples are kept; average='exemplar' "
            "has a test"
        )

    @cached_property
    def spread(self) -> float:
        """The variance of the difference; the pseudo-entries are such that only one of the two is right."""
        return self._variance(self.unit * HALF / max(self.sums[0].shape[1], 1))

    def variance(self) -> float:
        """Return the variance of the difference without pseudo-entries, for planning."""
        return self._variance(0.0)

    def _variance(self, more: float) -> float:
        """Return the variance of the difference, with so much of a pseudo-entry added to each count."""
        a, b = (side.spread(side.slopes(counts + more)) for side, counts in zip((self.left, self.right), self.sums, strict=True))
        slopes = np.append(a.ravel(), -b.ravel())
        extra = self.unit * more * float(((a - b[[2, 3, 0, 1]]) ** 2).sum())  # tp against fn, and fp against tn
        center = float(slopes @ np.append(self.sums[0].ravel(), self.sums[1].ravel()))
        return max(float(slopes @ self.squares @ slopes) - center**2 / max(self.n, 1), 0.0) + float(extra)

    @property
    def value(self) -> float:  # type: ignore[override]
        """The difference itself."""
        return float(self.left(self.sums[0])) - float(self.right(self.sums[1]))

    def without(self, method: str) -> str:
        """Return why examples are neither drawn nor swapped."""
        return (
            f"method={method!r} draws or swaps examples, and of label matrices only sums over examples are kept. Use 'delta', or "
            "average='exemplar'."
        )


@dataclass(frozen=True, eq=False)
class OfSameWeights(Contrast):
    """The difference of two scores that are functions of how often each of the same things counts."""

    left: OfWeights
    right: OfWeights
    refusal: str = ""

    @property
    def freedom(self) -> float:  # type: ignore[override]
        """The degrees of freedom of the variance: the fewer of the two."""
        return min(self.left.freedom, self.right.freedom)

    @cached_property
    def spread(self) -> float:
        """The variance of the difference; no pseudo-example is known."""
        return self.variance()

    def variance(self) -> float:
        """Return the variance from what each thing adds to both."""
        return variance_of(self.left.added - self.right.added)

    def bootstrap(self, rng: np.random.Generator, draws: int) -> Array:
        """Return the differences in samples drawn with replacement, the same for both."""
        same = _twice(rng)
        a, b = (side.replicates(multinomial(next(same)), draws, False)[0] for side in (self.left, self.right))
        return a - b

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the difference: gamma weights, the same for both."""
        same = _twice(rng)
        a, b = (side.posterior(next(same), draws) for side in (self.left, self.right))
        return a - b

    def without(self, method: str) -> str:
        """Return why nothing is swapped: scores of different classifiers have different scales."""
        return f"method={method!r} swaps predictions, and scores of two classifiers may have different scales."


@dataclass(frozen=True, eq=False)
class OfUnitDifferences(OfSameWeights):
    """The difference of two scores of units of the same examples, such as areas or losses of classes."""

    left: OfUnits
    right: OfUnits

    @property
    def freedom(self) -> float:  # type: ignore[override]
        """The degrees of freedom of the variance: the fewer of the two."""
        return min(self.left.center().freedom, self.right.center().freedom)

    @cached_property
    def spread(self) -> float:
        """The variance of the difference from what each example adds to both: DeLong's, for AUC.

        A part of the pseudo-example is misplaced in each; the rest of it is the same in both.
        """
        one, other = self._alone
        return one + other - 2 * self._together

    def variance(self) -> float:
        """Return the variance from what each example or cluster adds to both."""
        return max(self.left.variance() + self.right.variance() - 2 * self._together, 0.0)

    @cached_property
    def _together(self) -> float:
        return self.left.covariance(self.right)

    @cached_property
    def _alone(self) -> tuple[float, float]:
        """The variances of the two areas, each with a part of the pseudo-example.

        Constant scores have none, and no pseudo-example moves their AUC: they have the variance of their own interval.
        """
        own = (side.variance() + PSEUDO_APART * side.pseudo_variance for side in (self.left, self.right))
        one, other = (found or side.center().spread for found, side in zip(own, (self.left, self.right), strict=True))
        return one, other

    def reach(self, quantile: float) -> tuple[float, float]:
        """Return how far the interval of the difference reaches below and above it at a quantile.

        An area near 1 can be lower by more than it can be higher, so the difference reaches to where the Wilson intervals of the
        two end, as their correlation allows (Zou and Donner's MOVER): only then does a margin lie outside as often as it should.
        """
        span = self.left.span
        if not math.isfinite(span[1] - span[0]):
            return (quantile * math.sqrt(self.spread),) * 2
        (down, up), (down_other, up_other) = (
            _tails(side, alone, quantile) for side, alone in zip((self.left, self.right), self._alone, strict=True)
        )
        twice = 2 * self._together / math.sqrt(self._alone[0] * self._alone[1])
        below = down**2 + up_other**2 - twice * down * up_other
        above = up**2 + down_other**2 - twice * up * down_other
        more = self.left.bias - self.right.bias  # the first is too high by so much more
        return math.sqrt(max(below, 0.0)) + max(more, 0.0), math.sqrt(max(above, 0.0)) + max(-more, 0.0)


@dataclass(frozen=True, eq=False)
class OfGroupDifferences(Contrast):
    """The difference of two scores of examples that were sampled in groups."""

    value: float
    added: Array  # what each group adds to the first score, less what it adds to the second
    extra: float  # the variance that a pseudo-example adds to each
    groups: SwappedGroups

    @property
    def freedom(self) -> float:  # type: ignore[override]
        """How many groups were sampled, less one."""
        return float(len(self.added) - 1)

    @property
    def apart(self) -> int:  # type: ignore[override]
        """In how many groups the two differ."""
        return self.groups.apart

    @cached_property
    def spread(self) -> float:
        """The variance of the difference from what each group adds to both, with a pseudo-example for each."""
        return self.variance() + self.extra

    def variance(self) -> float:
        """Return the variance of the difference from what the groups add, without pseudo-examples."""
        return float(((self.added - self.added.mean()) ** 2).sum())

    def swap(self, rng: np.random.Generator, draws: int) -> Replicates:
        """Return the differences after swapping whole groups in every way, and how likely each is."""
        if not self.is_listed():
            raise ValueError(f"method='permutation' lists every way to swap clusters, and {self.apart} differ; use 'delta'")
        return self.groups.swap()

    def without(self, method: str) -> str:
        """Return why groups are not drawn."""
        return f"method={method!r} takes examples for independent; with clusters= use 'delta'"

    def is_listed(self) -> bool:
        """Return whether so few groups differ that every way to swap them is listed."""
        return self.groups.is_listed(self.value)


def _tails(area: OfUnits, spread: float, quantile: float) -> tuple[float, float]:
    """Return how far the Wilson interval of an area with this variance reaches below and above it.

    A tail is not much shorter than that of a normal distribution, because the variance is not known exactly.
    """
    low, high = Center(area.value, area.center().smoothed, spread).between(area.span, quantile)
    least = SHORTEST_TAIL * quantile * math.sqrt(spread)
    return max(area.value - low, least), max(high - area.value, least)


def _twice(rng: np.random.Generator) -> Iterator[np.random.Generator]:
    """Yield two generators that give the same numbers."""
    seed = int(rng.integers(2**63))
    yield from (np.random.default_rng(seed) for _ in range(2))
