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
from .group_counts import Key, Summed, distinct, four_counts
from .packed_groups import PackedCounts, PackedTables, drop_zeros

ROWS = 1 << 16  # rows that are counted in one pass
ENTRIES = 1 << 20  # entries of the matrices of one pass
COUNTS = 1 << 18  # pairs of a group and a class of one pass; each needs about 128 bytes
FEW = 1 << 12  # so many pairs of a group and a slot are tried, whether they occur or not
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

    def runs(self, x: Examples) -> Iterator[tuple[int, int]]:
        """Yield ranges of groups that are small enough for one pass; a large group is alone."""
        dense = any(isinstance(side.data, np.ndarray) for side in (x.y, x.yhat))
        rows = min(ROWS, ENTRIES // max(x.m, 1)) if dense else ROWS
        most = max(1, min(COUNTS // (x.m + 1), KEYS // (x.m + 1) ** 3))
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

    def among(self, chosen: Array) -> ExampleGroups:
        """Return the groups of some of the examples that were kept; groups without any of them are left out."""
        assert self.rows is not None
        here = chosen[self.rows]
        sizes = np.bincount(_owners(self)[here], minlength=len(self.keys))
        some, nothing = np.flatnonzero(sizes), np.zeros(0, np.intp)
        keys = [self.keys[g] for g in some.tolist()]
        ends = np.append(0, np.cumsum(sizes[some]))
        return ExampleGroups(keys, sizes[some].tolist(), self.rows[here], ends, nothing, nothing)


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


def pack_pairs(x: Examples, groups: ExampleGroups, hidden: list[Any]) -> PackedTables:
    """Return the tables of pairs of all groups of examples with at most one class on each side."""
    owner, (true, pred) = _owners(groups), _codes_in_order(x, groups)
    inverse, owner, slot = _occurring(owner, true * (x.m + 1) + pred, len(groups.keys), (x.m + 1) ** 2)
    times = _sum_times(inverse, x, groups, len(slot))
    return PackedTables((*groups.keys,), x.m, *drop_zeros(owner, slot, times), tuple(hidden), _zero(x))


def pack_counts(x: Examples, groups: ExampleGroups, hidden: list[Any]) -> PackedCounts:
    """Return the counts per class of all groups of examples with at most one class on each side."""
    m, k = x.m, len(groups.keys)
    owner, (true, pred) = _owners(groups), _codes_in_order(x, groups)
    some, other, hit = np.flatnonzero(true < m), np.flatnonzero(pred < m), np.flatnonzero((true == pred) & (true < m))
    both = np.concatenate([some, other])
    inverse, group, slot = _occurring(owner[both], np.concatenate([true[some], pred[other]]), k, max(m, 1))
    at = np.zeros(len(true), np.intp)
    at[some] = inverse[: len(some)]
    sums = (
        _sum_times(index, x, groups, len(slot), rows)
        for index, rows in ((at[hit], hit), (inverse[: len(some)], some), (inverse[len(some) :], other))
    )
    tp, tpos, ppos = sums
    rows, times = _rows_of_groups(x, groups, (true, pred), hidden)
    counts = np.stack([tp, ppos - tp, tpos - tp])
    observed = _sum_times(owner, x, groups, k)
    return PackedCounts((*groups.keys,), m, *drop_zeros(group, slot, counts), observed, rows, times, _zero(x))


def _rows_of_groups(x: Examples, groups: ExampleGroups, codes: tuple[Array, Array], hidden: list[Any]) -> tuple[Array, Array]:
    """Return the distinct rows (group, tp, fp, fn, tn) of examples, in order, and how often each occurs."""
    (true, pred), m, k = codes, x.m, len(groups.keys)
    tp, fp, fn = (true == pred) & (true < m), (pred < m) & (true != pred), (true < m) & (true != pred)
    kind = _sum_times(_owners(groups) * 8 + (tp * 4 + fp * 2 + fn), x, groups, 8 * k).reshape(k, 8)
    here = np.flatnonzero(kind.ravel())
    bits = np.stack([here >> 2 & 1, here >> 1 & 1, here & 1])
    often = np.array(hidden, kind.dtype)
    never = np.flatnonzero(often)
    found = np.concatenate([here[None] >> 3, bits, m - bits.sum(axis=0, keepdims=True)])
    unseen = np.concatenate([never[None], np.zeros((4, len(never)), found.dtype)])
    return distinct(np.concatenate([found, unseen], axis=1), np.concatenate([kind.ravel()[here], often[never]]))


def _owners(groups: ExampleGroups) -> Array:
    """Return the group of each example that was kept, one group after the other."""
    return np.repeat(np.arange(len(groups.keys)), np.diff(groups.ends))


def _codes_in_order(x: Examples, groups: ExampleGroups) -> tuple[Array, Array]:
    """Return true and predicted codes, one group after the other; m stands for no class."""
    true, pred = (side.data.block(slice(None)).astype(np.intp)[groups.rows] % (x.m + 1) for side in (x.y, x.yhat))
    return true, pred


def _occurring(owner: Array, slot: Array, k: int, width: int) -> tuple[Array, Array, Array]:
    """Return the place of each example among the pairs (group, slot) that occur, and these pairs."""
    names = None
    if k * width >= KEYS:
        names, slot = np.unique(slot, return_inverse=True)
        width = len(names)
    ids = owner * width + slot
    if k * width <= max(FEW, len(ids)):
        there = np.zeros(k * width, bool)
        there[ids] = True
        found = np.flatnonzero(there)
        inverse = (np.cumsum(there) - 1)[ids]
    else:
        found, inverse = np.unique(ids, return_inverse=True)
    group, slot = np.divmod(found, width)
    return inverse, group, slot if names is None else names[slot]


def _sum_times(index: Array, x: Examples, groups: ExampleGroups, size: int, rows: Array | None = None) -> Array:
    """Return how often each index occurs, or exact sums of weights of examples in the order of groups."""
    if x.times is None:
        return np.bincount(index, minlength=size)
    weights = x.times[groups.rows]
    return kernels.exact_bincount(index, weights if rows is None else weights[rows], size)


def _zero(x: Examples) -> Any:
    return 0 if x.times is None else kernels.exact_zeros((1,))[0]


def summed_counts(x: Examples, ends: Array) -> Iterator[Summed]:
    """Yield the counts of each group of plain examples.

    Group g has the rows from ends[g] to ends[g + 1].
    """
    dense = isinstance(x.y.data, np.ndarray) and isinstance(x.yhat.data, np.ndarray)
    sizes = np.diff(ends)
    columns, rows = (_dense_positives if dense else _sparse_positives)(x, sizes)
    per_class = np.moveaxis(four_counts(*columns, sizes[:, None]), 0, 1).copy()
    found, times, borders = _distinct_rows(*rows, sizes, x.m)
    for counts, (start, stop) in zip(per_class, pairwise(borders.tolist()), strict=True):
        yield Summed(counts, found[:, start:stop], times[start:stop])


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
