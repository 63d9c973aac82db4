"""One number has one interval: under two names, as a total and as a mean; and what is said where it may not cover."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.catalogue.matrices import MATRIX_MEASURES
from indicatrix.inference.estimators.of_evaluation import estimator_of
from indicatrix.inference.estimators.rates import rate_ends, rates_of
from indicatrix.inference.sampling.score_function import measure_of_two_classes

KINK = "lower or higher of values that are about equal"
PAIRS = (
    ("cohen_kappa", "multiclass_kappa"),
    ("mcc", "multiclass_mcc"),
    ("gwet_ac1", "multiclass_gwet_ac1"),
    ("scott_pi", "multiclass_scott_pi"),
    ("informedness", "multiclass_informedness"),
    ("yule_q", "goodman_kruskal_gamma"),
)


def two_classes(seed, n=90, right=0.8):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    return y, np.where(rng.random(n) < right, y, 1 - y), rng.integers(0, 25, n)


@pytest.mark.parametrize("clusters", [None, "who"])
@pytest.mark.parametrize("positive", [0, 1])
@pytest.mark.parametrize(("of_counts", "of_matrix"), PAIRS)
def test_a_number_of_two_classes_has_one_interval_under_both_names(of_counts, of_matrix, positive, clusters):
    y, z, who = two_classes(3)
    ev = ix.evaluate(y, z, positive=positive, by={"who": who})
    one, other = (ev.interval(name, clusters=clusters) for name in (of_counts, of_matrix))
    assert float(one) == pytest.approx(float(other), rel=1e-12)
    assert tuple(other) == pytest.approx(tuple(one), rel=1e-9)
    assert one.method == other.method


def test_every_function_of_the_matrix_equals_the_measure_that_is_named_for_it():
    rng = np.random.default_rng(8)
    matched = 0
    for measure in dict.fromkeys(MATRIX_MEASURES.values()):
        same = None if measure.facts.without_interval else measure_of_two_classes(measure)
        for (tn, fp), (fn, tp) in rng.integers(1, 60, (0 if same is None else 20, 2, 2)).tolist():
            exact = same.function(*map(Fraction, (tp, fp, fn, tn)))
            assert float(measure(np.array([[tn, fp], [fn, tp]], dtype=object))) == pytest.approx(float(exact), rel=1e-12)
        matched += same is not None
    assert matched >= len(PAIRS)


def test_your_own_function_of_the_matrix_goes_the_way_of_the_measure_that_it_equals():
    def agreement(confusion):
        n, chance = confusion.sum(), (confusion.sum(axis=0) * confusion.sum(axis=1)).sum()
        return (n * np.trace(confusion) - chance) / (n * n - chance)

    own = ix.measure(agreement, name="agreement_beyond_chance", reads="matrix", range=(-1, 1), better="higher")
    ev = ix.from_confusion([[30, 6], [4, 20]])
    assert tuple(ev.interval(own)) == pytest.approx(tuple(ev.interval("multiclass_kappa")), rel=1e-9)


@pytest.mark.parametrize("formula", ["5*fn + fp", "2*tp - fp - 3*fn", "fp + fn"])
def test_a_total_has_the_interval_of_its_mean_times_the_number_of_examples(formula):
    y, z, _ = two_classes(4)
    other = np.where(np.random.default_rng(5).random(len(y)) < 0.7, y, 1 - y)
    ev = ix.evaluate(y, z, positive=1)
    for average in ("binary", "macro"):
        total, mean = ev.interval(formula, average), ev.interval(f"({formula}) / n", average)
        assert total.method == mean.method
        assert (float(total), *total) == pytest.approx([len(y) * x for x in (float(mean), *mean)], rel=1e-9)
    total, mean = (ix.compare(y, {"a": z, "b": other}, text, positive=1).differences[0] for text in (formula, f"({formula}) / n"))
    assert total.method == "delta"
    assert math.isnan(total.probability)
    if mean.method == "delta":  # the mean of wrong answers has McNemar's test
        more = (len(y) + 1) / len(y)  # the total counts the pseudo-example as one more
        assert total.high - total.low == pytest.approx(more * len(y) * (mean.high - mean.low), rel=1e-6)


def test_a_formula_with_min_says_where_its_branches_are_about_equal():
    weaker = "min(tp / (tp + fp), tp / (tp + fn))"
    near, far = (ix.from_confusion(table, positive=1).interval(weaker) for table in ([[90, 20], [20, 80]], [[60, 50], [5, 95]]))
    assert KINK in near.note
    assert KINK in near.warning
    assert KINK not in far.note
    assert KINK not in ix.from_confusion([[90, 20], [20, 80]], positive=1).interval("f1").note


@pytest.mark.parametrize("classes", [2, 3, 30])
def test_a_sum_of_rates_reaches_as_far_by_its_slopes_as_table_by_table(classes, monkeypatch):
    rng = np.random.default_rng(classes)
    ev = ix.from_confusion(rng.integers(0, 20, (classes, classes)) + 5 * np.eye(classes, dtype=int))

    def shifted_recalls(confusion):  # which no measure of two classes equals
        return (confusion.diagonal() / confusion.sum(axis=1)).mean() / 3 + 0.25

    score = ev.score(ix.measure(shifted_recalls, reads="matrix", range=(0, 1), better="higher"))
    estimator = estimator_of(ev, score.measure, score, None)
    assert rates_of(estimator).slopes is not None
    by_slopes = rate_ends(estimator, 0.95)
    macro = ev.interval("recall", "macro")
    assert by_slopes == pytest.approx([x / 3 + 0.25 for x in macro], rel=1e-9)


def test_an_interval_becomes_json():
    found = ix.from_confusion([[40, 10], [5, 45]]).interval("f1", "macro")
    read = json.loads(json.dumps(found.to_dict()))
    assert (read["value"], read["low"], read["high"], read["level"]) == (found.value, found.low, found.high, found.level)
    assert (read["score"], read["method"], read["note"]) == ("macro f1", found.method, found.note)
    score = ix.from_confusion([[40, 10], [5, 45]]).score("f1", "macro")
    assert json.loads(json.dumps(score)) == float(score)


def test_a_score_that_changes_with_the_number_of_examples_names_the_reason():
    smoothed = "(tp + 1) / (n + 2)"
    y, z, _ = two_classes(6)
    with pytest.raises(ValueError, match=r"Leave out prevalence=, sampled= and with_priors\(\)"):
        ix.evaluate(y, z, positive=1).interval(smoothed, prevalence=0.1)
    with pytest.raises(ValueError, match=r"Evaluate without sample_weight="):
        ix.evaluate(y, z, positive=1, sample_weight=np.linspace(1, 2, len(y))).interval(smoothed)


@pytest.mark.parametrize("largest", [20, 2**26, 2**40])
def test_counts_as_integers_of_the_machine_lose_nothing(largest):
    """Below 2**31 examples products of counts are int64, above Python integers: fractions say what both should be."""
    rng = np.random.default_rng(7)
    for size in (2, 4):
        table = rng.integers(0, largest, (size, size)) + np.diag(rng.integers(1, largest, size))
        exact = np.array([[Fraction(int(x)) for x in row] for row in table], dtype=object)
        for measure in dict.fromkeys(MATRIX_MEASURES.values()):
            assert float(measure(table.astype(object))) == pytest.approx(float(measure(exact)), rel=1e-9, abs=1e-15), measure
