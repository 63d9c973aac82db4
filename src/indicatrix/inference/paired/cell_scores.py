"""Scores as functions of how often each cell occurs.

A cell is a pair of classes (true, predicted), or a row of counts of an example.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ...algebra.arrays import Array, as_weight, quiet
from ...algebra.average import find_average
from ...algebra.convention import stand_in
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.score import Score
from ...catalogue.matrix_measures import for_source
from ..estimators.shares import contributions
from ..sampling.samples import Pairs
from ..sampling.score_function import ScoreFunction, is_smooth, score_function, span_of, units_of_classes
from ..sampling.table_function import TableFunction


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
        return OfExamples(_fill(_values_of_pairs(measure, m), score), span_of(measure, float(score)))
    counts = Pairs(table.reshape(m + 1, m + 1)).counts
    function = score_function(measure, find_average(name), units_of_classes(ev, name), score.undefined, counts, score.values)
    return OfPairs(function, m, is_smooth(measure))


def score_of_rows(measure: Measure, score: Score, rows: Array) -> OfExamples:
    """Return a mean over examples as a function of how often each row of counts (4, rows) occurs."""
    counts = _as_counts(rows)
    with quiet():
        filled = _fill(as_weight(measure.values(counts)), score)
    return OfExamples(np.where(as_weight(counts.observed) > 0, filled, np.nan), span_of(measure, float(score)))


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


def _fill(values: Array, score: Score) -> Array:
    """Return values with the convention in place of undefined ones."""
    number = stand_in(score.undefined)
    return values if number is None else np.where(np.isfinite(values), values, number)


def _values_of_pairs(measure: Measure, m: int) -> Array:
    """Return the value of an example for each pair of classes (true, predicted).

    The last class is "no class".
    """
    hit, miss, only_true, only_predicted, nothing = range(5)
    tp, fp, fn = np.array([[1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 0], [0, 0, 0]]).T
    with quiet():
        values = as_weight(measure.values(_as_counts(np.stack([tp, fp, fn, m - tp - fp - fn]))))
    kind = np.full((m + 1, m + 1), miss)
    np.fill_diagonal(kind, hit)
    kind[:, m], kind[m, :], kind[m, m] = only_true, only_predicted, nothing
    return np.asarray(values[kind].ravel())


def _as_counts(rows: Array) -> Counts:
    return Counts(*rows, per=("example",), names=(tuple(range(rows.shape[1])),))
