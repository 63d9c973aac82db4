"""Areas near 1, of few positives, and of ties: intervals and differences that do not look certain, and do not jump."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.inference.estimators.of_units import estimator_of_scores
from indicatrix.scores.areas import AREAS

PARAMETERS: dict[str, dict[str, Any]] = {"partial_auc": {"max_fpr": 0.3}, "threshold_average": {"measure": "f1"}}
BOUNDED = [name for name, area in AREAS.items() if math.isfinite(area.range[1] - area.range[0])]


def area_called(name: str) -> Any:
    return AREAS[name].at(**PARAMETERS.get(name, {}))


def normal_scores(rng: np.random.Generator, positives: int, negatives: int, area: float) -> tuple[Any, Any]:
    """Return labels and scores whose true AUC is ``area``."""
    y = np.r_[np.ones(positives, int), np.zeros(negatives, int)]
    return y, rng.normal(size=len(y)) + y * math.sqrt(2) * NormalDist().inv_cdf(area)


@pytest.mark.parametrize("name", BOUNDED)
def test_a_perfect_ranking_is_not_certain(name: str) -> None:
    """The interval holds the value, has a width, and shrinks with the number of examples."""
    widths = []
    for n in (10, 40, 160):
        y = np.r_[np.ones(n, int), np.zeros(n, int)]
        found = ix.inference.interval(ix.sweep(y, np.arange(2.0 * n)[::-1]), area_called(name))
        assert found.low <= found.value <= found.high
        widths.append(found.width)
    assert widths[0] > widths[1] > widths[2] > 0


def test_constant_scores_are_not_certain() -> None:
    few, many = (ix.inference.interval(ix.sweep([0, 1] * n, [0.5] * 2 * n), "auc") for n in (10, 100))
    assert few.value == many.value == 0.5
    assert few.width > 2 * many.width > 0
    assert few.low + few.high == pytest.approx(1)


@for_each("name", BOUNDED)
@for_each("rival", ["perfect", "random", "constant"])
def test_constant_scores_are_compared(name: str, rival: str) -> None:
    """The difference has an interval with a width that holds it; the usual rows have it, too."""
    y = np.array([0, 1] * 30)
    scores = {"perfect": y + 0.0, "random": np.random.default_rng(0).random(60), "constant": np.full(60, 0.3)}[rival]
    both = {"dummy": np.full(60, 0.5), "other": scores}
    (found,) = ix.compare(y, both, area_called(name)).differences
    assert found.low <= found.value <= found.high  # a difference at its limit is the end
    assert found.low < found.high
    assert (found.p > 0.01) == (rival != "perfect")
    assert "binary auc" in str(ix.compare(y, both, decide=0.5))


def test_constant_probabilities_of_three_classes_are_compared() -> None:
    y = np.arange(60) % 3
    both = {"dummy": np.full((60, 3), 1 / 3), "other": np.random.default_rng(0).dirichlet(np.ones(3), 60)}
    for average in ("macro", "micro", "weighted"):
        (found,) = ix.compare(y, both, f"{average} auc").differences
        assert found.low < 0 < found.high


@pytest.mark.parametrize(
    ("positives", "note"),
    [
        (1, "There is 1 positive example: with fewer than 3, no interval is reliable."),
        (2, "There are 2 positive examples: with fewer than 3, no interval is reliable."),
        (9, "There are 9 positive examples: with fewer than 10, the interval is wide."),
        (10, ""),
    ],
)
@pytest.mark.parametrize("name", ["auc", "average_precision"])
def test_few_positives_are_named(name: str, positives: int, note: str) -> None:
    y, s = normal_scores(np.random.default_rng(0), positives, 30, 0.8)
    found = ix.inference.interval(ix.sweep(y, s), name)
    assert (found.note, found.warning) == (note, note)
    assert ix.inference.interval(ix.sweep(1 - y, -s), "auc").note == note.replace("positive", "negative")


def test_few_positives_of_a_class_and_few_clusters_are_named() -> None:
    y, s = np.repeat([0, 1, 2], [30, 20, 4]), np.random.default_rng(0).normal(size=(54, 3))
    swept = ix.sweep(y, s)
    assert (
        ix.inference.interval(swept, "auc", "macro").note
        == "Class 2 has 4 positive examples: with fewer than 10, the interval is wide."
    )
    found = ix.inference.interval(
        ix.sweep([0, 1] * 20, np.random.default_rng(0).normal(size=40)), "auc", clusters=np.arange(40) // 10
    )
    assert found.note == "There are 4 positive clusters: with fewer than 10, the interval is wide."
    rates = ix.inference.interval(ix.sweep([0, 1] * 20, np.random.default_rng(0).normal(size=40)), "log_auc").note
    assert rates.startswith("20 negative examples show no false positive rate below 0.05, and log_auc reads rates from 0.001")


def swapped(scores: Any, y: Any, times: int) -> Any:
    """Return scores in which neighbors of different classes change places, pair after pair."""
    out, order = scores.copy(), np.argsort(scores)
    at = [i for i in range(len(y) - 1) if y[order[i]] != y[order[i + 1]]][::2][:times]
    for i in at:
        one, other = order[i], order[i + 1]
        out[one], out[other] = out[other], out[one]
    return out


@for_each("name", BOUNDED)
@for_each("quality", [0.8, 0.98])
@pytest.mark.slow
def test_nothing_jumps_where_two_rankings_become_equal(name: str, quality: float) -> None:
    """A pair of examples that changes places moves the interval of the difference by little, and never narrows it much."""
    y, s = normal_scores(np.random.default_rng(2), 60, 80, quality)
    widths = []
    for times in range(5):
        (found,) = ix.compare(y, {"a": s, "b": swapped(s, y, times)}, area_called(name)).differences
        assert found.low <= found.value <= found.high
        widths.append(found.high - found.low)
    for before, after in pairwise(widths):
        assert 0.85 * before < after < 2 * before
    assert (found.p < 0.05) == (found.low > 0 or found.high < 0)


@pytest.mark.parametrize("name", ["auc", "average_precision", "h_measure"])
def test_the_interval_and_the_p_value_of_a_difference_agree(name: str) -> None:
    """The interval at the level 1 - p just reaches zero."""
    y, s = normal_scores(np.random.default_rng(5), 60, 80, 0.9)
    other = s + np.random.default_rng(6).normal(size=140)
    (found,) = ix.compare(y, {"a": s, "b": other}, name, margin=0.2).differences
    assert 1e-6 < found.p < 1
    (at,) = ix.compare(y, {"a": s, "b": other}, name, level=1 - found.p).differences
    assert min(abs(at.low), abs(at.high)) == pytest.approx(0, abs=1e-9)
    (within,) = ix.compare(y, {"a": s, "b": other}, name, level=1 - 2 * found.equivalent, margin=0.2).differences
    assert max(abs(within.low), abs(within.high)) == pytest.approx(0.2, abs=1e-9)
    (turned,) = ix.compare(y, {"a": s, "b": other}, name, baseline=found.first).differences
    assert (turned.low, turned.high, turned.p) == pytest.approx((-found.high, -found.low, found.p))


@pytest.mark.one_fast_case
@pytest.mark.parametrize(("positives", "negatives", "quality"), [(2, 100, 0.6), (5, 100, 0.8), (20, 100, 0.99), (100, 100, 0.95)])
def test_intervals_of_auc_cover(positives: int, negatives: int, quality: float) -> None:
    rng = np.random.default_rng(positives)
    found = [ix.inference.interval(ix.sweep(*normal_scores(rng, positives, negatives, quality)), "auc") for _ in range(300)]
    assert np.mean([quality in one for one in found]) > 0.92


@pytest.mark.slow
def test_intervals_of_average_precision_do_not_miss_low_where_positives_are_rare() -> None:
    """The true value is that of many examples."""
    rng, n = np.random.default_rng(3), 500

    def drawn(size: int) -> tuple[Any, Any]:
        y = (rng.random(size) < 0.03).astype(int)
        return y, rng.normal(size=size) + y * math.sqrt(2) * NormalDist().inv_cdf(0.8)

    true = float(np.mean([float(ix.average_precision(*drawn(200_000))) for _ in range(3)]))
    found = [ix.inference.interval(ix.sweep(*drawn(n)), "average_precision") for _ in range(300)]
    assert np.mean([one.low > true for one in found]) < 0.06
    assert np.mean([true in one for one in found]) > 0.92


@pytest.mark.slow
@pytest.mark.parametrize("name", ["h_measure", "auc_of_hull"])
def test_the_bias_of_a_hull_is_taken_off(name: str) -> None:
    """A hull is too high in a sample; an interval around the value covers in about three of four samples."""
    rng, quality = np.random.default_rng(4), 0.8
    true = float(AREAS[name](*normal_scores(rng, 50_000, 50_000, quality)))
    found = [ix.inference.interval(ix.sweep(*normal_scores(rng, 50, 50, quality)), name) for _ in range(120)]
    assert np.mean([one.value > true for one in found]) > 0.7
    assert np.mean([true in one for one in found]) > 0.9


@pytest.mark.slow
def test_two_areas_near_1_are_not_equivalent_too_often() -> None:
    """Their true difference is the margin, so that a test at the 5% level may say so in 5% of samples."""
    rng, better, worse = np.random.default_rng(7), 0.99, 0.97
    gain = math.sqrt(2) * (NormalDist().inv_cdf(better) - NormalDist().inv_cdf(worse))
    said = []
    for _ in range(300):
        y, s = normal_scores(rng, 50, 100, worse)
        shared = 0.7 * (s - y * math.sqrt(2) * NormalDist().inv_cdf(worse))
        noise = rng.normal(size=150) * math.sqrt(1 - 0.49)
        other = shared + noise + y * (math.sqrt(2) * NormalDist().inv_cdf(worse) + gain)
        (found,) = ix.compare(y, {"a": other, "b": s}, "auc", margin=better - worse).differences
        said.append(found.equivalent < 0.05)
    assert np.mean(said) < 0.08


@pytest.mark.parametrize("name", ["auc", "average_precision"])
def test_the_weights_of_a_weighted_average_vary(name: str) -> None:
    """The influence function is the derivative of the weighted mean, weights included, which fixed weights would miss."""
    rng = np.random.default_rng(8)
    y, s = rng.choice(3, 90, p=[0.6, 0.3, 0.1]), rng.normal(size=(90, 3))
    s[np.arange(90), y] += np.array([0.2, 1.0, 3.0])[y]  # areas of classes differ, so weights matter
    swept = ix.sweep(y, s)
    found = estimator_of_scores(AREAS[name], swept, AREAS[name].score(swept, "weighted"), None)
    assert found.value == pytest.approx(float(AREAS[name](swept, average="weighted")))
    slopes = (found.scores(np.ones((90, 90)) + 1e-6 * np.eye(90)) - found.value) / 1e-6
    assert found.added == pytest.approx(slopes, rel=0.1, abs=2e-3)
    assert abs(slopes.sum()) < 1e-5  # as it must be of what does not change with the number of examples
