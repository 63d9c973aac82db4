"""Intervals and paired differences of losses and rankings under averages over classes and groups."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.measure_names import resolve
from indicatrix.inference.estimators.of_units import estimator_of_scores

LOSSES = ("brier", "log_loss", "hinge_loss", "top_k_accuracy(k=2)", "ndcg", "spherical_score", "ranking_loss")


def drawn(seed: int, n: int = 200) -> tuple[Any, Any, Any]:
    """Return labels of three classes, and the probabilities of two classifiers that are right in part together."""
    rng = np.random.default_rng(seed)
    y = rng.choice(3, n, p=[0.6, 0.3, 0.1])
    one = rng.normal(size=(n, 3))
    one[np.arange(n), y] += 1
    other = one + rng.normal(size=(n, 3))
    return y, *(np.exp(z) / np.exp(z).sum(axis=1, keepdims=True) for z in (one, other))


@for_each("name", LOSSES)
def test_what_an_example_adds_is_its_slope(name: str) -> None:
    y, scores, _ = drawn(0)
    labels = np.eye(3, dtype=int)[y] | (np.random.default_rng(1).random((200, 3)) < 0.2)
    for truth in (y, labels):
        if truth is labels and name.startswith("top_k"):
            continue  # it needs one label for each example
        swept, measure = ix.sweep(truth, scores), resolve(name)
        for average in ("macro", "weighted"):
            found = estimator_of_scores(measure, swept, measure.score(swept, average), None)
            more = np.ones((200, 200)) + 1e-6 * np.eye(200)
            slopes = (found.scores(more) - found.value) / 1e-6  # type: ignore[union-attr]
            assert np.corrcoef(slopes, found.added)[0, 1] > 0.999  # type: ignore[union-attr]
            assert found.variance() == pytest.approx(float(slopes @ slopes), rel=0.1)


@for_each(
    "name, average",
    [("brier_skill", "micro"), ("log_loss_skill", "micro"), ("balanced_log_loss", "macro"), ("brier_skill", "macro")],
)
def test_what_fits_all_examples_best_moves_to_second_order_only(name: str, average: str) -> None:
    y, scores, _ = drawn(11, 60)
    labels = np.eye(3, dtype=int)[y] | (np.random.default_rng(1).random((60, 3)) < 0.2)
    measure = resolve(name)
    for truth, given in ((y, scores), (labels, scores), (labels[:, 1], scores[:, 1])):
        if average == "macro" and (truth is y or given.ndim == 1) and name == "brier_skill":
            continue  # its reference is that of all examples, or there is one column
        found = estimator_of_scores(measure, (swept := ix.sweep(truth, given)), measure.score(swept, average), None)
        heavier = (np.ones(60) + 1e-6 * row for row in np.eye(60))
        slopes = [(measure.function(truth, given, average=average, sample_weight=w) - found.value) / 1e-6 for w in heavier]
        assert np.corrcoef(slopes, found.added)[0, 1] > 0.999  # type: ignore[union-attr]
        assert found.variance() == pytest.approx(float(np.dot(slopes, slopes)), rel=0.2)


@pytest.mark.parametrize("name", ["brier_skill", "balanced_log_loss"])
def test_a_group_is_no_part_of_what_is_fitted_to_all(name: str) -> None:
    y, scores, _ = drawn(12)
    ev = ix.evaluate(y, scores, decide="argmax", by={"site": np.arange(200) % 4})
    with pytest.raises(ValueError, match=f"no interval for the 'site' average of {name}"):
        ev.interval(name, "site")


def test_the_macro_loss_of_separate_classes_has_the_sum_of_their_variances() -> None:
    y, scores, _ = drawn(2)
    losses = np.asarray(ix.brier(y, scores, average="exemplar").values)
    each = [losses[y == k] for k in range(3)]
    literal = math.sqrt(sum(x.var(ddof=1) / len(x) for x in each)) / 3
    found = ix.evaluate(y, scores, decide="argmax").interval("brier", "macro", method="delta")
    assert found.width == pytest.approx(2 * 1.959963985 * literal)


@for_each("name", LOSSES)
def test_one_comparison_has_labels_scores_and_losses(name: str) -> None:
    y, one, other = drawn(3)
    found = ix.compare(y, {"a": one, "b": other}, ["f1", "auc", name], "macro", decide="argmax")
    assert all(interval is not None for row in found.rows for interval in row.intervals)
    assert [d.tested for d in found.differences] == [True] * 3
    apart = found.differences[2]
    assert apart.low <= apart.value <= apart.high


def test_a_comparison_of_scores_alone_takes_the_same_options() -> None:
    y, one, other = drawn(9)
    both = {"a": one, "b": other}
    plain, decided = (ix.compare(y, both, ["auc", "brier"], "macro", **how) for how in ({}, {"decide": "argmax"}))
    assert plain.rows == decided.rows
    assert plain.differences == decided.differences


def test_many_groups_need_no_more_memory() -> None:
    y, scores, _ = drawn(10, 20_000)
    ev = ix.evaluate(y, scores, decide="argmax", by={"who": np.arange(20_000) // 2})
    assert ev.interval("log_loss", "who").width == pytest.approx(ev.interval("log_loss", "micro").width, rel=0.5)


def test_equal_weights_of_examples_change_nothing() -> None:
    y, scores, _ = drawn(4)
    plain, weighted = (ix.evaluate(y, scores, decide="argmax", sample_weight=w) for w in (None, np.full(200, 2.0)))
    assert tuple(plain.interval("brier", "macro")) == pytest.approx(tuple(weighted.interval("brier", "macro")))


def test_examples_that_occur_twice_in_their_cluster_do_not_narrow() -> None:
    y, scores, _ = drawn(5)
    once = ix.evaluate(y, scores, decide="argmax").interval("log_loss", "macro", method="delta")
    ids = {"who": np.arange(400) % 200}
    twice = ix.evaluate(np.append(y, y), np.append(scores, scores, axis=0), decide="argmax", by=ids)
    found = twice.interval("log_loss", "macro", method="delta", clusters="who")
    assert found.width == pytest.approx(once.width, rel=0.02)
    assert twice.interval("log_loss", "macro", method="delta").width == pytest.approx(once.width / math.sqrt(2), rel=0.02)


def test_the_mean_over_groups_of_a_loss_has_an_interval() -> None:
    y, scores, _ = drawn(6)
    ev = ix.evaluate(y, scores, decide="argmax", by={"site": np.arange(200) % 4})
    found = ev.interval("brier", "site")
    assert found.value == pytest.approx(float(ev.score("brier", "site")))
    assert found.low < found.value < found.high


def test_what_depends_on_all_examples_has_no_interval() -> None:
    y, scores, _ = drawn(7)
    ev = ix.evaluate(y, scores, decide="argmax")
    for name, reason in (
        ("ece", "absolute differences, which chance makes too large"),
        ("smooth_ece", "Test calibration with"),
        ("brier_skill", "depends on the others"),
        ("brier(normalize='sum')", "a total"),
    ):
        with pytest.raises(ValueError, match=reason):
            ev.interval(name, "macro")


@pytest.mark.slow
@for_each(
    "name, average", [("brier", "macro"), ("brier_skill", "micro"), ("log_loss_skill", "micro"), ("balanced_log_loss", "macro")]
)
def test_intervals_of_losses_cover(name: str, average: str) -> None:
    truth = float(resolve(name).function(*drawn(8, 200_000)[:2], average=average))
    samples = (drawn(seed)[:2] for seed in range(100, 500))
    found = [ix.evaluate(y, scores, decide="argmax").interval(name, average) for y, scores in samples]
    assert 0.92 < sum(truth in one for one in found) / len(found) < 0.99


def test_single_classes_have_values_of_losses_but_no_intervals() -> None:
    y, scores, _ = drawn(0)
    ev = ix.evaluate(y, scores, decide="argmax", by={"site": np.arange(200) % 2})
    assert len(ev.values("brier")) == 3
    assert len(ev.values("brier", "site", interval=True)) == 2
    with pytest.raises(ValueError, match=r"no intervals of brier for single classes\. ev\.interval\('brier'\) has that of all"):
        ev.values("brier", interval=True)
