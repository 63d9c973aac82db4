"""Rank sums: the two sums behind AUC and average precision, from labels in the order of their scores.

Sorting is what costs time. Half as many bits sort twice as fast, so scores are first cut into 2**31 cells of equal width;
the few cells that hold several scores are found and put in order by the scores themselves. The result is exact.
"""

from __future__ import annotations

import numpy as np

from .kernels import Array
from .sortkeys import SortedKeys, sort_keys

BLOCK = 1 << 15
MANY = 1 << 14  # from so many scores on, cells pay
SAMPLE = 1 << 10
NEIGHBOURS = 32  # of the sample, between which scores are taken to be spread evenly
CELLS = 2**31 - 1
CROWDED = 1 / 64  # if more than this share of scores seems to share cells, sorting all bits is faster
FEW_TIES = 4  # in the sample: more of them, and most scores have equals
FEW_CELLS = 16  # so many are looked for one by one
SLOT_BITS = 20
SLOTS = np.uint32((1 << SLOT_BITS) - 1)


def sums_of_keys(state: SortedKeys, positives: int) -> tuple[int, float]:
    """Return twice the pairs in which a positive outranks a negative, ties one half, and the sum of precisions at positives.

    >>> sums_of_keys(sort_keys(np.array([0.9, 0.2, 0.9]), np.array([True, False, False])), 1)
    (3, 0.5)
    """
    tied = np.empty(len(state.keys), bool)
    tied[:1] = False
    np.less_equal(state.keys[1:] ^ state.keys[:-1], state.keys.dtype.type(1), out=tied[1:])
    return _sums(state.keys, tied, positives)


def rank_sums(scores: Array, positive: Array) -> tuple[int, float] | None:
    """Return the same sums without sorting all bits of the scores, or None where that would not be faster."""
    order = label_order(scores, positive)
    return None if order is None else _sums(*order, int(np.count_nonzero(positive)))


def label_order(scores: Array, positive: Array) -> tuple[Array, Array] | None:
    """Return labels, as lowest bits, in ascending order of their scores, and which scores equal the one before.

    None where sorting all bits of the scores would be as fast.
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
    if len(second):
        _put_in_order(ordered, tied, second, (cells, scores, positive))
    return ordered, tied


def _span(scores: Array) -> tuple[float, float] | None:
    """Return the lowest score and the cells per unit; None where scores are few, infinite or crowded."""
    n = len(scores)
    if n < MANY or scores.dtype != np.float64:
        return None
    low, high = float(scores.min()), float(scores.max())
    width = high - low
    if not 0 < width < np.inf or not CELLS / width < np.inf:
        return None
    sample, scale = np.sort(scores[:: n // SAMPLE]), CELLS / width
    each = n / len(sample) * NEIGHBOURS  # scores between two steps
    with np.errstate(all="ignore"):  # equal steps are infinitely crowded
        meetings = float(np.sum(each * each / (2 * scale * np.diff(sample[::NEIGHBOURS]))))
    ties = np.count_nonzero(sample[1:] == sample[:-1])
    return (low, scale) if meetings < CROWDED * n and ties <= FEW_TIES else None


def _put_in_order(ordered: Array, tied: Array, second: Array, given: tuple[Array, Array, Array]) -> None:
    """Order the labels of cells that hold several scores by these scores, in place, and mark equal ones."""
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
    """Return where the cells of scores are among the wanted ones, ascending; two tables spare most a search."""
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
    """Return the two sums from labels, the lowest bits of an array in ascending order, and which equal the one before."""
    one, n = labels.dtype.type(1), len(labels)
    twice, precisions, start, seen = 0, 0.0, 0, 0
    while start < n:
        stop = min(start + BLOCK, n)
        while stop < n and tied[stop]:  # a block cuts no group of equal scores
            rest = tied[stop : stop + BLOCK]
            stop += len(rest) if rest.all() else int(rest.argmin())
        label = (labels[start:stop] & one).astype(bool)
        pairs, precision, found = _scan(label, tied[start:stop], (start, seen), (n, positives))
        twice, precisions, start, seen = twice + pairs, precisions + precision, stop, seen + found
    return twice, precisions


def _scan(label: Array, tied: Array, below: tuple[int, int], totals: tuple[int, int]) -> tuple[int, float, int]:
    """Return the two sums of a block, with ``below`` it so many scores and positives, and how many positives it has."""
    (start, seen), (n, positives) = below, totals
    if not tied.any():
        at = np.flatnonzero(label)
        rank = np.arange(len(at))
        lower = (start - seen) * len(at) + int((at - rank).sum())
        return 2 * lower, float(((positives - seen - rank) / (n - start - at)).sum()), len(at)
    firsts = np.flatnonzero(~tied)  # of each group of equal scores
    before = np.concatenate(([0], np.cumsum(label)))[np.append(firsts, len(label))]  # positives below each group
    here = np.diff(before)
    before = before[:-1]
    equal = np.diff(firsts, append=len(label)) - here
    lower = firsts - before + (start - seen)
    precision = here * (positives - seen - before) / (n - start - firsts)
    return 2 * int(here @ lower) + int(here @ equal), float(precision.sum()), int(here.sum())
