"""Notes where errors are rare: those that come together in clusters, and those of examples with large weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import indicatrix as ix

TELL = "clusters tell almost all"
HEAVY = "large weights"
SCORES = [("accuracy", None), ("multiclass_kappa", None), ("f1", "macro")]


def clustered(wrong: Any) -> Any:
    """Return clusters of 20 examples with so many errors each."""
    y = np.tile([0, 1], 10 * len(wrong))
    predicted = np.concatenate([np.where(np.arange(20) < k, 1 - y[:20], y[:20]) for k in wrong])
    return ix.evaluate(y, predicted, by={"cluster": np.repeat(np.arange(len(wrong)), 20)})


@pytest.mark.parametrize(("measure", "average"), SCORES)
def test_errors_in_a_few_clusters_are_said(measure: str, average: str | None) -> None:
    few = clustered([12, 8, 2] + [0] * 27)
    spread = clustered([1, 0] * 15)
    assert TELL in ix.inference.interval(few, measure, average, clusters="cluster").note
    assert TELL not in ix.inference.interval(spread, measure, average, clusters="cluster").note
    assert TELL not in ix.inference.interval(few, measure, average).note


def test_a_mean_over_examples_says_so_as_well() -> None:
    values, clusters = np.zeros(600), np.repeat(np.arange(30), 20)
    values[:15] = 3.0
    loss = ix.log_loss(np.ones(600, int), np.exp(-values) * 0.99, average="exemplar")
    assert TELL not in ix.inference.interval(loss, clusters=clusters).note  # without a limit the interval has another note
    brier = ix.brier(np.ones(600, int), np.exp(-values), average="exemplar")
    assert TELL in ix.inference.interval(brier, clusters=clusters).note


def weighted(errors_of_heavy: int) -> Any:
    """Return 40 examples that count ten times, with so many errors, and 400 others with 12 errors."""
    y = np.repeat([0, 1, 2], [40, 200, 200])
    predicted = y.copy()
    predicted[:errors_of_heavy] = 1
    predicted[40:46], predicted[240:246] = 2, 1
    return ix.evaluate(y, predicted, sample_weight=np.where(y == 0, 10, 1))


@pytest.mark.parametrize("measure", ["f1", "jaccard", "mcc"])
def test_unseen_errors_with_large_weights_are_said(measure: str) -> None:
    assert HEAVY in ix.inference.interval(weighted(0), measure, "macro").note
    assert HEAVY not in ix.inference.interval(weighted(3), measure, "macro").note
    assert HEAVY not in ix.inference.interval(weighted(0), "recall", "macro").note  # each rate has its own number of examples


def test_equal_weights_are_none() -> None:
    y = np.repeat([0, 1], 50)
    assert ix.inference.interval(ix.evaluate(y, y, sample_weight=np.full(100, 7)), "f1", "macro").note == ""


def test_classes_with_few_examples_are_said_of_scores_that_are_lowest_by_chance() -> None:
    few, absent = ix.from_confusion([[80, 1, 1], [1, 15, 0], [0, 0, 2]]), ix.from_confusion([[80, 1, 0], [1, 18, 0], [0, 0, 0]])
    many = ix.from_confusion([[300, 20, 20], [20, 300, 20], [20, 20, 300]])
    assert "may cover less often" in ix.inference.interval(few, "mutual_information").note
    assert "may cover less often" in ix.inference.interval(absent, "mutual_information").note
    assert (
        "may cover less often" in ix.inference.interval(ix.from_confusion([[80, 1, 1], [1, 15, 0], [0, 0, 4]]), "cramer_v").note
    )
    assert ix.inference.interval(many, "mutual_information").note == ix.inference.interval(many, "cramer_v").note == ""
    assert ix.inference.interval(ix.from_confusion([[60, 5, 1], [4, 60, 1], [1, 1, 8]]), "multiclass_kappa").note == ""


@pytest.mark.parametrize("measure", ["phi_squared", "cramer_v", "tschuprow_t", "multiclass_chi_squared"])
@pytest.mark.parametrize("table", [[[80, 1, 1], [1, 15, 0], [0, 0, 2]], [[80, 2, 0], [1, 15, 1], [3, 3, 1]], [[80, 1], [1, 1]]])
def test_an_association_that_one_or_two_examples_decide_has_no_interval(measure: str, table: Any) -> None:
    m = len(table)
    with pytest.raises(ValueError, match=f"class {m - 1} has 2 (examples|predictions).*Merge rare classes"):
        ix.from_confusion(table).interval(measure)
    with pytest.raises(ValueError, match="and 1 more classes have few, too"):
        ix.from_confusion([[80, 0, 0], [1, 1, 0], [0, 0, 2]]).interval(measure)
    assert ix.from_confusion(np.array(table) + 2).interval(measure).low > -1
