"""Matches: what each prediction found at each threshold of the overlap and in each area range.

This is the wall between matching and scoring: behind it there are only ranked predictions that are right or wrong, and counts.

What COCO's and LVIS's evaluations fix: thresholds, area ranges, limits, the numbers they print.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.measure import Measure
from ...algebra.measure_names import resolve
from ..read.given_columns import numbers_or_none
from ..shapes.shapes import Scene, Units
from .matching import RULES, Candidates, Partners, group_keys, overlapping_pairs, ranks_within

Areas = Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class MatchingRule:
    """How predictions are matched: the rule, the thresholds of the overlap, area ranges, the limit."""

    rule: str
    ious: tuple[float, ...]
    areas: Areas
    most: int  # predictions of an image and a class that take part, those with the highest scores
    across_classes: bool = False  # a prediction may match an object of another class


@dataclass(frozen=True, eq=False)
class Matches:
    """Predictions of a scene matched with its true objects."""

    scene: Scene
    made: MatchingRule
    rank: Array  # of each prediction among those of its image and class, by falling score
    partners: Partners
    ignored: Array  # (objects, A) bool: true objects that do not count in a range
    outside: Array  # (predictions, A) bool: what does not count if it matches nothing
    _made: dict[Any, Any] = field(default_factory=dict)  # what is asked for several times: orders and rankings

    @cached_property
    def candidate(self) -> Array:
        """The row of each prediction among those with a candidate, -1 without one."""
        row = np.full(self.scene.predictions.n, -1)
        row[self.partners.prediction] = np.arange(len(self.partners.prediction))
        return row

    def partner_of(self, prediction: Array, t: int, a: int) -> Array:
        """Return the true object that each of some predictions matches, -1 if it matches nothing."""
        row = self.candidate[prediction]
        return np.where(row >= 0, self.partners.truth[:, t, a][row] if len(self.partners.truth) else -1, -1)

    def kept_predictions(self, most: int | None = None) -> Array:
        """Return the predictions that take part, by falling scores; equal ones by image, then as given."""
        limit = self.made.most if most is None else most
        if limit not in self._made:
            at = np.flatnonzero(self.rank < limit)
            scores, image = self.scene.predictions.score[at], self.scene.predictions.image[at]
            self._made[limit] = at[np.lexsort((self.rank[at], image, -scores))]
        return self._made[limit]  # type: ignore[no-any-return]

    def rankings(self, units: Units, a: int, most: int | None = None) -> list[Ranking]:
        """Return the ranking of each unit in one area range."""
        key = (units.per, a, self.made.most if most is None else most)
        if key not in self._made:
            self._made[key] = _rankings(self, self.kept_predictions(most), units, a)
        return self._made[key]  # type: ignore[no-any-return]


def match(scene: Scene, made: MatchingRule) -> Matches:
    """Return the matches of a scene by a rule."""
    truth, predictions = scene.truth, scene.predictions
    keys = group_keys(truth, predictions)
    order, rank = ranks_within(keys[1], predictions.score)
    if made.across_classes:
        keys = truth.image, predictions.image
        order, _ = ranks_within(keys[1], predictions.score)
    within = order[rank[order] < made.most]
    pairs = overlapping_pairs(truth, predictions, min(made.ious), within=within, groups=keys)
    ranges = np.array(list(made.areas.values())).reshape(-1, 2)
    ignored = truth.ignore[:, None] | _out_of(truth.area, ranges)
    own = truth.label[pairs.truth] == predictions.label[pairs.prediction] if made.across_classes else None
    given = Candidates(pairs, keys[1][pairs.prediction], np.array(made.ious), ignored, truth.crowd, own)
    outside = _out_of(predictions.area, ranges)
    if scene.partial is not None:
        outside |= scene.partial[predictions.image, predictions.label][:, None]
    return Matches(scene, made, rank, RULES[made.rule](given), ignored, outside)


def _out_of(area: Array, ranges: Array) -> Array:
    return np.asarray((area[:, None] < ranges[:, 0]) | (area[:, None] > ranges[:, 1]))


@dataclass(frozen=True, eq=False)
class Ranking:
    """Predictions of one unit in the order of their scores, with what each found.

    Only predictions with a candidate may be right, so only these are steps; of the others it is known whether they count.
    """

    order: Array  # (N,) positions of the predictions
    counts: Array  # (N,) bool: it counts if it matches nothing
    place: Array  # (C,): which of them have a candidate
    found: Array  # (C, T) bool: it matches an object
    right: Array  # (C, T) bool: … one that counts
    truth: Array  # positions of the true objects that count

    @property
    def objects(self) -> int:
        """The number of true objects that count."""
        return len(self.truth)

    def at_thresholds(self, ious: list[int]) -> Ranking:
        """Return the ranking at some of the thresholds of the overlap."""
        return replace(self, found=self.found[:, ious], right=self.right[:, ious])

    def with_every_step(self) -> Ranking:
        """Return the ranking with a step for each prediction, for a curve that is joined by lines."""
        sides = [np.zeros((len(self.order), self.right.shape[1]), bool) for _ in range(2)]
        for side, own in zip(sides, (self.found, self.right), strict=True):
            side[self.place] = own
        return replace(self, place=np.arange(len(self.order)), found=sides[0], right=sides[1])


def _rankings(matches: Matches, order: Array, unit: Units, a: int) -> list[Ranking]:
    """Return the ranking of each unit; ``order`` has the predictions that take part."""
    mine, theirs, units = unit.predictions, unit.truth, unit.n
    counted = np.flatnonzero(~matches.ignored[:, a])
    counted = counted[np.argsort(theirs[counted], kind="stable")]
    splits = np.searchsorted(theirs[counted], np.arange(units + 1))
    order = order[np.argsort(mine[order], kind="stable")]
    ends = np.searchsorted(mine[order], np.arange(units + 1))
    counts = ~matches.outside[order, a]
    row = matches.candidate[order]
    place = np.flatnonzero(row >= 0)
    partner = matches.partners.truth[row[place], :, a]
    found = partner >= 0
    right = found & ~matches.ignored[np.maximum(partner, 0), a] if len(matches.ignored) else found
    cuts = np.searchsorted(place, ends)
    out = []
    for k in range(units):
        some, own = slice(cuts[k], cuts[k + 1]), slice(ends[k], ends[k + 1])
        truth = counted[splits[k] : splits[k + 1]]
        out.append(Ranking(order[own], counts[own], place[some] - ends[k], found[some], right[some], truth))
    return out


def truths_and_predictions(scene: Scene, matches: Matches, keep: Array, t: int, a: int) -> tuple[Array, Array, Array]:
    """Return the true class, the predicted class and the image of each example.

    An example is a match, a false prediction or a missed object.

    -1 stands for no class. What is ignored is left out.
    """
    truth, predictions = scene.truth, scene.predictions
    partner = matches.partner_of(keep, t, a)
    missed = np.ones(truth.n, bool)
    missed[partner[partner >= 0]] = False
    lost = np.flatnonzero(missed & ~matches.ignored[:, a])
    counts = np.where(partner >= 0, ~matches.ignored[np.maximum(partner, 0), a] if truth.n else False, ~matches.outside[keep, a])
    keep, partner = keep[counts], partner[counts]
    true = np.where(partner >= 0, truth.label[np.maximum(partner, 0)] if truth.n else -1, -1)
    none = np.full(len(lost), -1)
    columns = ((true, truth.label[lost]), (predictions.label[keep], none), (predictions.image[keep], truth.image[lost]))
    return tuple(np.concatenate(pair) for pair in columns)  # type: ignore[return-value]


ALL = {"all": (0.0, 1e10)}
COCO_AREAS = {**ALL, "small": (0.0, 32.0**2), "medium": (32.0**2, 96.0**2), "large": (96.0**2, 1e10)}
EVERY = 2**31 - 1  # a limit that no image reaches
COCO_IOUS = tuple(np.linspace(0.5, 0.95, 10).tolist())


@dataclass(frozen=True)
class Number:
    """One of the numbers of a summary: an average precision or recall, and where it is taken."""

    name: str
    recall: bool = False
    iou: float | None = None
    area: str = "all"
    most: int | None = None
    frequency: str | None = None

    @property
    def measure(self) -> Measure:
        """The measure whose macro average it is."""
        area = None if self.area == "all" else self.area
        where = {"iou": self.iou, "area": area, "max_detections": self.most, "only": self.frequency}
        return resolve("ar" if self.recall else "ap").at(**where)

    @property
    def in_words(self) -> str:
        """What it is.

        >>> Number("AP50", iou=0.5).in_words, Number("AR1", True, most=1).in_words
        ('average precision at an overlap of 0.5', 'average recall, the 1 highest score of each image and class')
        """
        parts = ["average recall" if self.recall else "average precision"]
        if self.iou is not None:
            parts[0] += f" at an overlap of {self.iou:g}"
        if self.area != "all":
            parts.append(f"{self.area} objects")
        if self.frequency is not None:
            parts.append({"r": "rare", "c": "common", "f": "frequent"}.get(self.frequency, self.frequency) + " classes")
        if self.most is not None:
            parts.append(f"the {self.most} highest {'score' if self.most == 1 else 'scores'} of each image and class")
        return ", ".join(parts)


def numbers_of(kind: str, most: tuple[int, ...], *, federated: bool = False) -> tuple[Number, ...]:
    """Return the numbers that COCO prints for boxes and masks, and for keypoints, or those of LVIS.

    Without a limit on predictions there is one AR.

    >>> [number.name for number in numbers_of("boxes", (1, 10, 100))]
    ['AP', 'AP50', 'AP75', 'APs', 'APm', 'APl', 'AR1', 'AR10', 'AR100', 'ARs', 'ARm', 'ARl']
    """
    sizes = [size for size in ("small", "medium", "large") if kind != "keypoints" or size != "small"]
    precision = [Number("AP"), Number("AP50", iou=0.5), Number("AP75", iou=0.75)]
    precision += [Number(f"AP{size[0]}", area=size) for size in sizes]
    of_sizes = [Number(f"AR{size[0]}", True, area=size) for size in sizes]
    if kind == "keypoints":
        return (*precision, Number("AR", True), Number("AR50", True, 0.5), Number("AR75", True, 0.75), *of_sizes)
    if federated:
        groups = [Number(f"AP{group}", frequency=group) for group in "rcf"]
        return (*precision, *groups, Number("AR", True), *of_sizes)
    return (*precision, *(Number(f"AR{k}", True, most=k) if k < EVERY else Number("AR", True) for k in most), *of_sizes)


def usual_most(kind: str, federated: bool) -> tuple[int, ...]:
    """Return how many predictions of an image and a class take part, in the order of COCO's numbers."""
    if federated:
        return (300,)
    return (20,) if kind == "keypoints" else (1, 10, 100)


def usual_areas(kind: str) -> dict[str, tuple[float, float]]:
    """Return COCO's area ranges; keypoints have no small one."""
    return {name: ends for name, ends in COCO_AREAS.items() if kind != "keypoints" or name != "small"}


def check_ious(ious: Any) -> tuple[float, ...]:
    """Return thresholds of the overlap, each above 0 and at most 1."""
    array = np.asarray(COCO_IOUS) if ious is None else numbers_or_none(ious)
    given = () if array is None or array.ndim > 1 else tuple(np.atleast_1d(array).tolist())
    if not given or not all(0 < iou <= 1 for iou in given):
        raise ValueError(f"ious={ious!r}: give thresholds of the overlap above 0 and at most 1, such as 0.5 or [0.5, 0.75].")
    return given


def check_iou(iou: Any) -> tuple[float]:
    """Return the one threshold of the overlap of what is computed at a single one."""
    given = check_ious(iou)
    if len(given) > 1:
        raise ValueError(f"iou={iou!r}: give one threshold of the overlap, such as 0.5.")
    return (given[0],)


def check_areas(areas: Any, kind: str) -> dict[str, tuple[float, float]]:
    """Return area ranges by name, "all" among them."""
    if areas is None:
        return usual_areas(kind)
    if not isinstance(areas, Mapping):
        raise TypeError(f"areas={areas!r}: give a dict of ranges by name, such as {{'small': (0, 1024)}}.")
    return {**ALL, **{name: check_area(ends, f"areas={{{name!r}: {ends!r}}}") for name, ends in areas.items()}}


def check_area(ends: Any, given: str) -> tuple[float, float]:
    """Return the ends of an area range."""
    array = numbers_or_none(ends)
    if array is None or array.shape != (2,) or not 0 <= array[0] <= array[1]:
        raise ValueError(f"{given}: give the smallest and the largest area, such as (0, 1024).")
    return float(array[0]), float(array[1])


def check_most(given: Any) -> tuple[int, ...]:
    """Return numbers of predictions, the smallest first."""
    many = np.atleast_1d(np.asarray(given)).tolist()
    if not many or not all(isinstance(k, int) and k > 0 for k in many):
        raise ValueError(f"max_detections={given!r}: give whole numbers above 0, such as 100 or (1, 10, 100).")
    return tuple(sorted(many))


def check_score(score: Any) -> float:
    """Return a score from which predictions are kept."""
    if not isinstance(score, int | float | np.number) or isinstance(score, bool) or score != score:
        raise ValueError(f"score={score!r} must be a number: predictions with this score or a higher one are kept.")
    return float(score)
