"""Propensities: the possible ones for observed counts, and the counts that they correct.

See sec:pu_learning, errata C18.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.average import find_average
from ..algebra.counts import Counts
from ..algebra.numbers.exact import as_written
from ..algebra.score import Score, Undefined, combine
from ..tally.tally import Tally
from ..words.wording import listing

ROUNDING = Fraction(1, 10**12)  # a float this close to a possible value counts as that value


def correct_counts(cells: Any, times: Any) -> Any:
    """Return the expected true counts, given the observed ones.

    One in ``times`` positives is labeled.
    """
    tp, fp, fn, tn = cells
    return np.stack([tp * times, fp - (times - 1) * tp, fn * times, tn - (times - 1) * fn])


def tidy(exact: Array) -> Array:
    """Return whole counts as integers, in 64 bits if they fit; other counts are returned as they are."""
    if any(x != int(x) for x in exact.flat):
        return exact
    whole = np.array([int(x) for x in exact.flat], object).reshape(exact.shape)
    return whole.astype(np.int64) if sum(whole.flat) < 2**62 else whole


def one_of(propensity: Any, prior: Any) -> tuple[str, Any]:
    """Return the name and the value of the one that was given; exactly one is needed."""
    if (propensity is None) == (prior is None):
        raise ValueError("Pass either propensity=, the share of positives that are labeled, or prior=, the share of positives.")
    return ("propensity", propensity) if prior is None else ("prior", prior)


def _number(x: Any, what: str) -> Fraction:
    """Return a share as an exact fraction: 0.1 is one tenth."""
    x = x.item() if isinstance(x, np.generic) else x
    if not isinstance(x, int | float | Fraction) or isinstance(x, bool) or not math.isfinite(x) or not 0 <= x <= 1:
        raise ValueError(f"{what} is {x!r}; give a share, a number above 0 and at most 1.")
    return as_written(x)


def as_exact_float(x: Fraction) -> float | Fraction:
    """Return a share as a float if that is exact, so that it reads like the given one."""
    return float(x) if as_written(float(x)) == x else x


def per_class(value: Any, name: str, classes: tuple[Any, ...]) -> list[Any]:
    """Return one number for each class: the same for all, by name, or in class order."""
    if hasattr(value, "keys") and hasattr(value, "items"):
        named = dict(value.items())
        wrong = [c for c in named if c not in classes] or [c for c in classes if c not in named]
        if wrong:
            raise ValueError(
                f"{name}= must name each class once; {listing(wrong)} is wrong or absent. The classes are {classes!r}."
            )
        return [named[c] for c in classes]
    several = isinstance(value, Iterable) and not isinstance(value, str) and getattr(value, "ndim", 1) > 0
    values = list(value) if several else [value] * len(classes)
    if len(values) != len(classes):
        raise ValueError(f"{name}= has {len(values)} entries for {len(classes)} classes. Give one number, or one per class.")
    return values


def _share_labeled(tally: Tally, at: int) -> Fraction:
    """Return the share of labeled examples in a column."""
    tp, fp, fn, tn = (Fraction(x) for x in tally.pooled.cells()[:, at].tolist())
    if not tp + fn:
        raise ValueError(f"No example is labeled {tally.classes[at]!r}, so a prior says nothing about its propensity.")
    return (tp + fn) / (tp + fp + fn + tn)


def _least_propensity(tally: Tally, at: int) -> tuple[Fraction, Any]:
    """Return the smallest propensity without a negative count in a column, and its group.

    The group is the one that sets this limit.
    """
    found: tuple[Fraction, Any] = (Fraction(0), ())
    for key, part in tally.parts.items():
        tp, fp, fn, tn = (Fraction(x) for x in part.cells()[:, at].tolist())
        for hidden, seen in ((tp, fp), (fn, tn)):
            if hidden and hidden / (hidden + seen) > found[0]:
                found = hidden / (hidden + seen), key
    return found


def find_propensities(tally: Tally, name: str, value: Any) -> list[Fraction]:
    """Return the propensity of each class.

    A propensity that would make a count negative is an error.
    """
    out = []
    for at, (label, given) in enumerate(zip(tally.classes, per_class(value, name, tally.classes), strict=True)):
        x = _number(given, f"The {name} of {label!r}")
        if not x:
            raise ValueError(f"The {name} of {label!r} is 0; give a share, a number above 0 and at most 1.")
        (least, group), share = _least_propensity(tally, at), Fraction(1) if name == "propensity" else _share_labeled(tally, at)
        c, slack = share / x if name == "prior" else x, ROUNDING if isinstance(given, float | np.floating) else 0
        if c > 1 + slack or c < least * (1 - slack):
            ends = (least, Fraction(1)) if name == "propensity" else (share, share / least)
            why = "a count would be negative" if c < 1 else "more examples are labeled than that"
            where = f" in group {group!r} (without by= all are corrected together)" if group and c < 1 else ""
            raise ValueError(
                f"{name}={given!r} is impossible for {label!r}: {why}{where}. The smallest possible {name} is "
                f"{_number_text(ends[0])}, the largest {_number_text(ends[1])}."
            )
        out.append(min(max(c, least), Fraction(1)))
    return out


def read_interval(value: Any, name: str) -> tuple[Fraction, Fraction]:
    """Return the ends of an interval of shares; the lower end may be 0, which is cut off later."""
    if isinstance(value, str) or np.ndim(value) != 1 or len(value) != 2:
        raise ValueError(f"{name}={value!r} must be an interval, two numbers ({name}=(0.2, 0.5)); .at(…) takes one value.")
    low, high = (_number(x, f"An end of {name}=") for x in value)
    if not low <= high or not high:
        raise ValueError(f"{name}={value!r} is not an interval. Give two ends in order, the upper one above 0.")
    return low, high


def cut(tally: Tally, name: str, given: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """Return the possible part of an interval."""
    least = max((_least_propensity(tally, at)[0] for at in range(len(tally.classes))), default=Fraction(0))
    ends = (least, Fraction(1))
    if name == "prior":
        if len(tally.classes) != 1:
            raise ValueError(
                f"There are {len(tally.classes)} classes, and each has its own prior. Give propensity=(low, high), or "
                "evaluate one column at a time."
            )
        ends = (_share_labeled(tally, 0), _share_labeled(tally, 0) / least)
    low, high = max(given[0], ends[0]), min(given[1], ends[1])
    if low > high:
        raise ValueError(
            f"No {name} in {interval_text(given)} is possible: a count would be negative. Possible are "
            f"{_number_text(ends[0])} to {_number_text(ends[1])}."
        )
    return low or high, high  # where nothing is labeled, every propensity gives the same counts


def _number_text(x: Fraction) -> str:
    return str(x) if x.denominator == 1 else f"{x} ≈ {float(x):.6g}"


def interval_text(interval: tuple[Any, Any]) -> str:
    """Return an interval as text."""
    return f"[{float(interval[0]):.6g}, {float(interval[1]):.6g}]"


def shares_to_record(shares: list[Any]) -> tuple[Any, ...]:
    """Return one share for each class, as floats where they are exact.

    If all shares are the same, one is returned.
    """
    numbers = tuple(as_exact_float(as_written(x.item() if isinstance(x, np.generic) else x)) for x in shares)
    return numbers[:1] if len(set(map(str, numbers))) == 1 else numbers


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
