"""Classifiers over the same folds: against SciPy, baycomp, and the laws of a comparison."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from loops import for_each
from scipy import stats

import indicatrix as ix
from indicatrix.algebra.average import score_name

LR = np.array([0.71, 0.74, 0.69, 0.73, 0.72, 0.70, 0.75, 0.68, 0.74, 0.71])
RF = np.array([0.78, 0.72, 0.76, 0.75, 0.73, 0.74, 0.77, 0.75, 0.74, 0.73])


def evaluations(seed: int = 0, *, k: int = 10, n: int = 200, **options: Any) -> dict[str, ix.Evaluation]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    made = {}
    for name, right in (("lr", 0.6), ("rf", 0.8), ("nb", 0.7)):
        z = np.where(rng.random(n) < right, y, rng.integers(0, 3, n))
        made[name] = ix.evaluate(y, z, by={"fold": np.arange(n) % k}, **options)
    return made


MANY = evaluations(1)


@pytest.mark.parametrize("share", [None, 0.2, 0.5])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_the_corrected_resampled_t(share: float | None, level: float) -> None:
    (pair,) = ix.inference.compare_folds({"lr": LR, "rf": RF}, test_share=share, level=level).pairs
    d, rho = LR - RF, share or 0.1
    scale = math.sqrt((1 / 10 + rho / (1 - rho)) * d.var(ddof=1))
    t = d.mean() / scale
    assert pair.differences == tuple(d)
    assert (pair.difference, pair.statistic, pair.freedom) == pytest.approx((d.mean(), t, 9))
    assert pair.p == pytest.approx(2 * stats.t.sf(abs(t), 9))
    assert (pair.low, pair.high) == pytest.approx(stats.t.interval(level, 9, loc=d.mean(), scale=scale))
    # With independent folds it would be SciPy's paired t-test.
    shrink = math.sqrt(1 / 10 / (1 / 10 + rho / (1 - rho)))
    assert pair.statistic == pytest.approx(stats.ttest_rel(LR, RF).statistic * shrink)


@pytest.mark.parametrize("rope", [0, 0.01, 0.03])
@pytest.mark.parametrize("runs", [1, 2, 5])
def test_the_correlated_t_test_is_baycomps(rope: float, runs: int) -> None:
    baycomp = pytest.importorskip("baycomp")
    (pair,) = ix.inference.compare_folds({"lr": LR, "rf": RF}, rope=rope, test_share=runs / 10).pairs
    theirs = baycomp.two_on_single(LR, RF, rope=rope, runs=runs)
    ours = (pair.first_better, pair.equivalent, pair.second_better) if rope else (pair.first_better, pair.second_better)
    assert ours == pytest.approx(theirs, abs=1e-12)
    assert pair.first_better + pair.equivalent + pair.second_better == pytest.approx(1)


@pytest.mark.one_fast_case
@pytest.mark.parametrize(("measure", "average"), [("f1", "macro"), ("recall", "micro"), ("error_rate", "micro")])
def test_evaluations_folds_and_scores_are_the_same(measure: str, average: str) -> None:
    given = evaluations()
    better = ix.algebra.MEASURES[measure].better
    a = ix.inference.compare_folds(given, measure, average)
    b = ix.inference.compare_folds({name: ev.folds(measure, average) for name, ev in given.items()})
    c = ix.inference.compare_folds({n: np.asarray(ev.folds(measure, average).values) for n, ev in given.items()}, better=better)
    assert a.to_dict() == b.to_dict() == c.to_dict()
    assert a.better == better
    assert a.names == ("lr", "rf", "nb")
    assert [(pair.first, pair.second) for pair in a.pairs] == [("lr", "rf"), ("lr", "nb"), ("rf", "nb")]
    assert all(p.p <= p.adjusted <= min(1, 3 * p.p) for p in a.pairs)


def test_the_direction_of_a_measure() -> None:
    up = ix.inference.compare_folds({"a": LR, "b": RF}).pairs[0]
    down = ix.inference.compare_folds({"a": 1 - LR, "b": 1 - RF}, better="lower").pairs[0]
    assert (down.first_better, down.equivalent, down.second_better) == pytest.approx(
        (up.first_better, up.equivalent, up.second_better)
    )
    assert (down.difference, down.statistic, down.p) == pytest.approx((-up.difference, -up.statistic, up.p))
    assert up.second_better > 0.8
    given = evaluations()
    right, wrong = (ix.inference.compare_folds(given, m, "micro", rope=0).pairs[0] for m in ("accuracy", "error_rate"))
    assert wrong.first_better == pytest.approx(right.first_better)
    assert right.second_better > right.first_better
    text = str(ix.inference.compare_folds({"a": 1 - LR, "b": 1 - RF / 0.5 + 0.5}, better="lower"))
    assert "b is better." in text


def test_exchanged_classifiers_exchange_the_result() -> None:
    one = ix.inference.compare_folds({"a": LR, "b": RF}).pairs[0]
    two = ix.inference.compare_folds({"b": RF, "a": LR}).pairs[0]
    assert (one.first_better, one.second_better, one.p) == pytest.approx((two.second_better, two.first_better, two.p))
    assert (one.low, one.high) == pytest.approx((-two.high, -two.low))


def test_folds_are_matched_by_name() -> None:
    y, lr, rf, fold = [1, 0, 1, 1, 0, 1], [1, 0, 0, 1, 1, 1], [1, 0, 1, 1, 0, 0], ["a", "a", "b", "b", "c", "c"]
    order = [4, 5, 2, 3, 0, 1]
    one = ix.evaluate(y, lr, by={"fold": fold})
    two = ix.evaluate(y, rf, by={"fold": fold})
    turned = ix.evaluate(*([x[i] for i in order] for x in (y, rf)), by={"fold": [fold[i] for i in order]})
    a, b = (ix.inference.compare_folds({"lr": one, "rf": x}, "accuracy") for x in (two, turned))
    assert a.to_dict() == b.to_dict()
    assert a.values.names == (("lr", "rf"), ("a", "b", "c"))
    assert a.pairs[0].differences == (0, -0.5, 0)


@for_each(
    ("given", "more", "message"),
    [
        ({"a": LR}, {}, "at least two classifiers"),
        ([LR, RF], {}, "at least two classifiers by name"),
        ({"a": LR, "b": RF[:9]}, {}, "numbers of scores differ"),
        ({"a": LR, "b": "x"}, {}, "scores of its folds, not a str"),
        ({"a": LR, "b": 0.5}, {}, "one score for each fold"),
        ({"a": LR, "b": evaluations()["lr"]}, {}, "plain scores for all"),
        ({"a": LR, "b": RF}, {"measure": "f1"}, "plain scores. Leave it out"),
        (evaluations(), {}, "Name the measure by which lr, rf and nb are compared"),
        (evaluations(), {"measure": "prevalence", "average": "micro"}, "Neither higher nor lower"),
        ({"a": LR, "b": RF}, {"better": "more"}, "better='more' must be"),
        ({"a": LR, "b": RF}, {"rope": -1}, "rope=-1"),
        ({"a": LR, "b": RF}, {"level": 1}, "level=1"),
        ({"a": LR, "b": RF}, {"test_share": 0}, "test_share=0"),
        (
            {"a": evaluations()["lr"], "b": evaluations(k=5)["lr"]},
            {"measure": "f1", "average": "macro"},
            "only one of them has 5, ",
        ),
        (
            {"a": evaluations()["lr"], "b": evaluations(n=201)["lr"]},
            {"measure": "f1", "average": "macro"},
            "fold 0 has 20 .* 21 for",
        ),
        (
            {"a": evaluations()["lr"].folds("f1", "macro"), "b": evaluations()["lr"].folds("f1", "micro")},
            {},
            "'a' has average macro, but 'b' has micro",
        ),
        ({"a": evaluations()["lr"].folds("f1", "macro"), "b": evaluations()["lr"]}, {"measure": "f1"}, "already has a measure"),
        ({"a": [0.5, math.nan], "b": [0.5, 0.6]}, {"undefined": "raise"}, "undefined in fold 2"),
    ],
)
def test_what_cannot_be_compared_is_refused(given: Any, more: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        ix.inference.compare_folds(given, **more)


@pytest.mark.parametrize(
    ("a", "b", "note"),
    [
        ([0.5, 0.6, 0.7], [0.5, 0.6, 0.7], "equal scores in every fold"),
        ([0.3, 0.6, 0.7], [0.1 + 0.2, 0.5 + 0.1, 0.8 - 0.1], "equal scores in every fold"),  # but for rounding
        ([0.3, 0.4, 0.5], [0.1, 0.2, 0.3], "the same difference in every fold"),
        ([0.5], [0.6], "needs two folds"),
        ([0.5, math.nan], [0.6, 0.7], "needs two folds"),
    ],
)
def test_what_cannot_be_tested_is_said(a: list[float], b: list[float], note: str) -> None:
    found = ix.inference.compare_folds({"a": a, "b": b})
    (pair,) = found.pairs
    assert any(note in text for text in found.notes)
    assert note in str(found)
    assert np.isnan([pair.p, pair.adjusted, pair.statistic, pair.low, pair.high, pair.first_better, pair.equivalent]).all()
    assert pair.difference == pytest.approx(a[0] - b[0], abs=1e-12)


def test_undefined_folds() -> None:
    a, b = [0.5, 0.7, math.nan, 0.6, 0.9], [0.6, 0.6, 0.5, math.nan, 0.7]
    out = ix.inference.compare_folds({"a": a, "b": b})
    assert out.pairs[0].differences == pytest.approx((-0.1, 0.1, 0.2))
    assert out.notes == ("a and b: undefined in fold 3, 4, excluded.",)
    assert out.pairs[0].statistic == pytest.approx(
        np.mean([-0.1, 0.1, 0.2]) / (np.std([-0.1, 0.1, 0.2], ddof=1) * math.sqrt(1 / 3 + 1 / 4))
    )
    zero = ix.inference.compare_folds({"a": a, "b": b}, undefined=0)
    assert zero.pairs[0].differences == pytest.approx((-0.1, 0.1, -0.5, 0.6, 0.2))
    assert math.isnan(ix.inference.compare_folds({"a": a, "b": b}, undefined="nan").pairs[0].p)
    y, fold = [1, 0, 0, 0, 1, 1], [1, 1, 2, 2, 3, 3]  # fold 2 has no positive
    given = {n: ix.evaluate(y, z, by={"fold": fold}) for n, z in (("a", [1, 0, 0, 0, 1, 0]), ("b", [0, 0, 0, 0, 1, 1]))}
    assert ix.inference.compare_folds(given, "recall").pairs[0].differences == (1, -0.5)
    assert ix.inference.compare_folds(given, "recall", undefined=0).pairs[0].differences == (1, 0, -0.5)


EVERY = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages and m.better != "neither"]


@for_each("measure", EVERY)
def test_every_measure_is_compared_or_says_why_not(measure: ix.Measure) -> None:
    for average in ("micro", "macro"):
        found = ix.inference.compare_folds(MANY, measure, average, rope=0)
        for pair in found.pairs:
            tested = math.isfinite(pair.p)
            assert tested or any(f"{pair.first} and {pair.second}: " in note for note in found.notes)
            assert not tested or (pair.adjusted < 0.05) == (pair.low > 0 or pair.high < 0)
            ahead = pair.difference > 0 if measure.better == "higher" else pair.difference < 0
            assert not tested or (pair.first_better > 0.5) == ahead or pair.difference == 0
        assert str(found).startswith(f"{score_name(measure, average)} over 10 folds")


def test_what_is_printed() -> None:
    text = str(ix.inference.compare_folds({"lr": LR, "rf": RF}))
    assert text.startswith("score over 10 folds, each tested on 0.1 of the data; higher is better\n  lr  mean 0.717, sd 0.0231\n")
    assert "corrected resampled t(9) = -2.06, p = 0.069: no difference is shown." in text
    assert "Holm" not in text
    assert "simultaneous over 3 pairs" in str(ix.inference.compare_folds({"lr": LR, "rf": RF, "nb": LR + 0.01 * RF}))
    several = ix.inference.compare_folds(evaluations(), "f1", "macro")
    assert repr(several) == "<FoldComparison: macro f1 of lr, rf, nb over 10 folds>"
    assert list(several.to_pandas()["first"]) == ["lr", "lr", "rf"]
    assert several.to_polars()["p"].to_list() == several.to_dict()["p"]


def test_repeated_folds_are_not_taken_for_more_folds() -> None:
    """Ten times 10 folds: with a share of 1/100 the test rejects eight times too often."""
    rng = np.random.default_rng(0)
    many = {"a": rng.random(100), "b": rng.random(100)}
    with pytest.raises(ValueError, match=r"There are 100 folds, and nothing says whether they are repeated"):
        ix.inference.compare_folds(many)
    by_repeats, by_share = ix.inference.compare_folds(many, repeats=10), ix.inference.compare_folds(many, test_share=0.1)
    assert by_repeats.to_dict() == by_share.to_dict()
    assert by_repeats.test_share == 0.1
    once = ix.inference.compare_folds(many, repeats=1).pairs[0]
    assert once.high - once.low < 0.45 * (by_repeats.pairs[0].high - by_repeats.pairs[0].low)
    for wrong in (0, 3, 100, 1.5, True):
        with pytest.raises(ValueError, match=r"repeats=.* must be how often the data were split"):
            ix.inference.compare_folds(many, repeats=wrong)
    with pytest.raises(ValueError, match=r"repeats= or test_share=, not both"):
        ix.inference.compare_folds(many, repeats=10, test_share=0.1)
    assert ix.inference.compare_folds({name: x[:20] for name, x in many.items()}).test_share == 0.05


def test_an_axis_says_how_often_folds_are_repeated() -> None:
    rng = np.random.default_rng(1)
    y, fold = np.tile(rng.integers(0, 2, 60), 3), np.repeat(np.arange(15), 12)
    by = {"fold": fold, "repeat": np.repeat(np.arange(3), 60)}
    both = {name: ix.evaluate(y, np.where(rng.random(180) < 0.7, y, 1 - y), by=by) for name in "ab"}
    assert ix.inference.compare_folds(both, "accuracy").test_share == 0.2
    assert ix.inference.compare_folds({name: ev.folds("accuracy") for name, ev in both.items()}).test_share == 0.2
    assert "tested on 0.2 of the data" in ix.inference.fold_interval(both["a"].folds("accuracy")).note
    with pytest.raises(ValueError, match="so they are repeated or random"):
        ix.inference.fold_interval(both["a"].folds("accuracy"), method="cv_clt")


def test_what_decides_is_what_is_printed() -> None:
    """Of several classifiers, interval, adjusted p and sentence say the same."""
    rng = np.random.default_rng(7)
    for _ in range(50):
        k, centers = int(rng.integers(2, 6)), rng.normal(scale=0.03, size=6)
        made = ix.inference.compare_folds({f"c{i}": 0.7 + centers[i] + rng.normal(scale=0.02, size=10) for i in range(k)})
        for pair in made.pairs:
            clear = pair.adjusted < 0.05
            assert clear == (pair.low > 0 or pair.high < 0)
            assert pair.adjusted >= pair.p


def test_the_region_of_equivalence_fits_the_scale_of_the_score() -> None:
    given = {"a": MANY["lr"], "b": MANY["rf"]}
    assert ix.inference.compare_folds(given, "f1", "macro").rope == ix.inference.compare_folds(given, "macro mcc").rope == 0.01
    cost = ix.inference.compare_folds(given, "macro 5*fn + fp")
    assert cost.rope == 0
    assert "by more than 0.01" not in str(cost)
    assert any("5 * fn + fp is a total: the values are of folds of" in note for note in cost.notes)
    assert any("No region of practical equivalence: macro 5 * fn + fp has no bounds" in note for note in cost.notes)
    assert ix.inference.compare_folds(given, "macro 5*fn + fp", rope=3).rope == 3
    plain = ix.inference.compare_folds({"a": [10, 12, 13.0], "b": [30, 35, 32.0]}, better="lower")
    assert (plain.rope, plain.notes[-1].split(",")[0]) == (0, "No region of practical equivalence: score lies between 10 and 35")
