"""Matches: what each prediction found at each threshold of the overlap and in each area range.

This is the wall between matching and scoring: behind it there are only ranked predictions that are right or wrong, and counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ..shapes.objects import Scene, Units
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
