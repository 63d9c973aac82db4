"""Ranked scores: exact counts at every threshold, however they are made, merged or scanned."""

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from indicatrix.ranking import rank_sums as cells
from indicatrix.ranking.rank_sums import _limbs as weighed_limbs
from indicatrix.ranking.rank_sums import area_under_roc, mean_precision
from indicatrix.ranking.ranked import Ranked, merge_rankings, rank_scores
from indicatrix.ranking.threshold_steps import BLOCK, sort_keys, stable_order

SPECIAL = [0.0, -0.0, np.inf, -np.inf, 5e-324, -5e-324, 1.5, -1.5, 1.7976931348623157e308, 0.1, np.nextafter(0.1, 1)]
numbers = st.one_of(st.sampled_from(SPECIAL), st.floats(allow_nan=False), st.integers(-3, 3).map(float))
examples = st.lists(st.tuples(numbers, st.booleans(), st.sampled_from([0.0, 0.1, 0.25, 1.0, 3.0, 1e-9])), max_size=25)


def make(rows, weighted=False, dtype=np.float64):
    scores = np.array([s for s, _, _ in rows], dtype)
    return rank_scores(scores, np.array([p for _, p, _ in rows], bool), np.array([w for _, _, w in rows]) if weighted else None)


def brute(rows, weighted):
    """Return thresholds, tp and fp by the definition, in fractions."""
    rows = [(s, p, Fraction(w) if weighted else 1) for s, p, w in rows if w or not weighted]
    thresholds = sorted({s for s, _, _ in rows}, reverse=True)
    sides = [[0] + [sum((w for s, p, w in rows if p == side and s >= t), 0) for t in thresholds] for side in (True, False)]
    return [math.inf, *thresholds], *sides


def areas(tp, fp):
    """Return AUC and average precision of cumulative counts, as fractions."""
    steps = range(1, len(tp))
    pairs = sum((fp[k] - fp[k - 1]) * Fraction(tp[k] + tp[k - 1]) / 2 for k in steps)
    auc = float(pairs / (tp[-1] * fp[-1])) if tp[-1] and fp[-1] else math.nan
    precision = sum((tp[k] - tp[k - 1]) * Fraction(tp[k]) / (tp[k] + fp[k]) for k in steps)
    return auc, float(precision / tp[-1]) if tp[-1] else math.nan


@given(examples, st.booleans())
def test_counts_and_areas_by_the_definition(rows, weighted):
    r = make(rows, weighted)
    thresholds, tp, fp = brute(rows, weighted)
    assert r.thresholds.tolist() == thresholds
    assert r.tp.tolist() == [float(x) for x in tp]  # sums of weights are rounded once
    assert r.fp.tolist() == [float(x) for x in fp]
    assert r.tpos == r.tp[-1]
    assert r.tneg == r.fp[-1]
    np.testing.assert_allclose(r.positives, np.diff([float(x) for x in tp]), atol=1e-12)
    np.testing.assert_allclose(r.negatives, np.diff([float(x) for x in fp]), atol=1e-12)
    np.testing.assert_allclose([r.auc, r.average_precision], areas(tp, fp), rtol=1e-12, atol=1e-12)
    exact = [np.array([Fraction(x) for x in side], object) for side in (tp, fp)]
    np.testing.assert_array_equal([float(area_under_roc(*exact)), float(mean_precision(*exact))], areas(tp, fp))
    if not weighted:
        assert r.tp.dtype == r.positives.dtype == np.int64
        assert math.isnan(r.auc) or r.auc == areas(tp, fp)[0]  # one rounding


@given(examples, st.booleans(), st.randoms(), st.sampled_from([np.float64, np.float32]))
def test_any_split_and_order_gives_the_same_state(rows, weighted, random, dtype):
    rows = [(float(np.float32(s)) if abs(s) < 3e38 or math.isinf(s) else 1.0, p, w) for s, p, w in rows]
    whole = make(rows, weighted)
    shuffled = random.sample(rows, len(rows))
    cut = sorted(random.choices(range(len(rows) + 1), k=2))
    parts = [make(x, weighted, dtype) for x in (shuffled[: cut[0]], shuffled[cut[0] : cut[1]], shuffled[cut[1] :])]
    random.shuffle(parts)
    for state in (parts[0] + parts[1] + parts[2], parts[0] + (parts[1] + parts[2]), merge_rankings(parts)):
        assert state == whole
        assert state.n == whole.n
        np.testing.assert_array_equal(state.positives, whole.positives)
        np.testing.assert_array_equal([state.auc], [whole.auc])
    empty = merge_rankings([])
    assert whole + empty == whole == empty + whole


def test_sums_of_weights_do_not_depend_on_the_order():
    weights = np.array([1e16, 1.0, 1.0])  # added to the largest first, the others are lost
    states = [rank_scores(np.full(1, 0.5), np.array([True]), weights[[k]]) for k in range(3)]
    forward, backward = merge_rankings(states), merge_rankings(states[::-1])
    assert forward.positives[0] == backward.positives[0] == rank_scores(np.full(3, 0.5), np.ones(3, bool), weights).positives[0]
    assert forward.tpos == float(sum(map(Fraction, weights)))


def test_mixed_states_add():
    one, two = (
        rank_scores(np.array([0.5, -1], np.float32), np.array([True, False])),
        rank_scores(np.array([0.1, 0.5]), np.array([True, True])),
    )
    both = one + two
    assert both.scores.tolist() == [0.5, 0.1, -1.0]
    assert both.positives.tolist() == [2, 1, 0]
    weighted = both + rank_scores(np.array([0.1]), np.array([False]), np.array([0.5]))
    assert weighted.negatives.tolist() == [0, 0.5, 1]
    assert weighted.tp.tolist() == [0, 2, 3, 3]
    assert one != two
    assert one != "one"
    with pytest.raises(TypeError):
        one + 1


@for_each("seed", range(40))
def test_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 3000))
    y = rng.random(n) < rng.uniform(0.05, 0.95)
    y[:2] = True, False
    scores = rng.normal(size=n) + y
    scores = [scores, np.round(scores, 1), scores.astype(np.float32), np.abs(scores), np.zeros(n), np.round(np.exp(scores))][
        seed % 6
    ]
    weights = None if seed % 2 else np.maximum(rng.integers(0, 3, n) * rng.random(n), np.arange(n) < 2)
    r = rank_scores(scores, y, weights)
    fpr, tpr, thresholds = roc_curve(y, scores, sample_weight=weights, drop_intermediate=False)
    np.testing.assert_array_equal(r.thresholds, thresholds)
    np.testing.assert_allclose(r.fp / r.tneg, fpr, atol=1e-12)
    np.testing.assert_allclose(r.tp / r.tpos, tpr, atol=1e-12)
    assert abs(r.auc - roc_auc_score(y, scores, sample_weight=weights)) < 1e-12
    assert abs(r.average_precision - average_precision_score(y, scores, sample_weight=weights)) < 1e-12


SHAPES = {
    "uniform": lambda rng, n: rng.random(n),
    "logits": lambda rng, n: rng.normal(size=n),
    "few ties": lambda rng, n: rng.permutation(np.concatenate((rng.random(n - 60), np.repeat(rng.random(12), 5)))),
    "clusters": lambda rng, n: rng.integers(0, n, n) + rng.integers(0, 3, n) * 2.0**-36,
    "cells shared by different scores": lambda rng, n: rng.permutation(
        np.arange(n) // 2 * 2.0**-17 + np.arange(n) % 2 * 2.0**-60
    ),
    "signs at zero": lambda rng, n: np.concatenate((rng.normal(size=n - 4), [0.0, -0.0, 5e-324, -5e-324])),
    "two decimals": lambda rng, n: np.round(rng.random(n), 2),
    "outlier": lambda rng, n: np.append(rng.random(n - 1), 1e300),
    "infinite": lambda rng, n: np.append(rng.random(n - 1), np.inf),
    "heavy tail": lambda rng, n: np.exp(20 * rng.normal(size=n)),
}


@for_each("shape", SHAPES)
@for_each("n", [cells.MANY, 70_000])
def test_cells_give_what_a_full_sort_gives(shape, n):
    rng = np.random.default_rng(n)
    scores, y = SHAPES[shape](rng, n), rng.random(n) < 0.3
    full = cells.sums_of_keys(sort_keys(scores, y), int(y.sum()))
    early = cells.rank_sums(scores, y)
    if shape in ("uniform", "logits", "few ties", "signs at zero"):
        assert early is not None
    if early is not None:
        assert early[0] == full[0]
        assert early[1] == pytest.approx(full[1], rel=1e-13)
    r = rank_scores(scores, y)
    assert r.auc == full[0] / (2 * r.tpos * r.tneg)
    before, after = np.diff(r.fp), (r.tp[1:] + r.tp[:-1])
    assert r.auc == pytest.approx(float(before @ after) / (2 * r.tpos * r.tneg), rel=1e-13)


def test_many_shared_cells_are_found_by_table():
    rng = np.random.default_rng(5)
    n = 300_000  # about 20 pairs of scores share a cell by chance; these 200 do on purpose
    scores = rng.random(n)
    scores[:200] = scores[200:400] + 1e-13
    y = rng.random(n) < 0.5
    early = cells.rank_sums(scores, y)
    assert early is not None
    assert early[0] == cells.sums_of_keys(sort_keys(scores, y), int(y.sum()))[0]


@pytest.mark.parametrize("value", [0.25, 0.0, -3.0])
def test_one_group_of_ties_over_several_blocks(value):
    n = 3 * cells.BLOCK + 5
    y = np.arange(n) % 3 == 0
    r = rank_scores(np.append(np.full(n, value), [9.0, -9.0]), np.append(y, [True, False]))
    assert r.thresholds.tolist() == [np.inf, 9.0, value, -9.0]
    up = int(y.sum())
    assert r.auc == float(Fraction(2 * (n - up + 1) + up * (n - up) + 2 * up, 2 * (up + 1) * (n - up + 1)))


def test_nothing_one_row_one_class_one_score():
    empty = rank_scores(np.empty(0), np.empty(0, bool))
    assert (empty.n, empty.thresholds.tolist(), empty.tp.tolist(), empty.fp.tolist()) == (0, [np.inf], [0], [0])
    assert math.isnan(empty.auc)
    assert math.isnan(empty.average_precision)
    assert math.isnan(rank_scores(np.empty(0), np.empty(0, bool), np.empty(0)).auc)
    one = rank_scores(np.array([0.5]), np.array([True]))
    assert math.isnan(one.auc)
    assert one.average_precision == 1.0
    assert math.isnan(rank_scores(np.array([0.5, 0.7]), np.array([False, False])).average_precision)
    assert rank_scores(np.zeros(4), np.array([True, False, True, False])).auc == 0.5


def test_zero_weights_leave_no_trace_and_zeros_are_one_score():
    r = rank_scores(np.array([0.3, 0.9, 0.1]), np.array([True, False, True]), np.array([1.0, 0.0, 2.0]))
    assert r.thresholds.tolist() == [np.inf, 0.3, 0.1]
    zeros = rank_scores(np.array([0.0, -0.0, -1.0]), np.array([True, False, False]))
    assert zeros.scores.tolist() == [0.0, -1.0]
    assert math.copysign(1, zeros.scores[0]) == 1


def test_dtypes():
    y = np.array([True, False, True])
    for dtype in (np.float16, np.float32, np.float64, np.int8, np.int64, np.uint64, bool, ">f8"):
        r = rank_scores(np.array([1, 0, 1]).astype(dtype), y)
        assert r.scores.tolist() == [1.0, 0.0]
        assert r.tp.tolist() == [0, 2, 2]
    strided = np.arange(6.0)[::2]
    assert rank_scores(strided, y).scores.tolist() == [4.0, 2.0, 0.0]


def test_errors():
    with pytest.raises(ValueError, match=r"scores\[1\] is NaN: every example needs a score"):
        rank_scores(np.array([0.1, np.nan]), np.array([True, False]))
    with pytest.raises(ValueError, match=r"scores\[0\] is NaN"):
        rank_scores(np.array([-np.nan, 0.1], np.float32), np.array([True, False]))
    with pytest.raises(ValueError, match=r"beyond 2\*\*53"):
        rank_scores(np.array([2**53 + 1, 0]), np.array([True, False]))


def test_inputs_are_not_modified_and_states_travel():
    scores, y, w = np.array([0.3, -0.0, -2.0]), np.array([True, False, True]), np.array([1.0, 0.5, 0.0])
    kept = [x.copy() for x in (scores, y, w)]
    r = rank_scores(scores, y, w)
    assert isinstance(r, Ranked)
    assert r.average_precision > 0
    assert all(np.array_equal(a, b) for a, b in zip(kept, (scores, y, w), strict=True))
    assert pickle.loads(pickle.dumps(r)) == r == copy.deepcopy(r)
    assert repr(r) == "<Ranked: 2 scores, 1 positive, 0.5 negative>"


def test_counts_have_a_threshold_axis():
    counts = rank_scores(np.array([0.9, 0.2, 0.9]), np.array([True, False, False])).counts()
    assert counts.per == ("threshold",)
    assert counts.names == ((np.inf, 0.9, 0.2),)
    assert counts.at(threshold=0.9).tn == 1
    assert counts.n.tolist() == [3, 3, 3]


@pytest.mark.parametrize("seed", range(8))
def test_counts_as_floats_do_not_depend_on_how_labels_were_put_in_order(seed):
    """Many scores are ordered by cells first; the counts are those of the sorted scores, ties and negative scores included."""
    rng = np.random.default_rng(seed)
    scores, positive = rng.normal(size=20_000), rng.random(20_000) < 0.3
    scores[rng.integers(0, 20_000, 60 * (seed % 2))] = scores[rng.integers(0, 20_000, 60 * (seed % 2))]
    early, late = rank_scores(scores, positive), rank_scores(scores, positive)
    assert len(late.thresholds) > 1  # sorts the scores
    for a, b in zip(early.floats, late.floats, strict=True):
        assert np.array_equal(a, b)
    assert np.array_equal(early.floats[0], late.tp)
    assert np.array_equal(early.floats[1], late.fp)


@for_each("n", [0, 1, 2, 3, 500, 4097])
@for_each("dtype", [np.uint64, np.uint32])
def test_one_sort_of_integers_orders_places(n, dtype):
    """Places take the lowest bits; integers that differ in these alone are untangled, and equal ones stay as they came."""
    rng = np.random.default_rng(n)
    many, close = rng.integers(0, np.iinfo(dtype).max, n, dtype, endpoint=True), rng.integers(0, 9, n, dtype)
    for keys in (many, close, many // dtype(9) * dtype(9) + close, np.sort(many)[::-1], np.where(close > 4, many, close)):
        order, ascending = stable_order(keys)
        assert order.tolist() == np.argsort(keys, kind="stable").tolist()
        assert ascending.tolist() == np.sort(keys).tolist()


@pytest.mark.parametrize("spread", [0, 1, 20, 300])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.one_fast_case
def test_sums_of_weights_of_any_size_are_rounded_once(spread, ties):
    rng = np.random.default_rng(spread)
    n = 300
    weights = rng.random(n) * 2.0 ** rng.integers(-spread, spread + 1, n)
    scores, y = rng.integers(-9, 9, n) * 1.0 if ties else rng.normal(size=n), rng.random(n) < 0.4
    rows = list(zip(scores.tolist(), y.tolist(), weights.tolist(), strict=True))
    r = rank_scores(scores, y, weights)
    assert (weighed_limbs(weights) is None) == (spread == 300)
    _, tp, fp = brute(rows, True)
    assert r.tp.tolist() == [float(x) for x in tp]
    assert r.fp.tolist() == [float(x) for x in fp]
    back = rank_scores(scores[::-1].copy(), y[::-1].copy(), weights[::-1].copy())
    for side in ("positives", "negatives"):
        np.testing.assert_array_equal(getattr(r, side), getattr(back, side))
        np.testing.assert_allclose(getattr(r, side), np.diff([float(x) for x in (tp if side == "positives" else fp)]), 1e-9, 1e80)


def test_sums_of_weights_on_the_edge_of_two_floats():
    """Halfway between two floats the smallest weight decides, however far below it is."""
    for extra in (0.0, 2.0**-20, -(2.0**-20)):
        weights = np.array([2.0**53, 1.0, 2.0**-10 + extra, 2.0**-10])
        r = rank_scores(np.arange(4.0)[::-1].copy(), np.ones(4, bool), weights)
        assert r.tp.tolist() == [float(sum(map(Fraction, weights[:k]))) for k in range(5)]


def test_cells_of_negatives_alone_change_no_sum():
    rng = np.random.default_rng(8)
    n = 30_000
    scores = np.arange(n) * 2.0**-14
    size = rng.integers(1, 4, n // 3)  # several scores to a cell, some equal
    at = np.cumsum(size)[: n // 4]
    scores[at] = scores[at - 1] + 2.0**-60
    scores[at[::50] + 1] = scores[at[::50]]
    for prevalence in (0.001, 0.1, 0.9):
        y = rng.random(n) < prevalence
        mixed = rng.permutation(n)[: n // 20]  # few enough cells for the fast way
        some = np.concatenate((scores[mixed], rng.random(n) * 5))
        labels = np.concatenate((y[mixed], rng.random(n) < prevalence))
        early = cells.rank_sums(some, labels)
        full = cells.sums_of_keys(sort_keys(some, labels), int(labels.sum()))
        assert early is not None
        assert early[0] == full[0]
        assert early[1] == pytest.approx(full[1], rel=1e-13)


@pytest.mark.parametrize("extra", [[], [0.0], [-0.0], [5e-324], [2.0], [np.inf], [-1.0]])
def test_scores_that_no_float_key_holds(extra):
    """Most keys are sorted as floats; what would be NaN or too small to tell apart as such is sorted as integers."""
    scores = np.concatenate((np.random.default_rng(0).random(99), extra, [1.0, 1.4999999, 1.5]))
    r = rank_scores(scores, np.arange(len(scores)) % 2 == 0)
    assert r.scores.tolist() == sorted(set((scores + 0.0).tolist()), reverse=True)


@pytest.mark.parametrize("n", [1, 2, BLOCK - 1, BLOCK, BLOCK + 1, BLOCK + 2])
def test_ties_across_blocks_of_keys(n):
    scores = np.repeat(np.arange(float(n // 2 + 1)), 2)[:n]
    assert rank_scores(scores, np.arange(n) % 2 == 0).scores.tolist() == sorted(set(scores.tolist()), reverse=True)
    distinct = np.arange(float(n))
    assert rank_scores(distinct, distinct > 3).scores.tolist() == distinct[::-1].tolist()
