"""Counts of rows that are words: per column, per row, and of two labels together, all of them exact.

A row of ``m`` entries is given as words of bits (see ``row_words``).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array
from ...compiled import loaded

LANES = ((1, 3, 0x5555555555555555), (2, 5, 0x3333333333333333), (4, 17, 0x0F0F0F0F0F0F0F0F))
TOGETHER = 3 * 5 * 17  # this many bits fill a byte
FEW_BYTES = 1 << 10  # rows of this many bytes in all are counted faster if their bits are written out
FEW_WORDS = 16  # up to this many words per row, their counts are added word by word
TABLE_ROWS = 1 << 18  # rows of which the patterns are counted at once
MOST_LABELS = 32  # of which two rows fit in 64 bits
FILLING = 1 << 15  # this many rows are worth a table of 16 bits


def count_columns(words: Array, m: int) -> Array:
    """Return how many rows have each of the m bits, for each side; the words of a row are the last axis.

    Bits are added side by side in a word: sums of three bits need two bits, those of five such sums four bits, and those of 17
    of these a byte.

    >>> count_columns(np.array([[[5], [4]], [[1], [1]]], np.uint8), 3).tolist()
    [[1, 0, 2], [2, 0, 0]]
    """
    if words[0].nbytes <= FEW_BYTES:
        written = np.unpackbits(words.view(np.uint8), axis=2, bitorder="little")
        return np.asarray(written.sum(axis=1, dtype=np.uint16)[:, :m], np.int64)
    sides, n, own = len(words), words.shape[1], words.shape[2] * words.itemsize  # bytes of a row
    wide = max(own, 8)
    room = np.zeros((sides, -(-n * own // wide // TOGETHER) * TOGETHER, wide), np.uint8)
    room.reshape(sides, -1)[:, : n * own] = words.view(np.uint8).reshape(sides, -1)
    sums = [room.view(np.uint64)]
    for bits, most, mask in LANES:
        apart = sums + [some >> np.uint64(bits) for some in sums]
        for some in apart:
            some &= np.uint64(mask)
        sums = [some.reshape(sides, most, -1, wide // 8).sum(axis=1) for some in apart]
    places = np.stack([some.view(np.uint8).sum(axis=1, dtype=np.int64) for some in sums], axis=2)  # byte by byte, then by bit
    counts: Array = places.reshape(sides, -1, own * 8).sum(axis=1)
    return counts[:, :m]


def three_columns(true: Array, pred: Array, m: int) -> Array:
    """Return tp, actual and predicted positives of each of m labels.

    >>> three_columns(np.array([[5], [4]], np.uint8), np.array([[1], [1]], np.uint8), 3).tolist()
    [[1, 0, 0], [1, 0, 2], [2, 0, 0]]
    """
    counts = np.zeros((3, m), np.int64)
    if loaded.core is not None and loaded.core.count_columns(true, pred, m, counts):
        return counts
    return count_columns(np.stack([true & pred, true, pred]), m)


def count_rows(words: Array) -> Array:
    """Return how many bits each row has.

    >>> count_rows(np.array([[5], [4]], np.uint8)).tolist()
    [2, 1]
    """
    if words.shape[1] == 1:
        octets = np.bitwise_count(words.view(np.uint8)).view(words.dtype)[:, 0]  # bytes are counted faster than 16 bits
        word = words.dtype.type
        sums = octets * word(int.from_bytes(b"\1" * words.itemsize)) >> word(8 * words.itemsize - 8)
        return np.asarray(sums, np.uint8)
    counts = np.bitwise_count(words)
    if words.shape[1] > FEW_WORDS:
        return np.asarray(counts.sum(axis=1, dtype=np.int64))
    out = np.zeros(len(words), np.uint16)
    for column in counts.T:
        out += column
    return out


def three_counts(true: Array, pred: Array) -> tuple[Array, Array, Array]:
    """Return tp, actual and predicted positives of each row."""
    return count_rows(true & pred), count_rows(true), count_rows(pred)


class RowPairs(NamedTuple):
    """Rows of true and predicted labels as words, and how often each pair of rows occurs; None: once."""

    true: Array
    pred: Array
    times: Array | None = None


def distinct_row_pairs(true: Array, pred: Array, m: int) -> RowPairs:
    """Return each pair of rows once if it fits in 64 bits; pairs are few if labels depend on each other.

    >>> distinct_row_pairs(np.array([[5], [4], [5]], np.uint8), np.array([[4], [4], [4]], np.uint8), 3).times.tolist()
    [1, 2]
    """
    if m > MOST_LABELS:
        return RowPairs(true, pred)
    number: Any = np.uint32 if 2 * m <= 32 else np.uint64
    both = true[:, 0].astype(number)
    both <<= number(m)
    both |= pred[:, 0]
    both.sort()
    first = np.flatnonzero(np.append(True, both[1:] != both[:-1])[: len(both)])
    one = both[first, None]
    sides = ((one >> number(m)).astype(true.dtype), (one & number((1 << m) - 1)).astype(true.dtype))
    return RowPairs(*sides, np.diff(first, append=len(both)))


def count_products(rows: RowPairs, m: int) -> Array:
    """Return how many rows have each two entries of z = (1, tp, fp, fn), as a matrix.

    Labels are taken in groups. The patterns that rows have in two groups are counted in a table, and its sums say how often two
    cells occur together.

    >>> count_products(RowPairs(np.array([[1], [1]], np.uint8), np.array([[1], [0]], np.uint8)), 1).tolist()
    [[2, 1, 0, 1], [1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1]]
    """
    core, whole = loaded.core, np.zeros((3 * m, 3 * m), np.int64)
    if core is not None and rows.times is None and core.count_products(rows.true, rows.pred, m, whole):
        return _with_ones(np.triu(whole) + np.triu(whole, 1).T, len(rows.true))
    label_by_label = np.zeros((3 * m, 3 * m))  # floats hold numbers of up to 2**53 rows; on and above the diagonal
    weights = None if rows.times is None else rows.times.astype(np.float64)
    for start in range(0, len(rows.true), TABLE_ROWS):
        some = slice(start, start + TABLE_ROWS)
        groups, own = [*_label_groups(rows.true[some], rows.pred[some], m)], None if weights is None else weights[some]
        margins = dict[int, Array]()
        for (i, one), (j, two) in combinations(enumerate(groups), 2):
            keys = one.patterns * np.uint16(two.kinds) + two.patterns
            table = np.asarray(np.bincount(keys, own, one.kinds * two.kinds).reshape(one.kinds, -1), np.float64)
            label_by_label[one.places, two.places] += one.cells.T @ table @ two.cells
            if j == i + 1:
                margins[i], margins[j] = table.sum(axis=1), table.sum(axis=0)
        for i, one in enumerate(groups):
            margin = margins[i] if margins else np.bincount(one.patterns, own, one.kinds)
            label_by_label[one.places, one.places] += one.cells.T @ (margin[:, None] * one.cells)
    whole = (np.triu(label_by_label) + np.triu(label_by_label, 1).T).astype(np.int64)
    by_kind = whole.reshape(m, 3, m, 3).transpose(1, 0, 3, 2).reshape(whole.shape)
    return _with_ones(by_kind, len(rows.true) if rows.times is None else int(rows.times.sum()))


def _with_ones(products: Array, n: int) -> Array:
    """Return the products of cells with a first row and column: their products with 1, for n rows."""
    out = np.empty((1 + len(products),) * 2, np.int64)
    out[1:, 1:] = products
    out[0, 0] = n
    out[0, 1:] = out[1:, 0] = np.diagonal(products)  # the square of 0 or 1 is itself
    return out


class LabelGroup(NamedTuple):
    """Some labels that lie next to each other."""

    places: slice  # of their cells: tp, fp, fn of the first label, then those of the second
    cells: Array  # which cells a row with each pattern has
    patterns: Array  # the pattern of each row: true bits, and before them predicted bits

    @property
    def kinds(self) -> int:
        """How many patterns there are."""
        return len(self.cells)


def _label_groups(true: Array, pred: Array, m: int) -> Iterator[LabelGroup]:
    """Yield groups of up to four labels, so that the patterns of two groups have up to 16 bits."""
    most = 4 if len(true) >= FILLING else 3
    for first in range(0, m, 16):
        t, p = (_sixteen_bits(side, first // 16) for side in (true, pred))
        labels = min(16, m - first)
        number = -(-labels // most)
        for start, stop in pairwise(labels * i // number for i in range(number + 1)):
            k, shift, mask = np.uint16(stop - start), np.uint16(start), np.uint16((1 << stop - start) - 1)
            patterns = (t >> shift) & mask
            patterns |= ((p >> shift) & mask) << k
            yield LabelGroup(slice(3 * (first + start), 3 * (first + stop)), _cells_of_patterns(int(k)), patterns)


def _sixteen_bits(words: Array, place: int) -> Array:
    """Return a part of each row as 16 bits."""
    return words[:, 0].astype(np.uint16) if words.itemsize == 1 else np.ascontiguousarray(words.view("<u2")[:, place])


def _cells_of_patterns(k: int) -> Array:
    """Return tp, fp and fn of k labels for each pattern of their bits: predicted ones, then true ones."""
    bits = np.arange(4**k)[:, None] >> np.arange(2 * k) & 1
    true, pred = bits[:, :k], bits[:, k:]
    return np.stack([true & pred, pred & ~true, true & ~pred], axis=2).reshape(-1, 3 * k).astype(np.float64)
