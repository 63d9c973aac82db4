"""From examples to the second moments of their rows.

There are three ways, all of them exact: bits for few classes, lists of entries for sparse rows, products of matrices for others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from . import kernels
from .cells import Cells
from .examples import Examples
from .literal_counting import distinct_pairs, kinds_of_row
from .moments import KINDS, USUAL, Products, narrowed, nothing, sum_of_each, width

ENTRIES = 1 << 18  # labels of a block of sparse rows
COLUMNS = 1 << 20  # numbers of a block of columns
FEW_COLUMNS = 100  # of cells: up to so many it is fastest to count the bits that two columns share
MANY_ROWS = 1 << 12  # below, counting bits is not faster
TABLE = 1 << 21  # up to so many possible pairs of entries, each has a place in a table
WORTH_LISTING = 500  # to list a pair of entries takes as long as so many multiplications
BITS = 20  # cells that are fractions are rounded to so many bits, so that their products are integers and add exactly
FLOAT32, FLOAT64 = 24, 53  # bits of the integers that floats hold


def products_of(x: Examples) -> Products:
    """Return the second moments of examples; ``x.times`` are their weights.

    The square of a weight is rounded once, to a float; its sums are exact.
    """
    if x.cells is not None and not (seen := x.cells.any(axis=1)).all():
        return products_of(x.take(np.flatnonzero(seen)))
    if not x.n:
        return nothing(x.m)
    if x.times is None:
        weight: Any = x.n
        if x.cells is None and kinds_of_row(x) ** 2 <= x.n:
            x = distinct_pairs(x)
        times = x.times
    else:
        weight = kernels.exact_bincount(np.zeros(x.n, np.intp), x.times, 1)[0]
        times = squared(x.times)
    unit = unit_of(x)
    listed = unit is None and (x.m > USUAL or _is_worth_listing(x))
    keys, values = _by_lists(x, times) if listed else _by_columns(x, times, unit)
    return Products(x.m, keys, values, weight, unit or 0)


def squared(weights: Array) -> Array:
    """Return the squares of weights as floats."""
    return np.asarray(weights, np.float64) ** 2


def unit_of(x: Examples) -> int | None:
    """Return the power of two of which the cells become multiples; None if they are 0 or 1."""
    if x.tnorm is None and x.scale is None:
        return None
    if x.scale is None:
        return -BITS
    most = max(float(np.abs(getattr(x.scale, kind)).max(initial=0.0)) for kind in ("tp", "fp", "fn", "tn"))
    return math.frexp(most)[1] - BITS


def _is_worth_listing(x: Examples) -> bool:
    """Return whether rows have so few labels that it is faster to list pairs of them."""
    if x.cells is not None or (_is_dense(x) and x.times is None and 3 * x.m <= FEW_COLUMNS):
        return False
    return count_labels(x) ** 2 / 4 < (3 * x.m * x.n) ** 2 / WORTH_LISTING


def _is_dense(x: Examples) -> bool:
    return isinstance(x.y.data, np.ndarray) and isinstance(x.yhat.data, np.ndarray)


def count_labels(x: Examples) -> int:
    """Return how many entries both sides have that are not 0."""
    if _is_dense(x):
        return sum(int(np.count_nonzero(side.data)) for side in (x.y, x.yhat))
    return sum(len(side.as_sparse().indices) for side in (x.y, x.yhat))


def row_blocks(n: int, step: int) -> Iterator[slice]:
    """Yield slices of so many rows."""
    return (slice(start, min(start + step, n)) for start in range(0, n, step))


# Entries of each row, in lists: as many steps as there are pairs of entries.


def _by_lists(x: Examples, times: Array | None) -> tuple[Array, Array]:
    size = width(x.m) ** 2
    table = np.zeros(size if times is None and size <= TABLE else 0, np.int64)
    found = [(np.zeros(0, np.int64), np.zeros(0, np.int64 if _are_counts(times) else object))]
    for rows in row_blocks(x.n, max(1, x.n * ENTRIES // max(count_labels(x), x.n))):
        keys, owner = _pairs(*entries_of(x.between(rows.start, rows.stop)), rows.stop - rows.start, width(x.m), times is not None)
        if len(table):
            table += np.bincount(keys, minlength=size)
        elif times is None:
            found.append(np.unique(keys, return_counts=True))
        else:
            distinct, place = np.unique(keys, return_inverse=True)
            found.append((distinct, _sums(place, times[rows][owner], len(distinct))))
    if len(table):
        seen = np.flatnonzero(table)
        found = [(seen, table[seen])]
    keys, sums = (np.concatenate(side) for side in zip(*found, strict=True))
    first, second = np.divmod(keys, width(x.m))
    return sum_of_each(np.minimum(first, second) * width(x.m) + np.maximum(first, second), sums)


def _are_counts(times: Array | None) -> bool:
    return times is None or times.dtype.kind == "i"


def _sums(place: Array, times: Array, size: int) -> Array:
    if not _are_counts(times):
        return kernels.exact_bincount(place, times, size)
    out = np.zeros(size, np.int64)
    np.add.at(out, place, times)
    return out


def entries_of(x: Examples) -> tuple[Array, Array]:
    """Return the row and the place in z of each cell that is not a true negative, row by row."""
    if x.cells is not None:
        cells = Cells(x.y, x.yhat, None, x.cells)
        kind = np.select([cells.tp, cells.fp, cells.fn, ~x.cells], [0, 1, 2, 3], -1)
        rows, columns = np.nonzero(kind >= 0)
        return rows, 1 + kind[rows, columns] * x.m + columns
    if _is_dense(x):
        true, pred = kernels.as_bytes(x.y.data), kernels.as_bytes(x.yhat.data)
        at = np.flatnonzero((true | pred).view(bool))  # bools are searched faster than bytes
        kind = np.where(true.ravel()[at], np.where(pred.ravel()[at], 0, 2), 1)
        rows, columns = np.divmod(at, x.m)
        return rows, 1 + kind * x.m + columns
    number: Any = np.int32 if 2 * x.n * x.m < 2**31 else np.int64
    sides = []
    for last, side in enumerate((x.y.as_sparse(), x.yhat.as_sparse())):
        first = np.arange(x.n, dtype=number) * number(2 * x.m)
        sides.append(np.repeat(first, np.diff(side.indptr)) + (2 * side.indices.astype(number, copy=False) + number(last)))
    both = np.sort(np.concatenate(sides), kind="stable")
    at, pred = both >> 1, both & 1
    hit = np.append(at[1:] == at[:-1], np.zeros(min(len(at), 1), bool))
    first = np.append(np.ones(min(len(at), 1), bool), ~hit[:-1])  # the second of two equal entries is left out
    kind = np.where(hit[first], 0, 2 - pred[first])
    rows, columns = np.divmod(at[first], number(max(x.m, 1)))
    return rows, 1 + kind * x.m + columns


def _pairs(rows: Array, places: Array, n: int, size: int, owners: bool) -> tuple[Array, Array]:
    """Return the keys of all pairs of entries of one row, and the row of each pair.

    The constant entry is one of them. The two entries of a pair are in any order. The rows are left out if nobody asks for them.
    """
    number: Any = np.int32 if size**2 < 2**31 else np.int64
    places = places.astype(number)
    lengths = np.bincount(rows, minlength=n)
    after = (np.repeat(np.cumsum(lengths), lengths) - np.arange(len(rows)) - 1).astype(np.int32)  # entries of its row that follow
    keys, owner = [np.zeros(n, number), places, places * number(size + 1)], [np.arange(n), rows, rows]
    at, lag, upper = np.flatnonzero(after), 1, places * number(size)
    while len(at):
        keys.append(upper[at] + places[at + lag])
        if owners:
            owner.append(rows[at])
        lag += 1
        at = at[after[at] >= lag]
    return np.concatenate(keys), np.concatenate(owner)


# Columns of cells, multiplied.


def _by_columns(x: Examples, times: Array | None, unit: int | None) -> tuple[Array, Array]:
    kinds = 3 if unit is None and x.cells is None else KINDS
    if x.plain and _is_dense(x) and 3 * x.m <= FEW_COLUMNS and x.n >= MANY_ROWS:
        return _listed(_count_bits(x), x.m)
    whole = np.zeros((1 + kinds * x.m,) * 2, np.int64)
    by_power: dict[int, Array] = {}
    for rows in row_blocks(x.n, max(64, COLUMNS // width(x.m))):
        z = columns_of(x.between(rows.start, rows.stop), kinds, unit)
        if times is None:
            whole += _multiply(z)
        elif unit is None and _are_counts(times):
            whole += _in_floats(z.T, z * times[rows][:, None])
        else:
            for power, product in _weighted(z, times[rows].astype(np.float64)):
                by_power[power] = by_power.get(power, 0) + product
    return _exact(by_power, x.m, _are_counts(times)) if by_power else _listed(whole, x.m)


def _exact(by_power: dict[int, Array], m: int, counts: bool) -> tuple[Array, Array]:
    """Return the keys and values of a sum of integer matrices times powers of two.

    The values are integers if the examples were counted, and fractions if they have weights.
    """
    least, size = min(by_power), len(next(iter(by_power.values())))
    there = np.zeros((size, size), bool)
    for product in by_power.values():
        there |= product != 0
    first, second = np.nonzero(np.triu(there))
    found = np.zeros(len(first), object)
    for power, product in by_power.items():
        found += product[first, second].astype(object) << (power - least)
    exact = np.empty(len(found), object)
    exact[:] = [Fraction(v) * Fraction(2) ** least for v in found]
    keys, here = first * width(m) + second, exact != 0
    return keys[here], narrowed(np.array([int(v) for v in exact], object))[here] if counts else exact[here]


def _listed(square: Array, m: int) -> tuple[Array, Array]:
    """Return the keys and values of the products in a matrix that occur."""
    first, second = np.nonzero(np.triu(square))
    return first * width(m) + second, square[first, second]


def _count_bits(x: Examples) -> Array:
    """Return the products of the columns of plain 0/1 matrices: how many bits each two of them share."""
    k = 3 * x.m
    out = np.zeros((1 + k, 1 + k), np.int64)
    for rows in row_blocks(x.n, max(64, 16 * ENTRIES // max(x.m, 1) // 64 * 64)):
        true, pred = (np.ascontiguousarray(kernels.as_bytes(side.data[rows]).T) for side in (x.y, x.yhat))
        bits = np.packbits(np.concatenate([true & pred, pred > true, true > pred]), axis=1)
        words = np.zeros((k, -(-bits.shape[1] // 8) * 8), np.uint8)
        words[:, : bits.shape[1]] = bits
        columns = words.view(np.uint64)
        for i in range(k):
            out[1 + i, 1 + i :] += np.bitwise_count(columns[i:] & columns[i]).sum(axis=1, dtype=np.int64)
    out[0] = np.append(x.n, np.diagonal(out)[1:])
    return out


def columns_of(x: Examples, kinds: int, unit: int | None) -> Array:
    """Return the matrix of z of some rows: a column of ones, then the cells, kind by kind."""
    m = x.m
    if unit is None:
        z = np.ones((x.n, 1 + kinds * m), np.float32)
        true, pred = (np.asarray(side.matrix, bool) for side in (x.y, x.yhat))
        four = [true & pred, pred > true, true > pred]
        if x.cells is not None:
            four = [*(kind & x.cells for kind in four), ~x.cells]
    else:
        z = np.ones((x.n, 1 + kinds * m), np.float64)
        cells = Cells(x.y, x.yhat, x.tnorm, x.cells, scale=x.scale)
        tp, fp, fn, tn = (np.asarray(c, np.float64) for c in (cells.tp, cells.fp, cells.fn, cells.tn))
        four = [np.rint(np.ldexp(c, -unit)) for c in (tp, fp, fn, 1 - tp - fp - fn - tn)]
    for kind, matrix in enumerate(four):
        z[:, 1 + kind * m : 1 + (kind + 1) * m] = matrix
    return z


def _multiply(z: Array) -> Array:
    """Return the products of the columns of integers, exactly."""
    if z.dtype == np.float32:
        return (z.T @ z).astype(np.int64)  # a block has fewer than 2**24 rows of 0 and 1
    room = FLOAT64 - 2 * int(np.abs(z).max(initial=1)).bit_length()
    blocks = (z[rows] for rows in row_blocks(len(z), 1 << max(room, 0)))
    return np.asarray(sum(_in_floats(block.T, block) for block in blocks))


def _in_floats(one: Array, two: Array) -> Array:
    return (one.astype(np.float64) @ two.astype(np.float64)).astype(np.int64)


def _weighted(z: Array, times: Array) -> Iterator[tuple[int, Array]]:
    """Yield powers of two with integer matrices that sum to the product of weighted columns.

    Weights of one exponent are integers times a power of two; integers are cut into parts whose products floats hold.
    """
    parts, step = ([(0, z)], 27) if z.dtype == np.float32 else (_halves(z), 14)
    mantissa, exponent = np.frexp(times)
    whole = np.ldexp(mantissa, FLOAT64).astype(np.int64)
    for power in np.unique(exponent[whole != 0]).tolist():
        rows = np.flatnonzero((exponent == power) & (whole != 0))
        for shift in range(0, FLOAT64, step):
            digits = (whole[rows] >> shift & ((1 << step) - 1))[:, None]
            for a, one in parts:
                for b, two in parts:
                    yield power - FLOAT64 + shift + a + b, _in_floats(one[rows].T, two[rows] * digits)


def _halves(z: Array) -> list[tuple[int, Array]]:
    """Return integers as two parts, the upper one without its last 11 bits."""
    whole = z.astype(np.int64)
    return [(11, whole >> 11), (0, whole & 2047)]
