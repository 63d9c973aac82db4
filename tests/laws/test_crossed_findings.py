"""Weak slices, small groups, gates, bands, decisions and sets, crossed with sources, weights, groups, averages and conventions.

What goes together has finite numbers, and what does not is refused in words: no error comes from inside.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from loops import for_each

import indicatrix as ix

N = 400
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"color": RNG.choice(list("xyz"), N), "size": RNG.integers(0, 3, N), "age": RNG.normal(size=N)})
SITE, SEX = RNG.choice(list("abcde"), N), RNG.choice(list("MF"), N)
HARD = (FRAME["color"] == "x") & (FRAME["size"] == 1)
TWO, THREE, SETS = RNG.integers(0, 2, N), RNG.integers(0, 3, N), RNG.integers(0, 2, (N, 4))
RIGHT = RNG.random(N) < np.where(HARD, 0.45, 0.85)
GUESSED, GUESSED_3 = np.where(RIGHT, TWO, 1 - TWO), np.where(RIGHT, THREE, RNG.integers(0, 3, N))
GUESSED_SETS = np.where(RNG.random((N, 4)) < 0.85, SETS, 1 - SETS)
SCORES, TABLE = np.clip(TWO * 0.3 + RNG.random(N) * 0.7, 0, 1), RNG.dirichlet(np.ones(3), N)
CHECKED = np.where(RNG.random(N) < 0.3, TWO, np.nan)
SOURCES: dict[str, Callable[..., Any]] = {
    "two classes": lambda **o: ix.evaluate(TWO, GUESSED, **o),
    "three classes": lambda **o: ix.evaluate(THREE, GUESSED_3, **o),
    "label sets": lambda **o: ix.evaluate(SETS, GUESSED_SETS, **o),
    "scores": lambda **o: ix.evaluate(TWO, SCORES, decide=0.5, **o),
    "a table of scores": lambda **o: ix.evaluate(THREE, TABLE, decide="argmax", **o),
    "corrected by gold": lambda **o: ix.evaluate(GUESSED, TWO, gold=CHECKED, **o),
    "memberships": lambda **o: ix.evaluate(np.eye(3)[THREE] * 0.8 + 0.2 / 3, TABLE, tnorm="product", **o),
}
WITH: dict[str, dict[str, Any]] = {
    "nothing": {},
    "weights": {"sample_weight": RNG.random(N) + 0.5},
    "a mask": {"mask": RNG.random(N) < 0.9},
}
SCORED: list[tuple[str, Any]] = [("recall", None), ("mcc", "macro"), ("accuracy", None), ("auc", None), ("brier", "macro")]
SCORED += [("multiclass_kappa", None), ("tp/(tp+fp+1)", "macro")]  # functions of the matrix, and a formula of one's own
BY = {"site": SITE, "sex": SEX}


def found(call: Callable[[], Any], refused: list[str]) -> Any:
    """Return what a call gives; None if it is refused, in a sentence."""
    try:
        return call()
    except (ValueError, TypeError) as error:
        refused.append(str(error))
    assert len(refused[-1]) > 30, refused[-1]
    return None


@for_each("source", SOURCES)
@for_each("given", WITH)
def test_slices_and_pooled_groups(source: str, given: str, tmp_path: Path) -> None:
    refused: list[str] = []
    ev = found(lambda: SOURCES[source](by=BY, **WITH[given]), refused)
    if ev is None:  # this source does not take this option, and says so
        return
    ev.save(tmp_path / "ev.json")
    again, answers = ix.load(tmp_path / "ev.json"), 0
    for k, (measure, average) in enumerate(SCORED):
        if given == "nothing" or k < 2:  # the search takes most of the time
            slices = found(lambda m=measure, a=average: ev.weakest(m, among=FRAME, average=a, depth=1, smallest=40), refused)
            assert slices is None or len(slices) <= 10
        per = "site" if k % 2 else ("site", "sex")
        values = [
            found(lambda s=s, m=measure, a=average, p=per: s.values(m, p, average=a, pooled=True, interval=True), refused)
            for s in (ev, again)
        ]
        assert (values[0] is None) <= (values[1] is None)
        if values[0] is not None:
            answers += 1
            assert np.isfinite(values[0]).all()
        if values[1] is not None:
            np.testing.assert_allclose(values[0], values[1], rtol=1e-9)
    assert answers > 1


@for_each("source", SOURCES)
@for_each("given", WITH)
@for_each("clusters", [None, "site"])
def test_gates(source: str, given: str, clusters: str | None, tmp_path: Path) -> None:
    refused: list[str] = []
    ev, answers = found(lambda: SOURCES[source](by=BY, **WITH[given]), refused), 0
    if ev is None:
        return
    for measure, average in [*SCORED, ("accuracy", "site")]:
        asked = ix.Gate(f"{average or ''} {measure}=0.5", clusters=clusters)
        interval = found(lambda g=asked: (g + ev).verdicts[0].interval, refused)
        if interval is None:
            continue
        answers += 1
        assert interval.value == pytest.approx(ev.score(measure, average), rel=1e-12)
        assert interval.low <= interval.value <= interval.high
        twice = found(lambda g=asked: (g + ev + ev).verdicts[0].interval, refused)
        if twice is not None and clusters is None:  # twice as much of the same is told more surely
            assert interval.low <= twice.low <= twice.value <= twice.high <= interval.high
            assert twice.width < interval.width
        if found(lambda g=asked: (g + ev).save(tmp_path / "gate.json") or True, refused):
            again = found(lambda: ix.load(tmp_path / "gate.json").verdicts[0].interval, refused)
            assert again is None or (again.low, again.high) == pytest.approx((interval.low, interval.high), rel=1e-9)
    assert answers or source == "corrected by gold"  # of which a sequence is not known


def test_what_is_undefined_is_no_finding() -> None:
    """A site has no positives, a class no examples, a question no answer: no number stands for them unless one is named."""
    two = np.where(SITE == "a", 0, TWO)
    ev = ix.evaluate(two, GUESSED, by=BY)
    for asked in (True, "simultaneous"):
        pooled, named = (ev.values("recall", "site", pooled=True, interval=asked, undefined=u) for u in ("nan", 0))
        assert np.isnan(pooled).tolist() == [True, False, False, False, False]
        assert named[0] == 0
        assert named[1:].tolist() == pooled[1:].tolist()
        assert np.isnan(named.intervals[0].low)
        assert pooled.worst()[0] != "a"
    assert all("site = a" not in one.text for one in ev.weakest("recall", smallest=20))
    three = ix.evaluate(THREE, GUESSED_3, classes=range(4))
    left_out, counted = ((ix.Gate("macro recall=0.5", undefined=u) + three).verdicts[0].interval for u in ("exclude", 0))
    assert counted.value == pytest.approx(0.75 * left_out.value)
    assert counted.low < left_out.low
    sets = ix.prediction_sets(THREE, [{0, 1, 2, 3}] * N, level=0.9)
    assert np.isnan(sets.values("class")).tolist() == [False, False, False, True]
    assert sets.coverage.value == 1
    assert np.isnan((ix.Gate("recall=0.5") + ix.evaluate([0, 0], [0, 1])).verdicts[0].interval.value)
    runs = ix.read_evals({"question": [1, 2, 3], "score": [1, None, 0]})
    assert (runs.score(), runs.score(undefined=0)) == (0.5, pytest.approx(1 / 3))


@for_each("measure", ["auc", "average_precision", "brier", "log_loss"])
def test_scores_in_crossed_groups_are_those_of_their_rows(measure: str) -> None:
    ev = ix.evaluate(TWO, SCORES, decide=0.5, by=BY)
    values = ev.values(measure, ("site", "sex"), interval=True)
    compared, swept = (
        ev.compare_groups(measure, ("site", "sex")),
        ix.sweep(TWO, SCORES, by=BY).compact()._cross(("site", "sex"), "both"),
    )
    for (i, site), (j, sex) in product(enumerate(values.names[0]), enumerate(values.names[1])):
        rows = (site == SITE) & (sex == SEX)
        own = ix.evaluate(TWO[rows], SCORES[rows], decide=0.5)
        assert values[i, j] == pytest.approx(own.score(measure), rel=1e-12)
        assert values.intervals[i * 2 + j].low == pytest.approx(own.interval(measure).low, rel=1e-9)
        assert compared.values[compared.names.index((site, sex))] == pytest.approx(values[i, j], rel=1e-12)
        if measure == "auc":
            assert swept.split("both")[site, sex].auc == own.score("auc")


@for_each("given", {**WITH, "groups": {"by": BY}})
def test_decisions_are_compared(given: str) -> None:
    options = dict(WITH.get(given, {"by": BY}))
    refused: list[str] = []
    for measure in ("net_benefit", "recall"):
        found(lambda m=measure: ix.compare(TWO, {"a": SCORES, "b": SCORES[::-1]}, m, at=0.3, **options), refused)
    sets = [{*np.flatnonzero(row > 0.2).tolist()} for row in TABLE]
    own = {"by" if name == "by" else name: value for name, value in options.items()}
    made = found(lambda: ix.prediction_sets(THREE, sets, **own), refused)
    if made is not None:
        assert 0 <= float(made.coverage) <= 1
    swept = ix.sweep(TWO, SCORES, **options)
    for curve in (swept.roc, swept.pr, swept.decision_curve, lambda: swept.threshold_curve("f1")):
        band = found(lambda c=curve: c().band(simultaneous=True), refused)
        if band is not None:
            assert not (np.asarray(band.y_low) > np.asarray(band.y_high) + 1e-12).any()
    assert len(refused) < 6
