"""A score as a function of the counts per class, with its slopes: what variances and replicates need.

One number has one interval, whether it is called Cohen's kappa or the multiclass kappa of two classes: a function of the matrix
of two classes is the measure of counts that is the same number there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask, quiet
from ...algebra.average import BINARY, Average, find_average
from ...algebra.convention import absent_units, stand_in
from ...algebra.counts import Counts
from ...algebra.derived.range_and_direction import ROUNDING
from ...algebra.measure import MEASURES, Measure
from ...algebra.measure_names import find
from ...algebra.score import Undefined
from ...algebra.totals import is_total, per_example
from ...theory.formula.examined_measure import GENERIC
from ...theory.formula.kinks import comparisons, has_kinks

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
        return self.units == len(self.unit_of) and bool((self.unit_of == np.arange(self.units)).all())

    def pool(self, counts: Array) -> Array:
        """Return the counts of the units, (4, …, units)."""
        if self._takes_classes:
            return counts
        if self.units == 1 and (self.unit_of == 0).all():
            return np.asarray(counts.sum(axis=-1, keepdims=True))
        pooled = np.zeros((*counts.shape[:-1], self.units))
        for unit in range(self.units):
            pooled[..., unit] = counts[..., self.unit_of == unit].sum(axis=-1)
        return pooled

    def spread(self, slopes: Array) -> Array:
        """Return slopes in the counts of each class, from those in the counts of each unit."""
        if self._takes_classes:
            return slopes
        out = slopes[..., np.maximum(self.unit_of, 0)]
        return np.where(self.unit_of >= 0, out, 0.0)

    def values(self, pooled: Array) -> Array:
        """Return the value of each unit, or what stands in for it."""
        values = np.asarray(self.measure.values(Counts(*pooled, bound=0)), np.float64)
        return values if self.stand_in is None else np.where(self.kept, values, self.stand_in)

    def weights(self, pooled: Array) -> Array:
        """Return the weight of each unit in the average; zero if it is left out."""
        own = np.ones(pooled.shape[1:])
        if self.rule.weight is not None:
            own *= np.asarray(self.rule.amounts(self.measure, Counts(*pooled, bound=0)), np.float64)
        return np.where(self.counted, own, 0.0)

    @cached_property
    def counted(self) -> Mask:
        """Which units count in the average."""
        counted = self.kept if self.stand_in is None else np.ones_like(self.kept)
        return counted if self.absent is None else counted & ~self.absent

    def __call__(self, counts: Array) -> Array:
        """Return the score for each of many count vectors; nan where none of the units has a value."""
        pooled = self.pool(counts)
        return _means(self.values(pooled), self.weights(pooled))

    def slopes(self, counts: Array) -> Array:
        """Return the slopes of the score in the counts of each unit, (4, …, units).

        The weights of the units move with the counts, too.
        """
        pooled = self.pool(counts)
        near = _near(pooled, MOVES[:, :BENT])
        return self._slopes(pooled, self.values(near), self.weights(near))

    def expand(self, counts: Array, smooth: Array, drawn: Array | None = None) -> SmoothedScore:
        """Return the score of counts, and how it behaves around others, with one evaluation of the measure.

        ``drawn`` are further counts of the units, where only slopes are asked for.
        """
        own, pooled = self.pool(counts), self.pool(smooth)
        parts = [own[:, None], _near(pooled, MOVES)] + ([] if drawn is None else [_near(drawn, MOVES[:, :BENT])])
        near = np.concatenate(parts, axis=1)
        values, weights = self.values(near), self.weights(near)
        value, smoothed = _means(values[:2], weights[:2]).tolist()
        bias = 0.0 if self.rule.pools else self._bias(pooled, values[1:MOVED], weights[1])
        if drawn is None:
            return SmoothedScore(own, pooled, value, smoothed, self._slopes(pooled, values[1:], weights[1:]), bias)
        of_both = (np.array([x[1 : 1 + BENT], x[MOVED:]]).swapaxes(0, 1) for x in (values, weights))
        slopes = self._slopes(np.array([pooled, drawn]).swapaxes(0, 1), *of_both)
        return SmoothedScore(own, pooled, value, smoothed, slopes[:, 0], bias, (drawn, slopes[:, 1]))

    def _slopes(self, pooled: Array, values: Array, weights: Array) -> Array:
        """Return the slopes from the values and weights of the units near the counts."""
        value, weight, lost = _without_lost(values[0], weights[0])
        total, step = weight.sum(axis=-1, keepdims=True), 2 * STEP * np.maximum(pooled, LEAST)
        with quiet():
            out = np.where(self.kept & ~lost, weight * (values[1:BENT:2] - values[2:BENT:2]) / step, 0.0)
            if self.rule.weight is not None:
                mean = (value * weight).sum(axis=-1, keepdims=True) / total
                out += (value - mean) * (weights[1:BENT:2] - weights[2:BENT:2]) / step
            return np.where(self.counted & ~lost, out / total, 0.0)

    def _bias(self, pooled: Array, values: Array, weights: Array) -> float:
        """Return the second-order bias of the average.

        It is half the curvature of each unit in each of its counts, times the count.
        """
        step = BEND * np.maximum(pooled, LEAST)
        with quiet():
            bends = (pooled * (values[BENT::2] + values[BENT + 1 :: 2] - 2 * values[0]) / (2 * step**2)).sum(axis=0)
            return float((weights * np.where(self.kept, bends, 0.0)).sum() / weights.sum())


@dataclass(frozen=True, eq=False, slots=True)
class SmoothedScore:
    """A score of a sample, and how it behaves around smoother counts."""

    own: Array  # the counts of the units in the sample, (4, units)
    smooth: Array  # the smoother counts
    value: float  # the score of the sample
    smoothed: float  # the score of the smoother counts
    slopes: Array  # there, in the counts of each unit, (4, units)
    bias: float  # there, of second order; 0 where all counts are pooled
    drawn: tuple[Array, Array] | None = None  # further counts of the units, and the slopes there


def _moves(share: float) -> Array:
    """Return by which share of itself each of four counts is moved: each in turn, up and down."""
    return np.kron(np.eye(4), [share, -share])


MOVES = np.hstack([np.zeros((4, 1)), _moves(STEP), _moves(BEND)])  # first none is moved
BENT = 9  # where the moves begin that show the curvature
MOVED = 1 + MOVES.shape[1]  # counts of a sample and around the smoother ones


def _near(pooled: Array, moves: Array) -> Array:
    """Return counts (4, k, …) that are moved in k ways."""
    ways = moves.reshape(*moves.shape, *(1,) * (pooled.ndim - 1))
    return np.asarray(pooled[:, None] + ways * np.maximum(pooled, LEAST)[:, None])


def _means(values: Array, weights: Array) -> Array:
    """Return the weighted means of the values that are finite; nan without such values."""
    values, weights, _ = _without_lost(values, weights)
    with quiet():
        return np.asarray((values * weights).sum(axis=-1) / weights.sum(axis=-1))


def _without_lost(values: Array, weights: Array) -> tuple[Array, Array, Mask]:
    """Return values and weights that are 0 where a value is not finite, and where this is."""
    lost = ~np.isfinite(values)
    return np.where(lost, 0.0, values), np.where(lost, 0.0, weights), lost


def score_function(
    measure: Measure, rule: Average, unit_of: Array, undefined: Undefined, counts: Array, known: Any = None
) -> ScoreFunction:
    """Return the score under an average over classes, or groups of columns, as a function of counts.

    ``known`` are the values of the units, if these were computed already.
    """
    units, number = int(unit_of.max(initial=-1)) + 1, stand_in(undefined)
    made = ScoreFunction(measure, rule, unit_of, units, np.ones(units, bool), number)
    pooled = made.pool(counts)
    values = np.asarray(made.values(pooled) if known is None or np.size(known) != units else known, np.float64).ravel()
    defined, observed = np.isfinite(values), pooled.sum(axis=0) > 0
    if not observed.all():
        unit_of = np.where((unit_of >= 0) & observed[unit_of], unit_of, -1)
    absent = None
    if rule.per == ("class",):
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
        return np.arange(m)
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
