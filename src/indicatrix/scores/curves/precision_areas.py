"""The family of average precision, as formulas of steps (errata A15).

Steps are anything with ``tp`` and ``fp`` along its last axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.numbers.exact import as_written
from ...algebra.numbers.functions import ratio
from ...ranking.rank_sums import mean_precision, precision_at_steps
from ...ranking.ranked import Ranked
from .declared_areas import area, check_missed, check_thresholds, steps_at

GRIDS = {"11-point": 10, "101-point": 100}  # how many parts of the recall axis the points enclose
INTERPOLATIONS = ("step", "envelope", *GRIDS, "coco", "trapezoid")
COCO_GRID = np.linspace(0, 1, 101)  # the recalls of COCO's program, of which some are a little above i/100


@area("buckley2000", thresholds=check_thresholds, missed=check_missed)
def average_precision(steps: Any, *, interpolation: str = "step", thresholds: Any = None, missed: Any = 0) -> Any:
    """Return the average precision over recall, by one of six definitions.

    ``interpolation`` names the definition; they give different numbers:

    - "step": the sum over thresholds of the precision there times the recall that it adds, as in scikit-learn.
    - "envelope": the same with the best precision at this recall or a higher one, as in PASCAL VOC since 2010.
    - "11-point" and "101-point": the mean of that at recalls 0, 0.1, …, 1 (VOC 2007) or 0, 0.01, …, 1 (COCO's grid).
    - "coco": "101-point" with the rounding of COCO's own program, which misses recalls of exactly 0.35, 0.41 and eight others.
    - "trapezoid": the area under lines that join the points, from recall 0 and precision 1.

    Examples with equal scores are taken together. The area is undefined without positives, and 1 without negatives.
    ``thresholds=`` is a grid for "step", a list or a number of thresholds from 0 to 1, as in torchmetrics: each of them adds
    its recall, and what is below the lowest adds nothing. ``missed=`` is how many further positives have no score, such as
    objects that a detector never proposes: they count in recall, and no threshold finds them. For classes or groups it is a
    mapping, ``missed={"cat": 3}``.

    >>> import indicatrix as ix
    >>> y, scores = [0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5]
    >>> ix.average_precision(y, scores), ix.average_precision(y, scores, interpolation="envelope")
    (0.5888888888888889, 0.6444444444444444)
    >>> ix.average_precision(y, scores, missed=3)  # of six positives, three have no score
    0.29444444444444445
    """
    if isinstance(missed, Mapping):
        raise TypeError(f"missed={missed!r} names classes or groups, and this is one ranking. Give a number.")
    if interpolation == "step" and thresholds is None and not missed:
        # Of a ranking the same number, by rank sums where there are no weights; on a device its rows stay there.
        return steps.average_precision if isinstance(steps, Ranked) else mean_precision(steps.tp, steps.fp)
    total = steps.tp[..., -1] + (as_written(missed) if steps.tp.dtype == object else missed)
    if thresholds is not None:
        if interpolation != "step":
            raise ValueError(f"thresholds= is a grid for interpolation='step', not for {interpolation!r}. Leave one of them out.")
        tp, fp = steps_at(steps, thresholds)
        added = np.diff(tp, prepend=np.zeros_like(tp[..., :1]))
        return ratio((added * precision_at_steps(tp, fp)).sum(axis=-1), total)
    tp, precision = steps.tp, precision_at_steps(steps.tp, steps.fp)
    if interpolation == "step":
        return ratio((np.diff(tp) * precision[..., 1:]).sum(axis=-1), total)
    if interpolation == "trapezoid":
        predicted = tp[..., :-1] + steps.fp[..., :-1]
        before = np.where(predicted == 0, 1, precision[..., :-1])  # the curve starts at precision 1
        twice = (np.diff(tp) * (precision[..., 1:] + before)).sum(axis=-1)
        return ratio(twice, 2 * total)
    best = np.maximum.accumulate(precision[..., ::-1], axis=-1)[..., ::-1]
    if interpolation == "envelope":
        return ratio((np.diff(tp) * best[..., 1:]).sum(axis=-1), total)
    parts = GRIDS.get(interpolation, len(COCO_GRID) - 1)
    passed = (_grid_index if interpolation in GRIDS else _coco_index)(tp, np.asarray(total)[..., None], parts)
    summed = best[..., 0] + (np.diff(passed) * best[..., 1:]).sum(axis=-1)
    return ratio(summed, (parts + 1) * (total > 0))


def _grid_index(tp: Array, total: Array, parts: int) -> Array:
    """Return the highest i with recall >= i/parts at each threshold."""
    scaled = tp * parts
    below = scaled // np.where(total == 0, 1, total)
    return np.asarray(below + ((below + 1) * total <= scaled))  # weights round, but not so that the last recall is below 1


def _coco_index(tp: Array, total: Array, parts: int) -> Array:
    """Return the last recall of COCO's grid that is reached at each threshold, in its floating point."""
    recall = np.asarray(tp, np.float64) / np.where(total == 0, 1, total).astype(np.float64)
    return np.searchsorted(COCO_GRID, recall, "right") - 1


def check_interpolation(interpolation: Any) -> None:
    """Refuse a definition of average precision that does not exist."""
    if interpolation not in INTERPOLATIONS:
        raise ValueError(f"interpolation={interpolation!r} is unknown. Choose from {', '.join(map(repr, INTERPOLATIONS))}.")


def _at(values: Array, index: Any) -> Any:
    """Return one value of each curve."""
    return np.take_along_axis(values, np.asarray(index)[..., None], axis=-1)[..., 0]


@area("davis2006")
def auprc(steps: Any) -> Any:
    """Return the area under the precision-recall curve of mixtures of thresholds.

    The curve goes through every point that a mixture reaches. Between two thresholds, false positives grow in proportion to
    true positives (Davis & Goadrich 2006), which makes precision a hyperbola of recall, and the area its exact integral.
    Straight lines promise precisions that no mixture of the two thresholds has;
    ``average_precision(interpolation="trapezoid")`` draws them. Undefined without positives.

    >>> import indicatrix as ix
    >>> round(ix.measures.auprc([0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5]), 6)
    0.485034
    """
    tp, fp = (np.asarray(x, np.float64) for x in (steps.tp, steps.fp))
    here, gained = tp[..., :-1], np.diff(tp)
    predicted, more = here + fp[..., :-1], gained + np.diff(fp)
    start = here / np.where(predicted > 0, predicted, 1)  # the precision where the stretch begins
    added = gained / np.where(more > 0, more, 1)  # the precision of what comes in
    share = _one_less_log(more / np.where(predicted > 0, predicted, 1))
    mean = np.where(predicted > 0, added * share + start * (1 - share), added)
    return ratio((gained * mean).sum(axis=-1), tp[..., -1])


def _one_less_log(u: Array) -> Array:
    """Return 1 - log(1 + u)/u, by its series where the difference would lose digits."""
    near = u < 0.01
    small, large = np.where(near, u, 0.0), np.where(near, 1.0, u)
    series = sum((-1) ** k * small ** (k - 1) / k for k in range(2, 10))
    return np.where(near, series, 1 - np.log1p(large) / large)


@area("buckley2000")
def r_precision(steps: Any) -> Any:
    """Return the precision of the k highest scores, where k is the number of positives.

    It is the recall as well. Where equal scores straddle the cut, it is the expected value over the orders of the tied examples.
    With weights, k is the weight of the positives, and an example at the cut counts in part. Undefined without positives.

    >>> import indicatrix as ix
    >>> ix.measures.r_precision([0, 1, 1, 0], [0.9, 0.8, 0.5, 0.5])  # of the first two, one is positive
    0.5
    >>> ix.measures.r_precision([0, 1, 1, 0], [0.9, 0.5, 0.5, 0.1])  # and here the second, whichever of the two it is
    0.5
    """
    tp, predicted = steps.tp, steps.tp + steps.fp
    k, last = tp[..., -1], tp.shape[-1] - 1
    cut = np.clip((predicted < tp[..., -1:]).sum(axis=-1), min(1, last), last)  # the first threshold that predicts k or more
    before = np.maximum(cut - 1, 0)
    surely, taken = _at(tp, before), _at(predicted, before)
    share = ratio(_at(tp, cut) - surely, _at(predicted, cut) - taken)
    return ratio(surely + (k - taken) * share, k)
