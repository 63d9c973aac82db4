"""How much more an average over classes varies than classes with few examples show.

A class with two examples, both right, looks as if it never varied, and an average over many such classes would have an interval
that is too short. So each class is taken to have one more example that is like those of all classes together: the fewer it has,
the closer its rates are to theirs. Only the variance is taken from there; the value and the centre stay.
"""

from __future__ import annotations

import numpy as np

from ...algebra.arrays import Array
from ..sampling.score_function import ScoreFunction

LIKE_ALL = 1.0  # examples of each class that are like those of all classes together


def variance_ratio(score: ScoreFunction, smooth: Array, slopes: Array, squares: Array | None) -> float:
    """Return the factor of the variance once classes with few examples are like all others.

    ``smooth`` are the counts of the units of the average (4, units) and ``slopes`` those of the score there; ``squares`` are
    the same counts with squared weights.
    """
    own = _variance(smooth, slopes)
    if not own > 0:
        return 1.0
    drawn = toward_all(smooth, squares)
    return _variance(drawn, score.slopes_of_units(drawn)) / own


def _variance(units: Array, slopes: Array) -> float:
    """Return the variance of an average of units that vary on their own."""
    along = units * slopes
    return float(((along * slopes).sum(axis=0) - along.sum(axis=0) ** 2 / np.maximum(units.sum(axis=0), 1.0)).sum())


def toward_all(units: Array, squares: Array | None = None) -> Array:
    """Return counts of classes whose recall, and then precision, is drawn toward that of all of them.

    The number of examples of each class stays, then that of its predictions.

    >>> toward_all(np.array([[1.0, 8], [0, 2], [0, 2], [9, 8]])).round(2).tolist()
    [[0.82, 8.03], [0.09, 1.98], [0.09, 1.98], [9.09, 7.98]]
    """
    tp, fp, fn, tn = units
    more = [np.ones_like(tp), np.ones_like(tp)] if squares is None else [_typical(units, squares, k) for k in (2, 1)]
    predicted = tp + fp
    tp, fn = _drawn(tp, fn, more[0])
    tp, fp = _drawn(tp, fp, more[1])
    return np.stack([tp, fp, fn, np.maximum(tn + predicted - tp - fp, 0.0)])


def _drawn(right: Array, wrong: Array, weight: Array) -> tuple[Array, Array]:
    """Return right and wrong ones of each class, with a rate closer to the one of all classes."""
    size = right + wrong
    rate = right.sum() / max(size.sum(), np.finfo(float).tiny)
    drawn = size * (right + LIKE_ALL * weight * rate) / (size + LIKE_ALL * weight)
    return drawn, size - drawn


def _typical(units: Array, squares: Array, other: int) -> Array:
    """Return the typical weight of the examples of each class that are right, or wrong in one way."""
    sums, of_squares = units[0] + units[other], squares[0] + squares[other]
    return np.where((sums > 0) & (of_squares > 0), of_squares / np.where(sums > 0, sums, 1.0), 1.0)
