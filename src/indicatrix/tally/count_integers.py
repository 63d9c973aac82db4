"""The fastest way to a tally: two vectors of small integers, counted as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra.arrays import Array
from . import kernels
from .group_counts import CrossTable, class_counts
from .tally import Tally


def count_integers(true: Array, pred: Array, weights: Array | None = None, *, squares: bool = False) -> Tally | None:
    """Return the tally of two vectors of small non-negative integers or bools, or None for others.

    ``squares`` says whether the squares of the weights are counted as well.
    """
    table = kernels.cross_integers(true, pred)
    if table is None:
        return None
    tally = tally_of_integers(table, len(true), bools=true.dtype.kind == "b" and pred.dtype.kind == "b")
    if weights is None or not len(true):
        return tally
    index = None if len(tally.classes) == len(table) - 1 else np.array(tally.classes, np.intp)
    whole = None
    if squares:
        from .row_products import square

        whole = Tally(tally.classes, {(): _weigh_pairs(true, pred, square(weights), index)}, len(true))
    return Tally(tally.classes, {(): _weigh_pairs(true, pred, weights, index)}, len(true), squares=whole)


def tally_of_integers(table: Array, n: int, *, bools: bool, four: Array | None = None) -> Tally:
    """Return the tally of n pairs of integers 0, 1, …, counted in a table.

    Integers that do not occur are not classes. ``four`` are the counts per class, where they are known already.
    """
    four = class_counts(table) if four is None else four
    classes: tuple[Any, ...] = tuple(range(len(table) - 1))
    if n in four[3].tolist():  # only true negatives: this class neither occurs nor is predicted
        index = np.flatnonzero(four[3] != n)
        table, four = _take(table, index), four[:, index]
        classes = tuple(index.tolist())
    if bools:
        classes = tuple(map(bool, classes))
    return Tally(classes, {(): CrossTable(table, 0, four)} if n else {}, n)


def _weigh_pairs(true: Array, pred: Array, weights: Array, index: Array | None) -> CrossTable:
    """Return the sums of weights of pairs of integers, of all or of those that occur."""
    top = int(max(true.max(), pred.max()))
    table = kernels.weighted_cross(true.__getitem__, pred.__getitem__, weights, top + 1)
    return CrossTable(table if index is None else _take(table, index))


def _take(table: Array, index: Array) -> Array:
    """Return the rows and columns of some classes of a table, and of no class."""
    return table[np.ix_([*index, -1], [*index, -1])]
