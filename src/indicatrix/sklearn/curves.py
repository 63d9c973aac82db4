"""scikit-learn's curves, counts and functions at every threshold of a score, by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..algebra.arrays import Array
from ..scores.curves import curve as curves
from ..scores.thresholds.operating_points import at_thresholds
from .call_checks import accepts, warn, warn_undefined
from .score_inputs import distinct, keywords_soon, numbers, ranking_of, weights_of
from .targets import as_array, check_finite, check_lengths, column


def auc(x: Any, y: Any) -> float:
    """Return the area under points joined by straight lines, as ``sklearn.metrics.auc`` does.

    Parameters
    ----------
    x : array-like
        Numbers that never fall, or never rise.
    y : array-like
        One number for each ``x``.

    Returns
    -------
    float
        The area. ``ix.auc`` is the area under the ROC curve of labels and scores.

    Examples
    --------
    >>> from indicatrix.sklearn import auc
    >>> auc([0.0, 0.5, 1.0], [0.0, 1.0, 1.0])
    0.75
    """
    check_lengths(x, y)
    x, y = (column(as_array(values, name)) for values, name in ((x, "x"), (y, "y")))
    if len(x) < 2:
        raise ValueError(f"At least 2 points are needed to compute area under curve, but x.shape = {x.shape}")
    falls = (x[1:] < x[:-1]).any()
    if falls and not (x[1:] <= x[:-1]).all():
        raise ValueError(f"x is neither increasing nor decreasing : {x}.")
    return float(curves.trapezoids(x, y) * (-1 if falls else 1))


@keywords_soon("pos_label", "sample_weight")
@accepts()
def confusion_matrix_at_thresholds(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> tuple[Array, Array, Array, Array, Array]:
    """Return the counts tn, fp, fn, tp at every distinct score, and these scores, the highest first.

    Parameters
    ----------
    y_true : array-like
        One label per example.
    y_score : array-like
        One number per example, higher for the positive label.
    pos_label : label, optional
        The positive label. Default: 1, where labels are 0 and 1, or -1 and 1.
    sample_weight : array-like, optional
        One weight for each example.

    Returns
    -------
    tuple of arrays
        tns, fps, fns, tps and thresholds. ``ix.sweep(…).at(thresholds)`` has the counts at any thresholds.

    Examples
    --------
    >>> from indicatrix.sklearn import confusion_matrix_at_thresholds
    >>> [x.tolist() for x in confusion_matrix_at_thresholds([0, 1, 1], [0.5, 0.25, 0.75])]
    [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1.0, 1.0, 2.0], [0.75, 0.5, 0.25]]
    """
    ranking, scores = ranking_of(y_true, y_score, pos_label, sample_weight)
    tp, fp, fn, tn = (x[1:] for x in ranking.floats)
    return tn, fp, fn, tp, ranking.scores.astype(scores.dtype)


@accepts()
def roc_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = True
) -> tuple[Array, Array, Array]:
    """Return false positive rates, true positive rates and thresholds, as ``roc_curve`` does.

    Parameters
    ----------
    y_true : array-like
        One label per example.
    y_score : array-like
        One number per example, higher for the positive label.
    pos_label : label, optional
        The positive label. Default: 1, where labels are 0 and 1, or -1 and 1.
    sample_weight : array-like, optional
        One weight for each example.
    drop_intermediate : bool, default True
        Whether to leave out points between two equal steps of the curve.

    Returns
    -------
    tuple of arrays
        fpr, tpr and thresholds. ``ix.sweep(…).roc()`` has the area, too.

    Examples
    --------
    >>> from indicatrix.sklearn import roc_curve
    >>> [x.tolist() for x in roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])]
    [[0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], [inf, 0.8, 0.4, 0.35, 0.1]]
    """
    ranking, _ = ranking_of(y_true, y_score, pos_label, sample_weight)
    for amount, what, rate in ((ranking.tneg, "negative", "false"), (ranking.tpos, "positive", "true")):
        if amount <= 0:
            warn_undefined(f"No {what} samples in y_true, {rate} positive value should be meaningless")
    return curves.roc_points(ranking, "steps" if drop_intermediate else False)


@accepts()
def precision_recall_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = False
) -> tuple[Array, Array, Array]:
    """Return precisions, recalls and thresholds, as ``sklearn.metrics.precision_recall_curve`` does.

    Parameters
    ----------
    y_true : array-like
        One label per example.
    y_score : array-like
        One number per example, higher for the positive label.
    pos_label : label, optional
        The positive label. Default: 1, where labels are 0 and 1, or -1 and 1.
    sample_weight : array-like, optional
        One weight for each example.
    drop_intermediate : bool, default False
        Whether to keep, of the thresholds with one recall, only the highest and the lowest.

    Returns
    -------
    tuple of arrays
        precision, recall and thresholds, the lowest threshold first. ``ix.sweep(…).pr()`` has the area, too.

    Examples
    --------
    >>> from indicatrix.sklearn import precision_recall_curve
    >>> [x.tolist() for x in precision_recall_curve([0, 1, 1], [0.5, 0.25, 0.75])]
    [[0.6666666666666666, 0.5, 1.0, 1.0], [1.0, 0.5, 0.5, 0.0], [0.25, 0.5, 0.75]]
    """
    ranking, scores = ranking_of(y_true, y_score, pos_label, sample_weight)
    recall, precision, thresholds = (x[::-1] for x in curves.pr_points(ranking, drop_intermediate))
    if not ranking.tpos:
        warn("No positive class found in y_true, recall is set to one for all thresholds.")
        recall[:] = 1
    precision[-1], recall[-1] = 1, 0
    return precision, recall, thresholds[:-1].astype(scores.dtype)


@accepts()
def det_curve(
    y_true: Any, y_score: Any, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = False
) -> tuple[Array, Array, Array]:
    """Return false positive rates, false negative rates and thresholds, as ``det_curve`` does.

    Parameters
    ----------
    y_true : array-like
        One label per example.
    y_score : array-like
        One number per example, higher for the positive label.
    pos_label : label, optional
        The positive label. Default: 1, where labels are 0 and 1, or -1 and 1.
    sample_weight : array-like, optional
        One weight for each example.
    drop_intermediate : bool, default False
        Whether to keep, of the thresholds with one false negative rate, only the highest and the lowest.

    Returns
    -------
    tuple of arrays
        fpr, fnr and thresholds, the lowest threshold first. ``ix.sweep(…).det()`` has all thresholds.

    Examples
    --------
    >>> from indicatrix.sklearn import det_curve
    >>> [x.tolist() for x in det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])]
    [[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.35, 0.4, 0.8]]
    """
    ranking, _ = ranking_of(y_true, y_score, pos_label, sample_weight)
    if len(distinct(column(as_array(y_true, "y_true")))) != 2:
        raise ValueError("Only one class is present in y_true. Detection error tradeoff curve is not defined in that case.")
    curve = curves.det(ranking, simplify=drop_intermediate, trim=True)
    return curve.x[::-1], curve.y[::-1], curve.thresholds[::-1]


@accepts()
def metric_at_thresholds(
    y_true: Any,
    y_score: Any,
    metric_func: Callable[..., Any],
    *,
    sample_weight: Any = None,
    metric_params: dict[str, Any] | None = None,
) -> tuple[Array, Array]:
    """Return a function of labels and predictions at every distinct score, and these scores.

    Parameters
    ----------
    y_true : array-like
        One label per example.
    y_score : array-like
        One number per example; a score that reaches the threshold is predicted 1, the others 0.
    metric_func : callable
        It takes labels and predictions; and ``sample_weight=`` where weights are given.
    sample_weight : array-like, optional
        One weight for each example.
    metric_params : dict, optional
        Further arguments of the function.

    Returns
    -------
    tuple of arrays
        The results and the thresholds, the highest first. ``ix.sweep(…).values(measure)`` computes all at once.

    Examples
    --------
    >>> from indicatrix.sklearn import metric_at_thresholds
    >>> values, thresholds = metric_at_thresholds([0, 1, 1], [0.5, 0.25, 0.75], lambda y, z: int((y == z).sum()))
    >>> values.tolist(), thresholds.tolist()
    ([2, 1, 2], [0.75, 0.5, 0.25])
    """
    check_lengths(y_true, y_score, sample_weight)
    y, scores = column(as_array(y_true, "y_true")), column(numbers(y_score, "y_score"))
    check_finite(y, "y_true")
    return at_thresholds(metric_func, y, scores, weights_of(sample_weight, len(y)), **(metric_params or {}))
