"""make_scorer and get_scorer of the drop-ins work where scikit-learn's do, and give the same numbers."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np
import pytest
from loops import for_each
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_iris, make_multilabel_classification
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB

import indicatrix as ix
import indicatrix.sklearn as ours
from indicatrix.sklearn import ELSEWHERE, INSTEAD
from indicatrix.sklearn.named_scorers import NAMED

NOT_LABELS = ("neg_mean_squared_error", "r2")


def problems() -> dict[str, tuple[Any, Any, Any]]:
    """Return a fitted model with its data, for each kind of labels."""
    binary, several = load_breast_cancer(return_X_y=True), load_iris(return_X_y=True)
    X, y = make_multilabel_classification(80, random_state=0)
    return {
        "binary": (GaussianNB().fit(*binary), *binary),
        "multiclass": (GaussianNB().fit(*several), *several),
        "multilabel": (OneVsRestClassifier(GaussianNB()).fit(X, y), X, y),
    }


PROBLEMS = problems()


@for_each("name", NAMED)
def test_a_named_scorer_gives_the_numbers_of_scikit_learn(name: str) -> None:
    compared = 0
    for model, X, y in PROBLEMS.values():
        results = []
        for package in (metrics, ours):
            try:
                with warnings.catch_warnings(action="ignore"):  # the functions themselves are compared elsewhere, warnings too
                    results.append(package.get_scorer(name)(model, X, y))
            except ValueError as error:  # the same labels are refused by both
                results.append(str(error)[:20])
        there, here = results
        assert here == (pytest.approx(there) if isinstance(there, float) else there), name
        compared += isinstance(there, float)
    assert compared


def test_every_scorer_of_scikit_learn_has_a_name_here() -> None:
    assert {*metrics.get_scorer_names()} <= {*ours.get_scorer_names()}
    functions = {metrics.get_scorer(name)._score_func.__name__: name for name in metrics.get_scorer_names()}
    assert {name for function, name in functions.items() if hasattr(ours, function) and name not in NAMED} == set()
    X, y = load_iris(return_X_y=True)
    model = Ridge().fit(X, y)
    for name in NOT_LABELS:
        assert ours.get_scorer(name)(model, X, y) == metrics.get_scorer(name)(model, X, y)


def test_a_grid_search_takes_a_made_scorer() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    found = []
    for package in (metrics, ours):
        scoring = {
            "f": package.make_scorer(package.fbeta_score, beta=2),
            "loss": package.make_scorer(package.log_loss, response_method="predict_proba", greater_is_better=False),
        }
        search = GridSearchCV(LogisticRegression(), {"C": [0.01, 1]}, scoring=scoring, refit="f", cv=3).fit(X, y)
        found.append((search.best_params_, search.cv_results_["mean_test_f"], search.cv_results_["mean_test_loss"]))
    assert found[0][0] == found[1][0]
    for there, here in zip(found[0][1:], found[1][1:], strict=True):
        np.testing.assert_allclose(here, there)


def test_a_made_scorer_takes_weights_as_the_one_of_scikit_learn() -> None:
    model, X, y = PROBLEMS["binary"]
    weights = np.arange(len(y)) % 5
    there, here = (p.make_scorer(p.accuracy_score)(model, X, y, sample_weight=weights) for p in (metrics, ours))
    assert here == pytest.approx(there)


@pytest.mark.parametrize(
    ("measure", "given"),
    [
        (ix.f1, {"average": "macro"}),
        (ix.multiclass_kappa, {}),
        (ix.auc, {"average": "macro"}),
        (ix.error_rate, {"average": "micro"}),
    ],
    ids=str,
)
def test_a_measure_of_this_library_becomes_its_own_scorer(measure: Any, given: dict[str, Any]) -> None:
    model, X, y = PROBLEMS["multiclass"]
    made = ours.make_scorer(measure, **given)
    assert made(model, X, y) == ix.scorer(measure, **given)(model, X, y)
    assert len(cross_val_score(GaussianNB(), X, y, scoring=made, cv=3)) == 3


def test_several_at_once_in_cross_validation() -> None:
    _, X, y = PROBLEMS["multiclass"]
    found = cross_validate(
        GaussianNB(), X, y, scoring={"a": ours.get_scorer("f1_macro"), "b": ours.get_scorer("neg_log_loss")}, cv=3
    )
    there = cross_validate(GaussianNB(), X, y, scoring={"a": "f1_macro", "b": "neg_log_loss"}, cv=3)
    for name in ("test_a", "test_b"):
        np.testing.assert_allclose(found[name], there[name])


@pytest.mark.parametrize("given", ["f1", 3, None])
def test_what_is_no_function_is_refused_with_what_takes_it(given: Any) -> None:
    with pytest.raises(TypeError, match=r"get_scorer\('f1_macro'\) and ix\.scorer\('f1', average='macro'\)"):
        ours.make_scorer(given)


# Names that are not here.


def test_every_name_of_scikit_learn_is_here_or_says_what_to_use() -> None:
    for name in (*metrics.__all__, *INSTEAD):
        if name in ours.__all__:
            continue
        with pytest.raises(ImportError, match=rf"indicatrix\.sklearn has .*{name}") as error:
            exec(f"from indicatrix.sklearn import {name}")
        assert "\n" not in str(error.value)
        assert not hasattr(ours, name)
        assert "sklearn." in str(error.value)


def test_what_is_named_instead_exists() -> None:
    y, z, s = np.array([0, 1, 1, 0, 1]), np.array([0, 1, 0, 0, 1]), np.array([0.1, 0.8, 0.4, 0.3, 0.9])
    ix.evaluate(y, z).plot.confusion()
    for curve in ("roc", "pr", "det"):
        getattr(ix.sweep(y, s), curve)().plot()
    ix.scores.reliability(y, s).plot()
    assert ix.measures.adjusted_rand_index(y, z) == pytest.approx(metrics.adjusted_rand_score(y, z))
    assert ix.measures.rand_index(y, z) == pytest.approx(metrics.rand_score(y, z))
    assert ix.measures.mutual_information(y, z) * np.log(2) == pytest.approx(metrics.mutual_info_score(y, z))
    for name in INSTEAD:
        assert hasattr(importlib.import_module(ELSEWHERE.get(name, "sklearn.metrics")), name)


def test_a_name_that_nobody_has_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'f1_scor'. Did you mean f1_score"):
        _ = ours.f1_scor
    assert not hasattr(ours, "__wrapped__")
