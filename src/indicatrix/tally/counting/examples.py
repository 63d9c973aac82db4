"""Examples: two indicators on the same rows, with the mask and the weight of each row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ...algebra.arrays import Array
from ...algebra.fuzzy.tnorms import TNorm
from ...algebra.scale import Scale
from ...compiled import loaded
from ...encode.indicator import Coded, Indicator, Lookup, column_of_codes
from ...encode.plain_forms import Sparse
from ..kernels.word_counts import RowPairs, count_products, distinct_row_pairs

ROWS_PER_CLASS = 1 << 7  # from here on counting patterns of labels is faster than products of matrices


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
