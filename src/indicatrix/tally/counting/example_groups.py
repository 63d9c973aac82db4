"""Groups of examples: the rows of each group, and the counts of many small groups in one pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...compiled import loaded
from ...encode.weights import Groups
from ..kernels import kernels
from ..kernels.word_counts import three_counts
from ..states.group_counts import Key, Summed, distinct, four_counts
from ..states.packed_groups import PackedCounts, PackedTables, drop_zeros
from .literal_counting import Examples

ROWS = 1 << 16  # rows that are counted in one pass
ENTRIES = 1 << 20  # entries of the matrices of one pass
COUNTS = 1 << 18  # pairs of a group and a class of one pass; each needs about 128 bytes
FEW = 1 << 12  # this many pairs of a group and a slot are tried, whether they occur or not
KEYS = 2**63  # how many pairs of a group and a row of counts one int64 can number


@dataclass(frozen=True, eq=False)
class ExampleGroups:
    """The group of each example; groups are in the order of their names."""

    keys: list[Key]
    sizes: list[int]  # examples of each group
    group: Array | None  # of each example that was kept; None: there is no grouping
    hidden: Array  # the examples that were not kept
    owner: Array  # the group of each of them

    @cached_property
    def ends(self) -> Array:
        """Where the rows of each group end: group g has rows[ends[g] : ends[g + 1]]."""
        assert self.group is not None
        return np.append(0, np.cumsum(np.bincount(self.group, minlength=len(self.keys))))

    @cached_property
    def rows(self) -> Array:
        """The examples that were kept, numbered among themselves, one group after the other."""
        assert self.group is not None
        small = self.group.astype(np.min_scalar_type(len(self.keys)))  # small integers are sorted fastest
        return np.argsort(small, kind="stable")

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

    def count_unobserved(self, weights: Array | None) -> list[Any]:
        """Return, for each group, the number (or weight) of the examples that were not kept."""
        if weights is None:
            return list(np.bincount(self.owner, minlength=len(self.keys)).tolist())
        return list(kernels.exact_bincount(self.owner, weights[self.hidden], len(self.keys)))

    def among(self, chosen: Array) -> ExampleGroups:
        """Return the groups of the chosen examples alone; groups without any of them are left out."""
        assert self.group is not None
        some, group = kernels.number_keys(self.group[chosen], len(self.keys))
        sizes = np.bincount(group, minlength=len(some)).tolist()
        nothing = np.zeros(0, np.intp)
        return ExampleGroups([self.keys[g] for g in some.tolist()], sizes, group, nothing, nothing)


def group_examples(by: dict[str, Groups], n: int, kept: Array | None) -> ExampleGroups:
    """Return the groups that occur among ``n`` examples; without a grouping, all examples are one group."""
    if not by:
        hidden = np.zeros(0, np.intp) if kept is None else np.flatnonzero(~kept)
        return ExampleGroups([()][:n], [n][:n], None, hidden, np.zeros_like(hidden))
    group = np.zeros(0, np.intp)
    places = np.zeros((0, 1), np.intp)  # of each group, its place among the names of each axis
    for names, codes in by.values():
        ids = codes.astype(np.intp, copy=False) if places.shape[1] == 1 else group * len(names) + codes
        found, group = kernels.number_keys(ids, places.shape[1] * len(names))
        before, last = np.divmod(found, max(len(names), 1))
        places = np.concatenate([places[:, before], last[None]])
    k = places.shape[1]
    hidden = np.zeros(0, np.intp) if kept is None else np.flatnonzero(~kept)
    return ExampleGroups(
        keys=list(
            zip(*([names[i] for i in at.tolist()] for (names, _), at in zip(by.values(), places, strict=True)), strict=True)
        ),
        sizes=np.bincount(group, minlength=k).tolist(),
        group=group if kept is None else group[kept],
        hidden=hidden,
        owner=group[hidden],
    )


def pack_pairs(x: Examples, groups: ExampleGroups, hidden: list[Any]) -> PackedTables:
    """Return the tables of pairs of all groups of examples with at most one class on each side."""
    width, k = x.m + 1, len(groups.keys)
    if x.times is None and k * width**2 < KEYS:
        found, times = _count_pairs(x, groups, k * width**2)
        owner, slot = np.divmod(found, width**2)
    else:
        true, pred = _codes(x)
        inverse, owner, slot = _occurring_pairs(_group_of(groups), true * width + pred, k, width**2)
        times = _sum_times(inverse, x, len(slot))
    return PackedTables((*groups.keys,), x.m, *drop_zeros(owner, slot, times), tuple(hidden), _zero(x))


def _count_pairs(x: Examples, groups: ExampleGroups, size: int) -> tuple[Array, Array]:
    """Return which pairs of classes occur in which group, as a number below a size, and how often."""
    width, group = x.m + 1, _group_of(groups)
    if size > max(FEW, x.n):
        true, pred = _codes(x)
        return np.unique((group * width + true) * width + pred, return_counts=True)
    core, counts = loaded.core, np.zeros(size, np.int64)
    for start in range(0, x.n, step := max(kernels.BLOCK, size)):
        rows = slice(start, start + step)
        if core is not None and core.add_groups(group[rows], x.y.data.block(rows), x.yhat.data.block(rows), width, counts):
            continue
        ids = group[rows] * width
        np.add(ids, x.y.data.block(rows), out=ids, casting="unsafe")
        ids *= width
        np.add(ids, x.yhat.data.block(rows), out=ids, casting="unsafe")
        ids += width + 1  # code -1 becomes 0
        counts += np.bincount(ids, minlength=size)
    counts = np.roll(counts.reshape(-1, width, width), -1, axis=(1, 2)).ravel()
    found = np.flatnonzero(counts)
    return found, counts[found]


def pack_counts(x: Examples, groups: ExampleGroups, hidden: list[Any]) -> PackedCounts:
    """Return the counts per class of all groups of examples with at most one class on each side."""
    m, k = x.m, len(groups.keys)
    group, (true, pred) = _group_of(groups), _codes(x)
    some, other, hit = np.flatnonzero(true < m), np.flatnonzero(pred < m), np.flatnonzero((true == pred) & (true < m))
    both = np.concatenate([some, other])
    inverse, owner, slot = _occurring_pairs(group[both], np.concatenate([true[some], pred[other]]), k, max(m, 1))
    at = np.zeros(len(true), np.intp)
    at[some] = inverse[: len(some)]
    sums = (
        _sum_times(index, x, len(slot), rows)
        for index, rows in ((at[hit], hit), (inverse[: len(some)], some), (inverse[len(some) :], other))
    )
    tp, tpos, ppos = sums
    rows, times = _rows_of_groups(x, groups, (true, pred), hidden)
    counts = np.stack([tp, ppos - tp, tpos - tp])
    observed = _sum_times(group, x, k)
    return PackedCounts((*groups.keys,), m, *drop_zeros(owner, slot, counts), observed, rows, times, _zero(x))


def _rows_of_groups(x: Examples, groups: ExampleGroups, codes: tuple[Array, Array], hidden: list[Any]) -> tuple[Array, Array]:
    """Return the distinct rows (group, tp, fp, fn, tn) of examples, in order, and how often each occurs."""
    (true, pred), m, k = codes, x.m, len(groups.keys)
    tp, fp, fn = (true == pred) & (true < m), (pred < m) & (true != pred), (true < m) & (true != pred)
    kind = _sum_times(_group_of(groups) * 8 + (tp * 4 + fp * 2 + fn), x, 8 * k).reshape(k, 8)
    here = np.flatnonzero(kind.ravel())
    bits = np.stack([here >> 2 & 1, here >> 1 & 1, here & 1])
    often = np.array(hidden, kind.dtype)
    never = np.flatnonzero(often)
    found = np.concatenate([here[None] >> 3, bits, m - bits.sum(axis=0, keepdims=True)])
    unseen = np.concatenate([never[None], np.zeros((4, len(never)), found.dtype)])
    return distinct(np.concatenate([found, unseen], axis=1), np.concatenate([kind.ravel()[here], often[never]]))


def _group_of(groups: ExampleGroups) -> Array:
    assert groups.group is not None
    return groups.group


def _codes(x: Examples) -> tuple[Array, Array]:
    """Return true and predicted codes; m stands for no class."""
    true, pred = (side.data.block(slice(None)).astype(np.intp) % (x.m + 1) for side in (x.y, x.yhat))
    return true, pred


def _occurring_pairs(owner: Array, slot: Array, k: int, width: int) -> tuple[Array, Array, Array]:
    """Return the place of each example among the pairs (group, slot) that occur, and these pairs."""
    names = None
    if k * width >= KEYS:
        names, slot = np.unique(slot, return_inverse=True)
        width = len(names)
    found, inverse = kernels.number_keys(owner * width + slot, k * width)
    group, slot = np.divmod(found, width)
    return inverse, group, slot if names is None else names[slot]


def _sum_times(index: Array, x: Examples, size: int, rows: Array | None = None) -> Array:
    """Return how often each index occurs, or exact sums of the weights of examples."""
    if x.times is None:
        return np.bincount(index, minlength=size)
    return kernels.exact_bincount(index, x.times if rows is None else x.times[rows], size)


def _zero(x: Examples) -> Any:
    return 0 if x.times is None else kernels.exact_zeros((1,))[0]


def summed_counts(x: Examples, ends: Array) -> Iterator[Summed]:
    """Yield the counts of each group of plain examples.

    Group g has the rows from ends[g] to ends[g + 1].
    """
    sizes = np.diff(ends)
    columns, rows = _sparse_positives(x, sizes) if x.words is None else _dense_positives(x, sizes, *x.words)
    per_class = np.moveaxis(four_counts(*columns, sizes[:, None]), 0, 1).copy()
    found, times, borders = _distinct_rows(*rows, sizes, x.m)
    for counts, (start, stop) in zip(per_class, pairwise(borders.tolist()), strict=True):
        yield Summed(counts, found[:, start:stop], times[start:stop])


Positives = tuple[Array, Array, Array]  # tp, actual and predicted positives


def _dense_positives(x: Examples, sizes: Array, *words: Array) -> tuple[Positives, Positives]:
    """Return tp, actual and predicted positives of each group and class, and of each row."""
    true, pred = kernels.as_bytes(x.y.data), kernels.as_bytes(x.yhat.data)
    tp, tpos, ppos = (_sum_groups(matrix, sizes) for matrix in (true & pred, true, pred))
    return (tp, tpos, ppos), three_counts(*words)


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
