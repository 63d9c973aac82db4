"""Intervals of losses and rankings: they are means over examples, and their scores have the values of these."""

from __future__ import annotations

import math

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix

Y, P = [0, 1, 2, 1, 0, 2], np.random.default_rng(0).dirichlet([1, 1, 1], 6)
RELEVANT, SCORES = (
    [[1, 0, 1], [0, 1, 0], [0, 0, 0], [1, 1, 1]],
    [[0.9, 0.4, 0.2], [0.3, 0.8, 0.5], [0.1, 0.2, 0.7], [0.3, 0.2, 0.1]],
)
LOSSES = {
    "brier": lambda **o: ix.brier(Y, P, **o),
    "log_loss": lambda **o: ix.log_loss(Y, P, **o),
    "spherical_score": lambda **o: ix.measures.spherical_score(Y, P, **o),
    "hinge_loss": lambda **o: ix.hinge_loss(Y, P, **o),
    "expected_loss": lambda **o: ix.scores.expected_loss(Y, P, costs="boosting", **o).loss,
    "top_2_accuracy": lambda **o: ix.top_k_accuracy(Y, P, 2, **o),
    "mrr": lambda **o: ix.mrr(RELEVANT, SCORES, **o),
    "ndcg": lambda **o: ix.ndcg(RELEVANT, SCORES, **o),
    "dcg": lambda **o: ix.measures.dcg(RELEVANT, SCORES, **o),
    "label_ranking_ap": lambda **o: ix.measures.label_ranking_ap(RELEVANT, SCORES, **o),
    "ranking_loss": lambda **o: ix.measures.ranking_loss(RELEVANT, SCORES, **o),
    "coverage_error": lambda **o: ix.measures.coverage_error(RELEVANT, SCORES, **o),
    "kendall": lambda **o: ix.scores.kendall(SCORES, RELEVANT, **o),
    "propensity_ndcg@2": lambda **o: ix.scores.propensity_ndcg_at_k(RELEVANT, SCORES, 2, 0.5, **o),
}


@for_each("name", LOSSES)
def test_the_interval_of_a_mean_over_examples(name):
    score = LOSSES[name](average="exemplar")
    found, low, high = ix.inference.interval(score), *score.measure.range
    assert (found.value, str(found.measure), found.average) == (score, name, "exemplar")
    assert low <= found.low <= found.value <= found.high <= high
    assert found.low < found.high
    values = np.asarray(score.values)[np.isfinite(score.values)]
    delta = ix.inference.interval(score, method="delta")
    half = 1.959963984540054 * values.std() / math.sqrt(len(values))
    assert (delta.low, delta.high) == pytest.approx((max(low, score - half), min(high, score + half)))


def test_a_weight_of_two_is_not_two_examples():
    twice = ix.inference.interval(ix.brier(Y, P, average="exemplar", sample_weight=[2] * 6))
    assert tuple(twice) == pytest.approx(tuple(ix.inference.interval(ix.brier(Y, P, average="exemplar"))))
    unequal = ix.inference.interval(ix.brier(Y, P, average="exemplar", sample_weight=[6, 1, 1, 1, 1, 1]))
    assert unequal.width > twice.width  # fewer effective examples


def test_undefined_examples_follow_the_convention():
    left_out, counted = (ix.inference.interval(ix.mrr(RELEVANT, SCORES, undefined=how)) for how in ("exclude", 0))
    assert left_out.value > counted.value
    assert left_out.note == "exemplar mrr; 1 of 4 examples undefined, excluded."
    assert math.isnan(ix.inference.interval(ix.mrr([[0, 0]], [[0.1, 0.2]])).low)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda s: ix.inference.interval(ix.brier(Y, P)),
            "no interval for the 'micro' average of brier: .* average='exemplar' has them",
        ),
        (lambda s: ix.inference.interval(s, "brier"), "give it alone"),
        (lambda s: ix.inference.interval(s, average="macro"), "give it alone"),
        (lambda s: ix.inference.interval(s, undefined=0), "give it alone"),
        (lambda s: ix.inference.interval(s, clusters="site"), "there are no groupings here. Give one group per example"),
        (lambda s: ix.inference.interval(s, method="replicates"), "does not need them"),
        (lambda s: ix.inference.interval(s, method="wilson"), "is for plain proportions"),
        (lambda s: ix.inference.interval(ix.f1(Y, Y, average="macro")), r"not of a Score. It has one with ix.f1"),
        (lambda s: ix.inference.interval(ix.evaluate(Y, Y)), "measure= is missing"),
    ],
)
def test_what_has_no_such_interval(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call(ix.brier(Y, P, average="exemplar"))


def test_values_without_a_limit_are_said_in_small_samples() -> None:
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 2, 1200), rng.random(1200)
    few, many = (ix.inference.interval(ix.log_loss(y[:n], p[:n], average="exemplar")) for n in (200, 1200))
    assert "rare large ones may be missing among 200 examples" in few.note
    assert not many.note
    assert not ix.inference.interval(ix.brier(y[:200], p[:200], average="exemplar")).note
