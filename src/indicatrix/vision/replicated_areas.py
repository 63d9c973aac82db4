"""COCO's average precision and recall of many replicates: images count several times, or not at all.

A replicate changes how often an image counts, and neither the order of predictions nor what they match. So all units and
thresholds are laid out once, one after the other, and a replicate is a few passes over them. It is the number of
``detection_areas`` for repeated images, which a law tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..algebra.arrays import Array
from ..scores.curves.precision_areas import COCO_GRID
from .detection_areas import AverageRecall, Quantity
from .matches import Ranking
from .objects import Scene


@dataclass(frozen=True, eq=False)
class Predictions:
    """The predictions of all units, unit by unit in the order of the scores."""

    image: Array
    counts: Array | None  # 1 if it counts as false where it matches nothing; None: all do
    starts: Array  # where each unit begins


@dataclass(frozen=True, eq=False)
class Excused:
    """Matches that change how many predictions count: those of crowds count nowhere (-1).

    A right prediction that would not count as a false one does (+1).
    """

    image: Array
    sign: Array
    behind: Array  # how many of them there are up to each step
    before: Array  # … before each segment


@dataclass(frozen=True, eq=False)
class Layout:
    """Rankings of units, laid out one after the other.

    Only a right prediction raises recall, and precision is highest there, so these are the steps. A segment is a unit at a
    threshold of the overlap where something is right.
    """

    predictions: Predictions
    excused: Excused
    place: Array  # of each step, among the predictions
    image: Array  # of each step
    segment: Array  # of each step
    starts: Array  # where the segments begin
    unit: Array  # of each segment
    threshold: Array  # of each segment
    objects: Array  # the image of each true object that counts
    owner: Array  # its unit
    shape: tuple[int, int]  # units and thresholds

    @classmethod
    def of(cls, scene: Scene, rankings: Sequence[Ranking], thresholds: int) -> Layout:
        """Return the layout of the rankings of units."""
        starts = np.cumsum([0, *(len(one.order) for one in rankings)])
        order, truth = (_join([getattr(one, x) for one in rankings]).astype(np.intp) for x in ("order", "truth"))
        image = scene.predictions.image[order]
        counts = _join([one.counts for one in rankings]).astype(np.int64)
        everyone = Predictions(image, None if counts.all() else counts, starts[:-1])
        rows = [_matches(one, k * thresholds, starts[k]) for k, one in enumerate(rankings)]
        segment, place, right, sign = (_join([row[k] for row in rows]).astype(np.intp) for k in range(4))
        steps, other = np.flatnonzero(right), np.flatnonzero(sign)
        found, first, own = np.unique(segment[steps], return_index=True, return_inverse=True)
        behind = np.searchsorted(other, steps, "right")
        before = np.searchsorted(segment[other], found)
        excused = Excused(image[place[other]], sign[other], behind, before)
        unit, threshold = np.divmod(found, max(thresholds, 1))
        owner = np.repeat(np.arange(len(rankings)), [one.objects for one in rankings])
        at = place[steps]
        sides = (scene.truth.image[truth], owner, (len(rankings), thresholds))
        return cls(everyone, excused, at, image[at], own.ravel(), first, unit, threshold, *sides)

    def values(self, quantity: Quantity, times: Array) -> Array:
        """Return the mean over thresholds of each unit, where ``times`` says how often each image counts.

        These are whole numbers. The mean is nan without objects.
        """
        total = np.bincount(self.owner, times[self.objects], self.shape[0])
        out = np.zeros(self.shape)
        if len(self.place):
            some = times[self.image]
            found = np.add.reduceat(some, self.starts)
            own = np.where(total > 0, total, 1.0)
            precise = not isinstance(quantity, AverageRecall)
            out[self.unit, self.threshold] = self._precisions(times, some, found, own) if precise else found / own[self.unit]
        return np.where(total > 0, out.mean(axis=1), np.nan)

    def _precisions(self, times: Array, some: Array, found: Array, total: Array) -> Array:
        """Return the average precision of each segment: the best precision from each of COCO's recalls on.

        A step that counts k times is k steps with the same predictions; the last of them is the best.
        """
        ends = np.cumsum(found)
        begins = ends - found
        kept = np.flatnonzero(some > 0) if some.max() < 2 else np.repeat(np.arange(len(some)), some)
        precision = (np.arange(1, ends[-1] + 1) - np.repeat(begins, found)) / self._count_predictions(times, kept, found)
        needed = _needed_objects(total)[self.unit]  # right predictions for each recall
        reached = needed <= found[:, None]
        at = (begins[:, None] + needed - 1)[reached]
        first = np.flatnonzero(np.append(True, at[1:] != at[:-1])[: len(at)])
        last = np.append(first[1:], len(at))[: len(first)] - 1  # of the recalls that are reached at the same step
        best = np.zeros(reached.shape)
        if len(first):
            best.ravel()[np.flatnonzero(reached)[last]] = np.maximum.reduceat(precision, at[first])
        return np.asarray(np.maximum.accumulate(best[:, ::-1], axis=1).sum(axis=1) / len(COCO_GRID))

    def _count_predictions(self, times: Array, kept: Array, found: Array) -> Array:
        """Return how many predictions of its unit count up to each of some steps."""
        own = times[self.predictions.image]
        every = np.append(0, np.cumsum(own if self.predictions.counts is None else own * self.predictions.counts))
        before = every[self.predictions.starts[self.unit]]
        predicted = every[self.place[kept] + 1]
        if len(self.excused.image):
            excused = np.append(0, np.cumsum(times[self.excused.image] * self.excused.sign))
            before = before + excused[self.excused.before]
            predicted += excused[self.excused.behind[kept]]
        return np.asarray(predicted - np.repeat(before, found))


def _matches(one: Ranking, segment: int, start: int) -> tuple[Array, Array, Array, Array]:
    """Return the segment and the place of each match of a unit, whether it is right, and its sign."""
    matched = one.found & one.counts[one.place, None]
    t, at = np.nonzero((one.right | matched).T)
    right = one.right[at, t]
    return segment + t, start + one.place[at], right, right.astype(np.intp) - matched[at, t]


def _join(parts: Sequence[Array]) -> Array:
    return np.concatenate([np.zeros(0, np.intp), *parts])


def _needed_objects(total: Array) -> Array:
    """Return how many of some objects must be found to reach each of COCO's recalls, at least one.

    >>> _needed_objects(np.array([20.0]))[0, [0, 34, 35, 36, 100]].tolist()  # 7 of 20 are a little less than its 0.35
    [1, 7, 8, 8, 20]
    """
    own = total[:, None]
    near = np.maximum(np.ceil(own * COCO_GRID), 1.0)  # the quotient may round to the other side
    near += near / own < COCO_GRID
    near -= (near > 1) & ((near - 1) / own >= COCO_GRID)
    return near.astype(np.int64)
