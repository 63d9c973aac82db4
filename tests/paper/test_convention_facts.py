"""The facts of the groups binary, lit, nb, sk, soft and weighted."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy
from facts import Checkers

import indicatrix as ix

checks = Checkers("binary", "lit", "nb", "sk", "soft", "weighted")


@pytest.mark.one_fast_case
@pytest.mark.parametrize("fact", checks.facts.values(), ids=checks.facts)
def test_fact(fact):
    checks.run(fact)


def label_sets(seed, n=30, m=4):
    """Return random true and predicted label sets as columns of 0 and 1."""
    Y, Yhat = np.random.default_rng(seed).random((2, n, m)) < 0.4
    return Y.astype(int), Yhat.astype(int)


@checks(r"binary\.text")
def what_false_positives_are(fact):
    assert tuple(ix.evaluate([0], [1], classes=[0, 1], positive=1).binary()) == (0, 1, 0, 0)  # a negative, predicted positive
    assert tuple(ix.evaluate([1], [0], classes=[0, 1], positive=1).binary()) == (0, 0, 1, 0)
    assert fact["computed"].startswith("fp = negatives classified positive, fn = positives classified negative")


@checks(r"lit\.macroMAE")
def macro_mae_is_by_true_class(fact):
    y, yhat = np.array([0, 0, 1, 2, 2, 2]), np.array([0, 1, 1, 0, 2, 1])
    by_true = np.mean([abs(y - yhat)[y == k].mean() for k in range(3)])
    by_predicted = np.mean([abs(y - yhat)[yhat == k].mean() for k in range(3)])
    assert ix.cost(y, yhat, "absolute", average="macro") == pytest.approx(by_true, rel=1e-15)
    assert ix.cost(y, yhat, "absolute", average="macro", side="predicted") == pytest.approx(by_predicted, rel=1e-15)
    assert by_true != by_predicted
    assert "(by true class)" in fact["computed"]


@checks(r"lit\.exacc")
def example_based_accuracy_is_jaccard(fact):
    Y, Yhat = label_sets(1)
    Y[:, 0] = 1  # no example without a true label
    overlap = np.mean((Y & Yhat).sum(axis=1) / (Y | Yhat).sum(axis=1))
    assert ix.jaccard(Y, Yhat, average="exemplar") == pytest.approx(overlap, rel=1e-15)
    assert ix.accuracy(Y, Yhat, average="exemplar") == pytest.approx(
        1 - ix.measures.hamming_loss(Y, Yhat, average="micro"), rel=1e-15
    )
    assert "exemplar-Jaccard" in fact["computed"]


@checks(r"nb\.cover")
def net_benefit_needs_a_gain(fact):
    tp, fp, fn, tn, p_t = sympy.symbols("tp fp fn tn p_t", positive=True)
    counts, w = ix.Counts(tp, fp, fn, tn), p_t / (1 - p_t)
    benefit, n = ix.net_benefit.at(p_t=p_t)(counts), counts.n
    assert sympy.simplify(benefit + w * fp / n) == tp / n  # what C[neg, pos] alone leaves out
    assert sympy.simplify(benefit - ((tp + fn) / n - (fn + w * fp) / n)) == 0
    assert fact["computed"].endswith("NB = pi - (fn + w fp)/n")


@checks(r"sk\.match")
def scikit_learn_averages_alike(fact):
    metrics = pytest.importorskip("sklearn.metrics")
    largest = 0.0
    for seed in range(60):
        Y, Yhat = label_sets(seed)
        ev = ix.evaluate(Y, Yhat)
        for ours, theirs in (("micro", "micro"), ("macro", "macro"), ("weighted", "weighted"), ("exemplar", "samples")):
            expected = metrics.precision_recall_fscore_support(Y, Yhat, average=theirs, zero_division=0)
            for measure, value in zip(("precision", "recall", "f1"), expected, strict=False):
                largest = max(largest, abs(ev.score(measure, ours, undefined=0) - value))
    assert largest < 1e-15
    assert fact["agrees"]


@checks(r"soft\.upper")
def a_perfect_soft_prediction_has_false_positives(fact):
    y, yhat = Fraction(fact["inputs"]["y"]), Fraction(fact["inputs"]["yhat"])
    for name, value in fact["computed"].items():
        tnorm = ix.algebra.tnorm(
            {"product": "product", "Goedel": "godel", "Lukasiewicz": "lukasiewicz"}[name.removesuffix(" FP")]
        )
        assert tnorm(1 - y, yhat) == tnorm(y, 1 - yhat) == Fraction(value)
        assert all(tnorm(1 - crisp, crisp) == 0 for crisp in (0, 1))  # for crisp labels the paper is right


@checks(r"weighted\.w")
def weights_are_divided_by_their_sum(fact):
    Y = np.array([[1, 1], [1, 1], [1, 0], [0, 0]])
    Yhat = np.array([[1, 0], [1, 1], [0, 0], [0, 1]])
    ev, given = ix.evaluate(Y, Yhat), fact["inputs"]
    sizes = ev.aggregate("class").tpos.tolist()
    assert (sizes, ev.n) == (given["multilabel tpos"], given["n"])
    shares = [Fraction(int(size), ev.n) for size in sizes]
    assert [shares, sum(shares)] == [[Fraction(w) for w in fact["computed"]["w"]], Fraction(fact["computed"]["sum"])]
    assert ix.recall(Y, Y, average="weighted") == 1
    assert ev.score("recall", "weighted") == pytest.approx(ev.score("recall", "micro"), rel=1e-15)
