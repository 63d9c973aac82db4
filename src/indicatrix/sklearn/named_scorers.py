"""scikit-learn's makers of scorers, for the functions of this package.

A scorer is for scikit-learn's searches, so here, and only here, it must be installed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..algebra.measure import Measure
from ..words.wording import short
from .areas import average_precision_score, roc_auc_score
from .call_checks import need_scikit_learn
from .losses import brier_score_loss, d2_brier_score, d2_log_loss_score, log_loss
from .precision_recall import accuracy_score, balanced_accuracy_score, f1_score, jaccard_score, precision_score, recall_score
from .rankings import top_k_accuracy_score
from .scorer import scorer
from .tables import class_likelihood_ratios, matthews_corrcoef

SCORES = ("decision_function", "predict_proba")
AVERAGED = {"f1": f1_score, "precision": precision_score, "recall": recall_score, "jaccard": jaccard_score}


def positive_likelihood_ratio(y_true: Any, y_pred: Any) -> float:
    """Return the first of the two likelihood ratios."""
    return class_likelihood_ratios(y_true, y_pred)[0]


def negative_likelihood_ratio(y_true: Any, y_pred: Any) -> float:
    """Return the second of the two likelihood ratios."""
    return class_likelihood_ratios(y_true, y_pred)[1]


# Each name that get_scorer takes, with its function and what make_scorer is given for it.
NAMED: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "accuracy": (accuracy_score, {}),
    "balanced_accuracy": (balanced_accuracy_score, {}),
    "matthews_corrcoef": (matthews_corrcoef, {}),
    "positive_likelihood_ratio": (positive_likelihood_ratio, {}),
    "neg_negative_likelihood_ratio": (negative_likelihood_ratio, {"greater_is_better": False}),
    "top_k_accuracy": (top_k_accuracy_score, {"response_method": SCORES}),
    "average_precision": (average_precision_score, {"response_method": SCORES}),
    "roc_auc": (roc_auc_score, {"response_method": SCORES}),
    "neg_brier_score": (brier_score_loss, {"response_method": "predict_proba", "greater_is_better": False}),
    "neg_log_loss": (log_loss, {"response_method": "predict_proba", "greater_is_better": False}),
    "d2_brier_score": (d2_brier_score, {"response_method": "predict_proba"}),
    "d2_log_loss_score": (d2_log_loss_score, {"response_method": "predict_proba"}),
    **{
        f"roc_auc_{pairs}{suffix}": (roc_auc_score, {"response_method": "predict_proba", "multi_class": pairs, **average})
        for pairs in ("ovr", "ovo")
        for suffix, average in (("", {}), ("_weighted", {"average": "weighted"}))
    },
    **{name: (function, {"average": "binary"}) for name, function in AVERAGED.items()},
    **{
        f"{name}_{average}": (function, {"average": average, "pos_label": None})
        for name, function in AVERAGED.items()
        for average in ("macro", "micro", "samples", "weighted")
    },
}


def make_scorer(
    score_func: Any, *, response_method: Any = "predict", greater_is_better: bool = True, **kwargs: Any
) -> Callable[..., Any]:
    """Return a scorer of a function of labels and predictions, as scikit-learn's ``make_scorer`` does.

    ``ix.scorer`` makes one from the name of any measure, with the right direction, and predicts only once for several.

    Parameters
    ----------
    score_func : callable, Measure
        A function ``score_func(y_true, y_pred, **kwargs)`` such as ``f1_score``; or a measure of this library, of which
        ``ix.scorer`` makes the scorer.
    response_method : str or tuple of str, default 'predict'
        The methods of the estimator that give ``y_pred``, the first of them that it has.
    greater_is_better : bool, default True
        Whether the function is a score; the scorer of a loss turns its sign. For a measure it is known.
    **kwargs
        What the function is given in addition, such as average="macro".

    Returns
    -------
    callable
        ``scorer(estimator, X, y)`` for ``scoring=`` of scikit-learn.

    Examples
    --------
    >>> from indicatrix.sklearn import f1_score, make_scorer
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> cross_val_score(GaussianNB(), X, y, scoring=make_scorer(f1_score, average="macro"), cv=3).round(2).tolist()
    [0.92, 0.94, 0.96]
    """
    need_scikit_learn("make_scorer")
    if isinstance(score_func, Measure):
        if response_method != "predict":
            kwargs = {"response": response_method, **kwargs}
        return scorer(score_func, **kwargs)
    if not callable(score_func):
        raise TypeError(
            f"make_scorer takes a function such as f1_score, not {short(score_func)}. get_scorer('f1_macro') and "
            "ix.scorer('f1', average='macro') take names."
        )
    from sklearn.metrics import make_scorer as made_there

    made: Callable[..., Any] = made_there(
        score_func, response_method=response_method, greater_is_better=greater_is_better, **kwargs
    )
    return made


def get_scorer(scoring: Any) -> Callable[..., Any]:
    """Return the scorer of a name, such as "f1_macro", on the functions of this package.

    Parameters
    ----------
    scoring : str or callable
        A name that ``get_scorer_names`` lists; of scores that are not of classification it is scikit-learn's own scorer.
        A callable is returned as it is.

    Returns
    -------
    callable
        ``scorer(estimator, X, y)`` for ``scoring=`` of scikit-learn.

    Examples
    --------
    >>> from indicatrix.sklearn import get_scorer
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> round(get_scorer("f1_macro")(GaussianNB().fit(X, y), X, y), 2)
    0.96
    """
    need_scikit_learn("get_scorer")
    if isinstance(scoring, str) and scoring in NAMED:
        function, given = NAMED[scoring]
        return make_scorer(function, **given)
    from sklearn.metrics import get_scorer as known_there

    found: Callable[..., Any] = known_there(scoring)
    return found


def get_scorer_names() -> list[str]:
    """Return the names that ``get_scorer`` takes.

    Returns
    -------
    list of str
        In alphabetical order.

    Examples
    --------
    >>> from indicatrix.sklearn import get_scorer_names
    >>> "f1_macro" in get_scorer_names()
    True
    """
    need_scikit_learn("get_scorer_names")
    from sklearn.metrics import get_scorer_names as known_there

    return sorted({*known_there(), *NAMED})
