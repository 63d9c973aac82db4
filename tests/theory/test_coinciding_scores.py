"""Which scores coincide: exact values partition them, theorems and fresh data tell the necessary from the accidental."""

from __future__ import annotations

import math
import pickle
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix
from indicatrix.algebra.average import averages_over, averages_that, find_average
from indicatrix.algebra.numbers.exact import exactly, is_defined, order
from indicatrix.theory.formula.closed_thresholds import Moebius, fit_moebius
from indicatrix.theory.result.coinciding_scores import CoincidingScores, Group, coinciding_scores
from indicatrix.theory.result.examined_result import has_accuracy_form, is_one_hot, of_accuracy

EVERY = tuple(dict.fromkeys(ix.algebra.MEASURES.values()))
ACCURACY = "thm:micro_collapse"
AVERAGES = averages_over("class", "example")
OF_ACCURACY = averages_that(has_accuracy_form)
COUNTEREXAMPLE = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])  # ex:counterexample


def exists(measure: ix.Measure, average: str) -> bool:
    return not measure.averages or average in measure.averages


def literal(Y: np.ndarray, Yhat: np.ndarray, measure: ix.Measure, average: str) -> Any:
    """Return a score of two 0/1 matrices, exactly and straight from the definitions; nan if undefined."""
    value = exactly(measure)
    table = np.stack([Y & Yhat, ~Y & Yhat, Y & ~Yhat, ~Y & ~Yhat])
    row = find_average(average)
    if row.pools:
        x = value(*table.sum(axis=(1, 2)).tolist())
        return x if is_defined(x) else math.nan
    units = table.sum(axis=2 if row.per == ("example",) else 1).T.tolist()
    weights = [1 if row.weight is None else row.amounts(measure, ix.Counts(*v)) for v in units]
    kept = [(value(*v), w) for v, w in zip(units, weights, strict=True) if w and is_defined(value(*v))]
    if not kept:
        return math.nan
    if all(type(x) is Fraction for x, _ in kept):
        return sum(x * w for x, w in kept) / sum(w for _, w in kept)
    import mpmath

    with mpmath.workdps(60):
        exact = [mpmath.mpf(x.numerator) / x.denominator if type(x) is Fraction else x for x, _ in kept]
        return mpmath.fsum(x * w for x, (_, w) in zip(exact, kept, strict=True)) / sum(w for _, w in kept)


def hot(y: Any, m: int) -> np.ndarray:
    return np.asarray(y)[:, None] == np.arange(m)


def equal(x: Any, y: Any) -> bool:
    return is_defined(x, y) and order(x, y) == 0


def necessary(result: CoincidingScores) -> Iterator[Group]:
    for group in result.groups:
        yield from (group,) if group.theorem else group.parts


@st.composite
def labels(draw: st.DrawFn, largest: int = 12) -> tuple[list[int], list[int], int]:
    m, n = draw(st.integers(1, 4)), draw(st.integers(1, largest))
    y, yhat = (draw(st.lists(st.integers(0, m - 1), min_size=n, max_size=n)) for _ in range(2))
    return y, yhat, m


# --- the one-hot check ------------------------------------------------------------------------------------------------


@given(labels(), st.data())
def test_one_hot_is_lost_by_a_single_row_that_is_not(problem: Any, data: st.DataObject) -> None:
    y, yhat, m = problem
    Y, Yhat = hot(y, m).astype(int), hot(yhat, m).astype(int)
    assert is_one_hot(ix.evaluate(y, yhat, classes=range(m)))
    assert is_one_hot(ix.evaluate(Y, Yhat))
    assert is_one_hot(ix.cells(Y, Yhat))
    i, j = data.draw(st.integers(0, len(y) - 1)), data.draw(st.integers(0, m - 1))
    for side in (Y, Yhat):
        changed = side.copy()
        changed[i, j] ^= 1  # one label more, or one less: an abstention, a missing or a second label
        pair = (changed, Yhat) if side is Y else (Y, changed)
        assert not is_one_hot(ix.evaluate(*pair))
        assert not is_one_hot(ix.cells(*pair))
    mask = np.ones((len(y), m), bool)
    mask[i, j] = False
    assert not is_one_hot(ix.evaluate(Y, Yhat, mask=mask))


def test_what_is_not_known_to_be_one_hot() -> None:
    assert not is_one_hot(ix.from_counts([1, 2], [1, 0], [0, 1], [2, 1]))
    assert not is_one_hot(ix.evaluate([], []))
    assert not is_one_hot(ix.evaluate([[0.5, 0.5]], [[0.5, 0.5]], tnorm="product"))
    assert is_one_hot(ix.from_confusion([[2, 1], [0, 3]]))
    assert is_one_hot(ix.evaluate([0, 1], [1, 1], sample_weight=[0.1, 0.7]))
    assert is_one_hot(ix.evaluate([0, 1, 2], [1, 1, 0], sample_weight=[1, 1, 0]))


# --- functions of accuracy --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_closed_forms_equal_the_scores_of_the_whole_registry() -> None:
    rng = np.random.default_rng(5)
    for m, n in ((2, 9), (4, 11)):
        y, yhat = rng.integers(0, m, (2, n))
        yhat[: n // 2] = y[: n // 2]
        Y, Yhat = hot(y, m), hot(yhat, m)
        acc = Fraction(int((y == yhat).sum()), n)
        for measure in EVERY:
            for average in OF_ACCURACY:
                if exists(measure, average):
                    form, score = of_accuracy(measure, average, m=m, n=n), literal(Y, Yhat, measure, average)
                    assert is_defined(form(acc)) == is_defined(score), (measure, average)
                    assert not is_defined(score) or equal(form(acc), score), (measure, average)
                    if form.moebius is not None and is_defined(score):
                        assert equal(form.moebius(acc), score), (measure, average, form.text)


@pytest.mark.one_fast_case
@pytest.mark.parametrize("m", [2, 3, 10])
def test_full_collapse(m: int) -> None:
    """Facts id.fullcollapse, id.jaccard, id.exemplar_acc and id.hamming, errata B2."""
    chance, negative = (lambda a: (m * a - 1) / (m - 1)), (lambda a: 1 - (1 - a) / (m - 1))
    laws = {
        ("precision", "recall", "f1", "f_beta(beta=2)", "fowlkes_mallows"): lambda a: a,
        ("mcc", "cohen_kappa", "informedness", "markedness"): chance,
        ("specificity", "negative_predictive_value"): negative,
        ("accuracy",): lambda a: 1 - Fraction(2, m) * (1 - a),
        ("error_rate",): lambda a: Fraction(2, m) * (1 - a),
        ("jaccard",): lambda a: a / (2 - a),
    }
    for names, law in laws.items():
        for name in names:
            form = of_accuracy(name, m=m)
            assert form.moebius is not None
            assert all(form(a) == form.moebius(a) == law(a) for a in (Fraction(k, 31) for k in range(32)))
            assert form.trend == ("decreasing" if name == "error_rate" else "increasing")
    exemplar = of_accuracy("accuracy", "exemplar", m=m)
    assert all(exemplar(Fraction(k, 7)) == Fraction(m - 2, m) + Fraction(2, m) * Fraction(k, 7) for k in range(8))


def test_a_collapse_in_words_has_the_forms_that_say_more_than_accuracy() -> None:
    ev = ix.from_confusion([[8, 1, 1], [2, 6, 2], [0, 1, 9]])
    lines = str(coinciding_scores(ev, ["f1", "jaccard", "mcc"], ["micro"])).splitlines()
    assert [line for line in lines if line.startswith("micro") and "because" not in line] == [
        "micro jaccard = acc/(2 - acc)",
        "micro mcc = (3 acc - 1)/2",
    ]


def test_closed_forms_in_words() -> None:
    def say(name: str, average: str = "micro", **facts: Any) -> str:
        return str(of_accuracy(name, average, **{"m": 10, **facts}))

    assert say("mcc") == "(10 acc - 1)/9"
    assert say("recall") == "acc"
    assert say("jaccard") == "acc/(2 - acc)"
    assert say("conviction", m=4) == "3/(4 - 4 acc)"
    assert say("g_mean") == "a function of accuracy, increasing"
    assert say("ample") == "a function of accuracy, neither increasing nor decreasing"
    assert say("guttman_lambda_a", m=4) == "a function of accuracy, non-decreasing"
    assert say("piatetsky_shapiro", m=4, n=50) == "(100 acc - 25)/2 at n = 50"
    assert say("prevalence") == "1/10"
    assert say("positive_likelihood_ratio", "exemplar") == "0"  # right examples are undefined and left out
    assert say("sensitivity_index", "exemplar") == "undefined"
    assert math.isnan(of_accuracy("positive_likelihood_ratio", "exemplar", m=3)(1))
    assert math.isnan(of_accuracy("recall", m=1)(Fraction(1, 2)))  # with one class no example can be wrong
    assert of_accuracy("recall", m=1)(1) == 1


coefficients = st.integers(-9, 9)


@given(coefficients, coefficients, coefficients, coefficients)
def test_moebius_functions_are_found_from_their_values(p: int, q: int, r: int, s: int) -> None:
    points = [(a, Fraction(p * a + q, r * a + s)) for a in (Fraction(k, 12) for k in range(13)) if r * a + s]
    if len(points) < 4:
        return
    found = fit_moebius(points)
    assert found is not None
    assert all(found(a) == x for a, x in points)
    assert math.gcd(found.p, found.q, found.r, found.s) == 1
    spoilt = [*points[:-1], (points[-1][0], points[-1][1] + Fraction(1, 10**9))]
    assert fit_moebius(spoilt) is None
    value = found(Fraction(2, 7))
    if is_defined(value):
        assert read(str(found), Fraction(2, 7)) == value


def read(text: str, acc: Fraction) -> Fraction:
    """Return the value of a closed form's text."""
    num, _, den = text.partition("/")
    parts = []
    for part in (num, den or "1"):
        words, total, sign = part.strip("()").split(), Fraction(0), 1
        for i, word in enumerate(words):
            if word in ("+", "-"):
                sign = 1 if word == "+" else -1
            elif word in ("acc", "-acc"):
                scale = Fraction(words[i - 1]) if i and words[i - 1] not in ("+", "-") else Fraction(1)
                total += (-1 if word == "-acc" else 1) * sign * scale * acc
            elif i + 1 == len(words) or words[i + 1] != "acc":
                total += sign * Fraction(word)
        parts.append(total)
    return parts[0] / parts[1]


def test_functions_that_bend_are_no_moebius_functions() -> None:
    grid = [Fraction(k, 24) for k in range(25)]
    assert fit_moebius([(a, a * a) for a in grid]) is None
    assert fit_moebius([(a, max(a, Fraction(1, 3))) for a in grid]) is None
    assert fit_moebius([(a, abs(a - Fraction(1, 2))) for a in grid]) is None
    assert fit_moebius([]) is None
    assert fit_moebius([(a, Fraction(2, 6)) for a in grid]) == Moebius(0, 1, 0, 3)


# --- groups -----------------------------------------------------------------------------------------------------------


def check_partition(result: CoincidingScores, scores: dict[Any, Any]) -> None:
    """Assert that groups are the classes of equal exact values, and every score is somewhere once."""
    of = {s: i for i, g in enumerate(result.groups) for s in g.scores}
    everywhere = [*of, *result.differ, *result.undefined]
    assert set(everywhere) == set(scores)
    assert len(everywhere) == len(scores)
    for s, x in scores.items():
        assert is_defined(x) == (s not in result.undefined)
        assert s not in of or equal(x, result.groups[of[s]].value)
    for s, t in combinations([s for s in scores if is_defined(scores[s])], 2):
        together = s in of and of.get(s) == of.get(t)
        assert together == equal(scores[s], scores[t]), (s, t)
    for group in result.groups:
        assert len(group.scores) > 1
        assert bool(group.theorem) != (group.reason == "by these data only")
        assert all(part.theorem and len(part.scores) > 1 and set(part.scores) < set(group.scores) for part in group.parts)


@pytest.mark.slow
@given(labels())
def test_groups_partition_the_scores_by_exact_value(problem: Any) -> None:
    y, yhat, m = problem
    result = coinciding_scores(ix.evaluate(y, yhat, classes=range(m)))
    names = ("precision", "recall", "specificity", "mcc", "jaccard", "f1", "accuracy")
    scores = {
        (ix.algebra.MEASURES[n], a): literal(hot(y, m), hot(yhat, m), ix.algebra.MEASURES[n], a) for a in AVERAGES for n in names
    }
    check_partition(result, scores)
    assert result.one_hot
    assert result.accuracy == Fraction(sum(a == b for a, b in zip(y, yhat, strict=True)), len(y))
    assert set(result.of_accuracy) == {s for s in scores if s[1] in OF_ACCURACY}
    for s, form in result.of_accuracy.items():
        assert is_defined(form(result.accuracy)) == is_defined(scores[s])
        assert not is_defined(scores[s]) or equal(form(result.accuracy), scores[s])


binary_matrices = st.tuples(st.integers(1, 4), st.integers(1, 6)).flatmap(
    lambda shape: st.tuples(
        *[
            st.lists(st.booleans(), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]).map(
                lambda x: np.array(x).reshape(shape[1], shape[0])
            )
        ]
        * 2
    )
)


@pytest.mark.slow
@given(binary_matrices)
def test_groups_of_several_labels(problem: Any) -> None:
    Y, Yhat = problem
    names = ("recall", "false_negative_rate", "f1", "accuracy", "error_rate", "mcc")
    result = coinciding_scores(ix.evaluate(Y.astype(int), Yhat.astype(int)), names)
    scores = {(ix.algebra.MEASURES[n], a): literal(Y, Yhat, ix.algebra.MEASURES[n], a) for a in AVERAGES for n in names}
    check_partition(result, scores)
    always = [set(group.scores) for group in necessary(result)]
    for name in ("accuracy", "error_rate"):  # fact cor2.acc_always_equal
        assert any({(ix.algebra.MEASURES[name], a) for a in ("micro", "macro", "exemplar")} <= group for group in always)
    if is_defined(scores[ix.recall, "micro"]):  # errata A11
        assert any({(ix.recall, "micro"), (ix.recall, "weighted")} <= group for group in always)
    sums = {(c.first, c.second) for c in result.complements}
    assert (((ix.accuracy, "micro"), (ix.error_rate, "micro"))) in sums
    for one, other in sums:
        assert equal(scores[one] + scores[other], Fraction(1))
    assert not any(ACCURACY in group.theorem for group in result.groups) or result.one_hot


def shuffled(y: np.ndarray, yhat: np.ndarray, rng: random.Random) -> np.ndarray:
    """Return predictions with the same number of each class: denominators that read the margins stay as they are."""
    return np.array(rng.sample(yhat.tolist(), len(yhat)))


def still_claimed(group: Group, measure: ix.Measure, average: str, Y: np.ndarray, Yhat: np.ndarray) -> bool:
    """Return whether the conditions that may have led to a claim hold on these data too: equal denominators of classes."""
    conditional = any(label in group.theorem for label in ("cor:micro_macro_balance", "thm:micro_macro"))
    if not conditional or average not in ("macro", "weighted"):
        return True
    if measure.decomposition is None or (average, measure) == ("weighted", ix.recall):
        return True
    counts = ix.cells(Y, Yhat).aggregate("class")
    return len({*measure.denominator(counts).tolist()} - {0.0}) < 2


@pytest.mark.slow
@pytest.mark.parametrize("m", [2, 3, 4])
def test_what_theorems_claim_holds_for_fresh_data(m: int) -> None:
    rng = random.Random(m)
    names = [*(x.name for x in rng.sample(EVERY, 12)), "recall", "precision", "f1", "jaccard", "mcc", "cohen_kappa", "accuracy"]
    measures = [ix.algebra.MEASURES[x] for x in names]
    balance = rng.random() < 0.5
    y = np.array([i % m for i in range(4 * m)] if balance else [rng.randrange(m) for _ in range(4 * m)] + [*range(m)])
    yhat = np.array([c if rng.random() < 0.6 else rng.randrange(m) for c in y])
    result = coinciding_scores(ix.evaluate(y, yhat, classes=range(m)), measures)
    assert any(ACCURACY in group.theorem for group in necessary(result))
    for _ in range(6):
        other = shuffled(y, yhat, rng)
        Y, Yhat = hot(y, m), hot(other, m)
        for group in necessary(result):
            values = [literal(Y, Yhat, *score) for score in group.scores if still_claimed(group, *score, Y, Yhat)]
            assert all(equal(x, z) for x, z in combinations([v for v in values if is_defined(v)], 2)), group


def test_formulas_that_agree_above_chance_only_are_told_apart() -> None:
    y = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2]
    yhat = [0, 0, 1, 1, 1, 2, 2, 2, 2, 2]
    (group,) = coinciding_scores(ix.evaluate(y, yhat), ["markedness", "ample"], "macro").groups
    assert (group.theorem, group.reason) == ("", "by these data only")
    (group,) = coinciding_scores(ix.evaluate(y, yhat), ["f1", "2*tp/(2*tp+fp+fn)"], "macro").groups
    assert group.theorem == "sec:redundancy"


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=12))
def test_of_two_classes_each_is_what_the_other_is_not(pairs: list[tuple[int, int]]) -> None:
    """Errata B8: measures that do not care which class is positive have one value, whatever the average over classes."""
    result = coinciding_scores(
        ix.evaluate(*zip(*pairs, strict=True), classes=[0, 1]), ["mcc", "recall", "specificity"], ["macro", "binary"]
    )
    always = [set(group.scores) for group in necessary(result)]
    if (ix.mcc, "binary") not in result.undefined:
        assert any({(ix.mcc, "macro"), (ix.mcc, "binary")} <= group for group in always)
    if not {s for s in result.undefined if s[1] == "macro"} & {(ix.recall, "macro"), (ix.specificity, "macro")}:
        assert any({(ix.recall, "macro"), (ix.specificity, "macro")} <= group for group in always)
    assert not any({(ix.recall, "binary"), (ix.recall, "macro")} <= group for group in always)


@given(labels(8), st.data())
def test_abstaining_loses_the_collapse(problem: Any, data: st.DataObject) -> None:
    """Errata B7: precision is C/(n - a), recall C/n."""
    y, yhat, m = problem
    Y, Yhat = hot(y, m), hot(yhat, m)
    Yhat[data.draw(st.integers(0, len(y) - 1))] = False
    result = coinciding_scores(ix.evaluate(Y.astype(int), Yhat.astype(int)))
    assert not result.one_hot
    assert result.accuracy is None
    assert not result.of_accuracy
    for group in necessary(result):
        assert ACCURACY not in group.theorem
        assert not {(ix.precision, "micro"), (ix.recall, "micro")} <= set(group.scores)


@pytest.mark.slow
@given(labels(8), st.data())
@examples(15)
def test_weights_are_multiplicities(problem: Any, data: st.DataObject) -> None:
    y, yhat, m = problem
    times = data.draw(st.lists(st.integers(1, 3), min_size=len(y), max_size=len(y)))
    tenth = coinciding_scores(
        ix.evaluate(y, yhat, classes=range(m), sample_weight=[0.125 * t for t in times]), ["f1", "recall", "mcc"]
    )
    often = coinciding_scores(ix.evaluate(np.repeat(y, times), np.repeat(yhat, times), classes=range(m)), ["f1", "recall", "mcc"])
    assert tenth.accuracy == often.accuracy
    assert [(g.scores, float(g.value)) for g in tenth.groups] == [(g.scores, float(g.value)) for g in often.groups]


def test_weights_that_are_no_binary_fractions_are_exact_all_the_same() -> None:
    result = coinciding_scores(ix.evaluate([0, 1, 2, 2, 1], [0, 1, 1, 2, 0], sample_weight=[0.1, 0.2, 0.3, 0.7, 1.1]))
    group = next(g for g in result.groups if (ix.f1, "micro") in g.scores)
    assert {(ix.precision, "micro"), (ix.recall, "micro"), (ix.recall, "weighted"), (ix.f1, "exemplar")} <= set(group.scores)
    assert group.theorem.startswith(ACCURACY)


def test_the_example_of_the_paper() -> None:
    """ex:counterexample: class sizes differ, so that micro and macro differ but for accuracy."""
    result = coinciding_scores(COUNTEREXAMPLE, averages=("micro", "macro", "weighted", "exemplar"))
    values = {float(g.value): {str(s) for s in g.scores} for g in result.groups}
    accuracy = {f"{a} {m}" for a in ("micro", "exemplar") for m in ("precision", "recall", "f1")}
    assert values[8 / 11] == accuracy | {"weighted recall", "exemplar jaccard"}
    assert values[9 / 11] == {"micro label accuracy", "macro label accuracy", "exemplar label accuracy"}
    assert {str(g.theorem).partition(",")[0] for g in result.groups if g.value == Fraction(8, 11)} == {ACCURACY}
    assert all(group.theorem for group in result.groups)
    assert str(result.of_accuracy[ix.mcc, "micro"]) == "(3 acc - 1)/2"
    text = str(coinciding_scores(COUNTEREXAMPLE, ["precision", "recall", "f1", "error_rate", "accuracy"], "micro"))
    why = "every example has one true and one predicted class"
    assert f"micro precision = micro recall = micro f1 = accuracy = 0.727, because {why}" in text
    assert "micro error_rate + micro label accuracy = 1, because every entry is right or wrong" in text
    assert pickle.loads(pickle.dumps(result)) == result


def test_equal_denominators_and_equal_class_sizes() -> None:
    """cor:micro_macro_balance: equal class sizes balance recall, not precision; and weighted is then macro for all."""
    y, yhat = [0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 1, 2, 0, 1]
    always = {frozenset(g.scores): g for g in necessary(coinciding_scores(ix.evaluate(y, yhat), ["recall", "precision"]))}
    together = {score: scores for scores in always for score in scores}
    assert (ix.recall, "macro") in together[ix.recall, "micro"]
    assert "cor:micro_macro_balance" in always[together[ix.recall, "macro"]].theorem
    assert together[ix.precision, "macro"] == {(ix.precision, "macro"), (ix.precision, "weighted")}
    assert (ix.precision, "macro") not in together[ix.precision, "micro"]


def test_equal_values_do_not_balance_denominators() -> None:
    """cor:micro_macro_balance asks for equal denominators; recalls of 1/2 in classes of 2 and 4 are equal by accident."""
    (group,) = coinciding_scores(ix.from_confusion([[1, 1, 0], [0, 2, 2], [1, 2, 3]]), "recall", ["micro", "macro"]).groups
    assert (group.theorem, group.reason) == ("", "by these data only")
    (group,) = coinciding_scores(ix.from_confusion([[1, 1, 0], [0, 1, 1], [1, 0, 1]]), "recall", ["micro", "macro"]).groups
    assert group.theorem == "cor:micro_macro_balance"


def test_complements_are_exactly_the_measures_that_add_to_one() -> None:
    measures = [x for x in EVERY if x.group in ("accuracy", "positive class", "negative class", "balance") and not x.averages]
    found = {
        (c.first.measure, c.second.measure): c.theorem for c in coinciding_scores(COUNTEREXAMPLE, measures, "micro").complements
    }
    rng = random.Random(0)
    vectors = [tuple(rng.randint(1, 50) for _ in range(4)) for _ in range(4)]
    for one, other in combinations(measures, 2):
        adds = all(abs(float(exactly(one)(*v)) + float(exactly(other)(*v)) - 1) < 1e-12 for v in vectors)
        assert ((one, other) in found) == adds, (one, other)
    assert not coinciding_scores(
        COUNTEREXAMPLE, ["accuracy", "(tp+fp+fn)/(tp+fp+fn+tn)"], "micro"
    ).complements  # they add to more
    assert found[ix.accuracy, ix.error_rate] == "prop:hamming_accuracy"
    assert found[ix.recall, ix.false_negative_rate] == "prop:which_decomposable"
    assert found[ix.measures.balanced_error_rate, ix.balanced_accuracy] == "sec:redundancy"


def test_a_theorem_may_lead_over_scores_that_are_not_asked_for() -> None:
    ev = ix.evaluate([0, 0, 1, 1], [0, 1, 1, 1])
    one, other = (coinciding_scores(ev, m, a) for m, a in ((["recall"], ["macro"]), (["recall"], ["macro", "weighted"])))
    assert one.differ == ((ix.recall, "macro"),)
    assert other.groups[0].theorem
    mixed = coinciding_scores(
        ix.evaluate([0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 0]), ["recall", "subset_accuracy"], ["macro", "exemplar"]
    )
    (group,) = mixed.groups  # macro recall = micro recall = exemplar recall = exact match
    assert set(group.scores) == {(ix.recall, "macro"), (ix.recall, "exemplar"), (ix.subset_accuracy, "exemplar")}
    assert "cor:micro_macro_balance" in group.theorem


def test_a_mask_unbalances_accuracy() -> None:
    """Errata B6."""
    rng = np.random.default_rng(1)
    Y, Yhat, mask = rng.integers(0, 2, (6, 3)), rng.integers(0, 2, (6, 3)), rng.random((6, 3)) < 0.7
    result = coinciding_scores(ix.evaluate(Y, Yhat, mask=mask), ["accuracy", "error_rate"])
    assert not result.one_hot
    assert not any("errata B2" in group.theorem for group in necessary(result))
    assert {c.theorem for c in result.complements} == {"prop:hamming_accuracy"}
    even = coinciding_scores(
        ix.evaluate(Y[:3], Yhat[:3], mask=~np.eye(3, dtype=bool)), "accuracy", ["micro", "macro", "exemplar"]
    )
    assert [group.theorem for group in even.groups] == ["cor:micro_macro_balance"]


def test_memberships_are_compared_as_far_as_their_counts_are_known() -> None:
    rng = np.random.default_rng(2)
    Y, Yhat = rng.random((5, 3)), rng.random((5, 3))
    (group,) = coinciding_scores(ix.evaluate(Y, Yhat, tnorm="product"), "accuracy", ["micro", "macro", "exemplar"]).groups
    assert len(group.scores) == 3
    assert group.theorem
    assert coinciding_scores(ix.evaluate(Y, Yhat, tnorm="godel"), "accuracy", ["micro", "macro"]).differ


def test_other_averages_and_shapes() -> None:
    folds = {"fold": [1, 1, 2, 2]}
    ev = ix.evaluate([0, 1, 1, 2], [0, 1, 2, 2], by=folds)
    (group,) = coinciding_scores(ev, "recall", ["micro", "fold", "samples", "denominator"]).groups
    assert [s.average for s in group.scores] == ["micro", "fold", "exemplar", "denominator"]
    assert "thm:micro_macro" in group.theorem
    assert "cor:micro_macro_balance" in group.theorem
    counts = coinciding_scores(ix.from_counts([1, 2], [3, 4], [2, 2], [5, 3]), "recall")
    assert [str(s) for s in counts.unknown] == [f"{a} recall" for a in averages_that(lambda rule: rule.per == ("example",))]
    assert "unknown: exemplar recall" in str(counts)
    empty = coinciding_scores(ix.evaluate([], []))
    assert not empty.groups
    assert not empty.differ
    assert len(empty.undefined) == 7 * len(AVERAGES)
    single = coinciding_scores(ix.from_counts(3, 1, 2, 4), "mcc", ["micro", "macro", "weighted", "binary"])
    assert [len(g.scores) for g in single.groups] == [4]
    assert single.groups[0].theorem


def test_errors() -> None:
    with pytest.raises(ValueError, match=r"average='makro' is unknown here. Did you mean macro"):
        coinciding_scores(COUNTEREXAMPLE, averages=["makro"])
    with pytest.raises(ValueError, match=r"exact_match exists only as exemplar; averages= names micro"):
        coinciding_scores(COUNTEREXAMPLE, "exact_match", "micro")
    with pytest.raises(ValueError, match=r"mcc is not a ratio of two linear forms"):
        coinciding_scores(COUNTEREXAMPLE, "mcc", "denominator")
    with pytest.raises(ValueError, match="average='macro' reads single classes"):
        of_accuracy("f1", "macro", m=3)
    with pytest.raises(ValueError, match="m=0 must be a number of classes"):
        of_accuracy("f1", m=0)
    with pytest.raises(ValueError, match="An accuracy lies between 0 and 1, but 2 was given"):
        of_accuracy("f1", m=3)(2)
