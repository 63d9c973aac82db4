"""Decisions and calibration with bands: published numbers, and bands that hold as often as they say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.stats
import torch
from loops import for_each

import indicatrix as ix
from indicatrix.scores.curves.curve_band import envelope
from indicatrix.scores.probabilities import predictions

# Forecasts of rain (in parts of 10,000) and whether it rained, Niamey 2016: column EMOS of precip_Niamey_2016 in the R package
# reliabilitydiag (aijordan/reliabilitydiag).
RAIN = (
    "4709- 4472+ 4288+ 5064- 4893+ 5077+ 4287- 4513- 4441+ 4601- 5769+ 7334- 4969+ 4847- 4410- 3277+ 4860+ 7120+ 6158+ "
    "8802+ 5422+ 4472- 5249+ 6032+ 6319- 4665+ 4269- 5075+ 5929- 4283+ 5740+ 5346- 4635- 6544+ 5919- 4581- 4787+ 5176- "
    "6564+ 7760+ 7428+ 5884- 4814+ 4572+ 4306+ 5673+ 7346+ 6830+ 5567+ 6253+ 4456- 4583- 3282- 4738+ 7842+ 6264- 5180+ "
    "5775+ 9226+ 5108+ 4672- 4582+ 2294+ 4506+ 4612+ 5123- 5697+ 4777+ 4844- 4991+ 5621- 4812+ 5821+ 4452- 4528+ 5669- "
    "5583- 4441- 4582- 4557- 4903- 4836+ 4938- 4852+ 4799+ 3155- 4619+ 4785+ 4860- 4481- 3151- 1962- "
)
EMOS = np.array([int(text[:-1]) for text in RAIN.split()]) / 10_000
CAME = np.array([text.endswith("+") for text in RAIN.split()]).astype(int)
RNG = np.random.default_rng(7)


def test_the_decomposition_of_reliabilitydiag() -> None:
    """aijordan/reliabilitydiag, EMOS: mean score 0.232, miscalibration 0.0183, discrimination 0.0305, uncertainty 0.244.

    The method is that of Dimitriadis, Gneiting and Jordan (2021), PNAS 118, e2016191118.
    """
    parts = ix.scores.brier_decomposition(CAME, EMOS, binning="isotonic")
    assert parts.brier == pytest.approx(ix.brier(CAME, EMOS))
    found = (parts.brier, parts.miscalibration, parts.resolution, parts.uncertainty)
    assert [f"{x:.3g}" for x in found] == ["0.232", "0.0183", "0.0305", "0.244"]


def test_isotonic_bins_are_those_of_scikit_learn() -> None:
    sklearn_isotonic = pytest.importorskip("sklearn.isotonic")
    for weights in (None, RNG.integers(1, 4, 300), RNG.random(300)):
        p = RNG.integers(0, 40, 300) / 40
        y = (RNG.random(300) < p**2).astype(int)
        curve = ix.scores.reliability(y, p, binning="isotonic", sample_weight=weights)
        fitted = sklearn_isotonic.IsotonicRegression().fit_transform(p, y, sample_weight=weights)
        place = np.searchsorted(curve.edges[1:-1], p)
        assert curve.observed[place] == pytest.approx(fitted)
        assert (np.diff(curve.observed) > 0).all()
        if weights is not None and weights.dtype.kind == "f":
            with pytest.raises(ValueError, match="without weights"):
                curve.band()
    assert ix.ece(CAME, EMOS, binning="isotonic") >= 0
    assert len(ix.scores.reliability([], [], binning="isotonic", classes=[0, 1]).observed) == 1


def test_the_net_benefit_of_dcurves() -> None:
    """dcurves (ddsjoberg/dcurves), df_binary: 105 of 750 have cancer; cancerpredmarker >= 0.25 for 72 with and 72 without.

    r_simple_binary_dca_result_df.csv: treating all at 1% has 0.131313. tests/testthat/test-dca.R at 25%: treating all -0.1466667,
    the marker 0.064.
    """
    y = np.repeat([1, 1, 0, 0], [72, 33, 72, 573])
    p = np.repeat([0.3, 0.1, 0.3, 0.1], [72, 33, 72, 573])
    curve = ix.sweep(y, p).decision_curve(at=[0.01, 0.25])
    assert curve.also["treat all"] == pytest.approx([0.131313, -0.1466667], abs=1e-6)
    assert curve.y[1] == pytest.approx(0.064)
    ev = ix.evaluate(y, p, decide=0.25)
    assert ev.score("net_benefit(p_t=0.25)") == pytest.approx(0.064)
    saved = (0.064 + 0.1466667) / (0.25 / 0.75)  # as R/net_intervention_avoided.R computes it
    assert ev.score("interventions_avoided(p_t=0.25)") == pytest.approx(saved, abs=1e-6)


def test_the_case_control_study_of_dcurves() -> None:
    """tests/testthat/test-dca.R, df_case_control with prevalence 0.15 at 25%: treating all -0.13333333, the marker 0.01495671.

    114 of 420 cases and 30 of 330 controls have a marker of at least 0.25.
    """
    y = np.repeat([1, 1, 0, 0], [114, 306, 30, 300])
    p = np.repeat([0.3, 0.1, 0.3, 0.1], [114, 306, 30, 300])
    curve = ix.sweep(y, p).decision_curve(at=[0.25], prevalence=0.15)
    assert (curve.y[0], curve.also["treat all"][0]) == (pytest.approx(0.01495671), pytest.approx(-0.13333333))
    found = ix.evaluate(y, p, decide=0.25).interval("net_benefit(p_t=0.25)", "binary", prevalence=0.15, method="delta")
    assert found.value == pytest.approx(0.01495671)
    band = curve.band()
    assert band.y_low[0] < 0.01495671 < band.y_high[0]
    with pytest.raises(ValueError, match="prevalence=2"):
        ix.sweep(y, p).decision_curve(prevalence=2)


def test_compare_at_a_threshold() -> None:
    y = (RNG.random(400) < 0.3).astype(int)
    p, q = (np.clip(0.3 + s * (y - 0.3) + RNG.normal(0, 0.15, 400), 0, 1) for s in (0.4, 0.1))
    at = ix.compare(y, {"p": p, "q": q}, ["net_benefit", "recall"], at=0.2)
    plain = ix.compare(y, {"p": p, "q": q}, ["net_benefit(p_t=0.2)", "recall"], decide=0.2)
    assert str(at) == str(plain)
    assert str(ix.compare(y, {"p": p, "q": q}, "net_benefit", at=0.2)) in str(
        ix.compare(y, {"p": p, "q": q}, "net_benefit", at=0.2)
    )
    for wrong, options in (("between 0 and 1", {"at": 2}), ("both|too", {"at": 0.2, "decide": 0.3})):
        with pytest.raises(ValueError, match=wrong):
            ix.compare(y, {"p": p, "q": q}, "net_benefit", **options)
    for average in ("binary", "macro", "micro"):
        for threshold in (0.2, 1 / 3):
            named = ix.compare(y, {"p": p, "q": q}, [f"{average} net_benefit", f"{average} tp / (tp + fn)"], at=threshold)
            apart = ix.compare(y, {"p": p, "q": q}, ["net_benefit", "tp / (tp + fn)"], average, at=threshold)
            assert str(named) == str(apart)
    for wrong in (5 * p, p - 1, [[1 - x, 1 + x] for x in p]):
        with pytest.raises(ValueError, match="at= is a threshold of probabilities, numbers from 0 to 1; 'q' has a score"):
            ix.compare(y, {"p": p, "q": wrong}, "net_benefit", at=0.2)
    for make in (pd.Series, pl.Series, pa.array, torch.tensor, list, lambda x: pd.Series(x, dtype="Float64", index=x)):
        assert str(ix.compare(y, {"p": make(p), "q": make(q)}, ["net_benefit", "recall"], at=0.2)) == str(at)
        with pytest.raises(ValueError, match="'q' has a score"):
            ix.compare(y, {"p": make(p), "q": make(5 * p)}, "net_benefit", at=0.2)
    assert ix.compare(y, {"p": 5 * p, "q": q}, "recall", at=0.2).differences  # which only decides
    with pytest.raises(ValueError, match="decides scores"):
        ix.compare([ix.evaluate(y, p > 0.2), ix.evaluate(y, q > 0.2)], "net_benefit", at=0.2)


def drawn(n: int, rng: Any) -> tuple[Any, Any]:
    y = (rng.random(n) < 0.4).astype(int)
    return y, np.round(rng.normal(y, 1.0), 1)


LARGE = ix.sweep(*drawn(400_000, np.random.default_rng(1)))
CURVES = {
    "roc": lambda s: s.roc(),
    "pr": lambda s: s.pr(),
    "threshold": lambda s: s.threshold_curve("f1"),
}


@pytest.mark.slow
@for_each("name", CURVES)
def test_simultaneous_bands_hold_at_once(name: str) -> None:
    """50 samples of 300: the curve of the population is within the band at all of its thresholds about as often as it says."""
    rng, true, inside = np.random.default_rng(2), CURVES[name](LARGE), 0
    order = np.argsort(true.thresholds)
    for _ in range(50):
        curve = CURVES[name](ix.sweep(*drawn(300, rng)))
        band = curve.band(0.9, simultaneous=True)
        wide, narrow = (np.nansum(b.y_high - b.y_low) for b in (band, curve.band(0.9)))
        assert wide >= narrow
        at = band.x_low if name == "threshold" else curve.thresholds
        known = np.isfinite(at) & np.isfinite(band.y_low)
        own = {side: np.interp(at, true.thresholds[order], getattr(true, side)[order]) for side in ("x", "y")}
        fits = (own["y"] >= band.y_low - 0.005) & (own["y"] <= band.y_high + 0.005)
        if name == "roc":
            fits &= (own["x"] >= band.x_low - 0.005) & (own["x"] <= band.x_high + 0.005)
        inside += bool(fits[known].all())
    assert inside >= 41


def test_a_further_curve_is_one_more_of_those_drawn() -> None:
    """However few curves are drawn, at however many places: random walks with heavy steps, of which 60 are drawn."""
    rng, inside = np.random.default_rng(3), 0
    for _ in range(300):
        walks = rng.standard_t(4, (61, 80)).cumsum(axis=1)
        low, high = envelope(walks[1:], 0.9, simultaneous=True)
        inside += bool(((low <= walks[0]) & (walks[0] <= high)).all())
    assert 0.85 <= inside / 300 <= 0.96  # of 61 curves, 28 of the 30 that are looked at are within


def test_a_share_above_a_threshold_has_the_prior_of_jeffreys() -> None:
    rng = np.random.default_rng(4)
    y = (rng.random(200) < 0.4).astype(int)
    curve = ix.sweep(y, np.round(rng.normal(y, 1.0), 1)).threshold_curve("recall")
    band, positives = curve.band(0.9), int(y.sum())
    hits = np.rint(np.asarray(curve.y) * positives)
    for side, share in ((band.y_low, 0.05), (band.y_high, 0.95)):
        assert side == pytest.approx(scipy.stats.beta.ppf(share, hits + 0.5, positives - hits + 0.5), abs=0.02)


@pytest.mark.slow
def test_bands_of_reliability_hold() -> None:
    rng, inside = np.random.default_rng(3), {"consistency": 0, "confidence": 0}
    for _ in range(20):
        p = rng.integers(1, 20, 300) / 20
        curve = ix.scores.reliability((rng.random(300) < p).astype(int), p, binning="isotonic")
        band = curve.band(0.9, simultaneous=True, draws=200)
        assert (np.diff([band.y_low, band.y_high]) >= 0).all()
        fitted = curve.observed[np.searchsorted(curve.edges[1:-1], band.x_low)]
        inside["consistency"] += bool(((fitted >= band.y_low - 1e-9) & (fitted <= band.y_high + 1e-9)).all())
        sure = curve.band(0.9, kind="confidence", draws=200)
        inside["confidence"] += float(((sure.x_low >= sure.y_low) & (sure.x_low <= sure.y_high)).mean())
    assert inside["consistency"] >= 16
    assert inside["confidence"] >= 16.5
    ends = ix.scores.reliability([0] * 12 + [1, 0] * 20 + [1] * 12, [0.1] * 12 + [0.5] * 40 + [0.9] * 12, binning="isotonic")
    sure = ends.band(0.9, kind="confidence")  # labels of the outermost predictions are all the same, and still not certain
    assert (sure.y_low[0], sure.y_high[-1]) == pytest.approx((0, 1), abs=0.02)
    assert (1 - sure.y_high[0], sure.y_low[-1]) == pytest.approx(
        (0.8, 0.8), abs=0.04
    )  # 13 of 14, and the beta's fifth percentile
    with pytest.raises(ValueError, match="kind='no'"):
        curve.band(kind="no")
    with pytest.raises(ValueError, match="isotonic"):
        ix.scores.reliability([0, 1], [0.2, 0.8]).band()


def test_the_exact_band_is_that_of_its_definition() -> None:
    """The highest lower and the lowest upper end of Clopper and Pearson over all sets of neighbors (Dimitriadis et al. 2023)."""
    rng, inside = np.random.default_rng(5), 0
    for n in (1, 2, 40, 40):
        p = np.sort(rng.choice(rng.random(n // 2 + 1), n))
        came = (rng.random(n) < p).astype(int)
        band = ix.scores.reliability(came, p, binning="isotonic", classes=[0, 1]).band(0.9, kind="confidence", simultaneous=True)
        at, of = np.unique(p, return_inverse=True)
        total, hits, m = np.bincount(of), np.bincount(of, came), len(at)
        low, high = np.zeros(m), np.ones(m)
        for j in range(m):
            for k in range(j, m):
                size, own = total[j : k + 1].sum(), hits[j : k + 1].sum()
                if own > 0:
                    low[k:] = np.maximum(low[k:], scipy.stats.beta.ppf(0.1 / m / (m + 1), own, size - own + 1))
                if own < size:
                    high[: j + 1] = np.minimum(high[: j + 1], scipy.stats.beta.isf(0.1 / m / (m + 1), own + 1, size - own))
        fitted = predictions.fitted_shares(hits, total.astype(float))
        assert band.y_low == pytest.approx(np.minimum(low, fitted), abs=1e-9)
        assert band.y_high == pytest.approx(np.maximum(high, fitted), abs=1e-9)
        inside += bool(((low <= at) & (at <= high)).all())
    assert inside == 4
    p = rng.random(1500)  # more than are drawn each by itself
    band = ix.scores.reliability((rng.random(1500) < p).astype(int), p, binning="isotonic").band(
        kind="confidence", simultaneous=True
    )
    assert ((band.y_low <= band.x_low) & (band.x_low <= band.y_high)).all()
    empty = ix.scores.reliability([], [], binning="isotonic", classes=[0, 1]).band(kind="confidence", simultaneous=True)
    assert len(empty.y_low) == 0


@pytest.mark.slow
def test_the_exact_band_finds_what_calibrationband_finds() -> None:
    """README.md of marius-cp/calibrationband, 10,000 forecasts, 95%: miscalibrated from 0.0396 to 0.299 and from 0.693 to 0.951.

    The seed is 123, its numbers are those of R's generator. Its method "round" takes forecasts with the same three digits
    together, rounded down for the upper and up for the lower ends; these hold from the lowest and up to the highest of them.
    """
    state, key = 123, []
    for place in range(675):
        state = (69069 * state + 1) % 2**32
        key += [state] if place > 50 else []
    twister = np.random.MT19937()
    twister.state = {"bit_generator": "MT19937", "state": {"key": np.array(key, np.uint32), "pos": 624}}
    x, u = twister.random_raw(20_000).reshape(2, -1) * 2.3283064365386963e-10
    true = 1 / (1 + ((1 / x * (1 - x)) ** 1.8))
    came = np.where(true <= 0.5, u >= 1 - true, u < true).astype(int)
    ends = []
    for rounded, first in ((np.ceil(x * 1000), np.maximum), (np.floor(x * 1000), np.minimum)):
        band = ix.scores.reliability(came, rounded / 1000, binning="isotonic").band(kind="confidence", simultaneous=True)
        place = np.full(len(band.x_low), 0.0 if first is np.maximum else 1.0)
        first.at(place, np.searchsorted(band.x_low, rounded / 1000), x)
        ends.append((place, band))
    (upto, lower), (start, upper) = ends
    grid = np.linspace(0, 1, 10_000)
    low = np.append(0, lower.y_low)[np.searchsorted(upto, grid, side="right")]
    high = np.append(upper.y_high, 1)[np.searchsorted(start, grid)]
    outside = np.flatnonzero(np.diff(np.concatenate([[0], (low > grid) | (high < grid), [0]])))
    areas = sorted(((grid[b - 1] - grid[a], grid[a], grid[b - 1]) for a, b in outside.reshape(-1, 2)), reverse=True)
    assert [f"{x:.3g}" for area in areas[:2] for x in area[1:]] == ["0.0396", "0.299", "0.693", "0.951"]


def test_what_has_no_band() -> None:
    y, s = drawn(50, RNG)
    weighted = ix.sweep(y, s, sample_weight=RNG.random(50))
    for curve in (weighted.roc(), weighted.threshold_curve("f1"), ix.sweep(y, s).det()):
        with pytest.raises(ValueError, match="has no band"):
            curve.band()
    empty = ix.sweep([], [], classes=[0, 1], positive=1)
    assert len(empty.threshold_curve("f1").band().y_low) == 0
    assert len(empty.roc().band(simultaneous=True).y_low) == 1
    for t in ([1, 1], [0, 0]):
        assert len(ix.sweep(t, [0.2, 0.4]).roc().band(simultaneous=True).y_low) == 3


def test_plots_draw_the_bands() -> None:
    pytest.importorskip("matplotlib")
    y, s = drawn(200, RNG)
    p = 1 / (1 + np.exp(-s))
    axes = [ix.sweep(y, s).roc().plot(simultaneous=True), ix.sweep(y, s).threshold_curve("mcc").plot()]
    axes += [ix.sweep(y, p).decision_curve().plot(), ix.scores.reliability(y, p, binning="isotonic").plot()]
    for ax, says in zip(axes, ("at once (Wilson)", "of mcc", "net benefit", "drawn again"), strict=True):
        assert says in ax.get_xlabel()
    assert "drawn again" in ix.plots.curves({"a": ix.scores.reliability(y, p, binning="isotonic")}).get_xlabel()
