"""Intervals on the log scale, for odds and likelihood ratios: from 0 to infinity."""

from __future__ import annotations

import math

import numpy as np

from ...algebra.arrays import Array
from ..distributions.proportions import Ends
from ..distributions.quantiles import normal
from ..estimators.scores import Estimator, OfCounts
from ..sampling.samples import Clusters, LabelRows, Pairs, typical_weights


def fits_log_scale(estimator: Estimator) -> bool:
    """Return whether a score is a ratio from 0 to infinity of the counts of one class."""
    if not isinstance(estimator, OfCounts) or not isinstance(estimator.sample, Pairs | LabelRows):
        return False
    if estimator.span != (0, math.inf) or (estimator.score.unit_of >= 0).sum() != 1:
        return False
    return not np.isnan(estimator.score.values(estimator.score.pool(estimator.sample.counts))).any()  # infinite, or a number


def log_interval(estimator: Estimator, level: float) -> Ends:
    """Return the interval by the delta method on logarithms, with 1/2 added to each of the four counts."""
    if not fits_log_scale(estimator):
        raise ValueError("method='log' is for odds and likelihood ratios of one class: from 0 to infinity. Use 'posterior'.")
    assert isinstance(estimator, OfCounts)
    score = estimator.score
    sample = estimator.sample
    assert not isinstance(sample, Clusters)
    half = _half_examples(score.pool(sample.counts), None if sample.squared_counts is None else score.pool(sample.squared_counts))
    unit = score.pool(sample.counts) + half[0]
    value = float(score.values(unit)[0])
    slopes = np.zeros(4)
    for cell in range(4):
        step = np.zeros((4, 1))
        step[cell] = 1e-5 * unit[cell]
        slopes[cell] = float((score.values(unit + step) - score.values(unit - step))[0]) / (2 * step[cell, 0]) / value
    v = unit[:, 0]
    squares = float(sample.square(score.spread(slopes[:, None]))) + float(half[1][:, 0] @ slopes**2)
    spread = max(squares - float(v @ slopes) ** 2 / v.sum(), 0.0)
    if isinstance(sample, Pairs) and sample.by_class:
        spread = sample.square_within(score.spread(slopes[:, None])) + float(half[1][:, 0] @ slopes**2)
    far = normal(level) * math.sqrt(spread)
    return value * math.exp(-far), value * math.exp(far)


def _half_examples(unit: Array, squares: Array | None) -> tuple[Array, Array]:
    """Return half an example for each of four counts, and its squared weight.

    With weights it has the typical one there.
    """
    half = np.full_like(unit, 0.5)
    if squares is None:
        return half, half
    rows = [np.repeat([x[0] + x[2], x[1] + x[3]], 2, axis=0)[[0, 2, 1, 3]] for x in (unit, squares)]
    typical = typical_weights(unit, squares, *rows)
    return half * typical, half * typical**2
