"""``ix.scorer`` in scikit-learn: equal to ``ix.evaluate`` on the same predictions, wherever a scorer is taken."""

from __future__ import annotations

import pickle
from typing import Any, ClassVar

import joblib
import numpy as np
import pytest
import sklearn
from loops import for_each
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification, make_multilabel_classification
from sklearn.dummy import DummyClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer, make_scorer, matthews_corrcoef
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    LearningCurveDisplay,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.fixes import parse_version

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.catalogue.matrices import MATRIX_MEASURES
from indicatrix.scores.score_functions import FUNCTIONS

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
TWO = np.where(Y == 1, "yes", "no")
X_LABELS, LABELS = make_multilabel_classification(80, n_features=6, n_classes=4, random_state=0)
HALF = slice(None, None, 2)
BAYES, BAYES_TWO, NEAR = (
    model.fit(X[HALF], y[HALF]) for model, y in ((GaussianNB(), NAMES), (GaussianNB(), TWO), (KNeighborsClassifier(3), TWO))
)
WEIGHTS = np.linspace(0.5, 2, len(Y)).round(2)
UNORDERED = [m for m in dict.fromkeys(MATRIX_MEASURES.values()) if not m.facts.ordered]  # names of classes have no order
MEASURES: list[Any] = [*dict.fromkeys(ix.algebra.MEASURES.values()), *UNORDERED]
AREAS = [
    ix.auc,
    ix.measures.partial_auc.at(max_fpr=0.3),
    ix.average_precision,
    ix.measures.auprc,
    ix.measures.r_precision,
    ix.measures.area_under_cost_curve,
]


def sign_of(measure: Any) -> int:
    return -1 if measure.better == "lower" else 1


class Echo:
    """An estimator whose predictions are its features."""

    classes_ = np.unique(NAMES)

    def predict(self, X: Any) -> Any:
        return X


COUNTED = ix.evaluate(NAMES, BAYES.predict(X), sample_weight=WEIGHTS)


@for_each("measure", MEASURES)
def test_a_scorer_is_the_score_of_the_predictions_and_greater_is_better(measure: Any) -> None:
    single = not measure.reads.averaged or measure.averages
    better = {"better": "higher"} if measure.better == "neither" else {}
    for average in [None] if single else averages_over("class", "example"):
        for undefined in ("exclude", 0):
            made = ix.scorer(measure, average=average, undefined=undefined, **better)
            found = made(Echo(), BAYES.predict(X), NAMES, sample_weight=WEIGHTS)
            expected = sign_of(measure) * float(COUNTED.score(measure, average, undefined=undefined))
            assert np.array_equal(found, expected, equal_nan=True)
            assert type(found) is float


@for_each("area", AREAS)
@for_each("average", ["micro", "macro", "weighted", "exemplar"])
def test_areas_of_several_classes_read_probabilities(area: ix.Measure, average: str) -> None:
    some = Y != 2  # a class of the estimator that does not occur in the test data
    for rows in (slice(None), some):
        found = ix.scorer(area, average=average)(BAYES, X[rows], NAMES[rows])
        expected = area(NAMES[rows], BAYES.predict_proba(X[rows]), classes=BAYES.classes_.tolist(), average=average)
        assert np.array_equal(found, sign_of(area) * float(expected), equal_nan=True)


def test_the_area_of_two_classes_is_scikit_learns_with_either_response() -> None:
    theirs = get_scorer("roc_auc")
    svc = LinearSVC().fit(X[HALF], TWO[HALF])
    for model in (BAYES_TWO, NEAR, svc):
        assert ix.scorer("auc")(model, X, TWO) == pytest.approx(theirs(model, X, TWO), rel=1e-12)
        assert ix.scorer("auc", positive="no")(model, X, TWO) == pytest.approx(theirs(model, X, TWO), rel=1e-12)
    with pytest.raises(TypeError, match="LinearSVC has no predict_proba"):
        ix.scorer("auc", response="predict_proba")(svc, X, TWO)
    with pytest.raises(TypeError, match="Echo has no predict_proba and no decision_function, and scores are needed"):
        ix.scorer("auc", average="macro")(Echo(), X, NAMES)


def test_losses_of_probabilities_are_scikit_learns() -> None:
    of_classes = [("brier", "neg_brier_score")] if parse_version(sklearn.__version__) >= parse_version("1.7") else []
    for name, theirs in (("log_loss", "neg_log_loss"), ("hand_till_auc", "roc_auc_ovo"), *of_classes):
        assert ix.scorer(name)(BAYES, X, NAMES) == pytest.approx(get_scorer(theirs)(BAYES, X, NAMES), rel=1e-9)


@for_each("name", FUNCTIONS)
def test_other_functions_of_labels_and_scores(name: str) -> None:
    """Each is scored on one label per example or on label matrices, whichever it takes; some take both."""
    function, better = FUNCTIONS[name].function, FUNCTIONS[name].better
    own = {"k": 2} if "k" in FUNCTIONS[name].params else {}
    near = KNeighborsClassifier(3).fit(X_LABELS, LABELS)
    P = np.column_stack([p[:, 1] for p in near.predict_proba(X_LABELS)])
    cases = {
        "classes": (BAYES, X, NAMES, BAYES.predict_proba(X), {"classes": BAYES.classes_.tolist()}),
        "labels": (near, X_LABELS, LABELS, P, {}),
    }
    taken = 0
    for model, features, y, scores, known in cases.values():
        try:
            expected = float(function(y, scores, **own, **known))
        except (ValueError, TypeError):
            continue
        found = ix.scorer(function, **own)(model, features, y)
        assert found == pytest.approx(expected if better == "higher" else -expected, rel=1e-12)
        assert found == ix.scorer(name, **own)(model, features, y)
        assert function(y, scores, **own, **known).measure.better == better
        taken += 1
    assert taken


def test_a_decision_rule_reads_probabilities() -> None:
    P = BAYES_TWO.predict_proba(X)[:, 1]
    found = ix.scorer("f1", decide=0.2, positive="yes")(BAYES_TWO, X, TWO)
    assert found == float(ix.f1(TWO == "yes", P >= 0.2)) != ix.scorer("f1", positive="yes")(BAYES_TWO, X, TWO)
    top = ix.scorer("recall", average="micro", decide=ix.top_k(2))(BAYES, X, NAMES)
    assert top == float(
        ix.recall(NAMES, BAYES.predict_proba(X), decide=ix.top_k(2), classes=BAYES.classes_.tolist(), average="micro")
    )


def test_a_positive_class_may_be_absent_in_a_fold() -> None:
    only = TWO == "no"
    assert np.isnan(ix.scorer("recall", positive="yes")(BAYES_TWO, X[only][:10], TWO[only][:10]))
    assert ix.scorer("specificity", positive="yes")(BAYES_TWO, X[only][:10], TWO[only][:10]) == 1.0


@pytest.mark.parametrize("model", [KNeighborsClassifier(3), DecisionTreeClassifier(max_depth=3)], ids=str)
def test_label_matrices_and_several_targets(model: Any) -> None:
    fitted = clone(model).fit(X_LABELS, LABELS)
    for average in ("micro", "macro", "exemplar"):
        expected = ix.f1(LABELS, fitted.predict(X_LABELS), average=average)
        assert ix.scorer("f1", average=average)(fitted, X_LABELS, LABELS) == float(expected)
    P = np.column_stack([p[:, 1] for p in fitted.predict_proba(X_LABELS)])
    assert ix.scorer("auc", average="macro")(fitted, X_LABELS, LABELS) == float(ix.auc(LABELS, P, average="macro"))
    both = np.column_stack([Y, (Y + 1) % 3])
    fitted = clone(model).fit(X, both)
    expected = ix.evaluate(both, fitted.predict(X), targets=True).score("f1", "target")
    assert ix.scorer("f1", average="target")(fitted, X, both) == float(expected)


class Counting(GaussianNB):  # type: ignore[misc]
    calls: ClassVar[list[str]] = []

    def predict(self, X: Any) -> Any:
        self.calls.append("predict")
        return super().predict(X)

    def predict_proba(self, X: Any) -> Any:
        self.calls.append("predict_proba")
        return super().predict_proba(X)


def test_several_measures_share_one_prediction() -> None:
    model = Counting().fit(X, NAMES)
    Counting.calls.clear()
    several = ix.scorer(
        {"f": ("f1", "weighted"), "f2": "f_beta(beta=2)", "auc": "auc", "ap": "average_precision", "k": "multiclass_kappa"},
        average="macro",
    )
    found = several(model, X, NAMES)
    assert sorted(Counting.calls) == ["predict", "predict_proba"]
    ev = ix.evaluate(NAMES, BAYES_ALL.predict(X))
    assert found["f"] == float(ev.score("f1", "weighted"))
    assert found["f2"] == float(ev.score("f_beta(beta=2)", "macro"))
    assert found["k"] == float(ev.score("multiclass_kappa"))
    assert found["auc"] == float(ix.auc(NAMES, BAYES_ALL.predict_proba(X), classes=BAYES_ALL.classes_.tolist(), average="macro"))
    assert [*ix.scorer(["f1", "fpr", ("recall", "micro"), "exact_match"], average="macro").asked] == [
        "f1",
        "neg_fpr",
        "micro recall",
        "exact_match",
    ]


BAYES_ALL = GaussianNB().fit(X, NAMES)


def test_a_grid_search_end_to_end() -> None:
    pipe = make_pipeline(MinMaxScaler(), KNeighborsClassifier())
    grid = {"kneighborsclassifier__n_neighbors": [1, 5, 40]}
    ours = GridSearchCV(pipe, grid, scoring=ix.scorer("f1", average="macro"), cv=3).fit(X, NAMES)
    theirs = GridSearchCV(pipe, grid, scoring="f1_macro", cv=3).fit(X, NAMES)
    assert np.allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], rtol=1e-12)
    assert ours.best_params_ == theirs.best_params_
    assert ours.score(X, NAMES) == float(ix.f1(NAMES, ours.predict(X), average="macro"))
    several = ix.scorer(["f1", "fpr", "auc"], average="macro")
    with joblib.parallel_config("threading"):
        found = GridSearchCV(pipe, grid, scoring=several, refit="neg_fpr", cv=3, n_jobs=2).fit(X, NAMES)
    assert found.best_score_ == found.cv_results_["mean_test_neg_fpr"].max() <= 0
    assert np.array_equal(found.cv_results_["mean_test_f1"], ours.cv_results_["mean_test_score"])
    assert clone(found).get_params()["scoring"] is several


def test_other_places_that_take_a_scorer() -> None:
    one, several = ix.scorer("mcc", average="macro"), ix.scorer({"mcc": "mcc", "auc": "auc"}, average="macro")
    model, grid = KNeighborsClassifier(), {"n_neighbors": [1, 5]}
    assert HalvingGridSearchCV(model, grid, scoring=one, cv=3, random_state=0).fit(X, NAMES).best_score_ > 0.8
    mixed = cross_validate(GaussianNB(), X, NAMES, scoring={"ours": one, "theirs": "accuracy"}, cv=3)
    assert np.array_equal(mixed["test_ours"], cross_val_score(GaussianNB(), X, NAMES, scoring=one, cv=3))
    kinds = permutation_importance(BAYES, X, NAMES, scoring=several, n_repeats=2, random_state=0)
    alone = permutation_importance(BAYES, X, NAMES, scoring=one, n_repeats=2, random_state=0, sample_weight=np.ones(len(Y)))
    assert np.array_equal(kinds["mcc"].importances, alone.importances)
    pytest.importorskip("matplotlib").use("Agg")
    shuffled = np.random.default_rng(0).permutation(len(Y))
    shown = LearningCurveDisplay.from_estimator(
        GaussianNB(), X[shuffled], NAMES[shuffled], scoring=one, cv=3, train_sizes=[0.5, 1.0]
    )
    assert np.isfinite(shown.test_scores).all()
    assert shown.score_name == "Macro mcc"


def test_it_has_a_name_as_functions_have() -> None:
    assert ix.scorer("f1").__name__ == "f1"
    assert ix.scorer("fpr", average="macro").__name__ == "neg_macro fpr"
    assert ix.scorer({"a": "auc", "b": "log_loss"}).__name__ == "auc, neg_log_loss"


@pytest.mark.slow
def test_weights_are_routed_as_they_are_requested() -> None:
    plain = ix.scorer("f1", average="macro")
    fits = GaussianNB()
    with sklearn.config_context(enable_metadata_routing=True):
        fits.set_fit_request(sample_weight=False)
        asked, renamed = (plain.set_score_request(sample_weight=r) for r in (True, "w"))

        def run(scoring: Any, name: str = "sample_weight") -> Any:
            return cross_validate(fits, X, NAMES, scoring=scoring, cv=3, params={name: WEIGHTS})["test_score"]

        weighted = run(asked)
        assert np.array_equal(run(renamed, "w"), weighted)
        with pytest.raises(ValueError, match=r"sample_weight.*not explicitly set"):
            run(plain)
        several = ix.scorer({"f1": "f1"}, average="macro").set_score_request(sample_weight=True)
        assert np.array_equal(
            cross_validate(fits, X, NAMES, scoring=several, cv=3, params={"sample_weight": WEIGHTS})["test_f1"], weighted
        )
        search = GridSearchCV(fits, {"var_smoothing": [1e-9]}, scoring=asked, cv=3).fit(X, NAMES, sample_weight=WEIGHTS)
        assert search.best_score_ == pytest.approx(weighted.mean())
        search = TunedThresholdClassifierCV(
            fits, scoring=ix.scorer("f1", positive="yes").set_score_request(sample_weight=True), cv=3
        )
        tuned = search.fit(X, TWO, sample_weight=WEIGHTS).best_score_
    assert (
        tuned != TunedThresholdClassifierCV(GaussianNB(), scoring=ix.scorer("f1", positive="yes"), cv=3).fit(X, TWO).best_score_
    )
    assert not np.array_equal(weighted, cross_val_score(GaussianNB(), X, NAMES, scoring=plain, cv=3))
    assert plain.requests == {}


@pytest.mark.slow
def test_thresholds_are_tuned_for_any_measure() -> None:
    for measure in ("f1", "mcc", "f_beta(beta=2)", "informedness", "fpr", "tp / (tp + fp + 2*fn)"):
        tuned = TunedThresholdClassifierCV(
            NEAR, scoring=ix.scorer(measure, positive="yes", undefined=0), cv="prefit", refit=False, store_cv_results=True
        ).fit(X, TWO)
        P = NEAR.predict_proba(X)[:, 1]
        at = [ix.evaluate(TWO == "yes", t <= P).score(measure, undefined=0) for t in tuned.cv_results_["thresholds"]]
        assert np.allclose(tuned.cv_results_["scores"], np.array([float(s) for s in at]) * (-1 if measure == "fpr" else 1))
    with pytest.raises(ValueError, match="one measure of labels"):
        TunedThresholdClassifierCV(NEAR, scoring=ix.scorer("auc"), cv="prefit", refit=False).fit(X, TWO)


@pytest.mark.slow
def test_a_threshold_without_a_score_is_not_chosen() -> None:
    """All and no predicted positives leave MCC undefined; scikit-learn has 0 there, and finds the same threshold."""
    rows, y = make_classification(300, 8, random_state=0)
    made = [ix.scorer("mcc"), make_scorer(matthews_corrcoef)]
    ours, theirs = (TunedThresholdClassifierCV(LogisticRegression(), scoring=s, thresholds=30).fit(rows, y) for s in made)
    assert (ours.best_threshold_, ours.best_score_) == pytest.approx((theirs.best_threshold_, theirs.best_score_), rel=1e-12)


def test_an_undefined_score_at_a_threshold_is_the_worst() -> None:
    for measure in ("mcc", "fdr"):  # a loss, too
        assert ix.scorer(measure)._score_func([0, 1], [0, 0]) == -np.inf
        assert ix.scorer(measure, undefined=0)._score_func([0, 1], [0, 0]) == 0


def test_a_search_that_counts_undefined_values_as_0_does_not_choose_a_constant() -> None:
    names, X_rare, y_rare = ["most_frequent", "stratified"], X[20:120], Y[20:120]
    found = {
        undefined: GridSearchCV(
            DummyClassifier(random_state=0),
            {"strategy": names},
            scoring=ix.scorer("precision", average="macro", undefined=undefined),
        )
        .fit(X_rare, y_rare)
        .best_params_["strategy"]
        for undefined in ("exclude", 0)
    }
    assert found == {"exclude": "most_frequent", 0: "stratified"}


def test_it_pickles_clones_and_says_what_it_is() -> None:
    made = {
        "ix.scorer('f1', average='macro', undefined=0)": ix.scorer("f1", average="macro", undefined=0),
        "ix.scorer('f_beta(beta=2)', positive='yes')": ix.scorer("f_beta", beta=2, positive="yes"),
        "ix.scorer(\"multiclass_kappa(weights='quadratic')\")": ix.scorer(ix.multiclass_kappa, weights="quadratic"),
        "ix.scorer('partial_auc(max_fpr=0.1)', response='predict_proba')": ix.scorer(
            "partial_auc", max_fpr=0.1, response="predict_proba"
        ),
        "ix.scorer('prevalence', average='macro', better='lower')": ix.scorer("prevalence", average="macro", better="lower"),
        "ix.scorer({'k': \"multiclass_kappa(weights='linear')\"})": ix.scorer({"k": ix.multiclass_kappa}, weights="linear"),
        "ix.scorer({'a': ('f1', 'macro'), 'b': 'log_loss'})": ix.scorer({"a": "f1", "b": "log_loss"}, average="macro"),
    }
    for text, one in made.items():
        assert repr(one) == text == repr(eval(text, {"ix": ix}))
        again = pickle.loads(pickle.dumps(one))
        y = Y if any(word in text for word in ("kappa", "'a'", "prevalence")) else TWO
        model = GaussianNB().fit(X, y)
        assert repr(again) == text
        assert again(model, X, y) == one(model, X, y)
        assert clone(one) is one


@for_each(
    ("call", "message"),
    [
        (lambda: ix.scorer("f1", averge="macro"), r"^scorer takes no averge="),
        (lambda: ix.scorer("f1", zero_division=0), r"scorer takes no zero_division=; undefined= says"),
        (lambda: ix.scorer("f1", sample_weight=[1]), r"scorer takes no sample_weight=; request it"),
        (lambda: ix.scorer("f1", greater_is_better=False), r"the measure knows its direction"),
        (lambda: ix.scorer("f11"), r"There is no measure 'f11'"),
        (lambda: ix.scorer("f1", average="makro"), r"average='makro' is unknown\. Did you mean macro\? Choose from micro, macro"),
        (lambda: ix.scorer({"a": ("f1", "site")}), r"a scorer sees no groups"),
        (lambda: ix.scorer("prevalence"), r"Neither higher nor lower values of prevalence are better\. Say which is meant"),
        (lambda: ix.scorer("f1", better="lower"), r"f1 is better if it is higher"),
        (lambda: ix.scorer("f1", better="up"), r"better='up' must be 'higher' or 'lower'"),
        (lambda: ix.scorer("auc", response="predict"), r"response='predict' is unknown"),
        (lambda: ix.scorer("multiclass_mcc", average="macro"), r"has no averages; leave average out"),
        (lambda: ix.scorer([]), r"at least one measure"),
        (lambda: ix.scorer(3), r"not an int"),
        (lambda: ix.scorer(["f1", "f1"]), r"have the same name"),
        (lambda: ix.scorer([("f1", "macro", 1)]), r"this has 3 entries"),
        (lambda: ix.scorer("auc", positive="maybe")(BAYES_TWO, X, TWO), r"positive='maybe' is not a class of GaussianNB"),
    ],
)
def test_what_cannot_be_scored_is_said_when_it_is_made(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call()
