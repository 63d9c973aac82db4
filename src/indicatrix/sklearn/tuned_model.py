"""A classifier whose threshold is tuned on held-out scores: ``ix.tune`` as a step."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.model_selection import cross_val_predict
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ..encode.containers import is_table
from ..scores.thresholds.tuning import tune
from .call_checks import method_caller, predict_scores


def _inner_has(name: str) -> Any:
    return available_if(lambda self: hasattr(getattr(self, "estimator_", self.estimator), name))


class TunedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that decides at the threshold at which a measure is best on cross-validated scores.

    ``ix.sklearn.tuned_classifier`` makes it and explains its parameters. It has ``best_threshold_``, ``best_score_``,
    ``estimator_`` and ``classes_`` as ``TunedThresholdClassifierCV`` has them, and ``tuned_``, what ``ix.tune`` returned.
    """

    def __init__(
        self,
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
    ) -> None:
        self.estimator = estimator
        self.measure = measure
        self.average = average
        self.cv = cv
        self.method = method
        self.subject_to = subject_to
        self.positive = positive
        self.response = response
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> TunedClassifier:
        """Fit on all examples, and choose the threshold on scores of examples that were held out."""
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        self.estimator_ = clone(self.estimator).fit(X, y, **weights)
        self.classes_ = self.estimator_.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        self._table = is_table(y)

        def predict_held_out(name: str) -> Any:
            return cross_val_predict(self.estimator, X, y, cv=self.cv, n_jobs=self.n_jobs, method=name, params=weights)

        scores, known = self._scores(predict_held_out)
        if not self._table and np.ndim(scores) != 1:
            raise ValueError(
                f"A threshold separates two classes, and y has {len(self.classes_)}. With several classes decide by argmax, or "
                "tune one classifier for each class."
            )
        how = {"method": self.method, "subject_to": self.subject_to}
        self.tuned_ = tune(y, scores, self.measure, self.average, **how, **known, **weights)
        self.best_threshold_, self.best_score_ = self.tuned_.rule, float(self.tuned_.value)
        return self

    def _scores(self, call: Any) -> tuple[Any, dict[str, Any]]:
        how: dict[str, Any] = {"table": self._table, "positive": self.positive, "response": self.response or "predict_proba"}
        return predict_scores(self.estimator_, call, one=True, **how)

    def predict(self, X: Any) -> Any:
        """Return the labels: positive where the score reaches the threshold."""
        check_is_fitted(self, "estimator_")
        scores, known = self._scores(method_caller(self.estimator_, X))
        reached = scores >= np.asarray(self.best_threshold_)
        if self._table:
            return reached.astype(int)
        at = int(known["classes"].index(known["positive"]))
        return self.classes_[np.where(reached, at, 1 - at)]

    @_inner_has("predict_proba")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the fitted estimator."""
        check_is_fitted(self, "estimator_")
        return self.estimator_.predict_proba(X)

    @_inner_has("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        """Return the scores of the fitted estimator."""
        check_is_fitted(self, "estimator_")
        return self.estimator_.decision_function(X)
