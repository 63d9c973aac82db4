"""Laws of scores without an error: what was not seen is not certain, whatever its weight and its cluster."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import indicatrix as ix

CLEAN, ONE_ERROR = [[200, 0], [3, 37]], [[199, 1], [3, 37]]


@pytest.mark.parametrize("measure", ["precision", "fdr", "jaccard", "f1", "tp/(tp + 2*fp)"])
@pytest.mark.parametrize("prevalence", [0.01, (0.01, 0.02)])
def test_a_prevalence_counts_where_no_false_positive_was_seen(measure: str, prevalence: Any) -> None:
    clean, one = (ix.from_confusion(t).interval(measure, "binary", prevalence=prevalence) for t in (CLEAN, ONE_ERROR))
    plain = ix.from_confusion(CLEAN).interval(measure, "binary")
    assert clean.width > 2 * plain.width
    assert clean.width > 0.5 * one.width
    if prevalence == 0.01:
        moved = ix.from_confusion(CLEAN).reprior({0: 0.99, 1: 0.01}).interval(measure, "binary")
        assert tuple(moved) == pytest.approx(tuple(clean))


def test_jaccard_and_f1_agree_at_a_prevalence() -> None:
    for table in (CLEAN, ONE_ERROR):
        jaccard, f1 = (ix.from_confusion(table).interval(name, "binary", prevalence=0.01) for name in ("jaccard", "f1"))
        assert [2 * x / (1 + x) for x in jaccard] == pytest.approx(tuple(f1), abs=0.01)


def test_precision_at_a_prevalence_covers_where_false_positives_are_rare() -> None:
    rng, missed, truth = np.random.default_rng(0), 0, 0.02 * 0.8 / (0.02 * 0.8 + 0.98 * 0.005)
    for false, true in zip(rng.binomial(100, 0.005, 200), rng.binomial(100, 0.8, 200), strict=True):
        ev = ix.from_confusion([[100 - false, false], [100 - true, true]], positive=1)
        missed += truth not in ev.interval("precision", "binary", prevalence=0.02)
    assert missed < 0.08 * 200


@pytest.mark.parametrize("measure", ["precision", "fdr"])
def test_the_weight_of_errors_that_were_not_seen_counts(measure: str) -> None:
    truth, weights = [0] * 200 + [1] * 40, [0.99 / 200] * 200 + [0.01 / 40] * 40
    clean = ix.evaluate(truth, [0] * 200 + [1] * 37 + [0] * 3, sample_weight=weights).interval(measure)
    one = ix.evaluate(truth, [0] * 199 + [1] * 38 + [0] * 3, sample_weight=weights).interval(measure)
    assert clean.width > 0.5
    assert clean.width == pytest.approx(one.width, rel=0.1)
    alike = ix.evaluate(truth, [0] * 200 + [1] * 37 + [0] * 3, sample_weight=[0.5] * 240).interval(measure)
    assert tuple(alike) == pytest.approx(tuple(ix.from_confusion(CLEAN).interval(measure, "binary")))
