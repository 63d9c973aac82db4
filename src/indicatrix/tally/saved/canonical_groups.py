"""Groups as a file keeps them, which does not tell in which order they were counted and added.

They are sorted, in one type of numbers, and without groups that may be kept or not because all their weights are 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array
from ..states.group_counts import CrossTable, Key, Part, Summed
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
