"""Parts of many groups, of which only the counts that occur are kept.

A group of two examples touches few of a thousand classes. Seen from outside this is a mapping from the name of a group to its
part, which is made when it is asked for; inside there is one entry for each pair, or each class, that occurs in a group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from .group_counts import ROOM, CrossTable, Key, Part, Summed, distinct, four_counts, with_room


@dataclass(frozen=True, eq=False, slots=True)
class PackedTables(Mapping[Key, CrossTable]):
    """Tables of pairs: how often each pair (true, predicted) occurs in each group."""

    keys_: tuple[Key, ...]
    m: int
    owner: Array  # the group of each entry, ascending
    slot: Array  # the pair, true * (m + 1) + predicted, ascending within a group
    times: Array  # not zero
    masked: tuple[Any, ...]  # of each group
    zero: Any = 0  # the number that is not kept: a fraction where examples are weighted
    _places: dict[Key, int] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.keys_)

    def __iter__(self) -> Iterator[Key]:
        return iter(self.keys_)

    def __getitem__(self, key: Key) -> CrossTable:
        g = _place(self, key)
        start, stop = np.searchsorted(self.owner, [g, g + 1])
        table = _zeros(((self.m + 1) ** 2,), self.times.dtype, self.zero)
        table[self.slot[start:stop]] = self.times[start:stop]
        return CrossTable(table.reshape(self.m + 1, -1), self.masked[g])

    def total(self) -> CrossTable:
        """Return the sum of all groups."""
        times = with_room(self.times)
        table = _sum_at(self.slot, times, (self.m + 1) ** 2, self.zero)
        return CrossTable(table.reshape(self.m + 1, -1), sum(self.masked))

    def cells(self, unit: Array, k: int) -> Array:
        """Return tp, fp, fn, tn per class of k units, as a k x 4 x m array; ``unit`` is that of each group."""
        at, (true, pred), times, m = unit[self.owner], divmod(self.slot, self.m + 1), with_room(self.times), self.m
        sides = ((true == pred) & (true < m), true), (true < m, true), (pred < m, pred)
        tp, tpos, ppos = (
            _sum_at(at[here] * m + column[here], times[here], k * m, self.zero).reshape(k, m) for here, column in sides
        )
        return np.moveaxis(four_counts(tp, tpos, ppos, _sum_at(at, times, k, self.zero)[:, None]), 0, 1)

    def sums(self, unit: Array, k: int) -> Array:
        """Return tp, fp, fn, tn of k units, summed over classes, as a k x 4 array."""
        at, (true, pred), times, m = unit[self.owner], divmod(self.slot, self.m + 1), with_room(self.times), self.m
        chosen = (true == pred) & (true < m), true < m, pred < m, np.ones(len(at), bool)
        tp, tpos, ppos, n = (_sum_at(at[here], times[here], k, self.zero) for here in chosen)
        return four_counts(tp, tpos, ppos, _of_all_classes(n, m)).T

    def example_rows(self) -> tuple[Array, Array, Array]:
        """Return the group, the row (tp, fp, fn, tn) and the number of the examples of each pair of a group."""
        true, pred = divmod(self.slot, self.m + 1)
        tp, actual, guessed = (true == pred) & (true < self.m), true < self.m, pred < self.m
        three = np.stack([tp, guessed & ~tp, actual & ~tp]).astype(np.int64)
        return self.owner, np.concatenate([three, self.m - three.sum(axis=0, keepdims=True)]), self.times

    def widen(self, position: Array, m: int) -> PackedTables:
        """Return the same counts on ``m`` classes, with the old classes at the given positions."""
        place = np.append(position, m)
        true, pred = (place[side] for side in divmod(self.slot, self.m + 1))
        return _tables(replace(self, m=m), self.owner, true * (m + 1) + pred, self.times)

    def merge(self, other: PackedTables) -> PackedTables:
        """Return the sums of the groups of both, on the same classes."""
        keys, mine, theirs = _union(self.keys_, other.keys_)
        masked = [0] * len(keys)
        for part, places in ((self, mine), (other, theirs)):
            for k, times in zip(places.tolist(), part.masked, strict=True):
                masked[k] += times
        wide = replace(self, keys_=keys, masked=tuple(masked), _places={})
        owner = np.concatenate([mine[self.owner], theirs[other.owner]])
        return _tables(wide, owner, *(np.concatenate(two) for two in ((self.slot, other.slot), (self.times, other.times))))

    def take(self, groups: Array, keys: Iterable[Key]) -> PackedTables:
        """Return some groups, in ascending order, under other names."""
        at, owner = _entries_of(self.owner, groups)
        masked = tuple(self.masked[g] for g in groups.tolist())
        return replace(self, keys_=(*keys,), owner=owner, slot=self.slot[at], times=self.times[at], masked=masked, _places={})

    def pool(self, unit: Array, keys: tuple[Key, ...]) -> PackedTables:
        """Return the sums of groups; ``unit`` is the new group of each."""
        masked = [0] * len(keys)
        for k, times in zip(unit.tolist(), self.masked, strict=True):
            masked[k] += times
        return _tables(
            replace(self, keys_=keys, masked=tuple(masked), _places={}), unit[self.owner], self.slot, with_room(self.times)
        )

    def in_order(self, order: Array) -> PackedTables:
        """Return the same groups in another order, which names the old place of each."""
        masked = tuple(self.masked[g] for g in order.tolist())
        other = replace(self, keys_=tuple(self.keys_[g] for g in order.tolist()), masked=masked, _places={})
        return _tables(other, np.argsort(order)[self.owner], self.slot, self.times)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedTables) and self.keys_ == other.keys_ and self.m == other.m:
            same = ((self.owner, other.owner), (self.slot, other.slot), (self.times, other.times))
            return self.masked == other.masked and all(np.array_equal(a, b) for a, b in same)
        return _equal_one_by_one(self, other)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False, slots=True)
class PackedCounts(Mapping[Key, Summed]):
    """Counts per class of each group, for classes that occur or are predicted, and distinct example rows."""

    keys_: tuple[Key, ...]
    m: int
    owner: Array  # the group of each entry, ascending
    slot: Array  # the class, ascending within a group
    counts: Array  # tp, fp, fn of each entry, not all zero
    observed: Array  # tp + fp + fn + tn of every class, for each group
    rows: Array  # group, tp, fp, fn, tn of each distinct row, in order
    times: Array  # how often each of them occurs
    zero: Any = 0
    _places: dict[Key, int] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.keys_)

    def __iter__(self) -> Iterator[Key]:
        return iter(self.keys_)

    def __getitem__(self, key: Key) -> Summed:
        g = _place(self, key)
        (start, stop), (first, last) = (np.searchsorted(owner, [g, g + 1]) for owner in (self.owner, self.rows[0]))
        four, at = _zeros((4, self.m), self.counts.dtype, self.zero), self.slot[start:stop]
        four[:3, at] = self.counts[:, start:stop]
        four[3] = self.observed[g]
        four[3, at] -= self.counts[:, start:stop].sum(axis=0)
        return Summed(four, self.rows[1:, first:last].copy(), self.times[first:last].copy())

    def total(self) -> Summed:
        """Return the sum of all groups."""
        four = self.cells(np.zeros(len(self), np.intp), 1)[0]
        return Summed(four, *distinct(self.rows[1:], with_room(self.times)))

    def cells(self, unit: Array, k: int) -> Array:
        """Return tp, fp, fn, tn per class of k units, as a k x 4 x m array; ``unit`` is that of each group."""
        at = unit[self.owner] * self.m + self.slot
        three = [_sum_at(at, x, k * self.m, self.zero).reshape(k, self.m) for x in with_room(self.counts)]
        n = _sum_at(unit, with_room(self.observed), k, self.zero)[:, None]
        return np.stack([*three, n - three[0] - three[1] - three[2]], axis=1)

    def sums(self, unit: Array, k: int) -> Array:
        """Return tp, fp, fn, tn of k units, summed over classes, as a k x 4 array."""
        three = [_sum_at(unit[self.owner], x, k, self.zero) for x in with_room(self.counts)]
        n = _sum_at(unit, with_room(self.observed), k, self.zero)
        return np.stack([*three, _of_all_classes(n, self.m) - three[0] - three[1] - three[2]], axis=1)

    def example_rows(self) -> tuple[Array, Array, Array]:
        """Return the group, the counts (tp, fp, fn, tn) and the times of each distinct row of a group."""
        return self.rows[0].astype(np.intp), self.rows[1:], self.times

    def widen(self, position: Array, m: int) -> PackedCounts:
        """Return the same counts on ``m`` classes, with the old classes at the given positions.

        The new classes have only true negatives.
        """
        seen = self.rows[1:].sum(axis=0) > 0 if self.m else np.ones(self.rows.shape[1], bool)
        rows = self.rows.copy()
        rows[4, seen] += m - self.m
        observed = _sum_at(rows[0, seen], self.times[seen], len(self), self.zero)
        wide = replace(self, m=m, observed=observed, rows=rows)
        return _counts(wide, self.owner, position[self.slot], self.counts)

    def merge(self, other: PackedCounts) -> PackedCounts:
        """Return the sums of the groups of both, on the same classes."""
        keys, mine, theirs = _union(self.keys_, other.keys_)
        sides = (self, mine), (other, theirs)
        owner, slot = (np.concatenate(x) for x in ([at[p.owner] for p, at in sides], [p.slot for p, _ in sides]))
        rows = np.concatenate([np.concatenate([at[p.rows[:1]], p.rows[1:]]) for p, at in sides], axis=1)
        groups, observed = (np.concatenate(x) for x in ([mine, theirs], [p.observed for p, _ in sides]))
        wide = replace(
            self,
            keys_=keys,
            observed=_sum_at(groups, with_room(observed), len(keys), self.zero),
            rows=rows,
            times=with_room(np.concatenate([self.times, other.times])),
            _places={},
        )
        return _counts(wide, owner, slot, with_room(np.concatenate([self.counts, other.counts], axis=1)))

    def take(self, groups: Array, keys: Iterable[Key]) -> PackedCounts:
        """Return some groups, in ascending order, under other names."""
        at, owner = _entries_of(self.owner, groups)
        here, rows = _entries_of(self.rows[0], groups)
        return replace(
            self,
            keys_=(*keys,),
            owner=owner,
            slot=self.slot[at],
            counts=self.counts[:, at],
            observed=self.observed[groups],
            rows=np.concatenate([rows[None], self.rows[1:, here]]),
            times=self.times[here],
            _places={},
        )

    def pool(self, unit: Array, keys: tuple[Key, ...]) -> PackedCounts:
        """Return the sums of groups; ``unit`` is the new group of each."""
        observed = _sum_at(unit, with_room(self.observed), len(keys), self.zero)
        rows, times = np.concatenate([unit[self.rows[:1]], self.rows[1:]]), with_room(self.times)
        pooled = replace(self, keys_=keys, observed=observed, rows=rows, times=times, _places={})
        return _counts(pooled, unit[self.owner], self.slot, with_room(self.counts))

    def in_order(self, order: Array) -> PackedCounts:
        """Return the same groups in another order, which names the old place of each."""
        place = np.argsort(order)
        other = replace(
            self,
            keys_=tuple(self.keys_[g] for g in order.tolist()),
            observed=self.observed[order],
            rows=np.concatenate([place[self.rows[:1]], self.rows[1:]]),
            _places={},
        )
        return _counts(other, place[self.owner], self.slot, self.counts)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedCounts) and self.keys_ == other.keys_ and self.m == other.m:
            names = ("owner", "slot", "counts", "observed", "rows", "times")
            return all(np.array_equal(getattr(self, x), getattr(other, x)) for x in names)
        return _equal_one_by_one(self, other)

    __hash__ = None  # type: ignore[assignment]


Packed = PackedTables | PackedCounts


def pack(items: Iterable[tuple[Key, Part]], m: int) -> Mapping[Key, Part]:
    """Return parts packed, or as a plain dictionary if they are of several kinds or cannot be packed.

    The parts are read one after the other, so that only one of them needs the memory of all its classes.
    """
    given, read = iter(items), list[tuple[Key, Any]]()
    form: Any = None
    for key, part in given:
        own = _form(part)
        form = own if not read else form
        if own is None or own != form:
            return {**_build(read, m), key: part, **dict(given)}
        read.append((key, _sparse(part)))
    return _build(read, m)


def _form(part: Part) -> tuple[Any, ...] | None:
    """Return what parts that are packed together have in common; None if a part cannot be packed."""
    if isinstance(part, CrossTable):
        return (CrossTable, part.table.dtype) if part.table.dtype.kind in "iO" else None  # corrected tables are of floats
    if part.per_example is None or part.times is None or part.per_class.dtype != part.times.dtype or part.unseen:
        return None
    if part.per_example.dtype.kind != "i":  # soft labels: as many rows as examples, and cells that are not counts
        return None
    totals = part.per_class.sum(axis=0)
    same = not len(totals) or bool((totals == totals[0]).all())  # otherwise entries were masked, or cells are not counts
    return (Summed, part.times.dtype) if same and part.times.dtype.kind in "iO" else None


def _sparse(part: Part) -> tuple[Any, ...]:
    """Return what is kept of a part: slots, counts, a number for the rest, a zero; of counts also rows."""
    if isinstance(part, CrossTable):
        flat = part.table.ravel()
        slot = np.flatnonzero(flat)
        return slot, flat[slot], part.masked, flat[0] * 0
    slot = np.flatnonzero((part.per_class[:3] != 0).any(axis=0))
    rows, times = part.rows()
    observed = part.per_class[:, 0].sum() if part.per_class.shape[1] else times.sum()
    zero = times[0] * 0 if len(times) else part.per_class[0, 0] * 0 if part.per_class.shape[1] else 0
    return slot, part.per_class[:3, slot], observed, zero, rows, times


def _build(read: list[tuple[Key, Any]], m: int) -> Mapping[Key, Part]:
    """Return the packed groups of what was kept of each part."""
    if not read:
        return {}
    keys, parts = tuple(key for key, _ in read), [part for _, part in read]
    owner = np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts])
    slot, counts = (np.concatenate([part[k] for part in parts], axis=-1) for k in (0, 1))
    if len(parts[0]) == 4:
        return PackedTables(keys, m, owner, slot, counts, tuple(part[2] for part in parts), _plain(parts[0][3]))
    rows = np.concatenate([part[4] for part in parts], axis=1)
    group = np.repeat(np.arange(len(parts)), [len(part[5]) for part in parts])
    observed = np.array([part[2] for part in parts], counts.dtype)
    times = np.concatenate([part[5] for part in parts])
    return PackedCounts(keys, m, owner, slot, counts, observed, _with_groups(group, rows), times, _plain(parts[0][3]))


def _plain(zero: Any) -> Any:
    return zero.item() if isinstance(zero, np.integer) else zero


def _with_groups(group: Array, rows: Array) -> Array:
    return np.concatenate([group[None].astype(rows.dtype), rows])


def _tables(packed: PackedTables, owner: Array, slot: Array, times: Array) -> PackedTables:
    """Return packed tables with these entries, in order, each pair of a group once."""
    owner, slot, times = _once(owner, slot, times)
    return replace(packed, owner=owner, slot=slot, times=times)


def _counts(packed: PackedCounts, owner: Array, slot: Array, counts: Array) -> PackedCounts:
    """Return packed counts with these entries, in order, each class and each row of a group once."""
    owner, slot, counts = _once(owner, slot, counts)
    rows, times = distinct(packed.rows, packed.times)
    return replace(packed, owner=owner, slot=slot, counts=counts, rows=rows, times=times)


def _once(owner: Array, slot: Array, counts: Array) -> tuple[Array, Array, Array]:
    """Return entries in order: the sum of those that occur several times, without those that are zero."""
    if not len(owner):
        return owner, slot, counts
    width = int(slot.max()) + 1
    if (int(owner.max()) + 1) * width < 2**63:
        order = np.argsort(owner * width + slot, kind="stable")  # in linear time where two sides, each in order, are added
    else:
        order = np.lexsort((slot, owner))
    owner, slot, counts = owner[order], slot[order], with_room(counts[..., order])
    first = np.flatnonzero(np.append(True, (owner[1:] != owner[:-1]) | (slot[1:] != slot[:-1])))
    return drop_zeros(owner[first], slot[first], np.add.reduceat(counts, first, axis=-1))


def drop_zeros(owner: Array, slot: Array, counts: Array) -> tuple[Array, Array, Array]:
    """Return the entries that are not zero; weights can be zero, or cancel."""
    kept = counts != 0 if counts.ndim == 1 else (counts != 0).any(axis=0)
    return owner[kept], slot[kept], counts[..., kept]


def _place(packed: Packed, key: Key) -> int:
    """Return the number of a group."""
    if not packed._places:
        packed._places.update({name: g for g, name in enumerate(packed.keys_)})
    return packed._places[key]


def _entries_of(owner: Array, groups: Array) -> tuple[Array, Array]:
    """Return the entries of some groups, in ascending order, and the new number of the group of each."""
    starts, stops = np.searchsorted(owner, groups), np.searchsorted(owner, groups + 1)
    sizes = stops - starts
    new = np.repeat(np.arange(len(groups)), sizes)
    return np.arange(len(new)) - np.repeat(np.cumsum(sizes) - sizes - starts, sizes), new


def _union(one: tuple[Key, ...], other: tuple[Key, ...]) -> tuple[tuple[Key, ...], Array, Array]:
    """Return the names of two sets of groups, each once, and the place of each group of both."""
    place = {key: k for k, key in enumerate(dict.fromkeys((*one, *other)))}
    return tuple(place), *(np.array([place[key] for key in keys], np.intp) for keys in (one, other))  # type: ignore[return-value]


def _of_all_classes(n: Array, m: int) -> Array:
    """Return the number of entries in units of n examples and m classes."""
    return (n if n.dtype == object or n.sum(dtype=float) * m < ROOM else n.astype(object)) * m


def _sum_at(at: Array, values: Array, size: int, zero: Any) -> Array:
    """Return the sums of the values at each of ``size`` places."""
    out = _zeros((size,), values.dtype, zero)
    np.add.at(out, at, values)
    return out


def _zeros(shape: tuple[int, ...], dtype: np.dtype[Any], zero: Any) -> Array:
    if dtype.kind != "O":
        return np.zeros(shape, dtype)
    out = np.empty(shape, object)
    out[...] = zero
    return out


def _equal_one_by_one(packed: Packed, other: object) -> bool:
    if not isinstance(other, Mapping) or packed.keys() != other.keys():
        return False
    return all(part == other[key] for key, part in packed.items())
