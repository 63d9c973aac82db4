"""Second moments and replicates as JSON that loses nothing, and back.

Packed groups as JSON, and back: a file grows with the pairs or classes that occur in each group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array
from ...storage.json_values import (
    array_in,
    array_out,
    counts_in,
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
from ..states.group_counts import CrossTable, Key, Part, Summed, distinct, order_of_groups
from ..states.moments import ABSENT, FINEST, Absent, Moments, Products, in_coarsest_units, narrow, width
from ..states.packed_groups import Packed, PackedCounts, PackedTables, pack
from ..states.replicates import ABSENT as NO_REPLICATES
from ..states.replicates import Absent as AbsentReplicates
from ..states.replicates import Range, Replicated, Sums, join_rows
from ..tally import Tally, have_pairs


def moments_out(moments: Moments | Absent) -> Any:
    """Return second moments, or why they are not kept, as plain data."""
    if isinstance(moments, str):
        return moments
    return {
        "whole": _products_out(moments.whole),
        "groups": _groups_out(moments.groups),
        "declined": _groups_out(_with_moments(moments.declined)),
        "any_size": moments.any_size,
    }


def _with_moments(groups: Mapping[Key, Products] | None) -> Mapping[Key, Products] | None:
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


Groups = Mapping[Key, Part]


class Types(NamedTuple):
    """The types of the numbers of all groups; a group alone may do with simpler ones."""

    weighted: bool  # examples count fractions of times
    exact: bool  # cells are fractions, of weights or of memberships
    soft: bool  # so that the rows of examples are floats


def canonical_groups(tally: Tally) -> tuple[Groups, Groups | None]:
    """Return the groups of a tally, and those of its examples without a prediction.

    These are None where pairs show them, or nobody knows.
    """
    declined = None if have_pairs(tally.parts) or tally.declined is None else _not_empty(tally.declined)
    both = [tally.parts] if declined is None else [tally.parts, declined]
    types = Types(
        any(_has_fractions(some, "times", "table") for some in both),
        any(_has_fractions(some, "per_class", "counts", "table", "times") for some in both),
        any(rows.dtype.kind == "f" for some in both for rows in _fields(some, "per_example")),
    )
    found = [_in_order(_of_types(some, types), len(tally.classes)) for some in both]
    return found[0], None if declined is None else found[1]


def _has_fractions(parts: Groups, *names: str) -> bool:
    if isinstance(parts, Packed) and isinstance(parts.zero, Fraction):
        return True  # also where all weights are 0, so that nothing is kept
    objects = (array.ravel().tolist() for name in names for array in _fields(parts, name) if array.dtype == object)
    return any(isinstance(x, Fraction) for values in objects for x in values)


def _fields(parts: Groups, name: str) -> Iterator[Array]:
    """Yield an array of each group, where it is kept under this name; packed groups have one for all."""
    held: Iterable[Any] = [parts] if isinstance(parts, Packed) else parts.values()
    return (array for part in held if (array := getattr(part, name, None)) is not None)


def arrays_of(parts: Groups) -> Iterator[Array]:
    """Yield the counts of groups; one may be negative only if the file says that some weights were."""
    if isinstance(parts, PackedTables):
        yield from (parts.times, np.array(parts.masked))
    elif isinstance(parts, PackedCounts):
        yield from (parts.counts, parts.observed, parts.observed[parts.owner] - parts.counts.sum(axis=0), parts.times)
    else:
        for part in parts.values():
            yield from _arrays(part)


def _arrays(part: Part) -> Iterator[Array]:
    if isinstance(part, CrossTable):
        yield from (part.table, np.array([part.masked]))
    else:
        yield from (array for array in (part.per_class, part.per_example, part.times) if array is not None)


def _not_empty(parts: Groups) -> Groups:
    if isinstance(parts, PackedCounts):
        kept = np.union1d(parts.owner, parts.rows[0])
        return parts.take(kept, [parts.keys_[g] for g in kept.tolist()])
    return {key: part for key, part in parts.items() if len(part.rows()[1])}


def _numbers(x: Array, exact: bool) -> Array:
    """Return numbers as fractions, or as integers, of 64 bits where they fit."""
    if not exact:
        return narrow(x.ravel()).reshape(x.shape) if x.dtype == object else x
    fractions = np.empty(x.size, object)
    fractions[:] = [Fraction(value) for value in x.ravel().tolist()]
    return fractions.reshape(x.shape)


def _of_types(parts: Groups, types: Types) -> Groups:
    """Return the same counts as numbers of these types."""
    one = Fraction(1) if types.weighted else 1
    if isinstance(parts, PackedTables):
        masked = tuple(x * one for x in parts.masked)
        return replace(parts, times=_numbers(parts.times, types.weighted), masked=masked, zero=0 * one)
    if isinstance(parts, PackedCounts) and types.exact == types.weighted and not types.soft:
        counts, observed, times = (_numbers(x, types.weighted) for x in (parts.counts, parts.observed, parts.times))
        return replace(parts, counts=counts, observed=observed, times=times, zero=0 * one)
    return {key: _part_of_types(part, types, one) for key, part in parts.items()}


def _part_of_types(part: Part, types: Types, one: Any) -> Part:
    if isinstance(part, CrossTable):
        return CrossTable(_numbers(part.table, types.weighted), part.masked * one)
    rows, times = part.per_example, part.times
    return Summed(
        _numbers(part.per_class, types.exact),
        rows.astype(np.float64) if rows is not None and types.soft else rows,
        None if times is None else _numbers(times, types.weighted),
        part.unseen * one,
    )


def _in_order(parts: Groups, m: int) -> Groups:
    keys = [*parts]
    if not keys or keys == [()]:
        return {**parts}
    order = order_of_groups(keys)
    if isinstance(parts, Packed):
        return parts.in_order(order)
    return pack(((keys[g], parts[keys[g]]) for g in order.tolist()), m)


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
