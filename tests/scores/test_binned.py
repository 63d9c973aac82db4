"""Bins of scores: what is exact is exact, what is not lies within the stated bounds, and everything adds and saves."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix
from indicatrix.scores.thresholds.best_thresholds import values_of
from indicatrix.scores.thresholds.bins import bins, keys_of
from indicatrix.scores.thresholds.operating_points import counts_at_one
from indicatrix.scores.thresholds.sweep import Sweep, binned, sweep

# Floats of every size, and clusters that share a bin: neighbors of 1, values within one octave, exact ties.
CLOSE = st.integers(-3, 3).map(lambda k: 1.0 + k * 2.0**-50)
OCTAVE = st.integers(0, 64).map(lambda k: 1.0 + k / 64)
ANY = st.floats(allow_nan=False)
SCORE = st.one_of(CLOSE, OCTAVE, ANY, st.sampled_from([0.0, -0.0, math.inf, -math.inf, 5e-324, -5e-324]))
WEIGHT = st.sampled_from([0.0, 0.1, 0.25, 1.0, 3.0, 1e6])
ROW = st.tuples(SCORE, st.booleans(), WEIGHT)
ROWS = st.lists(ROW, max_size=14)
BITS = st.sampled_from([1, 2, 11, 12, 16, 20, 40, 62, 63])


def _columns(rows, weighted):
    scores, labels, weights = (np.array(x) for x in zip(*rows, strict=True)) if rows else (np.array([]),) * 3
    return scores.astype(float), labels.astype(bool), weights.astype(float) if weighted else None


def _steps(rows, weighted):
    """Exact (threshold, tp, fp) at every distinct score, by comparison of all."""
    weigh = [Fraction(w) if weighted else Fraction(1) for *_, w in rows]
    out = []
    for t in sorted({s for (s, *_), w in zip(rows, weigh, strict=True) if w}, reverse=True):
        tp, fp = (
            sum((w for (s, y, _), w in zip(rows, weigh, strict=True) if s >= t and y == kind), Fraction(0)) for kind in (1, 0)
        )
        out.append((t, tp, fp))
    return out


def _exact_auc(steps):
    tp0 = fp0 = area = Fraction(0)
    for _, tp, fp in steps:
        area += (fp - fp0) * (tp + tp0) / 2
        tp0, fp0 = tp, fp
    return area / (tp0 * fp0) if tp0 and fp0 else None


def _exact_ap(steps):
    tp0, total = Fraction(0), Fraction(0)
    for _, tp, fp in steps:
        if tp > tp0:
            total += (tp - tp0) * tp / (tp + fp)
        tp0 = tp
    return total / tp0 if tp0 else None


@pytest.mark.slow
@examples(100)
@given(ROWS, st.booleans(), BITS)
def test_the_true_areas_lie_within_the_bounds(rows, weighted, bits):
    b = bins(*_columns(rows, weighted), bits=bits)
    steps = _steps(rows, weighted)
    for exact, here, (low, high), slack in (
        (_exact_auc(steps), b.auc, b.auc_bounds, 0),
        (_exact_ap(steps), b.average_precision, b.average_precision_bounds, Fraction(1, 10**15)),
    ):
        if exact is None:
            assert all(map(math.isnan, (here, low, high)))
            continue
        assert 0 <= low <= here <= high <= 1
        # An exact quotient rounds to the nearest float on both sides, so that the order survives.
        assert low <= float(exact + slack)
        assert float(exact - slack) <= high
        if not b.mixed.any():
            assert low == here == high
            assert abs(here - exact) < 1e-15


def test_the_bounds_are_reached():
    for bits, scores in ((1, [1.3, 1.2, 1.1, 1.0]), (12, [1.3, 1.29, 1.28, 1.27])):
        scores = np.array(scores)
        best, worst = (bins(scores, np.array(y, bool), bits=bits) for y in ([1, 1, 0, 0], [0, 0, 1, 1]))
        assert best.auc_bounds == worst.auc_bounds == (0.0, 1.0)
        assert best.auc == 0.5
        low, high = best.average_precision_bounds
        assert high == 1.0
        # Positives one by one below both negatives: (1/3 + 2/4)/2. The integral bound is a little lower.
        assert 0 <= 5 / 12 - low < 0.01


@examples(50)
@given(ROWS, st.booleans(), BITS)
def test_counts_at_the_thresholds_are_exact(rows, weighted, bits):
    b = bins(*_columns(rows, weighted), bits=bits)
    known = {t: (tp, fp) for t, tp, fp in _steps(rows, weighted)}
    counts, thresholds = b.counts(), b.thresholds
    assert thresholds[0] == math.inf
    assert (counts.tp[0], counts.fp[0]) == (0, 0)
    assert set(thresholds[1:]) <= set(known)
    for t, tp, fp in zip(thresholds[1:], counts.tp[1:], counts.fp[1:], strict=True):
        assert (tp, fp) == tuple(map(float, known[t]))
    if rows and known:
        assert thresholds[-1] == min(known)
    np.testing.assert_array_equal(values_of(ix.recall, b), ix.recall(counts))
    assert counts.per == ("threshold",)
    assert len(counts.names[0]) == len(thresholds)


@examples(50)
@given(ROWS, st.booleans(), BITS, SCORE)
def test_counts_at_any_threshold_are_exact_or_refused(rows, weighted, bits, threshold):
    b = bins(*_columns(rows, weighted), bits=bits)
    kept = [(s, y, Fraction(w) if weighted else Fraction(1)) for s, y, w in rows if w or not weighted]
    shared = [s for s, *_ in kept if keys_of(np.array([s + 0.0]), bits)[0] == keys_of(np.array([threshold + 0.0]), bits)[0]]
    inside = bool(shared) and min(shared) < threshold <= max(shared)
    if inside:
        with pytest.raises(ValueError, match="lies among scores of one bin"):
            counts_at_one(b, threshold)
        return
    tp, fp, fn, tn = (
        sum((w for s, y, w in kept if y == kind and (s >= threshold) == accepted), Fraction(0))
        for kind, accepted in ((1, True), (0, True), (1, False), (0, False))
    )
    assert tuple(counts_at_one(b, threshold)) == tuple(map(float, (tp, fp, fn, tn)))


@examples(50)
@given(ROWS, st.booleans(), BITS, st.randoms(use_true_random=False), st.integers(0, 14))
def test_any_split_and_order_gives_the_same_state(rows, weighted, bits, random, cut):
    whole = bins(*_columns(rows, weighted), bits=bits)
    mixed = rows[:]
    random.shuffle(mixed)
    a, b = (bins(*_columns(part, weighted), bits=bits) for part in (mixed[:cut], mixed[cut:]))
    assert a + b == b + a == whole
    empty = bins(np.array([]), np.array([], bool), bits=bits)
    assert empty + whole == whole + empty == whole


@examples(50)
@given(ROWS, st.booleans(), BITS, BITS)
def test_coarser_bins_are_those_of_fewer_bits(rows, weighted, bits, fewer):
    fewer = min(bits, fewer)
    columns = _columns(rows, weighted)
    assert bins(*columns, bits=bits).coarser(fewer) == bins(*columns, bits=fewer)


@examples(100)
@given(st.lists(ANY, min_size=2, max_size=8), BITS)
def test_keys_are_in_the_order_of_the_scores(scores, bits):
    ascending = np.sort(np.array(scores) + 0.0)
    keys = keys_of(ascending, bits)
    assert (keys[1:] >= keys[:-1]).all()
    assert ((-(2**bits) <= keys) & (keys < 2**bits)).all()
    if bits == 63:
        np.testing.assert_array_equal(keys[1:] > keys[:-1], ascending[1:] > ascending[:-1])


def test_scales_of_any_size_are_binned_alike():
    rng = np.random.default_rng(0)
    scores, labels = rng.normal(size=5000), rng.random(5000) < 0.4
    widths = [max(b) - min(b) for b in (bins(scores * 2.0**k, labels).auc_bounds for k in (-500, 0, 500))]
    assert widths[0] == widths[1] == widths[2] < 1e-3


def test_huge_counts_do_not_overflow():
    b = bins(np.array([0.9, 0.1, 0.1]), np.array([True, True, False]))
    for _ in range(61):
        b = b + b
    assert b.tpos == 2**62
    assert b.auc == 0.75
    assert counts_at_one(b, 0.9).tp == 2**61
    assert b.average_precision == (1 + 2 / 3) / 2


@pytest.mark.slow
def test_agreement_with_scikit_learn_within_the_bounds():
    from sklearn import metrics

    rng = np.random.default_rng(1)
    for dtype, ties in ((np.float64, False), (np.float32, False), (np.float64, True)):
        scores = rng.normal(size=5_000).astype(dtype)
        scores = np.round(scores, 2) if ties else scores
        labels, weights = rng.random(5_000) < 1 / (1 + np.exp(-scores)), rng.random(5_000)
        for w in (None, weights):
            auc, ap = (f(labels, scores, sample_weight=w) for f in (metrics.roc_auc_score, metrics.average_precision_score))
            b = bins(scores, labels, w)
            exact = 1e-12 if ties else 0.0  # rounded scores have bins of their own
            assert b.mixed.any() != ties
            assert b.auc == pytest.approx(auc, abs=exact or 1e-4)
            assert b.average_precision == pytest.approx(ap, abs=exact or 1e-3)
            for (low, high), value in ((b.auc_bounds, auc), (b.average_precision_bounds, ap)):
                assert low - 1e-12 <= value <= high + 1e-12
                assert high - low < 3e-3


def test_errors_of_bins():
    b = bins(np.array([1.2, 1.1]), np.array([True, False]), bits=1)
    with pytest.raises(ValueError, match=r"bits=64 must be a whole number from 1 to 63"):
        bins(np.array([1.0]), np.array([True]), bits=64)
    with pytest.raises(ValueError, match="bits=True must be a whole number"):
        b.coarser(True)
    with pytest.raises(ValueError, match=r"Bins of 1 and of 20 bits do not add.*coarser\(1\)"):
        b + bins(np.array([1.0]), np.array([True]))
    with pytest.raises(ValueError, match="bits=5 is finer than these bins of 1 bits"):
        b.coarser(5)
    with pytest.raises(ValueError, match="one that is NaN"):
        counts_at_one(b, math.nan)
    with pytest.raises(ValueError, match=r"from 1.1 to 1.2, whose order is not kept. Use 1.1 or 1.2000000000000002"):
        counts_at_one(b, 1.15)
    with pytest.raises(ValueError, match=r"from 3.0 to inf, whose order is not kept. Use 3.0, or more bits"):
        counts_at_one(bins(np.array([3.0, np.inf]), np.array([True, False]), bits=1), np.inf)
    with pytest.raises(TypeError):
        b + 1
    assert repr(b) == "<Bins: 2 scores in 1 bins of 1 bits>"
    assert (b == 1) is False


# The front door: a column of bins for each class.


def _multilabel(rng, n, m=3):
    scores = np.round(rng.normal(size=(n, m)), 1)
    return (rng.random((n, m)) < 1 / (1 + np.exp(-scores))).astype(int), scores


def test_columns_are_read_as_a_sweep_reads_them():
    rng = np.random.default_rng(3)
    truth, scores = _multilabel(rng, 200)
    seen, weights = rng.random((200, 3)) < 0.8, rng.random(200)
    codes = truth.argmax(axis=1)
    for y, s, options in (
        (truth, scores, {}),
        (truth, scores, {"mask": seen, "sample_weight": weights}),
        (codes, scores, {}),
        (np.array(["a", "b", "c"])[codes], scores.astype(np.float32), {"classes": ["a", "b", "c"]}),
        (truth[:, 0], scores[:, 0], {"sample_weight": weights}),
        (np.array(["no", "yes"])[truth[:, 0]], scores[:, 0], {"positive": "yes"}),
    ):
        swept, exact, coarse = sweep(y, s, **options), binned(y, s, bits=63, **options), binned(y, s, bits=12, **options)
        assert (exact.kind, exact.classes, exact.columns, exact.n) == (swept.kind, swept.classes, swept.columns, swept.n)
        for unit in swept.columns:
            ranking, fine, rough = swept.of(unit), exact.of(unit), coarse.of(unit)
            np.testing.assert_array_equal(fine.thresholds, ranking.thresholds)
            np.testing.assert_allclose(fine.counts().tp, ranking.tp, rtol=1e-12)
            np.testing.assert_allclose(exact.values("f1", unit), swept.values("f1", unit), rtol=1e-12)
            for area in ("auc", "average_precision"):
                true, (low, high) = getattr(ranking, area), getattr(rough, f"{area}_bounds")
                assert getattr(fine, area) == pytest.approx(true, abs=1e-12)
                assert low - 1e-12 <= true <= high + 1e-12
        assert exact.micro.auc == pytest.approx(swept.micro.auc, abs=1e-12)


@given(st.integers(0, 2**32 - 1), st.integers(0, 12), st.integers(0, 12), BITS, st.booleans())
def test_parts_of_a_stream_add_up_and_survive_json(seed, n, cut, bits, weighted):
    rng = np.random.default_rng(seed)
    truth, scores = _multilabel(rng, n)
    scores[rng.random(scores.shape) < 0.1] = np.inf
    weights, seen, cut = rng.random(n), rng.random((n, 3)) < 0.8, min(cut, n)

    def state(part):
        given = {"sample_weight": weights[part]} if weighted else {}
        return binned(truth[part], scores[part], bits=bits, mask=seen[part], **given)

    whole, one, two = state(slice(None)), state(slice(cut)), state(slice(cut, None))
    assert one + two == two + one == sum([one, two]) == whole
    assert whole.n == n
    read = Sweep.from_dict(json.loads(json.dumps(whole.to_dict())))
    assert read == whole
    assert read + read == whole + whole
    assert whole.compact(bits=1) == binned(truth, scores, bits=1, mask=seen, **({"sample_weight": weights} if weighted else {}))


def test_single_and_double_precision_mix():
    rng = np.random.default_rng(4)
    labels, scores = rng.random(500) < 0.5, rng.normal(size=500).astype(np.float32)
    together = binned(labels[:200], scores[:200]) + binned(labels[200:], scores[200:].astype(np.float64))
    assert together == binned(labels, scores)


def test_averages_of_areas_and_of_their_bounds():
    from sklearn import metrics

    rng = np.random.default_rng(5)
    scores = rng.normal(size=(3000, 4))
    truth = rng.random((3000, 4)) < 1 / (1 + np.exp(-scores - np.arange(4)))
    state = binned(truth, scores, bits=16)
    for name, peer in (("auc", metrics.roc_auc_score), ("average_precision", metrics.average_precision_score)):
        for average in ("micro", "macro", "weighted"):
            found, true = state.area(name, average), peer(truth, scores, average=average)
            assert found.low - 1e-12 <= true <= found.high + 1e-12
            assert found.low <= found.value <= found.high < found.low + 0.05
            assert found.value == pytest.approx(true, abs=1e-3)
    truth[:, 2] = False
    some = binned(truth, scores)
    assert some.area("auc", "macro").value == pytest.approx(np.mean([some.of(j).auc for j in (0, 1, 3)]))
    assert some.area("auc", "macro", undefined=0).value == pytest.approx(sum(some.of(j).auc for j in (0, 1, 3)) / 4)
    assert math.isnan(some.area("auc", "macro", undefined="nan").low)


def test_small_inputs_have_a_state():
    empty = binned(np.zeros((0, 2), int), np.zeros((0, 2)))
    assert empty.n == 0
    assert math.isnan(empty.area("auc", "micro").value)
    assert empty.at(0.5).tp.tolist() == [0, 0]
    one = binned([1], [0.3], classes=[0, 1])
    assert math.isnan(one.auc)
    assert one.average_precision == 1
    assert one.at(0.3).tp == 1
    assert binned([0, 1, 1], [0.5] * 3).auc_bounds == (0.5, 0.5)


def test_counts_of_several_classes_at_a_threshold():
    truth, scores = _multilabel(np.random.default_rng(6), 50)
    counts = binned(truth, scores).at(0.25)  # all scores are tenths, so no bin is around it
    there = ix.evaluate(truth, scores, decide=0.25).aggregate("class")
    assert counts == there


def test_errors_of_binned_scores():
    truth, scores = _multilabel(np.random.default_rng(7), 20)
    several, single = binned(truth, scores), binned(truth[:, 0], scores[:, 0])
    with pytest.raises(ValueError, match="Name one column of scores, 0, 1, 2, or pool them"):
        _ = several.auc
    with pytest.raises(ValueError, match="'x' is not a column of scores; they are 0, 1, 2"):
        several.of("x")
    with pytest.raises(ValueError, match="'f1' has no bounds here; 'auc' and 'average_precision' have"):
        several.area("f1", "macro")
    with pytest.raises(ValueError, match=r"'exemplar': it needs the scores of each example.*\. Choose from micro, macro, weig"):
        several.area("auc", "samples")
    with pytest.raises(ValueError, match="undefined='maybe' is not a convention"):
        several.area("auc", "macro", undefined="maybe")
    with pytest.raises(ValueError, match="Only sweeps of the same problem add; kind is 'multilabel' here and 'binary' there"):
        several + single
    with pytest.raises(ValueError, match="Only sweeps of the same problem add; classes is"):
        several + binned(truth, scores, classes=["a", "b", "c"])
    with pytest.raises(ValueError, match="bits=0 must be a whole number from 1 to 63"):
        binned(truth, scores, bits=0)
    with pytest.raises(ValueError, match=r"scores\[1\] is NaN"):
        binned([0, 1], [0.5, math.nan])
    with pytest.raises(ValueError, match="not a saved sweep of version 1 or 2"):
        Sweep.from_dict({"format": "something else"})
    with pytest.raises(TypeError):
        several + 1
    assert several != 1
    assert repr(single).startswith("<Sweep: binary, 20 examples, classes 0, 1, ")


def test_curves_of_bins_have_points_of_the_curves_of_all_scores():
    rng = np.random.default_rng(8)
    truth, scores = _multilabel(rng, 300)
    weights, sites = rng.integers(1, 4, 300) / 4, rng.integers(0, 2, 300)
    swept = sweep(truth, scores, sample_weight=weights, by={"site": sites})
    for bits in (9, 63):
        state = swept.compact(bits)
        assert (
            state == binned(truth, scores, sample_weight=weights, by={"site": sites}, bits=bits) == swept.compact().compact(bits)
        )
        assert state.compact() == state
        for draw in (
            lambda s: s.roc(1),
            lambda s: s.pr(1),
            lambda s: s.det(1),
            lambda s: s.lift(1),
            lambda s: s.roc(average="micro"),
        ):
            few, all_points = (
                {(round(float(x), 9), round(float(y), 9)) for x, y in zip(curve.x, curve.y, strict=True) if x == x and y == y}
                for curve in map(draw, (state, swept))
            )
            assert few <= all_points
            assert bits == 9 or few == all_points
        for average in ("macro", "site"):
            found, area = state.area("auc", average), float(ix.auc(swept, average=average))
            assert found.low - 1e-12 <= area <= found.high + 1e-12
            if bits == 63:
                assert state.roc(average=average).area == pytest.approx(area)
                assert state.pr(average=average).area == pytest.approx(swept.pr(average=average).area)
    assert (
        swept.area("auc", "macro").low == swept.area("auc", "macro").high == pytest.approx(float(ix.auc(swept, average="macro")))
    )
    assert swept.bits is None


def test_what_reads_every_score_refuses_bins():
    y, scores = [0, 1, 1, 0], [0.1, 0.4, 0.8, 0.3]
    state, swept = binned(y, scores), sweep(y, scores)
    for ask in (
        lambda: ix.auc(state),
        lambda: ix.average_precision(state),
        lambda: ix.inference.interval(state, "auc"),
        lambda: state.brier_curve(),
        lambda: state.decision_curve(),
        lambda: ix.scores.roc_dominance({"a": state, "b": swept}),
    ):
        with pytest.raises(ValueError, match="bins"):
            ask()
    with pytest.raises(
        ValueError, match=r"Bins of scores do not add to ranked scores; make bins of these first: .compact\(bits=…\)"
    ):
        state + swept
    assert state + swept.compact(20) == binned(y * 2, scores * 2)
