"""Recomputed facts on what a formula implies: properties, floors, thresholds, t-norms."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy
from facts import MEASURES, Checkers, as_coded, closed_floor, exact, finite, has_floor, named, readings, same
from loops import for_each

import indicatrix as ix

checks = Checkers("skew", "skewdecomp", "mono", "bnd", "bd", "complete", "sec5", "abs", "rem", "kappa", "flach", "bayes", "tn")


@pytest.mark.one_fast_case
@for_each("fact", checks.facts.values(), ids=checks.facts)
def test_fact(fact):
    checks.run(fact)


# Properties of formulas: skew (def:skew), monotonicity (def:monotone), boundaries and completeness (sec:properties).


def witnessed(fact):
    """Return the examples that a fact's note gives in JSON, {} if it gives none."""
    found = re.search(r"\{.*\}", fact["note"])
    return json.loads(found[0]) if found else {}


@checks(r"skew\.(?P<measure>(?!const).+)")
def skew_invariance(fact, measure):
    found = ix.properties(measure)
    assert found.skew_invariant is fact["computed"] is fact["paper"]
    assert (found.of_rates is not None) is fact["computed"]
    example = witnessed(fact)
    assert bool(example) is not fact["computed"]
    if example:
        (tp, fp, fn, tn), x, y = example["v"], Fraction(example["lam"]), Fraction(example["mu"])
        assert same(exact(measure, (tp, fp, fn, tn)), readings(example["before"])[0])
        assert same(exact(measure, (x * tp, y * fp, x * fn, y * tn)), readings(example["after"])[0])


@checks(r"skew\.const_baseline")
def invariance_and_baseline_are_independent(fact):
    recall, mcc = ix.properties("recall"), ix.properties("mcc")
    assert (recall.skew_invariant, recall.constant_baseline) == (True, False)
    assert (mcc.skew_invariant, mcc.constant_baseline) == (False, True)


@checks(r"skewdecomp")
def invariant_and_decomposable(fact):
    expected = set(map(named, fact["computed"]))
    assert set(ix.theory.select(decomposable=True, skew_invariant=True)) == set(ix.theory.select(moebius=True)) == expected
    assert {m for m in MEASURES.values() if ix.properties(m).moebius} == expected


@checks(r"mono\.(?P<measure>(?!macro_).+)")
def monotone(fact, measure):
    found, moves = ix.properties(measure), witnessed(fact)
    assert (found.monotone_per_cell, found.monotone) == (fact["computed"]["coordinatewise"], fact["computed"]["paired"])
    assert fact["agrees"] in (None, found.monotone_per_cell)
    assert (measure.better == "lower") is (fact["inputs"]["orientation"] == "loss")
    for name, prefix in (("monotone_per_cell", "cell_"), ("monotone", "pair_")):
        failing = [key.removeprefix(prefix).replace("_", " ") for key in moves if key.startswith(prefix)]
        note = found.evidence[name].note
        assert note == f"fails for {', '.join(failing)}" if failing else not note.startswith("fails")
    for before, was, after, became in moves.values():
        assert math.isclose(exact(measure, before), was, rel_tol=1e-15)
        assert math.isclose(exact(measure, after), became, rel_tol=1e-15)


@checks(r"mono\.macro_exclusion")
def a_correction_lowers_macro_mcc(fact):
    given, m = fact["inputs"], fact["inputs"]["m"]
    before, after = (ix.evaluate(given["y"], given[yhat], classes=range(m)) for yhat in ("yhat", "corrected"))
    assert before.score("multiclass_accuracy") == 1 / 3
    assert before.score("mcc", "macro") == int(fact["computed"]["before"].split()[0])
    assert before.score("mcc", "macro").undefined_units == (0, 2)
    assert after.score("mcc", "macro") == pytest.approx(float(Fraction(fact["computed"]["after"])), rel=1e-15)
    assert after.score("mcc", "macro", undefined=0) > before.score("mcc", "macro", undefined=0)


ENDS = {
    "perfect": ((3, 0, 0, 5), (2, 0, 0, 9), (5, 0, 0, 5)),
    "tp=tn=0": ((0, 3, 5, 0), (0, 1, 3, 0), (0, 4, 4, 0)),
}


@checks(r"bnd\.(?P<name>.+)")
def boundaries(fact, name):
    measure = as_coded(name)
    found, (upper, lower) = ix.properties(measure), re.findall(r"constant: (True|False)", fact["note"])
    assert (str(found.upper_boundary), str(found.lower_boundary)) == (upper, lower)
    *ends, missing = fact["computed"].values()
    for end, given in zip(ENDS, ends, strict=True):
        for v, text in zip(ENDS[end], given, strict=True):
            value = finite(measure, v)
            assert (value is None) is (text == "None")
            assert value is None or same(value, readings(text)[0])
    grid = [v for v in product(range(6), repeat=4) if any(v)]
    assert sum(finite(measure, v) is None for v in grid) == missing


@checks(r"bd\.(?P<name>mcc|kappa)_binary")
def least_value_of_two_classes(fact, name):
    assert [str(exact(named({"kappa": "cohen kappa"}.get(name, name)), v)) for v in fact["inputs"]["counts"]] == fact["computed"]
    assert ix.properties(name).lower_boundary is fact["agrees"]


@checks(r"complete\.(?P<measure>.+)")
def complete(fact, measure):
    assert ix.properties(measure).complete is fact["computed"]["complete"]
    lower_ok = {ix.theory.floor(measure, m) == measure.range[0] for m in (3, 5, 10)}
    assert lower_ok == {fact["computed"]["lower_ok"]}


@checks(r"sec5\.(?P<measure>.+)")
def stated_floor(fact, measure):
    assert has_floor(measure, fact["paper"], sizes=range(3, 40)) is fact["agrees"]


@checks(r"abs\.labelacc10")
def label_accuracy_of_ten_classes(fact):
    assert ix.theory.floor("label_accuracy", fact["inputs"]["m"]) == Fraction(fact["computed"]) == Fraction(str(fact["paper"]))


@checks(r"rem\.range_claim")
def ranges_of_measures_that_keep_tn(fact):
    ranges = {
        "(m-2)/(m-1)": ("specificity", "npv", "f1neg", "f2neg (beta^2=4)"),
        "(m-2)/m": ("label accuracy", "accuracy"),
        "(m-2)/(2(m-1))": ("balanced accuracy", "balanced acc."),
        "-1/(m-1)": ("mcc", "phi", "cohen's kappa", "cohen kappa", "informedness", "markedness"),
    }
    assert set(re.findall(r"\[(.+?),1\]", fact["computed"])) == ranges.keys() - {"(m-2)/(m-1)"}
    best = [m for m in MEASURES if ix.properties(named(m)).upper_boundary and named(m).better == "higher"]
    floors = {m: closed_floor(named(m)) for m in best if ix.properties(named(m)).tn_survives_at_tp0}
    for text, names in ranges.items():
        [floor] = readings(text)
        assert {m for m, found in floors.items() if found == sympy.factor(floor)} == set(names)
        assert all(exact(named(m), (3, 0, 0, 5)) == 1 for m in names)


@checks(r"kappa\.factor")
def kappa_is_a_function_of_the_counts(fact):
    chance = "((tp+fn)*(tp+fp)+(fp+tn)*(fn+tn))/n**2"
    for formula in (
        f"((tp+tn)/n - {chance}) / (1 - {chance})",
        "2*(tp*tn - fp*fn)/((tp+fp)*(fp+tn)+(tp+fn)*(fn+tn))",
    ):
        assert ix.theory.equivalent("cohen_kappa", ix.measure(formula, range=(-1, 1))).holds


# flach: rule measures at equal priors, as functions of the rates t (of positives) and f (of negatives) predicted positive.

T, F = sympy.symbols("t f", positive=True)


def at_equal_priors(measure):
    """Return the class-insensitive form of a measure: both classes count as if they were equally many."""

    def formula(tp, fp, fn, tn):
        rates = (ix.ratio(x, total) for x, total in ((tp, tp + fn), (fp, fp + tn), (fn, tp + fn), (tn, fp + tn)))
        return measure.function(*rates, **measure.params)

    return ix.Measure(f"class_insensitive_{measure.name}", formula, better="higher", range=(-math.inf, math.inf))


def of_rates(measure):
    return measure(ix.Counts(T, F, 1 - T, 1 - F))


COUNTERPARTS = {
    "Relative Accuracy": ("relative accuracy (ra)", "informedness"),
    "WRA": ("wra (klosgen)", "balanced accuracy"),
    "Novelty": ("novelty", "informedness"),
    "Conviction": ("conviction", "lr+"),
    "Chi-squared": ("chi-squared", "discriminant power"),
}


@checks(r"flach\.(?P<name>(?!slope).+)")
def counterpart(fact, name):
    measure, other = map(named, COUNTERPARTS[name])
    form = parse_rates(fact["note"].partition(": ")[2])
    assert sympy.simplify(of_rates(measure) - form) == 0
    plain = at_equal_priors(measure)
    assert ix.properties(plain).skew_invariant
    assert ix.theory.equivalent(plain, other, up_to="ranking").holds is (fact["computed"] == "functionally dependent")
    assert fact["agrees"] is (fact["computed"] == "functionally dependent")


def parse_rates(text):
    return sympy.sympify(text, locals={"t": T, "f": F})


@checks(r"flach\.slope")
def slopes_of_iso_lines(fact):
    slopes = {"informedness": 1, "balanced_accuracy": 1, "lr_plus": T / F, "g_mean": T / (1 - F)}
    for name, slope in slopes.items():
        value = of_rates(ix.algebra.MEASURES[name])
        assert sympy.simplify(-sympy.diff(value, F) / sympy.diff(value, T) - slope) == 0
        assert ix.properties(name).skew_invariant


# bayes: thresholds on P(Y = 1 | x) (prop:consistency, tab:consistency).

ETA = np.random.default_rng(3).random((40, 3))
CATALOGUED = {
    "Accuracy": ix.accuracy,
    "Error rate": ix.error_rate,
    "Recall": ix.recall,
    "Specificity": ix.specificity,
    "Weighted accuracy w=3/4": ix.measures.weighted_accuracy.at(w=Fraction(3, 4)),
    "Weighted accuracy w=1/2": ix.measures.weighted_accuracy.at(w=Fraction(1, 2)),
    "Net benefit p_t=1/3": ix.net_benefit.at(p_t=Fraction(1, 3)),
    "Net benefit p_t=1/2": ix.net_benefit.at(p_t=Fraction(1, 2)),
}


def utility(coefficients):
    """Return the mean of alpha tp - beta fp - gamma fn + delta tn."""
    return ix.measures.linear_utility.at(
        **dict(zip(("alpha", "beta", "gamma", "delta"), map(Fraction, coefficients), strict=True))
    )


def utility_of(name):
    return utility(checks.facts[f"bayes.{name}"]["inputs"]["alpha,beta,gamma,delta"])


@checks(r"bayes\.(?P<name>Acc.*|Err.*|Rec.*|Spec.*|Weighted.*|Net.*|Cost.*|General.*)")
def threshold(fact, name):
    expected = fact["computed"]
    for measure in (utility_of(name), *([CATALOGUED[name]] if name in CATALOGUED else [])):
        found = ix.properties(measure)
        assert found.threshold == Fraction(expected["t*"]) == Fraction(fact["paper"]["t*"])
        assert found.erm_consistent is expected["erm"] is fact["paper"]["erm"]
        decisions = ix.theory.optimal_threshold(measure, ETA[:, 0]).decisions
        assert (decisions == (ETA[:, 0] >= float(found.threshold))).all()


@checks(r"bayes\.wacc_general")
def symbolic_thresholds(fact):
    families = (ix.measures.weighted_accuracy.at(w=sympy.Symbol("w")), ix.net_benefit.at(p_t=sympy.Symbol("p_t")))
    for family, text in zip(families, fact["computed"], strict=True):
        assert sympy.simplify(sympy.sympify(ix.properties(family).threshold) - sympy.sympify(text)) == 0


@checks(r"bayes\.decimals")
def decimals_of_thresholds(fact):
    costs = map(utility_of, ("Cost 5:1", "Cost 10:1"))
    assert [round(float(ix.properties(m).threshold), 3) for m in costs] == fact["computed"] == fact["paper"]


@checks(r"bayes\.equiv")
def two_utilities_that_are_one_problem(fact):
    cost, general = utility_of("Cost 5:1"), utility_of("General (3,1,2,0)")
    assert ix.theory.equivalent(cost, general, up_to="ranking")
    assert not ix.theory.equivalent(cost, general)
    assert not ix.theory.equivalent(cost, utility_of("Cost 10:1"), up_to="ranking")


@checks(r"bayes\.BA")
def prevalence_is_a_threshold(fact):
    for measure in (ix.balanced_accuracy, ix.informedness):
        found = ix.properties(measure)
        assert (found.decomposable, found.threshold) == (False, "prevalence")
        for eta in ETA.T:
            assert (ix.theory.optimal_threshold(measure, eta).decisions == (eta >= eta.mean())).all()


@checks(r"bayes\.macro")
def macro_keeps_the_threshold(fact):
    eta = ETA ** (1, 2, 4)  # labels of different prevalence
    cost = utility_of("Cost 5:1")
    for average in ("micro", "macro", "exemplar"):
        assert (ix.theory.optimal_threshold("accuracy", eta, average=average).decisions == (eta >= 0.5)).all()
        assert (ix.theory.optimal_threshold(cost, eta, average=average).decisions == (eta >= 1 / 6)).all()
    for name in ("f1", "balanced_accuracy"):
        assert len(set(ix.theory.optimal_threshold(name, eta, average="macro").threshold)) == 3


@checks(r"bayes\.multiclass")
def one_hot_rows_take_the_largest(fact):
    eta = np.random.default_rng(5).dirichlet(np.ones(3), 4)
    best = eta.argmax(axis=1)
    for name in ("Accuracy", "Recall", "Cost 10:1", "General (3,1,2,0)"):
        measure = utility_of(name)

        def expected(choice, measure=measure):  # memberships under the product t-norm give the expected counts
            return measure(ix.cells(eta, np.eye(3)[list(choice)], tnorm="product").aggregate())

        assert max(product(range(3), repeat=4), key=expected) == tuple(best)
    assert (ix.theory.optimal_threshold(utility_of("Cost 10:1"), eta, average="micro").decisions.sum(axis=1) > 1).any()
    assert "argmax" in ix.properties("accuracy").evidence["threshold"].note


# tn: the three t-norms (tab:tnorms, thm:partition).

TNORMS = {"T_M": "godel", "T_P": "product", "T_L": "lukasiewicz"}
TWELFTHS = [Fraction(k, 12) for k in range(13)]


def four(t, a, b):
    """Return the four cells of two memberships."""
    return t(a, b), t(1 - a, b), t(a, 1 - b), t(1 - a, 1 - b)


@checks(r"tn\.sum\.(?P<name>T_.)")
def cells_of_two_memberships(fact, name):
    a, b = map(Fraction, fact["inputs"].values())
    cells = four(ix.algebra.tnorm(TNORMS[name]), a, b)
    assert list(map(str, cells)) == fact["computed"]["TP,FP,FN,TN"]
    assert str(sum(cells)) == fact["computed"]["sum"]
    assert float(sum(cells)) == fact["paper"]
    soft = ix.cells(np.array([[float(a)]]), np.array([[float(b)]]), tnorm=TNORMS[name])
    assert [float(x[0, 0]) for x in (soft.tp, soft.fp, soft.fn, soft.tn)] == pytest.approx([*map(float, cells)], abs=1e-15)


@checks(r"tn\.order")
def order_of_tnorms(fact):
    low, middle, high = (ix.algebra.tnorm(TNORMS[name]) for name in ("T_L", "T_P", "T_M"))
    assert all(low(a, b) <= middle(a, b) <= high(a, b) for a, b in product(TWELFTHS, repeat=2))


@checks(r"tn\.sumformula")
def mass_of_four_cells(fact):
    for a, b in product(TWELFTHS, repeat=2):
        lost = 2 * min(a, 1 - a, b, 1 - b)
        masses = (sum(four(ix.algebra.tnorm(TNORMS[name]), a, b)) for name in ("T_M", "T_P", "T_L"))
        assert tuple(masses) == (1 + lost, 1, 1 - lost)


@checks(r"tn\.tab\.(?P<name>Goedel|Product|Lukasiewicz)")
def axioms(fact, name):
    t = ix.algebra.tnorm({"Goedel": "godel"}.get(name, name.lower()))
    points = TWELFTHS[::2]
    for a, b in product(points, repeat=2):
        assert t.conorm(a, b) == 1 - t(1 - a, 1 - b)
        assert t(a, b) == t(b, a)
        assert t(a, 1) == a
        assert all(t(t(a, b), c) == t(a, t(b, c)) and t(a, min(b, c)) <= t(a, max(b, c)) for c in points)


@checks(r"tn\.tab\.labels")
def godel_is_the_most_lenient(fact):
    godel, others = ix.algebra.tnorm("godel"), ("product", "lukasiewicz", "drastic", "hamacher(r=2)")
    assert all(ix.algebra.tnorm(t)(a, b) <= godel(a, b) for t in others for a, b in product(TWELFTHS, repeat=2))


@checks(r"tn\.marg")
def marginal_consistency(fact):
    names = ("product", "godel", "lukasiewicz")
    assert [bool(ix.algebra.is_marginally_consistent(name)) for name in names] == fact["computed"] == fact["paper"]
