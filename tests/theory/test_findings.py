"""Findings: each kind is found where it is, nothing is found where nothing is, and every number in a text is right."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix
from indicatrix.theory.result.finding_rules import FINDERS, LEAST

EXAMPLE = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])  # ex:counterexample
PAPER = Path(__file__).parents[2] / "paper"


def kinds(evaluation, *args):
    return [f.kind for f in evaluation.findings(*args)]


def the(kind, evaluation, *args):
    found = [f for f in evaluation.findings(*args) if f.kind == kind]
    assert found, f"no finding of kind {kind}"
    return found[0]


def imbalanced(n=400):
    """Four classes, one of three examples; predictions are right most of the time."""
    rng = np.random.default_rng(3)
    y = rng.choice(4, n, p=[0.6, 0.25, 0.14, 0.01])
    y[:3] = 3
    return y, np.where(rng.random(n) < 0.85, y, rng.integers(0, 3, n))


def test_a_perfect_result_needs_no_words():
    assert EXAMPLE.findings()
    assert ix.evaluate([0, 1, 2] * 20, [0, 1, 2] * 20).findings() == []
    assert ix.evaluate([[1, 0], [0, 1]], [[1, 0], [0, 1]]).findings(averages=["micro", "macro"]) == []


def test_a_balanced_binary_result_needs_no_words():
    y = [0, 1] * 50
    assert ix.evaluate(y, [1 - v if i % 5 < 1 else v for i, v in enumerate(y)]).findings() == []


def test_micro_scores_in_disguise():
    found = the("collapse", EXAMPLE, ["precision", "recall", "f1", "mcc"], ["micro", "macro"])
    assert found.theorem == "thm:micro_collapse"
    assert found.numbers["accuracy"] == 200 / 275
    assert "precision, recall and f1 are exactly that" in found.text
    assert "collapse" not in kinds(EXAMPLE, ["precision", "recall"], ["macro"]), "no micro score was asked for"


def test_abstentions_break_the_collapse_and_are_named():
    y, p = imbalanced()
    y, p = [str(v) for v in y], [str(v) for v in p]
    p[:60] = [None] * 60
    evaluation = _abstaining(y, p)
    assert "collapse" not in kinds(evaluation)
    found = the("abstention", evaluation, ["precision", "recall"], ["micro", "exemplar"])
    assert found.numbers["abstained"] == pytest.approx(60 / 400)
    assert float(evaluation.score("precision", "exemplar")) == found.numbers["score"]
    assert float(evaluation.score("precision", "exemplar", undefined=0)) == found.numbers["counted as wrong"]


def _abstaining(y, p):
    classes = sorted(set(y))
    rows = [[int(v == c) for c in classes] for v in p]
    return ix.evaluate([[int(v == c) for c in classes] for v in y], rows)


def test_floors_that_flatter():
    found = the("floor", EXAMPLE, ["specificity"], ["micro"])
    score = EXAMPLE.score("specificity", "micro")
    assert found.numbers == {"score": float(score), "floor": 0.5, "rescaled": ix.theory.rescale(score, 3)}
    loss = the("floor", EXAMPLE, ["error_rate"], ["micro"])
    assert loss.numbers["ceiling"] == pytest.approx(2 / 3)
    assert "floor" not in kinds(EXAMPLE, ["recall", "f1"], ["micro"]), "their floor is the end of their range"
    two = ix.from_confusion([[40, 10], [5, 20]], classes=["a", "b"])
    assert "floor" not in kinds(two, ["specificity"], ["micro"]), "two classes reach the worst value"


def test_undefined_classes_under_each_convention():
    evaluation = ix.evaluate([0, 1, 2, 0], [0, 1, 0, 0], classes=[0, 1, 2, 3])
    found = the("undefined", evaluation, ["recall"], ["macro"])
    for key, convention in (("excluded", "exclude"), ("as 0", 0), ("as 1", 1)):
        assert found.numbers[key] == float(evaluation.score("recall", "macro", undefined=convention))
    assert "class 3" in found.text


def test_an_undefined_binary_score_is_the_first_thing_to_know():
    evaluation = ix.evaluate([0, 1, 1, 0, 0], [0, 0, 0, 0, 0])
    first = evaluation.findings()[0]
    assert first.kind == "undefined"
    assert "precision" in first.text
    assert first.effect == 1


def test_tiny_classes_drive_macro():
    y, p = imbalanced()
    found = the("tiny classes", ix.evaluate(y, p), ["recall"], ["macro"])
    values = ix.evaluate(y, p).values("recall")
    small = np.bincount(y) < 10
    assert found.numbers["without"] == pytest.approx(values[~small].mean())
    assert found.numbers["macro"] == pytest.approx(values.mean())
    assert "tiny classes" not in kinds(EXAMPLE, ["recall"], ["macro"])


def test_averages_that_depend_on_the_priors():
    found = the("priors", EXAMPLE, ["recall"], ["micro"])
    assert found.numbers == {
        "here": float(EXAMPLE.score("recall", "micro")),
        "uniform": pytest.approx(float(EXAMPLE.with_priors("uniform").score("recall", "micro"))),
    }
    assert "priors" not in kinds(EXAMPLE, ["recall"], ["macro"]), "macro recall is prior-free (prop:ovr_skew)"


def test_micro_outside_the_classes():
    found = the("escape", EXAMPLE, ["balanced_accuracy"], ["micro"])
    values = EXAMPLE.values("balanced_accuracy")
    assert found.numbers["micro"] > values.max() == found.numbers["highest"]
    assert "escape" not in kinds(EXAMPLE, ["recall", "precision", "specificity"], ["micro"]), "decomposable: an average"


def test_redundant_scores_are_named_only_if_asked_for():
    assert "redundant" not in kinds(EXAMPLE)
    found = the("redundant", EXAMPLE, ["recall", "specificity", "balanced_accuracy"], ["macro"])
    assert found.numbers["independent"] == 2
    assert "macro label balanced accuracy from macro recall and macro specificity" in found.text
    fixed = the("redundant", EXAMPLE, ["prevalence"], ["micro", "macro"])
    assert "2 scores carry 0 independent facts" in fixed.text
    assert "no prediction changes them" in fixed.advice


@pytest.mark.slow
@given(
    st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=3, max_size=3),
    st.sampled_from([None, ["recall", "f1"], ["mcc", "specificity", "error_rate"]]),
)
def test_findings_are_ordered_and_complete(table, measures):
    found = ix.from_confusion(table).findings(measures)
    effects = [round(f.effect, 9) for f in found]
    assert effects == sorted(effects, reverse=True)
    for f in found:
        assert f.kind in FINDERS
        assert f.text.endswith(".")
        assert f.advice.endswith(".")
        assert f.effect > 0
        assert f.effect >= LEAST or f.kind == "redundant"
        assert all(np.isfinite(x) for x in f.numbers.values()), f
        told = {f"{x:.3f}" for x in f.numbers.values()}
        assert set(re.findall(r"-?\d+\.\d{3}\b", f.text)) <= told, "every number in a text is one of the finding's"


def test_theorems_exist():
    labels = json.loads((PAPER / "printed.json").read_text("utf-8"))["labels"]
    errata = set(re.findall(r"\*\*([A-D]\d+)\.", (PAPER / "errata.md").read_text("utf-8")))
    for source in (Path(ix.__file__).parent / "theory").rglob("*.py"):
        for cited in re.findall(r"\b((?:thm|prop|cor|rem|def|eq|tab|sec|ex):[a-z_0-9]+)", source.read_text("utf-8")):
            assert cited in labels, f"{source.name} cites {cited}"
        for cited in re.findall(r"errata ([A-D]\d+)", source.read_text("utf-8")):
            assert cited in errata, f"{source.name} cites errata {cited}"


def test_every_shape_is_looked_at_without_error():
    rng = np.random.default_rng(0)
    memberships = rng.random((20, 4))
    for evaluation in (
        ix.evaluate([], []),
        ix.evaluate(["a"], ["a"]),
        ix.evaluate(["a"], ["b"]),
        ix.evaluate([0, 0], [0, 0]),
        ix.from_counts(8, 2, 2, 88),
        ix.from_counts([8, 1], [2, 0], [2, 3], [88, 96]),
        ix.evaluate(memberships > 0.7, memberships > 0.5),
        ix.evaluate(memberships, rng.random((20, 4)), tnorm="product"),
        ix.evaluate([0, 1, 2] * 5, [0, 2, 1] * 5, sample_weight=rng.random(15)),
        ix.evaluate([0, 1, 2] * 5, [0, 2, 1] * 5, mask=np.arange(15) % 4 > 0),
        ix.evaluate([0, 1, 2] * 5, [0, 2, 1] * 5, by={"fold": np.arange(15) % 3}),
    ):
        assert isinstance(evaluation.findings(), list)
        assert isinstance(evaluation.findings(["mcc", "lift"], ["micro", "macro"]), list)


def test_predictions_that_are_no_true_labels_are_found_first_and_said_once():
    text = "No predicted label occurs among the true labels"
    ev = ix.evaluate(["cat", "dog", "dog"], ["Cat", "Dog ", "Dog "])
    assert ev.findings()[0].kind == "labels"
    for shown in (str(ev), ev.report(undefined=0)):
        assert (
            " ".join(shown.split()).count(f"{text}: 'Cat', 'Dog '. They differ only in upper and lower case or in spaces.") == 1
        )
    other = ix.evaluate(["cat", "dog"], ["fox", "Dog"])
    assert f"{text}: 'Dog', 'fox'." in " ".join(str(other).split())
    assert f"{text} of b: 'Dog', 'fox'." in str(ix.compare({"a": ix.evaluate(["cat", "dog"], ["cat", "dog"]), "b": other}))


@pytest.mark.parametrize(
    "ev",
    [
        ix.evaluate(["cat", "dog"], ["dog", "cat"]),
        ix.evaluate([0, 0], [1, 1]),
        ix.evaluate(["cat"], ["dog"], classes=["cat", "dog"]),
        ix.evaluate([{"cat"}], [{"dog"}]),
        ix.evaluate(["cat"], [None], missing="abstain"),
        ix.from_confusion([[0, 2], [0, 0]]),
        ix.Evaluation(),
    ],
    ids=str,
)
def test_labels_that_are_written_correctly_are_not_doubted(ev):
    assert "No predicted label" not in str(ev)
    assert all(f.kind != "labels" for f in ev.findings())


def test_texts_for_missing_labels_are_found_unless_the_classes_were_given():
    ev = ix.evaluate(np.array(["a", np.nan, "b"]), ["a", "a", "b"])  # NumPy makes a text of nan
    assert "The text 'nan' is counted as a class." in str(ev)
    assert "give None in its place" in next(f for f in ev.findings() if f.kind == "missing").advice
    both = ix.compare({"m": ev, "k": ix.evaluate(["a", "none"], ["none", "a"])})
    assert "The text 'nan' of m is counted as a class." in both.doubts
    given = ix.evaluate(["a", "nan"], ["a", "a"], classes=["a", "nan"])
    assert all(f.kind != "missing" for f in given.findings())
