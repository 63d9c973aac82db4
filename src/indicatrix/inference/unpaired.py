"""The variance of one score by itself, with one pseudo-example: what separate evaluations add up to."""

from __future__ import annotations

import numpy as np

from .estimators import Estimator, OfCounts, OfMean
from .score_interval import variance


def variance_of(estimator: Estimator) -> float:
    """Return the variance of a score with one pseudo-example, half of it right and half of it wrong.

    So a perfect score of few examples does not look certain.
    """
    if isinstance(estimator, OfCounts) and estimator.smooth:
        smooth = estimator.sample.counts + estimator.sample.pseudo().counts
        return variance(estimator.score, estimator.sample, smooth, pseudo=True)
    spread = estimator.variance()
    if isinstance(estimator, OfMean) and np.isfinite(estimator.span).all():
        low, high = estimator.span
        spread += ((high - estimator.value) ** 2 + (estimator.value - low) ** 2) / (2 * (float(estimator.times.sum()) + 1) ** 2)
    return spread
