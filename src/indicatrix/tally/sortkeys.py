"""Sort keys: a float as an unsigned integer of the same order, with a label in its lowest bit.

The bits of floats of one sign are ordered like their magnitudes and need one bit less than the float has, so there is room
for the label; negative floats are a run of keys of their own. Integers sort several times faster than pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .kernels import Array

UNSIGNED: dict[int, Any] = {4: np.uint32, 8: np.uint64}
FLOATS: dict[int, Any] = {4: np.float32, 8: np.float64}


@dataclass(frozen=True, eq=False)
class SortedKeys:
    """The keys of scores and labels, ascending in each of two runs, and their weights.

    No key of one run equals one of the other, except for the label: only NaN would have such bits.
    """

    keys: Array  # first those of negative scores
    below: int  # how many these are
    weights: Array | None = None  # one for each key, ascending where keys are equal; None: one each

    @property
    def labels(self) -> Array:
        """Which keys are of positives."""
        labels: Array = (self.keys & self.keys.dtype.type(1)).astype(bool)
        return labels

    @property
    def firsts(self) -> Array:
        """The index of the first key of each distinct score, from the highest score to the lowest."""
        new = np.ones(len(self.keys), bool)
        np.greater(self.keys[1:] ^ self.keys[:-1], self.keys.dtype.type(1), out=new[1:])  # more than the label differs
        return np.arange(len(new) - 1, -1, -1) if new.all() else np.flatnonzero(new)[::-1]

    def scores(self, index: Array) -> Array:
        """Return the scores of some keys as float64; all of them, in descending order, are read without a detour."""
        whole = len(index) == len(self.keys) > 0 and index[0] == len(self.keys) - 1
        bits: Array = (self.keys[::-1] if whole else self.keys[index]) >> self.keys.dtype.type(1)
        if self.below:
            np.invert(bits, out=bits, where=index < self.below)
        return np.asarray(bits.view(FLOATS[bits.dtype.itemsize]), np.float64)

    def runs(self, of: Array) -> tuple[Array, Array]:
        """Return an array beside the keys, cut where the negative scores end."""
        return of[: self.below], of[self.below :]


def as_floats(scores: Array) -> Array:
    """Return scores as contiguous float32 or float64, whichever holds them exactly; too long integers are an error."""
    if scores.dtype in (np.float32, np.float64) and scores.dtype.isnative:
        return np.ascontiguousarray(scores)
    if scores.dtype.kind == "f" and scores.dtype.itemsize < 4:
        return np.ascontiguousarray(scores, np.float32)
    wide = scores.dtype.kind in "iu" and scores.dtype.itemsize == 8
    if wide and scores.size and (int(scores.max()) > 2**53 or int(scores.min()) < -(2**53)):
        raise ValueError("scores hold integers beyond 2**53, which floats cannot tell apart. Rescale them, or give their ranks.")
    return np.ascontiguousarray(scores, np.float64)


def sort_keys(scores: Array, positive: Array, weights: Array | None = None) -> SortedKeys:
    """Return the sorted keys of float scores, none of them NaN, with their labels and weights; -0.0 becomes 0.0.

    >>> some = sort_keys(np.array([-1.5, 3.0, -np.inf]), np.array([True, False, True]))
    >>> some.scores(np.array([0, 1, 2])).tolist(), some.labels.tolist(), some.below
    ([-inf, -1.5, 3.0], [True, True, False], 2)
    """
    keys, negative = _keys(scores, positive)
    below = 0 if negative is None else int(np.count_nonzero(negative))
    if weights is not None:
        order = np.lexsort((weights, keys) if negative is None else (weights, keys, ~negative))
        return SortedKeys(keys[order], below, weights[order])
    if negative is not None:
        keys = np.concatenate((keys[negative], keys[~negative]))
    keys[:below].sort()
    keys[below:].sort()
    return SortedKeys(keys, below)


def merge_keys(states: Sequence[SortedKeys]) -> SortedKeys:
    """Return several arrays of keys as one: the same as if all scores had been sorted at once."""
    if len({state.keys.dtype for state in states}) > 1:
        states = [_widened(state) for state in states]
    runs = [np.concatenate(pieces) for pieces in zip(*(x.runs(x.keys) for x in states), strict=True)]
    below = len(runs[0])
    if all(state.weights is None for state in states):
        for run in runs:
            run.sort(kind="stable")  # ascending pieces are merged, not sorted anew
        return SortedKeys(np.concatenate(runs), below)
    given = [x.runs(np.ones(len(x.keys)) if x.weights is None else x.weights) for x in states]
    weights = np.concatenate([piece for pieces in zip(*given, strict=True) for piece in pieces])
    keys = np.concatenate(runs)
    order = np.lexsort((weights, keys, np.arange(len(keys)) >= below))
    return SortedKeys(keys[order], below, weights[order])


def _keys(scores: Array, positive: Array) -> tuple[Array, Array | None]:
    """Return the key of each score and its label, and which scores are negative (None: none is)."""
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


def _widened(state: SortedKeys) -> SortedKeys:
    """Return keys of float32 scores as the keys of the same scores in float64; their order is the same."""
    if state.keys.dtype == np.uint64:
        return state
    wide = _keys(state.scores(np.arange(len(state.keys))), state.labels)[0]
    return SortedKeys(wide, state.below, state.weights)
