"""Rankings of units, which areas read: of everything pooled, each class, each group or each example.

Short rankings are rows of steps in blocks. Bins do not keep the order within: their areas lie between two numbers.

The areas: functions of one ranking under ``@area``.

What cannot be derived of them stands here, and so do parameters that several have.

A grid of thresholds makes an area look at scores only where they reach some given thresholds. Missed positives are those that no
score reaches: they count in recall, and no threshold retrieves them. Of objects that a detector never proposes, or documents
outside the candidates, only the number is known. They have no place in a ranking, so each unit of an average says how many it
has: one ranking by a number, classes or groups by a mapping.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import BINARY, reads_positive
from ...algebra.counts import Counts, undecided_counts
from ...algebra.ends import float_of_value, format_with_ends, round_with_ends
from ...algebra.measure_names import resolve
from ...algebra.score import Undefined, check_undefined, combine
from ...algebra.source_score import OfferedAverages
from ...ranking.ranked import Ranked, rank_scores
from ...words.call_mistakes import answers_mistakes
from ...words.wording import check_at_most, listing, short
from ..sweep_rows import SweepRows


@dataclass(frozen=True, eq=False)
class Steps:
    """What formulas of areas read: running sums of positives and negatives at falling thresholds.

    They run along the last axis.
    """

    tp: Array
    fp: Array
    thresholds: Array

    @property
    def fn(self) -> Array:
        """The positives that do not reach each threshold."""
        return np.asarray(self.tp[..., -1:] - self.tp)

    @property
    def tn(self) -> Array:
        """The negatives that do not reach each threshold."""
        return np.asarray(self.fp[..., -1:] - self.fp)


def steps_of_groups(rows: SweepRows, order: Array, first: Array, sizes: Array, width: int) -> Steps:
    """Return the steps of some groups, each in a row with room for ``width`` examples."""
    place = np.arange(width)
    here = place < sizes[:, None]
    at = order[np.where(here, first[:, None] + place, 0).ravel()] if len(order) else np.zeros(0, np.intp)
    some, shape = rows.take(at), (len(sizes), -1)
    seen = np.broadcast_to(here.reshape(-1, 1) if some.mask is None else here.reshape(-1, 1) & some.mask, some.scores.shape)
    return row_steps(some.truth().reshape(shape), some.scores.reshape(shape), seen.reshape(shape))


def row_steps(truth: Array, scores: Array, seen: Array | None = None) -> Steps:
    """Return the steps of each row of a table of scores, ranked within the row.

    Inside a tie the step before it is repeated, so that every row has as many steps as there are columns; a score that was not
    seen counts for nothing, and its step comes last.

    >>> steps = row_steps(np.array([[True, False, True]]), np.array([[0.5, 0.5, 0.1]]))
    >>> steps.tp.tolist(), steps.fp.tolist()
    ([[0, 0, 1, 2]], [[0, 0, 1, 1]])
    """
    if seen is not None:
        scores = np.where(seen, scores, -np.inf)
    order = np.argsort(scores, axis=1)[:, ::-1]
    ranked, up = np.take_along_axis(scores, order, axis=1), np.take_along_axis(truth, order, axis=1)
    observed = True if seen is None else np.take_along_axis(np.broadcast_to(seen, scores.shape), order, axis=1)
    last = np.ones(scores.shape, bool)  # of each run of ties
    np.not_equal(ranked[:, 1:], ranked[:, :-1], out=last[:, :-1])
    tp, fp = (_running_sums(side & observed, last) for side in (up, ~up))
    return Steps(tp, fp, np.concatenate((np.full((len(scores), 1), np.inf, np.result_type(ranked, np.float16)), ranked), axis=1))


def _running_sums(cells: Array, last: Array) -> Array:
    sums = np.zeros((cells.shape[0], cells.shape[1] + 1), np.int64)
    np.cumsum(cells, axis=1, out=sums[:, 1:])
    sums[:, 1:] *= last
    np.maximum.accumulate(sums, axis=1, out=sums)
    return sums


BLOCK = 1 << 18  # cells that are ranked at a time: small enough for the cache
FEW_ROWS = 64  # a table of groups has at least this many rows; larger groups are ranked one by one
UNDECIDED = "it weights by what is predicted, and scores are not decisions."
ONE_COLUMN = (
    "there is one column of scores, of the positive class, so there is nothing to average. Leave average= out, or give one "
    "column of scores per class."
)
MERGED = "it needs the scores of each example, and this sweep was merged from states without these. Sweep all examples at once."

Area = Callable[[Any], Any]  # of steps, at its parameters


def area_of_ranking(area: Any, ranking: Ranked | Steps) -> Any:
    """Return the area of one ranking, nan where it is undefined; a Fraction of counts that are fractions.

    >>> import indicatrix as ix
    >>> area_of_ranking(ix.auc, ix.sweep([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.6]).micro)
    0.75
    """
    value = area.function(ranking, **area.params)
    return value if isinstance(value, Fraction) else float(value)


@dataclass(frozen=True, eq=False)
class Rankings:
    """One ranking of everything, or one of each unit of an axis."""

    each: tuple[Any, ...]  # ranked scores, or bins of them
    per: tuple[str, ...] = ()
    names: tuple[tuple[Any, ...], ...] = ()
    missed: tuple[Any, ...] = ()  # positives that no score reaches, of each unit; empty: none
    times: Any = None

    def values(self, area: Any) -> Any:
        """Return the area of each unit."""
        own = [area.at(missed=number or 0) for number in self.missed] or [area] * len(self.each)
        found = [area_of_ranking(one, ranking) for one, ranking in zip(own, self.each, strict=True)]
        return np.array(found, np.float64) if self.per else found[0]

    @cached_property
    def counts(self) -> Counts:
        """The counts of each unit where nothing is predicted."""
        missed = [number or 0 for number in self.missed] or [0] * len(self.each)
        positives = [ranking.tpos + more for ranking, more in zip(self.each, missed, strict=True)]
        negatives = [ranking.tneg for ranking in self.each]
        if not self.per:
            return undecided_counts(positives[0], negatives[0])
        return undecided_counts(np.array(positives), np.array(negatives), per=self.per, names=self.names)

    @property
    def tpos(self) -> Any:
        """The actual positives of each unit."""
        return self.counts.fn

    @property
    def tneg(self) -> Any:
        """The actual negatives of each unit."""
        return self.counts.tn


@dataclass(frozen=True, eq=False)
class ManyRankings:
    """Many short rankings, of groups or examples: ranked in blocks when an area reads them, not kept."""

    rows: SweepRows
    per: tuple[str, ...]
    names: tuple[tuple[Any, ...], ...]
    times: Any = None

    def values(self, area: Any) -> Array:
        """Return the area of each unit."""
        function: Area = lambda steps: area.function(steps, **area.params)  # noqa: E731
        return self._of_examples(function) if self.per == ("example",) else self._of_groups(function)

    @cached_property
    def counts(self) -> Counts:
        """The counts of each unit where nothing is predicted."""
        truth = self.rows.truth()
        seen = True if self.rows.mask is None else self.rows.mask
        sides = [np.broadcast_to(side & seen, truth.shape).sum(axis=1) for side in (truth, ~truth)]
        if self.per != ("example",):
            codes, size = self.rows.groups[self.per[0]][1], len(self.names[0])
            sides = [np.bincount(codes, side, size).astype(np.int64) for side in sides]
        return undecided_counts(*sides, per=self.per, names=self.names, times=self.times)

    @property
    def tpos(self) -> Array:
        """The actual positives of each unit."""
        return np.asarray(self.counts.fn)

    @property
    def tneg(self) -> Array:
        """The actual negatives of each unit."""
        return np.asarray(self.counts.tn)

    def _of_groups(self, area: Area) -> Array:
        """Return the area of all scores of each group.

        Small groups of about the same size are the rows of one table; a large group is ranked alone.
        """
        (order, ends), m = self.rows.order_of(self.per[0]), self.rows.scores.shape[1]
        sizes = np.diff(ends)
        values = np.full(len(sizes), np.nan)
        widths = 1 << np.ceil(np.log2(np.maximum(sizes, 1))).astype(np.int64)  # at least half of each row of the table is used
        for width in np.unique(widths).tolist():
            chosen = np.flatnonzero(widths == width)
            if width * m > BLOCK // FEW_ROWS:
                for k in chosen.tolist():
                    values[k] = area(rank_scores(*self.rows.take(order[ends[k] : ends[k + 1]]).cells()))
                continue
            for start in range(0, len(chosen), max(1, BLOCK // (width * m or 1))):
                at = chosen[start : start + max(1, BLOCK // (width * m or 1))]
                values[at] = area(steps_of_groups(self.rows, order, ends[at], sizes[at], width))
        return values

    def _of_examples(self, area: Area) -> Array:
        """Return the area of the scores of each example; a score that was not observed is not ranked."""
        rows, (n, m) = self.rows, self.rows.scores.shape
        values, step = np.full(n, np.nan), max(1, BLOCK // max(m, 1))
        for start in range(0, n, step):
            at = slice(start, start + step)
            values[at] = area(row_steps(rows.truth(at), rows.scores[at], None if rows.mask is None else rows.mask[at]))
        return values


def rankings_of(swept: Any, per: tuple[str, ...], *, positive: bool = False) -> Rankings:
    """Return the ranking of everything or of one class of a sweep, or those of each class or group.

    Groups of examples have the ranking of the positive class, or of their pooled scores.

    >>> import indicatrix as ix
    >>> swept = ix.sweep([0, 1, 0, 1], [0.1, 0.9, 0.8, 0.7], by={"site": ["a", "a", "b", "b"]})
    >>> found = rankings_of(swept, ("site",))
    >>> found.names, [ranking.auc for ranking in found.each]
    ((('a', 'b'),), [1.0, 0.0])
    """
    if not per:
        return Rankings((swept.of() if positive else swept.micro,))
    if "class" in per:
        return Rankings(tuple(swept.of(unit) for unit in swept.columns), per, (swept.columns,))
    groups = swept.split(per[0])
    each = tuple(part.of() if positive else part.micro for part in groups.values())
    return Rankings(each, per, (tuple(groups),))


def units_of_sweep(swept: Any, measure: Any, per: tuple[str, ...], *, positive: bool) -> Rankings | ManyRankings:
    """Return the rankings of the units that a sweep keeps, many short ones in blocks.

    Those of a measure that names positives which no score reaches have these as well.
    """
    rows, missed = swept.rows, measure.params.get("missed")
    if missed and per == ("example",):
        raise ValueError(f"{measure} over examples: missed= says how many positives a class or a group misses, not an example.")
    if missed:
        found = rankings_of(swept, per, positive=positive)
        numbers = missed_of(missed, found.names[0], per[0]) if per else (missed_in_all(missed, swept.columns),)
        return replace(found, missed=tuple(numbers))
    if per == ("example",):
        return ManyRankings(rows, per, (tuple(range(rows.n)),), rows.weights)
    if per and "class" not in per and rows is not None and rows.weights is None:
        own = rows.only(swept.columns.index(swept.positive)) if positive else rows
        return ManyRankings(own, per, (rows.groups[per[0]][0],))
    return rankings_of(swept, per, positive=positive)


AREAS = ("auc", "average_precision")


@answers_mistakes
@dataclass(frozen=True)
class Estimate:
    """An area of ranked scores, and two numbers between which the area of the scores themselves lies.

    Attributes
    ----------
    value : float
        The area of the bins.
    low, high : float
        The lowest and the highest area that the scores themselves may have.
    """

    value: float
    low: float
    high: float

    __float__, __round__, __format__ = float_of_value, round_with_ends, format_with_ends


def area_within_bounds(swept: Any, name: str, average: str | None, undefined: Undefined) -> Estimate:
    """Return an area under an average, and the same average of the bounds of each unit."""
    if name not in AREAS:
        raise ValueError(f"{name!r} has no bounds here; {' and '.join(map(repr, AREAS))} have.")
    check_undefined(undefined)
    area = resolve(name)
    called, rule = OfferedAverages(area, swept).find(BINARY if average is None else average)
    if "example" in rule.per:
        raise ValueError(f"average={average!r} is a mean of areas that are known: ix.{name}(sweep, average={average!r}).")
    units = rankings_of(swept, rule.per, positive=called == BINARY or reads_positive(swept, rule.per))
    three = np.array([(getattr(one, name), *getattr(one, f"{name}_bounds")) for one in units.each]).reshape(-1, 3)
    weights = rule.weights(area, units)
    return Estimate(*(combine(column, weights, undefined) for column in three.T))


F = TypeVar("F", bound=Callable[..., Any])


class Declared(NamedTuple):
    """What is declared about an area."""

    better: str
    range: tuple[float, float]
    source: str
    checks: dict[str, Callable[[Any], None]]  # what refuses bad values of parameters, beyond check_… of the same module


DECLARED: dict[Callable[..., Any], Declared] = {}


def area(
    source: str = "", *, better: str = "higher", range: tuple[float, float] = (0, 1), **checks: Callable[[Any], None]
) -> Callable[[F], F]:
    """Return the decorator of a function of the steps of one ranking.

    Bad values of a parameter ``x`` are refused by ``check_x`` of its module, or by what ``checks`` name.
    """

    def declare(function: F) -> F:
        DECLARED[function] = Declared(better, range, source, checks)
        return function

    return declare


MOST_THRESHOLDS = 1_000_000


def check_thresholds(thresholds: Any) -> None:
    """Refuse what is not a grid: None, a whole number of at least 2, or a list of numbers."""
    if thresholds is None:
        return
    if isinstance(thresholds, int) and not isinstance(thresholds, bool) and thresholds >= 2:
        check_at_most(
            "thresholds", thresholds, MOST_THRESHOLDS, "Without thresholds= every score is a threshold, and the area is exact."
        )
        return
    numbers = isinstance(thresholds, list | tuple) and all(
        isinstance(t, int | float) and not isinstance(t, bool) and t == t for t in thresholds
    )
    if not numbers or not thresholds:
        raise ValueError(
            f"thresholds={thresholds!r} is not a grid. Give a whole number of at least 2, for this many thresholds from 0 to 1, "
            "or a list of numbers; an array as thresholds.tolist()."
        )


def steps_at(steps: Any, thresholds: Any) -> tuple[Array, Array]:
    """Return the true and false positives of steps at each threshold of a grid, the highest first.

    >>> import indicatrix as ix
    >>> [x.tolist() for x in steps_at(ix.sweep([0, 1, 1], [0.2, 0.5, 0.7]).of(), 3)]
    [[0, 2, 2], [0, 0, 1]]
    """
    even = isinstance(thresholds, int)
    grid = np.arange(thresholds) / (thresholds - 1) if even else np.array(sorted(thresholds), np.float64)  # 0.3 is 3/10
    grid = grid[::-1]
    if isinstance(steps, Ranked):
        at = steps.count_reaching(grid)
        return steps.tp[at], steps.fp[at]
    # The first step, +inf, reaches every threshold, so that the last one that does is one less than their number.
    reached = np.stack([(steps.thresholds >= t).sum(axis=-1) for t in grid.astype(steps.thresholds.dtype)], axis=-1) - 1
    return np.take_along_axis(steps.tp, reached, axis=-1), np.take_along_axis(steps.fp, reached, axis=-1)


MOST_MISSED = 2**53  # up to which floats, in which positives are counted, hold every integer


def check_missed(missed: Any) -> None:
    """Refuse what is not a number of positives, nor a mapping from units to such numbers."""
    for value in missed.values() if isinstance(missed, Mapping) else (missed,):
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= MOST_MISSED:
            raise ValueError(
                f"missed={short(missed)}: give the number of positives that no score reaches, 0 or more (up to 2**53), or a "
                "mapping from classes or groups to such numbers."
            )


def missed_of(missed: Any, units: tuple[Any, ...], axis: str) -> list[Any]:
    """Return how many positives each unit of an average misses.

    >>> missed_of({"cat": 2}, ("ant", "cat"), "class"), missed_of(0, ("ant", "cat"), "class")
    ([0, 2], [0, 0])
    """
    if not isinstance(missed, Mapping):
        if missed:
            raise ValueError(
                f"missed={missed} does not say which {axis} the positives belong to. Give a mapping, such as "
                f"missed={{{units[0] if units else 'a'!r}: {missed}}}; what it does not name misses nothing."
            )
        return [0] * len(units)
    unknown = [unit for unit in missed if unit not in units]
    if unknown:
        raise ValueError(f"missed= names {listing(unknown)}, but the units of the average are {listing(units)}.")
    return [missed.get(unit, 0) for unit in units]


def missed_in_all(missed: Any, units: tuple[Any, ...]) -> Any:
    """Return how many positives are missed in one ranking of all scores.

    >>> missed_in_all({"cat": 2, "ant": 1}, ("ant", "cat")), missed_in_all(3, ())
    (3, 3)
    """
    return sum(missed_of(missed, units, "class")) if isinstance(missed, Mapping) else missed
