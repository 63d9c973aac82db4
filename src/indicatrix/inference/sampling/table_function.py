"""A function of the whole confusion matrix near a table: its slopes, and what its curvature adds.

Slopes give the variance of first order. The curvature gives the bias of second order, and a variance that counts where the
slopes vanish, as for mutual information of a table near independence. Both are traces of the Hessian times the covariance of the
counts. A trace needs no Hessian: how the slopes change along some directions is enough.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.gradient import Slopes, gradient
from ...catalogue.matrix import MatrixMeasure

STEP = 2.0**-16  # along a direction in which every cell moves by about its standard deviation
KINKED_STEP = 1.0  # of a formula with kinks, whose slopes do not change before a kink
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

    measure: MatrixMeasure

    def value(self, table: Array) -> float:
        """Return the value for a table."""
        with quiet():
            return float(self.measure.of(table[:-1, :-1]))

    def values(self, tables: Array) -> Array:
        """Return the value for each of several tables."""
        return np.array([self.value(table) for table in tables])

    def gradient(self, table: Array) -> Slopes:
        """Return the value and the slopes in all cells; those of "no class" are 0."""
        found = gradient(self.measure.of, table[:-1, :-1])
        cells = np.zeros(table.shape)
        cells[:-1, :-1] = found.cells
        return Slopes(found.value, cells, found.kinks, found.exact)

    def expand(self, table: Array, smooth: Array) -> Expansion:
        """Return the value at a table, and how the function behaves around a smoother one."""
        near = self.gradient(smooth)
        bias, bent = self._curvature(table, smooth, near)
        return Expansion(self.value(table), near.value, near.cells, bias, bent)

    def _curvature(self, table: Array, smooth: Array, near: Slopes) -> tuple[float, float]:
        """Return the bias and the variance of second order, of examples that were sampled one by one.

        Most functions are so flat that a first direction shows it; then the others are not worth their time.
        """
        if near.kinks:
            return self._along(table, smooth, near, signed_directions(table, KINKED_DIRECTIONS), KINKED_STEP)
        seen = np.count_nonzero(table)
        first, more = next(counts for least, *counts in DIRECTIONS if seen >= least)
        signed = signed_directions(table, first + more)
        bias, bent = self._along(table, smooth, near, signed[:first])
        if max(bias**2, bent) < FLAT * variance_along(near.cells, table):
            return bias, bent
        if seen <= FEW:
            return self._along(table, smooth, near, cell_directions(table))
        if not more:
            return bias, bent
        rest = self._along(table, smooth, near, signed[first:])
        return (first * bias + more * rest[0]) / (first + more), (first * bent + more * rest[1]) / (first + more)

    def _along(self, table: Array, smooth: Array, near: Slopes, directions: Array, step: float = STEP) -> tuple[float, float]:
        """Return the bias and the variance of second order, from how slopes change along directions."""
        share = 1 / max(len(directions), 1)
        bias = bent = 0.0
        for along in directions:
            moved = np.maximum(smooth + step * along, smooth * STEP)
            change = (self.gradient(moved).cells - near.cells) / step
            bias += float((along * change).sum()) / 2
            bent += variance_along(change, table) / 2
        return bias * share, bent * share


def variance_along(added: Array, times: Array) -> float:
    """Return the variance of a sum over examples to which each cell adds this much."""
    seen = times > 0
    times, added = times[seen], added[seen]
    n = float(times.sum())
    return float(times @ (added - float(times @ added) / n) ** 2) if n else 0.0


def signed_directions(table: Array, count: int) -> Array:
    """Return directions in which every cell moves up or down: the mean of their outer products is about the covariance of the counts.

    The signs do not depend on the order in which the classes are listed.
    """
    place = np.argsort(class_order(table))
    return _directions(table, _signs(count, len(table))[:, place][:, :, place])


def cell_directions(table: Array) -> Array:
    """Return a direction for each cell that was seen: the mean of their outer products is the covariance of the counts."""
    seen = np.argwhere(table > 0)
    signs = np.zeros((len(seen), *table.shape))
    signs[np.arange(len(seen)), seen[:, 0], seen[:, 1]] = math.sqrt(len(seen))
    return _directions(table, signs)


def _directions(table: Array, signs: Array) -> Array:
    """Return standard deviations with signs, less what changes the number of examples."""
    root = np.sqrt(table)
    total = (signs * root).sum(axis=(1, 2)) / max(float(table.sum()), 1.0)
    return np.asarray(signs * root - table * total[:, None, None])


@cache
def _signs(count: int, size: int) -> Array:
    return np.random.default_rng(0).choice((-1.0, 1.0), (count, size, size))


def class_order(table: Array) -> Array:
    """Return an order of the classes that stays with them if they are listed in another order.

    Classes with the same numbers in their rows and columns keep their places.
    """
    true, pred = table.sum(axis=1), table.sum(axis=0)
    return np.lexsort((*np.sort(table, axis=1).T, *np.sort(table, axis=0), table @ pred + true @ table, pred, true, np.diagonal(table)))
