"""float32: we compute in float64, scikit-learn sometimes in float32. Three laws for every function that it also has.

1. What float32 numbers give is what the same numbers give as float64, where log loss is clipped alike: exactly.
2. On them as float64 scikit-learn gives the same, to 1e-12.
3. On them as float32 scikit-learn gives the same up to the rounding of float32, or to 1e-12 where it computes in float64.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import sklearn.metrics as sk
from loops import for_each
from sklearn.calibration import calibration_curve

import indicatrix as ix

EPSILON = float(np.finfo(np.float32).eps)
EXACT, SINGLE = 1e-12, 32 * EPSILON  # means of 50 losses, each rounded a few times


def binary(rng):
    p = [rng.random(50), rng.integers(0, 9, 50) / 8, rng.random(50) ** 9][rng.integers(3)].astype(np.float32)
    return np.append(rng.integers(0, 2, 48), [0, 1]), p


def multiclass(rng):
    P = rng.dirichlet(np.ones(4) / 2, 50).astype(np.float32)
    return np.append(np.arange(4), rng.integers(0, 4, 46)), P


def labels(rng):
    Y = rng.integers(0, 2, (50, 6))
    Y[0] = 0, 1, 0, 1, 0, 1
    scores = [rng.random((50, 6)), rng.integers(0, 3, (50, 6))][rng.integers(2)].astype(np.float32)
    return Y, scores


def gains(rng):
    return rng.random((50, 6)).astype(np.float32), labels(rng)[1]


def shares(y, p):
    return calibration_curve(y, p, n_bins=8, pos_label=1)[0]


def our_shares(y, p):
    curve = ix.scores.reliability(y, p, bins=8)
    return curve.observed[curve.weight > 0]


AP, AUC = ix.average_precision, ix.auc
CASES = {  # ours, theirs, the data, and how near theirs of float32 is
    "brier": (ix.brier, sk.brier_score_loss, binary, SINGLE),
    "log_loss": (ix.log_loss, sk.log_loss, binary, SINGLE),
    "brier of classes": (ix.brier, sk.brier_score_loss, multiclass, SINGLE),
    "log_loss of classes": (ix.log_loss, sk.log_loss, multiclass, SINGLE),
    "auc": (AUC, sk.roc_auc_score, binary, EXACT),
    "average_precision": (AP, sk.average_precision_score, binary, EXACT),
    "macro auc": (partial(AUC, average="macro"), sk.roc_auc_score, labels, EXACT),
    "micro auc": (partial(AUC, average="micro"), partial(sk.roc_auc_score, average="micro"), labels, EXACT),
    "macro average_precision": (partial(AP, average="macro"), sk.average_precision_score, labels, EXACT),
    "hand_till_auc": (ix.measures.hand_till_auc, partial(sk.roc_auc_score, multi_class="ovo"), multiclass, EXACT),
    "one-vs-all auc": (partial(AUC, average="macro"), partial(sk.roc_auc_score, multi_class="ovr"), multiclass, EXACT),
    "recall_at_k": (partial(ix.measures.recall_at_k, k=2), partial(sk.top_k_accuracy_score, k=2), multiclass, EXACT),
    "label_ranking_ap": (
        partial(ix.measures.label_ranking_ap, undefined=1),
        sk.label_ranking_average_precision_score,
        labels,
        EXACT,
    ),
    "coverage_error": (partial(ix.measures.coverage_error, undefined=0), sk.coverage_error, labels, EXACT),
    "ranking_loss": (partial(ix.measures.ranking_loss, undefined=0), sk.label_ranking_loss, labels, EXACT),
    "dcg": (ix.measures.dcg, sk.dcg_score, gains, EXACT),
    "ndcg": (ix.ndcg, sk.ndcg_score, gains, EXACT),
    "reliability": (our_shares, shares, binary, EXACT),
}


@for_each("name", CASES)
@for_each("seed", range(8))
@pytest.mark.filterwarnings("ignore:The y_prob values do not sum to one")  # as float64, numbers of float32 do not
def test_as_in_scikit_learn(name, seed):
    ours, theirs, drawn, near = CASES[name]
    y, p = drawn(np.random.default_rng(seed))
    wide = p.astype(np.float64)
    if "log_loss" in name:
        wide = np.clip(wide, EPSILON, 1 - EPSILON)
    if drawn is not multiclass or "auc" in name or "recall" in name:  # rows of float64 must sum to 1 more exactly than these do
        np.testing.assert_array_equal(ours(y, p), ours(y, wide))
    np.testing.assert_allclose(ours(y, p), theirs(y, wide), rtol=EXACT, atol=EXACT)
    np.testing.assert_allclose(ours(y, p), theirs(y, p), rtol=near, atol=near)
