"""What the report says about how much was observed and predicted."""

from __future__ import annotations

import pytest

import indicatrix as ix

COVERAGE = "Coverage, the share of examples with a prediction: 0.750."
TRUE, PRED = ["a", "b", "b", "a"], ["a", None, "b", "b"]


def test_the_report_says_how_many_examples_have_a_prediction() -> None:
    ev = ix.evaluate(TRUE, PRED, missing="abstain")
    assert COVERAGE in str(ev)
    assert "Coverage" not in str(ix.evaluate(TRUE, TRUE))


def test_the_report_of_some_classes_says_nothing_about_coverage() -> None:
    """Labels of other classes count as no class there, which is not an abstention."""
    assert "Coverage" not in str(ix.evaluate(TRUE, PRED, missing="abstain").only(["a"]))


def test_coverage_is_given_for_each_target() -> None:
    true, pred = zip(TRUE, TRUE, strict=True), zip(PRED, TRUE, strict=True)
    ev = ix.evaluate([*map(list, true)], [*map(list, pred)], targets=["x", "y"], missing="abstain")
    assert "Coverage, predicted over actual labels: x 0.750, y 1.000." in str(ev)


@pytest.mark.parametrize(("mask", "words"), [([1, 1, 0, 1], "1 example."), ([1, 0, 0, 1], "2 examples.")])
def test_the_report_counts_what_was_not_observed(mask: list[int], words: str) -> None:
    assert f"Nothing was observed of {words}" in str(ix.evaluate(TRUE, TRUE, mask=mask))


def test_the_report_counts_entries_and_weights() -> None:
    entries = ix.evaluate([[1, 0], [0, 1]], [[1, 0], [1, 1]], mask=[[1, 0], [1, 1]])
    assert "Observed entries: 3 of 4." in str(entries)
    assert "the weights sum to 4.5." in str(ix.evaluate(TRUE, TRUE, sample_weight=[1, 2, 1, 0.5]))
