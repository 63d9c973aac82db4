"""Label ranking cut at k: the same indicator from ranks and from lists, and measures at k against sets."""

from __future__ import annotations

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
from indicatrix.tasks.label_ranking import top_ranked

F = Fraction
CLASSES = ("ant", "bee", "cat", "dog")


@st.composite
def rankings(draw):
    """Draw full rankings of some labels and a k."""
    m = draw(st.integers(1, 4))
    rows = draw(st.lists(st.permutations(CLASSES[:m]), min_size=1, max_size=6))
    return [list(row) for row in rows], draw(st.integers(1, m)), CLASSES[:m]


def test_label_ranking():
    """Full rankings are outside the algebra; cut at k they are label sets (tab:settings: boundary)."""
    truth = [{"cat"}, {"ant", "dog"}, set()]
    rows = [["ant", "cat", "dog", "bee"], ["dog", "bee", "ant", "cat"], ["bee", "ant", "cat", "dog"]]
    recall, precision = {1: F(1, 3), 2: F(2, 3), 3: F(3, 3), 4: F(3, 3)}, {1: F(1, 3), 2: F(2, 6), 3: F(3, 9), 4: F(3, 12)}
    for k in (1, 2, 3, 4):
        ev = ix.evaluate(truth, top_ranked(rows, k, CLASSES))
        assert ev.score("recall", "micro") == pytest.approx(float(recall[k]), rel=1e-15)
        assert ev.score("precision", "micro") == pytest.approx(float(precision[k]), rel=1e-15)
    # Per example at k = 2: 1/1, 1/2, and no relevant label, which is undefined and left out.
    assert ix.recall(truth, top_ranked(rows, 2, CLASSES), average="exemplar") == F(3, 4)


@given(rankings(), st.data())
def test_ranks_and_lists_agree_with_the_definition(problem, data):
    rows, k, classes = problem
    ranks = np.array([[row.index(c) + 1 for c in classes] for row in rows])
    literal = (ranks <= k).tolist()
    assert top_ranked(rows, k, classes).matrix.tolist() == literal
    assert top_ranked(ranks, k, classes).matrix.tolist() == literal
    assert top_ranked([row[:k] for row in rows], k, classes).matrix.tolist() == literal  # what follows k plays no role
    truth = data.draw(st.lists(st.sets(st.sampled_from(classes)), min_size=len(rows), max_size=len(rows)))
    found = ix.evaluate(truth, top_ranked(rows, k, classes)).aggregate()
    assert found.tp == sum(len(t & set(row[:k])) for t, row in zip(truth, rows, strict=True))
    assert found.tp + found.fp == k * len(rows)
    assert found.tp + found.fn == sum(map(len, truth))


@given(rankings())
def test_a_ranking_cut_at_k_is_top_k_of_its_scores(problem):
    rows, k, classes = problem
    scores = -np.array([[row.index(c) for c in classes] for row in rows], float)
    truth = [{row[-1]} for row in rows]
    decided = ix.evaluate(truth, scores, classes=classes, decide=ix.top_k(k))
    assert list(decided.aggregate("class").tp) == list(ix.evaluate(truth, top_ranked(rows, k, classes)).aggregate("class").tp)


def test_ties_are_taken_together():
    competition, highest = np.array([[1, 2, 2, 4]]), np.array([[1, 3, 3, 4]])
    assert top_ranked(competition, 2).matrix.tolist() == [[True, True, True, False]]
    assert top_ranked(highest, 2).matrix.tolist() == [[True, False, False, False]]
    assert top_ranked(pd.DataFrame(-competition).rank(axis=1, ascending=False, method="dense"), 1).matrix.sum() == 1


def test_partial_rankings():
    y = top_ranked([["dog"], [], ["cat", "dog", "ant"]], 2)
    assert y.classes == ("ant", "cat", "dog")
    assert y.matrix.astype(int).tolist() == [[0, 0, 1], [0, 0, 0], [0, 1, 1]]


RANKS = np.array([[2, 1, 3], [3, 2, 1]])
LISTS = [["bee", "ant", "cat"], ["cat", "bee", "ant"]]


@for_each(
    "y",
    [
        RANKS, RANKS.astype(float), RANKS.astype(np.uint8), torch.tensor(RANKS), pd.DataFrame(RANKS), pl.DataFrame(RANKS),
        LISTS, np.array(LISTS), pd.Series(LISTS), pd.DataFrame(LISTS), pl.Series(LISTS), pa.array(LISTS),
        [np.array(row) for row in LISTS], [tuple(row) for row in LISTS],
    ],
)  # fmt: skip
def test_containers(y):
    if isinstance(y, pl.DataFrame):
        y.columns = CLASSES[:3]
    assert top_ranked(y, 1, CLASSES[:3]).matrix.astype(int).tolist() == [[0, 1, 0], [0, 0, 1]]


def test_names_of_columns_are_classes():
    assert top_ranked(pd.DataFrame(RANKS, columns=["x", "y", "z"]), 1).classes == ("x", "y", "z")
    assert top_ranked(RANKS, 1).classes == (0, 1, 2)


def test_no_examples_one_label_many_rows():
    assert top_ranked([], 1).matrix.shape == (0, 0)
    assert top_ranked([], 2, CLASSES).matrix.shape == (0, 4)
    assert top_ranked(np.empty((0, 3), int), 3).matrix.shape == (0, 3)
    assert top_ranked([["a"]], 1).matrix.tolist() == [[True]]
    assert top_ranked([[1]], 1).classes == (1,)
    assert top_ranked([[0, 1], [1, 0]], 1).matrix.astype(int).tolist() == [[1, 0], [0, 1]]
    assert top_ranked([[2, 1], [1, 2]], 1, [1, 2]).matrix.astype(int).tolist() == [[0, 1], [1, 0]]
    assert top_ranked(np.tile(RANKS, (200_000, 1)), 1).matrix.sum() == 400_000


@for_each(
    ("make", "error", "message"),
    [
        (lambda: top_ranked(RANKS, 0), ValueError, "k=0: the best rank is 1, so k is at least 1"),
        (lambda: top_ranked(RANKS, True), TypeError, "k=True is not a rank. Give a whole number, at least 1"),
        (lambda: top_ranked(RANKS, 1.0), TypeError, "k=1.0 is not a rank"),
        (lambda: top_ranked(RANKS, 4), ValueError, "k=4, but there are only 3 labels. Lower k, or name all labels"),
        (lambda: top_ranked(LISTS, 4), ValueError, "k=4, but there are only 3 labels"),
        (lambda: top_ranked(LISTS, 4, CLASSES[:3]), ValueError, "k=4, but there are only 3 labels"),
        (lambda: top_ranked([], 5, CLASSES), ValueError, "k=5, but there are only 4 labels"),
        (lambda: top_ranked(RANKS - 1, 1), ValueError, r"y\[0, 1\] = 0: ranks are whole numbers from 1, the best.*use lists"),
        (lambda: top_ranked(RANKS + 1, 1), ValueError, r"y\[0, 2\] = 4: ranks are whole numbers"),
        (lambda: top_ranked(RANKS / 2, 1), ValueError, r"y\[0, 1\] = 0.5: ranks are whole numbers"),
        (lambda: top_ranked(np.array([[1, np.nan]]), 1), ValueError, r"y\[0, 1\] = nan: ranks are whole numbers"),
        (lambda: top_ranked(RANKS, 1, ["a"]), ValueError, "y has 3 columns for 1 classes"),
        (lambda: top_ranked(scipy.sparse.csr_array(RANKS), 1), TypeError, "y is a sparse matrix, but every label has a rank"),
        (lambda: top_ranked([[1, 2], [2, 1]], 1), ValueError, r"1 to 2 in the lists of y labels.*or ranks\? Pass classes=range"),
        (lambda: top_ranked([["a", "b"], ["b", "b"]], 1), ValueError, r"y\[1\] ranks 'b' twice. Rank each label once"),
        (lambda: top_ranked([["a"], "b"], 1), TypeError, r"y\[1\] is 'b'; give a list of labels, best first"),
        (lambda: top_ranked([["a"], {"b"}], 1), TypeError, r"y\[1\] is \{'b'\}; give a list of labels, best first"),
        (lambda: top_ranked([["a"], None], 1), TypeError, r"y\[1\] is None.*\[\] means that no label is ranked"),
        (lambda: top_ranked("ab", 1), TypeError, "y is a str; give a list of labels, best first, for every example, or an array"),
        (lambda: top_ranked([["a", None]], 1), ValueError, r"y\[0\] holds None, a missing label"),
        (lambda: top_ranked([["a"], ["x"]], 1, ["a"]), ValueError, r"Label 'x' is not in classes=.*first at y\[1\]"),
    ],
)  # fmt: skip
def test_errors(make, error, message):
    with pytest.raises(error, match=message):
        make()
