"""Values of small groups, drawn towards those of all groups together (empirical Bayes).

The true values of the groups are taken for draws from one normal distribution on the scale of the measure; its mean and its
variance come from the groups. Each value is drawn towards the mean by how much of its distance chance explains. Where all groups
are equally precise this is the estimator of James and Stein towards the mean; otherwise the one of Morris (1983).

Intervals count that mean and variance are not known: they are those of the posterior, over all variances of the true values, each
as likely as another before the groups were seen (Morris and Lysy 2012). Groups that hardly differ look like groups that do not,
and an interval from the one variance that fits best is too short for them. A share varies more the closer it is to a half, so the
precision of each interval is the one at the value that was drawn: with the variance at the mean, the interval of a group far from
all others is too short on one side. The worst group is then less often the luckless one, and its interval holds as often as the
others (``benchmarks/groups_and_bands.py``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import Name
from ...algebra.ends import check_level
from ...algebra.score import stand_in_for_undefined
from ...algebra.values import Values
from ..intervals.interval import Interval
from ..intervals.of_score import SIMULTANEOUS, level_of
from ..stats.quantiles import normal
from .group_comparison import compare_groups, sampled_groups
from .group_samples import Precision, SampledGroups

FEWEST = 4  # groups of which a distribution is estimated
STEPS, TINY = 200, 1e-300
SPREADS, FARTHEST = 100, 4.0  # variances of the true values that are weighed, up to so many times the variance of the groups
HALF = 0.5  # of an example: how far a value stays from the ends of its range where its variance is read


@dataclass(frozen=True, eq=False)
class Shrunk:
    """Values that were drawn towards their mean, on the scale of their precision."""

    mean: float
    spread: float  # the variance of the true values
    values: Array
    centers: Array  # the means of the true values, over all variances that they may have
    errors: Array  # their standard errors around these


def shrink(precision: Precision) -> Shrunk:
    """Return the values of at least four groups, drawn towards their mean.

    >>> shrunk = shrink(Precision(np.array([0.4, 0.3, 0.25, 0.2, 0.15]), np.full(5, 45.0), bounded=True))
    >>> shrunk.values.round(3).tolist()
    [0.368, 0.291, 0.252, 0.214, 0.175]
    """
    y, sizes, k = precision.values, precision.sizes, len(precision.values)
    mean, least = float(sizes @ y / sizes.sum()), HALF / (float(sizes.sum()) + 1)
    unit = max(mean, least) * max(1 - mean, least) if precision.bounded else 1.0
    own = np.maximum(unit / sizes, TINY)  # variances if the groups do not differ
    low, high = 0.0, float(((y - mean) ** 2).sum()) + TINY
    for _ in range(STEPS):  # the variance at which the groups are as far apart as they are
        spread = (low + high) / 2
        weights = 1 / (own + spread)
        center = float(weights @ y / weights.sum())
        low, high = (spread, high) if float(weights @ (y - center) ** 2) > k - 1 else (low, spread)
    spread = high if high > 1e-12 * float(own.max()) else 0.0
    weights = 1 / (own + spread)
    mean = float(weights @ y / weights.sum())
    apart = y - mean
    far = float(weights @ apart**2)  # k - 1, unless the groups are closer than chance would have them
    part = np.minimum((k - 3) / max(far, TINY) * own / (own + spread), 1.0)
    values = mean + (1 - part) * apart
    here = own
    if precision.bounded:
        near = np.clip(values, HALF / (sizes + 1), 1 - HALF / (sizes + 1))
        here = near * (1 - near) / sizes
    return Shrunk(mean, spread, values, *_posterior(y, own, here))


def _posterior(y: Array, own: Array, here: Array) -> tuple[Array, Array]:
    """Return the means and the standard errors of the true values, whatever variance these have.

    ``own`` are the variances of the groups by which they are weighed, ``here`` those at the values that were drawn.
    """
    deviations = np.linspace(0, math.sqrt(FARTHEST * max(float(own.mean()), float(np.var(y)))), SPREADS)[:, None]
    weights = 1 / (own + deviations**2)
    total = weights.sum(axis=1, keepdims=True)
    means = (weights @ y)[:, None] / total
    logs = (np.log(weights).sum(axis=1) - np.log(total[:, 0]) - (weights * (y - means) ** 2).sum(axis=1)) / 2
    likely = deviations[:, 0] * np.exp(logs - logs.max())  # equal steps of the deviation are longer and longer ones of its square
    likely /= likely.sum()
    part = own * weights
    drawn = y - part * (y - means)
    centers = likely @ drawn
    return centers, np.sqrt(likely @ (here * (1 - part) + part**2 / total + (drawn - centers) ** 2))


def pooled_values(
    ev: Any, measure: Any, per: tuple[str, ...], average: Name | None, asked: float | bool | str | None, undefined: Any
) -> Values:
    """Return the value of each group of some axes, drawn towards all of them.

    >>> import indicatrix as ix
    >>> right = [1] * 9 + [0] + [1] * 8 + [0] * 2 + [1] * 7 + [0] * 3 + [1] * 10
    >>> ev = ix.evaluate([1] * 40, right, positive=1, by={"site": ["a"] * 10 + ["b"] * 10 + ["c"] * 10 + ["d"] * 10})
    >>> pooled_values(ev, ix.recall, ("site",), None, None, "nan").round(2).tolist()
    [0.89, 0.81, 0.74, 0.96]
    """
    if not per or not set(per) <= set(ev.tally.by):
        named = " and ".join(per) or "none"
        raise ValueError(
            f"pooled=True draws groups of examples towards each other: per= names axes of by=, not {named}. "
            "One example adds to several classes."
        )
    if asked:
        check_level(level_of(asked, of_units=True))
    found = compare_groups(ev, measure, per if len(per) > 1 else per[0], average=average)
    groups = sampled_groups(found)
    precision, places, reason = groups.precision
    reason = found.reason or reason  # which says of totals, too, that they are not compared
    if reason or precision is None or len(places) < FEWEST:
        why = reason or f"{len(places)} groups have a value, and a distribution needs {FEWEST}"
        raise ValueError(f"There are no pooled values: {why}. Leave pooled= out.")
    shrunk = shrink(precision)
    back = _back(groups, precision, places)
    names = [tuple(ev.tally.sizes_of(axis)) for axis in per]
    place = {unit: i for i, unit in enumerate(product(*names))}
    at = [place[found.names[i] if len(per) > 1 else (found.names[i],)] for i in places.tolist()]
    values = np.full(math.prod(map(len, names)), math.nan)
    values[at] = back(shrunk.values)
    intervals = None
    if asked:
        intervals = _intervals(shrunk, at, len(values), back, asked, values, (found.measure, found.average))
    shaped = stand_in_for_undefined(values.reshape([len(some) for some in names]), undefined)
    return Values.of(shaped, tuple(names), per=per, intervals=intervals)


def _back(groups: SampledGroups, precision: Precision, places: Array) -> Any:
    """Return the function from the scale of the precision to that of the measure."""
    low, high = (0.0, 1.0) if groups.shares is not None else map(float, groups.measure.range)
    if precision.bounded:
        return lambda x: low + np.clip(x, 0, 1) * (high - low)
    plain = np.allclose(precision.values, np.asarray(groups.values, np.float64)[places])
    return (lambda x: np.clip(x, low, high)) if plain else np.exp


def _intervals(
    shrunk: Shrunk, at: list[int], count: int, back: Any, asked: Any, values: Array, score: tuple[Any, Any]
) -> tuple[Interval, ...]:
    level, k = level_of(asked, of_units=True), len(at)
    each = 1 - (1 - level) / k if asked == SIMULTANEOUS else level
    method = "pooled, simultaneous" if asked == SIMULTANEOUS else "pooled"
    wide = normal(each) * shrunk.errors
    low, high = (np.full(count, math.nan) for _ in range(2))
    low[at] = np.minimum(back(shrunk.centers - wide), values[at])
    high[at] = np.maximum(back(shrunk.centers + wide), values[at])
    note = f"It is drawn towards the other groups, whose mean is {float(back(np.array(shrunk.mean))):.3g}."
    ends = zip(values.tolist(), low.tolist(), high.tolist(), strict=True)
    return tuple(Interval(x, a, b, level, method if x == x else "none", note if x == x else "", *score) for x, a, b in ends)
