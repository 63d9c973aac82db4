"""Sort keys: a float as an unsigned integer of the same order, with a label in its lowest bit.

The bits of floats of one sign have the same order as their magnitudes and need one bit less than the float has, so there is
room for the label. Negative floats form a separate run of keys. Integers are sorted several times faster than pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.arrays import Array

UNSIGNED: dict[int, Any] = {4: np.uint32, 8: np.uint64}
SIGNED: dict[int, Any] = {4: np.int32, 8: np.int64}
NORMAL, INFINITE = np.array([np.finfo(np.float64).tiny, np.inf]).view(np.uint64)
BLOCK = 1 << 15  # keys at a time, so that intermediate results stay in the cache


@dataclass(frozen=True, eq=False)
class SortedKeys:
    """The keys of scores and labels, ascending in each of two runs, and their weights.

    Without the label, a key of one run never equals a key of the other: only NaN would have such bits.
    """

    keys: Array  # those of negative scores come first
    below: int  # how many keys of negative scores there are
    weights: Array | None = None  # one for each key, in any order where keys are equal; None: one each

    @property
    def bits(self) -> Array:
        """The label of each key as a signed integer: 1 for a positive, 0 for a negative."""
        bits: Array = self.keys & self.keys.dtype.type(1)
        return np.asarray(bits.view(SIGNED[bits.dtype.itemsize]))

    @property
    def above(self) -> Array:
        """The number of positives among the k highest keys, for k = 0 to all."""
        above = np.zeros(len(self.keys) + 1, np.int64)
        np.bitwise_and(self.keys[::-1], self.keys.dtype.type(1), out=above[1:].view(np.uint64))
        return np.cumsum(above, out=above)

    @property
    def labels(self) -> Array:
        """Which keys belong to positives."""
        return self.bits.astype(bool)

    @property
    def firsts(self) -> Array | None:
        """The index of the first key of each distinct score, from the highest score to the lowest.

        None means that all scores are distinct.
        """
        new, room, one = np.ones(len(self.keys), bool), np.empty(BLOCK, self.keys.dtype), self.keys.dtype.type(1)
        for start in range(1, len(new), BLOCK):
            here = self.keys[start : start + BLOCK]
            differ = np.bitwise_xor(here, self.keys[start - 1 : start - 1 + len(here)], out=room[: len(here)])
            np.greater(differ, one, out=new[start : start + BLOCK])  # more than the label differs
        return None if new.all() else np.flatnonzero(new)[::-1]

    def thresholds(self, index: Array | None = None) -> Array:
        """Return +inf, then the scores of some keys, or of all keys, as float64.

        The keys are given from the highest to the lowest.
        """
        keys = self.keys[::-1] if index is None else self.keys[index]
        thresholds = np.empty(len(keys) + 1)
        thresholds[0], scores = np.inf, thresholds[1:]
        wide = keys.dtype == np.uint64  # then the bits are those of the result
        bits = np.right_shift(keys, keys.dtype.type(1), out=scores.view(np.uint64) if wide else None)
        below = self.below if index is None else np.count_nonzero(index < self.below)
        np.invert(bits[len(bits) - below :], out=bits[len(bits) - below :])
        if not wide:
            scores[:] = bits.view(np.float32)
        return thresholds

    def runs(self, of: Array) -> tuple[Array, Array]:
        """Return an array with one entry per key, divided where the negative scores end."""
        return of[: self.below], of[self.below :]


def as_floats(scores: Array) -> Array:
    """Return scores as contiguous float32 or float64, whichever holds them exactly.

    Integers that are too long are an error.
    """
    if scores.dtype in (np.float32, np.float64) and scores.dtype.isnative:
        return np.ascontiguousarray(scores)
    if scores.dtype.kind == "f" and scores.dtype.itemsize < 4:
        return np.ascontiguousarray(scores, np.float32)
    wide = scores.dtype.kind in "iu" and scores.dtype.itemsize == 8
    if wide and scores.size and (int(scores.max()) > 2**53 or int(scores.min()) < -(2**53)):
        raise ValueError("scores hold integers beyond 2**53, which floats cannot tell apart. Rescale them, or give their ranks.")
    return np.ascontiguousarray(scores, np.float64)


def as_kept(scores: Array) -> Array:
    """Return scores as floats that hold them exactly.

    Half precision stays, because thresholds are compared with scores in the precision of the scores.

    >>> [as_kept(np.zeros(1, dtype)).dtype.name for dtype in ("f2", "f4", "i4")]
    ['float16', 'float32', 'float64']
    """
    half = scores.dtype.kind == "f" and scores.dtype.itemsize == 2
    return np.ascontiguousarray(scores, np.float16) if half else as_floats(scores)


def sort_keys(scores: Array, positive: Array, weights: Array | None = None) -> SortedKeys:
    """Return the sorted keys of float scores, with their labels and weights; -0.0 becomes 0.0.

    No score may be NaN.

    >>> some = sort_keys(np.array([-1.5, 3.0, -np.inf]), np.array([True, False, True]))
    >>> some.thresholds().tolist(), some.labels.tolist(), some.below
    ([inf, 3.0, -1.5, -inf], [True, True, False], 2)
    """
    keys, negative = _keys(scores, positive)
    below = 0 if negative is None else int(np.count_nonzero(negative))
    if weights is not None:
        order = _order(keys, negative)
        return SortedKeys(keys[order], below, weights[order])
    if negative is not None:
        keys = np.concatenate((keys[negative], keys[~negative]))
    _sort(keys[:below])
    _sort(keys[below:])
    return SortedKeys(keys, below)


def _sort(keys: Array) -> None:
    """Sort in place.

    Integers that are the bits of ordinary positive floats have the order of these floats, and floats may be sorted faster.
    """
    plain = keys.dtype == np.uint64 and len(keys) and keys.min() >= NORMAL and keys.max() < INFINITE
    (keys.view(np.float64) if plain else keys).sort()


def merge_keys(states: Sequence[SortedKeys]) -> SortedKeys:
    """Return several arrays of keys as one, as if all scores had been sorted together."""
    if len({state.keys.dtype for state in states}) > 1:
        states = [_widen(state) for state in states]
    runs = [np.concatenate(pieces) for pieces in zip(*(x.runs(x.keys) for x in states), strict=True)]
    below = len(runs[0])
    if all(state.weights is None for state in states):
        for run in runs:
            run.sort(kind="stable")  # ascending pieces are merged, not sorted again
        return SortedKeys(np.concatenate(runs), below)
    given = [x.runs(np.ones(len(x.keys)) if x.weights is None else x.weights) for x in states]
    weights = np.concatenate([piece for pieces in zip(*given, strict=True) for piece in pieces])
    keys = np.concatenate(runs)
    order = _order(keys, np.arange(len(keys)) < below)
    return SortedKeys(keys[order], below, weights[order])


def _keys(scores: Array, positive: Array) -> tuple[Array, Array | None]:
    """Return the key of each score and its label, and which scores are negative (None: no score)."""
    unsigned = UNSIGNED[scores.dtype.itemsize]
    one, sign = unsigned(1), unsigned(1 << (8 * scores.dtype.itemsize - 1))
    bits, label = scores.view(unsigned), positive.view(np.uint8)
    negative = None
    if len(bits) and bits.max() >= sign:
        bits = (scores + scores.dtype.type(0)).view(unsigned)  # -0.0 becomes 0.0
        negative = bits >= sign
        bits = np.where(negative, ~bits, bits)
    keys = bits << one
    keys |= label
    return keys, negative


def _widen(state: SortedKeys) -> SortedKeys:
    """Return keys of float32 scores as the keys of the same scores in float64; their order is the same."""
    if state.keys.dtype == np.uint64:
        return state
    wide = _keys(state.thresholds()[:0:-1].copy(), state.labels)[0]
    return SortedKeys(wide, state.below, state.weights)


def _order(keys: Array, negative: Array | None) -> Array:
    """Return the order of keys, those of negative scores first."""
    if negative is None:
        return stable_order(keys)[0]
    runs = np.flatnonzero(negative), np.flatnonzero(~negative)
    return np.concatenate([run[stable_order(keys[run])[0]] for run in runs])


def stable_order(keys: Array) -> tuple[Array, Array]:
    """Return the stable order of unsigned integers, and the integers in that order.

    The integers are sorted with their places in the lowest bits; that is several times faster than sorting places. Where no
    bits are left for the places, they replace the lowest bits of the integers. The few integers that come out of order by this
    are sorted afterwards.

    >>> [x.tolist() for x in stable_order(np.array([7, 2, 7], np.uint64))]
    [[1, 0, 2], [2, 7, 7]]
    """
    room = np.uint64(max(len(keys) - 1, 0).bit_length())
    places = (np.uint64(1) << room) - np.uint64(1)
    codes = keys.astype(np.uint64)
    if keys.dtype == np.uint32:
        codes <<= np.uint64(32)
    codes &= ~places
    codes |= np.arange(len(keys), dtype=np.uint64)
    codes.sort()
    order = (codes & places).astype(np.intp)
    ascending = keys[order]
    if (ascending[1:] < ascending[:-1]).any():
        _untangle(keys, order, ascending, codes >> room)
    return order, ascending


def falling_order(scores: Array) -> Array:
    """Return the places of numbers from the highest to the lowest; equal ones keep their order.

    >>> falling_order(np.array([0.5, -0.0, 2.0, 0.0, -1.0, 2.0])).tolist()
    [2, 5, 0, 1, 3, 4]
    """
    if scores.dtype not in (np.float32, np.float64):
        return len(scores) - 1 - np.argsort(scores[::-1], kind="stable")[::-1]  # integers have no safe minus
    unsigned = UNSIGNED[scores.dtype.itemsize]
    sign = unsigned(1 << (8 * scores.dtype.itemsize - 1))
    bits = (scores + scores.dtype.type(0)).view(unsigned)  # -0.0 becomes 0.0
    return stable_order(np.where(bits >= sign, bits, sign - unsigned(1) - bits))[0]


def _untangle(keys: Array, order: Array, ascending: Array, shared: Array) -> None:
    """Sort, in place, the keys whose highest bits, ``shared``, are equal."""
    bad = np.unique(shared[1:][ascending[1:] < ascending[:-1]])
    starts, ends = (np.searchsorted(shared, bad, side) for side in ("left", "right"))
    sizes = ends - starts
    at = np.repeat(ends - np.cumsum(sizes), sizes) + np.arange(sizes.sum())
    some = order[at]
    order[at] = some = some[np.argsort(keys[some], kind="stable")]
    ascending[at] = keys[some]
