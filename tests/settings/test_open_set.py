"""Open-set recognition: one more column for the unknown, averages with and without it, and the curves of a rejection score."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix
from indicatrix.tasks.selective.open_set_curve import OpenSetPoint, open_set_curve

KNOWN = ["ant", "cat"]
TRUE = ["ant", "cat", "cat", "elk", "owl", "ant"]
PREDICTED = ["ant", "cat", "ant", "unknown", "cat", "unknown"]


# The (m + 1)-column encoding (tab:settings).


@pytest.mark.parametrize(
    "opened",
    [
        lambda: ix.evaluate(TRUE, PREDICTED, known=KNOWN),
        lambda: ix.evaluate(TRUE, [None if p == "unknown" else p for p in PREDICTED], known=KNOWN, missing="abstain"),
        lambda: ix.evaluate(TRUE, ["?" if p == "unknown" else p for p in PREDICTED], known=KNOWN, abstain="?"),
        lambda: ix.evaluate([t if t in KNOWN else "unknown" for t in TRUE], PREDICTED, classes=[*KNOWN, "unknown"]),
    ],
    ids=["label", "missing", "reserved", "by hand"],
)
def test_open_set_recognition(opened):
    ev = opened()
    assert ev.classes == ("ant", "cat", "unknown")
    assert ev.confusion.tolist() == [[1, 0, 1], [1, 1, 0], [0, 1, 1]]
    # Every row has one true and one predicted column of m + 1 = 3, so the micro scores collapse (thm:micro_collapse).
    assert tuple(ev.aggregate()) == (3, 3, 3, 9)
    assert {float(ev.score(m, "micro")) for m in ("precision", "recall", "f1")} == {3 / 6}
    assert ev.score("mcc", "micro") == pytest.approx(float((3 * Fraction(3, 6) - 1) / 2))
    # Macro over the m + 1 columns and over the known ones alone are two different questions (errata B7).
    assert ev.values("recall").tolist() == [1 / 2, 1 / 2, 1 / 2]
    assert ev.values("precision").tolist() == [1 / 2, 1 / 2, 1 / 2]
    only = ev.only(KNOWN)
    assert only.classes == tuple(KNOWN)
    assert only.values("f1").tolist() == ev.values("f1").tolist()[:2]
    assert tuple(only.aggregate()) == (2, 2, 2, 6)
    assert only.score("specificity", "micro") == 6 / 8
    assert ev.score("specificity", "micro") == 9 / 12


labels = st.lists(
    st.tuples(st.sampled_from(["ant", "cat", "elk", "owl"]), st.sampled_from(["ant", "cat", "unknown"])), min_size=1, max_size=10
)


@given(labels)
def test_micro_scores_collapse_for_known_classes_and_the_unknown(pairs):
    true, pred = map(list, zip(*pairs, strict=True))
    ev = ix.evaluate(true, pred, known=KNOWN)
    n, right = len(pairs), sum(p == (t if t in KNOWN else "unknown") for t, p in pairs)
    assert tuple(ev.aggregate()) == (right, n - right, n - right, 3 * n - 2 * n + right)
    counts = ix.Counts(*map(Fraction, ev.aggregate()))
    assert ix.precision(counts) == ix.recall(counts) == ix.f1(counts) == Fraction(right, n)
    # Rejections as all-zero rows are abstentions, and there it does not hold: precision C/(n - a), recall C/n (errata B7).
    as_rows = [None if p == "unknown" else p for p in pred]
    abstaining = ix.evaluate(true, as_rows, missing="abstain", classes=["ant", "cat", "elk", "owl"])
    answered = sum(p is not None for p in as_rows)
    hits = sum(t == p for t, p in zip(true, as_rows, strict=True))
    assert tuple(abstaining.aggregate())[:3] == (hits, answered - hits, n - hits)


@given(labels)
def test_known_columns_alone_have_the_same_counts_per_class(pairs):
    true, pred = map(list, zip(*pairs, strict=True))
    ev = ix.evaluate(true, pred, known=KNOWN)
    whole, only = ev.aggregate("class"), ev.only(KNOWN).aggregate("class")
    assert [x[:2].tolist() for x in whole] == [x.tolist() for x in only]


# The curves of a score that is high where an example looks known.


def test_a_curve_by_hand():
    true, pred = ["ant", "cat", "cat", "elk", "owl"], ["ant", "ant", "cat", "cat", "ant"]
    curve = open_set_curve(true, pred, [0.9, 0.8, 0.5, 0.5, 0.1], known=KNOWN)
    assert curve.thresholds.tolist() == [math.inf, 0.9, 0.8, 0.5, 0.1]
    assert curve.ccr.tolist() == [0, 1 / 3, 1 / 3, 2 / 3, 2 / 3]
    assert curve.fpr.tolist() == [0, 0, 0, 1 / 2, 1]
    # Trapezoids over the tied step from (0, 1/3) to (1/2, 2/3), then a flat one at 2/3.
    assert curve.area == float(Fraction(1, 2) * Fraction(1, 2) + Fraction(1, 2) * Fraction(2, 3))
    assert curve.auroc == float(1 - Fraction(1, 2) / 6)  # one tie among six pairs
    assert curve.counts.at(threshold=0.5) == ix.Counts(3, 1, 0, 1)
    assert curve.values("recall").tolist() == [0, 1 / 3, 2 / 3, 1, 1]
    assert curve.values("fpr").tolist() == curve.fpr.tolist()
    assert curve.known == ("ant", "cat")
    assert repr(curve) == "<OpenSetCurve: 4 thresholds, area 0.583333, auroc 0.916667>"


rows = st.tuples(
    st.sampled_from([0, 1, 7, 8]),
    st.sampled_from([0, 1]),
    st.sampled_from([-math.inf, 0.0, 0.5, 0.7, math.inf]),
    st.integers(0, 3),
)


@examples(50)
@given(st.lists(rows, max_size=9), st.booleans())
def test_rates_and_areas_are_what_they_say(drawn, weighted):
    true, pred, score, weight = (list(x) for x in zip(*drawn, strict=True)) if drawn else ([], [], [], [])
    weight = weight if weighted else [1] * len(true)
    options = {"sample_weight": np.array(weight, float)} if weighted else {}
    curve = open_set_curve(np.array(true, int), np.array(pred, int), score, known=[0, 1], **options)
    examples = list(zip(true, pred, score, weight, strict=True))
    known, unknown = ([e for e in examples if (e[0] < 2) is kind] for kind in (True, False))
    k, u = (sum(e[3] for e in part) for part in (known, unknown))
    points = []
    for step, t in enumerate(curve.thresholds):
        right = sum(w for y, p, s, w in known if step and s >= t and y == p)
        wrong = sum(w for *_, s, w in unknown if step and s >= t)
        points.append((Fraction(wrong, u) if u else math.nan, Fraction(right, k) if k else math.nan))
    assert np.array_equal(curve.fpr, [float(x) for x, _ in points], equal_nan=True)
    assert np.array_equal(curve.ccr, [float(y) for _, y in points], equal_nan=True)
    if not (k and u):
        assert math.isnan(curve.area)
        assert math.isnan(curve.auroc)
        return
    area = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(points))
    wins = sum(a[3] * b[3] * Fraction(1 + (a[2] > b[2]) - (a[2] < b[2]), 2) for a, b in product(known, unknown))
    assert curve.area == float(area)
    assert curve.auroc == float(wins / (k * u))
    assert curve.area <= curve.auroc  # where every known example is classified right, both are one
    assert open_set_curve(true, [y if y < 2 else 0 for y in true], score, known=[0, 1], **options).area == curve.auroc


@given(st.lists(rows, min_size=1, max_size=8))
def test_every_point_is_an_evaluation_with_rejections(drawn):
    true, pred, score, _ = map(list, zip(*drawn, strict=True))
    curve = open_set_curve(true, pred, score, known=[0, 1])
    known = sum(y < 2 for y in true)
    for k, t in enumerate(curve.thresholds[1:], 1):
        ev = ix.evaluate(true, [p if s >= t else -1 for p, s in zip(pred, score, strict=True)], known=[0, 1])
        assert ev.confusion[:2, :2].trace() == (round(curve.ccr[k] * known) if known else 0)
        accepted = ev.confusion[:, :2].sum(axis=1)
        assert accepted[:2].sum() == curve.counts.tp[k]
        assert accepted[2] == curve.counts.fp[k]


def test_masked_examples_have_no_part():
    true, pred, score, seen = ["ant", "elk", "cat"], ["ant", "ant", "ant"], [0.9, 0.95, 0.2], [True, True, False]
    curve = open_set_curve(true, pred, score, known=KNOWN, mask=seen)
    assert curve.ccr.tolist() == [0, 0, 1]
    assert (curve.area, curve.auroc) == (0, 0)


def test_points_of_the_curve():
    curve = open_set_curve(["ant", "elk", "cat", "owl"], ["ant", "ant", "cat", "cat"], [4, 3, 2, 1], known=pd.Index(KNOWN))
    assert curve.at(fpr=0.5) == OpenSetPoint(threshold=2, ccr=1, fpr=0.5)
    assert curve.at(fpr=0.4) == OpenSetPoint(threshold=4, ccr=0.5, fpr=0)
    assert curve.at(threshold=3.5) == curve.at(fpr=0)
    assert curve.at(threshold=math.inf) == OpenSetPoint(threshold=math.inf, ccr=0, fpr=0)
    with pytest.raises(TypeError, match="at\\(\\) takes either fpr= or threshold="):
        curve.at(fpr=0.5, threshold=1)
    with pytest.raises(ValueError, match="fpr=-1: give a share of the unknown examples, from 0 to 1"):
        curve.at(fpr=-1)
    with pytest.raises(ValueError, match="threshold= is NaN"):
        curve.at(threshold=math.nan)


@given(st.integers(1, 30), st.sampled_from([0.1, 0.3, 0.7, 1.1, 1e-3, 1 / 3]))
def test_rates_of_weights_are_reached_up_to_rounding(n, weight):
    curve = open_set_curve(["elk"] * n, ["ant"] * n, range(n), known=KNOWN, sample_weight=[weight] * n)
    for k in range(n + 1):
        assert curve.at(fpr=k / n).fpr == pytest.approx(k / n, rel=1e-14)
        assert curve.at(fpr=max(0, k / n - 1e-9)).fpr == pytest.approx(max(0, k - 1) / n, rel=1e-14)


def test_few_examples():
    nothing = open_set_curve([], [], [], known=KNOWN)
    assert nothing.thresholds.tolist() == [math.inf]
    assert math.isnan(nothing.area)
    one = open_set_curve(["elk"], ["ant"], [0.3], known=KNOWN)
    assert one.fpr.tolist() == [0, 1]
    assert np.isnan(one.ccr).all()


def test_what_has_no_curve_is_refused():
    with pytest.raises(ValueError, match=r"y_pred\[1\] = 'elk' is not in known=\('ant', 'cat'\). Give the best known class"):
        open_set_curve(["ant", "elk"], ["ant", "elk"], [1, 2], known=KNOWN)
    with pytest.raises(ValueError, match=r"y_pred\[0\] = 5 is not in known=\(0, 1\)"):
        open_set_curve([0, 1], [5, 1], [1, 2], known=[0, 1])
    assert open_set_curve(["ant"], ["ant"], [1], known=KNOWN, by=None).known == ("ant", "cat")
    with pytest.raises(ValueError, match=r"y_pred\[1\] is missing: 1 of 2 labels are. Drop these rows. .* low score\.$"):
        open_set_curve(["ant", "elk"], ["ant", None], [1, 2], known=KNOWN)
    with pytest.raises(ValueError, match=r"y_true\[0\] is missing: 1 of 2 labels are. Drop these rows"):
        open_set_curve([math.nan, 1], [0, 0], [1, 2], known=[0])
    with pytest.raises(ValueError, match=r"sample_weight\[0\] = -1.0: a curve only grows, so a weight must not be negative"):
        open_set_curve(["ant"], ["ant"], [1], known=KNOWN, sample_weight=[-1])
    with pytest.raises(ValueError, match=r"score\[0\] is NaN"):
        open_set_curve(["ant"], ["ant"], [math.nan], known=KNOWN)
    with pytest.raises(ValueError, match="score has 1 entries for 2 examples"):
        open_set_curve(["ant", "ant"], ["ant", "ant"], [1], known=KNOWN)
    with pytest.raises(ValueError, match="y_true has 1 examples and y_pred 2"):
        open_set_curve(["ant"], ["ant", "ant"], [1], known=KNOWN)
    with pytest.raises(TypeError, match="y_pred must hold one label per example"):
        open_set_curve(["ant"], [[0.2, 0.8]], [1], known=KNOWN)
    with pytest.raises(TypeError, match="y_true holds labels of type number and known of type text"):
        open_set_curve([1], ["ant"], [1], known=KNOWN)
    with pytest.raises(ValueError, match="known= is empty"):
        open_set_curve(["ant"], ["ant"], [1], known=[])
    with pytest.raises(ValueError, match="exists only as average='exemplar', but an open-set curve pools the counts"):
        open_set_curve(["ant"], ["ant"], [1], known=KNOWN).values("exact_match")
    with pytest.raises(TypeError, match=r"^open_set_curve takes no by=; make one curve from the rows of each group\.$"):
        open_set_curve(["ant"], ["ant"], [1], known=KNOWN, by={"fold": [1]})


def test_an_unknown_prediction_is_named_and_a_rejection_is_not():
    with pytest.raises(ValueError, match=r"Label 'elk' is not in classes=.*first at y_pred\[2\]\)\. Add it, or drop this row"):
        ix.evaluate(["cat", "cat", "ant"], ["?", "cat", "elk"], known=["ant", "cat"], abstain="?")
