"""The convex hull of ROC curves: mixtures of thresholds reach every point on it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from ...ranking.ranked import Ranked
from .curve import Curve, trapezoids
from .roc_areas import upper_hull

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
