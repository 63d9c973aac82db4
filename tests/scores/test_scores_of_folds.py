"""Areas and losses of cross-validated scores: pooled, of each fold, with an interval, and compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import LeaveOneOut, StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import indicatrix as ix
from indicatrix.scores.areas import AREAS

X, Y = make_classification(150, random_state=3, flip_y=0.3)
CV = StratifiedKFold(5, shuffle=True, random_state=1)
MODELS = {"lr": LogisticRegression(max_iter=500), "nb": GaussianNB()}
FOUND = {k: ix.cross_validate(m, X, Y, cv=CV, scores=True, response="predict_proba") for k, m in MODELS.items()}
OF_SCIKIT_LEARN: dict[str, Any] = {"auc": roc_auc_score, "brier": brier_score_loss, "log_loss": log_loss}


def _by_hand(name: str, function: Any) -> list[float]:
    values = []
    for train, test in CV.split(X, Y):
        p = MODELS[name].fit(X[train], Y[train]).predict_proba(X[test])[:, 1]
        values.append(function(Y[test], p))
    return values


@pytest.mark.parametrize("measure", OF_SCIKIT_LEARN)
def test_folds_of_scores_are_those_computed_by_hand(measure: str) -> None:
    rows = {name: _by_hand(name, OF_SCIKIT_LEARN[measure]) for name in MODELS}
    for name, row in rows.items():
        folds, found = FOUND[name].folds(measure), FOUND[name].interval(measure)
        assert folds.values.tolist() == pytest.approx(row)
        assert float(folds.pooled) == FOUND[name].score(measure)
        assert found.value == pytest.approx(np.mean(row))
        assert (found.low, found.high) == pytest.approx(_ends(row))
    compared = ix.inference.compare_folds(FOUND, measure)
    alone = ix.inference.compare_folds(rows, better="higher" if measure == "auc" else "lower")
    assert compared.better == alone.better
    assert compared.pairs[0].difference == pytest.approx(alone.pairs[0].difference)
    assert compared.pairs[0].p == pytest.approx(alone.pairs[0].p)


def _ends(row: list[float]) -> tuple[float, float]:
    from scipy.stats import t

    half = t.ppf(0.975, 4) * np.std(row, ddof=1) * np.sqrt(1 / 5 + 1 / 4)
    return max(0.0, np.mean(row) - half), np.mean(row) + half


@pytest.mark.parametrize(
    "area", [name for name in AREAS if name not in ("threshold_average", "partial_auc")] + ["partial_auc(max_fpr=0.2)"]
)
def test_every_area_has_folds_and_is_compared(area: str) -> None:
    assert ix.inference.compare_folds(FOUND, area).values.shape == (2, 5)
    assert FOUND["lr"].folds(area).averaged == pytest.approx(FOUND["lr"].score(area, "fold"))


def test_several_classes_and_weights() -> None:
    features, labels = load_iris(return_X_y=True)
    weights = np.random.default_rng(0).random(len(labels)) + 0.5
    found = ix.cross_validate(GaussianNB(), features, labels, scores=True, sample_weight=weights)
    assert found.folds("macro auc").averaged == pytest.approx(found.score("auc", ("fold", "macro")))
    tests = [test for _, test in found.indices]
    p = np.concatenate([m.predict_proba(features[test]) for m, test in zip(found.estimators, tests, strict=True)])
    order = np.concatenate(tests)
    assert found.score("log_loss") == pytest.approx(log_loss(labels[order], p, sample_weight=weights[order]))
    assert found.folds("log_loss").values[0] == pytest.approx(
        log_loss(labels[tests[0]], p[:30], sample_weight=weights[tests[0]], labels=[0, 1, 2])
    )


def test_what_is_not_possible_is_said() -> None:
    without, raw = ix.cross_validate(GaussianNB(), X, Y), ix.cross_validate(LogisticRegression(), X, Y, scores=True)
    for ask in (without.score, without.folds, without.interval):
        for name in ("auc", "brier"):
            with pytest.raises(ValueError, match=f"{name} reads scores. There are no scores in this evaluation: cross_validate"):
                ask(name)
    with pytest.raises(ValueError, match=r"response='predict_proba'.* keeps probabilities"):
        raw.score("brier")
    for name in ("auc", "brier"):
        with pytest.raises(ValueError, match=rf"pairs predicted classes, and {name} reads scores. Use 'corrected_t'"):
            ix.inference.compare_folds(FOUND, name, method="cv_clt")


def test_the_interval_over_folds_says_what_it_is_around() -> None:
    alone = ix.cross_validate(GaussianNB(), X[:40], Y[:40], cv=LeaveOneOut())
    found = alone.interval("f1")
    assert f"The score of all folds together is {alone.score('f1'):.3g}; this is around the mean of their scores." in found.note
    assert "prefer ev.interval(…)" in found.note
    assert "prefer ev.interval(…)" in alone.interval("accuracy").note
    assert "around the mean" not in alone.interval("accuracy").note  # which is the score of all folds together
    assert "prefer" not in FOUND["nb"].interval("f1").note
