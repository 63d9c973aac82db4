"""Multi-output classification: ragged blocks of targets, never padded, each encoded as if it were alone."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix

TRUE = {"color": ["red", "blue", "red"], "tags": [{"new"}, {"new", "sale"}, set()]}
PRED = {"color": ["red", "red", "red"], "tags": [{"new"}, {"sale"}, {"sale"}]}


def exact(values):
    return [Fraction(v).limit_denominator(1000) for v in np.ravel(values).tolist()]


def test_multi_output_classification():
    """By hand: color has 2 of 3 right; tags have tp 2, fp 1, fn 1 of six entries."""
    ev = ix.evaluate(TRUE, PRED, targets=True)
    assert ev.classes == (("color", "blue"), ("color", "red"), ("tags", "new"), ("tags", "sale"))
    per_target = ev.aggregate("target")
    assert (per_target.names, np.stack(list(per_target)).T.tolist()) == ((("color", "tags"),), [[2, 1, 1, 2], [2, 1, 1, 2]])
    assert exact(ev.values("f1", per="target")) == [Fraction(2, 3), Fraction(2, 3)]
    assert exact(ev.values("recall", per="class")) == [0, 1, Fraction(1, 2), 1]
    assert exact([ev.score("recall", "target"), ev.score("recall", "micro"), ev.score("recall", "macro")]) == [
        Fraction(2, 3),
        Fraction(2, 3),
        Fraction(5, 8),
    ]
    assert "Targets: 'color', 'tags'" in str(ev)


@st.composite
def problems(draw):
    n = draw(st.integers(0, 6))
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    names = [f"t{i}" for i in range(len(sizes))]
    columns = [st.lists(st.integers(0, m - 1), min_size=n, max_size=n) for m in sizes]
    sides = [{t: draw(column) for t, column in zip(names, columns, strict=True)} for _ in range(2)]
    return sides[0], sides[1], {t: range(m) for t, m in zip(names, sizes, strict=True)}


@pytest.mark.slow
@given(problems())
def test_each_target_is_as_if_alone_and_micro_is_their_weighted_mean(problem):
    true, pred, classes = problem
    ev = ix.evaluate(true, pred, targets=True, classes=classes)
    alone = {t: ix.evaluate(true[t], pred[t], classes=classes[t]) for t in true}
    assert len(ev.classes) == sum(len(c) for c in classes.values())  # ragged: nothing is padded (errata A17)
    counts = ev.aggregate("target")
    for t, part in alone.items():
        assert counts.at(target=t) == part.aggregate(())
        assert [ev.aggregate("class").at(**{"class": (t, c)}) for c in classes[t]] == [
            part.aggregate("class").at(**{"class": c}) for c in classes[t]
        ]
    # Micro is the mean of the targets, weighted by denominators (thm:micro_macro), for every decomposable measure.
    for measure in ix.theory.select(decomposable=True):
        values = [measure(ix.Counts(*map(Fraction, map(int, counts.at(target=t))))) for t in alone]
        b = [Fraction(c) for c in ix.properties(measure).b]
        weights = [sum(c * int(x) for c, x in zip(b, counts.at(target=t), strict=True)) for t in alone]
        micro = measure(ix.Counts(*map(Fraction, map(int, ev.aggregate(())))))
        if all(v == v and abs(v) != float("inf") for v in values) and sum(weights):
            assert sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights) == micro


@given(problems())
def test_single_label_targets_weigh_alike_in_precision_and_recall(problem):
    """Errata C14: micro precision, recall and F1 of one-hot targets are the target-wise means, whatever their widths."""
    true, pred, classes = problem
    if not len(next(iter(true.values()))):
        return
    ev = ix.evaluate(true, pred, targets=True, classes=classes)
    for measure in ("precision", "recall", "f1"):
        assert float(ev.score(measure, "micro")) == pytest.approx(float(ev.score(measure, "target")), rel=1e-14)


FRAME = {"a": [0, 1, 1], "b": ["x", "y", "x"]}
OTHER = {"a": [0, 1, 0], "b": ["x", "x", "x"]}


@pytest.mark.parametrize(
    "make",
    [
        dict,
        pd.DataFrame,
        pl.DataFrame,
        pa.table,
        lambda x: np.array([list(r) for r in zip(*x.values(), strict=True)], object),
        lambda x: [list(r) for r in zip(*x.values(), strict=True)],
        lambda x: {k: pd.Categorical(v) for k, v in x.items()},
    ],
)
def test_targets_come_in_every_table(make):
    ev = ix.evaluate(make(FRAME), make(OTHER), targets=["a", "b"], classes={"a": [0, 1], "b": ["x", "y"]})
    assert ev.tally == ix.evaluate(FRAME, OTHER, targets=True, classes={"a": [0, 1], "b": ["x", "y"]}).tally


def test_numbers_alone_need_no_names():
    y, p = np.array([[0, 2], [1, 2]]), np.array([[0, 1], [0, 2]])
    ev = ix.evaluate(y, p, targets=True)
    assert ev.classes == ((0, 0), (0, 1), (1, 1), (1, 2))
    assert ix.evaluate(torch.tensor(y), torch.tensor(p), targets=True).tally == ev.tally


def test_options_per_target():
    truth = {"size": ["S", "M", "L"], "kind": ["a", "b", "a"], "open": ["x", "y", "z"]}
    guess = {"size": ["S", "L", "L"], "kind": np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]), "open": ["x", "?", "?"]}
    ev = ix.evaluate(
        truth,
        guess,
        targets=True,
        classes={"size": ["S", "M", "L"], "kind": ["a", "b"]},
        ordinal={"size": "cumulative"},
        decide={"kind": "argmax"},
        known={"open": ["x", "y"]},
        unknown={"open": "?"},
        cost={"kind": ix.tasks.label_costs(fp=1, fn=3)},
    )
    assert ev.classes == (
        ("size", "S|M"),
        ("size", "M|L"),
        ("kind", "a"),
        ("kind", "b"),
        ("open", "x"),
        ("open", "y"),
        ("open", "?"),
    )
    # By hand: M is below the boundary M|L, and was put above it; a was missed once and wrongly given once; z is unknown.
    assert np.stack(list(ev.aggregate("target"))).T.tolist() == [[3, 1, 0, 2], [1, 2, 6, 1], [2, 1, 1, 5]]
    with pytest.raises(ValueError, match="ordinal= names 'weight', which is not one of the targets"):
        ix.evaluate(truth, truth, targets=True, ordinal={"weight": "cumulative"})


def test_masks_and_missing_labels_per_target():
    truth, guess = {"a": ["x", None, "y"], "b": [0, 1, 1]}, {"a": ["x", "x", "y"], "b": [0, 0, None]}
    classes = {"a": ["x", "y"], "b": [0, 1]}
    masked = ix.evaluate(truth, guess, targets=True, missing="mask", classes=classes)
    assert [int(x) for x in masked.aggregate("target").n] == [4, 4]
    filled = {"a": ["x", "y", "y"], "b": [0, 1, 1]}, {"a": ["x", "x", "y"], "b": [0, 0, 0]}
    seen = np.array([[1, 1], [0, 1], [1, 0]], bool)
    for mask in (seen, {"a": seen[:, 0], "b": seen[:, 1]}, np.repeat(seen, 2, axis=1)):
        assert ix.evaluate(*filled, targets=True, mask=mask, classes=classes).tally == masked.tally
    abstaining = ix.evaluate(filled[0], guess, targets=True, missing="abstain", classes=classes)
    assert ix.measure("(tp + fp) / (tp + fn)").values(abstaining.aggregate("target")).tolist() == [1, 2 / 3]  # coverage


ERRORS = [
    (lambda: ix.evaluate(TRUE, {"color": PRED["color"]}, targets=True), "y_true has the targets .* and y_pred"),
    (lambda: ix.evaluate(TRUE, PRED, targets=["color", "size"]), "y_true has no target 'size'; it has"),
    (lambda: ix.evaluate(TRUE, PRED, targets="color"), r"must be True or the names of the targets"),
    (lambda: ix.evaluate(TRUE, PRED, targets=["color", "color"]), "names a target twice"),
    (lambda: ix.evaluate([1, 2], [1, 2], targets=True), "one label per example and target"),
    (lambda: ix.evaluate(np.zeros((2, 2), int), np.zeros((2, 3), int), targets=["a", "b"]), "names 2 targets, but y_pred has 3"),
    (lambda: ix.evaluate({"a": [1], "b": [1, 2]}, {"a": [1], "b": [1, 2]}, targets=True), "different numbers of examples"),
    (lambda: ix.evaluate({"a": [1, 2]}, {"a": [1]}, targets=True), "Target 'a': y_true has 2 examples and y_pred 1"),
    (lambda: ix.evaluate({}, {}, targets=True), "There are no targets"),
    (lambda: ix.evaluate(TRUE, PRED, targets=True, mask={"size": [True]}), "mask= names 'size', which is not one of the targets"),
    (lambda: ix.evaluate({1, 2}, {1, 2}, targets=True), "a mapping from target to labels"),
]


@pytest.mark.parametrize(("call", "message"), ERRORS, ids=[message for _, message in ERRORS])
def test_errors(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


@pytest.mark.slow
def test_a_million_rows_of_three_targets():
    rng = np.random.default_rng(0)
    true, pred = ({t: rng.integers(0, m, 10**6) for t, m in (("a", 2), ("b", 5), ("c", 9))} for _ in range(2))
    ev = ix.evaluate(true, pred, targets=True)
    assert {t: int(c) for t, c in zip("abc", ev.aggregate("target").tp, strict=True)} == {
        t: int((true[t] == pred[t]).sum()) for t in "abc"
    }
