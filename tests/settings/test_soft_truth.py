"""Soft truth: votes of annotators as shares, in every form they come in, and what measures make of them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
import torch
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each

import indicatrix as ix
from indicatrix.tasks.votes import votes

F = Fraction
CLASSES = ("ant", "cat", "dog")
ballots = st.lists(st.lists(st.sampled_from(CLASSES), min_size=1, max_size=7), min_size=1, max_size=6)
set_ballots = st.lists(st.lists(st.sets(st.sampled_from(CLASSES)), min_size=1, max_size=5), min_size=1, max_size=6)


def shares(rows):
    """Return the shares of all classes as floats nearest to the fractions."""
    return [[float(F(sum(c in vote for vote in row), len(row))) for c in CLASSES] for row in rows]


def test_soft_uncertain_ground_truth():
    y = votes([["cat", "cat", "dog", None], ["dog"]])  # 2/3, 1/3 and 0, 1
    hard = ix.evaluate(y, ["cat", "dog"], tnorm="product")
    assert list(hard.aggregate()) == pytest.approx([5 / 3, 1 / 3, 1 / 3, 5 / 3], rel=1e-15)  # together 4 = nm (cor:partition)
    assert hard.score("precision", "micro") == pytest.approx(float(F(5, 6)), rel=1e-15)
    perfect = {norm: ix.evaluate(y, y, tnorm=norm).score("precision", "micro") for norm in ("product", "godel", "lukasiewicz")}
    assert perfect["product"] == pytest.approx(float(F(7, 9)), rel=1e-15)  # FP = 2·(2/3)(1/3), TP = 4/9 + 1/9 + 1 (errata C2)
    assert perfect["godel"] == pytest.approx(float(F(3, 4)), rel=1e-15)  # FP = 2·(1/3), TP = 2/3 + 1/3 + 1
    assert perfect["lukasiewicz"] == pytest.approx(1, abs=1e-15)


def test_the_total_of_the_cells_depends_on_the_tnorm():
    y, yhat = votes([["a"] * 3 + ["b"] * 2], ["a", "b"]), np.array([[0.7, 0.0]])  # the paper's 0.6 and 0.7 in one entry
    keep = [[True, False]]
    masses = {norm: ix.evaluate(y, yhat, tnorm=norm, mask=keep).aggregate() for norm in ("godel", "product", "lukasiewicz")}
    assert [float(v.n) for v in masses.values()] == pytest.approx([1.6, 1.0, 0.4], rel=1e-15)
    for v in masses.values():  # n is the sum of the cells, so that the two are complements (errata B5)
        assert ix.accuracy(v) + ix.error_rate(v) == pytest.approx(1, rel=1e-15)


@given(ballots)
def test_all_forms_of_single_choices_agree(rows):
    expected = shares([[{v} for v in row] for row in rows])
    table = np.array([[row.count(c) for c in CLASSES] for row in rows])
    given = [votes(rows, CLASSES), votes([Counter(row) for row in rows], CLASSES), votes(table, CLASSES)]
    given += [votes([tuple(row[::-1]) for row in rows], CLASSES), votes([[None, *row, float("nan")] for row in rows], CLASSES)]
    given += [votes([row * 2 for row in rows], CLASSES), votes(table, CLASSES, annotators=table.sum(axis=1))]
    for indicator in given:
        assert indicator.matrix.tolist() == expected
        assert indicator.classes == CLASSES
        assert indicator.soft
    found = votes(rows)
    assert found.classes == tuple(sorted({v for row in rows for v in row}))
    assert found.matrix.tolist() == votes(table[:, [c in found.classes for c in CLASSES]], found.classes).matrix.tolist()


@given(set_ballots)
def test_all_forms_of_several_choices_agree(rows):
    table = np.array([[sum(c in vote for vote in row) for c in CLASSES] for row in rows])
    sizes = [len(row) for row in rows]
    counts = [dict(zip(CLASSES, row, strict=True)) for row in table.tolist()]
    given = [votes(rows, CLASSES), votes([[frozenset(v) for v in row] for row in rows], CLASSES)]
    given += [votes(table, CLASSES, annotators=sizes), votes(counts, annotators=np.array(sizes))]
    for indicator in given:
        assert indicator.matrix.tolist() == shares(rows)


@given(ballots, st.data())
def test_shares_under_the_product_keep_the_votes(rows, data):
    """The actual positives of a class are its shares, whatever the prediction (thm:partition)."""
    yhat = data.draw(st.lists(st.sampled_from(CLASSES), min_size=len(rows), max_size=len(rows)))
    ev = ix.evaluate(votes(rows, CLASSES), yhat, tnorm="product")
    exact = [sum(F(row.count(c), len(row)) for row in rows) for c in CLASSES]
    assert ev.aggregate("class").tpos == pytest.approx([float(x) for x in exact], abs=1e-14)
    right = sum(F(row.count(v), len(row)) for row, v in zip(rows, yhat, strict=True))
    assert ev.score("recall", "micro") == pytest.approx(float(right / len(rows)), abs=1e-14)


@given(ballots)
def test_unanimous_votes_are_one_hot_labels(rows):
    labels = [row[0] for row in rows]
    y = votes([[label] * 3 for label in labels], CLASSES)
    assert y.matrix.tolist() == ix.one_hot(labels, CLASSES).matrix.tolist()
    soft = ix.evaluate(y, labels[::-1], tnorm="godel")
    assert list(soft.aggregate()) == list(ix.evaluate(labels, labels[::-1], classes=CLASSES).aggregate())


ROWS = [["cat", "cat", "dog"], ["dog"], ["ant", "dog"]]
COUNTS = np.array([[0, 2, 1], [0, 0, 1], [1, 0, 1]])


@for_each(
    "y",
    [
        pd.Series(ROWS),
        pd.Series([np.array(row) for row in ROWS], index=[7, 8, 9]),
        pd.DataFrame([["cat", "cat", "dog"], ["dog", None, None], ["ant", "dog", None]], columns=["Ann", "Bob", "Cy"]),
        np.array([["cat", "cat", "dog"], ["dog", "dog", "dog"], ["ant", "dog", None]], dtype=object),
        pl.Series(ROWS),
        pl.DataFrame({"Ann": ["cat", "dog", "ant"], "Bob": ["cat", None, "dog"], "Cy": ["dog", None, None]}),
        pa.array(ROWS),
        pa.chunked_array([ROWS[:1], ROWS[1:]]),
        np.array([*ROWS, None], dtype=object)[:-1],
        [np.array(row) for row in ROWS],
        [Counter(row) for row in ROWS],
        tuple(ROWS),
    ],
)
def test_containers_of_votes(y):
    assert votes(y).classes == CLASSES
    assert votes(y).matrix.tolist() == shares([[{v} for v in row] for row in ROWS])


@pytest.mark.parametrize(
    "y",
    [
        COUNTS,
        COUNTS.astype(np.float32),
        torch.tensor(COUNTS),
        pd.DataFrame(COUNTS, columns=list(CLASSES)),
        pd.DataFrame(COUNTS).astype("Int64"),
        pl.DataFrame(COUNTS, schema=list(CLASSES)),
    ],
    ids=lambda y: type(y).__module__.partition(".")[0] + "." + type(y).__name__,
)
def test_containers_of_counts(y):
    assert votes(y, CLASSES).matrix.tolist() == votes(ROWS).matrix.tolist()
    assert votes(y, CLASSES, annotators=4).matrix.tolist() == (COUNTS / 4).tolist()


def test_labels_are_numbers_too():
    y = votes([[0, 1, 1], [2]])
    assert y.classes == (0, 1, 2)
    assert votes([[True, False]]).classes == (False, True)
    assert votes([[np.int64(3), 3.0, 3]]).matrix.tolist() == [[1.0]]


def test_no_examples_one_class_many_rows():
    assert votes([]).matrix.shape == (0, 0)
    assert votes([], ["a", "b"]).matrix.shape == (0, 2)
    assert votes(np.empty((0, 2)), ["a", "b"]).matrix.shape == (0, 2)
    assert votes([["a"]]).matrix.tolist() == [[1.0]]
    assert votes([[set(), {"a"}]]).matrix.tolist() == [[0.5]]  # nothing fits: an answer, for no label
    assert votes([[set()]]).matrix.shape == (1, 0)
    assert votes([{"a": 0, "b": 0}], annotators=2).matrix.tolist() == [[0.0, 0.0]]
    many = np.tile(COUNTS, (100_000, 1))
    assert votes(many, CLASSES).matrix[-3:].tolist() == votes(ROWS).matrix.tolist()
    assert many[:3].tolist() == COUNTS.tolist()  # the caller's array stays as it is


def test_an_example_without_votes_is_left_out_by_a_mask():
    """What the message advises."""
    rows, keep = [["cat", "dog"], ["cat"], ["dog"]], [True, False, True]
    masked = ix.evaluate(votes(rows), ["cat", "cat", "dog"], tnorm="product", mask=keep)
    dropped = ix.evaluate(votes([rows[0], rows[2]]), ["cat", "dog"], tnorm="product")
    assert list(masked.aggregate()) == list(dropped.aggregate())


@for_each(
    ("make", "error", "message"),
    [
        (lambda: votes([["a"], []]), ValueError, r"y\[1\] has no votes.*Drop this example.*mask=keep, where keep\[1\] is False"),
        (lambda: votes([["a"], [None]]), ValueError, r"y\[1\] has no votes"),
        (lambda: votes([["a"], None]), ValueError, r"y\[1\] has no votes"),
        (lambda: votes(np.array([[1, 0], [0, 0]]), ["a", "b"]), ValueError, r"y\[1\] has no votes"),
        (lambda: votes([{"a": 1}, {}]), ValueError, r"y\[1\] has no votes"),
        (lambda: votes([{"a": 1}], annotators=0), ValueError, r"y\[0\] has no votes"),
        (lambda: votes(["a", "b"]), TypeError, r"y\[0\] is 'a'; give a list for every example.*use one_hot"),
        (lambda: votes([{"a", "b"}]), TypeError, r"y\[0\] is \{.*one set of labels\) for each annotator"),
        (lambda: votes("ab"), TypeError, "y is a str; give a list of labels, one for each annotator, for every example"),
        (lambda: votes({"a": 1}), TypeError, "y is a dict; give"),
        (lambda: votes([["a"], [{"a"}]]), TypeError, r"mixes sets of labels with single labels: those of y\[0\] and y\[1\]"),
        (lambda: votes([{"a": 1}, ["a"]]), TypeError, r"mixes mappings with other rows: y\[1\] is \['a'\]"),
        (lambda: votes([["a"], ["b"]], ["a"]), ValueError, r"Label 'b' is not in classes=\('a'\) \(first at y\[1\]\). Add it"),
        (lambda: votes([[3, 1]], ["a", "b"]), ValueError, "Label 3 is not in.*Counts and ranks are given as an array"),
        (lambda: votes([["a"], [1]]), TypeError, r"y mixes label types: y\[0\] holds 'a', y\[1\] holds 1"),
        (lambda: votes([[["a"]]]), TypeError, r"y\[0\] holds \['a'\], which cannot be a label: a list is not hashable"),
        (lambda: votes([[{None}]]), ValueError, r"y\[0\] holds None, a missing label"),
        (lambda: votes([["a"]], annotators=2), TypeError, "annotators= is for counts"),
        (lambda: votes([{"a": -1}]), ValueError, r"y\[0\]\['a'\] = -1: a count is a finite number that is not negative"),
        (lambda: votes([{"a": "1"}]), ValueError, r"y\[0\]\['a'\] = '1': a count"),
        (lambda: votes(np.array([[1, -2]]), ["a", "b"]), ValueError, r"y\[0, 1\] = -2: a count of votes"),
        (lambda: votes(np.array([[1, np.nan]]), ["a", "b"]), ValueError, r"y\[0, 1\] = nan: a count of votes"),
        (lambda: votes(np.array([[1, 2]])), ValueError, "counts in one column.*or labels in.*Say which: pass classes="),
        (lambda: votes(pd.DataFrame([[1, 2]])), ValueError, "names of the columns for counts, a list of lists for labels"),
        (lambda: votes(np.array([[1, 2]]), ["a"]), ValueError, "y has 2 columns for 1 classes"),
        (lambda: votes(pd.DataFrame({"b": [1], "a": [2]}), ["a", "b"]), ValueError, "columns of y are called 'b', 'a',"),
        (lambda: votes(scipy.sparse.csr_array(COUNTS), CLASSES), TypeError, "y is a sparse matrix; give counts"),
        (lambda: votes([{"a": 3}], annotators=2), ValueError, r"y\[0\] has 3 votes for 'a' from 2 annotators, but each"),
        (lambda: votes([{"a": 3}], annotators="2"), TypeError, "annotators='2': give the number of annotators"),
        (lambda: votes([{"a": 3}], annotators=[2, 3]), ValueError, r"annotators= has shape \(2,\) for 1 examples"),
        (lambda: votes([{"a": 3}], annotators=[-1]), ValueError, r"annotators\[0\] = -1.0: the number of annotators is a finite"),
        (lambda: votes([["a"]], ["a", "a"]), ValueError, "classes= names 'a' twice"),
        (lambda: ix.evaluate(votes([["a", "b"]]), ["a"]), ValueError, "memberships, not decisions; say how they combine: tnorm="),
    ],
)  # fmt: skip
def test_errors(make, error, message):
    with pytest.raises(error, match=message):
        make()
