"""Columns of 0 and 1 as bits, 64 rows in a word: counts per column, per row, of two columns together."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra.arrays import Array

TABLE = 18  # bits of a row's counts up to which every combination has a place in a table


def are_columns(*matrices: Array) -> bool:
    """Return whether the columns of each matrix of bytes lie in one piece, as those of files do."""
    return all(x.itemsize == 1 and x.flags.f_contiguous and not x.flags.c_contiguous for x in matrices)


def packed_columns(matrix: Array) -> Array:
    """Return the columns of a matrix of 0 and 1 as words, a row for each; the last bits may be unused: 0.

    >>> packed_columns(np.array([[1, 0], [1, 1]], np.uint8)).tolist()
    [[3], [2]]
    """
    bits = np.packbits(np.ascontiguousarray(matrix.T), axis=1, bitorder="little")
    words = np.zeros((len(bits), -(-bits.shape[1] // 8) * 8), np.uint8)
    words[:, : bits.shape[1]] = bits
    return words.view("<u8")


def count_each(columns: Array) -> Array:
    """Return how many bits of each column are set.

    >>> count_each(packed_columns(np.array([[1, 0], [1, 1]], np.uint8))).tolist()
    [2, 1]
    """
    counts: Array = np.bitwise_count(columns).sum(axis=1, dtype=np.int64)
    return counts


def count_together(columns: Array) -> Array:
    """Return how many bits each two columns share; only places on and above the diagonal are filled.

    >>> count_together(packed_columns(np.array([[1, 0], [1, 1]], np.uint8))).tolist()
    [[2, 1], [0, 1]]
    """
    out = np.zeros((len(columns),) * 2, np.int64)
    for i, column in enumerate(columns):
        out[i, i:] = count_each(columns[i:] & column)
    return out


def distinct_row_counts(sides: tuple[Array, ...], n: int) -> tuple[Array, Array]:
    """Return the distinct rows of counts, one for each side, and how often each occurs among ``n`` rows.

    All sides have as many columns. No row is read by itself: numbers are added bit by bit, 64 rows at once.

    >>> side = packed_columns(np.array([[1, 0], [1, 1], [0, 1]], np.uint8))
    >>> distinct_row_counts((side, side), 3)
    (array([[1, 2],
           [1, 2]]), array([2, 1]))
    """
    sums = [_sums(side) for side in sides]
    bits, shift = np.concatenate(sums), len(sums[0])
    keys = _numbers(bits, n)
    if len(bits) <= TABLE:
        count = np.bincount(keys, minlength=1)
        keys = np.flatnonzero(count)
        count = count[keys]
    else:
        keys, count = np.unique(keys, return_counts=True)
    found = keys.astype(np.int64) >> (shift * np.arange(len(sides)))[:, None]
    return found & ((1 << shift) - 1), count


def _sums(columns: Array) -> Array:
    """Return the number of set bits of each row, in binary: words of last digits, then of those before.

    Neighbours are added first, as numbers of one digit, then sums of two columns as numbers of two digits, and so on.
    """
    digits = columns[None]
    while (wide := digits.shape[1]) > 1:
        if wide % 2:
            digits = np.concatenate([digits, np.zeros_like(digits[:, :1])], axis=1)
        one, two = digits[:, ::2], digits[:, 1::2]
        sums = np.empty((len(digits) + 1, *one.shape[1:]), columns.dtype)
        carry: Any = np.uint64(0)
        for place, (a, b) in enumerate(zip(one, two, strict=True)):
            either = a ^ b
            sums[place] = either ^ carry
            carry = a & b | either & carry
        sums[-1] = carry
        digits = sums
    return digits[: len(columns).bit_length(), 0]


def _numbers(digits: Array, n: int) -> Array:
    """Return the number of each of ``n`` rows, from words of its binary digits, the last digit first."""
    size = next(size for size in (1, 2, 4, 8) if 8 * size >= len(digits))
    parts = np.zeros((n, size), np.uint8)
    for place in range(0, len(digits), 8):
        part = np.zeros(n, np.uint8)
        for i, words in enumerate(digits[place : place + 8]):
            part |= np.unpackbits(words.view(np.uint8), count=n, bitorder="little") << np.uint8(i)
        parts[:, place // 8] = part
    return parts.view(f"<u{size}")[:, 0]
