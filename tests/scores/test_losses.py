"""Hinge loss, skill, top-k accuracy, sums of losses, simplified curves and functions at all thresholds, against fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from itertools import pairwise, permutations

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix

close = partial(np.testing.assert_allclose, rtol=1e-12, atol=1e-12, equal_nan=True)
SEEDS = range(12)


def eighths(rng, shape, low=0, high=9):
    """Return multiples of 1/8, with ties."""
    return rng.integers(low, high, shape) / 8


def weights(rng, n):
    """Return no weights, or whole ones; the first example counts."""
    some = [None, rng.integers(0, 4, n)][rng.integers(2)]
    if some is not None:
        some[0] = 1
    return some


def mean(values, w):
    """Return the weighted mean in fractions."""
    w = [1] * len(values) if w is None else w.tolist()
    return sum(Fraction(x) * k for x, k in zip(values, w, strict=True)) / sum(w)


@for_each("seed", SEEDS)
def test_hinge_loss(seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 30)), int(rng.integers(2, 5))
    w = weights(rng, n)
    y, d = rng.integers(0, 2, n), eighths(rng, n, -20, 20)
    expected = [max(Fraction(0), 1 - Fraction(x) * (1 if k else -1)) for k, x in zip(y.tolist(), d.tolist(), strict=True)]
    close(ix.hinge_loss(y, d, positive=1, sample_weight=w), float(mean(expected, w)))
    y, d = rng.integers(0, m, n), eighths(rng, (n, m), -20, 20)
    expected = []
    for k, row in zip(y.tolist(), d.tolist(), strict=True):
        others = max(Fraction(x) for j, x in enumerate(row) if j != k)
        expected.append(max(Fraction(0), 1 - (Fraction(row[k]) - others)))
    close(ix.hinge_loss(y, d, classes=range(m), sample_weight=w), float(mean(expected, w)))
    macro = ix.hinge_loss(y, d, classes=range(m), average="macro")
    for k in set(y.tolist()):
        close(macro.values[k], float(mean([x for x, c in zip(expected, y, strict=True) if c == k], None)))
    mask = np.arange(n) % 2 == 0
    close(ix.hinge_loss(y, d, classes=range(m), mask=mask), ix.hinge_loss(y[mask], d[mask], classes=range(m)))
    Y = rng.integers(0, 2, (n, m))
    close(ix.hinge_loss(Y, d), np.maximum(0, 1 - (2 * Y - 1) * d).mean())


def test_hinge_loss_refuses_hidden_entries():
    with pytest.raises(ValueError, match="a margin compares all classes"):
        ix.hinge_loss([0, 1], np.eye(2), mask=np.eye(2) > 0)


@for_each("seed", SEEDS)
def test_skill_compares_with_the_frequencies(seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(3, 30)), int(rng.integers(2, 5))
    y, w = rng.integers(0, m, n), weights(rng, n)
    y[:2] = 0, 1
    if w is not None:
        w[:2] = 1, 2
    P = rng.dirichlet(np.ones(m), n)
    options = {"classes": range(m), "sample_weight": w}
    share = np.bincount(y, w, m) / (n if w is None else w.sum())
    usual = np.tile(share, (n, 1))
    for skill, loss in ((ix.measures.brier_skill, ix.brier), (ix.measures.log_loss_skill, ix.log_loss)):
        close(skill(y, P, **options), 1 - loss(y, P, **options) / loss(y, usual, **options))
        close(skill(y, usual, **options), 0)
        close(skill(y, np.eye(m)[y], **options), 1)
        groups = np.arange(n) % 2
        found = skill(y, P, **options, by={"site": groups}, average="site").values
        seen = {"classes": range(m)}
        for g in (0, 1):
            at = groups == g
            some = {**seen, "sample_weight": None if w is None else w[at]}
            if w is None or w[at].any():
                close(found[g], 1 - loss(y[at], P[at], **some) / loss(y[at], usual[at], **some))


def test_skill_of_one_class_is_undefined():
    for skill in (ix.measures.brier_skill, ix.measures.log_loss_skill):
        assert math.isnan(skill([1, 1], [0.5, 0.75]))
        assert math.isnan(skill([1, 1], [[0.5, 0.5], [0.25, 0.75]]))
        with pytest.raises(ValueError, match="an example alone may have"):
            skill([0, 1], [0.5, 0.75], average="exemplar")


@for_each("seed", SEEDS)
def test_sums_and_means_of_losses(seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 20)), int(rng.integers(2, 5))
    y, w, P = rng.integers(0, m, n), weights(rng, n), rng.dirichlet(np.ones(m), n)
    total = n if w is None else w.sum()
    options = {"classes": range(m), "sample_weight": w}
    for loss in (ix.brier, ix.log_loss):
        whole = loss(y, P, normalize="sum", **options)
        close(whole, loss(y, P, **options) * total)
        close(loss(y, P, normalize="nm", **options) * m, loss(y, P, normalize="n", **options))
        close(np.nansum(loss(y, P, normalize="sum", average="macro", **options).values), whole)  # nan: only weights of zero
    Y = rng.integers(0, 2, (n, m))
    present = ix.log_loss(Y, P, terms="present", normalize="n", sample_weight=w)
    close(present, np.average(-(Y * np.log(P)).sum(axis=1), weights=w))
    close(ix.brier(Y, P, normalize="sum", sample_weight=w), (((Y - P) ** 2).sum(axis=1) * (1 if w is None else w)).sum())
    Q = rng.random((n, m))
    close(ix.log_loss(y, Q, sums="any", **options), np.average(-np.log(Q[np.arange(n), y]), weights=w))
    halves = 2 if m == 2 else 1  # of two columns Brier is from 0 to 1
    close(ix.brier(y, Q, sums="any", **options), np.average(((np.eye(m)[y] - Q) ** 2).sum(axis=1), weights=w) / halves)


def test_options_of_losses_are_checked():
    with pytest.raises(ValueError, match="sums='all': rows of probabilities sum to 'one'"):
        ix.brier([0, 1], [[0.5, 0.5], [0, 1]], sums="all")
    with pytest.raises(ValueError, match="terms='all': 'both' counts"):
        ix.log_loss([0, 1], [[0.5, 0.5], [0, 1]], terms="all")
    with pytest.raises(ValueError, match="'sum' does not divide"):
        ix.log_loss([0, 1], [[0.5, 0.5], [0, 1]], normalize=False)


@for_each("seed", SEEDS)
def test_top_k_accuracy(seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 12)), int(rng.integers(2, 5))
    y, s, w = rng.integers(0, m, n), rng.integers(0, 3, (n, m)), weights(rng, n)
    for k in range(1, m + 1):
        hits = {"first": [], "last": [], "mean": []}
        for c, row in zip(y.tolist(), s.tolist(), strict=True):
            hits["first"].append(c in sorted(range(m), key=lambda j: (-row[j], j))[:k])
            hits["last"].append(c in sorted(range(m), key=lambda j: (-row[j], -j))[:k])
            orders = [o for o in permutations(range(m)) if all(row[a] >= row[b] for a, b in pairwise(o))]
            hits["mean"].append(Fraction(sum(c in o[:k] for o in orders), len(orders)))
        for ties, found in hits.items():
            value = ix.top_k_accuracy(y, s, k, ties=ties, classes=range(m), sample_weight=w)
            close(value, float(mean(list(map(Fraction, found)), w)))
            macro = ix.top_k_accuracy(y, s, k, ties=ties, classes=range(m), average="macro")
            for c in set(y.tolist()):
                close(macro.values[c], float(mean([Fraction(x) for x, own in zip(found, y, strict=True) if own == c], None)))
        assert ix.top_k_accuracy(y, s, k, classes=range(m)) == ix.measures.recall_at_k(y, s, k, classes=range(m), average="micro")


def test_top_k_accuracy_refuses():
    with pytest.raises(ValueError, match="ties='any': equal scores are ordered by column"):
        ix.top_k_accuracy([0, 1], np.eye(2), 1, ties="any")
    with pytest.raises(ValueError, match=r"this is multilabel\. Use ix\.measures\.recall_at_k"):
        ix.top_k_accuracy(np.eye(2), np.eye(2), 1)
    with pytest.raises(ValueError, match="a rank compares all classes"):
        ix.top_k_accuracy([0, 1], np.eye(2), 1, mask=np.eye(2) > 0)


@for_each("seed", SEEDS)
def test_simplified_curves_are_the_same_curves(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    y, s = rng.integers(0, 2, n), rng.integers(0, [3, 10, 1000][seed % 3], n) / 8
    y[:2] = 0, 1
    swept = ix.sweep(y, s)
    points = swept.roc()
    for simplify in (True, "steps"):
        fewer = swept.roc(simplify=simplify)
        kept = np.searchsorted(-points.thresholds, -fewer.thresholds)
        close(points.x[kept], fewer.x)
        gone = np.setdiff1d(np.arange(len(points)), kept)
        for i in gone:  # on the line between the neighbors that stay
            a, b = kept[kept < i].max(), kept[kept > i].min()
            close(
                (points.x[b] - points.x[a]) * (points.y[i] - points.y[a]),
                (points.y[b] - points.y[a]) * (points.x[i] - points.x[a]),
            )
    tp, fp = swept.of().tp, swept.of().fp
    steps = list(zip(np.diff(tp), np.diff(fp), strict=True))
    stay = [0, 1, *(i for i in range(2, len(tp) - 1) if steps[i - 1] != steps[i]), len(tp) - 1]
    assert swept.roc(simplify="steps").thresholds.tolist() == points.thresholds[sorted(set(stay))].tolist()
    whole, some = swept.pr(), swept.pr(simplify=True)
    inner = [i for i in range(2, len(tp) - 1) if tp[i - 1] == tp[i] == tp[i + 1]]
    assert some.thresholds.tolist() == np.delete(whole.thresholds, inner).tolist()
    whole, some = swept.det(), swept.det(trim=True)
    assert (
        some.thresholds.tolist() == whole.thresholds[np.flatnonzero(fp == 0)[-1] : np.flatnonzero(tp == tp[-1])[0] + 1].tolist()
    )
    inner = [i for i in range(1, len(tp) - 1) if tp[i - 1] == tp[i] == tp[i + 1]]
    assert swept.det(simplify=True).thresholds.tolist() == np.delete(whole.thresholds, inner).tolist()


@for_each("seed", SEEDS)
def test_apply_has_the_values_of_measures(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 30))
    y, s, w = rng.integers(0, 2, n), rng.integers(0, 6, n), weights(rng, n)
    swept = ix.sweep(y, s, positive=1, classes=[0, 1], sample_weight=w)
    found = swept.apply(lambda *two, **more: float(ix.accuracy(*two, classes=[False, True], **more)))
    close(found, swept.values("accuracy"))
    with pytest.raises(ValueError, match="A compact sweep keeps no examples"):
        swept.compact().apply(ix.accuracy)
