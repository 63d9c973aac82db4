"""Every measure, average, setting and convention has an interval, or a refusal that says why."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from loops import for_each
from setting_calls import BY_ARGUMENT, FUNCTIONS, evaluate

import indicatrix as ix
from indicatrix.algebra.average import AVERAGES
from indicatrix.catalogue.matrices import MATRIX_MEASURES

ALONE = {"plain": lambda: evaluate(), **{name: lambda name=name: evaluate(name) for name in BY_ARGUMENT}}
ALONE |= {name: call for name, (call, _) in FUNCTIONS.items()}
EVERY = [*dict.fromkeys(ix.algebra.MEASURES.values()), *dict.fromkeys(MATRIX_MEASURES.values())]
CONVENTIONS = ("exclude", 0, 1, 0.5, "nan")
REASONS = (  # how a refusal begins, or what it says
    "There is no interval for this score",
    "There is no such interval",
    "There is no interval for",
    "reads the whole confusion matrix",
    "do not tell how many examples are behind them",
)


def evaluation_of(setting: str) -> ix.Evaluation:
    made: Any = ALONE[setting]()
    for name in ("observed", "entities", "bags", "pairs", "classifiers"):  # what a function returns holds evaluations
        made = getattr(made, name, made)
    return made


def scores(ev: ix.Evaluation, measures: list[Any]) -> Iterator[tuple[Any, Any, Any, ix.Score]]:
    """Yield every score that the evaluation has: the measure, the average, the convention."""
    axes = tuple(ev.tally.by)
    for measure in measures:
        for average in (None, *AVERAGES, *axes, *((axis, "macro") for axis in axes)):
            for undefined in CONVENTIONS:
                try:
                    score = ev.score(measure, average, undefined=undefined)
                except (ValueError, TypeError):  # no such score
                    break
                yield measure, average, undefined, score
                if not score.has_undefined():  # conventions do not matter
                    break


def check(ev: ix.Evaluation, measures: list[Any]) -> Counter[str]:
    """Return how many scores have an interval, none because they have no value or stand in for one, or a refusal."""
    found: Counter[str] = Counter()
    for measure, average, undefined, score in scores(ev, measures):
        about = (measure, average, undefined)
        try:
            interval = ev.interval(measure, average, undefined=undefined, draws=30)
        except ValueError as refusal:
            assert any(reason in str(refusal) for reason in REASONS), (about, str(refusal))  # noqa: PT017
            found["hidden" if score.reads_hidden() else "refused"] += 1
            continue
        assert not score.reads_hidden() or math.isnan(score), about
        if math.isinf(interval.value):  # odds and likelihood ratios with a count of 0: how small they may be is known
            assert math.isnan(score), about
            assert math.isfinite(interval.low), about
            assert interval.high == math.inf, about
            found["infinite"] += 1
            continue
        assert interval.value == score or (math.isnan(interval.value) and math.isnan(score)), about
        if not math.isfinite(score):
            assert math.isnan(interval.low), about
            assert math.isnan(interval.high), about
            found["no value"] += 1
            continue
        low, high = getattr(measure, "range", (-math.inf, math.inf))
        if not low <= score <= high:  # soft cells leave the range of counts
            low, high = -math.inf, math.inf
        assert low - 1e-9 <= interval.low <= interval.high <= high + 1e-9, (about, interval)
        found["interval"] += 1
    return found


@for_each("setting", ALONE)
def test_some_scores_of_every_setting_have_an_interval_or_a_reason(setting: str) -> None:
    assert check(evaluation_of(setting), [ix.f1, ix.mcc, ix.recall, ix.measures.exact_match, ix.multiclass_kappa])["interval"]


@pytest.mark.slow
@for_each("setting", ALONE)
def test_every_score_of_every_setting_has_an_interval_or_a_reason(setting: str) -> None:
    found = check(evaluation_of(setting), EVERY[[*ALONE].index(setting) % 5 :: 5])  # each measure in a fifth of the settings
    assert found["interval"] > found["refused"], found
