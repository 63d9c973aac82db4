"""Steps: which examples are accepted at every threshold of a score (prop:roc, errata A16).

Every curve is built on them.

Sort keys: a float as an unsigned integer of the same order, with a label in its lowest bit.

The bits of floats of one sign have the same order as their magnitudes and need one bit less than the float has, so there is
room for the label. Negative floats form a separate run of keys. Integers are sorted several times faster than pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.arrays import Array, quiet, refuse_where
from ..algebra.numbers.functions import ratio
from ..encode.containers import read
from ..encode.plain_forms import Labels, is_missing
from ..encode.weights import check_weights, not_numbers


def steps(scores: Array, amounts: Any) -> tuple[Array, Array]:
    """Return the thresholds of a score, and sums over the examples with score >= threshold.

    The thresholds go from +inf down to the lowest score. ``amounts`` has k rows with one number per example; the sums are a k x
    t array. The first threshold accepts nothing, even where a score is +inf; examples with equal scores are accepted together.
    Sums of integers and of fractions are exact, sums of floats are the exact ones, correctly rounded, so that the order of the
    examples changes nothing.

    >>> thresholds, sums = steps(np.array([0.9, 0.2, 0.9]), np.array([[1, 1, 1], [0, 1, 1]]))
    >>> thresholds.tolist(), sums.tolist()
    ([inf, 0.9, 0.2], [[0, 2, 3], [0, 1, 2]])
    """
    order = np.argsort(scores, kind="stable")[::-1]
    ranked = scores[order]
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], np.ones(min(len(ranked), 1), bool)))  # of each run of ties
    thresholds = np.concatenate(([np.inf], ranked[last].astype(np.float64)))
    sums = [_running_sums(np.asarray(row)[order], last) for row in amounts]
    return thresholds, np.stack([np.concatenate((np.zeros(1, x.dtype), x)) for x in sums])


def check_scores(scores: Any, n: int, argument: str, observed: Array | None = None) -> Array:
    """Return one number per example; infinite numbers are allowed.

    Text, missing scores and a wrong length are errors. What was not ``observed`` is not read: it may be missing, and is 0 here.

    >>> check_scores([0.5, None], 2, "scores", np.array([True, False])).tolist()
    [0.5, 0.0]
    """
    form = read(scores, argument)
    if not isinstance(form, Labels):
        raise ValueError(f"{argument} must have one number per example, in one dimension.")
    if observed is not None and len(form) == n:
        form = _fill_unobserved(form, observed)
    values = np.asarray(form.values)
    text = values.dtype == object and any(isinstance(v, str | bytes) for v in values)
    if form.categories is not None or values.dtype.kind not in "biufO" or text:
        raise not_numbers(argument)
    if len(values) != n:
        raise ValueError(f"{argument} has {len(values)} entries for {n} examples. Give one number per example.")
    absent = np.array([is_missing(v) for v in values], bool) if values.dtype == object else values != values
    if absent.any():
        raise ValueError(f"{argument}[{int(absent.argmax())}] is NaN: every example needs a number. Fill it, or drop the row.")
    try:
        numbers = values.astype(np.float64) if values.dtype == object else values
    except OverflowError:
        raise ValueError(f"{argument} holds a number beyond the range of floats. Rescale these, or give their ranks.") from None
    rounded = not isinstance(form.values, np.ndarray) and numbers.dtype.kind == "f" and np.abs(numbers).max(initial=0) >= 2**53
    if values.dtype == object or rounded:
        _check_told_apart(form.values, numbers.tolist(), argument)
    return numbers


def _check_told_apart(given: Any, floats: list[float], argument: str) -> None:
    """Raise an error if different numbers become the same float: in a ranking they would be tied."""
    first: dict[float, Any] = {}
    for i, (value, number) in enumerate(zip(given, floats, strict=True)):
        if first.setdefault(number, value) != value:
            raise ValueError(
                f"{argument}[{i}] = {value} and {first[number]} are different numbers and one float. Rescale them, or give their "
                "ranks."
            )


def _fill_unobserved(form: Labels, observed: Array) -> Labels:
    """Return a column of numbers with 0 in place of those that were not observed."""
    values = form.values
    if form.categories is not None or (isinstance(values, np.ndarray) and values.dtype.kind not in "fO"):
        return form
    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        return Labels(np.where(observed, values, values.dtype.type(0)))
    return Labels([v if here else 0.0 for v, here in zip(values, observed.tolist(), strict=True)])


def _running_sums(row: Array, last: Array) -> Array:
    """Return the sums of the first last + 1 numbers, without intermediate rounding."""
    if row.dtype.kind == "f":
        return _running_floats(row.astype(np.float64, copy=False), last)
    if row.dtype.kind in "biu" and row.size and max(abs(int(row.min())), abs(int(row.max()))) * row.size >= 2**62:
        row = row.astype(object)  # Python integers do not overflow
    sums: Array = np.cumsum(row, dtype=object if row.dtype == object else np.int64)[last]
    return sums


LIMB = 28  # bits: the sum of 2**25 such numbers is exact in float64


def _running_floats(row: Array, last: Array) -> Array:
    """Return the running sums of floats, each rounded once.

    A float is an integer times a power of two. All floats are written as multiples of the smallest such power and divided into
    limbs of a few bits; the limbs are summed as integers.
    """
    if not np.isfinite(row).all():
        raise ValueError(f"amounts[{int(np.argmin(np.isfinite(row)))}] is not finite. Give finite numbers.")
    mantissa, exponent = np.frexp(row)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    here = whole != 0
    if not here.any():
        return np.zeros(len(last))
    trailing = np.frexp((whole & -whole).astype(np.float64))[1] - 1  # zero bits at the end
    unit = int((exponent - 53 + trailing)[here].min())
    span = int(exponent[here].max()) - unit
    sign, magnitude = np.sign(whole), np.abs(whole).astype(np.uint64)
    limbs = []
    for start in range(0, span, LIMB):
        offset = start - (exponent - 53 - unit)  # of this limb in the 53 bits of each number
        down, up = (np.clip(x, 0, most).astype(np.uint64) for x, most in ((offset, 63), (-offset, LIMB)))
        bits = ((magnitude >> down) << up) & np.uint64((1 << LIMB) - 1)
        limbs.append(np.cumsum(sign * bits.astype(np.int64))[last])
    return _round(limbs, unit, len(row))


def _round(limbs: list[Array], unit: int, n: int) -> Array:
    """Return numbers in limbs, the lowest first, in units of a power of two, as the nearest floats."""
    if len(limbs) <= 2 and n < 1 << (53 - LIMB):
        total = limbs[0].astype(np.float64)
        if len(limbs) == 2:
            total += np.ldexp(limbs[1].astype(np.float64), LIMB)  # both exact: one rounding
        with quiet():  # a sum that is too large is infinite
            return np.ldexp(total, unit)
    totals = sum(limb.astype(object) << (LIMB * k) for k, limb in enumerate(limbs))
    scale, divisor = 1 << max(unit, 0), 1 << max(-unit, 0)
    return np.array([ratio(total * scale, divisor) for total in np.atleast_1d(totals)], np.float64)


ROUNDING = 4 * np.finfo(np.float64).eps  # shares of weights such as 0.1 are rounded: three of ten can be slightly more than 0.3


def check_point(name: str, of: str, share: float | None, threshold: float | None) -> None:
    """Raise an error unless exactly one of a share (of this name) and a threshold is given."""
    if (share is None) == (threshold is None):
        raise TypeError(f"at() takes either {name}= or threshold=. Pass exactly one of them.")
    if share is not None and not 0 <= share <= 1:
        raise ValueError(f"{name}={share!r}: give a share of the {of}, from 0 to 1.")
    if threshold is not None and threshold != threshold:
        raise ValueError("threshold= is NaN; give a number.")


def place_of(thresholds: Array, shares: Array, share: float | None, threshold: float | None) -> int:
    """Return the last place that the given share or threshold allows.

    Its share is not above the given one, up to rounding, or its threshold is not below it.

    >>> place_of(np.array([np.inf, 0.9, 0.7]), np.array([0.0, 0.5, 1.0]), 0.8, None)
    1
    """
    within = thresholds >= threshold if share is None else shares <= share * (1 + ROUNDING)
    within[0] = True  # nothing is accepted there, so every limit allows it
    return int(np.flatnonzero(within)[-1])


def weights_of(given: Any, n: int) -> Array | None:
    """Return sample weights, one per example; negative weights are an error."""
    weights = check_weights(given, n, signed=True)
    if weights is not None:
        why = "a curve only grows, so a weight must not be negative. Drop this row."
        refuse_where(weights < 0, "sample_weight", weights, why)
    return weights


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
