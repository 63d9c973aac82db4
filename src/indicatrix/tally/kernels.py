"""Counting in plain NumPy, block by block so that temporaries stay in cache. Plain functions: a compiled core can replace them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Block = Callable[[slice], Array]

BLOCK = 1 << 15
BYTE_BLOCK = 1 << 17
DIRECT = 1 << 10  # integer labels below this are counted as they are, without first finding out which ones occur


def cross(true: Block, pred: Block, n: int, m: int) -> Array:
    """Count pairs of codes in -1..m-1; row and column m count the code -1."""
    width = m + 1
    if width * width <= 256 and n > BLOCK:
        return _cross_bytes(true, pred, n, width)
    counts = np.zeros(width * width, np.int64)
    step = max(BLOCK, width * width)
    for start in range(0, n, step):
        rows = slice(start, start + step)
        fused = np.multiply(true(rows), width, dtype=np.intp, casting="unsafe")
        fused += pred(rows)
        fused += width + 1  # code -1 becomes 0
        counts += np.bincount(fused, minlength=width * width)
    return _none_last(counts.reshape(width, width))


def _cross_bytes(true: Block, pred: Block, n: int, width: int) -> Array:
    """Count pairs that fit one byte: two neighbouring bytes are one 16-bit number, so each counting step takes two pairs."""
    counts = np.zeros(1 << 16, np.int64)
    even = n - n % 2
    for start in range(0, even, BYTE_BLOCK):
        rows = slice(start, min(start + BYTE_BLOCK, even))
        fused = np.multiply(_bytes(true(rows)), np.uint8(width))
        fused += _bytes(pred(rows))
        fused += np.uint8(width + 1)
        counts += np.bincount(fused.view(np.uint16), minlength=1 << 16)
    low_high = counts.reshape(256, 256)
    single = (low_high.sum(0) + low_high.sum(1))[: width * width].reshape(width, width)
    if n % 2:
        last = slice(n - 1, n)
        single[int(true(last)[0]) + 1, int(pred(last)[0]) + 1] += 1
    return _none_last(single)


def _bytes(codes: Array) -> Array:
    """Return small codes as bytes; -1 wraps to 255, and the wrap cancels when 1 is added in byte arithmetic."""
    return codes.view(np.uint8) if codes.dtype.itemsize == 1 else codes.astype(np.uint8)


def _none_last(table: Array) -> Array:
    return np.roll(table, -1, axis=(0, 1))


def cross_integers(true: Array, pred: Array) -> Array | None:
    """Count pairs of small non-negative integers as they are, checking the range in the same pass.

    Returns a square table with an empty last row and column, or None if a value is negative or not small.
    """
    width, counts = 2, np.zeros(4, np.int64)
    for start in range(0, max(len(true), 1), BLOCK):
        t, p = true[start : start + BLOCK], pred[start : start + BLOCK]
        top = int(max(_unsigned(t).max(initial=0), _unsigned(p).max(initial=0)))  # a negative number looks huge
        if top + 2 > width:
            if top >= DIRECT:
                return None
            counts = (
                embed(counts.reshape(width, width), np.arange(width), top + 2).ravel()
                if start
                else np.zeros((top + 2) ** 2, np.int64)
            )
            width = top + 2
        fused = np.multiply(t, width, dtype=np.intp, casting="unsafe")
        fused += p
        counts += np.bincount(fused, minlength=width * width)
    return counts.reshape(width, width)


def _unsigned(x: Array) -> Array:
    return x.view(f"u{x.dtype.itemsize}")


def embed(table: Array, position: Array, width: int) -> Array:
    """Return a wider square table with the entries of ``table`` at new positions."""
    wide = np.zeros((width, width), table.dtype)
    if table.dtype == object:
        wide += Fraction(0)
    wide[np.ix_(position, position)] = table
    return wide


def margins(true: Block, pred: Block, n: int, m: int) -> Array:
    """Count per class tp, actual and predicted positives; column m counts the code -1. For very many classes."""
    out = np.zeros((3, m + 1), np.int64)
    for start in range(0, n, max(BLOCK, m)):
        rows = slice(start, start + max(BLOCK, m))
        t, p = true(rows).astype(np.intp), pred(rows).astype(np.intp)
        t[t < 0] = m
        p[p < 0] = m
        out[0] += np.bincount(t[t == p], minlength=m + 1)
        out[1] += np.bincount(t, minlength=m + 1)
        out[2] += np.bincount(p, minlength=m + 1)
    return out


def byte_columns(true: Array, pred: Array) -> Array:
    """Return per column tp, actual and predicted positives of two C-contiguous 0/1 byte matrices.

    Several rows side by side form a super-row of about a kilobyte, which one vector addition handles; byte accumulators
    hold 255 super-rows before they are added to the totals.
    """
    n, m = true.shape
    together = max(1, 1024 // max(m, 1))
    length, width = n // together, together * m
    totals = np.zeros((3, width), np.int64)
    t, p = (x[: length * together].reshape(length, width) for x in (true, pred))
    both = np.empty((255, width), np.uint8)
    for start in range(0, length, 255):
        a, b = t[start : start + 255], p[start : start + 255]
        c = np.bitwise_and(a, b, out=both[: len(a)])
        for total, x in zip(totals, (c, a, b), strict=True):
            total += np.add.reduce(x, axis=0, dtype=np.uint8)
    out = totals.reshape(3, together, m).sum(axis=1)
    a, b = true[length * together :], pred[length * together :]
    return out + np.stack([x.sum(axis=0, dtype=np.int64) for x in (a & b, a, b)])


def byte_rows(true: Array, pred: Array) -> tuple[Array, Array, Array]:
    """Return per row tp, actual and predicted positives of two C-contiguous 0/1 byte matrices, by counting packed bits."""
    return (_narrow_rows if 0 < true.shape[1] <= 57 else _wide_rows)(true, pred)


def _narrow_rows(true: Array, pred: Array) -> tuple[Array, Array, Array]:
    """Pack the whole block into bits: a row of up to 57 bits lies inside one 64-bit window, wherever it starts in its byte.

    Rows start at the same bit offset every ``period`` rows, so one strided view reads all rows of one offset.
    """
    n, m = true.shape
    period = 8 // gcd(m, 8)
    stride = period * m // 8
    mask = np.uint64((1 << m) - 1)
    packed = []
    for x in (true, pred):
        bits = np.packbits(x.reshape(-1), bitorder="little")
        room = np.zeros((n // period + 1) * stride + 8, np.uint8)  # the last window may read past the data
        room[: len(bits)] = bits
        packed.append(room)
    out = [np.empty(n, np.uint8) for _ in range(3)]
    for first in range(min(period, n)):
        offset, shift = divmod(first * m, 8)
        count = len(range(first, n, period))
        a, b = ((np.ndarray((count,), np.uint64, room.data, offset, (stride,)) >> np.uint64(shift)) & mask for room in packed)
        for counts, x in zip(out, (a & b, a, b), strict=True):
            counts[first::period] = np.bitwise_count(x)
    return out[0], out[1], out[2]


def _wide_rows(true: Array, pred: Array) -> tuple[Array, Array, Array]:
    a, b = (np.packbits(x, axis=1) for x in (true, pred))
    tp, tpos, ppos = (np.bitwise_count(x).sum(axis=1, dtype=np.int64) for x in (a & b, a, b))
    return tp, tpos, ppos


def distinct_rows(tp: Array, tpos: Array, ppos: Array, m: int) -> tuple[Array, Array]:
    """Return the distinct rows (tp, tpos, ppos) as columns of a 3 x k array, with how often each occurs."""
    base = m + 1
    key = tpos.astype(np.int64)
    key *= base
    key += ppos
    key *= base
    key += tp
    if base**3 <= max(1 << 18, len(key)):
        count = np.bincount(key, minlength=1)
        key = np.flatnonzero(count)
        count = count[key]
    else:
        key, count = np.unique(key, return_counts=True)
    rest, d = np.divmod(key, base)
    t, p = np.divmod(rest, base)
    return np.stack([d, t, p]), count


def sparse_hits(true: tuple[Array, Array], pred: tuple[Array, Array], m: int) -> tuple[Array, Array, Array]:
    """Return row and column of the entries that two blocks of compressed rows share, and each side's keys for checks.

    One integer names an entry of a side: the two sides of a shared entry are neighbours after a sort.
    """
    keys = []
    for side, (indptr, indices) in enumerate((true, pred)):
        key = np.repeat(np.arange(len(indptr) - 1, dtype=np.int64) * m, np.diff(indptr))
        key += indices
        key <<= 1
        key |= side
        keys.append(key)
    merged = np.concatenate(keys)
    merged.sort()
    step = np.diff(merged)
    hit = merged[:-1][(step == 1) & (merged[:-1] & 1 == 0)] >> 1
    rows, columns = np.divmod(hit, m)
    return rows, columns, merged[:-1][step == 0] >> 1


def exact_bincount(ids: Array, weights: Array, size: int) -> Array:
    """Return the exact sum of float weights per id, as Fractions: no rounding, so any order of addition gives the same.

    A float is an integer times a power of two; integers of one id and one exponent add up in two halves that fit a float.
    """
    mantissa, exponent = np.frexp(weights)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    low, high = whole & ((1 << 26) - 1), whole >> 26
    span = 2200  # more than all exponents of a float64
    key, where = np.unique(ids.astype(np.int64) * span + (exponent + 1080), return_inverse=True)
    sums = zip(
        key.tolist(),
        np.bincount(where, high, minlength=1).tolist(),
        np.bincount(where, low, minlength=1).tolist(),
        strict=False,
    )
    out = np.full(size, Fraction(0), dtype=object)
    for name, h, lo in sums:
        index, power = divmod(name, span)
        shift = power - 1080 - 53
        total = (int(h) << 26) + int(lo)
        out[index] += Fraction(total << shift) if shift >= 0 else Fraction(total, 1 << -shift)
    return out
