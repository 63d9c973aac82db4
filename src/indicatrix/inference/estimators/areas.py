"""An area as an estimator: of one ranking, or the average over the rankings of several classes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array, as_weight, quiet
from ...algebra.average import BINARY, Average, find_average
from ...algebra.counts import undecided_counts
from ...algebra.measure import Measure
from ...scores.curves.ranked_rows import Steps
from ..sampling.draw_weights import Draw
from ..sampling.samples import chunk_sizes
from .area_influence import LIKE, PLACED, Placed
from .clustered import design_effect, freedom_of_clusters, read_clusters
from .halves import UNSURE, Halves, halves_of
from .repeated_tests import check_rows_tested_once
from .score_interval import Centre

STEP = 1e-4  # for slopes of weights: the share of the examples that is added and taken away

Weigh = Callable[[Array, Array], Array]


@dataclass(frozen=True, eq=False)
class RankedColumn:
    """The entries of one ranking: their rows, their scores and their labels."""

    rows: Array  # the example of each entry
    place: Array  # of its score among the distinct scores, highest first
    labels: Array
    name: Any  # of the class
    scores: Array  # the distinct scores, highest first

    @staticmethod
    def of(rows: Array, scores: Array, labels: Array, name: Any = None) -> RankedColumn:
        """Return the column of some entries."""
        distinct, place = np.unique(-scores, return_inverse=True)
        return RankedColumn(rows, place.ravel(), labels.astype(bool), name, -distinct)

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

    def counts(self) -> tuple[Array, Array]:
        """Return how many positives and negatives there are at each distinct score."""
        size = len(self.scores)
        one, other = (np.bincount(self.place[side], minlength=size).astype(np.float64) for side in (self.labels, ~self.labels))
        return one, other


@dataclass(frozen=True)
class ColumnSpread:
    """The variance of the area of one ranking, seen and expected."""

    seen: float  # from the examples
    whole: float  # with what is expected, and with the pseudo-example
    smoothed: float
    more: float  # the part of the pseudo-example
    freedom: float


@dataclass(frozen=True, eq=False)
class OfArea:
    """An area of scores, or the weighted mean of the areas of several rankings."""

    area: Measure
    columns: tuple[RankedColumn, ...]
    n: int
    one: bool  # there is one ranking: no average over classes
    weigh: Weigh | None = None  # the weights of the rankings from their positives and negatives; None: all the same
    clusters: Array | None = None  # the number of the cluster of each example; None: every example stands for itself

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        return self.area.range

    @property
    def smooth(self) -> bool:
        """Whether a normal approximation gives its interval."""
        return True

    @property
    def placed(self) -> bool:
        """Whether its influence function is known."""
        return self.area.name in PLACED and str(self.area) == self.area.name

    @property
    def freedom(self) -> float:
        """How many clusters were sampled, less one; for single examples it does not matter."""
        return math.inf if self.clusters is None else self._groups - 1.0

    @cached_property
    def _groups(self) -> int:
        return self.n if self.clusters is None else int(self.clusters.max()) + 1

    @cached_property
    def _unit(self) -> Array:
        """What was sampled that each example belongs to: itself, or its cluster."""
        return np.arange(self.n) if self.clusters is None else self.clusters

    @cached_property
    def _sizes(self) -> tuple[Array, Array]:
        """How many positives and negatives the rankings have."""
        found = np.array([(column.labels.sum(), (~column.labels).sum()) for column in self.columns], np.float64)
        return found[:, 0], found[:, 1]

    def _shares_of(self, positives: Array, negatives: Array) -> Array:
        weights = np.ones_like(positives) if self.weigh is None else self.weigh(positives, negatives)
        with quiet():
            return np.asarray(weights / weights.sum(axis=-1, keepdims=True))

    @cached_property
    def _shares(self) -> Array:
        return self._shares_of(*self._sizes)

    @cached_property
    def _placed(self) -> list[Placed]:
        return [PLACED[self.area.name].place(*column.counts()) for column in self.columns]

    @cached_property
    def value(self) -> float:
        """The area of the sample."""
        return float(self._areas(np.ones((1, self.n)))[0])

    def _areas(self, weights: Array) -> Array:
        """Return the area for several sets of weights of the examples."""
        values, sides = [], []
        for column in self.columns:
            steps = column.steps(weights)
            values.append(np.asarray(self.area.function(steps, **self.area.params), np.float64))
            sides.append((steps.tp[:, -1], steps.fp[:, -1]))
        positives, negatives = (np.stack([side[k] for side in sides], axis=-1) for k in (0, 1))
        return np.asarray((self._shares_of(positives, negatives) * np.stack(values, axis=-1)).sum(axis=-1))

    @cached_property
    def influence(self) -> Array:
        """What each example adds to the area, and to the weights of the rankings."""
        added = np.zeros(self.n)
        moved = self._moved_by_weights()
        for k, (column, share) in enumerate(zip(self.columns, self._shares, strict=True)):
            own = share * self._within(k) + np.where(column.labels, moved[0][k], moved[1][k])
            added += np.bincount(column.rows, own, self.n)
        return added

    def _within(self, k: int) -> Array:
        """Return what each entry of a ranking adds to its area, scaled so that few do not vary too little."""
        column, placed = self.columns[k], self._placed[k]
        own = np.where(column.labels, placed.positive[column.place], placed.negative[column.place])
        factors = [math.sqrt(units / (units - 1)) if units > 1 else 1.0 for units in self._units_of(column)]
        return np.asarray(own * np.where(column.labels, *factors))

    def _units_of(self, column: RankedColumn) -> tuple[int, int]:
        """Return in how many examples or clusters there are positives, and in how many negatives."""
        sides = (np.bincount(self._unit[column.rows[side]], minlength=self._groups) for side in (column.labels, ~column.labels))
        one, other = (int(np.count_nonzero(times)) for times in sides)
        return one, other

    def _moved_by_weights(self) -> tuple[Array, Array]:
        """Return how one more positive or negative of each ranking moves the mean by moving the weights."""
        if self.weigh is None:
            return np.zeros(len(self.columns)), np.zeros(len(self.columns))
        positives, negatives = self._sizes
        values = np.array([placed.value for placed in self._placed])
        total, mean = self.weigh(positives, negatives).sum(), float(self._shares @ values)
        step = STEP * (positives + negatives)
        more = self.weigh(positives + step, negatives) - self.weigh(positives - step, negatives)
        less = self.weigh(positives, negatives + step) - self.weigh(positives, negatives - step)
        own = (values - mean) / total / (2 * step)
        return own * more, own * less

    def sampled(self) -> list[tuple[Any, tuple[int, int]]]:
        """Return the class of each ranking, and how many units have positives and negatives of it."""
        return [(column.name, self._units_of(column)) for column in self.columns]

    def added_by_units(self) -> Array:
        """Return what each example or cluster adds to the area."""
        return self.influence if self.clusters is None else np.bincount(self.clusters, self.influence, self._groups)

    def variance(self) -> float:
        """Return the variance from what each example or cluster adds: DeLong's and Obuchowski's, for AUC.

        Of an area whose influence function is not known, it comes from halves of the sample.
        """
        if not self.placed:
            return self.halves.variance
        added = self.added_by_units()
        return float(added @ added)

    def covariance(self, other: OfArea) -> float:
        """Return the covariance with the area of other scores of the same examples."""
        if not self.placed:
            return self.halves.covariance(other.halves)
        return float(self.added_by_units() @ other.added_by_units())

    @cached_property
    def halves(self) -> Halves:
        """What random halves of the sample tell."""
        return halves_of(self._areas, self._unit, self.value)

    def centre(self) -> Centre:
        """Return what its score interval is made of."""
        return self._centre

    @cached_property
    def _centre(self) -> Centre:
        parts = [self._spread_of(k) for k in range(len(self.columns))]
        smoothed = float(self._shares @ [part.smoothed for part in parts])
        extra = float(self._shares**2 @ [part.whole - part.seen for part in parts])
        own = self._shares**2 * [part.whole for part in parts]
        bottom = float((own**2 / [part.freedom for part in parts]).sum())
        freedom = float(own.sum()) ** 2 / bottom if bottom > 0 else math.inf
        unsure = 0.0 if self.placed else (UNSURE * self.bias) ** 2
        spread = max(self.variance() + unsure + extra, self.pseudo_variance)
        return Centre(self.value - self.bias, smoothed, spread, min(freedom, self.freedom))

    @property
    def bias(self) -> float:
        """By how much the area of a sample is too high."""
        return float(self._shares @ [placed.bias for placed in self._placed]) if self.placed else self.halves.bias

    @cached_property
    def pseudo_variance(self) -> float:
        """By how much the variance grows with one pseudo-example in each ranking."""
        return float(self._shares**2 @ [self._spread_of(k).more for k in range(len(self.columns))])

    def _spread_of(self, k: int) -> ColumnSpread:
        """Return the variance of the area of one ranking.

        The variance that is expected counts as that of a few more examples, so that it does not vanish if only few were seen. Of
        clusters, as many examples count as have the same variance if they are independent.
        """
        column, (p, q) = self.columns[k], (float(side[k]) for side in self._sizes)
        if not self.placed:
            return self._spread_by_halves(k)
        own, sides = self._within(k), (column.labels, ~column.labels)
        expect, value = PLACED[self.area.name].expect, self._placed[k].value
        sums = [np.bincount(self._unit[column.rows[side]], own[side], self._groups) for side in sides]
        together = float(((sums[0] + sums[1]) ** 2).sum())
        effect = design_effect(float(own @ own), together, expect(value, p, q).more, len(own) / self._present(column))
        found = expect(value, p / effect, q / effect)
        seen = [float(side @ side) for side in sums]
        units = [max(number - 1, 0) for number in self._units_of(column)]
        mixed = [
            (number * one + LIKE * other) / (number + LIKE)
            for number, one, other in zip(units, seen, (found.positive, found.negative), strict=True)
        ]
        if self.clusters is not None:  # what is expected does not know how alike the examples of a cluster are
            mixed = [max(pair) for pair in zip(mixed, seen, strict=True)]
        whole = sum(mixed) + found.more
        bottom = sum(v**2 / (number + LIKE) for v, number in zip(mixed, units, strict=True))
        freedom = whole**2 / bottom if bottom > 0 else math.inf
        if self.clusters is not None:
            freedom = min(freedom, freedom_of_clusters(np.bincount(self._unit[column.rows], self._expected(own, column)), effect))
        return ColumnSpread(sum(seen), whole, found.smoothed, found.more, freedom)

    def _expected(self, own: Array, column: RankedColumn) -> Array:
        """Return the square that is expected of what each entry adds: that of all entries of its class."""
        return np.where(column.labels, *(float((own[side] ** 2).mean()) for side in (column.labels, ~column.labels)))

    def _present(self, column: RankedColumn) -> int:
        """Return how many examples or clusters a ranking has entries of."""
        return int(np.count_nonzero(np.bincount(self._unit[column.rows])))

    def _spread_by_halves(self, k: int) -> ColumnSpread:
        """Return what is expected of any area: one more example is the best or the worst."""
        low, high = self.span
        least = max(min(self._units_of(self.columns[k])), 1)
        if not math.isfinite(high - low):
            return ColumnSpread(0.0, 0.0, self.value, 0.0, least + LIKE - 1)
        smoothed = (least * self.value + (low + high) / 2) / (least + 1)
        more = ((high - smoothed) ** 2 + (low - smoothed) ** 2) / 2 / (least + 1) ** 2
        return ColumnSpread(0.0, more, smoothed, more, least + LIKE - 1)

    def replicates(self, draw: Draw, draws: int, stratified: bool) -> tuple[Array, Array]:
        """Return the areas of replicates; the variance of each is not computed."""
        strata = self.columns[0].labels.astype(int) if stratified and self.one else None
        if stratified and (strata is None or self.clusters is not None):
            what = "an average over classes" if strata is None else "clusters, which hold examples of both classes"
            raise ValueError(f"stratified= is for the area of one ranking of single examples. Leave it out for {what}.")
        return self._drawn(lambda some: draw(np.ones(self._groups), strata, some), draws), np.full(draws, np.nan)

    def _drawn(self, draw: Callable[[int], Array], draws: int) -> Array:
        """Return the areas for weights of the examples or clusters that are drawn."""
        return np.concatenate([self._areas(draw(some)[:, self._unit]) for some in chunk_sizes(draws, 4 * self.n)])

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the area: gamma weights on the examples or clusters."""
        return self._drawn(lambda some: rng.standard_exponential((some, self._groups)), draws)

    def without_each(self) -> tuple[Array, Array]:
        """Return the area without each example or cluster, to first order."""
        if not self.placed:
            raise ValueError(
                f"What each example adds to {self.area} is not known, so none is left out. Leave method= out, or use "
                "'percentile'."
            )
        return self.value - self.added_by_units(), np.ones(self._groups)


def area_estimator(area: Measure, swept: Any, average: Any, clusters: Array | None = None) -> OfArea:
    """Return the area of a sweep under an average as an estimator, or refuse it with the reason."""
    score = area.score(swept, average)
    name = score.average
    if area.params.get("missed"):
        raise ValueError(f"There is no interval of {area}: the positives that no score reaches are not in the sample.")
    if swept.rows is None or swept.rows.weights is not None:
        what = "was merged from states without them" if swept.rows is None else "has weights"
        raise ValueError(f"An interval of {area} needs the scores of each example, and this sweep {what}.")
    rows, rule = swept.rows, None if isinstance(name, tuple) else find_average(name)
    if rule is None or not set(rule.per) <= {"class"}:
        raise ValueError(f"There is no interval of {area} with average={name!r}. Use a binary, micro or class average.")
    every = np.arange(rows.n)
    if rule.pools and name != BINARY:
        shape = rows.scores.shape
        seen = np.ones(shape, bool) if rows.mask is None else np.broadcast_to(rows.mask, shape)
        owner = np.broadcast_to(every[:, None], shape)[seen]
        return OfArea(area, (RankedColumn.of(owner, rows.scores[seen], rows.truth()[seen]),), rows.n, True, None, clusters)
    units = (
        [swept.columns.index(swept.positive)]
        if name == BINARY
        else [k for k, x in enumerate(np.ravel(score.values)) if np.isfinite(x)]
    )
    columns = []
    for k in units:
        own = rows.only(k)
        seen = np.ones(rows.n, bool) if own.mask is None else own.mask[:, 0]
        columns.append(RankedColumn.of(every[seen], own.scores[seen, 0], own.truth()[seen, 0], swept.columns[k]))
    weigh = None if name == BINARY or rule.weight is None else _weights_of_counts(area, rule)
    return OfArea(area, tuple(columns), rows.n, name == BINARY, weigh, clusters)


def _weights_of_counts(area: Measure, rule: Average) -> Weigh:
    """Return the weights of rankings under an average, as a function of their positives and negatives."""

    def weigh(positives: Array, negatives: Array) -> Array:
        found = as_weight(rule.amounts(area, undecided_counts(positives, negatives, per=rule.per, names=())))
        return np.broadcast_to(found, np.shape(positives))

    return weigh


def estimator_with_clusters(area: Measure, swept: Any, average: Any, clusters: Any) -> OfArea:
    """Return the area of a sweep as an estimator, of single examples or of clusters."""
    check_rows_tested_once(swept, clusters)
    groups = None if swept.rows is None else swept.rows.groups
    return area_estimator(area, swept, average, read_clusters(clusters, swept.n, groups))
