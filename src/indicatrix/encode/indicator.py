"""Indicator: labels as an n x m matrix that is rarely written out (sec:matrix).

Rows of a 0/1 matrix as words: a bit for each column, so that many entries are read at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..algebra.arrays import Array, Mask, as_weight, is_array, namespace
from ..compiled import loaded
from ..words.call_mistakes import answers_mistakes
from .plain_forms import Sparse
from .vocabulary import Coder, check_classes


@dataclass(frozen=True, slots=True)
class Coded:
    """One code per example, made block by block from the caller's labels; -1 is an all-zero row."""

    block: Coder
    length: int

    def __len__(self) -> int:
        return self.length


@dataclass(frozen=True, eq=False, slots=True)
class Lookup:
    """A mask looked up by code: example i has the row of ``table`` at its code; -1 is an all-zero row."""

    codes: Coded
    table: Indicator

    def __len__(self) -> int:
        return len(self.codes)


@answers_mistakes
@dataclass(frozen=True, eq=False)
class Indicator:
    """An indicator matrix Y: one row per example, one column per class, entries in [0, 1].

    Attributes
    ----------
    data : array or a compact form of it
        The entries. ``matrix`` writes them out.
    classes : tuple
        The classes, in the order of the columns.
    targets : tuple or None
        The target that each column belongs to, where there are several.
    grouping : str
        The name of the axis that ``targets`` make: "target" or "depth".

    Examples
    --------
    >>> import indicatrix as ix
    >>> y = ix.one_hot(["cat", "ant", "cat"])
    >>> y.classes, y.codes.tolist(), y.matrix.astype(int).tolist()
    (('ant', 'cat'), [1, 0, 1], [[0, 1], [1, 0], [0, 1]])
    """

    data: Any  # Coded, Sparse, Lookup, or a two-dimensional array of bools, 0/1 integers or memberships
    classes: tuple[Any, ...]
    targets: tuple[Any, ...] | None = None  # the target that each column belongs to
    grouping: str = "target"  # the name of such a group of columns, which is an axis of the counts

    def __post_init__(self) -> None:
        if not isinstance(self.data, Coded | Sparse | Lookup) and not (is_array(self.data) and self.data.ndim == 2):
            raise TypeError("An indicator holds a two-dimensional array; one_hot, multilabel and soft read other containers.")
        if not isinstance(self.classes, tuple):
            object.__setattr__(self, "classes", check_classes(self.classes))
        if is_array(self.data) and self.data.shape[1] != len(self.classes):
            raise ValueError(f"The matrix has {self.data.shape[1]} columns for {len(self.classes)} classes.")
        if self.targets is not None and len(self.targets) != len(self.classes):
            raise ValueError(f"targets= names {len(self.targets)} columns, but there are {len(self.classes)} classes.")

    @staticmethod
    def from_codes(codes: Any, classes: Iterable[Any]) -> Indicator:
        """Return the indicator of examples given by class codes; -1 is an all-zero row, an abstention.

        Parameters
        ----------
        codes : array-like of int
            The position of each example's class in ``classes``; -1 for no class.
        classes : iterable
            The classes and their order.

        Returns
        -------
        Indicator
            One row per example.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.types.Indicator.from_codes([1, -1], ["ant", "cat"]).matrix.astype(int).tolist()
        [[0, 1], [0, 0]]
        """
        names, array = check_classes(classes), np.asarray(codes)
        if array.ndim != 1 or (array.size and (array.dtype.kind not in "iu" or array.min() < -1 or array.max() >= len(names))):
            raise ValueError(f"codes must be a vector of integers from -1 to {len(names) - 1}, one for each example.")
        return Indicator(column_of_codes(array.astype(np.intp, copy=False)), names)

    @property
    def n(self) -> int:
        """The number of examples."""
        return len(self.data) if isinstance(self.data, Coded | Sparse | Lookup) else int(self.data.shape[0])

    @property
    def soft(self) -> bool:
        """Whether the entries are memberships rather than decisions."""
        if isinstance(self.data, Lookup):
            return self.data.table.soft
        return is_array(self.data) and not _is_kind(self.data, "bool", "integral")

    @property
    def codes(self) -> Array | None:
        """The class code of each example, -1 for an all-zero row; None if examples may have several classes."""
        if not isinstance(self.data, Coded):
            return None
        whole = self.data.block(slice(None))
        return whole.astype(np.min_scalar_type(-max(len(self.classes), 1)), copy=False)

    @cached_property
    def words(self) -> Array | None:
        """The rows of a NumPy matrix of decisions as words, a bit for each class; None for other forms."""
        return row_words(self.data) if isinstance(self.data, np.ndarray) and not self.soft else None

    @property
    def matrix(self) -> Any:
        """The n x m matrix written out: bools, or memberships."""
        return self.rows(slice(None))

    def rows(self, rows: slice) -> Any:
        """Return these rows of the matrix written out.

        Parameters
        ----------
        rows : slice
            Which examples.

        Returns
        -------
        array
            Bools, or memberships.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.one_hot(["cat", "ant", "cat"]).rows(slice(0, 2)).astype(int).tolist()
        [[0, 1], [1, 0]]
        """
        if isinstance(self.data, Coded):
            return self.data.block(rows)[:, None] == np.arange(len(self.classes))
        if isinstance(self.data, Sparse):
            return sparse_rows(self.data, rows)
        if isinstance(self.data, Lookup):
            return self.data.table.take(self.data.codes.block(rows)).matrix
        block = self.data[rows, :]
        if _is_kind(block, "integral"):
            xp = namespace(block)
            return xp.astype(block, xp.bool)
        return block

    def occupied(self) -> Mask:
        """Return which rows have an entry above zero: where something is predicted, or true.

        Returns
        -------
        array of bool
            One flag for each example.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.types.Indicator.from_codes([1, -1], ["ant", "cat"]).occupied().tolist()
        [True, False]
        """
        if self.words is not None:
            return np.asarray(self.words[:, 0] != 0 if self.words.shape[1] == 1 else self.words.any(axis=1))
        if isinstance(self.data, Coded):
            return np.asarray(self.data.block(slice(None)) >= 0)
        if isinstance(self.data, Lookup):  # code -1 reads the last entry
            return np.append(self.data.table.occupied(), False)[self.data.codes.block(slice(None))]
        if isinstance(self.data, Sparse):
            stored = self.data
            row = np.repeat(np.arange(self.n), np.diff(stored.indptr))
            return np.bincount(row[np.asarray(stored.data) != 0], minlength=self.n) > 0
        return as_weight(namespace(self.data).any(self.data != 0, axis=1)) > 0

    def take(self, index: Array) -> Indicator:
        """Return the indicator of these examples, in this order; -1 takes an all-zero row.

        Parameters
        ----------
        index : array of int
            The positions of the examples.

        Returns
        -------
        Indicator
            One row for each position.

        Examples
        --------
        >>> import indicatrix as ix
        >>> import numpy as np
        >>> ix.one_hot(["cat", "ant"]).take(np.array([1, 1, 0])).codes.tolist()
        [0, 0, 1]
        """
        return replace(self, data=_take(self.data, index))

    def count_entries(self) -> int:
        """Return how many entries ``as_sparse`` has, without writing them out.

        Returns
        -------
        int
            A number that may be far larger than those of rows and of classes.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.multilabel([{"b"}, {"a", "b"}]).count_entries()
        3
        """
        if isinstance(self.data, Lookup):
            often = np.bincount(self.data.codes.block(slice(None)) + 1, minlength=self.data.table.n + 1)[1:]
            return int(often @ np.diff(self.data.table.as_sparse().indptr))
        if isinstance(self.data, Coded):
            return int(np.count_nonzero(self.data.block(slice(None)) >= 0))
        return len(self.data.indices) if isinstance(self.data, Sparse) else int(np.count_nonzero(self.data))

    def as_sparse(self) -> Sparse:
        """Return the nonzero entries as compressed rows.

        Returns
        -------
        Sparse
            With ``indptr``, ``indices`` and ``data``, as SciPy's compressed rows have them.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.multilabel([{"b"}, {"a", "b"}]).as_sparse().indices.tolist()
        [1, 0, 1]
        """
        if isinstance(self.data, Sparse):
            return self.data
        if isinstance(self.data, Coded):
            codes = self.data.block(slice(None))
            here = codes >= 0
            return Sparse(np.concatenate(([0], np.cumsum(here))), codes[here], np.ones(int(here.sum()), bool), len(self.classes))
        if isinstance(self.data, Lookup):
            return _take_sparse(self.data.table.as_sparse(), self.data.codes.block(slice(None)))
        rows, columns = np.nonzero(self.data)
        indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=self.n))))
        return Sparse(indptr, columns, np.ones(len(columns), bool), len(self.classes))


def _is_kind(x: Any, *kinds: str) -> bool:
    if isinstance(x, np.ndarray):
        return {"b": "bool", "i": "integral", "u": "integral"}.get(x.dtype.kind) in kinds
    return bool(namespace(x).isdtype(x.dtype, kinds))


def column_of_codes(codes: Array) -> Coded:
    """Return existing codes as a column that is read in blocks."""
    return Coded(lambda rows: codes[rows], len(codes))


def sparse_rows(data: Sparse, rows: slice) -> Mask:
    """Return a range of compressed rows as a dense block."""
    start, stop, _ = rows.indices(len(data))
    indptr = data.indptr[start : stop + 1]
    inside = slice(indptr[0], indptr[-1]) if len(indptr) > 1 else slice(0, 0)
    dense = np.zeros((max(stop - start, 0), data.width), bool)
    row = np.repeat(np.arange(len(dense)), np.diff(indptr))
    dense[row, data.indices[inside]] = data.data[inside] != 0
    return dense


def _take(data: Any, index: Array) -> Any:
    if isinstance(data, Coded):
        here = index >= 0
        if here.all():
            return column_of_codes(data.block(index))
        codes = np.full(len(index), -1)
        codes[here] = data.block(index[here])
        return column_of_codes(codes)
    if isinstance(data, Sparse):
        return _take_sparse(data, index)
    if isinstance(data, Lookup):
        return Lookup(_take(data.codes, index), data.table)
    if isinstance(data, np.ndarray) and (index < 0).any():
        block = np.zeros((len(index), data.shape[1]), data.dtype)
        block[index >= 0] = data[index[index >= 0]]
        return block
    return data[index]


def _take_sparse(data: Sparse, index: Array) -> Sparse:
    sizes = np.append(np.diff(data.indptr), 0)[index]  # index -1 reads the empty row at the end
    indptr = np.concatenate(([0], np.cumsum(sizes)))
    within = np.arange(indptr[-1]) - np.repeat(indptr[:-1], sizes)
    at = np.repeat(np.asarray(data.indptr)[index], sizes) + within
    return Sparse(indptr, data.indices[at], data.data[at], data.width)


BLOCK = 1 << 16  # rows that are packed at once
FEW = 256  # up to this many rows it is fastest to pack each by itself
NARROW = 57  # a row of this many bits lies inside 64 bits, wherever it starts in its byte


def row_words(matrix: Array) -> Array:
    """Return the rows as unsigned integers: bit j is set where the entry of column j is not 0.

    Up to 64 columns a row is one integer, of 8, 16, 32 or 64 bits; above, each 64 columns are one of 64 bits.

    >>> row_words(np.array([[1, 0, 1], [0, 1, 0]])).tolist()
    [[5], [2]]
    """
    n, m = matrix.shape
    words = _no_words(n, m)
    pack = (
        _pack_columns
        if _lies_by_column(matrix)
        else _pack_compiled
        if loaded.core is not None
        else _pack_narrow_rows
        if m <= NARROW and n > FEW
        else _pack_rows_apart
    )
    for start in range(0, n if m else 0, BLOCK):
        rows = slice(start, start + BLOCK)
        pack(matrix[rows], words[rows])
    return words


def checked_words(matrix: Array) -> tuple[bool, Array | None]:
    """Return whether integers are all 0 or 1, and their rows as words if one reading does both.

    >>> [checked_words(np.array([[1, 0, top]], np.uint8))[0] for top in (0, 1, 2)]
    [True, True, False]
    """
    if loaded.core is not None and matrix.itemsize == 1 and not _lies_by_column(matrix):
        words = _no_words(*matrix.shape)
        met = loaded.core.pack_rows(matrix.view(np.uint8), words)
        if met is not None:
            return met <= 1, words
    return hold_decisions(matrix), None


def hold_decisions(integers: Array) -> bool:
    """Return whether all integers, or bools, are 0 or 1.

    >>> hold_decisions(np.array([0, 1])), hold_decisions(np.array([0, -1]))
    (True, False)
    """
    if integers.dtype.isnative:  # a negative number is huge if it is read as unsigned, so one comparison is enough
        return bool(integers.view(f"u{integers.itemsize}").max(initial=0) <= 1)
    return bool(integers.max(initial=0) <= 1 and integers.min(initial=0) >= 0)


def _no_words(n: int, m: int) -> Array:
    """Return room for n rows of m bits: 0 in all of them."""
    size = next((size for size in (1, 2, 4) if m <= 8 * size), 8)
    return np.zeros((n, max(1, -(-m // (8 * size)))), f"<u{size}")


def _lies_by_column(matrix: Array) -> bool:
    return abs(matrix.strides[0]) < abs(matrix.strides[1])


def _pack_compiled(block: Array, words: Array) -> None:
    if loaded.core.pack_rows(_as_flags(block), words) is None:  # type: ignore[union-attr]
        _pack_rows_apart(block, words)


def _pack_columns(block: Array, words: Array) -> None:
    """Pack columns that lie in one piece, as those of files do: eight of them become a byte of each word."""
    octets = words.view(np.uint8)
    for first in range(0, block.shape[1], 8):
        octet = np.zeros(len(block), np.uint8)
        for column in block.T[first : first + 8][::-1]:
            octet += octet
            octet |= (column != 0).view(np.uint8)
        octets[:, first // 8] = octet


def _pack_narrow_rows(block: Array, words: Array) -> None:
    """Pack the whole block into bits without a gap between rows, then read each row from there.

    Rows start at the same place of a byte every ``period`` rows, so that one strided view reads all rows of one place.
    """
    n, m = block.shape
    period = 8 // math.gcd(m, 8)
    stride = period * m // 8
    bits = np.packbits(_as_flags(block).reshape(-1), bitorder="little")
    room = np.zeros((n // period + 1) * stride + 8, np.uint8)  # the last window may read past the data
    room[: len(bits)] = bits
    window = np.dtype("<u4" if m <= 25 else "<u8").type
    mask = window((1 << m) - 1)
    for first in range(min(period, n)):
        offset, shift = divmod(first * m, 8)
        count = len(range(first, n, period))
        words[first::period, 0] = np.ndarray((count,), window, room.data, offset, (stride,)) >> window(shift) & mask


def _pack_rows_apart(block: Array, words: Array) -> None:
    bits = np.packbits(_as_flags(block), axis=1, bitorder="little")
    words.view(np.uint8)[:, : bits.shape[1]] = bits


def _as_flags(block: Array) -> Array:
    """Return a block as contiguous bytes, 0 where an entry is 0; it is copied only if necessary."""
    return np.ascontiguousarray(block if block.itemsize == 1 else block != 0)
