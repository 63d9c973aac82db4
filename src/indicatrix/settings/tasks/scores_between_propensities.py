"""Extrema of a score between two propensities (sec:pu_learning).

Between them, the four counts move along a line.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import find_average
from ...algebra.counts import Counts
from ...algebra.score import Score, Undefined, combine

GRID, ZOOM = 129, 10  # points inside an interval, and how often the grid around the best point is refined


def inside_of(most: Score, fewer: float, place: Callable[[Any], Any]) -> list[tuple[Any, float, float]]:
    """Return the places of the lowest and the highest value inside an interval.

    Each place comes with both limits of the value there. It starts from the end with the most positives. Elsewhere a share r of
    them, up to ``fewer``, turns out negative: tp and fn lose r of theirs, and fp and tn gain it. Nothing is subtracted from
    small counts, so values stay accurate close to zero.
    """
    rule = find_average(most.average)
    tp, fp, fn, tn = (np.asarray(x, np.float64) for x in most.counts)

    def values(r: Array) -> tuple[Array, Array]:
        share = r.reshape(-1, *(1 for _ in tp.shape))
        cells = (tp * (1 - share), fp + share * tp, fn * (1 - share), tn + share * fn)
        counts = Counts(*cells, per=("r", *most.counts.per), names=(tuple(r.tolist()), *most.counts.names), signed=True)
        each = most.measure.values(counts)
        weighed = rule.weights(most.measure, counts)
        weights = [None] * len(r) if weighed is None else weighed
        low, high = np.array([reach(v, w, most.undefined) for v, w in zip(each, weights, strict=True)]).T
        return low, high

    close = np.geomspace(1e-12, 0.5, 40)  # the value at an end may be undefined; then its limit counts
    start = fewer * np.unique(np.concatenate([close, np.linspace(0, 1, GRID)[1:-1], 1 - close]))
    found = [_refine(values, start, side) for side in (0, 1)]
    return [(place(r), low, high) for r, low, high in found]


def _refine(values: Callable[[Array], tuple[Array, Array]], r: Array, side: int) -> tuple[float, float, float]:
    """Return the point with the lowest (or highest) value, found on ever finer grids.

    At a pole the value is infinite.
    """
    lows = []
    for _ in range(ZOOM):
        both = values(r)
        seen = np.where(np.isnan(both[side]), np.inf, both[side] if side == 0 else -both[side])
        best = int(seen.argmin())
        lows.append(float(seen[best]))
        point = (float(r[best]), float(both[0][best]), float(both[1][best]))
        r = np.linspace(r[max(best - 1, 0)], r[min(best + 1, len(r) - 1)], 33)
    gained, last = lows[0] - lows[-1], lows[-2] - lows[-1]
    if gained > 1e-9 * max(1.0, abs(lows[-1])) and last > 0.01 * gained:  # still growing: at an extremum the values would settle
        return (point[0], -math.inf, point[2]) if side == 0 else (point[0], point[1], math.inf)
    return point


def reach(values: Any, weights: Any, undefined: Undefined) -> tuple[float, float]:
    """Return the lowest and the highest mean, with infinite values treated in both ways.

    Under the convention for undefined values, infinite values are undefined; as limits, they are infinite.
    """
    convention = undefined if undefined != "raise" else "nan"
    mean = combine(np.atleast_1d(values), None if weights is None else np.atleast_1d(weights), convention)
    endless = np.isinf(values) & (True if weights is None else np.asarray(weights) != 0)
    limits = set(np.atleast_1d(values)[np.atleast_1d(endless)].tolist())
    reached = [v for v in (mean, *limits) if not math.isnan(v)] or [math.nan]
    return min(reached), max(reached)


def extreme(points: list[tuple[Any, float]], ends: int, sign: int) -> tuple[Any, float]:
    """Return the place and the value that is lowest (or highest).

    An inner value must beat the exact ends by more than rounding.
    """
    best: tuple[Any, float] = (math.nan, math.nan)
    for i, (x, v) in enumerate(points):
        margin = 0.0 if i < ends or not math.isfinite(best[1]) else 1e-12 * max(1.0, abs(best[1]))
        if not math.isnan(v) and (math.isnan(best[1]) or sign * v < sign * best[1] - margin):
            best = (x, v)
    return best
