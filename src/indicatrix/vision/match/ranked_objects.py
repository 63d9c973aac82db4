"""Matched objects as rankings: one for each unit, a layer for each overlap (errata A15).

COCO's average precision and recall of many replicates: images count several times, or not at all.

A replicate changes how often an image counts, and neither the order of predictions nor what they match. So all units and
thresholds are laid out once, one after the other, and a replicate is a few passes over them. It is the number of
``ranked_objects`` for repeated images, which a law tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.numbers.functions import ratio
from ...catalogue.averages import SUPPORT
from ...scores.areas import AREAS
from ...scores.curves.precision_areas import COCO_GRID
from ...scores.curves.ranked_units import UNDECIDED, Steps
from ...words.wording import listing, series
from ..images.image_scores import refuse_hidden_counts
from ..images.image_units import counts_of_units, own_params
from ..shapes.shapes import Scene, Units
from .matches import Matches, Ranking


def average_precision(ranking: Ranking, *, interpolation: str = "coco") -> Array:
    """Return the average precision of matched objects at each threshold of the overlap.

    It is that of ``ix.average_precision`` under an interpolation: 'coco', '101-point', '11-point', 'envelope', 'step' or
    'trapezoid'.

    >>> import indicatrix as ix
    >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": [1]}
    >>> ix.measures.ap([boxes], [{**boxes, "scores": [0.5]}], average="macro")
    1.0
    """
    if interpolation == "trapezoid":
        ranking = ranking.with_every_step()
    return np.asarray(AREAS["average_precision"].function(steps_of(ranking), interpolation=interpolation), np.float64)


def average_recall(ranking: Ranking) -> Array:
    """Return the share of objects that are found at each threshold of the overlap.

    >>> import indicatrix as ix
    >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": [1]}
    >>> ix.measures.ar([boxes], [{**boxes, "scores": [0.5]}], average="macro")
    1.0
    """
    return np.asarray(ratio(ranking.right.sum(axis=0), np.full(ranking.right.shape[1], ranking.objects)))


def steps_of(ranking: Ranking) -> Steps:
    """Return the running counts of a ranking at each threshold of the overlap, missed objects last.

    Predictions with equal scores are taken one by one, in the order in which they chose. Objects that no prediction finds are
    reached only after infinitely many false predictions: there, recall is 1 and precision 0.
    """
    right, matched = ranking.right.T, (ranking.found & ranking.counts[ranking.place, None]).T
    tp, found = np.cumsum(right, axis=-1), np.cumsum(matched, axis=-1)
    every = np.cumsum(ranking.counts)[ranking.place]
    shape = (*tp.shape[:-1], 1)
    nothing, forever = np.zeros(shape), np.full(shape, np.inf)
    last = tp[..., -1:] if tp.shape[-1] else nothing
    positives = np.concatenate([nothing, tp, last, np.full(shape, float(ranking.objects))], axis=-1)
    negatives = np.concatenate([nothing, every - found, forever, forever], axis=-1)
    return Steps(positives, negatives, nothing)


def units_of(scene: Scene, per: tuple[str, ...]) -> Units:
    """Return the units along some axes: "class", "image" and those of by=."""
    possible = ("class", "image", *scene.by)
    unknown = [axis for axis in per if axis not in possible]
    if unknown:
        raise ValueError(f"There is no axis {unknown[0]!r} here; there are {series(possible)}.")
    sides = (scene.predictions, scene.truth)
    names, units = [], [np.zeros(side.n, np.intp) for side in sides]
    for axis in per:
        own, of_image = (scene.classes, None) if axis == "class" else scene.axis(axis)
        names.append(own)
        places = (side.label if of_image is None else of_image[side.image] for side in sides)
        units = [unit * len(own) + place for unit, place in zip(units, places, strict=True)]
    return Units(per, tuple(names), *units)


def refuse_decisions(weight: Measure) -> str:
    """Return why rankings do not have a weight, as it reads decisions; "" for one of true objects."""
    return "" if weight.reads is SUPPORT.reads else refuse_hidden_counts(weight) or UNDECIDED


@dataclass(frozen=True, eq=False)
class Layers:
    """Where matches are read: thresholds of the overlap, an area range, a limit."""

    matches: Matches
    ious: list[int]  # places among the thresholds of the matches
    area: int  # the place of the range
    most: int | None

    def rankings(self, units: Units) -> list[Ranking]:
        """Return the ranking of each unit at these thresholds."""
        found = self.matches.rankings(units, self.area, self.most)
        every = self.ious == [*range(len(self.matches.made.ious))]
        return found if every else [one.at_thresholds(self.ious) for one in found]


@dataclass(frozen=True, eq=False)
class RankedObjects:
    """The rankings of units, and what a measure makes of each: the mean over its layers.

    This is the statistic of matched objects.
    """

    measure: Measure
    layers: Layers
    units: Units
    chosen: Array | None = None  # the places of the classes that are read; None: all
    left_out: tuple[int, int] = (0, 0)  # no value is infinite
    times: Array | None = None  # (draws, images): how often each image counts; None: once, and there are no draws

    @property
    def per(self) -> tuple[str, ...]:
        """The axes of the units."""
        return self.units.per

    @property
    def names(self) -> tuple[tuple[Any, ...], ...]:
        """The names of the units along each axis."""
        if self.chosen is None:
            return self.units.names
        return (tuple(self.units.names[0][k] for k in self.chosen.tolist()),)

    @cached_property
    def _rankings(self) -> list[Ranking]:
        found = self.layers.rankings(self.units)
        return found if self.chosen is None else [found[k] for k in self.chosen.tolist()]

    @cached_property
    def _layout(self) -> Layout:
        return Layout.of(self.layers.matches.scene, self._rankings, len(self.layers.ious))

    def counted(self, times: Array) -> RankedObjects:
        """Return the same images, counted so often in each draw."""
        made = replace(self, times=times.astype(np.int64))
        made.__dict__.update(_layout=self._layout, _rankings=self._rankings)  # nothing is ranked again
        return made

    def values(self) -> Array:
        """Return the value of each unit, nan without objects; with a first axis of draws if there are draws."""
        shape = tuple(map(len, self.names))
        if self.times is None:
            own = own_params(self.measure)
            each = [self.measure.function(one, **own).mean() if one.objects else np.nan for one in self._rankings]
            return np.array(each, np.float64).reshape(shape)
        rows = [self._layout.values(self.measure.params.get("interpolation"), row) for row in self.times]
        return (np.stack(rows) if rows else np.zeros((0, len(self._rankings)))).reshape(len(self.times), *shape)

    def moves(self, shares: Array, apart: Array, weigh: Callable[[Counts], Any]) -> Array:
        """Return how fast a mean of the values grows with how often each image counts.

        It moves with a value by its share, and with a weight by how far the value is apart from the mean.
        """
        counts = self.counts
        more = replace(counts, fn=counts.fn + 1)  # weights grow with objects in a straight line
        heavier = weigh(more)
        per_object = 0 * apart if heavier is None else apart * (heavier - weigh(counts))
        images = len(self.layers.matches.scene.images)
        return self._layout.moves(self.measure.params.get("interpolation"), images, np.ravel(shares), np.ravel(per_object))

    @property
    def counts(self) -> Counts:
        """The objects of each unit as missed, and its predictions as negatives: nothing is decided yet."""
        shape = tuple(map(len, self.names))
        predictions = np.array([np.count_nonzero(one.counts) for one in self._rankings], np.int64).reshape(shape)
        if self.times is None:
            objects = np.array([one.objects for one in self._rankings], np.int64).reshape(shape)
        else:
            objects = np.array([self._layout.objects_in(row) for row in self.times]).reshape(len(self.times), *shape)
            predictions = np.broadcast_to(predictions, objects.shape)  # how often they count, no weight reads
        return counts_of_units((0 * objects, 0 * objects, objects, predictions), self.per, self.names)

    @property
    def tpos(self) -> Any:
        """The true segments or objects of each unit."""
        return self.counts.tpos

    @property
    def tneg(self) -> Any:
        """What was not true, as far as it is known."""
        return self.counts.tneg


INTERPOLATIONS = ("coco", "step")  # of average precision, where images count several times


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

    def objects_in(self, times: Array) -> Array:
        """Return how many objects each unit has, where ``times`` says how often each image counts."""
        return np.bincount(self.owner, times[self.objects], self.shape[0])

    def values(self, interpolation: str | None, times: Array) -> Array:
        """Return the mean over thresholds of each unit, where ``times`` says how often each image counts.

        It is average precision by COCO's interpolation or by steps, or without one average recall. The times are whole numbers.
        The mean is nan without objects.
        """
        if interpolation not in (None, *INTERPOLATIONS):
            raise ValueError(
                f"interpolation={interpolation!r} is not known of images that are drawn. Choose from {listing(INTERPOLATIONS)}."
            )
        total = self.objects_in(times)
        out = np.zeros(self.shape)
        if len(self.place):
            some = times[self.image]
            found = np.add.reduceat(some, self.starts)
            own = np.where(total > 0, total, 1.0)
            if interpolation is None:
                areas = found / own[self.unit]
            else:
                precision = self._precisions(times, some, found)
                areas = (
                    by_steps(precision, found, own[self.unit])
                    if interpolation == "step"
                    else by_coco(precision, found, _needed_objects(own)[self.unit])
                )
            out[self.unit, self.threshold] = areas
        return np.where(total > 0, out.mean(axis=1), np.nan)

    def moves(self, interpolation: str | None, images: int, shares: Array, per_object: Array) -> Array:
        """Return how fast a sum over units grows with how often each of some images counts.

        A unit has a share of its value in it, and adds an amount for each of its objects.
        """
        once = np.ones(images, np.int64)
        total, values = self.objects_in(once), self.values(interpolation, once)
        with quiet():
            parts = np.nan_to_num(shares / (total * self.shape[1]))
            for_objects = per_object - np.nan_to_num(shares * values / total)
        out = np.bincount(self.objects, for_objects[self.owner], images)
        if interpolation is None or not len(self.place):
            return out + np.bincount(self.image, parts[self.unit][self.segment], images)
        found = np.diff(np.append(self.starts, len(self.place)))
        precision = self._precisions(once, np.ones(len(self.place), np.int64), found)
        right = np.arange(1, len(self.place) + 1) - np.repeat(self.starts, found)
        share, ends = parts[self.unit][self.segment], np.cumsum(found)
        behind = _sums_from(share * precision / right, ends, found)  # what one more right prediction adds to later steps
        out += np.bincount(self.image, share * precision + behind, images)
        lost = share * precision**2 / right  # what one more prediction takes from a step
        own = self.predictions
        lengths = np.diff(np.append(own.starts, len(own.image)))
        later = _sums_from(np.bincount(self.place, lost, len(own.image)), np.cumsum(lengths), lengths)
        out -= np.bincount(own.image, later if own.counts is None else later * own.counts, images)
        return out - self._moves_of_excused(_sums_from(lost, ends, found), images)

    def _moves_of_excused(self, later: Array, images: int) -> Array:
        """Return what excused matches take from the steps behind them; ``later`` sums from each step on."""
        at = np.arange(len(self.excused.image))
        first = np.searchsorted(self.excused.behind, at, "right")
        inside = first < len(later)
        inside[inside] = self.excused.before[self.segment[first[inside]]] <= at[inside]
        return np.bincount(self.excused.image[inside], later[first[inside]] * self.excused.sign[inside], images)

    def _precisions(self, times: Array, some: Array, found: Array) -> Array:
        """Return the precision at each step of each segment; a step that counts k times is k steps."""
        ends = np.cumsum(found)
        kept = np.flatnonzero(some > 0) if some.max() < 2 else np.repeat(np.arange(len(some)), some)
        left = np.cumsum(some)[kept] - np.arange(1, len(kept) + 1)  # repetitions of the step that follow
        predicted = self._count_predictions(times, kept, found) - left
        return np.asarray((np.arange(1, ends[-1] + 1) - np.repeat(ends - found, found)) / predicted)

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


def _sums_from(values: Array, ends: Array, lengths: Array) -> Array:
    """Return the sum from each value to the end of its run.

    >>> _sums_from(np.array([1.0, 2, 4]), np.array([2, 3]), np.array([2, 1])).tolist()
    [3.0, 2.0, 4.0]
    """
    sums = np.append(0, np.cumsum(values))
    return np.asarray(np.repeat(sums[ends], lengths) - sums[:-1])


def by_steps(precision: Array, found: Array, total: Array) -> Array:
    """Return the average precision by steps of each segment: the sum of its precisions over the objects."""
    sums = np.append(0, np.cumsum(precision))
    ends = np.cumsum(found)
    return np.asarray((sums[ends] - sums[ends - found]) / total)


def by_coco(precision: Array, found: Array, needed: Array) -> Array:
    """Return the average precision of each segment: the best precision from each of COCO's recalls on.

    ``needed`` has how many right predictions each recall needs.
    """
    reached = needed <= found[:, None]
    at = (np.cumsum(found)[:, None] - found[:, None] + needed - 1)[reached]
    first = np.flatnonzero(np.append(True, at[1:] != at[:-1])[: len(at)])
    last = np.append(first[1:], len(at))[: len(first)] - 1  # of the recalls that are reached at the same step
    best = np.zeros(reached.shape)
    if len(first):
        best.ravel()[np.flatnonzero(reached)[last]] = np.maximum.reduceat(precision, at[first])
    return np.asarray(np.maximum.accumulate(best[:, ::-1], axis=1).sum(axis=1) / len(COCO_GRID))


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
