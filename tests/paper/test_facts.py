"""Every recomputed number of the paper in the groups cx, cat, dec, floor, undef and id, through the public interface.

``facts.json`` lies beside the paper, outside the repository. A fact has the paper's claim (``paper``), the recomputed one
(``computed``) and whether they agree; the library must show the recomputed one. Each fact belongs to exactly one checker
below, chosen by the form of its id, and a fact without a checker fails.
"""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path

import numpy as np
import pytest
import sympy
from sympy.parsing.sympy_parser import convert_xor, implicit_multiplication, parse_expr, standard_transformations

import indicatrix as ix

FILE = Path(__file__).resolve().parents[3] / "shared" / "paper" / "facts.json"
if not FILE.exists():
    pytest.skip(f"the paper's facts are not here: {FILE}", allow_module_level=True)

GROUPS = ("cx", "cat", "dec", "floor", "undef", "id")
FACTS = {f["id"]: f for f in json.loads(FILE.read_text("utf-8")) if f["id"].split(".")[0] in GROUPS}

# The facts' names of measures, in lower case.
MEASURES = {
    "accuracy": ix.accuracy,
    "label accuracy": ix.accuracy,
    "error rate": ix.error_rate,
    "error rate (ceiling)": ix.error_rate,
    "balanced error rate": ix.balanced_error_rate,
    "subset accuracy": ix.subset_accuracy,
    "precision": ix.precision,
    "recall": ix.recall,
    "fnr": ix.fnr,
    "fdr": ix.fdr,
    "f1": ix.f1,
    "f2": ix.f_beta.at(beta=2),
    "f2 (beta^2=4)": ix.f_beta.at(beta=2),
    "jaccard": ix.jaccard,
    "fowlkes-mallows": ix.fowlkes_mallows,
    "lift": ix.lift,
    "specificity": ix.specificity,
    "npv": ix.npv,
    "fpr": ix.fpr,
    "for": ix.false_omission_rate,
    "balanced accuracy": ix.balanced_accuracy,
    "balanced acc.": ix.balanced_accuracy,
    "g-mean": ix.g_mean,
    "informedness": ix.informedness,
    "markedness": ix.markedness,
    "f1neg": ix.f_beta_negative,
    "f2neg (beta^2=4)": ix.f_beta_negative.at(beta=2),
    "discriminant power": ix.discriminant_power,
    "optimised precision": ix.optimised_precision,
    "mcc": ix.mcc,
    "phi": ix.phi,
    "cohen's kappa": ix.cohen_kappa,
    "cohen kappa": ix.cohen_kappa,
    "gwet's ac1": ix.gwet_ac1,
    "gwet ac1": ix.gwet_ac1,
    "tetrachoric (cos approx)": ix.tetrachoric,
    "lr+": ix.lr_plus,
    "lr-": ix.lr_minus,
    "dor": ix.dor,
    "odds ratio": ix.odds_ratio,
    "net benefit (p_t=1/5)": ix.net_benefit.at(p_t=Fraction(1, 5)),
    "coverage": ix.coverage,
    "relative accuracy (ra)": ix.relative_accuracy,
    "wra (klosgen)": ix.klosgen.at(omega=1),
    "novelty": ix.novelty,
    "conviction": ix.conviction,
    "chi-squared": ix.chi_squared,
    "piatetsky-shapiro": ix.piatetsky_shapiro,
    "sebag-schoenauer": ix.sebag_schoenauer,
}


# Numbers: exact where the measure is rational, and a text of the facts read as an expression in m, n, N = nm and p_t = 1/5.

SIZES = range(3, 31)
M, N = sympy.symbols("m n", positive=True)
NAMES = {"m": M, "n": N, "N": N * M, "p_t": sympy.Rational(1, 5), "inf": sympy.oo}
GRAMMAR = (*standard_transformations, implicit_multiplication, convert_xor)


@cache
def readings(text):
    """Return every form of a number in a text such as "-n/m = -N/m^2 (not scale free)"; words in parentheses are comments."""
    bare = re.sub(r" \([a-z][a-z ]+\)$", "", str(text)).partition(",")[0]
    return tuple(parse_expr(part, local_dict=NAMES, transformations=GRAMMAR) for part in bare.split(" = "))


def same(value, expression):
    """Return whether a library value is the number that an expression stands for: exactly, unless the value is irrational."""
    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator) == expression
    return float(value) == float(expression) or math.isclose(value, float(expression), rel_tol=1e-14)


def exact(measure, counts):
    """Return a measure of count(s) in exact arithmetic."""
    return measure(ix.Counts(*map(Fraction, counts)))


def mean(values):
    return sum(values) / len(values)


def printed(fact, value, digits=3):
    """The paper's rounded number is right exactly if the fact says so."""
    assert (round(float(value), digits) == fact["paper"]) is fact["agrees"]


CHECKERS = []


def checks(*forms):
    """Register the checker of all facts whose id has one of these forms; a part called ``measure`` names a measure."""

    def register(checker):
        CHECKERS.extend((re.compile(form), checker) for form in forms)
        return checker

    return register


@pytest.mark.parametrize("fact", FACTS.values(), ids=FACTS)
def test_fact(fact):
    found = [(match, checker) for form, checker in CHECKERS if (match := form.fullmatch(fact["id"]))]
    assert len(found) == 1, f"{len(found)} checkers fit {fact['id']}; each fact needs exactly one."
    [(match, checker)] = found
    parts = match.groupdict()
    if "measure" in parts:
        parts["measure"] = MEASURES[parts["measure"].lower()]
    checker(fact, **parts)


# cx: the numerical witness of ex:counterexample.

EXAMPLE = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]], classes=(1, 2, 3))
VECTORS = [tuple(map(int, EXAMPLE.aggregate("class").at(**{"class": c}))) for c in EXAMPLE.classes]
POOLED = tuple(EXAMPLE.aggregate())


@checks(r"cx\.(?P<what>n|sizes|v1|v2|v3|pool)")
def counts_of_the_example(fact, what):
    found = {
        "n": EXAMPLE.n,
        "sizes": EXAMPLE.confusion.sum(axis=1).tolist(),
        "pool": list(POOLED),
        **{f"v{c}": list(VECTORS[c - 1]) for c in (1, 2, 3)},
    }
    assert found[what] == fact["computed"] == fact["paper"]


@checks(r"cx\.(?P<measure>.+)\.class(?P<c>\d)")
def value_of_a_class(fact, measure, c):
    value = exact(measure, VECTORS[int(c) - 1])
    assert fact["inputs"]["counts"] == list(VECTORS[int(c) - 1])
    assert same(value, readings(fact["computed"])[0])
    assert float(EXAMPLE.values(measure)[int(c) - 1]) == pytest.approx(float(value), rel=1e-15)
    printed(fact, value)


@checks(r"cx\.(?P<measure>.+)\.(?P<average>macro|micro)")
def average_of_the_example(fact, measure, average):
    value = exact(measure, POOLED) if average == "micro" else mean([exact(measure, v) for v in VECTORS])
    assert same(value, readings(fact["computed"])[0])
    assert EXAMPLE.score(measure, average) == pytest.approx(float(value), rel=1e-15)
    printed(fact, value)


def place(measure):
    """Return where the pooled value lies among the per-class values."""
    micro, values = EXAMPLE.score(measure, "micro"), EXAMPLE.values(measure)
    return "above max" if micro > max(values) else "inside" if micro >= min(values) else "below min"


@checks(r"cx\.(?P<measure>.+)\.range")
def hull_of_the_classes(fact, measure):
    assert place(measure) == fact["computed"]
    assert (place(measure) == "inside") is (measure.decomposition is not None)


@checks(r"cx\.part2\.(?P<measure>.+)")
def not_a_witness(fact, measure):
    assert EXAMPLE.values(measure).round(4).tolist() == fact["computed"]["per class"]
    assert round(EXAMPLE.score(measure, "micro"), 4) == fact["computed"]["micro"]
    assert (place(measure) != "inside") is fact["computed"]["escapes"]


@checks(r"cx\.equal_micro_J_MCC")
def informedness_is_mcc_in_micro(fact):
    values = [exact(measure, POOLED) for measure in (ix.informedness, ix.mcc)]
    assert list(map(str, values)) == fact["computed"]
    assert [round(float(v), 3) for v in values] == fact["paper"]


@checks(r"cx\.kappa_extra")
def kappa_of_the_example(fact):
    classes = [exact(ix.cohen_kappa, v) for v in VECTORS]
    assert [str(v) for v in (*classes, mean(classes), exact(ix.cohen_kappa, POOLED))] == fact["computed"]
    assert place(ix.cohen_kappa) == "above max"


# floor, cat.worst and cat.tndep: one-hot predictions that are all wrong (prop:lower_boundary, tab:floors).


@cache
def pooled(m, n, right=0):
    """Return the micro counts of n examples of m classes, the first ``right`` of which are predicted rightly."""
    y = np.arange(n) % m
    return tuple(ix.evaluate(y, (y + (np.arange(n) >= right)) % m, classes=range(m)).aggregate())


def follows(measure, text, n=7):
    """Return whether the micro value of total misclassification follows a closed form for every number of classes."""
    return all(same(exact(measure, pooled(m, n)), form.subs({M: m, N: n})) for form in readings(text) for m in SIZES)


@checks(r"floor\.(?P<measure>.+)\.closed", r"cat\.worst\.(?P<measure>.+)")
def closed_form(fact, measure):
    assert follows(measure, fact["computed"])
    assert fact["paper"] is None or follows(measure, fact["paper"]) is fact["agrees"]


@checks(r"floor\.(?P<measure>.+)\.m(?P<m>\d+)")
def value_at_m(fact, measure, m):
    value = exact(measure, pooled(int(m), 7))
    assert same(value, readings(fact["computed"])[0])
    printed(fact, value)


@checks(r"floor\.extra\.(?P<measure>.+)")
def values_not_tabulated(fact, measure):
    assert [str(exact(measure, pooled(m, 7))) for m in fact["inputs"]["m"]] == fact["computed"]
    assert reads_tn(measure)


@checks(r"floor\.(?P<measure>.+)\.inf")
def limit_in_m(fact, measure):
    limit = sympy.limit(sympy.simplify(measure(ix.Counts(sympy.Integer(0), N, N, N * (M - 2)))), M, sympy.oo)
    assert limit == readings(fact["computed"])[0] == readings(fact["paper"])[0]


@checks(r"floor\.(?P<measure>.+)\.is_extreme")
def extreme_of_all_predictions(fact, measure):
    worst = {"higher": min, "lower": max}[measure.better]  # errata B15: a loss has a ceiling
    assert worst.__name__ in fact["statement"]
    for m in range(3, 12):
        values = [exact(measure, pooled(m, 6, right)) for right in range(7)]
        assert values[0] == worst(values)


@checks(r"floor\.accuracy_TP_over_n")
def accuracy_reaches_zero(fact):
    y = np.arange(12) % 4
    assert ix.multiclass_accuracy(y, (y + 1) % 4) == ix.exact_match(y, (y + 1) % 4) == fact["computed"]


@checks(r"floor\.macro_not_covered")
def macro_goes_below_the_floor(fact):
    ev = ix.evaluate(fact["inputs"]["y"], fact["inputs"]["yhat"], classes=range(fact["inputs"]["m"]))
    for name, text in fact["computed"].items():
        measure = MEASURES[{"BA": "balanced accuracy"}.get(name.split("-")[1], name.split("-")[1].split()[0]).lower()]
        value, floor = text.split(" < ")
        assert ev.score(measure, "macro") == pytest.approx(float(Fraction(value)), abs=5e-5 if "." in value else 1e-15)
        assert ev.score(measure, "macro") < ev.score(measure, "micro") == ev.score(measure, "exemplar") == Fraction(floor)


def confusions(sizes):
    """Return all confusion matrices with these row sums, as one array."""
    rows = [[r for r in product(range(size + 1), repeat=len(sizes)) if sum(r) == size] for size in sizes]
    return np.array(list(product(*rows)))


@checks(r"floor\.macro_closed")
def floor_of_macro_averages(fact):
    for sizes, text in zip(fact["inputs"]["sizes"], fact["computed"], strict=True):
        m, n, (n1, n2, *_) = len(sizes), sum(sizes), sorted(sizes, reverse=True)
        floor = 1 - (1 + Fraction(n1, n - n2)) / m
        assert floor == Fraction(text)
        table = confusions(sizes)
        tp, tpos, ppos = np.diagonal(table, axis1=1, axis2=2), table.sum(axis=2), table.sum(axis=1)
        counts = ix.Counts(tp, ppos - tp, tpos - tp, n - tpos - ppos + tp)
        for measure, lowest in ((ix.specificity, floor), (ix.balanced_accuracy, floor / 2), (ix.informedness, floor - 1)):
            at = measure(counts).mean(axis=1).argmin()
            per_class = ix.from_confusion(table[at]).aggregate("class")
            assert mean([exact(measure, v) for v in zip(*map(np.ndarray.tolist, per_class), strict=True)]) == lowest


def reads_tn(measure):
    """Return whether the value at tp = 0 depends on tn; where it is undefined for every tn, it does not."""
    for fp, fn in product((1, 2, 5), repeat=2):
        values = {exact(measure, (0, fp, fn, tn)) for tn in (1, 2, 7, 40)}
        if len(values) > 1:
            return True
    return False


@checks(r"cat\.tndep\.(?P<measure>.+)")
def dependence_on_tn(fact, measure):
    assert reads_tn(measure) is fact["computed"]
    values = re.search(r"\{.*\}", fact["note"])
    for m, value in json.loads(values[0]).items() if values else ():
        assert math.isclose(exact(measure, pooled(int(m), 7)), value, rel_tol=1e-15)


@checks(r"cat\.readoff")
def safety_is_not_read_off_b4(fact):
    for measure in ix.catalogue():
        if measure.decomposition is not None:
            a, b = measure.decomposition
            assert reads_tn(measure) is (a[3] * b[1] != b[3] * a[1] or a[3] * b[2] != b[3] * a[2]), measure
    assert ix.russell_rao.decomposition[1][3] == 1
    assert not reads_tn(ix.russell_rao)
    assert not reads_tn(ix.g_mean)
    assert exact(ix.g_mean, (1, 1, 1, 1)) != exact(ix.g_mean, (1, 1, 1, 2))
    assert fact["agrees"] is False


# dec: which measures are ratios of two linear forms (def:decomposable).


def proportional(a, b):
    """Return whether one vector is a non-zero multiple of the other."""
    return any(b) and all(x * v == y * u for (x, y), (u, v) in combinations(list(zip(a, b, strict=True)), 2))


@checks(r"dec\.(T2|P1|cat)\.(?P<measure>.+)")
def decomposability(fact, measure):
    found = measure.decomposition
    assert (found is not None) is fact["computed"]
    assert fact["paper"] in (None, fact["computed"])
    if found is not None:
        coefficients = [Fraction(x) for x in re.findall(r"'(.+?)'", fact["note"])]
        assert proportional((*found[0], *found[1]), coefficients)


def degrees(measure):
    """Return the degrees of numerator and denominator in lowest terms, None if the formula is not rational."""
    cells = sympy.symbols("tp fp fn tn", positive=True)
    formula = sympy.sympify(measure(ix.Counts(*cells)))
    if not formula.is_rational_function(*cells):
        return None
    return tuple(sympy.Poly(part, *cells).homogeneous_order() for part in sympy.fraction(sympy.cancel(formula)))


@checks(r"dec\.symbolic")
def degrees_in_lowest_terms(fact):
    rational = {name: found for name, measure in MEASURES.items() if (found := degrees(measure)) is not None}
    for name, found in rational.items():
        assert (found == (1, 1)) is (MEASURES[name].decomposition is not None), name


@checks(r"dec\.overclaim")
def ratios_and_mixtures_that_are_linear(fact):
    for formula, plain in {
        "(tp / tpos) / (tp / ppos)": ix.frequency_bias,
        "(tp / ppos) / (1 - tp / ppos)": ix.sebag_schoenauer,
        "tpos / n * (tp / tpos) + (1 - tpos / n) * (tn / tneg)": ix.accuracy,
    }.items():
        assert ix.measure(formula).decomposition == plain.decomposition is not None
    assert fact["agrees"] is False


@checks(r"dec\.criterion")
def spurious_solution(fact):
    a, b = fact["inputs"]["a"], fact["inputs"]["b"]
    for v in GRID:
        assert exact(ix.subset_accuracy, v) * np.dot(b, v) == np.dot(a, v)
    assert ix.subset_accuracy.decomposition is None


# cat: facts about the rows of the catalogue.

GRID = [v for v in product((0, 1, 2, 5), repeat=4) if v[0] + v[2] and v[1] + v[3]]  # recall and specificity are defined


def alike(a, b):
    """Return whether two values are equal: exactly if both are exact, nan being equal to nan."""
    exactly = isinstance(a, Fraction) and isinstance(b, Fraction)
    return a == b or (a != a and b != b) or (not exactly and math.isclose(a, b, rel_tol=1e-13))


@cache
def skew_invariant(measure):
    """Return whether scaling positives and negatives by different factors leaves every value alone (def:skew)."""
    return all(
        alike(exact(measure, (tp, fp, fn, tn)), exact(measure, (x * tp, y * fp, x * fn, y * tn)))
        for tp, fp, fn, tn in GRID
        for x, y in ((3, 1), (Fraction(1, 7), 5))
    )


@checks(r"cat\.skew\.(?P<measure>(?!note).+)")
def skew(fact, measure):
    found = skew_invariant(measure)
    assert found is {"invariant": True, "not invariant": False}.get(fact["computed"], fact["computed"])
    assert fact["agrees"] is None or ((fact["paper"] == "marked") is found) is fact["agrees"]


@checks(r"cat\.skew\.note5")
def no_rule_measure_is_skew_invariant(fact):
    assert not any(map(skew_invariant, ix.catalogue(group="rules")))


@checks(r"cat\.skew\.note6")
def likelihoods_are_skew_invariant(fact):
    assert all(map(skew_invariant, (ix.lr_plus, ix.lr_minus, ix.dor, ix.odds_ratio)))


IDENTITIES = {
    "WRA_is_Novelty": (ix.klosgen.at(omega=1), lambda v: v(ix.novelty)),
    "DOR_is_OR": (ix.dor, lambda v: v(ix.measure("(tp / fp) / (fn / tn)"))),
    "PS": (ix.piatetsky_shapiro, lambda v: v.n * v(ix.novelty)),
    "chi2": (ix.chi_squared, lambda v: v.n * v(ix.mcc) ** 2),
    "phi": (ix.phi, lambda v: v(ix.mcc)),
    "J_BA": (ix.informedness, lambda v: 2 * v(ix.balanced_accuracy) - 1),
}


class Vector(tuple):
    """A count vector that values measures."""

    __slots__ = ()
    n = property(sum)

    def __call__(self, measure):
        return exact(measure, self)


@checks(rf"cat\.(?P<name>{'|'.join(IDENTITIES)})")
def identity(fact, name):
    measure, other = IDENTITIES[name]
    both = [(v(measure), other(v)) for v in map(Vector, GRID)]
    where_both_defined = [(a, b) for a, b in both if math.isfinite(a) and math.isfinite(b)]
    assert len(where_both_defined) > len(GRID) / 3
    assert all(alike(a, b) for a, b in where_both_defined)


@checks(r"cat\.conviction_note")
def conviction_diverges(fact):
    for tp, fn, tn in product((1, 4), repeat=3):
        assert exact(ix.precision, (tp, 0, fn, tn)) == 1
        assert exact(ix.conviction, (tp, 0, fn, tn)) == math.inf


@checks(r"cat\.nov_zero_indep")
def nothing_under_independence(fact):
    rules = (ix.relative_accuracy, ix.klosgen.at(omega=1), ix.novelty, ix.piatetsky_shapiro)
    assert [str(exact(measure, fact["inputs"]["counts"])) for measure in rules] == fact["computed"]


# id: identities of one-hot problems (thm:micro_collapse, prop:hamming_accuracy, eq:exemplar_acc).


@cache
def one_hot_problems(size=200):
    """Return random multiclass evaluations, classes that do not occur included, with m and the number of right examples."""
    rng, found = np.random.default_rng(7), []
    for _ in range(size):
        m, n = int(rng.integers(2, 7)), int(rng.integers(1, 30))
        y, yhat = rng.integers(m, size=(2, n))
        found.append((ix.evaluate(y, yhat, classes=range(m)), m, int((y == yhat).sum())))
    return found


def micro(ev, measure):
    return exact(measure, ev.aggregate())


def averages(ev, measure):
    """Return the exact micro, macro and exemplar value of a measure that is defined for every unit."""
    example = ev.aggregate("example")
    rows = list(zip(*map(np.ndarray.tolist, example), strict=True))
    classes = list(zip(*map(np.ndarray.tolist, ev.aggregate("class")), strict=True))
    times = example.times.tolist()
    exemplar = sum(t * exact(measure, v) for t, v in zip(times, rows, strict=True)) / sum(times)
    return micro(ev, measure), mean([exact(measure, v) for v in classes]), exemplar


ONE_HOT = {  # what each fact says of an evaluation, the number of its classes, and its accuracy
    "jaccard": lambda ev, m, acc: {micro(ev, ix.jaccard), acc / (2 - acc)},
    "exemplar_acc": lambda ev, m, acc: {averages(ev, ix.accuracy)[2], Fraction(m - 2, m) + Fraction(2, m) * acc},
    "hamming": lambda ev, m, acc: {
        micro(ev, ix.hamming_loss),
        1 - micro(ev, ix.label_accuracy),
        Fraction(2, m) * (1 - acc),
    },
    "acc3": lambda ev, m, acc: set(averages(ev, ix.accuracy)),
}


@checks(rf"id\.(?P<name>{'|'.join(ONE_HOT)})")
def one_hot_identity(fact, name):
    for ev, m, right in one_hot_problems():
        assert len(ONE_HOT[name](ev, m, Fraction(right, ev.n))) == 1


@checks(r"id\.collapse")
def collapse(fact):
    for ev, _, right in one_hot_problems():
        assert {micro(ev, measure) for measure in (ix.precision, ix.recall, ix.f1)} == {Fraction(right, ev.n)}
        assert ev.score("multiclass_accuracy") == ev.score("exact_match") == right / ev.n
    abstaining = ix.evaluate(np.eye(4, dtype=int), np.diag([1, 1, 1, 0])[[1, 1, 2, 3]])  # rows: wrong, right, right, nothing
    assert (micro(abstaining, ix.precision), micro(abstaining, ix.recall)) == (Fraction(2, 3), Fraction(2, 4))


@checks(r"id\.fullcollapse")
def full_collapse(fact):
    for ev, m, right in one_hot_problems():
        acc = Fraction(right, ev.n)
        chance_corrected = {micro(ev, x) for x in (ix.mcc, ix.cohen_kappa, ix.informedness, ix.markedness)}
        assert chance_corrected == {(m * acc - 1) / (m - 1)}
        assert {micro(ev, x) for x in (ix.specificity, ix.npv)} == {1 - (1 - acc) / (m - 1)}


@checks(r"id\.kappa_rank")
def kappa_and_accuracy(fact):
    ordered = sorted(
        (ev.score("multiclass_accuracy"), ev.score("kappa", "micro"), ev.score("multiclass_kappa", undefined=0))
        for ev, m, _ in one_hot_problems()
        if m == 4
    )
    assert all(b[1] - a[1] > -1e-12 for a, b in pairwise(ordered))
    assert any(a[0] < b[0] and a[2] > b[2] + 0.01 for a, b in pairwise(ordered))


@checks(r"id\.kappa_std_min")
def least_kappa(fact):
    cyclic = np.arange(30) % 10
    shifted = ix.evaluate(cyclic, (cyclic + 1) % 10)
    swapped = ix.evaluate([0, 1], [1, 0], classes=range(3))
    assert [Fraction(x) for x in fact["computed"].values()] == [Fraction(-1, 9), -1]
    assert [ev.score("multiclass_kappa") for ev in (shifted, swapped)] == [-1 / 9, -1]
    assert [ev.score("kappa", "micro") for ev in (shifted, swapped)] == [-1 / 9, -1 / 2]
    assert round(-1 / 9, 3) == fact["paper"]


# undef: the three conventions (sec:degenerate).


def partly_undefined(m, u, seed):
    """Return the evaluation of m labels, the last u of which never occur, so that their recall is undefined."""
    rng = np.random.default_rng(seed)
    Y, Yhat = rng.random((2, 5 * m, m)) < 0.4
    Y[:, m - u :] = False
    Y[0, : m - u] = True
    return ix.evaluate(Y, Yhat)


def conventions(ev):
    """Return exact macro recall under zero, one and exclusion, checked against the library's scores."""
    counts = ev.aggregate("class")
    values = [exact(ix.recall, v) for v in zip(*map(np.ndarray.tolist, counts), strict=True)]
    defined = [v for v in values if v == v]
    u = len(values) - len(defined)
    exact_values = sum(defined) / len(values), (sum(defined) + u) / len(values), mean(defined)
    for undefined, value in zip((0, 1, "exclude"), exact_values, strict=True):
        assert ev.score("recall", "macro", undefined=undefined) == pytest.approx(float(value), rel=1e-15)
    return exact_values


@checks(r"undef\.14")
def fourteen_labels_two_undefined(fact):
    m, u = fact["inputs"]["m"], fact["inputs"]["u"]
    zero, _, exclude = conventions(partly_undefined(m, u, seed=0))
    assert (exclude - zero) / exclude == Fraction(fact["computed"])
    assert exclude / zero - 1 == Fraction(1, 6)


@checks(r"undef\.diff")
def conventions_differ_by_share_and_factor(fact):
    for m, seed in product(range(2, 9), range(3)):
        for u in range(m):
            zero, one, exclude = conventions(partly_undefined(m, u, seed))
            assert (one - zero, exclude / zero) == (Fraction(u, m), Fraction(m, m - u))


@checks(r"undef\.sklearn")
def default_of_scikit_learn(fact):
    from sklearn.exceptions import UndefinedMetricWarning
    from sklearn.metrics import recall_score

    y, yhat = [0, 0, 2, 2], [0, 1, 2, 0]
    with pytest.warns(UndefinedMetricWarning):
        by_default = recall_score(y, yhat, average="macro")
    assert by_default == ix.recall(y, yhat, average="macro", undefined=0)
    assert recall_score(y, yhat, average="macro", zero_division=np.nan) == ix.recall(y, yhat, average="macro")
    absent = recall_score([0, 2], [0, 2], average="macro", zero_division=0)  # class 1 is nowhere and is dropped
    assert (absent, ix.recall([0, 2], [0, 2], average="macro", undefined=0, classes=range(3))) == (1, 2 / 3)
