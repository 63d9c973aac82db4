"""Drop-ins that count right and wrong examples: accuracy, 0/1 loss, Hamming loss, balanced accuracy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..catalogue.matrices.shares import multiclass_informedness
from .call_checks import accepts, warn
from .counted_labels import MULTILABEL, count_labels
from .tables import labels_only, pairs_of


@accepts()
def accuracy_score(y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None) -> float:
    """Return the share of examples whose labels are all right; ``ix.measures.exact_match``.

    Parameters
    ----------
    y_true, y_pred : array-like or sparse matrix
        One label per example, or 0/1 matrices with several labels per example.
    normalize : bool, default True
        False returns the number of such examples, or the sum of their weights.
    sample_weight : array-like, optional
        One weight for each example.

    Returns
    -------
    float
        A share, or a number of examples.

    Examples
    --------
    >>> from indicatrix.sklearn import accuracy_score
    >>> accuracy_score([0, 1, 2, 3], [0, 2, 1, 3]), accuracy_score([0, 1, 2, 3], [0, 2, 1, 3], normalize=False)
    (0.5, 2.0)
    """
    score = count_labels(y_true, y_pred, sample_weight, caller="accuracy_score", by_value=True).ev.score("subset_accuracy")
    return float(score) if normalize else float(score.total)


@accepts()
def zero_one_loss(y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None) -> float:
    """Return the share of examples with a wrong label; ``ix.measures.zero_one_loss``.

    Parameters
    ----------
    y_true, y_pred : array-like or sparse matrix
        One label per example, or 0/1 matrices with several labels per example.
    normalize : bool, default True
        False returns the number of such examples, or the sum of their weights.
    sample_weight : array-like, optional
        One weight for each example.

    Returns
    -------
    float
        A share, or a number of examples.

    Examples
    --------
    >>> from indicatrix.sklearn import zero_one_loss
    >>> zero_one_loss([0, 1, 2, 3], [0, 2, 1, 3]), zero_one_loss([0, 1, 2, 3], [0, 2, 1, 3], normalize=False)
    (0.5, 2.0)
    """
    score = count_labels(y_true, y_pred, sample_weight, caller="zero_one_loss", by_value=True).ev.score("zero_one_loss")
    return float(score) if normalize else float(score.total)


@accepts()
def hamming_loss(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the share of labels that are wrong; of one label per example the share of examples.

    Parameters
    ----------
    y_true, y_pred : array-like or sparse matrix
        One label per example, or 0/1 matrices with several labels per example.
    sample_weight : array-like, optional
        One weight for each example.

    Returns
    -------
    float
        The share of differing entries of the matrices: ``ix.error_rate`` with average="micro", or ``ix.measures.zero_one_loss``.

    Examples
    --------
    >>> from indicatrix.sklearn import hamming_loss
    >>> hamming_loss([[0, 1], [1, 1]], [[0, 0], [0, 0]]), hamming_loss([1, 2, 3, 4], [2, 2, 3, 4])
    (0.75, 0.25)
    """
    counted = count_labels(y_true, y_pred, sample_weight, caller="hamming_loss", by_value=True)
    matrices = counted.kind == MULTILABEL
    return float(counted.ev.score("error_rate", "micro") if matrices else counted.ev.score("zero_one_loss"))


@accepts()
def balanced_accuracy_score(y_true: Any, y_pred: Any, *, sample_weight: Any = None, adjusted: bool = False) -> float:
    """Return the mean recall of the classes that occur; ``ix.recall`` with average="macro".

    Parameters
    ----------
    y_true, y_pred : array-like
        One label per example.
    sample_weight : array-like, optional
        One weight for each example.
    adjusted : bool, default False
        True rescales it so that guessing has 0 and a perfect result 1: ``ix.measures.multiclass_informedness``.

    Returns
    -------
    float
        The score.

    Examples
    --------
    >>> from indicatrix.sklearn import balanced_accuracy_score
    >>> y_true, y_pred = [0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1]
    >>> balanced_accuracy_score(y_true, y_pred), balanced_accuracy_score(y_true, y_pred, adjusted=True)
    (0.625, 0.25)
    """
    counted = labels_only(count_labels(y_true, y_pred, sample_weight, caller="balanced_accuracy_score"))
    pairs, score = pairs_of(counted), counted.ev.score("recall", "macro")
    if not np.isfinite(score.values).all():
        warn("y_pred contains classes not in y_true")
    return float(multiclass_informedness(pairs) if adjusted else score)
