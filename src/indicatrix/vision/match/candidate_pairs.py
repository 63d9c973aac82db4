"""Candidate pairs: which predictions and true objects may be matched, and how much they overlap.

Pairs are lists of positions, so any number of images is computed at once, and matrices of single images are never made.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...algebra.arrays import Array
from ..shapes.objects import Objects

BLOCK = 1 << 19  # pairs at a time
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
    cuts = np.searchsorted(ends, np.arange(BLOCK, total, BLOCK), "right")
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
