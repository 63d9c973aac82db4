"""Weak slices: each is a group of the examples, found where it was planted, for any measure, and not where nothing is."""

from __future__ import annotations

import pickle
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from loops import for_each

import indicatrix as ix

RNG = np.random.default_rng(5)
N = 4000
SITE, AGE = RNG.integers(0, 4, N), RNG.uniform(20, 80, N)
BAD = (SITE == 2) & (AGE >= 65)
FEATURES = {"site": np.array(list("abcd"))[SITE].tolist(), "age": AGE, "noise": RNG.integers(0, 3, N)}
TRUE = RNG.integers(0, 3, N)
WRONG = RNG.random(N) < np.where(BAD, 0.6, 0.1)
PRED = np.where(WRONG, (TRUE + 1) % 3, TRUE)
PATIENT = np.arange(N) // 4


def test_the_data_of_sliceline() -> None:
    """DataDome/sliceline, tests/conftest.py, experiment 1: the slice (1, 1, ·), of size 10, has the score 0.9 at alpha 0.95."""
    np.random.seed(1)
    n = 10
    x = np.array([[1] * n + [2] * 5 + [1] * 5, [1] * n + [1] * 5 + [2] * 5, np.random.randint(1, 4, 2 * n)]).T
    errors = np.array([1] * n + [0] * n)
    found = ix.evaluate(np.ones(2 * n, int), 1 - errors).weakest("recall", among=x, smallest=1)
    worst = found[0]
    assert (worst.where, worst.n, worst.value) == ({"0": 1, "1": 1}, 10, 0.0)
    mean, share = (1 - worst.value) / errors.mean(), worst.n / len(x)
    assert 0.95 * (mean - 1) - 0.05 * (1 / share - 1) == pytest.approx(0.9)


MEASURES: dict[str, tuple[Any, ...]] = {
    "micro recall": ("recall", "micro"),
    "macro f1": ("f1", "macro"),
    "weighted precision": ("precision", "weighted"),
    "accuracy": ("accuracy", None),
    "error": ("error_rate", "micro"),
    "a formula": ("tp/(tp+fp+fn)", "macro"),
    "kappa": ("multiclass_kappa", None),
}


@for_each("name", MEASURES)
def test_any_score_finds_what_was_planted(name: str) -> None:
    measure, average = MEASURES[name]
    ev = ix.evaluate(TRUE, PRED)
    found = ev.weakest(measure, among=FEATURES, average=average)
    worst = found[0]
    assert worst.where["site"] == "c"
    assert worst.where["age"][0] > 55
    here = (SITE == 2) & (worst.where["age"][0] <= AGE) & (worst.where["age"][1] > AGE)
    own = ix.evaluate(TRUE[here], PRED[here], classes=range(3))
    assert (worst.n, worst.value) == (here.sum(), pytest.approx(float(own.score(measure, average))))
    assert worst.rest == pytest.approx(float(ix.evaluate(TRUE[~here], PRED[~here]).score(measure, average)))
    assert worst.interval.low <= worst.value <= worst.interval.high
    plain = own.interval(measure, average)
    assert worst.interval.width > plain.width  # it allows for the choice


def probabilities() -> Any:
    p = np.where(RNG.random(N) < 0.5, 0.8, 0.3)
    return np.where(WRONG, 1 - p, p), (RNG.random(N) < p).astype(int)


@for_each("measure", ["brier", "log_loss", "auc"])
def test_losses_and_areas(measure: str) -> None:
    p, y = probabilities()
    found = ix.evaluate(y, p, decide=0.5).weakest(measure, among={"site": SITE, "age": AGE}, bins=4)
    assert found[0].where["site"] == 2
    assert found[0].n >= 50


def test_weights_clusters_and_label_sets() -> None:
    ev = ix.evaluate(TRUE, PRED, sample_weight=np.where(SITE == 0, 2.0, 1.0), by={"patient": PATIENT})
    for options in ({}, {"clusters": "patient"}):
        if options:
            ev = ix.evaluate(TRUE, PRED, by={"patient": PATIENT})
        found = ev.weakest("recall", among=FEATURES, average="micro", **options)
        assert found[0].where["site"] == "c"
    y = np.eye(3, dtype=int)[TRUE] | (RNG.random((N, 3)) < 0.2)
    z = np.where(WRONG[:, None], 1 - y, y)
    assert ix.evaluate(y, z).weakest("f1", among=FEATURES, average="macro")[0].where["site"] == "c"
    assert ix.evaluate(y, z).weakest("f1", among=FEATURES, average="exemplar")[0].where["site"] == "c"


def test_equal_weights_change_nothing() -> None:
    plain, weighted = (ix.evaluate(TRUE, PRED, sample_weight=w) for w in (None, np.full(N, 3.0)))
    found, same = (ev.weakest("recall", among=FEATURES, average="micro") for ev in (plain, weighted))
    assert [s.where for s in found] == [s.where for s in same]
    assert [s.value for s in found] == pytest.approx([s.value for s in same])


def test_counts_that_were_kept_give_the_same_slices(tmp_path: Any) -> None:
    few = {"site": FEATURES["site"], "age": (AGE - np.random.default_rng(1).exponential(10, N)).astype(int).tolist()}
    halves = [ix.evaluate(TRUE[k::2], PRED[k::2], by={a: v[k::2] for a, v in few.items()}) for k in (0, 1)]
    total = halves[0] + halves[1]
    total.save(tmp_path / "ev.json")
    rows = ix.evaluate(TRUE, PRED).weakest("recall", among=few, average="micro")
    for kept in (total, ix.load(tmp_path / "ev.json")):
        assert kept.weakest("recall", average="micro").to_dict() == rows.to_dict()
        with pytest.raises(ValueError, match="holds counts only"):
            kept.weakest("recall", among=few, average="micro")
    many = [f"c{k}" for k in range(70)]  # too many classes for pairs in groups
    sets = ix.evaluate([{many[k % 70]} for k in range(600)], [{many[0]}] * 600, by={"half": [0] * 300 + [1] * 300})
    sets = sets + sets
    assert sets.weakest("f1", average="exemplar").tested == 2
    with pytest.raises(ValueError, match="not kept when the counts were changed"):
        sets.weakest("f1", average="micro")


def test_numbers_are_cut_and_missing_values_are_a_value() -> None:
    age = np.where(RNG.random(N) < 0.1, np.nan, AGE)
    wrong = np.where(np.isnan(age), True, WRONG)
    found = ix.evaluate(np.ones(N, int), 1 - wrong).weakest("recall", among={"age": age, "site": SITE})
    assert (found[0].text, found[0].where) == ("age is missing", {"age": None})
    pred = np.where((AGE > 33) & (AGE < 41), 0, 1)
    (tree,) = ix.evaluate(np.ones(N, int), pred).weakest("recall", among={"age": AGE}, cut="tree", bins=3)
    low, high = tree.where["age"]
    assert low == pytest.approx(33, abs=2.5)
    assert high == pytest.approx(41, abs=2.5)
    days = np.datetime64("2024-01-01") + np.arange(N).astype("timedelta64[h]")
    (late,) = ix.evaluate(np.ones(N, int), (np.arange(N) < 0.8 * N).astype(int)).weakest("recall", among={"day": days})
    assert late.text.startswith("day >= 2024-05-1")


def test_frames_of_every_library() -> None:
    pandas, polars, arrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    ev = ix.evaluate(TRUE, PRED)
    plain = ev.weakest("recall", among=FEATURES, average="micro").to_dict()
    frames = (pandas.DataFrame(FEATURES), polars.DataFrame(FEATURES), arrow.table(FEATURES))
    for frame in frames:
        assert ev.weakest("recall", among=frame, average="micro").to_dict() == plain


def test_times_and_decimals_of_every_library_are_cut_as_numbers_are() -> None:
    """They were refused, or taken for categories, each with too few examples to be tested."""
    pl, pa = (pytest.importorskip(name) for name in ("polars", "pyarrow"))
    hours = np.arange(N).astype("timedelta64[h]")
    times = (np.datetime64("2024-01-01") + hours).astype("M8[us]")
    cents = [Decimal(k) / 100 for k in range(N)]
    ev = ix.evaluate(np.ones(N, int), (np.arange(N) < 0.8 * N).astype(int))
    kinds: list[tuple[list[Any], str]] = [
        (
            [times, pd.Series(times), pl.Series(times), pa.array(times), times.tolist(), pd.Series(times, dtype=object)],
            "2024-05-13T08",
        ),
        ([times.astype("M8[D]").tolist(), pl.Series(times).cast(pl.Date), pa.array(times.astype("M8[D]"))], "2024-05-13"),
        ([hours, pl.Series(hours.astype("m8[us]"))], ""),
        ([cents, pl.Series(cents), pa.array(cents), pd.Series(cents, index=range(N, 0, -1))], "32"),
    ]
    for columns, edge in kinds:
        for column in columns:
            (found,) = ev.weakest("recall", among={"f": column})
            assert found.text.startswith(f"f >= {edge}")
            assert found.n == pytest.approx(0.2 * N, abs=24)
    late = [None if k % 50 == 0 else t for k, t in enumerate(times.tolist())]
    assert ev.weakest("recall", among={"f": late})[0].n == 784


def test_what_is_held_out_is_not_searched() -> None:
    ev = ix.evaluate(TRUE, PRED, by={"patient": PATIENT})
    found = ev.weakest("recall", among=FEATURES, average="micro", held_out=0.5)
    whole = ev.weakest("recall", among=FEATURES, average="micro")
    assert found[0].where["site"] == whole[0].where["site"] == "c"
    assert found[0].n < 0.7 * whole[0].n
    assert "not searched" in str(found)
    assert ev.weakest("recall", among=FEATURES, average="micro", held_out=0.3, clusters="patient")[0].where["site"] == "c"


@pytest.mark.slow
def test_nothing_is_found_where_nothing_is() -> None:
    rng = np.random.default_rng(3)
    finds = 0
    for _ in range(20):
        y = np.ones(2000, int)
        among = {f"f{k}": rng.integers(0, 4, 2000) for k in range(5)}
        finds += bool(len(ix.evaluate(y, (rng.random(2000) < 0.9).astype(int)).weakest("recall", among=among)))
    assert finds <= 5


def test_many_values_and_small_groups() -> None:
    names = np.arange(N) % 3000
    found = ix.evaluate(TRUE, PRED).weakest("recall", {"name": [f"n{k}" for k in names], "site": SITE}, average="micro")
    assert all(s.n >= 50 and "name" not in s.where for s in found)
    big = RNG.integers(0, 2500, 20_000)
    pred = np.where((big == 7) | (RNG.random(20_000) < 0.05), 0, 1)
    worst = ix.evaluate(np.ones(20_000, int), pred).weakest(
        "recall", {"a": [f"a{k}" for k in big], "b": [f"b{k}" for k in big]}, smallest=3
    )
    assert (worst[0].value, worst[0].where) == (0.0, {"a": "a7"})
    assert worst.tested > 1000


def test_empty_one_row_and_one_value() -> None:
    with pytest.raises(ValueError, match="undefined"):
        ix.evaluate([], [], classes=[0, 1]).weakest("recall", among={"a": []})
    assert not ix.evaluate([1], [1]).weakest("recall", among={"a": [1]}, smallest=1)
    assert len(ix.evaluate([1] * 90, [0] * 90).weakest("recall", among={"a": [1] * 90})) == 0


def test_refusals() -> None:
    ev = ix.evaluate(TRUE, PRED)
    with pytest.raises(ValueError, match="4 entries for 4000"):
        ev.weakest("recall", among={"a": [1, 2, 3, 4]}, average="micro")
    with pytest.raises(ValueError, match="There are no features"):
        ev.weakest("recall", average="micro")
    with pytest.raises(ValueError, match="which of its values are better"):
        ev.weakest("abs(tp - fp) / n", among=FEATURES, average="micro")
    for wrong in ({"depth": 0}, {"bins": 1}, {"cut": "no"}, {"false_discoveries": 2}, {"held_out": 1.5}, {"better": "up"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            ev.weakest("recall", among=FEATURES, average="micro", **wrong)
    for wrong in ("a", ["a"], np.zeros(4000)):
        with pytest.raises(TypeError, match=r"^among= is "):
            ev.weakest("recall", among=wrong, average="micro")
    with pytest.raises(ValueError, match="no columns"):
        ev.weakest("recall", among={}, average="micro")
    with pytest.raises(TypeError, match="clusters= of an evaluation is the name of a grouping"):
        ev.weakest("recall", among=FEATURES, average="micro", clusters=np.arange(4000) // 4)
    with pytest.raises(AttributeError, match=r"features as by= is saved and added, and finds them again; to_dict"):
        ev.weakest("recall", among=FEATURES, average="micro").save("slices.json")


def test_copies_hold_no_rows() -> None:
    ev = ix.evaluate(TRUE, PRED)
    assert pickle.loads(pickle.dumps(ev)).rows is None
    assert (ev + ev).rows is None
    assert (
        ev.with_positive(1).weakest("recall", among=FEATURES)[0].value != ev.with_positive(2).weakest("recall", FEATURES)[0].value
    )


def test_texts_and_plot() -> None:
    pytest.importorskip("matplotlib")
    found = ix.evaluate(TRUE, PRED).weakest("recall", among=FEATURES, average="micro")
    assert "weakest slices, micro recall" in str(found)
    assert "<table" in found._repr_html_()
    assert "site = " in found.plot().get_yticklabels()[0].get_text()


def test_totals_are_refused_and_means_of_them_over_examples_are_not() -> None:
    """A small slice has few true positives because it is small; mistakes per example do not grow with the slice."""
    rng = np.random.default_rng(5)
    site = rng.integers(0, 4, 2000) ** 2 // 4
    truth = rng.integers(0, 2, (2000, 3))
    ev = ix.evaluate(truth, np.where(rng.random((2000, 3)) < np.where(site == 1, 0.6, 0.9)[:, None], truth, 1 - truth))
    with pytest.raises(ValueError, match=r"tp is a total that grows .* Look for slices of '\(tp\) / n'"):
        ev.weakest("micro tp", among={"site": site}, better="higher")
    (worst,) = ev.weakest("fp + fn", average="samples", among={"site": site}, better="lower")
    assert worst.where == {"site": 1}
    assert ev.weakest("micro (tp) / n", among={"site": site}, better="higher").tested == 3


def test_infinite_numbers_are_in_a_range_that_says_so() -> None:
    """An edge may be infinite: the range below it has an end, and the one above it holds what is infinite."""
    rng = np.random.default_rng(6)
    lost = rng.random(3000) < 0.5
    age = np.where(lost, np.inf, rng.normal(50, 10, 3000))
    ev = ix.evaluate([1] * 3000, np.where(lost & (rng.random(3000) < 0.4), 0, 1), positive=1)
    (worst,) = ev.weakest("recall", among={"age": age})
    assert (worst.text, worst.n) == ("age >= inf", int(lost.sum()))
    ev = ix.evaluate([1] * 3000, np.where(~lost & (age > 55) & (rng.random(3000) < 0.4), 0, 1), positive=1)
    assert ev.weakest("recall", among={"age": age})[0].text.endswith("<= age < inf")


def test_times_with_a_zone_are_cut_as_those_of_greenwich() -> None:
    times = pd.date_range("2026-01-01", periods=400, freq="h", tz="Europe/Berlin").to_series(index=range(400))
    times[399] = pd.NaT
    ev = ix.evaluate([1] * 400, [1] * 320 + [0] * 80, positive=1)
    plain, zoned = (ev.weakest("recall", {"at": own}) for own in (times.dt.tz_convert("UTC").dt.tz_localize(None), times))
    assert [(s.n, s.value, s.p_value) for s in zoned] == [(s.n, s.value, s.p_value) for s in plain]
    assert zoned[0].text.startswith("at >= 2026-01-14T06:00")
    assert zoned[0].text.endswith("Z")
