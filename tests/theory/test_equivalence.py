"""Equivalence of measures: equal values and equal rankings, with exact witnesses (sec:ranking_curves, errata C16)."""

import math
import sys
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.measure import MEASURES
from indicatrix.algebra.measure_names import find
from indicatrix.algebra.numbers.exact import exactly, is_defined, order
from indicatrix.theory.formula.equivalence import equivalent

EVERY = sorted({m.name for m in MEASURES.values()})
names = st.sampled_from(EVERY)
cells = st.tuples(*[st.integers(0, 40)] * 4)


@pytest.mark.one_fast_case
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


@given(names, names, st.lists(cells, min_size=5, max_size=20))
def test_a_yes_is_never_contradicted_and_a_no_is_always_witnessed(first, second, vectors):
    answer = equivalent(first, second)
    one, other = exactly(MEASURES[first]), exactly(MEASURES[second])
    if answer.holds:
        pairs = [(one(*v), other(*v)) for v in vectors]
        assert all(order(x, y) == 0 for x, y in pairs if is_defined(x, y))
    elif answer.holds is False:
        v, x, y = answer.witness
        assert order(one(*v), other(*v)) == order(x, y) != 0


@pytest.mark.one_fast_case
@for_each("name", EVERY[::5])
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


NOWHERE = ("log(-n)", "tp / (tp - tp)", "0 * tp / (tp - tp)")  # never defined
HARDLY = ("sqrt(-tp)", "sqrt(-tp * fn)", "sqrt(-(tp - fn)**2)", "sqrt(-(tp - fp)**2)")  # at few counts, where the value is 0
either_way = for_each("up_to", ["value", "ranking"])


@either_way
@for_each("name", ["f1", "error_rate"])
@for_each("rare", [*NOWHERE, *HARDLY])
def test_a_formula_that_is_hardly_ever_defined_is_no_other(rare, name, up_to):
    for pair in ((rare, name), (name, rare)):
        own = find(name).better
        answer = equivalent(*(ix.measure(m, better=own) if m is rare else m for m in pair), up_to=up_to)
        assert answer.holds is False
        if "is defined" in answer.note:  # they are equal where they meet
            v, *said = answer.witness
            values = [exactly(find(m))(*v) for m in pair]
            assert all(v)
            assert repr(said) == repr(values)
            assert [is_defined(x) for x in values] == [m == name for m in pair]
            assert f"at {v} only {name} is defined" in answer.note


@pytest.mark.one_fast_case
@either_way
def test_formulas_that_are_defined_at_different_counts_are_different(up_to):
    for pair in (HARDLY[2:], ("sqrt(tp - fp)**2", "tp - fp"), ("f1", "2*tp/(2*tp + fp + fn) + 0*sqrt(tp - 3)")):
        first, second = (find(text) if text == "f1" else ix.measure(text, better="higher") for text in pair)
        assert equivalent(first, second, up_to=up_to).holds is False


@either_way
@pytest.mark.parametrize(("first", "second"), [*combinations(NOWHERE, 2), ("sqrt(-tp)", "sqrt(-2 * tp)"), (NOWHERE[0],) * 2])
def test_formulas_that_never_meet_where_all_cells_are_counted_are_undecided(first, second, up_to):
    answer = equivalent(*(ix.measure(text, better="higher") for text in (first, second)), up_to=up_to)
    assert answer.holds is None
    assert "never defined together where no cell is empty" in answer.note


def test_one_prediction_on_each_test_set_makes_no_ranking():
    once = "sqrt(-(tp - 1)**2 - (fp - 1)**2)"
    assert equivalent(once, f"2 * {once}").holds
    answer = equivalent(*(ix.measure(text, better="higher") for text in (once, f"2 * {once}")), up_to="ranking")
    assert answer.holds is None
    assert "never defined together for two predictions on one test set" in answer.note


@either_way
@pytest.mark.parametrize("gap", ["tp - fn", "tp + fn - 2*tn", "tp*tn - fp*fn"])
def test_a_gap_that_cancels_makes_no_difference(gap, up_to):
    answer = equivalent(f"2*tp/(2*tp + fp + fn) * ({gap}) / ({gap})", "f1", up_to=up_to)
    assert answer.holds
    assert "only f1 is defined" in answer.note


def test_the_two_odds_ratios_are_defined_at_the_same_counts():
    answer = equivalent("diagnostic_odds_ratio", "(tp/fp) / (fn/tn)")  # errata C16
    assert answer.proof
    assert not answer.note


@pytest.mark.one_fast_case
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("information_score", "log(tp*n/((tp+fp)*(tp+fn)))/log(2)"),
        ("stiles", "log(n*(abs(tp*tn - fp*fn) - n/2)**2/((tp+fp)*(tp+fn)*(tn+fp)*(tn+fn)))/log(10)"),
        ("discriminant_power", "sqrt(3)/pi*(log(tp/fn) + log(tn/fp))"),
        ("tetrachoric", "cos(pi*sqrt(fp*fn)/(sqrt(fp*fn) + sqrt(tp*tn)))"),
        ("goodall", "2/pi*asin(sqrt((tp+tn)/n))"),
        ("baulieu_4", "(fp + fn - exp(1)*(tp + 1/2)*(tn + 1/2)*tn)/n"),
    ],
)
def test_constants_are_exact(name, text):
    answer = equivalent(name, text)
    assert answer.holds
    assert answer.digits == 30
    nearly = text.replace("log(2)", "0.6931471805599453").replace("log(10)", "2.302585092994046")
    nearly = nearly.replace("pi", "3.141592653589793").replace("exp(1)", "2.718281828459045")
    assert equivalent(name, nearly).holds is False


@pytest.mark.slow
def test_symbols_stand_for_all_values():
    sympy = pytest.importorskip("sympy")
    b, c = sympy.symbols("b c")
    f_beta, text = ix.f_beta.at(beta=b), "(1 + w**2)*tp/((1 + w**2)*tp + w**2*fn + fp)"
    for up_to in ("value", "ranking"):
        assert equivalent(f_beta, ix.measure(text, params={"w": b}), up_to=up_to).proof
        assert equivalent(ix.measures.klosgen.at(omega=b), ix.measures.klosgen.at(omega=b), up_to=up_to).proof
        assert equivalent(f_beta, ix.f_beta.at(beta=c), up_to=up_to).note.startswith("at b=2, c=3")
        assert equivalent(f_beta, ix.measure(text, params={"w": c}), up_to=up_to).holds is False
    no = equivalent("f1", f_beta)
    assert no.note == "at b=2"
    assert no.witness == equivalent("f1", "f_beta(beta=2)").witness
    assert equivalent(ix.net_benefit.at(p_t=b), "accuracy").note == "at b=1/3"  # a share: 2 is outside its domain
    assert equivalent(ix.measures.tversky.at(alpha=b, beta=b), "jaccard").holds is False
    assert equivalent(ix.measures.tversky.at(alpha=b, beta=c), ix.measures.tversky.at(alpha=c, beta=b)).holds is False
    lower = ix.measure(f"1 - {text}", params={"w": b})
    assert equivalent(f_beta, lower).holds is False
    assert equivalent(f_beta, lower, up_to="ranking").holds is not False


@pytest.mark.slow
def test_symbols_that_no_proof_decides_are_left_open():
    sympy = pytest.importorskip("sympy")
    omega = sympy.Symbol("omega")
    for answer in (
        equivalent(ix.measures.klosgen.at(omega=omega), ix.measure("(ppos/n)**w*(tp*tn - fp*fn)/(ppos*n)", params={"w": omega})),
        equivalent(ix.measures.tversky.at(alpha=omega, beta=omega), "jaccard", up_to="ranking"),
    ):
        assert answer.holds is None
        assert "choose numbers with .at(…)" in answer.note


@pytest.mark.one_fast_case
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


def test_the_sorted_neighbors_decide_as_all_pairs_do():
    test_set = [(tp, fp, 4 - tp, 3 - fp) for tp in range(5) for fp in range(4)]
    for first, second in combinations(("accuracy", "f1", "jaccard", "recall", "informedness", "mcc"), 2):
        one, other = exactly(MEASURES[first]), exactly(MEASURES[second])
        usable = [v for v in test_set if is_defined(one(*v), other(*v))]
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


def test_two_formulas_that_differ_in_one_piece_only_are_not_equivalent():
    found = ix.theory.equivalent("tp/(tp+fn)", "tp/(tp+fn) + max(fp - 12*(tp + fn + tn) - 4, 0)")
    assert found.holds is False
    assert found.witness is not None
