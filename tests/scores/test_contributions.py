"""Every average of every ranking, from its definition: a double loop over examples and labels in exact fractions.

What a label adds is written down here once more, from all pairs of labels, and each average is taken with plain sums.
"""

from __future__ import annotations

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from average_rows import row_weights, rows_along
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each

import indicatrix as ix

F = Fraction
PER_CLASS = ("dcg", "ndcg", "label_ranking_ap", "ranking_loss", "coverage_error")
GRADED = ("dcg", "ndcg")


def discount(place: int, k: int | None) -> Fraction:
    return F(1 / float(np.log2(place + 1))) if k is None or place <= k else F(0)


def shared_discount(s: list, j: int, k: int | None) -> Fraction:
    """Return the mean discount of the places that label j shares with those of equal number."""
    above, tied = sum(x > s[j] for x in s), sum(x == s[j] for x in s)
    return sum(discount(above + t, k) for t in range(1, tied + 1)) / tied


def contributed(name: str, y: list, s: list, k: int | None) -> tuple[list[Fraction], list[Fraction], Fraction]:
    """Return the part and the whole of each label, and the whole of the example."""
    labels, hits = range(len(y)), [j for j, v in enumerate(y) if v]
    if name == "dcg":
        return [F(y[j]) * shared_discount(s, j, k) for j in labels], [F(1)] * len(y), F(bool(y))
    if name == "ndcg":
        parts, wholes = ([F(y[j]) * shared_discount(by, j, k) for j in labels] for by in (s, y))
        return parts, wholes, sum(wholes, F(0))
    if name == "coverage_error":
        lowest = min((s[j] for j in hits), default=None)
        return [F(int(bool(hits) and s[j] >= lowest)) for j in labels], [F(bool(hits))] * len(y), F(bool(hits))
    if name == "ranking_loss":
        wrong = [F(sum(not y[i] and s[i] >= s[j] for i in labels)) if y[j] else F(0) for j in labels]
        return wrong, [F(len(y) - len(hits)) if y[j] else F(0) for j in labels], F(len(hits) * (len(y) - len(hits)))
    shares = [F(sum(s[i] >= s[j] for i in hits), sum(x >= s[j] for x in s)) if y[j] else F(0) for j in labels]
    return shares, [F(bool(y[j])) for j in labels], F(len(hits))


def sides(y: np.ndarray) -> tuple[int, int]:
    """Return how many labels are relevant, and how many are not."""
    return int((y != 0).sum()), int((y == 0).sum())


def over(part: Fraction, whole: Fraction) -> Fraction | None:
    return part / whole if whole else None


def mean(values: list, weights: list, undefined) -> float:
    """Return the weighted mean of values, of which None are undefined, under a convention."""
    pairs = [(v, w) for v, w in zip(values, weights, strict=True) if w]
    if undefined == "exclude":
        pairs = [(v, w) for v, w in pairs if v is not None]
    elif undefined == "nan":
        if any(v is None for v, _ in pairs):
            return math.nan
    else:
        pairs = [(F(undefined) if v is None else v, w) for v, w in pairs]
    total = sum(w for _, w in pairs)
    return float(sum(v * w for v, w in pairs) / total) if total else math.nan if isinstance(undefined, str) else float(undefined)


@st.composite
def problems(draw):
    """Draw a few examples with many ties, a mask, weights, groups, a k and a convention."""
    n, m = draw(st.integers(0, 4)), draw(st.integers(1, 4))

    def table(of):
        return draw(st.lists(st.lists(of, min_size=m, max_size=m), min_size=n, max_size=n))

    def column(of):
        return draw(st.lists(of, min_size=n, max_size=n))

    return {
        "gains": np.array(table(st.integers(0, 3)), int).reshape(n, m),
        "scores": np.array(table(st.sampled_from([-np.inf, -1.0, 0.0, 0.5, np.inf])), float).reshape(n, m),
        "mask": np.array(table(st.booleans()), bool).reshape(n, m) if draw(st.booleans()) else None,
        "weights": column(st.sampled_from([0, 0.5, 1, 3])) if draw(st.booleans()) else None,
        "site": column(st.sampled_from("ab")),
        "k": draw(st.none() | st.integers(1, m)),
        "undefined": draw(st.sampled_from(["exclude", 0, 0.5, "nan"])),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", PER_CLASS)
@given(problems())
def test_every_average_by_definition(name, case):
    gains, scores, mask, undefined = case["gains"], case["scores"], case["mask"], case["undefined"]
    n, m = gains.shape
    y, k = (gains, case["k"]) if name in GRADED else ((gains > 0).astype(int), None)
    seen = [[j for j in range(m) if mask is None or mask[i, j]] for i in range(n)]
    w = [F(x) if js else F(0) for x, js in zip(case["weights"] or [1] * n, seen, strict=True)]  # the rest counts nowhere
    rows = [contributed(name, *(x[i, seen[i]].tolist() for x in (y, scores)), k) for i in range(n)]
    each = [over(sum(parts, F(0)), whole) for parts, _, whole in rows]
    cells = {(i, j): (parts[t], wholes[t]) for i, (parts, wholes, _) in enumerate(rows) for t, j in enumerate(seen[i])}
    column = [[(i, *cells[i, j]) for i in range(n) if (i, j) in cells] for j in range(m)]
    sums = [(sum((w[i] * p for i, p, _ in of), F(0)), sum((w[i] * q for i, _, q in of), F(0))) for of in column]
    positives = [sum((w[i] for i, _, _ in column[j] if y[i, j]), F(0)) for j in range(m)]
    negatives = [sum((w[i] for i, _, _ in column[j] if not y[i, j]), F(0)) for j in range(m)]
    classes = [over(*pair) for pair in sums]
    pooled = over(sum(w[i] * sum(r[0], F(0)) for i, r in enumerate(rows)), sum((w[i] * r[2] for i, r in enumerate(rows)), F(0)))
    sites = sorted(set(case["site"]))
    groups = [[i for i in range(n) if case["site"][i] == g] for g in sites]
    observed = [any(w[i] for i in at) for at in groups]
    within = [
        mean([each[i] for i in at], [w[i] for i in at], undefined if some else "nan")
        for at, some in zip(groups, observed, strict=True)
    ]

    options = {"mask": mask, "sample_weight": case["weights"], "undefined": undefined, "by": {"site": case["site"]}}
    options |= {} if k is None else {"k": k}
    ask = {a: getattr(ix.measures, name)(y, scores, average=a, **options) for a in (*rows_along("", "class", "example"), "site")}
    close = {"rel": 1e-13, "abs": 1e-15, "nan_ok": True}
    for average in rows_along("example"):
        labels = ([sides(y[i, seen[i]])[k] for i in range(n)] for k in (0, 1))
        both = [F(a) * b for a, b in zip(row_weights(ix.algebra.AVERAGES[average], None, *labels).tolist(), w, strict=True)]
        assert float(ask[average]) == pytest.approx(mean(each, both, undefined), **close)
        assert ask[average].values == pytest.approx([math.nan if v is None else float(v) for v in each], **close)
    for average in rows_along(""):
        assert float(ask[average]) == pytest.approx(mean([pooled], [1], undefined), **close)
    for average in rows_along("class"):
        weights = [F(x) for x in row_weights(ix.algebra.AVERAGES[average], None, positives, negatives).tolist()]
        weights = [x if p or q else F(0) for x, p, q in zip(weights, positives, negatives, strict=True)]
        assert float(ask[average]) == pytest.approx(mean(classes, weights, undefined), **close)
        assert ask[average].values == pytest.approx([math.nan if v is None else float(v) for v in classes], **close)
    assert ask["site"].values == pytest.approx(within, **close)
    known = [F(v) if v == v else None for v in within]
    assert float(ask["site"]) == pytest.approx(mean(known, observed, undefined), **close)
    assert (ask["macro"].values.names, ask["site"].values.names) == (tuple(range(m)), tuple(sites))


def drawn(seed: int):
    rng = np.random.default_rng(seed)
    y, scores = rng.random((60, 7)) < 0.3, rng.integers(0, 9, (60, 7))
    return y.astype(int), scores, rng.integers(0, 3, 60), rng.integers(0, 4, 60)


@for_each("name", [*PER_CLASS, "mrr"])
@for_each("seed", range(5))
def test_groups_are_scored_by_themselves(name, seed):
    score = getattr(ix.measures, name)
    y, scores, weights, site = drawn(seed)
    found = score(y, scores, by={"site": site}, average="site", sample_weight=weights)
    alone = [score(y[site == g], scores[site == g], sample_weight=weights[site == g]) for g in range(4)]
    np.testing.assert_allclose(found.values, alone, rtol=1e-13)
    again = np.repeat(np.arange(60), weights)  # whole weights repeat rows
    for average in rows_along("", "example", *(() if name == "mrr" else ("class",))):
        repeated = score(y[again], scores[again], average=average)
        assert float(score(y, scores, sample_weight=weights, average=average)) == pytest.approx(float(repeated), rel=1e-13)


@pytest.mark.parametrize("seed", range(5))
def test_what_the_averages_have_to_do_with_each_other(seed):
    y, scores, weights, _ = drawn(seed)
    for name in ("dcg", "coverage_error", "mrr"):  # one unit per example
        score = getattr(ix.measures, name)
        micro, exemplar = (float(score(y, scores, sample_weight=weights, average=a)) for a in ("micro", "exemplar"))
        assert micro == pytest.approx(exemplar, rel=1e-13)
        if name != "mrr":  # a sum over classes
            assert score(y, scores, sample_weight=weights, average="macro").values.sum() == pytest.approx(micro, rel=1e-13)
    ap = {a: ix.measures.label_ranking_ap(y, scores, average=a, sample_weight=weights) for a in ("micro", "weighted")}
    assert float(ap["micro"]) == pytest.approx(float(ap["weighted"]), rel=1e-13)  # wholes are actual positives
    one = np.eye(7, dtype=int)[np.arange(60) % 7]  # one relevant label: one pair of sums for each example
    for name in ("label_ranking_ap", "ranking_loss", "ndcg"):
        score = getattr(ix.measures, name)
        assert float(score(one, scores, average="micro")) == pytest.approx(float(score(one, scores)), rel=1e-13)
        assert float(score(one, scores, average="weighted")) == pytest.approx(float(score(one, scores)), rel=1e-13)


def test_a_class_above_its_best_rank():
    score = ix.ndcg([[1, 2]], [[0.9, 0.1]], average="macro")
    assert score.values[0] > 1 > score.values[1]
    cut = ix.ndcg([[1, 2]], [[0.9, 0.1]], average="macro", k=1)  # at its best rank the first class is cut off
    assert cut.undefined_units == (0,)


def test_an_empty_example_has_no_say_in_sums():
    y, scores = [[1, 0], [0, 0]], [[0.2, 0.9]] * 2
    assert ix.measures.ranking_loss(y, scores, average="micro") == ix.measures.ranking_loss(y, scores) == 1
    assert ix.measures.ranking_loss(y, scores, undefined=0) == 0.5
    assert ix.measures.ranking_loss(y, scores, average="micro", undefined=0) == 1
    assert (
        repr(ix.measures.ranking_loss(y, scores, average="macro"))
        == "1.0 (macro ranking_loss; 1 of 2 classes undefined, excluded)"
    )
    assert ix.measures.ranking_loss(y, scores, by={"site": ["a", "b"]}, average="site", undefined=0) == 0.5
    with pytest.raises(
        ix.types.UndefinedError, match="site ranking_loss: undefined for 'b', without a pair of a relevant and an"
    ):
        ix.measures.ranking_loss(y, scores, by={"site": ["a", "b"]}, average="site", undefined="raise")


def test_a_score_knows_its_units():
    score = ix.ndcg([{"a"}, {"b", "c"}], [[3, 2, 1], [3, 2, 1]], classes=list("abc"), average="macro", k=2)
    assert (str(score.measure), score.average, score.values.names, score.counts.per) == (
        "ndcg@2",
        "macro",
        tuple("abc"),
        ("class",),
    )
    for again in (pickle.loads(pickle.dumps(score)), copy.copy(score), copy.deepcopy(score)):
        assert type(again) is ix.Score
        assert again == score
        assert again.values.names == tuple("abc")


@pytest.mark.slow
def test_many_examples_in_blocks():
    rng = np.random.default_rng(0)
    y, scores = (rng.random((30_000, 10)) < 0.2).astype(int), np.round(rng.random((30_000, 10)), 1)  # more than two blocks
    half = slice(0, 15_000), slice(15_000, None)
    for name in PER_CLASS:
        score = getattr(ix.measures, name)
        whole = score(y, scores, by={"half": np.repeat([0, 1], 15_000)}, average="half")
        np.testing.assert_allclose(whole.values, [score(y[h], scores[h]) for h in half], rtol=1e-12)
        for average in ("macro", "micro"):
            turned = score(y[::-1], scores[::-1], average=average)
            np.testing.assert_allclose(score(y, scores, average=average).values, turned.values, rtol=1e-12)
