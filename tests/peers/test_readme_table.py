"""The rows of README's table for users of scikit-learn that no other test compares."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

import indicatrix as ix

RANDOM = np.random.default_rng(5)
Y, Z = RANDOM.integers(0, 3, (2, 200))
BITS, GAINS, SCORES = RANDOM.integers(0, 2, (30, 6)), RANDOM.integers(0, 4, (30, 6)), RANDOM.random((30, 6))
BITS[2], BITS[5], GAINS[3] = 0, 1, 0  # rows without a positive, without a negative, without a gain


def test_scorers() -> None:
    x, ours = RANDOM.normal(size=(200, 3)), ix.scorer("f1", average="macro", undefined=0)
    theirs = metrics.make_scorer(metrics.f1_score, average="macro")
    found, expected = (cross_val_score(LogisticRegression(), x, Y, scoring=scorer) for scorer in (ours, theirs))
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("of", [None, "true", "pred", "all"])
def test_confusion_matrices(of: str | None) -> None:
    expected = metrics.confusion_matrix(Y, Z, normalize=of)
    assert ix.evaluate(Y, Z).confusion_matrix(normalise=of) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("theirs", "ours", "truth", "undefined"),
    [
        (metrics.ndcg_score, ix.ndcg, GAINS, 0),
        (metrics.label_ranking_average_precision_score, ix.label_ranking_ap, BITS, 1),
        (metrics.label_ranking_loss, ix.ranking_loss, BITS, 0),
        (metrics.coverage_error, ix.coverage_error, BITS, 0),
    ],
    ids=["ndcg", "label_ranking_ap", "ranking_loss", "coverage_error"],
)
def test_rankings_need_the_convention(theirs: object, ours: object, truth: np.ndarray, undefined: int) -> None:
    expected = theirs(truth, SCORES)  # type: ignore[operator]
    assert ours(truth, SCORES, undefined=undefined) == pytest.approx(expected, abs=1e-12)  # type: ignore[operator]
    assert ours(truth, SCORES) != pytest.approx(expected, abs=1e-6)  # type: ignore[operator]


def test_brier_of_both_columns_is_twice_that_of_one() -> None:
    y, p = RANDOM.integers(0, 2, 50), RANDOM.random(50)
    both = np.c_[1 - p, p]
    assert ix.brier(y, p) == pytest.approx(metrics.brier_score_loss(y, p), abs=1e-12)
    assert ix.brier(y, both) == pytest.approx(2 * metrics.brier_score_loss(y, both), abs=1e-12)
    probabilities = RANDOM.dirichlet(np.ones(3), 200)
    assert ix.brier(Y, probabilities) == pytest.approx(metrics.brier_score_loss(Y, probabilities), abs=1e-12)
    assert ix.log_loss(Y, probabilities) == pytest.approx(metrics.log_loss(Y, probabilities), abs=1e-12)
