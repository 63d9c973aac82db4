"""Single-class classification and novelty detection (sec:single_class, errata A12): three encodings, nothing guessed."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each

import indicatrix as ix
from indicatrix.tasks.selective.single_class import one_class

F = Fraction
ROWS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30)
COUNTED = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages]


def cells(ev):
    return tuple(map(tuple, ev.tally.pooled.cells().T.tolist()))


def test_single_class_classification():
    # Six examples, four inliers, three of them accepted, and one outlier as well.
    truth = ["in", "in", "in", "in", "out", "out"]
    flags = [1, 1, 1, -1, 1, -1]
    ev = one_class(truth, flags, target="in")
    assert (cells(ev), ev.classes) == (((3, 1, 1, 1),), ("in",))
    assert (ev.score("recall"), ev.score("precision"), ev.score("fpr")) == (0.75, 0.75, 0.5)
    # One classifier per class: the third example is accepted by both, the last by none.
    truth, accepted = ["a", "b", "a", "b", "novel", "novel"], [[1, 0], [0, 1], [1, 1], [0, 0], [0, 1], [0, 0]]
    ev = one_class(truth, accepted, classes=["a", "b"], outlier="novel")
    assert cells(ev) == ((2, 0, 0, 4), (1, 2, 1, 2))
    assert ev.score("precision", "macro") == float(F(1, 2) * (1 + F(1, 3)))
    assert ev.score("recall", "micro") == float(F(3, 4))
    assert ev.aggregate("example").times.sum() == 6
    # Only inliers are labeled: recall is 3/4, the rest cannot be known (errata A12).
    ev = one_class(["in"] * 4 + [None] * 2, flags)
    assert ev.score("recall") == 0.75
    assert ev.score("fnr") == 0.25
    assert ev.n == 6
    for measure in ("precision", "accuracy", "specificity", "f1", "mcc"):
        assert math.isnan(ev.score(measure))


@given(ROWS)
def test_only_what_reads_no_negatives_is_defined_without_outliers(rows):
    rows = [*rows, (True, True), (False, True)]
    truth = [1 if inlier else None for inlier, _ in rows]
    ev = one_class(truth, [accepted for _, accepted in rows])
    known = [m.name for m in COUNTED if math.isfinite(ev.score(m))]
    assert known == ["recall", "false_negative_rate"]
    inside = [accepted for inlier, accepted in rows if inlier]
    assert ev.score("recall") == float(F(sum(inside), len(inside)))


@given(ROWS)
def test_forms_of_decisions_say_the_same(rows):
    inlier, accepted = (np.array([r[i] for r in rows], bool) for i in (0, 1))
    words = np.where(inlier, "in", "out")
    plain = ix.evaluate(inlier[:, None], accepted[:, None], classes=["in"])
    for y_pred, options in (
        (accepted, {}),
        (accepted.tolist(), {}),
        (np.where(accepted, 1, -1), {}),
        (np.where(accepted, 1.0, -1.0), {}),
        (np.where(accepted, 1, -1).astype(object), {}),
        (np.where(accepted, "in", "out"), {}),
        (np.where(accepted, 0.7, 0.2), {"decide": 0.5}),
        (np.where(accepted, 0.7, 0.2).tolist(), {"decide": 0.5}),
    ):
        ev = one_class(words, y_pred, target="in", classes=["in", "out"], **options)
        assert ev.tally.parts == plain.tally.parts
        assert (ev.kind, ev.positive) == (plain.kind, "in")
    for truth, target in ((np.where(inlier, 1, -1), 1), (inlier, True), (inlier.astype(int), 1), (np.where(inlier, 1.0, 0), 1)):
        for y_pred in (accepted, np.where(accepted, 1, -1)):
            assert cells(one_class(truth, y_pred, target=target)) == cells(plain)
    labels_of_scikit_learn = one_class(np.where(inlier, 1, -1), np.where(accepted, 1, -1), target=1)
    assert cells(labels_of_scikit_learn) == cells(plain)
    if set(accepted.tolist()) == {True, False}:  # 0 occurs, so these are labels, not +1 and -1
        assert cells(one_class(1 - inlier.astype(int), 1 - accepted.astype(int), positive=0, classes=[0, 1])) == cells(plain)


@given(st.lists(st.tuples(st.sampled_from("abn"), st.booleans(), st.booleans()), min_size=1, max_size=20))
def test_columns_are_the_multilabel_problem(rows):
    truth, accepted = [r[0] for r in rows], np.array([r[1:] for r in rows], bool)
    Y = np.array([[t == "a", t == "b"] for t in truth])
    plain = ix.evaluate(Y, accepted, classes=["a", "b"])
    for y_pred in (accepted, np.where(accepted, 1, -1), np.where(accepted, 1.0, -1.0)):
        assert one_class(truth, y_pred, classes=["a", "b"], outlier="n").tally.parts == plain.tally.parts
    assert one_class(truth, accepted * 0.9, classes=["a", "b"], outlier="n", decide=0.5).tally.parts == plain.tally.parts
    sets = [{c for c, yes in zip("ab", row, strict=True) if yes} for row in accepted]
    assert one_class(truth, sets, classes=["a", "b"], outlier="n").tally.parts == plain.tally.parts
    if "n" not in truth:
        assert one_class(truth, accepted, classes=["a", "b"]).tally.parts == plain.tally.parts


def test_columns_that_have_names():
    frame = pd.DataFrame({"a": [1, -1, -1], "b": [-1, 1, -1]})
    for options in ({"outlier": "?"}, {"outlier": "?", "classes": ["a", "b"]}):
        ev = one_class(["a", "b", "?"], frame, **options)
        assert (ev.classes, cells(ev)) == (("a", "b"), ((1, 0, 0, 2), (1, 0, 0, 2)))
    assert one_class(["a", "b"], frame[:2]).classes == ("a", "b")


def test_missing_labels_come_in_all_forms():
    y_pred = [1, -1, 1, -1]
    for truth in (
        ["x", None, "x", float("nan")],
        np.array(["x", None, "x", None], object),
        pd.Series(["x", None, "x", None]),
        pd.Categorical(["x", None, "x", None], categories=["x", "y"]),
    ):
        ev = one_class(truth, y_pred)
        assert (ev.classes, cells(ev)) == (("x",), ((2, 0, 0, 0),))
    assert one_class([1.0, math.nan, 1, math.nan], y_pred).classes == (1,)
    assert one_class([1.0, math.nan, 1, math.nan], y_pred, target=1).score("recall") == 1


@pytest.mark.slow
def test_options_go_through():
    truth, y_pred = ["in", "in", "out", "out"], [True, False, True, False]
    ev = one_class(truth, y_pred, target="in", by={"site": list("ppqq")}, sample_weight=[1, 2, 3, 4])
    assert ev.aggregate("site").n.tolist() == [3, 7]
    assert ev.score("precision") == 0.25
    assert one_class(truth, y_pred, target="in", mask=[1, 1, 0, 1]).score("precision") == 1
    partly = one_class(["in", None, "in", "in"], y_pred, mask=[1, 1, 1, 0])
    assert (cells(partly), partly.score("recall")) == (((2, 0, 0, 0),), 1)
    assert one_class(["in", None, "out", "in"], y_pred, target="in", missing="mask").score("precision") == 0.5
    soft = one_class(["in", "out"], [0.75, 0.25], target="in", tnorm="product")
    assert (soft.kind, soft.score("recall")) == ("soft", 0.75)
    assert (ev + ev).n == 8
    assert one_class(np.where(np.arange(10**6) % 2, "in", "out"), np.ones(10**6, bool), target="in").score("precision") == 0.5


COLUMN = {"classes": ["in"], "outlier": "out"}


@pytest.mark.parametrize("cost", [None, ix.tasks.label_costs(fp=0, fn=2, tn=0)])
@pytest.mark.parametrize("form", ["labels", "column"])
def test_inliers_alone_show_no_precision(form, cost):
    def call(truth, flags, **options):
        if form == "labels":
            return one_class(truth, flags, target="in", classes=["in", "out"], cost=cost, **options)
        return one_class(truth, np.array(flags, bool).reshape(-1, 1), **COLUMN, cost=cost, **options)

    alone, mixed = call(["in", "in"], [True, False]), call(["in", "out"], [True, True])
    assert alone.unobserved == ("fp", "tn")
    assert math.isnan(alone.score("precision"))
    assert alone.score("recall") == (0.5 if cost is None else float(F(1, 3)))
    assert mixed.unobserved == ()
    assert mixed.score("precision") == (0.5 if cost is None else 1)
    with pytest.raises(ValueError, match="made differently"):
        alone + mixed
    said = call(["in", "in"], [True, False], labeled="all")
    assert said.score("precision") == 1
    assert (said + mixed).n == 4
    assert call(["in", "out"], [True, True], mask=[1, 0]).unobserved == ("fp", "tn")  # the outlier was not observed
    assert call(["out", "out"], [True, False]).unobserved == ()
    assert call(["in"], [True], unobserved="fn").unobserved == ("fp", "fn", "tn")  # together with what the caller says
    assert call(["in", "out"], [True, True], unobserved=["tn"]).unobserved == ("tn",)
    assert call(["in"], [True], labeled="inliers") == call(["in"], [True])
    assert (call([], []) + alone).n == 2
    assert (mixed + call([], [])).n == 2
    with pytest.raises(ValueError, match="labeled='inliers', but outliers are labeled and observed"):
        call(["in", "out"], [True, True], labeled="inliers")


@given(ROWS, st.integers(0, 30))
def test_batches_add(rows, cut):
    truth, flags = [["out", "in"][inlier] for inlier, _ in rows], [accepted for _, accepted in rows]
    options = {"target": "in", "classes": ["in", "out"], "labeled": "all"}
    parts = [one_class(truth[part], flags[part], **options) for part in (slice(cut), slice(cut, None))]
    assert sum(parts) == one_class(truth, flags, **options)
    known = [t if t == "in" else None for t in truth]
    parts = [one_class(known[part], flags[part], target="in") for part in (slice(cut), slice(cut, None))]
    assert sum(parts) == one_class(known, flags, target="in")


def test_to_reject_is_an_answer():
    assert one_class(TRUTH, FLAGS, target="in").recipe.in_words()["answers"] == "every row"
    assert one_class(TRUTH, [[True], [False]], **COLUMN).recipe.in_words()["answers"] == "every row"


def test_thresholds_are_compared_in_the_precision_of_the_scores():
    scores = np.array([0.7, 0.1], np.float32)
    assert one_class(TRUTH, scores, target="in", decide=0.7).score("recall") == 1
    assert one_class(TRUTH, scores[:, None], **COLUMN, decide=0.7).score("recall") == 1


def test_columns_with_unlabeled_rows():
    accepted = [[1, 0], [0, 1], [1, 1], [0, 0]]
    for truth in (["a", None, "b", "n"], np.array(["a", None, "b", "n"], object)):
        ev = one_class(truth, accepted, classes=["a", "b"], outlier="n", missing="mask")
        assert cells(ev) == ((1, 1, 0, 1), (1, 0, 0, 2))
    masked = one_class(truth, accepted, classes=["a", "b"], outlier="n", missing="mask", mask=[[1, 1], [1, 1], [0, 1], [1, 1]])
    assert cells(masked) == ((1, 0, 0, 1), (1, 0, 0, 2))
    numbers = one_class([0.0, math.nan, 1, 9], accepted, classes=[0, 1], outlier=9, missing="mask")
    assert cells(numbers) == cells(ev)


def test_empty_and_one_sided():
    assert cells(one_class([], [], target="in")) == ((0, 0, 0, 0),)
    assert cells(one_class([-1, -1], [1, -1], target=1)) == ((0, 1, 0, 1),)
    assert cells(one_class(["out"], [True], target="in", classes=["in", "out"])) == ((0, 1, 0, 0),)
    assert one_class(["a"], [[True, False]], classes=["a", "b"]).score("recall", "micro") == 1


TRUTH, FLAGS = ["in", "out"], [True, False]
ERRORS = [
    (lambda: one_class(TRUTH, FLAGS), r"Which label are the inliers\? y_true has 'in', 'out'; pass target="),
    (lambda: one_class([None, None], FLAGS), r"Which label are the inliers\? y_true has no label"),
    (lambda: one_class(["in", "in"], FLAGS), r"Which label are the inliers\?"),
    (lambda: one_class(TRUTH, FLAGS, target="in", positive="out"), "target='in' and positive='out' name different classes"),
    (
        lambda: one_class(TRUTH, FLAGS, target="inn"),
        r"target='inn' is not among the labels of y_true, 'in', 'out'\. Pass classes=",
    ),
    (lambda: one_class(TRUTH, FLAGS, target="inn", classes=TRUTH), r"target='inn' is not a class"),
    (lambda: one_class(TRUTH, FLAGS, target="in", classes=["in"]), r"y_true has 'out', which classes=\('in'\) does not name"),
    (lambda: one_class(TRUTH, [True], target="in"), "y_true has 2 examples and y_pred 1"),
    (
        lambda: one_class(["in", "out", None], [1, 1, 1], target="in"),
        r"y_true\[2\] is missing, though outliers such as 'out' are",
    ),
    (lambda: one_class(TRUTH, ["in", "no"], target="in"), r"y_pred has 'no', which is neither a decision nor a label of y_true"),
    (lambda: one_class(TRUTH, [0, 1], target="in"), r"y_pred has 0, 1, which is neither a decision nor a label"),
    (lambda: one_class(TRUTH, [0.3, 0.8], target="in"), r"y_pred has 0\.3, 0\.8, which is neither .* scores with decide="),
    (
        lambda: one_class([0, 1], [1, 1], target=0),
        r"y_pred\[0\] may mean accepted or rejected, or may be a label, and with target=0",
    ),
    (lambda: one_class([0, 1], FLAGS, target=0), r"y_pred\[0\] may mean accepted"),
    (lambda: one_class([1, -1], [1, -1], target=-1), r"y_pred\[0\] may mean accepted"),
    (lambda: one_class(TRUTH, ["in", None], target="in"), r"y_pred\[1\] is missing: a decision is needed for every example"),
    (lambda: one_class(TRUTH, [0.3, 0.8], target="in", decide="argmax"), r"decide='argmax': with one score per example"),
    (lambda: one_class(TRUTH, [0.3, 0.8], target="in", decide=[0.1, 0.2]), r"decide=\[0\.1, 0\.2\]: with one score"),
    (lambda: one_class(TRUTH, FLAGS, target="in", outlier="out"), "outlier= is for one column of decisions per class"),
    (
        lambda: one_class(TRUTH, FLAGS, target="in", ordinal="one_hot"),
        "do not go together: a decision to accept or reject has no ranks",
    ),
    (
        lambda: one_class(TRUTH, FLAGS, target="in", missing="abstain"),
        "abstaining classifiers do not go together",
    ),
    (lambda: one_class(TRUTH, [[1], [0]], target="in"), "target='in' names one class, but y_pred has a column per class"),
    (lambda: one_class(TRUTH, [[1], [0]], outlier="out"), "outlier= needs classes="),
    (lambda: one_class(TRUTH, [[1], [0]], outlier="out", classes=["out"]), "outlier='out' is one of the classes"),
    (lambda: one_class(["in", None], [[1], [0]], outlier="out", classes=["in"]), r"y_true\[1\] is missing: 1 of 2 .*'mask'"),
    (lambda: one_class(["in", None], [1, 1], labeled="all", target="in"), r"y_true\[1\] is missing, though labeled='all'"),
    (lambda: one_class(TRUTH, FLAGS, target="in", labeled="some"), "labeled='some' is unknown. Use 'all'"),
    (lambda: one_class(["a"], [[1, 0]], classes=["a", "b"], labeled="inliers"), "labeled='inliers' is for one class"),
    (lambda: one_class(TRUTH, FLAGS, target="in", cost=[[0, 1], [1, 0]]), "costs per label: cost=ix.tasks.label_costs"),
    (lambda: one_class(TRUTH, [[1], [0]], **COLUMN, cost="zero_one"), "costs per label"),
    (lambda: one_class(TRUTH, pd.array([0.3, None], dtype="Float64"), target="in", decide=0.5), r"y_pred\[1\] is NaN: a score"),
    (lambda: one_class(TRUTH, [0.3, None], target="in", decide=0.5), r"y_pred\[1\] is NaN: a score is needed"),
    (lambda: one_class(TRUTH, [[1], [0]], classes=["in"]), r"Label 'out' is not in classes=\('in'\)"),
]
TYPES = [
    (lambda: one_class(TRUTH, FLAGS, target=1), "target=1 is number, but the labels of y_true are text; none can be equal"),
    (lambda: one_class([[1], [0]], FLAGS, target="in"), "y_true needs one label per example"),
    (
        lambda: one_class(TRUTH, ["in", "out"], target="in", decide=0.5),
        "decide= and tnorm= read numbers, but y_pred does not hold numbers",
    ),
    (
        lambda: one_class(TRUTH, [0.3, "a"], target="in", decide=0.5),
        "decide= and tnorm= read numbers, but y_pred does not hold numbers",
    ),
    (lambda: one_class([[1], [0]], [[1], [0]], outlier="out", classes=["in"]), "outlier= is a label, so y_true needs one label"),
]


@for_each(("call", "message"), ERRORS)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(("call", "message"), TYPES)
def test_types(call, message):
    with pytest.raises(TypeError, match=message):
        call()
