"""Soft classifier outputs: a decision rule makes labels of scores, is recorded, and everything else is as for labels."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix
from indicatrix.encode.decisions import ROW_RULES, RowRule

SCORES = np.array([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5], [0.4, 0.35, 0.25], [0.1, 0.1, 0.8]])


def exact(values):
    return [Fraction(v).limit_denominator(1000) for v in np.ravel(values).tolist()]


def test_soft_classifier_outputs():
    """eq:argmax and eq:threshold by hand: y = 1, 2, 0, 0."""
    y = [1, 2, 0, 0]
    argmax = ix.evaluate(y, SCORES, decide="argmax")  # 0 (a tie: the lowest index), 2, 0, 2
    assert argmax.confusion.tolist() == [[1, 0, 1], [1, 0, 0], [0, 0, 1]]
    assert argmax.tally == ix.evaluate(y, [0, 2, 0, 2], classes=range(3)).tally
    threshold = ix.evaluate(y, SCORES, decide=0.35)  # {0, 1}, {2}, {0, 1}, {2}
    assert [int(x) for x in threshold.aggregate(())] == [3, 3, 1, 5]
    assert exact(threshold.values("precision")) == [Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)]
    per_label = ix.evaluate(y, SCORES, decide=[0.4, 0.5, 0.6])  # {0, 1}, {}, {0}, {2}
    assert [int(x) for x in per_label.aggregate(())] == [2, 2, 2, 6]
    two = ix.evaluate(y, SCORES, decide=ix.top_k(2))  # {0, 1}, {1, 2}, {0, 1}, {0, 2}: a tie again at the end
    assert exact([two.score("recall", "micro"), two.score("precision", "micro")]) == [Fraction(1), Fraction(1, 2)]
    rejecting = ix.evaluate(y, SCORES, decide=ix.reject_below(0.5))  # 0, 2, none, 2
    assert (rejecting.coverage, exact(rejecting.score("precision", "micro"))) == (3 / 4, [Fraction(1, 3)])


@pytest.mark.parametrize("rule", ["argmax", 0.35, [0.4, 0.5, 0.6], ix.top_k(2), ix.reject_below(0.5)])
def test_decisions_are_recorded_and_only_equal_ones_add(rule, tmp_path):
    ev = ix.evaluate([1, 2, 0, 0], SCORES, decide=rule)
    assert ev.recipe.in_words()["decide"] == (rule if isinstance(rule, str) else str(rule))
    assert f"Decisions by {rule}." in str(ev)
    ev.save(tmp_path / "ev.json")
    assert ix.load(tmp_path / "ev.json") == ev
    assert (ev + ev).n == 8
    with pytest.raises(ValueError, match="made differently"):
        ev + ix.evaluate([1, 2, 0, 0], SCORES, decide=ix.top_k(1))


@given(st.data())
def test_rules_decide_by_their_definitions(data):
    n, m = data.draw(st.integers(0, 6)), data.draw(st.integers(1, 4))
    entries = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
    scores = np.array(data.draw(st.lists(st.lists(entries, min_size=m, max_size=m), min_size=n, max_size=n))).reshape(n, m)
    y = data.draw(st.lists(st.integers(0, m - 1), min_size=n, max_size=n))
    k = data.draw(st.integers(1, m))
    order = [sorted(range(m), key=lambda j, row=row: (-row[j], j)) for row in scores]
    for rule, chosen in (
        ("argmax", [{o[0]} for o in order]),
        (ix.top_k(k), [set(o[:k]) for o in order]),
        (0.5, [{j for j in range(m) if row[j] >= 0.5} for row in scores]),
        (ix.reject_below(0.5), [{o[0]} if row[o[0]] >= 0.5 else set() for o, row in zip(order, scores, strict=True)]),
    ):
        ev = ix.evaluate(y, scores, decide=rule, classes=range(m))
        assert ev.aggregate("class") == ix.evaluate([{c} for c in y], chosen, classes=range(m)).aggregate("class")


@dataclass(frozen=True, repr=False)
class Runner(RowRule):
    """The class in a place of the ranking: a rule that the library does not have."""

    place: int
    name = "runner"
    one_class = True

    def decide(self, scores, argument):
        return np.argsort(-scores, axis=1, kind="stable")[:, self.place]


def test_a_new_rule_is_a_class_and_an_entry(monkeypatch, tmp_path):
    monkeypatch.setitem(ROW_RULES, "runner", Runner)
    y, scores = [0, 1, 2], np.array([[0.5, 0.3, 0.2], [0.7, 0.2, 0.1], [0.1, 0.6, 0.3]])
    second, labels = Runner(1), [1, 1, 2]
    ev = ix.evaluate(y, scores, decide=second)
    assert ev.aggregate("class") == ix.evaluate(y, labels, classes=range(3)).aggregate("class")
    ev.save(tmp_path / "ev.json")
    assert ix.load(tmp_path / "ev.json") == ev != ix.evaluate(y, scores, decide=Runner(0))
    assert ev.recipe.in_words() == {"decide": "runner(1)"}
    assert ix.evaluate(y, scores, decide=second, known=range(3)).score("exact_match") == 2 / 3
    assert ix.tasks.one_vs_all(y, scores, final=second).final.score("exact_match") == 2 / 3
    for refused in (
        lambda: ix.tasks.one_vs_all(y, scores, decide=second),
        lambda: ix.evaluate([0, 1], [0.2, 0.9], decide=second),
    ):
        with pytest.raises(ValueError, match=r"decide=runner\(1\)"):
            refused()


def test_errors_of_rules():
    with pytest.raises(TypeError, match="is not a rule"):
        ix.evaluate([0], [[0.5, 0.5]], decide=object())
    for wrong in ("high", float("nan"), True, [0.5, 0.6]):
        with pytest.raises(TypeError, match="reject_below takes a number"):
            ix.reject_below(wrong)
    named = pd.Series({"b": 0.2, "a": 0.5})
    with pytest.raises(TypeError, match="has names for its thresholds; give a list"):
        ix.evaluate(["a", "b"], [[0.5, 0.5], [0.1, 0.9]], decide=named, classes=["a", "b"])


def test_float32_scores_reach_their_threshold():
    scores = np.array([0.7, 0.9], np.float32)
    assert ix.recall([1, 1], scores, decide=0.7) == 1
    assert ix.recall([0, 0], np.stack([scores, 1 - scores], axis=1), decide=0.7, average="micro") == 1


def test_named_columns_are_never_read_in_another_order():
    frame, y = pd.DataFrame({"b": [0.1, 0.9], "a": [0.9, 0.1]}), ["a", "b"]
    assert ix.evaluate(y, frame, decide="argmax").score("exact_match") == 1
    truth = ix.tasks.votes([["a"], ["b"]])
    for call in (
        lambda: ix.evaluate(y, frame, classes=["a", "b"], decide="argmax"),
        lambda: ix.evaluate(truth, frame, tnorm="product", decide="argmax"),
        lambda: ix.evaluate({"t": y}, {"t": frame}, targets=True, classes={"t": ["a", "b"]}, decide="argmax"),
        lambda: ix.evaluate([[1, 0]], [[1, 1]], classes=["a", "b"], mask=pd.DataFrame({"b": [0], "a": [1]})),
        lambda: ix.cost(y, frame, pd.DataFrame([[0, 1], [1, 0]], ["a", "b"], ["a", "b"]), decide="argmax"),
    ):
        with pytest.raises(ValueError, match="Put both in the same order"):
            call()
    with pytest.raises(ValueError, match="takes one threshold"):
        ix.evaluate([0, 1], [0.2, 0.9], decide=ix.reject_below(0.5))
