"""Average precision and recall of each unit: of all, of each class, image or sequence, or pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.average import Average
from ..algebra.counts import Counts, undecided_counts
from ..algebra.measure import Measure
from ..algebra.possible_averages import PossibleAverages
from ..algebra.score import Score, Undefined, check_undefined, score_of_units
from ..algebra.wording import series
from ..scores.areas import average_precision
from ..scores.curves.ranked_units import UNDECIDED
from .detection_areas import Quantity, values_at_thresholds
from .matches import Matches, Ranking
from .objects import Scene, Units

NO_EXAMPLES = "objects and predictions become examples where a score is chosen: at(score).score has this average."


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


def precision_area(interpolation: str) -> Measure:
    """Return the library's average precision under an interpolation."""
    return average_precision.at(interpolation=interpolation)


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked of matches: a quantity, thresholds of the overlap, an area range, a limit."""

    matches: Matches
    quantity: Quantity
    ious: list[int]  # places among the thresholds of the matches
    area: int  # the place of the range
    most: int | None

    def rankings(self, units: Units) -> list[Ranking]:
        """Return the ranking of each unit at these thresholds."""
        found = self.matches.rankings(units, self.area, self.most)
        every = self.ious == [*range(len(self.matches.made.ious))]
        return found if every else [one.at_thresholds(self.ious) for one in found]


def values_of_units(question: Question, units: Units) -> tuple[Array, Counts]:
    """Return the mean over thresholds of the overlap of each unit, and the counts of objects.

    It is nan without objects.
    """
    found = question.rankings(units)
    values = np.array([values_at_thresholds(one, question.quantity).mean() if one.objects else np.nan for one in found])
    positives, negatives = np.array([[r.objects, np.count_nonzero(r.counts)] for r in found], np.int64).reshape(-1, 2).T
    if not units.per:
        return values[0], undecided_counts(int(positives[0]), int(negatives[0]))
    shape = tuple(map(len, units.names))
    counts = undecided_counts(positives.reshape(shape), negatives.reshape(shape), per=units.per, names=units.names)
    return values.reshape(shape), counts


def possible_averages(scene: Scene, measure: Any, undecided: str = UNDECIDED, unweighted: str = "") -> PossibleAverages:
    """Return the averages of classes, of everything pooled, and of images or units of an axis.

    ``undecided`` says why weights that read decisions are not known, ``unweighted`` why no weights are possible.
    """
    axes, by = {"": "", "class": "", "example": NO_EXAMPLES}, ("image", *scene.by)
    lacking = dict.fromkeys(("class", *by), unweighted) if unweighted else {}
    return PossibleAverages(measure, axes, by, undecided=undecided, unweighted=lacking, unobserved=("tn",))


def score_of(
    quantity: Quantity,
    average: str,
    rule: Average,
    undefined: Undefined,
    values: Array,
    counts: Counts,
    only: Array | None = None,
) -> Score:
    """Return the average of the values of units as a score that knows its convention."""
    check_undefined(undefined)
    weights = rule.weights(quantity, counts) if counts.per else None
    if only is not None:
        weights = np.where(only, 1.0 if weights is None else weights, 0.0)
    return score_of_units(quantity, average, undefined, values, counts, weights)
