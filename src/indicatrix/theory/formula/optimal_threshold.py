"""The best threshold in a population: decisions that maximize a measure if eta is known.

The theory is in sec:consistency.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import ALIASES, BINARY, Average, averages_that, find_average
from ...algebra.counts import Counts
from ...algebra.derived.derived_facts import directed
from ...algebra.measure import Measure
from ...algebra.measure_names import find
from ...algebra.score import combine
from ...words.call_mistakes import answers_mistakes
from ...words.wording import series, short
from .best_label_set import best_label_sets
from .closed_thresholds import bayes_threshold

EVERY, CUTS = "all decisions", "threshold rules"


@answers_mistakes
@dataclass(frozen=True, eq=False)
class OptimalThreshold:
    """The best decisions in a population, and the threshold that makes them.

    Decisions are positive where eta >= threshold. ``threshold`` has one entry per class for macro. It is None where no single
    threshold makes the decisions (exemplar), inf where nothing is predicted, and nan where the measure is undefined for every
    decision, or for every threshold rule if ``among`` says so. ``among`` names the decisions that were compared. If the measure
    is not a ratio of linear forms, a finite population may have better decisions that follow no threshold, or decisions with a
    value where no threshold has one.

    Attributes
    ----------
    threshold : float, tuple or None
        One threshold, or one per class for macro.
    value : float
        The expected value of the measure.
    decisions : array of bool
        The best decisions.
    measure : Measure
        What was maximized.
    average : str or None
        Its average.
    iterations : int
        The number of steps that the search took.
    among : str
        The decisions that were compared.
    """

    threshold: float | tuple[float | None, ...] | None
    value: float
    decisions: Array
    measure: Measure
    average: str | None
    iterations: int  # rounds of the fixed-point method, the largest number over classes; 0 where all cuts were compared
    among: str


@dataclass(frozen=True, eq=False)
class _Rule:
    threshold: float | None
    value: float
    decisions: Array
    rounds: int
    among: str


@answers_mistakes
def optimal_threshold(
    measure: Measure | str,
    eta: Any,
    *,
    average: str | None = None,
    sample_weight: Any = None,
    empty: float | None = None,
    better: str | None = None,
) -> OptimalThreshold:
    """Return the decisions that maximize a measure, given P(Y=1|x) of each example, and their threshold.

    With one label per example ``eta`` has shape (n,); with several labels it has a column for each, and ``average`` is "micro",
    "macro" or "exemplar" (labels are independent given x). Examples with equal eta get equal decisions.

    Parameters
    ----------
    measure : str or Measure
        A measure, its name, or a formula.
    eta : array-like
        P(Y=1|x) of each example; a column for each label if there are several.
    average : str, optional
        "micro", "macro" or "exemplar", where there are several labels.
    sample_weight : array-like, optional
        One weight for each example. Sums of weights are exact.
    empty : number, optional
        What 0/0 counts where the prediction is right, for exemplar averages.
    better : str, optional
        "higher" or "lower", for a measure that does not say itself which of its values are better.

    Returns
    -------
    OptimalThreshold
        ``.threshold``, ``.decisions`` and ``.value``.

    Notes
    -----
    "Undefined" means undefined for every threshold; classes that are undefined in this sense are left out of the macro mean.

    With an exemplar average, the measure can be 0/0 although the prediction is right, as F1 is where no label is predicted and
    none is true. It then counts as ``empty``, or without ``empty`` as any other right prediction, 1 for F1. Scores leave such
    examples out by default (undefined='exclude'), so they show a different value. Examples that are 0/0 for every prediction
    are left out here as well.

    Examples
    --------
    >>> import indicatrix as ix
    >>> best = ix.theory.optimal_threshold("f1", [0.9, 0.6, 0.4, 0.1])
    >>> best.threshold == best.value / 2, best.decisions.tolist()
    (True, [True, True, True, False])
    """
    found = directed(find(measure), better)
    table = _population(eta)
    average = _check_average(found, average, table.ndim)
    averaged = None if average is None else find_average(average)
    weight = _weights(sample_weight, len(table))
    within = averaged is not None and averaged.is_mean_over("example")
    if empty is not None and not within:
        raise ValueError(f"empty={empty!r} is the value of 0/0 within one example. Leave it out, or use average='exemplar'.")
    if within:
        decisions, values, mass = best_label_sets(found, table, empty=empty)
        total = float(weight @ mass)
        value = float(weight @ values) / total if total else math.nan
        return OptimalThreshold(None, value, decisions, found, average, 0, EVERY)
    if averaged is not None and averaged.is_mean_over("class"):
        rules = [_best(found, column, weight) for column in table.T]
        value = float(combine(np.array([r.value for r in rules]), None, "exclude"))
        decisions, rounds = np.stack([r.decisions for r in rules], axis=1), max(r.rounds for r in rules)
        among = CUTS if any(r.among == CUTS for r in rules) else EVERY
        return OptimalThreshold(tuple(r.threshold for r in rules), value, decisions, found, average, rounds, among)
    rule = _best(found, table.ravel(), np.repeat(weight, table.size // len(table)))
    return OptimalThreshold(
        rule.threshold, rule.value, rule.decisions.reshape(table.shape), found, average, rule.rounds, rule.among
    )


def _population(eta: Any) -> Array:
    try:
        table = np.asarray(eta).astype(np.float64, casting="same_kind")
    except (TypeError, ValueError):
        raise TypeError(f"eta={short(eta)} is not an array of probabilities.") from None
    if table.ndim not in (1, 2) or not table.size:
        raise ValueError(f"eta has shape {table.shape}; give a non-empty (n,) for binary or (n, m) for multilabel problems.")
    wrong = np.argwhere(~((table >= 0) & (table <= 1)))
    if len(wrong):
        at = tuple(int(i) for i in wrong[0])
        raise ValueError(f"eta{list(at)} is {table[at]}; conditional probabilities lie within [0, 1].")
    return table


def _has_optimum(average: Average) -> bool:
    """Return whether the best decisions under an average are known.

    This holds where all counts are pooled, or values are averaged without weights.
    """
    return average.pools or average.is_mean_over("class") or average.is_mean_over("example")


def _check_average(measure: Measure, average: str | None, dimensions: int) -> str | None:
    average = None if average is None else ALIASES.get(average, average)
    if dimensions == 1 and average is not None:
        raise ValueError(
            f"eta of shape (n,) is binary, and average={average!r} does not apply. Leave it out, or give eta of shape (n, m)."
        )
    if dimensions == 2 and (average is None or average == BINARY or not _has_optimum(find_average(average))):
        possible = series([*map(repr, averages_that(_has_optimum))], "or")
        raise ValueError(f"average={average!r} is not possible for eta of shape (n, m). Choose {possible}.")
    if measure.averages and average not in measure.averages:
        raise ValueError(f"{measure} exists only as average={measure.averages[0]!r}. Use it with eta of shape (n, m).")
    return average


def _weights(given: Any, n: int) -> Array:
    try:
        weight = np.ones(n) if given is None else np.asarray(given).astype(np.float64, casting="same_kind")
    except (TypeError, ValueError):
        raise TypeError(f"sample_weight={short(given)} is not a list of numbers. Give one weight for each example.") from None
    if weight.shape != (n,):
        raise ValueError(f"sample_weight has shape {weight.shape}, but eta has {n} examples. Give one weight for each.")
    wrong = np.flatnonzero(~(np.isfinite(weight) & (weight >= 0)))
    if len(wrong):
        raise ValueError(f"sample_weight[{wrong[0]}] is {weight[wrong[0]]}; weights are finite and not negative.")
    if not weight.any():
        raise ValueError("sample_weight is 0 for every example, so there is no population. Give some example a weight.")
    return weight


def _best(measure: Measure, eta: Array, weight: Array) -> _Rule:
    """Return the best rule for one population of binary decisions; it includes examples of weight 0."""
    held = weight > 0
    form = measure.decomposition
    if form is not None and (min(form[1]) >= 0 or max(form[1]) <= 0):
        rule = _fixed_point(measure, eta[held], weight[held])
    else:
        rule = _sweep(measure, eta[held], weight[held])
    if held.all():
        return rule
    decisions = np.zeros(len(eta), bool) if rule.threshold is None else eta >= rule.threshold
    decisions[held] = rule.decisions
    return _Rule(rule.threshold, rule.value, decisions, rule.rounds, rule.among)


def _fixed_point(measure: Measure, eta: Array, weight: Array) -> _Rule:
    """Return the best of all decisions for <a, v>/<b, v>, by Dinkelbach's method.

    At the best value the best decisions maximize <a - value b, v> pointwise. Each round decides pointwise for the value
    reached so far, and thereby reaches a higher one, until the value does not rise any more. Decisions with <b, v> = 0 have
    no value, unless <a, v> is on the good side of zero: then no decision is better.
    """
    a, b = measure.decomposition or ((), ())
    sign = (-1 if measure.better == "lower" else 1) * (1 if max(b) > 0 else -1)
    b = b if max(b) > 0 else tuple(-x for x in b)
    yes, no = _contributions([float(sign * x) for x in a], eta)
    den_yes, den_no = _contributions([float(x) for x in b], eta)
    free = _without_denominator(yes, no, den_yes=den_yes, den_no=den_no)
    if free is not None and weight @ np.where(free, yes, no) > 0:
        return _Rule(_threshold(eta, free), _value(measure, eta, weight, free), free, 0, EVERY)
    decisions = den_yes > den_no
    if weight @ np.where(decisions, den_yes, den_no) == 0:
        return _Rule(math.nan, math.nan, np.zeros(len(eta), bool), 0, EVERY)
    value, rounds = -math.inf, 0
    while True:
        reached = float(weight @ np.where(decisions, yes, no) / (weight @ np.where(decisions, den_yes, den_no)))
        if not reached > value:
            break
        value, best, rounds = reached, decisions, rounds + 1
        decisions = yes - no >= value * (den_yes - den_no)
        if weight @ np.where(decisions, den_yes, den_no) == 0:  # undefined, so not better than the value reached
            break
    at_one, at_zero = (float(sign * (a[i] - a[i + 2])) - value * float(b[i] - b[i + 2]) for i in (0, 1))
    ideal = at_zero / (at_zero - at_one) if at_one > at_zero else math.nan
    return _Rule(_threshold(eta, best, ideal), _value(measure, eta, weight, best), best, rounds, EVERY)


def _contributions(coefficients: list[float], eta: Array) -> tuple[Array, Array]:
    """Return the gain of a linear form from predicting positive, and negative, at each eta."""
    tp, fp, fn, tn = coefficients
    return tp * eta + fp * (1 - eta), fn * eta + tn * (1 - eta)


def _without_denominator(yes: Array, no: Array, *, den_yes: Array, den_no: Array) -> Array | None:
    """Return the decisions with denominator zero and the largest numerator; None if they do not exist."""
    if ((den_yes > 0) & (den_no > 0)).any():
        return None
    return np.asarray((den_yes == 0) & ((den_no > 0) | (yes > no)))


def _sweep(measure: Measure, eta: Array, weight: Array) -> _Rule:
    """Return the best threshold rule; all cuts of the sorted eta are compared, equal eta together."""
    levels, group = np.unique(eta, return_inverse=True)
    positive, negative = (np.bincount(group, weight * x, len(levels))[::-1] for x in (eta, 1 - eta))
    tp, fp = (np.concatenate([[0.0], np.cumsum(x)]) for x in (positive, negative))
    # Summed from the other end, not subtracted: the rest must be exactly zero at the last cut, and must not lose digits.
    fn, tn = (np.concatenate([np.cumsum(x[::-1])[::-1], [0.0]]) for x in (positive, negative))
    values = np.asarray(measure.values(Counts(tp, fp, fn, tn)))
    merit = -values if measure.better == "lower" else values
    if np.isnan(merit).all():
        return _Rule(math.nan, math.nan, np.zeros(len(eta), bool), 0, CUTS)
    cut = int(np.nanargmax(merit))
    decisions = eta >= levels[len(levels) - cut] if cut else np.zeros(len(eta), bool)
    closed = _closed_threshold(measure)
    ideal = float(closed) if isinstance(closed, Fraction) else tp[-1] / (tp[-1] + fp[-1]) if closed == "prevalence" else math.nan
    return _Rule(_threshold(eta, decisions, ideal), float(values[cut]), decisions, 0, CUTS if closed is None else EVERY)


@lru_cache(maxsize=128)
def _closed_threshold(measure: Measure) -> Any:
    """Return the closed-form threshold; it is cached, because macro needs it once per class."""
    return bayes_threshold(measure).value


def _value(measure: Measure, eta: Array, weight: Array, decisions: Array) -> float:
    """Return the population value of decisions."""
    positive, negative = weight * eta, weight * (1 - eta)
    cells = (positive[decisions], negative[decisions], positive[~decisions], negative[~decisions])
    return float(measure.values(Counts(*(float(x.sum()) for x in cells))))


def _threshold(eta: Array, decisions: Array, ideal: float = math.nan) -> float | None:
    """Return a threshold that makes these decisions, if possible the ideal one; else None."""
    below = float(eta[~decisions].max(initial=-math.inf))
    above = float(eta[decisions].min(initial=math.inf))
    if below >= above:
        return None
    return (ideal if below < ideal <= above else above) + 0.0  # not -0.0
