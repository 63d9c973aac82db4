"""What each cluster adds to a score, along its slopes."""

from __future__ import annotations

import numpy as np

from ...algebra.arrays import Array
from ..sampling.samples import Clusters, TablesOfClusters
from .estimators import Estimator, OfCounts, OfMatrix
from .of_weights import OfMean


def added_by_clusters(estimator: Estimator) -> Array | None:
    """Return what each cluster adds to a score with a pseudo-example; None without clusters.

    >>> import numpy as np
    >>> from indicatrix.inference.estimators.of_weights import OfMean
    >>> added_by_clusters(OfMean(np.array([1.0, 0.0, 1.0]), np.ones(3), (0, 1), clusters=np.array([0, 0, 1]))).round(3).tolist()
    [-0.333, 0.333]
    """
    if isinstance(estimator, OfMean):
        if estimator.clusters is None:
            return None
        weights = estimator.times if estimator.weights is None else estimator.times * estimator.weights
        return np.bincount(estimator.clusters, weights * (estimator.values - estimator.value))
    if isinstance(estimator, OfCounts) and isinstance(estimator.sample, Clusters):
        sample, score = estimator.sample, estimator.score
        slopes = score.spread(score.slopes(sample.counts + sample.pseudo().counts))
        return np.asarray(np.einsum("gjm,jm->g", sample.cells, slopes))
    if isinstance(estimator, OfMatrix) and isinstance(estimator.sample, TablesOfClusters):
        return estimator.sample.added(estimator.expansion.slopes)
    return None
