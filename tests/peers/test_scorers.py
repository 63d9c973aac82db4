"""Measures, areas and functions of the matrix are metrics for scikit-learn: scorers, cross-validation, searches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from loops import for_each
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer, roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_validate

import indicatrix as ix
from indicatrix.catalogue.matrices import MATRIX_MEASURES

X, Y = load_iris(return_X_y=True)
MODEL = LogisticRegression(max_iter=200)
FITTED = clone(MODEL).fit(X[::2], Y[::2])
CALLED: list[Any] = [*dict.fromkeys(ix.algebra.MEASURES.values()), *dict.fromkeys(MATRIX_MEASURES.values())]


@for_each("called", CALLED)
def test_a_scorer_is_named_after_its_measure_and_gives_its_value(called: Any) -> None:
    options = {} if called.name in MATRIX_MEASURES or called.averages else {"average": "macro"}
    scorer = make_scorer(called, **options)
    assert called.name in repr(scorer)
    expected = called(Y, FITTED.predict(X), **options)
    assert np.array_equal(scorer(FITTED, X, Y), float(expected), equal_nan=True)


@pytest.mark.slow
def test_cross_validation_takes_several_scorers() -> None:
    scoring = {
        "ours": make_scorer(ix.f1, average="macro"),
        "theirs": make_scorer(f1_score, average="macro"),
        "kappa": make_scorer(ix.multiclass_kappa),
        "exact": make_scorer(ix.measures.exact_match),
    }
    found = cross_validate(MODEL, X, Y, scoring=scoring, cv=3)
    assert np.allclose(found["test_ours"], found["test_theirs"], rtol=1e-12)
    assert found["test_kappa"].dtype == np.float64 == found["test_exact"].dtype


@pytest.mark.slow
def test_a_search_takes_an_area_of_scores() -> None:
    y = (Y == 1).astype(int)
    scoring = {
        "ours": make_scorer(ix.auc, response_method="decision_function"),
        "theirs": make_scorer(roc_auc_score, response_method="decision_function"),
    }
    search = GridSearchCV(MODEL, {"C": [0.1, 1.0]}, scoring=scoring, refit="ours", cv=3).fit(X, y)
    assert np.allclose(search.cv_results_["mean_test_ours"], search.cv_results_["mean_test_theirs"], rtol=1e-12)
    assert search.best_score_ == search.cv_results_["mean_test_ours"].max()
