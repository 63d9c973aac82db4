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

from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.wilson import check_level
from ..curves.curve_band import Band, envelope
from ..curves.roc_areas import upper_hull
from .honest_band import honest_ends

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
    places = len(center)
    center, times, positives = _pooled(center, times, positives)
    where = "all predictions at once" if simultaneous else "each prediction"
    if simultaneous and kind == "confidence":
        low, high = honest_ends(positives, times, level)
        if len(center) < places:  # neighbors that were pooled say nothing about those among them
            low, high = np.append(0.0, low[:-1]), np.append(high[1:], 1.0)
        own = fitted_shares(positives, times)
        says = f"{100 * level:.4g}% of the observed share at {where} (Clopper-Pearson)"
        return Band(center, center, np.minimum(low, own), np.maximum(high, own), level, says)
    rng = np.random.default_rng(seed)
    if kind == "consistency":
        labels = rng.binomial(times.astype(np.int64), np.clip(center, 0, 1), (draws, len(center))).astype(float)
        drawn = np.stack([fitted_shares(own, times) for own in labels])
    else:
        more = MORE * times / np.repeat(*_sizes_of_blocks(positives, times))
        hits, others = (rng.standard_gamma(own + more, (draws, len(center))) for own in (positives, times - positives))
        drawn = np.stack([fitted_shares(own, np.maximum(own + rest, TINY)) for own, rest in zip(hits, others, strict=True)])
    low, high = envelope(drawn, level, simultaneous=simultaneous)
    low, high = np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]  # all that lies between only grows
    what = "calibrated predictions" if kind == "consistency" else "the observed share"
    return Band(center, center, low, high, level, f"{100 * level:.4g}% of {what} at {where} (drawn again)")


def _sizes_of_blocks(positives: Array, total: Array) -> tuple[Array, Array]:
    """Return how many examples each block of an isotonic fit has, and at how many predictions."""
    places = np.diff(blocks_of(positives, total), prepend=-1)
    return np.add.reduceat(total, np.cumsum(places) - places), places


def _pooled(center: Array, times: Array, positives: Array) -> tuple[Any, Any, Any]:
    """Return at most so many predictions, neighbors pooled."""
    if len(center) <= MOST_PLACES:
        return center, times.astype(float), positives.astype(float)
    place = np.minimum((np.cumsum(times) - times) * MOST_PLACES // times.sum(), MOST_PLACES - 1).astype(int)
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    n, hits, mass = (np.add.reduceat(x.astype(float), starts) for x in (times, positives, center * times))
    return mass / n, n, hits
