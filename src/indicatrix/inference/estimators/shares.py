"""Scores that are plain shares: k of n independent examples."""

from __future__ import annotations

import numpy as np

from ...algebra.arrays import Array
from ..sampling.samples import Pairs
from ..sampling.score_function import ScoreFunction
from .scores import Estimator, OfCounts, OfMean, has_rows


def proportion(estimator: Estimator) -> tuple[float, float] | None:
    """Return k and n of a score that is a share k/n of independent examples; None for other scores."""
    if isinstance(estimator, OfMean):
        plain = estimator.weights is None and estimator.clusters is None and not estimator.few and has_rows(estimator)
        plain = plain and estimator.span == (0, 1)
        if not plain or not np.isin(estimator.values, (0, 1)).all():
            return None
        return float(estimator.times @ estimator.values), float(estimator.times.sum())
    if not isinstance(estimator, OfCounts) or not isinstance(estimator.sample, Pairs) or not has_rows(estimator):
        return None
    score = estimator.score
    if score.units != 1 or not score.kept.all() or score.measure.decomposition is None:
        return None
    return _share(score, estimator.sample)


def _share(score: ScoreFunction, sample: Pairs) -> tuple[float, float] | None:
    """Return k and n if the score is a ratio of two sums to which every pair of classes adds 0 or 1."""
    found = contributions(score, sample)
    if found is None:
        return None
    possible = sample.table > 0
    possible[:-1, :-1] = True  # examples without a class on one side count only if there are some
    top, bottom = (np.where(possible, x, 0.0) for x in found)
    scale = bottom.max(initial=0.0)
    if scale <= 0 or not (np.isin(bottom / scale, (0, 1)).all() and np.isin(top / scale, (0, 1)).all() and (top <= bottom).all()):
        return None
    return float((sample.table * top).sum() / scale), float((sample.table * bottom).sum() / scale)


def contributions(score: ScoreFunction, sample: Pairs) -> tuple[Array, Array] | None:
    """Return what each pair of classes adds to the numerator and the denominator of a ratio of sums."""
    assert score.measure.decomposition is not None
    sums = []
    for coefficients in score.measure.decomposition:
        try:
            slopes = np.array([[float(x)] for x in coefficients])
        except TypeError:  # a symbolic parameter
            return None
        sums.append(sample.influence(score.spread(slopes)))
    return sums[0], sums[1]
