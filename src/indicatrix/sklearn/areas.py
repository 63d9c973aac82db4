"""scikit-learn's areas under curves of scores, by their names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.measure import Measure
from ..ranking.ranked import rank_scores
from ..scores.areas import AREAS, score_pairs
from ..scores.thresholds.sweep import Sweep
from .call_checks import Rule, accepts, one_of, warn, warn_undefined
from .score_inputs import (
    SHAPE,
    check_known,
    code_labels,
    distinct,
    labels_of,
    numbers,
    ordered_classes,
    ranking_of,
    sweep_of,
    weights_of,
)
from .targets import check_lengths, column

AVERAGES = one_of("micro", "macro", "samples", "weighted") | None
FPR = Rule("a float in the range (0.0, 1.0]", lambda value: isinstance(value, int | float) and 0 < value <= 1)
ONE_CLASS = "Only one class is present in y_true. ROC AUC score is not defined in that case."
NO_POSITIVE = "No positive class found in y_true, recall is set to one for all thresholds."


def _average(area: Measure, swept: Sweep, average: str | None, undefined: Any) -> tuple[Any, bool]:
    """Return an average of the areas of classes, or the areas; and whether some of them are undefined."""
    if average == "weighted" and not any(swept.of(unit).tpos for unit in swept.columns):
        return 0, False
    score = area.score(swept, average or "macro", undefined)
    lost = np.isnan(np.asarray(score.values, np.float64))
    values = np.where(lost, np.nan if undefined == "nan" else undefined, score.values)
    return values if average is None else float(score), bool(lost.any())


@accepts(average=AVERAGES, max_fpr=FPR | None, multi_class=one_of("raise", "ovr", "ovo"))
def roc_auc_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    sample_weight: Any = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: Any = None,
) -> Any:
    """Return the area under the ROC curve, as ``sklearn.metrics.roc_auc_score`` does.

    Parameters
    ----------
    y_true : array-like
        One label per example, or a 0/1 matrix.
    y_score : array-like
        One number per example for the greater label, or a row per example with one for each label in sorted order.
    average : str or None, default 'macro'
        How the areas of several labels become one number; None returns them all. One-vs-one has 'macro' and 'weighted'.
    sample_weight : array-like, optional
        One weight for each example.
    max_fpr : float, optional
        The false positive rate up to which the area counts; it is then standardized as McClish did.
    multi_class : str, default 'raise'
        What more than two classes are: 'ovr', each against the rest, or 'ovo', each against each other.
    labels : array-like, optional
        All labels in sorted order, where some do not occur in ``y_true``.

    Returns
    -------
    float or array
        The area. ``ix.auc``, ``ix.measures.partial_auc`` and ``ix.measures.hand_till_auc`` name what was undefined.

    Examples
    --------
    >>> from indicatrix.sklearn import roc_auc_score
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    y, kind = labels_of(y_true)
    scores = numbers(y_score, "y_score")
    if kind == "multiclass" or (kind == "binary" and scores.ndim == 2 and scores.shape[1] > 2):
        return _of_classes(column(y), scores, sample_weight, (average, max_fpr, multi_class, labels))
    check_lengths(y, scores, sample_weight)
    weights = weights_of(sample_weight, len(y))
    if kind not in ("binary", "multilabel-indicator"):
        raise ValueError(f"{kind} format is not supported")
    return _of_labels(y, scores, weights, average, max_fpr) if kind != "binary" else _of_two(y, scores, weights, max_fpr)


def _area_up_to(max_fpr: float | None) -> Measure:
    return AREAS["auc"] if max_fpr in (None, 1) else AREAS["partial_auc"].at(max_fpr=max_fpr)


def _of_two(y: Array, scores: Array, weights: Array | None, max_fpr: float | None) -> Any:
    value = _area_up_to(max_fpr).values(rank_scores(column(scores), _is_greater(column(y)), weights))
    return _warn(value, value != value)


def _of_labels(y: Array, scores: Array, weights: Array | None, average: str | None, max_fpr: float | None) -> Any:
    return _warn(*_average(_area_up_to(max_fpr), sweep_of(y == 1, scores, weights), average, "nan"))


def _warn(value: Any, lost: bool) -> Any:
    if lost:
        warn_undefined(ONE_CLASS)
    return value


def _is_greater(y: Array) -> Array:
    """Return which labels are the greater one of two; if there is only one, none."""
    low, high = (y.min(), y.max()) if y.dtype.kind in "biuf" else (f(set(y.tolist())) for f in (min, max))
    return y == high if low != high else np.zeros(len(y), bool)


def _of_classes(y: Array, scores: Array, sample_weight: Any, how: tuple[Any, ...]) -> Any:
    """Return one-vs-rest or one-vs-one areas of labels and probabilities."""
    average, max_fpr, multi_class, labels = how
    _check_classes(scores, average, max_fpr, multi_class)
    classes = None if labels is None else ordered_classes(labels, "")
    if classes is not None and len(classes) != scores.shape[1]:
        raise ValueError(
            f"Number of given labels, {len(classes)}, not equal to the number of columns in 'y_score', {scores.shape[1]}"
        )
    if classes is not None:
        check_known(y, classes, "")
    classes, codes = code_labels(y, classes)
    if len(classes) != scores.shape[1]:
        raise ValueError("Number of classes in y_true not equal to the number of columns in 'y_score'")
    if multi_class == "ovo" and sample_weight is not None:
        raise ValueError(
            "sample_weight is not supported for multiclass one-vs-one ROC AUC, 'sample_weight' must be None in this case."
        )
    check_lengths(y, scores, sample_weight)
    swept = sweep_of(codes, scores, weights_of(sample_weight, len(y)))
    if multi_class == "ovr":
        return _warn(*_average(AREAS["auc"], swept, average, "nan"))
    assert swept.rows is not None
    return float(score_pairs(swept.classes, swept.rows, average, "exclude"))


def _check_classes(scores: Array, average: Any, max_fpr: Any, multi_class: str) -> None:
    if max_fpr is not None and max_fpr != 1:
        raise ValueError(
            "Partial AUC computation not available in multiclass setting, 'max_fpr' must be set to `None`, received "
            f"`max_fpr={max_fpr}` instead"
        )
    if multi_class == "raise":
        raise ValueError("multi_class must be in ('ovo', 'ovr')")
    if scores.ndim != 2:
        raise ValueError(SHAPE.format(scores.shape))
    if not np.allclose(1, scores @ np.ones(scores.shape[1])):
        raise ValueError(
            "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum up to 1.0 over classes"
        )
    known = (*(("micro",) if multi_class == "ovr" else ()), "macro", "weighted", None)
    if average not in known:
        raise ValueError(f"average must be one of {known} for multiclass problems")
    if average is None and multi_class == "ovo":
        raise NotImplementedError("average=None is not implemented for multi_class='ovo'.")


@accepts(average=AVERAGES)
def average_precision_score(
    y_true: Any, y_score: Any, *, average: str | None = "macro", pos_label: Any = 1, sample_weight: Any = None
) -> Any:
    """Return the mean of precisions at each gain of recall, as ``average_precision_score`` does.

    Parameters
    ----------
    y_true : array-like
        One label per example, or a 0/1 matrix.
    y_score : array-like
        One number per example for the positive label, or a row per example with one for each label in sorted order.
    average : str or None, default 'macro'
        How the values of several labels become one number; None returns them all.
    pos_label : label, default 1
        The positive label of two. Several labels have no other than 1.
    sample_weight : array-like, optional
        One weight for each example.

    Returns
    -------
    float or array
        The average precision. ``ix.average_precision`` has other definitions of it, too.

    Examples
    --------
    >>> from indicatrix.sklearn import average_precision_score
    >>> round(average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.8333
    """
    y, kind = labels_of(y_true)
    if kind == "binary":
        _check_positive(y, pos_label)
        ranking, _ = ranking_of(y, y_score, pos_label, sample_weight)
        return ranking.average_precision if ranking.tpos else _warn_no_positive(0.0, True)
    swept = _swept(y, kind, numbers(y_score, "y_score"), pos_label, sample_weight)
    return _warn_no_positive(*_average(AREAS["average_precision"], swept, average, 0.0))


def _warn_no_positive(value: Any, lost: bool) -> Any:
    if lost:
        warn(NO_POSITIVE)
    return value


def _check_positive(y: Array, pos_label: Any) -> None:
    found = distinct(column(y))
    if len(found) == 2 and pos_label not in found:
        raise ValueError(f"pos_label={pos_label} is not a valid label. It should be one of {found}")


def _swept(y: Array, kind: str, scores: Array, pos_label: Any, sample_weight: Any) -> Sweep:
    if kind not in ("multiclass", "multilabel-indicator"):
        raise ValueError(f"{kind} format is not supported")
    if pos_label != 1:
        raise ValueError(f"Parameter pos_label is fixed to 1 for {kind} y_true. Do not set pos_label or set pos_label to 1.")
    check_lengths(y, scores, sample_weight)
    weights = weights_of(sample_weight, len(y))
    if kind == "multilabel-indicator":
        return sweep_of(y == 1, scores, weights)
    classes, codes = code_labels(column(y))
    if scores.shape != (len(y), len(classes)):
        raise ValueError(SHAPE.format(scores.shape))
    return sweep_of(codes, scores, weights)
