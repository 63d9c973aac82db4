"""How far the points of a curve are sure: a band of pointwise intervals of shares.

A true positive rate is a share of the positives, a false positive rate of the negatives, a precision of the examples that are
predicted positive. Each has Wilson's interval at its threshold. The two rates of a ROC curve are shares of different examples,
so they are independent, and intervals of the level √0.95 hold for both together in 95% of samples. Such a band is pointwise: it
says where the point of one threshold lies, not where the whole curve does. A simultaneous band has the same intervals at a higher
level: as often as the largest of all deviations of the curve, in standard errors, stays within it. The deviations are drawn: how
often the examples of each step of the ranking count is a Poisson number. Measures at thresholds have no such intervals; their
curves are drawn from the posterior of the counts, with half an example more at each end, so that a share above a threshold has
the prior of Jeffreys; and the band holds as many of them as the level says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.ends import check_level, wilson_of_each

GRID = 200  # places along a curve at which deviations are drawn
DRAWS = 1000
LEAST = 8  # curves of which a band of all places is made
TINY = 1e-12  # what is rounding
HALF = 0.5  # of an example: the prior above the highest threshold and below the lowest, of each side


@dataclass(frozen=True)
class Shares:
    """How many examples the coordinates of a curve are shares of: a number, or one for each point.

    None: a coordinate has no interval here.
    """

    x: Any
    y: Any
    steps: tuple[Array, Array] | None = None  # tp and fp at all thresholds, of which deviations are drawn


@dataclass(frozen=True, eq=False)
class Band:
    """The ends of the intervals of each point of a curve.

    Attributes
    ----------
    x_low, x_high : array
        Between which values x is expected to lie; x itself where only y has intervals.
    y_low, y_high : array
        Between which values y is expected to lie.
    level : float
        In which share of samples the intervals of a point are to hold, those of x and y together.
    says : str
        What the band is, in words.

    Examples
    --------
    >>> import indicatrix as ix
    >>> band = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).pr().band()
    >>> band.y_low.round(2).tolist(), band.says
    ([nan, 0.21, 0.09, 0.21, 0.15], '95% of precision at each threshold (Wilson)')
    """

    x_low: Array
    x_high: Array
    y_low: Array
    y_high: Array
    level: float
    says: str


WORDS: Mapping[str, str] = {"roc": "both rates", "pr": "precision"}


def band_of(name: str, x: Array, y: Array, of: Shares, level: float, *, simultaneous: bool = False) -> Band:
    """Return the band of a curve whose coordinates are shares."""
    check_level(level)
    says = f"{100 * level:.4g}% of {WORDS[name]} at {'all thresholds at once' if simultaneous else 'each threshold'} (Wilson)"
    precision = of.x is None
    ends: Callable[[Array, Any, float], tuple[Array, Array]] = wilson_of_each
    each = level if precision else math.sqrt(level)  # two independent intervals that hold together
    if simultaneous:
        assert of.steps is not None
        ends, each = _ends_of_all, level_of_all(level, *of.steps, precision=precision)
    return Band(*((x, x) if precision else ends(x, of.x, each)), *ends(y, of.y, each), level, says)


def _ends_of_all(shares: Array, n: Any, level: float) -> tuple[Array, Array]:
    """Return the ends of Wilson's intervals with one example less below and one more above.

    Thresholds lie at examples: the true share beyond the first example of a side is often far below one of them.
    """
    with quiet():
        one = np.where(np.asarray(n, float) > 0, 1 / np.asarray(n, float), np.nan)
    return wilson_of_each(np.maximum(shares - one, 0), n, level)[0], wilson_of_each(np.minimum(shares + one, 1), n, level)[1]


def _shares(tp: Array, fp: Array, positives: Any, negatives: Any, *, precision: bool) -> tuple[Array, ...]:
    return (tp / (tp + fp),) if precision else (tp / positives, fp / negatives)


def level_of_all(level: float, tp: Array, fp: Array, *, precision: bool, seed: int = 0) -> float:
    """Return the level of intervals at each threshold, of precision or of both rates, that hold together.

    >>> [round(level_of_all(0.95, np.arange(51), np.arange(51), precision=own), 3) for own in (True, False)]
    [0.994, 0.999]
    """
    tp, fp = np.asarray(tp, float), np.asarray(fp, float)
    at = np.unique(np.linspace(0, len(tp) - 1, min(len(tp), GRID)).astype(int)) if len(tp) else np.zeros(0, int)
    if len(at) < 2:
        return level
    rng = np.random.default_rng(seed)
    up, right = (np.diff(x[at], prepend=0.0) for x in (tp, fp))
    drawn = [np.cumsum(rng.poisson(np.maximum(x, 0), (DRAWS, len(at))), axis=1).astype(float) for x in (up, right)]
    largest = np.zeros(DRAWS)
    with quiet():
        centers = _shares(tp[at], fp[at], tp[-1:], fp[-1:], precision=precision)
        for own, center in zip(_shares(*drawn, *(x[:, -1:] for x in drawn), precision=precision), centers, strict=True):
            seen = np.isfinite(own)
            away = np.where(seen, own - center, 0.0)
            mean = away.sum(axis=0) / seen.sum(axis=0)
            spread = np.sqrt((np.where(seen, away - mean, 0.0) ** 2).sum(axis=0) / seen.sum(axis=0))
            far = np.abs(away) / spread
            largest = np.maximum(largest, np.where(np.isfinite(far) & (spread > TINY), far, 0.0).max(axis=1))
    most = float(np.quantile(largest, level, method="higher"))
    return max(level, min(2 * NormalDist().cdf(most) - 1, 1 - 1e-9))


def envelope(drawn: Array, level: float, *, simultaneous: bool) -> tuple[Array, Array]:
    """Return the ends between which drawn curves (draws, places) lie as often as a level.

    At once, as far from the middle of each place as the curves of one half leave it at the most, on the side on which they do, in
    quantiles of the other half. A further curve is then one more of the first half, however few were drawn; the ranks of
    extreme values at many places would ask for many thousand (Myllymäki and others 2017, J. R. Stat. Soc. B 79:381-404).

    >>> low, high = envelope(np.arange(200.0)[:, None] + [[0, 1]], 0.9, simultaneous=True)
    >>> low.tolist(), high.tolist()
    ([9.0, 10.0], [189.0, 190.0])
    """
    draws, tail = len(drawn), (1 - level) / 2
    if not simultaneous or draws < LEAST:
        cut, ordered = int(tail * draws + TINY), np.sort(drawn, axis=0)
        return ordered[cut], ordered[draws - 1 - cut]
    scale, own = drawn[::2], drawn[1::2]
    middle, (low, high) = scale.mean(axis=0), np.quantile(scale, [tail, 1 - tail], axis=0)
    spread = scale.std(axis=0)
    least = np.maximum(spread, spread.mean() / len(scale)) / 2  # where a few values have all of the places but few
    down, up = (np.maximum(far, np.where(least > 0, least, 1.0)) for far in (middle - low, high - middle))
    most = np.sort(np.where(own > middle, (own - middle) / up, (middle - own) / down).max(axis=1))
    far = most[min(math.ceil(level * (len(own) + 1)), len(own)) - 1]
    return np.maximum(middle - far * down, drawn.min()), np.minimum(middle + far * up, drawn.max())


def measured_band(
    x: Array, tp: Array, fp: Array, totals: tuple[float, float], value: Callable[..., Array], what: str
) -> Callable[[float, bool], Band]:
    """Return what makes the band of values of counts at thresholds.

    ``value`` takes some places of the curve, tp and fp there, and all positives and negatives.
    """
    places = np.unique(np.linspace(0, len(x) - 1, min(len(x), GRID)).astype(int)) if len(x) else np.zeros(0, int)

    def band(level: float, simultaneous: bool) -> Band:
        check_level(level)
        low = high = np.zeros(0)
        if len(places):
            rng = np.random.default_rng(0)
            reached = np.lexsort((fp[places], tp[places]))  # from the highest threshold down
            drawn = []
            for counts, total in zip((tp, fp), totals, strict=True):
                steps = np.diff(np.append(counts[places][reached], total), prepend=0.0)
                steps[[0, -1]] += HALF
                sums = np.cumsum(rng.standard_gamma(np.maximum(steps, 0), (DRAWS, len(steps))), axis=1)
                drawn += [sums[:, np.argsort(reached)], sums[:, -1:]]
            with quiet():
                values = value(places, drawn[0], drawn[2], drawn[1], drawn[3])
            low, high = envelope(np.where(np.isfinite(values), values, 0.0), level, simultaneous=simultaneous)
        says = f"{100 * level:.4g}% of {what} at {'all thresholds at once' if simultaneous else 'each threshold'} (posterior)"
        return Band(x[places], x[places], low, high, level, says)

    return band
