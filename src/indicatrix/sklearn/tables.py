"""Drop-ins that count pairs of labels: confusion matrices, kappa, MCC and likelihood ratios."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.counts import Counts
from ..catalogue.counts.paper_groups import negative_likelihood_ratio, positive_likelihood_ratio
from ..catalogue.matrices.agreement import multiclass_kappa
from ..evaluation import Evaluation
from ..tally.cells import cells
from ..tally.tally import Tally
from .averages import check_labels, select_labels
from .call_checks import Rule, accepts, number, numbers_among, one_of, warn, warn_undefined
from .targets import MULTILABEL, CountedLabels, as_array, count_labels

NAN = numbers_among(math.nan)


@accepts(normalize=one_of("true", "pred", "all") | None)
def confusion_matrix(
    y_true: Any, y_pred: Any, *, labels: Any = None, sample_weight: Any = None, normalize: str | None = None
) -> Array:
    """Return how often each true label was predicted as each label, rows true; ``ev.confusion_matrix()``.

    Parameters
    ----------
    y_true, y_pred : array-like
        One label per example.
    labels : array-like, optional
        The labels of the rows and columns, in order. Examples with other labels are left out.
    sample_weight : array-like, optional
        One weight for each example. Integers have integer sums.
    normalize : str, optional
        "true", "pred" or "all": shares of each true label, of each predicted label, or of all examples.

    Returns
    -------
    array
        The matrix; 0 where a share is undefined.

    Examples
    --------
    >>> from indicatrix.sklearn import confusion_matrix
    >>> confusion_matrix(["cat", "ant", "cat", "bird"], ["ant", "ant", "cat", "cat"]).tolist()
    [[1, 0, 0], [0, 0, 1], [1, 0, 1]]
    """
    empty = not as_array(y_true, "y_true", "confusion_matrix").shape[0]
    if empty and normalize is None and labels is not None and len(labels):
        return np.zeros((len(labels),) * 2, int)
    counted = labels_only(count_labels(y_true, y_pred, sample_weight, caller="confusion_matrix"))
    table = pairs_of(counted, labels).confusion_matrix(normalize, undefined=0)
    whole = normalize is None and (counted.weights is None or counted.weights.dtype.kind in "iub")
    return table if whole and table.dtype == object else table.astype(np.int64 if whole else np.float64)


@accepts()
def multilabel_confusion_matrix(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, labels: Any = None, samplewise: bool = False
) -> Array:
    """Return the four counts of each label as a 2 x 2 matrix; ``ev.aggregate("class")``.

    Its rows are tn, fp and fn, tp.

    Parameters
    ----------
    y_true, y_pred : array-like or sparse matrix
        One label per example, or 0/1 matrices with several labels per example.
    sample_weight : array-like, optional
        One weight for each example.
    labels : array-like, optional
        The classes that count, absent ones included, and their order. Of matrices: the numbers of columns.
    samplewise : bool, default False
        True counts each example of a matrix instead of each label.

    Returns
    -------
    array
        One 2 x 2 matrix for each label, or for each example.

    Examples
    --------
    >>> from indicatrix.sklearn import multilabel_confusion_matrix
    >>> multilabel_confusion_matrix([[1, 0], [0, 1]], [[1, 0], [1, 1]]).tolist()
    [[[0, 1], [0, 1]], [[1, 0], [0, 1]]]
    """
    counted = count_labels(y_true, y_pred, sample_weight, caller="multilabel_confusion_matrix")
    counted = select_labels(counted, "samples" if samplewise else None, labels)
    if not samplewise:
        return two_by_two(counted.ev.aggregate("class"), 1)
    return two_by_two(cells(counted.y_true, counted.y_pred).aggregate("example"), counted.weights)


def two_by_two(v: Counts, times: Any) -> Array:
    """Return counts as one 2 x 2 matrix for each unit, every unit as often as it counts."""
    table = np.stack([v.tn, v.fp, v.fn, v.tp]) * (1 if times is None else times)
    return np.asarray(table).T.reshape(-1, 2, 2)


@accepts(weights=one_of("linear", "quadratic") | None, replace_undefined_by=number(-1.0, 1.0) | NAN)
def cohen_kappa_score(
    y1: Any,
    y2: Any,
    *,
    labels: Any = None,
    weights: str | None = None,
    sample_weight: Any = None,
    replace_undefined_by: float = math.nan,
) -> float:
    """Return the agreement of two raters beyond chance; ``ix.multiclass_kappa``.

    Parameters
    ----------
    y1, y2 : array-like
        The labels that each rater gave.
    labels : array-like, optional
        The labels that count, in order. Examples with other labels are left out.
    weights : str, optional
        "linear" or "quadratic": labels disagree more, the further apart they are in their order.
    sample_weight : array-like, optional
        One weight for each example.
    replace_undefined_by : float, default nan
        The result where kappa is undefined.

    Returns
    -------
    float
        Kappa, at most 1.

    Examples
    --------
    >>> from indicatrix.sklearn import cohen_kappa_score
    >>> cohen_kappa_score(["no", "yes", "no", "maybe", "yes"], ["no", "yes", "no", "maybe", "no"])
    0.6875
    """
    table = _pairs_of_raters(labels_only(count_labels(y1, y2, sample_weight, caller="cohen_kappa_score")), labels)
    kappa = float(multiclass_kappa.function(table.astype(object), weights=weights))
    if not math.isnan(kappa):
        return kappa
    reason = "`y1`, `y2` and `labels` have only one label in common." if table.any() else NOTHING_IN_COMMON
    warn_undefined(f"{reason} `cohen_kappa_score` is undefined and set to {replace_undefined_by}, see `replace_undefined_by`.")
    return replace_undefined_by


NOTHING_IN_COMMON = "`y2` contains no labels that are present in both `y1` and `labels`."


def _pairs_of_raters(counted: Any, labels: Any) -> Array:
    """Return the pairs of labels of two raters; the error for unknown labels names the first one."""
    try:
        return pairs_of(counted, labels).confusion
    except NoTrueLabelError as error:
        raise ValueError("At least one label in `labels` must be present in `y1`, the first rater.") from error


@accepts()
def matthews_corrcoef(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the correlation of true and predicted labels; ``ix.multiclass_mcc``, 0 if undefined.

    Parameters
    ----------
    y_true, y_pred : array-like
        One label per example.
    sample_weight : array-like, optional
        One weight for each example.

    Returns
    -------
    float
        A number between -1 and 1.

    Examples
    --------
    >>> from indicatrix.sklearn import matthews_corrcoef
    >>> round(matthews_corrcoef([1, 1, 1, -1], [1, -1, 1, 1]), 2)
    -0.33
    """
    counted = labels_only(count_labels(y_true, y_pred, sample_weight, caller="matthews_corrcoef"))
    return float(pairs_of(counted, None).score("multiclass_mcc", undefined=0))


@accepts(replace_undefined_by=numbers_among(1.0, math.nan) | Rule("an instance of 'dict'", lambda value: isinstance(value, dict)))
def class_likelihood_ratios(
    y_true: Any, y_pred: Any, *, labels: Any = None, sample_weight: Any = None, replace_undefined_by: Any = math.nan
) -> tuple[float, float]:
    """Return the positive and the negative likelihood ratio of the second of two classes.

    They are ``ix.measures.positive_likelihood_ratio`` and ``ix.measures.negative_likelihood_ratio``.

    Parameters
    ----------
    y_true, y_pred : array-like
        One of two labels per example.
    labels : array-like, optional
        The negative and the positive label.
    sample_weight : array-like, optional
        One weight for each example.
    replace_undefined_by : float or dict, default nan
        What an undefined ratio becomes: nan, 1.0, or ``{"LR+": …, "LR-": …}``.

    Returns
    -------
    tuple of float
        The positive and the negative ratio.

    Examples
    --------
    >>> from indicatrix.sklearn import class_likelihood_ratios
    >>> class_likelihood_ratios(["no", "yes", "no", "yes", "no"], ["yes", "yes", "no", "no", "no"])
    (1.5, 0.75)
    """
    counted = count_labels(y_true, y_pred, sample_weight, caller="class_likelihood_ratios")
    if counted.kind != "binary":
        raise ValueError(
            f"class_likelihood_ratios only supports binary classification problems, got targets of type: {counted.kind}"
        )
    instead = _replacements(replace_undefined_by)
    (tn, fp), (fn, tp) = pairs_of(counted, labels).confusion.tolist()
    return _ratios(Counts(tp, fp, fn, tn, signed=True), instead)


def _ratios(v: Counts, instead: tuple[float, float]) -> tuple[float, float]:
    """Return both likelihood ratios of one class, with warnings about those that are undefined."""
    positive, negative = float(positive_likelihood_ratio(v)), float(negative_likelihood_ratio(v))
    control = "Use the `replace_undefined_by` param to control this behavior."
    if v.tpos == 0:
        both = "`positive_likelihood_ratio` and `negative_likelihood_ratio` are both set to `np.nan`."
        warn_undefined(f"No samples of the positive class are present in `y_true`. {both} {control}")
    if v.fp == 0:
        nothing = "No samples were predicted for the positive class and `positive_likelihood_ratio` is set to `np.nan`."
        warn_undefined(f"{'`positive_likelihood_ratio` is ill-defined and set to `np.nan`.' if v.tp else nothing} {control}")
        positive = instead[0]
    if v.tn == 0:
        warn_undefined(f"`negative_likelihood_ratio` is ill-defined and set to `np.nan`. {control}")
        negative = instead[1]
    return float(positive), float(negative)


def _replacements(given: Any) -> tuple[float, float]:
    """Return what stands for an undefined positive and an undefined negative ratio."""
    if not isinstance(given, dict):
        return float(given), float(given)
    ranges = {"LR+": (1.0, math.inf), "LR-": (0.0, 1.0)}
    values = [given.get(name) for name in ranges]
    for value, (low, high) in zip(values, ranges.values(), strict=True):
        if not isinstance(value, int | float) or not (math.isnan(value) or low <= value <= high):
            raise ValueError(
                "The dictionary passed as `replace_undefined_by` needs to be in the form `{'LR+': `value_1`, 'LR-': `value_2`}`: "
                f"`LR+` from 1 to infinity or nan, `LR-` from 0 to 1 or nan; got `{given}`."
            )
    return float(values[0] or 0), float(values[1] or 0)


def labels_only(counted: CountedLabels) -> CountedLabels:
    """Return the counts of one label per example; matrices are refused."""
    if counted.kind == MULTILABEL:
        raise ValueError(f"{counted.kind} is not supported")
    return counted


class NoTrueLabelError(ValueError):
    """None of the labels that were asked for is a true label."""


def pairs_of(counted: CountedLabels, labels: Any = None) -> Evaluation:
    """Return the evaluation of pairs of some labels, of which one must be a true label.

    A table of one label alone gets a warning.
    """
    names = [*counted.ev.classes] if labels is None else check_labels(counted, labels)
    if not names:
        raise ValueError("'labels' should contain at least one label.")
    if labels is not None and not _is_true(counted, names):
        raise NoTrueLabelError("At least one label specified must be in y_true")
    if len(names) == 1:
        warn(
            "A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have the correct shape, use the "
            "'labels' parameter to pass all known labels."
        )
    if labels is None:
        return counted.with_pairs
    once = [*dict.fromkeys(names)]
    pairs = counted.with_pairs.only(once, absent="add")
    return pairs if len(once) == len(names) else _at_last_places(pairs, names)


def _is_true(counted: CountedLabels, names: list[Any]) -> bool:
    """Return whether one of the labels is a true one; also in examples whose weights sum to 0."""
    true = {c for c, k in zip(counted.ev.classes, counted.ev.aggregate("class").tpos, strict=True) if k}
    return not true.isdisjoint(names) or (counted.weights is not None and bool(np.isin(counted.y_true, names).any()))


def _at_last_places(pairs: Evaluation, names: list[Any]) -> Evaluation:
    """Return pairs of labels of which some were named twice: the last of these places has them all."""
    last = {name: place for place, name in enumerate(names)}
    part = pairs.tally.pooled.widen(np.array([last[name] for name in pairs.classes]), len(names))
    return replace(pairs, tally=Tally(tuple(range(len(names))), {(): part}, pairs.n, open=False))
