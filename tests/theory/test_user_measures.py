"""Measures as users write them: functions with branches, of math and NumPy; in threads, with rounded weights."""

from __future__ import annotations

import copy
import math
import pickle
import threading
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy

import indicatrix as ix
from indicatrix.theory.formula.examined_measure import ExaminedMeasure
from indicatrix.theory.formula.properties import Ledger, Properties


def branching(tp, fp, fn, tn):
    return tp / (tp + fp) if tp + fp else 0.0


def with_math(tp, fp, fn, tn):
    return math.sqrt(tp * tn / ((tp + fn) * (tn + fp)))


def with_numpy(tp, fp, fn, tn):
    return np.sqrt(tp / (tp + fp) * tp / (tp + fn))


def with_float(tp, fp, fn, tn):
    return float(tp) / float(tp + fn)


USERS = {branching: ix.precision, with_math: ix.g_mean, with_numpy: ix.measures.fowlkes_mallows, with_float: ix.recall}
SAME = ("skew_invariant", "scale_free", "monotone", "symmetric_classes", "symmetric_roles", "complete", "tn_survives_at_tp0")


@pytest.mark.parametrize("function", USERS, ids=lambda f: f.__name__)
@pytest.mark.slow
def test_functions_of_all_kinds_are_decided(function):
    made, known = ix.measure(function, name=f"my_{function.__name__}"), ix.properties(USERS[function])
    for name in SAME:
        assert ix.properties(made).evidence[name].holds == known.evidence[name].holds, name
    assert str(ix.properties(made))
    y, z = np.random.default_rng(0).integers(0, 30, (2, 400))  # more classes than are evaluated one by one
    evaluation = ix.evaluate(y, z)
    assert evaluation.score(made, "macro") == pytest.approx(evaluation.score(USERS[function], "macro", undefined=0), abs=1e-12)
    assert isinstance(evaluation.findings([made], ["micro", "macro"]), list)
    assert made in ix.theory.select(monotone=True)


def test_floats_are_compared_to_fewer_digits_and_it_is_said():
    evidence = ix.properties(ix.measure(with_math, name="my_root")).evidence["skew_invariant"]
    assert evidence
    assert evidence.digits == 9
    assert ix.properties("g_mean").evidence["skew_invariant"].digits == 30


def test_equal_formulas_of_opposite_direction_are_two_measures():
    gain, loss = (ix.measure("abs(tp - fn)/n", better=better) for better in ("higher", "lower"))
    assert gain != loss
    assert ix.theory.floor(ix.measure("fn/(tp+fn)"), 3).orientation == "ceiling"


@pytest.mark.one_fast_case
@pytest.mark.parametrize("text", ["0/0", "tp/0", "tp/(tp-tp)", "(tp-tp)/(fp-fp)"])
def test_what_is_defined_nowhere_has_no_properties(text):
    known = ix.properties(ix.measure(text))
    for name in ("decomposable", "skew_invariant", "symmetric_roles", "monotone"):
        assert known.evidence[name].holds is None, name
    assert not known.bounded


@pytest.mark.parametrize("text", ["tp/(tp-1.5*fn)", "tp/(7*tp-3*fn)", "tp/abs(tp-sqrt(2)*fn)", "log(tp+1)", "tp", "tp/fp"])
def test_poles_and_growth_are_found(text):
    assert ix.properties(ix.measure(text)).bounded is False


def test_cases_far_out_are_found():
    known = ix.properties(ix.measure("tp/(tp+fn) + max(tn-1000, 0)"))
    assert not known.decomposable
    assert not known.skew_invariant


def test_a_dent_of_a_hundredth_is_found():
    dent = ix.properties(ix.measure("(tp/n)**3-1.245*(tp/n)**2+0.5166*(tp/n)")).evidence["monotone"]
    assert dent.holds is False
    bump = ix.properties(ix.measure("1-(fp/n)*(fp/n-0.413)*(fp/n-0.417)")).evidence["upper_boundary"]
    assert bump.holds is False


def test_a_symbol_leaves_the_ends_open():
    w = sympy.Symbol("w")
    known = ix.properties(ix.measure("tp/(tp+w*fp)", params={"w": w}))
    assert known.upper_boundary is None
    assert "depends on the parameter" in known.evidence["upper_boundary"].note
    assert ix.properties(ix.measure("w*tp", params={"w": w})).upper_boundary is False
    with pytest.raises(ValueError, match="name of a count"):
        ix.properties(ix.f_beta.at(beta=sympy.Symbol("tp"))).decomposable  # noqa: B018


def test_threads_and_the_precision_of_the_caller():
    found = []

    def decide():
        known = Properties(ix.mcc, Ledger(ExaminedMeasure(ix.mcc, prove=False)))
        found.append((known.scale_free, known.symmetric_classes, known.symmetric_roles, known.decomposable))

    threads = [threading.Thread(target=decide) for _ in range(6)]
    before = mpmath.mp.dps
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(found) == {(True, True, True, False)}
    assert mpmath.mp.dps == before


def test_rounded_weights_do_not_decide():
    y, z, weights = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0], np.array([0.1, 0.2, 0.3, 0.1, 0.2, 0.3])
    a, b = (ix.evaluate(y, z, sample_weight=w) for w in (weights, 10 * weights))
    for first, second in ((a, b), (b, a)):
        found = first.dominates(second)
        assert (found.measurewise, found.strictly, found.elementwise) == (True, False, True)
    assert a.skew_conditions().recalls_equal
    assert a.skew_conditions().prior_free("accuracy", "micro")


def test_a_floor_travels():
    floor = ix.theory.floor("mcc", 10)
    for other in (copy.copy(floor), copy.deepcopy(floor), pickle.loads(pickle.dumps(floor))):
        assert other == Fraction(-1, 9)
        assert other.orientation == "floor"
    assert ix.theory.floor("mcc", np.int64(10)) == floor


def test_a_score_of_label_sets_has_no_such_floor():
    score = ix.evaluate([{1}, {2, 3}, {1, 2, 3}], [{2}, {1}, {1}]).score("specificity", "micro")
    with pytest.raises(ValueError, match="do not come from one true and one predicted class"):
        ix.theory.rescale(score, 3)


def test_one_name_is_one_measure():
    evaluation = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])
    assert evaluation.findings("f1", "micro") == evaluation.findings(["f1"], ["micro"])
    assert evaluation.findings([], ["micro"]) == []


def test_a_majority_vote_is_seen_through():
    y = np.r_[np.ones(10, int), np.zeros(990, int)]
    evaluation = ix.evaluate(y, np.roll(y, 5))
    assert {f.kind for f in evaluation.findings()} >= {"collapse", "escape", "priors"}
    still = [f.text for f in evaluation.findings(["recall", "mcc"], ["binary"])]
    assert not any("mcc would not move" in text for text in still)


def test_decimals_are_what_they_write():
    assert ix.properties("net_benefit(p_t=0.2)").threshold == Fraction(1, 5)
    assert ix.measures.weighted_accuracy.at(w=0.1)(ix.Counts(*map(Fraction, (1, 0, 0, 9)))) == 1
    assert ix.properties(ix.measure("tp/(tp + 2/3*fp)")).b == (1, Fraction(2, 3), 0, 0)


@pytest.mark.parametrize(
    ("text", "threshold"),
    [
        ("(tp/(tp+fn))**2", Fraction(0)),
        ("exp((tp+tn)/n)", Fraction(1, 2)),
        ("((tp*tn-fp*fn)/(n*n))**3", "prevalence"),
        ("0 - log(1 + fp)", Fraction(1)),
        ("tp/(tp+fp)", None),
        ("sqrt(tp/(tp+fn)*tn/(tn+fp))", None),
    ],
)
def test_what_orders_predictions_as_an_affine_measure_has_its_threshold(text, threshold):
    assert ix.properties(ix.measure(text)).threshold == threshold


@pytest.mark.slow
def test_measures_that_rank_as_accuracy_are_consistent_with_it():
    for name, measure in ix.algebra.MEASURES.items():
        if name == measure.name and measure.better != "neither" and ix.theory.equivalent(measure, "accuracy", up_to="ranking"):
            assert ix.properties(measure, prove=False).erm_consistent, measure


def test_ends_of_the_scale_are_looked_at_everywhere():
    for text in ("tp/(tp-fn)", "tp/(tp-fp)", "tp/max(tp+fn, 1)", "min(tp, 1000)/(tp+fn)"):
        assert ix.properties(ix.measure(text)).upper_boundary is False, text


def test_a_score_that_does_not_exist_has_no_floor():
    with pytest.raises(ValueError, match="exists only as average='exemplar'"):
        ix.theory.floor("subset_accuracy", 3)
    assert ix.theory.floor("subset_accuracy", 3, average="exemplar") == 0
    with pytest.raises(ValueError, match="do not come from one true"):
        ix.theory.rescale(ix.specificity([[1, 1, 0], [0, 0, 1]], [[1, 0, 0], [1, 1, 1]], average="exemplar"), 3)
