"""From examples to the second moments of their rows.

There are three ways, all of them exact: patterns of a few labels for many rows, lists of entries for sparse rows, products of
matrices for others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import CELLS
from ...encode.plain_forms import Sparse
from ..cells import Cells
from ..kernels import kernels
from ..kernels.word_counts import MOST_LABELS
from ..states.moments import KINDS, USUAL, Products, narrow, no_moments, sum_of_each, width
from .literal_counting import Examples, are_integers, distinct_pairs, kinds_of_row

ENTRIES = 1 << 18  # labels of a block of sparse rows
COLUMNS = 1 << 20  # numbers of a block of columns
TABLE = 1 << 21  # up to this many possible pairs of entries, each has a place in a table, if there are enough pairs to fill it
WORTH_LISTING = 500  # to list a pair of entries takes as long as this many multiplications
BITS = 20  # cells that are fractions are rounded to this many bits, so that their products are integers and add exactly
FLOAT64 = 53  # bits of the integers that floats hold


def products_of(x: Examples) -> Products:
    """Return the second moments of examples; ``x.times`` are their weights.

    The square of a weight is rounded once, to a float; its sums are exact.
    """
    if x.cells is not None and not (seen := x.cells.any(axis=1)).all():
        return products_of(x.take(np.flatnonzero(seen)))
    if not x.n:
        return no_moments(x.m)
    if x.times is None:
        weight: Any = x.n
        if x.cells is None and kinds_of_row(x) ** 2 <= x.n:
            x = distinct_pairs(x)
        times = x.times
    else:
        weight = kernels.exact_bincount(np.zeros(x.n, np.intp), x.times, 1)[0]
        times = square(x.times)
    unit = unit_of(x)
    listed = unit is None and (x.m > USUAL or _is_worth_listing(x))
    keys, values = _by_lists(x, times) if listed else _by_columns(x, times, unit)
    return Products(x.m, keys, values, weight, unit or 0)


def square(weights: Array) -> Array:
    """Return the squares of weights as floats."""
    return np.asarray(weights, np.float64) ** 2


def unit_of(x: Examples) -> int | None:
    """Return the power of two of which the cells become multiples; None if they are 0 or 1."""
    if x.tnorm is None and x.scale is None:
        return None
    if x.scale is None:
        return -BITS
    most = max(float(np.abs(getattr(x.scale, kind)).max(initial=0.0)) for kind in CELLS)
    return math.frexp(most)[1] - BITS


def _is_worth_listing(x: Examples) -> bool:
    """Return whether rows have so few labels that it is faster to list pairs of them."""
    if x.cells is not None or (_is_dense(x) and x.times is None and x.m <= MOST_LABELS):
        return False
    return count_labels(x) ** 2 / 4 < (3 * x.m * x.n) ** 2 / WORTH_LISTING


def _is_dense(x: Examples) -> bool:
    return isinstance(x.y.data, np.ndarray) and isinstance(x.yhat.data, np.ndarray)


def count_labels(x: Examples) -> int:
    """Return how many entries both sides have that are not 0."""
    return x.y.count_entries() + x.yhat.count_entries()


def row_blocks(n: int, step: int) -> Iterator[slice]:
    """Yield slices of this many rows."""
    return (slice(start, min(start + step, n)) for start in range(0, n, step))


# Entries of each row, in lists: as many steps as there are pairs of entries.


def _by_lists(x: Examples, times: Array | None) -> tuple[Array, Array]:
    size = 1 + (3 if x.cells is None else KINDS) * x.m
    labels = count_labels(x)
    blocks = row_blocks(x.n, max(1, x.n * ENTRIES // max(labels, x.n)))
    if times is None and size**2 <= min(TABLE, labels**2 // x.n):
        return _list_products(_count_in_table(x, size, blocks), x.m)
    found = []
    for rows in blocks:
        lengths, places = entries_of(x.between(rows.start, rows.stop))
        own, row = None if times is None else times[rows], np.arange(len(lengths))
        single, sums = _sum_each(places, None if own is None else np.repeat(own, lengths))
        found += [(single, sums), (single * (size + 1), sums)]  # the square of 0 or 1 is itself
        found.append(_sum_each(0 * row, own))
        keys, owner = _pairs(lengths, places, size, own is not None)
        found.append(_sum_each(keys, None if own is None else own[owner]))
    keys, sums = (np.concatenate(side) for side in zip(*found, strict=True))
    first, second = np.divmod(keys, size)
    return sum_of_each(np.minimum(first, second) * width(x.m) + np.maximum(first, second), sums)


def _count_in_table(x: Examples, size: int, blocks: Iterator[slice]) -> Array:
    """Return how often each two entries of z occur together, as a matrix."""
    table, single = np.zeros(size**2, np.int64), np.zeros(size, np.int64)
    for rows in blocks:
        lengths, places = entries_of(x.between(rows.start, rows.stop))
        single += np.bincount(places, minlength=size)
        table += np.bincount(_pairs(lengths, places, size, False)[0], minlength=size**2)
    square = table.reshape(size, size)
    square = square + square.T
    np.fill_diagonal(square, single)  # the square of 0 or 1 is itself
    square[0] = single
    square[0, 0] = x.n
    return square


def _sum_each(keys: Array, times: Array | None) -> tuple[Array, Array]:
    """Return each key once, with how often it occurs, or with the exact sum of its times."""
    if times is None:
        return np.unique(keys, return_counts=True)
    distinct, place = np.unique(keys, return_inverse=True)
    if not are_integers(times):
        return distinct, kernels.exact_bincount(place, times, len(distinct))
    sums = np.zeros(len(distinct), np.int64)
    np.add.at(sums, place, times)
    return distinct, sums


def entries_of(x: Examples) -> tuple[Array, Array]:
    """Return how many cells of each row are not true negatives, and the place of each in z, row by row."""
    if x.cells is not None:
        cells = Cells(x.y, x.yhat, None, x.cells)
        kind = np.select([cells.tp, cells.fp, cells.fn, ~x.cells], [0, 1, 2, 3], -1)
        rows, columns = np.nonzero(kind >= 0)
        return np.bincount(rows, minlength=x.n), 1 + kind[rows, columns] * x.m + columns
    if _is_dense(x):
        true, pred = kernels.as_bytes(x.y.data), kernels.as_bytes(x.yhat.data)
        at = np.flatnonzero((true | pred).view(bool))  # bools are searched faster than bytes
        kind = np.where(true.ravel()[at], np.where(pred.ravel()[at], 0, 2), 1)
        rows, columns = np.divmod(at, x.m)
        return np.bincount(rows, minlength=x.n), 1 + kind * x.m + columns
    return _sparse_entries(x.y.as_sparse(), x.yhat.as_sparse(), x.n, x.m)


def _sparse_entries(true: Sparse, pred: Sparse, n: int, m: int) -> tuple[Array, Array]:
    """Return the same for compressed rows.

    One integer numbers an entry: its row, its column, and in the last bit whether it is predicted. Those of each side ascend, so
    that a merging sort takes linear time, and a predicted entry follows the true one.
    """
    bits = (2 * m).bit_length()
    number: Any = np.int32 if n << bits < 2**31 else np.int64
    first, sides, lengths = np.arange(n, dtype=number) << bits, [], np.zeros(n, np.int64)
    for last, side in enumerate((true, pred)):
        own = np.diff(side.indptr)
        codes = np.left_shift(side.indices, 1, dtype=number, casting="unsafe")
        codes += np.repeat(first + number(last), own)
        sides.append(codes)
        lengths += own
    both = np.sort(np.concatenate(sides), kind="stable")
    hit = both[1:] == both[:-1] | 1
    lengths -= np.bincount(both[1:][hit] >> bits, minlength=n)
    one = np.append(np.ones(min(len(both), 1), bool), ~hit)  # the second of two equal entries is left out
    hit = np.append(hit, np.zeros(min(len(both), 1), bool))[one]
    both = both[one] & number((1 << bits) - 1)
    kind = (both & 1) + 2 * hit.view(np.int8)  # places count down from those of false negatives
    return lengths, (both >> 1) + number(1 + 2 * m) - kind * number(m)


def _pairs(lengths: Array, places: Array, size: int, owners: bool) -> tuple[Array, Array]:
    """Return the keys of all pairs of entries of one row, and the row of each pair.

    The two entries of a pair are in any order. The rows are left out if nobody asks for them. Rows with the same number of
    entries are taken together, so that their pairs are sums of whole columns.
    """
    sizes = np.bincount(lengths, minlength=2)
    starts, last = np.cumsum(lengths) - lengths, np.cumsum(sizes)
    order = np.argsort(lengths.astype(np.min_scalar_type(len(sizes))), kind="stable")  # small integers are sorted fastest
    number = np.arange(len(sizes)) * np.arange(-1, len(sizes) - 1) // 2 * sizes  # of the pairs of rows of each length
    keys = np.empty(number.sum(), np.intp)
    owner, done = np.empty(len(keys) if owners else 0, np.intp), 0
    for k in np.flatnonzero(number).tolist():
        rows, start = order[last[k] - sizes[k] : last[k]], done
        entries = places[starts[rows] + np.arange(k)[:, None]].astype(np.intp, copy=False)
        for i, upper in enumerate(entries[:-1] * size):
            after = entries[i + 1 :]
            np.add(upper, after, out=keys[done : done + after.size].reshape(after.shape))
            done += after.size
        if owners:
            owner[start:done].reshape(-1, len(rows))[:] = rows
    return keys, owner


# Columns of cells, multiplied.


def _by_columns(x: Examples, times: Array | None, unit: int | None) -> tuple[Array, Array]:
    kinds = 3 if unit is None and x.cells is None else KINDS
    if x.fills_tables:
        return _list_products(x.cell_products, x.m)
    whole = np.zeros((1 + kinds * x.m,) * 2, np.int64)
    by_power: dict[int, Array] = {}
    for rows in row_blocks(x.n, max(64, COLUMNS // width(x.m))):
        z = columns_of(x.between(rows.start, rows.stop), kinds, unit)
        if times is None:
            whole += _multiply(z)
        elif unit is None and are_integers(times):
            whole += _in_floats(z.T, z * times[rows][:, None])
        else:
            for power, product in _weigh_columns(z, times[rows].astype(np.float64)):
                by_power[power] = by_power.get(power, 0) + product
    return _exact(by_power, x.m, are_integers(times)) if by_power else _list_products(whole, x.m)


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
    return keys[here], narrow(np.array([int(v) for v in exact], object))[here] if counts else exact[here]


def _list_products(square: Array, m: int) -> tuple[Array, Array]:
    """Return the keys and values of the products in a matrix that occur."""
    first, second = np.nonzero(np.triu(square))
    return first * width(m) + second, square[first, second]


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


def _weigh_columns(z: Array, times: Array) -> Iterator[tuple[int, Array]]:
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
