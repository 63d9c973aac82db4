"""Memberships on a device, with exact sums of columns.

The sums of rows stay there until somebody asks for them. Cells are computed in the precision of the memberships, as in main
memory, and cut into limbs: integers, which add without rounding in any order. The sum of a row is a float, and the order of its
additions may be another one than in main memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.fuzzy.tnorms import TNorm
from ...encode.device_arrays import (
    are_usable,
    contiguous,
    halves,
    is_kind,
    kernel_for,
    namespace_of,
    processors,
    to_host,
    type_in_c,
)
from ..counting.row_products import BITS
from ..states.group_counts import Part, Summed, distinct
from ..states.moments import Absent, Moments, Products, narrow, usual
from ..states.moments import width as width_of_row
from ..tally import Tally
from .counting import Naming

LIMB, LIMBS = 31, 5  # bits of a limb, and how many limbs a kernel writes
ENTRIES = 1 << 24  # entries of a block of cells
ROWS = 1 << 12  # products of this many rows of integers of 20 bits are sums that floats hold
KERNEL_WIDTH = 256  # columns whose limbs fit in the shared memory of a block
BLOCKS, THREADS, ROW_THREADS = 2, 1024, 256


class SummedThere(Summed):
    """Counts whose rows are still on a device; they are fetched when they are first read, and kept."""

    __slots__ = ("_fetch", "_known")
    _fetch: Callable[[], tuple[Array, Array]]
    _known: list[tuple[Array, Array]]

    def __init__(self, per_class: Array, fetch: Callable[[], tuple[Array, Array]]) -> None:
        per_class.flags.writeable = False
        for name, value in (("per_class", per_class), ("unseen", 0), ("_fetch", fetch), ("_known", [])):
            object.__setattr__(self, name, value)

    def _rows(self) -> tuple[Array, Array]:
        if not self._known:
            self._known.append(self._fetch())
            object.__setattr__(self, "_fetch", None)  # what it holds on the device is free again
        return self._known[0]

    @property
    def per_example(self) -> Array:
        """The distinct rows."""
        return self._rows()[0]

    @property
    def times(self) -> Array:
        """How often each row occurs."""
        return self._rows()[1]

    def __reduce__(self) -> Any:
        return Summed, (self.per_class, self.per_example, self.times, self.unseen)


def count_memberships(true: Any, pred: Any, norm: TNorm, names: Naming, *, moments: bool | None) -> Tally | None:
    """Return the tally of two tables of memberships or bools; None if a value is not between 0 and 1.

    None also for moments of many classes, which are kept only of decisions.
    """
    n, m = true.shape
    if not all(_is_wide(x) for x in (true, pred)) or (moments and not usual(m)):
        return None
    counted = _part(true, pred, norm)
    if counted is None:
        return None
    (part, sums), xp = counted, namespace_of(true)
    (gone,) = xp.nonzero(sums[0, :] + sums[1, :] == 0)
    gone = xp.take(gone, xp.nonzero(~xp.any(xp.take(pred, gone, axis=0) != 0, axis=1))[0]) if gone.shape[0] else gone
    some = [xp.take(x, gone, axis=0) for x in (true, pred)] if gone.shape[0] else None
    of_some = None if some is None else _part(some[0], some[1], norm)
    declined: dict[Any, Part] = {} if of_some is None else {(): of_some[0]}
    kept: Moments | Absent = "off" if moments is False else "many"
    if moments is not False and usual(m):
        of_declined = {} if some is None else {(): _products(some[0], some[1], norm)}
        kept = Moments(_products(true, pred, norm), None, of_declined, moments is True)
    return Tally(names.classes, {(): part}, n, open=names.open, ordered=names.ordered, declined=declined, moments=kept)


def _is_wide(x: Any) -> bool:
    xp = namespace_of(x)
    return is_kind(x, "bool") or x.dtype in (xp.float32, xp.float64)


def _part(true: Any, pred: Any, norm: TNorm) -> tuple[Summed, Any] | None:
    """Return the counts, and the sums of each row on the device; None if a value is wrong."""
    xp, (n, m) = namespace_of(true), true.shape
    found = _by_kernel(true, pred) if norm.name == "product" and m <= KERNEL_WIDTH and are_usable(true, pred) else None
    if found is None:
        if not all(is_kind(x, "bool") or bool(xp.all((x >= 0) & (x <= 1))) for x in (true, pred)):
            return None
        found = _by_operations(true, pred, norm)
    limbs, sums = found

    def fetch() -> tuple[Array, Array]:
        return distinct(to_host(sums).astype(np.float64), np.ones(n, np.int64))

    return SummedThere(np.stack([_fractions(limb) for limb in limbs]), fetch), sums


def _by_operations(true: Any, pred: Any, norm: TNorm) -> tuple[list[list[Array]], Any]:
    """Return the sums of the limbs of each column of tp, fp, fn, tn, and the sums of each row."""
    xp, rows = namespace_of(true), []
    limbs: list[list[Array]] = [[np.zeros(true.shape[1], np.int64)] for _ in range(4)]
    for four in _blocks(true, pred, norm):
        rows.append(xp.stack([xp.sum(cell, axis=1) for cell in four]))
        limbs = [_add(own, _limbs(cell)) for own, cell in zip(limbs, four, strict=True)]
    return limbs, xp.concat(rows, axis=1)


def _blocks(true: Any, pred: Any, norm: TNorm) -> Iterator[list[Any]]:
    """Yield tp, fp, fn, tn of blocks of rows, as float64."""
    xp, (n, m) = namespace_of(true), true.shape
    step = max(1, ENTRIES // m)
    for start in range(0, n, step):
        a, b = (_as_floats(x[start : start + step, :]) for x in (true, pred))
        yield [xp.astype(norm.cell(a, b, kind), xp.float64) for kind in ("tp", "fp", "fn", "tn")]


def _as_floats(x: Any) -> Any:
    """Return memberships; bools become float64."""
    return namespace_of(x).astype(x, namespace_of(x).float64) if is_kind(x, "bool") else x


def _limbs(cells: Any) -> list[Array]:
    """Return the sums of the limbs of each column, the highest first."""
    xp, sums = namespace_of(cells), list[Array]()
    while bool(xp.any(cells != 0)):
        cells = cells * 2.0**LIMB
        whole = xp.floor(cells)
        sums.append(to_host(xp.sum(xp.astype(whole, xp.int64), axis=0)))
        cells = cells - whole
    return sums or [np.zeros(cells.shape[1], np.int64)]


def _add(a: list[Array], b: list[Array]) -> list[Array]:
    """Return the sum of sums of limbs; what one of them lacks is 0."""
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    return [x + shorter[k] if k < len(shorter) else x for k, x in enumerate(longer)]


def _fractions(limbs: list[Array]) -> Array:
    """Return the sums that limbs stand for, one for each column."""
    totals = np.empty(len(limbs[0]), object)
    for j in range(len(totals)):
        whole = 0
        for limb in limbs:
            whole = (whole << LIMB) + int(limb[j])
        totals[j] = Fraction(whole, 1 << LIMB * len(limbs))
    return totals


def _by_kernel(true: Any, pred: Any) -> tuple[list[list[Array]], Any] | None:
    """Return the same of products; None if a value is wrong, or has too many digits."""
    xp, (n, m) = namespace_of(true), true.shape
    true, pred = (contiguous(xp.astype(x, xp.float64) if is_kind(x, "bool") else x) for x in (true, pred))
    types = {"TRUE": type_in_c(true), "PRED": type_in_c(pred)}
    macros = {**types, "CELL": "double" if "double" in types.values() else "float"}
    columns, rows = (kernel_for(true, (__package__ or "", "soft.cu"), name, macros) for name in ("count_products", "sum_rows"))
    limbs = xp.zeros((4, LIMBS, m), dtype=xp.int64, device=true.device)
    odd = xp.zeros(1, dtype=xp.int32, device=true.device)
    threads = THREADS // m * m
    blocks = max(1, min(BLOCKS * processors(true), -(-n * m // threads)))
    columns((blocks, threads), true, pred, limbs, odd, *halves(n), m, shared=32 * LIMBS * m)
    if int(odd[0]):
        return None
    sums = xp.empty((4, n), dtype=xp.float64, device=true.device)
    rows((max(1, min(8 * processors(true), -(-n // ROW_THREADS))), ROW_THREADS), true, pred, sums, *halves(n), m)
    return [[*own] for own in to_host(limbs)], sums


def _products(true: Any, pred: Any, norm: TNorm) -> Products:
    """Return the second moments of the rows; cells are rounded to multiples of 2**-20, as in main memory."""
    xp, (n, m) = namespace_of(true), true.shape
    size = width_of_row(m)
    total = np.zeros((size, size), object if n >= 1 << 22 else np.int64)
    for tp, fp, fn, tn in _blocks(true, pred, norm):
        rest = 1 - tp - fp - fn - tn
        scaled = [xp.round(cell * 2.0**BITS) for cell in (tp, fp, fn, rest)]
        z = xp.concat([xp.ones_like(tp[:, :1]), *scaled], axis=1)
        here = xp.zeros((size, size), dtype=xp.int64, device=z.device)
        for start in range(0, z.shape[0], ROWS):
            rows = z[start : start + ROWS, :]
            here = here + xp.astype(xp.matmul(xp.permute_dims(rows, (1, 0)), rows), xp.int64)
        total += to_host(here)
    first, second = np.nonzero(np.triu(total))
    values = total[first, second]
    return Products(m, first * size + second, narrow(values) if values.dtype == object else values, n, -BITS)
