"""Matching: which pairs of a prediction and a true object are candidates.

Three rules say who finds whom, one to one.

Pairs are lists of positions, so any number of images is computed at once, and matrices of single images are never made. All rules
take pairs, their overlaps, thresholds and which true objects are ignored in each area range, and return for each
prediction the true object that it matches, at each threshold and in each range.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...algebra.arrays import Array
from ..shapes.shapes import Objects

OVERLAPS = 1 << 19  # of pairs that are computed at a time
ALMOST_ONE = 1 - 1e-10  # a threshold of 1 is lowered to this, so that rounding does not lose a perfect match


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of a prediction and a true object that overlap enough, in the order of the predictions."""

    prediction: Array
    truth: Array
    overlap: Array

    def only(self, kept: Array) -> Pairs:
        """Return some of the pairs."""
        return Pairs(self.prediction[kept], self.truth[kept], self.overlap[kept])


def overlapping_pairs(
    truth: Objects, predictions: Objects, least: float, *, within: Array, groups: tuple[Array, Array] | None = None
) -> Pairs:
    """Return the pairs in the same group whose overlap is at least ``least``, in the order of ``within``.

    ``within`` has the positions of the predictions that take part. A group is an image and a class, or, where ``groups`` has the
    group of each true object and of each prediction, what these say.
    """
    theirs, mine = groups if groups is not None else group_keys(truth, predictions)
    order = np.argsort(theirs, kind="stable")
    ordered = theirs[order]
    begin, end = (np.searchsorted(ordered, mine[within], side) for side in ("left", "right"))
    many = end - begin
    ends = np.cumsum(many)
    total = int(ends[-1]) if len(ends) else 0
    cuts = np.searchsorted(ends, np.arange(OVERLAPS, total, OVERLAPS), "right")
    found = []
    for some in np.split(np.arange(len(within)), cuts):
        repeated = np.repeat(some, many[some])
        place = np.arange(len(repeated)) - np.repeat(np.cumsum(many[some]) - many[some], many[some]) + begin[repeated]
        pairs = Pairs(within[repeated], order[place], np.zeros(0))
        overlap = predictions.shapes.overlaps(pairs.prediction, truth.shapes, pairs.truth, truth.crowd[pairs.truth], least)
        kept = np.flatnonzero(overlap >= min(least, ALMOST_ONE))
        found.append(Pairs(pairs.prediction[kept], pairs.truth[kept], overlap[kept]))
    columns = ("prediction", "truth", "overlap")
    return Pairs(*(np.concatenate([getattr(part, name) for part in found]) for name in columns))


def group_keys(truth: Objects, predictions: Objects) -> tuple[Array, Array]:
    """Return one number for the image and the class of each true object, and of each prediction."""
    most = 1 + max(int(side.label.max(initial=0)) for side in (truth, predictions))
    return truth.image * most + truth.label, predictions.image * most + predictions.label


def largest_group(truth: Objects, predictions: Objects) -> int:
    """Return the largest number of predictions of one image and class."""
    _, many = np.unique(group_keys(truth, predictions)[1], return_counts=True)
    return int(many.max(initial=0))


def ranks_within(keys: Array, scores: Array) -> tuple[Array, Array]:
    """Return the order by group and falling score, and the rank of each element within its group.

    Equal scores keep their order.

    >>> order, rank = ranks_within(np.array([0, 1, 0]), np.array([0.1, 0.5, 0.9]))
    >>> order.tolist(), rank.tolist()
    ([2, 0, 1], [1, 0, 0])
    """
    order = np.lexsort((-scores, keys))
    ordered = keys[order]
    rank = np.empty(len(keys), np.int64)
    rank[order] = np.arange(len(keys)) - np.searchsorted(ordered, ordered, "left")
    return order, rank


BLOCK = 1 << 16  # pairs that are compared at a time, at all thresholds and in all ranges


@dataclass(frozen=True, eq=False)
class Candidates:
    """What a rule of matching has to know."""

    pairs: Pairs  # those of one prediction stand together; predictions of one group in the order in which they choose
    group: Array  # of each pair; no two groups have a true object in common
    thresholds: Array  # (T,) of the overlap
    ignored: Array  # (objects, A) bool: true objects that are ignored in each area range
    shared: Array  # (objects,) bool: any number of predictions may match it, as a crowd
    own: Array | None = None  # of each pair, bool: both are of one class; None: of all


@dataclass(frozen=True, eq=False)
class Partners:
    """The true object that each of some predictions matches, -1 where it matches nothing."""

    prediction: Array  # (k,) positions of the predictions that have a candidate
    truth: Array  # (k, T, A)


Rule = Callable[[Candidates], Partners]


def match_by_score(given: Candidates) -> Partners:
    """Match as COCO does: predictions choose in the order of their scores, each the best that is left.

    An object that counts is preferred to one that is ignored, then one of its own class to one of another, and of equal overlaps
    the last is taken. Groups do not compete, so
    the k-th predictions of all groups choose at the same time.
    """
    pairs = given.pairs
    prediction, begin = _runs(pairs.prediction)
    shape = (len(given.thresholds), given.ignored.shape[1])
    partners = np.full((len(prediction), *shape), -1, np.int32)
    taken = np.zeros((len(given.ignored), *shape), bool)
    limits = np.minimum(given.thresholds, ALMOST_ONE)
    length = np.diff(np.append(begin, len(pairs.truth)))
    group = given.group[begin] if len(begin) else begin
    turn = np.arange(len(group)) - np.searchsorted(group, group, "left")  # groups stand together
    order = np.argsort(turn, kind="stable")
    for some in _blocks(turn[order], length[order]):
        who = order[some]
        many = length[who]
        at = np.repeat(begin[who] - (np.cumsum(many) - many), many) + np.arange(many.sum())
        truth, overlap = pairs.truth[at], pairs.overlap[at]
        free = (overlap[:, None] >= limits)[:, :, None] & (~taken[truth] | given.shared[truth][:, None, None])
        keys = (truth, overlap) if given.own is None else (truth, overlap, given.own[at])
        chosen = _best(free, np.lexsort(keys), ~given.ignored[truth], np.cumsum(many) - many)
        found = chosen >= 0
        mate = np.where(found, truth[np.maximum(chosen, 0)], -1)
        partners[who] = mate
        row, t, a = np.nonzero(found)
        taken[mate[row, t, a], t, a] = True
    return Partners(prediction, partners)


def _runs(values: Array) -> tuple[Array, Array]:
    """Return the value of each run of equal values, and where it begins."""
    begin = np.flatnonzero(np.concatenate([np.ones(min(len(values), 1), bool), values[1:] != values[:-1]]))
    return values[begin], begin


def _blocks(turn: Array, length: Array) -> list[Array]:
    """Return positions of predictions that choose at the same time, not too many at once."""
    cuts = [np.flatnonzero(np.diff(turn)) + 1, np.searchsorted(np.cumsum(length), np.arange(BLOCK, length.sum(), BLOCK)) + 1]
    return [part for part in np.split(np.arange(len(turn)), np.unique(np.concatenate(cuts))) if len(part)]


def _best(free: Array, order: Array, counts: Array, begin: Array) -> Array:
    """Return the position of the best free pair of each run of pairs, -1 if there is no free one.

    ``free`` is (pairs, T, A), ``order`` has the best pair last, ``counts`` is (pairs, A): whether the object of the pair counts
    in a range.
    """
    n = len(order)
    place = np.empty(n, np.int64)
    place[order] = np.arange(n)
    value = np.where(free, (place[:, None] + n * counts)[:, None, :], -1)
    top = np.maximum.reduceat(value, begin, axis=0)
    return np.where(top >= 0, order[top % n], -1)


def match_as_voc(given: Candidates) -> Partners:
    """Match as PASCAL VOC does: a prediction only looks at the object that it overlaps most.

    The first to look at an object finds it; the next ones are duplicates, even if another object is free. Of equal overlaps one
    of its own class is looked at, and then the first.
    """
    pairs = given.pairs
    prediction, begin = _runs(pairs.prediction)
    shape = (len(given.thresholds), given.ignored.shape[1])
    if not len(begin):
        return Partners(prediction, np.full((0, *shape), -1, np.int32))
    run = np.repeat(np.arange(len(begin)), np.diff(np.append(begin, len(pairs.truth))))
    own = np.ones(len(run), bool) if given.own is None else given.own
    order = np.lexsort((-pairs.truth, own, pairs.overlap, run))
    best = order[np.append(begin[1:], len(order)) - 1]
    truth, overlap = pairs.truth[best], pairs.overlap[best]
    partners = np.full((len(prediction), *shape), -1, np.int32)
    for t, limit in enumerate(np.minimum(given.thresholds, ALMOST_ONE)):
        looked = np.flatnonzero(overlap >= limit)
        first = np.zeros(len(truth), bool)
        first[looked[np.unique(truth[looked], return_index=True)[1]]] = True
        for a in range(shape[1]):
            finds = (overlap >= limit) & (first | given.ignored[truth, a] | given.shared[truth])
            partners[finds, t, a] = truth[finds]
    return Partners(prediction, partners)


def match_optimally(given: Candidates) -> Partners:
    """Match as many objects that count as possible, with the largest total overlap.

    A match of one class is worth as much as a whole overlap more. Scores play no part. Predictions that are left may match
    ignored objects and crowds.
    """
    pairs = given.pairs
    prediction, begin = _runs(pairs.prediction)
    run = np.repeat(np.arange(len(begin)), np.diff(np.append(begin, len(pairs.truth))))
    shape = (len(given.thresholds), given.ignored.shape[1])
    partners = np.full((len(prediction), *shape), -1, np.int32)
    value = pairs.overlap if given.own is None else (pairs.overlap + given.own) / 2
    for t, limit in enumerate(np.minimum(given.thresholds, ALMOST_ONE)):
        enough = pairs.overlap >= limit
        for a in range(shape[1]):
            left = np.ones(len(prediction), bool)
            for ignored in (False, True):
                kept = np.flatnonzero(enough & (given.ignored[pairs.truth, a] == ignored) & left[run])
                row, truth = assign(run[kept], pairs.truth[kept], value[kept], given.shared)
                partners[row, t, a] = truth
                left[row] = False
    return Partners(prediction, partners)


def assign(row: Array, column: Array, value: Array, shared: Array | None = None) -> tuple[Array, Array]:
    """Return a one-to-one choice among pairs: as many as possible, with the largest total value.

    ``shared`` says which columns may be chosen any number of times. Values lie between 0 and 1.

    >>> assign(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.9, 0.8, 0.7]))
    (array([0, 1]), array([1, 0]))
    """
    free = np.zeros(len(row), bool) if shared is None else shared[column]
    rows, columns = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    part = _parts(row, np.where(free, -1 - np.arange(len(column)), column))
    order = np.argsort(part, kind="stable")
    for at in np.split(order, np.flatnonzero(np.diff(part[order])) + 1) if len(order) else []:
        if len(at) > 1:
            at = at[_best_of_part(row[at], np.where(free[at], -1 - np.arange(len(at)), column[at]), value[at])]
        rows.append(row[at])
        columns.append(column[at])
    found, mates = np.concatenate(rows), np.concatenate(columns)
    order = np.argsort(found, kind="stable")
    return found[order], mates[order]


def _parts(row: Array, column: Array) -> Array:
    """Return for each pair which connected part of the graph of pairs it belongs to."""
    row, column = (np.unique(x, return_inverse=True)[1] for x in (row, column))
    part = np.arange(len(row))
    while True:  # every pair takes the least number among its neighbors, until nothing changes
        new = part
        for key in (row, column):
            least = np.full(key.max(initial=-1) + 1, len(part))
            np.minimum.at(least, key, new)
            new = least[key]
        if (new == part).all():
            return part
        part = new


def _best_of_part(row: Array, column: Array, value: Array) -> Array:
    """Return the positions of the chosen pairs of one connected part."""
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError:  # pragma: no cover - SciPy is there in the tests
        raise ImportError("matching='optimal' needs SciPy: pip install scipy. Or take matching='coco'.") from None
    (rows, r), (columns, c) = (np.unique(x, return_inverse=True) for x in (row, column))
    gain = np.zeros((len(rows), len(columns)))
    position = np.full(gain.shape, -1)
    gain[r, c] = 1 + min(len(rows), len(columns)) + value  # one more pair outweighs all overlaps
    position[r, c] = np.arange(len(row))
    chosen = position[linear_sum_assignment(gain, maximize=True)]
    return np.sort(chosen[chosen >= 0])


RULES: dict[str, Rule] = {"coco": match_by_score, "voc": match_as_voc, "optimal": match_optimally}
