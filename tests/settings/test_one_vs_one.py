"""One-vs-one: each pair judged on the examples of its two classes, the final vote next to it (sec:ovo, errata B11)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each

import indicatrix as ix

MEASURES = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages]

RANDOM = np.random.default_rng(4)
EXAMPLE = ix.tasks.one_vs_one(
    RANDOM.integers(0, 4, 60), RANDOM.integers(0, 2, (60, 10)), classes=range(5)
)  # class 4 does not occur


def four(ev: ix.Evaluation, pair: Any) -> tuple[Any, ...]:
    v = ev.aggregate("class").at(**{"class": pair})
    return tuple(Fraction(float(x)) for x in (v.tp, v.fp, v.fn, v.tn))


def test_one_vs_one_decomposition() -> None:
    y = ["a", "a", "b", "b", "c"]
    pairwise = {
        ("a", "b"): ["a", "b", "a", "b", "a"],  # the last row is of neither class and is not judged
        ("a", "c"): ["a", "a", "c", "c", "a"],
        ("b", "c"): ["b", "b", "b", "c", "c"],
    }
    both = ix.tasks.one_vs_one(y, pairwise, final=["a", "a", "b", "c", "c"])
    assert [four(both.pairs, p) for p in pairwise] == [(1, 1, 1, 1), (2, 1, 0, 0), (1, 0, 1, 1)]
    assert both.pairs.values("precision").tolist() == [Fraction(1, 2), float(Fraction(2, 3)), 1]
    assert both.pairs.score("recall", "macro") == float(Fraction(1, 3) * (Fraction(1, 2) + 1 + Fraction(1, 2)))
    assert both.pairs.score("accuracy", "micro") == float(Fraction(6, 10))  # 4 + 3 + 3 observed entries
    assert both.pairs.classes == tuple(pairwise)
    assert both.final.score("recall", "micro") == float(Fraction(4, 5))
    assert both.final.classes == ("a", "b", "c")
    assert repr(both) == "<OneVsOne: 5 examples, 3 pairs, with a final vote>"
    assert "After the vote:" in str(both)


@st.composite
def problems(draw: st.DrawFn) -> tuple[tuple[Any, ...], list[Any], np.ndarray]:
    n, m = draw(st.integers(0, 8)), draw(st.integers(2, 4))
    names = tuple(draw(st.sampled_from(["abcd", (0, 1, 2, 3), (7, -2, 40000, 10**12)]))[:m])
    y = draw(st.lists(st.sampled_from(names), min_size=n, max_size=n))
    width = m * (m - 1) // 2
    bits = draw(st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=n, max_size=n))
    return names, y, np.array(bits, bool).reshape(n, width)


@pytest.mark.slow
@given(problems(), st.lists(st.sampled_from(MEASURES), min_size=3, max_size=3))
def test_a_pair_is_the_binary_problem_of_the_rows_of_its_two_classes(
    problem: tuple[Any, list[Any], np.ndarray], measures: list[ix.Measure]
) -> None:
    names, y, first = problem
    ev = ix.tasks.one_vs_one(y, first, classes=names).pairs
    assert ev.classes == tuple(combinations(names, 2))
    for j, (a, b) in enumerate(ev.classes):
        rows = [i for i, label in enumerate(y) if label in (a, b)]
        own = ix.evaluate([int(y[i] == a) for i in rows], [int(first[i, j]) for i in rows])
        v = own.binary()
        assert four(ev, (a, b)) == (v.tp, v.fp, v.fn, v.tn)
        for m in measures:
            np.testing.assert_array_equal(ev.values(m)[j], m.values(v))
        if not rows:
            assert all(math.isnan(ev.values(m)[j]) for m in (ix.recall, ix.precision, ix.accuracy))


@for_each("measure", MEASURES)
def test_every_measure_of_the_catalogue_has_a_value_per_pair(measure: ix.Measure) -> None:
    ev = EXAMPLE.pairs
    want = [measure.values(ix.Counts(*map(int, four(ev, pair)))) for pair in ev.classes]
    np.testing.assert_array_equal(ev.values(measure), np.array(want, float))
    assert ev.values(measure).names == ev.classes


def told(labels: dict[Any, list[Any]]) -> bool:
    """Return whether labels can only be labels: none could be 1 for the first class, or some pair has others than 0 and 1."""
    return any(set(x) - {0, 1} for x in labels.values()) or all(
        (v == pair[0]) == (v == 1) for pair, x in labels.items() for v in x
    )


@given(problems(), st.data())
def test_labels_bits_scores_and_arrays_say_the_same(problem: tuple[Any, list[Any], np.ndarray], data: st.DataObject) -> None:
    names, y, first = problem
    pairs = list(combinations(names, 2))
    whole = ix.tasks.one_vs_one(y, first, classes=names).pairs
    as_labels = {(a, b): [a if x else b for x in first[:, j]] for j, (a, b) in enumerate(pairs)}
    if told(as_labels):
        assert ix.tasks.one_vs_one(y, as_labels, classes=names).pairs == whole
    else:
        with pytest.raises(ValueError, match=r"holds 0 or 1, which may be labels"):
            ix.tasks.one_vs_one(y, as_labels, classes=names)
    if not {0, 1} & set(names):  # else 0 and 1 may be labels
        for kind in (bool, int):
            assert (
                ix.tasks.one_vs_one(y, {p: first[:, j].astype(kind) for j, p in enumerate(pairs)}, classes=names).pairs == whole
            )
    cuts = data.draw(st.lists(st.sampled_from([-1.0, 0.0, 0.5]), min_size=len(pairs), max_size=len(pairs)))
    scores = np.where(first, np.array(cuts), np.array(cuts) - 0.25)  # on the threshold is positive
    for given_scores in (scores, {p: scores[:, j].tolist() for j, p in enumerate(pairs)}):
        scored = ix.tasks.one_vs_one(y, given_scores, classes=names, decide=cuts).pairs
        assert scored.tally == whole.tally
        assert scored.recipe.in_words() == {"decide": str(cuts), "answers": "every row"}
    # The other way round, the two classes change places.
    if pairs:
        (a, b), *_ = pairs
        if not told({(b, a): as_labels[a, b]}):
            return
        turned = ix.tasks.one_vs_one(y, {(b, a): as_labels[a, b]}, classes=names).pairs
        tp, fp, fn, tn = four(whole, (a, b))
        assert four(turned, (b, a)) == (tn, fn, fp, tp)


@given(problems(), st.data())
def test_weights_groups_and_masks(problem: tuple[Any, list[Any], np.ndarray], data: st.DataObject) -> None:
    names, y, first = problem
    n, width = first.shape
    weight = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    fold = data.draw(st.lists(st.sampled_from("xy"), min_size=n, max_size=n))
    shape = data.draw(st.sampled_from([1, width]))
    mask = np.array(data.draw(st.lists(st.lists(st.booleans(), min_size=shape, max_size=shape), min_size=n, max_size=n)), bool)
    mask = mask.reshape(n, shape)
    both = ix.tasks.one_vs_one(y, first, classes=names, final=y, sample_weight=weight, by={"fold": fold}, mask=mask)
    seen = np.broadcast_to(mask, (n, width))
    for j, (a, b) in enumerate(combinations(names, 2)):
        want = [Fraction(0)] * 4
        for i in range(n):
            if seen[i, j] and y[i] in (a, b):
                want[{(1, 1): 0, (0, 1): 1, (1, 0): 2, (0, 0): 3}[int(y[i] == a), int(first[i, j])]] += weight[i]
        assert list(four(both.pairs, (a, b))) == want
    assert both.pairs.tally.by == ("fold",)
    rows = mask[:, 0] if shape == 1 else None  # a mask of pairs says nothing of the vote
    assert both.final == ix.evaluate(y, y, classes=names, sample_weight=weight, by={"fold": fold}, mask=rows)
    parts = [ix.tasks.one_vs_one(y[k::2], first[k::2], classes=names).pairs for k in range(2)]
    assert parts[0] + parts[1] == ix.tasks.one_vs_one(y, first, classes=names).pairs


def test_scikit_learn_scores_for_the_first_class_in_svc_and_for_the_second_in_one_vs_one_classifier() -> None:
    from sklearn.datasets import load_iris
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsOneClassifier
    from sklearn.svm import SVC

    x, y = load_iris(return_X_y=True)
    x = x[:, :2]
    svc = SVC(decision_function_shape="ovo").fit(x, y)
    both = ix.tasks.one_vs_one(y, svc.decision_function(x), decide=0.0, final=svc.predict(x))
    own = OneVsOneClassifier(LogisticRegression()).fit(x, y)
    second = np.column_stack([e.predict_proba(x)[:, 1] for e in own.estimators_])
    turned = ix.tasks.one_vs_one(y, 1 - second, decide=0.5, final=own.predict(x))
    for ev in (both.pairs, turned.pairs):
        assert ev.score("accuracy", "macro") > 0.8  # the wrong side up would be below one half
    for j, (a, b) in enumerate(combinations(range(3), 2)):
        rows = (y == a) | (y == b)
        right = np.where(own.estimators_[j].predict(x[rows]) == 1, b, a) == y[rows]
        assert turned.pairs.values("accuracy")[j] == right.mean()
    assert turned.final.score("exact_match") == own.score(x, y)


def test_a_classifier_need_not_be_asked_about_other_classes() -> None:
    y = ["a", "b", "c", "c"]
    pairwise = {("a", "b"): ["a", "b", None, None], ("a", "c"): [0.9, math.nan, 0.2, 0.8]}
    with pytest.raises(
        TypeError, match=r"decide= turns scores into decisions, but pairwise\[\('a', 'b'\)\] does not hold numbers"
    ):
        ix.tasks.one_vs_one(y, pairwise, decide=0.5)
    pairwise["a", "b"] = [1.0, 0.0, None, None]
    both = ix.tasks.one_vs_one(y, pairwise, decide=0.5)
    assert [four(both.pairs, p) for p in pairwise] == [(1, 0, 0, 1), (1, 1, 0, 1)]
    assert both.final is None
    assert "The final vote was not given." in str(both)
    # Missing where it is judged
    with pytest.raises(ValueError, match=r"pairwise\[\('a', 'b'\)\] has no prediction for example 1, .*\(1 such\)"):
        ix.tasks.one_vs_one(y, {("a", "b"): ["a", None, None, None]})
    with pytest.raises(ValueError, match="one column cannot abstain"):
        ix.tasks.one_vs_one(y, {("a", "b"): ["a", None, None, None]}, missing="abstain")
    masked = ix.tasks.one_vs_one([*y, None], {("a", "b"): ["a", None, None, None, "b"]}, missing="mask")
    assert four(masked.pairs, ("a", "b")) == (1, 0, 0, 0)
    numbers = ix.tasks.one_vs_one([0.0, 1.0, math.nan], {(1, 0): [0, 0, 1]}, missing="mask")
    assert four(numbers.pairs, (1, 0)) == (0, 0, 1, 1)


def test_options_of_the_final_vote() -> None:
    y, final = ["lo", "mid", "hi", "hi"], ["lo", "hi", "mid", "tie"]
    pairwise, classes = {("lo", "mid"): ["lo", "lo", "lo", "mid"]}, ["lo", "mid", "hi"]
    for options in (
        {"abstain": "tie", "cost": ix.types.CostMatrix([[0, 1, 2], [1, 0, 1], [2, 1, 0]], abstain=1)},
        {"abstain": "tie"},
    ):
        both = ix.tasks.one_vs_one(y, pairwise, classes=classes, final=final, **options)
        assert both.final == ix.evaluate(y, final, classes=classes, **options)
    tree = ix.taxonomy({"lo": "below", "mid": "below", "hi": "above"})
    assert ix.tasks.one_vs_one(y, pairwise, final=y, hierarchy=tree).final == ix.evaluate(y, y, hierarchy=tree)
    with pytest.raises(ValueError, match="do not go together"):
        ix.tasks.one_vs_one(y, pairwise, final=["lo", "lo", "unknown", "lo"], known=["lo", "mid"])
    found = ix.tasks.one_vs_one(y, pairwise, final=final, abstain="tie")
    assert found.final.classes == ("hi", "lo", "mid")
    with pytest.raises(TypeError, match="cost= is about the final vote, which is not given"):
        ix.tasks.one_vs_one(y, pairwise, classes=classes, cost=[[0, 1, 2], [1, 0, 1], [2, 1, 0]])


def test_classes_are_found_declared_or_named() -> None:
    order = pd.Categorical(["b", "a"], categories=["b", "a", "z"])
    assert ix.tasks.one_vs_one(order, np.zeros((2, 3), int)).pairs.classes == (("b", "a"), ("b", "z"), ("a", "z"))
    assert ix.tasks.one_vs_one(order, {("z", "a"): ["a", "a"]}, final=["z", "a"]).final.classes == ("b", "a", "z")
    assert ix.tasks.one_vs_one([0, 0], np.zeros((2, 3), int)).pairs.classes == ((0, 1), (0, 2), (1, 2))
    assert ix.tasks.one_vs_one(["b"], {("c", "a"): ["a"]}, final=["d"]).final.classes == ("a", "b", "c", "d")
    assert ix.tasks.one_vs_one([1.0, 2.0], {(np.int64(1), 2): np.array([1, 2])}).pairs.classes == ((1, 2),)
    empty = ix.tasks.one_vs_one([], np.zeros((0, 3)), classes=["x", "y", "z"])
    assert empty.pairs.n == 0


def test_classes_called_0_and_1() -> None:
    y, ambiguous = [0, 1, 2], r"holds 0 or 1, which may be labels, or 1 may mean the first class, 0\. .*the pair as \(1, 0\)"
    with pytest.raises(ValueError, match=ambiguous):
        ix.tasks.one_vs_one(y, {(0, 1): [0, 0, 1]})
    labels = {(0, 1): [0, 0, 1], (0, 2): [0, 2, 2]}  # 2 can only be a label, so 0 and 1 are labels, too
    assert four(ix.tasks.one_vs_one(y, labels).pairs, (0, 1)) == (1, 1, 0, 0)
    bits = {(0, 1): [0, 0, 1], (0, 2): [1, 0, 0]}  # here 1 is not a label of the second pair
    assert four(ix.tasks.one_vs_one(y, bits).pairs, (0, 1)) == (0, 0, 1, 1)
    with pytest.raises(ValueError, match=ambiguous):  # one pair can only be labels, one only 1 and 0
        ix.tasks.one_vs_one([0, 1, 2, 3], {(0, 1): [0, 1, 1, 1], (0, 2): [0, 2, 2, 0], (2, 3): [0, 1, 1, 0]})
    for turned in ([1, 1, 0], [1.0, 1.0, 0.0], [True, True, False]):  # as labels and as "the first" the same
        assert four(ix.tasks.one_vs_one(y, {(1, 0): turned}).pairs, (1, 0)) == (1, 1, 0, 0)
    assert four(ix.tasks.one_vs_one(y, {(0, 1): [0, 0, 1]}, decide=0.5).pairs, (0, 1)) == (0, 0, 1, 1)


@given(problems(), st.integers(0, 8))
def test_batches_add(problem: tuple[Any, list[Any], np.ndarray], cut: int) -> None:
    names, y, first = problem
    whole = ix.tasks.one_vs_one(y, first, classes=names, final=y)
    parts = [ix.tasks.one_vs_one(y[rows], first[rows], classes=names, final=y[rows]) for rows in (slice(cut), slice(cut, None))]
    assert (sum(parts).pairs, sum(parts).final) == (whole.pairs, whole.final)
    alone = ix.tasks.one_vs_one(y, first, classes=names)
    assert (alone + alone).final is None
    with pytest.raises(ValueError, match="Only one of the two has a final vote"):
        whole + alone
    with pytest.raises(TypeError):
        whole + 1


def test_thresholds_are_compared_in_the_precision_of_the_scores() -> None:
    scores = np.array([0.7, np.nan, 0.1], np.float32)
    for pairwise in ({("a", "b"): scores}, scores[:, None]):
        ev = ix.tasks.one_vs_one(["a", None, "b"], pairwise, classes=["a", "b"], decide=0.7, missing="mask").pairs
        assert four(ev, ("a", "b")) == (1, 0, 0, 1)


def test_it_saves_and_loads(tmp_path: Any) -> None:
    ev = ix.tasks.one_vs_one(["a", "b"], {("a", "b"): ["a", "a"]}).pairs
    ev.save(tmp_path / "pairs.json")
    assert ix.load(tmp_path / "pairs.json") == ev


Y = ["a", "b", "c"]


@for_each(
    ("y", "pairwise", "options", "message"),
    [
        ([{"a"}], {("a", "b"): ["a"]}, {}, r"y_true must hold one label per example"),
        (Y, {("a", "b"): [["a"], ["b"], ["b"]]}, {}, r"pairwise\[\('a', 'b'\)\] is a list of rows"),
        (Y, {("a", "b"): [[1, 0], [1, 0], [1, 0]]}, {}, r"pairwise\[\('a', 'b'\)\] must hold one label per example"),
        (Y, {"ab": Y}, {}, r"the key 'ab'; a key is a pair"),
        (Y, {("a", "a"): Y}, {}, r"the key \('a', 'a'\)"),
        (Y, {}, {}, r"pairwise has no pair"),
        (Y, {("a", "b"): ["a"] * 3, ("b", "a"): ["a"] * 3}, {}, r"pairwise\[\('b', 'a'\)\] is given in both orders"),
        (Y, {("a", "z"): ["a"] * 3}, {"classes": Y}, r"pairwise\[\('a', 'z'\)\] has a class that is not in classes="),
        (Y, {("a", "b"): ["a"]}, {}, r"pairwise\[\('a', 'b'\)\] has 1 predictions for 3 examples"),
        (Y, np.zeros((2, 3)), {"classes": Y}, r"pairwise\[:, 0\] has 2 predictions for 3 examples"),
        (Y, {("a", "b"): ["a", "b", "c"]}, {}, r"pairwise\[\('a', 'b'\)\]\[2\] = 'c': this classifier predicts 'a' or 'b'"),
        (Y, {("a", "b"): [0.2, 0.5, 1]}, {}, r"\[0\] = 0.2: .* For scores pass decide="),
        (Y, [[1, 0, 2], [0, 0, 0], [0, 0, 0]], {"classes": Y}, r"pairwise\[0, 2\] = 2: .* 1 for 'b', 0 for 'c'"),
        (Y, [[1, 0.5, 0]] * 3, {"classes": Y}, r"pairwise\[0, 1\] = 0.5: .*For scores pass decide="),
        (Y, np.zeros((3, 3)), {}, r"The 3 columns are the pairs of 3 classes\. Pass classes="),
        (Y, np.zeros((3, 4)), {}, r"pairwise has 4 columns, but 3 classes have 3 pairs"),
        (Y, np.zeros((3, 6)), {"classes": Y}, r"pairwise has 6 columns, but 3 classes have 3 pairs"),
        (Y, [0, 1, 0], {}, r"pairwise must be a mapping"),
        ([0, 1], {(0, 1): [True, False]}, {}, r"holds True and False, which may be the labels \(0, 1\)"),
        (Y, {("a", "b"): [0.5] * 3}, {"decide": "argmax"}, r"decide='argmax' compares the classifiers"),
        (Y, {("a", "b"): [0.5] * 3}, {"decide": [0.5, 0.5]}, r"2 thresholds for 1 labels"),
        (Y, {("a", "b"): ["a"] * 3}, {"final": [{"a"}] * 3}, r"final must hold one label per example"),
        (Y, {("a", "b"): ["a"] * 3}, {"final": ["z"] * 3, "classes": Y}, r"Label 'z' is not in classes=.*first at final\[0\]"),
        (Y, {("a", "b"): ["a"] * 3}, {"final": ["a"]}, r"y_true has 3 examples and final 1"),
        (Y, {(1, 2): [1, 2, 1]}, {}, r"y_true holds labels of type text and pairwise of type number"),
        (["a", "z", "b"], {("a", "b"): ["a"] * 3}, {"classes": Y}, r"Label 'z' is not in classes=.*y_true\[1\]"),
        (["a", None, "b"], {("a", "b"): ["a"] * 3}, {}, r"y_true\[1\] is missing"),
        (Y, {("a", "b"): ["a"] * 3}, {"abstain": "c", "final": Y}, r"abstain='c' is a class \(y_true has it"),
        (["a"], {("a", "b"): ["a"]}, {"abstain": "b", "final": ["b"]}, r"abstain='b' is a class \(pairwise\[.*\] has it"),
        (Y, {("a", "b"): ["a"] * 3}, {"mask": [True]}, r"mask has shape \(1,\)"),
    ],
)  # fmt: skip
def test_errors(y: Any, pairwise: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        ix.tasks.one_vs_one(y, pairwise, **options)
