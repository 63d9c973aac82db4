"""Where intervals are shown: calls of measures, tables, values, the report and the command line agree with ``ev.interval``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.average import averages_over

RNG = np.random.default_rng(5)
TRUE = RNG.choice(["ant", "bee", "cat"], 240)
PRED = np.where(RNG.random(240) < 0.75, TRUE, RNG.choice(["ant", "bee", "cat"], 240))
SITE = RNG.choice(["north", "south"], 240)
EV = ix.evaluate(TRUE, PRED, by={"site": SITE})
BINARY = ix.evaluate((TRUE == "ant").astype(int), (PRED == "ant").astype(int), by={"site": SITE})


@for_each("average", averages_over("class", "example"))
@for_each("measure", ["f1", "mcc", "precision", "diagnostic_odds_ratio"])
def test_a_measure_called_with_a_level_gives_the_interval(measure: str, average: str) -> None:
    found = getattr(ix.measures, measure)(TRUE, PRED, average=average, interval=0.9)
    assert found == ix.evaluate(TRUE, PRED).interval(measure, average, level=0.9)
    assert isinstance(getattr(ix.measures, measure)(TRUE, PRED, average=average, interval=None), ix.Score)


def test_areas_matrix_measures_and_families_take_a_level_too() -> None:
    y, s = (TRUE == "ant").astype(int), RNG.random(240)
    assert ix.auc(y, s, interval=True) == ix.inference.interval(ix.sweep(y, s), "auc")
    assert ix.multiclass_mcc(TRUE, PRED, interval=True) == EV.interval("multiclass_mcc")
    assert ix.f_beta(TRUE, PRED, beta=2, average="macro", interval=True) == EV.interval("f_beta(beta=2)", "macro")
    weighted = ix.multiclass_kappa(EV, weights=[[0, 1, 4], [1, 0, 1], [4, 1, 0]], interval=True)
    assert weighted.value == ix.multiclass_kappa(EV, weights=[[0, 1, 4], [1, 0, 1], [4, 1, 0]])
    assert weighted.low < weighted.value < weighted.high


@pytest.mark.parametrize("level", [95, 1.5, -1, "wide"])
def test_a_level_must_be_a_share(level: Any) -> None:
    for call in (
        lambda: ix.f1(TRUE, PRED, average="macro", interval=level),
        lambda: EV.table("f1", "macro", interval=level),
        lambda: EV.values("f1", interval=level),
        lambda: EV.report(interval=level),
    ):
        with pytest.raises(ValueError, match="must be a share between 0 and 1"):
            call()


def test_counts_and_cells_have_no_interval_by_themselves() -> None:
    with pytest.raises(TypeError, match="do not say what was sampled"):
        ix.f1(ix.Counts(8, 2, 1, 9), interval=True)
    with pytest.raises(TypeError, match="an evaluation, a sweep, a loss or a ranking"):
        ix.inference.interval(ix.cells(np.eye(2, dtype=bool), np.eye(2, dtype=bool)), "f1", "macro")


def test_a_table_has_the_interval_of_each_score() -> None:
    table = EV.table(["f1", "recall", "multiclass_mcc"], interval=0.8)
    for (measure, average), found in table.intervals.items():
        assert found == EV.interval(measure, average, level=0.8)
    columns = table.to_dict()
    assert columns["macro_low"][0] == EV.interval("f1", "macro", level=0.8).low
    assert math.isnan(columns["macro_low"][2])
    assert "80% intervals" in str(table)
    assert "macro_low" not in EV.table("f1").to_dict()


def test_a_table_says_why_an_interval_does_not_exist() -> None:
    weights = RNG.random(240)
    weighted = ix.evaluate(TRUE, PRED, sample_weight=weights, moments=False)
    counts = ix.from_counts([5, 6], [1, 0], [2, 1], [9, 10])
    for ev in (weighted, counts):
        table = ev.table("f1", ["macro"], interval=True)
        reason = table.intervals[ix.f1, "macro"]
        assert isinstance(reason, str)
        assert reason in str(table).replace("\n", " ")
        assert f"{ev.score('f1', 'macro'):.3f}" in str(table)
    squares = ix.evaluate(TRUE, PRED, sample_weight=weights)
    assert squares.table("f1", ["macro"], interval=True).intervals[ix.f1, "macro"] == squares.interval("f1", "macro")


@pytest.mark.parametrize("measure", ["f1", "recall", "specificity", "mcc"])
def test_a_class_has_the_interval_of_its_binary_problem(measure: str) -> None:
    values = EV.values(measure, interval=True)
    assert values.tolist() == EV.values(measure).tolist()
    for name, own in zip(values.names, values.intervals or (), strict=True):
        alone = ix.evaluate((name == TRUE).astype(int), (name == PRED).astype(int))
        assert tuple(own) == pytest.approx(tuple(alone.interval(measure)), rel=1e-12)


def test_labels_of_a_matrix_have_intervals_one_by_one() -> None:
    y, p = RNG.random((90, 4)) < 0.4, RNG.random((90, 4)) < 0.4
    values = ix.evaluate(y, p).values("f1", interval=True)
    for k, own in enumerate(values.intervals or ()):
        assert tuple(own) == pytest.approx(tuple(ix.f1(y[:, k].astype(int), p[:, k].astype(int), interval=True)), rel=1e-12)


@pytest.mark.parametrize(("ev", "average"), [(EV, None), (EV, "macro"), (BINARY, None), (BINARY, "weighted")])
def test_a_group_has_the_interval_of_its_examples(ev: ix.Evaluation, average: str | None) -> None:
    values = ev.values("f1", per="site", average=average, interval=True)
    for (_, part), own in zip(ev.split("site").items(), values.intervals or (), strict=True):
        assert own == part.interval("f1", average or ("micro" if ev is EV else None))
    assert values.to_dict()["low"] == values.low.tolist()


def test_classes_in_groups_have_intervals_in_the_order_of_their_values() -> None:
    for per in (("site", "class"), ("class", "site")):
        values = EV.values("recall", per=per, interval=True)
        assert values.low.shape == values.shape
        assert ((values.low <= np.asarray(values)) & (np.asarray(values) <= values.high)).all()
        south = EV.split("site")["south"].values("recall", interval=True)
        place = (values.names[per.index("site")].index("south"), values.names[per.index("class")].index("bee"))
        assert values.low[place if per[0] == "site" else place[::-1]] == south.low[1]


def test_arithmetic_and_selections_lose_intervals_and_pickles_keep_them() -> None:
    import pickle

    values = EV.values("f1", interval=True)
    assert (values * 2).intervals is None
    assert values[:2].intervals is None
    assert pickle.loads(pickle.dumps(values)).intervals == values.intervals


def test_a_score_of_examples_has_an_interval_in_each_group() -> None:
    values = EV.values("exact_match", per="site", interval=True)
    assert values.tolist() == EV.values("exact_match", per="site").tolist()
    assert values.intervals == tuple(part.interval("exact_match") for part in EV.split("site").values())


def test_cells_that_the_data_cannot_show_do_not_hide_the_interval() -> None:
    y, z = (TRUE == "ant").astype(int), (PRED == "ant").astype(int)
    for measure in ("recall", "f1"):  # which do not read true negatives
        assert tuple(ix.evaluate(y, z, unobserved=["tn"]).interval(measure)) == tuple(ix.evaluate(y, z).interval(measure))
    assert math.isnan(ix.evaluate(y, z, unobserved=["tn"]).interval("accuracy").low)


def test_units_without_a_sample_of_their_own_are_refused() -> None:
    with pytest.raises(ValueError, match="One example has no interval"):
        EV.values("f1", per="example", interval=True)


def test_a_mean_over_groups_is_of_these_groups_or_of_a_sample_of_groups() -> None:
    """The variances of independent groups add; as clusters, two groups say almost nothing about others."""
    fixed, sampled = EV.interval("f1", ("site", "macro")), EV.interval("f1", ("site", "macro"), clusters="site")
    assert fixed.value == sampled.value == EV.score("f1", ("site", "macro"))
    assert fixed.width < 0.2 < sampled.width
    parts = [part.interval("f1", "macro", method="delta") for part in EV.split("site").values()]
    half = math.hypot(*(part.width / 2 for part in parts)) / 2
    assert EV.interval("f1", ("site", "macro"), method="delta").width / 2 == pytest.approx(half, rel=1e-9)


def test_the_report_shows_the_intervals_of_averages() -> None:
    text = EV.report(interval=0.9)
    own = EV.interval("f1", "macro", level=0.9)
    assert f"[{own.low:.3f}, {own.high:.3f}]" in text
    assert "90% intervals" in text
    assert "intervals" not in EV.report()
