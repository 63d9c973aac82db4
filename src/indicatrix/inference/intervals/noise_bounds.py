"""Bounds of a score of two classes whose true labels are wrong at rates within known intervals."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import find_average
from ...algebra.measure_names import measure_of_counts, split_score
from ...algebra.score import Undefined
from ...tally.states.group_counts import CrossTable, class_counts
from ...tasks.positive_unlabeled import Bounds
from ...words.wording import listing, short
from ..sampling.score_function import score_function, units_of_classes

STEPS = 65  # of each rate, between its ends
LEAST = 1e-9  # of all examples: a count below minus this is negative


def noise_bounds(ev: Any, measure: Any, average: Any = None, *, noise: Any, undefined: Undefined = "exclude") -> Bounds:
    """Return the lowest and the highest score over the rates at which true labels may be wrong.

    Up to a factor the counts are linear in the two rates, and rates that make a count negative are impossible, which leaves a
    box again. A ratio of linear forms (precision, recall, accuracy, F, Jaccard) has its ends at corners of it, so that they are
    exact; for other scores points inside are tried as well.

    >>> import indicatrix as ix
    >>> ev = ix.from_confusion([[620, 90], [80, 210]])
    >>> found = noise_bounds(ev, "f1", "binary", noise=((0, 0.05), (0, 0.1)))
    >>> round(found.low, 3), round(found.high, 3), found.at_high
    (0.712, 0.788, (0.05, 0.1))
    """
    named, average = split_score(measure, average)
    found = measure_of_counts(named).meant_for(ev, average)
    score = found.score(ev, average, undefined)
    table = _table_of(ev, score.average)
    low, high, given = _possible(table, noise)
    rule = find_average(score.average)
    function = score_function(found, rule, units_of_classes(ev, score.average), score.undefined, class_counts(table))
    corners = [(a, b) for a in (low[0], high[0]) for b in (low[1], high[1])]
    inside = np.stack(np.meshgrid(*(np.linspace(x, y, STEPS) for x, y in zip(low, high, strict=True))), axis=-1).reshape(-1, 2)
    rates = np.concatenate([np.array(corners), inside])
    values = np.asarray(function(np.moveaxis(_cells(table, rates), 0, 1)), np.float64)
    known = np.where(np.isfinite(values), values, np.nan)
    if np.isnan(known).all():
        raise ValueError(f"{found} is undefined at all these rates.")
    at_low, at_high = (tuple(rates[int(k)].tolist()) for k in (np.nanargmin(known), np.nanargmax(known)))
    what = str(found) if rule.pools else f"{score.average} {found}"
    used = (min(low), max(high))
    return Bounds(float(np.nanmin(known)), float(np.nanmax(known)), at_low, at_high, what, "rate of wrong labels", used, given)


def _table_of(ev: Any, average: Any) -> Array:
    """Return the table (seen, predicted) of two classes."""
    part = ev.tally.pooled
    if len(ev.classes) != 2 or not isinstance(part, CrossTable) or ev.tally.corrected:
        raise ValueError(
            f"Bounds over rates of wrong labels are of one label of two classes for each row; here are {listing(ev.classes)}. "
            "Known rates of more classes, or of several labels, are noise= of ix.evaluate."
        )
    if isinstance(average, tuple) or average in ev.tally.by or "example" in find_average(average).per:
        raise ValueError(f"average={average!r} has no bounds here. Name 'binary', 'micro', 'macro' or 'weighted'.")
    return np.asarray(part.table, np.float64)


def _possible(table: Array, noise: Any) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
    """Return the ends of both rates at which no count is negative, and what was given."""
    try:
        ends = np.array(noise, np.float64)
        ends = np.stack([ends, ends]) if ends.shape == (2,) else ends
        good = ends.shape == (2, 2) and bool(((ends >= 0) & (ends <= 1)).all() and (ends[:, 0] <= ends[:, 1]).all())
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ValueError(
            f"noise={short(noise)} is two rates in order, (0, 0.1), or two for each true class, ((0, 0.05), (0, 0.1)): the share "
            "of its examples that is seen as the other class."
        )
    size = np.maximum(table[:2].sum(axis=0), 1e-300)
    there = table[:2].sum(axis=0) > 0
    most = [float((table[1 - k] / size)[there].min(initial=1.0)) for k in (0, 1)]
    low, high = (float(ends[0, 0]), float(ends[1, 0])), tuple(min(float(ends[k, 1]), most[k]) for k in (0, 1))
    odd = next((k for k in (0, 1) if low[k] > high[k]), None)
    if odd is not None:
        raise ValueError(f"Rates of at least {low[odd]:.6g} are impossible: a count would be negative above {most[odd]:.6g}.")
    if high[0] + high[1] >= 1:
        raise ValueError("Rates that add up to 1 or more say nothing about the truth: labels are then as good as turned round.")
    return low, (high[0], high[1]), (float(ends.min()), float(ends.max()))


def _cells(table: Array, rates: Array) -> Array:
    """Return the counts of both classes, (points, 4, 2), at rates at which they are seen as each other."""
    a, b = rates[:, 0, None], rates[:, 1, None]
    own = table[:2]
    scale = 1 - a - b
    true = np.stack([((1 - b) * own[0] - b * own[1]) / scale, ((1 - a) * own[1] - a * own[0]) / scale], axis=1)
    none = np.broadcast_to(table[2:], (len(rates), 1, 3))
    whole = np.concatenate([true, none], axis=1)
    whole = np.where(np.abs(whole) < LEAST * max(float(table.sum()), 1.0), 0.0, whole)
    return np.moveaxis(np.asarray(class_counts(whole)), 0, 1) if len(rates) else np.zeros((0, 4, 2))
