"""The worst value that a score of agreement can have, given how often each class occurs.

A score interval takes the spread to vanish at the ends of the range, as that of a proportion does. Kappa and Matthews'
correlation reach -1 only if both classes are equally frequent. With a rare class, a classifier that is never right about it is
hardly below 0, and the spread vanishes there: with the end at -1, the interval of a low score would be too short above.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ..sampling.score_function import TableFunction
from .estimators import Estimator, OfCounts, OfMatrix, Span

ROUNDS = 20  # of fitting rows and columns in turn
ALMOST = 1e-9  # of a range: values that differ by less are the same
EXAMPLES = 100.0  # of the rarest class, in a table of which only the formula matters
SHARES = np.array([0.2, 0.35, 0.7])  # of positives, both actual and predicted, in three tables of independent classes
INDEPENDENT = 100 * np.stack([SHARES**2, SHARES * (1 - SHARES), SHARES * (1 - SHARES), (1 - SHARES) ** 2])


def span_at_margins(estimator: Estimator) -> Span:
    """Return the range of a score, from its value in the worst table with the margins of the sample.

    Only scores that are corrected for chance begin elsewhere than their range does: they have one value, inside the range, for
    true and predicted classes that are independent and equally frequent, however frequent. This follows from the formula.
    """
    low, high = estimator.span
    if not math.isfinite(high - low):
        return low, high
    if isinstance(estimator, OfMatrix) and estimator.measure.facts.through is None:
        table, function = (estimator.sample.table + estimator.extra.table)[:-1, :-1], estimator.function.value_of_known
        chance = _chance_of(estimator.measure, len(table), (low, high))
        return (
            (low, high) if chance is None else _reaching(function(least_agreement(table)), chance, (low, high), estimator.value)
        )
    if isinstance(estimator, OfCounts):
        return _of_counts(estimator)
    return low, high


def lowest_of(function: Callable[[Array], float], table: Array, span: Span, value: Callable[[], float]) -> Span:
    """Return the range of a function of tables, from its value in the worst one with these margins.

    ``value`` returns the value of the sample, which most functions do not need: by chance they have an end of their range.

    >>> kappa = lambda x: 1 - (x.sum() - np.trace(x)) * x.sum() / (x.sum() ** 2 - x.sum(axis=0) @ x.sum(axis=1))
    >>> low, high = lowest_of(kappa, np.array([[90.0, 1.0], [2.0, 7.0]]), (-1, 1), lambda: 0.8)
    >>> round(low, 3), high
    (-0.093, 1)
    """
    chance = _by_chance(function, table.sum(axis=1), span)
    return span if chance is None else _reaching(function(least_agreement(table)), chance, span, value())


def _by_chance(function: Callable[[Array], float], rows: Array, span: Span) -> float | None:
    """Return the value of independent tables with equal sides, of these shares and of others.

    None if it is not one inside.
    """
    other = rows * np.arange(1, len(rows) + 1)  # other shares, whatever the first ones are
    n, chance = rows.sum(), np.empty(0)
    for side in (rows, other / max(other.sum(), 1.0) * n):
        chance = np.append(chance, function(np.outer(side, side) / n))
        if not _is_chance(chance, span):
            return None
    return float(chance[0])


def _is_chance(values: Array, span: Span) -> bool:
    """Return whether the values of independent tables are one value inside a range."""
    slack = ALMOST * (span[1] - span[0])
    return bool(np.ptp(values) < slack and span[0] + slack < values[0] < span[1] - slack)


def _reaching(worst: float, chance: float, span: Span, value: float) -> Span:
    """Return the range that ends at the worst value, which lies below or above that of chance."""
    if not math.isfinite(worst):
        return span
    if worst > chance:  # lower is better
        return span[0], min(span[1], float(max(worst, value)))
    return max(span[0], float(min(worst, value))), span[1]


@lru_cache(maxsize=256)
def _is_beyond_chance(measure: Measure) -> bool:
    """Return whether a measure has one value inside its range for independent, equally frequent classes."""
    values = np.asarray(measure.values(Counts(*INDEPENDENT, bound=0)), np.float64)
    return bool(np.isfinite(values).all() and np.isfinite(measure.range).all()) and _is_chance(values, measure.range)


@lru_cache(maxsize=256)
def _chance_of(measure: Measure, classes: int, span: Span) -> float | None:
    """Return the value of a function of tables for independent and equally frequent classes.

    None if it is not one inside.
    """
    return _by_chance(TableFunction(measure).value_of_known, EXAMPLES * np.arange(1.0, classes + 1), span)


def _of_counts(estimator: OfCounts) -> Span:
    """Return the range, from the score of counts with the same margins that agree least."""
    score, sample = estimator.score, estimator.sample
    if not _is_beyond_chance(score.measure):
        return estimator.span
    tp, fp, fn, tn = score.pool(sample.counts + sample.pseudo().counts)
    positive, predicted, n = tp + fn, tp + fp, tp + fp + fn + tn
    sides = [(x, x, x**2 / np.where(n > 0, n, 1.0)) for x in (positive, positive / 2)]  # independent and equally frequent
    sides.append((positive, predicted, np.maximum(positive + predicted - n, 0.0)))
    each = [[right, one - right, other - right, n - one - other + right] for other, one, right in sides]
    counts = np.maximum(np.moveaxis(np.array(each), 1, 0), 0.0)
    values, weights = score.values(counts), score.weights(counts)
    known = np.isfinite(values).all(axis=0) & (weights > 0).all(axis=0)
    if not known.any() or not _is_chance(values[:2, known].ravel(), estimator.span):
        return estimator.span
    worst = float(np.average(values[2, known], weights=weights[2, known]))
    return _reaching(worst, float(values[0, known][0]), estimator.span, estimator.value)


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
    down, across = rows, columns  # a cell off the diagonal is their product, so that sums are known without the table
    for _ in range(ROUNDS):
        before, down = down, _fitted(rows, across)
        across = _fitted(columns, down)
        if np.abs(down - before).max() <= ALMOST * down.max():
            break
    worst = np.outer(down, across)
    np.fill_diagonal(worst, 0.0)
    return worst


def _fitted(wanted: Array, others: Array) -> Array:
    """Return factors with which the others, each without its own class, add to the sums that are wanted."""
    rest = others.sum() - others
    return wanted / np.where(rest > 0, rest, 1.0)
