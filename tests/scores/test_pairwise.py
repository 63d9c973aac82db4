"""Hand & Till's AUC over pairs of classes and the ordinal AUC over boundaries: scikit-learn, definitions, conventions."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from average_rows import rows_along
from loops import for_each
from sklearn import metrics

import indicatrix as ix
from indicatrix.scores.areas import _tail_sums, auc, hand_till_auc, ordinal_auc


def drawn(seed, missing=False):
    """Return labels and probabilities of a random problem, tied or not; perhaps a class does not occur."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(8, 80)), int(rng.integers(2, 7))
    scores = rng.integers(1, 5, (n, m)) if seed % 2 else rng.random((n, m))
    y = rng.integers(0, m, n)
    y[:m] = np.arange(m)
    if missing and m > 2:
        y[y == 1] = 0
    return y, scores / scores.sum(axis=1, keepdims=True), m


def pair_auc(labels, scores, weights):
    """Return the weighted share of pairs that the scores order rightly, ties one half."""
    won = total = Fraction(0)
    for y, a, u in zip(labels, scores, weights, strict=True):
        for z, b, v in zip(labels, scores, weights, strict=True):
            if y and not z:
                total += Fraction(u) * Fraction(v)
                won += Fraction(u) * Fraction(v) * Fraction(int(a > b) - int(a < b) + 1, 2)
    return won / total if total else math.nan


@for_each("seed", range(40))
@for_each("average", ["macro", "weighted"])
def test_hand_till_agrees_with_scikit_learn(seed, average):
    y, scores, m = drawn(seed, missing=seed % 4 == 3)
    if m > 2:  # scikit-learn takes two columns for a binary problem
        theirs = metrics.roc_auc_score(y, scores, multi_class="ovo", average=average, labels=range(m))
        assert hand_till_auc(y, scores, average=average) == pytest.approx(theirs, abs=1e-12)
    else:
        assert hand_till_auc(y, scores) == pytest.approx(metrics.roc_auc_score(y, scores[:, 1]), abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_hand_till_is_the_mean_over_pairs_with_weights_and_masks(seed):
    y, scores, m = drawn(seed)
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 5, len(y)) / 4
    mask = rng.random(scores.shape) < 0.9 if seed % 2 else rng.random(len(y)) < 0.8
    seen = np.broadcast_to(mask if mask.ndim == 2 else mask[:, None], scores.shape)
    expected, sizes = [], []
    for pair in combinations(range(m), 2):
        both = []
        for a in pair:
            at = np.isin(y, pair) & seen[:, a]
            both.append(pair_auc(y[at] == a, scores[at, a], weights[at]))
        expected.append(float(sum(both)) / 2)
        sizes.append(weights[np.isin(y, pair) & seen.any(axis=1)].sum())
    found = hand_till_auc(y, scores, sample_weight=weights, mask=mask)
    assert np.allclose(found.values, expected, atol=1e-12, equal_nan=True)
    assert found == pytest.approx(np.nanmean(expected), abs=1e-12, nan_ok=True)
    weighted = hand_till_auc(y, scores, sample_weight=weights, mask=mask, average="weighted")
    defined = ~np.isnan(expected)
    assert weighted == pytest.approx(np.average(np.array(expected)[defined], weights=np.array(sizes)[defined]), abs=1e-12)


def test_pairs_without_examples_are_undefined_by_name():
    scores = [[0.7, 0.2, 0.1], [0.2, 0.7, 0.1], [0.6, 0.3, 0.1]]
    found = hand_till_auc(["a", "b", "a"], scores, classes=["a", "b", "c"])
    assert found.undefined_units == (("a", "c"), ("b", "c"))
    assert repr(found) == "1.0 (macro hand_till_auc; 2 of 3 units of pair undefined, excluded)"
    assert hand_till_auc(["a", "b", "a"], scores, classes=["a", "b", "c"], undefined=0) == pytest.approx(1 / 3)
    assert repr(pickle.loads(pickle.dumps(found))) == repr(found)
    with pytest.raises(ix.types.UndefinedError, match=r"macro hand_till_auc: undefined for \('a', 'c'\), \('b', 'c'\)"):
        hand_till_auc(["a", "b", "a"], scores, classes=["a", "b", "c"], undefined="raise")
    assert math.isnan(hand_till_auc(np.array([], int), np.zeros((0, 3))))
    assert math.isnan(hand_till_auc([0], np.zeros((1, 1))))


def test_one_vs_one_ignores_what_one_vs_all_sees():
    """Macro one-vs-all AUC depends on class sizes, Hand and Till's does not (errata A16)."""
    y, scores, _ = drawn(8)
    more = np.concatenate((np.arange(len(y)), np.flatnonzero(y == 0), np.flatnonzero(y == 0)))
    assert hand_till_auc(y[more], scores[more]) == pytest.approx(hand_till_auc(y, scores), abs=1e-12)
    assert abs(auc(y[more], scores[more], average="macro") - auc(y, scores, average="macro")) > 1e-3


# ---- Ordinal.


@for_each("seed", range(12))
def test_ordinal_auc_is_the_mean_over_boundaries(seed):
    y, P, m = drawn(seed)
    rng = np.random.default_rng(seed)
    weights, mask = rng.integers(1, 5, len(y)) / 4, rng.random(len(y)) < 0.8
    P = rng.integers(0, 5, P.shape) / 16  # sums without rounding
    values = []
    for j in range(m - 1):
        at = np.flatnonzero(mask)
        values.append(pair_auc(y[at] > j, P[at, j + 1 :].sum(axis=1), weights[at]))
    found = ordinal_auc(y, P, classes=range(m), sample_weight=weights, mask=mask)
    assert np.allclose(found.values, [float(v) for v in values], atol=1e-12, equal_nan=True)
    assert found == pytest.approx(float(np.mean([float(v) for v in values])), abs=1e-12)
    assert found.counts.names == (tuple(f"{j}|{j + 1}" for j in range(m - 1)),)


@pytest.mark.parametrize("m", range(2, 7))
def test_a_perfect_classifier_has_ordinal_auc_one(m):
    for average in rows_along("", "class"):
        assert ordinal_auc(range(m), np.eye(m), classes=range(m), average=average) == 1
        assert ordinal_auc(range(m), np.eye(m)[::-1], classes=range(m), average=average) < 0.5


def test_two_classes_have_one_boundary():
    y, P, _ = drawn(3)
    y = y % 2
    P = P[:, :2] / P[:, :2].sum(axis=1, keepdims=True)
    assert ordinal_auc(y, P, classes=[0, 1]) == pytest.approx(metrics.roc_auc_score(y, P[:, 1]), abs=1e-12)


def test_equal_tails_stay_equal_in_any_order():
    rng = np.random.default_rng(0)
    for _ in range(50):
        tail = rng.random(5) / 8
        P = np.array([np.concatenate(([0.3], rng.permutation(tail))) for _ in range(40)])
        assert ordinal_auc([0, 5] * 20, P, classes=range(6)).values[0] == 0.5
        assert ordinal_auc([0, 5] * 20, P.astype(np.float32), classes=range(6)).values[0] == 0.5


def test_tails_are_rounded_once():
    """Sums of floats, as math.fsum rounds them; not of the decimals that they stand for."""
    rng = np.random.default_rng(1)
    for P in (rng.dirichlet(np.ones(9), 300), rng.integers(0, 11, (300, 9)) / 10, rng.random((300, 9)).astype(np.float32)):
        expected = [[math.fsum(row[j:]) for j in range(1, 9)] for row in P.tolist()]
        assert _tail_sums(P).tolist() == expected
    score = ordinal_auc([0, 2], [[0.2, 0.1, 0.7], [0.2, 0.0, 0.8]], classes=range(3))
    assert score.values[0] == 1  # 0.1 + 0.7 < 0.8
    assert auc([0, 1], np.round([0.1 + 0.7, 0.8], 12)) == 0.5  # what the documentation advises where that should tie


def test_boundaries_take_averages_and_conventions():
    P = np.array([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.5, 0.4, 0.1], [0.3, 0.3, 0.4]])
    y = pd.Series(pd.Categorical(["low", "mid", "low", "mid"], categories=["low", "mid", "high"], ordered=True))
    found = ordinal_auc(y, P)
    assert (found.undefined_units, found) == (("mid|high",), 1)
    assert repr(found) == "1.0 (macro ordinal_auc; 1 of 2 classes undefined, excluded)"
    assert ordinal_auc(y, P, undefined=0) == 0.5
    assert repr(pickle.loads(pickle.dumps(found))) == repr(found)
    folds = ordinal_auc(y, P, by={"fold": [0, 0, 1, 1]}, average="fold")
    assert folds.counts.names == ((0, 1),)
    missing = ordinal_auc(["low", None, "low", "mid"], P, classes=["low", "mid", "high"], missing="mask")
    assert missing.counts.tpos.tolist() == [1, 0]
    assert missing.counts.tneg.tolist() == [2, 3]


ERRORS = [
    (lambda: hand_till_auc([0, 1], [0.1, 0.9]), ValueError, "hand_till_auc compares classes"),
    (lambda: hand_till_auc(np.eye(2, dtype=int), np.eye(2)), ValueError, "this is multilabel. Use ix.auc"),
    (
        lambda: hand_till_auc([0, 1], np.eye(2), average="micro"),
        ValueError,
        "average='micro': hand_till_auc is a mean",
    ),
    (
        lambda: hand_till_auc([0, 1], np.eye(2), by={"f": [0, 1]}),
        TypeError,
        "takes no by=; it is a mean over pairs of classes: call it on the examples of each group.",
    ),
    (
        lambda: hand_till_auc([0, 1], np.eye(2), positive=1),
        TypeError,
        "takes no positive=; it is about all classes.",
    ),
    (
        lambda: hand_till_auc([0, 1], np.eye(2), bins=3),
        TypeError,
        "takes no bins=. It takes average, undefined, classes, sample_weight, mask, missing.",
    ),
    (lambda: hand_till_auc([0, 1], np.eye(2), labels=[0, 1]), TypeError, "takes no labels=; fix the classes with classes="),
    (lambda: hand_till_auc([0, 1], np.eye(2), decide="argmax"), TypeError, "takes no decide=; it reads the scores themselves"),
    (
        lambda: ordinal_auc([0, 1], np.eye(2), classes=[0, 1], tnorm="godel"),
        TypeError,
        "ordinal_auc takes no tnorm=; with scores labels are 0",
    ),
    (lambda: hand_till_auc([0, 1], np.eye(2), undefined="none"), ValueError, "undefined='none' is not a convention"),
    (lambda: ordinal_auc([0, 1], np.eye(2)), ValueError, "In which order are the classes? Pass classes="),
    (
        lambda: ordinal_auc([0, 1], [[2.0, -1], [0, 1]], classes=[0, 1]),
        ValueError,
        "y_proba[0, 0] = 2.0: ordinal_auc adds",
    ),
    (lambda: ordinal_auc([0, 1], np.eye(2), classes=[0, 1], mask=np.eye(2)), ValueError, "mask hides entries of y_proba"),
    (
        lambda: ordinal_auc(ix.types.Indicator.from_codes([0, -1], [0, 1]), np.eye(2), classes=[0, 1]),
        ValueError,
        "y_true has no class for example 1",
    ),
]


@for_each(("call", "kind", "text"), ERRORS)
def test_errors_say_what_to_do(call, kind, text):
    with pytest.raises(kind) as caught:
        call()
    assert text in str(caught.value)
