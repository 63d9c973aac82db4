"""Functions of the whole matrix over groups: clusters that were sampled as a whole, and folds."""

from __future__ import annotations

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.inference.estimators.of_evaluation import estimator_of

RNG = np.random.default_rng(2)
TRUE = np.array([1, 2, 3] * 20)
PRED = np.where(RNG.random(60) < 0.7, TRUE, RNG.integers(1, 4, 60))
FOLD = np.arange(60) % 4


@pytest.mark.one_fast_case
@pytest.mark.parametrize("name", ["multiclass_kappa", "goodman_kruskal_gamma", "normalized_mutual_information"])
def test_clusters_of_equal_examples_are_as_many_examples_as_there_are_clusters(name):
    plain = ix.evaluate(TRUE, PRED).interval(name, method="jackknife")
    ids = np.repeat(np.arange(60), 3)
    tripled = ix.evaluate(np.repeat(TRUE, 3), np.repeat(PRED, 3), by={"who": ids})
    found = tripled.interval(name, method="jackknife", clusters="who")
    half = found.value - found.low
    from scipy.stats import norm, t

    # Clusters that differ in what they tell are worth a few less than 60, which t takes into account.
    score = tripled.score(name)
    freedom = estimator_of(tripled, score.measure, score, "who").freedom
    assert 30 < freedom < 59
    assert half / t.ppf(0.975, freedom) == pytest.approx((plain.value - plain.low) / norm.ppf(0.975), rel=1e-9)
    usual, naive = (tripled.interval(name, clusters=axis, draws=200) for axis in ("who", None))
    assert usual.method == "score"
    assert usual.high - usual.low > 1.4 * (naive.high - naive.low)


def test_items_of_raters_are_clusters():
    panel = ix.agreement([[1, 1, 2], [2, 2, 2], [1, 2, 1], [2, 2, 2], [1, 1, 1], [2, 1, 1], [1, 1, 1], [2, 2, 2]])
    found = panel.evaluation().interval("multiclass_scott_pi", clusters="item", method="jackknife")
    known = panel.interval("fleiss_kappa")  # the same table, and the linearized variance of its items
    assert found.value == pytest.approx(known.value)
    assert found.value - found.low == pytest.approx(known.value - known.low, rel=0.25)
    with pytest.raises(ValueError, match="cannot be drawn class by class"):
        panel.evaluation().interval("multiclass_kappa", clusters="item", method="percentile", stratified=True)


def test_folds_have_a_value_each():
    ev, other = (ix.evaluate(TRUE, pred, by={"fold": FOLD}) for pred in (PRED, TRUE))
    found = ev.folds("multiclass_kappa(weights='linear')")
    parts = [np.flatnonzero(FOLD - k == 0) for k in range(4)]
    alone = [ix.multiclass_kappa(TRUE[part], PRED[part], weights="linear", classes=[1, 2, 3]) for part in parts]
    assert found.values.tolist() == pytest.approx(alone)
    assert found.averaged == pytest.approx(np.mean(alone))
    assert (found.pooled, found.weights) == (ev.score("multiclass_kappa(weights='linear')"), None)
    assert ix.inference.fold_interval(found).value == pytest.approx(np.mean(alone))
    compared = ix.inference.compare_folds({"a": ev, "b": other}, "multiclass_mcc")
    assert compared.values.shape == (2, 4)
    assert compared.pairs[0].difference < 0
    with pytest.raises(ValueError, match="has no averages; leave average out"):
        ev.folds("multiclass_kappa", "macro")
    assert ev.score("multiclass_kappa(weights='linear')", "fold") == pytest.approx(found.averaged)
    weighted = ix.evaluate(TRUE, PRED, by={"fold": FOLD}, sample_weight=RNG.random(60))
    assert weighted.interval("multiclass_kappa").low < weighted.score("multiclass_kappa")
    with pytest.raises(ValueError, match="of weighted examples only sums were kept"):
        weighted.interval("multiclass_kappa", method="posterior")
    assert weighted.interval("multiclass_kappa", clusters="fold", draws=50).low < weighted.score("multiclass_kappa")
    with pytest.raises(ValueError, match="multiclass_kappa needs fp, tn, which these data do not show"):
        ix.tasks.one_class(["in", "in", None], [1, -1, 1], by={"fold": [0, 1, 1]}).folds("multiclass_kappa")
