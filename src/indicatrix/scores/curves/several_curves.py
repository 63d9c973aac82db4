"""Curves of several rankings: vertical averages, and the convex hull of ROC curves.

Mixtures of thresholds reach the hull.

A vertical average has at each value of x the mean of y over classes, folds or other groups.

The area under such a mean curve is the mean of the areas, because both are integrals over the same x. A mean curve has no
thresholds: at the same x each unit has a threshold of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import reads_positive
from ...algebra.measure import Measure
from ...algebra.measure_names import resolve
from ...algebra.score import combine
from ...algebra.source_score import OfferedAverages
from ...ranking.ranked import Ranked
from .curve import Curve, pr_points, roc_points, trapezoids
from .ranked_units import rankings_of
from .roc_areas import upper_hull

EXAMPLES = (
    "average='exemplar' has a curve for each example, of a few labels; average the areas, as in ix.auc(…, average='exemplar')."
)


def mean_roc(swept: Any, average: str) -> Curve:
    """Return the mean of the ROC curves of units; its area is the mean of their AUC.

    At a rate where some curve rises straight up, the mean curve has two points.

    >>> import indicatrix as ix
    >>> swept = ix.sweep([0, 1, 2, 1], [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5], [0.5, 0.2, 0.3]])
    >>> curve = mean_roc(swept, "macro")
    >>> curve.area, ix.auc(swept, average="macro")
    (0.875, 0.875)
    """
    rankings, weights, area = _units(resolve("auc"), swept, average)
    xs = _all_of(rankings, lambda r: roc_points(r)[0])
    points = [[_roc_heights(r, xs, side) for r in rankings] for side in (0, -1)]
    lower, upper = (_mean(heights, weights) for heights in points)
    both = np.stack([lower, upper], axis=1).ravel()
    kept = np.ones(len(both), bool)
    kept[1::2] = upper > lower
    spread = np.stack([_spread(heights) for heights in points], axis=1).ravel()
    also = {"standard deviation": spread[kept]} if len(rankings) > 1 else {}
    x = np.repeat(xs, 2)[kept]
    return Curve("roc", x, both[kept], np.full(len(x), np.nan), ("fpr", "tpr"), area, also)


def mean_pr(swept: Any, average: str) -> Curve:
    """Return the mean of the precision-recall curves of units, whose area is the mean of theirs.

    Between two recalls the precision of a unit is that of the threshold that reaches the higher one, as in average precision.

    >>> import indicatrix as ix
    >>> swept = ix.sweep([0, 1, 2, 1], [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5], [0.5, 0.2, 0.3]])
    >>> mean_pr(swept, "macro").area == ix.average_precision(swept, average="macro")
    True
    """
    rankings, weights, area = _units(resolve("average_precision"), swept, average)
    xs = _all_of(rankings, lambda r: pr_points(r)[0])
    xs = xs[xs > 0]
    heights = [_precisions(r, xs) for r in rankings]
    also = {"standard deviation": np.append(np.nan, _spread(heights))} if len(rankings) > 1 else {}
    x, y = np.append(0.0, xs), np.append(np.nan, _mean(heights, weights))
    return Curve("pr", x, y, np.full(len(x), np.nan), ("recall", "precision"), area, also)


def _units(area: Measure, swept: Any, average: str) -> tuple[list[Ranked], Array, float]:
    """Return the rankings whose curve is defined, their weights, and the mean of their areas."""
    _, rule = OfferedAverages(area, swept).find(average)
    if "example" in rule.per:
        raise ValueError(EXAMPLES)
    units = rankings_of(swept, rule.per, positive=reads_positive(swept, rule.per))
    rankings, values = [*units.each], np.ravel(units.values(area))
    found = rule.weights(area, units)
    weights = np.ones(len(values)) if found is None else np.asarray(found, np.float64)
    kept = np.isfinite(values) & (weights > 0)
    return [r for r, here in zip(rankings, kept, strict=True) if here], weights[kept], combine(values, found, "exclude")


def _all_of(rankings: list[Ranked], read: Callable[[Ranked], Array]) -> Array:
    return np.unique(np.concatenate([read(r) for r in rankings])) if rankings else np.zeros(0)


def _mean(heights: list[Array], weights: Array) -> Array:
    return np.asarray(weights @ np.array(heights) / weights.sum()) if heights else np.zeros(0)


def _spread(heights: list[Array]) -> Array:
    return np.std(heights, axis=0, ddof=1) if len(heights) > 1 else np.zeros(len(heights[0]) if heights else 0)


def _roc_heights(ranking: Ranked, xs: Array, side: int) -> Array:
    """Return the height of a ROC curve at each rate.

    Where it rises straight up, that is the lowest (side 0) or the highest (side -1) one.
    """
    x, y, _ = roc_points(ranking)
    rates, first = np.unique(x, return_index=True)
    last = np.append(first[1:], len(x)) - 1
    here = np.searchsorted(rates, xs)  # every curve ends at 1, so that each rate has one that is not below it
    before = np.maximum(here - 1, 0)
    at_knot = rates[here] == xs
    width = np.where(at_knot, 1.0, rates[here] - rates[before])
    between = y[last[before]] + (y[first[here]] - y[last[before]]) * (xs - rates[before]) / width
    return np.where(at_knot, y[(first if side == 0 else last)[here]], between)


def _precisions(ranking: Ranked, xs: Array) -> Array:
    """Return the precision at which a ranking first reaches each recall."""
    recall, precision, _ = pr_points(ranking)
    return np.asarray(precision[np.searchsorted(recall, xs)])


Point = tuple[Fraction, Fraction]


def hull_of(rankings: Mapping[str, Ranked]) -> Curve:
    """Return the convex hull of the ROC curves of some rankings as a curve, with who is best where.

    >>> import indicatrix as ix
    >>> curve = hull_of({"a": ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).of()})
    >>> curve.x.tolist(), curve.y.tolist(), curve.area
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], 0.875)
    """
    points: dict[Point, tuple[Any, float]] = {}
    for name, ranking in rankings.items():
        at = upper_hull(ranking.fp, ranking.tp)
        for point, threshold in zip(rates(ranking, at), ranking.thresholds[at].tolist(), strict=True):
            points.setdefault(point, (name, threshold))
    ordered = sorted(points)
    fpr, tpr = (np.array([p[k] for p in ordered], object) for k in (0, 1))
    kept = upper_hull(fpr, np.maximum.accumulate(tpr)) if ordered else np.zeros(0, np.intp)
    corners = [ordered[k] for k in kept]
    turns = [(y1 - y0) / (x1 - x0 + y1 - y0) for (x0, y0), (x1, y1) in pairwise(corners)]  # probability cost of false positives
    costs = [float(1 - t) for t in (Fraction(1), *turns, Fraction(0))] if corners else [0.0]
    ends = {(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))}
    owners = np.array([None if c in ends else points[c][0] for c in corners], object)
    x, y = (np.array([float(c[k]) for c in corners]) for k in (0, 1))
    also = {"classifier": owners, "cost from": np.array(costs[:-1]), "cost to": np.array(costs[1:])}
    thresholds = np.array([points[c][1] for c in corners])
    return Curve("roc hull", x, y, thresholds, ("fpr", "tpr"), trapezoids(x, y) if corners else np.nan, also)


def rates(ranking: Ranked, at: Any) -> list[Point]:
    """Return the false and the true positive rate at some thresholds of a ranking, as fractions."""
    positives, negatives = Fraction(ranking.tpos), Fraction(ranking.tneg)
    return [
        (Fraction(fp) / negatives, Fraction(tp) / positives)
        for fp, tp in zip(ranking.fp[at].tolist(), ranking.tp[at].tolist(), strict=True)
    ]


def corners_of_hull(ranking: Ranked) -> list[Point]:
    """Return the corners of a hull, one for each false positive rate: the highest."""
    return sorted(dict(rates(ranking, upper_hull(ranking.fp, ranking.tp))).items())
