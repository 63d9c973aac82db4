"""The lowest value that a score of agreement can have, given how often each class is true and predicted.

A score interval takes the spread to vanish at the ends of the range, as that of a proportion does. Kappa and Matthews'
correlation reach -1 only if both classes are equally frequent. With a rare class, a classifier that is never right about it is
hardly below 0, and the spread vanishes there: with the end at -1, the interval of a low score would be too short above.
"""

from __future__ import annotations

import numpy as np

from ...algebra.arrays import Array
from .scores import Estimator, OfCounts, OfMatrix, Span

ROUNDS = 20  # of fitting rows and columns in turn


def span_at_margins(estimator: Estimator) -> Span:
    """Return the range of a score, from its value in the worst table with the margins of the sample.

    Only scores that may be negative, those that are 0 by chance, begin elsewhere than their range does.
    """
    low, high = estimator.span
    if not -np.inf < low < 0 < high or not isinstance(estimator, OfCounts | OfMatrix):
        return low, high
    worst = _worst_of_matrix(estimator) if isinstance(estimator, OfMatrix) else _worst_of_counts(estimator)
    return (max(low, min(worst, estimator.value)), high) if np.isfinite(worst) else (low, high)


def _worst_of_counts(estimator: OfCounts) -> float:
    """Return the score of counts with the same margins and no more right positives than they need."""
    score, sample = estimator.score, estimator.sample
    tp, fp, fn, tn = score.pool(sample.counts + sample.pseudo().counts)
    positive, predicted, n = tp + fn, tp + fp, tp + fp + fn + tn
    least = np.maximum(positive + predicted - n, 0.0)
    counts = np.stack([least, predicted - least, positive - least, n - positive - predicted + least])
    values, weights = score.values(counts), score.weights(counts)
    known = np.isfinite(values) & (weights > 0)
    return float(np.average(values[known], weights=weights[known])) if known.any() else np.nan


def _worst_of_matrix(estimator: OfMatrix) -> float:
    if estimator.measure.through is not None:
        return np.nan
    table = estimator.sample.table + estimator.extra.table
    table[:-1, :-1] = least_agreement(table[:-1, :-1])
    return estimator.function.value(table)


def least_agreement(table: Array) -> Array:
    """Return the table with the same margins and as little as possible on the diagonal.

    A class that is more than half of all true and predicted ones agrees with itself by force; otherwise none does.

    >>> least_agreement(np.array([[4.0, 1.0], [1.0, 2.0]])).tolist()
    [[2.0, 3.0], [3.0, 0.0]]
    >>> least_agreement(np.diag([2.0, 2.0, 2.0])).round(9).tolist()
    [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    rows, columns, n = table.sum(axis=1), table.sum(axis=0), table.sum()
    common = int(np.argmax(rows + columns))
    if rows[common] + columns[common] >= n:
        worst = np.zeros_like(table)
        worst[:, common], worst[common] = rows, columns
        worst[common, common] = rows[common] + columns[common] - n
        return worst
    worst = np.outer(rows, columns) * (1 - np.eye(len(table)))
    for _ in range(ROUNDS):
        for axis, wanted in ((1, rows), (0, columns)):
            have = worst.sum(axis=axis)
            worst = worst * np.expand_dims(wanted / np.where(have > 0, have, 1.0), axis)
    return worst
