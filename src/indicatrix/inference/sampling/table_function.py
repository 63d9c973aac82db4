"""A function of the whole confusion matrix near a table: its slopes, and what its curvature adds.

Slopes give the variance of first order. The curvature gives the bias of second order, and a variance that counts where the
slopes vanish, as for mutual information of a table near independence. Both are traces of the Hessian times the covariance of the
counts. A trace needs no Hessian: how the slopes change along some directions is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.measure import Measure
from ...algebra.numbers.gradient import Slopes, gradient
from ...catalogue.matrix_measures import of_table
from .samples import Pairs, TablesOfClusters

MANY = 2.0**30  # times the examples, for shares that do not depend on their number
STEP = 2.0**-16  # along a direction in which every cell moves by about its standard deviation
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
        self, sample: Pairs | TablesOfClusters, smooth: Array, near: Slopes, directions: Array, step: float = STEP
    ) -> tuple[float, float]:
        """Return the bias and the variance of second order, from how slopes change along directions."""
        bias = bent = 0.0
        for along in directions:
            moved = np.maximum(smooth + step * along, smooth * STEP)
            change = (self.gradient(moved).cells - near.cells) / step
            bias += float((along * change).sum()) / 2
            bent += sample.variance(change) / 2
        return bias / max(len(directions), 1), bent / max(len(directions), 1)
