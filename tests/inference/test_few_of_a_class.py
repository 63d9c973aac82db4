"""Averages over classes of which some have few examples."""

from __future__ import annotations

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.inference.estimators.score_interval import toward_all

M = 10
CHANCES = np.full((M, M), 0.2 / M / (M - 1))
np.fill_diagonal(CHANCES, 0.8 / M)


@pytest.mark.parametrize("measure", ["balanced_accuracy", "precision", "f1", "jaccard"])
def test_averages_over_classes_with_three_examples_are_covered(measure: str) -> None:
    """From slopes alone, 85 to 92% of intervals cover."""
    truth = float(ix.from_confusion((CHANCES * 10**9).round().astype(int)).score(measure, "macro"))
    rng, covered = np.random.default_rng(6), 0
    for table in rng.multinomial(30, CHANCES.ravel(), 120):
        covered += truth in ix.from_confusion(table.reshape(M, M)).interval(measure, "macro")
    assert covered >= 0.91 * 120


def test_what_is_drawn_toward_all_keeps_the_examples_and_the_predictions() -> None:
    tp, fp, fn, tn = units = np.array([[1.0, 8, 90], [0, 2, 10], [0, 2, 5], [117, 106, 13]])
    hit, false, missed, rest = toward_all(units)
    assert hit + false + missed + rest == pytest.approx(tp + fp + fn + tn, abs=0.2)
    recalls, pooled = tp / (tp + fn), tp.sum() / (tp + fn).sum()
    nearer = np.abs((tp + fn - missed) / (tp + fn) - pooled) <= np.abs(recalls - pooled) + 1e-12
    assert nearer.all()
    assert toward_all(units * 1000)[0] == pytest.approx(units[0] * 1000, rel=1e-3)


def test_many_examples_of_each_class_have_the_interval_of_slopes() -> None:
    table = np.diag([3000, 2000, 4000]) + 300
    wide = ix.from_confusion(table).interval("f1", "macro")
    plain = ix.from_confusion(table).interval("f1", "macro", method="delta")
    assert tuple(wide) == pytest.approx(tuple(plain), abs=2e-4)
