"""Replicates of counts as JSON that loses nothing, and back."""

from __future__ import annotations

from typing import Any

from ..algebra.wording import short
from ..storage.json_values import array_in, array_out, fields, list_in, whole_in
from .moments import FINEST, in_coarsest_units
from .replicates import ABSENT, Absent, Range, Replicated, Sums, join_rows


def replicates_out(replicates: Replicated | Absent) -> Any:
    """Return replicates, or why they are not kept, as plain data."""
    if isinstance(replicates, str):
        return replicates
    declined = None if replicates.declined is None else [_sums_out(some) for some in replicates.declined]
    return {"whole": _sums_out(replicates.whole), "declined": declined, "rows": [list(some) for some in replicates.rows]}


def _sums_out(sums: Sums) -> dict[str, Any]:
    cells, unit = in_coarsest_units(sums.cells, 1, sums.unit)
    return {"cells": array_out(cells), "examples": array_out(sums.examples), "n": sums.n, "unit": unit}


def replicates_in(data: Any, m: int) -> Replicated | Absent:
    """Return the replicates that a file has, or why it has none."""
    if isinstance(data, str) and data in ABSENT:
        return data
    whole, declined, rows = fields(data, ("whole", "declined", "rows"), "the replicates")
    ranges = tuple(_range_in(some) for some in list_in(rows, "the rows of the replicates"))
    if join_rows(ranges) != ranges:
        raise ValueError("the rows of the replicates are not in order")
    read = _sums_in(whole, m, None)
    gone = None
    if declined is not None:
        gone = tuple(_sums_in(some, m, read.number) for some in list_in(declined, "the replicates without a prediction"))
        if len(gone) > 1:
            raise ValueError("the replicates without a prediction occur twice")
    return Replicated(read, gone, ranges)


def _sums_in(data: Any, m: int, number: int | None) -> Sums:
    cells, examples, n, unit = fields(data, ("cells", "examples", "n", "unit"), "the replicates")
    total = array_in(examples, "the examples of the replicates", (number,))
    read = array_in(cells, "the counts of the replicates", (4, len(total), m))
    if total.dtype.kind != "i" or read.dtype.kind == "f":
        raise ValueError("the counts of the replicates are not whole numbers")
    if type(unit) is not int or abs(unit) > -FINEST:
        raise ValueError(f"the unit of the replicates is {short(unit)}, not a power of two")
    return Sums(read, total, whole_in(n, "the number of examples of the replicates"), unit)


def _range_in(data: Any) -> Range:
    three = [whole_in(x, "a row of the replicates") for x in list_in(data, "rows of the replicates")]
    if len(three) != 3 or three[1] >= three[2]:
        raise ValueError(f"rows of the replicates are {short(data)}, not a seed and two rows in order")
    return three[0], three[1], three[2]
