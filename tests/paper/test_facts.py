"""Every recomputed number of the groups cx, cat, dec, floor, undef and id."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np
import pytest
import sympy
from facts import (
    EXAMPLE,
    MEASURES,
    Checkers,
    M,
    closed_floor,
    exact,
    floor_average,
    has_floor,
    mean,
    named,
    printed,
    readings,
    same,
    vectors,
)
from loops import for_each

import indicatrix as ix

checks = Checkers("cx", "cat", "dec", "floor", "undef", "id")


@pytest.mark.one_fast_case
@for_each("fact", checks.facts.values(), ids=checks.facts)
def test_fact(fact):
    checks.run(fact)


# cx: the numerical witness of ex:counterexample.

VECTORS = vectors(EXAMPLE.aggregate("class"))
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
    assert (place(measure) == "inside") is ix.properties(measure).decomposable


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
    """Return the micro counts of n examples of m classes, the first ``right`` of them predicted rightly."""
    y = np.arange(n) % m
    return tuple(ix.evaluate(y, (y + (np.arange(n) >= right)) % m, classes=range(m)).aggregate())


@checks(r"floor\.(?P<measure>.+)\.closed", r"cat\.worst\.(?P<measure>.+)")
def closed_form(fact, measure):
    assert has_floor(measure, fact["computed"])
    assert fact["paper"] is None or has_floor(measure, fact["paper"]) is fact["agrees"]
    size = {} if ix.properties(measure).scale_free else {"n": 7}
    for m in (3, 5, 10):
        assert ix.theory.floor(measure, m, average=floor_average(measure), **size) == exact(measure, pooled(m, 7))


@checks(r"floor\.(?P<measure>.+)\.m(?P<m>\d+)")
def value_at_m(fact, measure, m):
    floor = ix.theory.floor(measure, int(m))
    assert floor == exact(measure, pooled(int(m), 7))
    assert same(floor, readings(fact["computed"])[0])
    printed(fact, floor)


@checks(r"floor\.extra\.(?P<measure>.+)")
def values_not_tabulated(fact, measure):
    assert [str(ix.theory.floor(measure, m)) for m in fact["inputs"]["m"]] == fact["computed"]
    assert ix.properties(measure).tn_survives_at_tp0


@checks(r"floor\.(?P<measure>.+)\.inf")
def limit_in_m(fact, measure):
    limit = sympy.limit(closed_floor(measure), M, sympy.oo)
    assert limit == readings(fact["computed"])[0] == readings(fact["paper"])[0]


@checks(r"floor\.(?P<measure>.+)\.is_extreme")
def extreme_of_all_predictions(fact, measure):
    worst = {"floor": min, "ceiling": max}[ix.theory.floor(measure, 3).orientation]  # errata B15: a loss has a ceiling
    assert worst.__name__ in fact["statement"]
    for m in range(3, 12):
        values = [exact(measure, pooled(m, 6, right)) for right in range(7)]
        floor = ix.theory.floor(measure, m)
        assert floor == values[0] == worst(values)
        assert floor.lowest is fact["computed"]


@checks(r"floor\.accuracy_TP_over_n")
def accuracy_reaches_zero(fact):
    y = np.arange(12) % 4
    assert ix.measures.multiclass_accuracy(y, (y + 1) % 4) == ix.measures.exact_match(y, (y + 1) % 4) == fact["computed"]


@checks(r"floor\.macro_not_covered")
def macro_goes_below_the_floor(fact):
    ev = ix.evaluate(fact["inputs"]["y"], fact["inputs"]["yhat"], classes=range(fact["inputs"]["m"]))
    for name, text in fact["computed"].items():
        measure = named({"BA": "balanced accuracy"}.get(name.split("-")[1], name.split("-")[1].split()[0]))
        value, floor = text.split(" < ")
        assert ev.score(measure, "macro") == pytest.approx(float(Fraction(value)), abs=5e-5 if "." in value else 1e-15)
        assert ev.score(measure, "macro") < ev.score(measure, "micro") == ev.score(measure, "exemplar") == Fraction(floor)
        assert ix.theory.floor(measure, 3) == ix.theory.floor(measure, 3, average="exemplar") == Fraction(floor)


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
            assert mean([exact(measure, v) for v in vectors(per_class)]) == lowest
            assert ix.theory.floor(measure, m, average="macro", sizes=sizes) == lowest


def reads_tn(measure):
    """Return whether the value at tp = 0 depends on tn; where it is undefined for every tn, it does not."""
    return ix.properties(measure).tn_survives_at_tp0


@checks(r"cat\.tndep\.(?P<measure>.+)")
def dependence_on_tn(fact, measure):
    assert reads_tn(measure) is fact["computed"]
    values = re.search(r"\{.*\}", fact["note"])
    for m, value in json.loads(values[0]).items() if values else ():
        assert math.isclose(exact(measure, pooled(int(m), 7)), value, rel_tol=1e-15)


@checks(r"cat\.readoff")
def safety_is_not_read_off_b4(fact):
    for measure in ix.theory.select(decomposable=True):
        a, b = ix.properties(measure).a, ix.properties(measure).b
        assert reads_tn(measure) is (a[3] * b[1] != b[3] * a[1] or a[3] * b[2] != b[3] * a[2]), measure
    assert ix.properties("russell_rao").b[3] != 0
    assert not reads_tn(ix.measures.russell_rao)
    assert not reads_tn(ix.g_mean)
    assert exact(ix.g_mean, (1, 1, 1, 1)) != exact(ix.g_mean, (1, 1, 1, 2))
    assert fact["agrees"] is False


# dec: which measures are ratios of two linear forms (def:decomposable).


def proportional(a, b):
    """Return whether one vector is a non-zero multiple of the other."""
    return any(b) and all(x * v == y * u for (x, y), (u, v) in combinations(list(zip(a, b, strict=True)), 2))


@checks(r"dec\.(T2|P1|cat)\.(?P<measure>.+)")
def decomposability(fact, measure):
    found = ix.properties(measure)
    assert found.decomposable is fact["computed"]
    assert fact["paper"] in (None, fact["computed"])
    if found.decomposable:
        coefficients = [Fraction(x) for x in re.findall(r"'(.+?)'", fact["note"])]
        assert proportional((*found.a, *found.b), coefficients)
    else:
        assert found.a is found.b is None
        assert found.evidence["decomposable"].witness


def degrees(measure):
    """Return the degrees of numerator and denominator in lowest terms; None if not rational."""
    cells = sympy.symbols("tp fp fn tn", positive=True)
    formula = sympy.sympify(measure(ix.Counts(*cells)))
    if not formula.is_rational_function(*cells):
        return None
    return tuple(sympy.Poly(part, *cells).homogeneous_order() for part in sympy.fraction(sympy.cancel(formula)))


@checks(r"dec\.symbolic")
def degrees_in_lowest_terms(fact):
    rational = {name: found for name, measure in MEASURES.items() if (found := degrees(measure)) is not None}
    for name, found in rational.items():
        assert (found == (1, 1)) is ix.properties(MEASURES[name]).decomposable, name


@checks(r"dec\.overclaim")
def ratios_and_mixtures_that_are_linear(fact):
    for formula, plain in {
        "(tp / tpos) / (tp / ppos)": ix.measures.frequency_bias,
        "(tp / ppos) / (1 - tp / ppos)": ix.measures.sebag_schoenauer,
        "tpos / n * (tp / tpos) + (1 - tpos / n) * (tn / tneg)": ix.accuracy,
    }.items():
        found, known = ix.properties(ix.measure(formula)), ix.properties(plain)
        assert found.decomposable
        assert proportional((*found.a, *found.b), (*known.a, *known.b))
    assert fact["agrees"] is False


@checks(r"dec\.criterion")
def spurious_solution(fact):
    a, b = fact["inputs"]["a"], fact["inputs"]["b"]
    for v in GRID:
        assert exact(ix.subset_accuracy, v) * np.dot(b, v) == np.dot(a, v)
    assert ix.properties("subset_accuracy").decomposable is False


# cat: facts about the rows of the catalogue.

GRID = [v for v in product((0, 1, 2, 5), repeat=4) if v[0] + v[2] and v[1] + v[3]]  # recall and specificity are defined


def alike(a, b):
    """Return whether two values are equal: exactly if both are exact, nan being equal to nan."""
    exactly = isinstance(a, Fraction) and isinstance(b, Fraction)
    return a == b or (a != a and b != b) or (not exactly and math.isclose(a, b, rel_tol=1e-13))


def skew_invariant(measure):
    """Return whether the formula is; the paper judges all of them so, also one that has a meaning only in single examples."""
    found = named(measure) if isinstance(measure, str) else measure
    return ix.properties(replace(found, averages=())).skew_invariant


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
    assert all(map(skew_invariant, (ix.measures.lr_plus, ix.measures.lr_minus, ix.measures.dor, ix.measures.odds_ratio)))


IDENTITIES = {
    "WRA_is_Novelty": (ix.measures.klosgen.at(omega=1), lambda v: v(ix.measures.novelty)),
    "DOR_is_OR": (ix.measures.dor, lambda v: v(ix.measure("(tp / fp) / (fn / tn)"))),
    "PS": (ix.measures.piatetsky_shapiro, lambda v: v.n * v(ix.measures.novelty)),
    "chi2": (ix.measures.chi_squared, lambda v: v.n * v(ix.mcc) ** 2),
    "phi": (ix.measures.phi, lambda v: v(ix.mcc)),
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
        assert exact(ix.measures.conviction, (tp, 0, fn, tn)) == math.inf


@checks(r"cat\.nov_zero_indep")
def nothing_under_independence(fact):
    rules = (ix.measures.relative_accuracy, ix.measures.klosgen.at(omega=1), ix.measures.novelty, ix.measures.piatetsky_shapiro)
    assert [str(exact(measure, fact["inputs"]["counts"])) for measure in rules] == fact["computed"]


# id: identities of one-hot problems (thm:micro_collapse, prop:hamming_accuracy, eq:exemplar_acc).


@cache
def one_hot_problems(size=200):
    """Return random multiclass evaluations, m, and how many examples are right; classes may be absent."""
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
    rows = vectors(example)
    classes = vectors(ev.aggregate("class"))
    times = example.times.tolist()
    exemplar = sum(t * exact(measure, v) for t, v in zip(times, rows, strict=True)) / sum(times)
    return micro(ev, measure), mean([exact(measure, v) for v in classes]), exemplar


ONE_HOT = {  # what each fact says of an evaluation, the number of its classes, and its accuracy
    "jaccard": lambda ev, m, acc: {micro(ev, ix.jaccard), acc / (2 - acc)},
    "exemplar_acc": lambda ev, m, acc: {averages(ev, ix.accuracy)[2], Fraction(m - 2, m) + Fraction(2, m) * acc},
    "hamming": lambda ev, m, acc: {
        micro(ev, ix.measures.hamming_loss),
        1 - micro(ev, ix.measures.label_accuracy),
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
        chance_corrected = {micro(ev, x) for x in (ix.mcc, ix.cohen_kappa, ix.informedness, ix.measures.markedness)}
        assert chance_corrected == {(m * acc - 1) / (m - 1)}
        assert {micro(ev, x) for x in (ix.specificity, ix.measures.npv)} == {1 - (1 - acc) / (m - 1)}


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
    """Return the evaluation of m labels; the last u never occur, so their recall is undefined."""
    rng = np.random.default_rng(seed)
    Y, Yhat = rng.random((2, 5 * m, m)) < 0.4
    Y[:, m - u :] = False
    Y[0, : m - u] = True
    return ix.evaluate(Y, Yhat)


def conventions(ev):
    """Return exact macro recall under zero, one and exclusion, checked against the library's scores."""
    counts = ev.aggregate("class")
    values = [exact(ix.recall, v) for v in vectors(counts)]
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
