"""The score from which predictions should be kept, so that a measure after matching is best."""

from __future__ import annotations

import numpy as np

from ..algebra.arrays import Array
from ..algebra.average import Average
from ..algebra.counts import Counts
from ..algebra.derived_facts import SIGNS, needed_direction
from ..algebra.measure import Measure
from ..ranking.ranked import Ranked, rank_scores
from ..scores.thresholds.best_thresholds import NEAR, Best, plateaus_of
from .matches import Ranking


def best_score(measure: Measure, rule: Average, units: list[Ranking], scores: Array) -> Best:
    """Return the best average over units of a measure, over all scores from which predictions are kept.

    Undefined values are left out of the mean, and so are scores at which every value is undefined.
    """
    sign = SIGNS[needed_direction(measure)]
    ranked = [_rank_predictions(unit, scores) for unit in units]
    thresholds = np.append(np.inf, -np.unique(-np.concatenate([r.scores for r in ranked])) if ranked else [])
    counts_of = [_counts(*pair, thresholds) for pair in zip(ranked, units, strict=True)]
    values = np.stack([measure.values(counts) for counts in counts_of])
    weights = np.stack([_weights(rule, measure, counts) for counts in counts_of])
    known = np.isfinite(values) & (weights != 0)
    total, over = (np.where(known, x, 0).sum(axis=0) for x in (weights * np.where(known, values, 0), weights))
    mean = np.divide(total, over, out=np.full(len(thresholds), np.nan), where=over != 0)
    if not np.isfinite(mean).any():
        return Best(measure, np.nan, np.nan, np.nan, np.nan, (), None)
    top = np.nanmax(sign * mean)
    chosen = np.flatnonzero(np.nan_to_num(sign * mean, nan=-np.inf) >= top - NEAR * 1e-3)
    plateaus, (low, high) = plateaus_of(chosen, thresholds)
    at = int(np.flatnonzero(thresholds == high)[0])
    one = _counts(ranked[0], units[0], thresholds[[at]]) if len(units) == 1 else None
    counts = None if one is None else Counts(int(one.tp[0]), int(one.fp[0]), int(one.fn[0]), 0).without("tn")
    return Best(measure, float(mean[at]), high, low, high, plateaus, counts)


def _weights(rule: Average, measure: Measure, counts: Counts) -> Array:
    """Return the weight of a unit at each threshold."""
    weights = None if rule.pools else rule.weights(measure, counts)
    return np.ones(len(counts.tp)) if weights is None else np.asarray(weights)


def _rank_predictions(unit: Ranking, scores: Array) -> Ranked:
    """Return the predictions of a unit that count, and whether each is right."""
    right, ignored = np.zeros(len(unit.order), bool), ~unit.counts
    right[unit.place] = unit.right[:, 0]
    ignored[unit.place] = np.where(unit.found[:, 0], ~unit.right[:, 0], ignored[unit.place])
    return rank_scores(scores[unit.order[~ignored]], right[~ignored])


def _counts(ranked: Ranked, unit: Ranking, thresholds: Array) -> Counts:
    reached = ranked.count_reaching(thresholds)
    tp, fp = ranked.tp[reached], ranked.fp[reached]
    return Counts(tp, fp, unit.objects - tp, np.zeros_like(tp), per=("threshold",), names=(tuple(thresholds.tolist()),)).without(
        "tn"
    )
