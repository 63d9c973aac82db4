"""From a score of any source to its estimator: what was sampled, or why that is not known.

Labels, scores of examples and images keep different things; a source of another kind says how many things were sampled, and
gives itself with each of them counted so often.

A score of which replicates of the counts were kept: their scores tell its spread and bias.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import AVERAGES, BINARY, find_average
from ...algebra.measure import Measure
from ...algebra.score import Score
from ...tally.states.replicates import ABSENT
from ..sampling.samples import HALF, IndependentEntries
from ..sampling.score_function import is_smooth, score_function, span_of, units_of_classes
from ..stats.proportions import Ends
from .clustered import read_clusters
from .estimators import Estimator, OfCounts
from .of_evaluation import check_sums, estimator_of, pseudo_of
from .of_weights import OfWeights, mean_over_examples
from .score_interval import Center, freedom


def holds_labels(source: Any) -> bool:
    """Return whether a source is an evaluation.

    A name that others lack is not looked for, which takes them long.
    """
    return hasattr(type(source), "tally")


def is_of_images(source: Any) -> bool:
    """Return whether this is a result of images, by what it does: not all who ask load them.

    >>> is_of_images([])
    False
    """
    return hasattr(type(source), "check_comparable")


def draws_itself(source: Any) -> bool:
    """Return whether a source of a kind of one's own gives itself with its examples counted so often."""
    return callable(getattr(type(source), "counted", None))


def score_of(source: Any, measure: Measure, average: Any, undefined: Any) -> Score:
    """Return a score of any source; with the values of its examples where it is a mean over them."""
    if is_of_images(source):
        return source.score(measure, average, undefined=undefined)  # type: ignore[no-any-return]
    if measure.reads.counted or draws_itself(source) or measure.reads.meaning is None:
        return measure.score(source, average, undefined)
    from ...scores.scored import scores_of  # only scores need it, and the modules that it loads

    swept = scores_of(source, measure)
    pooled = measure.score(swept, average, undefined)
    if not measure.reads.per_example or pooled.average not in AVERAGES or AVERAGES[pooled.average].is_mean_over("class"):
        return pooled
    try:
        each = measure.score(swept, "exemplar", undefined)
    except ValueError:
        return pooled
    return each if math.isclose(each, pooled, rel_tol=1e-12, abs_tol=1e-15) else pooled


def estimate(source: Any, measure: Measure, score: Score, clusters: Any) -> Estimator:
    """Return a score of any source with what was sampled; refuse what is not known."""
    if measure.reads.counted:
        return estimator_of(source, measure, score, clusters)
    if draws_itself(source):
        if hasattr(type(source), "clusters_of"):
            clusters = source.clusters_of(clusters)
        if measure.reads.per_example and score.counts.per == ("example",):
            return mean_over_examples(score, clusters)
        return OfDrawn(source, measure, score.average, score.undefined, read_clusters(clusters, source.n))
    from ...scores.scored import scores_of
    from .of_units import estimator_of_scores

    return estimator_of_scores(measure, scores_of(source, measure), score, clusters)


@dataclass(frozen=True, eq=False)
class OfDrawn(OfWeights):
    """A score of a source of one's own, as a function of how often each of its examples counts."""

    source: Any
    measure: Measure
    average: Any
    undefined: Any
    clusters: Array | None  # the number of the cluster of each example
    smooth = False  # a formula that nobody knows may have kinks
    usual = "bca"

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        return span_of(self.measure, self.value)

    @cached_property
    def often(self) -> Array:
        """How often each example or cluster is in the sample: once."""
        return np.ones(self.source.n if self.clusters is None else int(self.clusters.max()) + 1)

    @property
    def freedom(self) -> float:
        """How many clusters were sampled, less one; for single examples it does not matter."""
        return math.inf if self.clusters is None else len(self.often) - 1.0

    @cached_property
    def value(self) -> float:
        """The score of the sample."""
        return float(self.of_weights(self.often))

    def of(self, weights: Array) -> Array:
        """Return the score for several sets of weights of the examples or clusters."""
        return np.array([self.of_weights(row) for row in weights], np.float64)

    def of_weights(self, weights: Array) -> float:
        """Return the score with each example or cluster counted so often."""
        times = weights if self.clusters is None else weights[self.clusters]
        undefined = "nan" if self.undefined == "raise" else self.undefined  # of a replicate it is left out
        return float(self.measure.score(self.source.counted(times), self.average, undefined))


# A minimum of two that tie is biased. Replicates show on average √2 - 1 of that, because in the sample the two do not tie. So
# twice what they show counts as spread; the number was chosen by how often intervals of macro averages cover.
HIDDEN_BIAS = 2.0


@dataclass(frozen=True, eq=False)
class Drawn:
    """Counts, and those of bootstrap replicates that were drawn when the examples were counted."""

    counts: Array  # (4, m)
    drawn: Array  # (4, B, m), scaled to the number of examples
    extra: IndependentEntries  # the pseudo-example

    @property
    def weighted(self) -> bool:
        """Whether examples have weights; then there are no replicates."""
        return False

    @property
    def squared_counts(self) -> None:
        """There are no weights."""


@dataclass(frozen=True, eq=False)
class OfReplicates(OfCounts):
    """A score that is a function of counts per class, of which replicates are known."""

    sample: Drawn  # type: ignore[assignment]
    usual = "replicates"

    def ends(self, level: float) -> Ends:
        """Return Wilson's interval at the effective sample size of the variance of the replicates.

        Every replicate gets one more example at random, half of it right and half of it wrong, so that a perfect score does not
        look certain. The bias of the replicates is taken off; at kinks they show only a part of it. A score without
        a finite range has their percentiles.
        """
        counts, drawn, extra = self.sample.counts, self.sample.drawn, self.sample.extra.counts
        more = np.random.default_rng(0).standard_gamma(extra[:, None], drawn.shape)
        smooth = counts + extra
        scores = self.score(drawn + more)
        scores = scores[np.isfinite(scores)]
        own = float(len(scores) - 1)
        if own < 1:
            return math.nan, math.nan
        if not np.isfinite(self.span).all():
            low, high = np.quantile(scores, ((1 - level) / 2, (1 + level) / 2))
            return max(float(low), self.span[0]), min(float(high), self.span[1])
        if not self.score.rule.pools:
            pool = self.score.pool
            own = min(own, freedom(pool(counts), pool(smooth), self.score.slopes(smooth)))
        smoothed = float(self.score(smooth))
        bias = float(scores.mean()) - smoothed
        spread = float(scores.var(ddof=1)) + (0.0 if self.smooth else (HIDDEN_BIAS * bias) ** 2)
        return Center(self.value - bias, smoothed, spread, own).ends(self.span, level)


def replicates_of(ev: Any, measure: Measure, score: Score, clusters: str | None = None, stratified: bool = False) -> OfReplicates:
    """Return a score with the replicates of its counts; refuse what they do not tell."""
    if clusters is not None or stratified:
        given = "clusters=" if clusters is not None else "stratified="
        raise ValueError(f"method='replicates' has examples that were drawn one by one. Leave {given} out, or method=.")
    if reason := without_replicates(ev, measure, score):
        raise ValueError(f"There is no interval from replicates: {reason}.")
    assert measure.reads.formula
    tally, rule = ev.tally, find_average(score.average)
    check_sums(tally.pooled.cells())
    counts, sums = tally.pooled.cells().astype(np.float64), tally.replicates.whole
    here = sums.examples > 0  # a replicate of few examples may have none of them
    drawn = sums.counts()[:, here] * (sums.n / sums.examples[here])[:, None]
    unit_of = units_of_classes(ev, score.average)
    one = score.average == BINARY
    extra = np.where(unit_of >= 0, HALF / 2, 0.0) + np.zeros((4, 1)) if one else pseudo_of(tally).counts
    size = counts.sum() / (sums.n * len(ev.classes)) if ev.recipe.uses("cost") else 1.0
    function = score_function(measure, rule, unit_of, score.undefined, counts)
    return OfReplicates(
        function, Drawn(counts, drawn, IndependentEntries(extra * size)), span_of(measure, float(score)), is_smooth(measure)
    )


def without_replicates(ev: Any, measure: Measure, score: Score) -> str:
    """Return why replicates give no interval of a score; "" if they do."""
    if not measure.reads.in_counts:
        return f"{measure} reads {measure.reads.what}, and they have counts per class; leave method= out"
    name = score.average
    if isinstance(name, tuple) or name in ev.tally.by:
        axis = name if isinstance(name, str) else name[0]
        return f"{ABSENT['groups']} {axis}; leave method= out"
    rule = find_average(name)
    if not set(rule.per) <= {"class", "example", ev.tally.grouping}:
        return f"average={name!r} keeps {', '.join(rule.per)}, and an interval is for one axis"
    if rule.per == ("example",):
        return "a mean over examples has its interval from the values of the examples; leave method= out"
    if isinstance(ev.tally.replicates, str):
        return f"{ABSENT[ev.tally.replicates]}; evaluate the examples with replicates=200"
    if name == BINARY and ev.positive not in ev.classes:
        return f"no example has the class {ev.positive!r}; leave method= out"
    return ""
