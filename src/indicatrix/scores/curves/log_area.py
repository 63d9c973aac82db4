"""The area under the ROC curve on a logarithmic axis of false positive rates.

A formula of steps, as those of areas are: see ``roc_areas``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.numbers.functions import ratio
from .declared_areas import area
from .threshold_grid import check_thresholds, steps_at

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
