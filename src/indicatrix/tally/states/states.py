"""What a tally keeps in addition to its counts, and how it follows what is done to them.

Also how groups of two tallies merge.

Six things are done to tallies: two are added, one is put on more classes or on some of its own, split by the groups of an axis,
its groups get other keys, and examples without a prediction are left out. Whatever is kept has a row here with these six verbs,
and the tally goes through the rows: it names none of them. What is not kept, None or the reason, stays so. Many parts are widened
and added together; the result is the same as one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array
from .group_counts import ENTRIES, ROOM, CrossTable, Key, Part, Summed, distinct
from .moments import usual
from .packed_groups import Packed, PackedCounts, PackedTables, pack

FIELDS = (("per_class", 0), ("per_example", 1), ("times", 0))  # the arrays of a part, and the axis along which they are joined


def merge(one: Mapping[Key, Part], other: Mapping[Key, Part]) -> Mapping[Key, Part]:
    """Return the parts of the groups of two tallies on the same classes.

    A group that both have gets the sum of its parts.
    """
    if not one or not other:
        return other or one
    if isinstance(one, PackedTables) and isinstance(other, PackedTables):
        return one.merge(other)
    if isinstance(one, PackedCounts) and isinstance(other, PackedCounts):
        return one.merge(other)
    shared = [key for key in other if key in one]
    sums = _add_pairs([one[key] for key in shared], [other[key] for key in shared])
    return {**one, **other, **dict(zip(shared, sums, strict=True))}


def are_weighted(parts: Mapping[Key, Part]) -> bool:
    """Return whether the counts of these parts may be sums of weights."""
    return any(part.cells().dtype == object for part in parts.values())


def drop_pairs(parts: Mapping[Key, Part], m: int) -> Mapping[Key, Part]:
    """Return the parts without pairs of classes, of which there are too many."""
    if isinstance(parts, PackedCounts):
        return parts
    summed = ((key, part.summed()) for key, part in parts.items())
    return pack(summed, m) if isinstance(parts, PackedTables) else dict(summed)


def widen(parts: Mapping[Key, Part], position: Array, m: int) -> Mapping[Key, Part]:
    """Return the parts on ``m`` classes, with the old classes at the given positions."""
    if isinstance(parts, Packed):
        return parts.widen(position, m)
    every = [*parts.values()]
    wide = (part for some in _blocks(every, (m + 1) ** 2) for part in _widen(some, position, m))
    return dict(zip(parts, wide, strict=True))


def _blocks(parts: Sequence[Part], entries: int) -> Iterator[Sequence[Part]]:
    """Yield blocks of parts that are handled together."""
    step = max(1, ENTRIES // max(1, entries))
    return (parts[start : start + step] for start in range(0, len(parts), step))


def _widen(parts: Sequence[Part], position: Array, m: int) -> Iterator[Part]:
    tables = _tables(parts)
    if tables is None:
        return (part.widen(position, m) for part in parts)
    wide = np.zeros((len(parts), m + 1, m + 1), tables.dtype)
    places = np.append(position, m)
    wide[:, places[:, None], places] = tables
    return map(CrossTable, _copies(wide), (part.masked for part in parts))  # type: ignore[union-attr]


def _add_pairs(left: Sequence[Part], right: Sequence[Part]) -> Iterator[Part]:
    """Yield the sum of each pair of parts."""
    entries = max((part.table if isinstance(part, CrossTable) else part.per_class).size for part in left) if left else 1
    for a, b in zip(_blocks(left, entries), _blocks(right, entries), strict=True):
        yield from _add_tables(a, b) or _add_counts(a, b) or (x + y for x, y in zip(a, b, strict=True))


def _add_tables(left: Sequence[Part], right: Sequence[Part]) -> Iterator[Part] | None:
    tables = _tables([*left, *right])
    if tables is None or not _has_room(tables):
        return None
    masked = (a.masked + b.masked for a, b in zip(left, right, strict=True))  # type: ignore[union-attr]
    return map(CrossTable, _copies(tables[: len(left)] + tables[len(left) :]), masked)


def _add_counts(left: Sequence[Part], right: Sequence[Part]) -> Iterator[Part] | None:
    """Return the sums of parts without pairs.

    The distinct rows of all groups are found by one sort, with the group as the first key.
    """
    parts = [part for part in (*left, *right) if isinstance(part, Summed) and part.times is not None and not part.unseen]
    per_class, rows, times = (_join_one_type([getattr(p, x) for p in parts], axis=k) for x, k in FIELDS)
    if len(parts) < len(left) + len(right) or per_class is None or rows is None or times is None or rows.dtype == object:
        return None
    if not (_has_room(per_class) and _has_room(times)):
        return None
    k = len(left)
    owner = np.repeat(np.tile(np.arange(k), 2), [len(part.rows()[1]) for part in parts])
    rows, times = distinct(np.concatenate([owner[None], rows]), times)
    ends = np.searchsorted(rows[0], np.arange(k + 1)).tolist()
    four = per_class.reshape(2, k, 4, -1).sum(axis=0)
    return (
        Summed(counts, rows[1:, start:stop].copy(), times[start:stop].copy())
        for counts, start, stop in zip(_copies(four), ends, ends[1:], strict=False)
    )


def _tables(parts: Sequence[Part]) -> Array | None:
    """Return the tables of pairs as one array, if all parts have one and all are of the same type."""
    tables = [part.table for part in parts if isinstance(part, CrossTable)]
    joined = _join_one_type(tables, axis=0) if len(tables) == len(parts) else None
    return None if joined is None else joined.reshape(len(parts), *tables[0].shape)


def _join_one_type(arrays: Sequence[Array], *, axis: int) -> Array | None:
    return np.concatenate(arrays, axis=axis) if len({array.dtype for array in arrays}) == 1 else None


def _has_room(counts: Array) -> bool:
    """Return whether these counts can be added without overflow."""
    return counts.dtype == object or counts.sum(dtype=float) < ROOM


def _copies(arrays: Array) -> Iterable[Array]:
    """Return copies, so one part does not keep the numbers of all others in memory."""
    return (array.copy() for array in arrays)


class Classes(NamedTuple):
    """Other classes of a tally."""

    names: tuple[Any, ...]
    at: Array  # where its own classes stand among more, or where some classes stand among its own


class Groups(NamedTuple):
    """The groups of an axis that a tally is split by."""

    axis: str
    place: int  # of the axis in a key
    keys: Mapping[Any, Mapping[Key, Key]]  # of each group the keys without the axis, and the same with it


class Keys(NamedTuple):
    """Other keys of the groups of a tally."""

    old: tuple[str, ...]  # the axes that there were
    by: tuple[str, ...]  # those that take their place
    new: Callable[[Key], Key]

    def rename(self, by_key: Any) -> Any:
        """Return what is kept for each group under the other keys."""
        if isinstance(by_key, Packed):
            return replace(by_key, keys_=tuple(map(self.new, by_key)), _places={})
        return {self.new(key): value for key, value in by_key.items()}


def _same(kept: Any, *_: Any) -> Any:
    return kept


def _same_in_each(kept: Any, groups: Groups) -> Mapping[Any, Any]:
    return dict.fromkeys(groups.keys, kept)


class State(NamedTuple):
    """How one thing that a tally keeps follows each of the six verbs."""

    add: Callable[[Any, Any, bool], Any]  # of two tallies on the same classes, whose sum shows pairs of classes or not
    widen: Callable[[Any, Classes], Any] = _same
    only: Callable[[Any, Classes], Any] = _same
    split: Callable[[Any, Groups], Mapping[Any, Any]] = _same_in_each
    rename: Callable[[Any, Keys], Any] = _same
    abstain: Callable[[Any], Any] = _same


def follow(tally: Any, verb: str, *change: Any) -> dict[str, Any]:
    """Return what a tally keeps after a change: ``widen``, ``only``, ``rename`` or ``abstain``."""
    return {
        name: kept if _is_absent(kept := getattr(tally, name)) else getattr(state, verb)(kept, *change)
        for name, state in STATES.items()
    }


def split_by(tally: Any, groups: Groups) -> dict[Any, dict[str, Any]]:
    """Return what a tally keeps of each group of an axis."""
    each = {
        name: (_same_in_each if _is_absent(kept := getattr(tally, name)) else state.split)(kept, groups)
        for name, state in STATES.items()
    }
    return {group: {name: kept[group] for name, kept in each.items()} for group in groups.keys}


def add_kept(one: Any, other: Any, *, shown: bool) -> dict[str, Any]:
    """Return what two tallies on the same classes keep together.

    ``shown`` says whether their sum has pairs of classes.
    """
    return {name: state.add(one, other, shown) for name, state in STATES.items()}


def _is_absent(kept: Any) -> bool:
    return kept is None or isinstance(kept, str)


def parts_of_groups(parts: Mapping[Key, Part], place: int, names: Iterable[Any]) -> dict[Any, Mapping[Key, Part]]:
    """Return the parts whose keys have each of these names at a place, under keys without it."""
    keys: dict[Any, dict[Key, Key]] = {name: {} for name in names}
    places: dict[Any, list[int]] = {name: [] for name in keys}
    for at, key in enumerate(parts):
        if key[place] in keys:
            keys[key[place]][key[:place] + key[place + 1 :]] = key
            places[key[place]].append(at)
    if isinstance(parts, Packed):
        return {name: parts.take(np.array(places[name], np.intp), own) for name, own in keys.items()}
    return {name: {short: parts[key] for short, key in own.items()} for name, own in keys.items()}


def _of_examples(what: str, add: Callable[[Any, Any], Any]) -> Callable[[Any, Any, bool], Any]:
    """Return how something that examples have is added; a tally without examples lacks nothing."""

    def add_sides(one: Any, other: Any, _shown: bool) -> Any:
        given = [getattr(side, what) for side in (one, other) if side.n] or [getattr(side, what) for side in (one, other)]
        return given[0] if len(given) == 1 else add(*given)

    return add_sides


def _add_sizes(one: Any, other: Any, _shown: bool) -> dict[Key, int]:
    return {**one.sizes, **{key: n + one.sizes.get(key, 0) for key, n in other.sizes.items()}}


def _add_hidden(one: Any, other: Any, _shown: bool) -> tuple[int, int] | None:
    if one.hidden is None or other.hidden is None:
        return None
    return one.hidden[0] + other.hidden[0], one.hidden[1] + other.hidden[1]


def _nothing_or_unknown(hidden: tuple[int, int]) -> tuple[int, int] | None:
    """Return what is hidden in a part of what was counted: it is not known, unless nothing is hidden."""
    return hidden if hidden == (0, 0) else None


def _add_declined(one: Any, other: Any, shown: bool) -> Mapping[Key, Part] | None:
    """Return the examples without a prediction of both, which pairs of classes show."""
    known = [] if shown else [some for side in (one, other) if (some := side.declined_parts()) is not None]
    return merge(*known) if len(known) == 2 else None


def _add_or_reason(one: Any, other: Any) -> Any:
    """Return a sum, or why it is not known."""
    return one + other if not _is_absent(one) and not _is_absent(other) else one if one == other else "merged"


def _add_moments(one: Any, other: Any) -> Any:
    both = _add_or_reason(one, other)
    return both if isinstance(both, str) or usual(both.whole.m) or both.any_size else "many"


def _add_squares(one: Any, other: Any, _shown: bool) -> Any:
    """Return the tally of squared weights of two tallies; a tally of whole examples has weights of 1."""
    if one.squares is None and other.squares is None:
        return None
    sides = [side if side.squares is None and not are_weighted(side.parts) else side.squares for side in (one, other)]
    return None if sides[0] is None or sides[1] is None else sides[0] + sides[1]


STATES: Mapping[str, State] = {  # by the name of the field
    "sizes": State(
        add=_add_sizes,
        split=lambda sizes, groups: {
            name: {short: sizes[key] for short, key in keys.items() if short} for name, keys in groups.keys.items()
        },
        rename=lambda sizes, to: to.rename(sizes),
    ),
    "hidden": State(
        add=_add_hidden,
        only=lambda hidden, _: _nothing_or_unknown(hidden),
        split=lambda hidden, groups: _same_in_each(_nothing_or_unknown(hidden), groups),
        abstain=lambda _: None,
    ),
    "declined": State(
        add=_add_declined,
        widen=lambda parts, to: widen(parts, to.at, len(to.names)),
        only=lambda *_: None,  # who has a prediction among some classes is not known
        split=lambda parts, groups: parts_of_groups(parts, groups.place, groups.keys),
        rename=lambda parts, to: to.rename(parts),
        abstain=lambda _: {},
    ),
    "moments": State(
        add=_of_examples("moments", _add_moments),
        widen=lambda moments, to: moments.widen(to.at, len(to.names)),
        only=lambda moments, to: moments.only(to.at),
        split=lambda moments, groups: {name: moments.take(keys) for name, keys in groups.keys.items()},
        rename=lambda moments, to: moments.with_group_names(to.rename),
        abstain=lambda moments: moments.answered(),
    ),
    "replicates": State(
        add=_of_examples("replicates", _add_or_reason),
        widen=lambda replicates, to: replicates.widen(to.at, len(to.names)),
        only=lambda replicates, to: replicates.only(to.at),
        split=lambda _, groups: _same_in_each("groups", groups),
        abstain=lambda replicates: replicates.answered(),
    ),
    "squares": State(
        add=_add_squares,
        widen=lambda squares, to: squares.widen(to.names),
        only=lambda squares, to: squares.only(to.names),
        split=lambda squares, groups: squares.split(groups.axis, groups.keys),
        rename=lambda squares, to: squares.with_keys(to.by, to.new),
        abstain=lambda squares: squares.answered(),
    ),
    "corrected": State(
        add=_of_examples("corrected", lambda one, other: one or other),  # corrected rows are added before any count is
        widen=lambda corrected, to: corrected.widen(to.at, len(to.names)),
        only=lambda *_: "only",
        split=lambda corrected, groups: {name: corrected.take(groups.axis, name) for name in groups.keys},
        rename=lambda corrected, to: corrected.rename(to.old, to.by, to.new),
        abstain=lambda corrected: corrected.answered(),
    ),
    "by_class": State(add=_of_examples("by_class", lambda one, other: one and other)),
    "shares": State(
        add=_of_examples("shares", lambda one, other: (one or other) and "changed"),
        widen=lambda *_: "changed",
        only=lambda *_: "changed",
        abstain=lambda _: "changed",
    ),
}
