"""The paper's recomputed facts about properties of measures and of results, through the public interface."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
import sympy
from facts import (
    EXAMPLE,
    MEASURES,
    Checkers,
    as_coded,
    closed_floor,
    exact,
    finite,
    has_floor,
    mean,
    named,
    printed,
    readings,
    same,
    vectors,
)

import indicatrix as ix

checks = Checkers(
    *("skew", "skewdecomp", "mono", "bnd", "bd", "complete", "sec5", "abs", "rem", "kappa", "flach", "bayes", "tn"),
    *("gap", "thm1", "cor2", "hull", "subset", "abst", "ovr", "ss", "cor5", "exskew", "dof", "dominance"),
)


@pytest.mark.parametrize("fact", checks.facts.values(), ids=checks.facts)
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
    assert set(ix.select(decomposable=True, skew_invariant=True)) == set(ix.select(moebius=True)) == expected
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
    assert before.score("mcc", "macro").lost == (0, 2)
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
    lower_ok = {ix.floor(measure, m) == measure.range[0] for m in (3, 5, 10)}
    assert lower_ok == {fact["computed"]["lower_ok"]}


@checks(r"sec5\.(?P<measure>.+)")
def stated_floor(fact, measure):
    assert has_floor(measure, fact["paper"], sizes=range(3, 40)) is fact["agrees"]


@checks(r"abs\.labelacc10")
def label_accuracy_of_ten_classes(fact):
    assert ix.floor("label_accuracy", fact["inputs"]["m"]) == Fraction(fact["computed"]) == Fraction(str(fact["paper"]))


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
        assert ix.equivalent("cohen_kappa", ix.measure(formula, range=(-1, 1))).holds


# flach: rule measures at equal priors, as functions of the rates t (of positives) and f (of negatives) predicted positive.

T, F = sympy.symbols("t f", positive=True)


def at_equal_priors(measure):
    """Return the class-insensitive form of a measure: both classes count as if they were equally many."""

    def formula(tp, fp, fn, tn):
        rates = (ix.ratio(x, total) for x, total in ((tp, tp + fn), (fp, fp + tn), (fn, tp + fn), (tn, fp + tn)))
        return measure.formula(*rates, **measure.params)

    return ix.Measure(f"class_insensitive_{measure.name}", formula, range=(-math.inf, math.inf))


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
    assert ix.equivalent(plain, other, up_to="ranking").holds is (fact["computed"] == "functionally dependent")
    assert fact["agrees"] is (fact["computed"] == "functionally dependent")


def parse_rates(text):
    return sympy.sympify(text, locals={"t": T, "f": F})


@checks(r"flach\.slope")
def slopes_of_iso_lines(fact):
    slopes = {"informedness": 1, "balanced_accuracy": 1, "lr_plus": T / F, "g_mean": T / (1 - F)}
    for name, slope in slopes.items():
        value = of_rates(ix.MEASURES[name])
        assert sympy.simplify(-sympy.diff(value, F) / sympy.diff(value, T) - slope) == 0
        assert ix.properties(name).skew_invariant


# bayes: thresholds on P(Y = 1 | x) (prop:consistency, tab:consistency).

ETA = np.random.default_rng(3).random((40, 3))
CATALOGUED = {
    "Accuracy": ix.accuracy,
    "Error rate": ix.error_rate,
    "Recall": ix.recall,
    "Specificity": ix.specificity,
    "Weighted accuracy w=3/4": ix.weighted_accuracy.at(w=Fraction(3, 4)),
    "Weighted accuracy w=1/2": ix.weighted_accuracy.at(w=Fraction(1, 2)),
    "Net benefit p_t=1/3": ix.net_benefit.at(p_t=Fraction(1, 3)),
    "Net benefit p_t=1/2": ix.net_benefit.at(p_t=Fraction(1, 2)),
}


def utility(coefficients):
    """Return the mean of alpha tp - beta fp - gamma fn + delta tn."""
    return ix.linear_utility.at(**dict(zip(("alpha", "beta", "gamma", "delta"), map(Fraction, coefficients), strict=True)))


def utility_of(name):
    return utility(checks.facts[f"bayes.{name}"]["inputs"]["alpha,beta,gamma,delta"])


@checks(r"bayes\.(?P<name>Acc.*|Err.*|Rec.*|Spec.*|Weighted.*|Net.*|Cost.*|General.*)")
def threshold(fact, name):
    expected = fact["computed"]
    for measure in (utility_of(name), *([CATALOGUED[name]] if name in CATALOGUED else [])):
        found = ix.properties(measure)
        assert found.threshold == Fraction(expected["t*"]) == Fraction(fact["paper"]["t*"])
        assert found.erm_consistent is expected["erm"] is fact["paper"]["erm"]
        decisions = ix.optimal_threshold(measure, ETA[:, 0]).decisions
        assert (decisions == (ETA[:, 0] >= float(found.threshold))).all()


@checks(r"bayes\.wacc_general")
def symbolic_thresholds(fact):
    families = (ix.weighted_accuracy.at(w=sympy.Symbol("w")), ix.net_benefit.at(p_t=sympy.Symbol("p_t")))
    for family, text in zip(families, fact["computed"], strict=True):
        assert sympy.simplify(sympy.sympify(ix.properties(family).threshold) - sympy.sympify(text)) == 0


@checks(r"bayes\.decimals")
def decimals_of_thresholds(fact):
    costs = map(utility_of, ("Cost 5:1", "Cost 10:1"))
    assert [round(float(ix.properties(m).threshold), 3) for m in costs] == fact["computed"] == fact["paper"]


@checks(r"bayes\.equiv")
def two_utilities_that_are_one_problem(fact):
    cost, general = utility_of("Cost 5:1"), utility_of("General (3,1,2,0)")
    assert ix.equivalent(cost, general, up_to="ranking")
    assert not ix.equivalent(cost, general)
    assert not ix.equivalent(cost, utility_of("Cost 10:1"), up_to="ranking")


@checks(r"bayes\.BA")
def prevalence_is_a_threshold(fact):
    for measure in (ix.balanced_accuracy, ix.informedness):
        found = ix.properties(measure)
        assert (found.decomposable, found.threshold) == (False, "prevalence")
        for eta in ETA.T:
            assert (ix.optimal_threshold(measure, eta).decisions == (eta >= eta.mean())).all()


@checks(r"bayes\.macro")
def macro_keeps_the_threshold(fact):
    eta = ETA ** (1, 2, 4)  # labels of different prevalence
    cost = utility_of("Cost 5:1")
    for average in ("micro", "macro", "exemplar"):
        assert (ix.optimal_threshold("accuracy", eta, average=average).decisions == (eta >= 0.5)).all()
        assert (ix.optimal_threshold(cost, eta, average=average).decisions == (eta >= 1 / 6)).all()
    for name in ("f1", "balanced_accuracy"):
        assert len(set(ix.optimal_threshold(name, eta, average="macro").threshold)) == 3


@checks(r"bayes\.multiclass")
def one_hot_rows_take_the_largest(fact):
    eta = np.random.default_rng(5).dirichlet(np.ones(3), 4)
    best = eta.argmax(axis=1)
    for name in ("Accuracy", "Recall", "Cost 10:1", "General (3,1,2,0)"):
        measure = utility_of(name)

        def expected(choice, measure=measure):  # memberships under the product t-norm give the expected counts
            return measure(ix.cells(eta, np.eye(3)[list(choice)], tnorm="product").aggregate())

        assert max(product(range(3), repeat=4), key=expected) == tuple(best)
    assert (ix.optimal_threshold(utility_of("Cost 10:1"), eta, average="micro").decisions.sum(axis=1) > 1).any()
    assert "argmax" in ix.properties("accuracy").evidence["threshold"].note


# tn: the three t-norms (tab:tnorms, thm:partition).

TNORMS = {"T_M": "godel", "T_P": "product", "T_L": "lukasiewicz"}
TENTHS = [Fraction(k, 12) for k in range(13)]


def four(t, a, b):
    """Return the four cells of two memberships."""
    return t(a, b), t(1 - a, b), t(a, 1 - b), t(1 - a, 1 - b)


@checks(r"tn\.sum\.(?P<name>T_.)")
def cells_of_two_memberships(fact, name):
    a, b = map(Fraction, fact["inputs"].values())
    cells = four(ix.tnorm(TNORMS[name]), a, b)
    assert list(map(str, cells)) == fact["computed"]["TP,FP,FN,TN"]
    assert str(sum(cells)) == fact["computed"]["sum"]
    assert float(sum(cells)) == fact["paper"]
    soft = ix.cells(np.array([[float(a)]]), np.array([[float(b)]]), tnorm=TNORMS[name])
    assert [float(x[0, 0]) for x in (soft.tp, soft.fp, soft.fn, soft.tn)] == pytest.approx([*map(float, cells)], abs=1e-15)


@checks(r"tn\.order")
def order_of_tnorms(fact):
    low, middle, high = (ix.tnorm(TNORMS[name]) for name in ("T_L", "T_P", "T_M"))
    assert all(low(a, b) <= middle(a, b) <= high(a, b) for a, b in product(TENTHS, repeat=2))


@checks(r"tn\.sumformula")
def mass_of_four_cells(fact):
    for a, b in product(TENTHS, repeat=2):
        lost = 2 * min(a, 1 - a, b, 1 - b)
        masses = (sum(four(ix.tnorm(TNORMS[name]), a, b)) for name in ("T_M", "T_P", "T_L"))
        assert tuple(masses) == (1 + lost, 1, 1 - lost)


@checks(r"tn\.tab\.(?P<name>Goedel|Product|Lukasiewicz)")
def axioms(fact, name):
    t = ix.tnorm({"Goedel": "godel"}.get(name, name.lower()))
    points = TENTHS[::2]
    for a, b in product(points, repeat=2):
        assert t.conorm(a, b) == 1 - t(1 - a, 1 - b)
        assert t(a, b) == t(b, a)
        assert t(a, 1) == a
        assert all(t(t(a, b), c) == t(a, t(b, c)) and t(a, min(b, c)) <= t(a, max(b, c)) for c in points)


@checks(r"tn\.tab\.labels")
def godel_is_the_most_lenient(fact):
    godel, others = ix.tnorm("godel"), ("product", "lukasiewicz", "drastic", "hamacher(r=2)")
    assert all(ix.tnorm(t)(a, b) <= godel(a, b) for t in others for a, b in product(TENTHS, repeat=2))


@checks(r"tn\.marg")
def marginal_consistency(fact):
    names = ("product", "godel", "lukasiewicz")
    assert [bool(ix.is_marginally_consistent(name)) for name in names] == fact["computed"] == fact["paper"]


# gap, thm1, cor2: micro and macro (thm:micro_macro, cor:gap, rem:gap_general).


@checks(r"gap\.pi(?P<tilde>_tilde)?(?P<c>\d)")
def weights_of_a_class(fact, tilde, c):
    part = ix.specificity if tilde else ix.recall
    weight = EXAMPLE.gap("balanced_accuracy").weights[part][int(c) - 1]
    assert weight == float(Fraction(fact["computed"]))
    printed(fact, weight)


@checks(r"gap\.BA\.exact")
def gap_of_balanced_accuracy(fact):
    found = EXAMPLE.gap("balanced_accuracy")
    assert found.gap == float(Fraction(fact["computed"]))
    printed(fact, found.gap, 4)


@checks(r"gap\.BA\.skew_only")
def gap_is_skew_alone(fact):
    found = EXAMPLE.gap("balanced_accuracy")
    assert found.skew == found.gap == float(Fraction(fact["note"].split()[-1]))
    assert (found.curvature, found.second_order, found.residual) == (0, 0, 0)


GM_TERMS = {
    "skew": lambda g: g.skew,
    "curv": lambda g: g.curvature,
    "sum": lambda g: g.skew + g.curvature,
    "exact": lambda g: g.gap,
}


@checks(rf"gap\.GM\.(?P<term>{'|'.join(GM_TERMS)})")
def terms_of_g_mean(fact, term):
    value = GM_TERMS[term](EXAMPLE.gap("g_mean"))
    assert f"{value:.8f}" == fact["computed"]
    printed(fact, value, 4)


@checks(r"gap\.GM\.residual_order")
def residual_of_g_mean(fact):
    found = EXAMPLE.gap("g_mean")
    two_terms, second, left = map(float, re.findall(r"-?[\d.]+e-\d+", fact["computed"]))
    shown = [float(f"{x:.3e}") for x in (found.second_order + found.residual, found.second_order, found.residual)]
    assert shown == [two_terms, second, left]


def shrunk(eps):
    """Return the example with the rates of all classes moved to their mean, a share ``eps`` of the way left, in integers."""
    counts = vectors(EXAMPLE.aggregate("class"))
    rates = [(Fraction(tp, tp + fn), Fraction(tn, fp + tn)) for tp, fp, fn, tn in counts]
    means = [mean(r) for r in zip(*rates, strict=True)]
    moved = [[m + eps * (x - m) for x, m in zip(r, means, strict=True)] for r in rates]
    new = [
        (t * (tp + fn), (1 - s) * (fp + tn), (1 - t) * (tp + fn), s * (fp + tn))
        for (tp, fp, fn, tn), (t, s) in zip(counts, moved, strict=True)
    ]
    common = math.lcm(*(x.denominator for v in new for x in v))
    return ix.from_counts(*([int(x * common) for x in cell] for cell in zip(*new, strict=True)))


@checks(r"gap\.order")
def orders_of_remainders(fact):
    for power, two, three in zip(fact["inputs"]["eps"], *fact["computed"].values(), strict=True):
        eps = Fraction(2) ** int(power.partition("^")[2])
        found = shrunk(eps).gap("g_mean")
        assert (found.second_order + found.residual) / eps**2 == pytest.approx(float(two), rel=1e-7)
        assert found.residual / eps**3 == pytest.approx(float(three), rel=1e-7)


@checks(r"gap\.concave_sign")
def curvature_of_a_concave_function(fact):
    assert f"{EXAMPLE.gap('g_mean').curvature:.6f}" == re.search(r"= ([\d.]+) >= 0", fact["computed"])[1]


@checks(r"gap\.normcov")
def gap_is_a_covariance(fact):
    found, values = EXAMPLE.gap("recall"), [exact(ix.recall, v) for v in vectors(EXAMPLE.aggregate("class"))]
    sizes = EXAMPLE.confusion.sum(axis=1).tolist()
    shares = [Fraction(s, sum(sizes)) for s in sizes]
    covariance = mean([p * x for p, x in zip(shares, values, strict=True)]) - mean(shares) * mean(values)
    assert found.gap == found.skew == float(3 * covariance)


def families(size, seed=2):
    """Return random evaluations of labels: some absent, some never predicted, some present in every example."""
    rng = np.random.default_rng(seed)
    for _ in range(size):
        n, m = rng.integers(1, 30), rng.integers(2, 7)
        often = rng.choice([0, 0.3, 0.5, 1], size=(2, 1, m), p=[0.1, 0.4, 0.4, 0.1])
        yield ix.evaluate(*(rng.random((2, n, m)) < often))


@checks(r"thm1\.identity")
def micro_is_weighted_macro(fact):
    decomposable = [m for m in dict.fromkeys(MEASURES.values()) if ix.properties(m).decomposable]
    assert {ix.sebag_schoenauer, named("net benefit (p_t=1/5)")} < set(decomposable)
    tried = 0
    for ev, measure in product(families(40), decomposable):
        b = ix.properties(measure).b
        units = [(v, sum(x * y for x, y in zip(b, v, strict=True))) for v in vectors(ev.aggregate("class"))]
        kept = [(exact(measure, v), w, v) for v, w in units if w]
        if not kept:
            continue
        total = sum(w for _, w, _ in kept)
        micro = exact(measure, [sum(x) for x in zip(*(v for _, _, v in kept), strict=True)])
        assert micro == sum(w * x for x, w, _ in kept) / total
        if len(kept) == len(units):
            found = ev.gap(measure)
            assert found.gap == found.skew == float(micro - mean([x for x, _, _ in kept]))
            assert found.residual == 0
            tried += 1
    assert tried > 200


@checks(r"cor2\.acc_always_equal")
def accuracy_has_one_average(fact):
    for ev, measure in product(families(20), (ix.accuracy, ix.error_rate)):
        [group] = ev.collapse(measure, ("micro", "macro", "exemplar")).groups
        assert group.theorem
        assert len(group.scores) == 3
    Y, Yhat = np.random.default_rng(1).random((2, 6, 3)) < 0.5
    mask = np.ones((6, 3), bool)
    mask[:4, 0] = mask[0, 1] = False
    masked = ix.evaluate(Y, Yhat, mask=mask)
    assert len({round(masked.score("accuracy", average), 12) for average in ("micro", "macro", "exemplar")}) == 3


@checks(r"hull\.monotone")
def transforms_stay_in_the_hull(fact):
    for formula in ("(tp/(tp+fp))**2", "log(tp/fp)"):
        measure = ix.measure(formula, range=(-math.inf, math.inf))
        assert ix.properties(measure).decomposable is False
        for ev in families(60):
            values = [x for x in ev.values(measure) if not math.isnan(x)]
            micro = ev.score(measure, "micro")
            assert math.isnan(micro) or min(values) - 1e-12 <= micro <= max(values) + 1e-12


@checks(r"subset")
def subset_accuracy_of_pooled_counts(fact):
    ev = ix.evaluate(np.array(fact["inputs"]["Y"]), np.array(fact["inputs"]["Yhat"]))
    computed = {key: Fraction(text) for key, text in fact["computed"].items()}
    assert exact(ix.subset_accuracy, ev.aggregate()) == computed["micro Sigma_1"]
    assert mean([exact(ix.subset_accuracy, v) for v in vectors(ev.aggregate("class"))]) == computed["macro"]
    assert ev.score("subset_accuracy", "exemplar") == computed["exemplar"] == ix.recall(ev, average="micro")
    for average in ("micro", "macro"):  # it exists only where it means what its name says (errata A7)
        with pytest.raises(ValueError, match="exists only as average='exemplar'"):
            ev.score("subset_accuracy", average)


@checks(r"abst\.counts")
def an_abstained_row(fact):
    Y = np.array([fact["inputs"]["Y_i"]])
    for source in (ix.cells(Y, np.zeros_like(Y)), ix.evaluate(Y, np.zeros_like(Y))):
        [row] = vectors(source.aggregate("example"))
        assert list(row) == fact["paper"] == [*map(int, fact["computed"])]


# ovr, ss, cor5, exskew: the same classifier under other priors (prop:ovr_skew, tab:skew_settings).


def classifier(rates):
    """Return the evaluation of a classifier with these rates R of predicting k for j, in integers, with equal priors."""
    exact_rates = [[Fraction(x) for x in row] for row in rates]
    common = math.lcm(*(x.denominator for row in exact_rates for x in row))
    return ix.from_confusion([[int(x * common) for x in row] for row in exact_rates])


def shares(priors):
    return [Fraction(p) for p in priors]


SHORT = {"BA": ix.balanced_accuracy, "G-mean": ix.g_mean, "recall": ix.recall, "specificity": ix.specificity}
GENERIC = checks.facts["ovr.macro-BA.skewed"]["inputs"]["R"]
PRIORS = [shares(p) for p in checks.facts["cor5.converse"]["inputs"]["pis"]]


@checks(r"ovr\.macro-(?P<name>.+)\.(uniform|skewed)")
def macro_at_priors(fact, name):
    ev, priors = classifier(fact["inputs"]["R"]), shares(fact["inputs"]["pi"])
    [value] = ev.drift(SHORT[name], priors).values
    computed = readings(fact["computed"])[0]
    assert same(value, computed) if computed.is_Rational else f"{value:.10f}" == fact["computed"]
    assert ev.reprior(priors).score(SHORT[name], "macro") == pytest.approx(value, rel=1e-14)
    printed(fact, value, 4)


@checks(r"ovr\.colunif")
def uniform_errors(fact):
    ev = classifier(fact["inputs"]["R"])
    assert ev.skew_conditions().errors_uniform
    assert ix.uniform_error_deviation(ev) == 0
    assert [str(exact(ix.recall, v)) for v in vectors(ev.aggregate("class"))] == fact["computed"]["R diag"]
    for name, measure in (("macro-BA", ix.balanced_accuracy), ("macro-G-mean", ix.g_mean)):
        found, value = ev.drift(measure, *PRIORS), fact["computed"][name]
        assert found.values[0] == pytest.approx(float(Fraction(value)) if name == "macro-BA" else value, rel=1e-15)
        assert found.spread <= 2e-16
        assert ev.skew_conditions().prior_free(measure, "macro").proof


@checks(r"ss\.mc\.(?P<name>rec|spec)")
def rates_of_each_class(fact, name):
    measure = {"rec": ix.recall, "spec": ix.specificity}[name]
    ev = classifier(GENERIC)
    values = [[exact(measure, v) for v in vectors(ev.reprior(p).aggregate("class"))] for p in PRIORS]
    moves = [max(x) - min(x) for x in zip(*values, strict=True)]
    assert all((x > 1e-3) if name == "spec" else (x < 1e-12) for x in moves) is fact["computed"]


def free(ev, measure, average):
    """Return whether a score is the same for all priors, as the theory says and as it comes out at some."""
    verdict = ev.skew_conditions().prior_free(measure, average)
    spread = ev.drift(measure, *PRIORS, average=average).spread
    assert (spread < 1e-15) is bool(verdict)
    return {True: "invariant", False: "sensitive"}[verdict.holds]


@checks(r"ss\.mc\.(?P<average>macro|micro)\.(?P<name>.+)")
def of_a_multiclass_problem(fact, average, name):
    assert free(classifier(GENERIC), SHORT[name], average) == fact["computed"] == fact["paper"]


@checks(r"ss\.ml\.(?P<average>macro|micro)\.(?P<name>.+)")
def of_labels(fact, average, name):
    labels = ix.from_counts(tp=[30, 12, 5], fp=[4, 9, 20], fn=[10, 3, 5], tn=[56, 76, 70])
    assert free(labels, SHORT[name], average) == fact["computed"] == fact["paper"]


@checks(r"ss\.bin")
def of_two_classes(fact):
    ev = ix.from_confusion([[14, 6], [3, 27]], positive=1)
    priors = [(1 - p, p) for p in (Fraction(1, 2), Fraction(1, 10), Fraction(9, 10))]
    for name in SHORT.values():
        assert ev.drift(name, *priors, average=None).spread < 1e-15
        assert ev.drift(name, *priors, average="macro").spread < 1e-15
        assert ev.skew_conditions().prior_free(name, "macro")
    assert ev.drift("precision", *priors, average=None).spread > 0.1


@checks(r"ss\.mc\.exemplar")
def exemplar_recall_moves(fact):
    ev = classifier(GENERIC)
    assert free(ev, ix.recall, "exemplar") == fact["computed"]
    assert ev.drift("recall", *PRIORS, average="exemplar").values == ev.drift("recall", *PRIORS, average="micro").values


@checks(r"ss\.ml\.config")
def configurations_of_labels(fact):
    rates = fact["inputs"]["P(yhat=1|config)"]
    Y = np.array([[int(x) for x in config] for config in rates])
    predicted = np.array([[float(Fraction(x)) for x in row] for row in rates.values()])
    for key, text in fact["computed"].items():
        weights = dict(part.split(":") for part in fact["inputs"][f"rho_{key[-1]}"].split())
        ev = ix.evaluate(Y * 1.0, predicted, tnorm="product", sample_weight=[float(weights[config]) for config in rates])
        counts = ev.aggregate("class")
        assert (counts.tpos / counts.n).tolist() == pytest.approx([0.5, 0.5])
        assert ev.score("recall", "macro") == pytest.approx(float(Fraction(text)), rel=1e-15)
        verdict = ev.skew_conditions().prior_free("recall", "macro")
        assert verdict.holds
        assert "errata C8" in verdict.note  # it says on what that depends


@checks(r"cor5\.converse")
def equal_recalls_are_enough(fact):
    ev, priors = classifier(fact["inputs"]["R"]), [shares(p) for p in fact["inputs"]["pis"]]
    per_class, micro = fact["computed"].values()
    assert [str(exact(ix.specificity, v)) for v in vectors(ev.aggregate("class"))] == per_class
    assert [float(Fraction(x)) for x in micro] == list(ev.drift("specificity", *priors, average="micro").values)
    given = ev.skew_conditions()
    assert (given.recalls_equal, given.specificities_equal) == (True, False)
    for measure in (ix.specificity, ix.balanced_accuracy, ix.mcc):
        assert "errata C7" in given.prior_free(measure, "micro").proof
        assert not given.prior_free(measure, "macro")


TYPES = ((1, 1, 0, 0), (1, 0, 0, 0)), ((1, 1, 0, 0), (1, 0, 1, 0))  # one of two found; the same, and one that is wrong


@cache
def mixture(first, second):
    rows = [TYPES[0]] * first + [TYPES[1]] * second
    return ix.evaluate(*(np.array(x) for x in zip(*rows, strict=True)))


@checks(r"exskew\.ends")
def exemplar_f1_follows_the_mixture(fact):
    values = [mixture(k, 10 - k).score("f1", "exemplar") for k in range(11)]
    for k, value in enumerate(values):
        assert value == pytest.approx(2 / 3 * k / 10 + (1 - k / 10) / 2, rel=1e-15)
    assert [round(values[0], 3), round(values[-1], 3)] == fact["computed"] == fact["paper"]


@checks(r"exskew\.realise")
def two_types_of_examples(fact):
    values = [exact(ix.f1, v) for v in vectors(mixture(1, 1).aggregate("example"))]
    assert sorted(map(str, values)) == sorted(fact["computed"])


# dof, dominance: what confusion matrices leave free (prop:dof, sec:dominance).

TABLE_3 = ("accuracy", "error_rate", "precision", "recall", "specificity", "f1", "f_beta(beta=2)", "jaccard")
TABLE_3 += ("balanced_accuracy", "g_mean", "mcc", "cohen_kappa")


def matrix(m):
    return [[7 + j if j == k else 1 + (j * k) % 3 for k in range(m)] for j in range(m)]


def cell(j, k, step=None):
    """Return the function of a confusion matrix that reads one cell, or whether it is above a step."""
    formula = (lambda w: w[j, k]) if step is None else (lambda w: w[j, k] * 0 + (w[j, k] > step))
    return ix.MatrixMeasure(f"cell_{j}_{k}_{step}", formula, (0, math.inf), "")


@checks(r"dof\.(?P<m>[23])")
def degrees_of_freedom(fact, m):
    errors = [cell(j, k) for j, k in product(range(int(m)), repeat=2)]
    found = ix.redundant([*errors, "multiclass_mcc", "multiclass_kappa"], matrix(int(m)))
    assert found.rank == found.degrees_of_freedom == fact["computed"] == fact["paper"]


@checks(r"dof\.table3")
def freedom_of_averages(fact):
    for m, rank in fact["computed"].items():
        found = ix.redundant(TABLE_3, matrix(int(m)), averages=("class", "micro", "macro"))
        assert found.rank == rank
        assert found.degrees_of_freedom == fact["paper"][m]


PI, REC, SPEC = sympy.symbols("pi rec spec", positive=True)
AT = {PI: sympy.Rational(3, 10), REC: sympy.Rational(4, 5), SPEC: sympy.Rational(7, 10)}
THREE = ("accuracy", "balanced_accuracy", "f1")
BINARY = ix.from_confusion([[24, 6], [21, 49]], classes=(1, 0), positive=1)  # pi, rec and spec are those of the fact


def in_rates(name):
    return ix.MEASURES[name](ix.Counts(PI * REC, (1 - PI) * (1 - SPEC), PI * (1 - REC), (1 - PI) * SPEC))


@checks(r"dof\.formulas")
def functions_of_rates(fact):
    forms = (PI * REC + (1 - PI) * SPEC, (REC + SPEC) / 2, 2 * PI * REC / (PI * REC + PI + (1 - PI) * (1 - SPEC)))
    for name, form in zip(THREE, forms, strict=True):
        assert sympy.simplify(in_rates(name) - form) == 0
        assert BINARY.score(name) == pytest.approx(float(form.subs(AT)), rel=1e-15)
    found = BINARY.redundant(["recall", "specificity", *THREE])
    assert found.rank == 2
    assert set(found.follows) == {(name, "binary") for name in THREE}


@checks(r"dof\.collinear")
def gradients_of_three_measures(fact):
    gradients = [[sympy.diff(in_rates(name), x).subs(AT) for x in (REC, SPEC)] for name in THREE]
    expected, determinants = fact["computed"].values()
    assert [[str(sympy.nsimplify(x)) for x in row] for row in gradients] == expected
    assert [str(sympy.Matrix(pair).det()) for pair in combinations(gradients, 2)] == determinants
    assert all(BINARY.redundant(pair).rank == 2 for pair in combinations(THREE, 2))
    assert BINARY.redundant(THREE).rank == 2


@checks(r"dof\.literal")
def steps_are_not_determined(fact):
    steps = [(0, 1, 5), (0, 1, 7), (1, 0, 3)]
    assert fact["inputs"]["measures"] == [f"1[W{j + 1}{k + 1}>{step}]" for j, k, step in steps]
    values = {tuple((a, b)[j] > step for j, _, step in steps) for a, b in product(range(10), repeat=2)}
    for i in range(3):  # two matrices agree in the two others and differ in this one
        assert any(sum(x != y for x, y in zip(u, v, strict=True)) == 1 and u[i] != v[i] for u, v in combinations(values, 2))
    found = ix.redundant([cell(*step) for step in steps], [[6, 4], [5, 5]])
    assert found.rank == 0  # gradients do not see steps, and the library says so
    assert str(found).count("a constant or a step") == 3


@checks(r"dominance\.iff")
def equal_scores_of_different_matrices(fact):
    a, b = (ix.from_confusion(fact["inputs"][name]) for name in "AB")
    for found in (a.dominates(b), b.dominates(a)):
        assert (found.measurewise, found.elementwise, found.strictly) == (True, False, False)
        scores = [name for name in (*found.better, *found.worse, *found.undefined) if len(name) == 2]
        assert not scores
        assert len([name for name in found.equal if len(name) == 2]) > 100
    different = a.confusion != b.confusion
    assert (different == ~np.eye(3, dtype=bool)).all()
