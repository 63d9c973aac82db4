"""Scores as functions of how often each sampled thing counts: an example, a cluster, an image.

How a score moves with these weights gives its variance; weights that are drawn, or leave one out, give its replicates.
Weights that are 1 in one half of the sample and 0 in the other give both where slopes and bootstraps fail.

The estimator of a mean over units whose values a score carries: examples, or groups.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...algebra.arrays import Array, as_weight, quiet
from ...algebra.average import BINARY
from ...algebra.convention import stand_in
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.score import Score, Undefined
from ..sampling.draw_weights import Draw
from ..sampling.samples import HALF, chunk_sizes, typical_weight
from ..sampling.score_function import span_of
from .clustered import design_effect, freedom_of_clusters, read_clusters
from .estimators import Estimator, Span
from .score_interval import Center

SPLITS = 50  # of the sample into two halves
# The bias of a convex hull, and of the best of many thresholds, falls with this power of the number of examples: in the limit
# with 2/3, more slowly for some hundreds of examples, for which it was chosen by simulation.
RATE = 0.55
UNSURE = 0.5  # of the bias is not known: it counts as a standard deviation
STEP = 1e-4  # by which the weight of a thing moves, to see how a score moves with it
NO_PRIOR = (
    "method='posterior' takes half the lowest and half the highest value for its prior, and single values have no limit here. "
    "Leave method= out, or use 'gamma'."
)


class OfWeights(Estimator):
    """A score as a function of how often each thing that was sampled counts."""

    if TYPE_CHECKING:

        @property
        def often(self) -> Array:
            """How often each thing is in the sample."""

    @property
    def size(self) -> int:
        """How many numbers a replicate needs."""
        return len(self.often)

    def of(self, weights: Array) -> Array:
        """Return the score for several sets of weights, (b, things)."""
        raise NotImplementedError

    def spreads_of(self, weights: Array, scores: Array) -> Array:
        """Return the variance of the score for several sets of weights; nan where it is not known."""
        return np.full(len(scores), np.nan)

    def check_strata(self, stratified: bool) -> Array | None:
        """Return the class of each thing where classes are drawn apart, or refuse."""
        if stratified:
            raise ValueError("stratified= needs the true class of each thing that was sampled. Leave it out.")
        return None

    @cached_property
    def added(self) -> Array:
        """What one more of each thing adds to the score."""
        return (self._moved(STEP) - self._moved(-STEP)) / (2 * STEP)

    def _moved(self, step: float) -> Array:
        """Return the scores with so much more of each thing."""
        scores, start = [], 0
        for some in chunk_sizes(len(self.often), self.size):
            scores.append(self.of(self.often + step * np.eye(some, len(self.often), start)))
            start += some
        return np.concatenate(scores)

    def variance(self) -> float:
        """Return the variance by the delta method, from what each thing adds."""
        return variance_of(self.added)

    def replicates(self, draw: Draw, draws: int, stratified: bool) -> tuple[Array, Array]:
        """Return the scores of replicates, and the variance of each."""
        strata = self.check_strata(stratified)
        return self._drawn(lambda some: draw(self.often, strata, some), draws)

    def _drawn(self, draw: Callable[[int], Array], draws: int) -> tuple[Array, Array]:
        """Return the scores for weights that are drawn, and the variance of each."""
        scores, spreads = [], []
        for some in chunk_sizes(draws, self.size):
            weights = draw(some)
            scores.append(self.of(weights))
            spreads.append(self.spreads_of(weights, scores[-1]))
        return np.concatenate(scores), np.concatenate(spreads)

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the score: gamma weights on what was sampled."""
        return self._drawn(lambda some: rng.standard_exponential((some, len(self.often))), draws)[0]

    def without_each(self) -> tuple[Array, Array]:
        """Return the scores without each thing that was sampled, and how often it occurs."""
        return self._moved(-1.0), self.often


def variance_of(added: Array) -> float:
    """Return the variance of a sum over things that were sampled, from what each adds.

    >>> variance_of(np.array([0.5, -0.5]))
    1.0
    """
    return float(((added - added.mean()) ** 2).sum()) * len(added) / (len(added) - 1)


@dataclass(frozen=True, eq=False)
class OfMean(OfWeights):
    """A mean of values: of examples, of groups, or of examples in clusters."""

    values: Array
    times: Array  # how often each value occurs
    span: Span
    weights: Array | None = None  # of the values in the mean; None: all the same
    clusters: Array | None = None  # the number of the cluster of each value; None: every value stands for itself
    few: bool = False  # the values are of groups, which are few
    squares: Array | None = None  # of examples with weights: the sums of the squared weights; times are then sums of weights
    smooth: bool = True

    @cached_property
    def value(self) -> float:
        """The mean."""
        return float(self._means(self.times))

    @property
    def freedom(self) -> float:
        """How many groups or clusters were sampled, less one; for single examples it does not matter."""
        sampled = len(np.unique(self.clusters)) if self.clusters is not None else self.times.sum() if self.few else math.inf
        return max(float(sampled) - 1, 1.0)

    @property
    def _own(self) -> Array:
        return np.ones(len(self.values)) if self.weights is None else self.weights

    def _means(self, times: Array) -> Array:
        weights = times * self._own
        with quiet():
            return np.asarray(weights @ self.values / weights.sum(axis=-1))

    def center(self) -> Center:
        """Return what its score interval is made of.

        The pseudo-example has half the lowest and half the highest value.
        """
        low, width = self.span[0], self.span[1] - self.span[0]
        x, own = (self.values - low) / width, self._own / (self.times @ self._own) * self.times.sum()
        n, mean = float(self.times.sum()), (self.value - low) / width
        effect = self._design_effect(own * (x - mean))
        freedom = self.freedom if self.clusters is None else freedom_of_clusters(np.bincount(self.clusters, self.times), effect)
        n = n / effect
        share = (n * mean + 0.5) / (n + 1)
        squares = self._squares(own * (x - share)) / effect**2
        spread = (squares + 0.5 * share**2 + 0.5 * (1 - share) ** 2) / (n + 1) ** 2
        return Center(self.value, low + share * width, spread * width**2, freedom)

    def _design_effect(self, added: Array) -> float:
        """Return how many examples of clusters tell as much as an independent one."""
        if self.clusters is None:
            return 1.0
        apart = float((self.times if self.squares is None else self.squares) @ added**2)
        return design_effect(apart, self._squares(added), HALF**2, float(self.times.sum()) / (self.freedom + 1))

    def _squares(self, added: Array) -> float:
        """Return the sum of the squares of what each example or cluster adds."""
        if self.clusters is None:
            return float((self.times if self.squares is None else self.squares) @ added**2)
        return float((np.bincount(self.clusters, self.times * added) ** 2).sum()) * (1 + 1 / self.freedom)

    @cached_property
    def added(self) -> Array:
        """What each value, or each cluster of them, adds to the mean."""
        own = self._own / (self.times @ self._own) * (self.values - self.value)
        return own if self.clusters is None else np.bincount(self.clusters, self.times * own)

    def variance(self) -> float:
        """Return the variance of the mean."""
        own = self._own / (self.times @ self._own)
        squares = self._squares(own * (self.values - self.value))
        return squares if self.clusters is not None else squares * (1 + 1 / self.freedom)

    def check_strata(self, stratified: bool) -> None:
        """Refuse classes, which a mean does not have."""
        if stratified:
            raise ValueError("A mean over examples or groups has no classes to stratify by. Leave stratified= out.")

    @property
    def size(self) -> int:
        """How many numbers a replicate needs."""
        return len(self.values)

    @cached_property
    def often(self) -> Array:
        """How often each cluster is in the sample: once; or each of the distinct values."""
        return self.times if self.clusters is None else np.ones(len(self._names))

    def of(self, weights: Array) -> Array:
        """Return the mean for several sets of weights of the values or clusters."""
        return self._means(self._of_values(weights))

    def spreads_of(self, weights: Array, scores: Array) -> Array:
        """Return the variance of each mean."""
        own = self._of_values(weights) * self._own
        apart = (self.values - scores[:, None]) ** 2
        return np.asarray((own * self._own * apart).sum(axis=-1) / own.sum(axis=-1) ** 2)

    @cached_property
    def _names(self) -> Array:
        return np.unique(np.asarray(self.clusters))

    def _of_values(self, weights: Array) -> Array:
        """Return how often each value counts if each cluster counts this often."""
        return weights if self.clusters is None else weights[:, np.searchsorted(self._names, self.clusters)] * self.times

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the mean from its posterior; the prior is half the lowest, half the highest value."""
        if not np.isfinite(self.span).all():
            raise ValueError(NO_PRIOR)
        more = OfMean(
            np.append(self.values, self.span),
            np.append(self.times, (0.5, 0.5)),
            self.span,
            np.append(self._own, [self._own.mean()] * 2),
            None if self.clusters is None else np.append(self.clusters, self.clusters.max() + np.array((1, 2))),
        )
        return more._drawn(lambda some: rng.standard_gamma(more.often, (some, len(more.often))), draws)[0]

    def without_each(self) -> tuple[Array, Array]:
        """Return the means without each value or cluster, and how often it occurs."""
        weights = self.times * self._own
        top, bottom = weights * self.values, weights
        if self.clusters is None:
            one, times = self._own, self.times
            with quiet():  # nothing is left of a single value
                return (top.sum() - one * self.values) / (bottom.sum() - one), times
        tops, bottoms = (np.bincount(self.clusters, x) for x in (top, bottom))
        with quiet():
            return (top.sum() - tops) / (bottom.sum() - bottoms), (bottoms > 0).astype(float)

    def scaled(self, factor: float) -> OfMean | None:
        """Return the mean of so many times as many of the same values; None for clusters."""
        squares = None if self.squares is None else self.squares * factor
        return None if self.clusters is not None else replace(self, times=self.times * factor, squares=squares)


@dataclass(frozen=True, eq=False)
class Halves:
    """What random halves of a sample tell of a score: how much it varies, and by how much it is too high.

    Two halves that share no example have independent scores, so half their difference varies as the score of the whole does. This
    holds where a bootstrap, which repeats examples, and slopes, which a score may lack, fail. A score that takes the best of
    several is too high, the more so the fewer examples there are: by how much halves are higher tells by how much the whole is.
    """

    errors: Array  # half the differences of two halves, which vary as the error of the whole; nan where one has no score
    bias: float

    @property
    def variance(self) -> float:
        """The variance of the score; nan if too few halves have one."""
        return self.covariance(self)

    def covariance(self, other: Halves) -> float:
        """Return the covariance of the scores of two classifiers, from the same halves."""
        both = (self.errors * other.errors)[np.isfinite(self.errors) & np.isfinite(other.errors)]
        return float(both.mean()) if len(both) > 1 else math.nan


def halves_of(scores_of: Callable[[Array], Array], unit: Array, value: float) -> Halves:
    """Return what halves tell of a score, a function of sets of weights of the examples.

    ``unit`` is the example or the cluster that each row belongs to: a half has all rows of a unit or none.
    """
    rng, number = np.random.default_rng(0), int(unit.max()) + 1
    found = []
    for some in chunk_sizes(SPLITS, 8 * len(unit)):
        first = rng.permuted(np.broadcast_to(np.arange(number) < number // 2, (some, number)), axis=1)
        found.append([scores_of(side[:, unit].astype(np.float64)) for side in (first, ~first)])
    one, other = np.concatenate(found, axis=1)
    known = np.isfinite(one) & np.isfinite(other)
    higher = float((one[known] + other[known]).mean()) / 2 - value if known.any() else 0.0
    return Halves((one - other) / 2, higher / (2**RATE - 1))


def mean_over_examples(score: Score, clusters: Any = None) -> OfMean:
    """Return a loss or a ranking with the values of the examples, which were sampled.

    An average that does not have them is refused. Examples with weights count as effective ones.
    """
    check_over_examples(score)
    values, times, here = counted_units(score)
    given = read_clusters(clusters, len(here))
    of = None if given is None else np.unique(given[here], return_inverse=True)[1]
    lowest, highest = (span_of(score.measure, x) for x in (values.min(), values.max()))
    ends = lowest if lowest == highest else (-np.inf, np.inf)  # a convention may replace values by others
    if (times == times[:1]).all():
        return OfMean(values, np.ones(len(values)), ends, clusters=of)
    typical = typical_weight(times.sum(), (times**2).sum())
    return OfMean(values, times / typical, ends, clusters=of, squares=(times / typical) ** 2)


def check_over_examples(score: Score) -> None:
    """Refuse a score that does not have the values of single examples."""
    if score.counts.per != ("example",):
        raise ValueError(
            f"There is no interval for the {score.average!r} average of {score.measure}: it does not have the values of single "
            f"examples, which are what was sampled. average='exemplar' has them, if {score.measure} has this average."
        )


def counted_units(score: Score) -> tuple[Array, Array, Array]:
    """Return the values and weights of the units that count under a convention, and which these are."""
    values = np.asarray(score.values, np.float64).ravel()
    weights = np.ones(len(values)) if score.weights is None else np.asarray(score.weights, np.float64).ravel()
    values, weights = replace_lost(values, weights, ~np.isfinite(values), score.undefined)
    here = weights != 0
    return values[here], weights[here], here


def replace_lost(values: Array, weights: Array, lost: Array, undefined: Undefined) -> tuple[Array, Array]:
    """Return values with a number in place of the lost ones, or the weight 0 where they are left out."""
    number = stand_in(undefined)
    if number is None:
        return np.where(lost, 0.0, values), np.where(lost, 0.0, weights)
    return np.where(lost, number, values), weights


def scores_of_groups(ev: Any, measure: Measure, score: Score) -> tuple[list[tuple[Any, Score]], Array]:
    """Return the groups in a mean over groups, each with its score, and their shares in the mean."""
    axis, *rest = (score.average,) if isinstance(score.average, str) else score.average
    usual = (BINARY if ev.positive is not None else "micro") if measure.reads.averaged else None
    inside = tuple(rest) if len(rest) > 1 else rest[0] if rest else usual
    undefined = "exclude" if isinstance(score.undefined, str) else score.undefined
    weights = np.ones(len(score.values)) if score.weights is None else np.asarray(score.weights, np.float64).ravel()
    parts = [(part, part.score(measure, inside, undefined=undefined)) for part in ev.split(axis).values()]
    shares = np.array([weight for (_, own), weight in zip(parts, weights, strict=True) if math.isfinite(own)])
    return [(part, own) for part, own in parts if math.isfinite(own)], shares / sum(shares)


def values_of_rows(measure: Measure, rows: Array, undefined: Undefined) -> Array:
    """Return the value of an example with each row of counts (4, rows).

    The convention stands in place of undefined ones.
    """
    counts = Counts(*rows, per=("example",), names=(tuple(range(rows.shape[1])),))
    with quiet():
        values, number = as_weight(measure.values(counts)), stand_in(undefined)
    return values if number is None else np.where(np.isfinite(values), values, number)


def values_of_pairs(measure: Measure, m: int, undefined: Undefined) -> Array:
    """Return the value of an example for each pair of classes (true, predicted), (m + 1) x (m + 1).

    The last class is "no class".
    """
    hit, miss, only_true, only_predicted, nothing = range(5)
    tp, fp, fn = np.array([[1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 0], [0, 0, 0]]).T
    kind = np.full((m + 1, m + 1), miss)
    np.fill_diagonal(kind, hit)
    kind[:, m], kind[m, :], kind[m, m] = only_true, only_predicted, nothing
    tn = np.maximum(m - tp - fp - fn, 0)  # of one class, nothing is taken for another
    return np.asarray(values_of_rows(measure, np.stack([tp, fp, fn, tn]), undefined)[kind])
