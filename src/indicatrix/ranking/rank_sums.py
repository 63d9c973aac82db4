"""AUC and average precision: their definitions, and the two rank sums behind them.

Sums of weights are as errata A15 and A16 say.

The definitions read cumulative positives and negatives ``tp`` and ``fp`` at falling thresholds, along the last axis: integers,
sums of weights or fractions, of one ranking or of many rows. Rank sums, the faster way to the same numbers of rankings without
weights, take the labels in the order of their scores; the definitions are what they are tested against.

Sorting takes most of the time. Half as many bits are sorted twice as fast, so the range of the scores is first divided into
2**31 cells of equal width. A few cells hold several scores; these are sorted by the scores themselves. The result is exact.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.numbers.functions import ratio
from .threshold_steps import SortedKeys, sort_keys, steps


def area_under_roc(tp: Array, fp: Array) -> Any:
    """Return the area under the ROC curve by the trapezoidal rule.

    A tie counts one half. The area is nan if there is no pair of a positive and a negative.

    >>> float(area_under_roc(np.array([0, 1, 1]), np.array([0, 1, 2])))
    0.75
    """
    twice = (np.diff(fp) * (tp[..., 1:] + tp[..., :-1])).sum(axis=-1)
    return ratio(twice, 2 * tp[..., -1] * fp[..., -1])


def mean_precision(tp: Array, fp: Array) -> Any:
    """Return the sum over thresholds of precision times added recall; nan without positives.

    >>> float(mean_precision(np.array([0, 1, 1]), np.array([0, 1, 2])))
    0.5
    """
    return ratio((np.diff(tp) * precision_at_steps(tp, fp)[..., 1:]).sum(axis=-1), tp[..., -1])


def precision_at_steps(tp: Array, fp: Array) -> Array:
    """Return the precision at each threshold, and zero where nothing is predicted.

    There, no recall is added.
    """
    predicted = tp + fp
    return np.asarray(ratio(tp, np.where(predicted == 0, 1, predicted)))


BLOCK = 1 << 15
MANY = 1 << 14  # from this many scores on, cells are faster
SAMPLE = 1 << 10
NEIGHBORS = 32  # scores of the sample; between two that are this far apart, scores are assumed to be spread evenly
CELLS = 2**31 - 1
CROWDED = 1 / 64  # if more than this share of scores seems to share cells, sorting all bits is faster
FEW_TIES = 4  # in the sample; if there are more, most scores are tied
FEW_CELLS = 16  # up to this many cells are searched one by one
SLOT_BITS = 20
SLOTS = np.uint32((1 << SLOT_BITS) - 1)
TALL = 900  # from this power of two on, the limbs of a weight might leave the range of floats
SHORT = 44  # bits of a low part that fit into a float together with what rounding cuts off from a high part of 62 bits


def sums_of_keys(state: SortedKeys, positives: int) -> tuple[int, float]:
    """Return twice the number of ordered pairs, and the sum of precisions at positives.

    A pair is ordered if its positive ranks above its negative; a tie counts one half.

    >>> sums_of_keys(sort_keys(np.array([0.9, 0.2, 0.9]), np.array([True, False, False])), 1)
    (3, 0.5)
    """
    tied = np.empty(len(state.keys), bool)
    tied[:1] = False
    np.less_equal(state.keys[1:] ^ state.keys[:-1], state.keys.dtype.type(1), out=tied[1:])
    return _sums(state.keys, tied, positives)


def rank_sums(scores: Array, positive: Array) -> tuple[int, float] | None:
    """Return the same sums without sorting all bits of the scores.

    None where that would not be faster.
    """
    order = label_order(scores, positive, only_sums=True)
    return None if order is None else _sums(*order, int(np.count_nonzero(positive)))


def label_order(scores: Array, positive: Array, *, only_sums: bool = False) -> tuple[Array, Array] | None:
    """Return labels in ascending order of their scores, and which scores equal the one before.

    The labels are the lowest bits of the returned integers. The result is None where sorting all bits of the scores would be as
    fast. If only the sums are needed, ties among negatives alone are not searched: they do not change the sums.
    """
    span = _span(scores)
    if span is None:
        return None
    cells, room = np.empty(len(scores), np.uint32), np.empty(BLOCK)
    for start in range(0, len(scores), BLOCK):
        some, here = scores[start : start + BLOCK], cells[start : start + BLOCK]
        within = np.subtract(some, span[0], out=room[: len(some)])
        within *= span[1]  # each step is monotone, rounding included, so cells are ordered like scores
        np.copyto(here, within, casting="unsafe")
        here <<= np.uint32(1)
        here |= positive[start : start + BLOCK].view(np.uint8)
    ordered = np.sort(cells)
    shared = (ordered[1:] ^ ordered[:-1]) <= np.uint32(1)
    second = np.flatnonzero(shared) + 1
    if len(second) > len(scores) // 16:
        return None
    tied = np.zeros(len(scores), bool)
    if only_sums and len(second):
        second = _with_positives(ordered, second)
    if len(second):
        _put_in_order(ordered, tied, second, (cells, scores, positive))
    return ordered, tied


def _with_positives(ordered: Array, second: Array) -> Array:
    """Return which of the cells with several scores have a positive, as places in ``ordered``."""
    # Labels ascend in a cell: if it has a positive, one that is not the first is positive.
    positive = (ordered[second] & np.uint32(1)).astype(bool)
    if positive.all() or not positive.any():
        return np.asarray(second[positive])
    cell = ordered[second] >> np.uint32(1)
    among = cell[positive]
    return np.asarray(second[np.searchsorted(among, cell, "left") < np.searchsorted(among, cell, "right")])


def _span(scores: Array) -> tuple[float, float] | None:
    """Return the lowest score and the cells per unit; None if scores are few, infinite or crowded."""
    n = len(scores)
    if n < MANY or scores.dtype != np.float64:
        return None
    low, high = float(scores.min()), float(scores.max())
    width = high - low
    if not 0 < width < np.inf or not CELLS / width < np.inf:
        return None
    sample, scale = np.sort(scores[:: n // SAMPLE]), CELLS / width
    each = n / len(sample) * NEIGHBORS  # scores between two steps
    with np.errstate(all="ignore"):  # equal steps are infinitely crowded
        meetings = float(np.sum(each * each / (2 * scale * np.diff(sample[::NEIGHBORS]))))
    ties = np.count_nonzero(sample[1:] == sample[:-1])
    return (low, scale) if meetings < CROWDED * n and ties <= FEW_TIES else None


def _put_in_order(ordered: Array, tied: Array, second: Array, given: tuple[Array, Array, Array]) -> None:
    """Sort the labels of cells with several scores by these scores, in place, and mark equal scores."""
    cells, scores, positive = given
    fresh = np.append(True, second[1:] - 1 != second[:-1])  # where another cell begins
    places = np.sort(np.concatenate((second[fresh] - 1, second)))
    members = _members(cells, ordered[second[fresh]] >> np.uint32(1))
    exact = sort_keys(scores[members], positive[members])
    ordered[places] = exact.labels
    same = np.zeros(len(places), bool)
    same[1:] = (exact.keys[1:] ^ exact.keys[:-1]) <= exact.keys.dtype.type(1)
    tied[places] = same


def _members(cells: Array, wanted: Array) -> Array:
    """Return the places of scores that lie in the wanted cells, ascending.

    Two tables exclude most scores without a search.
    """
    if len(wanted) <= FEW_CELLS:
        high = cells >> np.uint32(1)
        return np.sort(np.concatenate([np.flatnonzero(high == cell) for cell in wanted]))
    tables = []
    for shift in (0, SLOT_BITS // 2):
        table = np.zeros(1 << SLOT_BITS, bool)
        table[(wanted >> np.uint32(shift)) & SLOTS] = True
        tables.append(table)
    maybe = [np.zeros(0, np.intp)]
    for start in range(0, len(cells), BLOCK):
        here = cells[start : start + BLOCK] >> np.uint32(1)
        maybe.append(np.flatnonzero(tables[0].take(here & SLOTS)) + start)
    found = np.concatenate(maybe)
    found = found[tables[1].take(((cells[found] >> np.uint32(1)) >> np.uint32(SLOT_BITS // 2)) & SLOTS)]
    near = cells[found] >> np.uint32(1)
    members: Array = found[wanted[np.minimum(np.searchsorted(wanted, near), len(wanted) - 1)] == near]
    return members


def _sums(labels: Array, tied: Array, positives: int) -> tuple[int, float]:
    """Return the two sums from labels in ascending order, and which scores equal the one before.

    The labels are the lowest bits of an array.
    """
    one, n = labels.dtype.type(1), len(labels)
    twice, precisions, start, seen = 0, 0.0, 0, 0
    while start < n:
        stop = min(start + BLOCK, n)
        while stop < n and tied[stop]:  # a block never divides a group of equal scores
            rest = tied[stop : stop + BLOCK]
            stop += len(rest) if rest.all() else int(rest.argmin())
        label = (labels[start:stop] & one).astype(bool)
        pairs, precision, found = _scan(label, tied[start:stop], (start, seen), (n, positives))
        twice, precisions, start, seen = twice + pairs, precisions + precision, stop, seen + found
    return twice, precisions


def _scan(label: Array, tied: Array, below: tuple[int, int], totals: tuple[int, int]) -> tuple[int, float, int]:
    """Return the two sums of a block, and how many positives it has.

    ``below`` are the numbers of scores and of positives below the block.
    """
    (start, seen), (n, positives) = below, totals
    if not tied.any():
        at = np.flatnonzero(label)
        k = len(at)
        lower = (start - seen) * k + int(at.sum()) - k * (k - 1) // 2
        from_above = np.arange(positives - seen, positives - seen - k, -1)
        return 2 * lower, float((from_above / (n - start - at)).sum()), k
    firsts = np.flatnonzero(~tied)  # of each group of equal scores
    before = np.concatenate(([0], np.cumsum(label)))[np.append(firsts, len(label))]  # positives below each group
    here = np.diff(before)
    before = before[:-1]
    equal = np.diff(firsts, append=len(label)) - here
    lower = firsts - before + (start - seen)
    precision = here * (positives - seen - before) / (n - start - firsts)
    return 2 * int(here @ lower) + int(here @ equal), float(precision.sum()), int(here.sum())


def sums_of_weights(state: SortedKeys, firsts: Array | None, *, below: bool = False) -> Array:
    """Return the weights tp and fp at each threshold, of the scores >= threshold.

    With ``below`` they are fn and tn, of the other scores.

    Each sum is rounded once: fn and tn are sums of their own, because the difference of two rounded sums can lose every digit.
    ``firsts`` are the keys that begin a score, from the highest score to the lowest; None: all of them.
    """
    n = len(state.keys)
    if not n:
        return np.zeros((2, 1))
    weights, label = np.asarray(state.weights)[::-1], state.bits[::-1]
    reached = np.arange(n + 1) if firsts is None else np.append(0, n - firsts)  # how many scores reach each threshold
    limbs = _limbs(weights)
    return np.stack([_sums_of_side(weights, reached, limbs, chosen, below) for chosen in (label, 1 - label)])


def _sums_of_side(
    weights: Array, reached: Array, limbs: tuple[list[Array], int, int] | None, chosen: Array, below: bool
) -> Array:
    """Return the sums of the first ``reached`` weights of one label, or of all others, each rounded once."""
    if limbs is None:
        rank, amounts = np.arange(len(weights)), [weights * chosen]
        found = steps(rank, amounts)[1][0, len(weights) - reached] if below else steps(-rank, amounts)[1][0, reached]
        return np.asarray(found)
    two, limb, unit = limbs
    sums = []
    for part in two:
        running = np.zeros(len(part) + 1, np.int64)
        np.cumsum(part * chosen, out=running[1:])
        some = running if len(reached) == len(running) else running[reached]  # which are all, if no scores are equal
        sums.append(running[-1] - some if below else some)
    return _round(sums, limb, unit)


def weight_at(state: SortedKeys, firsts: Array, label: int) -> Array:
    """Return the weight of the positives (label 1) or negatives (0) at each score.

    The result does not depend on the order of the rows.
    """
    starts, weights, chosen = firsts[::-1], np.asarray(state.weights), state.bits == label
    limbs = _limbs(weights)
    if limbs is not None:
        two, limb, unit = limbs
        return _round([np.add.reduceat(x * chosen, starts) for x in two], limb, unit)[::-1]
    group = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(weights)))
    amounts = weights * chosen
    return np.add.reduceat(amounts[np.lexsort((amounts, group))], starts)[::-1]  # so the order of rows does not change a digit


def _limbs(weights: Array) -> tuple[list[Array], int, int] | None:
    """Return weights as (high * 2**limb + low) * 2**unit: the two integers, limb and unit.

    Sums of these integers do not overflow. The result is None if the sizes of the weights differ so much that two integers are
    too short.
    """
    limb, size = 62 - len(weights).bit_length(), np.abs(weights)
    most, least = float(size.max()), float(size.min())
    top = math.frexp(most)[1]
    if not math.isfinite(most) or top - 2 * limb > math.frexp(least)[1] - 53 or abs(top) > TALL:
        return None
    high = np.floor(scaled := weights * 2.0 ** (limb - top))
    scaled -= high
    scaled *= 2.0**limb
    return [high.astype(np.int64), scaled.astype(np.int64)], limb, top - 2 * limb


def _round(two: list[Array], limb: int, unit: int) -> Array:
    """Return (high * 2**limb + low) * 2**unit as the nearest floats; low is not negative."""
    high, low = two
    high = high + (low >> limb)
    low = low & ((1 << limb) - 1)
    if limb <= SHORT:  # two floats hold the sum, and adding them rounds it once
        most = high.astype(np.float64)
        rest = ((high - most.astype(np.int64)) << limb) + low
        most *= 2.0**limb
        most += rest
        most *= 2.0**unit
        return np.asarray(most)
    used = np.frexp(high.astype(np.float64))[1].astype(np.int64)
    shift = np.clip(62 - used, 0, limb)  # this many bits of low fit below those of high
    cut = limb - shift
    whole = (high << shift) | (low >> cut)
    whole |= (low & ((1 << cut) - 1)) != 0  # the bits that are cut off only decide a tie
    return np.asarray(np.ldexp(whole.astype(np.float64), cut + unit))
