"""Matched objects as rankings: one for each unit, a layer for each overlap (errata A15)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.numbers.functions import ratio
from ...catalogue.averages import SUPPORT
from ...scores.areas import AREAS
from ...scores.curves.ranked_units import UNDECIDED, Steps
from ...words.wording import series
from ..images.image_scores import refuse_hidden_counts
from ..images.image_units import counts_of_units, own_params
from ..shapes.objects import Scene, Units
from .matches import Matches, Ranking
from .replicated_areas import Layout


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
