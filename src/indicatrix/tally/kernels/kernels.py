"""Counting in blocks that stay in cache: by the compiled kernels if they are loaded, else by NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...compiled import loaded

Block = Callable[[slice], Array]

BLOCK = 1 << 15
BYTE_BLOCK = 1 << 18  # its 65,536 counts take time to add; fewer bytes are counted faster as integers


def cross(true: Block, pred: Block, n: int, m: int) -> Array:
    """Return how often each pair of codes in -1..m-1 occurs; row and column m count the code -1."""
    width = m + 1
    core, counts, step = loaded.core, np.zeros(width * width, np.int64), max(BLOCK, width * width)
    if core is None and width * width <= 256 and n > BYTE_BLOCK:
        return _cross_bytes(true, pred, n, width)
    for start in range(0, n, step):
        rows = slice(start, start + step)
        if core is not None and core.add_pairs(true(rows), pred(rows), counts, 1):
            continue
        fused = np.multiply(true(rows), width, dtype=np.intp, casting="unsafe")
        np.add(fused, pred(rows), out=fused, casting="unsafe")
        fused += width + 1  # code -1 becomes 0
        counts += np.bincount(fused, minlength=width * width)
    return _move_none_last(counts.reshape(width, width))


def _cross_bytes(true: Block, pred: Block, n: int, width: int) -> Array:
    """Return the counts of pairs that fit in one byte.

    Two neighboring bytes are read as one 16-bit number, so each counting step takes two pairs.
    """
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
    return _move_none_last(single)


def _bytes(codes: Array) -> Array:
    """Return small codes as bytes.

    The code -1 becomes 255, and adding 1 in byte arithmetic turns it into 0.
    """
    return codes.view(np.uint8) if codes.dtype.itemsize == 1 else codes.astype(np.uint8)


def _move_none_last(table: Array) -> Array:
    return np.roll(table, -1, axis=(0, 1))


def embed(table: Array, position: Array, width: int) -> Array:
    """Return a wider square table with the entries of ``table`` at new positions."""
    wide = exact_zeros((width, width)) if table.dtype == object else np.zeros((width, width), table.dtype)
    wide[np.ix_(position, position)] = table
    return wide


def weighted_cross(true: Block, pred: Block, weights: Array, m: int) -> Array:
    """Return exact sums of weights of pairs of codes in -1..m-1; row and column m are for the code -1."""
    width = m + 1
    table = exact_zeros((width * width,))
    step = 4 * BLOCK if loaded.core is None else 32 * BLOCK  # fractions are added once for each pair and block
    for start in range(0, len(weights), step):
        rows = slice(start, start + step)
        if _add_compiled(table, (true(rows), pred(rows)), weights[rows], width):
            continue
        fused = np.multiply(true(rows), width, dtype=np.intp, casting="unsafe")
        np.add(fused, pred(rows), out=fused, casting="unsafe")
        fused += width + 1  # code -1 becomes 0
        add_exactly(table, fused, weights[rows])
    return _move_none_last(table.reshape(width, width))


def margins(true: Block, pred: Block, n: int, m: int, weights: Array | None = None) -> Array:
    """Return tp, actual and predicted positives per class; column m counts the code -1.

    This is for very many classes.
    """
    out = np.zeros((3, m + 1), np.int64) if weights is None else exact_zeros((3, m + 1))
    for start in range(0, n, max(BLOCK, m)):
        rows = slice(start, start + max(BLOCK, m))
        t, p = (side(rows).astype(np.intp) % (m + 1) for side in (true, pred))
        hit = t == p
        for total, ids, where in zip(out, (t[hit], t, p), (hit, slice(None), slice(None)), strict=True):
            if weights is None:
                total += np.bincount(ids, minlength=m + 1)
            else:
                add_exactly(total, ids, weights[rows][where])
    return out


def as_bytes(block: Array) -> Array:
    """Return a matrix of 0 and 1 as C-contiguous bytes; it is copied only if necessary."""
    if block.dtype.itemsize == 1 and block.flags.c_contiguous:
        return block.view(np.uint8)
    return np.ascontiguousarray(block, dtype=np.uint8)


def distinct_rows(tp: Array, tpos: Array, ppos: Array, m: int, times: Array | None = None) -> tuple[Array, Array]:
    """Return the distinct rows (tp, tpos, ppos) as columns of a 3 x k array, and how often each occurs.

    ``times`` says how often each given row counts, for few classes; None: once.
    """
    base = m + 1
    if base**3 > 1 << 16:  # few of many labels
        base = 1 + min(m, int(max(tpos.max(initial=0), ppos.max(initial=0))))
    number: Any = np.uint16 if base**3 <= 1 << 16 else np.int64  # small numbers are read faster
    key: Array = tpos.astype(number)
    key *= number(base)
    key += ppos.astype(number, copy=False)
    key *= number(base)
    key += tp.astype(number, copy=False)
    if base**3 <= max(1 << 18, len(key)):
        count = np.bincount(key, times, minlength=1)
        key = np.flatnonzero(count)
        count = count[key].astype(np.int64, copy=False)  # floats hold numbers of up to 2**53 rows
    else:
        key, count = np.unique(key, return_counts=True)
    rest, d = np.divmod(key.astype(np.int64), base)
    t, p = np.divmod(rest, base)
    return np.stack([d, t, p]), count


def count_distinct(true: Array, pred: Array, m: int) -> tuple[Array, Array] | None:
    """Return the distinct rows of words of up to 63 labels; None without compiled kernels.

    They are as those of ``distinct_rows``.
    """
    base = m + 1
    if loaded.core is None or base**3 > max(1 << 18, len(true)):
        return None
    counts = np.zeros((base,) * 3, np.int64)
    if not loaded.core.count_rows(true, pred, m, counts):
        return None
    t, p, d = found = np.nonzero(counts)
    return np.stack([d, t, p]), counts[found]


def merge_rows(true: tuple[Array, Array], pred: tuple[Array, Array], m: int) -> tuple[Array, Array]:
    """Return tp and both kinds of positives of each column of two blocks of rows, and tp of each row.

    Positives are actual and predicted; the rows are compressed.
    """
    core, n = loaded.core, len(true[0]) - 1
    if core is not None:
        parts = [*true, *pred]
        if len({part.dtype for part in parts}) > 1:
            parts = [part.astype(np.int64, copy=False) for part in parts]
        columns, tp = np.zeros((3, m), np.int64), np.empty(n, np.int64)
        if core.merge_rows(*map(np.ascontiguousarray, parts), columns, tp):
            return columns, tp
    rows, hits = sparse_hits(true, pred, m)
    return np.stack([np.bincount(ids, minlength=m) for ids in (hits, true[1], pred[1])]), np.bincount(rows, minlength=n)


def sparse_hits(true: tuple[Array, Array], pred: tuple[Array, Array], m: int) -> tuple[Array, Array]:
    """Return row and column of each entry that two blocks of compressed rows share.

    Neither side stores an entry twice. One integer numbers an entry. The integers of each side ascend, so a merging sort of
    both takes linear time, and shared ones are neighbors.
    """
    rows = len(true[0]) - 1
    dtype: Any = np.int32 if rows * m < 2**31 else np.int64
    first = np.arange(rows, dtype=dtype) * dtype(m)
    merged = np.concatenate(
        [np.repeat(first, np.diff(indptr)) + indices.astype(dtype, copy=False) for indptr, indices in (true, pred)]
    )
    merged.sort(kind="stable")
    shared = merged[np.flatnonzero(merged[1:] == merged[:-1])]  # faster than a mask
    row = shared // dtype(m)  # divmod is slower
    return row, shared - row * dtype(m)


def number_keys(keys: Array, size: int) -> tuple[Array, Array]:
    """Return the distinct keys, integers below a size, sorted, and the place of each key among them."""
    if size > max(1 << 12, len(keys)):
        return np.unique(keys, return_inverse=True)
    found = np.flatnonzero(np.bincount(keys, minlength=size))
    if len(found) == size:
        return found, keys
    place = np.zeros(size, np.intp)
    place[found] = np.arange(len(found))
    return found, place[keys]


def exact_bincount(ids: Array, weights: Array, size: int) -> Array:
    """Return the exact sum of weights per id, as Fractions.

    Nothing is rounded, so every order of addition gives the same sum.
    """
    out = exact_zeros((size,))
    add_exactly(out, ids, weights)
    return out


def add_exactly(out: Array, ids: Array, weights: Array) -> None:
    """Add float weights, or Fractions, to the Fractions of their ids, without rounding."""
    if weights.dtype == object:  # integers above 2**53, which are rare
        np.add.at(out, ids, weights)
        return
    if _add_compiled(out, (ids, None), weights, len(out)):
        return
    # A fraction is added for each id of a block, so blocks are not small next to the ids; a float holds sums of 2**26 digits.
    step = min(max(4 * BLOCK, 32 * len(out)), 1 << 25)
    for start in range(0, len(ids), step):
        rows = slice(start, start + step)
        block, some = ids[rows], weights[rows]
        digits = _common_digits(some)
        if digits is None:
            _add_by_exponent(out, block, some)
        else:
            _add_digits(out, block, *digits)


def _add_compiled(out: Array, ids: tuple[Array, Array | None], weights: Array, width: int) -> bool:
    """Return whether float weights could be added to the Fractions of their ids in C.

    Ids may be pairs of codes from -1 on.
    """
    if loaded.core is None or weights.dtype != np.float64:
        return False
    found = loaded.core.add_weights(*ids, weights, width, 0 if ids[1] is None else 1)
    if found is None:
        return False
    from fractions import Fraction

    sums, exponent = np.frombuffer(found[0], np.uint64).reshape(-1, 2), found[1]
    for k in np.flatnonzero(sums.any(axis=1)).tolist():
        low, high = sums[k].tolist()
        total = low + ((high - (high >> 63 << 64)) << 64)  # the upper half has the sign
        own = Fraction(total << exponent) if exponent >= 0 else Fraction(total, 1 << -exponent)
        out[k] = out[k] + own if out[k] else own
    return True


def _common_digits(weights: Array) -> tuple[list[Array], int] | None:
    """Return weights as numbers with a few common digits, and the exponent of two of the last one.

    A digit is an integer below 2**27, so sums of up to 2**26 digits fit in a float. None if weights of very different sizes
    would need many digits.
    """
    largest = max(abs(float(weights.max())), abs(float(weights.min()))) if len(weights) else 0.0
    rest, digits, exponent = weights, list[Array](), math.frexp(largest)[1]
    while rest.any():
        if len(digits) == MOST_DIGITS:
            return None
        exponent -= DIGIT
        scaled = _shift(rest, DIGIT if digits else -exponent)
        digits.append(np.trunc(scaled))
        rest = scaled - digits[-1]
    return digits, exponent


def _shift(numbers: Array, power: int) -> Array:
    """Return numbers times a power of two; a product is many times faster where the power is a float."""
    return numbers * 2.0**power if abs(power) < 1000 else np.ldexp(numbers, power)


def _add_digits(out: Array, ids: Array, digits: list[Array], exponent: int) -> None:
    add_digit_sums(out, [np.bincount(ids, digit, minlength=len(out)) for digit in digits], exponent)


def add_digit_sums(out: Array, sums: list[Array], exponent: int) -> None:
    """Add sums of digits, the first digit first."""
    from fractions import Fraction

    if not sums:
        return
    here = np.flatnonzero(np.any(sums, axis=0))
    for k, digits in zip(here.tolist(), np.stack(sums)[:, here].T.tolist(), strict=True):
        total = 0
        for digit in digits:
            total = (total << DIGIT) + int(digit)
        own = Fraction(total << exponent) if exponent >= 0 else Fraction(total, 1 << -exponent)
        out[k] = out[k] + own if out[k] else own  # adding fractions takes time


def add_columns_exactly(out: Array, entries: Array, weights: Array) -> None:
    """Add to the Fractions of columns the weights of the rows in which a 0/1 matrix has a 1."""
    digits = _common_digits(weights)
    if digits is None:
        rows, columns = np.nonzero(entries)
        _add_by_exponent(out, columns, weights[rows])
    else:
        numbers = entries.astype(np.float64)  # their products with digits are sums of integers, which floats hold
        add_digit_sums(out, [*np.stack(digits[0]) @ numbers] if digits[0] else [], digits[1])


def _add_by_exponent(out: Array, ids: Array, weights: Array) -> None:
    """Add weights of very different sizes.

    A float is an integer times a power of two. Integers of one id and one exponent are added in two halves. Each sum fits in a
    float if there are fewer than 2**26 of them.
    """
    from fractions import Fraction

    size = len(out)
    mantissa, exponent = np.frexp(weights)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    key = ids.astype(np.int64) * EXPONENTS + (exponent + LEAST)
    if size * EXPONENTS <= min(1 << 18, SPARSE * len(key)):
        names = np.arange(size * EXPONENTS)
    else:
        names, key = np.unique(key, return_inverse=True)
    high, low = (np.bincount(key, half, minlength=len(names)) for half in (whole >> 26, whole & ((1 << 26) - 1)))
    for k in np.flatnonzero((high != 0) | (low != 0)):
        index, power = divmod(int(names[k]), EXPONENTS)
        shift = power - LEAST - 53
        total = (int(high[k]) << 26) + int(low[k])
        out[index] += Fraction(total << shift) if shift >= 0 else Fraction(total, 1 << -shift)


def exact_products(values: Array, times: Array) -> list[Array]:
    """Return floats times integers below 2**52 as floats that add up to the products without rounding.

    Each factor is cut into halves of 26 bits, whose products fit in a float.
    """
    mantissa, exponent = np.frexp(values)
    high = np.ldexp(np.trunc(np.ldexp(mantissa, 26)), -26)
    halves = [np.ldexp(x, exponent) for x in (high, mantissa - high)]
    low = times & ((1 << 26) - 1)
    return [half * part for half in halves for part in (low.astype(float), (times - low).astype(float)) if part.any()]


EXPONENTS, LEAST = 2200, 1080  # a float64 has fewer exponents, none below -1080
DIGIT, MOST_DIGITS = 27, 4  # bits of a digit; weights that need more digits differ so much in size that each is added alone
SPARSE = 16  # names per number; above it, it is faster to search the names that occur


def exact_zeros(shape: tuple[int, ...]) -> Array:
    """Return an array of exact zeros."""
    from fractions import Fraction  # exact sums are rare, and importing the library should be fast

    zeros = np.empty(shape, object)
    zeros[...] = Fraction(0)
    return zeros
