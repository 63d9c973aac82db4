"""The operating point at a given rate: two neighboring thresholds, and a mixture of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.measure_names import find_for_counts
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing
from .best_thresholds import values_of

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
