"""One-vs-all: each column judged alone before argmax, the one class after it (sec:ova, errata B9)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.tasks.pairwise.one_vs_all import BeforeAfter, OneVsAll, one_vs_all

MEASURES = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages]
QUARTERS = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])  # few values: ties and scores on the threshold are common


@st.composite
def scored(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    n, m = draw(st.integers(0, 8)), draw(st.integers(1, 4))
    y = np.array(draw(st.lists(st.integers(0, m - 1), min_size=n, max_size=n)), int)
    scores = np.array(draw(st.lists(st.lists(QUARTERS, min_size=m, max_size=m), min_size=n, max_size=n)), float).reshape(n, m)
    return y, scores


def counts(ev: ix.Evaluation, name: Any) -> tuple[Fraction, ...]:
    v = ev.aggregate("class").at(**{"class": name})
    return tuple(Fraction(float(x)) for x in (v.tp, v.fp, v.fn, v.tn))


def test_one_vs_all_decomposition() -> None:
    y = ["a", "b", "b", "c"]
    scores = [[0.9, 0.6, 0.1], [0.8, 0.7, 0.2], [0.1, 0.4, 0.3], [0.2, 0.3, 0.4]]
    both = one_vs_all(y, scores, classes=["a", "b", "c"])
    # before: a claims rows 0, 1; b claims rows 0, 1; c claims none
    assert [counts(both.classifiers, c) for c in "abc"] == [(1, 1, 0, 2), (1, 1, 1, 1), (0, 0, 1, 3)]
    # after: a, a, b, c
    assert [counts(both.final, c) for c in "abc"] == [(1, 1, 0, 2), (1, 0, 1, 2), (1, 0, 0, 3)]
    assert both.classifiers.score("precision", "micro") == Fraction(2, 4)
    assert both.classifiers.score("recall", "macro") == Fraction(1, 3) * (1 + Fraction(1, 2) + 0)
    assert both.final.score("recall", "micro") == Fraction(3, 4)  # the standard accuracy, Σ1(TP)/n
    assert both.final.score("exact_match") == Fraction(3, 4)
    assert both.claims == {0: 2, 2: 2}
    assert both.classifiers.kind == "multilabel"
    assert both.final.kind == "multiclass"
    table = both.table(["precision"], ["micro", "macro"])
    assert table.of_class("precision", "b") == (0.5, 1.0)
    assert table.of_average("precision", "micro") == (0.5, 0.75)
    assert table.of_average("precision", "macro")[0].undefined_units == ("c",)
    assert math.isnan(table.of_class("precision", "c")[0])


@given(scored(), QUARTERS)
def test_each_classifier_is_a_binary_problem_and_the_final_is_argmax(problem: tuple[np.ndarray, np.ndarray], t: float) -> None:
    y, scores = problem
    both = one_vs_all(y, scores, decide=t)
    for j in range(scores.shape[1]):
        own = ix.evaluate((y == j).astype(int), (scores[:, j] >= t).astype(int))
        v = own.binary()
        assert counts(both.classifiers, j) == (v.tp, v.fp, v.fn, v.tn)
    best = [next(j for j, s in enumerate(row) if s == max(row)) for row in scores.tolist()]  # ties: the lowest index
    assert both.final == ix.evaluate(y, scores, decide="argmax")
    assert both.final.tally.aggregate("class").tp.sum() == sum(a == b for a, b in zip(y.tolist(), best, strict=True))
    claimed = (scores >= t).sum(axis=1).tolist()
    assert both.claims == {k: claimed.count(k) for k in sorted(set(claimed))}


@given(scored(), st.data())
def test_the_table_is_both_evaluations_side_by_side(problem: tuple[np.ndarray, np.ndarray], data: st.DataObject) -> None:
    y, scores = problem
    measures = data.draw(st.lists(st.sampled_from(MEASURES), min_size=1, max_size=3, unique_by=repr))
    undefined = data.draw(st.sampled_from(["exclude", 0, "nan"]))
    both = one_vs_all(y, scores)
    table = both.table(measures, averages_over("class"), undefined=undefined)
    for m in measures:
        for name in both.final.classes:
            want = [ev.values(m)[ev.classes.index(name)] for ev in (both.classifiers, both.final)]
            np.testing.assert_array_equal(table.of_class(m, name), want)
        for average in table.averages:
            want = [ev.score(m, average, undefined=undefined) for ev in (both.classifiers, both.final)]
            np.testing.assert_array_equal(table.of_average(m, average), want)
    rows = list(table)
    assert [r[0] for r in rows] == [*both.final.classes, *averages_over("class")]
    assert {len(r) for r in rows} == {1 + 2 * len(table.measures)}
    assert len(str(table).splitlines()) >= len(rows) + 2


@given(scored(), st.data())
def test_options_hold_for_both_levels(problem: tuple[np.ndarray, np.ndarray], data: st.DataObject) -> None:
    y, scores = problem
    n, m = scores.shape
    options = {
        "sample_weight": data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)),
        "by": {"fold": data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))},
        "mask": np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool),
    }
    cuts = data.draw(st.lists(QUARTERS, min_size=m, max_size=m))
    both = one_vs_all(y, scores, decide=cuts, **options)
    assert both.classifiers == ix.evaluate(y, scores, decide=cuts, **options)
    assert both.final == ix.evaluate(y, scores, decide="argmax", **options)
    claimed, want = (scores >= np.array(cuts)).sum(axis=1).tolist(), dict[int, int]()
    for k, w, seen in zip(claimed, options["sample_weight"], options["mask"], strict=True):
        if seen:
            want[k] = want.get(k, 0) + w
    assert {k: v for k, v in both.claims.items() if v} == {k: v for k, v in want.items() if v}


def test_cost_and_order_are_about_the_final_class() -> None:
    y, scores = [0, 1, 2, 2], np.array([[0.9, 0.2, 0.1], [0.6, 0.5, 0.1], [0.1, 0.8, 0.7], [0.2, 0.1, 0.3]])
    plain = one_vs_all(y, scores, classes=[0, 1, 2])
    for options in (
        {"cost": [[0, 1, 2], [1, 0, 1], [2, 1, 0]]},
        {"ordinal": "cumulative"},
        {"ordinal": "linear", "tnorm": "product"},
    ):
        both = one_vs_all(y, scores, classes=[0, 1, 2], **options)
        assert both.classifiers == plain.classifiers
        assert both.final == ix.evaluate(y, scores, classes=[0, 1, 2], decide="argmax", **options)
        assert isinstance(both.table(averages=["micro"]), BeforeAfter)


def test_an_unknown_class_has_no_classifier_and_all_should_reject_it() -> None:
    y, scores = ["a", "b", "elk", None], [[0.9, 0.1], [0.2, 0.4], [0.6, 0.2], [0.1, 0.9]]
    both = one_vs_all(y, scores, known=["a", "b"], final=ix.reject_below(0.5), missing="mask", mask=[True] * 4)
    assert [counts(both.classifiers, c) for c in "ab"] == [(1, 1, 0, 1), (0, 0, 1, 2)]
    assert both.final.classes == ("a", "b", "unknown")
    assert both.final.confusion.tolist() == [[1, 0, 0], [0, 0, 1], [1, 0, 0]]
    before, after = both.table(["recall"]).of_class("recall", "unknown")
    assert math.isnan(before)
    assert after == 0
    assert repr(both) == "<OneVsAll: 4 examples, 2 classifiers>"


def test_claims_are_of_observed_examples_and_of_classifiers() -> None:
    y, scores = ["a", "b", None, "b"], [[0.9, 0.6], [0.2, 0.4], [0.1, 0.2], [0.1, 0.9]]
    both = one_vs_all(y, scores, classes=["a", "b"], missing="mask", mask=[True, True, True, False])
    assert both.claims == {0: 1, 2: 1}  # the third has no true class, the last is masked
    assert "Claimed by no classifier: 1 of 2 examples; by several: 1." in str(both)
    assert one_vs_all(y[:2], scores[:2], classes=["a", "b"], mask=[False, False]).claims == {}
    partly = one_vs_all(y[:2], scores[:2], classes=["a", "b"], mask=[[1, 0], [0, 0]])
    assert partly.claims == {1: 1}
    tree = {"cat": "animal", "dog": "animal", "animal": None}  # a claim of cat claims its ancestors as well, after closing
    closed = one_vs_all(["cat", "dog"], [[0.9, 0.6], [0.2, 0.7]], classes=["cat", "dog"], hierarchy=tree)
    plain = one_vs_all(["cat", "dog"], [[0.9, 0.6], [0.2, 0.7]], classes=["cat", "dog"])
    assert closed.claims == plain.claims == {1: 1, 2: 1}
    assert closed.classifiers != plain.classifiers
    assert (closed + closed).claims == {1: 2, 2: 2}


@given(scored(), st.integers(0, 8), st.sampled_from([None, {0: None, 1: 0, 2: 0, 3: 2}]))
def test_batches_add(problem: tuple[np.ndarray, np.ndarray], cut: int, tree: Any) -> None:
    y, scores = problem
    options = {"classes": range(scores.shape[1]), "sample_weight": np.full(len(y), 0.1)}
    if tree is not None:
        options["hierarchy"] = {k: v for k, v in tree.items() if k < scores.shape[1]}
    whole = one_vs_all(y, scores, **options)
    parts = [
        one_vs_all(y[rows], scores[rows], **{**options, "sample_weight": options["sample_weight"][rows]})
        for rows in (slice(cut), slice(cut, None))
    ]
    together = sum(parts)
    assert (together.classifiers, together.final, together.claims) == (whole.classifiers, whole.final, whole.claims)
    with pytest.raises(TypeError):
        whole + whole.final


def test_batches_that_were_made_differently_do_not_add() -> None:
    with pytest.raises(ValueError, match="made differently"):
        one_vs_all([0, 1], SCORES) + one_vs_all([0, 1], SCORES, decide=0.7)
    with pytest.raises(ValueError, match=r"different|same"):
        one_vs_all([0, 1], SCORES) + one_vs_all([0, 1], SCORES, classes=[0, 1], hierarchy={0: None, 1: None})


def test_a_mask_of_entries_of_known_and_unknown_classes() -> None:
    y, scores = ["a", "b", "elk"], [[0.9, 0.1], [0.2, 0.4], [0.6, 0.2]]
    mask = np.array([[1, 1, 1], [1, 0, 1], [0, 1, 0]], bool)
    both = one_vs_all(y, scores, known=["a", "b"], mask=mask)
    assert both.final == ix.evaluate(y, scores, known=["a", "b"], decide="argmax", mask=mask)
    assert [counts(both.classifiers, c) for c in "ab"] == [(1, 0, 0, 1), (0, 0, 0, 2)]
    named = pd.DataFrame(mask, columns=["a", "b", "unknown"])
    assert one_vs_all(y, scores, known=["a", "b"], mask=named).classifiers == both.classifiers
    assert one_vs_all([*y, None], [*scores, [1, 1]], known=["a", "b"], missing="mask", mask=[*mask, [1, 1, 1]]).claims == {
        0: 2,
        1: 1,
    }
    with pytest.raises(ValueError, match=r"mask has 2 columns; with known= the decision has 3, the last for .* 'unknown'"):
        one_vs_all(y, scores, known=["a", "b"], mask=mask[:, :2])


def test_columns_name_the_classes() -> None:
    frame = pd.DataFrame({"cat": [0.9, 0.4], "ant": [0.2, 0.7]})
    both = one_vs_all(["cat", "ant"], frame)
    assert both.final.classes == both.classifiers.classes == ("cat", "ant")
    assert both.final.score("exact_match") == 1
    coded = ix.types.Indicator.from_codes([0, 1], ["cat", "ant"])
    assert one_vs_all(coded, frame.to_numpy()).final.score("exact_match") == 1


def test_cells_that_data_cannot_show_do_not_hide_the_claims() -> None:
    both = one_vs_all([0, 1], [[0.9, 0.6], [0.3, 0.6]], classes=iter([0, 1]), unobserved=["fp"])
    assert both.claims == {1: 1, 2: 1}
    assert math.isnan(both.classifiers.score("precision", "micro"))


@pytest.mark.parametrize("n", [0, 1, 3])
def test_one_class_and_few_rows(n: int) -> None:
    both = one_vs_all(np.zeros(n, int), np.full((n, 1), 0.4))
    assert both.claims == ({0: n} if n else {})
    assert both.final.n == both.classifiers.n == n
    assert "Claimed by no classifier" in str(both)


def test_printing() -> None:
    both = one_vs_all([0, 1, 1], [[0.9, 0.6, 0.1], [0.7, 0.4, 0.2], [0.2, 0.8, 0.6]])
    assert str(both).splitlines() == [
        "       precision      recall         f1",
        "class  before  after  before  after  before  after",
        "0       0.500  0.500   1.000  1.000   0.667  0.667",
        "1       0.500  1.000   0.500  0.500   0.500  0.667",
        "2       0.000      –       –      –   0.000      –",
        "micro   0.400  0.667   0.667  0.667   0.500  0.667",
        "macro   0.333  0.750   0.750  0.750   0.389  0.667",
        "",
        "Undefined values (–) are excluded.",
        "",
        "Claimed by no classifier: 0 of 3 examples; by several: 2. Argmax decides.",
    ]
    assert "counted as 0" in str(both.table(undefined=0))
    assert "f_beta(beta=2)" in str(both.table(["f_beta(beta=2)"]))
    many = one_vs_all(np.arange(100), np.eye(100))
    assert "… 100 classes" in str(many.table())
    assert len(str(many.table()).splitlines()) == 2 + 30 + 1 + 2


SCORES = [[0.9, 0.1], [0.3, 0.6]]


@for_each(
    ("arguments", "options", "message"),
    [
        (([{"a"}, {"b"}], SCORES), {}, r"y_true has several labels per example"),
        (([[1, 0], [0, 1]], SCORES), {}, r"y_true has several labels per example"),
        (([0, 1], [0.9, 0.1]), {}, r"scores has one dimension"),
        (([0, 1], [{"a"}, {"b"}]), {}, r"scores is not an array of numbers"),
        (([0, 1], SCORES), {"decide": "argmax"}, r"decide='argmax' compares the classifiers.*one threshold"),
        (([0, 1], SCORES), {"decide": ix.top_k(1)}, r"decide=top_k\(1\) compares the classifiers"),
        (([0, 1], SCORES), {"decide": [0.5, 0.5, 0.5]}, r"3 thresholds for 2 labels"),
        (([0, 1], SCORES), {"missing": "abstain"}, r"these are scores. Use final=reject_below\(t\)"),
        (([0, 1], SCORES), {"final": 0.5}, r"final=0.5 does not choose one class"),
        (([0, 1], SCORES), {"final": "vote"}, r"final='vote' does not choose one class"),
        (([0, 1], [[0.9, math.nan], [0.3, 0.6]]), {}, r"scores\[0, 1\] is NaN"),
        (([0, 1, 1], SCORES), {}, r"y_true has 3 examples and scores 2"),
        ((["a", "b"], SCORES), {}, r"Which classes are the 2 columns of scores\?"),
        ((["a", None], SCORES), {"classes": "ab"}, r"classes='ab' is one text"),
        (
            (["y_pred", "b"], SCORES),
            {"classes": ["a", "b"]},
            r"Label 'y_pred' is not in classes=\('a', 'b'\) \(first at y_true\[0\]",
        ),
        (([b"y_pred", b"b"], SCORES), {"classes": [b"a", b"b"]}, r"Label b'y_pred' is not in"),
        ((["a", None], SCORES), {"classes": ["a", "b"]}, r"y_true\[1\] is"),
    ],
)
def test_errors(arguments: tuple[Any, Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        one_vs_all(*arguments, **options)


def test_what_is_not_in_the_table() -> None:
    both: OneVsAll = one_vs_all([0, 1], SCORES)
    table = both.table(["f1"], ["micro"])
    with pytest.raises(KeyError, match="2 is not a class"):
        table.of_class("f1", 2)
    with pytest.raises(KeyError, match="average 'macro' is not in this table"):
        table.of_average("f1", "macro")
    with pytest.raises(KeyError, match="measure 'recall' is not in this table"):
        table.of_class("recall", 0)
    with pytest.raises(AttributeError):
        both.final = None  # type: ignore[misc]
