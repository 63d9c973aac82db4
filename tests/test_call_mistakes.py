"""A call that does not fit is answered with what the function takes; Python's own words never reach a user."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.average import AVERAGES
from indicatrix.algebra.measure_names import split_score, split_scores
from indicatrix.compare.shown import ComparisonPlots
from indicatrix.evaluation_plots import EvaluationPlots
from indicatrix.public_names import HOMES, every_public, load_public
from indicatrix.report.text import ScoreTable
from indicatrix.tasks.pairwise.one_vs_all import BeforeAfter
from indicatrix.vision.detection.detection_plots import DetectionPlots
from indicatrix.words.blamed_arguments import UnforeseenError
from indicatrix.words.names_elsewhere import OTHER_NUMBER

UNKNOWN = "no_such_option"
RAW = re.compile(r"unexpected keyword|required positional|required keyword|positional arguments? but|multiple values for")
BINARY, SCORES, DECIDED = [0, 1, 0, 1, 1, 0], [0.2, 0.7, 0.6, 0.9, 0.4, 0.1], [0, 1, 1, 1, 0, 0]
Y, P = ["a", "b", "c", "c", "b"], ["a", "c", "c", "b", "b"]
EXEMPT = {  # they are called for every measure, so nothing stands before them
    "ratio": "formulas call it for every unit",
    "Score.__new__": "the library makes every score with it",
    "Score.mean": "the library makes every score with it",
    "Evaluation.__init__": "it answers labels itself",
    "Measure.__call__": "it takes everything, and answers itself",
    "Area.__call__": "it takes everything, and answers itself",
}


def _callables() -> Iterator[tuple[str, Any, int]]:
    """Yield each public function, method and constructor by name, and how many arguments are bound in a call."""
    things = [(name, load_public(name)) for name in HOMES]
    things += [(name, getattr(package, name)) for package in (ix.plots, ix.torch, ix.integrations) for name in package.HOMES]
    for name, thing in things:
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            yield from _members(thing)
        elif inspect.isroutine(thing) or hasattr(thing, "cache_info"):
            yield name, thing, 0
    for kind in (EvaluationPlots, ComparisonPlots, DetectionPlots, ScoreTable, BeforeAfter):
        yield from _members(kind)


def _members(kind: type) -> Iterator[tuple[str, Any, int]]:
    for name, member in vars(kind).items():
        if name.startswith("_") and name not in ("__init__", "__new__", "__call__"):
            continue
        inner = getattr(member, "__func__", member)
        if inspect.isfunction(inner):
            yield f"{kind.__name__}.{name}", inner, int(name == "__new__" or not isinstance(member, staticmethod))


CALLABLES = {name: (function, bound) for name, function, bound in _callables() if name not in EXEMPT}


def _kinds(function: Any) -> set[Any]:
    return {p.kind for p in inspect.signature(function).parameters.values()}


CLOSED = [name for name, (function, _) in CALLABLES.items() if inspect.Parameter.VAR_KEYWORD not in _kinds(function)]


@for_each("name", CLOSED)
def test_an_unknown_option_is_answered_with_the_options(name: str) -> None:
    function, bound = CALLABLES[name]
    parameters = [*inspect.signature(function).parameters.values()][bound:]
    shown = name.partition(".")[0] if "__" in name else name.rpartition(".")[2]
    with pytest.raises(TypeError, match=rf"^{shown} takes no {UNKNOWN}=\. ") as caught:
        function(*[None] * bound, **{UNKNOWN: 1})
    listed = str(caught.value).rpartition("It takes ")[2].rstrip(".").split(", ")
    own = [p.name for p in parameters if p.default is not p.empty]
    assert own == listed or (not own and listed == ["no options"])


@for_each("name", CALLABLES)
def test_a_missing_argument_is_named(name: str) -> None:
    function, bound = CALLABLES[name]
    parameters = [*inspect.signature(function).parameters.values()][bound:]
    missing = [p.name for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if not missing:
        return
    with pytest.raises(TypeError, match=rf" lacks .*\b{missing[-1]}\b.*It is called as ") as caught:
        function(*[None] * bound)
    assert not RAW.search(str(caught.value))


@for_each("name", CALLABLES)
def test_too_many_arguments_are_answered_with_the_way_to_call(name: str) -> None:
    function, bound = CALLABLES[name]
    if inspect.Parameter.VAR_POSITIONAL in _kinds(function):
        return
    with pytest.raises(TypeError, match=r" by position, and 40 were given\. ") as caught:
        function(*[None] * bound, *[None] * 40)
    assert not RAW.search(str(caught.value))


OPEN: dict[str, tuple[Any, ...]] = {  # functions that pass options on, and arguments that fit
    "per_example": ("f1", Y, P),
    "compare": (Y, {"one": P, "two": Y}),
    "paired_counts": (Y, {"one": P, "two": Y}),
    "power": (BINARY, {"one": DECIDED, "two": BINARY}, "f1"),
    "tune": (BINARY, SCORES, "f1"),
    "scorer": ("f1",),
    "Stream": ("macro f1",),
    "cross_validate": (None, [[0.0]] * 6, BINARY),
    "evaluate_frame": (pd.DataFrame({"y": Y, "p": P}),),
    "explain_difference": (Y, P, "macro f1", "torchmetrics", "scikit-learn"),
    "cost": (BINARY, DECIDED, [[0, 1], [1, 0]]),
    "cost_per_example": (BINARY, DECIDED, [[0, 1], [1, 0]]),
    "one_vs_all": (BINARY, np.column_stack([SCORES, SCORES])),
    "open_set_curve": (Y, P, SCORES[:5]),
    "risk_coverage": (Y, P, SCORES[:5]),
    "sequences": ([["B-x"]], [["B-x"]]),
    "spans": ([[(0, 1, "x")]], [[(0, 1, "x")]]),
    "one_class": ([1, -1, 1], [1, 1, 1]),
    "segmentation": (np.zeros((1, 2, 2), int), np.zeros((1, 2, 2), int)),
    "multi_instance": ([0, 1], [0.1, 0.9], [0, 1]),
    "positive_unlabeled": ([1, 0, 0], [1, 0, 1]),
    "preferences": ([[1, 2]], [[1, 2]]),
    **dict.fromkeys(("ece", "reliability", "brier", "log_loss", "brier_skill", "log_loss_skill"), (BINARY, SCORES)),
    **dict.fromkeys(("brier_decomposition", "expected_loss", "spherical_score", "smooth_ece", "hinge_loss"), (BINARY, SCORES)),
    **dict.fromkeys(("calibration_line", "spiegelhalter", "balanced_log_loss", "auc"), (BINARY, SCORES)),
    **{name: ([[1, 0], [0, 1]], [[0.5, 0.1], [0.2, 0.9]]) for name in ("dcg", "ndcg", "mrr", "label_ranking_ap", "ranking_loss")},
    **dict.fromkeys(("f1", "f_beta", "multiclass_kappa", "subset_accuracy"), (Y, P)),
}
NEEDED: dict[str, dict[str, Any]] = {
    "one_class": {"target": 1},
    "evaluate_frame": {"true": "y", "pred": "p"},
    "open_set_curve": {"known": ["a", "b"]},
}


@for_each("name", OPEN)
def test_an_option_that_nobody_takes_is_refused_by_the_function_that_was_called(name: str) -> None:
    function, more = every_public()[name], NEEDED.get(name, {})
    with pytest.raises(TypeError, match=rf"\b{UNKNOWN}\b") as caught:
        function(*OPEN[name], **more, **{UNKNOWN: 1})
    assert not RAW.search(str(caught.value))
    own = [p.name for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    listed = str(caught.value).rpartition("It takes ")[2]
    assert all(re.search(rf"\b{option}\b", listed) for option in own if option not in more), str(caught.value)


@pytest.mark.parametrize(
    ("call", "options"),
    [
        (lambda: ix.tune(BINARY, SCORES, "f1", constraint=""), ("subject_to", "method")),
        (lambda: ix.compare(Y, {"one": P, "two": Y}, measur="f1"), ("measures", "averages", "baseline")),
        (lambda: ix.scorer("f1", averge="macro"), ("average", "better", "response")),
        (lambda: ix.evaluate(Y, P).table(measures="f1", avg="macro"), ("averages", "interval")),
        (lambda: ix.cross_validate(None, [[0.0]], [0], folds=3), ("cv", "groups", "params")),
    ],
)
def test_the_list_has_the_options_of_the_function_itself(call: Any, options: tuple[str, ...]) -> None:
    with pytest.raises(TypeError, match="It takes ") as caught:
        call()
    assert all(option in str(caught.value) for option in options)


PLURAL = [
    (name, parameter)
    for name, (function, _) in CALLABLES.items()
    for parameter, p in inspect.signature(function).parameters.items()
    if parameter in OTHER_NUMBER and p.kind is not p.VAR_POSITIONAL
    if OTHER_NUMBER[parameter] not in inspect.signature(function).parameters
]


def test_one_and_several_averages_are_the_same_word() -> None:
    ev = ix.evaluate(Y, P)
    assert ev.score("f1", averages="macro") == ev.score("f1", average="macro")
    assert str(ev.table("f1", average="macro")) == str(ev.table("f1", averages="macro"))
    assert ix.f1(Y, P, averages="macro") == ix.f1(Y, P, average="macro")
    assert ix.auc(BINARY, SCORES, averages=None) == ix.auc(BINARY, SCORES)
    assert repr(ix.scorer("f1", averages="macro")) == repr(ix.scorer("f1", average="macro"))
    models = {"one": P, "two": Y}
    found = ix.compare(Y, models, measure="f1", average="macro")
    assert str(found) == str(ix.compare(Y, models, measures="f1", averages="macro"))


@for_each(("name", "parameter"), PLURAL)
def test_every_function_knows_the_other_number_of_measure_and_average(name: str, parameter: str) -> None:
    function, bound = CALLABLES[name]
    other = OTHER_NUMBER[parameter]
    with suppress(ValueError, AttributeError, UnicodeError):  # the function ran, so it has taken the option
        try:
            function(*[None] * bound, **{other: "macro"})
        except UnforeseenError:
            pass  # the function ran, without what it is a method of
        except TypeError as error:
            said = str(error)
            assert f"{other}=" not in said, said  # what is wrong is another argument


def test_a_good_call_pays_for_few_doors() -> None:
    x = np.arange(100) % 2
    ix.f1(x, x)
    seen: list[str] = []

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_name == "call" and frame.f_code.co_filename.endswith("call_mistakes.py"):
            seen.append(frame.f_locals["function"].__qualname__)

    for average in (None, "macro"):
        sys.setprofile(note)
        ix.f1(x, x, average=average)
        sys.setprofile(None)
    assert len(seen) <= 13, seen  # the parameters of a call are only looked at where it has failed


def test_an_error_inside_a_function_stays_what_it_is() -> None:
    with pytest.raises(TypeError, match=r"^only\('a'\) is one text"):
        ix.evaluate(Y, P).only("a")
    only_small = ix.measure(lambda tp, fp, fn, tn: tp if tp + tn < 12 else "x" + tp, name="odd")
    with pytest.raises(TypeError, match=r"can only concatenate str"):
        only_small(Y * 20, P * 20, average="micro")


def test_functions_and_classes_stay_what_they_are() -> None:
    assert pickle.loads(pickle.dumps(ix.tune)) is ix.tune
    assert [*inspect.signature(ix.Counts).parameters][:4] == ["tp", "fp", "fn", "tn"]
    assert copy.copy(ix.Counts(1, 2, 3, 4)) == ix.Counts(1, 2, 3, 4)
    assert (ix.compare.__doc__ or "").startswith("Return the scores of several classifiers")


def test_what_is_given_twice_is_said() -> None:
    with pytest.raises(TypeError, match=r"^top_k has k twice, by position and as k=\. Give it once\.$"):
        ix.top_k(3, k=3)  # type: ignore[misc]


FRAME = pd.DataFrame({"y": Y, "p": P})


@for_each(
    ("call", "message"),
    [
        (lambda: ix.evaluate(FRAME, "y", "p"), r"ix\.evaluate_frame\(df, true='y', pred='p'\)\.$"),
        (lambda: ix.evaluate(FRAME), r"ix\.evaluate_frame\(df, true='y', pred='p'\)\.$"),
        (lambda: ix.evaluate_frame(FRAME, "y", "p"), r"by name: evaluate_frame\(df, true='y', pred='p'\)\.$"),
        (lambda: ix.agreement(Y, P), r"ix\.agreement\(\{'a': a, 'b': b\}\)\.$"),
        (lambda: ix.scorer("f1", "macro"), r"by name: scorer\('f1', average='macro'\)\.$"),
        (lambda: ix.evaluate(Y, P, sensitive_features=Y), r"^evaluate takes no sensitive_features=; .* by=\{'group': …\}\.$"),
        (lambda: ix.evaluate(Y, P, groups=Y), r"^evaluate takes no groups=; .* by=\{'group': …\}\.$"),
        (lambda: ix.evaluate(Y, P, num_classes=3), r"^evaluate takes no num_classes=; .* classes=range\(3\)"),
        (
            lambda: ix.fairness.demographic_parity_difference(Y, P, sensitive_features=Y),
            r"ix\.evaluate\(y_true, y_pred, by=.*axis='group'",
        ),
        (lambda: ix.evaluate(BINARY, BINARY, by={"s": [*Y, "a"]}).compare_groups("f1", by="s"), "name a grouping with axis="),
        (lambda: ix.torch.Stream(average="macro"), r"^Stream takes no average=; .*'macro f1'\.$"),
        (lambda: ix.torch.Stream("f1", num_classes=3), r"^Stream takes no num_classes=; classes= takes their number"),
        (lambda: ix.torch.Metric("f1", average="macro"), r"^Metric takes no average=; .*'macro f1'\.$"),
        (lambda: ix.torch.Metric("f1", task="multiclass"), r"^Metric takes no task=; kind= is 'multiclass' or 'multilabel'\.$"),
        (lambda: ix.Stream(average="macro"), r"^Stream takes no average=; .*'macro f1'\.$"),
        (lambda: ix.evaluate(Y, P).plot(), r"^ev\.plot has several: choose ev\.plot\.confusion\(\), "),
        (lambda: ix.compare({"a": ix.evaluate(Y, P)}, interval=True), r"^compare takes no interval=; level=0\.95 gives"),
    ],
)
def test_what_people_type_first_is_answered_in_one_line(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("look", "message"),
    [
        (lambda: ix.report, r"Use print\(ix\.evaluate\(y_true, y_pred\)\)"),
        (lambda: ix.recommend, r"Use ix\.explain\('f1'\)"),
        (lambda: ix.plots.roc, r"Use ix\.plots\.curves\(ix\.sweep\(y_true, scores\)\.roc\(\)\)\.$"),
        (lambda: ix.plots.confusion_matrix, r"Use ev\.plot\.confusion\(\)"),
        (lambda: ix.evaluate(Y, P).to_json, r"ev\.save\(path\) writes its counts as JSON"),
        (lambda: ix.evaluate(Y, P).compare, r"ix\.compare\(\{'a': ev1, 'b': ev2\}\)"),
        (lambda: ix.evaluate(Y, P).plot.roc, r"^ev\.plot has no roc\. "),
    ],
)
def test_names_that_people_look_for_are_answered(look: Any, message: str) -> None:
    with pytest.raises(AttributeError, match=message):
        look()


def test_plots_that_are_named_instead_exist() -> None:
    for name, use in ix.plots.HINTS.items():
        for call in re.findall(r"ix\.plots\.([a-z_]+)", use):
            assert call in ix.plots.HOMES, name
        for curve in re.findall(r"scores\)\.([a-z]+)\(", use):
            assert hasattr(ix.types.Sweep, curve), name


@for_each("average", [*AVERAGES, "samples"])
@for_each("measure", ["f1", "f_beta(beta=2)", "recall"])
def test_the_name_of_a_score_is_its_average_and_its_measure(measure: str, average: str) -> None:
    ev = ix.evaluate(Y, P)
    if average == "target" or (average == "denominator" and measure == "f_beta(beta=2)"):
        return
    wanted = ev.score(measure, average)
    for text in (f"{average} {measure}", f"{measure} {average}"):
        assert ev.score(text) == wanted
        assert ev.score(text, average) == wanted
    assert split_score(f"{average} {measure}") == (measure, average)


def test_the_name_of_a_score_is_read_wherever_one_is_named() -> None:
    ev, grouped = ix.evaluate(Y, P), ix.evaluate(BINARY, DECIDED, by={"fold": [1, 2, 1, 2, 1, 2]})
    assert ev.exact("macro f1") == ev.exact("f1", "macro")
    assert ev.interval("macro f1") == ix.inference.interval(ev, "macro f1") == ev.interval("f1", "macro")
    assert str(ev.table("macro f1")) == str(ev.table("f1", "macro"))
    assert str(ev.table(["macro f1", "macro recall"])) == str(ev.table(["f1", "recall"], "macro"))
    assert grouped.folds("macro f1").averaged == grouped.folds("f1", "macro").averaged
    assert (
        grouped.compare_groups("macro f1", "fold").difference == grouped.compare_groups("f1", "fold", average="macro").difference
    )
    assert str(ix.compare(Y, {"a": P, "b": Y}, "macro f1")) == str(ix.compare(Y, {"a": P, "b": Y}, "f1", "macro"))
    assert str(ix.compare([ev, ev], "macro f1")) == str(ix.compare([ev, ev], "f1", "macro"))
    assert repr(ix.scorer("macro f1")) == repr(ix.scorer("f1", average="macro"))
    assert repr(ix.scorer(["macro f1", "micro recall"])) == repr(ix.scorer([("f1", "macro"), ("recall", "micro")]))
    assert ix.power(ev, "macro f1", width=0.1).n == ix.power(ev, "f1", "macro", width=0.1).n
    table = np.column_stack([1 - np.array(SCORES), SCORES])
    tuned = ix.tune(BINARY, table, "macro f1", one_vs_all=True, classes=[0, 1])
    assert tuned.rule == ix.tune(BINARY, table, "f1", "macro", one_vs_all=True, classes=[0, 1]).rule
    assert ev.redundant(["macro f1", "macro recall"]).scores == ev.redundant(["f1", "recall"], ["macro"]).scores


@for_each(
    ("call", "message"),
    [
        (lambda ev: ev.score("f1_macro"), r"There is no measure 'f1_macro'\. Write 'macro f1'\.$"),
        (lambda ev: ev.score("macro_f1"), r"Write 'macro f1'\.$"),
        (lambda ev: ix.scorer("precision_weighted"), r"Write 'weighted precision'\.$"),
        (lambda ev: ev.score("macro f1", "micro"), r"names the average macro, and average='micro' is another one"),
        (lambda ev: ev.interval("macro f1", "micro"), r"names its average, and 'micro' is another one\. Give one of them\.$"),
        (lambda ev: ev.table(["f1", "micro recall"], "macro"), r"names its average, and 'macro' is another one"),
        (lambda ev: ix.explain("macro f1"), r"an explanation is of a measure alone: explain\('f1'\)"),
        (lambda ev: ix.properties("macro f1"), r"only a measure is named here\. Give 'f1'"),
        (lambda ev: ev.score("macro foo"), r"There is no measure 'foo'"),
        (
            lambda ev: ev.score("brier"),
            r"^brier reads scores, and this evaluation has none: .*; or ix\.brier\(y_true, scores\)\.$",
        ),
        (lambda ev: ev.score("auc"), r"^auc reads scores, and this evaluation has none: .*; or ix\.auc\(y_true, scores\)\.$"),
        (lambda ev: ev.score("log_loss"), r"ix\.log_loss\(y_true, scores\)"),
    ],
)
def test_a_score_that_cannot_be_read_is_answered_in_one_line(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        call(ix.evaluate(Y, P))
    assert "ber?" not in str(caught.value)


def test_each_measure_may_name_its_own_average() -> None:
    assert split_scores(["macro f1", "f1"], "macro") == ([("f1", "macro"), ("f1", "macro")], "macro")
    assert split_scores([ix.recall, "macro f1"]) == ([(ix.recall, None), ("f1", "macro")], None)
    with pytest.raises(ValueError, match="'macro f1' names its average, and 'micro' is another one"):
        split_scores(["f1", "macro f1"], "micro")


def test_tables_and_comparisons_take_scores_with_averages_of_their_own() -> None:
    y, z = [0, 1, 2, 2, 1, 0], [0, 1, 2, 1, 1, 2]
    ev = ix.evaluate(y, z)
    mixed = ix.compare({"a": ev, "b": ix.evaluate(y, y)}, ["accuracy", "macro f1", "weighted f1"])
    assert [row.name for row in mixed.rows] == ["accuracy", "macro f1", "weighted f1"]
    assert [row.values[0] for row in mixed.rows] == [ix.accuracy(y, z), ev.score("f1", "macro"), ev.score("f1", "weighted")]
    table = ev.table(["weighted f1", "accuracy", "macro f1"])
    assert (table.measures, table.averages) == ((ix.f1, ev.score("accuracy").measure), ("macro", "weighted", None))
    assert {(str(m), a) for m, a in table.scores} == {("f1", "weighted"), ("f1", "macro"), ("accuracy", None)}
