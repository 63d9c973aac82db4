"""The score interval: Wilson's interval at the effective sample size of any bounded score.

Wilson's interval of a proportion is honest at 0 and 1. The variance of any smooth score follows from its slopes; so the score
has the precision of a proportion of so many examples. Variance and centre are taken with one pseudo-example added, half of it
right and half of it wrong, so that a perfect score of few examples does not look certain.
"""

from __future__ import annotations

import math

import numpy as np

from ..algebra.arrays import Array
from .proportions import Ends, wilson
from .quantiles import normal, student
from .sampled import Clusters, Sample
from .score_function import ScoreFunction


def variance(score: ScoreFunction, sample: Sample, counts: Array, *, pseudo: bool) -> float:
    """Return the variance of a score by the delta method, at these counts."""
    slopes = score.spread(score.slopes(counts))
    squares, n = sample.square(slopes), sample.n
    if pseudo:
        extra = sample.pseudo()
        squares, n = squares + extra.square(slopes), n + extra.n
    return max(float(squares) - float((slopes * counts).sum()) ** 2 / n, 0.0)


def score_interval(score: ScoreFunction, sample: Sample, span: tuple[float, float], level: float) -> Ends:
    """Return the ends of the score interval of a smooth score whose values lie in ``span``."""
    low, high = span
    counts = sample.counts
    smooth = counts + sample.pseudo().counts
    spread = variance(score, sample, smooth, pseudo=True)
    share, value = (float(score(smooth)) - low) / (high - low), float(score(counts))
    quantile = normal(level)
    if not score.rule.pools:
        value -= score.bias(smooth)
        quantile = student(level, freedom(score, counts, smooth))
    if isinstance(sample, Clusters):
        quantile = max(quantile, student(level, max(sample.n - 1, 1)))
    return wilson_between(min(max(value, low), high), share, spread, span, quantile)


def wilson_between(value: float, share: float, spread: float, span: tuple[float, float], quantile: float) -> Ends:
    """Return Wilson's interval for a value in ``span``.

    The sample size is the one at which ``share`` has the variance ``spread``.
    """
    low, width = span[0], span[1] - span[0]
    size = share * (1 - share) * width**2 / spread if spread > 0 else math.inf
    ends = wilson((value - low) / width, size, quantile)
    return low + ends[0] * width, low + ends[1] * width


def freedom(score: ScoreFunction, counts: Array, smooth: Array) -> float:
    """Return Welch's degrees of freedom of an average; a unit has its smallest margin."""
    slopes, units = score.slopes(smooth), score.pool(smooth)
    n = units.sum(axis=0)
    own = (units * slopes**2).sum(axis=0) - (units * slopes).sum(axis=0) ** 2 / np.where(n > 0, n, 1)
    least = np.maximum(margins(score.pool(counts)).min(axis=0), 1)
    bottom = float((own**2 / least).sum())
    return float(own.sum()) ** 2 / bottom if bottom > 0 else math.inf


def margins(units: Array) -> Array:
    """Return actual and predicted positives, actual and predicted negatives of units."""
    tp, fp, fn, tn = units
    return np.stack([tp + fn, tp + fp, fp + tn, fn + tn])
