"""Redundancy of scores: ranks against symbolic Jacobians, the paper's claims, and the shapes that are refused."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix.algebra.average import AVERAGES, averages_over, averages_that
from indicatrix.tally.states.group_counts import CrossTable
from indicatrix.tally.tally import Tally
from indicatrix.theory.result.redundancy import Redundancy, reads_confusion, redundant

# Table 3 of the paper (tab:extensions)
TABLE = ["precision", "recall", "specificity", "f1", "jaccard", "error_rate", "accuracy", "balanced_accuracy", "g_mean", "mcc"]
TABLE += ["cohen_kappa"]
RATIONAL = ["precision", "recall", "specificity", "f1", "jaccard", "error_rate", "npv", "cohen_kappa", "prevalence", "markedness"]

OF_CLASSES = averages_that(lambda average: average.per in ((), ("class",)))
EVERY = averages_that(reads_confusion)

UNDECIDED = Tally(("a", "b"), {(): CrossTable(np.array([[3, 1, 1], [1, 3, 0], [0, 0, 0]]))}, 9)  # one of "a" got no class


def table(m: int) -> np.ndarray:
    return np.random.default_rng(m).integers(1, 60, (m, m))


def symbolic(sizes: list[int]) -> tuple[sympy.Matrix, list[sympy.Symbol]]:
    """Return the confusion matrix of free errors at fixed row sums."""
    m = len(sizes)
    free = {(j, k): sympy.Symbol(f"w{j}{k}") for j in range(m) for k in range(m) if j != k}
    rows = [[free.get((j, k), sizes[j] - sum(free[j, i] for i in range(m) if i != j)) for k in range(m)] for j in range(m)]
    return sympy.Matrix(rows), list(free.values())


def has_weights(name: str, average: str) -> bool:
    return AVERAGES[average].general or ix.algebra.MEASURES[name].decomposition is not None


def cells(w: sympy.Matrix, j: int) -> tuple[sympy.Expr, ...]:
    tp, tpos, ppos = w[j, j], sum(w.row(j)), sum(w.col(j))
    return tp, ppos - tp, tpos - tp, sum(w) - tpos - ppos + tp


def expression(name: str, average: str, w: sympy.Matrix) -> sympy.Expr:
    m, measure = w.rows, ix.algebra.MEASURES[name]
    per_class = [cells(w, j) for j in range(m)]
    row = AVERAGES[average]
    if row.pools:
        return measure.function(*(sum(v) for v in zip(*per_class, strict=True)))
    values = [measure.function(*v) for v in per_class]
    weights = [1 if row.weight is None else row.amounts(measure, ix.Counts(*v)) for v in per_class]
    return sum(x * w for x, w in zip(values, weights, strict=True)) / sum(weights)


def jacobian_rank(scores: list[tuple[str, str]], sizes: list[int]) -> int:
    w, free = symbolic(sizes)
    inside = {x: sympy.Rational(sizes[int(x.name[1])] * (3 + 2 * i + (i * i) % 5), 60 * len(sizes)) for i, x in enumerate(free)}
    gradients = [[expression(*score, w).diff(x).subs(inside) for x in free] for score in scores]
    return sympy.Matrix(gradients).rank()


@pytest.mark.slow
@examples(12)
@given(st.data())
def test_the_rank_is_that_of_the_symbolic_jacobian(data: st.DataObject) -> None:
    m = data.draw(st.integers(2, 3))
    sizes = data.draw(st.lists(st.integers(1, 40), min_size=m, max_size=m))
    pairs = st.tuples(st.sampled_from(RATIONAL), st.sampled_from(OF_CLASSES)).filter(lambda pair: has_weights(*pair))
    scores = data.draw(st.lists(pairs, min_size=1, max_size=5, unique=True))
    got = redundant(scores, np.diag(sizes))
    assert got.rank == jacobian_rank(scores, sizes)
    # The subset kept is independent by itself, and each dropped score adds nothing to those it follows from.
    short = {"negative_predictive_value": "npv"}
    kept = [(short.get(n, n), a) for n, a in got.independent]
    assert got.rank == len(kept) == (jacobian_rank(kept, sizes) if kept else 0)
    for (name, average), others in got.follows.items():
        same = [(short.get(n, n), a) for n, a in (*others, (name, average))]
        assert jacobian_rank(same, sizes) == len(others)


@pytest.mark.slow
@examples(15)
@given(st.data())
def test_the_subset_kept_is_maximal_minimal_and_greedy(data: st.DataObject) -> None:
    m = data.draw(st.integers(2, 5))
    names = data.draw(st.lists(st.sampled_from(TABLE), min_size=1, max_size=6, unique=True))
    averages = data.draw(
        st.lists(st.sampled_from([*averages_over("class", "example"), "each class", "class"]), min_size=1, unique=True)
    )
    got = redundant(names, table(m), averages=averages)
    assert set(got.independent).isdisjoint(got.follows)
    assert set(got.scores) == {*got.independent, *got.follows}
    assert got.rank == len(got.independent) <= min(got.degrees_of_freedom, 2 * m - 1)
    order = {name: i for i, name in enumerate(got.scores)}
    for name, others in got.follows.items():
        assert all(order[o] < order[name] and o in got.independent for o in others)
    # Greedy: a prefix of the request keeps the same scores.
    half = redundant(names[: len(names) // 2 + 1], table(m), averages=averages)
    if averages != ["each class"]:
        assert half.independent == tuple(n for n in got.independent if n in half.scores)


@pytest.mark.one_fast_case
@pytest.mark.parametrize(("m", "rank"), [(2, 2), (3, 5), (4, 7), (5, 9)])
def test_dof_table3(m: int, rank: int) -> None:
    # errata C11: measures of counts per class see tp and ppos only, so their rank is 2m - 1, not m(m - 1).
    got = redundant(TABLE, table(m), averages=("micro", "each class"))
    assert (got.rank, got.degrees_of_freedom) == (rank, m * (m - 1))
    assert rank == min(m * (m - 1), 2 * m - 1)


@pytest.mark.one_fast_case
@pytest.mark.parametrize("m", [2, 3])
def test_dof_2_and_3(m: int) -> None:
    # prop:dof: the bound m(m - 1) is attained by functions that read single cells, and nothing is left beyond it.
    def cell(j: int, k: int) -> ix.Measure:
        return ix.measure(lambda w: w[j, k] / w.sum(), name=f"cell_{j}{k}", reads="matrix", range=(0, 1), better="higher")

    errors = [cell(j, k) for j in range(m) for k in range(m) if j != k]
    got = redundant([*errors, "multiclass_mcc", "multiclass_kappa", *TABLE], table(m), averages=("micro", "macro", "each class"))
    assert got.rank == got.degrees_of_freedom == m * (m - 1)
    assert got.independent == tuple((e.name, None) for e in errors)


def test_functions_of_the_whole_matrix_read_hits_and_margins() -> None:
    got = redundant([("recall", "each class"), ("precision", "each class"), "multiclass_mcc", "multiclass_kappa"], table(4))
    assert (got.rank, got.degrees_of_freedom) == (7, 12)


def test_thm_micro_collapse() -> None:
    for m in (2, 3, 6):
        got = redundant(["precision", "recall", "f1", "jaccard", "mcc", "multiclass_accuracy"], table(m), averages="micro")
        assert got.rank == 1
        assert set(got.follows.values()) == {(("precision", "micro"),)}


def test_macro_balanced_accuracy_follows_from_its_halves() -> None:
    got = redundant(["recall", "specificity", "precision", "balanced_accuracy"], table(4), averages=("macro",))
    assert got.follows == {("balanced_accuracy", "macro"): (("recall", "macro"), ("specificity", "macro"))}


@pytest.mark.slow
def test_binary_measures_follow_from_recall_and_specificity() -> None:
    # ex:dof, for the whole catalogue: two numbers and the priors give every binary measure.
    binary = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages]
    got = redundant(["recall", "specificity", *binary], [[30, 10], [5, 95]], positive=0)
    assert got.independent == (("recall", "binary"), ("specificity", "binary"))
    assert got.follows["f1", "binary"] == got.independent
    assert got.follows["prevalence", "binary"] == ()
    assert got.follows["false_positive_rate", "binary"] == (("specificity", "binary"),)


def test_dof_collinear() -> None:
    # errata C12: accuracy, balanced accuracy and F1 are pairwise independent and dependent as a set of three.
    names = ["accuracy", "balanced_accuracy", "f1"]
    pi, rec, spec = sympy.Rational(3, 10), *sympy.symbols("rec spec")
    v = (pi * rec, (1 - pi) * (1 - spec), pi * (1 - rec), (1 - pi) * spec)
    at = {rec: sympy.Rational(8, 10), spec: sympy.Rational(7, 10)}
    exact = [[str(ix.algebra.MEASURES[n].function(*v).diff(x).subs(at)) for x in (rec, spec)] for n in names]
    assert exact == [["3/10", "7/10"], ["1/2", "1/2"], ["68/125", "224/375"]]
    sizes = [[30, 0], [0, 70]]
    for pair in (names[:2], names[1:], names[::2]):
        assert redundant(pair, sizes, positive=0).rank == 2
    assert redundant(names, sizes, positive=0).rank == 2
    # With equal classes, accuracy and balanced accuracy are the same number.
    assert redundant(names[:2], [[50, 0], [0, 50]], positive=0).rank == 1


def test_dof_formulas() -> None:
    pi, rec, spec = Fraction(3, 10), Fraction(8, 10), Fraction(7, 10)
    v = ix.Counts(tp=pi * rec, fp=(1 - pi) * (1 - spec), fn=pi * (1 - rec), tn=(1 - pi) * spec)
    assert ix.accuracy(v) == pi * rec + (1 - pi) * spec
    assert ix.balanced_accuracy(v) == (rec + spec) / 2
    assert ix.f1(v) == 2 * pi * rec / (pi * (1 + rec) + (1 - pi) * (1 - spec))


def test_dof_literal_step_functions_look_constant() -> None:
    # Three indicators of two cells: none is determined by the others, but none has a slope either (errata C12).
    steps = [ix.Measure(f"s{i}", lambda tp, fp, fn, tn, i=i: int((fn if i < 2 else fp) > 3 + 2 * i)) for i in range(3)]
    got = redundant([*steps, "recall"], [[20, 8], [4, 20]], positive=0)
    assert got.rank == 1
    assert all(got.follows[f"s{i}", "binary"] == () for i in range(3))
    assert "s0 does not change: a constant or a step" in str(got)


def test_exemplar_scores_are_functions_of_accuracy() -> None:
    got = redundant([*TABLE, ("subset_accuracy", "exemplar")], table(4), averages=("exemplar",))
    assert got.rank == 1
    for name in ("recall", "specificity", "jaccard"):
        assert (name, "exemplar") in got.scores


@pytest.mark.parametrize("average", [*EVERY, "binary"])
def test_a_score_and_its_functions_are_one(average: str) -> None:
    # Affine functions of every score, and any function where the average is of one unit, or of two kinds of examples.
    half = ix.Measure("half", lambda tp, fp, fn, tn: 1 - ix.precision.function(tp, fp, fn, tn) / 2)
    got = redundant(["precision", half], table(3), averages=(average,), positive=1)
    assert got.follows == {("half", average): (("precision", average),)}
    square = ix.measure("(tp/(tp+fp))**2")
    if average in AVERAGES and not AVERAGES[average].general:
        with pytest.raises(ValueError, match="not a ratio of two linear forms"):
            redundant(["precision", square], table(3), averages=(average,))
    else:
        over_classes = average in AVERAGES and AVERAGES[average].per == ("class",)
        assert redundant(["precision", square], table(3), averages=(average,), positive=1).rank == (2 if over_classes else 1)


@pytest.mark.slow
@pytest.mark.parametrize("m", [4, 5])
def test_fewer_cells_give_the_rank_of_all_cells(m: int) -> None:
    # A function of the whole matrix makes all cells count, and here it follows from the rest.
    names, averages = ["recall", "precision", "f1", "mcc", "jaccard"], (*averages_over("class"), "each class")
    few = redundant(names, table(m), averages=averages)
    all_cells = redundant([*names, "multiclass_accuracy"], table(m), averages=averages)
    assert few.rank == all_cells.rank == 2 * m - 1
    assert few.independent == all_cells.independent
    assert {k: v for k, v in all_cells.follows.items() if k[1] is not None} == few.follows


@given(st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any))
@examples(12)
def test_classes_without_examples_have_no_free_cells(sizes: list[int]) -> None:
    got = redundant(["recall", "jaccard"], np.diag(sizes), averages=("macro", "weighted"))
    assert got.degrees_of_freedom == 2 * sum(n > 0 for n in sizes)
    present = [j for j, n in enumerate(sizes) if n]
    rates = redundant([("recall", "each class")], np.diag([sizes[j] for j in present]))
    assert rates.rank == (len(present) if len(present) > 1 else 0)
    if len(present) < 3:
        with pytest.raises(ValueError, match=r"undefined for confusion matrices .* recall of class"):
            redundant(["recall"], np.diag(sizes), averages=("each class",))


def test_one_class_leaves_nothing_free() -> None:
    got = redundant(["recall", "specificity"], [[7]])
    assert (got.rank, got.independent, got.degrees_of_freedom) == (0, (), 0)
    assert set(got.follows.values()) == {()}


@pytest.mark.slow
def test_only_the_row_sums_matter_and_any_source_will_do() -> None:
    w = np.array([[5, 2, 1], [1, 5, 2], [2, 1, 5]])
    names, others = ["recall", "precision", "mcc", "cohen_kappa"], np.diag([8, 8, 8])
    assert (
        redundant(names, w) == redundant(names, others) == redundant(names, w.tolist()) == redundant(names, ix.from_confusion(w))
    )
    truth, predicted = np.repeat([0, 1], [30, 20]), np.tile([0, 1], 25)
    ev = ix.evaluate(truth, predicted, sample_weight=np.linspace(0.1, 1, 50))
    assert redundant(["recall", "precision", "f1"], ev).independent == (("recall", "binary"), ("precision", "binary"))
    assert redundant(["recall"], ev.tally).scores == (("recall", "micro"), ("recall", "macro"))


@pytest.mark.slow
def test_very_unequal_classes_keep_their_rank() -> None:
    got = redundant(TABLE, np.diag([1, 10**9, 10**4]), averages=("micro", "each class"))
    assert got.rank == 5


def test_aliases_and_repetitions_are_one_score() -> None:
    assert redundant(["recall", "sensitivity", "recall"], table(3)).scores == (("recall", "micro"), ("recall", "macro"))
    assert redundant("recall", table(3), averages="samples").scores == (("recall", "exemplar"),)
    for one in ("f1", ix.f1):
        assert ix.from_confusion(table(3)).redundant(one, ["macro"]).scores == (("f1", "macro"),)


def test_piecewise_measures_are_taken_where_they_differ() -> None:
    # min(rec, spec) is one of the two near any point, and depends on both over all points.
    weaker = ix.measure("min(tp/(tp+fn), tn/(tn+fp))")
    got = redundant(["recall", "specificity", weaker], [[40, 0], [0, 40]], positive=0)
    assert got.follows[str(weaker), "binary"] == (("recall", "binary"), ("specificity", "binary"))


def test_in_words() -> None:
    got = redundant(["recall", "f1", ("recall", "each class"), "multiclass_accuracy"], np.diag([3, 4]), averages=("micro",))
    assert str(got).split("\n") == [
        "2 of 5 scores independent; the confusion matrix has 2 degrees of freedom.",
        "independent: micro recall, recall of class 0",
        "micro f1 follows from micro recall",
        "recall of class 1 follows from micro recall, recall of class 0",
        "multiclass_accuracy follows from micro recall",
    ]
    assert isinstance(got, Redundancy)


@for_each(
    ("call", "message"),
    [
        (lambda: redundant([], table(3)), "no scores to compare"),
        (lambda: redundant(["recall"], table(3), averages=()), "no scores to compare"),
        (lambda: redundant(["recall"], table(3), averages=("median",)), "'median' is not a function of the confusion matrix"),
        (lambda: redundant(["recall"], table(3), averages=("binary",)), "needs a positive class"),
        (lambda: redundant(["recall"], table(3), positive="a"), "positive='a' is not a class"),
        (lambda: redundant(["subset_accuracy"], table(3)), r"Give the pair \('subset_accuracy', 'exemplar'\)"),
        (lambda: redundant(["recall"], [[0, 0], [0, 0]]), "is empty"),
        (lambda: redundant(["recall"], [[1, 2, 3]]), "square"),
        (lambda: redundant(["recall"], ix.evaluate([{1}, {2}], [{1}, {1, 2}])), "several labels"),
        (lambda: redundant(["recal"], table(3)), "Did you mean recall"),
        (lambda: redundant(["recall"], UNDECIDED), "no true or no predicted class"),
        (
            lambda: redundant(["recall", ix.Measure("recall", lambda tp, fp, fn, tn: tp)], table(3)),
            "Two different measures have the name 'recall'",
        ),
    ],
)
def test_errors(call, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_a_formula_that_rounds_is_refused() -> None:
    rounds = ix.Measure("rounds", lambda tp, fp, fn, tn: math.sqrt(tp / (tp + fn)) * tn)
    with pytest.raises(TypeError, match="loses digits of its arguments"):
        redundant([rounds], table(3))


def test_class_means_the_same_in_every_function():
    ev = ix.from_confusion([[9, 1, 2], [4, 6, 0], [1, 1, 7]])
    assert ev.score("f1", "class") == ev.score("f1", "macro")
    assert ix.theory.pareto([ev], ["f1"], averages=["class"]).scores[0][("f1", "class")] == ev.score("f1", "macro")
    mean = ix.theory.redundant(["f1"], ev, averages=["macro", "class"])
    assert mean.follows == {("f1", "class"): (("f1", "macro"),)}
    assert ix.theory.redundant(["f1"], ev, averages=["each class"]).scores == tuple(("f1", "class", j) for j in range(3))
