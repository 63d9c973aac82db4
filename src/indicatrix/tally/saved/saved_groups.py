"""Packed groups as JSON, and back: a file grows with the pairs or classes that occur in each group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array
from ...storage.json_values import array_out, counts_in, fields, list_in, name_in, name_out, number_in, number_out
from ..states.group_counts import CrossTable, Key, Part, Summed, distinct
from ..states.group_order import order_of_groups
from ..states.moments import narrow
from ..states.packed_groups import Packed, PackedCounts, PackedTables, pack
from ..tally import Tally, have_pairs

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
