"""Laws over the registry of functions of the confusion matrix, against exact arithmetic and on tables of any size."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix
from indicatrix.catalogue.listing import references
from indicatrix.catalogue.matrix import MATRIX_MEASURES, resolve

EVERY = [*ix.catalogue(of="matrix")]
VARIANTS = [
    *EVERY,
    *(m.at(weights=by) for m in EVERY if "weights" in m.params for by in ("linear", "quadratic")),
    *(ix.krippendorff_alpha.at(level=level) for level in ("ordinal", "interval", "ratio")),
    *(ix.normalised_mutual_information.at(mean=mean) for mean in ("geometric", "min", "max")),
]
BY_ORDER = [
    m for m in VARIANTS if m.ordered or isinstance(m.params.get("weights"), str) or m.params.get("level", "nominal") != "nominal"
]
UNORDERED = [m for m in VARIANTS if m not in BY_ORDER]
# Values of independent tables; measures that describe the classes, or compare with another chance, have no fixed one.
ZERO_AT_INDEPENDENCE = [
    m.name
    for m in EVERY
    if m.group in ("matrix association", "matrix order")
    or m.name in ("multiclass_mcc", "multiclass_informedness", "multiclass_kappa", "aickin_alpha", "mutual_information")
    or m.name.startswith(("theil_u", "normalised"))
]
OF_CLASSES = ["no_information_rate", "no_information_p_value", "chi_squared_degrees", "chi_squared_p_value"]
ZERO_AT_INDEPENDENCE = [name for name in ZERO_AT_INDEPENDENCE if name not in OF_CLASSES]
each = pytest.mark.parametrize("measure", VARIANTS, ids=str)
variants = st.sampled_from(VARIANTS)


@st.composite
def tables(draw, least=1, most=4, high=12):
    m = draw(st.integers(least, most))
    return np.array(draw(st.lists(st.lists(st.integers(0, high), min_size=m, max_size=m), min_size=m, max_size=m)), int)


def exact(table) -> np.ndarray:
    return np.frompyfunc(Fraction, 1, 1)(table).astype(object)


def value(measure, table) -> float:
    return float(measure.of(np.asarray(table).astype(object)))


def same(a, b) -> None:
    assert math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-11) or (a != a and b != b), (a, b)


@given(tables(), variants)
def test_integers_fractions_and_floats_give_one_value(table, measure):
    want = measure.of(exact(table))
    same(value(measure, table), want)
    same(measure.of(table.astype(float)), want)
    logs = measure.group == "matrix information" or measure.name.endswith(("p_value", "aickin_alpha"))
    roots = {"multiclass_mcc", "cramer_v", "tschuprow_t", "multiclass_contingency_coefficient", "multiclass_kendall_tau_b"}
    if not logs and measure.name not in roots | {"fowlkes_mallows_of_pairs"} and want == want:
        assert isinstance(want, int | Fraction) or math.isinf(want)


@given(tables(high=9), variants)
def test_values_lie_in_the_declared_range(table, measure):
    found = value(measure, table)
    low, high = measure.range
    assert found != found or low - 1e-12 <= found <= high + 1e-12


@given(tables(), st.sampled_from([m for m in VARIANTS if m.symmetric]))
def test_symmetric_ones_stay_if_truth_and_prediction_are_exchanged(table, measure):
    same(value(measure, table), value(measure, table.T))


@pytest.mark.parametrize("measure", [m for m in VARIANTS if not m.symmetric], ids=str)
def test_the_others_do_not(measure):
    tables = [[[5, 4, 0], [0, 1, 1], [1, 2, 7]], [[0, 6, 1], [0, 2, 3], [0, 4, 1]]]
    assert any(not math.isclose(value(measure, t), value(measure, np.transpose(t)), rel_tol=1e-9) for t in tables)


@given(tables(least=2), st.sampled_from(UNORDERED), st.randoms())
def test_the_order_of_the_classes_does_not_matter_to_unordered_ones(table, measure, random):
    order = random.sample(range(len(table)), len(table))
    same(value(measure, table), value(measure, table[np.ix_(order, order)]))


@pytest.mark.parametrize("measure", BY_ORDER, ids=str)
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


@given(st.lists(st.integers(1, 30), min_size=2, max_size=4), variants)
def test_a_perfect_table_has_the_best_value(sizes, measure):
    found = value(measure, np.diag(sizes))
    if measure.better == "lower":
        same(found, 0)
    elif measure.range[1] == 1 and measure.name not in OF_CLASSES:
        if measure.name == "multiclass_contingency_coefficient":
            same(found, math.sqrt(1 - 1 / len(sizes)))
        elif measure.name != "stuart_tau_c" or len({*sizes}) == 1:  # its most is reached by equally large classes
            same(found, 1)


@given(st.sampled_from(ZERO_AT_INDEPENDENCE), st.lists(st.integers(1, 9), min_size=2, max_size=4), st.data())
def test_an_independent_table_has_zero(name, true, data):
    pred = data.draw(st.lists(st.integers(1, 9), min_size=len(true), max_size=len(true)))
    found = value(MATRIX_MEASURES[name], np.multiply.outer(true, pred))
    assert found == 0 or abs(found) < 1e-12


# Those that the matrix only has in common with them, and multiclass_accuracy, which counts examples and not entries, apart.
COUNTERPARTS = [m for m in EVERY if m.name.removeprefix("multiclass_") in ix.MEASURES and m.name != "multiclass_accuracy"]


@given(st.sampled_from(COUNTERPARTS), st.lists(st.integers(1, 20), min_size=4, max_size=4))
def test_for_two_classes_they_are_the_measure_of_counts_of_that_name(measure, four):
    tp, fp, fn, tn = four
    of_counts = ix.MEASURES[measure.name.removeprefix("multiclass_")]
    same(value(measure, [[tn, fp], [fn, tp]]), of_counts(ix.Counts(tp, fp, fn, tn)))


CHANGES_WITH_EMPTY_CLASSES = {
    "bennett_s",
    "multiclass_gwet_ac1",
    "examples_per_class",
    "confusion_entropy",
    "modified_confusion_entropy",
}


@given(tables(least=2), variants)
def test_a_class_that_never_occurs_matters_only_to_those_that_count_classes(table, measure):
    more = np.pad(table, (0, 1))
    if measure.name not in CHANGES_WITH_EMPTY_CLASSES and table.any():
        same(value(measure, table), value(measure, more))


@each
def test_counts_of_a_billion_do_not_overflow(measure):
    small = np.array([[50, 3, 2], [4, 40, 1], [0, 5, 60]])
    big = small * 10**9
    found = measure(ix.from_confusion(big, classes=[1, 2, 3]))
    assert math.isfinite(found)
    extensive = ("multiclass_chi_squared", "examples_per_class")
    if measure.name in extensive:
        same(found, value(measure, small) * 10**9)
    elif not measure.name.endswith("p_value") and measure.group != "matrix pairs" and measure.name != "krippendorff_alpha":
        same(found, value(measure, small))


@each
def test_merged_evaluations_and_an_interval(measure):
    true, pred = np.array([1, 1, 2, 2, 3, 3, 3, 1, 2, 3] * 6), np.array([1, 2, 2, 2, 3, 1, 3, 1, 3, 3] * 6)
    whole = ix.evaluate(true, pred, classes=[1, 2, 3])
    parts = ix.evaluate(true[:25], pred[:25], classes=[1, 2, 3]) + ix.evaluate(true[25:], pred[25:], classes=[1, 2, 3])
    assert parts.score(measure) == whole.score(measure) == whole.score(str(measure))
    found = whole.interval(measure, draws=60, seed=0)
    assert found.low <= found.high
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
def test_facts_are_complete_and_text_is_read_back(measure):
    assert measure.doc.endswith(".")
    assert measure.source in references()
    assert measure.better in ("higher", "lower", "neither")
    assert resolve(str(measure)) == measure
    assert ix.explain(str(measure)).name == str(measure)
    assert hash(resolve(str(measure))) == hash(measure)
    assert pickle.loads(pickle.dumps(measure)) == measure
    for alias in measure.aliases:
        assert getattr(ix, alias) == EVERY[[m.name for m in EVERY].index(measure.name)]
        assert alias not in ix.MEASURES


def test_names_belong_to_one_measure_and_are_public():
    names = [name for m in EVERY for name in (m.name, *m.aliases)]
    assert len(names) == len({*names}) == len(MATRIX_MEASURES)
    for m in EVERY:
        assert getattr(ix, m.name) is m


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ix.multiclass_kappa.at(weight=1), r"multiclass_kappa has no weight\. It takes weights\."),
        (lambda: ix.bangdiwala_b.at(weights="linear"), r"bangdiwala_b has no weights\.$"),
        (lambda: resolve("multiclass_kappa('linear')"), r"Write the parameters by name: multiclass_kappa\(weights='linear'\)"),
        (lambda: resolve("multiclass_kappa(weights=tp)"), r"cannot be read"),
        (lambda: resolve("multiclass_kappa(weights="), r"cannot be read"),
        (lambda: ix.krippendorff_alpha([1, 2], [1, 2], level="rank"), r"level='rank' is unknown\. Use 'nominal', 'ordinal'"),
        (lambda: ix.krippendorff_alpha([-1, 2], [2, 2], level="ratio"), r"needs classes that are not negative"),
        (lambda: ix.normalised_mutual_information([1, 2], [1, 2], mean="harmonic"), r"mean='harmonic' is unknown"),
        (lambda: ix.catalogue(of="cells"), r"of='cells' is not a kind of measure\. Use 'counts' or 'matrix'"),
        (lambda: ix.pair_counts([1, 2]), r"not an array of 1 dimensions"),
    ],
)
def test_mistakes_are_explained(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_numbers_of_the_classes_are_the_distances_of_interval_and_ratio():
    true, pred = [1, 1, 2, 2, 10, 10], [1, 2, 2, 10, 10, 10]
    ranks = ix.krippendorff_alpha([0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 2], level="interval")
    assert ix.krippendorff_alpha(true, pred, level="interval") != ranks
    shifted = ix.krippendorff_alpha([x * 3 + 5 for x in true], [x * 3 + 5 for x in pred], level="interval")
    same(shifted, ix.krippendorff_alpha(true, pred, level="interval"))
    same(
        ix.krippendorff_alpha([x * 3 for x in true], [x * 3 for x in pred], level="ratio"),
        ix.krippendorff_alpha(true, pred, level="ratio"),
    )


@given(tables(least=2))
def test_pairs_of_examples_are_counted_one_by_one(table):
    true = np.repeat(np.arange(table.size) // len(table), table.ravel())[:40]
    pred = np.repeat(np.arange(table.size) % len(table), table.ravel())[:40]
    one, other = np.triu_indices(len(true), 1)
    together, put = true[one] == true[other], pred[one] == pred[other]
    counted = ix.pair_counts(ix.evaluate(true, pred, classes=range(len(table))))
    want = [(together & put).sum(), (~together & put).sum(), (together & ~put).sum(), (~together & ~put).sum()]
    assert [counted.tp, counted.fp, counted.fn, counted.tn] == want


def test_scales_are_ordered_and_name_measures():
    for scale in ix.SCALES.values():
        assert [*scale.bounds] == sorted(scale.bounds)
        assert len(scale.words) == len(scale.bounds) + 1
        assert all(name in ix.MEASURES or name in MATRIX_MEASURES or name in ix.AREAS for name in scale.of)
        assert "a convention" in str(scale)
    assert ix.SCALES["landis_koch"](ix.multiclass_kappa([0, 1, 1], [0, 1, 1])) == "almost perfect"
    assert ix.SCALES["altman"](math.nan) == "undefined"
    assert [ix.SCALES["cicchetti"](x) for x in (0.39, 0.4, 0.59, 0.74)] == ["poor", "fair", "good", "excellent"]
