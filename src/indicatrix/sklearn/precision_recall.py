"""Drop-ins of measures under an average: precision, recall, F-beta, Jaccard."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .averages import JACCARD, PRECISION, RECALL, f_score, one_score, select_labels, three_scores
from .call_checks import Rule, accepts, numbers_among, one_of
from .counted_labels import count_labels

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
