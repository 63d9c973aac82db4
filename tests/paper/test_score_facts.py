"""Recomputed numbers on scores: average precision, ordinal AUC, thresholds on data."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from facts import FACTS
from loops import for_each

import indicatrix as ix
from indicatrix.scores.areas import auc, average_precision, exact_area, ordinal_auc
from indicatrix.scores.thresholds.sweep import sweep

# The names that the facts have for the definitions of average precision (errata A15).
DEFINITIONS = {
    "AP step sum": "step",
    "VOC2010+ envelope": "envelope",
    "VOC2007 11-point": "11-point",
    "COCO 101-point": "101-point",
    "trapezoid from (0,1)": "trapezoid",
}


@pytest.mark.parametrize("name", FACTS["ap.variants"]["computed"])
def test_average_precision(name):
    fact = FACTS["ap.variants"]
    labels, scores, expected = fact["inputs"]["labels"], fact["inputs"]["scores"], Fraction(fact["computed"][name])
    area = average_precision.at(interpolation=DEFINITIONS[name])
    assert exact_area(area, sweep(labels, scores).of()) == expected
    assert area(labels, scores) == pytest.approx(float(expected), rel=1e-15)
    assert fact["agrees"] is False
    assert len(set(fact["computed"].values())) == len(DEFINITIONS)


def test_ordinal_auc():
    fact = FACTS["ord.auc"]
    k, p = np.array(fact["inputs"]["k"]), np.eye(3)
    found = ordinal_auc(k, p, classes=[1, 2, 3])
    assert [str(Fraction(v)) for v in found.values] == fact["computed"]["tail-sum scores, k>j"]
    assert found == fact["paper"]
    literal = [auc(k >= j, p[:, j - 1]) for j in (1, 2)]
    assert [None if np.isnan(v) else str(Fraction(v)) for v in literal] == fact["computed"]["paper formula AUC^(1),AUC^(2)"]


# Thresholds on the data themselves; tests/paper/test_theory_facts.py has those on P(Y = 1 | x).


def utility(name):
    given = map(Fraction, FACTS[f"bayes.{name}"]["inputs"]["alpha,beta,gamma,delta"])
    return ix.measures.linear_utility.at(**dict(zip(("alpha", "beta", "gamma", "delta"), given, strict=True)))


def test_utilities_that_are_one_problem_have_the_same_plateaus():
    assert FACTS["bayes.equiv"]["computed"].startswith("identical")
    rng = np.random.default_rng(0)
    for _ in range(50):
        n = int(rng.integers(1, 60))
        scores = rng.integers(0, 20, n) / 20
        swept = sweep((rng.random(n) < scores).astype(int), scores)
        cost, general = (swept.best(utility(name)).plateaus for name in ("Cost 5:1", "General (3,1,2,0)"))
        assert cost == general


def calibrated(sizes):
    """Return labels and scores k/60 in groups where exactly the share k/60 is positive."""
    labels = [np.arange(60 * size) < k * size for k, size in enumerate(sizes)]
    return np.concatenate(labels), np.repeat(np.arange(61) / 60, [60 * size for size in sizes])


def holds(best, threshold):
    """Return whether a threshold is on the best plateau, and this is at most two steps wide."""
    ends = np.clip((best.low, best.high), -1 / 60, 61 / 60)
    return best.low < threshold <= best.high and ends[1] - ends[0] < 2.5 / 60


SWEPT = [name.removeprefix("bayes.") for name, fact in FACTS.items() if "alpha,beta,gamma,delta" in fact["inputs"]]


@for_each("name", SWEPT)
def test_the_best_threshold_of_calibrated_scores(name):
    expected = Fraction(FACTS[f"bayes.{name}"]["computed"]["t*"])
    assert holds(sweep(*calibrated([1] * 61)).best(utility(name)), expected)


def test_the_best_threshold_of_balanced_accuracy_is_the_prevalence():
    assert FACTS["bayes.BA"]["computed"].endswith("= pi (class prevalence)")
    for sizes in ([1] * 61, range(1, 62), range(61, 0, -1)):
        labels, scores = calibrated(sizes)
        for name in ("balanced_accuracy", "informedness"):
            assert holds(sweep(labels, scores).best(name), Fraction(int(labels.sum()), len(labels)))


def test_classes_of_different_prevalence_keep_the_threshold_of_a_linear_measure():
    assert FACTS["bayes.macro"]["computed"].endswith("each label keeps the SAME threshold t*")
    columns = [calibrated(sizes) for sizes in ([2] * 61, [3] * 30 + [1] * 31, [1] * 31 + [3] * 30)]
    n = min(len(labels) for labels, _ in columns)
    observed = np.array([np.arange(max(len(labels) for labels, _ in columns)) < len(labels) for labels, _ in columns]).T
    padded = [np.array([np.pad(x, (0, len(observed) - len(x))) for x in side]).T for side in zip(*columns, strict=True)]
    swept = sweep(padded[0].astype(int), padded[1], mask=observed)
    assert n < len(observed)
    for name in ("Accuracy", "Cost 5:1", "Cost 10:1"):
        expected = Fraction(FACTS[f"bayes.{name}"]["computed"]["t*"])
        assert all(holds(best, expected) for best in swept.best(utility(name), average="macro").bests.values())
    assert len(set(swept.best("f1", average="macro").thresholds.values())) == 3
