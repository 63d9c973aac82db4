"""Names and options that do not exist here are answered with those that do."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
from typing import Any

import numpy as np
import pytest
from loops import for_each
from sklearn.dummy import DummyClassifier

import indicatrix as ix
from indicatrix.words.names_elsewhere import FUNCTIONS, OPTIONS, OTHER_NUMBER

TRUE, PRED = [0, 1, 2, 2, 1], [0, 2, 2, 1, 1]
SCORES = [0.2, 0.7, 0.6, 0.9, 0.4]
BINARY = [0, 1, 0, 1, 1]

DOORS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "evaluate": (ix.evaluate, (TRUE, PRED)),
    "from_confusion": (ix.from_confusion, ([[2, 1], [1, 3]],)),
    "per_example": (ix.tasks.per_example, ("f1", TRUE, PRED)),
    "sweep": (ix.sweep, (BINARY, SCORES)),
    "tune": (ix.tune, (BINARY, SCORES, "f1")),
    "f1": (ix.f1, (TRUE, PRED)),
    "auc": (ix.auc, (BINARY, SCORES)),
}


OURS = {*inspect.signature(ix.evaluate).parameters}


@for_each("door", DOORS)
@for_each("option", [option for option in OPTIONS if option not in OURS])
def test_options_of_other_libraries_are_named_as_here(door: str, option: str) -> None:
    function, given = DOORS[door]
    own = inspect.signature(function).parameters
    if option in own or OTHER_NUMBER.get(option) in own:
        return  # it has this option, or knows it
    with pytest.raises(TypeError, match=f"^{door} takes no {option}=; "):
        function(*given, **{option: 1})


@pytest.mark.parametrize("name", ["cba", "class_balance_accuracy", "AUNU", "aunp", "au1u", "au1p", "csi", "theil_u"])
def test_a_statistic_of_other_libraries_is_answered_with_its_call(name: str) -> None:
    ev = ix.evaluate(TRUE, PRED)
    with pytest.raises(ValueError, match=r"Use (ev.score|ix.measures.hand_till_auc)\(") as refused:
        ev.score(name)
    call = re.search(r"ev.score\([^)]*\)", str(refused.value))
    if call:
        assert np.isfinite(eval(call[0], {"ev": ev}))


def test_a_function_of_the_matrix_says_that_it_is_one() -> None:
    for ask in (lambda: ix.properties("cramer_v"), lambda: ix.sweep(BINARY, SCORES).best("krippendorff_alpha")):
        with pytest.raises(ValueError, match=r"is a function of the whole confusion matrix.*ev.score\("):
            ask()


@pytest.mark.parametrize("name", ["ece", "smooth_ece", "hinge_loss", "spherical_score", "label_ranking_ap", "brier"])
def test_a_function_of_scores_is_explained_with_its_source(name: str) -> None:
    said = ix.explain(name)
    assert said.name == name
    assert "Source: " in str(said)
    assert said.better in str(said)


@pytest.mark.parametrize("door", DOORS)
def test_a_misspelled_option_is_answered_with_the_right_one(door: str) -> None:
    function, given = DOORS[door]
    with pytest.raises(TypeError, match=r"postive=\. Did you mean positive\? "):
        function(*given, postive=1)


@pytest.mark.parametrize("door", ["evaluate", "from_confusion", "per_example", "sweep"])
@pytest.mark.parametrize("option", ["average", "undefined"])
def test_what_belongs_to_a_score_is_not_an_option_of_counts(door: str, option: str) -> None:
    function, given = DOORS[door]
    with pytest.raises(TypeError, match=f"^{door} takes no {option}=; "):
        function(*given, **{option: "macro"})


def test_the_signature_of_evaluate_is_its_own() -> None:
    parameters = inspect.signature(ix.evaluate).parameters
    assert list(parameters)[:4] == ["y_true", "y_pred", "classes", "positive"]
    assert not any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters.values())


def test_an_error_inside_evaluate_stays_what_it_is() -> None:
    with pytest.raises(TypeError, match=r"^classes='ab' is one text"):
        ix.evaluate(["a", "b"], ["a", "b"], classes="ab")
    with pytest.raises(TypeError, match=r"^evaluate lacks y_pred\. It is called as evaluate\(y_true, y_pred, …\)\.$"):
        ix.evaluate(TRUE)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("option", "meant"), [("avg", "average"), ("undefind", "undefined"), ("sample_weights", "sample_weight")]
)
@pytest.mark.parametrize("measure", [ix.f1, ix.f_beta], ids=str)
def test_the_options_of_a_measure_include_average_and_undefined(measure: ix.Measure, option: str, meant: str) -> None:
    with pytest.raises(TypeError, match=rf" takes no {option}=\. Did you mean {meant}\? ") as caught:
        measure(TRUE, PRED, **{option: 1})  # type: ignore[arg-type]
    listed = str(caught.value).partition("It takes ")[2].rstrip(".").split(", ")
    assert {"average", "undefined", *measure.params} <= {*listed}


def test_a_parameter_is_among_the_options() -> None:
    with pytest.raises(TypeError, match=r"betta=\. Did you mean beta\?"):
        ix.f_beta(TRUE, PRED, betta=2)
    with pytest.raises(TypeError, match=r"wieghts=\. Did you mean weights\?"):
        ix.multiclass_kappa(TRUE, PRED, wieghts="linear")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ix.f1(TRUE, PRED, "macro"), r"give the average by name: f1\(y_true, y_pred, average='macro'\)\.$"),
        (lambda: ix.auc(TRUE, PRED, "macro"), r"give the average by name: auc\(y_true, scores, average='macro'\)\.$"),
        (lambda: ix.f1(tp=1, fp=2, fn=3, tn=4), r"give numbers as f1\(ix\.Counts\(tp=1, fp=2, fn=3, tn=4\)\)\.$"),
        (lambda: ix.f1(1, 2, 3, 4), r"give four numbers as f1\(ix\.Counts\(tp, fp, fn, tn\)\)\.$"),
        (lambda: ix.auc(y_true=BINARY, y_score=SCORES), "y_score= is called scores= here"),
        (lambda: ix.auc(BINARY, y_score=SCORES), "y_score= is called scores= here"),
        (lambda: ix.f1(y_true=TRUE), "y_pred= is missing"),
        (lambda: ix.f1(TRUE), "1 argument was given"),
        (lambda: ix.f1(), "0 arguments were given"),
    ],
)
def test_arguments_of_a_measure(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ix.tasks.votes(3), "^y is an int; "),
        (lambda: ix.tasks.votes(3.5), "^y is a float; "),
        (lambda: ix.taxonomy(3), "^given is an int; "),
        (lambda: ix.segmentation(3, 3), " is an int; "),
        (lambda: ix.tasks.sequences(3, 3), " is an int; "),
        (lambda: ix.evaluate(3, TRUE), "^y_true is an int; "),
        (lambda: ix.evaluate(TRUE, PRED, by=3), "^by= is an int; "),
        (lambda: ix.evaluate(TRUE, PRED, classes=[np.array([1])]), r"^classes\[0\] = .*: an ndarray is an array"),
        (lambda: ix.evaluate(TRUE, PRED, classes=[{"a": 1}.items()]), r"^classes\[0\] = .*: a dict_items is not hashable"),
        (lambda: ix.tasks.one_vs_one(["a", "b"], [[1], [0]]), "^The column is the pair of 2 classes"),
    ],
)
def test_messages_are_grammatical(call: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        call()


@for_each("name", FUNCTIONS)
def test_functions_of_other_libraries_are_answered_with_what_does_it_here(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}'\. Use "):
        getattr(ix, name)


@for_each(
    ("name", "use"),
    [
        ("f1_score", "ix.f1."),
        ("precision_recall_fscore_support", 'table(["precision", "recall", "f1"])'),
        ("top_k_accuracy_score", "decide=ix.top_k(3)"),
        ("precision_score", "ix.precision."),
        ("roc_auc_score", "ix.auc("),
        ("roc_curve", ".roc()"),
        ("classification_report", "print(ix.evaluate("),
        ("confusion_matrix", ".confusion_matrix()"),
        ("make_scorer", 'ix.scorer("f1", average="macro")'),
        ("accuracy_score", "ix.accuracy("),
        ("save", "ev.save(path)"),
        ("f2", "f_beta(beta=2)"),
        ("f0.5", "f_beta(beta=0.5)"),
    ],
)
def test_what_to_use_instead(name: str, use: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(ix, name)
    assert use in str(caught.value)


def test_names_of_measures() -> None:
    ev = ix.evaluate(TRUE, PRED)
    for name, use in {"f2": r"Use f_beta\(beta=2\)", "accuracy_score": r"Use ix\.accuracy", "recall_score": "recall"}.items():
        with pytest.raises(ValueError, match=f"There is no measure '{name}'.*{use}"):
            ev.score(name, "macro")


def test_averages_by_their_other_name() -> None:
    calls = (lambda: ix.f1(TRUE, PRED, average="sample"), lambda: ix.auc(TRUE, [[0.1, 0.2, 0.7]] * 5, average="sample"))
    for call in (*calls, lambda: ix.scorer("f1", average="sample")):
        with pytest.raises(ValueError, match=r"average='sample' is unknown.*\. Did you mean samples\?.*exemplar"):
            call()


def test_a_direction_that_does_not_exist_is_answered_with_the_choices() -> None:
    with pytest.raises(ValueError, match=r"^better='up' is not a direction\. Directions are 'higher', 'lower', 'neither'\.$"):
        ix.catalogue(better="up")


def test_the_selection_rate_is_found() -> None:
    assert ix.measures.coverage in ix.catalogue(search="selection")
    assert ix.measures.selection_rate == ix.measures.coverage


def test_a_misspelled_count_of_a_formula_is_answered_with_the_right_one() -> None:
    with pytest.raises(
        ix.types.FormulaError, match=r"'fpp' in 'tp/\(tp\+fpp\)' is not a count and not a measure; .* Did you mean fp\?$"
    ):
        ix.measure("tp/(tp+fpp)")
    with pytest.raises(ix.types.FormulaError, match=r"params=\{'w': 1\.0\}\.$"):
        ix.measure("tp/(tp+w*fp)")


@pytest.mark.parametrize(("measure", "instead"), [("mcc", "multiclass_mcc"), ("kappa", "multiclass_kappa")])
def test_a_measure_of_several_classes_names_the_value_of_all_classes(measure: str, instead: str) -> None:
    with pytest.raises(ValueError, match=rf"has one value for each class, and ix\.{instead} is "):
        getattr(ix.measures, measure)(TRUE, PRED)
    getattr(ix.measures, instead)(TRUE, PRED)


def test_a_file_that_does_not_exist_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"^There is no file nothing\.json\. Give a file that the save\(\)"):
        ix.load("nothing.json")


@pytest.mark.parametrize("call", [lambda: ix.f1([0, 1], [0, 1], ci=0.95), lambda: ix.auc([0, 1], [0, 1], confidence_level=0.9)])
def test_an_interval_is_found_under_the_names_of_others(call: Any) -> None:
    with pytest.raises(TypeError, match=r"an interval with interval=0\.95"):
        call()


CV = ix.cross_validate(DummyClassifier(), np.zeros((12, 1)), [0, 1] * 6, cv=3)
OF_TWO = ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0], by={"site": list("xxyy")})
NAMED = [
    (lambda: ix.cross_validate(DummyClassifier(), [[0]] * 4, [0, 1] * 2, measure="f1"), r"\.score\('f1', 'macro'\)"),
    (lambda: ix.explain("f1_macro"), r"explain\('f1'\)"),
    (lambda: OF_TWO.score("f1-macro"), "An average stands in front of a measure: 'macro f1'"),
    (lambda: OF_TWO.score("tp^2"), r"write 'tp\*\*2'"),
    (lambda: OF_TWO.score("5fn+fp"), r"Write '5\*fn\+fp'"),
    (lambda: OF_TWO.score("5fn + fp"), r"Write '5\*fn \+ fp'"),
    (lambda: OF_TWO.score("tp ÷ n"), r"Write 'tp / n'"),
    (lambda: OF_TWO.score("my_thing + 1"), "'my_thing' in 'my_thing . 1' is not a count and not a measure"),
    (lambda: OF_TWO.score("f1", positive=0), r"ix\.evaluate\(y_true, y_pred, positive=…\)"),
    (lambda: ix.compare([0, 1], {"a": [0, 1], "b": [1, 1]}, "f1", better="lower"), r"belongs to the measure: ix\.measure\("),
    (lambda: ix.compare([0, 1], {"a": [0, 1], "b": [1, 1]}, scores=[0.1, 0.2]), r"give scores in place of predictions"),
    (lambda: ix.compare({"a": CV, "b": CV}), r"ix\.inference\.compare_folds\(\{'a': cv1, 'b': cv2\}, 'macro f1'\)"),
    (lambda: ix.compare([0, 1], {"a": CV, "b": CV}), r"ix\.inference\.compare_folds\("),
    (
        lambda: ix.compare(["a", "b", "c"], {"x": ["a", "b", "b"], "y": ["c", "b", "c"]}, "auc", "macro"),
        "holds texts, which are labels",
    ),
    (
        lambda: ix.compare([{"boxes": [[0, 0, 1, 1]], "labels": [1]}], {name: [{"boxes": [], "labels": []}] for name in "ab"}),
        r"holds objects, which ix\.detection\(truth, predictions\) evaluates, and ix\.compare takes its results",
    ),
    (lambda: ix.power(0.8, width=0.05), r"An assumed value has a name: rate=0\.9 with width=0\.05"),
    (lambda: OF_TWO.score("prec"), r"Did you mean precision or precision_at_k\?"),
    (lambda: OF_TWO.interval("f1") < 0.9, r"compare float\(interval\)"),
]


@for_each(("call", "words"), NAMED)
def test_what_people_try_is_answered_with_what_works(call: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words) as raised:
        call()
    assert "\n" not in str(raised.value)


@for_each(
    ("thing", "name", "words"),
    [
        (CV, "save", ".evaluation"),
        (CV, "to_html", ".evaluation"),
        (CV, "mean", ".folds('f1', 'macro')"),
        (CV, "intervall", "Did you mean interval?"),
        (ix.sweep([0, 1], [0.2, 0.7]), "to_json", "sweep.save(path)"),
        (ix.sweep([0, 1], [0.2, 0.7]), "threshold", "sweep.best('f1')"),
        (ix.tune([0, 1], [0.2, 0.7], "f1"), "to_html", ".evaluation"),
        (ix.tune([0, 1], [0.2, 0.7], "f1"), "threshold", ".rule"),
        (OF_TWO.compare_groups("recall", "site"), "to_html", "ev.to_html(path)"),
        (OF_TWO.compare_groups("recall", "site"), "p_value", ".test.p_value"),
        (OF_TWO.interval("f1"), "zzzz", "It has average, "),
        (ix.Stream().update([0, 1], [0, 1]), "score", ".evaluation, or write .compute(scores)"),
        (ix.Stream(), "to_html", ".evaluation"),
    ],
)
def test_unknown_attributes_of_results_name_what_has_them(thing: Any, name: str, words: str) -> None:
    with pytest.raises(AttributeError) as raised:
        getattr(thing, name)
    assert words in str(raised.value)
    assert not hasattr(thing, "__no_such_thing__")
    assert repr(copy.copy(thing)) == repr(thing)
    assert repr(pickle.loads(pickle.dumps(thing))) == repr(thing)


def test_what_is_named_as_a_way_exists() -> None:
    assert CV.evaluation.to_html()
    assert ix.scores.binned([0, 1], [0.2, 0.7]).save
    assert ix.tune([0, 1], [0.2, 0.7], "f1").evaluation.score("f1") == 1
    assert ix.inference.compare_folds({"a": CV, "b": CV}, "macro f1").values.shape == (2, 3)


def test_texts_for_readers_without_python_name_no_attributes(tmp_path: Any) -> None:
    y, models = [0, 1] * 30, {"a": [0, 1] * 30, "b": [0, 1, 1, 1] * 15, "c": [1, 1, 0, 1] * 15}
    made = ix.compare(y, models)
    assert ".differences" not in str(made)
    assert " .differences" not in made.to_html()
    one = ix.compare(y, models, "f1", baseline="b")
    assert one.legend() == "No star: only differences from b, the baseline, were tested."


def test_calibration_and_spread_are_worded_for_what_was_asked() -> None:
    scores = np.repeat([0.1, 0.9], 200)
    checked = ix.tune([1] * 200 + [0] * 200, scores, "f1").choices[0].calibration
    assert "p < 0.0001" in str(checked)
    assert "p = 0:" not in str(checked)


def test_a_score_says_that_it_is_infinite_where_counts_do() -> None:
    counts, y, p = ix.Counts(tp=2, fp=0, fn=1, tn=2), [1, 1, 1, 0, 0], [1, 1, 0, 0, 0]
    assert ix.measures.lr_plus(counts) == np.inf
    found = ix.measures.lr_plus(y, p)
    assert np.isnan(found)
    assert found.note == "binary positive_likelihood_ratio; undefined: it is infinite"
    assert found.undefined_in_words() == "the binary value, which is infinite"
    assert "infinite" not in ix.precision(y, [0] * 5).note  # 0/0
