"""Brier score and log loss: scikit-learn where it has them, the literal sums over cells everywhere else.

| scikit-learn                                           | indicatrix                                                            |
|--------------------------------------------------------|-----------------------------------------------------------------------|
| brier_score_loss(y, p, pos_label=c)                    | brier(y, p, positive=c)                                               |
| brier_score_loss(y, P), three classes or more          | brier(y, P)                                                           |
| brier_score_loss(y, P), two columns: halved            | brier(y, P, normalize="nm"), or brier(y, P[:, 1])                     |
| log_loss(y, P, labels=L), L sorted                     | log_loss(y, P, classes=L), in any order of columns                    |
| log_loss of a 0/1 matrix: one label per row            | log_loss of labels; a matrix has several labels, and both terms       |
| rows that do not sum to 1: a warning                   | an error, with the same tolerance, or renormalize=True                |
| float32: computed in float32                           | computed in float64, clipped at the epsilon of float32                |
"""

from __future__ import annotations

import copy
import math
import pickle
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest
import torch
from average_rows import row_weights, rows_along
from loops import for_each
from scipy import sparse
from sklearn import metrics as sk

import indicatrix as ix
from indicatrix.scores.probabilities.proper_scores import brier, log_loss

close = partial(np.testing.assert_allclose, rtol=1e-12, atol=1e-12, equal_nan=True)
SEEDS = range(16)


def weights_of(rng, n):
    """Return no weights, whole ones with zeros among them, or fractional ones; the first example always counts."""
    some = [None, rng.integers(0, 4, n), rng.random(n) + 0.01][rng.integers(3)]
    if some is not None:
        some[0] = 1
    return some


def binary(seed):
    """Return labels, probabilities (with ties, zeros and ones, or all the same) and weights."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1  # scikit-learn wants to see both
    p = [rng.random(n), rng.integers(0, 5, n) / 4, np.full(n, 0.3)][seed % 3]
    return y, p, weights_of(rng, n)


def distributions(rng, n, m):
    """Return rows that sum to 1, with ties and zeros, or all the same."""
    raw = [rng.random((n, m)), rng.integers(0, 4, (n, m)) + np.eye(m)[rng.integers(0, m, n)], np.ones((n, m))][rng.integers(3)]
    return raw / raw.sum(axis=1, keepdims=True)


def multiclass(seed, m=None):
    """Return labels, some of which may never occur, the classes, probabilities and weights."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 60)), m or int(rng.integers(3, 7))
    names = [np.arange(m), np.array(list("abcdefg"))[:m]][seed % 2]
    return rng.choice(names[: rng.integers(1, m + 1)], n), names, distributions(rng, n, m), weights_of(rng, n)


def multilabel(seed, masked=True):
    """Return a 0/1 matrix, probabilities, weights, and a mask of entries in which a row and a column may be hidden."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 20)), int(rng.integers(1, 6))
    Y, P = (rng.random((n, m)) < rng.random(m)).astype(int), rng.integers(0, 9, (n, m)) / 8
    mask = (rng.random((n, m)) < rng.choice([0.2, 0.8])) if masked else None
    return Y, P, weights_of(rng, n), mask


# scikit-learn.


@for_each("seed", SEEDS)
def test_binary(seed):
    y, p, w = binary(seed)
    close(brier(y, p, sample_weight=w), sk.brier_score_loss(y, p, sample_weight=w))
    close(log_loss(y, p, sample_weight=w), sk.log_loss(y, p, sample_weight=w))
    named = np.array(["ham", "spam"])[y]
    for positive in ("ham", "spam"):
        close(
            brier(named, p, positive=positive, sample_weight=w),
            sk.brier_score_loss(named, p, pos_label=positive, sample_weight=w),
        )
    close(log_loss(y == 1, p, sample_weight=w), log_loss(named, p, positive="spam", sample_weight=w))


@for_each("seed", SEEDS)
def test_multiclass(seed):
    y, names, P, w = multiclass(seed)
    ours = {"classes": names, "sample_weight": w}
    close(brier(y, P, **ours), sk.brier_score_loss(y, P, labels=names, sample_weight=w))
    close(log_loss(y, P, **ours), sk.log_loss(y, P, labels=names, sample_weight=w))
    order = np.random.default_rng(seed).permutation(len(names))  # columns in any order
    for score in (brier, log_loss):
        close(score(y, P[:, order], classes=names[order], sample_weight=w), score(y, P, **ours))


@for_each("seed", SEEDS)
def test_two_columns(seed):
    y, names, P, w = multiclass(seed, m=2)
    ours = {"classes": names, "sample_weight": w}
    theirs = sk.brier_score_loss(y, P, labels=names, sample_weight=w)
    close(brier(y, P, normalize="nm", **ours), theirs)
    close(brier(y, P[:, 1], positive=names[1], **ours), theirs)
    close(brier(y, P, **ours), theirs)
    close(brier(y, P, normalize="n", **ours), 2 * theirs)
    close(brier(y, P, normalize="sum", **ours), brier(y, P[:, 1], positive=names[1], normalize="sum", **ours))
    close(log_loss(y, P, **ours), log_loss(y, P[:, 1], positive=names[1], **ours))


@for_each("seed", SEEDS)
def test_multilabel_has_a_binary_problem_in_each_column(seed):
    Y, P, w, _ = multilabel(seed)
    columns = [sk.log_loss(y, p, labels=[0, 1], sample_weight=w) for y, p in zip(Y.T, P.T, strict=True)]
    score = log_loss(Y, P, average="macro", sample_weight=w)
    close(score.values, columns)
    close(score, np.mean(columns))
    close(log_loss(Y, P, sample_weight=w), np.mean(columns))
    close(
        brier(Y, P, average="macro", sample_weight=w).values,
        [brier(y, p, sample_weight=w) for y, p in zip(Y.T, P.T, strict=True)],
    )


@pytest.mark.slow
def test_many_examples():
    rng = np.random.default_rng(0)
    n = 10**6
    y, p, w = rng.integers(0, 2, n), rng.random(n), rng.random(n)
    close(brier(y, p, sample_weight=w), sk.brier_score_loss(y, p, sample_weight=w))
    close(log_loss(y, p, sample_weight=w), sk.log_loss(y, p, sample_weight=w))
    P, codes = rng.dirichlet(np.ones(3), n), rng.integers(0, 3, n)
    close(log_loss(codes, P), sk.log_loss(codes, P))
    close(log_loss(codes, P, average="weighted"), sk.log_loss(codes, P))


def test_float32_is_clipped_at_its_own_epsilon():
    y, p = np.array([0, 1, 1]), np.array([1.0, 0.0, 0.25], np.float32)
    eps = np.finfo(np.float32).eps
    close(log_loss(y, p), (-2 * math.log(eps) - math.log(0.25)) / 3)
    close(log_loss(y, torch.tensor(p)), log_loss(y, p))
    close(log_loss(y, p.astype(np.float64)), log_loss(y, p.astype(np.float64), clip=np.finfo(np.float64).eps))
    assert log_loss(y, p) < log_loss(y, p.astype(np.float64))


# The literal sums, in fractions.


def literal(Y, losses, mask, w):
    """Return every average and the per-class values of losses of entries, None where undefined."""
    n, m = len(Y), len(Y[0])
    w = [Fraction(float(x)) for x in (np.ones(n) if w is None else w)]
    seen = [[1 if mask is None else int(mask[i][j]) for j in range(m)] for i in range(n)]

    def mean(pairs):
        total = sum(weight for _, weight in pairs)
        return sum(x * weight for x, weight in pairs) / total if total else None

    cells = [[(losses[i][j], w[i] * seen[i][j]) for j in range(m)] for i in range(n)]
    per_class = [mean([cells[i][j] for i in range(n)]) for j in range(m)]
    per_example = [mean([(losses[i][j], seen[i][j]) for j in range(m)]) for i in range(n)]
    positives = [sum(w[i] * seen[i][j] * int(Y[i][j]) for i in range(n)) for j in range(m)]
    defined = [j for j in range(m) if per_class[j] is not None]
    negatives = [sum(w[i] * seen[i][j] * (1 - int(Y[i][j])) for i in range(n)) for j in range(m)]
    found = {"values": per_class} | {a: mean([cell for row in cells for cell in row]) for a in rows_along("")}
    for average in rows_along("class"):
        weights = row_weights(ix.algebra.AVERAGES[average], None, positives, negatives)
        found[average] = mean([(per_class[j], Fraction(float(weights[j]))) for j in defined])
    for average in rows_along("example"):
        labels = [(sum(s * int(y) for s, y in zip(*row, strict=True)), sum(row[0])) for row in zip(seen, Y, strict=True)]
        weights = row_weights(ix.algebra.AVERAGES[average], None, [a for a, _ in labels], [b - a for a, b in labels])
        found[average] = mean([(x, Fraction(float(weights[i])) * w[i]) for i, x in enumerate(per_example) if x is not None])
    return found


def as_floats(x):
    return [math.nan if v is None else float(v) for v in x] if isinstance(x, list) else math.nan if x is None else float(x)


def squares(Y, P):
    return [[(Fraction(int(y)) - Fraction(float(p))) ** 2 for y, p in zip(r, s, strict=True)] for r, s in zip(Y, P, strict=True)]


@for_each("seed", SEEDS)
def test_every_average_of_entries(seed):
    Y, P, w, mask = multilabel(seed)
    kept = np.clip(P, 1e-3, 1 - 1e-3)
    entropy = np.where(Y, -np.log(kept), -np.log(1 - kept))
    for score, losses in ((brier, squares(Y, P)), (partial(log_loss, clip=1e-3), [list(map(Fraction, row)) for row in entropy])):
        expected = literal(Y, losses, mask, w)
        for average in rows_along("", "class", "example"):
            got = score(Y, P, average=average, mask=mask, sample_weight=w)
            close(got, as_floats(expected[average]), err_msg=average)
        close(score(Y, P, average="macro", mask=mask, sample_weight=w).values, as_floats(expected["values"]))
    close(
        brier(Y, P, normalize="n", mask=mask, sample_weight=w),
        Y.shape[1] * as_floats(literal(Y, squares(Y, P), mask, w)["micro"]),
    )


@for_each("seed", SEEDS)
def test_every_average_of_examples(seed):
    """One label per example: under "n" a loss belongs to the true class, under "nm" every column is a problem of its own."""
    y, names, P, w = multiclass(seed)
    mask = np.random.default_rng(seed).random(len(y)) < 0.7
    Y = y[:, None] == names
    options = {"classes": names, "sample_weight": w, "mask": mask}
    entries = squares(Y, P)
    rows = [[sum(row)] * len(names) for row in entries]
    logs = [list(map(Fraction, [-math.log(min(max(p, 1e-3), 1 - 1e-3))] * len(names))) for p in P[Y]]
    for score, losses in ((brier, rows), (partial(log_loss, clip=1e-3), logs)):
        expected = literal(Y, losses, Y & mask[:, None], w)
        for average in rows_along("", "class", "example"):
            close(score(y, P, average=average, **options), as_floats(expected[average]), err_msg=average)
        close(score(y, P, average="macro", **options).values, as_floats(expected["values"]))
        close(score(y, P, average="weighted", **options), score(y, P, **options))
    expected = literal(Y, entries, np.repeat(mask[:, None], len(names), axis=1), w)
    for average in rows_along("", "class", "example"):
        close(brier(y, P, normalize="nm", average=average, **options), as_floats(expected[average]))
    close(brier(y, P, normalize="nm", **options) * len(names), brier(y, P, **options))
    some = np.random.default_rng(seed + 1).random(P.shape) < 0.7  # a mask of entries
    options["mask"] = some
    close(brier(y, P, normalize="nm", **options), as_floats(literal(Y, entries, some, w)["micro"]))


# Laws.


@pytest.mark.slow
@for_each("score", [brier, log_loss])
@for_each("seed", range(10))
def test_the_truth_has_the_smallest_expected_loss(score, seed):
    """Proper: labels drawn from q cost least if q is predicted; expectations are weighted means over all labels."""
    rng = np.random.default_rng(seed)
    for _ in range(20):
        q, p = rng.dirichlet(np.ones(4), 2)
        expect = partial(score, np.arange(4), sample_weight=q)
        assert expect([q] * 4) < expect([p] * 4)
        single = partial(score, [0, 1], sample_weight=[1 - q[0], q[0]])
        assert single([q[0]] * 2) < single([p[0]] * 2)
        labels = partial(score, [[0], [1]], sample_weight=[1 - q[0], q[0]])
        assert labels([[q[0]]] * 2) < labels([[p[0]]] * 2)


@for_each("score", [brier, log_loss])
@for_each("seed", range(10))
def test_rows(score, seed):
    """Whole weights repeat rows, masks and missing labels leave rows out, groups are scored by themselves."""
    y, names, P, _ = multiclass(seed)
    rng = np.random.default_rng(seed)
    times, group = rng.integers(0, 3, len(y)), rng.integers(0, 3, len(y))
    times[0] = 1
    for average in rows_along("", "class", "example"):
        ask = partial(score, classes=names, average=average)
        again = np.repeat(np.arange(len(y)), times)
        close(ask(y, P, sample_weight=times), ask(y[again], P[again]))
        gone = y.astype(object)
        gone[times == 0] = None
        close(ask(gone, P, missing="mask"), ask(y[times > 0], P[times > 0]))
        close(ask(y, P, mask=times > 0), ask(y[times > 0], P[times > 0]))
    grouped = score(y, P, classes=names, by={"site": group}, average="site", sample_weight=times)
    alone = {g: score(y[group == g], P[group == g], classes=names, sample_weight=times[group == g]) for g in np.unique(group)}
    close(grouped.values, list(alone.values()))
    assert list(grouped.values.names) == list(alone)
    close(grouped, np.nanmean(list(alone.values())))


@pytest.mark.parametrize("score", [brier, log_loss])
def test_missing_entries_and_missing_labels(score):
    Y, P = np.array([[1, np.nan], [0, 1.0]]), np.array([[0.5, 0.1], [0.25, 0.75]])
    seen = ~np.isnan(Y)
    close(score(Y, P, missing="mask"), score(np.nan_to_num(Y), P, mask=seen))
    close(score([1, None, 0], [0.5, 0.9, 0.25], missing="mask"), score([1, 0], [0.5, 0.25]))
    close(score([1, None, 0], [0.5, 0.9, 0.25], missing="mask", mask=[1, 1, 0]), score([1], [0.5]))


@pytest.mark.parametrize("score", [brier, log_loss])
def test_containers(score):
    y, P = ["b", "a", "c"], np.array([[0.2, 0.5, 0.3], [1, 0, 0], [0.25, 0.25, 0.5]])
    expected = score(y, P, classes=["a", "b", "c"])
    frame = pd.DataFrame(P, columns=list("abc"))
    category = pd.Categorical(y)
    for labels, table in (
        (y, frame),
        (pd.Series(y), frame),
        (category, P),
        (category, torch.tensor(P)),
        (ix.one_hot(y), P.tolist()),
    ):
        assert score(labels, table) == expected
    Y = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]])
    several = score(Y, P)
    for labels in (Y.astype(bool), Y.astype(float), sparse.csr_array(Y), ix.multilabel(Y), pd.DataFrame(Y, columns=list("abc"))):
        assert score(labels, P) == several
    assert score([{"b"}, {"a"}, {"c"}], P, classes=list("abc")) == several
    given = P.copy()
    score(y, given, classes=["a", "b", "c"])
    assert (given == P).all()


def test_renormalize():
    P = np.array([[2, 1, 1], [0, 3, 1.0]])
    for score in (brier, log_loss):
        close(score([0, 1], P, renormalize=True), score([0, 1], P / 4))
    assert brier([0, 1], [[0.6, 0.41], [0, 1]], renormalize=True) > 0
    assert brier([0, 1], np.array([[0.7, 0.3001], [0, 1]], np.float32)) > 0  # within the tolerance of float32


def test_what_is_not_observed_is_not_read():
    """NaN, infinity and what is not a probability may stand where a mask is False, or where a label is missing."""
    for score in (brier, log_loss, ix.ece):
        for odd in (np.nan, np.inf, -3.0):
            expected = score([0, 1], [0.25, 0.5])
            assert score([0, 1, 1], [0.25, odd, 0.5], mask=[1, 0, 1]) == expected
            assert score([0, 1, 1], np.array([0.25, odd, 0.5], np.float32), mask=[1, 0, 1]) == pytest.approx(expected, rel=1e-7)
            assert score([0, None, 1], [0.25, odd, 0.5], missing="mask") == expected
            P, Y = np.array([[0.25, 0.75, 0], [odd] * 3, [0.5, 0.25, 0.25]]), np.array([[1, 0, 1], [0, 1, 1], [0, 0, 1]])
            expected = score([0, 2], P[[0, 2]], classes=range(3))
            assert score([0, 1, 2], P, mask=[1, 0, 1]) == expected
            assert score([0, 1, 2], P, mask=[1, 0, 1], renormalize=True) == expected
            assert score([0, None, 2], P, missing="mask", classes=range(3)) == expected
            mask = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]], bool)
            filled = np.nan_to_num(np.clip(P, 0, 1))
            some = np.where(mask, filled, odd)
            assert score(Y, some, mask=mask) == score(Y, filled, mask=mask)
            assert score(np.where(mask, Y, np.nan), some, missing="mask") == score(Y, filled, mask=mask)
            assert brier([0, 1, 2], some, mask=mask, normalize="nm") == brier([0, 1, 2], filled, mask=mask, normalize="nm")
    assert brier([0, 1], [0.25, None], mask=[1, 0]) == 0.0625
    with pytest.raises(ValueError, match=r"y_proba\[0\] is NaN"):
        brier([0, 1], [np.nan, 0.5], mask=[1, 0])
    with pytest.raises(ValueError, match=r"y_proba\[0, 1\] is NaN"):
        brier([[0, 1]], [[0.5, np.nan]], mask=[[0, 1]])


def test_rows_of_coarse_numbers():
    """Rows of rounded numbers do not sum to 1; the tolerance is that of the type, of bfloat16 as well."""
    P = np.random.default_rng(0).dirichlet(np.ones(9), 200)
    y = np.arange(200) % 9
    close(brier(y, P.astype(np.float16)), brier(y, P), rtol=2e-3)
    coarse = torch.tensor(P).to(torch.bfloat16)
    assert np.abs(coarse.double().numpy().sum(axis=1) - 1).max() > np.finfo(np.float32).eps ** 0.5
    close(brier(y, coarse), brier(y, P), rtol=2e-2)
    close(log_loss([0, 1], torch.tensor([1.0, 1.0]).to(torch.bfloat16)), (-math.log(2**-7) - math.log(1 - 2**-7)) / 2)
    with pytest.raises(ValueError, match=r"sums to 1\.19922.*\(within 0\.09\)"):
        brier([0], torch.tensor([[0.7, 0.5]]).to(torch.bfloat16))


# Nothing, one class, infinite losses.


def test_degenerate_input():
    for score in (brier, log_loss):
        assert math.isnan(score([], []))
        assert math.isnan(score([], np.zeros((0, 3))))
        assert math.isnan(score(np.zeros((0, 2), int), np.zeros((0, 2)), average="macro"))
        assert math.isnan(score([0, 1], [0.5, 0.5], sample_weight=[0, 0]))
        assert math.isnan(score([0, 1], [0.5, 0.5], mask=[0, 0]))
        assert score([0, 1], [0.5, 0.5], mask=[0, 0], undefined=0) == 0
        assert score([0], [0.5]) == score([1], [0.5]) > 0
        assert score([0, 0], [0, 0.0]) < 1e-15
        assert score([], []).undefined_units == ("micro",)
        assert score([0, 1], [0.5, 0.25], average="binary") == score([0, 1], [0.5, 0.25])


def test_a_class_without_examples_is_undefined():
    score = brier([0, 0], [[0.5, 0.5], [1, 0]], average="macro")
    assert score.undefined_units == (1,)
    assert float(score) == 0.125
    assert repr(score) == "0.125 (macro brier; 1 of 2 classes undefined, excluded)"
    assert brier([0, 0], [[0.5, 0.5], [1, 0]], average="macro", undefined=1) == 0.5625
    assert math.isnan(brier([0, 0], [[0.5, 0.5], [1, 0]], average="macro", undefined="nan"))
    assert score.sensitivity().values == {"exclude": 0.125, 0: 0.0625, 1: 0.5625, "nan": pytest.approx(math.nan, nan_ok=True)}
    assert brier([0, 0], [[0.5, 0.5], [1, 0]], average="macro", undefined=0.5).sensitivity().values[0.5] == 0.3125
    with pytest.raises(ix.types.UndefinedError, match="macro brier: undefined for 1, without observed examples"):
        brier([0, 0], [[0.5, 0.5], [1, 0]], average="macro", undefined="raise")


def test_an_infinite_loss_is_a_value():
    y, P = [0, 1, 2], [[0.5, 0.5, 0], [1, 0, 0], [0, 0, 1]]
    for average in (*rows_along("", "class", "example"), "samples"):
        score = log_loss(y, P, clip=0, average=average)
        assert float(score) == math.inf
        assert score.undefined_units == ()
        assert repr(score) == "inf"
        assert set(score.sensitivity().values.values()) == {math.inf}
        log_loss(y, P, clip=0, average=average, undefined="raise")
        assert math.isfinite(log_loss(y, P, average=average))
        assert math.isfinite(log_loss(y, P, clip=0, average=average, sample_weight=[1, 0, 1]))
        assert math.isfinite(log_loss(y, P, clip=0, average=average, mask=[1, 0, 1]))
    assert log_loss(y, P, clip=0, average="macro").values.tolist() == [math.log(2), math.inf, 0]
    assert repr(log_loss([0, 1], [0.0, 1.0], clip=0)) == "0.0"
    assert repr(log_loss([0, 1], np.eye(2), clip=0)) == "0.0"
    assert log_loss([0, 1], [1e-300, 1.0], clip=0) == 5e-301


def test_a_score_knows_where_it_comes_from():
    score = log_loss(["a", "b"], [[0.5, 0.5], [0.25, 0.75]], classes=["a", "b"], average="macro")
    assert (str(score.measure), score.measure.better, score.average, score.values.names) == (
        "log_loss",
        "lower",
        "macro",
        ("a", "b"),
    )
    assert np.isnan(score.counts.tp).all()  # no four counts are behind it
    assert brier([0, 1], [0.5, 1.0], sample_weight=[0, 1], average="exemplar").values.tolist() == [0.25, 0]
    for again in (pickle.loads(pickle.dumps(score)), copy.copy(score), copy.deepcopy(score)):
        assert type(again) is type(score)
        assert again == score
        assert again.values.names == ("a", "b")


# Errors.

ROWS = np.array([[0.5, 0.5, 0], [0.2, 0.3, 0.5]])


@for_each(
    ("y_true", "P", "options", "message"),
    [
        ([0, 1], [0.5, np.nan], {}, r"y_proba\[1\] is NaN"),
        ([0, 1], [[0.5, 0.5], [np.nan, 1]], {}, r"y_proba\[1, 0\] is NaN: every example and class needs a number"),
        ([0, 1], [0.5, 1.5], {}, r"y_proba\[1\] = 1\.5: a probability lies in \[0, 1\]. Logits need a sigmoid"),
        ([[0, 1]], [[0.5, -1]], {}, r"y_proba\[0, 1\] = -1\.0: a probability"),
        ([0, 1], [0.5, np.inf], {}, r"y_proba\[1\] = inf: a probability"),
        ([0, 1], [0.5], {}, "y_true has 2 examples and y_proba 1; they must describe the same examples"),
        ([0, 1], ROWS[:1], {}, "y_true has 2 examples and y_proba 1"),
        ([0, 1], ROWS * 0.9, {}, r"y_proba\[0\] sums to 0\.9, .* \(within 1e-08\)\. Pass renormalize=True"),
        ([0, 1], [[1, -1.0], [0, 1]], {"renormalize": True}, r"y_proba\[0, 1\] = -1\.0: renormalize=True takes"),
        ([0, 1], [[1, 1.0], [0, 0]], {"renormalize": True}, r"y_proba\[1\] sums to 0 and cannot be renormalized"),
        ([0, 1], [0.5, 0.5], {"renormalize": True}, "renormalize=True is for one label per example"),
        ([[0, 1]], [[0.5, 0.5]], {"renormalize": True}, "renormalize=True is for one label per example"),
        ([[0, 1]], [0.5], {}, "y_proba has one number per example, but y_true has a column per class"),
        ([[0, 0.25]], [[0.5, 0.5]], {}, r"y_true\[0, 1\] = 0\.25: probabilities are compared with labels"),
        (ix.soft([[0, 0.25]]), [[0.5, 0.5]], {}, r"y_true\[0, 1\] = 0\.25: probabilities are compared with labels"),
        (ix.types.Indicator.from_codes([0, -1, 1], [0, 1]), [[0.5, 0.5]] * 3, {}, r"y_true\[1\] names no class"),
        ([0, 1], ROWS, {"positive": 1}, "positive=1 names the class that one probability per example is of"),
        (["a", "b"], [0.5, 0.5], {}, "Which class do the scores speak for"),
        (["a", "b"], ROWS, {}, "Which classes are the 3 columns of y_proba"),
        ([[0, 1]], [[0.5, 0.2, 0.3]], {}, "y_true has 2 columns and y_proba 3"),
        ([0, 1, 2], [0.5, 0.5, 0.5], {}, "decides between two classes"),
        ([0, None], [0.5, 0.5], {}, r"y_true\[1\] is missing"),
        ([0, 1], [0.5, 0.5], {"missing": "abstain"}, "missing='abstain' is unknown. Use 'error', or 'mask'"),
        (
            [0, 1],
            ROWS,
            {"average": "marco"},
            r"average='marco' is unknown here. Did you mean macro.*Choose from micro, macro, .*exemplar, or",
        ),
        (
            [0, 1],
            [0.5, 0.5],
            {"average": "marco"},
            r"average='marco' is unknown here. Choose from micro, exemplar, binary, or give by=",
        ),
        (
            [0, 1],
            [0.5, 0.5],
            {"average": "macro"},
            "average='macro': there is one column of probabilities, of the positive class",
        ),
        (
            [0, 1],
            [0.5, 0.5],
            {"average": "weighted"},
            "Leave average= out, or give one column per class. Choose from micro, exemp",
        ),
        (
            [0.5, 0.2],
            [0, 1],
            {},
            r"y_true\[0\] = 0\.5 looks like a score\. Labels come first, then y_proba; if these are labels",
        ),
        (np.array([1, 0.2]), [0, 1], {}, r"y_true\[1\] = 0\.2 looks like a score"),
        (
            ROWS,
            [0, 1],
            {},
            "y_proba has one number per example, but y_true has a column per class. Labels come first, then y_proba",
        ),
        ([[0], [1]], [0.5, 0.5], {}, r"One label per example has one dimension: y_true\.ravel\(\)"),
        ([0, 1], [[0.5], [0.5]], {}, r"If there is one number per example, it has one dimension: y_proba\.ravel\(\)"),
        (
            [0, 0],
            [[0.5], [0.5]],
            {},
            r"y_proba has one column, so each example .* y_proba\[0\] = 0\.5\. .* has one dimension: y_proba\.ravel\(\)",
        ),
        ([0, 1], ROWS, {"mask": ROWS > 0, "renormalize": True}, "renormalize=True divides by the sum of a row, and mask hides"),
        ([0, 1], [0.5, 0.5], {"undefined": "zero"}, "undefined='zero' is not a convention"),
        ([0, 1], [0.5, 0.5], {"sample_weight": [1, -1]}, r"sample_weight\[1\] = -1\.0: a weight is not negative\. Correct it"),
        ([0, 1], ROWS, {"mask": ROWS > 0}, "mask hides entries, but here an example counts as a whole"),
    ],
)
def test_errors(y_true, P, options, message):
    for score in (brier, log_loss):
        with pytest.raises(ValueError, match=message):
            score(y_true, P, **options)


def test_more_errors():
    with pytest.raises(TypeError, match=r"^brier takes no weight=; give one weight for each example with sample_weight="):
        brier([0], [0.5], weight=[1])
    for option, hint in (
        ("decide", "it reads the scores themselves, and nothing is decided"),
        ("tnorm", "with scores labels are 0 or 1"),
        ("signed_weights", "weights are not negative here"),
        ("pos_label", "name the positive class with positive="),
        ("per", "average='macro' has the values of all classes, the name of an axis"),
        ("eps", "clip= keeps probabilities away from 0 and 1"),
    ):
        with pytest.raises(TypeError, match=f"log_loss takes no {option}=; {hint}"):
            log_loss([0], [0.5], **{option: 1})
    with pytest.raises(TypeError, match="average=None must be one name"):
        brier([0], [0.5], average=None)
    with pytest.raises(TypeError, match="y_proba must hold numbers"):
        brier([0], ["0.5"])
    with pytest.raises(TypeError, match="y_proba is a sparse matrix or a list of sets"):
        brier([[0, 1]], sparse.csr_array([[0, 1]]))
    with pytest.raises(ValueError, match="normalize='m': divide by the number of examples, 'n', or of entries, 'nm'"):
        brier([0], [0.5], normalize="m")
    for clip in (-1, 0.5, math.nan, "0.1"):
        with pytest.raises(ValueError, match="probabilities are kept this far from 0 and 1"):
            log_loss([0], [0.5], clip=clip)
