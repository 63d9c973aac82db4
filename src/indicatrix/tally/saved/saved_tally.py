"""Tallies as JSON: counts and names only, no raw rows.

A loaded tally equals the saved one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.vocabulary import check_classes
from ...storage.json_values import (
    array_in,
    array_out,
    counts_in,
    dict_in,
    fields,
    flag_in,
    list_in,
    name_in,
    name_out,
    names_in,
    number_in,
    number_out,
    text_in,
    whole_in,
)
from ...words.wording import short
from ..corrected.by_gold import ByGold
from ..corrected.by_noise import ByErrorRates, ByNoise
from ..corrected.by_raters import ByRaters
from ..corrected.by_reference import ByProbabilities, ByReference
from ..corrected.corrected import LOST, Corrected
from ..corrected.estimated_shares import EstimatedShares
from ..corrected.judged_rows import JudgedRows
from ..states.group_counts import CrossTable, Key, Part, Summed, distinct
from ..states.packed_groups import Packed, pack
from ..tally import Tally
from .saved_moments import (
    arrays_of,
    canonical_groups,
    moments_in,
    moments_out,
    packed_in,
    packed_out,
    replicates_in,
    replicates_out,
)

COLUMNS = ("m", "several", "columns", "times", "groups", "strata", "method", "how")

METHODS: dict[str, Any] = {  # of correction
    "gold": ByGold,
    "noise": ByNoise,
    "error rates": ByErrorRates,
    "probabilities": ByProbabilities,
    "reference": ByReference,
    "raters": ByRaters,
}


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


def _shares_out(shares: Any) -> Any:
    """Return estimated shares, or why they are lost, as plain data."""
    return shares if isinstance(shares, str) else [array_out(shares.covariance), array_out(shares.moved)]


def _shares_in(data: Any, tally: Tally) -> Any:
    """Return the estimated shares that plain data describe, or why there are none."""
    m, what = len(tally.classes), "the estimated shares"
    if data == "changed":
        return data
    read = [array_in(one, what, shape) for one, shape in zip(list_in(data, what), ((m, m), (m + 1, m + 1, m)), strict=True)]
    if any(one.dtype.kind != "f" or not np.isfinite(one).all() for one in read):
        raise ValueError(f"{what} hold what is not a number")
    return EstimatedShares(*read)


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


def to_json(tally: Tally) -> dict[str, Any]:
    """Return a tally as plain data."""
    if tally.corrected and not isinstance(corrected_out(tally.corrected), str):
        tally = replace(tally, parts={}, sizes={}, declined=None, _pooled=[])  # they follow from the rows
    signed = (
        {"signed": True} if any((x < 0).any() for some in (tally.parts, tally.declined or {}) for x in arrays_of(some)) else {}
    )
    parts, declined = canonical_groups(tally)
    groups, sizes = _groups_out(parts), [tally.sizes.get(key, tally.n) for key in parts]
    if "packed" in groups:
        groups["packed"]["n"] = sizes
    for part, n in zip(groups["parts"], sizes, strict=False):
        part["n"] = n
    return {
        "classes": [name_out(c) for c in tally.classes],
        "open": tally.open,
        "by": list(tally.by),
        "targets": None if tally.targets is None else [name_out(t) for t in tally.targets],
        "grouping": tally.grouping,
        "n": tally.n,
        "ordered": tally.ordered,
        "hidden": None if tally.hidden is None else list(tally.hidden),
        "keep_pairs": tally.keep_pairs,
        **signed,
        **groups,
        **({} if declined is None else {"declined": _groups_out(declined)}),
        **{name: write(kept) for name, (write, _) in FILED.items() if (kept := getattr(tally, name))},
    }


def _groups_out(parts: Mapping[Key, Part]) -> dict[str, Any]:
    if isinstance(parts, Packed):
        return {"parts": [], "packed": packed_out(parts)}
    return {"parts": [{"group": [name_out(k) for k in key], **_part_out(part)} for key, part in parts.items()]}


NAMES = ("classes", "open", "by", "targets", "grouping", "n", "ordered", "hidden", "keep_pairs", "parts")


def from_json(data: Any) -> Tally:
    """Return the tally that plain data describe; data that describe no tally are a ValueError."""
    classes, is_open, by, targets, grouping, n, ordered, hidden, keep_pairs, parts = fields(data, NAMES, "the tally")
    names, axes = (
        check_classes(names_in(classes, "the classes")),
        tuple(text_in(axis, "a grouping") for axis in list_in(by, "the groupings")),
    )
    signed = flag_in(data.get("signed", False), "'signed'")
    read, sizes = _parts_in(parts, len(names), signed) if "packed" not in data else _packed_in(data["packed"], len(names), signed)
    odd = next((key for key in sizes if len(key) != len(axes)), None)
    if odd is not None:
        raise ValueError(f"the group {odd!r} does not fit the groupings {axes}")
    tally = Tally(
        classes=names,
        parts=pack(read.items(), len(names)) if axes and not isinstance(read, Packed) else read,
        n=whole_in(n, "n"),
        open=flag_in(is_open, "'open'"),
        by=axes,
        targets=None if targets is None else _targets_in(targets, len(names)),
        grouping=text_in(grouping, "the name of the groups of columns"),
        ordered=flag_in(ordered, "'ordered'"),
        hidden=None if hidden is None else _hidden_in(hidden),
        keep_pairs=flag_in(keep_pairs, "'keep_pairs'"),
        sizes=sizes if axes else {},
        declined=_declined_in(data["declined"], read, len(names), signed) if "declined" in data else None,
    )
    if len(set(tally.axes)) < len(tally.axes):
        raise ValueError(f"two axes have the same name: {', '.join(tally.axes)}")
    if sum(sizes.values()) != tally.n and read:
        raise ValueError(f"the groups have {sum(sizes.values())} examples, but n is {tally.n}")
    made = replace(tally, **{name: read(data[name], tally) for name, (_, read) in FILED.items() if name in data})
    return made.of_rows(made.corrected) if made.corrected and not isinstance(made.corrected, str) else made


def _parts_in(data: Any, m: int, signed: bool) -> tuple[Mapping[Key, Part], dict[Key, int]]:
    """Return the part of each group, and how many examples it has."""
    read = _groups_in(data, m, signed)
    sizes = (fields(part, ("n",), "a group")[0] for part in data)
    return read, {key: whole_in(n, "n of a group") for key, n in zip(read, sizes, strict=True)}


def _groups_in(data: Any, m: int, signed: bool) -> dict[Key, Part]:
    """Return the part of each group."""
    read = dict[Key, Part]()
    for part in list_in(data, "the groups"):
        (name,) = fields(part, ("group",), "a group")
        key = tuple(name_in(k) for k in list_in(name, "the name of a group"))
        if key in read:
            raise ValueError(f"the group {key!r} occurs twice")
        read[key] = _part_in(part, m, signed)
    return read


def _packed_in(data: Any, m: int, signed: bool) -> tuple[Mapping[Key, Part], dict[Key, int]]:
    """Return packed groups, and how many examples each has."""
    packed = packed_in(data, m, signed=signed)
    (sizes,) = fields(data, ("n",), "the groups")
    numbers = [whole_in(n, "n of a group") for n in list_in(sizes, "n of the groups")]
    if len(numbers) != len(packed):
        raise ValueError(f"n is given for {len(numbers)} of {len(packed)} groups")
    return packed, dict(zip(packed, numbers, strict=True))


def _targets_in(data: Any, m: int) -> tuple[Any, ...]:
    targets = tuple(name_in(x) for x in list_in(data, "the groups of columns"))
    if len(targets) != m:
        raise ValueError(f"there are {len(targets)} groups of columns for {m} classes")
    return targets


def _hidden_in(data: Any) -> tuple[int, int]:
    two = [whole_in(x, "what is hidden") for x in list_in(data, "what is hidden")]
    if len(two) != 2:
        raise ValueError(f"what is hidden is {data!r}, not two numbers")
    return two[0], two[1]


def _squares_in(data: Any, tally: Tally) -> Tally:
    squares = from_json(data)
    if squares.classes != tally.classes or squares.by != tally.by or squares.squares is not None:
        raise ValueError("the squares of the weights have other classes or groups than the weights")
    return squares


FILED: Mapping[str, tuple[Callable[[Any], Any], Callable[[Any, Tally], Any]]] = {  # what is kept, and written where it is there
    "moments": (moments_out, lambda data, tally: moments_in(data, len(tally.classes), {*tally.sizes})),
    "replicates": (replicates_out, lambda data, tally: replicates_in(data, len(tally.classes))),
    "squares": (to_json, _squares_in),
    "corrected": (corrected_out, lambda data, tally: corrected_in(data, len(tally.classes))),
    "by_class": (bool, lambda data, _: flag_in(data, "'by_class'")),
    "shares": (_shares_out, _shares_in),
}


def _part_out(part: Part) -> dict[str, Any]:
    if isinstance(part, CrossTable):
        return {"table": array_out(part.table), "masked": number_out(part.masked)}
    return {
        "per_class": array_out(part.per_class),
        "per_example": None if part.per_example is None else array_out(part.per_example),
        "times": None if part.times is None else array_out(part.times),
        **({"unseen": number_out(part.unseen)} if part.unseen else {}),
    }


def _part_in(data: dict[str, Any], m: int, signed: bool) -> Part:
    if "table" in data:
        table, masked = fields(data, ("table", "masked"), "a group")
        counts = counts_in(table, "a table of pairs", (m + 1, m + 1), signed=signed)
        return CrossTable(counts, _masked_in(masked, counts, signed))
    per_class, rows, times = fields(data, ("per_class", "per_example", "times"), "a group")
    four = counts_in(per_class, "the counts of the classes", (4, m), signed=signed)
    if rows is None and times is None:
        return Summed(four, None, None)
    read = counts_in(rows, "the rows of examples", (4, None), signed=signed)
    often = counts_in(times, "the times of the rows", (read.shape[1],), signed=signed)
    if not all(map(np.array_equal, distinct(read, often), (read, often))):
        raise ValueError("the rows of examples are not distinct and in order")
    return Summed(four, read, often, _masked_in(data["unseen"], often, signed) if "unseen" in data and not m else 0)


def _declined_in(data: Any, groups: Mapping[Key, Part], m: int, signed: bool) -> Mapping[Key, Part]:
    """Return the counts of the examples without a predicted class, of each group that has some."""
    (parts,) = fields(data, ("parts",), "what was declined")
    read = packed_in(data["packed"], m, signed=signed) if "packed" in data else _groups_in(parts, m, signed)
    for key, part in read.items():
        whole = groups.get(key)
        if whole is None or isinstance(part, CrossTable) or part.per_example is None:
            raise ValueError("what was declined has counts per class and rows of examples of the groups, and nothing else")
        if not signed and (part.cells() > whole.cells()).any():
            raise ValueError("more examples of a group were declined than it has")
    return read


def _masked_in(data: Any, table: Array, signed: bool) -> Any:
    """Return how many examples are not in a table of pairs, or their weight."""
    masked = number_in(data, "what is masked")
    if isinstance(masked, float) or (masked < 0 and not signed):
        raise ValueError(f"what is masked is {short(masked)}, not a count of at least 0")
    if table.dtype != object and (not isinstance(masked, int) or sum(table.ravel().tolist()) + masked >= 2**62):
        raise ValueError(f"what is masked is {short(masked)}, which does not fit a table of {table.dtype}")
    return masked
