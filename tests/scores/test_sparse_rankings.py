"""Sparse rankings: equal to dense ones, to the definition label by label, to pyxclib's values, and small in memory."""

from __future__ import annotations

import inspect
import math
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.metrics
from average_rows import rows_along
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.public_names import HOMES, load_public
from indicatrix.scores.label_rankings import ranking_scores

AVERAGES = (*rows_along("", "class", "example"), "site")


@st.composite
def problems(draw):
    """Return labels and scores, the scores stored by a mask, and propensities."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, m = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    y = rng.random((n, m)) < draw(st.sampled_from([0.1, 0.4, 0.9]))
    scores = rng.integers(-2, draw(st.sampled_from([3, 50])), (n, m)) / 4
    return y.astype(int), scores, rng.random((n, m)) < draw(st.sampled_from([0.5, 1.0])), rng.uniform(0.1, 1, m)


def stored(values, kept):
    rows, columns = np.nonzero(kept)
    return sp.csr_array((values[rows, columns], (rows, columns)), shape=values.shape)


def literal(y, scores, kept, k, inverse, discounted):
    """Return part and whole of each example: loops over its labels."""
    parts, wholes = [], []
    for i, row in enumerate(y):
        ranked = sorted((j for j in range(len(row)) if kept[i, j]), key=lambda j: (-scores[i, j], j))[:k]
        best = sorted((j for j in range(len(row)) if row[j]), key=lambda j: (-inverse[j], j))[:k]
        worth = [1 / math.log2(r + 2) if discounted else 1 / k for r in range(k)]
        scale = sum(worth[: min(k, int(row.sum()))]) if discounted and row.any() else 1
        parts.append(sum(worth[r] * inverse[j] * row[j] for r, j in enumerate(ranked)) / scale)
        wholes.append(sum(worth[r] * inverse[j] for r, j in enumerate(best)) / scale)
    return np.array(parts), np.array(wholes)


@given(problems(), st.integers(1, 4))
def test_propensity_scores_against_the_definition(problem, k):
    y, scores, kept, p = problem
    weights = np.arange(1, len(y) + 1)
    for score, discounted in ((ix.scores.propensity_precision_at_k, False), (ix.scores.propensity_ndcg_at_k, True)):
        parts, wholes = literal(y, scores, kept, k, 1 / p, discounted)
        call = {"k": k, "propensities": p}
        for truth in (y, sp.csr_array(y)):
            micro = score(truth, stored(scores, kept), **call, sample_weight=weights)
            exemplar = score(truth, stored(scores, kept), **call, average="exemplar", undefined=0)
            if wholes.any():
                assert micro == pytest.approx(weights @ parts / (weights @ wholes))
            else:
                assert math.isnan(micro)
            assert exemplar == pytest.approx(np.mean(np.divide(parts, wholes, out=np.zeros(len(y)), where=wholes > 0)))
        everything = literal(y, scores, np.ones(y.shape), k, 1 / p, discounted)[0]
        if wholes.any():
            assert score(y, scores, **call) == pytest.approx(everything.sum() / wholes.sum())


@examples(15)
@given(problems(), st.sampled_from([None, 1, 3]), st.booleans())
def test_sparse_ranks_are_dense_ranks_with_the_rest_behind(problem, k, ignore_ties):
    y, scores, kept, _ = problem
    behind = np.where(kept, scores, -np.arange(100, 100 + y.shape[1]))  # labels without a score, one after the other
    gains, by = y * np.arange(1, y.shape[1] + 1), {"site": [f"s{i % 2}" for i in range(len(y))]}
    cut = k if k is None or not ignore_ties else min(k, y.shape[1])
    for truth in (y, gains):
        for average in AVERAGES:
            options = {"k": cut, "ignore_ties": ignore_ties, "by": by, "average": average}
            ours, dense = ix.ndcg(sp.csr_array(truth), stored(scores, kept), **options), ix.ndcg(truth, behind, **options)
            if kept.all():
                np.testing.assert_allclose(ours, dense, atol=1e-12)
                np.testing.assert_allclose(ours.values, dense.values, atol=1e-12)
            else:
                assert not ours > dense + 1e-12 or average in rows_along("class")  # the rest has no rank at all


RANKINGS = {  # a score of stored scores, and scikit-learn's of a dense copy
    ix.measures.label_ranking_ap: lambda y, s: sklearn.metrics.label_ranking_average_precision_score(y, s),
    ix.measures.ranking_loss: lambda y, s: sklearn.metrics.label_ranking_loss(y, s),
    ix.measures.dcg: lambda y, s: sklearn.metrics.dcg_score(y, s),
    ix.ndcg: lambda y, s: sklearn.metrics.ndcg_score(y, s),
}


@examples(10)
@given(problems())
def test_scikit_learn_on_dense_copies(problem):
    y, scores, kept, _ = problem
    y, scores, kept = (np.hstack([x, z]) for x, z in zip((y, scores, kept), (1 - y, scores[:, ::-1], kept[:, ::-1]), strict=True))
    dense = np.where(kept | (y == 1), scores, -99.0)  # every relevant label has a score, the others stand together at the end
    for score, theirs in RANKINGS.items():
        ours = score(sp.csr_array(y), stored(scores, kept | (y == 1)))
        np.testing.assert_allclose(ours, theirs(y, dense), atol=1e-12)
    wrong = sklearn.metrics.label_ranking_loss(y, np.where(kept, scores, -99.0))  # labels without a score are a tie
    np.testing.assert_allclose(ix.measures.ranking_loss(y, stored(scores, kept)), wrong, atol=1e-12)


@pytest.mark.slow
@examples(8)
@given(problems(), st.sampled_from([None, 1, 3]), st.booleans(), st.booleans())
def test_sparse_scores_add_what_dense_ones_do(problem, k, ignore_ties, weighted):
    y, scores, kept, _ = problem
    kept = kept | (y == 1)
    options = {"by": {"site": [f"s{i % 2}" for i in range(len(y))]}, "sample_weight": np.arange(len(y)) if weighted else None}
    dense = np.where(kept, scores, -np.arange(100, 100 + y.shape[1]))
    cut = {"k": k, "ignore_ties": ignore_ties}
    calls = (
        (ix.measures.label_ranking_ap, y, {}),
        (ix.measures.ranking_loss, y, {}),
        (ix.mrr, y, cut),
        (ix.measures.dcg, y * [1, -2, 3, 1, 2, 1][: len(y[0])], cut),
    )
    for score, truth, own in calls:
        for average in AVERAGES if score is not ix.mrr else (*rows_along("", "example"), "site"):
            found, want = (
                score(sp.csr_array(truth), stored(scores, kept), average=average, **own, **options),
                score(truth, dense, average=average, **own, **options),
            )
            np.testing.assert_allclose(found, want, atol=1e-12)
            np.testing.assert_allclose(found.values, want.values, atol=1e-12)
            assert found.measure == want.measure


def test_a_relevant_label_without_a_score_is_never_found():
    y, scores = [[1, 1, 0, 0]], sp.csr_array(([0.9, 0.5], ([0, 0], [0, 2])), shape=(1, 4))
    assert ix.measures.label_ranking_ap(y, scores, average="micro") == 0.5  # 1 and 0
    assert ix.mrr([[0, 1, 0, 0]], scores) == 0
    assert ix.measures.dcg(y, scores) == 1
    assert ix.measures.ranking_loss(y, scores) == 0.5  # of four pairs, the two of the label without a score are wrong
    nothing = sp.csr_array((2, 4))
    for score in (ix.measures.label_ranking_ap, ix.mrr, ix.measures.dcg, ix.ndcg):
        assert score([[1, 1, 0, 0], [0, 1, 0, 0]], nothing) == 0
        assert math.isnan(score(sp.csr_array((0, 4)), sp.csr_array((0, 4))))


@examples(8)
@given(problems(), st.sampled_from(AVERAGES))
def test_masks_of_propensity_scores_hide_labels(problem, average):
    y, scores, seen, p = problem
    options = {"by": {"site": [f"s{i % 2}" for i in range(len(y))]}, "average": average, "undefined": 0}
    for score in (ix.scores.propensity_precision_at_k, ix.scores.propensity_ndcg_at_k):
        masked = score(y, np.where(seen, scores, np.nan), 2, p, mask=seen, **options)
        hidden = score(y * seen, stored(scores, seen), 2, p, **options)
        if seen.any(axis=1).all() and seen.any(axis=0).all():
            np.testing.assert_allclose(masked, hidden, atol=1e-12)


@examples(10)
@given(problems())
def test_decisions_about_sparse_scores(problem):
    y, scores, kept, _ = problem
    k = min(2, y.shape[1])
    rank = [sorted(np.flatnonzero(row), key=lambda j, i=i: (-scores[i, j], j))[:k] for i, row in enumerate(kept)]
    taken = np.array([[j in row for j in range(y.shape[1])] for row in rank], int)
    for rule, decided in ((ix.top_k(k), taken), (0.25, kept & (scores >= 0.25)), (ix.above(0.25), kept & (scores > 0.25))):
        for average in averages_over("class", "example"):
            np.testing.assert_equal(
                float(ix.jaccard(sp.csr_array(y), stored(scores, kept), decide=rule, average=average)),
                float(ix.jaccard(y, decided.astype(int), average=average)),
            )
    precision = ix.measures.precision_at_k(y, stored(scores, kept), k)
    np.testing.assert_equal(float(precision), float(ix.precision(y, taken, average="exemplar")))


def test_one_label_each_and_sets():
    scores = sp.csr_array(np.array([[0.1, 0.9, 0.3], [0.4, 0.2, 0.3]]))
    assert ix.recall(["a", "c"], scores, decide=ix.top_k(2), classes=["a", "b", "c"], average="micro") == 0.5
    assert ix.ndcg([{"b"}, {"a", "c"}], scores, classes=["a", "b", "c"]) == 1
    sets, matrix = [{"b"}, {"a", "c"}], [[0, 1, 0], [1, 0, 1]]
    by_name = {"a": 0.5, "b": 0.2, "c": 0.9}
    ours = ix.scores.propensity_ndcg_at_k(sets, scores, 1, by_name, classes=["a", "b", "c"], average="macro")
    assert ours == ix.scores.propensity_ndcg_at_k(matrix, scores, 1, [0.5, 0.2, 0.9], average="macro")


def test_perfect_rankings_and_propensities_of_one():
    rng = np.random.default_rng(0)
    y, scores = rng.random((30, 8)) < 0.3, rng.random((30, 8))
    p = ix.scores.label_propensities(y)
    assert ((p > 0) & (p < 1)).all()
    assert np.array_equal(np.argsort(p, kind="stable"), np.argsort(y.sum(axis=0), kind="stable"))  # rare labels are recorded less
    for score in (ix.scores.propensity_precision_at_k, ix.scores.propensity_ndcg_at_k):
        assert score(y, y / p, 3, p) == pytest.approx(1)
    plain = ix.scores.propensity_ndcg_at_k(y, scores, 3, 1.0, average="exemplar")
    assert plain == pytest.approx(ix.ndcg(y.astype(int), scores, k=3, ignore_ties=True))


# pyxclib's evaluation code at commit 5d13086, on these 40 x 12 labels and scores; it computes gains in float32.
PYXCLIB = {
    "precision_at_k": [0.275, 0.2625, 0.2666666666666667],
    "recall_at_k": [0.09458333333333334, 0.17124999999999996, 0.2625],
    "ndcg": [0.2750000059604645, 0.2750000059604645, 0.2903286814689636],
    "propensity_precision_at_k": [0.26710479130895465, 0.2726877800179856, 0.31055532890214105],
    "propensity_ndcg_at_k": [0.26710477471351624, 0.2681359648704529, 0.2844335436820984],
}


@pytest.mark.parametrize("name", PYXCLIB)
def test_values_of_pyxclib(name):
    rng = np.random.default_rng(7)
    y = (rng.random((40, 12)) < 0.25).astype(float)
    y[y.sum(axis=1) == 0, 0] = 1
    scores = np.round(rng.random((40, 12)), 6)
    scores[rng.random(scores.shape) < 0.4] = 0
    y, scores = sp.csr_array(y), sp.csr_array(scores)
    p = ix.scores.label_propensities(y)
    assert 1 / p[[0, 10]] == pytest.approx([2.06354229, 2.46944942])
    options = {"propensities": p} if name.startswith("propensity") else {}
    ours = [float(load_public(name)(y, scores, k=k, **options)) for k in (1, 2, 3)]
    assert ours == pytest.approx(PYXCLIB[name], rel=1e-7)


@pytest.mark.slow
def test_memory_grows_with_what_is_stored():
    n = m = 8_000  # a dense array of these would have 64 million entries, 512 MB
    rng = np.random.default_rng(0)
    y, scores = (sp.random_array((n, m), density=size / m, rng=rng, format="csr") for size in (5, 10))
    y.data[:] = 1
    p = ix.scores.label_propensities(y)
    tracemalloc.start()
    found = [
        ix.scores.propensity_precision_at_k(y, scores, 5, p),
        ix.scores.propensity_ndcg_at_k(y, scores, 5, p),
        ix.ndcg(y, scores, k=5),
    ]
    found += [
        ix.measures.precision_at_k(y.astype(np.int8), scores, 5),
        ix.mrr(y, scores),
        ix.measures.label_ranking_ap(y, scores),
    ]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert all(0 <= x <= 1 for x in found)
    assert peak < 200 * (y.nnz + scores.nnz) < 32e6  # bytes


def test_the_error_names_every_score_that_reads_sparse_scores():
    y, scores = sp.csr_array([[1, 0, 1], [0, 1, 0]]), sp.csr_array([[0.9, 0.2, 0.0], [0.3, 0.8, 0.1]])
    readers, dense = set(), {name for name, score in ranking_scores.RANKINGS.items() if score.stored is None}
    dense.add("top_k_accuracy")  # it does not rank labels, but classes, of which each example has one
    for name in (
        name
        for module in ("ranking_scores", "gains", "propensity_scores")
        for name, home in HOMES.items()
        if home == f"scores.label_rankings.{module}"
    ):
        parameters = inspect.signature(load_public(name)).parameters
        if "scores" in parameters and name not in dense:
            values = {"k": 2, "propensities": 0.5}
            load_public(name)(y, scores, **{key: values[key] for key in values if key in parameters})
            readers.add("the scores with propensities" if "propensities" in parameters else name)
    with pytest.raises(TypeError) as refused:
        ix.measures.coverage_error(y, scores)
    named = str(refused.value).partition("are read by ")[2].rstrip(".").replace(" and ", ", ").split(", ")
    assert sorted(named) == sorted(readers)


@for_each(
    ("call", "message"),
    [
        (lambda y, s: ix.ndcg(y, s, mask=[True, False]), "Sparse scores go with neither mask="),
        (lambda y, s: ix.ndcg(y, s, missing="mask"), "cannot be told from one that was not observed"),
        (lambda y, s: ix.ndcg(-y, s), r"y_true\[0, 0\] = -1: the relevance of a label is a finite number, not below 0"),
        (lambda y, s: ix.ndcg(y, s * np.nan), r"scores\[0, 0\] is NaN: a stored score is a number"),
        (lambda y, s: ix.ndcg(y[:1], s), "y_true has 1 examples and scores 2"),
        (lambda y, s: ix.f1(y, s, decide="argmax", average="micro"), "y_pred is sparse, and an entry that is not stored"),
        (lambda y, s: ix.f1(y, s, decide=ix.top_k(4), average="micro"), "more classes than the 2"),
        (lambda y, s: ix.measures.coverage_error(y, s), "Sparse scores are read by label_ranking_ap, ranking_loss, mrr"),
        (lambda y, s: ix.mrr(y * 2, s), r"y_true\[0, 0\] = 2: here a label is relevant, 1, or not, 0"),
        (lambda y, s: ix.mrr(y, s, average="macro"), "which class stands first among the relevant ones is part of the result"),
        (lambda y, s: ix.measures.dcg(y * 2000, s, gain="exponential"), r"y_true\[0, 0\] has too large a gain to sum"),
        (lambda y, s: ix.scores.propensity_ndcg_at_k(y, s, 0, 0.5), "k=0: propensity_ndcg_at_k is cut at a rank"),
        (lambda y, s: ix.scores.propensity_ndcg_at_k(y, s, None, 0.5), "k=None"),
        (
            lambda y, s: ix.scores.propensity_ndcg_at_k(y, s, 1, [2, 3]),
            "The propensity of 0 is 2; it is a probability .* give 1/x",
        ),
        (lambda y, s: ix.scores.propensity_ndcg_at_k(y, s, 1, [0.2]), "propensities= has 1 entries for 2 classes"),
        (lambda y, s: ix.scores.label_propensities(y), "needs 3 or more"),
        (lambda y, s: ix.scores.label_propensities(y, a=-1), "a=-1 must be a number above 0"),
        (lambda y, s: ix.scores.label_propensities([[0, 2]] * 3), "other values than 0 and 1"),
        (lambda y, s: ix.scores.label_propensities([0, 1, 1]), "not a 0/1 matrix"),
    ],
)
def test_errors(call, message):
    y = sp.csr_array(np.array([[1, 0], [0, 1]]))
    with pytest.raises((ValueError, TypeError), match=message):
        call(y, sp.csr_array(np.array([[0.5, 0.0], [0.25, 0.75]])))
