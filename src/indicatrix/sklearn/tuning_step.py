"""``ix.sklearn.tuned_classifier``: a classifier with a tuned threshold; loads scikit-learn when used."""

from __future__ import annotations

from typing import Any

from ..algebra.measure_names import split_score
from ..words.call_mistakes import answers_mistakes
from .call_checks import need_scikit_learn


@answers_mistakes
def tuned_classifier(
    estimator: Any,
    measure: Any = "f1",
    average: str | None = None,
    *,
    cv: Any = None,
    method: str = "auto",
    subject_to: Any = None,
    positive: Any = None,
    response: str | None = None,
    n_jobs: int | None = None,
) -> Any:
    """Return a classifier for scikit-learn that decides at the threshold at which a measure is best.

    It is ``ix.tune`` as a step, for use where ``TunedThresholdClassifierCV`` is used. The threshold is chosen on the scores of
    examples that were held out in cross-validation, and every threshold is tried, not a grid. Where theory gives the threshold
    and the scores are calibrated, that is taken. A label matrix has one threshold for each column, or one for all.

    Parameters
    ----------
    estimator : object
        A classifier with ``predict_proba``; it is cloned.
    measure : str or Measure, default 'f1'
        A measure, its name, or a formula.
    average : str, optional
        For a label matrix: 'macro' and 'weighted' have one threshold for each column, 'micro' and 'exemplar' one for all.
    cv : int, splitter or iterable, optional
        The folds, as scikit-learn takes them; each example is tested once. Default: five folds.
    method : str, default 'auto'
        "sweep", "closed form" or "auto", as ``ix.tune`` takes it.
    subject_to : str or iterable of str, optional
        What the threshold has to meet on the held-out examples, as in "precision >= 0.9".
    positive : label, optional
        The positive class. Default: the second of two classes.
    response : str, optional
        The method that gives scores: "predict_proba" (the default) or "decision_function".
    n_jobs : int, optional
        How many folds are fitted at a time, as scikit-learn takes it.

    Returns
    -------
    TunedClassifier
        An estimator. After ``fit`` it has ``best_threshold_``, ``best_score_``, ``estimator_``, ``classes_`` and ``tuned_``, what
        ``ix.tune`` returned.

    Examples
    --------
    >>> import indicatrix as ix
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = ix.sklearn.tuned_classifier(GaussianNB(), "f_beta(beta=2)", cv=3).fit(X, y)
    >>> round(model.best_score_, 2), model.predict(X[:3]).tolist()
    (0.97, [0, 0, 0])
    """
    need_scikit_learn("tuned_classifier")
    from .tuned_model import TunedClassifier

    how = {"cv": cv, "method": method, "positive": positive, "response": response, "n_jobs": n_jobs}
    measure, average = split_score(measure, average)
    return TunedClassifier(estimator, measure, average, subject_to=subject_to, **how)
