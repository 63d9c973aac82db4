"""Arguments that no check foresaw: the error names the one to blame; errors that are not about arguments stay what they are."""

from __future__ import annotations

import contextlib
import inspect
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from fuzz.valid_calls import OBJECTS, SETUP, every_call
from indicatrix.public_names import every_public
from indicatrix.words.blamed_arguments import blame, is_made_here
from indicatrix.words.call_mistakes import answers_mistakes

Y, S = [0, 1, 1, 0], [0.1, 0.8, 0.4, 0.3]
SITES = ["x", "y", "x", "y"]
EV = ix.evaluate(Y, [0, 1, 0, 0], by={"site": SITES})
DEEP: list[Any] = []
for _ in range(100_000):
    DEEP = [DEEP]
SIGNS = "-" * 20_000 + "1"
JUNK = [
    (lambda: ix.explain(None), "explain takes a measure, its name or a formula.* this is a NoneType"),
    (lambda: ix.aggregate("x"), "source is a str; give cells, an evaluation"),
    (lambda: ix.tasks.folds([1], "f1"), r"folds: ev=\[1\] is a list; it takes Evaluation"),
    (
        lambda: ix.fairness.demographic_parity_difference("x", "site"),
        "demographic_parity_difference: ev='x' is a str; it takes Evaluation",
    ),
    (lambda: ix.measure("tp / n", params=[1]), r"params=\[1\] must be a dict of parameters"),
    (lambda: ix.measure(int), "int is not a function of the four counts"),
    (lambda: EV.to_html(title=5), "to_html: title=5 is an int; it takes str"),
    (lambda: EV.weakest("recall", seed=-1, held_out=0.5, among={"x": Y}), "seed=-1 is an int; it takes a whole number from 0 on"),
    (lambda: ix.scores.reliability(Y, S, binning="isotonic").band(draws=0), "draws=0 is an int; it takes a whole number from 1"),
    (lambda: EV.compare_groups("recall", per="site"), r"takes no per=; the axis is the second argument"),
    (lambda: ix.cost(Y, Y, np.float32(1)), r"costs has shape \(\)"),
    (lambda: ix.average_precision(Y, S, missed=10**30), r"missed=1000.*0 or more .up to 2..53"),
    (lambda: ix.auc(Y, S, missing=np.array([1, 2])), "missing"),
    (lambda: ix.f1(Y, Y, undefined=np.array([])), "undefined=array"),
    (lambda: ix.f1(Y, Y, average=DEEP), "average=<list> must be one name"),
    (lambda: ix.evaluate(DEEP, Y), "y_true"),
    (lambda: EV.score(f"partial_auc(max_fpr={SIGNS})"), "nests more than 60 operations"),
    (lambda: ix.explain(f"partial_auc(max_fpr={SIGNS})"), "nests more than 60 operations"),
    (lambda: ix.explain(f"multiclass_kappa(weights={'(' * 5000}"), "multiclass_kappa"),
    (lambda: EV.findings(averages=[[]]), r"averages=\[\[\]\] is a list; it takes|averages\[0\] is \[\]; an average is a name"),
    (lambda: ix.evaluate(Y, Y, mask=["True"] * 4), "mask.0. is the text 'True': a mask holds True"),
    (lambda: ix.evaluate(Y, Y, classes=range(10**18)), "classes= names 1,000,000,000,000,000,000 classes"),
    (lambda: EV.save([1]), r"save: path=\[1\] is a list; it takes str or path"),
]


@for_each(("call", "words"), JUNK)
def test_junk_is_named_with_what_is_possible(call: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words) as raised:
        call()
    assert is_made_here(raised.value)


def test_every_public_function_is_at_this_door() -> None:
    alone = [name for name, f in every_public().items() if inspect.isfunction(f) and not hasattr(f, "answers_mistakes")]
    assert alone == ["ratio"]  # which formulas call on every number


def test_an_error_that_no_argument_explains_stays_what_it_is() -> None:
    def fails(*args: Any, **options: Any) -> Any:
        raise LookupError("of the caller")

    with pytest.raises(LookupError, match="of the caller"):
        ix.sweep(Y, S).apply(fails)

    @answers_mistakes
    def broken(title: str) -> Any:
        return unknown_name  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(NameError):
        broken(5)  # a fault of the function, whatever was given


@pytest.mark.parametrize(
    ("annotation", "right", "wrong"),
    [
        ("str | None", [None, "a"], [1, [], np.array(["a"])]),
        ("int", [1, np.int8(2)], [1.5, "1", True, None]),
        ("float", [1, 0.5, np.float32(1)], ["1", None, True]),
        ("Iterable[str] | None", [None, ["a"], ("a",), "a"], [1, [1], np.array(1)]),
        ("str | os.PathLike[str]", ["a"], [1, b"a", None]),
        ("str | Measure", ["f1", ix.f1, ix.auc], [1, None, ix.brier]),
        ("tuple[str, ...]", [("a", "b"), []], ["a", (1,), None]),
        ("Somebodys | None", [1, "a", None], []),
    ],
)
def test_annotations_say_what_an_argument_can_be(annotation: str, right: list[Any], wrong: list[Any]) -> None:
    def function(given):  # type: ignore[no-untyped-def]
        """Return nothing."""

    function.__annotations__ = {"given": annotation}
    for value in right:
        assert blame(function, "f", (value,), {}, AttributeError()) is None
    for value in wrong:
        assert f"it takes {annotation}" in str(blame(function, "f", (value,), {}, AttributeError()))


def test_no_argument_of_a_valid_call_is_ever_named() -> None:
    spoken = list[str]()
    namespace: dict[str, Any] = {}
    exec(SETUP, namespace)
    for name, text in OBJECTS.items():
        namespace[name] = eval(text, namespace)

    def ask(function: Any, name: str, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        said = blame(function, name, args, options, AttributeError())
        spoken.extend([] if said is None else [str(said)])

    class Asked:
        """What a call is made on, so that its arguments are looked at, and nothing else happens."""

        def __init__(self, callee: Any) -> None:
            self.callee = callee

        def __call__(self, *args: Any, **options: Any) -> None:
            original = getattr(self.callee, "answers_mistakes", (None,))[0]
            if original is not None:
                ask(original, original.__name__, args, options)

    asked = 0
    for call in every_call():
        with contextlib.suppress(Exception):  # a function that only some machines have
            callee = eval(call.callee, namespace)
            text = call.spell([*call.required], {name: value for name, value in call.optional if value})
            eval(text.replace(call.callee, "__asked__", 1), {**namespace, "__asked__": Asked(callee)})
            asked += 1
    assert asked > 300
    assert not spoken


class Estimator:
    def fit(self, x: Any, y: Any) -> Estimator:
        return self


INNOCENT = [
    (ix.Counts.at, {"class": "a"}),
    (ix.Counts, {"tp": np.array(1.0), "fp": np.array(2.0), "fn": np.array(0.0), "tn": np.array(0.0)}),
    (ix.Counts.without, ("tn", "fp")),
    (ix.cost, {"y_true": ix.one_hot(["a", "b"])}),
    (ix.evaluate, {"y_true": ix.one_hot(["a", "b"]), "undefined": ix.one_hot(["a"])}),
    (ix.Evaluation.score, {"measure": "f1", "undefined": ix.types.Convention(0)}),
    (ix.cross_validate, {"estimator": Estimator()}),
    (ix.sklearn.tuned_classifier, {"estimator": Estimator()}),
    (ix.inference.relations, {"population": EV, "measures": None}),
    (ix.tasks.label_costs, {"fn": {"rare": 10}, "fp": None}),
    (ix.multiclass_kappa.at, {"level": "ordinal"}),
    (ix.f_beta.at, {"beta": pytest.importorskip("sympy").Symbol("beta")}),
    (ix.plots.risk_coverage, {"coverage": np.array([0.0, 0.5, 1.0])}),
    (ix.ndcg, {"scores": pytest.importorskip("scipy.sparse").csr_array([[0.1, 0.9]])}),
    (ix.compare, {"y_true": ix.inference.paired_counts(Y, {"a": Y, "b": Y[::-1]})}),
]


@for_each(("function", "given"), INNOCENT)
def test_what_is_possible_is_not_named(function: Any, given: Any) -> None:
    inner = function.__init__ if isinstance(function, type) else function
    inner = getattr(inner, "answers_mistakes", (inner,))[0]
    args, options = ((), given) if isinstance(given, dict) else (given, {})
    assert blame(inner, "f", args, options, AttributeError()) is None


def test_an_error_of_the_callers_own_function_is_his_own() -> None:
    def rule(labels: Any, predicted: Any, **options: Any) -> Any:
        return {}["no such key"]

    with pytest.raises(KeyError, match="no such key"):
        ix.sweep(Y, S).apply(rule, threshold="low")  # which goes to the rule
