"""Partial and missing labels: what was not observed counts nowhere, whichever way it is said."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix

NAN = float("nan")
Y = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0]])
P = np.array([[1, 1, 0], [0, 1, 1], [0, 1, 1]])
SEEN = np.array([[1, 0, 1], [1, 1, 1], [0, 0, 0]], bool)


def test_partial_and_missing_labels():
    """eq:masked_agg by hand: five of nine entries are observed, nothing of the third example."""
    ev = ix.evaluate(Y, P, mask=SEEN)
    per_class = ev.aggregate("class")
    assert np.stack(list(per_class)).T.tolist() == [[1, 0, 0, 1], [1, 0, 0, 0], [1, 0, 1, 0]]
    assert [int(x) for x in ev.aggregate(())] == [3, 0, 1, 1]
    assert Fraction(float(ev.score("recall", "micro"))) == Fraction(3, 4)
    # Accuracy: its denominators differ by column and row, so that its averages differ (errata B6).
    assert float(ev.score("accuracy", "micro")) == 4 / 5
    assert float(ev.score("accuracy", "macro")) == float(Fraction(1, 3) * (1 + 1 + Fraction(1, 2)))
    assert float(ev.score("accuracy", "exemplar")) == float(Fraction(1, 2) * (Fraction(1, 2) + 1))
    # The third example counts nowhere: it is neither wrong nor undefined. Weights are the observed positives.
    assert not ev.score("accuracy", "exemplar").has_undefined()
    assert float(ev.score("recall", "weighted")) == float(ev.score("recall", "micro"))
    assert "Observed entries: 5 of 9." in str(ev)
    assert "Nothing was observed of 1 example." in str(ev)


@pytest.mark.parametrize("undefined", ["exclude", 0, 1, "nan", "raise"])
def test_a_fully_masked_class_counts_nowhere(undefined):
    seen = np.array([[1, 0], [1, 0]], bool)
    score = ix.accuracy([[1, 0], [0, 1]], [[1, 1], [1, 1]], mask=seen, average="macro", undefined=undefined)
    assert (float(score), score.undefined_units) == (0.5, ())


@given(st.data())
def test_nan_entries_none_rows_and_masks_say_the_same(data):
    n, m = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 3))
    bits = st.lists(st.lists(st.booleans(), min_size=m, max_size=m), min_size=n, max_size=n)
    y, p, seen = (np.array(data.draw(bits)) for _ in range(3))
    with_nan = np.where(seen, y, NAN)
    masked = ix.evaluate(y, p, mask=seen)
    assert ix.evaluate(with_nan, p, missing="mask").tally == masked.tally
    assert ix.evaluate(y.astype(float), np.where(seen, p, NAN), missing="mask").tally == masked.tally
    rows = seen[:, 0]
    sets = [set(np.flatnonzero(r).tolist()) if s else None for r, s in zip(y, rows, strict=True)]
    whole = ix.evaluate(y, p, mask=rows)
    assert ix.evaluate(sets, p, missing="mask", classes=range(m)).aggregate("class") == whole.aggregate("class")
    # Leaving rows out and masking them counts the same entries; the masked ones are only known to exist.
    left = ix.evaluate(y[rows], p[rows])
    assert left.aggregate("class") == whole.aggregate("class")
    assert (left.n, whole.n) == (int(rows.sum()), n)


def test_semi_supervised_rows_of_single_labels():
    for y in (["a", None, "b"], pd.Series(["a", None, "b"]), pd.Categorical(["a", None, "b"])):
        ev = ix.evaluate(y, ["a", "a", "a"], missing="mask")
        assert (ev.n, ev.confusion.tolist()) == (3, [[1, 0], [1, 0]])
        assert "Nothing was observed of 1 example." in str(ev)
    with pytest.raises(ValueError, match="missing='mask' to leave them out"):
        ix.evaluate(["a", None], ["a", "a"])


def test_mask_soft_weights_and_groups_together():
    y, p = np.array([[0.5, 1.0], [0.25, 0.0], [1.0, 0.5]]), np.array([[1.0, 0.5], [0.5, 0.5], [0.25, 1.0]])
    seen, weight, fold = np.array([[1, 0], [1, 1], [0, 1]], bool), [2.0, 1.0, 0.5], [1, 1, 2]
    ev = ix.evaluate(y, p, tnorm="product", mask=seen, sample_weight=weight, by={"fold": fold})
    tp = [Fraction(2) * Fraction(1, 2) + Fraction(1, 8), Fraction(1, 2) * Fraction(1, 2)]
    assert [Fraction(x) for x in ev.aggregate("class").tp.tolist()] == tp
    assert [Fraction(x) for x in ev.aggregate("fold").tp.tolist()] == [Fraction(9, 8), Fraction(1, 4)]


def test_a_mask_hides_a_node_and_what_follows_from_it():
    tree = {"a": None, "b": "a", "c": "a", "r": None}
    options = {"hierarchy": tree, "classes": ["a", "r", "b", "c"]}
    found = [ix.evaluate([[0, 0, 0, v]], [[0, 0, 1, 0]], mask=[[1, 1, 1, 0]], **options).aggregate("class") for v in (0, 1)]
    assert found[0] == found[1] == ix.evaluate([[0, 0, 0, NAN]], [[0, 0, 1, 0]], missing="mask", **options).aggregate("class")
    assert found[0].n.tolist() == [0, 1, 1, 0]
    other = {"hierarchy": tree, "classes": ["c", "b", "r", "a"]}
    assert ix.evaluate([[1, 0, 0, 0]], [[0, 1, 0, 0]], mask=[[0, 1, 1, 1]], **other).aggregate("class") == found[0]


@pytest.mark.parametrize("missing", ["mask", ("mask", "abstain"), ("mask", "error")])
def test_classes_of_examples_that_were_not_observed_are_not_found_in_labels_or_in_sets(missing: Any) -> None:
    labels = ix.evaluate([None, "a"], ["z", "b"], missing=missing)
    sets = ix.evaluate([None, {"a"}], [{"z"}, {"b"}], missing=missing)
    assert labels.classes == sets.classes == ("a", "b")
    assert ix.evaluate([{"z"}, {"a"}], [None, {"b"}], missing="mask").classes == ("a", "b")
