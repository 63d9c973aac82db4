"""The score interval: Wilson's interval at the effective sample size of any bounded score.

Wilson's interval of a proportion is honest at 0 and 1. The variance of any smooth score follows from its slopes; so the score
has the precision of a proportion of this many examples. Variance and centre are taken with one pseudo-example added, half of it
right and half of it wrong, so that a perfect score of few examples does not look certain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.shares import wilson
from ..distributions.proportions import Ends
from ..distributions.quantiles import normal, student
from ..sampling.samples import Clusters, Pairs, Sample
from ..sampling.score_function import ScoreFunction


def variance(sample: Sample, counts: Array, slopes: Array, extra: Any = None) -> float:
    """Return the variance of a score by the delta method, from its slopes at these counts.

    ``extra`` is the pseudo-example of the sample, if the counts include it.
    """
    if isinstance(sample, Pairs) and sample.by_class:
        return sample.square_within(slopes, extra)
    n = sample.n if extra is None else sample.n + extra.n
    return max(float(sample.square(slopes, extra)) - float((slopes * counts).sum()) ** 2 / n, 0.0)


@dataclass(frozen=True)
class Centre:
    """What the score interval of a score is made of."""

    value: float  # the score, less its second-order bias
    smoothed: float  # the score with the pseudo-example
    spread: float  # the variance with the pseudo-example
    freedom: float = math.inf  # degrees of freedom of the variance

    def ends(self, span: tuple[float, float], level: float) -> Ends:
        """Return Wilson's interval between the ends of ``span``.

        The sample size is the one at which the smoothed score, as a proportion, has the variance.
        """
        return self.between(span, student(level, self.freedom) if math.isfinite(self.freedom) else normal(level))

    def between(self, span: tuple[float, float], quantile: float) -> Ends:
        """Return Wilson's interval whose ends are so many standard deviations away."""
        low, width = span[0], span[1] - span[0]
        share, value = (self.smoothed - low) / width, min(max(self.value, low), low + width)
        size = share * (1 - share) * width**2 / self.spread if self.spread > 0 else math.inf
        ends = wilson((value - low) / width, size, quantile)
        return low + ends[0] * width, low + ends[1] * width


def centre_of(score: ScoreFunction, sample: Sample) -> Centre:
    """Return what the score interval of a smooth score is made of."""
    extra = sample.pseudo()
    smooth = sample.counts + extra.counts
    near = score.expand(sample.counts, smooth)
    spread = variance(sample, smooth, score.spread(near.slopes), extra)
    squares = None if sample.squared_counts is None else score.pool(sample.squared_counts)
    own = math.inf if score.rule.pools else freedom(near.own, near.smooth, near.slopes, squares)
    if isinstance(sample, Clusters):
        own = min(own, max(sample.n - 1, 1))
    return Centre(near.value - near.bias, near.smoothed, spread, own)


def mean_centre(parts: Sequence[Centre], shares: Array) -> Centre:
    """Return the centre of a weighted mean of scores of independent groups; ``shares`` sum to 1.

    The variances add, and the degrees of freedom are Welch's.
    """
    spreads = [share**2 * part.spread for share, part in zip(shares, parts, strict=True)]
    bottom = sum(v**2 / part.freedom for v, part in zip(spreads, parts, strict=True))
    value, smoothed = (float(shares @ [getattr(part, name) for part in parts]) for name in ("value", "smoothed"))
    return Centre(value, smoothed, sum(spreads), sum(spreads) ** 2 / bottom if bottom > 0 else math.inf)


def freedom(units: Array, smooth: Array, slopes: Array, squares: Array | None = None) -> float:
    """Return Welch's degrees of freedom of an average; a unit has its smallest margin.

    ``slopes`` are those at the smooth counts of the units, ``squares`` the counts of the units with squared weights.
    """
    n, along = smooth.sum(axis=0), smooth * slopes
    own = (along * slopes).sum(axis=0) - along.sum(axis=0) ** 2 / np.where(n > 0, n, 1)
    bottom = float((own**2 / np.maximum(np.minimum.reduce(margins(units, squares)), 1)).sum())
    return float(own.sum()) ** 2 / bottom if bottom > 0 else math.inf


def margins(units: Array, squares: Array | None = None) -> tuple[Array, Array, Array, Array]:
    """Return how many actual and predicted positives, actual and predicted negatives units have.

    With weights, whose squares are counted as well, these are effective numbers: only the weights in the margin matter.
    """

    def size(one: int, other: int) -> Array:
        of = units[one] + units[other]
        if squares is None:
            return np.asarray(of)
        spread = squares[one] + squares[other]
        return np.asarray(np.where(spread > 0, of**2 / np.where(spread > 0, spread, 1.0), 0.0))

    tp, fp, fn, tn = range(4)
    return size(tp, fn), size(tp, fp), size(fp, tn), size(fn, tn)
