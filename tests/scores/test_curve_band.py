"""Bands of curves: each point is covered as often as the level says, and no more is promised than that."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.algebra.ends import wilson, wilson_of_each
from indicatrix.inference.stats.quantiles import normal
from indicatrix.scores.curves.curve_band import Shares, band_of

SAMPLES = 4000


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize(
    ("fpr", "tpr", "negatives", "positives"), [(0.1, 0.8, 200, 50), (0.02, 0.95, 400, 400), (0.5, 0.6, 140, 90)]
)
def test_both_rates_of_a_threshold_are_covered_together(
    level: float, fpr: float, tpr: float, negatives: int, positives: int
) -> None:
    rng = np.random.default_rng(5)
    x, y = rng.binomial(negatives, fpr, SAMPLES) / negatives, rng.binomial(positives, tpr, SAMPLES) / positives
    band = band_of("roc", x, y, Shares(negatives, positives), level)
    inside = (band.x_low <= fpr) & (fpr <= band.x_high) & (band.y_low <= tpr) & (tpr <= band.y_high)
    assert level - 0.03 < inside.mean() < level + 0.04


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_precision_of_a_threshold_is_covered(level: float) -> None:
    """Of labels and scores drawn anew, at one threshold; how many are predicted positive differs from sample to sample."""
    rng = np.random.default_rng(6)
    n, prevalence, tpr, fpr = 300, 0.3, 0.7, 0.15
    precision = prevalence * tpr / (prevalence * tpr + (1 - prevalence) * fpr)
    y = rng.random((SAMPLES, n)) < prevalence
    found = rng.random((SAMPLES, n)) < np.where(y, tpr, fpr)
    tp, predicted = (y & found).sum(axis=1), found.sum(axis=1)
    band = band_of("pr", tp / y.sum(axis=1), tp / predicted, Shares(None, predicted), level)
    assert np.mean((band.y_low <= precision) & (precision <= band.y_high)) == pytest.approx(level, abs=0.03)


def test_the_precision_of_all_thresholds_is_covered_where_it_is_nearly_one() -> None:
    """Of normal scores 2.5 standard deviations apart."""
    held = []
    for seed in range(120):
        rng = np.random.default_rng(seed)
        y = (rng.random(300) < 0.5).astype(int)
        curve = ix.sweep(y, rng.normal(2.5 * y, 1)).pr()
        band, tails = curve.band(simultaneous=True), [NormalDist(center).cdf for center in (2.5, 0)]
        tpr, fpr = (np.array([1 - below(t) for t in curve.thresholds[1:].tolist()]) for below in tails)
        precision = tpr / (tpr + fpr)
        held.append(((band.y_low[1:] <= precision) & (precision <= band.y_high[1:])).all())
    assert np.mean(held) >= 0.95  # 0.925 with half an example


def test_the_band_is_that_of_the_counts_at_each_threshold() -> None:
    rng = np.random.default_rng(7)
    y, p = rng.integers(0, 2, 80), rng.integers(0, 30, 80) / 30
    swept = ix.sweep(y, p)
    for simplify in (False, True):
        curve = swept.pr(simplify=simplify)
        band = curve.band(0.9)
        for k, t in enumerate(curve.thresholds[1:], 1):
            predicted = int(np.sum(p >= t))
            assert (band.y_low[k], band.y_high[k]) == pytest.approx(wilson(np.mean(y[p >= t]), predicted, normal(0.9)))
    roc = swept.roc(simplify=True).band()
    assert len(roc.x_low) == len(swept.roc(simplify=True))
    assert roc.level == 0.95


def test_ends_of_each_share_are_those_of_one() -> None:
    shares, sizes = np.array([0.0, 0.3, 1.0, np.nan, 0.5]), np.array([10, 7, 3, 5, 0])
    low, high = wilson_of_each(shares, sizes, 0.9)
    assert [(a, b) for a, b in zip(low[:3], high[:3], strict=True)] == [
        pytest.approx(wilson(x, n, normal(0.9))) for x, n in zip(shares[:3], sizes[:3], strict=True)
    ]
    assert np.isnan([low[3:], high[3:]]).all()  # nothing is known there
