"""Drop-ins of measures under an average: precision, recall, F-beta, Jaccard.

Drop-ins that count right and wrong examples: accuracy, 0/1 loss, Hamming loss, balanced accuracy.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..catalogue.matrices.agreement import multiclass_informedness
from .averages import JACCARD, PRECISION, RECALL, f_score, one_score, select_labels, three_scores
from .call_checks import Rule, accepts, numbers_among, one_of, warn
from .tables import labels_only, pairs_of
from .targets import MULTILABEL, count_labels

ANY_OF = Rule("an instance of 'list', 'tuple' or 'set'", lambda value: isinstance(value, list | tuple | set))


@accepts(warn_for=ANY_OF)
def precision_recall_fscore_support(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float = 1.0,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = None,
    warn_for: Iterable[str] = ("precision", "recall", "f-score"),
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> tuple[Any, Any, Any, Any]:
    """Return precision, recall, F-beta and the number of examples of each class, from one count.

    Parameters
    ----------
    y_true, y_pred : array-like or sparse matrix
        One label per example, or 0/1 matrices with several labels per example.
    beta : float, default 1.0
        How many times as much recall counts as precision; infinity is recall.
    labels : array-like, optional
        The classes that count, absent ones included, and their order. Of matrices: the numbers of columns.
    pos_label : label, default 1
        The class that average="binary" scores.
    average : str, optional
        "binary", "micro", "macro", "weighted" or "samples". None: one value for each class.
    warn_for : list, tuple or set, default ('precision', 'recall', 'f-score')
        Which of the three warn about undefined values.
    sample_weight : array-like, optional
        One weight for each example.
    zero_division : str or number, default 'warn'
        What an undefined value becomes: 0, 1 or nan, which is left out of averages. "warn" is 0 with a warning.

    Returns
    -------
    tuple
        Precision, recall and F-beta: floats, or arrays for average=None. The last is the number of examples of each class, None
        for an average.

    Examples
    --------
    >>> from indicatrix.sklearn import precision_recall_fscore_support
    >>> y_true, y_pred = ["cat", "dog", "pig", "cat", "dog", "pig"], ["cat", "pig", "dog", "cat", "cat", "dog"]
    >>> precision_recall_fscore_support(y_true, y_pred, average="micro")
    (0.3333333333333333, 0.3333333333333333, 0.3333333333333333, None)
    """
    counted = count_labels(y_true, y_pred, sample_weight, caller="precision_recall_fscore_support")
    return three_scores(select_labels(counted, average, labels, pos_label), beta, average, warn_for, zero_division)


@accepts()
def precision_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return the share of predicted positives that are positive; ``ix.precision``.

    Parameters
    ----------
    y_true, y_pred : array-like or sparse matrix
        One label per example, or 0/1 matrices with several labels per example.
    labels : array-like, optional
        The classes that count, absent ones included, and their order. Of matrices: the numbers of columns.
    pos_label : label, default 1
        The class that average="binary" scores.
    average : str, default 'binary'
        "binary", "micro", "macro", "weighted" or "samples". None: one value for each class.
    sample_weight : array-like, optional
        One weight for each example.
    zero_division : str or number, default 'warn'
        What an undefined value becomes: 0, 1 or nan, which is left out of averages. "warn" is 0 with a warning.

    Returns
    -------
    float or array
        The score, or one for each class.

    Examples
    --------
    >>> from indicatrix.sklearn import precision_score
    >>> precision_score([0, 1, 2, 0, 1, 2], [0, 2, 1, 0, 0, 1], average="macro", zero_division=0)
    0.2222222222222222
    """
    return one_score("precision_score", PRECISION, y_true, y_pred, (labels, pos_label, average, sample_weight, zero_division))


@accepts()
def recall_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return the share of actual positives that are found; ``ix.recall``.

    Parameters
    ----------
    y_true, y_pred : array-like or sparse matrix
        One label per example, or 0/1 matrices with several labels per example.
    labels : array-like, optional
        The classes that count, absent ones included, and their order. Of matrices: the numbers of columns.
    pos_label : label, default 1
        The class that average="binary" scores.
    average : str, default 'binary'
        "binary", "micro", "macro", "weighted" or "samples". None: one value for each class.
    sample_weight : array-like, optional
        One weight for each example.
    zero_division : str or number, default 'warn'
        What an undefined value becomes: 0, 1 or nan, which is left out of averages. "warn" is 0 with a warning.

    Returns
    -------
    float or array
        The score, or one for each class.

    Examples
    --------
    >>> from indicatrix.sklearn import recall_score
    >>> recall_score([0, 1, 2, 0, 1, 2], [0, 2, 1, 0, 0, 1], average=None).tolist()
    [1.0, 0.0, 0.0]
    """
    return one_score("recall_score", RECALL, y_true, y_pred, (labels, pos_label, average, sample_weight, zero_division))


@accepts()
def f1_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return the harmonic mean of precision and recall; ``ix.f1``.

    Parameters
    ----------
    y_true, y_pred : array-like or sparse matrix
        One label per example, or 0/1 matrices with several labels per example.
    labels : array-like, optional
        The classes that count, absent ones included, and their order. Of matrices: the numbers of columns.
    pos_label : label, default 1
        The class that average="binary" scores.
    average : str, default 'binary'
        "binary", "micro", "macro", "weighted" or "samples". None: one value for each class.
    sample_weight : array-like, optional
        One weight for each example.
    zero_division : str or number, default 'warn'
        What an undefined value becomes: 0, 1 or nan, which is left out of averages. "warn" is 0 with a warning.

    Returns
    -------
    float or array
        The score, or one for each class.

    Examples
    --------
    >>> from indicatrix.sklearn import f1_score
    >>> f1_score([0, 1, 1, 0], [0, 1, 0, 0]), f1_score(["a", "b", "b"], ["a", "b", "c"], labels=["b"], average="macro")
    (0.6666666666666666, 0.6666666666666666)
    """
    return one_score("f1_score", f_score(1), y_true, y_pred, (labels, pos_label, average, sample_weight, zero_division))


@accepts()
def fbeta_score(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return the weighted harmonic mean of precision and recall; ``ix.f_beta``.

    Parameters
    ----------
    y_true, y_pred : array-like or sparse matrix
        One label per example, or 0/1 matrices with several labels per example.
    beta : float
        How many times as much recall counts as precision; infinity is recall.
    labels : array-like, optional
        The classes that count, absent ones included, and their order. Of matrices: the numbers of columns.
    pos_label : label, default 1
        The class that average="binary" scores.
    average : str, default 'binary'
        "binary", "micro", "macro", "weighted" or "samples". None: one value for each class.
    sample_weight : array-like, optional
        One weight for each example.
    zero_division : str or number, default 'warn'
        What an undefined value becomes: 0, 1 or nan, which is left out of averages. "warn" is 0 with a warning.

    Returns
    -------
    float or array
        The score, or one for each class.

    Examples
    --------
    >>> from indicatrix.sklearn import fbeta_score
    >>> fbeta_score([0, 1, 2, 0, 1, 2], [0, 2, 1, 0, 0, 1], average="macro", beta=0.5)
    0.2380952380952381
    """
    return one_score("fbeta_score", f_score(beta), y_true, y_pred, (labels, pos_label, average, sample_weight, zero_division))


@accepts(zero_division=numbers_among(0, 1) | one_of("warn"))
def jaccard_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return the true positives among what is positive or predicted positive; ``ix.jaccard``.

    Parameters
    ----------
    y_true, y_pred : array-like or sparse matrix
        One label per example, or 0/1 matrices with several labels per example.
    labels : array-like, optional
        The classes that count, absent ones included, and their order. Of matrices: the numbers of columns.
    pos_label : label, default 1
        The class that average="binary" scores.
    average : str, default 'binary'
        "binary", "micro", "macro", "weighted" or "samples". None: one value for each class.
    sample_weight : array-like, optional
        One weight for each example.
    zero_division : str or number, default 'warn'
        What an undefined value becomes: 0 or 1. "warn" is 0 with a warning.

    Returns
    -------
    float or array
        The score, or one for each class.

    Examples
    --------
    >>> from indicatrix.sklearn import jaccard_score
    >>> jaccard_score([[0, 1, 1], [1, 1, 0]], [[1, 1, 1], [1, 0, 0]], average="samples")
    0.5833333333333333
    """
    return one_score("jaccard_score", JACCARD, y_true, y_pred, (labels, pos_label, average, sample_weight, zero_division))


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
