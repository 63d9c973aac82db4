"""scikit-learn's scores of rankings of labels, by their names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..scores.label_rankings.gains import discounted_gain, hits_at_k, normalized_gain
from ..scores.label_rankings.label_orders import Orders
from ..scores.label_rankings.ranking_scores import RANKINGS
from .call_checks import Rule, accepts, number, warn_undefined
from .score_inputs import (
    SHAPE,
    check_known,
    code_labels,
    finite_weights,
    gains_of,
    labels_of,
    mean,
    numbers,
    ordered_classes,
    orders_of,
    weights_of_mean,
)
from .targets import check_lengths, column

ABOVE_0 = Rule("a float in the range (0.0, inf)", lambda value: isinstance(value, int | float) and value > 0)


@accepts()
def coverage_error(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return how many of the top labels contain all true ones, as ``coverage_error`` does.

    Parameters
    ----------
    y_true : array-like
        A 0/1 matrix with a column for each label.
    y_score : array-like
        One row per example with a number for each label.
    sample_weight : array-like, optional
        One weight for each example.

    Returns
    -------
    float
        The mean over examples; one without labels counts 0. ``ix.measures.coverage_error`` leaves it out.

    Examples
    --------
    >>> from indicatrix.sklearn import coverage_error
    >>> coverage_error([[1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]])
    1.5
    """
    y, scores = numbers(y_true, "y_true", two=True), numbers(y_score, "y_score", two=True)
    return float(RANKINGS["coverage_error"].score(orders_of(y, scores, sample_weight), undefined=0))


@accepts()
def label_ranking_average_precision_score(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return the mean over true labels of the precision at their rank, averaged over examples.

    It is ``sklearn.metrics.label_ranking_average_precision_score``.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        A 0/1 matrix with a column for each label.
    y_score : array-like
        One row per example with a number for each label.
    sample_weight : array-like, optional
        One weight for each example.

    Returns
    -------
    float
        The mean over examples; one without labels counts 1. ``ix.measures.label_ranking_ap`` leaves it out.

    Examples
    --------
    >>> from indicatrix.sklearn import label_ranking_average_precision_score
    >>> round(label_ranking_average_precision_score([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]), 4)
    0.4167
    """
    try:
        given = orders_of(y_true, y_score, sample_weight, binary=True)
    except ZeroDivisionError:  # scikit-learn has an error for it in the other rankings, and nan here
        return float("nan")
    return float(RANKINGS["label_ranking_ap"].score(given, undefined=1))


@accepts()
def label_ranking_loss(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return the share of pairs of a true and a false label in wrong order.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        A 0/1 matrix with a column for each label.
    y_score : array-like
        One row per example with a number for each label.
    sample_weight : array-like, optional
        One weight for each example.

    Returns
    -------
    float
        The mean over examples; one without such a pair counts 0. ``ix.measures.ranking_loss`` leaves it out.

    Examples
    --------
    >>> from indicatrix.sklearn import label_ranking_loss
    >>> label_ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    return float(RANKINGS["ranking_loss"].score(orders_of(y_true, y_score, sample_weight), undefined=0))


@accepts(log_base=ABOVE_0)
def dcg_score(
    y_true: Any, y_score: Any, *, k: int | None = None, log_base: float = 2, sample_weight: Any = None, ignore_ties: bool = False
) -> float:
    """Return discounted cumulative gain, as ``sklearn.metrics.dcg_score`` does.

    Parameters
    ----------
    y_true : array-like
        How relevant each label is, one row per example.
    y_score : array-like
        One row per example with a number for each label.
    k : int, optional
        How many of the highest scores count. Default: all.
    log_base : number, default 2
        The base of the logarithm.
    sample_weight : array-like, optional
        One weight for each example.
    ignore_ties : bool, default False
        True ranks the last of tied labels first; False takes the mean over all orders of the tied ones.

    Returns
    -------
    float
        The mean over examples. ``ix.measures.dcg`` has exponential gains, too.

    Examples
    --------
    >>> from indicatrix.sklearn import dcg_score
    >>> dcg_score([[1, 0, 2]], [[0.9, 0.5, 0.1]])
    2.0
    """
    given = _columns(gains_of(y_true, y_score, sample_weight), ignore_ties)
    return float(discounted_gain(k, log_base=log_base, ignore_ties=ignore_ties).score(given, undefined=0))


@accepts()
def ndcg_score(y_true: Any, y_score: Any, *, k: int | None = None, sample_weight: Any = None, ignore_ties: bool = False) -> float:
    """Return discounted cumulative gain over that of the best ranking, as ``ndcg_score`` does.

    Parameters
    ----------
    y_true : array-like
        How relevant each label is, one row per example; no number is negative.
    y_score : array-like
        One row per example with a number for each label.
    k : int, optional
        How many of the highest scores count. Default: all.
    sample_weight : array-like, optional
        One weight for each example.
    ignore_ties : bool, default False
        True ranks the last of tied labels first; False takes the mean over all orders of the tied ones.

    Returns
    -------
    float
        The mean over examples; one without relevant labels counts 0. ``ix.ndcg`` leaves it out.

    Examples
    --------
    >>> from indicatrix.sklearn import ndcg_score
    >>> round(ndcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]), 4)
    0.6957
    """
    y = numbers(y_true, "y_true")
    if y.min() < 0:
        raise ValueError("ndcg_score should not be used on negative y_true values.")
    if y.ndim > 1 and y.shape[1] <= 1:
        raise ValueError(f"Computing NDCG is only meaningful when there is more than 1 document. Got {y.shape[1]} instead.")
    given = _columns(gains_of(y, y_score, sample_weight), ignore_ties)
    return float(normalized_gain(k, ignore_ties=ignore_ties).score(given, undefined=0))


def _columns(given: Orders, ignore_ties: bool) -> Orders:
    """Return the labels in reverse, where the first of tied ones is to be the last column."""
    return replace(given, truth=given.truth[:, ::-1], scores=given.scores[:, ::-1]) if ignore_ties else given


@accepts(k=number(1, whole=True))
def top_k_accuracy_score(
    y_true: Any, y_score: Any, *, k: int = 2, normalize: bool = True, sample_weight: Any = None, labels: Any = None
) -> float:
    """Return the share of examples whose label is among the k with the highest scores.

    It is ``sklearn.metrics.top_k_accuracy_score``. Ties go to the last column.

    Parameters
    ----------
    y_true : array-like
        One label per example.
    y_score : array-like
        One number per example for the greater of two labels, or a row per example with one for each label in sorted order.
    k : int, default 2
        How many of the highest scores count.
    normalize : bool, default True
        False gives the number of examples in place of the share.
    sample_weight : array-like, optional
        One weight for each example.
    labels : array-like, optional
        All labels in sorted order, where some do not occur in ``y_true``.

    Returns
    -------
    float
        The share or the number. ``ix.top_k_accuracy`` has other ties, and averages over classes.

    Examples
    --------
    >>> from indicatrix.sklearn import top_k_accuracy_score
    >>> top_k_accuracy_score([0, 1, 2, 2], [[0.5, 0.2, 0.2], [0.3, 0.4, 0.2], [0.2, 0.4, 0.3], [0.7, 0.2, 0.1]])
    0.75
    """
    scores, codes, n_classes = _ranked_classes(y_true, y_score, sample_weight, labels)
    if k >= n_classes:
        warn_undefined(
            f"'k' ({k}) greater than or equal to 'n_classes' ({n_classes}) will result in a perfect score and is therefore "
            "meaningless."
        )
    hits = hits_at_k(scores, codes, k, "last")
    if normalize:
        return mean(hits, weights_of_mean(sample_weight))
    weights = finite_weights(sample_weight)
    return float(hits.sum() if weights is None else hits @ weights)


def _ranked_classes(y_true: Any, y_score: Any, sample_weight: Any, labels: Any) -> tuple[Array, Array, int]:
    """Return the scores of all classes, the code of each label, and the number of classes."""
    y, kind = labels_of(y_true)
    y, scores = column(y), numbers(y_score, "y_score")
    if kind == "binary" and labels is not None and len(labels) > 2:
        kind = "multiclass"
    if kind not in ("binary", "multiclass"):
        raise ValueError(f"y type must be 'binary' or 'multiclass', got '{kind}' instead.")
    if kind == "binary" and scores.ndim == 2 and scores.shape[1] != 1:
        raise ValueError(
            f"`y_true` is binary while y_score is 2d with {scores.shape[1]} classes. If `y_true` does not contain all the "
            "labels, `labels` must be provided."
        )
    if kind == "multiclass" and scores.ndim != 2:
        raise ValueError(SHAPE.format(scores.shape))
    check_lengths(y, scores, sample_weight)
    if kind == "binary":
        scores = column(scores)
        cut = 0.5 if scores.min() >= 0 and scores.max() <= 1 else 0
        scores = np.where(scores[:, None] > cut, np.array([0, 1]), np.array([1, 0]))
    classes, codes = _code(y, labels, scores.shape[1])
    return scores, codes, len(classes)


def _code(y: Array, labels: Any, width: int) -> tuple[Array, Array]:
    if labels is None:
        classes, codes = code_labels(y)
        if len(classes) != width:
            raise ValueError(
                f"Number of classes in 'y_true' ({len(classes)}) not equal to the number of classes in 'y_score' ({width})."
                "You can provide a list of all known classes by assigning it to the `labels` parameter."
            )
        return classes, codes
    classes = ordered_classes(labels, ".")
    if len(classes) != width:
        raise ValueError(f"Number of given labels ({len(classes)}) not equal to the number of classes in 'y_score' ({width}).")
    check_known(y, classes, ".")
    return code_labels(y, classes)
