"""Laws of functions of the odds ratio: their interval is that of the odds ratio, on their own scale."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix

SCALES: dict[str, Callable[[float], float]] = {
    "yule_q": lambda x: (x - 1) / (x + 1),
    "yule_y": lambda x: (math.sqrt(x) - 1) / (math.sqrt(x) + 1),
    "digby": lambda x: (x**0.75 - 1) / (x**0.75 + 1),
    "tetrachoric": lambda x: math.cos(math.pi / (1 + math.sqrt(x))),
    "discriminant_power": lambda x: math.sqrt(3) / math.pi * math.log(x),
    "fp*fn/(fp*fn + tp*tn)": lambda x: 1 / (1 + x),
}
TABLES = [[[20, 3], [4, 30]], [[3, 20], [30, 4]], [[20, 0], [4, 30]], [[20, 0], [0, 30]]]


@for_each("measure", SCALES)
@for_each("table", TABLES)
def test_the_interval_is_that_of_the_odds_ratio(measure: str, table: list[list[int]]) -> None:
    ev, scale = ix.from_confusion(table), SCALES[measure]
    found, (low, high) = ev.interval(measure, "binary"), ev.interval("odds_ratio", "binary")
    ends = sorted(scale(x) if math.isfinite(x) else scale(1e300) for x in (low, high))
    assert found.method == "log"
    if math.isinf(found.high):
        assert found.low == pytest.approx(ends[0])
    else:
        assert tuple(found) == pytest.approx(ends)
    assert found.width > 0


def test_other_scores_are_not_taken_for_functions_of_the_odds_ratio() -> None:
    ev = ix.from_confusion(TABLES[0])
    for measure in ("phi", "informedness", "f1", "(tp*tn - fp*fn)/(tp*tn + 2*fp*fn + fp)"):
        assert ev.interval(measure, "binary").method != "log"


@pytest.mark.slow
def test_intervals_of_yule_q_cover_in_small_samples() -> None:
    rng, p = np.random.default_rng(2), np.array([0.45, 0.05, 0.05, 0.45])
    truth = (p[0] * p[3] - p[1] * p[2]) / (p[0] * p[3] + p[1] * p[2])
    tables = rng.multinomial(40, p, 300)
    missed = sum(truth not in ix.from_confusion(t.reshape(2, 2)).interval("yule_q", "binary") for t in tables)
    assert missed < 0.08 * len(tables)
