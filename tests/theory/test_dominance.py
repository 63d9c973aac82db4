"""Dominance and Pareto fronts: exact definitions by brute force, the law from cells to scores, and errata C11."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations, product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix
from indicatrix.algebra.average import Average, averages_over, averages_that
from indicatrix.algebra.numbers.exact import exactly, is_defined, order
from indicatrix.tally.states.group_counts import CrossTable
from indicatrix.tally.tally import Tally
from indicatrix.theory.result.dominance import EXTENSIONS, dominates, pareto

DIRECTED = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if m.better in ("higher", "lower") and not m.averages]
SIGN = {"higher": 1, "lower": -1}
CYCLIC = np.array([[5, 2, 1], [1, 5, 2], [2, 1, 5]])


def tables(m: int, low: int = 0, high: int = 4) -> st.SearchStrategy[np.ndarray]:
    return st.lists(st.integers(low, high), min_size=m * m, max_size=m * m).map(lambda x: np.array(x).reshape(m, m))


@cache
def loses_by_a_correction(measure: ix.Measure) -> bool:
    """Return whether some false negative or false positive that is put right makes the measure worse (errata C4)."""
    value, sign = exactly(measure), SIGN[measure.better]
    for tp, fp, fn, tn in product((1, 2, 4), repeat=4):
        before = value(tp, fp, fn, tn)
        for after in (value(tp + 1, fp, fn - 1, tn) if fn > 1 else before, value(tp, fp - 1, fn, tn + 1) if fp > 1 else before):
            if not is_defined(before, after) or sign * order(after, before) < 0:
                return True
    return False


@pytest.mark.slow
def test_the_known_exceptions_are_found() -> None:
    assert loses_by_a_correction(ix.measures.optimized_precision)
    assert not any(map(loses_by_a_correction, (ix.f1, ix.mcc, ix.recall, ix.cohen_kappa, ix.g_mean, ix.error_rate)))
    # Paired corrections make many coefficients of the wider literature worse: balance of margins is not agreement.
    assert sum(map(loses_by_a_correction, DIRECTED)) < len(DIRECTED) / 4


def reads_truth(average: Average) -> bool:
    """Return whether an average over classes has weights that no prediction changes: only then corrections never harm."""
    if not average.general or average.per not in ((), ("class",)):
        return False
    before, after = ix.Counts(3, 5, 4, 8), ix.Counts(6, 2, 1, 11)  # as many positives and negatives
    return average.weight is None or average.amounts(ix.f1, before) == average.amounts(ix.f1, after)


@pytest.mark.slow
@examples(10)
@given(st.data())
def test_better_cells_give_better_scores(data: st.DataObject) -> None:
    # At equal class sizes a dominates b element-wise when some of b's errors are put right.
    m = data.draw(st.integers(2, 3))
    b = data.draw(tables(m, 2, 5))
    a = b.copy()
    for j, k in product(range(m), repeat=2):
        if j != k:
            right = data.draw(st.integers(0, int(b[j, k]) - 1))
            a[j, k], a[j, j] = a[j, k] - right, a[j, j] + right
    found = dominates(ix.from_confusion(a), ix.from_confusion(b), measures=MONOTONE(), averages=averages_that(reads_truth))
    assert found.elementwise
    assert found.measurewise, found.worse
    assert found.strictly == (a != b).any()
    back = dominates(ix.from_confusion(b), ix.from_confusion(a), measures=["recall"])
    assert back.elementwise == back.measurewise == (a == b).all()


@cache
def MONOTONE() -> tuple[ix.Measure, ...]:
    return tuple(m for m in DIRECTED if not loses_by_a_correction(m))


@pytest.mark.slow
def test_the_converse_is_false() -> None:
    # errata C11: all scores agree, hence each dominates the other, but no cell off the diagonal does.
    a, b = ix.from_confusion(CYCLIC), ix.from_confusion(CYCLIC.T)
    for one, other in ((a, b), (b, a)):
        found = dominates(one, other)
        assert found
        assert not found.elementwise
        assert not found.strictly
        scores = [n for n in found.equal if len(n) == 2]
        assert len(scores) == 2 * len(EXTENSIONS)
        assert {*found.worse, *found.better} == {("cell", *jk) for jk in permutations(range(3), 2)}
        assert str(found).startswith("No score differs.\n")
        assert "does not dominate element-wise, because it is worse on" in str(found)
        every = dominates(one, other, measures=DIRECTED)
        assert len([n for n in every.equal if len(n) == 2]) == 2 * len(DIRECTED)


@given(st.integers(2, 3).flatmap(lambda m: tables(m, 0, 3)), st.data())
def test_putting_one_error_right_is_never_worse_by_default(b: np.ndarray, data: st.DataObject) -> None:
    errors = [(j, k) for j, k in permutations(range(len(b)), 2) if b[j, k]]
    if errors:
        a, (j, k) = b.copy(), data.draw(st.sampled_from(errors))
        a[j, k], a[j, j] = a[j, k] - 1, a[j, j] + 1
        found = dominates(ix.from_confusion(a), ix.from_confusion(b))
        assert found.strictly, found.worse
        assert found.elementwise
        assert not found.resized
        assert str(found).startswith(
            "It is better on some score and worse on no score: it dominates measure-wise.\nIt dominates element-wise."
        )


@given(tables(3, 0, 3).filter(np.any), st.integers(0, 2))
def test_a_result_against_itself_differs_nowhere(table: np.ndarray, which: int) -> None:
    ev = ix.from_confusion(table)
    found = ev.dominates(ev)
    assert found
    assert not found.strictly
    assert str(found).splitlines()[:2] == ["No score differs.", "No cell differs."]
    assert "numbers of examples" not in str(found)
    more = table.copy()
    more[which, which] += 1
    assert ev.dominates(ix.from_confusion(more)).resized == (which,)
    assert f"The numbers of examples differ for {which}: " in str(ev.dominates(ix.from_confusion(more)))


def test_labels_and_nothing_in_words() -> None:
    few, more = (ix.from_counts([3, 2], [1, 1], [1, 2], [5, n], classes=["x", "y"]) for n in (5, 6))
    assert str(few.dominates(few)) == "No score differs.\nNo rate of a label differs."
    assert few.dominates(more).resized == ("y",)  # of labels, the negatives count as well
    nothing = ix.from_confusion([[0, 0], [0, 0]])
    assert str(dominates(nothing, nothing, measures="f1", averages="micro")).splitlines() == [
        "It does not dominate measure-wise: no score could be compared.",
        "It does not dominate element-wise: no cell could be compared.",
        "3 scores or rates are undefined and did not count.",
    ]


def test_one_measure_is_one_measure() -> None:
    ev = ix.from_confusion(CYCLIC)
    for one in ("f1", ix.f1):
        scores = [n for n in ev.dominates(ev, measures=one, averages="macro").equal if len(n) == 2]
        assert scores == [("f1", "macro")]


@pytest.mark.parametrize(("other", "named"), [(3, "int was given: 3"), (CYCLIC.tolist(), "list was given"),
                                              (None, "NoneType was given"), (pd.DataFrame(CYCLIC), "DataFrame was")])  # fmt: skip
def test_what_is_no_classifier_is_named(other, named: str) -> None:
    ev = ix.from_confusion(CYCLIC)
    for call in (lambda: ev.dominates(other), lambda: dominates(other, ev), lambda: pareto([ev, other], "f1")):
        with pytest.raises(TypeError, match=f"an evaluation is needed, but {named}"):
            call()


@given(st.integers(2, 3).flatmap(lambda m: st.tuples(tables(m), tables(m))))
def test_cells_are_compared_by_definition(pair: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = pair
    found = dominates(*map(ix.from_confusion, pair), measures=["recall"])
    outcomes = []
    for j, k in product(range(len(a)), repeat=2):
        if a[j].any() and b[j].any():
            x, y = (Fraction(int(w[j, k]), int(w[j].sum())) for w in pair)
            outcomes.append((x > y) - (x < y) if j == k else (x < y) - (x > y))
            where = {1: found.better, 0: found.equal, -1: found.worse}[outcomes[-1]]
            assert ("cell", j, k) in where
        else:
            assert ("row", j) in found.undefined
    assert found.elementwise == (bool(outcomes) and min(outcomes) >= 0)


@given(st.integers(1, 3).flatmap(lambda m: st.tuples(tables(m), tables(m))), st.sampled_from(averages_over("class")))
def test_scores_are_compared_by_definition(pair: tuple[np.ndarray, np.ndarray], average: str) -> None:
    names = ["f1", "error_rate", "specificity", "mcc", "diagnostic_odds_ratio"]
    evaluations = [ix.from_confusion(w) for w in pair]
    found = dominates(*evaluations, measures=names, averages=(average,))
    for name in names:
        x, y = (ev.score(name, average) for ev in evaluations)
        key = (name, average)
        if np.isnan(x) or np.isnan(y) or set(x.undefined_units) != set(y.undefined_units):
            assert key in found.undefined
        elif abs(x - y) > 1e-12:
            assert key in (found.better if SIGN[ix.algebra.MEASURES[name].better] * (x - y) > 0 else found.worse)
        else:
            assert key in found.equal
    worse = [n for n in found.worse if len(n) == 2]
    compared = [n for n in names if (n, average) not in found.undefined]
    assert bool(found) == found.measurewise == (bool(compared) and not worse)


@given(st.permutations(range(5)), tables(5, 1, 9))
def test_renamed_classes_are_ties_not_rounding(order: list[int], table: np.ndarray) -> None:
    # A sum of the same numbers in another order differs in floating point, never here.
    found = dominates(ix.from_confusion(table), ix.from_confusion(table[np.ix_(order, order)]), measures=["f1", "mcc", "g_mean"])
    assert found.measurewise
    assert not found.strictly


@given(tables(3, 1, 5), st.fractions(Fraction(1, 9), 3))
@examples(15)
def test_weights_are_exact(table: np.ndarray, weight: Fraction) -> None:
    # Thirds and ninths are not floats; what is equal in fractions is a tie, in every cell and on every scale-free score.
    weighted = np.array([[weight * int(x) for x in row] for row in np.pad(table, (0, 1))], object)
    pair = ix.from_confusion(table).tally, Tally((0, 1, 2), {(): CrossTable(weighted)}, 9)
    names = ["f1", "mcc", "multiclass_kappa", "multiclass_mcc"]
    averages = averages_over("class", "example")
    found = dominates(*pair, measures=names, averages=averages)
    assert not found.better
    assert not found.worse
    assert len(found.equal) == 9 + len(averages) * 2 + 2


def test_one_class_and_no_examples() -> None:
    nothing = ix.from_confusion([[0, 0], [0, 0]])
    found = dominates(nothing, nothing, measures=["f1", "mcc"])
    assert not found.elementwise
    assert not found.measurewise
    assert set(found.undefined) == {("row", 0), ("row", 1), *product(("f1", "mcc"), ("micro", "macro"))}
    one = ix.from_confusion([[3]])
    assert dominates(one, one, measures=["recall"]).elementwise


@pytest.mark.slow
def test_binary_dominance_is_that_of_recall_and_specificity() -> None:
    # With two classes the cells say what recall and specificity say: one point of the ROC plane against another.
    grid = [ix.from_confusion([[r, 3 - r], [3 - s, s]], positive=0) for r, s in product(range(4), repeat=2)]
    for a, b in product(grid, repeat=2):
        found = dominates(a, b, measures=["recall", "specificity"], averages=[None])
        assert found.elementwise == found.measurewise == all(np.diag(a.confusion) >= np.diag(b.confusion))
        labels = dominates(
            ix.from_counts(*a.binary()), ix.from_counts(*b.binary()), measures=["recall", "specificity"], averages=[None]
        )
        assert labels.elementwise == found.elementwise


@given(st.data())
def test_labels_are_compared_rate_by_rate(data: st.DataObject) -> None:
    rows = st.lists(st.lists(st.integers(0, 1), min_size=2, max_size=2), min_size=4, max_size=4).map(np.array)
    truth, first, second = (data.draw(rows) for _ in range(3))
    pair = [ix.evaluate(truth, x) for x in (first, second)]
    found = dominates(*pair, measures=["jaccard"], averages=("micro", "exemplar"))
    outcomes = []
    for name in ("recall", "specificity"):
        for label, x, y in zip(pair[0].classes, *(ev.values(name) for ev in pair), strict=True):
            if np.isnan(x):
                assert (name, "class", label) in found.undefined
            else:
                outcomes.append(x >= y)
    assert found.elementwise == (bool(outcomes) and all(outcomes))
    lost = any(ev.score("jaccard", "exemplar").undefined_units for ev in pair)
    assert lost == (("jaccard", "exemplar") in found.undefined)


def test_rejecting_an_example_is_an_error_of_its_own() -> None:
    # Without the column of examples that got no class, refusing the hard ones would look perfect.
    def with_rejects(table: list[list[int]]) -> Tally:
        return Tally(("a", "b"), {(): CrossTable(np.array(table))}, 10)

    refuses, tries = with_rejects([[3, 0, 2], [0, 5, 0], [0, 0, 0]]), with_rejects([[4, 1, 0], [0, 5, 0], [0, 0, 0]])
    found = dominates(refuses, tries, measures=["precision", "recall"])
    assert not found.elementwise
    assert ("cell", "a", None) in found.worse
    assert ("cell", "a", "a") in found.worse
    assert ("recall", "macro") in found.worse
    assert ("precision", "macro") in found.better


def test_any_source_of_counts_will_do() -> None:
    truth, predicted = [0, 1, 2, 2, 1, 0], [0, 1, 2, 1, 1, 1]
    ev, cells = ix.evaluate(truth, predicted), ix.cells(truth, predicted)
    own = SimpleNamespace(aggregate=ev.aggregate)
    with_table = SimpleNamespace(aggregate=ev.aggregate, confusion=ev.confusion, classes=ev.classes)
    averages = averages_that(lambda average: set(average.per) <= {"class", "example"})
    for one, other in permutations((ev, ev.tally, cells, own, with_table), 2):
        found = dominates(one, other, measures=["f1", "jaccard"], averages=averages)
        assert found.measurewise
        assert found.elementwise
        assert not found.better
        assert len([n for n in found.equal if len(n) == 2]) == 2 * len(averages)


def test_soft_labels_are_compared_to_the_digits_they_have() -> None:
    # Sums of memberships are rounded: the same rows in another order must stay a tie.
    rng = np.random.default_rng(0)
    truth, soft = rng.random((40, 3)), rng.random((40, 3))
    order = rng.permutation(40)
    pair = [ix.cells(truth, soft, tnorm="product"), ix.cells(truth[order], soft[order], tnorm="product")]
    found = dominates(*pair, measures=["f1", "mcc", "g_mean"], averages=averages_over("class"))
    assert found.measurewise
    assert found.elementwise
    assert not found.better
    assert pareto(pair, ["f1", "mcc"], averages=("micro", "macro")).front == (0, 1)


@st.composite
def contests(draw: st.DrawFn) -> tuple[dict[str, ix.Evaluation], list[str]]:
    m, k = draw(st.integers(2, 3)), draw(st.integers(1, 6))
    drawn = {f"c{i}": ix.from_confusion(draw(tables(m, 1, 3))) for i in range(k)}
    names = ["recall", "precision", "error_rate", "mcc", "negative_likelihood_ratio"]
    return drawn, draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))


@pytest.mark.slow
@given(contests(), st.randoms(use_true_random=False))
def test_the_front_is_what_nothing_dominates(contest: tuple[dict[str, ix.Evaluation], list[str]], rng) -> None:
    sources, names = contest
    found = pareto(sources, names, averages=("micro", "macro"))
    for name, ev in sources.items():
        by = tuple(o for o, other in sources.items() if dominates(other, ev, measures=names).strictly)
        assert found.dominated.get(name, ()) == by
        assert (name in found.front) == (not by)
        assert all(found.scores[name][m, a] == ev.score(m, a) for m in names for a in ("micro", "macro"))
    assert found.front
    assert all(set(found.front) & set(by) for by in found.dominated.values())
    shuffled = rng.sample(sorted(sources), len(sources))
    again = pareto({name: sources[name] for name in shuffled}, names[::-1], averages=("macro", "micro"))
    assert set(again.front) == set(found.front)
    assert {k: set(v) for k, v in again.dominated.items()} == {k: set(v) for k, v in found.dominated.items()}
    assert pareto([*sources.values()], names, averages=("micro", "macro")).front == tuple(
        i for i, name in enumerate(sources) if name in found.front
    )


def test_ties_stay_on_the_front_together() -> None:
    order = [2, 0, 1]
    table = np.array([[7, 1, 3], [2, 9, 1], [1, 1, 3]])
    twins = [
        ix.from_confusion(table),
        ix.from_confusion(table[np.ix_(order, order)]),
        ix.from_confusion(table + np.eye(3, dtype=int)),
    ]
    assert pareto(twins[:2], ["f1", "g_mean", "mcc"]).front == (0, 1)
    found = pareto(twins, ["f1", "g_mean", "mcc"])
    assert (found.front, found.dominated) == ((2,), {0: (2,), 1: (2,)})
    assert str(found) == "not dominated: 2\n0 is dominated by 2\n1 is dominated by 2"


def test_undefined_scores_are_filled_or_refused() -> None:
    sources = {"a": ix.from_confusion([[3, 0], [2, 0]], positive=1), "b": ix.from_confusion([[3, 0], [1, 1]], positive=1)}
    with pytest.raises(ValueError, match=r"Undefined: binary precision of 'a'\. Give these scores a value with undefined="):
        pareto(sources, ["precision"], averages=[None])
    assert pareto(sources, ["precision"], averages=[None], undefined=0).front == ("b",)
    assert pareto(sources, ["precision"], averages=[None], undefined=1).front == ("a", "b")
    assert pareto(sources, ["precision"], undefined="exclude").scores["a"]["precision", "macro"].undefined_units == (1,)
    with pytest.raises(ValueError, match="macro precision of 'a'"):
        pareto(sources, ["precision"], undefined="nan")
    with pytest.raises(ix.types.UndefinedError):
        pareto(sources, ["precision"], undefined="raise")
    # The other class is left out by one only, so the two macro averages are of different things (errata B4).
    assert dominates(sources["a"], sources["b"], measures=["precision"], averages=("macro",)).undefined == (
        ("precision", "macro"),
    )


def test_functions_of_the_matrix_are_filled_too() -> None:
    sources = [ix.from_confusion([[3, 0], [2, 0]]), ix.from_confusion([[1, 2], [2, 1]])]
    with pytest.raises(ValueError, match="multiclass_mcc of 0"):
        pareto(sources, ["multiclass_mcc"])
    assert pareto(sources, ["multiclass_mcc"], undefined=0).front == (0,)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: dominates(a, ix.from_confusion([[1, 1], [1, 1]])), "'a' and 'b' have different classes"),
        (lambda a: dominates(a, a, measures=["coverage"]), "Neither higher nor lower values of coverage are better"),
        (lambda a: dominates(a, a, measures=[]), "no scores to compare"),
        (lambda a: dominates(a, a, measures=["f1"], averages=("median",)), "average='median' is unknown"),
        (lambda a: dominates(a, a, measures=["subset_accuracy"]), "exists only as average='exemplar'"),
        (lambda a: pareto({}, ["f1"]), "at least one classifier"),
        (lambda a: pareto(a, ["f1"]), "compares several classifiers"),
        (lambda a: pareto({"x": a, "y": ix.from_confusion([[1]])}, ["f1"]), "'x' and 'y' have different classes"),
        (lambda a: pareto([a], ["f1", ix.Measure("f1", lambda tp, fp, fn, tn: tp)]), "Two different measures have the name 'f1'"),
    ],
)
def test_errors(call, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call(ix.from_confusion(CYCLIC))
