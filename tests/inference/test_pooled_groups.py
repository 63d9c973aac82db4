"""Pooled values of small groups: Efron and Morris's batters, intervals that cover, the worst group, and what cannot be pooled."""

from __future__ import annotations

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.inference.groups.group_samples import Precision
from indicatrix.inference.groups.pooled import shrink

HITS = (18, 17, 16, 15, 14, 14, 13, 12, 11, 11, 10, 10, 10, 10, 10, 9, 8, 7)  # of 45 at bats


def test_the_batters_of_efron_and_morris() -> None:
    """Efron and Morris, Stein's paradox in statistics (Scientific American, 1977): .265 + .212 (average - .265) for 18 batters.

    Clemente's .400 becomes .294. The formula is also in the SAS and R blog, sports statistics, revisiting that paper.
    """
    right = np.concatenate([np.repeat([1, 0], [h, 45 - h]) for h in HITS])
    batter = np.repeat([f"b{k:02}" for k in range(18)], 45)
    ev = ix.evaluate(np.ones(810, int), right, by={"batter": batter})
    pooled = ev.values("recall", per="batter", pooled=True, interval=True)
    averages = np.array(HITS) / 45
    assert averages.mean() == pytest.approx(0.265, abs=5e-4)
    slope = np.diff(pooled)[np.diff(averages) != 0] / np.diff(averages)[np.diff(averages) != 0]
    assert slope == pytest.approx(np.full(len(slope), 0.212), abs=5e-4)
    assert pooled[0] == pytest.approx(0.294, abs=5e-4)
    assert pooled.names[0] == "b00"
    name, worst = pooled.worst()
    assert (name, worst.method) == ("b17", "pooled")
    assert worst.low < 7 / 45 < worst.value < worst.high  # what chance took is given back
    wide = ev.values("recall", per="batter", pooled=True, interval="simultaneous").worst()[1]
    assert wide.low < worst.low
    assert wide.high > worst.high


def test_intervals_of_the_worst_group_cover() -> None:
    rng, plain, pooled, simultaneous = np.random.default_rng(4), 0, 0, 0
    for _ in range(60):
        true = np.clip(rng.normal(0.8, 0.04, 12), 0, 1)
        sizes = rng.integers(20, 120, 12)
        group = np.repeat(np.arange(12), sizes)
        ev = ix.evaluate(np.ones(len(group), int), (rng.random(len(group)) < true[group]).astype(int), by={"g": group})
        alone = ev.values("recall", per="g", interval=True)
        worst = int(np.argmin(alone))
        plain += true[worst] in alone.intervals[worst]
        name, interval = ev.values("recall", per="g", pooled=True, interval=True).worst()
        pooled += true[name] in interval
        name, interval = ev.values("recall", per="g", interval="simultaneous").worst()
        simultaneous += true[name] in interval
    assert simultaneous >= 56
    assert pooled >= 52
    assert plain < simultaneous


def test_an_interval_reads_the_variance_at_its_own_value() -> None:
    """A share varies most at a half: of groups of one size, the farther from the ends, the wider."""
    found = shrink(Precision(np.array([0.99, 0.95, 0.9, 0.8, 0.5]), np.full(5, 200.0), bounded=True))
    assert (np.diff(found.errors) > 0).all()
    assert (found.errors**2 < 1.2 * found.values * (1 - found.values) / 200).all()
    sure = ix.evaluate([1] * 80, [1] * 80, positive=1, by={"g": np.arange(80) % 8}).values(
        "recall", per="g", pooled=True, interval=True
    )
    assert (sure == 1).all()
    assert (sure.low < 0.97).all()  # ten of ten are not certain


@for_each("case", ["f1", "macro f1", "weights", "mcc", "accuracy", "odds_ratio", "multiclass_kappa", "crossed"])
def test_any_measure_is_pooled(case: str) -> None:
    rng = np.random.default_rng(6)
    n, group = 600, rng.integers(0, 6, 600)
    y = rng.integers(0, 2, n)
    z = np.where(rng.random(n) < 0.7 + 0.04 * group, y, 1 - y)
    weights = rng.random(n) + 0.5 if case == "weights" else None
    ev = ix.evaluate(y, z, by={"g": group, "h": y * 0 + (np.arange(n) % 2)}, sample_weight=weights)
    per = ("g", "h") if case == "crossed" else "g"
    measure = {"weights": "f1", "crossed": "recall", "macro f1": "macro f1", "odds_ratio": "diagnostic_odds_ratio"}.get(
        case, case
    )
    own = ev.values(measure, per=per)
    pooled = ev.values(measure, per=per, pooled=True, interval=0.9)
    assert pooled.shape == own.shape
    assert np.std(pooled) < np.std(own)
    assert (pooled.low <= pooled).all()
    assert (pooled <= pooled.high).all()
    assert np.corrcoef(np.ravel(own), np.ravel(pooled))[0, 1] > 0.9


def test_sums_and_empty_groups() -> None:
    rng = np.random.default_rng(1)
    y, z, g = np.ones(80, int), rng.integers(0, 2, 80), np.arange(80) % 5
    ev = ix.evaluate(y, z, by={"g": g, "h": np.arange(80) % 3 > 0})
    halves = sum(ix.evaluate(y[k::2], z[k::2], by={"g": g[k::2], "h": (np.arange(80) % 3 > 0)[k::2]}) for k in (0, 1))
    assert ev.values("recall", per="g", pooled=True).tolist() == halves.values("recall", per="g", pooled=True).tolist()
    few = ix.evaluate([1] * 9 + [0], [1, 0, 1, 0, 1, 1, 1, 0, 1, 0], by={"g": [0, 0, 1, 1, 2, 2, 3, 3, 3, 4]})
    found = few.values("recall", per="g", pooled=True, interval=True)
    assert np.isnan(found[-1])
    assert np.ptp(found[:4]) < np.ptp(few.values("recall", per="g")[:4])


def test_what_is_not_pooled() -> None:
    y = [0, 1] * 20
    ev = ix.evaluate(y, y[::-1], by={"g": [0] * 20 + [1] * 20})
    for per, why in (("class", "axes of by="), ("g", "needs 4")):
        with pytest.raises(ValueError, match=why):
            ev.values("recall", per=per, pooled=True)
    with pytest.raises(ValueError, match="has to count that"):
        ev.values("recall", per="g", interval=True).worst()


def test_totals_of_groups_are_not_pooled() -> None:
    """How many true positives a group has says how large it is."""
    groups = np.repeat(np.arange(5), [10, 20, 40, 80, 160])
    ev = ix.evaluate([1] * 310, np.arange(310) % 3 > 0, classes=[0, 1], positive=1, by={"site": groups})
    with pytest.raises(ValueError, match="no pooled values: tp is a total that grows"):
        ev.values("tp", per="site", pooled=True)


@for_each("asked", [95, -1, 1.0, float("nan"), "simul"])
def test_a_level_that_is_none_is_refused(asked: object) -> None:
    """As without pooled=."""
    ev = ix.evaluate([1] * 50, [1, 0] * 25, positive=1, by={"site": [*range(5)] * 10})
    with pytest.raises(ValueError, match="must be a share between 0 and 1"):
        ev.values("recall", per="site", interval=asked, pooled=True)
