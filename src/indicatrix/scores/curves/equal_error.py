"""The equal error rate: the shares of positives missed and of negatives accepted are the same.

A formula of steps, as those of areas are: see ``roc_areas``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.numbers.functions import ratio, select
from .declared_areas import area, check_thresholds, steps_at
from .roc_areas import upper_hull

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
