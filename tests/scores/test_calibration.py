"""Calibration errors, reliability curves and the parts of a Brier score: the definitions in fractions, and peers.

| peer                                                   | indicatrix                                                            |
|--------------------------------------------------------|-----------------------------------------------------------------------|
| sklearn calibration_curve(strategy="uniform")          | reliability(binning="width"), without its empty bins                  |
| sklearn calibration_curve(strategy="quantile")         | reliability(binning="mass") where bins divides n; otherwise its       |
|                                                        | interpolated quantiles may move one example across an edge            |
| torchmetrics binary_calibration_error                  | ece, but its bins contain their lower edge, and 1 is a bin of its own |
| torchmetrics multiclass_calibration_error              | ece, top-label; computed in float32                                   |
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import torch
from loops import for_each
from sklearn.calibration import calibration_curve

import indicatrix as ix
from indicatrix.scores.probabilities.brier_decomposition import brier_decomposition
from indicatrix.scores.probabilities.calibration import ece, reliability
from indicatrix.scores.probabilities.proper_scores import brier

close = partial(np.testing.assert_allclose, rtol=1e-12, atol=1e-12, equal_nan=True)
SEEDS = range(10)
BINNINGS = ("width", "mass")


def binary(seed):
    """Return labels, probabilities with ties, on edges and at both ends, and weights or None."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    p = [rng.random(n), rng.integers(0, 9, n) / 8, np.full(n, 0.25), rng.integers(0, 2, n) * 1.0][seed % 4]
    w = [None, rng.integers(0, 4, n), rng.integers(1, 8, n) / 8][seed % 3]
    return rng.integers(0, 2, n), p, w


def multiclass(seed, n=None):
    rng = np.random.default_rng(seed)
    n, m = n or int(rng.integers(1, 40)), int(rng.integers(2, 5))
    raw = [rng.random((n, m)), rng.integers(0, 3, (n, m)) + np.eye(m)[rng.integers(0, m, n)]][seed % 2]
    w = [None, rng.integers(0, 4, n), rng.integers(1, 8, n) / 8][seed % 3]
    return rng.integers(0, m, n), raw / raw.sum(axis=1, keepdims=True), w


def multilabel(seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 20)), int(rng.integers(1, 5))
    w = [None, rng.integers(1, 8, n) / 8][seed % 2]
    return rng.integers(0, 2, (n, m)), rng.integers(0, 9, (n, m)) / 8, w, rng.random((n, m)) < 0.7


# The definitions, in fractions.


def exact(y, p, w):
    """Return rows (prediction, label, weight) of positive weight."""
    w = np.ones(len(y)) if w is None else w
    return [(Fraction(float(a)), int(b), Fraction(float(c))) for a, b, c in zip(p, y, w, strict=True) if c > 0]


def cut(rows, bins, binning):
    """Return the rows of each bin that is not empty."""
    if binning == "width":
        edges = [Fraction(float(e)) for e in np.linspace(0, 1, bins + 1)]
        uppers = edges[1:]
    else:
        total = sum(w for *_, w in rows)
        values = sorted({p for p, *_ in rows})
        below = {v: sum(w for p, _, w in rows if p <= v) for v in values}
        uppers = sorted({next(v for v in values if below[v] * bins >= k * total) for k in range(1, bins + 1)})
    found = [[r for r in rows if low < r[0] <= high] for low, high in itertools.pairwise([Fraction(-1), *uppers])]
    return [b for b in found if b]


def moments(rows):
    """Return the weight, the mean prediction and the share of positives of some rows."""
    total = sum(w for *_, w in rows)
    return total, sum(p * w for p, _, w in rows) / total, sum(y * w for _, y, w in rows) / total


def expected_error(rows, bins, binning, norm="l1", debiased=False):
    parts = []
    for b in cut(rows, bins, binning):
        total, predicted, observed = moments(b)
        effective = total**2 / sum(w * w for *_, w in b)
        if not debiased:
            parts.append((total, observed - predicted, 0))
        elif effective > 1:
            parts.append((total, observed - predicted, observed * (1 - observed) / (effective - 1)))
    if not parts:
        return math.nan
    total = sum(t for t, *_ in parts)
    if norm == "l1":
        return float(sum(t * abs(g) for t, g, _ in parts) / total)
    if norm == "max":
        return float(max(abs(g) for _, g, _ in parts))
    return math.sqrt(max(sum(t * (g * g - v) for t, g, v in parts) / total, 0))


ASKED = [("l1", False), ("l2", False), ("max", False), ("l2", True)]


@pytest.mark.one_fast_case
@for_each("binning", BINNINGS)
@for_each("seed", SEEDS)
def test_ece_by_definition(seed, binning):
    y, p, w = binary(seed)
    for bins, (norm, debiased) in itertools.product((1, 4, 15), ASKED):
        score = ece(y, p, bins=bins, binning=binning, norm=norm, debiased=debiased, sample_weight=w)
        np.testing.assert_allclose(score, expected_error(exact(y, p, w), bins, binning, norm, debiased), rtol=1e-9, atol=1e-8)
        if not debiased:  # the root of a rounded zero is not that small
            close(score**2, expected_error(exact(y, p, w), bins, binning, norm) ** 2)
    close(ece(y, p, bins=7, binning=binning, sample_weight=w), expected_error(exact(y, p, w), 7, binning))


@pytest.mark.parametrize("seed", SEEDS)
def test_reliability_by_definition(seed):
    y, p, w = binary(seed)
    for bins, binning in itertools.product((1, 3, 8), BINNINGS):
        curve = reliability(y, p, bins=bins, binning=binning, sample_weight=w)
        here = curve.weight > 0
        expected = [moments(b) for b in cut(exact(y, p, w), bins, binning)]
        got = np.stack([curve.weight, curve.predicted, curve.observed], axis=1)[here]
        close(got, np.array(expected, dtype=float).reshape(-1, 3))
        assert np.isnan(curve.predicted[~here]).all()
        assert np.isnan(curve.observed[~here]).all()
        assert len(curve.edges) == len(curve.weight) + 1
        assert (curve.edges[0], curve.edges[-1]) == (0, 1)
        if binning == "mass" and here.any():
            assert here.all()
        close(curve.gap, curve.observed - curve.predicted)
    assert w is not None or curve.weight.dtype == np.int64


@for_each("binning", BINNINGS)
@for_each("seed", SEEDS)
def test_the_parts_of_a_brier_score(seed, binning):
    """Murphy's three terms on distinct predictions, and with bins the two within them, add up; in fractions exactly."""
    y, p, w = binary(seed)
    rows = exact(y, p, w)
    if not rows:
        assert math.isnan(brier_decomposition(y, p, sample_weight=w).brier)
        return
    everything, _, base = moments(rows)
    score = sum(w * (p - y) ** 2 for p, y, w in rows) / everything
    for bins in (None, 1, 4, 15):
        groups = cut(rows, bins, binning) if bins else [[r for r in rows if r[0] == v] for v in {p for p, *_ in rows}]
        parts = [(b, *moments(b)) for b in groups]
        expected = {
            "reliability": sum(t * (f - o) ** 2 for _, t, f, o in parts) / everything,
            "resolution": sum(t * (o - base) ** 2 for _, t, _, o in parts) / everything,
            "uncertainty": base * (1 - base),
            "within_variance": sum(w * (p - f) ** 2 for b, _, f, _ in parts for p, _, w in b) / everything,
            "within_covariance": 2 * sum(w * (p - f) * (y - o) for b, _, f, o in parts for p, y, w in b) / everything,
        }
        signs = (1, -1, 1, 1, -1)
        assert sum(s * x for s, x in zip(signs, expected.values(), strict=True)) == score
        got = brier_decomposition(y, p, bins=bins, binning=binning, sample_weight=w)
        for name, value in expected.items():
            close(getattr(got, name), float(value), err_msg=name)
        close(got.brier, brier(y, p, sample_weight=w))
        close(got.refinement, float(expected["uncertainty"] - expected["resolution"]))
        if bins is None:
            assert (got.within_variance, got.within_covariance) == (0, 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_parts_add_up_in_every_problem(seed):
    for bins, binning in ((None, "width"), (5, "width"), (5, "mass")):
        ask = partial(brier_decomposition, bins=bins, binning=binning)
        y, P, w = multiclass(seed)
        close(ask(y, P, sample_weight=w).brier, brier(y, P, sample_weight=w))
        for unit in range(P.shape[1]):
            close(ask(y, P, unit=unit, sample_weight=w).brier, brier(y == unit, P[:, unit], sample_weight=w))
        Y, P, w, mask = multilabel(seed)
        close(ask(Y, P, sample_weight=w, mask=mask).brier, brier(Y, P, sample_weight=w, mask=mask))


def test_a_calibrated_forecast_has_no_reliability_term():
    y, p = [0, 1, 0, 0, 0, 1], [0.5, 0.5, 0.25, 0.25, 0.25, 0.25]
    parts = brier_decomposition(y, p)
    assert parts.reliability == 0
    assert parts.refinement == pytest.approx(parts.brier)
    assert ece(y, p) == 0
    recalibrated = [np.mean([b for a, b in zip(p, y, strict=True) if a == q]) for q in p]
    assert brier(y, recalibrated) == pytest.approx(parts.refinement)


# Debiasing.


@pytest.mark.parametrize("weights", [None, (1, 1, 2, 3)])
def test_the_correction_is_unbiased(weights):
    """Over all labels of four examples with P(1) = q the corrected squared gap has the mean (q - p)²: exactly."""
    q, p, w = Fraction(1, 3), Fraction(1, 4), [Fraction(x) for x in weights or (1,) * 4]
    share = [x / sum(w) for x in w]
    effective = 1 / sum(x * x for x in share)
    corrected = naive = Fraction(0)
    for y in itertools.product((0, 1), repeat=4):
        chance = math.prod(q if label else 1 - q for label in y)
        o = sum(x * label for x, label in zip(share, y, strict=True))
        square = (o - p) ** 2 - o * (1 - o) / (effective - 1)
        corrected, naive = corrected + chance * square, naive + chance * (o - p) ** 2
        close(ece(y, [float(p)] * 4, norm="l2", debiased=True, sample_weight=weights), math.sqrt(max(square, 0)))
    assert corrected == (q - p) ** 2 < naive


def test_a_bin_with_one_example_is_left_out():
    y, p = [0, 1, 1, 1], [0.1, 0.9, 0.9, 0.9]
    assert ece(y, p, norm="l2", debiased=True) == pytest.approx(0.1)
    assert math.isnan(ece([0, 1], [0.1, 0.9], norm="l2", debiased=True))
    assert ece([0, 1], [0.1, 0.9], norm="l2") == pytest.approx(0.1)


@pytest.mark.slow
def test_debiasing_helps_a_calibrated_forecast():
    rng = np.random.default_rng(0)
    p = rng.integers(1, 10, (300, 100)) / 10
    y = rng.random(p.shape) < p
    plain, mended = (np.mean([ece(a, b, norm="l2", debiased=d) ** 2 for a, b in zip(y, p, strict=True)]) for d in (False, True))
    assert mended < plain / 2


# Peers.


@pytest.mark.parametrize("seed", SEEDS)
def test_calibration_curve(seed):
    y, p, _ = binary(seed)
    y[0] = 1  # scikit-learn names the positive class by looking
    for bins in (1, 5, 10):
        curve = reliability(y, p, bins=bins)
        shares, means = calibration_curve(y, p, n_bins=bins, pos_label=1)
        here = curve.weight > 0
        close(curve.observed[here], shares)
        close(curve.predicted[here], means)


@pytest.mark.parametrize("seed", SEEDS)
def test_calibration_curve_of_quantiles(seed):
    rng = np.random.default_rng(seed)
    for bins in (1, 2, 5, 8):
        n = bins * int(rng.integers(1, 8))
        p = [rng.random(n), rng.integers(0, 13, n) / 16][seed % 2]  # sixteenths: the interpolated edges are exact
        y = rng.integers(0, 2, n)
        curve = reliability(y, p, bins=bins, binning="mass")
        shares, means = calibration_curve(y, p, n_bins=bins, strategy="quantile", pos_label=1)
        close(curve.observed, shares)
        close(curve.predicted, means)


@pytest.mark.slow
@for_each("norm", ["l1", "l2", "max"])
@for_each("seed", range(15))
def test_torchmetrics(seed, norm):
    """On no edge: there the bins are the same."""
    from torchmetrics.functional.classification import binary_calibration_error, multiclass_calibration_error  # takes seconds

    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 200)), int(rng.integers(2, 6))
    y, p = rng.integers(0, 2, n), rng.random(n) * 0.999
    theirs = binary_calibration_error(torch.tensor(p), torch.tensor(y), n_bins=10, norm=norm)
    np.testing.assert_allclose(ece(y, p, bins=10, norm=norm), float(theirs), atol=1e-12)
    P, codes = rng.dirichlet(np.ones(m), n) * 0.98 + 0.02 / m, rng.integers(0, m, n)
    theirs = multiclass_calibration_error(torch.tensor(P), torch.tensor(codes), num_classes=m, n_bins=15, norm=norm)
    np.testing.assert_allclose(ece(codes, P, norm=norm), float(theirs), atol=2e-6)


# Several classes.


@pytest.mark.parametrize("seed", SEEDS)
def test_top_label_and_classwise(seed):
    y, P, w = multiclass(seed)
    top = P.argmax(axis=1)
    for binning in BINNINGS:
        ask = partial(ece, bins=6, binning=binning, sample_weight=w)
        close(ask(y, P), ask(top == y, P.max(axis=1)))
        score = ask(y, P, average="macro")
        each = [ask(y == j, P[:, j]) for j in range(P.shape[1])]
        close(score.values, each)
        close(score, np.nanmean(each) if w is None or w.any() else math.nan)
        assert score.values.names == tuple(range(P.shape[1]))
        for unit in range(P.shape[1]):
            close(reliability(y, P, bins=6, binning=binning, unit=unit, sample_weight=w).error(), each[unit])
        close(reliability(y, P, bins=6, binning=binning, sample_weight=w).error(), ask(y, P))


@pytest.mark.parametrize("seed", SEEDS)
def test_labels(seed):
    Y, P, w, mask = multilabel(seed)
    score = ece(Y, P, bins=4, sample_weight=w, mask=mask, average="macro")
    each = [ece(y[s], p[s], bins=4, sample_weight=None if w is None else w[s]) for y, p, s in zip(Y.T, P.T, mask.T, strict=True)]
    close(score.values, each)
    close(score, np.mean([x for x in each if x == x]) if any(x == x for x in each) else math.nan)
    positives = (Y * mask * (np.ones(len(Y)) if w is None else w)[:, None]).sum(axis=0)
    weighted = ece(Y, P, bins=4, sample_weight=w, mask=mask, average="weighted")
    close(weighted, np.nansum(positives * each) / positives.sum() if positives.any() else math.nan)
    entries = None if w is None else np.repeat(w[:, None], Y.shape[1], axis=1)[mask]
    for binning in BINNINGS:
        pooled = ece(Y[mask], P[mask], bins=4, binning=binning, sample_weight=entries)
        close(ece(Y, P, bins=4, binning=binning, sample_weight=w, mask=mask), pooled)
        close(reliability(Y, P, bins=4, binning=binning, sample_weight=w, mask=mask).error(), pooled)


@pytest.mark.one_fast_case
@pytest.mark.parametrize("seed", SEEDS)
def test_every_class_and_every_group_by_itself(seed):
    """Along an axis there is what a call on the rows of each group, or on the column of each class, gives."""
    for y, P, w in (binary(seed), multiclass(seed), multilabel(seed)[:3]):
        site = np.random.default_rng(seed).integers(0, 3, len(y))
        names = np.unique(site)
        for binning in BINNINGS:
            ask = {"bins": 4, "binning": binning}
            score = ece(y, P, by={"site": site}, average="site", sample_weight=w, **ask)
            rows = [(y[site == g], P[site == g], None if w is None else w[site == g]) for g in names]
            classes = {"classes": range(P.shape[1])} if y.ndim < P.ndim else {}
            alone = [ece(a, b, sample_weight=c, **ask, **classes) for a, b, c in rows]
            close(score.values, alone)
            assert score.values.names == tuple(names)
            close(score, np.nanmean(alone) if np.isfinite(alone).any() else math.nan)
            for function, of in ((reliability, "predicted"), (brier_decomposition, "brier")):
                kept = function(y, P, by={"site": site}, per="site", sample_weight=w, **ask)
                assert tuple(kept) == tuple(names)
                for g, (a, b, c) in zip(names, rows, strict=True):
                    close(getattr(kept[g], of), getattr(function(a, b, sample_weight=c, **ask, **classes), of))
                if P.ndim == 2:
                    kept = function(y, P, per="class", sample_weight=w, **ask)
                    for j in range(P.shape[1]):
                        close(getattr(kept[j], of), getattr(function(y, P, unit=j, sample_weight=w, **ask), of))
                    kept = function(y, P, per="site", unit=0, by={"site": site}, sample_weight=w, **ask)
                    close(
                        getattr(kept[names[0]], of),
                        getattr(function(*rows[0][:2], unit=0, sample_weight=rows[0][2], **ask, **classes), of),
                    )


def test_the_convention_of_classes_and_groups():
    Y, P, mask = [[1, 0], [0, 1]], [[0.5, 0.5]] * 2, [[1, 0], [1, 0]]
    for undefined in ("exclude", 1, "nan", "raise"):  # a class of which nothing was observed is not undefined
        assert ece(Y, P, mask=mask, average="macro", undefined=undefined) == 0
    assert ece([], [], undefined=0.25) == 0.25
    with pytest.raises(ix.types.UndefinedError, match="macro ece: undefined, because no class carries weight"):
        ece(Y, P, mask=[[0, 0], [0, 0]], average="macro", undefined="raise")


@pytest.mark.slow
def test_whole_weights_repeat_rows():
    for seed in SEEDS:
        y, p, _ = binary(seed)
        times = np.random.default_rng(seed).integers(0, 4, len(y))
        again = np.repeat(np.arange(len(y)), times)
        for bins, binning, norm in itertools.product((3, 15), BINNINGS, ("l1", "l2", "max")):
            ask = partial(ece, bins=bins, binning=binning, norm=norm)
            np.testing.assert_allclose(ask(y, p, sample_weight=times), ask(y[again], p[again]), atol=1e-12)


def test_ties_are_never_split():
    p = np.array([0.2] * 5 + [0.4] * 4 + [0.9])
    curve = reliability([0, 1] * 5, p, bins=5, binning="mass")
    assert curve.weight.tolist() == [5, 4, 1]
    assert curve.edges.tolist() == [0, 0.2, 0.4, 1]
    assert reliability([0, 1], [0.0, 0.0], bins=3, binning="mass").edges.tolist() == [0, 1]
    assert reliability([0, 1, 1], [0.0, 1.0, 1.0], bins=3, binning="mass").weight.tolist() == [1, 2]


def test_bins_contain_their_upper_edge():
    assert reliability([0, 1, 1, 1], [0, 0.5, 0.6, 1], bins=2).weight.tolist() == [2, 2]


def test_degenerate_input():
    for binning in BINNINGS:
        for y, p in (([], []), ([], np.zeros((0, 3))), (np.zeros((0, 2), int), np.zeros((0, 2)))):
            for norm, debiased in ASKED:
                assert math.isnan(ece(y, p, binning=binning, norm=norm, debiased=debiased))
            assert math.isnan(brier_decomposition(y, p, bins=3, binning=binning).brier)
        assert math.isnan(ece([0, 1], [0.5, 0.5], sample_weight=[0, 0], binning=binning))
        assert ece([1], [0.75], binning=binning) == 0.25
        assert ece([1, 1], [1.0, 1.0], binning=binning) == 0
        assert reliability([], [], binning=binning).weight.sum() == 0
    huge = ece([0, 1, 1, 0], [0.5] * 4, sample_weight=[1e50] * 4, norm="l2", debiased=True)
    assert huge == ece([0, 1, 1, 0], [0.5] * 4, norm="l2", debiased=True) == 0
    masked = ece([[1, 0], [0, 1]], [[0.5, 0.5]] * 2, mask=[[1, 0], [1, 0]], average="macro")
    assert (masked.undefined_units, repr(masked)) == ((), "0.0")


@pytest.mark.slow
def test_many_examples():
    rng = np.random.default_rng(0)
    p = rng.random(320_000)
    y = rng.random(320_000) < p
    assert ece(y, p) < 0.004
    assert ece(y, p, binning="mass") < 0.004
    assert np.ptp(reliability(y, p, binning="mass", bins=16).weight) == 0
    close(brier_decomposition(y, p).brier, brier(y, p))
    assert brier_decomposition(y, p, bins=20).reliability < 3e-5  # chance alone makes 20 / 6n, about 1e-5


# Errors.


@for_each("function", [ece, reliability, brier_decomposition])
@for_each(
    ("options", "message"),
    [
        ({"bins": 0}, "bins=0 must be a whole number of at least 1"),
        ({"bins": True}, "bins=True must be"),
        ({"bins": 2.5}, r"bins=2\.5 must be"),
        ({"bins": 3, "binning": "quantile"}, "binning='quantile' is unknown. Use 'width'"),
        ({"by": {"site": [1]}}, r"by\['site'\] has 1 entries for 2 examples"),
        ({"missing": "drop"}, "missing='drop' is unknown"),
    ],
)
def test_errors(function, options, message):
    with pytest.raises(ValueError, match=message):
        function([0, 1], [0.5, 0.5], **options)


def test_more_errors():
    P = [[0.5, 0.5], [0.25, 0.75]]
    with pytest.raises(ValueError, match=r"norm='l3' is unknown\. Use 'l1', the mean gap"):
        ece([0, 1], [0.5, 0.5], norm="l3")
    with pytest.raises(ValueError, match=r"debiased=True corrects means of gaps, not the largest one\. Use norm='l1'"):
        ece([0, 1], [0.5, 0.5], norm="max", debiased=True)
    with pytest.raises(ValueError, match="debiased=True corrects means of gaps"):
        reliability([0, 1], [0.5, 0.5]).error("max", debiased=True)
    with pytest.raises(ValueError, match="average='macro': there is one column of probabilities, of the positive class"):
        ece([0, 1], [0.5, 0.5], average="macro")
    with pytest.raises(ValueError, match="average='exemplar': shares in bins are shares of examples, and one example"):
        ece([0, 1], P, average="exemplar")
    with pytest.raises(ValueError, match=r"average='site' is unknown here\. Choose from micro, macro, weighted, or give by="):
        ece([0, 1], P, average="site")
    with pytest.raises(TypeError, match="ece takes no classwise=; average='macro' is classwise"):
        ece([0, 1], P, classwise=True)
    for function in (reliability, brier_decomposition):
        with pytest.raises(ValueError, match=r"unit=7 is not a column; the columns are 0, 1\."):
            function([0, 1], P, unit=7)
    for function in (ece, reliability, brier_decomposition):
        with pytest.raises(ValueError, match="mask hides entries, but here an example counts as a whole"):
            function([0, 1], P, mask=[[1, 0], [1, 1]])
    for function in (reliability, brier_decomposition):
        with pytest.raises(TypeError, match=r"takes no average=; per='class', or an axis of by=, keeps one for each"):
            function([0, 1], P, average="macro")
        with pytest.raises(ValueError, match=r"per='site' is not an axis here\. Use 'class', 'fold', or give by="):
            function([0, 1], P, per="site", by={"fold": [0, 0]})
        with pytest.raises(ValueError, match="unit=1 names one class, and per='class' keeps all"):
            function([0, 1], P, per="class", unit=1)
    assert ece([0, 1], P, mask=[[1, 0], [1, 1]], average="macro") > 0
