"""The operating point at a given rate: two neighboring thresholds, and a mixture of them.

Counts at thresholds that the caller gives; any function of decisions at all (prop:roc).

Given is one threshold, one for each class, or many.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.measure_names import find_for_counts
from ...ranking.ranked import Ranked
from ...ranking.threshold_steps import falling_order
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing
from .best_thresholds import values_of
from .bins import Bins

POINTS = {  # of each point a formula that grows as the threshold falls, and is 0 there
    "equal_errors": "fp / (fp + tn) - fn / (tp + fn)",  # of fpr and fnr
    "break_even": "(fp - fn) / (tp + fn)",  # precision is recall
}
POOLED = "a sweep counts entries or one class"
RATES = "recall, fnr, fpr, specificity or selection_rate"


@dataclass(frozen=True)
class ThresholdPoint:
    """A threshold, the counts at it, and the rate there."""

    threshold: float
    rate: float
    counts: Counts


@answers_mistakes
@dataclass(frozen=True)
class RatePoint:
    """The operating point at which a measure has a given rate.

    Attributes
    ----------
    measure : Measure
        The rate that was asked for.
    rate : float
        Its value.
    below, above : ThresholdPoint
        The neighboring thresholds: at ``below`` the rate is at most the one asked for, at ``above`` at least. Where a
        threshold has exactly this rate, both are that threshold; of several, the one with the fewest errors.
    share : float
        How often the decision at ``above`` is taken in the mixture; otherwise that at ``below`` is.
    counts : Counts
        The counts of the mixture: floats, at which the measure is the rate.
    """

    measure: Measure
    rate: float
    below: ThresholdPoint
    above: ThresholdPoint
    share: float
    counts: Counts

    def value(self, measure: str | Measure) -> float:
        """Return any measure of the mixture's counts.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.

        Returns
        -------
        float
            Its value.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at_rate(recall=0.75).value("fpr")
        0.5
        """
        return float(find_for_counts(measure, POOLED).values(self.counts))


def point_at_rate(ranking: Any, asked: Mapping[str, Any]) -> RatePoint:
    """Return the operating point of a ranking at one rate, such as {"fpr": 0.01}."""
    if len(asked) != 1:
        raise TypeError(f"at_rate takes one rate, as in at_rate(fpr=0.01); it was given {', '.join(asked) or 'none'}.")
    ((name, rate),) = asked.items()
    measure = find_for_counts(name, POOLED)
    rising, lowest = _direction(measure)
    if not isinstance(rate, int | float | np.integer | np.floating) or isinstance(rate, bool) or math.isnan(rate):
        raise TypeError(f"{name}={rate!r} is not a rate; give a number such as 0.01.")
    return _between(measure, float(rate), _defined_values(name, measure, ranking), rising, ranking, lowest=lowest)


def point_called(name: str, ranking: Any) -> RatePoint:
    """Return an operating point of ``POINTS`` of a ranking."""
    if name not in POINTS:
        raise ValueError(
            f"There is no operating point {name!r}; there are {listing([*POINTS])}. at_rate(fpr=0.01) has a given rate."
        )
    measure = find_for_counts(POINTS[name], POOLED)
    return _between(measure, 0.0, _defined_values(name, measure, ranking), True, ranking)


def _defined_values(name: str, measure: Measure, ranking: Any) -> Array:
    """Return a measure at every threshold of a ranking, or refuse it if a class that it needs is missing."""
    values = values_of(measure, ranking)
    if np.isnan(values).any():
        raise ValueError(f"{name} is undefined here: there are {ranking.tpos:g} positives and {ranking.tneg:g} negatives.")
    return values


def _between(measure: Measure, rate: float, values: Array, rising: bool, ranking: Any, *, lowest: bool = False) -> RatePoint:
    """Return the point at a rate; of several thresholds that have it, the highest or the lowest one."""
    first = 1 if len(values) > 1 and ranking.thresholds[1] == np.inf else 0  # no threshold lies above such a score
    climb = values[first:] if rising else -values[first:]
    goal = rate if rising else -rate
    if not climb[0] <= goal <= climb[-1]:
        ends = sorted((float(values[first]), float(values[-1])))
        raise ValueError(f"{measure} = {rate:g} is reached by no threshold: it goes from {ends[0]:g} to {ends[1]:g}.")
    after = int(np.searchsorted(climb, goal, "left"))
    if climb[after] == goal and lowest:
        after = int(np.searchsorted(climb, goal, "right")) - 1
    before = after if climb[after] == goal else after - 1
    one, two = (_point(k + first, values, ranking) for k in (before, after))
    share = 0.0 if before == after else (rate - one.rate) / (two.rate - one.rate)
    mixed = Counts(*((1 - share) * float(a) + share * float(b) for a, b in zip(one.counts, two.counts, strict=True)))
    below, above = (one, two) if rising else (two, one)
    return RatePoint(measure, rate, below, above, share if rising else 1 - share if before != after else share, mixed)


def _point(k: int, values: Array, ranking: Any) -> ThresholdPoint:
    return ThresholdPoint(float(ranking.thresholds[k]), float(values[k]), ranking.counts_at(k))


def _direction(measure: Measure) -> tuple[bool, bool]:
    """Return whether a rate grows as the threshold falls, and whether the lowest of equal ones is best.

    What is not a rate is refused with the reason. As the threshold falls, examples move from fn to tp and from tn to fp. Where a
    rate stays the same, only the other kind moved: more true positives are better, more false positives are worse.
    """
    if measure.decomposition is not None:
        (a, b) = measure.decomposition
        moves = (a[0] - a[2], a[1] - a[3])
        if b[0] == b[2] and b[1] == b[3] and any(moves) and moves[0] * moves[1] >= 0:
            return bool(sum(moves) > 0), not moves[0]
    raise ValueError(
        f"{measure} is not a rate: as the threshold falls it may both grow and fall, or its denominator changes. Rates are "
        f"{RATES}; for other measures use best(…, subject_to='{measure} >= …')."
    )


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
