"""A score of kept examples: the value of one unit, or the average over several, such as classes.

Nothing here knows what a unit is: a ranking with an area, or a loss with its parts and wholes. A unit says how its value follows
from how often each example counts, and what each example adds to it. The weights of units are sampled as well, and move, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ...algebra.arrays import Array, as_weight, quiet
from ...algebra.average import AVERAGES, BINARY, Average, find_average
from ...algebra.counts import undecided_counts
from ...algebra.measure import Measure
from ...algebra.score import Score
from ...scores.score_functions import opened
from ..sampling.samples import typical_weight
from ..sampling.score_function import span_of
from .clustered import Sampled, UnitSpread, check_rows_tested_once, read_clusters
from .of_weights import UNSURE, Halves, OfMean, OfWeights, halves_of, mean_over_examples
from .ranked_unit import RankedUnit, SummedUnit
from .score_interval import Center

STEP = 1e-4  # for slopes of weights: the share of the examples that is added and taken away

Weigh = Callable[[Array, Array], Array]


class Unit(Protocol):
    """A part of a score that has a value of its own, and what its examples add to it."""

    @property
    def name(self) -> Any:
        """The class or the group."""

    @property
    def rows(self) -> Array:
        """The example of each entry."""

    @property
    def labels(self) -> Array:
        """Which entries are positive."""

    @property
    def known(self) -> Any:
        """Whether what each example adds is known."""

    @property
    def value(self) -> float:
        """The value."""

    @property
    def bias(self) -> float:
        """By how much the value of a sample is too high."""

    @property
    def sides(self) -> tuple[float, float]:
        """How many positives and negatives there are."""

    def values(self, weights: Array) -> tuple[Array, Array, Array]:
        """Return the value, the positives and the negatives for several sets of weights of the examples."""

    def sizes(self, sampled: Sampled) -> dict[str, int]:
        """Return how many things of each kind were sampled."""

    def added(self, sampled: Sampled) -> Array:
        """Return what each entry adds to the value."""

    def spread(self, sampled: Sampled, added: Array, score: float) -> UnitSpread:
        """Return the variance of the value, seen and expected; ``score`` is that of all units together."""


@dataclass(frozen=True, eq=False)
class OfUnits(OfWeights):
    """The value of a unit, or the weighted mean of the values of several units of the same examples."""

    measure: Measure
    value: float
    units: tuple[Unit, ...]
    sampled: Sampled
    one: bool  # there is one unit: no average
    weigh: Weigh | None = None  # the weights of the units from their positives and negatives; None: all the same
    smooth = True  # a normal approximation gives its interval

    @cached_property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        return span_of(self.measure, self.value)

    @property
    def usual(self) -> str:  # type: ignore[override]
        """The method of intervals that covers best."""
        return "score" if math.isfinite(self.span[1] - self.span[0]) else "skewed" if self.known else "delta"

    @property
    def known(self) -> bool:
        """Whether what each example adds is known."""
        return all(unit.known for unit in self.units)

    @property
    def freedom(self) -> float:
        """How many clusters were sampled, less one; for single examples it does not matter."""
        return self.sampled.freedom

    @cached_property
    def often(self) -> Array:
        """How often each example or cluster is in the sample: once."""
        return np.ones(self.sampled.things)

    @property
    def size(self) -> int:
        """How many numbers a replicate needs."""
        return 4 * self.sampled.n

    @cached_property
    def _sides(self) -> Array:
        """How many positives and negatives the units have, (2, units)."""
        return np.array([unit.sides for unit in self.units]).T

    def _shares_of(self, positives: Array, negatives: Array) -> Array:
        weights = np.ones_like(positives) if self.weigh is None else self.weigh(positives, negatives)
        with quiet():
            return np.asarray(weights / weights.sum(axis=-1, keepdims=True))

    @cached_property
    def _shares(self) -> Array:
        return self._shares_of(*self._sides)

    def scores(self, weights: Array) -> Array:
        """Return the score for several sets of weights of the examples."""
        values, positives, negatives = (np.stack(x, axis=-1) for x in zip(*(u.values(weights) for u in self.units), strict=True))
        return np.asarray((self._shares_of(positives, negatives) * values).sum(axis=-1))

    def of(self, weights: Array) -> Array:
        """Return the score for several sets of weights of the examples or clusters."""
        return self.scores(self.sampled.of_examples(weights))

    @cached_property
    def _of_each(self) -> list[Array]:
        """What the entries of each unit add to its value."""
        return [unit.added(self.sampled) for unit in self.units]

    @cached_property
    def added(self) -> Array:
        """What each example or cluster adds to the score: to the values of the units, and to their weights."""
        whole = np.zeros(self.sampled.things)
        moved = self._moved_by_weights().T
        for unit, own, share, (more, less) in zip(self.units, self._of_each, self._shares, moved, strict=True):
            added = share * own if self.weigh is None else share * own + np.where(unit.labels, more, less)
            whole += self.sampled.sums(unit.rows, added)
        return whole

    def _moved_by_weights(self) -> Array:
        """Return how one more positive or negative of each unit moves the mean by moving the weights."""
        if self.weigh is None:
            return np.zeros((2, len(self.units)))
        sides, values = self._sides, np.array([unit.value for unit in self.units])
        total, mean, step = self.weigh(*sides).sum(), float(self._shares @ values), STEP * sides.sum(axis=0)
        moves = np.eye(2)[..., None] * step
        change = [self.weigh(*(sides + move)) - self.weigh(*(sides - move)) for move in moves]
        return np.asarray(np.array(change) * (values - mean) / total / (2 * step))

    def variance(self) -> float:
        """Return the variance from what each example or cluster adds: DeLong's and Obuchowski's, for AUC.

        Where that is not known, it comes from halves of the sample.
        """
        return self._variance

    @cached_property
    def _variance(self) -> float:
        return float(self.added @ self.added) if self.known else self.halves.variance

    def covariance(self, other: OfUnits) -> float:
        """Return the covariance with the score of other predictions for the same examples."""
        return float(self.added @ other.added) if self.known else self.halves.covariance(other.halves)

    @cached_property
    def halves(self) -> Halves:
        """What random halves of the sample tell."""
        return halves_of(self.scores, self.sampled.owner, self.value)

    def center(self) -> Center:
        """Return what its score interval is made of."""
        return self._center

    @cached_property
    def _spreads(self) -> list[UnitSpread]:
        each: list[Any] = self._of_each if self.known else [None] * len(self.units)
        return [unit.spread(self.sampled, own, self.value) for unit, own in zip(self.units, each, strict=True)]

    @cached_property
    def _center(self) -> Center:
        parts = self._spreads
        smoothed = float(self._shares @ [part.smoothed for part in parts])
        extra = float(self._shares**2 @ [part.whole - part.seen for part in parts])
        own = self._shares**2 * [part.whole for part in parts]
        bottom = float((own**2 / [part.freedom for part in parts]).sum())
        freedom = float(own.sum()) ** 2 / bottom if bottom > 0 else math.inf
        unsure = 0.0 if self.known else (UNSURE * self.bias) ** 2
        spread = max(self.variance() + unsure + extra, self.pseudo_variance)
        return Center(self.value - self.bias, smoothed, spread, min(freedom, self.freedom))

    @cached_property
    def bias(self) -> float:
        """By how much the score of a sample is too high."""
        return float(self._shares @ [unit.bias for unit in self.units]) if self.known else self.halves.bias

    @cached_property
    def pseudo_variance(self) -> float:
        """By how much the variance grows with one pseudo-example in each unit."""
        return float(self._shares**2 @ [part.more for part in self._spreads])

    def check_strata(self, stratified: bool) -> Array | None:
        """Return the class of each example of one ranking where classes are drawn apart, or refuse."""
        strata = self.units[0].labels.astype(int) if stratified and self.one else None
        if stratified and (strata is None or self.sampled.clusters is not None):
            what = "an average over classes" if strata is None else "clusters, which hold examples of both classes"
            raise ValueError(f"stratified= is for the area of one ranking of single examples. Leave it out for {what}.")
        return strata

    def without_each(self) -> tuple[Array, Array]:
        """Return the score without each example or cluster, to first order."""
        if not self.known:
            raise ValueError(
                f"What each example adds to {self.measure} is not known, so none is left out. Leave method= out, or use "
                "'percentile'."
            )
        return self.value - self.added, np.ones(self.sampled.things)


def estimator_of_scores(measure: Measure, swept: Any, score: Score, clusters: Any) -> OfMean | OfUnits:
    """Return a score of a sweep as an estimator, of examples or of clusters, or refuse it."""
    check_rows_tested_once(swept, clusters)
    given = clusters_of_rows(swept, clusters)
    if score.counts.per == ("example",) and measure.reads.per_example:
        return mean_over_examples(score, given)
    return (_of_sums if measure.reads.per_example else _of_areas)(measure, swept, score, given)


def clusters_of_rows(swept: Any, clusters: Any) -> Array | None:
    """Return the number of the cluster of each example of a sweep; None if examples are independent."""
    return read_clusters(clusters, swept.n, None if swept.rows is None else swept.rows.groups)


def _of_areas(area: Measure, swept: Any, score: Score, clusters: Array | None) -> OfUnits:
    """Return an area of the rankings of a sweep as an estimator."""
    name = score.average
    if area.params.get("missed"):
        raise ValueError(f"There is no interval of {area}: the positives that no score reaches are not in the sample.")
    if swept.rows is None or swept.rows.weights is not None:
        what = "was merged from states without them" if swept.rows is None else "has weights"
        raise ValueError(f"An interval of {area} needs the scores of each example, and this sweep {what}.")
    rows, rule = swept.rows, None if isinstance(name, tuple) else find_average(name)
    if rule is None or not set(rule.per) <= {"class"}:
        raise ValueError(f"There is no interval of {area} with average={name!r}. Use a binary, micro or class average.")
    every, sampled = np.arange(rows.n), Sampled(rows.n, clusters)
    if rule.pools and name != BINARY:
        shape = rows.scores.shape
        seen = np.ones(shape, bool) if rows.mask is None else np.broadcast_to(rows.mask, shape)
        owner = np.broadcast_to(every[:, None], shape)[seen]
        whole = RankedUnit.of(area, owner, rows.scores[seen], rows.truth()[seen])
        return OfUnits(area, float(score), (whole,), sampled, True)
    found = [swept.columns.index(swept.positive)] if name == BINARY else np.flatnonzero(np.isfinite(np.ravel(score.values)))
    units = []
    for k in found:
        own = rows.only(k)
        seen = np.ones(rows.n, bool) if own.mask is None else own.mask[:, 0]
        units.append(RankedUnit.of(area, every[seen], own.scores[seen, 0], own.truth()[seen, 0], swept.columns[k]))
    weigh = None if name == BINARY or rule.weight is None else _weights_of_counts(area, rule)
    return OfUnits(area, float(score), tuple(units), sampled, name == BINARY, weigh)


def of_another_area(estimator: OfUnits, area: Measure) -> OfUnits:
    """Return the estimator of another area of the same rankings."""
    units = tuple(replace(unit, area=area) for unit in estimator.units)  # type: ignore[type-var]
    made = replace(estimator, measure=area, units=units)
    return replace(made, value=float(made.scores(np.ones((1, made.sampled.n)))[0]))


def _of_sums(measure: Measure, swept: Any, score: Score, clusters: Array | None) -> OfUnits:
    """Return an average of a loss or a ranking, whose units are sums over examples, as an estimator."""
    name = score.average
    if isinstance(name, tuple):
        raise ValueError(f"There is no interval of {measure} with average={name!r}. Name one axis.")
    if measure.facts.without_parts:
        raise ValueError(f"There is no interval for the {name!r} average of {measure}: {measure.facts.without_parts}.")
    every = opened(measure, swept, name, score.undefined)[1].added_by_examples(name)
    weights = swept.rows.weights
    often = np.ones(swept.n)
    if weights is not None:
        weights = np.asarray(weights, np.float64)
        often = weights / typical_weight(weights.sum(), (weights**2).sum())
    span = span_of(score.measure, float(score))
    made = [
        SummedUnit(x.rows, x.parts, x.wholes, x.positives, x.name, span, often[x.rows])
        for x in every
        if often[x.rows] @ x.wholes > 0
    ]
    rule = AVERAGES.get(name)
    weigh = None if rule is None or rule.weight is None else _weights_of_counts(measure, rule)
    sampled = Sampled(swept.n, clusters, None if weights is None else often)
    found = OfUnits(score.measure, float(score), tuple(made), sampled, len(made) == 1, weigh)
    if not math.isclose(float(found.scores(often[None])[0]), float(score), rel_tol=1e-9, abs_tol=1e-12):
        fixed = f"undefined={score.undefined!r} puts numbers in the place of values"
        raise ValueError(f"There is no interval for the {name!r} average of {measure}: {fixed}.")
    return found


def _weights_of_counts(measure: Measure, rule: Average) -> Weigh:
    """Return the weights of units under an average, as a function of their positives and negatives."""

    def weigh(positives: Array, negatives: Array) -> Array:
        found = as_weight(rule.amounts(measure, undecided_counts(positives, negatives, per=rule.per, names=())))
        return np.broadcast_to(found, np.shape(positives))

    return weigh
