"""Laws of intervals and tests of functions of the whole matrix: registered ones, and those that nobody registered."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.measure_names import resolve
from indicatrix.algebra.numbers.gradient import Traced, _by_small_steps, gradient
from indicatrix.catalogue.matrices import MATRIX_MEASURES
from indicatrix.catalogue.matrix_measures import of_table
from indicatrix.inference.estimators.estimators import OfMatrix
from indicatrix.inference.sampling.samples import Pairs
from indicatrix.inference.sampling.score_function import TableFunction

RNG = np.random.default_rng(3)
TABLE = RNG.integers(1, 30, (4, 4)) + np.diag([20, 40, 30, 50])
VARIANTS = [
    "multiclass_kappa(weights='linear')",
    "multiclass_scott_pi(weights='quadratic')",
    "multiclass_gwet_ac1(weights='ordinal')",
    "krippendorff_alpha(level='ordinal')",
    "krippendorff_alpha(level='interval')",
    "normalized_mutual_information(mean='geometric')",
    "normalized_mutual_information(mean='max')",
]
NAMES = [name for name, m in MATRIX_MEASURES.items() if name == m.name and not m.facts.without_interval] + VARIANTS


def spread_of_recalls(table):
    """A formula with NumPy's own functions."""
    recalls = np.diag(table) / np.sum(table, axis=1)
    return np.sqrt(np.mean((recalls - np.mean(recalls)) ** 2))


def worst_recall(table):
    """A kink."""
    return (table.diagonal() / table.sum(axis=1)).min()


def entropy_by_hand(table):
    """Where a cell is 0, its term is."""
    shares = table / table.sum()
    return -np.where(shares > 0, shares * np.log2(np.where(shares > 0, shares, 1.0)), 0.0).sum() / 8


def expected_share(table):
    """Outer products, matrix products, powers."""
    n = table.sum()
    rows, columns = table.sum(1) / n, table.sum(0) / n
    return float_free(np.outer(rows, columns) @ np.ones(len(table)) @ rows) ** 0.5


def float_free(x):
    """Return what it is given."""
    return x


def untraceable(table):
    """Python floats: nothing is remembered."""
    return float(table[0, 0]) / float(table.sum())


def sorted_recalls(table):
    """A function of NumPy that is not traced."""
    return np.sort(np.asarray(table, float).diagonal())[-1] / np.asarray(table, float).sum()


OWN = [spread_of_recalls, worst_recall, entropy_by_hand, expected_share, untraceable, sorted_recalls]


@for_each("name", NAMES)
def test_slopes_are_those_of_small_steps(name):
    table = TABLE + 0.25
    function = partial(of_table, resolve(name))
    found, steps = gradient(function, table), _by_small_steps(function, table)
    assert found.exact
    assert found.value == pytest.approx(steps.value, rel=1e-12)
    assert found.cells == pytest.approx(steps.cells, rel=1e-5, abs=1e-7 * abs(steps.cells).max())


@pytest.mark.parametrize("function", OWN, ids=lambda f: f.__name__)
def test_slopes_of_formulas_that_nobody_registered(function):
    table = TABLE + 0.25
    found, steps = gradient(function, table), _by_small_steps(function, table)
    assert found.exact == (function not in (untraceable, sorted_recalls))
    assert found.kinks == (function is worst_recall)
    assert found.cells == pytest.approx(steps.cells, rel=1e-5, abs=1e-7 * abs(steps.cells).max())


def test_a_traced_table_is_never_taken_for_plain_numbers():
    for misuse in (float, np.asarray, lambda x: np.array([x[0, 0]]), lambda x: np.linalg.det(x)):
        seen = []

        def formula(table, misuse=misuse, seen=seen):
            seen.append(isinstance(table, Traced))
            return misuse(table[:2, :2]) if misuse is not float else misuse(table[0, 0])

        with pytest.raises(TypeError):
            formula(_traced(TABLE + 0.0))
        assert seen == [True]


def _traced(table):
    caught = []

    def keep(x):
        caught.append(x)
        return x.sum()

    gradient(keep, table)
    return caught[0]


@for_each("name", NAMES)
def test_intervals_do_not_change_with_the_order_of_the_classes(name):
    measure = resolve(name)
    if measure.facts.ordered or "weights=" in name or "level=" in name:
        order = np.arange(4)[::-1]  # which keeps distances
    else:
        order = np.array([2, 0, 3, 1])
    one, other = (ix.from_confusion(t, classes=[1, 2, 3, 4]).interval(measure) for t in (TABLE, TABLE[order][:, order]))
    assert tuple(one) == pytest.approx(tuple(other), rel=1e-7, abs=1e-9)
    if measure.facts.symmetric:
        assert tuple(ix.from_confusion(TABLE.T, classes=[1, 2, 3, 4]).interval(measure)) == pytest.approx(
            tuple(one), rel=0.2, abs=0.02
        )


@pytest.mark.parametrize("method", ["posterior", "percentile"])
def test_draws_do_not_change_with_the_order_of_the_classes(method):
    order = np.array([2, 0, 3, 1])
    one, other = (
        ix.from_confusion(t).interval("multiclass_kappa", method=method, draws=50, stratified=method == "percentile")
        for t in (TABLE, TABLE[order][:, order])
    )
    assert tuple(one) == pytest.approx(tuple(other))


@for_each("name", NAMES)
def test_a_perfect_table_is_never_certain(name):
    found = ix.from_confusion(np.diag([8, 12, 10]), classes=[1, 2, 3]).interval(resolve(name))
    assert found.low < found.high
    assert found.low <= found.value <= found.high


@pytest.mark.parametrize("function", OWN, ids=lambda f: f.__name__)
def test_own_functions_of_the_matrix_have_intervals_and_tests(function):
    measure = ix.measure(function, reads="matrix", range=(0, 1), better="higher")
    found = ix.from_confusion(TABLE).interval(measure)
    assert found.method == "score"
    assert found.low < found.value < found.high
    half = ix.from_confusion(4 * TABLE).interval(measure)
    assert half.width == pytest.approx(found.width / 2, rel=0.2)


def test_delta_is_the_known_variance_of_kappa():
    """Fleiss, Cohen and Everitt (1969)."""
    table = np.array([[53, 5, 2], [11, 14, 5], [1, 6, 3]], float)
    p = table / table.sum()
    rows, columns, agreed = p.sum(1), p.sum(0), p.trace()
    chance = rows @ columns
    kappa = (agreed - chance) / (1 - chance)
    a = (np.diag(p) * (1 - (rows + columns) * (1 - kappa)) ** 2).sum()
    b = (1 - kappa) ** 2 * sum(p[i, j] * (columns[i] + rows[j]) ** 2 for i in range(3) for j in range(3) if i != j)
    spread = (a + b - (kappa - chance * (1 - kappa)) ** 2) / ((1 - chance) ** 2 * 100)
    found = ix.from_confusion(table.astype(int)).interval("multiclass_kappa", method="delta")
    assert found.width == pytest.approx(2 * 1.959963984540054 * math.sqrt(spread), rel=1e-9)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("chi_squared_p_value", "p-value"), ("chi_squared_degrees", "degrees"), ("examples_per_class", "counts the examples")],
)
def test_what_has_no_true_value_has_no_interval(name, reason):
    with pytest.raises(ValueError, match=reason):
        ix.from_confusion(TABLE).interval(name)


@pytest.mark.parametrize(
    ("name", "degrees"),
    [("mutual_information", 4), ("joint_entropy", -8), ("entropy_true", -2), ("conditional_entropy_true", -6)],
)
def test_the_bias_of_entropies_is_that_of_miller_and_madow(name, degrees):
    sample, function = Pairs(np.pad(np.diag([300, 200, 400]) + 50.0, (0, 1))), TableFunction(resolve(name))
    near = function.gradient(sample.table)
    bias, _ = function._along(sample, sample.table, near, sample.all_directions())
    assert bias == pytest.approx(degrees / (2 * sample.n * math.log(2)), rel=1e-3)


def test_the_variance_of_second_order_is_that_of_chi_squared():
    sample, function = (
        Pairs(np.pad(np.outer([3, 2, 4], [30, 20, 40]).astype(float), (0, 1))),
        TableFunction(ix.measures.phi_squared),
    )
    near = function.gradient(sample.table)
    bias, bent = function._along(sample, sample.table, near, sample.all_directions())
    assert bias * sample.n == pytest.approx(4, rel=1e-3)
    assert bent * sample.n**2 == pytest.approx(8, rel=1e-3)


@for_each("name", ["mutual_information", "cramer_v", "multiclass_kappa", "adjusted_rand_index", "aickin_alpha"])
@for_each("quality", [0.0, 0.5, 0.9])
def test_coverage(name, quality):
    """In 60 samples of 100 examples, all but 7 intervals or fewer cover."""
    measure, rng = resolve(name), np.random.default_rng(11)
    share = np.array([0.5, 0.3, 0.2])
    truth = share[:, None] * (quality * np.eye(3) + (1 - quality) * share)
    value, missed = float(measure(truth * 2.0**40)), 0
    for _ in range(60):
        table = np.pad(rng.multinomial(100, truth.ravel()).reshape(3, 3), (0, 1)).astype(float)
        estimator = OfMatrix(measure, Pairs(table))
        low, high = estimator.center().ends(estimator.span, 0.95)
        missed += not min(low, estimator.value) - 1e-9 <= value <= max(high, estimator.value) + 1e-9
    assert missed <= 7


def test_pairs_seen_once_are_said_where_they_matter():
    table = np.diag([30] * 8) + np.triu(np.ones((8, 8), int), 1)
    assert "seen once" in ix.from_confusion(table).interval("mutual_information").note
    assert (
        "44 examples are few for the 9 pairs"
        in ix.from_confusion(np.full((3, 3), 2) + 8 * np.eye(3, dtype=int) + np.eye(3, k=1, dtype=int))
        .interval("mutual_information")
        .note
    )
    assert not ix.from_confusion(table).interval("multiclass_kappa").note
    assert not ix.from_confusion(10 * TABLE).interval("mutual_information").note


def test_many_models_differ_clearly():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 1500)
    models = {f"m{k}": np.where(rng.random(1500) < 0.4 + 0.1 * k, y, rng.integers(0, 4, 1500)) for k in range(5)}
    found = ix.compare(y, models, "multiclass_mcc").differences
    assert sum(d.clear for d in found) >= 9  # one pair of the ten is close
    assert {d.method for d in found} == {"delta"}
    assert min(d.p for d in found) < 1e-6


@pytest.mark.parametrize("name", ["multiclass_kappa", "multiclass_mcc", "cramer_v", "mutual_information"])
def test_a_difference_has_the_variance_of_the_bootstrap(name):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, 400)
    a, b = (np.where(rng.random(400) < q, y, rng.integers(0, 3, 400)) for q in (0.7, 0.6))
    delta, drawn = (ix.compare(y, {"a": a, "b": b}, name, method=way).differences[0] for way in ("delta", "bootstrap"))
    assert ix.compare(y, {"a": a, "b": b}, name).differences[0].method == "delta"
    assert delta.high - delta.low == pytest.approx(drawn.high - drawn.low, rel=0.08)


def test_clusters_of_a_difference():
    """Every example three times, in one cluster: as sure as without the copies."""
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, 200)
    a, b = (np.where(rng.random(200) < q, y, rng.integers(0, 3, 200)) for q in (0.7, 0.6))
    plain = ix.compare(y, {"a": a, "b": b}, "multiclass_kappa").differences[0]
    wide = [np.repeat(x, 3) for x in (y, a, b)]
    ids = np.repeat(np.arange(200), 3)
    groups = ix.compare(wide[0], {"a": wide[1], "b": wide[2]}, "multiclass_kappa", by={"who": ids}, clusters="who").differences[0]
    assert groups.value == pytest.approx(plain.value)
    assert groups.high - groups.low == pytest.approx(plain.high - plain.low, rel=0.05)


def test_perfect_agreement_of_raters_is_not_certain():
    panel = ix.agreement([[1, 1, 1], [2, 2, 2]] * 10)
    for name in (
        "percent_agreement",
        "fleiss_kappa",
        "conger_kappa",
        "light_kappa",
        "krippendorff_alpha",
        "bennett_s",
        "gwet_ac1",
    ):
        found = panel.interval(name)
        assert (found.method, found.value, found.high) == ("score", 1, 1)
        assert 0.4 < found.low < 0.9


def test_coverage_of_raters():
    """30 items, nearly always the same class: Wald intervals of Fleiss' kappa cover in 77% of samples or fewer."""
    rng, missed, share = np.random.default_rng(5), 0, np.array([0.9, 0.1])
    n, agree = 30, 0.95

    def draw(items):
        truth = rng.choice(2, items, p=share)
        return np.where(rng.random((items, 3)) < agree, truth[:, None], rng.choice(2, (items, 3), p=share))

    truth = agree**2  # two ratings agree by the same item, otherwise as by chance
    for _ in range(60):
        found = ix.agreement(draw(n).tolist(), classes=[0, 1]).interval("fleiss_kappa")
        missed += math.isfinite(found.low) and not found.low <= truth <= found.high
    assert missed <= 8


@pytest.mark.parametrize("measure", ["multiclass_goodman_kruskal_lambda", "goodman_kruskal_lambda_true"])
def test_tied_classes_may_come_in_any_order(measure):
    table = np.array([[10, 5, 0], [4, 10, 1], [2, 3, 10]])
    ends = [tuple(ix.from_confusion(table[o][:, o]).interval(measure)) for o in ([0, 1, 2], [1, 0, 2], [2, 1, 0])]
    assert ends[0] == pytest.approx(ends[1])
    assert ends[0] == pytest.approx(ends[2])


@pytest.mark.one_fast_case
@pytest.mark.parametrize("measure", ["mutual_information", "normalized_mutual_information", "theil_u_true"])
def test_misses_of_scores_that_bend_carry_a_note(measure):
    rng, k = np.random.default_rng(0), 4
    shares = np.full((k, k), 0.15 / (k - 1) / k) + np.eye(k) * (0.85 - 0.15 / (k - 1)) / k
    truth = float(ix.from_confusion(np.rint(shares * 10**9).astype(int)).score(measure))
    found = [ix.from_confusion(table.reshape(k, k)).interval(measure) for table in rng.multinomial(120, shares.ravel(), 60)]
    missed = [i for i in found if truth not in i]
    assert len(missed) >= 2
    assert all("may cover less often" in i.note for i in missed)
    assert not ix.from_confusion((shares * 4000).astype(int)).interval(measure).note
