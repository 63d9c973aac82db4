"""The thresholds that a page keeps: curves and their areas stay, counts are exact, no score of an example is shown."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix
from indicatrix.scores.curves.roc_areas import upper_hull
from indicatrix.scores.thresholds.page_columns import keep_thresholds, page_columns, short_number

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite, finite)
def test_a_short_number_decides_like_the_score(a: float, b: float) -> None:
    low, high = sorted((a, b))
    if low < high:
        found = short_number(low, high)
        assert low < found <= high
        assert len(repr(found)) <= max(len(repr(high)), len(repr(low)), 25)
    assert short_number(-math.inf, high) <= high
    assert short_number(low, math.inf) > low or low > 1e300


@pytest.mark.parametrize("n", [3_000, 60_000])
@pytest.mark.parametrize("shift", [0.3, 3.0])
def test_few_thresholds_keep_curves_and_areas(n: int, shift: float) -> None:
    rng = np.random.default_rng(n)
    y = rng.random(n) < 0.2
    swept = ix.sweep(y, shift * y + rng.normal(size=n))
    ranking = swept.of()
    kept = keep_thresholds(ranking, 500)
    assert len(kept) <= 500
    assert {0, len(ranking.tp) - 1} <= {*kept.tolist()}
    assert {*upper_hull(ranking.fp, ranking.tp).tolist()} <= {*kept.tolist()}  # they make the cost curve
    fpr, tpr = ranking.fp / ranking.tneg, ranking.tp / ranking.tpos
    assert np.trapezoid(tpr[kept], fpr[kept]) == pytest.approx(ranking.auc, abs=5e-4)
    assert np.abs(np.interp(np.arange(len(tpr)), kept, tpr[kept]) - tpr).max() < 0.02


def test_the_best_threshold_is_kept_and_no_score_is_shown() -> None:
    rng = np.random.default_rng(0)
    y = rng.random(5_000) < 0.3
    scores = rng.normal(size=5_000) + y
    swept = ix.sweep(y, scores)
    measures = tuple(ix.algebra.MEASURES[name] for name in ("f1", "mcc", "accuracy"))
    (column,) = page_columns(swept, measures).columns
    for measure in measures:
        assert np.nanmax(measure.values(column.counts)) == pytest.approx(swept.best(measure).value, rel=1e-12)
    assert not {*column.thresholds.tolist()} & {*scores.tolist()}
    for t, tp, fp in list(zip(column.thresholds, column.counts.tp, column.counts.fp, strict=True))[1::37]:
        assert (swept.at(t).tp, swept.at(t).fp) == (tp, fp)
