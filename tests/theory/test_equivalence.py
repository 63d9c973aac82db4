"""Equivalence of measures: equal values and equal rankings, with exact witnesses (sec:ranking_curves, errata C16)."""

import math
import sys
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import indicatrix as ix
from indicatrix.algebra.exact import defined, exactly, order
from indicatrix.algebra.measure import MEASURES
from indicatrix.theory.equivalence import equivalent

EVERY = sorted({m.name for m in MEASURES.values()})
names = st.sampled_from(EVERY)
cells = st.tuples(*[st.integers(0, 40)] * 4)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("weighted_relative_accuracy", "klosgen(omega=1)"),
        ("novelty", "klosgen(omega=1)"),
        ("dor", "odds_ratio"),
        ("phi", "mcc"),
        ("f1", "f_beta(beta=1)"),
        ("f1", "tversky(alpha=0.5, beta=0.5)"),
        ("jaccard", "tversky(alpha=1, beta=1)"),
        ("accuracy", "(tp + tn) / (tp + fp + fn + tn)"),
        ("chi_squared", "(tp + fp + fn + tn) * (tp*tn - fp*fn)**2 / ((tp+fp) * (tp+fn) * (tn+fp) * (tn+fn))"),
        ("mcc", "(tp*tn - fp*fn) / sqrt((tp+fp) * (tp+fn) * (tn+fp) * (tn+fn))"),
    ],
)
def test_duplicates_of_the_paper_have_equal_values(first, second):
    assert equivalent(first, second)
    assert equivalent(second, first)


@pytest.mark.parametrize(("first", "second"), [("f1", "jaccard"), ("accuracy", "error_rate"), ("mcc", "cohen_kappa")])
def test_a_no_has_a_witness_that_can_be_recomputed(first, second):
    answer = equivalent(first, second)
    v, x, y = answer.witness
    assert answer.holds is False
    assert order(exactly(MEASURES[first])(*v), x) == 0 == order(exactly(MEASURES[second])(*v), y)
    assert order(x, y) != 0


@settings(max_examples=40, deadline=None)
@given(names, names, st.lists(cells, min_size=5, max_size=20))
def test_a_yes_is_never_contradicted_and_a_no_is_always_witnessed(first, second, vectors):
    answer = equivalent(first, second)
    one, other = exactly(MEASURES[first]), exactly(MEASURES[second])
    if answer.holds:
        pairs = [(one(*v), other(*v)) for v in vectors]
        assert all(order(x, y) == 0 for x, y in pairs if defined(x, y))
    elif answer.holds is False:
        v, x, y = answer.witness
        assert order(one(*v), other(*v)) == order(x, y) != 0


@pytest.mark.parametrize("name", EVERY[::5])
def test_a_measure_is_itself(name):
    answer = equivalent(name, name)
    assert answer.holds
    assert not answer.note


def test_a_rational_identity_is_proved_and_an_irrational_one_says_to_how_many_digits():
    pytest.importorskip("sympy")
    assert equivalent("f1", "f_beta(beta=1)").proof
    assert equivalent("f1", "f_beta(beta=1)").digits is None
    root = equivalent("mcc", "phi")
    assert not root.proof
    assert root.digits


def test_without_sympy_there_are_trials_and_no_proof(monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    answer = equivalent("f1", "f_beta(beta=1)")
    assert answer.holds
    assert not answer.proof
    assert answer.trials > 200


def test_a_formula_that_branches_is_not_proved_by_its_generic_branch():
    branch = ix.measure(lambda tp, fp, fn, tn: tp if tp == 0 else ix.ratio(tp, tp + fn), name="branching_recall")
    try:
        answer = equivalent(branch, "recall")
    finally:
        del MEASURES["branching_recall"]
    assert answer.holds
    assert not answer.proof
    assert "only branching_recall is defined" in answer.note


def test_different_domains_are_named():
    answer = equivalent("f1", "2 * (tp/(tp+fp)) * (tp/(tp+fn)) / (tp/(tp+fp) + tp/(tp+fn))")
    assert answer.holds
    assert "only f1 is defined" in answer.note


def test_measures_that_never_meet_are_undecided():
    answer = equivalent("0 * tp / (tp - tp)", "accuracy")
    assert answer.holds is None
    assert "never defined" in answer.note
    assert equivalent("0 * tp / (tp - tp)", "accuracy", up_to="ranking").holds is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("accuracy", "error_rate"),
        ("f1", "jaccard"),
        ("balanced_accuracy", "informedness"),
        ("yule_q", "yule_y"),
        ("dor", "yule_q"),
    ],
)
def test_ranking_equivalence(first, second):
    assert equivalent(first, second, up_to="ranking")


def test_kappa_does_not_rank_as_accuracy_does():
    answer = equivalent("cohen_kappa", "accuracy", up_to="ranking")
    assert answer.holds is False
    assert "cohen_kappa puts" in answer.note


@settings(max_examples=25, deadline=None)
@given(names, names)
def test_a_ranking_witness_is_two_predictions_on_one_test_set_in_two_orders(first, second):
    answer = equivalent(first, second, up_to="ranking")
    pair = MEASURES[first], MEASURES[second]
    assert (answer.holds is None) >= any(m.better == "neither" for m in pair)
    if answer.holds is False:
        v, w, *said = answer.witness
        assert (v[0] + v[2], v[1] + v[3]) == (w[0] + w[2], w[1] + w[3])
        sign = [1 if m.better == "higher" else -1 for m in pair]
        assert [s * order(exactly(m)(*v), exactly(m)(*w)) for s, m in zip(sign, pair, strict=True)] == said
        assert said[0] != said[1]


def test_the_sorted_neighbours_decide_as_all_pairs_do():
    test_set = [(tp, fp, 4 - tp, 3 - fp) for tp in range(5) for fp in range(4)]
    for first, second in combinations(("accuracy", "f1", "jaccard", "recall", "informedness", "mcc"), 2):
        one, other = exactly(MEASURES[first]), exactly(MEASURES[second])
        usable = [v for v in test_set if defined(one(*v), other(*v))]
        alike = all(order(one(*v), one(*w)) == order(other(*v), other(*w)) for v, w in combinations(usable, 2))
        assert alike >= equivalent(first, second, up_to="ranking").holds


def test_errors_name_what_is_possible():
    with pytest.raises(ValueError, match="Use 'value' or 'ranking'"):
        equivalent("f1", "f1", up_to="shape")
    with pytest.raises(ValueError, match="no measure"):
        equivalent("f1", "f_one")


def test_parameters_are_exact():
    assert equivalent("f_beta(beta=0.5)", ix.f_beta.at(beta=Fraction(1, 2)))
    assert not equivalent("f_beta(beta=0.1)", "f_beta(beta=0.1000000001)")
    assert math.isfinite(equivalent("f_beta(beta=0.1)", "f_beta(beta=0.1000000001)").witness[1])
