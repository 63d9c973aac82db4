"""Resampling folds: a score of everything together, the mean of the folds' own scores, and what connects them."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.tasks.folds import folds

RATIOS = sorted({m for m in ix.algebra.MEASURES.values() if not m.averages and m.decomposition is not None}, key=repr)
OTHERS = [ix.mcc, ix.g_mean, ix.balanced_accuracy, ix.informedness]


def labels_of(counts):
    """Return 0/1 labels with these true and false positives, false negatives and true negatives."""
    tp, fp, fn, tn = counts
    return [1] * tp + [0] * fp + [1] * fn + [0] * tn, [1] * (tp + fp) + [0] * (fn + tn)


def evaluated(per_fold, names=None, axis="fold"):
    """Return the evaluation of folds with these counts."""
    true, pred, ids = [], [], []
    for name, counts in zip(names or range(len(per_fold)), per_fold, strict=True):
        t, p = labels_of(counts)
        true, pred, ids = true + t, pred + p, ids + [name] * len(t)
    return ix.evaluate(np.array(true, int), np.array(pred, int), classes=[0, 1], by={axis: ids})


def exactly(measure, counts):
    """Return the exact value, or None where it is undefined."""
    try:
        value = measure.function(*map(Fraction, counts), **measure.params_for(Fraction(1)))
    except ZeroDivisionError:
        return None
    return value if math.isfinite(value) else None


def mean(values):
    return sum(values) / len(values)


STRATIFIED = [(2, 0, 0, 4), (1, 3, 1, 1)]  # both folds: 2 positives, 4 negatives


def test_resampling_folds():
    ev = evaluated(STRATIFIED)
    # Stratified folds of one size: pooled 3/6, averaged (1 + 1/4)/2 = 5/8 (errata A13); denominators 2 and 4.
    precision = folds(ev, "precision")
    assert precision.pooled == 1 / 2
    assert precision.averaged == 5 / 8
    assert precision.values.tolist() == [1, 1 / 4]
    assert precision.weights.tolist() == [2, 4]
    assert precision.weighted == float(Fraction(2 * 1 + 4 * Fraction(1, 4)) / 6) == precision.pooled
    assert precision.gap == -1 / 8
    assert precision.std == pytest.approx(stdev([1, 1 / 4]))
    assert precision.sizes == (6, 6)
    assert precision.names == precision.values.names == precision.weights.names == (0, 1)
    # Recall: the denominators are the positives, equal in both folds.
    recall = folds(ev, "recall")
    assert recall.pooled == recall.averaged == recall.weighted == 3 / 4
    assert recall.gap == 0
    # F1 = 2tp/(2tp + fp + fn): (1 + 2/6)/2 and 6/10, denominators 4 and 6.
    f1 = folds(ev, ix.f1)
    assert f1.averaged == pytest.approx(float((1 + Fraction(1, 3)) / 2))
    assert f1.pooled == pytest.approx(6 / 10)
    # MCC is not a ratio of sums: no weights of the folds give the pooled value.
    mcc = folds(ev, "mcc")
    assert mcc.weights is None
    assert mcc.weighted is None
    assert mcc.pooled == ev.score("mcc")


def test_without_an_average_it_is_the_score_of_the_positive_class():
    ev = evaluated(STRATIFIED)
    assert folds(ev, "precision").pooled.average == ev.folds("precision").pooled.average == "binary"
    assert folds(ev, "precision").pooled == ev.score("precision") == 1 / 2
    assert folds(ev, "precision", "micro").pooled == ev.score("precision", "micro") == 8 / 12  # of both classes
    letters = ix.evaluate(["a", "b"], ["b", "b"], by={"fold": [1, 1]})
    with pytest.raises(ValueError, match="Name an average for precision"):
        folds(letters, "precision")
    assert folds(letters, "precision", "micro").pooled == 1 / 2


counts_of_a_fold = st.tuples(*[st.integers(0, 4)] * 4)
some_folds = st.lists(counts_of_a_fold.filter(any), min_size=1, max_size=4)


@examples(100)
@given(some_folds, st.sampled_from(RATIOS))
def test_pooled_is_the_mean_weighted_by_denominators_for_every_ratio(per_fold, measure):
    ev = evaluated(per_fold)
    own = [exactly(measure, v) for v in per_fold]
    a, b = ([sum(k * x for k, x in zip(side, v, strict=True)) for v in per_fold] for side in measure.decomposition)
    pooled = exactly(measure, tuple(map(sum, zip(*per_fold, strict=True))))
    here, lost = ([i for i, x in enumerate(own) if (x is None) is undefined] for undefined in (False, True))
    found = folds(ev, measure)
    assert found.undefined_units == tuple(lost)
    if any(a[i] or b[i] for i in lost):  # x/0 in a fold adds to the pooled sums all the same: no weights give their ratio
        assert found.weights is None
    else:
        assert found.weights.tolist() == pytest.approx([float(w) for w in b])
        if sum(b):
            assert pooled == sum(b[i] * own[i] for i in here) / sum(b)
            assert found.weighted == pytest.approx(float(pooled), rel=1e-12, abs=1e-12)
            assert found.pooled == pytest.approx(float(pooled), rel=1e-12, abs=1e-12)
    assert found.averaged == pytest.approx(float(mean([own[i] for i in here])) if here else math.nan, rel=1e-12, nan_ok=True)
    assert found.gap == pytest.approx(float(found.pooled) - found.averaged, nan_ok=True)


def test_a_fold_that_divides_by_zero_leaves_no_weights():
    ev = evaluated([(0, 0, 0, 1), (0, 0, 1, 0)])
    found = folds(ev, "(tp + tn) / (fp + fn)")
    assert (found.pooled, found.averaged, found.undefined_units, found.weights) == (1, 0, (0,), None)


@given(st.integers(1, 4), st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=4))
def test_folds_with_equal_positives_have_one_recall(positives, drawn):
    per_fold = [(min(tp, positives), fp, positives - min(tp, positives), tn) for tp, fp, tn in drawn]
    own = [exactly(ix.recall, v) for v in per_fold]
    assert exactly(ix.recall, tuple(map(sum, zip(*per_fold, strict=True)))) == mean(own)
    found = folds(evaluated(per_fold), "recall")
    assert found.gap == pytest.approx(0, abs=1e-15)


classes = st.sampled_from("abc")


@given(
    st.lists(st.tuples(classes, classes, st.sampled_from("xyz"), st.integers(0, 4)), min_size=1, max_size=12),
    st.sampled_from(averages_over("class", "example")),
    st.sampled_from(["exclude", 0, 1, "nan"]),
    st.booleans(),
)
def test_every_fold_is_scored_like_its_rows_alone(drawn, average, undefined, weighted):
    true, pred, site, weight = map(list, zip(*drawn, strict=True))
    options = {"classes": list("abc")}

    def rows(here):
        extra = {"sample_weight": np.array([weight[i] for i in here], float) / 4} if weighted else {}
        return ix.evaluate([true[i] for i in here], [pred[i] for i in here], **options, **extra)

    more = {"sample_weight": np.array(weight, float) / 4} if weighted else {}
    ev = ix.evaluate(true, pred, by={"site": site, "half": [i % 2 for i in range(len(site))]}, **options, **more)
    for measure in (ix.precision, ix.accuracy, *OTHERS):
        found = folds(ev, measure, average, axis="site", undefined=undefined)
        alone = [
            rows([i for i, s in enumerate(site) if s == name]).score(measure, average, undefined=undefined)
            for name in found.names
        ]
        assert found.names == tuple(sorted(set(site)))
        assert found.sizes == tuple(site.count(name) for name in found.names)
        if not isinstance(undefined, str):  # it stands in for a fold without any weight, too
            alone = [x if math.isfinite(x) else undefined for x in alone]
        assert found.values.tolist() == pytest.approx([float(x) for x in alone], nan_ok=True)
        assert found.pooled == pytest.approx(rows(range(len(true))).score(measure, average, undefined=undefined), nan_ok=True)
        seen = [not weighted or any(w for w, s in zip(weight, site, strict=True) if s == name) for name in found.names]
        alone = [x for x, here in zip(alone, seen, strict=True) if here]  # a fold without any weight was not observed
        kept = [x for x in alone if math.isfinite(x)] if undefined == "exclude" else alone
        nothing = math.nan if isinstance(undefined, str) else undefined
        assert found.averaged == pytest.approx(mean(kept) if kept else nothing, nan_ok=True)
        assert found.std == pytest.approx(
            stdev(kept) if len(kept) > 1 and all(map(math.isfinite, kept)) else math.nan, nan_ok=True
        )
        assert (found.weights is not None) is (average == "micro" and measure in (ix.precision, ix.accuracy))


def test_what_an_undefined_fold_does():
    ev = evaluated([(2, 0, 1, 3), (0, 0, 2, 4), (1, 1, 1, 3)], names=["mon", "tue", "wed"])
    found = folds(ev, "precision")
    assert found.undefined_units == ("tue",)
    assert np.isnan(found.values).tolist() == [False, True, False]
    assert found.averaged == (1 + 1 / 2) / 2
    assert found.pooled == found.weighted == 3 / 4  # the fold has no denominator, so no weight
    zero = folds(ev, "precision", undefined=0)
    assert zero.values.tolist() == [1, 0, 1 / 2]
    assert zero.averaged == (1 + 0 + 1 / 2) / 3
    assert zero.undefined_units == ("tue",)
    assert zero.weighted == zero.pooled == 3 / 4  # a number that stands in has no weight either
    assert math.isnan(folds(ev, "precision", undefined="nan").averaged)
    assert math.isnan(folds(ev, "precision", undefined="nan").std)
    with pytest.raises(ix.types.UndefinedError, match="In fold 'tue': binary precision: undefined"):
        folds(ev, "precision", undefined="raise")


def test_functions_of_the_confusion_matrix_have_folds_too():
    ev = evaluated(STRATIFIED)
    found = folds(ev, "multiclass_kappa")
    assert found.pooled == ix.multiclass_kappa(ev)
    assert found.values.tolist() == [1, ix.multiclass_kappa(*labels_of(STRATIFIED[1]))]
    assert found.weights is None


def test_both_conventions_are_printed():
    text = str(folds(evaluated(STRATIFIED, names=["mon", "tue"], axis="day"), "precision", axis="day"))
    assert text.splitlines() == [
        "precision, binary, over 2 groups of day",
        "  day        n  value     weight",
        "  mon        6  1.000000  2",
        "  tue        6  0.250000  4",
        "  pooled    12  0.500000  all together: the mean with these weights, the denominators",
        "  averaged      0.625000  plain mean, sd 0.53",
        "  gap           -0.125000",
    ]
    found = folds(evaluated([(1, 1, 1, 1), (0, 0, 1, 1)]), "f1", "macro")
    assert "weight" not in str(found)
    assert "over 2 folds" in str(found)
    assert repr(found) == f"<Folds: f1 over 2 folds, pooled {float(found.pooled):.6g}, averaged {found.averaged:.6g}>"
    assert ", 1 undefined" in str(folds(evaluated([(1, 1, 1, 1), (0, 0, 1, 1)]), "precision"))


def test_one_fold_and_none():
    one = folds(evaluated([(1, 1, 1, 1)]), "precision")
    assert one.gap == 0
    assert math.isnan(one.std)
    nothing = folds(ix.evaluate([], [], classes=[0, 1], by={"fold": []}), "precision", "micro")
    assert nothing.names == nothing.sizes == ()
    assert math.isnan(nothing.averaged)
    assert math.isnan(nothing.pooled)
    assert "over 0 folds" in str(nothing)


def test_what_has_no_folds_is_refused():
    ev = evaluated(STRATIFIED, axis="site")
    with pytest.raises(
        ValueError, match=r"There is no grouping 'fold' to split by; the groupings are site\. Give by=\{'fold': ids\}"
    ):
        folds(ev, "precision")
    with pytest.raises(ValueError, match=r"average='site' is a grouping\. Name the average inside each site"):
        folds(ev, "precision", "site", axis="site")
    with pytest.raises(ValueError, match="undefined='skip' is not a convention"):
        folds(ev, "precision", axis="site", undefined="skip")
    with pytest.raises(ValueError, match="Name an average for precision"):
        folds(ix.evaluate(["a"], ["b"], by={"fold": [1]}), "precision")
