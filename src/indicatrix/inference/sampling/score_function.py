"""A score as a function of the counts per class, with its slopes: what variances and replicates need."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask, quiet
from ...algebra.average import BINARY, Average, find_average
from ...algebra.counts import Counts
from ...algebra.measure import Measure

STEP, BEND = 1e-5, 1e-3  # relative steps for slopes and for curvature
LEAST = 1e-2  # counts are not taken for smaller than this when a step is chosen


@dataclass(frozen=True, eq=False)
class ScoreFunction:
    """A measure under an average, as a function of the counts of each class, of shape (4, …, m).

    The classes are first summed into units: all of them, groups of columns, single classes, or one. The units that had a value
    in the sample stay the same, so that all replicates estimate the same thing.
    """

    measure: Measure
    rule: Average
    unit_of: Array  # the unit of each class; -1: not read
    units: int
    kept: Mask  # the units that have a value
    stand_in: float | None = None  # the value of the others; None: they are left out

    def pool(self, counts: Array) -> Array:
        """Return the counts of the units, (4, …, units)."""
        if self.units == counts.shape[-1] and (self.unit_of == np.arange(self.units)).all():
            return counts
        if self.units == 1 and (self.unit_of == 0).all():
            return np.asarray(counts.sum(axis=-1, keepdims=True))
        pooled = np.zeros((*counts.shape[:-1], self.units))
        for unit in range(self.units):
            pooled[..., unit] = counts[..., self.unit_of == unit].sum(axis=-1)
        return pooled

    def spread(self, slopes: Array) -> Array:
        """Return slopes in the counts of each class, from those in the counts of each unit."""
        out = slopes[..., np.maximum(self.unit_of, 0)]
        return np.where(self.unit_of >= 0, out, 0.0)

    def values(self, pooled: Array) -> Array:
        """Return the value of each unit."""
        with quiet():
            return np.asarray(self.measure.values(Counts(*pooled, bound=0)), np.float64)

    def weights(self, pooled: Array) -> Array:
        """Return the weight of each unit in the average; zero if it is left out."""
        own = np.ones(pooled.shape[1:]) if self.rule.weight is None else self.rule.weight(self.measure, Counts(*pooled, bound=0))
        own = np.broadcast_to(np.asarray(own, np.float64), pooled.shape[1:])
        return np.where(self.counted, own, 0.0)

    @property
    def counted(self) -> Mask:
        """Which units count in the average."""
        return self.kept if self.stand_in is None else np.ones_like(self.kept)

    def __call__(self, counts: Array) -> Array:
        """Return the score for each of many count vectors; nan where none of the units has a value."""
        pooled = self.pool(counts)
        values, weights = self._fill(self.values(pooled)), self.weights(pooled)
        lost = ~np.isfinite(values)
        values, weights = np.where(lost, 0.0, values), np.where(lost, 0.0, weights)
        with quiet():
            return np.asarray((values * weights).sum(axis=-1) / weights.sum(axis=-1))

    def _fill(self, values: Array) -> Array:
        return values if self.stand_in is None else np.where(self.kept, values, self.stand_in)

    def slopes(self, counts: Array) -> Array:
        """Return the slopes of the score in the counts of each unit, (4, …, units).

        The weights of the units move with the counts, too.
        """
        pooled = self.pool(counts)
        values, weights = self._fill(self.values(pooled)), self.weights(pooled)
        lost = ~np.isfinite(values)
        values, weights = np.where(lost, 0.0, values), np.where(lost, 0.0, weights)
        total = weights.sum(axis=-1, keepdims=True)
        moved, step = _moved(pooled, STEP)
        with quiet():
            up, down = _both_ways(self.values(moved))
            out = np.where(self.kept & ~lost, weights * (up - down) / (2 * step), 0.0)
            if self.rule.weight is not None:
                up, down = _both_ways(self.weights(moved))
                mean = (values * weights).sum(axis=-1, keepdims=True) / total
                out += (values - mean) * (up - down) / (2 * step)
            return np.where(self.counted & ~lost, out / total, 0.0)

    def bias(self, counts: Array) -> float:
        """Return the second-order bias of the average.

        It is half the curvature of each unit in each of its counts, times the count.
        """
        pooled = self.pool(counts)
        moved, step = _moved(pooled, BEND)
        up, down = _both_ways(self.values(moved))
        bends = (pooled * (up + down - 2 * self.values(pooled)) / (2 * step**2)).sum(axis=0)
        weights = self.weights(pooled)
        return float((weights * np.where(self.kept, bends, 0.0)).sum() / weights.sum())


def _moved(pooled: Array, share: float) -> tuple[Array, Array]:
    """Return counts (4, 4, 2, …), each of the four in turn moved up and down, and the steps (4, …)."""
    step = share * np.maximum(pooled, LEAST)
    moved = np.repeat(np.repeat(pooled[:, None, None], 4, axis=1), 2, axis=2)
    for cell in range(4):
        moved[cell, cell, 0] += step[cell]
        moved[cell, cell, 1] -= step[cell]
    return moved, step


def _both_ways(results: Array) -> tuple[Array, Array]:
    """Return what counts give that were moved up, and what those that were moved down."""
    return results[:, 0], results[:, 1]


def score_function(measure: Measure, rule: Average, unit_of: Array, stand_in: float | None, counts: Array) -> ScoreFunction:
    """Return the score under an average over classes, or groups of columns, as a function of counts."""
    units = int(unit_of.max(initial=-1)) + 1
    made = ScoreFunction(measure, rule, unit_of, units, np.ones(units, bool), stand_in)
    pooled = made.pool(counts)
    defined, observed = np.isfinite(made.values(pooled)), pooled.sum(axis=0) > 0
    if not observed.all():
        unit_of = np.where((unit_of >= 0) & observed[unit_of], unit_of, -1)
    return ScoreFunction(measure, rule, unit_of, units, defined & observed, stand_in)


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
    """Return the range that a measure declares; all numbers, if its value lies outside."""
    low, high = measure.range
    return (float(low), float(high)) if low <= value <= high and low < high else (-math.inf, math.inf)


@cache
def is_smooth(measure: Measure) -> bool:
    """Return whether a measure has slopes everywhere: no min, max, abs or comparison in its formula."""
    from ...theory.formula.examined_measure import GENERIC
    from ...theory.formula.kinks import comparisons, has_kinks

    signs = comparisons(measure, GENERIC)
    return signs is not None and not has_kinks(signs)
