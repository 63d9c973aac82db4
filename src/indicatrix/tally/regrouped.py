"""Groups of an evaluation that it was not counted in.

Labels are counted again, and values of many groups a block at a time.

Labels are held by reference. The counts of many groups and classes would take several times the memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.counts import Counts
from .states.group_counts import Key, Part
from .tally import Tally, is_packed

BLOCK = 1 << 17  # units whose counts are held at a time


def values_in_blocks(tally: Tally, per: tuple[str, ...], value: Callable[[Counts], Any]) -> Array | None:
    """Return the value of each unit of some axes.

    None if these are so few that their counts can be held at once.

    >>> import indicatrix as ix
    >>> values_in_blocks(ix.evaluate([0, 1], [0, 1], by={"site": [0, 1]}).tally, ("site", "class"), ix.recall.values) is None
    True
    """
    groups = [axis for axis in per if axis in tally.by]
    units = tally.units_of(per) if groups else {}
    if not groups or len(groups) == len(per) or not set(per) <= set(units):  # a tally does not have the axis of examples
        return None
    shape = tuple(len(units[axis]) for axis in per)
    if math.prod(shape) <= BLOCK:
        return None
    axis, where = groups[0], per.index(groups[0])
    owner = _numbers(tally, axis, units[axis])
    order = np.argsort(owner, kind="stable")
    values = np.empty(shape)
    step = max(1, BLOCK * len(units[axis]) // math.prod(shape))
    for start in range(0, len(units[axis]), step):
        stop = min(start + step, len(units[axis]))
        first, last = np.searchsorted(owner[order], (start, stop))
        some = tally.with_parts(_take(tally.parts, np.sort(order[first:last])))
        counts = some.of_units({**units, axis: units[axis][start:stop]}, per)
        values[(slice(None),) * where + (slice(start, stop),)] = value(counts)
    return values


def _numbers(tally: Tally, axis: str, names: tuple[Any, ...]) -> Array:
    """Return the number of the unit that each part of a tally belongs to."""
    place, i = {name: at for at, name in enumerate(names)}, tally.by.index(axis)
    return np.array([place[key[i]] for key in tally.parts], np.intp)


def _take(parts: Mapping[Key, Part], at: Array) -> Mapping[Key, Part]:
    """Return some parts of a tally, by their numbers in ascending order."""
    keys = [*parts]
    chosen = [keys[i] for i in at.tolist()]
    return parts.take(at, chosen) if is_packed(parts) else {key: parts[key] for key in chosen}


class KeptRows:
    """Labels and options as the caller gave them; they are read when groups of them are first asked for.

    A copy for another process and a file have none.
    """

    __slots__ = ("_read",)

    def __init__(self, make: Callable[[], tuple[Callable[..., Any], Mapping[str, Any]]]) -> None:
        self._read = cache(make)  # the function that counts, and the groupings of by= as names and codes

    def owners(self, axis: str) -> Array:
        """Return the group of each example along an axis of by=, as a number."""
        return np.asarray(self._read()[1][axis][1], np.intp)

    def columns(self) -> dict[str, Array]:
        """Return the group of each example along each axis of by=, by its name."""
        found = {}
        for axis, (names, codes) in self._read()[1].items():
            values = np.empty(len(names), object)
            values[:] = names
            found[axis] = values[np.asarray(codes, np.intp)]
        return found

    def grouped(self, codes: Array, groups: int, axis: str, *, keep: tuple[str, ...] = (), moments: bool | None = False) -> Any:
        """Return the evaluation of the same examples with a group for each, a number below ``groups``.

        ``keep`` names axes of by= that are kept as well, ``moments`` says whether intervals are asked of label sets and weights.
        """
        return self._read()[0]((tuple(range(groups)), np.asarray(codes, np.intp)), axis, keep, moments)

    def __deepcopy__(self, memo: Any) -> KeptRows:
        return self

    def __reduce__(self) -> Any:
        return type(None), ()
