"""Abstaining classifiers: all-zero rows, coverage, the curve of risk against coverage, and the steps it is made of."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from loops import examples
from scipy import sparse

import indicatrix as ix
from indicatrix.ranking.threshold_steps import check_scores, steps
from indicatrix.tally.saved.saved_tally import from_json, to_json
from indicatrix.tasks.selective.risk_coverage import risk_coverage

CLASSES = ["a", "b", "c"]
SCORES = st.sampled_from([-math.inf, -1.5, 0.0, -0.0, 0.25, 2.0, math.inf])


def columns(n, *elements):
    return st.tuples(*(st.lists(e, min_size=n, max_size=n) for e in elements))


def lengths(*elements, least=0, most=8):
    return st.integers(least, most).flatmap(lambda n: columns(n, *elements))


def mean(values):
    return sum(values) / len(values)


# steps: sums at every distinct score.


@given(lengths(SCORES, st.integers(-3, 3), st.fractions(-2, 2, max_denominator=7)))
def test_steps_sum_what_reaches_each_threshold(drawn):
    scores, whole, fractions = drawn
    thresholds, sums = steps(np.array(scores, float), [np.array(whole, int), np.array(fractions, object)])
    assert thresholds.tolist() == [math.inf, *sorted({s + 0.0 for s in scores}, reverse=True)]
    assert sums[:, 0].tolist() == [0, 0]
    for t, *found in zip(thresholds[1:], *sums[:, 1:], strict=True):
        assert found == [sum(x for x, s in zip(row, scores, strict=True) if s >= t) for row in (whole, fractions)]


FLOATS = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300)


@given(lengths(SCORES, FLOATS, st.floats(0, 1), most=12))
def test_steps_of_floats_are_the_exact_sums_rounded_once(drawn):
    scores, wide, narrow = drawn
    thresholds, sums = steps(np.array(scores, float), np.array([wide, narrow], float).reshape(2, -1))
    for t, *found in zip(thresholds[1:], *sums[:, 1:], strict=True):
        for row, value in zip((wide, narrow), found, strict=True):
            assert value == float(sum((Fraction(x) for x, s in zip(row, scores, strict=True) if s >= t), Fraction(0)))


def test_steps_do_not_overflow_and_tell_large_integers_apart():
    thresholds, sums = steps(np.array([2**53 + 1, 2**53]), [np.array([2**62, 2**62]), np.array([1, 1])])
    assert len(thresholds) == 3
    assert sums.tolist() == [[0, 2**62, 2**63], [0, 1, 2]]
    assert steps(np.array([1.0, 1.0]), [np.array([1.5e308, 1.5e308])])[1].tolist() == [[0.0, math.inf]]
    with pytest.raises(ValueError, match=r"amounts\[1\] is not finite"):
        steps(np.array([1.0, 2.0]), [np.array([math.inf, 1.0])])


def test_steps_of_many_rows_agree_with_a_plain_sum():
    rng = np.random.default_rng(0)
    scores, weights = rng.integers(0, 1000, 100_000), 1 / rng.random(100_000)
    thresholds, sums = steps(scores, [np.ones(100_000, np.uint8), weights])
    assert sums[0].tolist() == [0, *np.cumsum(np.bincount(scores)[::-1]).tolist()]
    assert sums[1, -1] == math.fsum(weights)
    assert thresholds[1:].tolist() == list(range(999, -1, -1))


def test_scores_are_checked_at_the_door():
    assert check_scores(pd.Series([1, 2]), 2, "score").tolist() == [1, 2]
    assert check_scores([Fraction(1, 2), True], 2, "score").tolist() == [0.5, 1.0]
    assert check_scores([-math.inf, math.inf], 2, "score").tolist() == [-math.inf, math.inf]
    with pytest.raises(ValueError, match=r"score\[1\] is NaN: every example needs a number. Fill it, or drop the row."):
        check_scores([0.5, math.nan], 2, "score")
    with pytest.raises(ValueError, match=r"score\[0\] is NaN"):
        check_scores([None, 1.0], 2, "score")
    with pytest.raises(TypeError, match="score must hold numbers"):
        check_scores(["0.5", "high"], 2, "score")
    with pytest.raises(ValueError, match="score has 2 entries for 3 examples"):
        check_scores([0.5, 0.5], 3, "score")
    with pytest.raises(ValueError, match="score must have one number per example"):
        check_scores([[0.5, 0.5]], 1, "score")


# Abstaining classifiers (tab:settings).

TRUE, PREDICTED = ["a", "b", "c", "a", "b"], ["a", None, "c", "b", "a"]
ANSWERED = [True, False, True, True, True]
SCORED = [[0.9, 0.1, 0.0], [0.3, 0.4, 0.3], [0.0, 0.2, 0.8], [0.2, 0.6, 0.2], [0.7, 0.3, 0.0]]


@pytest.mark.parametrize(
    "abstaining",
    [
        lambda: ix.evaluate(TRUE, PREDICTED, missing="abstain", classes=CLASSES),
        lambda: ix.evaluate(TRUE, [p or "none" for p in PREDICTED], abstain="none", classes=CLASSES),
        lambda: ix.evaluate(TRUE, SCORED, decide=ix.reject_below(0.5), classes=CLASSES),
        lambda: ix.evaluate(ix.one_hot(TRUE, CLASSES), ix.types.Indicator.from_codes([0, -1, 2, 1, 0], CLASSES)),
    ],
    ids=["missing", "label", "rejected", "codes"],
)
def test_abstaining_classifiers(abstaining):
    ev = abstaining()
    # 5 examples, 1 abstained, 2 right: precision C/(n - a), recall C/n (errata B7); n m = 15 entries.
    assert tuple(ev.aggregate()) == (2, 2, 3, 8)
    assert ev.score("precision", "micro") == 2 / 4
    assert ev.score("recall", "micro") == 2 / 5
    assert ev.coverage == 4 / 5
    rows = ev.aggregate("example")
    assert dict(zip(rows.names[0], rows.times.tolist(), strict=True)) == {(0, 0, 1, 2): 1, (0, 1, 1, 1): 2, (1, 0, 0, 2): 2}
    # Exemplar precision is undefined for the abstained example, so abstaining is free (errata B4); recall is not.
    assert ev.score("precision", "exemplar") == 2 / 4
    assert ev.score("precision", "exemplar").undefined_units == ((0, 0, 1, 2),)
    assert ev.score("recall", "exemplar") == 2 / 5
    # Without the abstained examples: micro precision and recall coincide again.
    answered = ev.answered()
    assert tuple(answered.aggregate()) == (2, 2, 2, 6)
    assert answered.score("precision", "micro") == answered.score("recall", "micro") == 2 / 4
    masked = ix.evaluate(TRUE, [p or "a" for p in PREDICTED], mask=ANSWERED, classes=CLASSES)
    assert answered.tally.parts == masked.tally.parts


def test_an_abstained_row_of_labels():
    ev = ix.evaluate([[1, 1, 0, 0, 0]], [[0, 0, 0, 0, 0]])
    assert tuple(ev.aggregate()) == (0, 0, 2, 3)
    assert math.isnan(ev.score("precision", "micro"))
    assert ev.score("recall", "micro") == 0
    assert ev.coverage == 0


@given(lengths(st.sampled_from(CLASSES), st.sampled_from([*CLASSES, None])))
def test_abstentions_cost_recall_and_leave_precision(drawn):
    true, pred = drawn
    ev = ix.evaluate(true, pred, missing="abstain", classes=CLASSES)
    n, a = len(true), pred.count(None)
    right = sum(t == p for t, p in zip(true, pred, strict=True))
    assert tuple(ev.aggregate()) == (right, n - a - right, n - right, 3 * n - (n - a - right) - n)
    counts = ix.Counts(*map(Fraction, ev.aggregate()))
    if n - a:
        assert ix.precision(counts) == Fraction(right, n - a)
        kept = [i for i in range(n) if pred[i] is not None]
        alone = ix.evaluate([true[i] for i in kept], [pred[i] for i in kept], classes=CLASSES)
        assert ev.answered().aggregate("class") == alone.aggregate("class")
    if n:
        assert ix.recall(counts) == Fraction(right, n)
        assert ev.coverage == (n - a) / n


# The curve of risk against coverage.


def test_a_curve_by_hand():
    curve = risk_coverage(["a", "b", "b", "a", "c"], ["a", "b", "a", "a", "a"], [0.9, 0.7, 0.7, 0.6, 0.5])
    assert curve.thresholds.tolist() == [math.inf, 0.9, 0.7, 0.6, 0.5]
    assert curve.coverage.tolist() == [0, 1 / 5, 3 / 5, 4 / 5, 1]
    assert np.isnan(curve.risk[0])
    assert curve.risk[1:].tolist() == [0, 1 / 3, 1 / 4, 2 / 5]
    assert curve.accuracy[1:].tolist() == [1, 2 / 3, 3 / 4, 3 / 5]
    assert curve.area == pytest.approx(float(Fraction(1, 5) * (0 + 2 * Fraction(1, 3) + Fraction(1, 4) + Fraction(2, 5))))
    assert curve.perfect.area == pytest.approx(float(Fraction(1, 5) * (Fraction(1, 4) + Fraction(2, 5))))
    assert curve.excess_area == curve.area - curve.perfect.area
    assert curve.counts.at(threshold=0.7) == ix.Counts(2, 1, 1, 5)
    assert curve.counts.per == ("threshold",)
    assert curve.values("fnr")[1:].tolist() == [0, 1 / 3, 1 / 4, 2 / 5]
    assert curve.values("fnr").names == tuple(curve.thresholds.tolist())
    assert repr(curve) == "<RiskCoverage: fdr, 4 thresholds, area 0.263333>"


def kinds(n):
    """Labels, sets, 0/1 rows and memberships, with the options that say how they are read."""
    label, entry = st.sampled_from(CLASSES), st.integers(0, 1)
    rows = st.tuples(entry, entry, entry)
    memberships = st.tuples(*[st.sampled_from([0.0, 0.25, 0.5, 1.0])] * 3)
    return st.one_of(
        columns(n, label, st.sampled_from([*CLASSES, None])).map(lambda d: (*d, {"classes": CLASSES, "missing": "abstain"})),
        columns(n, st.frozensets(label), st.frozensets(label)).map(lambda d: (*d, {"classes": CLASSES})),
        columns(n, rows, rows).map(lambda d: (*(np.array(x, int).reshape(n, 3) for x in d), {})),
        columns(n, memberships, memberships).map(lambda d: (*(np.array(x).reshape(n, 3) for x in d), {"tnorm": "product"})),
        columns(n, st.integers(0, 2), st.integers(0, 2)).map(lambda d: (*d, {"ordinal": "cumulative", "classes": [0, 1, 2]})),
    )


@st.composite
def cases(draw):
    n = draw(st.integers(0, 7))
    true, pred, options = draw(kinds(n))
    per_row = {}
    if draw(st.booleans()):
        per_row["sample_weight"] = np.array(draw(st.lists(st.integers(0, 8), min_size=n, max_size=n)), float) / 4
    if draw(st.booleans()):
        per_row["mask"] = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool)
    return true, pred, draw(st.lists(SCORES, min_size=n, max_size=n)), options, per_row


def has_prediction(row):
    return row is not None and (isinstance(row, str | int) or bool(np.any(list(row)) if not isinstance(row, frozenset) else row))


@examples(50)
@given(cases())
def test_every_point_is_the_evaluation_of_the_examples_it_answers(case):
    true, pred, confidence, options, per_row = case
    curve = risk_coverage(true, pred, confidence, **options, **per_row)
    n = len(true)
    weight, seen = per_row.get("sample_weight", np.ones(n)), per_row.get("mask", np.ones(n, bool))
    total = weight[seen].sum()
    for k, t in enumerate(curve.thresholds):
        rows = [i for i in range(n) if k and seen[i] and confidence[i] >= t and has_prediction(pred[i])]
        take = (lambda x: x[rows]) if isinstance(true, np.ndarray) else lambda x: [x[i] for i in rows]  # noqa: B023
        answered = ix.evaluate(take(true), take(pred), **options, sample_weight=weight[rows])
        assert [x[k] for x in curve.counts] == list(answered.aggregate()), (k, t)
        assert curve.coverage[k] == (weight[rows].sum() / total if total else pytest.approx(math.nan, nan_ok=True))


@given(cases(), st.sampled_from(["recall", "fdr", "mcc", "accuracy"]), st.data())
def test_with_a_positive_class_every_point_is_the_binary_evaluation(case, measure, data):
    true, pred, confidence, options, per_row = case
    names = list(options.get("classes", range(3)))
    positive = data.draw(st.sampled_from(names[:2]))  # the cumulative encoding has one column less than classes
    if options.get("ordinal"):
        names = list(ix.evaluate(true, pred, **options).classes)
        positive = data.draw(st.sampled_from(names))
    curve = risk_coverage(true, pred, confidence, measure=measure, positive=positive, **options, **per_row)
    n = len(true)
    weight, seen = per_row.get("sample_weight", np.ones(n)), per_row.get("mask", np.ones(n, bool))
    for k, t in enumerate(curve.thresholds):
        rows = [i for i in range(n) if k and seen[i] and confidence[i] >= t and has_prediction(pred[i])]
        take = (lambda x: x[rows]) if isinstance(true, np.ndarray) else lambda x: [x[i] for i in rows]  # noqa: B023
        answered = ix.evaluate(take(true), take(pred), **options, sample_weight=weight[rows], positive=positive)
        assert [x[k] for x in curve.counts] == list(answered.binary())
        if curve.answered[k]:
            assert curve.risk[k] == pytest.approx(answered.score(measure, "binary", undefined="nan"), nan_ok=True)


def test_the_curve_of_one_class_by_hand():
    true, pred = [1, 0, 1, 0, 1], [1, 0, 0, 1, 1]
    curve = risk_coverage(true, pred, [5, 4, 3, 2, 1], measure="recall", positive=1)
    assert curve.risk[1:].tolist() == pytest.approx([1, 1, 1 / 2, 1 / 2, 2 / 3])
    assert curve.accuracy[1:].tolist() == pytest.approx([1, 1, 2 / 3, 2 / 4, 3 / 5])
    assert curve.perfect.counts.tp.tolist() == [0, 1, 1, 2, 2, 2]  # right answers first: 1, 0, 1, then the two wrong ones
    assert risk_coverage(true, pred, [5, 4, 3, 2, 1], measure="recall").risk[5] == 3 / 5  # of both classes
    assert repr(curve).startswith("<RiskCoverage: recall of 1, 5 thresholds")
    assert risk_coverage([0, 0], [0, 0], [1, 2], positive=1, measure="specificity").risk[1:].tolist() == [1, 1]
    with pytest.raises(ValueError, match=r"positive=7 is not a class; the classes are 0, 1"):
        risk_coverage(true, pred, [5, 4, 3, 2, 1], positive=7)


@given(lengths(st.integers(0, 2), st.integers(0, 2), least=1), st.randoms(use_true_random=False))
def test_without_ties_the_area_is_the_mean_of_the_selective_risks(drawn, random):
    true, pred = drawn
    n = len(true)
    confidence = random.sample(range(100), n)
    order = sorted(range(n), key=lambda i: -confidence[i])
    wrong = [true[i] != pred[i] for i in order]
    risks = [Fraction(sum(wrong[:k]), k) for k in range(1, n + 1)]
    curve = risk_coverage(true, pred, confidence)
    assert curve.area == pytest.approx(float(mean(risks)), rel=1e-12)
    e = sum(wrong)
    best = mean([Fraction(max(0, k - (n - e)), k) for k in range(1, n + 1)])
    assert curve.excess_area == pytest.approx(float(mean(risks) - best), rel=1e-9, abs=1e-12)


@given(lengths(st.booleans(), st.integers(1, 5), st.integers(0, 2), least=1, most=5))
def test_no_order_of_the_examples_has_a_smaller_area_than_the_perfect_one(drawn):
    right, weight, ties = drawn
    n, total = len(right), sum(weight)

    def area(order):
        risk = covered = wrong = Fraction(0)
        for i in order:
            covered, wrong = covered + weight[i], wrong + weight[i] * (not right[i])
            risk += weight[i] * wrong / covered
        return risk / total

    curve = risk_coverage([1] * n, [int(r) for r in right], ties, classes=[0, 1], sample_weight=weight)
    assert curve.perfect.area == pytest.approx(float(min(map(area, permutations(range(n))))), rel=1e-12)
    assert curve.excess_area >= -1e-12
    assert curve.perfect.excess_area == 0


@given(cases(), st.randoms(use_true_random=False))
def test_order_of_rows_and_scale_of_confidence_change_nothing(case, random):
    true, pred, confidence, options, per_row = case
    rows = list(range(len(true)))
    random.shuffle(rows)
    take = (lambda x: x[rows]) if isinstance(true, np.ndarray) else lambda x: [x[i] for i in rows]
    curve = risk_coverage(true, pred, np.array(confidence, float), **options, **per_row)
    shuffled = {name: x[rows] for name, x in per_row.items()}
    stretched = np.arctan(np.array(confidence, float))[rows]
    other = risk_coverage(take(true), take(pred), stretched, **options, **shuffled)
    assert all(np.array_equal(a, b) for a, b in zip(curve.counts, other.counts, strict=True))
    assert np.array_equal(curve.coverage, other.coverage, equal_nan=True)
    assert curve.area == other.area or math.isnan(curve.area)


def test_entries_may_be_masked_and_scores_decided():
    true, pred = np.array([[1, 0], [1, 1]]), np.array([[1, 1], [0, 1]])
    curve = risk_coverage(true, pred, [2, 1], mask=np.array([[True, False], [True, True]]), measure="f1")
    assert [tuple(x[k] for x in curve.counts) for k in (1, 2)] == [(1, 0, 0, 0), (2, 0, 1, 0)]
    assert curve.risk[1:].tolist() == [1, 4 / 5]
    scores = np.array([[0.9, 0.1], [0.4, 0.6]])
    decided = risk_coverage([0, 0], scores, scores.max(axis=1), decide="argmax")
    assert decided.risk[1:].tolist() == [0, 0.5]


def test_an_example_without_a_true_class_is_answered_wrongly():
    true, pred = (ix.types.Indicator.from_codes(codes, CLASSES) for codes in ([-1, 0, -1], [1, 0, -1]))
    curve = risk_coverage(true, pred, [3, 2, 1])
    assert curve.counts.at(threshold=3) == ix.Counts(0, 1, 0, 2)
    assert curve.at(coverage=1).counts == ix.Counts(1, 1, 0, 4)
    assert curve.coverage.tolist() == [0, 1 / 3, 2 / 3]


def test_nothing_answered_has_no_value_whatever_the_formula():
    curve = risk_coverage([0, 1], [0, 0], [2, 1], measure="1 + tp + fp")
    assert np.isnan(curve.risk[0])
    assert curve.risk[1:].tolist() == [2, 3]
    assert curve.area == 5 / 2


def test_cells_may_have_costs():
    true, pred, confidence = [0, 1, 1, 0], [0, 0, 1, 1], [4, 3, 2, 1]
    costs = {"cost": [[0, 3], [5, 0]], "classes": [0, 1]}
    curve = risk_coverage(true, pred, confidence, **costs)
    for k in range(1, 5):
        whole = ix.evaluate(true[:k], pred[:k], **costs).aggregate()
        assert [x[k] for x in curve.counts] == list(whole)


def test_an_example_without_a_prediction_is_never_answered():
    curve = risk_coverage(["a", "b", "a"], ["a", None, "b"], [0.5, 0.9, 0.4], missing="abstain")
    assert curve.thresholds.tolist() == [math.inf, 0.5, 0.4]
    assert curve.coverage.tolist() == [0, 1 / 3, 2 / 3]
    assert curve.area == pytest.approx(1 / 4)  # over the coverage that is reached


def test_points_of_the_curve():
    curve = risk_coverage([0, 1, 1, 0, 1], [0, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.7, math.inf])
    assert curve.thresholds.tolist() == [math.inf, math.inf, 0.9, 0.8, 0.7]
    reached, below, nothing = (curve.at(coverage=c) for c in (0.6, 0.8, 0.1))
    assert (reached.coverage, reached.exact, reached.threshold, reached.risk) == (0.6, True, 0.8, 0)
    assert (below.coverage, below.exact, below.threshold) == (0.6, False, 0.8)
    assert (nothing.coverage, nothing.exact, nothing.threshold) == (0, False, math.inf)
    assert math.isnan(nothing.risk)
    assert curve.at(coverage=1).counts == ix.Counts(4, 1, 1, 4)
    assert curve.at(coverage=1).risk == 1 / 5
    assert curve.at(threshold=0.8) == reached
    assert curve.at(threshold=0.75).coverage == 0.6
    assert not curve.at(threshold=0.75).exact
    assert curve.at(threshold=math.inf).coverage == 1 / 5  # the infinite confidence reaches it
    assert curve.at(threshold=-math.inf).coverage == 1
    with pytest.raises(TypeError, match="at\\(\\) takes either coverage= or threshold="):
        curve.at()
    with pytest.raises(ValueError, match=r"coverage=1\.5: give a share of the examples, from 0 to 1"):
        curve.at(coverage=1.5)
    with pytest.raises(ValueError, match="threshold= is NaN"):
        curve.at(threshold=math.nan)


@given(st.integers(1, 30), st.sampled_from([0.1, 0.3, 0.7, 1.1, 1e-3, 1 / 3]))
def test_shares_of_weights_are_reached_up_to_rounding(n, weight):
    """k of n equal weights are the share k/n, although neither the weights nor their sums are exact."""
    curve = risk_coverage([0] * n, [0] * n, range(n), sample_weight=[weight] * n)
    for k in range(n + 1):
        point = curve.at(coverage=k / n)
        assert (point.coverage, point.exact) == (pytest.approx(k / n, rel=1e-14), True)
        assert curve.at(coverage=max(0, k / n - 1e-9)).coverage == pytest.approx(max(0, k - 1) / n, rel=1e-14)


def test_few_examples():
    nothing = risk_coverage([], [], [])
    assert math.isnan(nothing.area)
    assert math.isnan(nothing.excess_area)
    assert nothing.thresholds.tolist() == [math.inf]
    assert np.isnan(nothing.coverage).all()
    assert nothing.at(coverage=1).counts == ix.Counts(0, 0, 0, 0)
    one = risk_coverage(["a"], ["a"], [0.3])
    assert (one.area, one.excess_area, one.coverage.tolist()) == (0, 0, [0, 1])
    silent = risk_coverage(["a"], ["a"], [0.3], mask=[False])
    assert math.isnan(silent.area)


def test_many_examples_end_at_the_whole_evaluation():
    rng = np.random.default_rng(1)
    true, pred, weight = rng.integers(0, 5, 20_000), rng.integers(0, 5, 20_000), rng.random(20_000)
    curve = risk_coverage(true, pred, rng.random(20_000), sample_weight=weight)
    whole = ix.evaluate(true, pred, sample_weight=weight).aggregate()
    assert [x[-1] for x in curve.counts][:3] == list(whole)[:3]
    assert curve.counts.tn[-1] == pytest.approx(whole.tn, rel=1e-15)
    assert curve.coverage[-1] == 1


def test_what_has_no_curve_is_refused():
    with pytest.raises(ValueError, match=r"confidence\[1\] is NaN"):
        risk_coverage([0, 1], [0, 1], [0.5, math.nan])
    with pytest.raises(ValueError, match="confidence has 1 entries for 2 examples"):
        risk_coverage([0, 1], [0, 1], [0.5])
    with pytest.raises(ValueError, match="One curve has no groupings, so by= cannot be used"):
        risk_coverage([0, 1], [0, 1], [0.5, 0.6], by={"fold": [0, 1]})
    assert risk_coverage([0, 1], [0, 1], [0.5, 0.6], by=None).area == 0
    with pytest.raises(
        ValueError, match=r"sample_weight\[1\] = -2.0: a curve only grows, so a weight must not be negative. Drop"
    ):
        risk_coverage([0, 1], [0, 1], [0.5, 0.6], sample_weight=[1, -2])
    with pytest.raises(TypeError, match="risk_coverage takes no confusion="):
        risk_coverage([0, 1], [0, 1], [0.5, 0.6], confusion=True)
    with pytest.raises(ValueError, match="Ordinal classification and open-set recognition do not go together"):
        risk_coverage([0, 1], [0, 1], [0.5, 0.6], known=[0, 1], ordinal="linear", tnorm=None)
    with pytest.raises(ValueError, match="exists only as average='exemplar', but a risk-coverage curve pools the counts"):
        risk_coverage([0, 1], [0, 1], [0.5, 0.6], measure="subset_accuracy")
    with pytest.raises(ValueError, match="The perfect order is known only if each example has one label"):
        risk_coverage([[1, 1]], [[1, 0]], [0.5]).excess_area  # noqa: B018


def test_abstentions_are_counted_or_left_out_in_every_setting():
    """Masked, they are as if their rows were masked: single labels, sets, targets, hierarchies, memberships, costs."""
    y, p, kept = list("aabbc"), ["a", None, "b", "c", None], [0, 2, 3]
    classes, tree = list("abc"), {"a": None, "b": "a", "c": None}
    for options in (
        {"classes": classes},
        {"hierarchy": tree},
        {"classes": classes, "ordinal": "linear", "tnorm": "product"},
        {"classes": classes, "cost": ix.types.CostMatrix("zero_one", abstain=1)},
    ):
        out = ix.evaluate(y, p, missing="abstain", abstained="mask", **options)
        alone = ix.evaluate([y[i] for i in kept], [p[i] for i in kept], **options)
        assert (out.n, alone.n) == (5, 3)
        assert out.aggregate("class") == alone.aggregate("class")
        assert ix.evaluate(y, [k or "no" for k in p], abstain="no", abstained="mask", **options).tally == out.tally
    sets = [set(k) if k else None for k in p]
    out = ix.evaluate([{k} for k in y], sets, missing="abstain", abstained="mask", classes=classes)
    assert out.aggregate("class") == ix.evaluate([{y[i]} for i in kept], [sets[i] for i in kept], classes=classes).aggregate(
        "class"
    )
    two = ix.evaluate({"s": y, "t": y}, {"s": p, "t": y}, targets=True, missing="abstain", abstained="mask")
    assert two.aggregate("target").tp.tolist() == [2, 5]
    assert two.aggregate("target").n.tolist() == [9, 15]
    scores = [[0.9, 0.1], [0.5, 0.5]]
    ruled = ix.evaluate([0, 1], scores, decide=ix.reject_below(0.6), abstained="mask")
    assert ruled.aggregate("class") == ix.evaluate([0], scores[:1], decide="argmax").aggregate("class")
    assert "Examples that abstain are left out." in str(out)


ROWS_OF_ZEROS = {  # how a matrix of decisions, with rows of zeros, may be given
    "integers": lambda z: {"y_pred": z},
    "bools": lambda z: {"y_pred": z.astype(bool)},
    "sparse": lambda z: {"y_pred": sparse.csr_matrix(z)},
    "stored zeros": lambda z: {"y_pred": sparse.csr_matrix((z.ravel(), np.indices(z.shape).reshape(2, -1)), z.shape)},
    "sets": lambda z: {"y_pred": [set(np.flatnonzero(row).tolist()) for row in z], "classes": range(z.shape[1])},
    "tensors": lambda z: {"y_pred": torch.tensor(z)},
    "a threshold": lambda z: {"y_pred": 0.2 + 0.6 * z, "decide": 0.5},
    "thresholds": lambda z: {"y_pred": 0.2 + 0.6 * z, "decide": [0.5] * z.shape[1]},
}


@pytest.mark.parametrize("form", ROWS_OF_ZEROS)
@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(1, 3))
def test_rows_of_zeros_are_left_out_in_every_form(form, seed, n, m):
    rng = np.random.default_rng(seed)
    y, z = rng.integers(0, 2, (2, n, m))
    z[rng.random(n) < 0.3] = 0
    given_as = ROWS_OF_ZEROS[form](z)
    true = [set(np.flatnonzero(row).tolist()) for row in y] if form == "sets" else y
    out = ix.evaluate(true, **given_as, abstained="mask")
    kept = z.any(axis=1)
    assert out.n == n
    assert out.aggregate("class") == ix.evaluate(y, z, mask=kept).aggregate("class")
    assert out.recipe.abstained == "mask"


def test_rejections_of_an_open_set_may_be_left_out():
    """The second reading of sec:openset: rejections are rows of zeros, masked; only its name predicts the unknown class."""
    y, kept = ["cat", "elk", "ant", "cat", "elk"], [0, 1, 4]
    options, z = {"known": ["ant", "cat"]}, ["cat", "cat", None, None, "unknown"]
    alone = ix.evaluate([y[i] for i in kept], [z[i] for i in kept], **options)
    left_out = [
        ix.evaluate(y, z, missing="abstain", abstained="mask", **options),
        ix.evaluate(y, [k or "no" for k in z], abstain="no", abstained="mask", **options),
    ]
    for out in left_out:
        assert out.aggregate("class") == alone.aggregate("class")
        assert (out.n, out.coverage, out.classes) == (5, 1.0, ("ant", "cat", "unknown"))
    scores = [[0.1, 0.9], [0.4, 0.6], [0.5, 0.5], [0.5, 0.5], [0.3, 0.7]]
    ruled = ix.evaluate(y, scores, decide=ix.reject_below(0.55), abstained="mask", **options)
    alone = ix.evaluate([y[i] for i in kept], [scores[i] for i in kept], decide="argmax", **options)
    assert ruled.aggregate("class") == alone.aggregate("class")
    named = ix.evaluate(y, [k or "unknown" for k in z], abstain="unknown", abstained="mask", **options)
    assert named.aggregate(()).n == 2 * 3
    with pytest.raises(ValueError, match=r"y_pred\[2\] is missing"):
        ix.evaluate(y, z, abstained="mask", **options)


def test_missing_labels_and_missing_predictions_may_mean_different_things():
    ev = ix.evaluate(["a", None, "b"], ["a", "a", None], missing=("mask", "abstain"))
    assert (ev.n, ev.coverage, ev.confusion.tolist()) == (3, 0.5, [[1, 0], [0, 0]])
    with pytest.raises(ValueError, match=r"y_true\[1\] is missing"):
        ix.evaluate(["a", None, "b"], ["a", "a", None], missing="abstain")
    with pytest.raises(ValueError, match="is unknown"):
        ix.evaluate(["a"], ["a"], missing=("abstain", "mask"))
    with pytest.raises(ValueError, match="abstained='drop' is unknown"):
        ix.evaluate(["a"], ["a"], abstained="drop", abstain="x")


def test_what_is_not_known_about_coverage_is_refused():
    with pytest.raises(ValueError, match="may hide what was predicted"):
        ix.evaluate([0, 1, 2], [0, 1, 1], mask=[[1, 1, 1], [1, 0, 1], [1, 1, 1]]).coverage  # noqa: B018
    with pytest.raises(ValueError, match="Coverage counts examples, but cost="):
        ix.evaluate([0, 1], [1, 1], cost="zero_one").coverage  # noqa: B018
    votes = ix.tasks.votes([["a", "b"], ["b", "b"]])
    assert ix.evaluate(votes, ["a", "no"], tnorm="product", abstain="no").coverage == 0.5
    assert ix.evaluate(votes, [[0.9, 0.1], [0.5, 0.5]], tnorm="product", decide=ix.reject_below(0.6)).coverage == 0.5
    with pytest.raises(ValueError, match="is a known class, so predicting it is not an abstention"):
        ix.evaluate(["a"], ["a"], known=["a", "b"], abstain="b")
    with pytest.raises(ValueError, match=r"y_true\[0\] is 'no', which abstain= reserves"):
        ix.evaluate([{"no"}], [{"no"}], abstain="no")


GROUPINGS = st.sampled_from([(), ("site",), ("site", "fold")])


@given(st.data())
def test_answered_of_several_labels_is_the_evaluation_of_the_answered_rows(data):
    n, m = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 3))
    names = list("abc"[:m])
    rows = st.lists(st.sets(st.sampled_from(names)), min_size=n, max_size=n)
    true, pred = data.draw(rows), data.draw(rows)
    weight = data.draw(st.none() | st.lists(st.integers(0, 3), min_size=n, max_size=n))
    mask = data.draw(st.none() | st.lists(st.lists(st.booleans(), min_size=m, max_size=m), min_size=n, max_size=n))
    groups = {axis: data.draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n)) for axis in data.draw(GROUPINGS)}

    def evaluate(some, **options):
        given = {"sample_weight": weight, "mask": mask}
        given = {k: [v[i] for i in some] for k, v in given.items() if v is not None}
        by = {axis: [ids[i] for i in some] for axis, ids in groups.items()}
        return ix.evaluate([true[i] for i in some], [pred[i] for i in some], classes=names, by=by, **given, **options)

    whole = evaluate(range(n))
    for axis, ids in groups.items():
        parts = whole.split(axis)
        assert {*parts} == {*ids}
        for name, part in parts.items():
            alone = evaluate([i for i in range(n) if ids[i] == name]).split(axis)[name]
            assert part.answered() == alone.answered() == whole.answered().split(axis)[name]
    answered = [i for i in range(n) if pred[i]]
    assert whole.answered().tally.parts == evaluate(range(n), abstained="mask").tally.parts
    if answered:
        assert whole.answered().aggregate("class") == evaluate(answered).aggregate("class")
    cut = data.draw(st.integers(1, n))
    if cut < n:
        assert evaluate(range(cut)) + evaluate(range(cut, n)) == whole
        assert (evaluate(range(cut)) + evaluate(range(cut, n))).answered() == whole.answered()


def test_answered_of_several_labels_in_saved_files_and_groups(tmp_path):
    true, pred = [{"a"}, {"a", "b"}, {"b"}], [{"a"}, set(), {"a"}]
    for options in ({}, {"by": {"site": [1, 1, 2]}}, {"by": {"site": [1, 1, 2]}, "mask": [[1, 1], [1, 0], [1, 1]]}):
        ev = ix.evaluate(true, pred, **options)
        ev.save(tmp_path / "ev.json")
        assert ix.load(tmp_path / "ev.json").answered() == ev.answered() != ev
        assert ev.answered().aggregate("class") == ix.evaluate(true, pred, abstained="mask", **options).aggregate("class")
    with pytest.raises(ValueError, match=r"does not keep which examples had no prediction.*abstained='mask'"):
        ix.evaluate(true, pred).only(["a"]).answered()


def test_declined_examples_of_signed_weights_are_saved(tmp_path):
    ev = ix.evaluate([{"a"}, {"a"}], [set(), set()], sample_weight=[-1, 5], signed_weights=True, by={"site": [1, 2]})
    ev.save(tmp_path / "ev.json")
    assert ix.load(tmp_path / "ev.json").answered() == ev.answered()


def test_a_file_that_declines_what_is_not_there_is_refused():
    tally = ix.evaluate([{"a"}, {"a", "b"}], [{"a"}, set()]).tally
    data = json.loads(json.dumps(to_json(tally)))
    assert from_json(data) == tally
    (part,) = data["declined"]["parts"]
    more = to_json(ix.evaluate([{"a", "b"}] * 9, [set()] * 9).tally)["parts"][0]["per_class"]
    for wrong, message in (
        ({"per_class": more}, "more examples of a group were declined than it has"),
        ({"group": ["x"]}, "what was declined has counts per class and rows of examples of the groups"),
        ({"per_example": None, "times": None}, "what was declined has counts per class and rows of examples of the groups"),
    ):
        with pytest.raises(ValueError, match=message):
            from_json({**data, "declined": {"parts": [{**part, **wrong}]}})


def test_declined_examples_are_known_when_a_merge_drops_the_pairs_of_classes():
    half = 40
    sides = [(list(range(k, k + half)), [None, *range(k + 1, k + half)]) for k in (0, half)]
    by = {"site": ["x", "y"] * (half // 2)}
    one, other = (ix.evaluate(*side, missing="abstain", by=by) for side in sides)
    joined = ix.evaluate(sides[0][0] + sides[1][0], sides[0][1] + sides[1][1], missing="abstain", by={"site": by["site"] * 2})
    assert (one + other).answered() == joined.answered() == one.answered() + other.answered()


@pytest.mark.parametrize("by", [None, {"site": ["x"]}])
@pytest.mark.parametrize(
    ("options", "tn"), [({"abstained": "mask"}, 0), ({"mask": [False]}, 0), ({}, 1), ({"abstained": "mask", "abstain": "no"}, 1)]
)
def test_a_batch_without_any_class_hides_what_it_hides_when_it_is_merged(options, tn, by):
    named = ix.evaluate([{"a"}], [{"a"}], by=by, **{**options, "mask": None})
    other = ix.evaluate([set()], [set()], by=by, **options)
    for both in (named + other, other + named):
        assert both.aggregate() == ix.Counts(1, 0, 0, tn)
        assert both.answered().aggregate() == ix.Counts(1, 0, 0, tn if "abstain" in options else 0)


OF_NUMBERS = [
    ([0, 1, 1], [0, 1, 2], {}),
    ([0, 1, 1], np.array([0, 1, 2]), {}),
    ([{0}, {1}, {1}], [{0}, {1}, {2}], {}),
    ([0, 1, 1], [0, 1, 2], {"known": [0, 1, 2]}),
]


@pytest.mark.parametrize(("true", "predicted", "options"), OF_NUMBERS, ids=["list", "array", "sets", "known"])
def test_a_label_of_another_type_that_no_prediction_is_abstains_nothing_and_is_refused(true, predicted, options):
    """It matched nothing without a word: "2" is not the label 2."""
    with pytest.raises(TypeError, match="abstain='2' is of type text, and the predictions are labels of type number"):
        ix.evaluate(true, predicted, abstain="2", **options)
    for wrong in ([2], {}, math.nan, np.array([2])):
        with pytest.raises(ValueError, match=r"is not a label. Give the label of declined predictions, or missing='abstain'"):
            ix.evaluate(true, predicted, abstain=wrong, **options)
    assert ix.evaluate(true, predicted, abstain=9, **options).coverage == 1  # nobody abstained, and somebody might have


def test_a_label_of_another_type_abstains_where_a_prediction_is_it():
    assert ix.evaluate([0, 1, 1], [0, 1, "-"], abstain="-").coverage == 2 / 3
