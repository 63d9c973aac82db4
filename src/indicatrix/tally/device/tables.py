"""Tables of 0 and 1, an example in each row: counts of each column and of each row.

One number stands for the counts of a row. It has four fields of bits: entries that were not observed, tp, fp and fn. Where all
were observed, numbers have the order of the rows that they stand for.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array
from ...encode.device_arrays import (
    address,
    are_usable,
    contiguous,
    halves,
    is_kind,
    kernel_for,
    multiplies_bits,
    namespace_of,
    processors,
    type_in_c,
)
from ..states.group_counts import distinct

KERNEL_FIELD, KERNEL_WIDTH = 10, 512  # bits of a field that the kernel writes, and how many columns it takes
MOST_CLASSES = (1 << 15) - 1  # four fields of this many bits fit in an integer
THREADS, WARP, BLOCKS = 128, 32, 16  # of a kernel: threads of a block and of a warp, blocks at a time
SHARED = 47 << 10  # bytes of its shared memory
TILE, STEP, WARPS = 16, 256, 16  # of kernels of products: labels that a warp multiplies, rows at a time, warps at a time
ROWS = 1 << 18  # rows that are multiplied at a time in floats; float32 holds integers up to 2**24


class TableCounts(NamedTuple):
    """The counts of two tables, on their device."""

    columns: Any  # tp, actual and predicted positives of each column, one after the other; what the kernel adds follows
    entries: Any  # how many entries of each column were observed: one number, or one for each
    codes: Any  # one number for the counts of each row
    by_kernel: bool = False  # then actual positives of rows without a prediction, and whether all are 0 or 1, follow in columns

    def cells(self, m: int) -> Any:
        """Return tp, fp, fn, tn of each column, 4 x m, on the device."""
        tp, tpos, ppos = (self.columns[k * m : (k + 1) * m] for k in range(3))
        return namespace_of(tp).stack([tp, ppos - tp, tpos - tp, self.entries - tpos - ppos + tp])


def field_bits(m: int) -> int:
    """Return how many bits a field of the number of a row has.

    >>> field_bits(3), field_bits(3000)
    (10, 12)
    """
    if m > MOST_CLASSES:
        raise ValueError(f"There are {m} labels for each example; on a device up to {MOST_CLASSES} can be counted.")
    return max(KERNEL_FIELD, m.bit_length())


def fits_kernel(true: Any, pred: Any) -> bool:
    """Return whether two tables of integers, floats or bools can be counted as they are, by a kernel."""
    n, m = true.shape
    return n > 0 and 0 < m <= KERNEL_WIDTH and are_usable(true, pred)


def count_tables(true: Any, pred: Any, seen: Any = None) -> TableCounts:
    """Return the counts of two tables: bools, or any numbers that ``fits_kernel`` allows.

    ``seen`` is None, or n x 1 or n x m bools: which entries were observed.
    """
    return _by_kernel(true, pred) if seen is None and fits_kernel(true, pred) else _by_operations(true, pred, seen)


def _by_operations(true: Any, pred: Any, seen: Any) -> TableCounts:
    xp, (n, m) = namespace_of(true), true.shape
    if seen is not None:
        true, pred = true & seen, pred & seen
    three = (true & pred, true, pred)
    columns, rows = ([column_sums(x, axis) for x in three] for axis in (0, 1))
    bits, entries = field_bits(m), None if seen is None else xp.broadcast_to(seen, true.shape)
    codes = (rows[0] << 2 * bits) | ((rows[2] - rows[0]) << bits) | (rows[1] - rows[0])
    if entries is None:
        return TableCounts(xp.concat(columns), n, codes)
    return TableCounts(xp.concat(columns), column_sums(entries, 0), codes | ((m - column_sums(entries, 1)) << 3 * bits))


def column_sums(table: Any, axis: int = 0) -> Any:
    """Return how many entries of a table of bools are True, along an axis."""
    xp = namespace_of(table)
    return xp.sum(xp.astype(table, xp.uint8), axis=axis, dtype=xp.int64)


def _by_kernel(true: Any, pred: Any) -> TableCounts:
    xp, (n, m) = namespace_of(true), true.shape
    true, pred = contiguous(true), contiguous(pred)
    stride = -(-m // 4) | 1
    rows = max(8, min(THREADS, (SHARED - 32 * m) // (8 * stride + 4)) // 8 * 8)
    macros = {"TRUE": type_in_c(true), "PRED": type_in_c(pred), "M": m, "ROWS": rows, "WORDS": _are_words(true, pred)}
    kernel = kernel_for(true, (__package__ or "", "tables.cu"), "count_tables", macros)
    columns = xp.zeros(4 * m + 1, dtype=xp.int64, device=true.device)
    codes = xp.empty(n, dtype=xp.int32, device=true.device)
    blocks = max(1, min(BLOCKS * processors(true), -(-n // rows)))
    kernel((blocks, THREADS), true, pred, columns, codes, *halves(n), shared=8 * rows * stride + 4 * rows + 32 * m)
    return TableCounts(columns, n, codes, by_kernel=True)


def _are_words(true: Any, pred: Any) -> int:
    """Return whether all entries are bytes, four of them in each aligned word, as kernels are told it."""
    bytes_only = all(x.dtype.itemsize == 1 and address(x) % 4 == 0 for x in (true, pred))
    return int(bytes_only and true.shape[1] % 4 == 0)


def rows_without_prediction(counts: TableCounts, pred: Any, seen: Any) -> Any:
    """Return the places of rows without a prediction of which something was observed."""
    xp, bits = namespace_of(pred), field_bits(pred.shape[1])
    empty = ((counts.codes >> bits) & ((1 << 2 * bits) - 1)) == 0
    if seen is not None:
        empty = ~xp.any(pred, axis=1) & xp.any(seen, axis=1)
    return xp.nonzero(empty)[0]


def rows_of_codes(codes: Array, times: Array, m: int) -> tuple[Array, Array]:
    """Return the rows (tp, fp, fn, tn) that numbers stand for, each once, and how often it occurs.

    >>> rows_of_codes(np.array([1 << 20 | 0 << 10 | 1]), np.array([7]), 3)[0].tolist()
    [[1], [0], [1], [1]]
    """
    bits = field_bits(m)
    mask = (1 << bits) - 1
    codes, times = codes.astype(np.int64), times if times.dtype == object else times.astype(np.int64)
    fn, fp, tp, hidden = (codes >> k * bits & mask for k in range(4))
    rows = np.stack([tp, fp, fn, m - hidden - tp - fp - fn])
    sorted_already = times.dtype != object and not hidden.any() and (codes[1:] > codes[:-1]).all()
    return (rows, times) if sorted_already else distinct(rows, times)


def products_of_tables(true: Any, pred: Any, seen: Any = None) -> Any:
    """Return how often any two entries of a row occur together, at least right of the diagonal and on it.

    Entries are 1, tp, fp and fn of each class, and what is not seen. A row of which nothing is seen has none. The sums are
    exact: a kernel counts bits; elsewhere blocks of rows are multiplied in floats, whose sums of 0 and 1 are whole numbers that
    they hold, and added as integers.
    """
    xp, (n, m) = namespace_of(true), true.shape
    if seen is None and n > 0 and are_usable(true, pred):
        return _products_of_bits(true, pred)
    kinds = 3 if seen is None else 4
    products = xp.zeros((1 + kinds * m,) * 2, dtype=xp.int64, device=true.device)
    for start in range(0, n, ROWS):
        some = (None if x is None else x[start : start + ROWS, :] for x in (true, pred, seen))
        crisp = (x if x is None or is_kind(x, "bool") else x == 1 for x in some)
        products = products + xp.astype(_squares(xp, cells_of_tables(*crisp)), xp.int64)
    return products


def _products_of_bits(true: Any, pred: Any) -> Any:
    """Return the products by two kernels: rows become bits, and GPUs have units that multiply these."""
    xp, (n, m) = namespace_of(true), true.shape
    true, pred = contiguous(true), contiguous(pred)
    tiles, steps, there = -(-m // TILE), -(-n // STEP), true.device
    bits = xp.empty((steps, STEP // 16, tiles * TILE), dtype=xp.int32, device=there)  # 32 rows of one side in each
    macros = {"TRUE": type_in_c(true), "PRED": type_in_c(pred), "M": m, "WORDS": _are_words(true, pred)}
    file, macros = (__package__ or "", "products.cu"), macros | {"MULTIPLIES": int(multiplies_bits(true))}
    pack, multiply = (kernel_for(true, file, name, macros) for name in ("pack_rows", "add_products"))
    pack((BLOCKS // 2 * processors(true), THREADS), true, pred, bits, *halves(n))  # more threads would crowd the cache
    products = xp.zeros((1 + 3 * m,) * 2, dtype=xp.int64, device=there)
    pairs = tiles * (tiles + 1) // 2
    slices = max(1, min(steps, WARPS * processors(true) // pairs))
    multiply((-(-pairs * slices * WARP // THREADS), THREADS), bits, products, *halves(n), slices)
    return products


def cells_of_tables(true: Any, pred: Any, seen: Any) -> Any:
    """Return 1, tp, fp, fn and perhaps what is not seen, side by side."""
    xp = namespace_of(true)
    kinds = [true & pred, pred & ~true, true & ~pred]
    if seen is None:
        return xp.concat([xp.ones_like(true[:, :1]), *kinds], axis=1)
    seen = xp.broadcast_to(seen, true.shape)
    something = xp.any(seen, axis=1, keepdims=True)
    return xp.concat([something, *(kind & seen for kind in kinds), ~seen & something], axis=1)


def _squares(xp: Any, rows: Any) -> Any:
    """Return the products of the columns of a table of bools, in floats.

    Autocast does not touch float64.
    """
    number = xp.float32 if getattr(rows.device, "type", "") == "mps" else xp.float64
    rows = xp.astype(rows, number)
    return xp.matmul(xp.permute_dims(rows, (1, 0)), rows)
