"""Every recomputed fact of the groups cv and mo: folds and targets, pooled and averaged."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from facts import Checkers, exact, finite, mean, named, vectors
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix
from indicatrix.tasks.folds import folds

checks = Checkers("cv", "mo")


@cache
def ratios():
    """Return the measures that are ratios of linear forms; to find them takes a second, which every collection would pay."""
    return sorted({m for m in ix.algebra.MEASURES.values() if not m.averages and m.decomposition is not None}, key=repr)


@pytest.mark.slow
@pytest.mark.parametrize("fact", checks.facts.values(), ids=checks.facts)
def test_fact(fact):
    checks.run(fact)


def denominator(measure, counts):
    return sum(b * x for b, x in zip(measure.decomposition[1], counts, strict=True))


def weighted_mean(measure, units):
    """Return the exact mean of the units' values weighted by their denominators, None if no unit has one."""
    values = [exact(measure, v) if finite(measure, v) is not None else None for v in units]
    weights = [denominator(measure, v) for v in units]
    parts = [(x, w) for x, w in zip(values, weights, strict=True) if x is not None]
    return sum(x * w for x, w in parts) / sum(w for _, w in parts) if sum(w for _, w in parts) else None


def whole(units):
    return tuple(map(sum, zip(*units, strict=True)))


# cv: folds (sec:cv).


def of_folds(per_fold):
    """Return the evaluation of labels 0/1 in folds with these counts."""
    cells = ((1, 1), (0, 1), (1, 0), (0, 0))
    rows = [
        (*cell, k) for k, counts in enumerate(per_fold) for cell, times in zip(cells, counts, strict=True) for _ in range(times)
    ]
    true, pred, ids = (list(x) for x in zip(*rows, strict=True))
    return ix.evaluate(true, pred, classes=[0, 1], by={"fold": ids})


@checks(r"cv\.identity")
def pooled_is_weighted(fact):
    per_fold = [tuple(map(int, v)) for v in fact["inputs"]["folds"]]
    ev = of_folds(per_fold)
    assert vectors(ev.aggregate(("fold", "class")).at(**{"class": 1})) == per_fold
    holds = []
    for measure in ratios():
        found = folds(ev, measure, None)
        if any(finite(measure, v) is None for v in per_fold):  # as sokal_sneath_3, x/0 in the first fold (errata B3)
            continue
        holds.append(weighted_mean(measure, per_fold) == exact(measure, whole(per_fold)))
        assert found.weights.tolist() == pytest.approx([float(denominator(measure, v)) for v in per_fold], rel=1e-15)
        assert found.weighted == pytest.approx(float(found.pooled), rel=1e-14)
        assert found.pooled == pytest.approx(float(exact(measure, whole(per_fold))), rel=1e-14)
    assert len(holds) > 20
    assert all(holds) is fact["computed"] is fact["paper"]


@checks(r"cv\.strat")
def stratified_folds_differ(fact):
    per_fold = [tuple(map(int, v)) for v in fact["inputs"]["fold counts (tp,fp,fn,tn)"]]
    ev = of_folds(per_fold)
    assert [(tp + fn, fp + tn) for tp, fp, fn, tn in per_fold] == [(2, 4), (2, 4)]  # both folds: 2 positives, 4 negatives
    assert fact["inputs"]["both folds"] == "2 positives, 4 negatives"
    for what, value in fact["computed"].items():
        measure, _, convention = what.partition(" ")
        exactly = (
            exact(named(measure), whole(per_fold))
            if convention == "pooled"
            else mean([exact(named(measure), v) for v in per_fold])
        )
        assert exactly == Fraction(value)
        assert getattr(folds(ev, measure, None), convention) == float(exactly)
    # The note: equal where the denominator does not read the predictions, and only there.
    for measure in ("accuracy", "recall", "specificity"):
        assert folds(ev, measure, None).gap == pytest.approx(0, abs=1e-15)
    for measure in ("precision", "f1", "f_beta(beta=2)", "jaccard", "npv"):
        assert abs(folds(ev, measure, None).gap) > 0.01
    assert (folds(ev, "precision", None).gap == 0) is fact["agrees"]


# mo: targets, each a block of columns of its own width (sec:multioutput).

WIDTHS = {"color": 2, "shape": 3, "size": 5}


@st.composite
def outputs(draw):
    """Return the labels of three targets with 2, 3 and 5 classes."""
    n = draw(st.integers(1, 6))
    sides = []
    for _ in range(2):
        codes = {t: st.lists(st.integers(0, m - 1), min_size=n, max_size=n) for t, m in WIDTHS.items()}
        sides.append({t: draw(labels) for t, labels in codes.items()})
    return sides


def evaluated(true, pred):
    return ix.evaluate(true, pred, targets=list(WIDTHS), classes={t: list(range(m)) for t, m in WIDTHS.items()})


@given(outputs())
def micro_is_weighted_by_target(sides):
    ev = evaluated(*sides)
    units = vectors(ev.aggregate("target"))
    assert whole(units) == tuple(ev.aggregate())
    for measure in ratios():
        own = [finite(measure, v) for v in units]
        lost = [v for v, x in zip(units, own, strict=True) if x is None]
        if not any(k * x for v in lost for side in measure.decomposition for k, x in zip(side, v, strict=True)):
            expected = weighted_mean(measure, units)
            assert expected is None or expected == exact(measure, whole(units)), measure
        if None not in own:
            assert ev.score(measure, "target") == pytest.approx(float(mean(own)), rel=1e-12, abs=1e-12)


@checks(r"mo\.identity")
def micro_over_blocks(fact):
    micro_is_weighted_by_target()
    assert fact["computed"] is fact["paper"] is True


@given(outputs())
def denominators_of_targets(sides):
    """Only denominators that count true negatives grow with the classes of a target (errata C14)."""
    ev = evaluated(*sides)
    n, units = ev.n, vectors(ev.aggregate("target"))
    right = [tp for tp, *_ in units]
    assert [denominator(ix.precision, v) for v in units] == [denominator(ix.recall, v) for v in units] == [n, n, n]
    assert [Fraction(2 * tp, 2 * tp + fp + fn) for tp, fp, fn, _ in units] == [exact(ix.f1, v) for v in units]
    assert [2 * tp + fp + fn for tp, fp, fn, _ in units] == [2 * n, 2 * n, 2 * n]
    for measure in (ix.precision, ix.recall, ix.f1):
        assert exact(measure, whole(units)) == mean([exact(measure, v) for v in units])
        assert ev.score(measure, "micro") == pytest.approx(ev.score(measure, "target"), rel=1e-14)
    assert [denominator(ix.accuracy, v) for v in units] == [n * m for m in WIDTHS.values()]
    assert [denominator(ix.specificity, v) for v in units] == [n * (m - 1) for m in WIDTHS.values()]
    assert [denominator(ix.jaccard, v) for v in units] == [2 * n - c for c in right]


@checks(r"mo\.dominated")
def wide_targets_dominate_only_where_true_negatives_count(fact):
    denominators_of_targets()
    for part in ("false for precision, recall, F1: den_t = n (2n)", "den_t = n m_t", "den_t = n(m_t-1)", "2n-C_t"):
        assert part in fact["computed"]
    # The easy target is narrow and the hard one wide: micro accuracy leans to the wide one, precision does not.
    ev = evaluated({"color": [0] * 4, "shape": [0] * 4, "size": [0] * 4}, {"color": [0] * 4, "shape": [0] * 4, "size": [1] * 4})
    assert ev.score("accuracy", "target") == pytest.approx(float(mean([1, 1, Fraction(3, 5)])))
    assert ev.score("accuracy", "micro") == pytest.approx(float(Fraction(8 + 12 + 12, 8 + 12 + 20)))
    assert ev.score("precision", "micro") == pytest.approx(2 / 3)
    assert ev.score("precision", "target") == pytest.approx(2 / 3)
    # The note: padding to the widest block would add true negatives and classes without a value; blocks are ragged.
    assert len(ev.classes) == sum(WIDTHS.values())
    padded = ix.evaluate(*(np.kron(np.ones((4, 1), int), np.eye(5, dtype=int)[[c]]) for c in (0, 0)))
    assert ev.aggregate("target").at(target="color").tn == 4
    assert padded.aggregate().tn == 16
    assert len(padded.score("recall", "macro").undefined_units) == 4
    assert fact["agrees"] is False
