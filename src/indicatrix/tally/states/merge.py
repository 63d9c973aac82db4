"""Merging the groups of two tallies.

Many parts are widened and added together; the result is the same as one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from ...algebra.arrays import Array
from .group_counts import ENTRIES, ROOM, CrossTable, Key, Part, Summed, distinct
from .packed_groups import Packed, PackedCounts, PackedTables, pack


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


FIELDS = (("per_class", 0), ("per_example", 1), ("times", 0))  # the arrays of a part, and the axis along which they are joined


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
