"""Counts at thresholds that the caller gives; any function of decisions at all (prop:roc).

Given is one threshold, one for each class, or many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts
from ...ranking.ranked import Ranked
from ...ranking.sort_keys import falling_order
from .bins import Bins


def counts_at_one(ranking: Ranked | Bins, thresholds: Any) -> Counts:
    """Return the counts of one ranking at a threshold, or along an axis "threshold" at each of a list.

    >>> import indicatrix as ix
    >>> counts_at_one(ix.sweep([0, 1, 1], [0.2, 0.5, 0.7]).of(), [0.5, 0.6])
    Counts(tp=array([2, 1]), fp=array([0, 0]), fn=array([0, 1]), tn=array([1, 1]), per=('threshold',))
    """
    limits = _numbers(thresholds)
    if limits.ndim > 1:
        raise ValueError(f"thresholds has shape {limits.shape}; one column of scores takes one number, or a list of them.")
    axis: dict[str, Any] = {"per": ("threshold",), "names": (tuple(limits.tolist()),)} if limits.ndim else {}
    return _counts(ranking, limits, **axis)


def counts_at_each(rankings: Mapping[Any, Ranked | Bins], thresholds: Any) -> Counts:
    """Return the counts of each class at a threshold, at one for each class, or at many.

    Many thresholds are rows, along an axis "threshold".

    >>> import indicatrix as ix
    >>> s = ix.sweep([0, 1], [[0.7, 0.3], [0.6, 0.4]])
    >>> [counts_at_each({0: s.of(0), 1: s.of(1)}, t).tp.tolist() for t in (0.5, [0.7, 0.4], [[0.5], [0.3]])]
    [[1, 0], [1, 1], [[1, 0], [1, 1]]]
    """
    limits, m = _numbers(thresholds), len(rankings)
    if limits.shape not in ((), (m,), (*limits.shape[:1], 1), (*limits.shape[:1], m)):
        raise ValueError(
            f"thresholds has shape {limits.shape}; give one number, one for each of {m} classes, or for an axis of thresholds a "
            f"table (k, 1) or (k, {m})."
        )
    every = np.broadcast_to(limits, (*limits.shape[:-1], m))
    four = np.empty((4, *every.shape), _numbers_of(rankings.values()))
    for j, ranking in enumerate(rankings.values()):
        four[..., j] = tuple(_counts(ranking, every[..., j]))
    if limits.ndim < 2:
        return Counts(*four, per=("class",), names=(tuple(rankings),))
    points = limits[:, 0].tolist() if limits.shape[1] == 1 else map(tuple, limits.tolist())
    return Counts(*four, per=("threshold", "class"), names=(tuple(points), tuple(rankings)))


def _counts(ranking: Ranked | Bins, limits: Array, **axis: Any) -> Counts:
    """Return the counts at thresholds; inside a bin, where they are not known, there are none."""
    if isinstance(ranking, Bins):
        ranking.refuse_inside(limits)
    return ranking.counts_at(ranking.count_reaching(limits), **axis)


def _numbers_of(rankings: Iterable[Ranked | Bins]) -> Any:
    """Return the type of numbers that holds the counts of rankings."""
    each = [*rankings]
    if any(ranking.weighted for ranking in each):
        return np.float64
    return object if any(ranking.tpos + ranking.tneg >= 2**62 for ranking in each) else np.int64


def _numbers(thresholds: Any) -> Array:
    """Return thresholds as floats.

    What is not a number is refused, and so are names, which might mean another order.
    """
    index = getattr(thresholds, "index", None)
    if index is not None and not callable(index) and list(index) != list(range(len(thresholds))):
        raise TypeError("thresholds have names; give them as a list, or as a table in the order of the columns of scores.")
    try:
        limits = np.asarray(thresholds)
        numbers = limits.astype(np.float64) if limits.dtype.kind in "iufO" else None
    except (TypeError, ValueError):
        numbers = None
    if numbers is None:
        raise TypeError(f"thresholds={thresholds!r} must be numbers, such as 0.5.")
    if np.isnan(numbers).any():
        raise ValueError("thresholds has one that is NaN; a threshold is a number such as 0.5.")
    return numbers


def at_thresholds(
    function: Callable[..., Any],
    labels: Array,
    scores: Array,
    weights: Array | None = None,
    /,
    *,
    everything_negative: bool = False,
    **options: Any,
) -> tuple[Array, Array]:
    """Return the results of a function at each distinct score, from the highest down, and these scores.

    The function takes labels and predictions in falling order of scores, and their weights where there are some. An example of
    weight 0 is left out. ``everything_negative`` adds a first result, at the threshold +inf.

    >>> values, thresholds = at_thresholds(lambda y, z: int(sum(y & z)), np.array([True, False, True]), np.array([2.0, 3.0, 1.0]))
    >>> values.tolist(), thresholds.tolist()
    ([0, 1, 2], [3.0, 2.0, 1.0])
    """
    if weights is not None:
        kept = np.flatnonzero(weights)
        labels, scores, weights = labels[kept], scores[kept], weights[kept]
    order = falling_order(scores)
    labels, ranked = labels[order], scores[order]
    given = {} if weights is None else {"sample_weight": weights[order]}
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], np.ones(min(len(ranked), 1), bool)))  # of each run of ties
    reached = np.append(0, last + 1) if everything_negative else last + 1
    results = []
    for count in reached.tolist():
        predicted = np.zeros(len(ranked), np.int32)
        predicted[:count] = 1
        results.append(function(labels, predicted, **given, **options))
    return np.asarray(results), np.append(np.inf, ranked[last]) if everything_negative else ranked[last]
