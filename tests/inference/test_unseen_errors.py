"""Laws of scores without an error: what was not seen is not certain, whatever its weight and its cluster."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.inference.estimators.of_units import estimator_of_scores

CLEAN, ONE_ERROR = [[200, 0], [3, 37]], [[199, 1], [3, 37]]


@pytest.mark.parametrize("measure", ["precision", "fdr", "jaccard", "f1", "tp/(tp + 2*fp)"])
@pytest.mark.parametrize("prevalence", [0.01, (0.01, 0.02)])
def test_a_prevalence_counts_where_no_false_positive_was_seen(measure: str, prevalence: Any) -> None:
    clean, one = (ix.from_confusion(t).interval(measure, "binary", prevalence=prevalence) for t in (CLEAN, ONE_ERROR))
    plain = ix.from_confusion(CLEAN).interval(measure, "binary")
    assert clean.width > 2 * plain.width
    assert clean.width > 0.5 * one.width
    if prevalence == 0.01:
        moved = ix.from_confusion(CLEAN).with_priors({0: 0.99, 1: 0.01}).interval(measure, "binary")
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


LABELS = [0, 1] * 60
FOUR = ix.evaluate(LABELS, LABELS, by={"g": np.repeat(range(4), 30)})


@pytest.mark.parametrize(
    ("measure", "average", "width"),
    [(name, "binary", 1) for name in ("recall", "precision", "f1", "balanced_accuracy", "tp/(tp + 2*fn)")]
    + [
        ("cohen_kappa", "binary", 2),
        ("recall", "macro", 1),
        ("multiclass_kappa", None, 1),
        ("normalized_mutual_information", None, 1),
    ],
)
def test_perfect_clusters_count_as_few_examples(measure: str, average: str | None, width: float) -> None:
    accuracy, found = FOUR.interval("accuracy", clusters="g"), FOUR.interval(measure, average, clusters="g")
    assert found.width > 0.9 * width * accuracy.width
    assert found.high == 1
    assert "There are 4 clusters" in found.note
    assert "There are 4 clusters" in accuracy.note


def test_clusters_of_one_example_are_examples() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 80)
    ev = ix.evaluate(truth, np.where(rng.random(80) < 0.85, truth, 1 - truth), by={"g": range(80)})
    for measure in ("recall", "f1", "cohen_kappa", "multiclass_kappa"):
        alone, clustered = ev.interval(measure, method="score"), ev.interval(measure, clusters="g")
        assert tuple(clustered) == pytest.approx(tuple(alone), abs=0.03)


@pytest.mark.parametrize("large", [0, 3])
def test_few_large_clusters_among_many_small_ones_are_few(large: int) -> None:
    rng = np.random.default_rng(1)
    group = np.repeat(range(80), [40] * large + [4] * (80 - large))
    truth = rng.integers(0, 2, len(group))
    right = rng.random(len(group)) < rng.beta(1, 0.25, 80)[group]
    ev, swept = ix.evaluate(truth, np.where(right, truth, 1 - truth), by={"g": group}), ix.sweep(truth, right + truth * 0.5)
    for found in (ev.interval("recall", clusters="g"), ev.interval("accuracy", clusters="g"), ev.interval("kappa", clusters="g")):
        assert ("Large clusters tell almost all" in found.note) == (large > 0)
    freedom = estimator_of_scores(ix.auc, swept, ix.auc.score(swept), group).center().freedom
    assert (freedom < 20) == (large > 0)


def heavy_first_class(counts: Any) -> Any:
    """Return three classes; examples of the first one count ten times."""
    truth, predicted = np.divmod(np.repeat(np.arange(9), counts), 3)
    return ix.evaluate(truth, predicted, classes=range(3), sample_weight=np.where(truth == 0, 10, 1))


@pytest.mark.one_fast_case
@pytest.mark.parametrize(("average", "measure"), [("macro", "f1"), ("weighted", "f1"), (None, "multiclass_kappa")])
def test_a_score_covers_where_few_heavy_errors_are_behind_many_light_ones(average: str | None, measure: str) -> None:
    rng, sizes = np.random.default_rng(2), (48, 476, 476)
    table = np.array([[0.97 if k == j else 0.015 for j in range(3)] for k in range(3)]) * np.array(sizes)[:, None]
    truth = heavy_first_class((table.ravel() * 1000).astype(int)).score(measure, average)
    counts = rng.multinomial(1000, table.ravel() / 1000, 200)
    found = [heavy_first_class(own).interval(measure, average) for own in counts]
    assert sum(i.low > truth for i in found) < 0.06 * 200  # 0.11 without what an example more could do
    assert np.mean([truth in i for i in found]) > 0.93


def test_what_a_heavy_example_could_do_has_a_mirror() -> None:
    ev = heavy_first_class([47, 0, 1, 14, 462, 0, 0, 10, 466])
    for measure, other in (("2*tp/(2*tp + fp + fn)", "(fp + fn)/(2*tp + fp + fn)"), ("tp/(tp + fp)", "fp/(tp + fp)")):
        low, high = ev.interval(measure, "macro")
        assert tuple(ev.interval(other, "macro")) == pytest.approx((1 - high, 1 - low))
