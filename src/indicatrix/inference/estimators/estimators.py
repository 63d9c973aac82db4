"""Estimators: a score with what was sampled. They give intervals, variances and replicates.

There are three: a function of the counts per class, a mean of values, and a function of the whole confusion matrix.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.measure import Measure
from ..sampling.draw_weights import Draw
from ..sampling.samples import (
    Clusters,
    LabelRows,
    Pairs,
    Sample,
    TablesOfClusters,
    counts_of_tables,
)
from ..sampling.score_function import Expansion, ScoreFunction, TableFunction
from .clustered import all_right_or_wrong, design_effect, examples_alike, freedom_of_clusters
from .entropies import from_entropies
from .score_interval import Center, CenterThrough, CurvedCenter, center_of, mean_center, variance, with_heaviest

Span = tuple[float, float]
BENDS = 0.02  # the share of the variance from which on a bias or a variance of second order matters
NOT_SMOOTH = "method='score' needs a smooth score in a finite range, or a function of the matrix. Use 'posterior' or 'bca'."


class Estimator:
    """A score with what was sampled.

    How it moves with that gives its variance, its interval and its replicates.
    """

    usual = ""  # the method of intervals that covers best; "": it follows from how the score moves

    if TYPE_CHECKING:  # a field of some estimators, and follows from others

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
            """How many independent things were sampled, less one; infinite where it does not matter."""

    def center(self) -> Center:
        """Return what its score interval is made of."""
        raise ValueError(NOT_SMOOTH)

    def variance(self) -> float:
        """Return the variance by the delta method."""
        raise NotImplementedError

    def replicates(self, draw: Draw, draws: int, stratified: bool) -> tuple[Array, Array]:
        """Return the scores of replicates, and the variance of each; nan where it is not known."""
        raise NotImplementedError

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the score from its posterior, with one pseudo-example as the prior."""
        raise NotImplementedError

    def without_each(self) -> tuple[Array, Array]:
        """Return the scores without each thing that was sampled, and how often it occurs."""
        raise NotImplementedError

    def scaled(self, factor: float) -> Estimator | None:
        """Return the score of so many times as many things of the same shares; None if it is not known."""
        return None


class OfSample(Estimator):
    """A score that is a function of a sample: of counts per class, or of a table of pairs of classes."""

    sample: Any

    def of(self, sample: Any) -> Array:
        """Return the score of each of several samples."""
        raise NotImplementedError

    def spreads_of(self, sample: Any, scores: Array) -> Array:
        """Return the variance of the score in each of several samples; nan where it is not known."""
        return np.full(len(scores), np.nan)

    def replicates(self, draw: Draw, draws: int, stratified: bool) -> tuple[Array, Array]:
        """Return the scores of replicates, and the variance of each."""
        scores, spreads = [], []
        for some in self.sample.replicate(draw, draws, stratified=stratified):
            scores.append(self.of(some))
            spreads.append(self.spreads_of(some, scores[-1]))
        return np.concatenate(scores), np.concatenate(spreads)

    def posterior(self, rng: np.random.Generator, draws: int) -> Array:
        """Return draws of the score from its posterior."""
        return np.concatenate([self.of(some) for some in self.sample.posterior(rng, draws)])

    def without_each(self) -> tuple[Array, Array]:
        """Return the scores without each thing that was sampled, and how often it occurs."""
        found = [(self.of(some), times) for some, times in self.sample.without_each()]
        return np.concatenate([x for x, _ in found]), np.concatenate([times for _, times in found])

    def scaled(self, factor: float) -> Estimator | None:
        """Return the score of a larger sample of the same shares; None for clusters."""
        scale = getattr(self.sample, "scale", None)
        return None if scale is None else replace(self, sample=scale(factor))  # type: ignore[type-var]


@dataclass(frozen=True, eq=False)
class OfCounts(OfSample):
    """A score that is a function of counts per class."""

    score: ScoreFunction
    sample: Sample
    span: Span
    smooth: bool = True

    @cached_property
    def value(self) -> float:
        """The score of the sample."""
        return float(self.score(self.sample.counts))

    @property
    def freedom(self) -> float:
        """How many clusters were sampled, less one; for single examples it does not matter."""
        return max(self.sample.n - 1, 1) if isinstance(self.sample, Clusters) else math.inf

    def of(self, sample: Any) -> Array:
        """Return the score of each of several samples."""
        return self.score(sample.counts)

    def center(self) -> Center:
        """Return what its score interval is made of."""
        center = center_of(self.score, self.sample)
        if not isinstance(self.sample, Pairs) or not self.sample.weighted:
            return center
        smooth = Pairs(self.sample.table + self.sample.pseudo().table)
        slopes = smooth.influence(self.score.spread(self.score.slopes(smooth.counts)))
        return with_heaviest(center, self.sample, smooth.table, slopes, lambda table: float(self.score(counts_of_tables(table))))

    def variance(self) -> float:
        """Return the variance by the delta method."""
        counts = self.sample.counts
        return variance(self.sample, counts, self.score.spread(self.score.slopes(counts)))

    def spreads_of(self, sample: Any, scores: Array) -> Array:
        """Return the variance of the score in each of several samples."""
        counts = sample.counts
        slopes = self.score.spread(self.score.slopes(counts))
        spreads = sample.square(slopes) - (slopes * counts).sum(axis=(0, -1)) ** 2 / self.sample.n
        return np.asarray(np.maximum(spreads, 0.0))


@dataclass(frozen=True, eq=False)
class OfMatrix(OfSample):
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

    @cached_property
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
        centered = slopes - (table * slopes).sum() / table.sum()
        effect = design_effect(*variances, examples_alike(centered, *all_right_or_wrong(table / self.sample.n)))
        smooth = table + extra.table
        expected = (smooth * centered**2).sum(axis=1, keepdims=True) / np.maximum(smooth.sum(axis=1, keepdims=True), 1.0)
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

    def center(self) -> Center:
        """Return what its score interval is made of."""
        table, extra = self.sample.table, self.extra
        if self.measure.facts.through is None:
            near = self.expansion
            spread = self.sample.variance(near.slopes, extra) + near.bent
            center = CurvedCenter(near.value - near.bias, near.smoothed, spread, self.freedom, near.bent)
            if not isinstance(self.sample, Pairs) or not self.sample.weighted:
                return center
            return with_heaviest(center, self.sample, table + extra.table, near.slopes, self.function.value)
        other, grows = self.inner, self.measure.facts.through[1]
        around = self.function.gradient(table + extra.table)
        return CenterThrough(
            self.value,
            around.value,
            self.sample.variance(around.cells, extra),
            self.freedom,
            other.center(),
            other.span,
            lambda value: float(grows(value, table[:-1, :-1])),
        )

    def variance(self) -> float:
        """Return the variance by the delta method."""
        return self.sample.variance(self.function.gradient(self.sample.table).cells)

    def of(self, sample: Any) -> Array:
        """Return the score of each of several samples."""
        return self.function.values(sample.table)


@dataclass(frozen=True, eq=False)
class OfGroups(Estimator):
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

    def center(self) -> Center:
        """Return what its score interval is made of."""
        return mean_center([part.center() for part in self.parts], self.shares)

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

    def scaled(self, factor: float) -> Estimator | None:
        """Return the mean of larger groups; None if one of them is not known."""
        parts = tuple(part for own in self.parts if (part := own.scaled(factor)) is not None)
        return replace(self, parts=parts) if len(parts) == len(self.parts) else None


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
    sample = getattr(estimator, "sample", None)
    return not (getattr(estimator, "squares", None) is not None or isinstance(sample, LabelRows) or (sample and sample.weighted))
