"""An average is one row of ``AVERAGES``: rows that are added at run time are right all over theory, or refused with the reason.

What is expected is written out here, in fractions, and not read from the rows. The scores of classifiers that rank have a file
of their own.
"""

from __future__ import annotations

import ast
import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix
from indicatrix.algebra.average import ALIASES, AVERAGES, Average
from indicatrix.algebra.measure import Measure
from indicatrix.catalogue.averages import SUPPORT
from indicatrix.theory.formula.closed_thresholds import bayes_threshold
from indicatrix.theory.result.coinciding_scores import CoincidingScores, Group
from indicatrix.theory.result.examined_result import of_accuracy

Cells = tuple[Fraction, Fraction, Fraction, Fraction]
Weight = Callable[[Any, Any, Any, Any], Any]

BOTH = ix.measure("2*tp + fp + fn")


def defined_times_n(measure: ix.Measure) -> ix.Measure:
    """Return the denominator of a ratio of counts, times all counts."""
    below = measure.own_denominator.function
    return Measure("", lambda tp, fp, fn, tn: below(tp, fp, fn, tn) * (tp + fp + fn + tn))


ROWS = {
    "predicted": Average(("class",), ix.measure("tp + fp"), "macro, weighted by predicted positives"),
    "product": Average(("class",), ix.measure("(tp + fn) * (tp + fp)"), "macro, weighted by both margins"),
    "mean": Average(("class",), meaning="macro under another name"),
    "constant": Average(("class",), Measure("", lambda tp, fp, fn, tn: 2), "macro, with one weight for all classes"),
    "labels": Average(("example",), ix.measure("2*tp + fp + fn"), "exemplar, weighted by labels"),
    "total": Average((), meaning="micro under another name"),
    "root": Average(("class",), Measure("", lambda tp, fp, fn, tn: (tp + fn) ** 0.5), "macro, weighted by roots of class sizes"),
    "defined": Average(("class",), defined_times_n, "of ratios only", general=False),
    "folds": Average(("fold",), SUPPORT, "over folds, weighted by positives"),
}
# The same weights, written out.
OVER_CLASSES: dict[str, Weight] = {
    "macro": lambda tp, fp, fn, tn: 1,
    "mean": lambda tp, fp, fn, tn: 1,
    "constant": lambda tp, fp, fn, tn: 2,
    "weighted": lambda tp, fp, fn, tn: tp + fn,
    "predicted": lambda tp, fp, fn, tn: tp + fp,
    "product": lambda tp, fp, fn, tn: (tp + fn) * (tp + fp),
}
OVER_EXAMPLES: dict[str, Weight] = {
    "exemplar": lambda tp, fp, fn, tn: 1,
    "labels": lambda tp, fp, fn, tn: 2 * tp + fp + fn,
}
POOLED = ("micro", "total")
FORMULAS: dict[str, Callable[..., tuple[Any, Any]]] = {  # numerators and denominators
    "precision": lambda tp, fp, fn, tn: (tp, tp + fp),
    "recall": lambda tp, fp, fn, tn: (tp, tp + fn),
    "f1": lambda tp, fp, fn, tn: (2 * tp, 2 * tp + fp + fn),
    "accuracy": lambda tp, fp, fn, tn: (tp + tn, tp + fp + fn + tn),
}
EXAMPLE = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])


@pytest.fixture(autouse=True)
def rows() -> None:
    """Add the rows; the fixture of all tests takes them out again."""
    AVERAGES.update(ROWS)


def per_class(table: Any) -> list[Cells]:
    """Return the counts of each class of a confusion matrix."""
    table = [[Fraction(x) for x in row] for row in table]
    n, cells = sum(map(sum, table)), []
    for j, row in enumerate(table):
        tp, tpos, ppos = row[j], sum(row), sum(other[j] for other in table)
        cells.append((tp, ppos - tp, tpos - tp, n - tpos - ppos + tp))
    return cells


def mean(name: str, units: list[Cells], weight: Weight) -> Fraction | None:
    """Return the weighted mean of the units with a value; None if nothing is left."""
    total = over = Fraction(0)
    for v in units:
        num, den = FORMULAS[name](*v)
        if den:
            total, over = total + weight(*v) * Fraction(num) / den, over + weight(*v)
    return total / over if over else None


def by_hand(name: str, average: str, classes: list[Cells], examples: list[Cells] = ()) -> Fraction | None:
    if average in POOLED:
        return mean(name, [tuple(map(sum, zip(*classes, strict=True)))], lambda *v: 1)
    if average in OVER_CLASSES:
        return mean(name, classes, OVER_CLASSES[average])
    return mean(name, list(examples), OVER_EXAMPLES[average])


def rights_and_wrongs(table: Any) -> list[Cells]:
    """Return the counts of each example of a confusion matrix."""
    m, right, n = len(table), sum(row[j] for j, row in enumerate(table)), sum(map(sum, table))
    return [(1, 0, 0, m - 1)] * right + [(0, 1, 1, m - 2)] * (n - right)


tables = st.integers(2, 4).flatmap(
    lambda m: st.lists(st.lists(st.integers(0, 6), min_size=m, max_size=m), min_size=m, max_size=m).filter(
        lambda w: any(map(any, w))
    )
)
full_tables = st.integers(2, 4).flatmap(
    lambda m: st.lists(st.lists(st.integers(1, 9), min_size=m, max_size=m), min_size=m, max_size=m)
)
EVERY = (*POOLED, *OVER_CLASSES, *OVER_EXAMPLES)


# --- exact scores -----------------------------------------------------------------------------------------------------


@given(tables, st.sampled_from(sorted(FORMULAS)), st.sampled_from(EVERY))
def test_exact_scores_are_those_written_out(table: list[list[int]], name: str, average: str) -> None:
    ev = ix.from_confusion(table)
    expected = by_hand(name, average, per_class(table), rights_and_wrongs(table))
    if expected is None:
        assert math.isnan(ev.exact(name, average))
        assert math.isnan(ev.score(name, average))
    else:
        assert ev.exact(name, average) == expected
        assert ev.score(name, average) == pytest.approx(float(expected), rel=1e-12)


@given(st.data())
def test_examples_that_repeat_and_weigh_count_as_often(data: st.DataObject) -> None:
    rows = st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), min_size=6, max_size=6).map(np.array)
    y, yhat = data.draw(rows), data.draw(rows)
    often = data.draw(st.lists(st.integers(1, 3), min_size=6, max_size=6))
    ev = ix.evaluate(y, yhat, sample_weight=[k / 4 for k in often])
    four = np.stack([y & yhat, (1 - y) & yhat, y & (1 - yhat), (1 - y) & (1 - yhat)])
    units = [tuple(map(Fraction, v)) for v, k in zip(four.sum(axis=2).T.tolist(), often, strict=True) for _ in range(k)]
    classes = [tuple(Fraction(int(x), 4) for x in v) for v in (four * np.array(often)[:, None]).sum(axis=1).T]
    for average in EVERY:
        for name in FORMULAS:
            expected, found = by_hand(name, average, classes, units), ev.exact(name, average)
            assert found == expected or (expected is None and math.isnan(found)), (name, average)


def test_weights_that_are_irrational_have_fifty_digits() -> None:
    import mpmath

    sizes, values = [130, 65, 80], [Fraction(11, 13), Fraction(8, 13), Fraction(5, 8)]
    with mpmath.workdps(60):
        roots = [mpmath.sqrt(n) for n in sizes]
        expected = sum(mpmath.mpf(x.numerator) / x.denominator * w for x, w in zip(values, roots, strict=True)) / sum(roots)
        assert abs(EXAMPLE.exact("recall", "root") - expected) < mpmath.mpf(10) ** -45
    assert EXAMPLE.score("recall", "root") == pytest.approx(float(expected))


def test_folds_are_weighed() -> None:
    y, yhat, fold = [0, 1, 1, 1, 0, 1], [0, 1, 0, 0, 1, 1], [1, 1, 1, 2, 2, 2]
    ev = ix.evaluate(y, yhat, by={"fold": fold}, positive=1)
    first, second = Fraction(1, 2), Fraction(1, 2)  # recalls of the positive class; each fold has two positives
    assert ev.exact("recall", "folds") == (2 * first + 2 * second) / 4 == Fraction(1, 2)
    assert ev.exact("precision", "folds") == (2 * Fraction(1) + 2 * Fraction(1, 2)) / 4  # and 1/2 if the classes were pooled
    three = ix.evaluate(y, yhat, by={"fold": [1, 1, 1, 1, 2, 2]}, positive=1)
    assert three.exact("recall", "folds") == (3 * Fraction(1, 3) + 1 * Fraction(1, 1)) / 4
    letters = ix.evaluate(["ab"[i] for i in y], ["ab"[i] for i in yhat], by={"fold": fold})
    first, second = Fraction(2, 3), Fraction(1, 3)  # accuracies; all counts of a fold are pooled, and so three positives each
    assert letters.exact("recall", "folds") == (3 * first + 3 * second) / 6 == Fraction(1, 2)


# --- equal scores -----------------------------------------------------------------------------------------------------


def claims(result: CoincidingScores) -> Iterator[Group]:
    for group in result.groups:
        yield from (group,) if group.theorem else group.parts


def together(result: CoincidingScores, *scores: tuple[str, str]) -> bool:
    """Return whether it is claimed that these scores must be equal."""
    wanted = {(ix.algebra.MEASURES[name], average) for name, average in scores}
    return any(wanted <= set(group.scores) for group in claims(result))


@pytest.mark.slow
@examples(15)
@given(full_tables, st.integers(0, 99))
def test_scores_coincide_where_they_are_equal_and_claims_hold_on_fresh_data(table: list[list[int]], seed: int) -> None:
    names, m = ("precision", "recall", "f1", "accuracy"), len(table)
    result = ix.from_confusion(table).coinciding_scores(names, EVERY)
    values = {(n, a): by_hand(n, a, per_class(table), rights_and_wrongs(table)) for n in names for a in EVERY}
    of = {(s.measure.name, s.average): i for i, group in enumerate(result.groups) for s in group.scores}
    for one, other in combinations(values, 2):
        assert (one in of and of[one] == of.get(other)) == (values[one] == values[other]), (one, other)
    # Other predictions with as many of each class: all weights and all denominators are what they were.
    pairs = [(j, k) for j, row in enumerate(table) for k, times in enumerate(row) for _ in range(times)]
    predicted = random.Random(seed).sample([k for _, k in pairs], len(pairs))
    fresh = np.zeros((m, m), int)
    np.add.at(fresh, ([j for j, _ in pairs], predicted), 1)
    classes, examples = per_class(fresh.tolist()), rights_and_wrongs(fresh.tolist())
    for group in claims(result):
        scores = [by_hand(s.measure.name, s.average, classes, examples) for s in group.scores]
        assert len(set(scores)) == 1, group


@pytest.mark.slow
@examples(15)
@given(full_tables)
def test_theorems_are_claimed_where_their_conditions_hold(table: list[list[int]]) -> None:
    names = ("precision", "recall", "f1")
    result = ix.from_confusion(table).coinciding_scores(names, EVERY)
    sizes, predicted = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    assert together(result, ("precision", "micro"), ("precision", "predicted"))  # its denominators are the weights
    for name in names:
        assert together(result, (name, "macro"), (name, "mean"))
        assert together(result, (name, "micro"), (name, "total"))
        assert together(result, (name, "exemplar"), (name, "labels"))  # every example has two labels in all
        for one, weights, other, others in (
            ("predicted", predicted, "macro", [1] * len(table)),
            ("predicted", predicted, "weighted", sizes),
            ("product", [a * b for a, b in zip(sizes, predicted, strict=True)], "weighted", sizes),
        ):
            if len({Fraction(x, y) for x, y in zip(weights, others, strict=True)}) == 1:
                assert together(result, (name, one), (name, other))
    if len({Fraction(x, y) for x, y in zip(sizes, predicted, strict=True)}) > 1 and len(table) > 2:
        assert not together(result, ("f1", "predicted"), ("f1", "weighted"))


def test_reasons_say_what_is_equal() -> None:
    even = ix.from_confusion([[3, 1, 2], [2, 3, 1], [1, 2, 5]])  # predicted 6, 6 and 8 times, as often as true
    (group,) = [g for g in even.coinciding_scores("mcc", ["weighted", "predicted"]).groups if g.theorem]
    assert group.reason == "weighted and predicted weigh classes in the same proportions here"
    same = ix.from_confusion([[3, 1, 2], [2, 3, 0], [1, 2, 4]])  # each class predicted 6 times, but not as often true
    (group,) = [g for g in same.coinciding_scores("mcc", ["macro", "predicted"]).groups if g.theorem]
    assert (group.theorem, group.reason) == ("eq:undef_convention", "all classes have the same weight in predicted")
    (group,) = EXAMPLE.coinciding_scores("precision", ["micro", "predicted"]).groups
    assert (group.theorem, group.reason) == ("thm:micro_macro", "the denominators of precision are the weights")
    assert not EXAMPLE.coinciding_scores("f1", ["macro", "predicted"]).groups
    accident = ix.from_confusion([[1, 1, 0], [1, 2, 1], [0, 1, 3]])
    values = {accident.exact("recall", average) for average in ("macro", "predicted")}
    assert len(values) == len(accident.coinciding_scores("recall", ["macro", "predicted"]).differ)


def test_equal_values_with_other_weights_are_an_accident() -> None:
    ev = ix.from_confusion([[2, 2, 0], [1, 1, 0], [1, 1, 2]])  # every recall is 1/2, whatever the weights
    (group,) = ev.coinciding_scores("recall", ["macro", "predicted", "product"]).groups
    assert (group.theorem, group.reason) == ("", "by these data only")
    assert not group.parts


def test_complements_have_the_same_weights() -> None:
    result = EXAMPLE.coinciding_scores(["accuracy", "error_rate"], ["predicted", "defined"])
    assert {c.first.average for c in result.complements} == {"predicted", "defined"}
    own = Average(("class",), lambda measure: BOTH if measure.name == "accuracy" else SUPPORT, "of one measure only")
    AVERAGES["own"] = own
    assert not EXAMPLE.coinciding_scores(["accuracy", "error_rate"], ["own"]).complements


def test_means_over_examples_are_functions_of_accuracy() -> None:
    AVERAGES["hits"] = Average(("example",), ix.measure("1 + 2*tp"), "right examples count three times")
    form = of_accuracy("recall", "hits", m=4)
    assert [form(Fraction(k, 7)) for k in range(8)] == [Fraction(3 * k, 2 * k + 7) for k in range(8)]
    assert str(form) == "3 acc/(2 acc + 1)"
    assert EXAMPLE.coinciding_scores("recall", ["hits"]).of_accuracy[ix.recall, "hits"](Fraction(8, 11)) == EXAMPLE.exact(
        "recall", "hits"
    )
    with pytest.raises(
        ValueError, match=r"Only micro, exemplar, labels, total and hits scores .*'predicted' reads single classes"
    ):
        of_accuracy("recall", "predicted", m=4)


# --- redundancy -------------------------------------------------------------------------------------------------------


def jacobian_rank(scores: list[tuple[str, str]], sizes: list[int], seed: int) -> int:
    """Return the rank of the scores' derivatives in the errors at one matrix with these row sums, by differences in fractions."""
    rng, m, step = random.Random(seed), len(sizes), Fraction(1, 10**9)
    rates = [[Fraction(rng.randint(20, 99), 100 * 2 * m) for _ in range(m)] for _ in range(m)]

    def score(name: str, average: str, rates: list[list[Fraction]]) -> Fraction:
        table = [[n * x for x in row] for n, row in zip(sizes, rates, strict=True)]
        for j, n in enumerate(sizes):
            table[j][j] = n - sum(x for k, x in enumerate(table[j]) if k != j)
        value = by_hand(name, average, per_class(table))
        assert value is not None
        return value

    def slope(name: str, average: str, j: int, k: int) -> float:
        up, down = ([row[:] for row in rates] for _ in range(2))
        up[j][k], down[j][k] = up[j][k] + step, down[j][k] - step
        return float((score(name, average, up) - score(name, average, down)) / (2 * step))

    cells = [(j, k) for j in range(m) for k in range(m) if j != k]
    gradients = np.array([[slope(name, average, j, k) for j, k in cells] for name, average in scores])
    scale = abs(gradients).max(axis=1, keepdims=True)
    return int(np.linalg.matrix_rank(gradients / np.where(scale > 1e-12, scale, 1), tol=1e-9))


@pytest.mark.slow
@given(st.data())
def test_the_rank_is_that_of_the_jacobian(data: st.DataObject) -> None:
    m = data.draw(st.integers(2, 4))
    sizes = data.draw(st.lists(st.integers(1, 40), min_size=m, max_size=m))
    pairs = st.tuples(st.sampled_from(sorted(FORMULAS)), st.sampled_from([*POOLED, *OVER_CLASSES]))
    scores = data.draw(st.lists(pairs, min_size=1, max_size=6, unique=True))
    found = ix.theory.redundant(scores, np.diag(sizes))
    assert found.rank == max(jacobian_rank(scores, sizes, seed) for seed in range(2))
    assert len(found.independent) == found.rank == jacobian_rank(list(found.independent), sizes, 5) if found.rank else True


def test_what_follows_from_what() -> None:
    found = EXAMPLE.redundant(["precision"], ["micro", "macro", "predicted", "mean", "labels", "product"])
    assert found.independent == (("precision", "micro"), ("precision", "macro"), ("precision", "product"))
    assert found.follows == {
        ("precision", "predicted"): (("precision", "micro"),),
        ("precision", "mean"): (("precision", "macro"),),
        ("precision", "labels"): (("precision", "micro"),),
    }
    sized = EXAMPLE.redundant([("recall", "weighted"), ("recall", "root"), ("recall", "macro")])
    assert sized.rank == 3  # three recalls, and weights that no prediction changes


def test_weights_that_round_are_refused() -> None:
    AVERAGES["rounds"] = Average(("class",), Measure("", lambda tp, fp, fn, tn: math.sqrt(tp + fp)), "with math")
    with pytest.raises(TypeError, match=r"The weight in the average of f1 loses digits .* plain arithmetic"):
        EXAMPLE.redundant("f1", ["rounds"])


# --- priors -----------------------------------------------------------------------------------------------------------


def moved(table: list[list[int]], priors: Any) -> list[list[Fraction]]:
    n = sum(map(sum, table))
    return [[Fraction(x) * p * n / sum(row) for x in row] for row, p in zip(table, priors, strict=True)]


def priors_of(m: int) -> st.SearchStrategy[list[Fraction]]:
    return st.lists(st.integers(1, 9), min_size=m, max_size=m).map(lambda x: [Fraction(k, sum(x)) for k in x])


@given(full_tables, st.booleans(), st.sampled_from(sorted(FORMULAS)), st.sampled_from([*POOLED, *OVER_CLASSES]), st.data())
def test_prior_free_scores_and_drift(table: list[list[int]], equal: bool, name: str, average: str, data: st.DataObject) -> None:
    if equal:  # every recall is 3/4: then pooled scores do not depend on the priors
        for j, row in enumerate(table):
            row[j] = 3 * (sum(row) - row[j])
    ev, priors = ix.from_confusion(table), [data.draw(priors_of(len(table))) for _ in range(2)]
    scores = [by_hand(name, average, per_class(moved(table, p))) for p in priors]
    found = ev.skew_conditions().prior_free(name, average)
    if found:
        assert scores[0] == scores[1]
    else:
        assert found.holds is False
        p, q, x, y = found.witness
        assert [x, y] == [by_hand(name, average, per_class(moved(table, at))) for at in (p, q)]
        assert x != y
    drift = ev.prior_sensitivity(name, *priors, average=average)
    assert [float(v) for v in drift.values[1:]] == pytest.approx(list(map(float, scores)), rel=1e-12)
    assert drift.average == average


def test_theorems_about_priors_are_read_from_the_row() -> None:
    conditions = EXAMPLE.skew_conditions()
    assert conditions.prior_free("recall", "mean").proof == conditions.prior_free("recall", "macro").proof != ""
    assert conditions.prior_free("recall", "predicted").holds is False
    equal = ix.from_confusion([[3, 1, 0], [2, 12, 2], [0, 2, 6]]).skew_conditions()
    assert "all classes have the same recall" in equal.prior_free("f1", "total").proof
    same = equal.prior_free("precision", "predicted")  # micro precision: found by trying, as no theorem is about such weights
    assert same.holds
    assert same.trials
    assert not same.proof
    assert equal.prior_free("recall", "labels").proof  # every type of example has the mean 3/4
    assert conditions.prior_free("recall", "labels").witness == (0, 1, Fraction(11, 13), Fraction(8, 13))
    with pytest.raises(ValueError, match=r"average='folds' of f1: the effect of priors is decided for micro, .* labels, total"):
        conditions.prior_free("f1", "folds")
    with pytest.raises(ValueError, match="average='binary' of f1: the effect of priors is decided for micro"):
        conditions.prior_free("f1", "binary")


# --- dominance --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(
    st.integers(2, 3).flatmap(
        lambda m: st.tuples(*[st.lists(st.lists(st.integers(1, 6), min_size=m, max_size=m), min_size=m, max_size=m)] * 2)
    )
)
def test_classifiers_are_compared_by_the_scores_written_out(pair: tuple[list[list[int]], list[list[int]]]) -> None:
    a, b = map(ix.from_confusion, pair)
    averages = [*OVER_CLASSES, *OVER_EXAMPLES, *POOLED]
    found = a.dominates(b, measures=sorted(FORMULAS), averages=averages)
    for name in FORMULAS:
        for average in averages:
            x, y = (by_hand(name, average, per_class(w), rights_and_wrongs(w)) for w in pair)
            assert x is not None
            assert y is not None
            where = found.better if x > y else found.worse if x < y else found.equal
            assert (name, average) in where
    front = ix.theory.pareto({"a": a, "b": b}, ["f1"], averages=["predicted"]).front
    x, y = (by_hand("f1", "predicted", per_class(w)) for w in pair)
    assert front == (("a", "b") if x == y else ("a",) if x > y else ("b",))


# --- findings ---------------------------------------------------------------------------------------------------------


def test_findings_about_new_averages() -> None:
    def kinds(ev: ix.Evaluation, measures: list[str], averages: list[str]) -> set[str]:
        return {f.kind for f in ev.findings(measures, averages)}

    rare = ix.from_confusion([[500, 10, 5], [10, 400, 5], [2, 1, 1]])
    assert kinds(rare, ["recall"], ["mean"]) == kinds(rare, ["recall"], ["macro"]) >= {"tiny classes"}
    assert kinds(rare, ["recall"], ["total"]) == kinds(rare, ["recall"], ["micro"])
    assert not kinds(rare, ["recall"], ["predicted"])  # nothing is known about such weights, and so nothing is said
    text = next(f.text for f in rare.findings(["recall"], ["mean"]) if f.kind == "tiny classes")
    assert f"move mean recall from 0.967 to {float(rare.score('recall', 'mean')):.3f}" in text
    (repeated,) = EXAMPLE.findings(["precision"], ["micro", "predicted", "product"])[-1:]
    assert repeated.kind == "redundant"
    assert "with these class sizes predicted precision from micro precision" in repeated.text
    assert {"predicted", "product", "labels"} <= {s.average for s in _examined(EXAMPLE).pairs}, "the default is the table"
    assert EXAMPLE.findings()


def _examined(ev: ix.Evaluation) -> Any:
    from indicatrix.theory.result.examined_result import ExaminedResult

    return ExaminedResult.of(ev, ["f1"], None, False)


# --- groups -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("known", "new"), [("micro", "total"), ("macro", "mean"), ("macro", "constant")])
def test_groups_differ_under_a_new_name_as_under_the_old(known: str, new: str) -> None:
    rng = np.random.default_rng(0)
    y, site = rng.integers(0, 3, 60), rng.choice(["x", "y"], 60)
    ev = ix.evaluate(y, np.where(rng.random(60) < 0.6, y, rng.integers(0, 3, 60)), by={"site": site})
    for name in ("recall", "f1"):
        one, other = (ev.compare_groups(name, "site", average=average) for average in (known, new))
        assert np.array_equal(one.distances(), other.distances())
        assert str(one).split()[1:] == str(other).split()[1:]


# --- identification ---------------------------------------------------------------------------------------------------


def predicted_f1(y_true: Any, y_pred: Any) -> float:
    """Return F1 weighted by predicted positives, from plain label vectors; 0 for a class without a value."""
    total = over = 0.0
    for c in sorted({*y_true.tolist(), *y_pred.tolist()}):
        t, p = y_true == c, y_pred == c
        total += p.sum() * (2 * (t & p).sum() / (t.sum() + p.sum()))
        over += p.sum()
    return float(total / over)


@pytest.mark.slow
def test_a_function_is_identified_as_a_new_average() -> None:
    found = ix.identify(predicted_f1, style="multiclass")
    assert (found.measure, found.average) == (ix.f1, "predicted")
    assert str(found).startswith("predicted f1")
    # The name may come to stand for other weights; what was remembered of it is then not used.
    AVERAGES["predicted"] = Average(("class",), ix.measure("(tp + fp)**2"), "squares")
    assert not ix.identify(predicted_f1, style="multiclass")
    del AVERAGES["predicted"]
    assert not ix.identify(predicted_f1, style="multiclass")


# --- what is proved for some shapes only ------------------------------------------------------------------------------


def test_floors_and_thresholds_are_refused_where_nothing_is_proved() -> None:
    assert ix.theory.floor("mcc", 10, average="total") == ix.theory.floor("mcc", 10)
    assert ix.theory.floor("specificity", 3, average="mean", sizes=[2, 1, 1]) == Fraction(4, 9)
    with pytest.raises(
        ValueError,
        match=r"'predicted' does not depend on m only. Use 'micro', 'exemplar', 'total', or 'macro' or 'mean'",
    ):
        ix.theory.floor("mcc", 3, average="predicted")
    with pytest.raises(
        ValueError, match=r"'labels' does not depend on m only. Only micro, exemplar and total scores can be rescaled"
    ):
        ix.theory.rescale(0.5, 3, measure="f1", average="labels")
    eta = [[0.9, 0.2], [0.4, 0.7]]
    best = ix.theory.optimal_threshold("f1", eta, average="mean")
    assert (best.threshold, best.value) == (ix.theory.optimal_threshold("f1", eta, average="macro").threshold, best.value)
    with pytest.raises(ValueError, match=r"'predicted' .* Choose 'micro', 'macro', 'exemplar', 'mean' or 'total'"):
        ix.theory.optimal_threshold("f1", eta, average="predicted")
    assert bayes_threshold(ix.informedness).averages == ("micro", "macro", "mean", "total")
    assert "but not exemplar" in bayes_threshold(ix.informedness).evidence.note


def test_redundancy_is_refused_off_the_confusion_matrix() -> None:
    with pytest.raises(
        ValueError, match=r"'folds' is not a function of the confusion matrix here. Choose from micro, .* predicted"
    ):
        EXAMPLE.redundant("f1", ["folds"])
    with pytest.raises(ValueError, match="mcc is not a ratio of two linear forms"):
        EXAMPLE.redundant("mcc", ["defined"])
    assert EXAMPLE.exact("f1", "defined") == EXAMPLE.exact("f1", "micro")
    with pytest.raises(ValueError, match="mcc is not a ratio of two linear forms"):
        EXAMPLE.exact("mcc", "defined")


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["theory", "inference/groups", "vision"])
def test_no_module_compares_the_name_of_an_average(folder: str) -> None:
    names = {*AVERAGES, *ALIASES} - {*ROWS}
    for path in (Path(ix.__file__).parent / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Compare):
                constants = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)}
                assert not constants & names, f"{path.name}:{node.lineno}"
