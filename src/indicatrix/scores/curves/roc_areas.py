"""Areas of the ROC curve and related curves, as formulas of steps.

Steps are anything with ``tp``, ``fp``, ``fn``, ``tn`` and ``thresholds`` along its last axis. A ``Ranked`` has them for one
column of scores, a block of rows for many at once; the formulas do not tell them apart. Points that occur twice change no area.
Counts may be integers, floats or fractions, and with fractions the areas are exact.

The equal error rate: the shares of positives missed and of negatives accepted are the same.

A formula of steps, as those of areas are: see ``roc_areas``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts
from ...algebra.measure_names import find, find_for_counts
from ...algebra.numbers.exact import as_written
from ...algebra.numbers.functions import ratio, select
from ...ranking.rank_sums import area_under_roc
from ...ranking.ranked import Ranked
from .ranked_units import area, check_thresholds, steps_at


@area("hanley1982", thresholds=check_thresholds)
def auc(steps: Any, *, thresholds: Any = None) -> Any:
    """Return the area under the ROC curve by the trapezoidal rule.

    A tie counts one half. AUC is the share of pairs of a positive and a negative in which the positive has the higher score;
    without positives or without negatives there is no pair, and it is undefined. Several classes are one-vs-all: one-vs-one is
    ``hand_till_auc``. ``thresholds=`` is a grid, a list or a number of thresholds from 0 to 1, as in torchmetrics: the area is
    that under the points of the grid alone, so nothing is added before the highest threshold or after the lowest.

    >>> import indicatrix as ix
    >>> ix.auc([0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5])
    0.3333333333333333
    >>> ix.auc([0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5], thresholds=5)
    0.4166666666666667
    """
    if thresholds is not None:
        tp, fp = steps_at(steps, thresholds)
        twice = (np.diff(fp) * (tp[..., 1:] + tp[..., :-1])).sum(axis=-1)
        return ratio(twice, 2 * steps.tp[..., -1] * steps.fp[..., -1])
    if isinstance(steps, Ranked):
        return steps.auc  # the same number, by rank sums where there are no weights
    return area_under_roc(steps.tp, steps.fp)


@area("mcclish1989")
def partial_auc(steps: Any, *, max_fpr: Any = None, standardized: bool = True) -> Any:
    """Return the area under the ROC curve up to a false positive rate.

    It is standardized, or the area itself. Standardized (McClish 1989, and scikit-learn's ``roc_auc_score(max_fpr=)``) 1/2 is
    the diagonal and 1 the best, whatever ``max_fpr``; ``standardized=False`` gives the area itself, at most ``max_fpr``.

    >>> import indicatrix as ix
    >>> ix.measures.partial_auc([0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5], max_fpr=0.75, standardized=False)
    0.16666666666666666
    """
    tp, fp = steps.tp, steps.fp
    end = as_written(max_fpr) if tp.dtype == object else float(max_fpr)
    limit = fp[..., -1:] * end
    within = np.diff(np.minimum(fp, limit))  # the part of each step that lies below the limit
    share = within / select(np.diff(fp) > 0, np.diff(fp), 1)
    twice = (within * (2 * tp[..., :-1] + share * np.diff(tp))).sum(axis=-1)
    area = ratio(twice, 2 * tp[..., -1] * fp[..., -1])
    chance = end * end / 2
    return (1 + (area - chance) / (end - chance)) / 2 if standardized else area


def check_max_fpr(max_fpr: Any) -> None:
    """Refuse what is not a false positive rate.

    There is no default, because only the caller knows the rate.
    """
    if max_fpr is None:
        raise TypeError("partial_auc needs max_fpr=, the false positive rate up to which the area counts, as in max_fpr=0.1.")
    number = isinstance(max_fpr, int | float | np.integer | np.floating) or type(max_fpr).__module__ == "fractions"
    if not number or isinstance(max_fpr, bool) or not 0 < max_fpr <= 1:
        raise ValueError(f"max_fpr={max_fpr!r} is not a rate up to which the area counts; give a number above 0 and at most 1.")


def check_standardized(standardized: Any) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(standardized, bool | np.bool_):
        raise TypeError(f"standardized={standardized!r} must be True (1/2 is chance, 1 the best) or False (the area itself).")


@area("provost2001", range=(0.5, 1))
def auc_of_hull(steps: Any) -> Any:
    """Return the area under the convex hull of the ROC curve, which mixtures of thresholds reach.

    It is at least the AUC and at least 1/2: a mixture of two thresholds has every point on the line between them (Provost &
    Fawcett 2001). It is also the AUC of the scores after isotonic calibration on the same data, so it is optimistic. Undefined
    without positives or without negatives.

    >>> import indicatrix as ix
    >>> ix.measures.auc_of_hull([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), ix.measures.auc_of_hull([0, 1], [0.8, 0.2])
    (0.875, 0.5)
    """
    if steps.tp.ndim > 1:
        return np.array([_under_hull(*row) for row in zip(steps.tp, steps.fp, strict=True)], np.float64)
    return _under_hull(steps.tp, steps.fp)


def _under_hull(tp: Array, fp: Array) -> Any:
    at = upper_hull(fp, tp)
    return area_under_roc(tp[at], fp[at])


@area("drummond2006", better="lower", range=(0, 0.25))
def area_under_cost_curve(steps: Any) -> Any:
    """Return the area under the lower envelope of the cost lines.

    It is the expected cost of the best thresholds. At probability cost x, the threshold with rates (FPR, FNR) costs FNR x +
    FPR (1 - x), and the best of them is the cost curve (Drummond & Holte 2006); x is uniform on [0, 1]. 0 is the best and 1/4
    is chance: the two trivial decisions alone have it. It depends on the ranking only; ``threshold_average`` integrates over
    the thresholds themselves.

    >>> import indicatrix as ix
    >>> area = ix.measures.area_under_cost_curve
    >>> area([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), area([0, 1], [0.5, 0.5])
    (0.125, 0.25)
    """
    tp, fp = steps.tp, steps.fp
    if tp.ndim > 1:
        return np.array([_under_envelope(*row) for row in zip(tp, fp, strict=True)], np.float64)
    return _under_envelope(tp, fp)


def _under_envelope(tp: Array, fp: Array) -> Any:
    if tp[-1] == 0 or fp[-1] == 0:
        return math.nan
    _, fpr, fnr, x = cost_envelope(tp, fp)
    length, moment = np.diff(x), np.diff(x * x) / 2
    return (fnr * moment + fpr * (length - moment)).sum()


def cost_envelope(tp: Array, fp: Array) -> tuple[Array, Array, Array, Array]:
    """Return which thresholds are best at some probability cost, their rates, and where.

    The rates are the false positive and the false negative rates. Each threshold is best between two of the last numbers, which
    go from 0 to 1 and are one more than there are thresholds.

    >>> [x.tolist() for x in cost_envelope(np.array([0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 2]))]
    [[0, 1, 3, 4], [0.0, 0.0, 0.5, 1.0], [1.0, 0.5, 0.0, 0.0], [0.0, 0.0, 0.5, 1.0, 1.0]]
    """
    at = upper_hull(fp, tp)  # no other threshold is best at any cost
    fpr, fnr = ratio(fp[at], fp[-1]), ratio(tp[-1] - tp[at], tp[-1])
    right, up = np.diff(fpr), -np.diff(fnr)
    return at, fpr, fnr, np.concatenate(([0], right / (right + up), [1]))  # where the lines of two neighbors cross


def upper_hull(x: Array, y: Array) -> Array:
    """Return which points are corners of their upper convex hull.

    They are given from left to right and never fall.

    >>> upper_hull(np.array([0, 0, 1, 2, 2]), np.array([0, 1, 1, 2, 3])).tolist()
    [0, 1, 4]
    """
    moved = np.ones(len(x), bool)
    moved[1:] = (np.diff(x) != 0) | (np.diff(y) != 0)
    at = np.flatnonzero(moved)
    while len(at) > 2:
        dx, dy = np.diff(x[at]), np.diff(y[at])
        corner = np.ones(len(at), bool)
        corner[1:-1] = dy[:-1] * dx[1:] > dy[1:] * dx[:-1]  # others lie on or below the line between their neighbors
        lost = len(at) - int(np.count_nonzero(corner))
        at = at[corner]
        if lost * 8 < len(at):  # few more will go at a time, so that the rest is done one by one
            return at if not lost else at[_chain(x[at].tolist(), y[at].tolist())]
    return at


def _chain(x: list[Any], y: list[Any]) -> list[int]:
    kept: list[int] = []
    for c in range(len(x)):
        while len(kept) > 1:
            a, b = kept[-2:]
            if (y[b] - y[a]) * (x[c] - x[b]) > (y[c] - y[b]) * (x[b] - x[a]):
                break
            kept.pop()
        kept.append(c)
    return kept


@area("hernandez2012", better="neither", range=(-np.inf, np.inf))
def threshold_average(steps: Any, *, measure: Any = None, between: tuple[float, float] = (0.0, 1.0)) -> Any:
    """Return the mean of a measure over all thresholds between two.

    Over [0, 1], the default, it is the integral of M(θ). The measure is constant between two neighboring scores, so that the
    integral is a finite sum. It depends on the scores themselves, not only on their order, and is undefined where the measure
    is undefined on a stretch of thresholds.

    >>> import indicatrix as ix
    >>> ix.measures.threshold_average([0, 1, 1], [0.25, 0.5, 1.0], measure="recall")
    0.75
    """
    low, high = between
    thresholds = steps.thresholds
    lowest = np.full((*thresholds.shape[:-1], 1), -np.inf)
    length = -np.diff(np.clip(np.concatenate((thresholds, lowest), axis=-1), low, high))
    counts = Counts(*(np.asarray(x, np.float64) for x in (steps.tp, steps.fp, steps.fn, steps.tn)))
    values = np.asarray(find(measure).values(counts))
    return np.where(length > 0, values * length, 0.0).sum(axis=-1) / (high - low)


def check_measure(measure: Any) -> None:
    """Refuse what is not a measure of counts."""
    if measure is None:
        raise TypeError("threshold_average needs measure=, a measure or its name, as in measure='f1'.")
    find_for_counts(measure, "thresholds are of entries or of one class")


def check_between(between: Any) -> None:
    """Refuse what is not two thresholds, the lower one first."""
    two: tuple[Any, ...] = tuple(between) if isinstance(between, tuple | list) and len(between) == 2 else ()
    numbers = [isinstance(x, int | float | np.integer | np.floating) and bool(np.isfinite(x)) for x in two]
    if numbers != [True, True] or not two[0] < two[1]:
        raise ValueError(f"between={between!r} must be two finite thresholds, the lower first, as in between=(0, 1).")


INTERPOLATIONS = ("line", "trapezoid")


@area("mysinger2010", thresholds=check_thresholds)
def log_auc(
    steps: Any, *, fpr_range: tuple[float, float] = (0.001, 0.1), interpolation: str = "line", thresholds: Any = None
) -> Any:
    """Return the mean true positive rate over the logarithm of the false positive rate, in a range of it.

    Each factor of ten of the false positive rate counts alike, so the start of the ranking decides it: in ``fpr_range`` of
    0.001 to 0.1, the default of torchmetrics, one half comes from rates up to 0.01. "line" integrates the straight lines of the
    ROC curve exactly (Mysinger & Shoichet 2010); "trapezoid" joins its points by lines on the logarithmic axis, as torchmetrics
    does, and gives more for the same points. Undefined without positives or without negatives. ``thresholds=`` is a grid, a
    list or a number of thresholds from 0 to 1: the curve then has the points of the grid, and its start (0, 0).

    >>> import indicatrix as ix
    >>> area = ix.measures.log_auc.at(fpr_range=(0.1, 1))
    >>> [round(area([0, 1, 0, 1], [0.9, 0.9, 0.4, 0.4], interpolation=name), 4) for name in ("line", "trapezoid")]
    [0.3909, 0.4355]
    """
    tp, fp = steps.tp, steps.fp
    positives, negatives = (np.asarray(x[..., -1:], np.float64) for x in (tp, fp))
    if thresholds is not None:
        tp, fp = (np.concatenate((np.zeros_like(x[..., :1]), x), axis=-1) for x in steps_at(steps, thresholds))
    x, y = (ratio(np.asarray(a, np.float64), b) for a, b in ((fp, negatives), (tp, positives)))
    total = _integral(x, y, *map(float, fpr_range), joined_in_logs=interpolation == "trapezoid")
    defined = (positives > 0) & (negatives > 0)
    return np.where(defined[..., 0], total / np.log(fpr_range[1] / fpr_range[0]), np.nan)[()]


def _integral(x: Array, y: Array, low: float, high: float, *, joined_in_logs: bool) -> Array:
    """Return the integral over log x of lines through points, which are straight in x or in log x."""
    start, end = (np.clip(side, low, high) for side in (x[..., :-1], x[..., 1:]))
    inside = end > start
    slope = np.diff(y) / np.where(inside, np.diff(x), 1.0)
    at_start, at_end, at_zero = (y[..., :-1] + slope * (side - x[..., :-1]) for side in (start, end, 0.0))
    length = np.log(end / start)
    area = length * (at_start + at_end) / 2 if joined_in_logs else at_zero * length + slope * (end - start)
    rest = y[..., -1] * np.log(high / np.clip(x[..., -1], low, high))  # a grid may end within the range: the last rate stays
    return np.asarray(np.where(inside, area, 0.0).sum(axis=-1) + rest)


def check_fpr_range(fpr_range: Any) -> None:
    """Refuse what is not two false positive rates above 0, the lower one first."""
    two: tuple[Any, ...] = tuple(fpr_range) if isinstance(fpr_range, tuple | list) and len(fpr_range) == 2 else ()
    numbers = [isinstance(x, int | float | np.integer | np.floating) and not isinstance(x, bool) for x in two]
    if numbers != [True, True] or not 0 < two[0] < two[1] <= 1:
        raise ValueError(
            f"fpr_range={fpr_range!r} must be two false positive rates, above 0 and at most 1, the lower first, as in "
            "fpr_range=(0.001, 0.1)."
        )


def check_interpolation(interpolation: Any) -> None:
    """Refuse a way to join points that does not exist."""
    if interpolation not in INTERPOLATIONS:
        raise ValueError(
            f"interpolation={interpolation!r} is unknown. Use 'line', straight lines of the ROC curve, or 'trapezoid', lines on "
            "the logarithmic axis."
        )


METHODS = ("line", "nearest", "hull")


@area("vanleeuwen2007", better="lower", thresholds=check_thresholds)
def eer(steps: Any, *, method: str = "line", thresholds: Any = None) -> Any:
    """Return the equal error rate, at which the false positive and the false negative rate are equal.

    Few thresholds have exactly equal rates, so there are three conventions for ``method``:

    - "line" joins the points of the ROC curve by straight lines, and takes the point where the two rates meet.
    - "nearest" takes the threshold at which the rates are nearest, the highest of several, and the mean of its two rates, as
      torchmetrics does.
    - "hull" takes the point where the convex hull of the ROC curve meets the diagonal of equal rates. This is the highest
      value, over all shares of positives, of the error rate at the best threshold.

    Undefined without positives or without negatives. ``thresholds=`` is a grid for "nearest", a list or a number of thresholds
    from 0 to 1.

    >>> import indicatrix as ix
    >>> y, scores = [0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5]
    >>> [round(ix.measures.eer(y, scores, method=name), 4) for name in ("line", "nearest", "hull")]
    [0.5, 0.5833, 0.4286]
    """
    if thresholds is not None and method != "nearest":
        raise ValueError(f"thresholds= is a grid for method='nearest', not for {method!r}: rates may not meet on a grid.")
    if method == "hull" and steps.tp.ndim > 1:
        rows = [_meeting_rate(*_on_hull(*row)) for row in zip(steps.tp, steps.fp, strict=True)]
        return np.array(rows, np.float64)
    tp, fp = (steps.tp, steps.fp) if thresholds is None else steps_at(steps, thresholds)
    if method == "hull":
        tp, fp = _on_hull(tp, fp)
    if method != "nearest":
        return _meeting_rate(tp, fp)
    positives, negatives = steps.tp[..., -1:], steps.fp[..., -1:]
    ahead = _ahead(tp, fp, positives, negatives)
    at = np.asarray(abs(ahead).argmin(axis=-1))[..., None]
    missed, accepted = (np.take_along_axis(x, at, axis=-1) for x in (positives - tp, fp))
    both = missed * negatives + accepted * positives
    return ratio(both[..., 0], (2 * positives * negatives)[..., 0])


def _ahead(tp: Array, fp: Array, positives: Array, negatives: Array) -> Array:
    """Return how far the false positive rate is above the false negative rate.

    The unit is 1/(positives * negatives), so that integers stay integers.
    """
    if tp.dtype.kind in "iu" and positives.size and float(positives.max()) * float(negatives.max()) >= 2**61:
        tp, fp, positives, negatives = (x.astype(object) for x in (tp, fp, positives, negatives))
    return np.asarray(fp * positives - (positives - tp) * negatives)


def _meeting_rate(tp: Array, fp: Array) -> Any:
    """Return the rate where the two rates meet on the line through the points."""
    positives, negatives = tp[..., -1:], fp[..., -1:]
    ahead = _ahead(tp, fp, positives, negatives)
    last = ahead.shape[-1] - 1
    after = np.asarray(np.minimum((ahead < 0).sum(axis=-1), last))[..., None]  # the first point at which it is not below
    before = np.maximum(after - 1, 0)
    (below, above), (start, end) = ([np.take_along_axis(x, at, axis=-1) for at in (before, after)] for x in (ahead, fp))
    span = above - below
    crossing = start * span - below * (end - start)  # of fp, times the span
    whole = select(span > 0, span, 1) * negatives * (positives > 0)
    return ratio(crossing[..., 0], whole[..., 0])


def _on_hull(tp: Array, fp: Array) -> tuple[Array, Array]:
    at = upper_hull(fp, tp)
    return tp[at], fp[at]


def check_method(method: Any) -> None:
    """Refuse a convention that does not exist."""
    if method not in METHODS:
        raise ValueError(f"method={method!r} is unknown. Choose from {', '.join(map(repr, METHODS))}.")
