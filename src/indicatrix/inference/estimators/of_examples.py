"""The estimator of a mean over units whose values a score carries: examples, or groups."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.arrays import Array, as_weight, quiet
from ...algebra.average import BINARY
from ...algebra.convention import stand_in
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.score import Score, Undefined
from ..sampling.samples import typical_weight
from ..sampling.score_function import span_of
from .clustered import read_clusters
from .of_weights import OfMean


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
