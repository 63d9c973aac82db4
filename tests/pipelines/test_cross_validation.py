"""``ix.cross_validate``: every test prediction is counted once, in its fold; and classifiers with tuned thresholds."""

from __future__ import annotations

import math
import pickle
import sys
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import load_iris, make_multilabel_classification
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import LinearSVC

import indicatrix as ix
from indicatrix.sklearn.cross_validation import _predict as delayed_prediction

X, Y = load_iris(return_X_y=True)
ORDER = np.random.default_rng(0).permutation(len(Y))
X, Y = X[ORDER], Y[ORDER]
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
TWO = (Y == 1).astype(int)
X_LABELS, LABELS = make_multilabel_classification(60, n_features=5, n_classes=3, random_state=0)
WEIGHTS = np.linspace(0.5, 2, len(Y)).round(2)
GROUPS = np.arange(len(Y)) % 6
SPLITTERS = [
    KFold(4),
    StratifiedKFold(3),
    RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
    ShuffleSplit(4, test_size=0.2, random_state=0),
]


@pytest.mark.parametrize("cv", SPLITTERS, ids=lambda cv: type(cv).__name__)
def test_folds_have_the_scores_of_scikit_learn(cv: Any) -> None:
    found = ix.cross_validate(GaussianNB(), X, NAMES, cv=cv)
    for measure, scoring in (("f1", "f1_macro"), ("recall", "balanced_accuracy"), ("precision", "precision_macro")):
        theirs = cross_val_score(GaussianNB(), X, NAMES, cv=cv, scoring=scoring)
        assert np.allclose(found.folds(measure, "macro").values, theirs, rtol=1e-12)
    for (train, test), (first, second) in zip(cv.split(X, NAMES), found.indices, strict=True):
        assert np.array_equal(train, first)
        assert np.array_equal(test, second)
    for fitted, (train, _) in zip(found.estimators, found.indices, strict=True):
        assert np.array_equal(fitted.theta_, clone(GaussianNB()).fit(X[train], NAMES[train]).theta_)


def test_the_pooled_evaluation_is_that_of_all_predictions() -> None:
    with joblib.parallel_config("threading"):  # to start processes takes seconds; that all can be pickled is asked below
        found = ix.cross_validate(make_pipeline(MinMaxScaler(), KNeighborsClassifier()), X, NAMES, cv=KFold(5), n_jobs=2)
    pickle.dumps(delayed_prediction)
    pred = cross_val_predict(make_pipeline(MinMaxScaler(), KNeighborsClassifier()), X, NAMES, cv=KFold(5))
    fold = np.repeat(np.arange(5), 30)
    assert found.evaluation == ix.evaluate(NAMES, pred, by={"fold": fold})
    assert str(found) == str(found.evaluation)
    assert repr(found) == "<CrossValidation: Pipeline, 5 folds, 150 test predictions>"
    assert repr(pickle.loads(pickle.dumps(found))) == repr(found)


@pytest.mark.parametrize("cv", SPLITTERS, ids=lambda cv: type(cv).__name__)
def test_intervals_know_the_share_that_was_tested(cv: Any) -> None:
    found = ix.cross_validate(GaussianNB(), X, NAMES, cv=cv)
    share = {"KFold": 1 / 4, "StratifiedKFold": 1 / 3, "RepeatedStratifiedKFold": 1 / 3, "ShuffleSplit": 0.2}[type(cv).__name__]
    assert found.test_share == pytest.approx(share)
    expected = ix.inference.fold_interval(found.evaluation.folds("f1", "macro"), test_share=share)
    assert found.interval("f1", "macro").low == pytest.approx(expected.low)
    repeats = "repeat" in found.evaluation.axes
    assert repeats == isinstance(cv, RepeatedStratifiedKFold)
    if repeats:
        assert [ev.n for ev in found.evaluation.split("repeat").values()] == [150, 150]
    once = isinstance(cv, KFold | StratifiedKFold)
    if once:
        assert found.interval("exact_match", method="cv_clt").value == found.evaluation.score("exact_match")
    else:
        with pytest.raises(ValueError, match="'cv_clt' is for one cross-validation"):
            found.interval("exact_match", method="cv_clt")


def test_groups_weights_and_metadata() -> None:
    found = ix.cross_validate(
        GaussianNB(), X, NAMES, cv=GroupKFold(3), groups=GROUPS, sample_weight=WEIGHTS, params={"sample_weight": WEIGHTS}
    )
    expected = []
    for train, test in GroupKFold(3).split(X, NAMES, GROUPS):
        assert not {*GROUPS[train]} & {*GROUPS[test]}
        model = GaussianNB().fit(X[train], NAMES[train], sample_weight=WEIGHTS[train])
        expected.append(ix.f1(NAMES[test], model.predict(X[test]), sample_weight=WEIGHTS[test], average="macro"))
    assert np.array_equal(found.folds("f1", "macro").values, expected)
    with sklearn.config_context(enable_metadata_routing=True):
        fits = GaussianNB().set_fit_request(sample_weight=True)
        routed = ix.cross_validate(fits, X, NAMES, cv=LeaveOneGroupOut(), groups=GROUPS, params={"sample_weight": WEIGHTS})
    assert len(routed.estimators) == 6


@pytest.mark.parametrize("make", [np.asarray, pd.DataFrame], ids=["dense", "pandas"])
def test_label_matrices(make: Any) -> None:
    y = make(LABELS)
    found = ix.cross_validate(KNeighborsClassifier(3), X_LABELS, y, cv=KFold(3), scores=make is np.asarray)
    pred = cross_val_predict(KNeighborsClassifier(3), X_LABELS, LABELS, cv=KFold(3))
    for average in ("micro", "macro", "exemplar", "fold"):
        assert found.evaluation.score("f1", average) == ix.evaluate(LABELS, pred, by={"fold": np.repeat([0, 1, 2], 20)}).score(
            "f1", average
        )
    if make is np.asarray:
        P = cross_val_predict(KNeighborsClassifier(3), X_LABELS, LABELS, cv=KFold(3), method="predict_proba")
        table = np.column_stack([p[:, 1] for p in P])
        assert ix.auc(found.sweep, average="macro") == ix.auc(LABELS, table, average="macro")


def test_several_targets() -> None:
    both = np.column_stack([Y, (Y * 2 + TWO) % 3])
    found = ix.cross_validate(KNeighborsClassifier(3), X, both, cv=KFold(3))
    pred = cross_val_predict(KNeighborsClassifier(3), X, both, cv=KFold(3))
    assert found.evaluation.score("f1", "target") == ix.evaluate(both, pred, targets=True).score("f1", "target")


def test_scores_for_areas_and_decisions() -> None:
    found = ix.cross_validate(GaussianNB(), X, NAMES, cv=KFold(3), scores=True)
    P = cross_val_predict(GaussianNB(), X, NAMES, cv=KFold(3), method="predict_proba")
    classes = sorted({*NAMES.tolist()})
    assert ix.auc(found.sweep, average="macro") == ix.auc(NAMES, P, classes=classes, average="macro")
    decided = ix.cross_validate(GaussianNB(), X, NAMES, cv=KFold(3), decide=ix.top_k(2))
    assert decided.evaluation.score("recall", "micro") == ix.recall(
        NAMES, P, classes=classes, decide=ix.top_k(2), average="micro"
    )
    cut = ix.cross_validate(GaussianNB(), X, TWO, cv=KFold(3), decide=0.2)
    P = cross_val_predict(GaussianNB(), X, TWO, cv=KFold(3), method="predict_proba")[:, 1]
    assert cut.evaluation.score("f1") == ix.f1(TWO, P, decide=0.2)
    one = ix.cross_validate(LinearSVC(), X, TWO, cv=KFold(3), scores=True)
    S = cross_val_predict(LinearSVC(), X, TWO, cv=KFold(3), method="decision_function")
    assert ix.auc(one.sweep) == ix.auc(TWO, S)


def test_a_class_that_a_fold_did_not_learn_has_probability_0() -> None:
    splits = [(np.flatnonzero(Y != 2), np.flatnonzero(Y == 2)), (np.flatnonzero(Y == 2), np.flatnonzero(Y != 2))]
    splits[1] = (np.flatnonzero(Y != 0), np.flatnonzero(Y == 0))
    found = ix.cross_validate(GaussianNB(), X, NAMES, cv=splits, scores=True)
    assert found.sweep is not None
    assert found.sweep.classes == ("setosa", "versicolor", "virginica")
    assert ix.auc(found.sweep, average="micro") < 0.6
    with pytest.raises(ValueError, match="only probabilities can be 0"):
        ix.cross_validate(LinearSVC(), X, NAMES, cv=splits, scores=True)


def test_comparisons_over_folds_take_the_result() -> None:
    a, b = (ix.cross_validate(model, X, NAMES, cv=KFold(5)) for model in (GaussianNB(), KNeighborsClassifier(40)))
    assert ix.inference.compare_folds({"nb": a.evaluation, "knn": b.evaluation}, "f1", "macro").pairs


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scoring": "f1"}, r"cross_validate takes no scoring=; it returns the evaluation"),
        ({"by": {}}, r"takes no by=; give the groups"),
        ({"clases": []}, r"^cross_validate takes no clases="),
    ],
)
def test_unknown_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        ix.cross_validate(GaussianNB(), X, NAMES, **options)


def test_folds_may_be_masks() -> None:
    folds = [*KFold(3).split(X)]
    masks = [tuple(np.isin(np.arange(len(X)), part) for part in fold) for fold in folds]
    one, two = (ix.cross_validate(GaussianNB(), X, Y, cv=cv, sample_weight=WEIGHTS) for cv in (folds, masks))
    assert one.evaluation == two.evaluation
    assert one.interval("f1", "macro") == two.interval("f1", "macro")


def test_another_number_of_weights_is_refused_before_anything_is_fitted() -> None:
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[150, 5\]"):
        ix.cross_validate(None, X, Y, sample_weight=WEIGHTS[:5])


@pytest.mark.parametrize("measure", ["f1", "mcc", "f_beta(beta=2)", "informedness", "accuracy"])
@pytest.mark.one_fast_case
def test_a_tuned_classifier_has_the_best_threshold_on_held_out_scores(measure: str) -> None:
    model = ix.sklearn.tuned_classifier(GaussianNB(), measure, cv=KFold(4), method="sweep").fit(X, TWO)
    P = cross_val_predict(GaussianNB(), X, TWO, cv=KFold(4), method="predict_proba")[:, 1]
    every = [float(ix.evaluate(TWO, t <= P, classes=[0, 1]).score(measure)) for t in P]
    assert model.best_score_ == pytest.approx(np.nanmax(every))
    assert ix.evaluate(TWO, model.best_threshold_ <= P, classes=[0, 1]).score(measure) == model.best_score_
    assert np.array_equal(
        model.predict(X), (GaussianNB().fit(X, TWO).predict_proba(X)[:, 1] >= model.best_threshold_).astype(int)
    )
    grid = TunedThresholdClassifierCV(GaussianNB(), scoring=ix.scorer(measure), cv=KFold(4)).fit(X, TWO)
    for name in ("best_threshold_", "best_score_", "estimator_", "classes_", "n_features_in_"):
        assert hasattr(grid, name)
        assert hasattr(model, name)


def test_a_tuned_classifier_meets_a_constraint_on_held_out_scores() -> None:
    model = ix.sklearn.tuned_classifier(GaussianNB(), "recall", cv=KFold(4), subject_to="fpr <= 0.2").fit(X, TWO)
    P = cross_val_predict(GaussianNB(), X, TWO, cv=KFold(4), method="predict_proba")[:, 1]
    best = ix.sweep(TWO, P).best("recall", subject_to="fpr <= 0.2")
    assert (model.best_threshold_, model.best_score_) == (best.threshold, best.value)


def test_a_tuned_classifier_is_an_estimator() -> None:
    words = np.where(TWO == 1, "yes", "no")
    model = ix.sklearn.tuned_classifier(GaussianNB(), "f1", cv=3, positive="no")
    assert repr(clone(model)) == repr(model)
    search = GridSearchCV(
        model, {"estimator__var_smoothing": [1e-9, 1e-2], "measure": ["f1", "mcc"]}, scoring=ix.scorer("mcc", positive="no"), cv=2
    )
    assert {*search.fit(X, words).predict(X)} == {"yes", "no"}
    fitted = pickle.loads(pickle.dumps(model.fit(X, words, sample_weight=WEIGHTS)))
    P = fitted.predict_proba(X)[:, 0]
    assert np.array_equal(fitted.predict(X) == "no", fitted.best_threshold_ <= P)
    assert not hasattr(fitted, "decision_function")
    assert model.fit(pd.DataFrame(X, columns=[*"abcd"]), words).feature_names_in_.tolist() == [*"abcd"]
    for method in ("predict", "predict_proba"):
        with pytest.raises(NotFittedError):
            getattr(clone(model), method)(X)
    with pytest.raises(ValueError, match="separates two classes, and y has 3"):
        ix.sklearn.tuned_classifier(GaussianNB(), "f1", "macro").fit(X, NAMES)


def test_a_label_matrix_has_a_threshold_for_each_column_or_one_for_all() -> None:
    each = ix.sklearn.tuned_classifier(KNeighborsClassifier(5), "f1", "macro", cv=KFold(3)).fit(X_LABELS, LABELS)
    one = ix.sklearn.tuned_classifier(KNeighborsClassifier(5), "f1", "micro", cv=KFold(3)).fit(X_LABELS, LABELS)
    assert len(each.best_threshold_) == 3
    assert np.ndim(one.best_threshold_) == 0
    P = np.column_stack([p[:, 1] for p in each.estimator_.predict_proba(X_LABELS)])
    assert np.array_equal(each.predict(X_LABELS), (np.array(each.best_threshold_) <= P).astype(int))
    assert np.array_equal(one.predict(X_LABELS), (one.best_threshold_ <= P).astype(int))


def test_without_scikit_learn_the_error_has_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    for call in (lambda: ix.cross_validate(GaussianNB(), X, NAMES), lambda: ix.sklearn.tuned_classifier(GaussianNB())):
        with pytest.raises(ImportError, match="needs scikit-learn, which is not installed: pip install scikit-learn"):
            call()


@pytest.mark.parametrize("cv", [KFold(7), RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=1)])
@pytest.mark.parametrize(("measure", "average"), [("accuracy", None), ("f1", "macro"), ("mcc", "macro")])
def test_the_central_limit_theorem_pairs_the_predictions_of_each_example(cv: Any, measure: str, average: str | None) -> None:
    """The variance is that of leaving out one example with all of its tests."""
    models = {"bayes": GaussianNB(), "near": KNeighborsClassifier(1)}
    both = {name: ix.cross_validate(model, X, Y, cv=cv) for name, model in models.items()}
    (pair,) = ix.inference.compare_folds(both, measure, average, method="cv_clt").pairs
    example = np.concatenate([test for _, test in both["bayes"].indices])

    def difference(kept: Any) -> float:
        a, b = (ix.evaluate(np.asarray(c.tested.y_true)[kept], np.asarray(c.tested.y_pred)[kept]) for c in both.values())
        return float(a.score(measure, average)) - float(b.score(measure, average))

    left_out = np.array([difference(example != k) for k in range(len(Y))])
    spread = (len(Y) - 1) / len(Y) * ((left_out - left_out.mean()) ** 2).sum()
    assert pair.difference == pytest.approx(difference(example >= 0))
    assert (pair.high - pair.low) / 2 == pytest.approx(1.959964 * math.sqrt(spread), rel=0.15)  # one pseudo-example more
    assert pair.freedom == math.inf
    assert "pooled difference" in str(ix.inference.compare_folds(both, measure, average, method="cv_clt"))


def test_the_central_limit_theorem_needs_the_predictions() -> None:
    both = {name: ix.cross_validate(model, X, Y, cv=3) for name, model in (("a", GaussianNB()), ("b", KNeighborsClassifier()))}
    with pytest.raises(TypeError, match=r"give what ix\.cross_validate returns"):
        ix.inference.compare_folds({name: one.evaluation for name, one in both.items()}, "accuracy", method="cv_clt")
    with pytest.raises(ValueError, match=r"method='clt' is unknown. Choose from corrected_t, cv_clt"):
        ix.inference.compare_folds(both, "accuracy", method="clt")
    splits = ShuffleSplit(4, test_size=0.5, random_state=0)
    random = {name: ix.cross_validate(model, X, Y, cv=splits) for name, model in (("a", GaussianNB()), ("b", GaussianNB()))}
    assert ix.inference.compare_folds(random, "accuracy").test_share == 0.5
    with pytest.raises(ValueError, match="test each example equally often"):
        ix.inference.compare_folds(random, "accuracy", method="cv_clt")


def test_cross_validations_are_compared_over_their_folds() -> None:
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    both = {"bayes": ix.cross_validate(GaussianNB(), X, Y, cv=cv), "near": ix.cross_validate(KNeighborsClassifier(), X, Y, cv=cv)}
    found = ix.inference.compare_folds(both, "f1", "macro")
    share = both["bayes"].test_share
    same = ix.inference.compare_folds({name: one.evaluation for name, one in both.items()}, "f1", "macro", test_share=share)
    assert str(found) == str(same)
    assert (
        found.test_share
        == share
        == ix.inference.compare_folds({k: v.evaluation for k, v in both.items()}, "f1", "macro").test_share
    )
    assert str(ix.inference.compare_folds(both, "macro f1")) == str(found)
    with pytest.raises(TypeError, match=r"^Name the measure by which bayes and near are compared, such as compare_folds"):
        ix.inference.compare_folds(both)
    other = {**both, "far": ix.cross_validate(GaussianNB(), X, Y, cv=ShuffleSplit(6, test_size=0.2, random_state=0))}
    with pytest.raises(ValueError, match="did not test on the same share of the data"):
        ix.inference.compare_folds(other, "f1", "macro")


def test_a_cross_validation_has_scores_and_intervals() -> None:
    cv = ix.cross_validate(GaussianNB(), X, Y, cv=3, scores=True)
    assert cv.score("f1", "macro") == cv.score("macro f1") == cv.evaluation.score("f1", "macro")
    assert cv.score("f1", ("fold", "macro")) == cv.folds("f1", "macro").averaged
    assert cv.score("multiclass_kappa") == cv.evaluation.score("multiclass_kappa")
    assert cv.score("auc", "macro") == ix.auc(cv.sweep, average="macro")
    assert cv.interval("macro f1") == cv.interval("f1", "macro")
    with pytest.raises(
        ValueError, match=r"^auc reads scores\. There are no scores in this evaluation: cross_validate\(…, scores=True\)"
    ):
        ix.cross_validate(GaussianNB(), X, Y, cv=3).score("auc", "macro")


def test_a_cross_validation_has_intervals_of_areas_and_of_costs() -> None:
    cv = ix.cross_validate(GaussianNB(), X, Y, cv=4, scores=True)
    found = cv.interval("auc", "macro")
    values = np.array([ix.auc(part, average="macro") for part in cv.sweep.split("fold").values()])
    assert found.value == pytest.approx(values.mean())
    half = stats.t.ppf(0.975, 3) * values.std(ddof=1) * np.sqrt(1 / 4 + cv.test_share / (1 - cv.test_share))
    assert found.low == pytest.approx(values.mean() - half)
    assert found.note.startswith("Mean of 4 folds, each tested on 0.25")
    with pytest.raises(ValueError, match=r"'cv_clt' is for a pooled score that is a plain mean over examples. This is macro auc"):
        cv.interval("macro auc", method="cv_clt")
    assert cv.interval("macro 5*fn + fp").value == pytest.approx(cv.score("macro 5*fn + fp"))
