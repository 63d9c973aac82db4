"""Floors: the closed forms against every prediction there is, on small problems."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
import sympy
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.average import averages_that
from indicatrix.algebra.numbers.exact import exactly, is_defined, order
from indicatrix.theory.formula.cancellation import rational_form
from indicatrix.theory.formula.measure_notes import has_floor

MEASURES = [m for name, m in ix.algebra.MEASURES.items() if name == m.name]
M, N = 3, 4


@cache
def is_scale_free(measure):
    return ix.properties(measure, prove=False).scale_free


def worse(measure, x, y):
    """Return whether x is worse than y."""
    return (1 if measure.better == "lower" else -1) * order(x, y) > 0


@for_each("measure", MEASURES)
@for_each("average", averages_that(has_floor))
def test_no_prediction_is_worse_than_the_floor(measure, average):
    if not is_scale_free(measure) or (measure.averages and average not in measure.averages):
        return
    floor, value = ix.theory.floor(measure, M, average=average), exactly(measure)
    wrong = value(0, 1, 1, M - 2)
    assert float(floor) == float(wrong) or (math.isnan(floor) and not is_defined(wrong))
    if not isinstance(floor, ix.types.Floor) or not floor.lowest:
        return
    for right in range(N + 1):  # under one-hot rows these are all the counts there are
        if ix.algebra.AVERAGES[average].pools:
            reached = value(right, N - right, N - right, N * (M - 2) + right)
        else:
            units = [value(1, 0, 0, M - 1)] * right + [wrong] * (N - right)
            reached = sum(units) / N if all(map(is_defined, units)) else math.nan
        if is_defined(reached):
            assert not worse(measure, reached, floor)


SIZES = ([2, 1, 1], [2, 2, 1], [3, 1, 1], [1, 1, 1])


@pytest.mark.slow
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_macro_floors_are_the_worst_of_all_predictions(sizes):
    truth = [c for c, k in enumerate(sizes) for _ in range(k)]
    known = {}
    for measure in filter(is_scale_free, MEASURES):
        try:
            known[measure] = ix.theory.floor(measure, M, average="macro", sizes=sizes)
        except ValueError:
            continue
    assert {ix.specificity, ix.balanced_accuracy, ix.informedness, ix.accuracy, ix.recall, ix.measures.fpr} <= set(known)
    worst = {}
    for predicted in product(range(M), repeat=len(truth)):
        counts = ix.evaluate(truth, list(predicted), classes=range(M)).aggregate("class")
        for measure in known:
            values = [exactly(measure)(*map(int, v)) for v in zip(*counts, strict=True)]
            values = [x for x in values if is_defined(x)]
            if values:
                mean = sum(values) / len(values)
                if measure not in worst or worse(measure, mean, worst[measure]):
                    worst[measure] = mean
    for measure, floor in known.items():
        assert order(worst[measure], floor) == 0 or float(worst[measure]) == pytest.approx(float(floor), abs=1e-15), measure


def test_macro_floors_of_the_errata():
    sizes = [2, 1, 1]
    assert ix.theory.floor("specificity", 3, average="macro", sizes=sizes) == Fraction(4, 9)
    assert ix.theory.floor("balanced_accuracy", 3, average="macro", sizes=sizes) == Fraction(2, 9)
    assert ix.theory.floor("informedness", 3, average="macro", sizes=sizes) == Fraction(-5, 9)
    with pytest.raises(ValueError, match="not known in closed form"):
        ix.theory.floor("mcc", 3, average="macro", sizes=sizes)
    with pytest.raises(ValueError, match="give sizes="):
        ix.theory.floor("specificity", 3, average="macro")
    with pytest.raises(ValueError, match="3 positive numbers"):
        ix.theory.floor("specificity", 3, average="macro", sizes=[4, 1])


@for_each("measure", MEASURES)
def test_the_expression_is_the_number(measure):
    if not is_scale_free(measure) or rational_form(measure) is None:
        return  # SymPy may need minutes to simplify roots
    m = sympy.Symbol("m")
    average = measure.averages[0] if measure.averages else "micro"
    expression = ix.theory.floor(measure, m, average=average)
    for k in (3, 5, 17):
        number, there = ix.theory.floor(measure, k, average=average), expression.subs(m, k)
        if isinstance(number, ix.types.Floor):
            assert there == sympy.Rational(Fraction(number)), (measure, k, expression)


def test_orientation():
    assert ix.theory.floor("error_rate", 10).orientation == "ceiling"
    assert ix.theory.floor("error_rate", 10) == Fraction(1, 5)
    assert ix.theory.floor("accuracy", 10).orientation == "floor"
    assert not ix.theory.floor("optimized_precision", 10).lowest
    assert ix.theory.floor("gwet_ac1", 10) == Fraction(31, 41)  # errata B15


def test_measures_that_grow_need_n():
    with pytest.raises(ValueError, match="Give n="):
        ix.theory.floor("chi_squared", 5)
    assert ix.theory.floor("chi_squared", 5, n=100) == Fraction(500, 16)
    with pytest.raises(ValueError, match="2 or more"):
        ix.theory.floor("mcc", 1)
    with pytest.raises(ValueError, match="does not depend on m only"):
        ix.theory.floor("mcc", 3, average="weighted")


@pytest.mark.parametrize("m", [2, 3, 10])
def test_rescaled_micro_scores_are_accuracy(m):
    truth = [i % m for i in range(20)]
    predicted = [(c + (i % 3 == 0)) % m for i, c in enumerate(truth)]
    accuracy = ix.recall(truth, predicted, average="micro")
    for name in ("accuracy", "specificity", "balanced_accuracy", "npv", "recall", "f1"):
        score = ix.algebra.MEASURES[name](truth, predicted, average="micro")
        assert ix.theory.rescale(score, m) == pytest.approx(accuracy)
    for name in ("mcc", "informedness", "kappa", "markedness"):  # their nominal range is [-1, 1]
        score = ix.algebra.MEASURES[name](truth, predicted, average="micro")
        assert ix.theory.rescale(score, m) == pytest.approx(2 * accuracy - 1)
    assert ix.theory.rescale(ix.error_rate(truth, predicted, average="micro"), m) == pytest.approx(1 - accuracy)


def test_rescaling_needs_to_know_the_score():
    assert ix.theory.rescale(0.8, 10, measure="accuracy", average="micro") == 0
    with pytest.raises(ValueError, match="plain number"):
        ix.theory.rescale(0.8, 10)
    with pytest.raises(ValueError, match="does not depend on m only"):
        ix.theory.rescale(0.8, 10, measure="accuracy", average="macro")
    with pytest.raises(ValueError, match="not finite, so it cannot be rescaled"):
        ix.theory.rescale(0.8, 10, measure="lr_plus", average="micro")
