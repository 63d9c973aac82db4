"""Tables of 0 and 1, counted in tensors that stay on the device until they are read.

Every tensor is a sum over rows, except for the list of codes: one number stands for the counts of a row, and equal ones are put
together from time to time.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.device_arrays import namespace_of
from ..states.group_counts import Summed, four_counts
from ..states.moments import Absent, Moments
from ..tally import Tally
from .counting import Naming, hidden_in_rows, products_in_memory
from .pair_buffer import SQUARES, WEIGHTS, digits_of, fractions_of, weighted_products, weighted_sums
from .tables import cells_of_tables, count_tables, products_of_tables, rows_of_codes

FEW = 64  # up to this many classes it is kept how labels fall together, which intervals need
ROWS = "rows"  # the name of the one tensor that is not a sum

Buffers = dict[str, Any]


def table_buffers(m: int, like: Any, *, hides: bool, weighted: bool) -> Buffers:
    """Return tensors without counts, next to another one; ``hides`` says whether entries may be hidden."""
    xp = namespace_of(like)
    width = 0 if m > FEW else 1 + m * (4 if hides else 3)
    shapes: dict[str, tuple[int, ...]] = {"columns": (4, m), "products": (width, width), ROWS: (0, 2)}
    if weighted:
        shapes |= {"weights": (WEIGHTS.digits, 4 * m), "squares": (SQUARES.digits, 4 * m)}
        shapes |= {"products": (SQUARES.digits, width, width), ROWS: (0, 2 + WEIGHTS.digits + SQUARES.digits)}
    return {name: xp.zeros(shape, dtype=xp.int64, device=like.device) for name, shape in shapes.items()}


def add_tables(buffers: Buffers, true: Any, pred: Any, seen: Any, weights: Any = None) -> Any:
    """Add the counts of two tables of bools in place.

    Return the codes of their rows, to be kept with the others.

    ``seen`` is None, or n x 1 or n x m bools: which entries were observed. ``weights`` are float64.
    """
    xp, (n, m) = namespace_of(true), true.shape
    counts, columns = count_tables(true, pred, seen), buffers["columns"]
    columns[:3] += xp.reshape(counts.columns[: 3 * m], (3, m))
    columns[3] += counts.entries
    rows = [counts.codes.long()[:, None], xp.ones((n, 1), dtype=xp.int64, device=true.device)]
    keeps_products = buffers["products"].shape[-1] > 0
    if weights is None:
        if keeps_products:
            buffers["products"] += products_of_tables(true, pred, seen)
        return xp.concat(rows, axis=1)
    shown = xp.ones_like(true) if seen is None else xp.broadcast_to(seen, true.shape)
    table = xp.concat([true & pred & shown, true & shown, pred & shown, shown], axis=1)
    for name, numbers, places in (("weights", weights, WEIGHTS), ("squares", weights * weights, SQUARES)):
        digits = digits_of(numbers, places)
        buffers[name] += weighted_sums(digits, table)
        rows.append(digits)
    if keeps_products:
        buffers["products"] += weighted_products(digits, cells_of_tables(true, pred, seen))
    return xp.concat(rows, axis=1)


def put_together(rows: Any) -> Any:
    """Return the codes of rows with each code once; on a GPU this waits for it."""
    torch: Any = sys.modules["torch"]
    codes, at = torch.unique(rows[:, 0], return_inverse=True)
    sums = torch.zeros((len(codes), rows.shape[1] - 1), dtype=torch.int64, device=rows.device).index_add_(0, at, rows[:, 1:])
    return torch.cat([codes[:, None], sums], dim=1)


def tally_of_buffers(names: Naming, buffers: Buffers) -> Tally:
    """Return the tally of tensors that were copied to main memory."""
    m, rows = len(names.classes), buffers[ROWS]
    codes, at = np.unique(rows[:, 0], return_inverse=True)
    sums = np.zeros((len(codes), rows.shape[1] - 1), np.int64)
    np.add.at(sums, at, rows[:, 1:])
    often, digits, more = np.split(sums, [1, 1 + WEIGHTS.digits], axis=1)
    times = often[:, 0]
    facts: dict[str, Any] = {"open": False, "hidden": hidden_in_rows(*rows_of_codes(codes, times, m), m), "declined": None}
    if "weights" not in buffers:
        part, products = _part(buffers["columns"], codes, times, m), buffers["products"]
        moments: Moments | Absent = Moments(products_in_memory(products, m)) if len(products) else "device"
        return Tally(names.classes, {(): part}, int(times.sum()), ordered=names.ordered, moments=moments, **facts)
    weighted, squares = (
        _part(fractions_of(buffers[name].T, places).reshape(4, m), codes, fractions_of(some, places), m)
        for name, places, some in (("weights", WEIGHTS, digits), ("squares", SQUARES, more))
    )
    whole = Tally(names.classes, {(): weighted}, int(times.sum()), ordered=names.ordered, **facts)
    of_squares = replace(whole, parts={(): squares}, moments="off")
    return replace(whole, squares=of_squares, moments=_weighted_moments(buffers["products"], weighted, m))


def _part(columns: Array, codes: Array, times: Array, m: int) -> Summed:
    tp, tpos, ppos, entries = columns
    return Summed(four_counts(tp, tpos, ppos, entries), *rows_of_codes(codes, times, m))


def _weighted_moments(digits: Array, part: Summed, m: int) -> Moments | Absent:
    """Return the moments of weighted rows; each product counts as often as the square of the weight."""
    if not digits.shape[-1]:
        return "device"
    products = products_in_memory(fractions_of(np.moveaxis(digits, 0, -1), SQUARES), m)
    rows, times = part.rows()
    return Moments(replace(products, weight=times[rows.sum(axis=0) > 0].sum()))
