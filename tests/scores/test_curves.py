"""Curves: named arrays over thresholds, against scikit-learn and against their definitions."""

import itertools
import math

import numpy as np
import pytest
from loops import for_each
from sklearn.metrics import auc as trapezoid
from sklearn.metrics import brier_score_loss, det_curve, precision_recall_curve, roc_curve

import indicatrix as ix
from indicatrix.scores.thresholds.sweep import sweep


def problem(seed, n=200):
    """Return labels, probabilities and weights with ties; every second time no weights."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    p = 1 / (1 + np.exp(-rng.normal(size=n) - y))
    p = np.round(p, 1 + seed % 3)
    return y, p.astype(np.float32) if seed % 5 == 4 else p, None if seed % 2 else rng.random(n) + 0.1


SEEDS = range(12)


@for_each("seed", SEEDS)
def test_roc(seed):
    y, p, w = problem(seed)
    curve = sweep(y, p, sample_weight=w).roc()
    fpr, tpr, thresholds = roc_curve(y, p, sample_weight=w, drop_intermediate=False)
    np.testing.assert_allclose(curve.x, fpr, atol=1e-12)
    np.testing.assert_allclose(curve.y, tpr, atol=1e-12)
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    assert (curve.x[0], curve.y[0], curve.thresholds[0]) == (0, 0, np.inf)
    assert curve.area == pytest.approx(trapezoid(fpr, tpr), abs=1e-12)
    assert curve.axes == ("fpr", "tpr")


@pytest.mark.parametrize("seed", [1, 3, 5])
def test_simplified_roc_keeps_the_corners(seed):
    y, p, _ = problem(seed, 60)
    whole, short = sweep(y, p).roc(), sweep(y, p).roc(simplify=True)
    assert len(short) <= len(whole)
    assert trapezoid(short.x, short.y) == pytest.approx(whole.area, abs=1e-12)
    counts = sweep(y, p).of()
    kept = np.flatnonzero(np.isin(whole.thresholds, short.thresholds))
    for i, j in itertools.pairwise(kept):  # what is left out lies on the line
        for k in range(i + 1, j):
            up, right = counts.tp[[i, k, j]].tolist(), counts.fp[[i, k, j]].tolist()
            assert (up[1] - up[0]) * (right[2] - right[0]) == (up[2] - up[0]) * (right[1] - right[0])
    for i, j, k in zip(kept, kept[1:], kept[2:], strict=False):  # and what is kept does not
        assert np.linalg.det([[1, counts.tp[q], counts.fp[q]] for q in (i, j, k)]) != pytest.approx(0, abs=1e-6)
    line = sweep([0, 0, 0, 1, 1], [1, 2, 3, 4, 5]).roc(simplify=True)
    assert (line.x.tolist(), line.y.tolist(), line.thresholds.tolist()) == ([0, 0, 1], [0, 1, 1], [np.inf, 4, 1])
    assert len(sweep([], []).roc(simplify=True)) == 1


@for_each("seed", SEEDS)
def test_pr(seed):
    y, p, w = problem(seed)
    curve = sweep(y, p, sample_weight=w).pr()
    precision, recall, thresholds = precision_recall_curve(y, p, sample_weight=w)
    assert math.isnan(curve.y[0])  # nothing is predicted; scikit-learn writes 1 there
    np.testing.assert_allclose(curve.y[1:], precision[:-1][::-1], atol=1e-12)
    np.testing.assert_allclose(curve.x, recall[::-1], atol=1e-12)
    np.testing.assert_array_equal(curve.thresholds[1:], thresholds[::-1])
    assert curve.area == pytest.approx(-np.sum(np.diff(recall) * precision[:-1]), abs=1e-12)


@for_each("seed", SEEDS)
def test_det(seed):
    pytest.importorskip("sklearn", "1.7", reason="older ones keep all thresholds in another way")
    y, p, w = problem(seed)
    curve = sweep(y, p, sample_weight=w).det()
    fpr, fnr, thresholds = det_curve(y, p, sample_weight=w, drop_intermediate=False)
    here = np.flatnonzero(np.isin(curve.thresholds, thresholds[1:-1]))  # scikit-learn trims the ends
    np.testing.assert_allclose(curve.x[here], fpr[1:-1][::-1], atol=1e-12)
    np.testing.assert_allclose(curve.y[here], fnr[1:-1][::-1], atol=1e-12)
    np.testing.assert_allclose(curve.y, 1 - sweep(y, p, sample_weight=w).roc().y, atol=1e-12)
    assert curve.area is None


def test_lift():
    y, p = np.array([1, 0, 1, 0, 0, 0, 0, 0]), np.array([8, 7, 6, 6, 4, 3, 2, 1]) / 10
    curve = sweep(y, p).lift()
    assert curve.x.tolist() == [0, 1 / 8, 2 / 8, 4 / 8, 5 / 8, 6 / 8, 7 / 8, 1]
    np.testing.assert_allclose(curve.y[1:], [4, 2, 2, 8 / 5, 8 / 6, 8 / 7, 1], rtol=1e-15)
    assert math.isnan(curve.y[0])
    assert curve.also["gain"].tolist() == [0, 0.5, 0.5, 1, 1, 1, 1, 1]
    np.testing.assert_allclose(curve.y[1:] * curve.x[1:], curve.also["gain"][1:], rtol=1e-15)


@for_each("seed", SEEDS)
def test_cost_curve_is_the_lower_envelope(seed):
    y, p, w = problem(seed, 40)
    s = sweep(y, p, sample_weight=w)
    curve, roc = s.cost_curve(), s.roc()
    grid = np.linspace(0, 1, 401)
    costs = (1 - roc.y)[:, None] * grid + roc.x[:, None] * (1 - grid)
    np.testing.assert_allclose(np.interp(grid, curve.x, curve.y), costs.min(axis=0), atol=1e-12)
    fine = np.linspace(0, 1, 20_001)
    costs = ((1 - roc.y)[:, None] * fine + roc.x[:, None] * (1 - fine)).min(axis=0)
    assert curve.area == pytest.approx(np.sum((costs[1:] + costs[:-1]) / 2) / 20_000, abs=1e-7)
    assert (curve.x[0], curve.x[-1]) == (0, 1)
    for left, right, t in zip(curve.x[:-1], curve.x[1:], curve.thresholds[:-1], strict=True):  # the threshold from here on
        k, middle = roc.thresholds.tolist().index(t), (left + right) / 2
        assert (1 - roc.y[k]) * middle + roc.x[k] * (1 - middle) == pytest.approx(np.interp(middle, curve.x, curve.y), abs=1e-12)


def test_cost_curves_at_the_extremes():
    perfect = sweep([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9]).cost_curve()
    assert (perfect.area, perfect.y.tolist(), perfect.thresholds.tolist()) == (0.0, [0, 0], [0.8, 0.8])
    chance = sweep([0, 1, 0, 1], [0.5, 0.5, 0.5, 0.5]).cost_curve()
    assert (chance.area, chance.x.tolist(), chance.y.tolist()) == (0.25, [0, 0.5, 1], [0, 0.5, 0])
    assert chance.thresholds.tolist() == [np.inf, 0.5, 0.5]
    wrong = sweep([1, 1, 0, 0], [0.1, 0.2, 0.8, 0.9]).cost_curve()
    assert wrong.area == 0.25  # one may always ignore the scores
    single = sweep([1, 1], [0.1, 0.2]).cost_curve()
    assert math.isnan(single.area)
    assert np.isnan(single.y).all()


@for_each("seed", SEEDS)
def test_decision_curve_is_net_benefit(seed):
    y, p, w = problem(seed, 50)
    s = sweep(y, p, sample_weight=w)
    curve = s.decision_curve()
    places = sorted({0.0, *(t for t in p.tolist() if t < 1)})
    assert curve.x[-1] > places[-1]
    assert curve.x[:-1].tolist() == np.repeat(places, 2)[0 if 0 in p else 1 :].tolist()
    at = s.decision_curve(at=places)
    first = np.searchsorted(curve.x, places)
    assert curve.y[first].tolist() == at.y.tolist()  # of the two values at a score, the first is the one at it
    between = (curve.x[1:] + curve.x[:-1])[np.diff(curve.x) > 0] / 2
    straight = np.interp(between / (1 - between), curve.x / (1 - curve.x), curve.y)
    assert straight == pytest.approx(s.decision_curve(at=between).y, abs=1e-12)
    options = {"positive": 1} if w is None else {"positive": 1, "sample_weight": w}
    everyone = np.ones(len(y), int)
    for t, benefit, all_, none in zip(at.x, at.y, at.also["treat all"], at.also["treat none"], strict=True):
        if t > 0:
            measure = ix.net_benefit.at(**dict.fromkeys(ix.net_benefit.params, float(t)))
            assert benefit == pytest.approx(ix.evaluate(y, p, decide=t, **options).score(measure), abs=1e-12)
            assert all_ == pytest.approx(ix.evaluate(y, everyone, **options).score(measure), abs=1e-12)
        assert none == 0


@for_each("seed", SEEDS)
def test_brier_curve_has_the_area_of_the_brier_score(seed):
    y, p, w = problem(seed)
    curve = sweep(y, p, sample_weight=w).brier_curve()
    assert curve.area == pytest.approx(brier_score_loss(y, p, sample_weight=w), abs=1e-7 if p.dtype == np.float32 else 1e-12)
    total = np.ones(len(y)) if w is None else w
    for c in (0.05, 0.25, 0.61, 0.99):
        hit = p >= c
        loss = 2 * (c * total[hit & (y == 0)].sum() + (1 - c) * total[~hit & (y == 1)].sum()) / total.sum()
        assert np.interp(c, curve.x, curve.y) == pytest.approx(loss, abs=1e-12) or c in p
    assert (curve.x[0], curve.x[-1]) == (0, 1)


def test_curves_of_one_class_and_of_nothing():
    for y, p in (([], []), ([1, 1], [0.2, 0.9]), ([0, 0], [0.0, 1.0]), ([0], [0.5])):
        s = sweep(y, p)
        for name in ("roc", "pr", "det", "lift", "cost_curve", "decision_curve", "brier_curve"):
            curve = getattr(s, name)()
            assert len(curve) == len(curve.x) == len(curve.y) == len(curve.thresholds)
            assert all(len(v) == len(curve) for v in curve.also.values())
    assert math.isnan(sweep([0, 0], [0.1, 0.2]).pr().area)
    assert sweep([1, 1], [0.1, 0.2]).pr().area == 1.0


def test_units_and_pooled():
    rng = np.random.default_rng(0)
    y, p = (rng.random((50, 3)) < 0.4).astype(int), np.round(rng.random((50, 3)), 2)
    s = sweep(y, p)
    for name in ("roc", "pr", "det", "lift", "cost_curve", "decision_curve", "brier_curve"):
        one, alone = getattr(s, name)(2), getattr(sweep(y[:, 2], p[:, 2]), name)()
        pooled, flat = getattr(s, name)(average="micro"), getattr(sweep(y.ravel(), p.ravel()), name)()
        for a, b in ((one, alone), (pooled, flat)):
            np.testing.assert_array_equal(a.y, b.y)
            np.testing.assert_array_equal(a.thresholds, b.thresholds)


@pytest.mark.parametrize("weighted", [False, True])
def test_risk_coverage_is_that_of_argmax_and_its_score(weighted):
    rng = np.random.default_rng(3)
    y, p = rng.integers(0, 3, 60), np.round(rng.dirichlet([1, 1, 1], 60), 2)
    options = {"sample_weight": rng.random(60)} if weighted else {}
    curve = sweep(y, p, mask=np.arange(60) > 4, **options).risk_coverage()
    expected = ix.tasks.risk_coverage(y, p.argmax(axis=1), p.max(axis=1), mask=np.arange(60) > 4, **options)
    np.testing.assert_array_equal(curve.coverage, expected.coverage)
    np.testing.assert_array_equal(curve.risk, expected.risk)
    assert (curve.area, curve.excess_area) == (expected.area, expected.excess_area)
    assert sweep(y, p).risk_coverage("recall").measure == ix.recall


def test_errors():
    s = sweep([0, 1], [0.1, 1.5])
    with pytest.raises(ValueError, match=r"A decision curve needs probabilities, numbers from 0 to 1; there is a score 1\.5"):
        s.decision_curve()
    with pytest.raises(ValueError, match=r"A Brier curve needs probabilities, numbers from 0 to 1; there is a score -0\.1"):
        sweep([0, 1], [-0.1, 0.5]).brier_curve()
    good = sweep([0, 1], [0.1, 0.5])
    with pytest.raises(ValueError, match=r"at\[1\] = 1\.0: threshold probabilities are a list of numbers in \[0, 1\)"):
        good.decision_curve(at=[0.5, 1.0])
    with pytest.raises(ValueError, match="at has 0 dimensions"):
        good.decision_curve(at=0.5)
    with pytest.raises(ValueError, match="this sweep is binary"):
        good.risk_coverage()
    with pytest.raises(ValueError, match="this sweep keeps no rows"):
        sweep([0, 1], [[0.5, 0.5], [0.1, 0.9]]).compact().risk_coverage()


def test_repr():
    assert repr(sweep([0, 1], [0.1, 0.5]).roc()) == "<Curve: roc, tpr against fpr, 3 points, area 1>"
    assert repr(sweep([0, 1], [0.1, 0.5]).det()) == "<Curve: det, fnr against fpr, 3 points>"
