"""Measures of rankings: scikit-learn's values and conventions, and the definitions in exact fractions over all orders of ties."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import sklearn.metrics as sk
from average_rows import rows_along
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each

import indicatrix as ix
from indicatrix.scores.areas import average_precision
from indicatrix.scores.label_rankings.gains import dcg, ndcg
from indicatrix.scores.label_rankings.ranking_scores import (
    coverage_error,
    label_ranking_ap,
    mrr,
    precision_at_k,
    ranking_loss,
    recall_at_k,
)

F = Fraction
CLOSE = {"rel": 1e-12, "abs": 1e-12}
PEERS = {  # ours, scikit-learn's, and what it takes an example without relevant (or irrelevant) labels as
    "label_ranking_ap": (label_ranking_ap, sk.label_ranking_average_precision_score, 1),
    "coverage_error": (coverage_error, sk.coverage_error, 0),
    "ranking_loss": (ranking_loss, sk.label_ranking_loss, 0),
}
ALL = {"dcg": dcg, "ndcg": ndcg, "mrr": mrr, **{name: ours for name, (ours, _, _) in PEERS.items()}}


def problem(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return relevant labels, scores of many kinds and weights; some examples have no or only relevant labels."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 40)), int(rng.integers(2, 12))
    y = rng.random((n, m)) < rng.choice([0.05, 0.3, 0.5, 0.95])
    y[0, 0], y[0, 1] = True, False  # scikit-learn wants a matrix that it takes for a multilabel one
    kinds = (
        lambda: rng.normal(size=(n, m)),
        lambda: rng.integers(0, 3, (n, m)) / 2,
        lambda: np.zeros((n, m)),
        lambda: rng.random((n, m)).astype(np.float32),
        lambda: rng.choice([-0.0, 0.0, -1.0, 1e-300, 1e300], (n, m)),
        lambda: rng.integers(-3, 3, (n, m)),
    )
    return y.astype(int), kinds[seed % len(kinds)](), rng.random(n) * (rng.random(n) < 0.9) + (np.arange(n) == 0)


# Definitions, in exact fractions -----------------------------------------------------------------------------------------


def orders_of(scores: list) -> list[tuple[int, ...]]:
    """Return every order of the columns in which no higher score stands behind a lower one."""
    return [p for p in permutations(range(len(scores))) if all(scores[a] >= scores[b] for a, b in pairwise(p))]


def exact_ap(y: list, s: list) -> Fraction | None:
    hits = [j for j, v in enumerate(y) if v]
    shares = [F(sum(s[i] >= s[j] for i in hits), sum(x >= s[j] for x in s)) for j in hits]
    return sum(shares) / len(shares) if shares else None


def exact_coverage(y: list, s: list) -> Fraction | None:
    return max((F(sum(x >= s[j] for x in s)) for j, v in enumerate(y) if v), default=None)


def exact_loss(y: list, s: list) -> Fraction | None:
    pairs = [(a, b) for a, u in zip(s, y, strict=True) for b, v in zip(s, y, strict=True) if u and not v]
    return F(sum(a <= b for a, b in pairs), len(pairs)) if pairs else None


def exact_mrr(y: list, s: list, k: int | None) -> Fraction | None:
    if not any(y):
        return None
    ranks = [next(i for i, j in enumerate(order, 1) if y[j]) for order in orders_of(s)]
    return sum(F(1, r) if k is None or r <= k else F(0) for r in ranks) / len(ranks)


def exact_dcg(gains: list, s: list, k: int | None) -> Fraction:
    discounts = [F(1 / float(np.log2(i + 2))) for i in range(len(s) if k is None else min(k, len(s)))]
    found = [sum(d * F(gains[j]) for d, j in zip(discounts, order, strict=False)) for order in orders_of(s)]
    return sum(found) / len(found)


def exact_ndcg(gains: list, s: list, k: int | None) -> Fraction | None:
    best = exact_dcg(gains, gains, k)
    return exact_dcg(gains, s, k) / best if best else None


@st.composite
def small(draw):
    """Draw a few examples of at most five labels with many ties, infinite scores, a mask, and a k."""
    n, m = draw(st.integers(1, 3)), draw(st.integers(1, 5))

    def table(of):
        return draw(st.lists(st.lists(of, min_size=m, max_size=m), min_size=n, max_size=n))

    scores = table(st.sampled_from([-np.inf, -1.0, 0.0, -0.0, 0.5, np.inf]))
    return table(st.integers(0, 3)), scores, table(st.booleans()), draw(st.none() | st.integers(1, m + 1))


@pytest.mark.slow
@given(small())
def test_all_are_their_definitions(case):
    graded, scores, mask, k = case
    seen = [[j for j, here in enumerate(row) if here] for row in mask]
    y = [[int(v > 0) for v in row] for row in graded]

    def expected(function, truth, *more):
        rows = [([t[j] for j in js], [s[j] for j in js]) for t, s, js in zip(truth, scores, seen, strict=True)]
        return [function(*row, *more) if row[0] else None for row in rows]

    def check(score, exact):
        values = [None if np.isnan(v) else v for v in score.values]
        assert [v is None for v in values] == [e is None for e in exact]
        assert [v for v in values if v is not None] == pytest.approx([float(e) for e in exact if e is not None], rel=1e-14)
        defined = [e for e in exact if e is not None]
        lost = tuple(i for i, e in enumerate(exact) if e is None and seen[i])  # what was not observed counts nowhere
        assert score.undefined_units == (lost if any(seen) else ("exemplar",))
        if defined:
            assert float(score) == pytest.approx(float(sum(defined) / len(defined)), rel=1e-14)
        else:
            assert np.isnan(score)

    check(label_ranking_ap(y, scores, mask=mask), expected(exact_ap, y))
    check(coverage_error(y, scores, mask=mask), expected(exact_coverage, y))
    check(ranking_loss(y, scores, mask=mask), expected(exact_loss, y))
    check(mrr(y, scores, mask=mask, k=k), expected(exact_mrr, y, k))
    check(dcg(graded, scores, mask=mask, k=k), expected(exact_dcg, graded, k))
    check(ndcg(graded, scores, mask=mask, k=k), expected(exact_ndcg, graded, k))
    powers = [[2**v - 1 for v in row] for row in graded]
    check(dcg(graded, scores, mask=mask, k=k, gain="exponential"), expected(exact_dcg, powers, k))
    check(ndcg(graded, scores, mask=mask, k=k, gain="exponential"), expected(exact_ndcg, powers, k))


def test_a_long_tie_is_an_expectation():
    """The first of p relevant labels among g equal ones stands at t with probability C(g - t, p - 1)/C(g, p)."""
    from math import comb

    for above, g, p, k in ((0, 200, 1, None), (3, 500, 7, None), (1, 130, 2, 100), (0, 64, 64, None), (2, 65, 1, 66)):
        y = np.zeros((1, above + g), int)
        y[0, above : above + p] = 1
        scores = np.r_[np.ones(above), np.zeros(g)][None]
        chance = [F(comb(g - t, p - 1), comb(g, p)) for t in range(1, g - p + 2)]
        exact = sum(c * F(1, above + t) for t, c in enumerate(chance, 1) if k is None or above + t <= k)
        assert mrr(y, scores, k=k) == pytest.approx(float(exact), rel=1e-13)


# Peers -------------------------------------------------------------------------------------------------------------------


@for_each("name", PEERS)
@for_each("seed", range(36))
def test_as_in_scikit_learn(name, seed):
    ours, theirs, taken_as = PEERS[name]
    y, scores, weights = problem(seed)
    assert ours(y, scores, undefined=taken_as) == pytest.approx(theirs(y, scores), **CLOSE)
    assert ours(y, scores, undefined=taken_as, sample_weight=weights) == pytest.approx(
        theirs(y, scores, sample_weight=weights), **CLOSE
    )
    assert ours(scipy.sparse.csr_array(y), scores, undefined=taken_as) == ours(y, scores, undefined=taken_as)


@pytest.mark.one_fast_case
@for_each("seed", range(36))
def test_gains_as_in_scikit_learn(seed):
    _, scores, weights = problem(seed)
    rng = np.random.default_rng(seed + 1000)
    gains = rng.integers(0, 4, scores.shape) if seed % 2 else rng.random(scores.shape) * (rng.random(scores.shape) < 0.7)
    gains[rng.random(len(gains)) < 0.1] = 0
    gains[0] = np.arange(gains.shape[1]) % 4 / (1 if seed % 2 else 7)  # scikit-learn wants a matrix of several values
    for k in (None, 1, 3, 50):
        for weight in (None, weights):
            found, best = (
                dcg(gains, scores, k=k, sample_weight=weight),
                ndcg(gains, scores, k=k, sample_weight=weight, undefined=0),
            )
            assert found == pytest.approx(sk.dcg_score(gains, scores, k=k, sample_weight=weight), **CLOSE)
            assert best == pytest.approx(sk.ndcg_score(gains, scores, k=k, sample_weight=weight), **CLOSE)
    for base in (1.5, 2, np.e, 10):
        assert dcg(gains, scores, log_base=base) == pytest.approx(sk.dcg_score(gains, scores, log_base=base), **CLOSE)
    assert dcg(-gains, scores) == pytest.approx(-dcg(gains, scores), **CLOSE)
    untied = rng.random(scores.shape)
    assert dcg(gains, untied, ignore_ties=True, k=2) == pytest.approx(sk.dcg_score(gains, untied, ignore_ties=True, k=2), **CLOSE)
    assert ndcg(gains, untied, ignore_ties=True) == pytest.approx(ndcg(gains, untied), rel=1e-14)


@pytest.mark.slow
def test_many_labels_as_in_scikit_learn():
    rng = np.random.default_rng(5)
    for m, n in ((30_000, 2), (100, 3000)):  # one row is more than a block, and several blocks
        y, scores = (rng.random((n, m)) < 0.1).astype(int), np.round(rng.normal(size=(n, m)), 2)
        for ours, theirs, taken_as in PEERS.values():
            assert ours(y, scores, undefined=taken_as) == pytest.approx(theirs(y, scores), **CLOSE)
        gains = rng.integers(0, 5, (n, m))
        assert ndcg(gains, scores) == pytest.approx(sk.ndcg_score(gains, scores), **CLOSE)
        assert dcg(gains, scores, k=7) == pytest.approx(sk.dcg_score(gains, scores, k=7), **CLOSE)


# Cut at k ----------------------------------------------------------------------------------------------------------------


@pytest.mark.one_fast_case
@for_each("seed", range(12))
def test_precision_and_recall_at_k_are_measures_of_the_top_k(seed):
    y, scores, weights = problem(seed)
    for k in (1, 2, y.shape[1]):
        for average in rows_along("", "class", "example"):
            for ours, measure in ((precision_at_k, ix.precision), (recall_at_k, ix.recall)):
                mine = ours(y, scores, k, average=average, sample_weight=weights)
                same = measure(y, scores, decide=ix.top_k(k), average=average, sample_weight=weights)
                assert float(mine) == pytest.approx(float(same), nan_ok=True, abs=0)
    ranks = np.argsort(np.argsort(-scores.astype(float), axis=1, kind="stable"), axis=1)
    hits = (y * (ranks < 2)).sum(axis=1)
    assert precision_at_k(y, scores, 2) == pytest.approx((hits / 2).mean(), rel=1e-14)
    some = y.any(axis=1)
    assert recall_at_k(y, scores, 2) == pytest.approx((hits[some] / y.sum(axis=1)[some]).mean(), rel=1e-14)
    as_rankings = ix.tasks.top_ranked(ranks + 1, 2)
    assert precision_at_k(y, scores, 2) == pytest.approx(ix.precision(y, as_rankings, average="exemplar"), rel=1e-14)


@pytest.mark.one_fast_case
@pytest.mark.parametrize("option", ["none", "sample_weight", "mask", "by"])
def test_intervals_and_tests_at_k_are_those_of_the_top_k(option):
    rng = np.random.default_rng(4)
    y, scores, other = rng.random((300, 5)) < 0.4, rng.integers(0, 9, (300, 5)), rng.normal(size=(300, 5))
    scores, given = scores + 2 * y, {"sample_weight": rng.random(300), "mask": rng.random((300, 5)) < 0.8}
    given |= {"by": {"site": np.arange(300) // 5}}
    options, clusters = {option: given[option]} if option in given else {}, "site" if option == "by" else None
    scored = ix.evaluate(y, scores, decide=0.5, **options)
    decided = ix.evaluate(y, scores, decide=ix.top_k(2), **options, **({"moments": True} if option == "sample_weight" else {}))
    for name in ("precision", "recall"):
        for average in ("micro", "macro", "weighted", "exemplar"):
            mine = scored.interval(f"{name}_at_k(k=2)", average, clusters=clusters)
            same = decided.interval(name, average, clusters=clusters)
            assert mine.value == pytest.approx(same.value, rel=1e-12)
            near = 1e-9 if average == "exemplar" and clusters is None else 0.005  # single examples, or their counts
            assert (mine.low, mine.high) == pytest.approx((same.low, same.high), abs=near)
    if option == "sample_weight":
        return  # labels with weights have no paired test
    pair = {"a": scores, "b": other}
    mine, same = (
        ix.compare(y, pair, [measure], ["exemplar", "macro"], decide=rule, **options).differences
        for measure, rule in (("recall_at_k(k=2)", 0.5), ("recall", ix.top_k(2)))
    )
    for one, two in zip(mine, same, strict=True):
        assert (one.low, one.high) == pytest.approx((two.low, two.high), abs=0.005)


def test_recall_at_k_of_one_label_is_top_k_accuracy():
    rng = np.random.default_rng(2)
    y, scores = rng.integers(0, 5, 300), rng.random((300, 5))
    for k in (1, 2, 4):
        assert recall_at_k(y, scores, k) == pytest.approx(sk.top_k_accuracy_score(y, scores, k=k), **CLOSE)


# Laws --------------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_label_ranking_ap_is_exemplar_average_precision():
    for seed in range(20):
        y, scores, weights = problem(seed)
        some = y.any(axis=1)
        for options in ({}, {"sample_weight": weights}, {"mask": np.random.default_rng(seed).random(y.shape) < 0.7}):
            ours, area = label_ranking_ap(y, scores, **options), average_precision(y, scores, average="exemplar", **options)
            assert float(ours) == pytest.approx(float(area), **CLOSE)
            assert ours.undefined_units == area.undefined_units
        each = [sk.average_precision_score(t, s) for t, s in zip(y[some], scores[some], strict=True)]
        assert label_ranking_ap(y, scores).values[some] == pytest.approx(each, **CLOSE)


@pytest.mark.parametrize("name", ALL)
def test_hidden_labels_play_no_role(name):
    """Scores and labels under a mask change nothing, and taking the columns out gives the same."""
    rng = np.random.default_rng(3)
    y, scores = rng.integers(0, 2, (30, 8)), rng.integers(0, 4, (30, 8)).astype(float)
    y[0], mask = 0, np.ones((30, 8), bool)
    mask[:, [2, 5]] = False
    other, lied = np.where(mask, scores, rng.choice([-np.inf, 9, np.inf], (30, 8))), np.where(mask, y, 1 - y)
    kept = [j for j in range(8) if j not in (2, 5)]
    expected = ALL[name](y[:, kept], scores[:, kept]).values
    np.testing.assert_array_equal(ALL[name](lied, other, mask=mask).values, expected)
    np.testing.assert_array_equal(ALL[name](np.where(mask, y, np.nan), other, missing="mask").values, expected)
    left, right = np.arange(8) != 2, np.arange(8) != 5
    both = ALL[name](np.where(left, y, np.nan), other, missing="mask", mask=np.broadcast_to(right, y.shape))
    np.testing.assert_array_equal(both.values, expected)
    np.testing.assert_array_equal(ALL[name](lied, np.where(mask, scores, np.nan), mask=mask).values, expected)
    np.testing.assert_array_equal(
        ALL[name](np.where(mask, y, np.nan), np.where(mask, scores, np.nan), missing="mask").values, expected
    )
    rows = np.arange(30) % 3 > 0
    hidden = ALL[name](y, np.where(rows[:, None], scores, np.nan), mask=rows)
    np.testing.assert_array_equal(hidden.values, np.where(rows, ALL[name](y, scores).values, np.nan))


@pytest.mark.parametrize("name", ALL)
def test_only_the_order_of_the_scores_counts(name):
    rng = np.random.default_rng(4)
    y, scores = rng.integers(0, 2, (40, 9)), rng.integers(-4, 4, (40, 9))
    base = ALL[name](y, scores)
    for same in (np.exp(scores), scores.astype(np.float32), scores * 2**60, (scores + 4).astype(np.uint64) + np.uint64(2**63)):
        np.testing.assert_array_equal(ALL[name](y, same).values, base.values)
    far = scores.astype(np.int64) + 2**53 + 4  # neighbors that float64 cannot tell apart
    np.testing.assert_array_equal(ALL[name](y, far).values, base.values)
    columns = rng.permutation(9)
    np.testing.assert_allclose(ALL[name](y[:, columns], scores[:, columns]).values, base.values, rtol=1e-14)
    np.testing.assert_array_equal(ALL[name](y[::-1], scores[::-1]).values, base.values[::-1])


@pytest.mark.parametrize("name", ALL)
def test_labels_in_every_container(name):
    sets = [{"cat"}, {"ant", "dog"}, set()]
    matrix, scores = np.array([[0, 1, 0], [1, 0, 1], [0, 0, 0]]), np.array([[0.1, 0.7, 0.7], [0.3, 0.2, 0.1], [1, 2, 3]])
    base, names = ALL[name](matrix, scores), ["ant", "cat", "dog"]
    forms = [matrix.tolist(), matrix.astype(float), matrix.astype(bool), scipy.sparse.coo_array(matrix), ix.multilabel(matrix)]
    for form in (*forms, pd.DataFrame(matrix, columns=names)):
        np.testing.assert_array_equal(ALL[name](form, scores).values, base.values)
    np.testing.assert_array_equal(ALL[name](sets, scores, classes=names).values, base.values)
    one = ALL[name](["cat", "dog"], scores[:2], classes=names)
    np.testing.assert_array_equal(one.values, ALL[name]([[0, 1, 0], [0, 0, 1]], scores[:2]).values)
    some = ALL[name](["cat", None], scores[:2], classes=names, missing="mask")
    assert some.values[0] == one.values[0]
    assert np.isnan(some.values[1])
    some = ALL[name]([None, "dog", "cat"], scores, classes=names, missing="mask", mask=[True, True, False])
    np.testing.assert_array_equal(some.values, [np.nan, one.values[1], np.nan])
    assert np.isnan(ALL[name]([None, None], scores[:2], classes=names, missing="mask").values).all()


@pytest.mark.slow
def test_the_best_ranking():
    rng = np.random.default_rng(6)
    for _ in range(50):
        gains = rng.random((5, 7)) * 3
        assert ndcg(gains, gains) == 1
        assert ndcg(gains, gains, k=3, gain="exponential") == 1
        assert ndcg(np.round(gains), gains, ignore_ties=True) == ndcg(np.round(gains), np.round(gains)) == 1
        assert (ndcg(gains, np.round(gains, 1)).values <= 1).all()
        y = gains > 2
        y[0] = True
        assert label_ranking_ap(y, gains) == 1
        assert mrr(y, gains) == 1
        assert ranking_loss(y, gains) == 0
        assert coverage_error(y, gains) == pytest.approx(y[y.any(axis=1)].sum(axis=1).mean())
    assert ndcg([[0.1, 0.1, 0.1]], [[0, 0, 0]]) == 1  # the mean of equal gains rounds up


def test_gains():
    assert dcg([[3.0]], [[0.0]], gain="exponential") == 7
    assert dcg([[0.5]], [[0.0]], gain="exponential") == pytest.approx(2**0.5 - 1, rel=1e-15)
    assert dcg([[52, 0]], [[0, -1]], gain="exponential") == 2**52 - 1
    assert dcg([[1, 1]], [[0.0, 1.0]], gain="exponential") == dcg([[1, 1]], [[0.0, 1.0]])
    sparse = scipy.sparse.csr_array(np.array([[0, 3, 0], [2, 0, 1.5]]))
    scores = [[0.1, 0.2, 0.3], [0.2, 0.2, 0.9]]
    np.testing.assert_array_equal(ndcg(sparse, scores).values, ndcg(sparse.toarray(), scores).values)


def test_ties_to_the_lower_column():
    y, scores = [[0, 1, 0]], [[1, 1, 1]]
    assert mrr(y, scores, ignore_ties=True) == 1 / 2
    assert dcg(y, scores, ignore_ties=True, k=2) == pytest.approx(1 / np.log2(3), rel=1e-15)
    assert ndcg(y, scores, ignore_ties=True, k=1) == 0
    assert ndcg(y, scores, k=1) == pytest.approx(1 / 3, rel=1e-15)
    assert precision_at_k(y, scores, 1) == 0
    y = (np.arange(300) == 200).astype(int)[None]  # long enough for a sort that would not keep the order
    assert mrr(y, np.zeros((1, 300)), ignore_ties=True) == 1 / 201


# Degenerate input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_degenerate_input(name):
    function = ALL[name]
    for shape in ((0, 3), (0, 0), (2, 0)):
        empty = function(np.zeros(shape, int), np.zeros(shape))
        assert np.isnan(empty)
        assert len(empty.values) == shape[0]
    nothing = function([[0, 0]], [[0.1, 0.2]])
    assert nothing == 0 if name == "dcg" else np.isnan(nothing)
    alone = function([[1]], [[0.3]])  # one label, relevant: it stands first, and has no irrelevant one to be compared with
    assert np.isnan(alone) if name == "ranking_loss" else alone == 1
    weighted = function([[1, 0], [0, 1]], [[1, 0], [1, 0]], sample_weight=[1, 0])
    assert weighted == function([[1, 0]], [[1, 0]])
    assert np.isnan(function([[1, 0]], [[1, 0]], sample_weight=[0]))
    assert float(pickle.loads(pickle.dumps(weighted))) == float(weighted)


def test_the_convention_shows():
    y, scores = [[1, 0], [0, 0], [1, 1]], [[0.2, 0.9]] * 3
    score = mrr(y, scores)
    assert (score, score.undefined_units, score.average, str(score.measure)) == (0.75, (1,), "exemplar", "mrr")
    assert repr(score) == "0.75 (exemplar mrr; 1 of 3 examples undefined, excluded)"
    assert mrr(y, scores, undefined=0) == 0.5
    assert np.isnan(mrr(y, scores, undefined="nan"))
    assert "1" in str(score.sensitivity())
    assert ranking_loss(y, scores).undefined_units == (1, 2)
    assert np.isnan(score.counts.tp).all()
    with pytest.raises(ix.types.UndefinedError, match=r"exemplar ndcg@1: undefined for 1, without relevant labels that were"):
        ndcg(y, scores, k=1, undefined="raise")


def test_arrays_are_not_modified():
    y, scores, mask = np.eye(3), np.random.default_rng(0).random((3, 3)), np.ones((3, 3), bool)
    before = [x.copy() for x in (y, scores, mask)]
    for x in (y, scores, mask):
        x.flags.writeable = False
    for function in ALL.values():
        function(y, scores, mask=mask)
    assert all((a == b).all() for a, b in zip((y, scores, mask), before, strict=True))


# Errors ------------------------------------------------------------------------------------------------------------------

Y, S = [[1, 0], [0, 1]], [[0.1, 0.2], [0.3, 0.4]]
ERRORS = [
    (lambda: mrr(Y, [0.1, 0.2]), ValueError, "scores has one dimension; give a row for every example, with one number per label"),
    (lambda: coverage_error(Y, [{"a"}, {"b"}]), TypeError, "scores is not a dense array of numbers; every example .* here.$"),
    (lambda: coverage_error(Y, scipy.sparse.eye_array(2)), TypeError, "scores is not a dense array of numbers"),
    (lambda: mrr(Y, [[0.1, 0.2], [np.nan, 1]]), ValueError, r"scores\[1, 0\] is NaN: every example and class needs a number"),
    (lambda: mrr(Y, [[0.1, 0.2]]), ValueError, "y_true has 2 examples and scores 1; they must describe the same"),
    (lambda: mrr(Y, [[1, 2, 3], [1, 2, 3]]), ValueError, "y_true has 2 columns and scores 3"),
    (lambda: mrr(["a", "b"], S), ValueError, "Which classes are the 2 columns of scores. Pass classes="),
    (lambda: mrr([{"a"}, {"b"}], S), ValueError, "Which labels are the 2 columns. Pass classes="),
    (lambda: mrr([["a"], ["b"]], S), TypeError, "y_true is a list of rows that are not numbers"),
    (
        lambda: mrr([[1, 0], [2, 0]], S),
        ValueError,
        r"y_true\[1, 0\] = 2: here a label is relevant, 1, or not, 0. Labels come first",
    ),
    (lambda: mrr([[1, 0], [0.5, 0]], S), ValueError, r"y_true\[1, 0\] = 0.5: here a label is relevant"),
    (lambda: mrr(scipy.sparse.csr_array([[1, 0], [0, 3]]), S), ValueError, r"y_true\[1, 1\] = 3: here a label"),
    (lambda: mrr([[1, 0], [np.nan, 0]], S), ValueError, r"y_true\[1, 0\] is NaN. Fill it, or pass missing='mask'"),
    (lambda: ndcg([[1, 0], [np.nan, 0]], S), ValueError, r"y_true\[1, 0\] is NaN. Fill it, or pass missing='mask'"),
    (lambda: mrr(Y, S, missing="drop"), ValueError, "missing='drop' is unknown"),
    (lambda: mrr(Y, S, mask=[True]), ValueError, "mask has shape"),
    (lambda: mrr(Y, S, sample_weight=[1]), ValueError, "sample_weight has 1 entries for 2 examples"),
    (lambda: mrr(Y, S, sample_weight=[1, -1]), ValueError, r"sample_weight\[1\] = -1.0: a weight is not negative. Correct it"),
    (lambda: mrr(Y, S, labels=[0, 1]), TypeError, "mrr takes no labels=; fix the classes with classes="),
    (
        lambda: mrr(Y, S, wieghts=1),
        TypeError,
        "mrr takes no wieghts=. It takes k, ignore_ties, average, undefined, classes, sample_weight, mask, by, missing",
    ),
    (
        lambda: dcg(Y, S, average="marco"),
        ValueError,
        "average='marco' is unknown here. Did you mean macro.*Choose from micro, macro, .*exemplar",
    ),
    (lambda: dcg(Y, S, average=None), TypeError, "average=None must be one name"),
    (lambda: mrr(Y, S, average="macro"), ValueError, "average='macro': which class stands first among the relevant ones is part"),
    (lambda: mrr(Y, S, by={"site": [1]}), ValueError, r"by\['site'\] has 1 entries for 2 examples"),
    (
        lambda: mrr(Y, S, decide="argmax"),
        TypeError,
        "mrr takes no decide=; it reads the scores themselves, and nothing is decided",
    ),
    (lambda: mrr(Y, S, tnorm="product"), TypeError, "mrr takes no tnorm=; with scores labels are 0 or 1"),
    (lambda: mrr(Y, S, signed_weights=True), TypeError, "mrr takes no signed_weights=; weights are not negative here"),
    (lambda: mrr([0.3, 1.0], Y), ValueError, r"y_true\[0\] = 0.3 looks like a score. Labels come first, then scores"),
    (lambda: mrr(S, [0, 1]), ValueError, "scores has one dimension; .* Labels come first, then scores"),
    (lambda: mrr([0, 1], [[0.3], [0.2]]), ValueError, r"If there is one number per example, it has one dimension: scores.ravel"),
    (lambda: mrr(Y, S, k=0), ValueError, "k=0: mrr is cut at a rank, a whole number of at least 1; None takes all labels"),
    (lambda: ndcg(Y, S, k=1.5), ValueError, "k=1.5: ndcg is cut at a rank"),
    (lambda: dcg(Y, S, k=True), ValueError, "k=True: dcg is cut at a rank"),
    (lambda: ndcg(Y, S, undefined="zero"), ValueError, "undefined='zero' is not a convention"),
    (lambda: mrr(Y, S, undefined="zero"), ValueError, "undefined='zero' is not a convention"),
    (lambda: dcg(Y, S, undefined="zero"), ValueError, "undefined='zero' is not a convention"),
    (lambda: dcg(Y, S, gain="log"), ValueError, "gain='log' is unknown. Use 'linear'"),
    (lambda: dcg(Y, S, log_base=1), ValueError, "log_base=1: the base of the discount is a number above 1"),
    (lambda: dcg(Y, S, log_base="e"), ValueError, "log_base='e': the base of the discount"),
    (lambda: ndcg([[1, 0], [-1, 0]], S), ValueError, r"y_true\[1, 0\] has a negative gain, and then there is no best ranking"),
    (lambda: dcg([[1, 0], [np.inf, 0]], S), ValueError, r"y_true\[1, 0\] = inf: relevance is a finite number"),
    (lambda: dcg([[1, 0], [2000, 0]], S, gain="exponential"), ValueError, r"y_true\[1, 0\] = 2000 has too large a gain to sum"),
    (lambda: dcg([[1, 0], [1.5e308, 0]], S), ValueError, r"y_true\[1, 0\] = 1.5e\+308 has too large a gain"),
    (lambda: precision_at_k(Y, S, 3), ValueError, "asks for more classes than the 2"),
    (lambda: recall_at_k(Y, S, 0), ValueError, "top_k takes a whole number of at least 1"),
]


@for_each("case", ERRORS)
def test_errors(case):
    call, kind, message = case
    with pytest.raises(kind, match=message):
        call()
