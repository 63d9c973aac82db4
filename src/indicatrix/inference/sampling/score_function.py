"""A score as a function of the counts per class, with its slopes: what variances and replicates need.

One number has one interval, whether it is called Cohen's kappa or the multiclass kappa of two classes: a function of the matrix
of two classes is the measure of counts that is the same number there.

A function of the whole confusion matrix near a table: its slopes, and what its curvature adds.

Slopes give the variance of first order. The curvature gives the bias of second order, and a variance that counts where the
slopes vanish, as for mutual information of a table near independence. Both are traces of the Hessian times the covariance of the
counts. A trace needs no Hessian: how the slopes change along some directions is enough.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array, Mask, quiet
from ...algebra.average import BINARY, Average, find_average
from ...algebra.convention import Convention, absent_units, stand_in
from ...algebra.counts import Counts, unchecked_counts
from ...algebra.derived.range_and_direction import ROUNDING
from ...algebra.measure import MEASURES, Measure
from ...algebra.measure_names import find
from ...algebra.numbers.gradient import Slopes, gradient
from ...algebra.score import Undefined
from ...algebra.totals import is_total, per_example
from ...catalogue.matrix_measures import of_table
from ...theory.formula.examined_measure import GENERIC, comparisons, has_kinks
from .samples import Pairs, TablesOfClusters

STEP, BEND = 1e-5, 1e-3  # relative steps for slopes and for curvature
LEAST = 1e-2  # counts are not taken for smaller than this when a step is chosen
TABLES = (
    ((32, 4), (7, 10)),
    ((8, 32), (34, 23)),
    ((2, 4), (13, 17)),
    ((25, 19), (11, 7)),
    ((27, 29), (2, 5)),
)  # without any regularity
NEAR = 1e-12


@dataclass(frozen=True, eq=False)
class ScoreFunction:
    """A measure under an average, as a function of the counts of each class, of shape (4, …, m).

    The classes are first summed into units: all of them, groups of columns, single classes, or one. The units that had a value
    in the sample stay the same, so that all replicates estimate the same thing; so do the classes that a convention leaves out
    as absent.
    """

    measure: Measure
    rule: Average
    unit_of: Array  # the unit of each class; -1: not read
    units: int
    kept: Mask  # the units that have a value
    stand_in: float | None = None  # the value of the others; None: they are left out
    absent: Mask | None = None  # the units that are left out in any case

    @cached_property
    def _takes_classes(self) -> bool:
        """Whether the units are the classes."""
        return _are_classes(self.unit_of, self.units)

    def pool(self, counts: Array) -> Array:
        """Return the counts of the units, (4, …, units)."""
        return counts if self._takes_classes else _pool(counts, self.unit_of, self.units)

    def spread(self, slopes: Array) -> Array:
        """Return slopes in the counts of each class, from those in the counts of each unit."""
        if self._takes_classes:
            return slopes
        out = slopes[..., np.maximum(self.unit_of, 0)]
        return np.where(self.unit_of >= 0, out, 0.0)

    def values(self, pooled: Array) -> Array:
        """Return the value of each unit, or what stands in for it."""
        values = np.asarray(self.measure.reads.apply(self.measure, unchecked_counts(pooled)), np.float64)
        return values if self.stand_in is None else np.where(self.kept, values, self.stand_in)

    def weights(self, pooled: Array) -> Array:
        """Return the weight of each unit in the average; zero if it is left out."""
        if self.rule.weight is None:
            own = np.empty(pooled.shape[1:])
            own[...] = self.counted
            return own
        own = np.ones(pooled.shape[1:])
        own *= np.asarray(self.rule.amounts(self.measure, unchecked_counts(pooled)), np.float64)
        return np.where(self.counted, own, 0.0)

    @cached_property
    def counted(self) -> Mask:
        """Which units count in the average."""
        counted = self.kept if self.stand_in is None else np.ones_like(self.kept)
        return counted if self.absent is None else counted & ~self.absent

    @cached_property
    def _is_whole(self) -> bool:
        """Whether all units have a value and count."""
        return bool(np.count_nonzero(self.kept) == np.count_nonzero(self.counted) == self.units)

    def __call__(self, counts: Array) -> Array:
        """Return the score for each of many count vectors; nan where none of the units has a value."""
        pooled = self.pool(counts)
        with quiet():
            return np.asarray(_Mean.of(self.values(pooled), self.weights(pooled)).mean)

    def slopes(self, counts: Array) -> Array:
        """Return the slopes of the score in the counts of each unit, (4, …, units).

        The weights of the units move with the counts, too.
        """
        pooled, move = self.pool(counts), self.rule.weight is not None
        reach = np.maximum(pooled, LEAST)
        near = pooled[:, None] + SLOPING.reshape(*SLOPING.shape, *(1,) * (pooled.ndim - 1)) * reach[:, None]
        values, weights = self.values(near), self.weights(near if move else near[:, :1])
        with quiet():
            heavier = weights[1::2] - weights[2::2] if move else None
            return self._slopes(_Mean.of(values[0], weights[0]), reach, values[1::2] - values[2::2], heavier)

    def expand(self, counts: Array, smooth: Array, drawn: Array | None = None) -> SmoothedScore:
        """Return the score of counts, and how it behaves around others, with one evaluation of the measure.

        ``drawn`` are further counts of the units, where only slopes are asked for.
        """
        units = np.array([self.pool(counts), self.pool(smooth), *([] if drawn is None else [drawn])])
        given, reach, move = len(units), np.maximum(units, LEAST), self.rule.weight is not None
        place, ways = WAYS[given, self.rule.pools]
        near = units.swapaxes(0, 1).take(place, axis=1) + ways * reach.swapaxes(0, 1).take(place, axis=1)
        values, weights = self.values(near), self.weights(near if move else near[:, :given])
        bent = given + 8 * (given - 1)  # where the moves begin that show the curvature
        with quiet():
            mean = _Mean.of(values[:given], weights[:given])
            value, smoothed = mean.mean.tolist()[:2]
            higher, heavier = _steps(values[given:bent], given - 1), _steps(weights[given:bent], given - 1) if move else None
            slopes = self._slopes(_Mean(*(x[1:, None] for x in mean)), reach[1:], higher, heavier)
            bias = 0.0 if self.rule.pools else self._bias(units[1], reach[1], values[1], values[bent:], weights[1])
        return SmoothedScore(units, value, smoothed, slopes, bias)

    def _slopes(self, near: _Mean, reach: Array, higher: Array, heavier: Array | None) -> Array:
        """Return the slopes, from how much higher values and weights are two steps further up.

        None: the weights stay.
        """
        step, whole = 2 * STEP * reach, self._is_whole and not np.count_nonzero(near.lost)
        out = near.weights * higher / step
        if not whole:
            out = np.where(self.kept & ~near.lost, out, 0.0)
        if heavier is not None:
            out += (near.values - near.mean[..., None]) * heavier / step
        out = out / near.total[..., None]
        return out if whole else np.where(self.counted & ~near.lost, out, 0.0)

    def _bias(self, pooled: Array, reach: Array, values: Array, bent: Array, weights: Array) -> float:
        """Return the second-order bias of the average.

        It is half the curvature of each unit in each of its counts, times the count.
        """
        step = BEND * reach
        bends = np.add.reduce(pooled * (bent[::2] + bent[1::2] - 2 * values) / (2 * step**2))
        return float(np.add.reduce(weights * np.where(self.kept, bends, 0.0)) / np.add.reduce(weights))


@dataclass(frozen=True, eq=False, slots=True)
class SmoothedScore:
    """A score of a sample, and how it behaves around smoother counts."""

    units: Array  # the counts of the units: in the sample, smoother, and further ones if these were given; each (4, units)
    value: float  # the score of the sample
    smoothed: float  # the score of the smoother counts
    slopes: Array  # at all but the first counts, in those of each unit, (…, 4, units)
    bias: float  # at the smoother counts, of second order; 0 where all counts are pooled


def _moves(share: float) -> Array:
    """Return by which share of itself each of four counts is moved: each in turn, up and down."""
    return np.kron(np.eye(4), [share, -share])


def _ways(given: int, bends: bool) -> tuple[Array, Array]:
    """Return which counts are moved, by which shares: none, all but the first, then the second to bend."""
    place = [*range(given), *np.repeat(range(1, given), 8), *[1] * 8 * bends]
    moves = [np.zeros((4, given)), *[_moves(STEP)] * (given - 1), *[_moves(BEND)] * bends]
    return np.array(place), np.hstack(moves)[..., None]


SLOPING = np.hstack([np.zeros((4, 1)), _moves(STEP)])
WAYS = {(given, pools): _ways(given, not pools) for given in (2, 3) for pools in (True, False)}


def _steps(numbers: Array, places: int) -> Array:
    """Return how much larger numbers are two steps further up, (places, 4, units)."""
    return np.asarray((numbers[::2] - numbers[1::2]).reshape(places, 4, -1))


class _Mean(NamedTuple):
    """A weighted mean of the values that are finite; nan without such values."""

    values: Array  # 0 where a value is not finite
    weights: Array  # 0 there, too
    lost: Mask  # where this is
    total: Array  # of the weights
    mean: Array

    @staticmethod
    def of(values: Array, weights: Array) -> _Mean:
        """Return the mean over the last axis."""
        lost = ~np.isfinite(values)
        if np.count_nonzero(lost):  # seldom
            values, weights = np.where(lost, 0.0, values), np.where(lost, 0.0, weights)
        total = np.add.reduce(weights, axis=-1)
        return _Mean(values, weights, lost, total, np.add.reduce(values * weights, axis=-1) / total)


@lru_cache(maxsize=16)
def every_class(m: int) -> Array:
    """Return the unit of each class where every class is one; all scores of so many classes share it."""
    units = np.arange(m)
    units.setflags(write=False)
    return units


def _are_classes(unit_of: Array, units: int) -> bool:
    """Return whether every class is a unit."""
    every = every_class(units)
    return unit_of is every or (units == len(unit_of) and not np.count_nonzero(unit_of != every))


def _pool(counts: Array, unit_of: Array, units: int) -> Array:
    """Return the counts of units that are not the classes, (4, …, units)."""
    if units == 1 and not np.count_nonzero(unit_of):
        return np.asarray(np.add.reduce(counts, axis=-1, keepdims=True))
    pooled = np.zeros((*counts.shape[:-1], units))
    for unit in range(units):
        pooled[..., unit] = counts[..., unit_of == unit].sum(axis=-1)
    return pooled


def score_function(
    measure: Measure, rule: Average, unit_of: Array, undefined: Undefined, counts: Array, known: Any = None
) -> ScoreFunction:
    """Return the score under an average over classes, or groups of columns, as a function of counts.

    ``known`` are the values of the units, if these were computed already.
    """
    m, number = len(unit_of), stand_in(undefined)
    units = m if unit_of is every_class(m) else int(np.maximum.reduce(unit_of, initial=-1)) + 1
    pooled = counts if _are_classes(unit_of, units) else _pool(counts, unit_of, units)
    if known is None or np.size(known) != units:
        known = ScoreFunction(measure, rule, unit_of, units, np.ones(units, bool), number).values(pooled)
    defined, observed = np.isfinite(np.asarray(known, np.float64).ravel()), np.add.reduce(pooled) > 0
    if np.count_nonzero(observed) < units:
        unit_of = np.where((unit_of >= 0) & observed[unit_of], unit_of, -1)
    absent = None
    if rule.per == ("class",) and isinstance(undefined, Convention):
        absent = absent_units(undefined, Counts(*pooled, per=rule.per, names=(tuple(range(units)),), bound=0))
    return ScoreFunction(measure, rule, unit_of, units, defined & observed, number, absent)


def units_of_classes(ev: Any, average: str) -> Array:
    """Return the unit of an average that each class belongs to; -1: to none."""
    m, rule = len(ev.classes), find_average(average)
    if average == BINARY:
        return np.where(np.arange(m) == ev.classes.index(ev.positive), 0, -1) if ev.positive in ev.classes else np.full(m, -1)
    if rule.pools:
        return np.zeros(m, np.intp)
    if rule.per == ("class",):
        return every_class(m)
    names = list(dict.fromkeys(ev.tally.targets))
    return np.array([names.index(name) for name in ev.tally.targets], np.intp)


def span_of(measure: Measure, value: float) -> tuple[float, float]:
    """Return the range of a measure; all numbers, if its value lies outside by more than rounding."""
    low, high = map(float, measure.range)
    slack = ROUNDING * max(1.0, abs(value))
    outside = value < low - slack or value > high + slack  # an undefined value is not
    return (-math.inf, math.inf) if outside or low >= high else (low, high)


@cache
def rate_of_total(measure: Measure) -> Measure | None:
    """Return what a total such as a cost is for each example; None if a measure is not a total.

    Both have the same interval and the same test, up to the number of examples.

    >>> from indicatrix import measure
    >>> print(rate_of_total(measure("5*fn + fp")), rate_of_total(measure("tp / (tp + fp)")))
    (5 * fn + fp) / n None
    """
    if not is_total(measure):
        return None
    try:
        rate = find(per_example(measure))
    except (ValueError, TypeError, KeyError):  # its name is not a formula
        return None
    return None if is_total(rate) else rate


@cache
def is_smooth(measure: Measure) -> bool:
    """Return whether a measure has slopes everywhere: its formula has no min, max, abs or comparison."""
    if not measure.reads.formula:
        return True  # slopes are those at the sample

    signs = comparisons(measure, GENERIC)
    return signs is not None and not has_kinks(signs)


def measure_of_two_classes(measure: Measure) -> Measure | None:
    """Return a smooth measure of counts that equals a function of the matrix of two classes, or None.

    The second class is the positive one. Fractions at tables without any regularity decide it.

    >>> import indicatrix as ix
    >>> print(measure_of_two_classes(ix.multiclass_kappa), measure_of_two_classes(ix.measures.mutual_information))
    cohen_kappa None
    """
    return _equal_measure(measure, measure.params.get("values"))


@lru_cache(maxsize=256)
def _equal_measure(measure: Measure, numbers: Any) -> Measure | None:
    wanted = [_value(measure, np.array(table, dtype=object)) for table in TABLES]
    if not all(map(math.isfinite, wanted)):
        return None
    for name, other in MEASURES.items():
        if name == other.name and all(_is_equal(other, table, x) for table, x in zip(TABLES, wanted, strict=True)):
            return other if is_smooth(other) and np.isfinite(other.range).all() else None
    return None


def _is_equal(other: Measure, table: Any, wanted: float) -> bool:
    (tn, fp), (fn, tp) = ([Fraction(x) for x in row] for row in table)
    return math.isclose(_value(other.function, tp, fp, fn, tn), wanted, rel_tol=NEAR, abs_tol=NEAR)


def _value(function: Any, *args: Any) -> float:
    try:
        return float(function(*args))
    except (TypeError, ValueError, ArithmeticError, AttributeError):
        return math.nan


MANY = 2.0**30  # times the examples, for shares that do not depend on their number
TABLE_STEP = 2.0**-16  # along a direction in which every cell moves by about its standard deviation
KINKED_STEP = 1.0  # of a formula with kinks, whose slopes do not change before a kink
CERTAIN = 1e-20  # a variance that is rounding
FLAT = 0.003  # the share of the variance that the curvature may add unseen
FEW = 12  # cells that have a direction each; more move together, up or down
# How many of these are tried, and how many more are worth their time if the function bends, for at least so many cells: the more
# cells, the surer is each direction.
DIRECTIONS = ((1000, 1, 0), (50, 1, 1), (FEW + 1, 2, 2), (0, 4, 0))
KINKED_DIRECTIONS = 16


@dataclass(frozen=True, eq=False)
class Expansion:
    """A function of a table, and how it behaves around a smoother table."""

    value: float  # at the table
    smoothed: float  # at the smoother table
    slopes: Array  # there, in every cell
    bias: float  # there, of second order: the curvature times half the covariance of the counts
    bent: float  # there, the variance of second order


@dataclass(frozen=True, eq=False)
class TableFunction:
    """A function of the matrix, as one of tables (m + 1) x (m + 1) whose last index is "no class"."""

    measure: Measure

    def value(self, table: Array) -> float:
        """Return the value for a table."""
        return self.value_of_known(table[:-1, :-1])

    def value_of_known(self, confusion: Array) -> float:
        """Return the value for a table of classes alone, m x m."""
        with quiet():
            return float(of_table(self.measure, confusion))

    def values(self, tables: Array) -> Array:
        """Return the value for each of several tables."""
        return np.array([self.value(table) for table in tables])

    def gradient(self, table: Array) -> Slopes:
        """Return the value and the slopes in all cells; those of "no class" are 0."""
        found = gradient(partial(of_table, self.measure), table[:-1, :-1])
        cells = np.zeros(table.shape)
        cells[:-1, :-1] = found.cells
        return Slopes(found.value, cells, found.kinks, found.exact)

    def expand(self, sample: Pairs | TablesOfClusters, extra: Pairs) -> Expansion:
        """Return the value of a sample, and how the function behaves around the sample with a pseudo-example."""
        smooth = sample.table + extra.table
        near = self.gradient(smooth)
        bias, bent = self._curvature(sample, smooth, near)
        if sample.variance(near.cells, extra) + bent < CERTAIN:  # nothing varies in the sample: what the pseudo-example adds does
            bent = self._along(Pairs(smooth), smooth, near, Pairs(smooth).directions(KINKED_DIRECTIONS))[1]
        return Expansion(self._of_shares(sample.table), near.value, near.cells, bias, bent)

    def _of_shares(self, table: Array) -> float:
        """Return the value for the shares of a table, without what a formula does about few examples.

        Such as to count pairs of different examples: that is a correction of bias, and the curvature corrects all of it.
        """
        return self.value(table * MANY if np.isfinite(self.measure.range).all() else table)

    def _curvature(self, sample: Pairs | TablesOfClusters, smooth: Array, near: Slopes) -> tuple[float, float]:
        """Return the bias and the variance of second order.

        Most functions are so flat that a first direction shows it; then the others are not worth their time.
        """
        if near.kinks:
            return self._along(sample, smooth, near, sample.directions(KINKED_DIRECTIONS), KINKED_STEP)
        first, more = next(counts for least, *counts in DIRECTIONS if sample.kinds >= least)
        directions = sample.directions(first + more)
        bias, bent = self._along(sample, smooth, near, directions[:first])
        if max(bias**2, bent) < FLAT * sample.variance(near.cells):
            return bias, bent
        if sample.kinds <= FEW:
            return self._along(sample, smooth, near, sample.all_directions())
        if not more:
            return bias, bent
        rest = self._along(sample, smooth, near, directions[first:])
        return (first * bias + more * rest[0]) / (first + more), (first * bent + more * rest[1]) / (first + more)

    def _along(
        self, sample: Pairs | TablesOfClusters, smooth: Array, near: Slopes, directions: Array, step: float = TABLE_STEP
    ) -> tuple[float, float]:
        """Return the bias and the variance of second order, from how slopes change along directions."""
        bias = bent = 0.0
        for along in directions:
            moved = np.maximum(smooth + step * along, smooth * TABLE_STEP)
            change = (self.gradient(moved).cells - near.cells) / step
            bias += float((along * change).sum()) / 2
            bent += sample.variance(change) / 2
        return bias / max(len(directions), 1), bent / max(len(directions), 1)
