"""Corrected rows as JSON: the distinct rows with how often each occurs, and the method.

What they lack is not known.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...storage.json_values import array_in, array_out, dict_in, fields, flag_in, list_in, name_out, names_in, text_in
from ...words.wording import short
from ..corrected.corrected import LOST, Corrected
from ..corrected.judged_rows import JudgedRows
from ..corrected.methods import METHODS

COLUMNS = ("m", "several", "columns", "times", "groups", "strata", "method", "how")


def corrected_out(corrected: Any) -> Any:
    """Return corrected rows, or why they are lost, as plain data."""
    if isinstance(corrected, str):
        return corrected
    rows, method = corrected.rows, corrected.method
    return {
        "m": rows.m,
        "several": rows.several,
        "columns": {name: _column_out(own) for name, own in rows.columns.items()},
        "times": array_out(rows.times),
        "groups": {axis: [name_out(name) for name in names] for axis, names in rows.groups.items()},
        "strata": [name_out(name) for name in rows.strata],
        "method": next(name for name, kind in METHODS.items() if isinstance(method, kind)),
        "how": method.to_data(),
        **({} if corrected.inside is None else {"inside": array_out(corrected.inside.astype(np.int64))}),
    }


def corrected_in(data: Any, classes: int) -> Any:
    """Return the corrected rows that plain data describe, or why there are none."""
    if isinstance(data, str):
        if data not in LOST:
            raise ValueError(f"corrected rows are {short(data)}, not one of {', '.join(LOST)}")
        return data
    m, several, columns, times, groups, strata, name, how = fields(data, COLUMNS, "the corrected rows")
    number = array_in(times, "how often rows occur", (None,))
    if m != classes or number.dtype.kind != "i" or (number < 0).any() or not isinstance(name, str) or name not in METHODS:
        raise ValueError("the corrected rows do not fit the classes, or the method of correction is unknown")
    read = {text_in(key, "a column"): _column_in(own, len(number)) for key, own in dict_in(columns, "the columns").items()}
    by = {text_in(axis, "a grouping"): names_in(some, "groups") for axis, some in dict_in(groups, "the groups").items()}
    try:
        method = METHODS[name].from_data(how)
        made = JudgedRows(m, flag_in(several, "'several'"), read, number, by, names_in(list_in(strata, "the strata"), "strata"))
        inside = array_in(data["inside"], "the rows that are counted", (len(number),)) != 0 if "inside" in data else None
        return Corrected(made.checked(), method, inside)
    except (KeyError, TypeError, IndexError) as wrong:
        raise ValueError(f"the corrected rows are incomplete: {wrong}") from None


def _column_out(own: Array) -> dict[str, Any]:
    known = ~np.isnan(own)
    values = np.where(known, own, 0.0)
    whole = values.astype(np.int64)
    data = {"values": array_out(whole if (whole == values).all() else values)}
    return data if known.all() else {**data, "known": array_out(known.astype(np.int64))}


def _column_in(data: Any, rows: int) -> Array:
    (values,) = fields(data, ("values",), "a column")
    own = array_in(values, "a column", (rows, None)).astype(np.float64)
    if not np.isfinite(own).all():
        raise ValueError("a column holds an infinite number")
    if "known" not in data:
        return own
    return np.where(array_in(data["known"], "what is known of a column", own.shape) != 0, own, np.nan)
