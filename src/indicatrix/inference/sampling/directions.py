"""Directions in which the counts of a sample vary.

The mean of their outer products is the covariance of the counts, or about it.
Traces of curvatures times covariances are means along such directions, so that neither matrix is needed.
The directions follow an order of the classes that does not change with their names and places.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from ...algebra.arrays import Array

MOST = 64  # classes among which ties are broken one by one; more of them are seldom alike


def signed_directions(table: Array, squares: Array, count: int) -> Array:
    """Return directions in which every cell moves up or down by about its standard deviation.

    The signs do not depend on the order in which the classes are listed.
    """
    place = class_order(table)
    return _centered(table, np.sqrt(squares), _signs(count, len(table))[:, place][:, :, place])


def cell_directions(table: Array, squares: Array) -> Array:
    """Return a direction for each cell that was seen; for them the mean is exact."""
    seen = np.argwhere(table > 0)
    signs = np.zeros((len(seen), *table.shape))
    signs[np.arange(len(seen)), seen[:, 0], seen[:, 1]] = math.sqrt(len(seen))
    return _centered(table, np.sqrt(squares), signs)


def _centered(table: Array, root: Array, signs: Array) -> Array:
    """Return standard deviations with signs, less what changes the number of examples."""
    moved = signs * root
    return np.asarray(moved - table * (moved.sum(axis=(1, 2)) / max(float(table.sum()), 1.0))[:, None, None])


@cache
def _signs(count: int, size: int) -> Array:
    return signs_of(count, size * size).reshape(count, size, size)


def signs_of(count: int, things: int) -> Array:
    """Return a sign for each of some things, several times; always the same ones."""
    return np.random.default_rng(0).choice((-1.0, 1.0), (count, things))


def class_order(table: Array, positive: int | None = None) -> Array:
    """Return the rank of each class of a table (true, predicted).

    The last row and column are "no class". Classes are told apart by their counts, then by the counts that they share with
    classes that are told apart. Where two are still alike, either may come first: the table in this order is the same. A
    positive class is not like any other.

    >>> one = np.array([[5.0, 1, 0], [2, 7, 0], [0, 0, 0]])
    >>> class_order(one).tolist(), class_order(one[[1, 0, 2]][:, [1, 0, 2]]).tolist()
    ([0, 1, 2], [1, 0, 2])
    """
    m = len(table) - 1
    special = np.append(np.zeros(m, np.intp), 2)
    if positive is not None:
        special[positive] = 1
    rows, columns = (np.sort(side, axis=1).sum(axis=1) for side in (table, table.T))  # sorted, because sums are rounded
    facts = np.stack([special, np.diag(table), rows, columns])
    order = np.lexsort(facts[::-1])  # by the first fact, then by the next; faster than np.unique
    ranks = np.empty(m + 1, np.intp)
    ranks[order] = np.cumsum(np.append(0, (np.diff(facts[:, order], axis=1) != 0).any(axis=0)))
    if ranks[order[-1]] < m:
        ranks = _refine(table, ranks)
    while m <= MOST and len(np.unique(ranks)) <= m:
        _, first, times = np.unique(ranks, return_index=True, return_counts=True)
        at = first[np.argmax(times > 1)]
        ranks = ranks * 2 + (ranks == ranks[at])
        ranks[at] -= 1  # one of those that are alike comes before the others
        ranks = _refine(table, np.unique(ranks, return_inverse=True)[1])
    return np.argsort(np.argsort(ranks, kind="stable"), kind="stable")


def _refine(table: Array, ranks: Array) -> Array:
    """Return ranks that tell apart all classes whose counts with classes of some rank differ."""
    while True:
        facts = [ranks[:, None], np.diag(table)[:, None]]
        for side in (table, table.T):
            order = np.array([np.lexsort((row, ranks)) for row in side])
            facts.append(np.take_along_axis(side, order, axis=1))
        finer = np.unique(np.hstack(facts), axis=0, return_inverse=True)[1].ravel()
        if finer.max() == ranks.max() and len(np.unique(finer)) == len(np.unique(ranks)):
            return finer
        ranks = finer
