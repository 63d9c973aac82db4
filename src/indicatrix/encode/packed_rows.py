"""Rows of a 0/1 matrix as words: a bit for each column, so that many entries are read at once."""

from __future__ import annotations

import math

import numpy as np

from ..algebra.arrays import Array
from ..compiled import loaded

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
