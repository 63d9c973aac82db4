"""How often each pair of cells of two classifiers occurs, and scores as functions of that.

A cell is what one classifier made of an example: a pair of classes (true, predicted), or a row of counts. The score of each
classifier is a function of how often each cell occurs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ...algebra.arrays import Array, as_weight, quiet
from ...algebra.average import find_average
from ...algebra.measure import Measure
from ...algebra.score import Score
from ...catalogue.matrix_measures import for_source
from ..estimators.of_weights import values_of_pairs, values_of_rows
from ..estimators.rates import contributions
from ..sampling.samples import HALF, Pairs, chunk_sizes, scatter
from ..sampling.score_function import ScoreFunction, TableFunction, is_smooth, score_function, span_of, units_of_classes

SAME = 1e-9  # numbers that differ by a smaller share are equal
MOST = 4096  # outcomes of swapping that are listed one by one; if there are more, some are drawn


class CellScore(Protocol):
    """A score as a function of how often each cell occurs."""

    @property
    def smooth(self) -> bool:
        """Whether slopes give its variance."""

    @property
    def defined(self) -> Array | None:
        """Which cells count in a mean over examples; None: it is not one."""

    def scores(self, cells: Array) -> Array:
        """Return the score of several samples, (b, cells)."""

    def slopes(self, cells: Array) -> Array:
        """Return how the score moves with the number of examples in each cell."""

    def split(self) -> tuple[Array, Array] | None:
        """Return what a cell adds to the numerator and the denominator; None: it is not a ratio."""


@dataclass(frozen=True, eq=False)
class OfPairs:
    """A score of the counts per class; the cells are those of the table (true, predicted)."""

    score: ScoreFunction
    m: int
    smooth: bool
    defined: Array | None = None
    _known: list[tuple[Array, Array]] = field(default_factory=list, repr=False)

    def _tables(self, cells: Array) -> Pairs:
        return Pairs(cells.reshape(*cells.shape[:-1], self.m + 1, self.m + 1))

    def scores(self, cells: Array) -> Array:
        """Return the score of several samples."""
        return self.score(self._tables(cells).counts)

    def slopes(self, cells: Array) -> Array:
        """Return how the score moves with the number of examples in each cell."""
        return _remembered(self._known, cells, self._slopes)

    def _slopes(self, cells: Array) -> Array:
        sample = self._tables(cells)
        return np.asarray(sample.influence(self.score.spread(self.score.slopes(sample.counts))).ravel())

    def split(self) -> tuple[Array, Array] | None:
        """Return what a cell adds to the numerator and the denominator of a score of one unit."""
        return self._parts

    @cached_property
    def _parts(self) -> tuple[Array, Array] | None:
        if self.score.units != 1 or not self.score.kept.all() or self.score.measure.decomposition is None:
            return None
        found = contributions(self.score, Pairs(np.zeros((self.m + 1, self.m + 1))))
        return None if found is None else (found[0].ravel(), found[1].ravel())


@dataclass(frozen=True, eq=False)
class OfTable:
    """A function of the whole confusion matrix."""

    measure: Measure
    m: int
    smooth: bool  # whether its formula has no kinks
    defined: Array | None = None
    _known: list[tuple[Array, Array]] = field(default_factory=list, repr=False)

    def scores(self, cells: Array) -> Array:
        """Return the score of several samples."""
        return TableFunction(self.measure).values(cells.reshape(-1, self.m + 1, self.m + 1))

    def slopes(self, cells: Array) -> Array:
        """Return how the score moves with the number of examples in each cell that was seen."""
        return _remembered(self._known, cells, self._slopes)

    def _slopes(self, cells: Array) -> Array:
        slopes = TableFunction(self.measure).gradient(cells.reshape(self.m + 1, self.m + 1)).cells
        return np.where(cells > 0, slopes.ravel(), 0.0)

    def split(self) -> tuple[Array, Array] | None:
        """Return which cells are right and which are counted, if the score is the share of right answers."""
        if self.measure.name != "multiclass_accuracy":
            return None
        right, counted = np.zeros((2, self.m + 1, self.m + 1))
        np.fill_diagonal(right[:-1, :-1], 1.0)
        counted[:-1, :-1] = 1.0
        return right.ravel(), counted.ravel()


@dataclass(frozen=True, eq=False)
class OfExamples:
    """A mean over examples; each cell has a value, which is nan where it is undefined."""

    values: Array
    span: tuple[float, float]
    smooth: bool = True

    @property
    def defined(self) -> Array:
        """Which cells count in the mean."""
        return np.isfinite(self.values)

    def scores(self, cells: Array) -> Array:
        """Return the mean of several samples."""
        with quiet():
            return np.asarray((cells @ np.where(self.defined, self.values, 0.0)) / (cells @ self.defined.astype(np.float64)))

    def slopes(self, cells: Array) -> Array:
        """Return how the mean moves with the number of examples in each cell."""
        total = float(cells @ self.defined.astype(np.float64))
        mean = float(self.scores(cells[None])[0])
        return np.where(self.defined, self.values - mean, 0.0) / total

    def split(self) -> tuple[Array, Array] | None:
        """Return the values and which cells count."""
        return np.where(self.defined, self.values, 0.0), self.defined.astype(np.float64)


def _remembered(known: list[tuple[Array, Array]], cells: Array, slopes_at: Callable[[Array], Array]) -> Array:
    """Return the slopes at some cells.

    Those of the last time, if the cells are the same, as for all pairs of a classifier.
    """
    if not known or not np.array_equal(known[0][0], cells):
        known[:] = [(cells, slopes_at(cells))]
    return known[0][1]


def score_of_labels(ev: Any, measure: Measure, score: Score, table: Array) -> CellScore:
    """Return a score of labels, one class each, as a function of the table (true, predicted)."""
    m = len(ev.classes)
    if not measure.reads.in_counts:
        ready, near = for_source(measure, ev), Pairs(table.reshape(m + 1, m + 1))
        kinks = TableFunction(ready).gradient((near + near.pseudo()).table).kinks
        return OfTable(ready, m, not kinks)
    name = _over_classes_or_examples(ev, score)
    if find_average(name).per == ("example",):
        return OfExamples(values_of_pairs(measure, m, score.undefined).ravel(), span_of(measure, float(score)))
    counts = Pairs(table.reshape(m + 1, m + 1)).counts
    function = score_function(measure, find_average(name), units_of_classes(ev, name), score.undefined, counts, score.values)
    return OfPairs(function, m, is_smooth(measure))


def score_of_rows(measure: Measure, score: Score, rows: Array) -> OfExamples:
    """Return a mean over examples as a function of how often each row of counts (4, rows) occurs."""
    values = values_of_rows(measure, rows, score.undefined)
    return OfExamples(np.where(as_weight(sum(rows)) > 0, values, np.nan), span_of(measure, float(score)))


def _over_classes_or_examples(ev: Any, score: Score) -> str:
    name = score.average
    if isinstance(name, tuple) or name in ev.tally.by:
        raise ValueError("it is a mean over groups, and groups are not compared example by example")
    if not set(find_average(name).per) <= {"class", "example", ev.tally.grouping}:
        raise ValueError(f"average={name!r} keeps {', '.join(find_average(name).per)}, and a test is for one axis")
    return str(name)


def over_classes(ev: Any, score: Score) -> bool:
    """Return whether a score is over classes, not over examples; means over groups are refused."""
    return find_average(_over_classes_or_examples(ev, score)).per != ("example",)


@dataclass(frozen=True, eq=False)
class Both:
    """Pairs of cells, left and right, and how often each pair occurs."""

    left: Array
    right: Array
    times: Array


@dataclass(frozen=True, eq=False)
class PairedSample:
    """Distinct pairs of cells of two classifiers, with one pseudo-example about which they disagree."""

    pairs: Both
    size: int  # how many cells there are
    extra: Both  # half of an example right on the left only, half of it right on the right only
    weights: Array | None = None  # sums of the weights of the examples of each pair; None: one each
    squares: Array | None = None  # sums of squares of weights

    @cached_property
    def n(self) -> float:
        """The number of examples."""
        return float(self.pairs.times.sum())

    @cached_property
    def unit(self) -> float:
        """The weight of the pseudo-example: that of an average example."""
        return 1.0 if self.weights is None else float(self.weights.sum()) / max(self.n, 1.0)

    def without_extra(self) -> PairedSample:
        """Return the sample without the pseudo-example."""
        return replace(self, extra=Both(self.extra.left[:0], self.extra.right[:0], self.extra.times[:0]))

    @cached_property
    def with_extra(self) -> Both:
        """The pairs with those of the pseudo-example, and their weights."""
        own = self.pairs.times.astype(np.float64) if self.weights is None else self.weights
        left, right = np.append(self.pairs.left, self.extra.left), np.append(self.pairs.right, self.extra.right)
        return Both(left, right, np.append(own, self.unit * self.extra.times))

    @cached_property
    def cells(self) -> tuple[Array, Array]:
        """How often each cell occurs on the left and on the right."""
        own = self.pairs.times.astype(np.float64) if self.weights is None else self.weights
        return np.bincount(self.pairs.left, own, self.size), np.bincount(self.pairs.right, own, self.size)

    @cached_property
    def smooth_cells(self) -> tuple[Array, Array]:
        """How often each cell occurs on the left and on the right, with the pseudo-example."""
        every = self.with_extra
        return np.bincount(every.left, every.times, self.size), np.bincount(every.right, every.times, self.size)

    @cached_property
    def _squares(self) -> Array:
        """The sum of the squares of the weights of each pair, with the pseudo-example."""
        if self.weights is None and self.squares is None:
            return self.with_extra.times
        squares = self.pairs.times if self.squares is None else self.squares
        return np.append(squares, self.unit**2 * self.extra.times)

    def variance(self, left: Array, right: Array) -> float:
        """Return the variance of a difference to whose sides each cell adds this much."""
        every = self.with_extra
        added, total = left[every.left] - right[every.right], float(every.times.sum())
        added -= float(every.times @ added) / total if total else 0.0
        return float(self._squares @ added**2)

    def count_apart(self, left: Array, right: Array) -> int:
        """Return for how many examples the two cells have different numbers, on the left or on the right."""
        apart = np.zeros(len(self.pairs.times), bool)
        for side in (left, right):
            a, b = side[self.pairs.left], side[self.pairs.right]
            largest = np.maximum(np.abs(a).max(initial=0), np.abs(b).max(initial=0))
            apart |= np.abs(a - b) > SAME * float(largest)
        return int(self.pairs.times[apart].sum())

    @property
    def disagreements(self) -> int:
        """The number of examples with different cells."""
        return int(self.pairs.times[self.pairs.left != self.pairs.right].sum())

    def resample(self, rng: np.random.Generator, draws: int) -> Iterator[tuple[Array, Array]]:
        """Yield the cells of both sides in samples drawn with replacement, several samples at a time."""
        n, times = round(self.n), self.pairs.times
        for some in chunk_sizes(draws, self.size + len(times)):
            drawn = rng.multinomial(n, times / times.sum(), some).astype(np.float64)
            yield scatter(drawn, self.pairs.left, self.size), scatter(drawn, self.pairs.right, self.size)

    def posterior(self, rng: np.random.Generator, draws: int) -> Iterator[tuple[Array, Array]]:
        """Yield the cells of both sides in draws from the posterior; the pseudo-example is the prior."""
        left, right = np.append(self.pairs.left, self.extra.left), np.append(self.pairs.right, self.extra.right)
        shape = np.append(self.pairs.times, self.extra.times)
        for some in chunk_sizes(draws, self.size + len(shape)):
            drawn = rng.standard_gamma(shape, (some, len(shape)))
            yield scatter(drawn, left, self.size), scatter(drawn, right, self.size)

    def swap(self, rng: np.random.Generator, draws: int) -> Iterator[tuple[Array, Array, Array]]:
        """Yield the cells of both sides after swapping predictions at random, and how likely each outcome is.

        Of the examples with the same two cells, it does not matter which are swapped. So their number is enough. If there are few
        outcomes, each occurs once; otherwise some are drawn, and the probabilities are 1 / draws.
        """
        low, high, often = self._apart()
        same = self.pairs.left == self.pairs.right
        fixed = np.bincount(self.pairs.left[same], self.pairs.times[same], self.size)
        listed = _outcomes(often) if self.is_listed() else None
        start = 0
        for some in chunk_sizes(draws if listed is None else len(listed[1]), 2 * self.size + len(often)):
            if listed is None:
                kept, share = rng.binomial(often, HALF, (some, len(often))), np.full(some, 1 / draws)
            else:
                kept, share = (x[start : start + some] for x in listed)
            start += some
            a, b = kept.astype(np.float64), (often - kept).astype(np.float64)
            yield (
                fixed + scatter(a, low, self.size) + scatter(b, high, self.size),
                fixed + scatter(b, low, self.size) + scatter(a, high, self.size),
                share,
            )

    def is_listed(self) -> bool:
        """Return whether the outcomes of swapping are so few that each is listed: the test is then exact."""
        return bool(math.prod((self._apart()[2] + 1).tolist()) <= MOST)

    def _apart(self) -> tuple[Array, Array, Array]:
        """Return the pairs of different cells, in whatever order, and how often each occurs."""
        low, high = np.minimum(self.pairs.left, self.pairs.right), np.maximum(self.pairs.left, self.pairs.right)
        apart = low < high
        keys, where = np.unique(low[apart] * self.size + high[apart], return_inverse=True)
        often = np.bincount(where, self.pairs.times[apart], len(keys)).astype(np.int64)
        return *np.divmod(keys, max(self.size, 1)), often


def _outcomes(often: Array) -> tuple[Array, Array]:
    """Return how many of each kind keep their place in every outcome of swapping, and how likely it is."""
    kept, share = np.zeros((1, 0), np.int64), np.ones(1)
    for n in often.tolist():
        chances = np.array([math.comb(n, k) for k in range(n + 1)], np.float64) / 2.0**n
        kept = np.concatenate([np.repeat(kept, n + 1, axis=0), np.tile(np.arange(n + 1), len(kept))[:, None]], axis=1)
        share = (share[:, None] * chances).ravel()
    return kept, share
