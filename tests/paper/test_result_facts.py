"""Recomputed facts on what a result implies: gaps, priors, degrees of freedom, dominance."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
import sympy
from facts import EXAMPLE, MEASURES, Checkers, exact, mean, named, printed, readings, same, vectors
from loops import for_each

import indicatrix as ix

checks = Checkers("gap", "thm1", "cor2", "hull", "subset", "abst", "ovr", "ss", "cor5", "exskew", "dof", "dominance")


@pytest.mark.one_fast_case
@for_each("fact", checks.facts.values(), ids=checks.facts)
def test_fact(fact):
    checks.run(fact)


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
    """Return the example with a share ``eps`` of the differences between classes, in integers."""
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
    """Return random evaluations of labels, some absent, never predicted or always present."""
    rng = np.random.default_rng(seed)
    for _ in range(size):
        n, m = rng.integers(1, 30), rng.integers(2, 7)
        often = rng.choice([0, 0.3, 0.5, 1], size=(2, 1, m), p=[0.1, 0.4, 0.4, 0.1])
        yield ix.evaluate(*(rng.random((2, n, m)) < often))


@checks(r"thm1\.identity")
def micro_is_weighted_macro(fact):
    decomposable = [m for m in dict.fromkeys(MEASURES.values()) if ix.properties(m).decomposable]
    assert {ix.measures.sebag_schoenauer, named("net benefit (p_t=1/5)")} < set(decomposable)
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
        [group] = ev.coinciding_scores(measure, ("micro", "macro", "exemplar")).groups
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
    """Return the evaluation of a classifier with rates R, in integers, with equal priors."""
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
    [_, value] = ev.prior_sensitivity(SHORT[name], priors).values
    computed = readings(fact["computed"])[0]
    assert same(value, computed) if computed.is_Rational else f"{value:.10f}" == fact["computed"]
    assert ev.with_priors(priors).score(SHORT[name], "macro") == pytest.approx(value, rel=1e-14)
    printed(fact, value, 4)


@checks(r"ovr\.colunif")
def uniform_errors(fact):
    ev = classifier(fact["inputs"]["R"])
    assert ev.skew_conditions().errors_uniform
    assert ix.theory.uniform_error_deviation(ev) == 0
    assert [str(exact(ix.recall, v)) for v in vectors(ev.aggregate("class"))] == fact["computed"]["R diag"]
    for name, measure in (("macro-BA", ix.balanced_accuracy), ("macro-G-mean", ix.g_mean)):
        found, value = ev.prior_sensitivity(measure, *PRIORS), fact["computed"][name]
        assert found.values[0] == pytest.approx(float(Fraction(value)) if name == "macro-BA" else value, rel=1e-15)
        assert found.spread <= 2e-16
        assert ev.skew_conditions().prior_free(measure, "macro").proof


@checks(r"ss\.mc\.(?P<name>rec|spec)")
def rates_of_each_class(fact, name):
    measure = {"rec": ix.recall, "spec": ix.specificity}[name]
    ev = classifier(GENERIC)
    values = [[exact(measure, v) for v in vectors(ev.with_priors(p).aggregate("class"))] for p in PRIORS]
    moves = [max(x) - min(x) for x in zip(*values, strict=True)]
    assert all((x > 1e-3) if name == "spec" else (x < 1e-12) for x in moves) is fact["computed"]


def free(ev, measure, average):
    """Return whether a score is the same for all priors, as the theory says and as it comes out at some."""
    verdict = ev.skew_conditions().prior_free(measure, average)
    spread = ev.prior_sensitivity(measure, *PRIORS, average=average).spread
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
        assert ev.prior_sensitivity(name, *priors, average=None).spread < 1e-15
        assert ev.prior_sensitivity(name, *priors, average="macro").spread < 1e-15
        assert ev.skew_conditions().prior_free(name, "macro")
    assert ev.prior_sensitivity("precision", *priors, average=None).spread > 0.1


@checks(r"ss\.mc\.exemplar")
def exemplar_recall_moves(fact):
    ev = classifier(GENERIC)
    assert free(ev, ix.recall, "exemplar") == fact["computed"]
    assert (
        ev.prior_sensitivity("recall", *PRIORS, average="exemplar").values
        == ev.prior_sensitivity("recall", *PRIORS, average="micro").values
    )


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
        assert "provided that" in verdict.note  # it says on what that depends


@checks(r"cor5\.converse")
def equal_recalls_are_enough(fact):
    ev, priors = classifier(fact["inputs"]["R"]), [shares(p) for p in fact["inputs"]["pis"]]
    per_class, micro = fact["computed"].values()
    assert [str(exact(ix.specificity, v)) for v in vectors(ev.aggregate("class"))] == per_class
    assert [float(Fraction(x)) for x in micro] == list(ev.prior_sensitivity("specificity", *priors, average="micro").values)[1:]
    given = ev.skew_conditions()
    assert (given.recalls_equal, given.specificities_equal) == (True, False)
    for measure in (ix.specificity, ix.balanced_accuracy, ix.mcc):
        assert "all classes have the same recall" in given.prior_free(measure, "micro").proof
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
    return ix.measure(formula, name=f"cell_{j}_{k}_{step}", reads="matrix", range=(0, math.inf), better="higher")


@checks(r"dof\.(?P<m>[23])")
def degrees_of_freedom(fact, m):
    errors = [cell(j, k) for j, k in product(range(int(m)), repeat=2)]
    found = ix.theory.redundant([*errors, "multiclass_mcc", "multiclass_kappa"], matrix(int(m)))
    assert found.rank == found.degrees_of_freedom == fact["computed"] == fact["paper"]


@checks(r"dof\.table3")
def freedom_of_averages(fact):
    for m, rank in fact["computed"].items():
        found = ix.theory.redundant(TABLE_3, matrix(int(m)), averages=("each class", "micro", "macro"))
        assert found.rank == rank
        assert found.degrees_of_freedom == fact["paper"][m]


PI, REC, SPEC = sympy.symbols("pi rec spec", positive=True)
AT = {PI: sympy.Rational(3, 10), REC: sympy.Rational(4, 5), SPEC: sympy.Rational(7, 10)}
THREE = ("accuracy", "balanced_accuracy", "f1")
BINARY = ix.from_confusion([[24, 6], [21, 49]], classes=(1, 0), positive=1)  # pi, rec and spec are those of the fact


def in_rates(name):
    return ix.algebra.MEASURES[name](ix.Counts(PI * REC, (1 - PI) * (1 - SPEC), PI * (1 - REC), (1 - PI) * SPEC))


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
    found = ix.theory.redundant([cell(*step) for step in steps], [[6, 4], [5, 5]])
    assert found.rank == 0  # gradients do not see steps, and the library says so
    assert str(found).count("a constant or a step") == 3


@checks(r"dominance\.iff")
def equal_scores_of_different_matrices(fact):
    a, b = (ix.from_confusion(fact["inputs"][name]) for name in "AB")
    every = [m for name, m in ix.algebra.MEASURES.items() if name == m.name and m.better != "neither" and not m.averages]
    for found in (a.dominates(b, measures=every), b.dominates(a, measures=every)):
        assert (found.measurewise, found.elementwise, found.strictly) == (True, False, False)
        scores = [name for name in (*found.better, *found.worse, *found.undefined) if len(name) == 2]
        assert not scores
        assert len([name for name in found.equal if len(name) == 2]) > 100
    different = a.confusion != b.confusion
    assert (different == ~np.eye(3, dtype=bool)).all()
