"""Isotonic regression of labels on predictions: bins that the data choose, and bands (CORP).

The share of positives among predictions that only grows with them and fits best is constant in blocks. The blocks end where the
convex hull of the ROC curve turns, and their shares are its slopes (Fawcett, Niculescu-Mizil 2007), so that the hull gives the
reliability diagram of Dimitriadis, Gneiting and Jordan (2021): nothing is tuned. Bands are of curves that are drawn for given
predictions: of labels drawn from the predictions themselves, around the diagonal ("consistency"); or around the curve, of how
often each example counts (the Bayesian bootstrap), with one more example of each outcome in each block ("confidence"). Labels
drawn from the fitted shares would not do: in the outermost blocks these are often 0 or 1, from which all labels come out alike.
Nor do drawn curves say where all true shares are at once, as too little is seen of the lowest and the highest: that band is
exact, and drawn from nothing.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.numbers.incomplete_beta import odds_at
from ...algebra.wilson import check_level
from ..curves.curve_band import Band, envelope
from ..curves.roc_areas import upper_hull

MOST_PLACES = 1000  # distinct predictions of which the curve is drawn again; more are pooled in order
MORE = 1.0  # example of each outcome in each block
TINY = 1e-300
KINDS = ("consistency", "confidence")


def blocks_of(positives: Array, total: Array) -> Array:
    """Return the last place of each block of an isotonic fit to shares in ascending order of predictions.

    >>> blocks_of(np.array([0, 1, 0, 1]), np.array([1, 1, 1, 1])).tolist()
    [0, 2, 3]
    """
    tp, fp = (np.append(0, np.cumsum(x[::-1])) for x in (positives, total - positives))
    corners = upper_hull(fp, tp)
    ends = len(total) - 1 - corners[:-1]  # from the highest block down
    return np.asarray(ends[::-1])


def fitted_shares(positives: Array, total: Array) -> Array:
    """Return the fitted share at each prediction, in ascending order.

    >>> fitted_shares(np.array([0, 1, 0, 1]), np.array([1, 1, 1, 1])).tolist()
    [0.0, 0.5, 0.5, 1.0]
    """
    ends = blocks_of(positives, total)
    sizes = np.diff(ends, prepend=-1)
    starts = ends - sizes + 1
    return np.repeat(np.add.reduceat(positives, starts) / np.add.reduceat(total, starts), sizes)


def isotonic_edges(p: Array, positive: Array, weight: Array) -> Array:
    """Return the edges of the bins that an isotonic fit makes; each contains its upper edge."""
    known = weight > 0
    if not known.any():
        return np.array([0.0, 1.0])
    center, place = np.unique(p[known], return_inverse=True)
    total = np.bincount(place, weight[known], len(center))
    positives = np.bincount(place, weight[known] * positive[known], len(center))
    return np.concatenate(([0.0], center[blocks_of(positives, total)[:-1]], [1.0]))


def isotonic_band(
    center: Array, times: Array, positives: Array, *, level: float, kind: str, simultaneous: bool, draws: int, seed: int
) -> Band:
    """Return the band of a curve of counted examples, at distinct predictions in ascending order."""
    check_level(level)
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r} is unknown. Use 'consistency', around the diagonal, or 'confidence', around the curve.")
    distinct = len(center)
    center, times, positives = _pooled(center, times, positives)
    where = "all predictions at once" if simultaneous else "each prediction"
    if simultaneous and kind == "confidence":
        low, high = honest_ends(positives, times, level)
        if len(center) < distinct:  # neighbors that were pooled say nothing about those among them
            low, high = np.append(0.0, low[:-1]), np.append(high[1:], 1.0)
        own = fitted_shares(positives, times)
        says = f"{100 * level:.4g}% of the observed share at {where} (Clopper-Pearson)"
        return Band(center, center, np.minimum(low, own), np.maximum(high, own), level, says)
    rng = np.random.default_rng(seed)
    if kind == "consistency":
        labels = rng.binomial(times.astype(np.int64), np.clip(center, 0, 1), (draws, len(center))).astype(float)
        drawn = np.stack([fitted_shares(own, times) for own in labels])
    else:
        places = np.diff(blocks_of(positives, times), prepend=-1)  # of each block of the fit
        more = MORE * times / np.repeat(np.add.reduceat(times, np.cumsum(places) - places), places)
        hits, others = (rng.standard_gamma(own + more, (draws, len(center))) for own in (positives, times - positives))
        drawn = np.stack([fitted_shares(own, np.maximum(own + rest, TINY)) for own, rest in zip(hits, others, strict=True)])
    low, high = envelope(drawn, level, simultaneous=simultaneous)
    low, high = np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]  # all that lies between only grows
    what = "calibrated predictions" if kind == "consistency" else "the observed share"
    return Band(center, center, low, high, level, f"{100 * level:.4g}% of {what} at {where} (drawn again)")


def _pooled(center: Array, times: Array, positives: Array) -> tuple[Any, Any, Any]:
    """Return at most so many predictions, neighbors pooled."""
    if len(center) <= MOST_PLACES:
        return center, times.astype(float), positives.astype(float)
    place = np.minimum((np.cumsum(times) - times) * MOST_PLACES // times.sum(), MOST_PLACES - 1).astype(int)
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    n, hits, mass = (np.add.reduceat(x.astype(float), starts) for x in (times, positives, center * times))
    return mass / n, n, hits


def honest_ends(positives: Array, total: Array, level: float) -> tuple[Array, Array]:
    """Return the lower and upper ends at distinct predictions in ascending order.

    The band holds the true shares of all predictions at once if these only grow with the prediction. Neighboring predictions,
    taken together, have a share that is at least the true one of the lowest and at most that of the highest of them. So its
    exact lower end (Clopper and Pearson) lies below the true share of the highest, and of all above it; its upper end above
    that of the lowest, and of all below it. The band is the highest of the lower and the lowest of the upper ends over all sets
    of neighbors, each at a level at which all hold together (Bonferroni; Dimitriadis, Dümbgen, Henzi, Puke and Ziegel 2023). It
    is true of any number of examples, and as it allows for the worst, it holds more often than its level says.

    >>> low, high = honest_ends(np.array([1.0, 9.0]), np.array([10.0, 10.0]), 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.001, 0.485], [0.515, 0.999])
    """
    m = len(total)
    tail = (1 - level) / max(m * (m + 1), 1)
    return _lower(positives, total, tail), 1 - _lower((total - positives)[::-1], total[::-1], tail)[::-1]


def _lower(positives: Array, total: Array, tail: float) -> Array:
    """Return the highest lower end of all sets of neighbors up to each place."""
    hits, size = (np.append(0.0, np.cumsum(x)) for x in (positives, total))
    found, best = np.zeros(len(total)), 0.0
    for place in range(len(total)):
        if positives[place]:  # without any, the neighbors before it say more
            k, n = (x[place + 1] - x[: place + 1] for x in (hits, size))
            start = int(np.argmax(_unlikely(k, n, best))) if best else 0
            while (end := _end(float(k[start]), float(n[start]), tail)) > best:
                best = end
                start = int(np.argmax(_unlikely(k, n, best)))
        found[place] = best
    return found


def _end(k: float, n: float, tail: float) -> float:
    """Return the share at which k or more of n are seen this often."""
    odds = odds_at(tail, k, n - k + 1)
    return odds / (1 + odds)


def _unlikely(k: Array, n: Array, share: float) -> Array:
    """Return about how unlikely k or more of n are at a share, as a logarithm (Bahadur and Rao 1960).

    It says which end is the highest; the end itself is exact.
    """
    rest = n - k
    with quiet():
        far = np.where(k > 0, k * np.log(k / n / share), 0.0) + np.where(rest > 0, rest * np.log(rest / n / (1 - share)), 0.0)
        more = np.log1p(2 * math.pi * k * rest / n) / 2 + np.log1p(-share / (1 - share) * rest / k)
    return np.where(k > n * share, far + more, -np.inf)
