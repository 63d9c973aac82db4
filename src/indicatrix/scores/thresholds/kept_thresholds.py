"""Few of many thresholds: those where curves turn, each written as a short number."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable
from decimal import ROUND_FLOOR, Decimal
from itertools import pairwise
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.numbers.functions import ratio
from ..curves.roc_areas import upper_hull

COARSE = 4  # this many points of each path are looked at for one that is kept, equally far apart along it
FLAT = 1e-4  # a curve that is nearer to its corners than this looks the same


def keep_thresholds(ranking: Any, most: int, wanted: Iterable[int] = ()) -> Array:
    """Return the numbers of at most this many thresholds of a ranking, those where its curves turn most.

    The curves are ROC, precision and recall, and both rates against the threshold. The ends, the corners of the convex hull of
    ROC, which make the cost curve, and the ``wanted`` ones are kept first.

    >>> from ...ranking.ranked import rank_scores
    >>> ranking = rank_scores(np.linspace(0, 1, 1001), np.linspace(0, 1, 1001) > 0.5)
    >>> keep_thresholds(ranking, 100).tolist()
    [0, 1, 500, 1001]
    """
    last = len(ranking.tp) - 1
    if last < most:
        return np.arange(last + 1)
    tp, fp = (np.asarray(x, np.float64) for x in (ranking.tp, ranking.fp))
    hull = upper_hull(fp, tp).tolist() if tp[-1] and fp[-1] else []
    x, y = _paths(tp, fp, np.asarray(ranking.thresholds))
    seen = _along(x, y, COARSE * most)
    first = np.unique([0, last, *[i for i in wanted if 0 <= i <= last], *(hull if len(hull) <= most // 2 else [])])
    seen = np.union1d(seen, first)
    return np.asarray(seen[_refine(x[:, seen], y[:, seen], np.searchsorted(seen, first).tolist(), most)])


def _paths(tp: Array, fp: Array, thresholds: Array) -> tuple[Array, Array]:
    """Return x and y of four paths over all thresholds, each in the unit square."""
    with quiet():
        tpr, fpr, precision = (np.nan_to_num(ratio(a, b)) for a, b in ((tp, tp[-1]), (fp, fp[-1]), (tp, tp + fp)))
    precision[0] = precision[min(1, len(precision) - 1)]  # nothing is predicted there
    finite = thresholds[np.isfinite(thresholds)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 1.0)
    at = np.clip((np.clip(thresholds, low, high) - low) / ((high - low) or 1.0), 0, 1)
    return np.stack([fpr, tpr, at, at]), np.stack([tpr, precision, tpr, fpr])


def _along(x: Array, y: Array, points: int) -> Array:
    """Return the points to look at: all, or those at equal distances along each path."""
    n = x.shape[1]
    if n <= 4 * points:
        return np.arange(n)
    length = np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y)), axis=1)
    stops = (np.searchsorted(way, np.linspace(0, way[-1], points)) + 1 for way in length)
    return np.unique(np.concatenate([[0, n - 1], *(np.minimum(stop, n - 1) for stop in stops)]))


def _refine(x: Array, y: Array, kept: list[int], most: int) -> list[int]:
    """Return the points, and one after the other those farthest from the lines drawn so far."""

    def farthest(a: int, b: int) -> tuple[float, int, int, int]:
        if b - a < 2:
            return 0.0, a, a, b
        dx, dy = x[:, b] - x[:, a], y[:, b] - y[:, a]
        px, py = x[:, a + 1 : b] - x[:, a, None], y[:, a + 1 : b] - y[:, a, None]
        length = np.hypot(dx, dy)
        off = np.where(length[:, None] > 0, np.abs(px * dy[:, None] - py * dx[:, None]) / np.where(length, length, 1)[:, None], 0)
        far = np.maximum(off, np.where(length[:, None] > 0, 0, np.hypot(px, py))).max(axis=0)
        i = int(far.argmax())
        return -float(far[i]), a + 1 + i, a, b

    heap = [farthest(a, b) for a, b in pairwise(kept)]
    heapq.heapify(heap)
    found = set(kept)
    while heap and len(found) < most and heap[0][0] < -FLAT:
        _, i, a, b = heapq.heappop(heap)
        found.add(i)
        for part in ((a, i), (i, b)):
            heapq.heappush(heap, farthest(*part))
    return sorted(found)


def short_number(low: float, high: float) -> float:
    """Return the shortest decimal number above ``low`` and not above ``high``.

    As a threshold it decides like ``high`` where there is no score in between, and it is not the score of an example.

    >>> short_number(0.4713, 0.4789), short_number(-math.inf, 0.0342), short_number(12.0, math.inf)
    (0.475, 0.03, 13.0)
    """
    if not math.isfinite(high):
        return high if high < 0 else 0.0 if not math.isfinite(low) else max(math.ceil(low) + 1.0, math.nextafter(low, math.inf))
    if math.isfinite(low):
        middle = low / 2 + high / 2
        high = middle if low < middle else high  # rather between two scores than at one
    exact = Decimal(high)
    for digits in range(1, 18):
        place = Decimal(1).scaleb(exact.adjusted() - digits + 1) if exact else Decimal(1)
        found = float(exact.quantize(place, ROUND_FLOOR))
        if low < found <= high:
            return found + 0.0
    return high
