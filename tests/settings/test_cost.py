"""Costs: the bilinear form on one-hot indicators, cost-weighted cells, costs per label (sec:cost, errata A3 to A6, B12)."""

from __future__ import annotations

import copy
import math
import pickle
from decimal import Decimal
from fractions import Fraction
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix.algebra.numbers.exact import as_written, exactly
from indicatrix.settings.cost_matrices import CostMatrix, label_costs, read_cost, read_matrix
from indicatrix.tally.cells import Cells
from indicatrix.tasks.cost import cost, cost_of

COSTS = st.fractions(0, 5, max_denominator=8)
SIGNED = st.fractions(-5, 5, max_denominator=8)
laws = examples(30)


@st.composite
def problems(draw, costs=COSTS, diagonal=False, least=0):
    """Draw the codes of both sides, the number of classes and a cost matrix of fractions."""
    m, n = draw(st.integers(1, 4)), draw(st.integers(least, 8))
    y, yhat = (draw(st.lists(st.integers(0, m - 1), min_size=n, max_size=n)) for _ in range(2))
    C = np.empty((m, m), object)
    for j, k in np.ndindex(m, m):
        C[j, k] = draw(costs) if diagonal or j != k else Fraction(0)
    return y, yhat, m, C


def one_hot(codes, m):
    """Return the one-hot matrix of codes in exact integers; -1 is an all-zero row."""
    matrix = np.zeros((len(codes), m), object)
    for i, k in enumerate(codes):
        matrix[i, k if k >= 0 else []] = 1
    return matrix


def bilinear(y, yhat, m, C):
    """Return the terms of the total cost, entry by entry: (YC) o Yhat (eq:total_cost)."""
    return one_hot(y, m).dot(C) * one_hot(yhat, m)


def mean(values):
    values = list(values)
    return sum(values, Fraction(0)) / len(values)


def close(score, exact):
    """A mean of correctly rounded values may be off by the rounding of the mean."""
    return math.isclose(score, float(exact), rel_tol=1e-14, abs_tol=1e-14)


def weighted_cells(y, yhat, m, costs):
    """Return the literal cost-weighted cells of codes, in exact arithmetic."""
    classes = tuple(range(m))
    sides = (ix.types.Indicator.from_codes(np.array(codes, int), classes) for codes in (y, yhat))
    return Cells(*sides, scale=costs.on(classes).scale())


def test_cost_sensitive_evaluation():
    y, yhat = list("aaabbc"), list("aabcba")
    C = [[0, 1, 4], [2, 0, 3], [6, 5, 0]]  # pairs aa aa ab bc bb ca
    values = {"total": 10, "micro": Fraction(10, 6), "exemplar": Fraction(10, 6)}
    assert {a: cost(y, yhat, C, average=a) for a in values} == {a: float(v) for a, v in values.items()}
    by_true, by_predicted = (cost(y, yhat, C, average="macro", side=by) for by in ("true", "predicted"))
    assert by_true.values.tolist() == [1 / 3, 3 / 2, 6]
    assert by_predicted.values.tolist() == [6 / 3, 1 / 2, 3]
    assert close(by_true, Fraction(47, 18))
    assert close(by_predicted, Fraction(11, 6))
    cells = ix.evaluate(y, yhat, cost=CostMatrix(C, benefit=2))
    assert np.array(list(cells.aggregate("class"))).tolist() == [[4, 2, 0], [6, 1, 3], [1, 3, 6], [2, 3, 4]]
    assert cells.score("f1", "micro") == 12 / 32  # 2 * 6 / (2 * 6 + 10 + 10)
    assert cells.values("precision").tolist() == [4 / 10, 2 / 3, 0]
    assert cells.values("recall").tolist() == [4 / 5, 2 / 5, 0]


# Total cost.


@laws
@given(problems(SIGNED, diagonal=True))
def test_total_cost_is_the_bilinear_form(problem):
    y, yhat, m, C = problem
    terms = bilinear(y, yhat, m, C)
    total = Fraction(terms.sum())
    assert cost(y, yhat, C, classes=range(m), average="total") == float(total)
    for average in ("micro", "exemplar", "samples"):
        score = cost(y, yhat, C, classes=range(m), average=average)
        assert math.isnan(score) if not y else score == float(total / len(y))
    for by, codes in (("true", y), ("predicted", yhat)):
        score = cost(y, yhat, C, classes=range(m), average="macro", side=by)
        per_class = [[terms[i].sum() for i in range(len(y)) if codes[i] == j] for j in range(m)]
        means = [mean(x) if x else math.nan for x in per_class]
        assert np.array_equal(score.values, [float(x) for x in means], equal_nan=True)
        assert math.isnan(score) if not y else close(score, mean(x for x in means if x == x))
        assert score.undefined_units == (tuple(j for j in range(m) if not per_class[j]) if y else ("macro",))


@laws
@given(problems())
def test_unit_cost_is_half_the_false_cells(problem):
    y, yhat, m, _ = problem
    ev = ix.evaluate(y, yhat, classes=range(m))
    errors = sum(a != b for a, b in zip(y, yhat, strict=True))
    unit = 1 - np.eye(m, dtype=int)
    assert cost_of(ev, "zero_one", average="total") == cost_of(ev, unit, average="total") == errors
    assert 2 * errors == ev.aggregate().fp + ev.aggregate().fn


@laws
@given(problems(least=1))
def test_zero_one_loss_is_not_hamming_loss(problem):
    y, yhat, m, _ = problem
    ev = ix.evaluate(y, yhat, classes=range(m))
    loss = Fraction(sum(a != b for a, b in zip(y, yhat, strict=True)), len(y))
    assert cost_of(ev, "zero_one") == float(loss) == float(1 - Fraction(int(np.trace(ev.confusion)), len(y)))
    assert close(ev.score("hamming_loss", "micro"), Fraction(2, m) * loss)  # errata A6


@laws
@given(problems(least=1))
def test_ordinal_losses_are_costs(problem):
    y, yhat, m, _ = problem
    for name, power in (("absolute", 1), ("squared", 2)):  # thm:ordinal_cost
        loss = mean(Fraction(abs(a - b) ** power) for a, b in zip(y, yhat, strict=True))
        assert cost(y, yhat, name, classes=range(m)) == float(loss)


@laws
@given(problems(least=1))
def test_macro_cost_by_true_class_is_macro_mae(problem):
    y, yhat, m, _ = problem  # Baccianella, Esuli and Sebastiani (2009): the mean over classes that occur of their MAE
    per_class = [[abs(a - b) for a, b in zip(y, yhat, strict=True) if a == j] for j in range(m)]
    macro = mean(mean(map(Fraction, x)) for x in per_class if x)
    assert close(cost(y, yhat, "absolute", classes=range(m), average="macro"), macro)


@laws
@given(problems(least=1), COSTS, COSTS)
def test_binary_cost(problem, c_fn, c_fp):
    y, yhat = ([k > 0 for k in side] for side in problem[:2])
    v = ix.evaluate(y, yhat, classes=[False, True]).binary()
    total = cost(y, yhat, [[0, c_fn], [c_fp, 0]], classes=[True, False], average="total")
    assert total == float(c_fn * v.fn + c_fp * v.fp)


@laws
@given(problems(least=1))
def test_net_benefit_needs_a_benefit_on_the_diagonal(problem):
    y, yhat = ([k > 0 for k in side] for side in problem[:2])
    p_t = Fraction(1, 5)
    C = [[-1, 0], [p_t / (1 - p_t), 0]]  # errata B12: positive first, C[pos, pos] = -1
    net_benefit = ix.net_benefit.at(p_t=p_t)(y, yhat, positive=True, classes=[False, True])
    assert close(-cost(y, yhat, C, classes=[True, False]), net_benefit)


@laws
@given(problems(SIGNED, diagonal=True, least=1), st.data())
def test_weights_are_multiplicities(problem, data):
    y, yhat, m, C = problem
    times = data.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)))
    repeated = [[side[i] for i in range(len(y)) for _ in range(times[i])] for side in (y, yhat)]
    for average in ("micro", "total", "macro"):
        weighted = cost(y, yhat, C, classes=range(m), average=average, sample_weight=times)
        assert repr(weighted) == repr(cost(*repeated, C, classes=range(m), average=average))


@laws
@given(problems(SIGNED, diagonal=True, least=1), st.data())
def test_groups_are_averaged(problem, data):
    y, yhat, m, C = problem
    fold = data.draw(st.lists(st.sampled_from("xyz"), min_size=len(y), max_size=len(y)))
    site = data.draw(st.lists(st.integers(0, 1), min_size=len(y), max_size=len(y)))
    terms = bilinear(y, yhat, m, C).sum(axis=1)
    per_fold = {f: mean(Fraction(t) for t, g in zip(terms, fold, strict=True) if g == f) for f in sorted(set(fold))}
    score = cost(y, yhat, C, classes=range(m), average="fold", by={"fold": fold, "site": site})
    assert close(score, mean(per_fold.values()))
    assert score.values.tolist() == [float(x) for x in per_fold.values()]
    assert score.counts.names == (tuple(per_fold),)
    ev = ix.evaluate(y, yhat, classes=range(m), by={"fold": fold, "site": site})
    assert cost_of(ev, C, average="fold") == score
    assert cost_of(ev, C) == cost(y, yhat, C, classes=range(m))


@laws
@given(problems(SIGNED, diagonal=True), st.data())
def test_abstentions_have_a_price(problem, data):
    y, yhat, m, C = problem
    away = data.draw(st.lists(st.booleans(), min_size=len(y), max_size=len(y)))
    prices = data.draw(st.lists(SIGNED, min_size=m, max_size=m))
    said = [-1 if a else k for k, a in zip(yhat, away, strict=True)]
    sides = [ix.types.Indicator.from_codes(np.array(codes, int), range(m)) for codes in (y, said)]
    total = Fraction(bilinear(y, said, m, C).sum()) + sum(prices[j] for j, a in zip(y, away, strict=True) if a)
    assert cost(*sides, C, average="total", abstain_cost=prices) == float(total)
    priced = cost(*sides, C, average="macro", abstain_cost=dict(enumerate(prices)))
    one_more = np.column_stack([C, prices])
    per_class = [[one_more[j, k] for j, k in zip(y, said, strict=True) if j == c] for c in range(m)]
    assert np.array_equal(priced.values, [float(mean(x)) if x else math.nan for x in per_class], equal_nan=True)


def test_abstentions_in_predictions():
    y, yhat = ["a", "b", "b", "b"], ["a", None, "b", "a"]
    assert cost(y, yhat, "zero_one", missing="abstain", abstain_cost=Fraction(1, 4)) == 5 / 16
    assert cost(["a", "b"], ["a", "?"], "zero_one", abstain="?", abstain_cost=0) == 0
    with pytest.raises(ValueError, match=r"Pass abstain_cost=, one number or one per true class"):
        cost(y, yhat, "zero_one", missing="abstain")
    with pytest.raises(ValueError, match=r"side='predicted': an abstention has no predicted class"):
        cost(y, yhat, "zero_one", missing="abstain", abstain_cost=1, average="macro", side="predicted")


# Which matrices.


def test_a_data_frame_is_put_in_order():
    C = [[0, 1, 4], [2, 0, 3], [6, 5, 0]]
    names = ["c", "a", "b"]
    frame = pd.DataFrame(C, index=["a", "b", "c"], columns=["a", "b", "c"]).loc[names, ["b", "c", "a"]]
    y, yhat = list("aab"), list("abb")
    assert cost(y, yhat, frame) == cost(y, yhat, C, classes=list("abc")) == 1 / 3  # class c is priced and does not occur
    assert ix.evaluate(y, yhat).cost(frame) == cost_of(ix.evaluate(y, yhat), frame) == 1 / 3
    assert cost(ix.one_hot(y), ix.one_hot(yhat), frame) == 1 / 3
    assert cost(y, ["?", "a", "b"], frame.rename(index={"c": "?"}, columns={"c": "?"}), known=["a", "b"], unknown="?") == 4 / 3
    numbered = pd.DataFrame([[0, 1], [2, 0]])
    assert cost(["a", "b"], ["b", "b"], numbered, average="total") == 1  # not named: in the order of the classes
    assert cost([0, 1], [1, 1], numbered, classes=[1, 0], average="total") == 1
    assert (
        cost([True, False], [False, False], frame_of_bools := pd.DataFrame([[0, 7], [1, 0]], [True, False], [True, False])) == 3.5
    )
    assert cost([False, True], [False, False], frame_of_bools, classes=[False, True]) == 3.5


def test_a_taxonomy_prices_distances():
    tree = ix.taxonomy({"animal": None, "plant": None, "cat": "animal", "dog": "animal", "oak": "plant"})
    y, yhat = ["cat", "dog", "oak"], ["dog", "animal", "cat"]
    assert cost(y, yhat, tree, classes=["animal", "cat", "dog", "oak"], average="total") == 2 + 1 + 4
    assert CostMatrix(tree).on(("cat", "dog", "oak")).costs.tolist() == [[0, 2, 4], [2, 0, 4], [4, 4, 0]]


class Distances:
    """What a taxonomy offers."""

    def distance(self, classes):
        return np.array([[abs(len(a) - len(b)) for b in classes] for a in classes])


def test_anything_with_distances_is_a_matrix():
    assert cost(["a", "bb"], ["a", "cccc"], Distances()) == 1


def test_order_comes_from_classes_or_ordered_categoricals():
    grades = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    y, yhat = ["low", "high"], ["high", "high"]
    assert cost(pd.Series(y, dtype=grades), pd.Series(yhat, dtype=grades), "absolute") == 1
    assert cost(pd.Series(y, dtype=grades), yhat, "squared") == 2
    assert cost_of(ix.evaluate(y, yhat, classes=["low", "mid", "high"]), "absolute") == 1
    unordered = pd.Categorical(y, ["low", "mid", "high"])
    for labels in (y, unordered):
        with pytest.raises(ValueError, match=r"costs='absolute' counts ranks.*Pass classes= from the lowest to the highest"):
            cost(labels, yhat, "absolute")
    with pytest.raises(ValueError, match=r"costs='squared' counts ranks"):
        cost_of(ix.evaluate(y, yhat), "squared")
    with pytest.raises(ValueError, match=r"costs='absolute' counts ranks"):
        cost(ix.one_hot(y), ix.one_hot(yhat, ["high", "low"]), "absolute")


def test_numbers_are_exact():
    assert cost([0, 1, 1], [1, 0, 0], [[0, 0.1], [0.2, 0]], average="total") == float(Fraction(0.1) + 2 * Fraction(0.2))
    assert cost([0, 1], [1, 0], [[0, 2**53 + 1], [-(2**53), 0]], average="total") == 1
    assert cost([0, 1], [1, 0], [[0, 10**30 + 1], [-(10**30), 0]], average="total") == 1
    assert cost([0, 1], [1, 0], np.array([[0, 2**64 - 1], [0, 0]], np.uint64)) == (2**64 - 1) / 2
    assert cost([0, 1], [1, 0], [[0, Decimal("0.1")], [Fraction(1, 10), 0]]) == 0.1
    assert cost([0, 1], [1, 0], [[0, 2**53 + 1], [0.5, 0]], average="total") == float(2**53 + Fraction(3, 2))
    assert cost([0, 1], [1, 0], [[False, True], [np.float32(2), np.int8(0)]]) == 1.5
    assert cost([0, 1, 1], [0, 1, 1], "zero_one", sample_weight=[0.1, 0.2, 0.3]) == 0
    thirds = cost([0, 1, 1], [1, 1, 1], "zero_one", sample_weight=[0.1, 0.2, 0.3])
    assert thirds == float(Fraction(0.1) / (Fraction(0.1) + Fraction(0.2) + Fraction(0.3)))
    beyond = cost([0, 0], [1, 1], [[0, 1e308], [0, 0]], average="total")  # all floats
    assert beyond == beyond.values == math.inf


class Tensor:
    """An array of another library."""

    def __array__(self, dtype=None, copy=None):
        return np.array([[0, 3], [1, 0]], dtype)


def test_other_arrays():
    assert cost([0, 1], [1, 1], Tensor()) == 1.5
    ev = ix.evaluate(np.arange(2), np.array([1, 1]))
    before = np.array([[0, 3], [1, 0]])
    before.flags.writeable = False
    assert cost_of(ev, before) == 1.5


@pytest.mark.parametrize("n", [0, 1])
def test_hardly_any_rows(n):
    for C in ("zero_one", [[0, 1], [1, 0]]):
        assert cost([1] * n, [1] * n, C, classes=[0, 1], average="total") == 0
    none = cost([], [], [[0, 1], [1, 0]])
    assert math.isnan(none)
    assert repr(none) == "nan (micro cost; undefined)"
    assert cost([], [], "zero_one", undefined=0, average="macro", classes=["a", "b"]).values.shape == (2,)
    assert math.isnan(cost([], [], "zero_one", average="fold", by={"fold": []}))


@pytest.mark.slow
def test_many_rows_and_many_classes():
    rng = np.random.default_rng(0)
    y, yhat = rng.integers(5, size=(2, 10**6))
    assert cost(y, yhat, "squared", classes=range(5), average="total") == ((y - yhat) ** 2).sum()
    m = 1100
    y, yhat = rng.integers(m, size=(2, 5000))
    distance = abs(np.subtract.outer(np.arange(m), np.arange(m)))
    assert cost(y, yhat, distance, classes=range(m)) == abs(y - yhat).mean()
    assert cost(y, yhat, "absolute", classes=range(m), confusion=True) == abs(y - yhat).mean()
    fold = y % 2
    grouped = cost(y % 100, yhat % 100, distance[:100, :100], classes=range(100), average="fold", by={"fold": fold})
    assert close(grouped, np.mean([abs(y % 100 - yhat % 100)[fold == f].mean() for f in (0, 1)]))


# The score.


def test_a_score_of_costs_knows_its_convention():
    y, yhat = ["a", "a", "b"], ["a", "b", "b"]
    score = cost(y, yhat, "zero_one", classes=list("abc"), average="macro")
    assert repr(score) == "0.25 (macro zero_one cost; 1 of 3 classes undefined, excluded)"
    assert score.undefined_units == ("c",)
    assert dict(score.sensitivity().values)["exclude"] == score
    assert cost(y, yhat, "zero_one", classes=list("abc"), average="macro", undefined=1) == 0.5
    assert math.isnan(cost(y, yhat, "zero_one", classes=list("abc"), average="macro", undefined="nan"))
    with pytest.raises(ix.types.UndefinedError, match=r"macro zero_one cost: undefined for 'c', without examples"):
        cost(y, yhat, "zero_one", classes=list("abc"), average="macro", undefined="raise")
    with pytest.raises(ix.types.UndefinedError, match=r"micro zero_one cost: undefined for 'micro'"):
        cost([], [], "zero_one", undefined="raise")
    assert score.counts == ix.evaluate(y, yhat, classes=list("abc")).aggregate("class")
    micro = cost(y, yhat, [[0, 1], [1, 0]])
    assert (str(micro.measure), micro.measure.better, micro.average) == ("cost", "lower", "micro")
    assert micro.counts == ix.evaluate(y, yhat).aggregate()
    assert pickle.loads(pickle.dumps(score)).measure == copy.deepcopy(score).measure == score.measure


# Memberships.


@st.composite
def memberships(draw, n, m):
    """Draw rows of eighths that sum to 1: sums and products of so few are exact."""
    cuts = [sorted(draw(st.lists(st.integers(0, 8), min_size=m - 1, max_size=m - 1))) for _ in range(n)]
    return [[Fraction(b - a, 8) for a, b in zip([0, *c], [*c, 8], strict=True)] for c in cuts]


@laws
@given(st.integers(1, 5), st.integers(1, 4), st.data())
def test_soft_cost_is_expected_under_independence(n, m, data):
    Y, P = (data.draw(memberships(n, m)) for _ in range(2))
    C = [[Fraction(data.draw(st.integers(-16, 16)), 4) for _ in range(m)] for _ in range(m)]
    fold, weight = (data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)) for _ in range(2))
    per_row = [sum(y[j] * p[k] * C[j][k] for j in range(m) for k in range(m)) for y, p in zip(Y, P, strict=True)]
    soft = {"tnorm": "product", "classes": range(m)}
    Y, P = (np.array(x, float) for x in (Y, P))
    assert cost(Y, P, C, average="total", **soft) == float(sum(per_row))
    assert close(cost(Y, P, C, average="micro", **soft), mean(per_row))
    weighted = sum(w * x for w, x in zip(weight, per_row, strict=True))
    assert cost(Y, P, C, average="total", sample_weight=weight, **soft) == float(weighted)
    groups = [mean(x for x, f in zip(per_row, fold, strict=True) if f == g) for g in sorted(set(fold))]
    assert close(cost(Y, P, C, average="fold", by={"fold": fold}, **soft), mean(groups))
    seen = [f > 0 for f in fold]
    assert cost(Y, P, C, average="total", mask=seen, **soft) == float(sum(x for x, s in zip(per_row, seen, strict=True) if s))


def test_one_side_may_be_crisp():
    P = np.array([[0.5, 0.5], [0.25, 0.75]])
    for average in ("micro", "macro", "total"):
        score = cost(["a", "b"], P, [[0, 1], [4, 0]], tnorm="product", classes=["a", "b"], average=average)
        assert score == {"micro": 0.75, "macro": 0.75, "total": 1.5}[average]
    one_hot_rows = np.eye(2, dtype=int)
    assert cost(one_hot_rows, one_hot_rows[::-1], [[0, 1], [4, 0]], tnorm="product") == 2.5
    assert cost(P, P, "zero_one", tnorm="product") == 7 / 16  # errata A4: not 0, although both are equal
    assert cost(P, P, "zero_one", tnorm="product", decide="argmax") == 3 / 8
    assert cost(["a", None, "b"], P[[0, 0, 1]], "zero_one", tnorm="product", classes=["a", "b"], missing="mask") == 3 / 8


def test_memberships_that_are_no_probabilities():
    P = np.array([[0.5, 0.5], [0.5, 0.75]])
    with pytest.raises(ValueError, match=r"The memberships in y_pred\[1\] sum to 1.25.*every row must sum to 1"):
        cost(P[[0, 0]], P, "zero_one", tnorm="product")
    with pytest.raises(ValueError, match=r"The memberships in y_pred\[2\] sum to 1.25"):
        cost(["a", None, "b"], P[[0, 0, 1]], "zero_one", tnorm="product", classes=["a", "b"], missing="mask")
    with pytest.raises(ValueError, match=r"The memberships in y_true\[0\] sum to 2"):
        cost([[1, 1]], P[[0]], "zero_one", tnorm="product")
    with pytest.raises(ValueError, match=r"tnorm=godel: an expected cost multiplies memberships"):
        cost(P, P, "zero_one", tnorm="godel")
    with pytest.raises(ValueError, match=r"abstain= does not combine with memberships"):
        cost(P, P, "zero_one", tnorm="product", abstain="?")
    with pytest.raises(ValueError, match="missing='abstain' does not combine with memberships"):
        cost(P, P, "zero_one", tnorm="product", missing="abstain")
    with pytest.raises(ValueError, match=r"If an entry was not observed, the cost of its example is unknown"):
        cost(P, P, "zero_one", tnorm="product", mask=np.ones((2, 2), bool))
    with pytest.raises(ValueError, match=r"average='fold' is unknown for a cost"):
        cost(P, P, "zero_one", tnorm="product", average="fold")
    with pytest.raises(ValueError, match=r"An evaluation of memberships does not keep pairs"):
        cost_of(ix.evaluate(P, P, tnorm="product"), "zero_one")


# Cost-weighted cells.


@laws
@given(problems(), st.data())
def test_weighted_cells_are_literal(problem, data):
    y, yhat, m, C = problem
    benefit = data.draw(st.lists(COSTS, min_size=m, max_size=m))
    cells = weighted_cells(y, yhat, m, CostMatrix(C, benefit=benefit))
    Y, Yhat = one_hot(y, m), one_hot(yhat, m)
    for i, j in np.ndindex(len(y), m):  # errata A3
        fp = (1 - Y[i, j]) * sum(C[k, j] * Y[i, k] for k in range(m) if k != j) * Yhat[i, j]
        fn = Y[i, j] * sum(C[j, k] * Yhat[i, k] for k in range(m) if k != j) * (1 - Yhat[i, j])
        literal = (benefit[j] * Y[i, j] * Yhat[i, j], fp, fn, (1 - Y[i, j]) * (1 - Yhat[i, j]))
        assert (cells.tp[i, j], cells.fp[i, j], cells.fn[i, j], cells.tn[i, j]) == literal
    total = bilinear(y, yhat, m, C).sum()
    assert cells.fp.sum() == cells.fn.sum() == total
    assert cost(y, yhat, C, classes=range(m), average="total") == float(total)


@laws
@given(problems())
def test_unit_costs_give_the_plain_cells(problem):
    y, yhat, m, _ = problem
    unit = weighted_cells(y, yhat, m, CostMatrix("zero_one"))
    plain = Cells(unit.y, unit.yhat)
    for kind in ("tp", "fp", "fn", "tn"):
        assert np.array_equal(getattr(unit, kind), getattr(plain, kind))
    per_label = Cells(unit.y, unit.yhat, scale=label_costs(fp=1, fn=1).on(plain.classes).scale())
    assert per_label.aggregate("class") == plain.aggregate("class")


@cache
def decomposable():
    """Return every decomposable measure of the catalogue as an exact function, with the coefficients of its denominator."""
    found = [measure for measure in ix.theory.select(decomposable=True) if not measure.averages]
    return [(exactly(measure), [as_written(x) for x in ix.properties(measure).b]) for measure in found]


@pytest.mark.slow
@laws
@given(problems(least=1))
def test_micro_is_macro_weighted_by_denominators(problem):
    y, yhat, m, C = problem
    cells = weighted_cells(y, yhat, m, CostMatrix(C))  # cor:cost_micro_macro
    per_class = [[Fraction(x) for x in v] for v in zip(*cells.aggregate("class"), strict=True)]
    pooled = [sum(column) for column in zip(*per_class, strict=True)]
    assert len(decomposable()) > 20
    for value, b in decomposable():
        weights = [sum(x * y for x, y in zip(b, v, strict=True)) for v in per_class]
        if all(weights) and sum(weights):
            average = sum(w * value(*v) for w, v in zip(weights, per_class, strict=True)) / sum(weights)
            assert average == value(*pooled)


def all_scores(ev):
    return {(m.name, a): ev.score(m, a) for m in (ix.f1, ix.recall, ix.mcc) for a in ("micro", "macro", "exemplar")}


@laws
@given(problems(), st.booleans(), st.data())
def test_evaluate_counts_weighted_cells(problem, abstaining, data):
    y, yhat, m, C = problem
    C = C.astype(float)
    said = [-1 if abstaining and data.draw(st.booleans()) else k for k in yhat]
    sides = [ix.types.Indicator.from_codes(np.array(codes, int), range(m)) for codes in (y, said)]
    costs = CostMatrix(C, benefit=2, abstain=0.5)
    ev = ix.evaluate(*sides, cost=costs)
    literal = Cells(*sides, scale=costs.on(tuple(range(m))).scale())
    for per in ((), "class"):
        assert np.allclose(list(map(np.asarray, ev.aggregate(per))), list(map(np.asarray, literal.aggregate(per))), rtol=1e-15)
    for measure, average in all_scores(ev):
        found, wanted = (source.score(measure, average) for source in (ev, ix.evaluate(*sides, cost=costs)))
        assert np.array_equal(found, wanted, equal_nan=True)
        assert np.isclose(found, ix.algebra.MEASURES[measure](literal, average=average), rtol=1e-12, equal_nan=True)


def test_costs_per_label():
    y, yhat = [{"a"}, {"a", "b"}, set(), {"c"}], [{"a", "b"}, {"a"}, {"c"}, set()]
    costs = label_costs(fp={"a": 1, "b": 2, "c": 3}, fn=[4, 5, 6], tp=2)
    ev = ix.evaluate(y, yhat, classes=list("abc"), cost=costs)
    assert np.array(list(ev.aggregate("class"))).tolist() == [[4, 0, 0], [0, 2, 3], [0, 5, 6], [2, 2, 2]]
    assert ev.score("precision", "micro") == 4 / 9
    series = pd.Series([5, 4, 6], index=["b", "a", "c"])
    assert label_costs(fp=1, fn=series).on(("a", "b", "c")).fn.tolist() == [4, 5, 6]
    assert label_costs(fp=1, fn=pd.Series([4, 5])).on(("a", "b")).fn.tolist() == [4, 5]
    rows = ix.evaluate(["a", "b"], ["b", "b"], cost=label_costs(fp=3, fn=[2, 1]))  # one-hot rows have labels, too
    assert np.array(list(rows.aggregate())).tolist() == [1, 3, 2, 1]


def test_costs_of_one_evaluation_spell_themselves():
    assert repr(read_cost([[0, 2], [1, 0]], ("a", "b"), False)) == "CostMatrix([[0, 2], [1, 0]])"
    assert repr(CostMatrix("zero_one", benefit=2, abstain=1)) == "CostMatrix('zero_one', benefit=2, abstain=1)"
    assert repr(label_costs(fp=1, fn=2)) == "label_costs(fp=1, fn=2)"
    classes = tuple(range(40))
    first, second = (read_cost(np.where(np.eye(40) > 0, 0, x), classes, False) for x in (1.0, 1.0 + 1e-15))
    assert repr(first) != repr(second)
    assert repr(first).startswith("CostMatrix(<40 x 40, sha256 ")
    assert repr(first) == repr(first.on(classes))


def test_parts_made_with_other_costs_do_not_add():
    one, other = (ix.evaluate(["a", "b"], ["b", "b"], cost=[[0, c], [1, 0]]) for c in (1, 2))
    assert (one + one).aggregate().fn == 2
    with pytest.raises(ValueError, match="made differently"):
        one + other


# What is refused.


def test_refused_evaluations():
    with pytest.raises(ValueError, match=r"even a perfect prediction would cost costs\[j, k\] \+ costs\[k, j\].*label_costs"):
        cost([{"a", "b"}], [{"a", "b"}], "zero_one")
    with pytest.raises(ValueError, match=r"Only counts per class are known"):
        cost_of(ix.from_counts(1, 2, 3, 4), "zero_one")
    with pytest.raises(ValueError, match=r"With 1100 classes, pairs are kept only on request: evaluate with confusion=True"):
        cost([1], [2], "zero_one", classes=range(1100))
    with pytest.raises(ValueError, match=r"pairs of classes are unknown here, for example because of a mask of entries"):
        cost([0, 1], [1, 1], "zero_one", mask=[[1, 0], [1, 1]])
    with pytest.raises(ValueError, match=r"An evaluation with cost= does not keep pairs of classes.*Leave cost= out"):
        cost_of(ix.evaluate([0, 1], [1, 1], cost="zero_one"), "zero_one")
    with pytest.raises(ValueError, match=r"An evaluation with ordinal= does not keep pairs"):
        cost([0, 1], [1, 1], "absolute", classes=[0, 1, 2], ordinal="cumulative")
    codes = [ix.types.Indicator.from_codes([x], ["a"]) for x in (-1, 0)]
    with pytest.raises(ValueError, match=r"Some examples have no true class, so costs= has no row for them"):
        cost(*codes, "zero_one")


def test_refused_questions():
    with pytest.raises(ValueError, match=r"'denominator': cost is not a ratio.*Choose from micro, macro, .*exemplar"):
        cost([0], [0], "zero_one", average="denominator")
    with pytest.raises(TypeError, match=r"average=None is not a name"):
        cost([0], [0], "zero_one", average=None)
    with pytest.raises(ValueError, match=r"side='both' is unknown. Macro cost groups examples by class"):
        cost([0], [0], "zero_one", side="both")
    with pytest.raises(ValueError, match=r"undefined='drop' is not a convention"):
        cost([0], [0], "zero_one", undefined="drop")
    with pytest.raises(TypeError, match=r"cost= is not an option of ix.cost"):
        cost([0], [0], "zero_one", cost="zero_one")


BAD = {
    r"costs='linear' is not a named cost. Choose from 'zero_one', 'absolute', 'squared'": "linear",
    r"costs has shape \(2,\); a cost matrix is square": [0, 1],
    r"costs has shape \(2, 3\); a cost matrix is square": [[0, 1, 2], [1, 0, 2]],
    r"costs is 3 x 3, but there are 2 classes, 'a', 'b'. Pass classes=": np.zeros((3, 3)),
    r"costs\[0, 1\] = nan: a cost is a finite number": np.array([[0, np.nan], [1, 0]]),
    r"costs\[1, 0\] = inf: a cost is a finite number": [[0, 1], [math.inf, 0]],
    r"costs\[0, 1\] = Decimal\('NaN'\): a cost is a finite number": [[0, Decimal("NaN")], [1, 0]],
    r"costs\[0, 1\] = '1': a cost is a number": [[0, "1"], [1, 0]],
    r"costs\[0\] = \[0\]: a cost is a number.*in rows of one length": [[0], [1, 0]],
    r"costs holds <U1 and not numbers": np.array([["0", "1"], ["1", "0"]]),
    r"The rows of costs name 'a' twice": pd.DataFrame([[0, 1], [1, 0]], ["a", "a"], ["a", "b"]),
    r"The columns of costs do not name 'b'; they are 'a', 'c'": pd.DataFrame([[0, 1], [1, 0]], ["a", "b"], ["a", "c"]),
    r"costs is a polars DataFrame, whose rows have no names": pl.DataFrame({"a": [0, 1], "b": [1, 0]}),
    r"costs is a LabelCosts, which weights cells": label_costs(fp=1, fn=1),
}


@for_each(("message", "C"), BAD.items())
def test_refused_matrices(message, C):
    with pytest.raises((ValueError, TypeError), match=message):
        read_matrix(C, ("a", "b"), ordered=False)


REFUSED = {
    r"costs\[0, 1\] = -1: a cell counts 0 or more. Benefits go into benefit=": [[0, -1], [1, 0]],
    r"costs\[1, 1\] = 2: in cells, an error has a cost and a right prediction a benefit.*benefit=": [[0, 1], [1, 2]],
    r"benefit\[1\] = -1: a cell counts 0 or more": CostMatrix("zero_one", benefit=[1, -1]),
    r"benefit has shape \(3,\); give one number, or one for each of 'a', 'b'": CostMatrix("zero_one", benefit=[1, 1, 1]),
    r"The keys of benefit= do not name 'b'": CostMatrix("zero_one", benefit={"a": 1}),
    r"abstain = nan: a cost is a finite number": CostMatrix("zero_one", abstain=math.nan),
    r"fp = None: a cost is a number": label_costs(fp=None, fn=1),
    r"fn\[0\] = -2: a cell counts 0 or more": label_costs(fp=0, fn=[-2, 1]),
}


@pytest.mark.parametrize(("message", "costs"), REFUSED.items(), ids=range(len(REFUSED)))
def test_refused_cells(message, costs):
    with pytest.raises((ValueError, TypeError), match=message):
        read_cost(costs, ("a", "b"), False)


def test_refused_scales():
    for costs in (CostMatrix("zero_one"), CostMatrix(np.zeros((2, 2))), label_costs(fp=1, fn=1)):
        with pytest.raises(TypeError, match=r"not on (classes|labels) yet: call \.on\(classes\)"):
            costs.scale()


def test_refused_rows():
    unit = CostMatrix("zero_one")
    with pytest.raises(ValueError, match=r"has one cost for a true and a predicted class.*label_costs\(fp=…, fn=…\)"):
        ix.evaluate([{"a", "b"}], [{"a"}], cost=unit)
    a, nothing = (ix.types.Indicator.from_codes([x], ["a"]) for x in (0, -1))
    with pytest.raises(ValueError, match=r"Pass cost=ix.types.CostMatrix\(costs, abstain=…\), one number or one per true class"):
        ix.evaluate(a, nothing, cost=unit)
    with pytest.raises(ValueError, match=r"Some examples have no true class, and a cost matrix has no row for them"):
        ix.evaluate(nothing, a, cost=unit)
    priced = ix.evaluate(a, nothing, cost=CostMatrix("zero_one", abstain=3))
    assert tuple(priced.aggregate()) == (0, 0, 3, 0)


def test_matrices_of_every_kind_are_the_same_matrix():
    y, p, C = ["a", "b", "b"], ["b", "b", "a"], [[0, 5], [1, 0]]
    square = scipy.sparse.csr_array(C).todense().view(type("Matrix", (np.ndarray,), {"__mul__": np.ndarray.__matmul__}))
    for same in (square, scipy.sparse.csr_array(C), np.ma.array(C), np.array(C, float)):
        assert ix.cost(y, p, same) == 2
        assert ix.evaluate(y, p, cost=same) == ix.evaluate(y, p, cost=C)
    with pytest.raises(ValueError, match="masked array, and an entry is missing"):
        ix.cost(y, p, np.ma.array(C, mask=[[0, 0], [1, 0]]))
    with pytest.raises(TypeError, match=r"give ix\.taxonomy"):
        ix.cost(y, p, {"a": None, "b": "a"})


def test_batches_with_costs_add_only_on_the_same_classes():
    costs = ix.tasks.label_costs(fp=1, fn=1, tn=5)
    one, other = ix.evaluate([{"a"}], [{"b"}], cost=costs), ix.evaluate([{"b"}], [{"c"}], cost=costs)
    with pytest.raises(ValueError, match="different classes"):
        one + other


def test_what_counts_examples_is_refused_where_cells_are_weighted():
    ev = ix.evaluate(["a", "b", "a"], ["b", "b", "a"], cost=[[0, 5], [1, 0]])
    plain = ix.evaluate(["a", "b", "a"], ["b", "b", "a"])
    for call in (
        ev.skew_conditions,
        lambda: ev.with_priors("uniform"),
        lambda: ev.prior_sensitivity("f1", "uniform"),
        lambda: ev.redundant(["f1"]),
    ):
        with pytest.raises(ValueError, match="but cost= weights the cells here"):
            call()
    with pytest.raises(ValueError, match="count different things"):
        plain.dominates(ev)
    with pytest.raises(ValueError, match="cells are weighted by costs"):
        ev.confusion  # noqa: B018
    with pytest.raises(ValueError, match="confusion=True keeps pairs"):
        ix.evaluate(["a"], ["a"], cost="zero_one", confusion=True)
    assert ev.findings() == []
    assert "Accuracy, the share" not in str(ev)


def test_ranks_are_counted_only_where_there_is_an_order():
    y, p = ["low", "mid", "high", "high"], ["mid", "mid", "high", "low"]
    with pytest.raises(ValueError, match="counts ranks, and nothing says in which order"):
        ix.multiclass_kappa(y, p, weights="quadratic")
    assert ix.multiclass_kappa(y, p, weights="quadratic", classes=["low", "mid", "high"]) == 0
    assert ix.cost([3, 4, 5], [4, 4, 3], "absolute") == 1  # whole numbers without a gap are ranks
    with pytest.raises(ValueError, match="counts ranks"):
        ix.cost([3, 4, 6], [4, 4, 3], "absolute")
    ev = ix.evaluate(["low", "high"], ["high", "high"], classes=["low", "mid", "high"])
    with pytest.raises(ValueError, match="counts ranks"):
        ev.only(["low", "high"]).cost("absolute")
