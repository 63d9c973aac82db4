"""Laws over the registry of functions of the confusion matrix, against exact arithmetic and on tables of any size."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each
from mpmath import mp

import indicatrix as ix
from fuzz.table_definitions import AT_PERFECTION, DEFINITIONS, Joint
from indicatrix.algebra.measure_names import resolve
from indicatrix.catalogue.listing import references
from indicatrix.catalogue.matrices import MATRIX_MEASURES
from indicatrix.catalogue.matrices.agreement import WEIGHTS

EVERY = [*ix.catalogue(of="matrix")]
VARIANTS = [
    *EVERY,
    *(m.at(weights=by) for m in EVERY if "weights" in m.params for by in WEIGHTS),
    *(ix.measures.krippendorff_alpha.at(level=level) for level in ("ordinal", "interval", "ratio")),
    *(ix.measures.normalized_mutual_information.at(mean=mean) for mean in ("geometric", "min", "max")),
]
BY_ORDER = [
    m
    for m in VARIANTS
    if m.facts.ordered or isinstance(m.params.get("weights"), str) or m.params.get("level", "nominal") != "nominal"
]
UNORDERED = [m for m in VARIANTS if m not in BY_ORDER]


def entropy(p) -> float:
    return -sum(x * math.log2(x) for x in p)


def counts_classes(measure) -> bool:
    """Return whether a class that never occurs changes a function, by its definition."""
    few, more = ([[3, 1, *none], [2, 5, *none], *([[0] * 3] * len(none))] for none in ((), (0,)))
    values = (float(DEFINITIONS[measure.name](Joint(table), **measure.params)) for table in (few, more))
    return not math.isclose(*values, rel_tol=1e-9, abs_tol=1e-12)


# What the definitions imply for tables of which the value is known: where prediction and truth are independent, from the shares
# of both sides, and where all predictions are right. It is not known of every function.
AT_INDEPENDENCE: dict[str, Any] = {
    "multiclass_accuracy": lambda p, q: p @ q,
    "no_information_rate": lambda p, q: max(p),
    "kappa_no_prevalence": lambda p, q: 2 * p @ q - 1,
    "multiclass_scott_pi": lambda p, q: 1 - (1 - p @ q) / (1 - ((p + q) / 2) @ ((p + q) / 2)),
    "bennett_s": lambda p, q: 1 - (1 - p @ q) / (1 - 1 / len(p)),
    "bangdiwala_b": lambda p, q: (p * q) @ (p * q) / (p @ q),
    "chi_squared_degrees": lambda p, q: (len(p) - 1) ** 2,
    "chi_squared_p_value": lambda p, q: 1,
    "entropy_true": lambda p, q: entropy(p),
    "entropy_predicted": lambda p, q: entropy(q),
    "joint_entropy": lambda p, q: entropy(p) + entropy(q),
    "conditional_entropy_true": lambda p, q: entropy(p),
    "conditional_entropy_predicted": lambda p, q: entropy(q),
    "cross_entropy_of_classes": lambda p, q: -(p @ np.log2(q)),
    "kl_divergence_of_classes": lambda p, q: p @ np.log2(p / q),
    "variation_of_information": lambda p, q: entropy(p) + entropy(q),
}
AT_INDEPENDENCE |= dict.fromkeys(
    (
        *("multiclass_mcc", "multiclass_informedness", "multiclass_kappa", "aickin_alpha", "phi_squared"),
        *("multiclass_chi_squared", "cramer_v", "tschuprow_t", "multiclass_contingency_coefficient"),
        *("goodman_kruskal_lambda_true", "goodman_kruskal_lambda_predicted", "multiclass_goodman_kruskal_lambda"),
        *("goodman_kruskal_tau_true", "goodman_kruskal_tau_predicted", "goodman_kruskal_gamma"),
        *("multiclass_kendall_tau_b", "stuart_tau_c", "somers_d_predicted", "somers_d_true", "somers_d"),
        *("mutual_information", "normalized_mutual_information", "theil_u_true", "theil_u_predicted"),
    ),
    lambda p, q: 0,
)
COUNT_CLASSES = {m.name for m in EVERY if counts_classes(m)}
OF_CLASSES = {"no_information_rate", "no_information_p_value", "chi_squared_degrees", "chi_squared_p_value"}
TARGETS = ix.evaluate({"u": [1, 2], "v": [1, 2]}, {"u": [1, 2], "v": [1, 1]}, targets=True)
each = for_each("measure", VARIANTS)
variants = st.sampled_from(VARIANTS)


@st.composite
def tables(draw, least=1, most=4, high=12):
    m = draw(st.integers(least, most))
    return np.array(draw(st.lists(st.lists(st.integers(0, high), min_size=m, max_size=m), min_size=m, max_size=m)), int)


def exact(table) -> np.ndarray:
    return np.frompyfunc(Fraction, 1, 1)(table).astype(object)


def value(measure, table) -> float:
    return float(measure(np.asarray(table).astype(object)))


def same(a, b) -> None:
    assert math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-11) or (a != a and b != b), (a, b)


@given(tables(), variants)
def test_integers_fractions_and_floats_give_one_value(table, measure):
    want = measure(exact(table))
    same(value(measure, table), want)
    same(measure(table.astype(float)), want)
    if isinstance(DEFINITIONS[measure.name](Joint(table), **measure.params), int | Fraction) and want == want:
        assert isinstance(want, int | Fraction) or math.isinf(want) or measure.name.endswith("p_value")


@given(tables(high=9), variants)
def test_values_lie_in_the_declared_range(table, measure):
    found = value(measure, table)
    low, high = measure.range
    assert found != found or low - 1e-12 <= found <= high + 1e-12


@given(tables(), st.sampled_from([m for m in VARIANTS if m.facts.symmetric]))
def test_symmetric_ones_stay_if_truth_and_prediction_are_exchanged(table, measure):
    same(value(measure, table), value(measure, table.T))


@for_each("measure", [m for m in VARIANTS if not m.facts.symmetric])
def test_the_others_do_not(measure):
    tables = [[[5, 4, 0], [0, 1, 1], [1, 2, 7]], [[0, 6, 1], [0, 2, 3], [0, 4, 1]]]
    assert any(not math.isclose(value(measure, t), value(measure, np.transpose(t)), rel_tol=1e-9) for t in tables)


@given(tables(least=2), st.sampled_from(UNORDERED), st.randoms())
def test_the_order_of_the_classes_does_not_matter_to_unordered_ones(table, measure, random):
    order = random.sample(range(len(table)), len(table))
    same(value(measure, table), value(measure, table[np.ix_(order, order)]))


@for_each("measure", BY_ORDER)
def test_ordered_ones_refuse_classes_without_an_order_and_read_it_where_it_is(measure):
    true, pred = list("aabbccc"), list("abbbcca")
    if measure.params.get("level") in ("interval", "ratio"):
        with pytest.raises(ValueError, match="reads the classes as numbers, and 'a' is not a number"):
            measure(true, pred)
        return
    with pytest.raises(ValueError, match="in which order the classes are"):
        measure(true, pred)
    straight, other = measure(true, pred, classes=list("abc")), measure(true, pred, classes=list("bac"))
    assert straight != other
    same(straight, measure(true, pred, classes=list("cba")))  # the order read backwards is the same order


MANY = 10_000
FIXED = [  # one class, one row, empty rows and columns, ties, a table that is its own transpose, and large counts
    *([[3]], [[0, 0], [0, 0]], [[5, 2], [0, 0]], [[0, 4], [0, 3]], [[2, 1, 0], [1, 2, 1], [0, 1, 2]]),
    *([[9, 1, 0], [2, 7, 4], [0, 3, 5]], [[0, 5, 1], [4, 0, 2], [3, 6, 0]], [[10**6, 3], [999, 10**5]]),
]


def check_definition(measure, table) -> None:
    with mp.workdps(40):
        want = float(DEFINITIONS[measure.name](Joint(table), **measure.params))
    assert math.isclose(value(measure, table), want, rel_tol=1e-9, abs_tol=1e-9) or (
        want != want and value(measure, table) != want
    )


@given(tables(), variants)
def test_every_function_is_its_definition(table, measure):
    check_definition(measure, table)


@each
def test_exactness_range_transposition_and_permutation_of_every_function(measure):
    for given_table in map(np.array, FIXED):
        found, turned = value(measure, given_table), value(measure, given_table.T)
        if given_table.sum() < MANY or not measure.name.endswith(("p_value", "aickin_alpha")):  # they take many steps
            check_definition(measure, given_table)
        same(found, measure(exact(given_table)))
        assert found != found or measure.range[0] - 1e-12 <= found <= measure.range[1] + 1e-12
        if measure.facts.symmetric:
            same(found, turned)
        if measure.params.get("level") != "ratio":  # the order read backwards is the same order, but ratios are not
            same(value(measure, given_table[::-1, ::-1]), found)
        if measure not in BY_ORDER:
            order = np.roll(np.arange(len(given_table)), 1)
            same(value(measure, given_table[np.ix_(order, order)]), found)


@each
def test_a_table_without_examples_has_no_value(measure):
    found = value(measure, np.zeros((3, 3), int))
    assert found != found or (measure.name in ("examples_per_class", "chi_squared_degrees") and found == 0)


def perfect_value(measure, sizes) -> float | None:
    if measure.name in AT_PERFECTION:
        return AT_PERFECTION[measure.name](sizes)
    if measure.better == "lower":
        return 0
    return 1 if measure.range[1] == 1 and measure.name not in OF_CLASSES else None


@each
def test_every_function_of_a_perfect_table(measure):
    for sizes in map(np.array, ([3, 4, 5], [6, 6], [1, 30, 2, 9])):
        want = perfect_value(measure, sizes)
        if want is not None:
            same(value(measure, np.diag(sizes)), want)


@given(st.lists(st.integers(1, 30), min_size=2, max_size=4), variants)
def test_a_perfect_table_has_the_best_value(sizes, measure):
    if (want := perfect_value(measure, np.array(sizes))) is not None:
        same(value(measure, np.diag(sizes)), want)


def check_independence(measure, true, pred) -> None:
    true, pred = np.array(true), np.array(pred)
    found = value(measure, np.multiply.outer(true, pred))
    if not isinstance(measure.params.get("weights"), str):
        same(found, AT_INDEPENDENCE[measure.name](true / true.sum(), pred / pred.sum()))


@for_each("measure", [m for m in VARIANTS if m.name in AT_INDEPENDENCE])
def test_every_function_of_an_independent_table(measure):
    for true, pred in (([1, 2, 3], [3, 1, 2]), ([2, 2], [1, 5]), ([4, 1, 1, 7], [4, 1, 1, 7])):
        check_independence(measure, true, pred)


@given(
    st.sampled_from([m for m in VARIANTS if m.name in AT_INDEPENDENCE]),
    st.lists(st.integers(1, 9), min_size=2, max_size=4),
    st.data(),
)
def test_an_independent_table_has_its_value(measure, true, data):
    check_independence(measure, true, data.draw(st.lists(st.integers(1, 9), min_size=len(true), max_size=len(true))))


# Those that the matrix only has in common with them, and multiclass_accuracy, which counts examples and not entries, apart.
COUNTERPARTS = [m for m in EVERY if m.name.removeprefix("multiclass_") in ix.algebra.MEASURES and m.name != "multiclass_accuracy"]


@given(st.sampled_from(COUNTERPARTS), st.lists(st.integers(1, 20), min_size=4, max_size=4))
def test_for_two_classes_they_are_the_measure_of_counts_of_that_name(measure, four):
    tp, fp, fn, tn = four
    of_counts = ix.algebra.MEASURES[measure.name.removeprefix("multiclass_")]
    same(value(measure, [[tn, fp], [fn, tp]]), of_counts(ix.Counts(tp, fp, fn, tn)))


@given(tables(least=2), variants)
def test_a_class_that_never_occurs_matters_only_to_those_that_count_classes(table, measure):
    more = np.pad(table, (0, 1))
    if table.any() and measure.name not in COUNT_CLASSES:
        same(value(measure, table), value(measure, more))
    check_definition(measure, more)


@each
def test_counts_of_a_billion_do_not_overflow(measure):
    small = np.array([[50, 3, 2], [4, 40, 1], [0, 5, 60]])
    big = small * 10**9
    found = measure(ix.from_confusion(big, classes=[1, 2, 3]))
    assert math.isfinite(found)
    if not measure.name.endswith("p_value"):
        check_definition(measure, big)


@each
def test_merged_evaluations_and_an_interval(measure):
    true, pred = np.array([1, 1, 2, 2, 3, 3, 3, 1, 2, 3] * 6), np.array([1, 2, 2, 2, 3, 1, 3, 1, 3, 3] * 6)
    whole = ix.evaluate(true, pred, classes=[1, 2, 3])
    parts = ix.evaluate(true[:25], pred[:25], classes=[1, 2, 3]) + ix.evaluate(true[25:], pred[25:], classes=[1, 2, 3])
    assert parts.score(measure) == whole.score(measure) == whole.score(str(measure))
    if measure.facts.without_interval:
        with pytest.raises(ValueError, match="has no true value in the population"):
            whole.interval(measure)
        return
    found = whole.interval(measure)
    assert found.method in ("score", "rates")
    assert found.low <= found.value <= found.high
    assert found.low < found.high
    assert found.value == whole.score(measure)


@pytest.mark.parametrize(
    "name", ["bennett_s", "cramer_v", "somers_d", "mutual_information", "krippendorff_alpha(level='ordinal')"]
)
@pytest.mark.one_fast_case
def test_two_classifiers_are_compared(name):
    true, pred = np.array([1, 1, 2, 2, 3, 3, 3, 1, 2, 3] * 6), np.array([1, 2, 2, 2, 3, 1, 3, 1, 3, 3] * 6)
    other = np.where(np.arange(60) % 7 == 0, 1, pred)
    (found,) = ix.compare(true, {"a": pred, "b": other}, name, classes=[1, 2, 3]).differences
    values = [float(ix.evaluate(true, p, classes=[1, 2, 3]).score(name)) for p in (pred, other)]
    same(abs(found.value), abs(values[0] - values[1]))
    assert found.low < found.high


@each
def test_groups_have_a_value_each(measure):
    rng = np.random.default_rng(4)
    y, z, site = rng.integers(0, 3, 60), rng.integers(0, 3, 60), rng.integers(0, 2, 60)
    ev = ix.evaluate(y, z, by={"site": site}, classes=[0, 1, 2])
    found = ev.values(measure, per="site")
    assert found.names == (0, 1)
    for at in found.names:
        alone = ix.evaluate(y[site == at], z[site == at], classes=[0, 1, 2]).score(measure)
        np.testing.assert_equal(float(found[at]), float(alone))


@each
def test_facts_are_complete_and_text_is_read_back(measure):
    assert measure.doc.endswith(".")
    assert measure.source in references()
    assert measure.better in ("higher", "lower", "neither")
    assert resolve(str(measure)) == measure
    assert ix.explain(str(measure)).name == str(measure)
    assert hash(resolve(str(measure))) == hash(measure)
    assert pickle.loads(pickle.dumps(measure)) == measure
    for alias in measure.aliases:
        assert getattr(ix.measures, alias) == EVERY[[m.name for m in EVERY].index(measure.name)]
        assert alias not in ix.algebra.MEASURES


def test_names_belong_to_one_measure_and_are_public():
    names = [name for m in EVERY for name in (m.name, *m.aliases)]
    assert len(names) == len({*names}) == len(MATRIX_MEASURES)
    for m in EVERY:
        assert getattr(ix.measures, m.name) is m


@for_each(
    ("call", "message"),
    [
        (lambda: ix.multiclass_kappa.at(weight=1), r"multiclass_kappa has no parameter 'weight'\. It takes weights\."),
        (
            lambda: ix.measures.bangdiwala_b.at(weights="linear"),
            r"bangdiwala_b has no parameter 'weights'\. It takes no parameters\.$",
        ),
        (lambda: resolve("multiclass_kappa('linear')"), r"Write the parameters by name: multiclass_kappa\(weights='linear'\)"),
        (lambda: resolve("multiclass_kappa(weights=tp)"), r"cannot be read"),
        (lambda: resolve("krippendorff_alpha('ratio')"), r"by name: krippendorff_alpha\(level='ordinal'\)"),
        (lambda: resolve("cramer_v(3)"), r"cramer_v has no parameters"),
        (lambda: TARGETS.values("multiclass_kappa", per="target"), r"several targets are counted together; evaluate each"),
        (lambda: ix.properties("nmi"), r"^nmi is a function of the whole confusion matrix, not of four counts"),
        (
            lambda: ix.measures.nmi(ix.Counts(1, 2, 3, 4)),
            r"takes a confusion matrix, an evaluation, such as ix\.from_confusion\(table\), or y_true",
        ),
        (lambda: ix.evaluate([1, 2], [1, 2]).score("fleiss_kappa"), r"Use ix\.agreement\(ratings\)\.score\('fleiss_kappa'\)"),
        (lambda: resolve("multiclass_kappa(weights="), r"cannot be read"),
        (
            lambda: ix.measures.krippendorff_alpha([1, 2], [1, 2], level="rank"),
            r"level='rank' is unknown\. Use 'nominal', 'ordinal'",
        ),
        (lambda: ix.measures.krippendorff_alpha([-1, 2], [2, 2], level="ratio"), r"needs classes that are not negative"),
        (lambda: ix.measures.normalized_mutual_information([1, 2], [1, 2], mean="harmonic"), r"mean='harmonic' is unknown"),
        (
            lambda: ix.catalogue(of="cells"),
            r"of='cells' is not a kind of measure\. Use 'counts' or 'labels' or 'sums' or 'matrix' or 'ranking'",
        ),
        (lambda: ix.tasks.pair_counts([1, 2]), r"not an array of 1 dimensions"),
    ],
)
def test_mistakes_are_explained(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_numbers_of_the_classes_are_the_distances_of_interval_and_ratio():
    true, pred = [1, 1, 2, 2, 10, 10], [1, 2, 2, 10, 10, 10]
    ranks = ix.measures.krippendorff_alpha([0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 2], level="interval")
    assert ix.measures.krippendorff_alpha(true, pred, level="interval") != ranks
    shifted = ix.measures.krippendorff_alpha([x * 3 + 5 for x in true], [x * 3 + 5 for x in pred], level="interval")
    same(shifted, ix.measures.krippendorff_alpha(true, pred, level="interval"))
    same(
        ix.measures.krippendorff_alpha([x * 3 for x in true], [x * 3 for x in pred], level="ratio"),
        ix.measures.krippendorff_alpha(true, pred, level="ratio"),
    )


@given(tables(least=2))
def test_pairs_of_examples_are_counted_one_by_one(table):
    true = np.repeat(np.arange(table.size) // len(table), table.ravel())[:40]
    pred = np.repeat(np.arange(table.size) % len(table), table.ravel())[:40]
    one, other = np.triu_indices(len(true), 1)
    together, put = true[one] == true[other], pred[one] == pred[other]
    counted = ix.tasks.pair_counts(ix.evaluate(true, pred, classes=range(len(table))))
    want = [(together & put).sum(), (~together & put).sum(), (together & ~put).sum(), (~together & ~put).sum()]
    assert [counted.tp, counted.fp, counted.fn, counted.tn] == want


def test_scales_are_ordered_and_name_measures():
    for scale in ix.catalogue.SCALES.values():
        assert [*scale.bounds] == sorted(scale.bounds)
        assert len(scale.words) == len(scale.bounds) + 1
        assert all(name in ix.algebra.MEASURES or name in MATRIX_MEASURES or name in ix.scores.AREAS for name in scale.of)
        assert "a convention" in str(scale)
    assert ix.catalogue.SCALES["landis_koch"](ix.multiclass_kappa([0, 1, 1], [0, 1, 1])) == "almost perfect"
    assert ix.catalogue.SCALES["altman"](math.nan) == "undefined"
    assert [ix.catalogue.SCALES["cicchetti"](x) for x in (0.39, 0.4, 0.59, 0.74)] == ["poor", "fair", "good", "excellent"]
