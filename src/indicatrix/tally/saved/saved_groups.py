"""Packed groups as JSON, and back: a file grows with the pairs or classes that occur in each group."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...storage.json_values import array_out, counts_in, fields, list_in, name_in, name_out, number_in, number_out
from ..states.group_counts import Key, distinct
from ..states.packed_groups import Packed, PackedCounts, PackedTables


def packed_out(packed: Packed) -> dict[str, Any]:
    """Return packed groups as plain data."""
    common = {
        "groups": [[name_out(k) for k in key] for key in packed],
        "owner": array_out(packed.owner),
        "slot": array_out(packed.slot),
        "zero": number_out(packed.zero),
    }
    if isinstance(packed, PackedTables):
        return {**common, "pairs": array_out(packed.times), "masked": [number_out(x) for x in packed.masked]}
    return {
        **common,
        "counts": array_out(packed.counts),
        "observed": array_out(packed.observed),
        "rows": array_out(packed.rows),
        "times": array_out(packed.times),
    }


def packed_in(data: Any, m: int, *, signed: bool) -> Packed:
    """Return the packed groups on ``m`` classes that plain data describe."""
    groups, owner, slot, zero = fields(data, ("groups", "owner", "slot", "zero"), "the groups")
    keys = tuple(_key_in(key) for key in list_in(groups, "the names of the groups"))
    if len(set(keys)) < len(keys):
        raise ValueError("two groups have the same name")
    nothing = number_in(zero, "the zero of the groups")
    if isinstance(nothing, float) or nothing != 0:
        raise ValueError(f"the zero of the groups is {nothing!r}")
    pairs = "pairs" in data
    at = counts_in(owner, "the group of each entry", (None,), signed=False)
    slots = counts_in(slot, "the place of each entry", at.shape, signed=False)
    _check_order(at, slots, len(keys), (m + 1) ** 2 if pairs else m)
    return (_tables_in if pairs else _counts_in)(data, (keys, m, at, slots, nothing), signed)


def _key_in(data: Any) -> Key:
    return tuple(name_in(k) for k in list_in(data, "the name of a group"))


def _check_order(owner: Array, slot: Array, groups: int, width: int) -> None:
    """Refuse entries that are not those of the groups and places that there are, each once and in order."""
    if owner.dtype.kind != "i" or slot.dtype.kind != "i":
        raise ValueError("the entries of the groups are not numbered by integers")
    if len(owner) and (owner.max() >= groups or slot.max() >= width):
        raise ValueError("an entry belongs to a group or to a class that is not there")
    same = owner[1:] == owner[:-1]
    if (owner[1:] < owner[:-1]).any() or (slot[1:] <= slot[:-1])[same].any():
        raise ValueError("the entries of the groups are not distinct and in order")


def _check_type(what: str, counts: Array, zero: Any) -> None:
    if counts.dtype.kind not in ("iO" if zero == 0 and type(zero) is int else "O"):
        raise ValueError(f"{what} are not of the type that the zero of the groups has")


def _tables_in(data: dict[str, Any], start: tuple[Any, ...], signed: bool) -> PackedTables:
    keys, m, owner, slot, zero = start
    pairs, masked = fields(data, ("pairs", "masked"), "the groups")
    times = counts_in(pairs, "the pairs of the groups", owner.shape, signed=signed)
    _check_type("the pairs of the groups", times, zero)
    hidden = [number_in(x, "what is masked") for x in list_in(masked, "what is masked")]
    whole = times.dtype.kind == "i"
    if any(isinstance(x, float) or (x < 0 and not signed) or (whole and not isinstance(x, int)) for x in hidden):
        raise ValueError("what is masked in the groups are not counts of at least 0")
    if len(hidden) != len(keys) or (times == 0).any():
        raise ValueError(f"{len(hidden)} groups have masked examples, and there are {len(keys)}; or a pair occurs 0 times")
    if whole and sum(times.tolist()) + sum(hidden) >= 2**62:
        raise ValueError("the counts of the groups are too large for integers of 64 bits")
    return PackedTables(keys, m, owner, slot, times, tuple(hidden), zero)


def _counts_in(data: dict[str, Any], start: tuple[Any, ...], signed: bool) -> PackedCounts:
    keys, m, owner, slot, zero = start
    names = ("counts", "observed", "rows", "times")
    shapes: tuple[tuple[int | None, ...], ...] = ((3, len(owner)), (len(keys),), (5, None), (None,))
    given = zip(fields(data, names, "the groups"), names, shapes, strict=True)
    counts, observed, rows, times = (counts_in(x, f"{name!r} of the groups", shape, signed=signed) for x, name, shape in given)
    for x in (counts, observed, times):
        _check_type("the counts of the groups", x, zero)
    if rows.dtype.kind != "i" or rows.shape[1] != len(times) or (rows[0] >= len(keys)).any():
        raise ValueError("the rows of examples do not belong to the groups")
    if len({x.dtype for x in (counts, observed, times)}) > 1 or not (counts != 0).any(axis=0).all():
        raise ValueError("the counts of the groups are of several types, or zero")
    if not all(map(np.array_equal, distinct(rows, times), (rows, times))):
        raise ValueError("the rows of examples are not distinct and in order")
    if not signed and (observed[owner] < counts.sum(axis=0)).any():
        raise ValueError("a group has fewer examples than its counts add up to")
    if counts.dtype.kind == "i" and float(observed.sum(dtype=float)) * max(m, 1) >= 2**61:
        raise ValueError("the counts of the groups are too large for integers of 64 bits")
    return PackedCounts(keys, m, owner, slot, counts, observed, rows, times, Fraction(zero) if isinstance(zero, Fraction) else 0)
