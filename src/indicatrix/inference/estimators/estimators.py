"""Estimators: a score with what was sampled. They give intervals, variances and replicates.

There are three: a function of the counts per class, a mean of values, and a function of the whole confusion matrix.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.measure import Measure
from ..sampling.draw_weights import Draw
from ..sampling.samples import (
    HALF,
    Clusters,
    IndependentEntries,
    LabelRows,
    Pairs,
    Sample,
    TablesOfClusters,
    chunk_sizes,
    counts_of_tables,
    posterior_weights,
)
from ..sampling.score_function import ScoreFunction
from ..sampling.table_function import Expansion, TableFunction
from .clustered import all_right_or_wrong, design_effect, examples_alike, freedom_of_clusters
from .curved_centre import CentreThrough, CurvedCentre
from .entropies import from_entropies
from .heaviest_example import with_heaviest
from .score_interval import Centre, centre_of, mean_centre, variance

Span = tuple[float, float]
BENDS = 0.02  # the share of the variance from which on a bias or a variance of second order matters
NOT_SMOOTH = "method='score' needs a smooth score in a finite range, or a function of the matrix. Use 'posterior' or 'bca'."


class Estimator(Protocol):
    """A score with what was sampled."""

    @property
    def span(self) -> Span:
        """The lowest and the highest value."""

    @property
    def value(self) -> float:
        """The score of the sample."""

    @property
    def smooth(self) -> bool:
        """Whether slopes give its variance."""

    @property
    def freedom(self) -> float:
        """How many independent things were sampled, less one."""

    def centre(self) -> Centre:
        """Return what its score interval is made of."""

    def variance(self) -> float:
        """Return the variance by the delta method."""

    def replicates(self, draw: Draw, draws: int, stratified: bool) -> tuple[Array, Array]:
        """Return the scores of replicates, and the variance of each."""

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the score from its posterior, with one pseudo-example as the prior."""

    def without_each(self) -> tuple[Array, Array]:
        """Return the scores without each thing that was sampled, and how often it occurs."""


@dataclass(frozen=True, eq=False)
class OfCounts:
    """A score that is a function of counts per class."""

    score: ScoreFunction
    sample: Sample
    span: Span
    smooth: bool = True

    @property
    def value(self) -> float:
        """The score of the sample."""
        return float(self.score(self.sample.counts))

    @property
    def freedom(self) -> float:
        """How many clusters were sampled, less one; for single examples it does not matter."""
        return max(self.sample.n - 1, 1) if isinstance(self.sample, Clusters) else math.inf

    def centre(self) -> Centre:
        """Return what its score interval is made of."""
        centre = centre_of(self.score, self.sample)
        if not isinstance(self.sample, Pairs) or not self.sample.weighted:
            return centre
        smooth = Pairs(self.sample.table + self.sample.pseudo().table)
        slopes = smooth.influence(self.score.spread(self.score.slopes(smooth.counts)))
        return with_heaviest(centre, self.sample, smooth.table, slopes, lambda table: float(self.score(counts_of_tables(table))))

    def variance(self) -> float:
        """Return the variance by the delta method."""
        counts = self.sample.counts
        return variance(self.sample, counts, self.score.spread(self.score.slopes(counts)))

    def replicates(self, draw: Draw, draws: int, stratified: bool) -> tuple[Array, Array]:
        """Return the scores of replicates, and the variance of each."""
        assert not isinstance(self.sample, LabelRows)
        scores, spreads = [], []
        for some in self.sample.replicate(draw, draws, stratified=stratified):
            counts = some.counts
            slopes = self.score.spread(self.score.slopes(counts))
            scores.append(self.score(counts))
            spreads.append(some.square(slopes) - (slopes * counts).sum(axis=(0, -1)) ** 2 / self.sample.n)
        return np.concatenate(scores), np.maximum(np.concatenate(spreads), 0.0)

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the score from its posterior."""
        return np.concatenate([self.score(counts) for counts in posterior_counts(self.sample, rng, draws)])

    def without_each(self) -> tuple[Array, Array]:
        """Return the scores without each thing that was sampled, and how often it occurs."""
        assert not isinstance(self.sample, LabelRows)
        found = [(self.score(counts), times) for counts, times in self.sample.without_each()]
        return np.concatenate([x for x, _ in found]), np.concatenate([times for _, times in found])


def posterior_counts(sample: Sample, rng: np.random.Generator, draws: int) -> Any:
    """Yield counts (4, b, m) of draws from the posterior, some at a time."""
    assert not isinstance(sample, LabelRows)  # rows cannot be drawn again
    if isinstance(sample, Pairs):
        for tables in sample.posterior(rng, draws):
            yield tables.counts
        return
    m = sample.cells.shape[-1]
    rank = np.append(np.argsort(np.lexsort(sample.cells.reshape(-1, m))), m)  # draws that do not change with the order of classes
    for clusters in sample.replicate(posterior_weights(rng, sample.n), draws):
        extra = sample.extra
        some = len(np.asarray(clusters.weights))
        if isinstance(extra, IndependentEntries):
            yield clusters.counts + rng.standard_gamma(extra.counts[:, None], (4, some, m))[..., rank[:-1]]
        else:
            drawn = rng.standard_gamma(extra.table, (some, *extra.table.shape))
            yield clusters.counts + Pairs(drawn[:, rank][:, :, rank]).counts


@dataclass(frozen=True, eq=False)
class OfMatrix:
    """A function of the whole confusion matrix."""

    measure: Measure
    sample: Pairs | TablesOfClusters

    @cached_property
    def function(self) -> TableFunction:
        """The function, with its slopes."""
        return TableFunction(self.measure)

    @property
    def span(self) -> Span:
        """The lowest and the highest value for these classes."""
        limits = self.measure.facts.limits
        return self.measure.range if limits is None else limits(self.sample.table[:-1, :-1])

    @property
    def smooth(self) -> bool:
        """Whether slopes give its variance: where there are kinks, those at the sample do."""
        return True

    @property
    def value(self) -> float:
        """The score of the sample."""
        return self.function.value(self.sample.table)

    @property
    def freedom(self) -> float:
        """Of the variance that clusters tell; for single examples it does not matter."""
        return self._clustered[1] if isinstance(self.sample, TablesOfClusters) else math.inf

    @cached_property
    def expansion(self) -> Expansion:
        """The function around the sample with a pseudo-example."""
        near, entropies, table = self.function.expand(self.sample, self.extra), self.measure.facts.entropies, self.sample.table
        if entropies is None or not isinstance(self.sample, Pairs) or self.sample.weighted or self.sample.by_class:
            return near
        if (table != np.rint(table)).any():
            return near
        value, variance = from_entropies(entropies, table)
        bent = max(near.bent, variance - self.sample.variance(near.slopes, self.extra))
        return replace(near, bias=near.value - value, bent=bent)

    @cached_property
    def extra(self) -> Pairs:
        """The pseudo-example; with clusters it has the weight of the design effect."""
        extra = self.sample.pseudo()
        return extra if isinstance(self.sample, Pairs) else extra.as_unit(self._clustered[0])

    @cached_property
    def _clustered(self) -> tuple[float, float]:
        """The design effect of clusters, and the degrees of freedom of the variance."""
        assert isinstance(self.sample, TablesOfClusters)
        extra, table = self.sample.pseudo(), self.sample.table
        slopes, nothing = self.function.gradient(table + extra.table).cells, Pairs(np.zeros_like(table))
        variances = (Pairs(table).variance(slopes), self.sample.variance(slopes), nothing.variance(slopes, extra))
        centred = slopes - (table * slopes).sum() / table.sum()
        effect = design_effect(*variances, examples_alike(centred, *all_right_or_wrong(table / self.sample.n)))
        smooth = table + extra.table
        expected = (smooth * centred**2).sum(axis=1, keepdims=True) / np.maximum(smooth.sum(axis=1, keepdims=True), 1.0)
        return effect, freedom_of_clusters(self.sample.added(np.broadcast_to(expected, table.shape)), effect)

    @cached_property
    def inner(self) -> OfMatrix:
        """The function with which this one grows, of the same sample."""
        assert self.measure.facts.through is not None
        return OfMatrix(self.measure.facts.through[0], self.sample)

    @property
    def bends(self) -> bool:
        """Whether the score bends so much that pairs of classes that are rare, or were not seen, matter."""
        if self.measure.facts.through is not None:
            return self.inner.bends
        near, extra = self.expansion, self.extra
        return max(near.bias**2, near.bent) > BENDS * self.sample.variance(near.slopes, extra)

    @property
    def relative_bias(self) -> float:
        """The bias of second order in standard deviations of the score."""
        if self.measure.facts.through is not None:
            return self.inner.relative_bias
        spread = self.sample.variance(self.expansion.slopes, self.extra) + self.expansion.bent
        return abs(self.expansion.bias) / math.sqrt(spread) if spread > 0 else 0.0

    def centre(self) -> Centre:
        """Return what its score interval is made of."""
        table, extra = self.sample.table, self.extra
        if self.measure.facts.through is None:
            near = self.expansion
            spread = self.sample.variance(near.slopes, extra) + near.bent
            centre = CurvedCentre(near.value - near.bias, near.smoothed, spread, self.freedom, near.bent)
            if not isinstance(self.sample, Pairs) or not self.sample.weighted:
                return centre
            return with_heaviest(centre, self.sample, table + extra.table, near.slopes, self.function.value)
        other, grows = self.inner, self.measure.facts.through[1]
        around = self.function.gradient(table + extra.table)
        return CentreThrough(
            self.value,
            around.value,
            self.sample.variance(around.cells, extra),
            self.freedom,
            other.centre(),
            other.span,
            lambda value: float(grows(value, table[:-1, :-1])),
        )

    def variance(self) -> float:
        """Return the variance by the delta method."""
        return self.sample.variance(self.function.gradient(self.sample.table).cells)

    def replicates(self, draw: Draw, draws: int, stratified: bool) -> tuple[Array, Array]:
        """Return the scores of replicates; their variances are not known."""
        scores = [self.function.values(some.table) for some in self.sample.replicate(draw, draws, stratified=stratified)]
        return np.concatenate(scores), np.full(draws, np.nan)

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the score from its posterior."""
        return np.concatenate([self.function.values(some.table) for some in self.sample.posterior(rng, draws)])

    def without_each(self) -> tuple[Array, Array]:
        """Return the scores without each thing that was sampled, and how often it occurs."""
        found = [(self.function.value(table), times) for table, times in self.sample.tables_without_each()]
        return np.array([x for x, _ in found]), np.array([times for _, times in found])


@dataclass(frozen=True, eq=False)
class OfMean:
    """A mean of values: of examples, of groups, or of examples in clusters."""

    values: Array
    times: Array  # how often each value occurs
    span: Span
    weights: Array | None = None  # of the values in the mean; None: all the same
    clusters: Array | None = None  # the number of the cluster of each value; None: every value stands for itself
    few: bool = False  # the values are of groups, which are few
    squares: Array | None = None  # of examples with weights: the sums of the squared weights; times are then sums of weights
    smooth: bool = True

    @property
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

    def centre(self) -> Centre:
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
        return Centre(self.value, low + share * width, spread * width**2, freedom)

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

    def variance(self) -> float:
        """Return the variance of the mean."""
        own = self._own / (self.times @ self._own)
        squares = self._squares(own * (self.values - self.value))
        return squares if self.clusters is not None else squares * (1 + 1 / self.freedom)

    def replicates(self, draw: Draw, draws: int, stratified: bool) -> tuple[Array, Array]:
        """Return the means of replicates, and the variance of each."""
        if stratified:
            raise ValueError("A mean over examples or groups has no classes to stratify by. Leave stratified= out.")
        names, of = (None, None) if self.clusters is None else np.unique(self.clusters, return_inverse=True)
        scores, spreads = [], []
        for some in chunk_sizes(draws, len(self.values)):
            weights = draw(self.times, None, some) if names is None else draw(np.ones(len(names)), None, some)[:, of] * self.times
            means = self._means(weights)
            own = weights * self._own
            scores.append(means)
            apart = (self.values - means[:, None]) ** 2
            spreads.append((own * self._own * apart).sum(axis=-1) / own.sum(axis=-1) ** 2)
        return np.concatenate(scores), np.concatenate(spreads)

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the mean from its posterior; the prior is half the lowest, half the highest value."""
        more = OfMean(
            np.append(self.values, self.span),
            np.append(self.times, (0.5, 0.5)),
            self.span,
            np.append(self._own, [self._own.mean()] * 2),
            None if self.clusters is None else np.append(self.clusters, self.clusters.max() + np.array((1, 2))),
        )

        def draw(times: Array, strata: Array | None, some: int) -> Array:
            return rng.standard_gamma(times, (some, len(times)))

        return more.replicates(draw, draws, False)[0]

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


@dataclass(frozen=True, eq=False)
class OfGroups:
    """A weighted mean of the scores of all groups there are; examples were sampled inside each."""

    parts: tuple[Estimator, ...]
    shares: Array  # of the groups in the mean; they sum to 1
    span: Span

    @property
    def value(self) -> float:
        """The mean of the scores."""
        return float(self.shares @ [part.value for part in self.parts])

    @property
    def smooth(self) -> bool:
        """Whether slopes give the variance of every score."""
        return all(part.smooth for part in self.parts)

    @property
    def freedom(self) -> float:
        """There are enough examples that it does not matter."""
        return math.inf

    def centre(self) -> Centre:
        """Return what its score interval is made of."""
        return mean_centre([part.centre() for part in self.parts], self.shares)

    def variance(self) -> float:
        """Return the sum of the variances, by the delta method."""
        return float(self.shares**2 @ [part.variance() for part in self.parts])

    def replicates(self, draw: Draw, draws: int, stratified: bool) -> tuple[Array, Array]:
        """Return the means of replicates of each group, and the variance of each."""
        found = [part.replicates(draw, draws, stratified) for part in self.parts]
        return self.shares @ [scores for scores, _ in found], self.shares**2 @ [spreads for _, spreads in found]

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the mean from the posterior of each score."""
        return np.asarray(self.shares @ [part.posterior(rng, draws) for part in self.parts])

    def without_each(self) -> tuple[Array, Array]:
        """Return the means without each thing that was sampled, and how often it occurs."""
        found = [(part.value, *part.without_each()) for part in self.parts]
        left = [self.value + share * (scores - own) for share, (own, scores, _) in zip(self.shares, found, strict=True)]
        return np.concatenate(left), np.concatenate([times for _, _, times in found])


def jackknife_variance(scores: Array, times: Array) -> float:
    """Return the variance from the scores without each thing that was sampled."""
    known = np.isfinite(scores)
    scores, times = scores[known], times[known]
    n = times.sum()
    return float((n - 1) / n * (times @ (scores - times @ scores / n) ** 2)) if n else math.nan


def has_rows(estimator: Estimator) -> bool:
    """Return whether what was sampled can be drawn again: not where only second moments of it were kept."""
    if isinstance(estimator, OfGroups):
        return all(map(has_rows, estimator.parts))
    if isinstance(estimator, OfMean):
        return estimator.squares is None
    sample = estimator.sample if isinstance(estimator, OfCounts | OfMatrix) else None
    return sample is None or not (isinstance(sample, LabelRows) or sample.weighted)
