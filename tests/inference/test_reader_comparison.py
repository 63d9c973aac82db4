"""Tests compared by several readers of the same cases: the published numbers of MRMCaov, and what designs have to be."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from loops import for_each

import indicatrix as ix

# 114 cases, rated 1 to 5 by 5 readers under 2 treatments: VanDyke of the R package MRMCaov (brian-j-smith/MRMCaov).
with (Path(__file__).parent / "vandyke.csv").open(encoding="utf-8") as _file:
    _rows = [*csv.DictReader(_file)]
FRAME: dict[str, Any] = {name: [row[name] for row in _rows] for name in ("treatment", "reader")}
FRAME |= {name: [int(row[name]) for row in _rows] for name in ("case", "truth", "rating")}
N = len({*FRAME["case"]})
COLUMNS = {"test": "treatment", "reader": "reader", "case": "case", "true": "truth", "pred": "rating"}


def test_the_sensitivities_of_mrmcaov() -> None:
    """docs/jss/MRMCaov.tex, binary_sens of rating >= 3: -0.0978 [-0.1780, -0.0175], F 6.689493, p 0.02008822, covariances."""
    found = ix.compare_readers(FRAME, "recall", decide=3, **COLUMNS)
    apart = found.differences["1", "2"]
    assert (apart.value, apart.low, apart.high) == pytest.approx((-0.09777778, -0.1780371, -0.0175185), rel=1e-5)
    assert (found.statistic, *found.freedom, found.p_value) == pytest.approx((6.689493, 1, 15.71732, 0.02008822), rel=1e-6)
    assert found.p_values["1", "2"] == pytest.approx(0.02008822, rel=1e-6)
    errors = (0.0023681257, 0.0009943883, 0.0010145903, 0.0006604938)
    assert (found.variance, *found.covariances) == pytest.approx(errors, rel=1e-6)
    ends = [(i.value, i.low, i.high) for i in found.means]
    assert ends == [pytest.approx(x, rel=1e-5) for x in ((0.8222222, 0.6961876, 0.9482568), (0.92, 0.8328691, 1.0))]
    assert found.values.round(3).tolist() == [[0.889, 0.778, 0.822, 0.933, 0.689], [0.978, 0.822, 0.911, 1.0, 0.889]]
    assert "1 - 2: -0.0978 [-0.178, -0.0175], p = 0.02" in str(found)


def test_the_areas_of_mrmcaov() -> None:
    """docs/jss/MRMCaov.tex, empirical_auc: unbiased F 4.489614, p 0.0511618; fixed readers X2 5.475953, p 0.01927984."""
    found = ix.compare_readers(FRAME, "auc", method="unbiased", **COLUMNS)
    assert (found.statistic, *found.freedom, found.p_value) == pytest.approx((4.489614, 1, 15.03418, 0.0511618), rel=1e-5)
    errors = (0.0007883925, 0.0003416706, 0.0003390650, 0.0002356148)
    assert (found.variance, *found.covariances) == pytest.approx(errors, rel=1e-6)
    fixed = ix.compare_readers(FRAME, "auc", random="cases", **COLUMNS)
    assert (fixed.statistic, fixed.p_value) == pytest.approx((5.475953, 0.01927984), rel=1e-6)
    apart = fixed.differences["1", "2"]
    assert (apart.value, apart.low, apart.high) == pytest.approx((-0.04380032, -0.08048591, -0.00711473), rel=1e-6)
    assert (fixed.means[0].low, fixed.means[0].high) == pytest.approx((0.8494301, 0.9446440), rel=1e-6)
    readers = ix.compare_readers(FRAME, "auc", random="readers", **COLUMNS)
    assert readers.freedom == (1.0, 4.0)
    assert readers.statistic == pytest.approx(0.004796171 / 0.0005510306, rel=1e-6)


@for_each("name", ["f1", "mcc", "accuracy", "macro recall", "cohen_kappa", "tp/(tp+fp+fn)", "brier", "multiclass_mcc"])
def test_any_measure(name: str) -> None:
    options = {} if name == "brier" else {"decide": 3}
    frame = {**FRAME, "rating": [x / 6 for x in FRAME["rating"]]} if name == "brier" else FRAME
    found = ix.compare_readers(frame, name, **COLUMNS, **options)
    own, truth = (FRAME[column][N : 2 * N] for column in ("rating", "truth"))  # of treatment 1 and reader 2
    ev = ix.evaluate(truth, [x / 6 for x in own] if name == "brier" else own, decide=0.5 if name == "brier" else 3)
    assert found.values[0, 1] == pytest.approx(float(ev.score(name)))
    apart = found.differences["1", "2"]
    assert apart.low < apart.value < apart.high
    assert (found.p_value < 0.05) == (0 not in apart)


def test_frames_and_the_order_of_rows() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(FRAME)
    plain = ix.compare_readers(FRAME, "auc", **COLUMNS)
    shuffled = ix.compare_readers(frame.sample(frac=1, random_state=1), "auc", **COLUMNS)
    assert shuffled.p_value == pytest.approx(plain.p_value)
    assert plain.to_pandas().shape == (10, 3)


@for_each("name", ["accuracy", "macro recall", "mcc", "auc"])
@for_each("random", ["both", "readers", "cases"])
def test_tests_that_say_the_same_do_not_differ(name: str, random: str) -> None:
    """Whatever the readers and the order of sums: no difference is made of rounding."""
    half = {column: values[: 5 * N] for column, values in FRAME.items()}
    for shift in (0, 1, 2):  # the second test has the same readers in another order
        readers = [str(1 + (int(r) - 1 + shift) % 5) for r in half["reader"]]
        frame = {column: [*values, *values] for column, values in half.items()}
        frame |= {"treatment": ["1"] * (5 * N) + ["2"] * (5 * N), "reader": [*half["reader"], *readers]}
        found = ix.compare_readers(frame, name, **COLUMNS, random=random, **({} if name == "auc" else {"decide": 3}))
        assert found.differences["1", "2"].value == pytest.approx(0, abs=1e-12)
        assert found.p_value == pytest.approx(1, abs=1e-9)
        assert found.p_values["1", "2"] == pytest.approx(1, abs=1e-6)


@for_each("method", ["jackknife", "unbiased"])
@for_each("random", ["both", "readers", "cases"])
def test_few_cases_have_an_answer_or_a_reason(method: str, random: str) -> None:
    """An unbiased variance of few cases may be negative, which says nothing about differences."""
    rng, reasons = np.random.default_rng(0), []
    design = {"treatment": np.repeat(["1", "2"], 8), "reader": np.tile(np.repeat([1, 2], 4), 2), "case": np.tile(np.arange(4), 4)}
    for _ in range(40):
        frame = {**design, "truth": np.tile([0, 0, 1, 1], 4), "rating": rng.integers(1, 4, 16)}
        try:
            found = ix.compare_readers(frame, "auc", **COLUMNS, random=random, method=method)
        except ValueError as reason:
            reasons.append(str(reason))
        else:
            assert 0 <= found.p_value <= 1
            assert all(one.low <= one.value <= one.high for one in (*found.means, *found.differences.values()))
    assert all("variance is negative" in reason for reason in reasons)
    assert bool(reasons) == ((method, random) == ("unbiased", "cases"))


def test_three_tests_and_refusals() -> None:
    third = {name: [*column, *column[: 5 * N]] for name, column in FRAME.items()}
    third["treatment"][-5 * N :] = ["3"] * (5 * N)
    found = ix.compare_readers(third, "recall", decide=3, **COLUMNS)
    assert found.differences["1", "3"].value == 0
    assert found.p_values["1", "3"] == 1
    assert found.freedom[0] == 2
    few = {name: column[1:] for name, column in FRAME.items()}
    for wrong, frame, options in (
        ("did not read case 0 under '1'", few, {}),
        ("The truth of case 0 is not the same", {**FRAME, "truth": [1 - FRAME["truth"][0], *FRAME["truth"][1:]]}, {}),
        ("more than once", {name: [*column, column[0]] for name, column in FRAME.items()}, {}),
        ("at least 2 of each", {name: column[: 5 * N] for name, column in FRAME.items()}, {}),
        ("random='no'", FRAME, {"random": "no"}),
        ("method='no'", FRAME, {"method": "no"}),
        ("variance of AUC", FRAME, {"method": "unbiased"}),
        ("case='image' is not a column", FRAME, {"case": "image"}),
    ):
        with pytest.raises(ValueError, match=wrong):
            ix.compare_readers(frame, "recall", decide=3, **{**COLUMNS, **options})


def test_weights_belong_to_the_rows_of_the_frame() -> None:
    """Whatever the order of rows: a weight goes with its reading, and a case that weighs nothing counts nowhere."""
    rng = np.random.default_rng(8)
    truth, said = np.tile(rng.integers(0, 2, 12), 4), rng.integers(0, 2, 48)
    frame = {"y": truth, "p": said, "way": np.repeat(["new", "old"], 24), "who": np.tile(np.repeat(["a", "b"], 12), 2)}
    frame["image"] = np.tile([f"c{k}" for k in range(12)], 4)
    roles = {"test": "way", "reader": "who", "case": "image", "true": "y", "pred": "p"}
    weight = np.tile(rng.integers(1, 4, 12), 4)
    found = ix.compare_readers(frame, "accuracy", **roles, sample_weight=weight)
    for i, (way, who) in enumerate([("new", "a"), ("new", "b"), ("old", "a"), ("old", "b")]):
        own = (frame["way"] == way) & (frame["who"] == who)
        assert found.values.ravel()[i] == pytest.approx(np.average(truth[own] == said[own], weights=weight[own]))
    mixed = rng.permutation(48)
    again = ix.compare_readers(
        {name: some[mixed] for name, some in frame.items()}, "accuracy", **roles, sample_weight=weight[mixed]
    )
    np.testing.assert_allclose(again.values, found.values)
    with pytest.raises(ValueError, match="sample_weight= needs an entry for each of the 48 rows"):
        ix.compare_readers(frame, "accuracy", **roles, sample_weight=weight[:12])
    with pytest.raises(ValueError, match="by= is not for readers"):
        ix.compare_readers(frame, "accuracy", **roles, by={"x": weight})


def test_weights_of_readings_in_another_order_are_refused() -> None:
    frame = pd.DataFrame(FRAME)
    for name, rows in (("sample_weight", frame["case"]), ("mask", frame["case"] > 20)):
        with pytest.raises(ValueError, match=f"{name} has the row labels of test in another order"):
            ix.compare_readers(frame, "auc", **COLUMNS, **{name: rows[::-1]})


def test_scores_that_nothing_moves_are_not_certain() -> None:
    """An interval without a width says why it has none."""
    frame = {"y": [0, 1, 0] * 4, "p": [0, 1, 0] * 2 + [1, 0, 1] * 2, "way": ["new"] * 6 + ["old"] * 6}
    frame |= {"who": (["a"] * 3 + ["b"] * 3) * 2, "image": [1, 2, 3] * 4}
    found = ix.compare_readers(frame, "accuracy", test="way", reader="who", case="image", true="y", pred="p")
    for made in (*found.means, *found.differences.values()):
        assert made.low == made.high
        assert "does not mean that it is certain" in made.note
    assert str(found).count("does not mean that it is certain") == 1


@for_each("method", ["jackknife", "unbiased"])
def test_a_case_that_is_masked_is_as_one_that_nobody_read(method: str) -> None:
    """Its ratings move neither areas nor how they vary together."""
    seen = np.array(FRAME["case"]) > 20
    rows = np.flatnonzero(seen)
    less = {name: [column[i] for i in rows] for name, column in FRAME.items()}
    asked: dict[str, Any] = {**COLUMNS, "method": method, "random": "cases"}
    found, expected = ix.compare_readers(FRAME, "auc", mask=seen, **asked), ix.compare_readers(less, "auc", **asked)
    assert (found.cases, str(found)) == (expected.cases, str(expected))
    for name in ("variance", "covariances", "statistic", "p_value", "values"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-9)


def test_unbiased_covariances_of_readings_that_are_masked_apart() -> None:
    """The product of two areas less the mean over pairs of cases, seen by each of the two, that share no case."""
    rng = np.random.default_rng(3)
    truth, rating, seen = np.tile([0, 1] * 4, 4), rng.integers(0, 5, 32), rng.random(32) < 0.8
    frame = {"y": truth, "p": rating, "way": np.repeat(["new", "old"], 16), "who": np.tile(np.repeat(["a", "b"], 8), 2)}
    frame["image"] = np.tile(np.arange(8), 4)
    roles = {"test": "way", "reader": "who", "case": "image", "true": "y", "pred": "p"}
    found = ix.compare_readers(frame, "auc", **roles, method="unbiased", random="readers", mask=seen)
    pairs = []
    for said, known in zip(rating.reshape(4, 8), seen.reshape(4, 8), strict=True):
        both = [(i, j) for i in (1, 3, 5, 7) for j in (0, 2, 4, 6) if known[i] and known[j]]
        pairs.append({(i, j): float(said[i] > said[j]) + 0.5 * float(said[i] == said[j]) for i, j in both})

    def covariance(one: int, other: int) -> float:
        apart = [x * y for (a, b), x in pairs[one].items() for (c, d), y in pairs[other].items() if a != c and b != d]
        return float(np.mean([*pairs[one].values()]) * np.mean([*pairs[other].values()]) - np.mean(apart))

    of_kinds = [[(k, k) for k in range(4)], [(0, 2), (1, 3)], [(0, 1), (2, 3)], [(0, 3), (1, 2)]]
    expected = [np.mean([covariance(*both) for both in kind]) for kind in of_kinds]
    np.testing.assert_allclose([found.variance, *found.covariances], expected, atol=1e-12)


@for_each("name", ["accuracy", "recall", "brier", "auc"])
def test_readings_that_are_masked_apart_are_paired_by_case(name: str) -> None:
    """Each reader did not observe another case: their scores without a case are those without the same case."""
    rng = np.random.default_rng(5)
    truth, rating, seen = np.tile([0, 1] * 6, 4), rng.random(48), np.ones((4, 12), bool)
    said = rating.round() if name in ("accuracy", "recall") else rating
    seen[[0, 1, 2, 3], [1, 4, 7, 10]] = False
    frame = {"y": truth, "p": said, "way": np.repeat(["new", "old"], 24), "who": np.tile(np.repeat(["a", "b"], 12), 2)}
    frame["image"] = np.tile(np.arange(12), 4)
    roles = {"test": "way", "reader": "who", "case": "image", "true": "y", "pred": "p"}
    found = ix.compare_readers(frame, name, **roles, mask=seen.ravel())
    measure = getattr(ix, name)

    def score(reading: int, left_out: int) -> float:
        kept = seen[reading] & (np.arange(12) != left_out)
        return float(measure(truth[:12][kept], said.reshape(4, 12)[reading][kept]))

    left = np.array([[score(reading, case) for case in range(12)] for reading in range(4)])
    own = np.array([score(reading, -1) for reading in range(4)])
    left = left[:, (np.abs(left - own[:, None]) > 1e-12).any(axis=0)]
    n = left.shape[1]
    apart = left - left.mean(axis=1, keepdims=True)
    covariance = (n - 1) / n * apart @ apart.T
    of_kinds = [[(k, k) for k in range(4)], [(0, 2), (1, 3)], [(0, 1), (2, 3)], [(0, 3), (1, 2)]]
    expected = [np.mean([covariance[both] for both in kind]) for kind in of_kinds]
    np.testing.assert_allclose([found.variance, *found.covariances], expected, rtol=1e-9, atol=1e-12)


def test_readers_who_decline_other_cases_are_paired_by_case() -> None:
    """The precision of an example without an answer is undefined: its mean has other cases for each reader."""
    rng = np.random.default_rng(6)
    truth = np.arange(12) % 3
    said = np.where(rng.random((4, 12)) < 0.4, (truth + 1) % 3, truth).astype(object)
    said[[0, 1, 2, 3], [1, 4, 7, 10]] = None
    frame = {"y": np.tile(truth, 4), "p": said.ravel().tolist(), "way": np.repeat(["new", "old"], 24)}
    frame |= {"who": np.tile(np.repeat(["a", "b"], 12), 2), "image": np.tile(np.arange(12), 4)}
    roles = {"test": "way", "reader": "who", "case": "image", "true": "y", "pred": "p"}
    found = ix.compare_readers(frame, "precision", "exemplar", **roles, missing="abstain")
    hits = np.where(said == None, np.nan, said == truth).astype(float)  # noqa: E711
    left = np.array([np.nanmean(np.delete(hits, case, axis=1), axis=1) for case in range(12)]).T
    apart = left - left.mean(axis=1, keepdims=True)
    covariance = 11 / 12 * apart @ apart.T
    of_kinds = [[(k, k) for k in range(4)], [(0, 2), (1, 3)], [(0, 1), (2, 3)], [(0, 3), (1, 2)]]
    expected = [np.mean([covariance[both] for both in kind]) for kind in of_kinds]
    np.testing.assert_allclose([found.variance, *found.covariances], expected, rtol=1e-9, atol=1e-12)
