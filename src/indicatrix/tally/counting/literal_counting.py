"""Two indicators on the same rows with mask and weight of each, and blocks of literal cells.

Blocks are for soft, scaled, weighted or masked examples, and for the counts of each example.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts, Scale
from ...algebra.fuzzy.tnorms import TNorm
from ...compiled import loaded
from ...encode.indicator import Coded, Indicator, Lookup, column_of_codes
from ...encode.plain_forms import Sparse
from ..cells import Cells
from ..kernels import kernels
from ..kernels.word_counts import RowPairs, count_products, distinct_row_pairs
from ..states.group_counts import Summed, distinct

ROWS_PER_CLASS = 1 << 7  # from here on counting patterns of labels is faster than products of matrices
ENTRIES = 1 << 17  # entries of a block of cells


@dataclass(frozen=True, eq=False)
class Examples:
    """Two indicators, which of their entries were observed, and how often each example counts."""

    y: Indicator
    yhat: Indicator
    cells: Array | None = None  # entries that were observed; None: all
    times: Array | None = None  # how often each example counts: float weights, integers, or fractions; None: once
    tnorm: TNorm | None = None  # None: the entries are decisions
    scale: Scale | None = None  # how much a cell of each kind counts; None: once
    together: bool = False  # whether tables of two cells are made first, from which other counts follow

    @property
    def n(self) -> int:
        """The number of examples."""
        return self.y.n

    @property
    def m(self) -> int:
        """The number of classes."""
        return len(self.y.classes)

    @property
    def plain(self) -> bool:
        """Whether every entry is a decision that was observed and counts once."""
        return self.cells is None and self.times is None and self.tnorm is None and self.scale is None

    @property
    def words(self) -> tuple[Array, Array] | None:
        """The rows of both indicators as words of bits, where both are matrices of decisions."""
        true = self.y.words
        pred = None if true is None else self.yhat.words
        return None if true is None or pred is None else (true, pred)

    @cached_property
    def row_pairs(self) -> RowPairs | None:
        """The rows of both indicators as words; equal ones are counted first if there are tables."""
        if self.words is None:
            return None
        if self.together and loaded.core is None:  # compiled kernels count all rows in the time of such a sort
            return distinct_row_pairs(*self.words, self.m)
        return RowPairs(*self.words)

    @property
    def fills_tables(self) -> bool:
        """Whether there are plain matrices with enough rows for tables of two cells."""
        return self.plain and self.n >= ROWS_PER_CLASS * self.m > 0 and self.words is not None

    @cached_property
    def cell_products(self) -> Array:
        """How often each two cells of plain matrices occur together."""
        assert self.row_pairs is not None
        return count_products(self.row_pairs, self.m)

    @property
    def single(self) -> bool:
        """Whether an example is only a pair of codes, true and predicted, and how often it counts."""
        codes = isinstance(self.y.data, Coded) and isinstance(self.yhat.data, Coded)
        return codes and self.cells is None and self.scale is None

    def take(self, index: Array) -> Examples:
        """Return these examples, in this order."""
        return self._with(self.y.take(index), self.yhat.take(index), index)

    def between(self, start: int, stop: int) -> Examples:
        """Return a range of examples without reading the others."""
        rows = slice(start, stop)
        y, yhat = (replace(x, data=_between(x.data, rows)) for x in (self.y, self.yhat))
        return self._with(y, yhat, rows)

    def _with(self, y: Indicator, yhat: Indicator, rows: Array | slice) -> Examples:
        cells, times = (None if x is None else x[rows] for x in (self.cells, self.times))
        return replace(
            self,
            y=y,
            yhat=yhat,
            cells=cells,
            times=times,
            scale=None if self.scale is None else self.scale.take(rows),
            together=False,
        )


def _between(data: Any, rows: slice) -> Any:
    if isinstance(data, Coded):
        return column_of_codes(data.block(rows))
    if isinstance(data, Lookup):
        return Lookup(column_of_codes(data.codes.block(rows)), data.table)
    if isinstance(data, Sparse):
        indptr = data.indptr[rows.start : rows.stop + 1]
        inside = slice(indptr[0], indptr[-1])
        return Sparse(indptr - indptr[0], data.indices[inside], data.data[inside], data.width)
    return data[rows]


def count_literally(x: Examples) -> Summed:
    """Return the counts of blocks of literal cells.

    Sums of floats are exact, so the order of rows and batches does not change the result.
    """
    floats = x.tnorm is not None or x.scale is not None
    whole = are_integers(x.times)
    per_class = np.zeros((4, x.m), np.int64) if whole and not floats else kernels.exact_zeros((4, x.m))
    rows = [np.zeros((4, 0), np.float64 if floats else np.int64)]
    times = [np.zeros(0, np.int64 if whole else object)]
    step = max(1, ENTRIES // max(x.m, 1))
    for start in range(0, x.n, step):
        block = x.between(start, min(start + step, x.n))
        cells = Cells(block.y, block.yhat, x.tnorm, block.cells, scale=block.scale)
        four = [np.ascontiguousarray(c, np.float64 if floats else None) for c in (cells.tp, cells.fp, cells.fn, cells.tn)]
        for total, entries in zip(per_class, four, strict=True):
            _add_columns(total, entries, block.times)
        found, often = _distinct(np.stack([entries.sum(axis=1) for entries in four]), block.times)
        rows.append(found)
        times.append(often)
    return Summed(per_class, *distinct(np.concatenate(rows, axis=1), np.concatenate(times)))


def are_integers(times: Array | None) -> bool:
    """Return whether weights are integers; without weights each example counts once."""
    return times is None or times.dtype.kind == "i"


def _add_columns(total: Array, entries: Array, times: Array | None) -> None:
    """Add the sum of each column, every row as often as it counts."""
    if total.dtype != object:
        total += entries.sum(axis=0) if times is None else times @ entries
    elif times is not None and times.dtype == object:
        for row, column in zip(*np.nonzero(entries), strict=True):
            total[column] += times[row] * Fraction(entries[row, column].item())
    else:
        columns = np.broadcast_to(np.arange(len(total)), entries.shape).ravel()
        for addends in _multiply(entries.astype(np.float64), times):
            kernels.add_exactly(total, columns, addends.ravel())


def _multiply(entries: Array, times: Array | None) -> list[Array]:
    """Return floats that add up to each entry times the count of its row.

    With float weights, the products are rounded.
    """
    if times is None:
        return [entries]
    return kernels.exact_products(entries, times[:, None]) if are_integers(times) else [entries * times[:, None]]


def _distinct(rows: Array, times: Array | None) -> tuple[Array, Array]:
    """Return the distinct rows of a block, and how often each counts."""
    found, where = np.unique(rows, axis=1, return_inverse=True)
    size = found.shape[1]
    if times is not None and times.dtype.kind == "f":
        return found, kernels.exact_bincount(where, times, size)
    often = np.zeros(size, np.int64) if are_integers(times) else kernels.exact_zeros((size,))
    np.add.at(often, where, 1 if times is None else times)
    return found, often


def kinds_of_row(x: Examples) -> float:
    """Return how many different rows the indicators can have.

    It is infinite if the rows are not looked up by code, or if each example has costs of its own.
    """
    if x.scale is not None and x.scale.of == "example":
        return math.inf
    return max(_kinds(x.y), _kinds(x.yhat))


def _kinds(indicator: Indicator) -> float:
    if isinstance(indicator.data, Lookup):
        return indicator.data.table.n
    return len(indicator.classes) if isinstance(indicator.data, Coded) else math.inf


def count_by_pairs(x: Examples) -> Summed:
    """Return the counts of examples whose rows are looked up by code.

    Each pair of codes that occurs is counted once, and multiplied by how often it occurs.
    """
    return count_literally(distinct_pairs(x))


def distinct_pairs(x: Examples) -> Examples:
    """Return one example for each pair of codes that occurs; it counts as often as the pair."""
    codes = [side.data.codes if isinstance(side.data, Lookup) else side.data for side in (x.y, x.yhat)]
    k = int(kinds_of_row(x))
    blocks = codes[0].block, codes[1].block
    table = kernels.cross(*blocks, x.n, k) if x.times is None else kernels.weighted_cross(*blocks, x.times, k)
    found = np.nonzero(table)
    sides = []
    for side, ids in zip((x.y, x.yhat), found, strict=True):
        rows = column_of_codes(np.where(ids == k, -1, ids))
        sides.append(replace(side, data=Lookup(rows, side.data.table) if isinstance(side.data, Lookup) else rows))
    return replace(x, y=sides[0], yhat=sides[1], times=table[found])


def count_each(x: Examples, kept: Array | None, n: int) -> Counts:
    """Return tp, fp, fn, tn of each of n examples; four zeros where nothing was observed.

    ``kept`` says which of the n examples are in ``x``; None: all of them.
    """
    four = _count_codes(x) if x.single else _count_cells(x)
    if kept is not None:
        four, some = np.zeros((4, n), four.dtype), four
        four[:, kept] = some
    return Counts(*four, per=("example",), names=(tuple(range(n)),))


def _count_codes(x: Examples) -> Array:
    true, pred = (side.data.block(slice(None)) for side in (x.y, x.yhat))
    tpos, ppos, tp = true >= 0, pred >= 0, (true == pred) & (true >= 0)
    four = np.empty((4, x.n), np.int64)
    four[:3] = tp, ppos & ~tp, tpos & ~tp
    four[3] = x.m - four[:3].sum(axis=0)
    return four


def _count_cells(x: Examples) -> Array:
    """Return the sums along the rows of literal cells, some rows at a time."""
    blocks = [np.zeros((4, 0), np.int64 if x.tnorm is None and x.scale is None else np.float64)]
    step = max(1, ENTRIES // max(x.m, 1))
    for start in range(0, x.n, step):
        some = x.between(start, min(start + step, x.n))
        cells = Cells(some.y, some.yhat, x.tnorm, some.cells, scale=some.scale)
        blocks.append(np.stack([entries.sum(axis=1) for entries in (cells.tp, cells.fp, cells.fn, cells.tn)]))
    return np.concatenate(blocks, axis=1)
