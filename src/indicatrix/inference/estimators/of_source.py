"""From a score of any source to its estimator: what was sampled, or why that is not known.

Labels, scores of examples and images keep different things; a source of another kind says how many things were sampled, and
gives itself with each of them counted so often.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import AVERAGES
from ...algebra.measure import Measure
from ...algebra.score import Score
from ..sampling.score_function import span_of
from .clustered import read_clusters
from .estimators import Estimator
from .of_evaluation import estimator_of
from .of_examples import mean_over_examples
from .of_weights import OfWeights


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
