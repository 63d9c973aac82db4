"""Groups of examples: the rows of each group, and the counts of many small groups in one pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..encode.weights import Groups
from . import kernels
from .examples import Examples
from .group_counts import CrossTable, Key, Summed, four_counts

ROWS = 1 << 16  # rows that are counted in one pass
ENTRIES = 1 << 20  # entries of the matrices and of the counts of one pass
KEYS = 2**63  # how many pairs of a group and a row of counts one int64 can number


@dataclass(frozen=True, eq=False, slots=True)
class ExampleGroups:
    """Examples by group, in the order of the groups' names."""

    keys: list[Key]
    sizes: list[int]  # examples of each group
    rows: Array | None  # the examples that were kept, numbered among themselves, one group after the other; None: in order
    ends: Array  # group g has rows[ends[g] : ends[g + 1]]
    hidden: Array  # the examples that were not kept
    owner: Array  # the group of each of them

    def runs(self, x: Examples, *, pairs: bool) -> Iterator[tuple[int, int]]:
        """Yield ranges of groups that are small enough for one pass; a large group is alone."""
        dense = any(isinstance(side.data, np.ndarray) for side in (x.y, x.yhat))
        rows = min(ROWS, ENTRIES // max(x.m, 1)) if dense else ROWS
        most = max(1, min(ENTRIES // ((x.m + 1) ** 2 if pairs else x.m + 1), KEYS // (x.m + 1) ** 3))
        start = 0
        while start < len(self.keys):
            stop = int(np.searchsorted(self.ends, self.ends[start] + rows, side="right")) - 1
            stop = min(max(stop, start + 1), start + most)
            yield start, stop
            start = stop

    def unobserved(self, weights: Array | None) -> list[Any]:
        """Return, for each group, the number (or weight) of the examples that were not kept."""
        if weights is None:
            return list(np.bincount(self.owner, minlength=len(self.keys)).tolist())
        return list(kernels.exact_bincount(self.owner, weights[self.hidden], len(self.keys)))


def group_examples(by: dict[str, Groups], n: int, kept: Array | None) -> ExampleGroups:
    """Return the groups that occur among ``n`` examples; without a grouping, all examples are one group."""
    if not by:
        hidden = np.zeros(0, np.intp) if kept is None else np.flatnonzero(~kept)
        return ExampleGroups([()][:n], [n][:n], None, np.array([0, n - len(hidden)]), hidden, np.zeros_like(hidden))
    order = np.lexsort([codes for _, codes in by.values()][::-1])
    columns = [(names, codes[order]) for names, codes in by.values()]
    new = np.arange(n) == 0
    for _, codes in columns:
        new[1:] |= codes[1:] != codes[:-1]
    starts = np.flatnonzero(new)
    sizes = np.diff(starts, append=n)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    seen = np.ones(n, bool) if kept is None else kept[order]
    shown = np.bincount(owner[seen], minlength=len(sizes))
    return ExampleGroups(
        keys=list(zip(*([names[i] for i in codes[starts].tolist()] for names, codes in columns), strict=True)),
        sizes=sizes.tolist(),
        rows=order if kept is None else (np.cumsum(kept) - 1)[order[seen]],
        ends=np.append(0, np.cumsum(shown)),
        hidden=order[~seen],
        owner=owner[~seen],
    )


def cross_tables(x: Examples, ends: Array) -> Iterator[CrossTable]:
    """Yield the table of pairs of each group; group g has the rows from ends[g] to ends[g + 1]."""
    true, pred = (side.data.block(slice(None)) for side in (x.y, x.yhat))
    yield from map(CrossTable, _cross_groups(true, pred, np.diff(ends), x.m, x.times))


def summed_counts(x: Examples, ends: Array) -> Iterator[Summed]:
    """Yield the counts of each group of plain examples.

    Group g has the rows from ends[g] to ends[g + 1].
    """
    dense = isinstance(x.y.data, np.ndarray) and isinstance(x.yhat.data, np.ndarray)
    sizes = np.diff(ends)
    columns, rows = (_dense_positives if dense else _sparse_positives)(x, sizes)
    per_class = np.moveaxis(four_counts(*columns, sizes[:, None]), 0, 1).copy()
    distinct, times, borders = _distinct_rows(*rows, sizes, x.m)
    for counts, (start, stop) in zip(per_class, pairwise(borders.tolist()), strict=True):
        yield Summed(counts, distinct[:, start:stop], times[start:stop])


Positives = tuple[Array, Array, Array]  # tp, actual and predicted positives


def _dense_positives(x: Examples, sizes: Array) -> tuple[Positives, Positives]:
    """Return tp, actual and predicted positives of each group and class, and of each row."""
    true, pred = kernels.as_bytes(x.y.data), kernels.as_bytes(x.yhat.data)
    tp, tpos, ppos = (_sum_groups(matrix, sizes) for matrix in (true & pred, true, pred))
    return (tp, tpos, ppos), kernels.byte_rows(true, pred)


def _sparse_positives(x: Examples, sizes: Array) -> tuple[Positives, Positives]:
    """Return tp, actual and predicted positives of each group and class, and of each row."""
    a, b = x.y.as_sparse(), x.yhat.as_sparse()
    hit_rows, hits = kernels.sparse_hits((a.indptr, a.indices), (b.indptr, b.indices), x.m)
    per_row = np.bincount(hit_rows, minlength=x.n), np.diff(a.indptr), np.diff(b.indptr)
    owner = np.repeat(np.arange(len(sizes)), sizes) * x.m  # where the counts of a row's group start
    tp, tpos, ppos = (
        np.bincount(np.repeat(owner, per_row[i]) + indices, minlength=len(sizes) * x.m).reshape(len(sizes), x.m)
        for i, indices in enumerate((hits, a.indices, b.indices))
    )
    return (tp, tpos, ppos), per_row


def _cross_groups(true: Array, pred: Array, sizes: Array, m: int, weights: Array | None = None) -> Array:
    """Return counts of pairs of codes in -1..m-1, or sums of their weights, for groups of rows.

    Index m stands for the code -1. The first group has the first sizes[0] rows, and so on; the first table belongs to the first
    group.

    """
    width, ids = m + 1, np.repeat(np.arange(len(sizes)), sizes)
    for codes in (true, pred):
        ids *= width
        ids += codes.astype(np.intp) % width
    size = len(sizes) * width * width
    counts = np.bincount(ids, minlength=size) if weights is None else kernels.exact_bincount(ids, weights, size)
    return counts.reshape(len(sizes), width, width)


def _distinct_rows(tp: Array, tpos: Array, ppos: Array, sizes: Array, m: int) -> tuple[Array, Array, Array]:
    """Return the distinct rows (tp, fp, fn, tn) of each group, how often each occurs, and group ends.

    The rows of each group are in order. One integer numbers a group and a row; the caller makes sure that there are fewer than
    2**63.
    """
    base = m + 1
    key = np.repeat(np.arange(len(sizes)), sizes)
    for column in (tp, ppos - tp, tpos - tp):
        key *= base
        key += column
    key.sort()
    first = np.flatnonzero(np.diff(key, prepend=-1))
    times = np.diff(first, append=len(key))
    rest, fn = np.divmod(key[first], base)
    rest, fp = np.divmod(rest, base)
    group, tp = np.divmod(rest, base)
    ends = np.searchsorted(group, np.arange(len(sizes) + 1))
    return np.stack([tp, fp, fn, m - tp - fp - fn]), times, ends


def _sum_groups(matrix: Array, sizes: Array) -> Array:
    """Return the column sums of each group of rows: the first sizes[0] rows, and so on."""
    totals = np.zeros((len(sizes), matrix.shape[1]), np.int64)
    some = np.flatnonzero(sizes)  # reduceat cannot sum empty ranges
    if len(some):
        totals[some] = np.add.reduceat(matrix, (np.cumsum(sizes) - sizes)[some], axis=0, dtype=np.int64)
    return totals
