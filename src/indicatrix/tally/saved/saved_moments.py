"""Second moments and replicates as JSON that loses nothing, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...storage.json_values import (
    array_in,
    array_out,
    fields,
    flag_in,
    list_in,
    name_in,
    name_out,
    number_in,
    number_out,
    whole_in,
)
from ...words.wording import short
from ..states.group_counts import Key
from ..states.group_order import order_of_groups
from ..states.moments import ABSENT, FINEST, Absent, Moments, Products, in_coarsest_units, width
from ..states.replicates import ABSENT as NO_REPLICATES
from ..states.replicates import Absent as AbsentReplicates
from ..states.replicates import Range, Replicated, Sums, join_rows


def moments_out(moments: Moments | Absent) -> Any:
    """Return second moments, or why they are not kept, as plain data."""
    if isinstance(moments, str):
        return moments
    return {
        "whole": _products_out(moments.whole),
        "groups": _groups_out(moments.groups),
        "declined": _groups_out(_not_empty(moments.declined)),
        "any_size": moments.any_size,
    }


def _not_empty(groups: Mapping[Key, Products] | None) -> Mapping[Key, Products] | None:
    """Return the groups that have moments: one whose weights are all 0 may be kept or not."""
    return None if groups is None else {key: own for key, own in groups.items() if own.weight or (own.values != 0).any()}


def _groups_out(groups: Mapping[Key, Products] | None) -> list[Any] | None:
    """Return the moments of each group, sorted: a file does not tell in which order they came."""
    if groups is None:
        return None
    keys = [*groups]
    ordered = [keys[g] for g in order_of_groups(keys).tolist()]
    return [[[name_out(k) for k in key], _products_out(groups[key])] for key in ordered]


def _products_out(products: Products) -> dict[str, Any]:
    here = products.values != 0  # of weights that are 0 or cancel, a sum of 0 may be kept or not
    first, second = (side[here] for side in products.pairs)
    powers = (first > 0).astype(np.intp) + (second > 0)
    values, unit = in_coarsest_units(products.values[here], powers, products.unit)
    return {
        "keys": array_out(products.keys[here]),
        "values": array_out(values),
        "weight": number_out(int(products.weight) if products.weight == int(products.weight) else products.weight),
        "unit": unit,
    }


def moments_in(data: Any, m: int, keys: set[Key]) -> Moments | Absent:
    """Return the second moments that a file has, or why it has none."""
    if isinstance(data, str) and data in ABSENT:
        return data
    whole, groups, declined, any_size = fields(data, ("whole", "groups", "declined", "any_size"), "the moments")
    read, gone = (None if each is None else _groups_in(each, m) for each in (groups, declined))
    if read is not None and set(read) != keys:
        raise ValueError("the moments have other groups than the counts")
    if gone is not None and not set(gone) <= ({()} if read is None else keys):
        raise ValueError("the moments of examples without a prediction have other groups than the counts")
    return Moments(_products_in(whole, m), read, gone, flag_in(any_size, "'any_size'"))


def _groups_in(data: Any, m: int) -> dict[Key, Products]:
    named = [list_in(pair, "a group of moments") for pair in list_in(data, "the groups of the moments")]
    if any(len(pair) != 2 for pair in named):
        raise ValueError("a group of moments is not a name and its moments")
    read = {tuple(name_in(k) for k in list_in(key, "the name of a group")): _products_in(own, m) for key, own in named}
    if len(read) != len(named):
        raise ValueError("a group of moments occurs twice")
    return read


def _products_in(data: Any, m: int) -> Products:
    keys, values, weight, unit = fields(data, ("keys", "values", "weight", "unit"), "the moments")
    places = array_in(keys, "the keys of the moments", (None,))
    sums = array_in(values, "the values of the moments", (len(places),))
    first, second = np.divmod(places, width(m))
    if places.dtype.kind != "i" or sums.dtype.kind == "f" or (places < 0).any() or (first > second).any():
        raise ValueError("the keys of the moments are not pairs of entries, or the values are not exact")
    if (places >= width(m) ** 2).any() or (np.diff(places) <= 0).any():
        raise ValueError("the keys of the moments are not in order, or of other classes")
    if type(unit) is not int or abs(unit) > -FINEST:
        raise ValueError(f"the unit of the moments is {short(unit)}, not a power of two")
    total = number_in(weight, "the weight of the moments")
    if isinstance(total, float):
        raise ValueError(f"the weight of the moments is {short(total)}, not exact")
    return Products(m, places, sums, total, unit)


def replicates_out(replicates: Replicated | AbsentReplicates) -> Any:
    """Return replicates, or why they are not kept, as plain data."""
    if isinstance(replicates, str):
        return replicates
    declined = None if replicates.declined is None else [_sums_out(some) for some in replicates.declined]
    return {"whole": _sums_out(replicates.whole), "declined": declined, "rows": [list(some) for some in replicates.rows]}


def _sums_out(sums: Sums) -> dict[str, Any]:
    cells, unit = in_coarsest_units(sums.cells, 1, sums.unit)
    return {"cells": array_out(cells), "examples": array_out(sums.examples), "n": sums.n, "unit": unit}


def replicates_in(data: Any, m: int) -> Replicated | AbsentReplicates:
    """Return the replicates that a file has, or why it has none."""
    if isinstance(data, str) and data in NO_REPLICATES:
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
