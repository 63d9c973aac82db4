"""Units of a score of scores: what each example adds to it, and the expected variance.

The score is an area, or a ratio of sums.

Of areas, AUC has DeLong's placements, and average precision its influence function. A loss or a gain is the sum of all parts
over the sum of all wholes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.measure import Measure
from ...scores.curves.ranked_units import Steps
from .clustered import Sampled, UnitSpread, design_effect, freedom_of_clusters

LIKE = 2.0  # examples of each class that the expected variance counts as, next to those that were seen
HALF = 0.5  # of the pseudo-example has the lowest value, the other half the highest


@dataclass(frozen=True, eq=False)
class Placed:
    """An area, and what one more positive or negative example at each distinct score adds to it."""

    value: float
    positive: Array
    negative: Array
    bias: float = 0.0  # by how much the area of a sample is too high


@dataclass(frozen=True)
class Expected:
    """What is expected of an area of so many positives and negatives, if one of them is a pseudo-example.

    The pseudo-example is of the rarer class, half of it right and half of it wrong.
    """

    smoothed: float  # the area with the pseudo-example
    more: float  # by how much the variance grows with it
    positive: float  # the variance that comes from the positives
    negative: float  # the variance that comes from the negatives


def place_auc(positives: Array, negatives: Array) -> Placed:
    """Return the AUC with DeLong's placements.

    The arguments are how many examples there are at each distinct score, highest first.
    """
    p, q = float(positives.sum()), float(negatives.sum())
    below = (np.cumsum(negatives[::-1])[::-1] - negatives / 2) / q  # the share of negatives below, ties count half
    above = (np.cumsum(positives) - positives / 2) / p
    value = float(positives @ below) / p
    return Placed(value, (below - value) / p, (above - value) / q)


def expect_auc(value: float, p: float, q: float) -> Expected:
    """Return what is expected of an AUC: Hanley and McNeil's variance in Newcombe's symmetric form.

    An area near 1 has a small variance in the sample, and a larger one if half an example of the rarer class is misplaced.
    """
    least = min(p, q)
    smoothed = (least * value + 0.5) / (least + 1)
    more = _hanley_mcneil(smoothed, p, q) - _hanley_mcneil(value, p, q)
    apart, pair = _variance_of_placements(smoothed), smoothed * (1 - smoothed)
    return Expected(smoothed, more, (apart + (pair - apart) / q) / p, (apart + (pair - apart) / p) / q)


def _hanley_mcneil(area: float, p: float, q: float) -> float:
    return (area * (1 - area) + (p + q - 2) * _variance_of_placements(area)) / (p * q)


def _variance_of_placements(area: float) -> float:
    """Return the variance of the share of the other class that an example is ranked above or below."""
    return area * (1 - area) * ((1 - area) / (2 - area) + area / (1 + area)) / 2


def place_average_precision(positives: Array, negatives: Array) -> Placed:
    """Return the average precision with its influence function; the arguments are as for the AUC.

    A positive is counted in the precision at its own rank, which makes the area of few positives too high: half of what it
    adds there is the bias.
    """
    p = float(positives.sum())
    tp, fp = np.cumsum(positives), np.cumsum(negatives)
    reached = tp + fp
    with quiet():
        precision = np.where(reached > 0, tp / reached, 0.0)
        value = float(positives @ precision) / p
        others = np.where(reached > 1, (tp - 1) / (reached - 1), value)  # the precision without one positive
        rise, fall = (np.where(reached > 0, positives * side / reached**2, 0.0) / p for side in (fp, tp))
    later = [np.cumsum(x[::-1])[::-1] for x in (rise, fall)]  # from positives with this score or a lower one
    bias = float(positives @ (precision - others)) / p / 2
    return Placed(value, (precision - value) / p + later[0], -later[1], bias)


def expect_average_precision(value: float, p: float, q: float) -> Expected:
    """Return what is expected of an average precision.

    The pseudo-example is a positive, half of it first and half of it last. The precisions at the positives spread as those of
    examples that are first or last.
    """
    last = p / (p + q)
    smoothed = (p * value + 0.5 + 0.5 * last) / (p + 1)
    more = (0.5 * (1 - smoothed) ** 2 + 0.5 * (last - smoothed) ** 2) / (p + 1) ** 2
    return Expected(smoothed, more, smoothed * (1 - smoothed) / p, 0.0)


@dataclass(frozen=True)
class KnownInfluence:
    """An area of which is known what each example adds."""

    place: Callable[[Array, Array], Placed]
    expect: Callable[[float, float, float], Expected]


PLACED = {
    "auc": KnownInfluence(place_auc, expect_auc),
    "average_precision": KnownInfluence(place_average_precision, expect_average_precision),
}


@dataclass(frozen=True, eq=False)
class RankedUnit:
    """The ranking of one class, or of all entries: their examples, their scores and their labels."""

    area: Measure
    rows: Array  # the example of each entry
    place: Array  # of its score among the distinct scores, highest first
    labels: Array
    name: Any  # of the class
    scores: Array  # the distinct scores, highest first

    @staticmethod
    def of(area: Measure, rows: Array, scores: Array, labels: Array, name: Any = None) -> RankedUnit:
        """Return the ranking of some entries."""
        distinct, place = np.unique(-scores, return_inverse=True)
        return RankedUnit(area, rows, place.ravel(), labels.astype(bool), name, -distinct)

    @property
    def known(self) -> KnownInfluence | None:
        """How what each example adds is found; None where it is not known."""
        return PLACED.get(str(self.area))

    @cached_property
    def sides(self) -> tuple[float, float]:
        """How many positives and negatives there are."""
        return float(self.labels.sum()), float((~self.labels).sum())

    @cached_property
    def _falling(self) -> tuple[Array, Array, Array]:
        """The examples and the labels by falling score, and the last entry of each distinct score."""
        order = np.argsort(self.place, kind="stable")
        return self.rows[order], self.labels[order], np.cumsum(np.bincount(self.place, minlength=len(self.scores))) - 1

    def steps(self, weights: Array) -> Steps:
        """Return the running sums of the weights of positives and of negatives at falling thresholds.

        ``weights`` are several sets of weights of the examples.
        """
        rows, labels, last = self._falling
        own = weights[:, rows]
        sides = (np.cumsum(np.where(side, own, 0.0), axis=1)[:, last] for side in (labels, ~labels))
        tp, fp = (np.concatenate([np.zeros((len(weights), 1)), side], axis=1) for side in sides)
        return Steps(tp, fp, np.broadcast_to(np.append(self.scores.dtype.type(np.inf), self.scores), tp.shape))

    def values(self, weights: Array) -> tuple[Array, Array, Array]:
        """Return the area, the positives and the negatives for several sets of weights of the examples."""
        steps = self.steps(weights)
        return np.asarray(self.area.function(steps, **self.area.params), np.float64), steps.tp[:, -1], steps.fp[:, -1]

    @cached_property
    def placed(self) -> Placed:
        """The area with what one more example at each score adds to it."""
        assert self.known is not None
        size = len(self.scores)
        sides = (np.bincount(self.place[side], minlength=size).astype(np.float64) for side in (self.labels, ~self.labels))
        return self.known.place(*sides)

    @property
    def value(self) -> float:
        """The area."""
        return self.placed.value

    @property
    def bias(self) -> float:
        """By how much the area of a sample is too high."""
        return self.placed.bias

    def sizes(self, sampled: Sampled) -> dict[str, int]:
        """Return in how many examples or clusters there are positives, and in how many negatives."""
        return {"positive": sampled.count(self.rows[self.labels]), "negative": sampled.count(self.rows[~self.labels])}

    def added(self, sampled: Sampled) -> Array:
        """Return what each entry adds to the area, scaled so that few do not vary too little."""
        own = np.where(self.labels, self.placed.positive[self.place], self.placed.negative[self.place])
        factors = [math.sqrt(units / (units - 1)) if units > 1 else 1.0 for units in self.sizes(sampled).values()]
        return np.asarray(own * np.where(self.labels, *factors))

    def spread(self, sampled: Sampled, own: Array, score: float) -> UnitSpread:
        """Return the variance of the area, to which each entry adds its ``own`` part.

        The variance that is expected counts as that of a few more examples, so that it does not vanish if only few were seen. Of
        clusters, as many examples count as have the same variance if they are independent.
        """
        (p, q), units = self.sides, self.sizes(sampled).values()
        if self.known is None:
            return self._spread_by_halves(max(min(units), 1), score)
        sides = (self.labels, ~self.labels)
        expect, value = self.known.expect, self.value
        sums = [sampled.sums(self.rows[side], own[side]) for side in sides]
        together = float(((sums[0] + sums[1]) ** 2).sum())
        effect = design_effect(float(own @ own), together, expect(value, p, q).more, len(own) / sampled.count(self.rows))
        found = expect(value, p / effect, q / effect)
        seen = [float(side @ side) for side in sums]
        others = [max(number - 1, 0) for number in units]
        mixed = [
            (number * one + LIKE * other) / (number + LIKE)
            for number, one, other in zip(others, seen, (found.positive, found.negative), strict=True)
        ]
        if sampled.clusters is not None:  # what is expected does not know how alike the examples of a cluster are
            mixed = [max(pair) for pair in zip(mixed, seen, strict=True)]
        whole = sum(mixed) + found.more
        bottom = sum(v**2 / (number + LIKE) for v, number in zip(mixed, others, strict=True))
        freedom = whole**2 / bottom if bottom > 0 else math.inf
        if sampled.clusters is not None:  # the square that is expected of what each entry adds is that of all of its class
            expected = np.where(self.labels, *(float((own[side] ** 2).mean()) for side in sides))
            freedom = min(freedom, freedom_of_clusters(np.bincount(sampled.owner[self.rows], expected), effect))
        return UnitSpread(sum(seen), whole, found.smoothed, found.more, freedom)

    def _spread_by_halves(self, least: int, score: float) -> UnitSpread:
        """Return what is expected of any area: one more example is the best or the worst."""
        low, high = self.area.range
        if not math.isfinite(high - low):
            return UnitSpread(0.0, 0.0, score, 0.0, least + LIKE - 1)
        smoothed = (least * score + (low + high) / 2) / (least + 1)
        more = ((high - smoothed) ** 2 + (low - smoothed) ** 2) / 2 / (least + 1) ** 2
        return UnitSpread(0.0, more, smoothed, more, least + LIKE - 1)


@dataclass(frozen=True, eq=False)
class SummedUnit:
    """The entries of one class, of a group, or of all; an entry may add nothing."""

    rows: Array  # the example of each entry
    parts: Array
    wholes: Array
    labels: Array  # which examples are its positives, where weights read them
    name: Any
    span: tuple[float, float]  # between which single values lie
    often: Array  # how often the example of each entry counts: its weight, or 1

    known = True

    @cached_property
    def _sums(self) -> tuple[float, float]:
        return float(self.often @ self.parts), float(self.often @ self.wholes)

    @property
    def value(self) -> float:
        """The ratio of the sums."""
        return self._sums[0] / self._sums[1]

    @property
    def bias(self) -> float:
        """A ratio of sums has hardly any."""
        return 0.0

    @cached_property
    def sides(self) -> tuple[float, float]:
        """How many positives and negatives there are."""
        return float(self.often[self.labels].sum()), float(self.often[~self.labels].sum())

    def values(self, weights: Array) -> tuple[Array, Array, Array]:
        """Return the value, the positives and the negatives for several sets of weights of the examples."""
        own = weights[:, self.rows]
        with quiet():
            return (own @ self.parts) / (own @ self.wholes), own @ self.labels, own @ ~self.labels

    def sizes(self, sampled: Sampled) -> dict[str, int]:
        """Return how many examples or clusters have a value."""
        return {"": sampled.count(self.rows[self.wholes > 0])}

    def _apart(self, value: float) -> Array:
        """Return by how much each example moves the sum of the parts beyond what a value leads to expect."""
        return np.asarray(self.often * (self.parts - value * self.wholes))

    def added(self, sampled: Sampled) -> Array:
        """Return what each example adds to the value, scaled so that few do not vary too little."""
        things = self.sizes(sampled)[""]
        return self._apart(self.value) / self._sums[1] * (math.sqrt(things / (things - 1)) if things > 1 else 1.0)

    def spread(self, sampled: Sampled, own: Array, score: float) -> UnitSpread:
        """Return the variance of the value with one pseudo-example, as of a mean of values in a finite range."""
        things = self.sizes(sampled)[""]
        together = float((sampled.sums(self.rows, own) ** 2).sum())
        (low, high), whole = self.span, self.often * self.wholes
        freedom = max(things - 1.0, 1.0)
        if not math.isfinite(high - low):
            return UnitSpread(together, together, self.value, 0.0, freedom)
        width, typical = high - low, float((whole**2).sum() / whole.sum())
        n = float(whole.sum()) / typical
        mean = (self.value - low) / width
        effect = 1.0
        if sampled.clusters is not None:
            apart = self._apart(self.value) / typical / width
            found = float((sampled.sums(self.rows, apart) ** 2).sum()) * (1 + 1 / freedom)
            effect = design_effect(float(apart @ apart), found, HALF**2, n / things)
            freedom = min(freedom, freedom_of_clusters(sampled.sums(self.rows, whole), effect))
        n /= effect
        share = (n * mean + HALF) / (n + 1)
        apart = self._apart(low + share * width) / typical / width
        squares = float((sampled.sums(self.rows, apart) ** 2).sum()) * (1 if sampled.clusters is None else 1 + 1 / freedom)
        unit = (width / (n + 1)) ** 2
        more = (HALF * share**2 + HALF * (1 - share) ** 2) * unit
        return UnitSpread(together, max(squares / effect**2 * unit, together) + more, low + share * width, more, freedom)
