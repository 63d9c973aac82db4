"""Sweeps: the counts of every threshold are those that evaluate gives, and the best threshold beats all others."""

import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from average_rows import rows_along
from loops import for_each
from scipy import sparse

import indicatrix as ix
from indicatrix.ranking.ranked import rank_scores
from indicatrix.scores.score_input import STRIP
from indicatrix.scores.thresholds import best_thresholds as best_module
from indicatrix.scores.thresholds import formula_operands
from indicatrix.scores.thresholds.best_thresholds import best_of
from indicatrix.scores.thresholds.sweep import Sweep, sweep

MEASURES = sorted({m.name for m in ix.algebra.MEASURES.values() if not m.averages})
DIRECTED = [name for name in MEASURES if ix.algebra.MEASURES[name].better != "neither"]


def binary(seed, n=12):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, n), np.round(rng.random(n), 1)


def several(seed, kind, n=30, m=4):
    """Return labels and scores of several classes."""
    rng = np.random.default_rng(seed)
    scores = np.round(rng.random((n, m)), 1)
    return (rng.integers(0, m - 1, n) if kind == "multiclass" else (rng.random((n, m)) < 0.3).astype(int)), scores


@for_each("seed", range(5))
@for_each("options", [{}, {"sample_weight": True}, {"mask": True}])
def test_binary_counts_are_evaluates(seed, options):
    y, p = binary(seed)
    rng = np.random.default_rng(seed)
    options = {k: rng.integers(0, 3, 12) / 4 if k == "sample_weight" else rng.random(12) < 0.7 for k in options}
    s = sweep(y, p, **options)
    assert (s.kind, s.classes, s.columns, s.positive, s.n) == ("binary", (0, 1), (1,), 1, 12)
    for t in [-1.0, 0.5, 0.55, 2.0, np.inf, *p]:
        expected = ix.evaluate(y, p, decide=t, positive=1, **options).binary()
        assert [float(x) for x in s.at(t)] == [float(x) for x in expected]


@for_each("seed", range(3))
@for_each("kind", ["multiclass", "multilabel"])
@for_each("options", [{}, {"sample_weight": (30,)}, {"mask": (30,)}, {"mask": (30, 4), "sample_weight": (30,)}])
def test_counts_per_class_and_pooled_are_evaluates(seed, kind, options):
    y, p = several(seed, kind)
    rng = np.random.default_rng(seed)
    options = {k: rng.random(shape) if k == "sample_weight" else rng.random(shape) < 0.8 for k, shape in options.items()}
    s = sweep(y, p, **options)
    assert (s.kind, s.columns, s.positive) == (kind, (0, 1, 2, 3), None)
    for t in (0.0, 0.3, 0.35, 1.0, [0.1, 0.5, 0.9, 0.35]):
        ev = ix.evaluate(y, p, decide=t, **options)
        counts, expected = s.at(t), ev.aggregate("class")
        assert (counts.per, counts.names) == (expected.per, expected.names)
        for a, b in zip(counts, expected, strict=True):
            np.testing.assert_allclose(np.asarray(a, float), np.asarray(b, float), atol=1e-12)
    k = s.micro.thresholds.tolist().index(0.3)
    pooled = ix.evaluate(y, p, decide=0.3, **options).aggregate(())
    assert s.micro.tp[k] == pytest.approx(float(pooled.tp), abs=1e-12)
    assert s.micro.fp[k] == pytest.approx(float(pooled.fp), abs=1e-12)


LIMITS = [-math.inf, 0.0, 0.1, 0.15, 0.5, 0.5, 1.0, 2.0, math.inf]


@pytest.mark.parametrize("options", [{}, {"sample_weight": np.arange(12) / 7}, {"mask": np.arange(12) % 3 > 0}])
@pytest.mark.parametrize("single", [np.float64, np.float32])
def test_counts_along_an_axis_of_thresholds_are_those_of_each(options, single):
    y, p = binary(5)
    s = sweep(y, p.astype(single), **options)
    for swept in (s, s.compact(), s.compact() + sweep(y, p.astype(single), **options)):
        for limits in (LIMITS, np.array(LIMITS), tuple(LIMITS), [Fraction(1, 2)], [1], []):
            counts = swept.at(limits)
            assert (counts.per, counts.names) == (("threshold",), (tuple(map(float, limits)),))
            assert [*zip(*(x.tolist() for x in counts), strict=True)] == [tuple(swept.at(t)) for t in limits]
    np.testing.assert_array_equal(ix.f1(s.at(LIMITS)), [ix.f1(s.at(t)) for t in LIMITS])


@pytest.mark.parametrize("kind", ["multiclass", "multilabel"])
@pytest.mark.parametrize("weights", [None, np.arange(30) / 7])
def test_tables_of_thresholds_are_an_axis_beside_the_classes(kind, weights):
    y, p = several(3, kind)
    s = sweep(y, p, sample_weight=weights)
    one, each = np.array(LIMITS)[:, None], np.random.default_rng(0).random((5, 4)).round(1)
    for table, names in ((one, tuple(LIMITS)), (each, tuple(map(tuple, each.tolist()))), (each[:0], ())):
        counts = s.at(table)
        assert (counts.per, counts.names) == (("threshold", "class"), (names, (0, 1, 2, 3)))
        for k, row in enumerate(table):
            alone = s.at(row[0] if len(row) == 1 else row.tolist())
            assert [x[k].tolist() for x in counts] == [x.tolist() for x in alone]
            assert (alone.per, alone.names) == (("class",), ((0, 1, 2, 3),))


def test_single_precision_is_compared_as_decisions_are():
    y, p = np.array([0, 1, 1, 0]), np.float32([0.1, 0.7, 0.3, 0.6])
    whole = sweep(y, p)
    for s in (whole, whole.compact(), pickle.loads(pickle.dumps(whole.compact()))):
        for t in (0.1, 0.3, 0.6, 0.7, 0.7000000001, 1.0):
            assert s.at(t) == ix.evaluate(y, p, decide=t, positive=1).binary()
        assert s.at([1e300, -1e300]).tp.tolist() == [0, 2]  # beyond the range of single precision
    assert (whole + sweep(y, p.astype(float))).at(0.7).tp == 0  # together they are compared in double precision
    for none in (sweep(y[:0], p[:0].astype(float)), sweep(y[:0], p[:0].astype(float)).compact()):
        assert (none + whole).at(0.7) == (whole + none).at(0.7) == whole.at(0.7)  # no score has no precision


@pytest.mark.parametrize("columns", [None, 3])
def test_half_precision_is_compared_as_decisions_are(columns):
    """A float16 of 0.1 is less than 0.1, and reaches it all the same; a sum of sweeps keeps that."""
    shape = (9,) if columns is None else (9, columns)
    y, p = (np.arange(np.prod(shape)) % 2).reshape(shape), np.resize(np.arange(1, 10) / 10, shape).astype(np.float16)
    whole = sweep(y, p)
    parts = sweep(y[:4], p[:4]) + sweep(y[4:], p[4:]), sweep(y[:4], p[:4]).compact() + sweep(y[4:], p[4:])
    for s in (whole, whole.compact(), *parts, pickle.loads(pickle.dumps(whole.compact()))):
        for t in (*(np.arange(1, 10) / 10).tolist(), 1e300, -1e300):
            ev = ix.evaluate(y, p, decide=t, **({"positive": 1} if columns is None else {}))
            assert [np.array(x).tolist() for x in s.at(t)] == [
                np.array(x).tolist() for x in (ev.binary() if columns is None else ev.aggregate("class"))
            ]
    single = sweep(y, p.astype(np.float32))
    for both in (whole + single, whole.compact() + single.compact()):  # of two types the longer one decides
        assert np.array_equal(both.at(0.1).tp, 2 * single.at(0.1).tp)
    assert ix.auc(y, p, average=columns and "micro") == ix.auc(y, p.astype(float), average=columns and "micro")


@pytest.mark.slow
def test_every_measure_at_every_threshold():
    y, p = binary(3, 40)
    s = sweep(y, p)
    for name in MEASURES:
        expected = [ix.evaluate(y, p, decide=t, positive=1).score(name, "binary").values for t in s.of().thresholds]
        values = s.values(name)
        np.testing.assert_allclose(values, np.array(expected, float), rtol=1e-9, atol=1e-12, err_msg=name)
        assert values.shape == s.of().thresholds.shape


@pytest.mark.parametrize("affine", [True, False])
def test_values_of_many_thresholds_come_in_blocks(monkeypatch, affine):
    """Blocks of three change neither sums of two counts nor arrays of four, and neither what is best of them."""
    measure = ix.mcc if affine else ix.Measure("", lambda tp, fp, fn, tn: np.sqrt(tp) * ix.ratio(tn, (tp + fn) * (fp + tn)))
    y, p = binary(4, 60)
    whole, best = sweep(y, p).values(measure), sweep(y, p).best(measure)
    assert (formula_operands.affine_values(measure, sweep(y, p).of()) is not None) == affine
    sizes, formula = [], measure.function

    def seen(*counts):
        sizes.append(np.size(counts[0].tp if isinstance(counts[0], formula_operands.Affine) else counts[0]))
        return formula(*counts)

    for module in (best_module, formula_operands):
        monkeypatch.setattr(module, "BLOCK", 3)
    spied = ix.Measure("", seen)
    np.testing.assert_array_equal(sweep(y, p).values(spied), whole)
    every = [*[3] * (len(whole) // 3), *[len(whole) % 3][: len(whole) % 3]]
    assert sizes == (every if affine else [3, *every])
    assert sweep(y, p).best(measure).plateaus == best.plateaus


def test_a_formula_of_its_own_and_one_written_for_numbers():
    y, p = binary(1)
    s = sweep(y, p)
    np.testing.assert_array_equal(s.values("tp / (tp + fp)"), s.values("precision"))
    odd = ix.Measure("", lambda tp, fp, fn, tn: tp / (tp + fp) if tp + fp > 0 else math.nan)
    np.testing.assert_array_equal(s.values(odd), s.values("precision"))
    assert s.best(odd).value == s.best("precision").value
    np.testing.assert_array_equal(s.values("f_beta(beta=2)"), s.values(ix.f_beta.at(beta=2)))


def brute(measure, y, p):
    """Return the best exact value and all thresholds that have it."""
    sign = -1 if measure.better == "lower" else 1
    found = []
    for t in [math.inf, *sorted(set(p.tolist()), reverse=True)]:
        hit = p >= t
        four = (
            int((hit & (y == 1)).sum()),
            int((hit & (y == 0)).sum()),
            int((~hit & (y == 1)).sum()),
            int((~hit & (y == 0)).sum()),
        )
        value = measure(ix.Counts(*map(Fraction, four)))
        if math.isfinite(value):
            found.append((sign * value, t))
    if not found:
        return math.nan, []
    top = max(v for v, _ in found)
    near = 0 if all(isinstance(v, Fraction | int) for v, _ in found) else 1e-13 * max(1, abs(top))
    return float(sign * top), [t for v, t in found if v >= top - near]


@for_each("name", DIRECTED)
def test_best_is_the_best_of_all_thresholds(name):
    measure = ix.algebra.MEASURES[name]
    for seed in range(4):
        y, p = binary(seed, [1, 6, 12, 25][seed])
        best = sweep(y, p).best(name)
        value, thresholds = brute(measure, y, p)
        if not thresholds:
            assert math.isnan(best.value)
            assert math.isnan(best.threshold)
            assert (best.plateaus, best.counts, best.rule) == ((), None, math.inf)
            continue
        assert best.value == pytest.approx(value, rel=1e-12, abs=1e-12)
        every = [math.inf, *sorted(set(p.tolist()), reverse=True)]
        inside = [t for t in every if any(low < t <= high for low, high in best.plateaus)]
        assert inside == thresholds, (best, thresholds)
        assert (best.low, best.high) in best.plateaus
        assert best.low < best.threshold <= best.high
        assert ix.evaluate(y, p, decide=best.rule, positive=1).score(name) == pytest.approx(best.value, rel=1e-15)


@pytest.mark.parametrize("name", [name for name in DIRECTED if ix.algebra.MEASURES[name].decomposition is not None])
def test_many_candidates_are_compared_by_integers(name, monkeypatch):
    problems = [binary(seed, 40) for seed in range(3)]
    one_by_one = [sweep(y, p).best(name) for y, p in problems]
    monkeypatch.setattr(best_module, "MANY", 0)
    monkeypatch.setattr(best_module, "NEAR", 10.0)  # every threshold is a candidate
    for (y, p), expected in zip(problems, one_by_one, strict=True):
        best = sweep(y, p).best(name)
        assert best.plateaus == expected.plateaus
        assert best.counts == expected.counts


def test_a_plateau_of_many_thresholds():
    n = 20_000
    y, p = np.arange(n) >= n // 2, np.arange(n) / n
    best = sweep(y, p).best("recall")
    assert (best.low, best.high, len(best.plateaus)) == (-math.inf, 0.5, 1)


def test_integers_that_need_more_than_64_bits(monkeypatch):
    measure = ix.f_beta.at(beta=1e-4)  # its coefficients are of the order of 10**8
    y, p = binary(9, 400)
    expected = sweep(y, p).best(measure)
    monkeypatch.setattr(best_module, "MANY", 0)
    monkeypatch.setattr(best_module, "NEAR", 10.0)
    assert sweep(y, p).best(measure).plateaus == expected.plateaus


def test_plateaus_are_as_wide_as_possible():
    y, p = np.array([1, 0, 1, 0, 0, 1]), np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4])
    s = sweep(y, p)
    best = s.best("recall")
    assert (best.value, best.low, best.high) == (1.0, -math.inf, 0.4)
    nothing = s.best("specificity")
    assert (nothing.low, nothing.high, nothing.threshold) == (0.8, math.inf, math.inf)
    assert s.best("accuracy").plateaus == ((0.8, 0.9), (0.6, 0.7))  # both 4/6
    wide = sweep([0, 0, 1, 1], [0.1, 0.2, 0.6, 0.9]).best("accuracy")
    assert (wide.low, wide.high, wide.counts) == (0.2, 0.6, ix.Counts(2, 0, 0, 2))
    same = sweep([1, 1, 1], [0.1, 0.5, 0.2]).best("precision")
    assert (same.value, same.low, same.high) == (1.0, -math.inf, 0.5)


def test_sums_of_weights_that_differ_by_rounding_are_equally_good():
    s = sweep([1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6], sample_weight=[0.1, 0.2, 0.3, 0.3])
    assert s.at(0.8).tp + s.at(0.8).tn != s.at(0.6).tp  # 0.1 + 0.2 is not 0.3
    assert s.best("accuracy").plateaus == ((0.7, 0.8), (-math.inf, 0.6))


def test_infinite_scores_have_no_threshold_above():
    s = sweep([0, 1, 1], [np.inf, 0.5, -np.inf])
    assert s.at(np.inf) == ix.Counts(0, 1, 2, 0)
    assert s.best("specificity").value == 0.0  # predicting nothing takes a threshold above +inf
    everything = s.best("recall")
    assert (everything.high, everything.rule) == (-math.inf, -math.inf)
    assert ix.evaluate([0, 1, 1], [np.inf, 0.5, -np.inf], decide=everything.rule).score("recall") == 1


def test_best_with_more_digits_than_floats_have():
    n = 3 * 10**8  # accuracies 1 - 1/n and 1 - 2/n differ by less than the values that are compared again
    r = rank_scores(np.array([0.9, 0.5, 0.1]), np.array([True, True, False]), np.array([1.0, n, n]))
    assert best_of(ix.accuracy, r).high == 0.5


@pytest.mark.one_fast_case
@pytest.mark.parametrize("kind", ["multiclass", "multilabel"])
def test_one_threshold_pooled_and_one_for_each_class(kind):
    y, p = several(2, kind)
    s = sweep(y, p)
    for name in ("f1", "mcc", "jaccard"):
        pooled = s.best(name, average="micro")
        assert ix.evaluate(y, p, decide=pooled.rule).score(name, "micro") == pytest.approx(pooled.value, rel=1e-15)
        assert not any(ix.evaluate(y, p, decide=t).score(name, "micro") > pooled.value + 1e-15 for t in np.unique(p))
        for average in rows_along("class", of=ix.algebra.MEASURES[name]):
            each = s.best(name, average=average)
            assert each.bests.keys() == set(range(4))
            assert each.bests[1] == s.best(name, 1)
            assert each.thresholds[1] == each.bests[1].threshold
            reached = ix.evaluate(y, p, decide=each.rule).score(name, average)
            assert reached == pytest.approx(each.value, rel=1e-12)
    coarse = np.round(p)
    small = sweep(y, coarse).best("f1", average="macro")
    grid = [0.0, 1.0, np.inf]
    every = (ix.evaluate(y, coarse, decide=list(t)).score("f1", "macro", undefined=0) for t in itertools.product(grid, repeat=4))
    assert small.value == pytest.approx(max(every), rel=1e-12)  # to leave a class undefined does not improve


def test_what_labels_may_be():
    p = [0.1, 0.8, 0.4]
    for y in ([0, 1, 1], [False, True, True], np.array([0, 1, 1], np.uint8), pd.Series([0.0, 1.0, 1.0])):
        assert sweep(y, p).of().tp.tolist() == [0, 1, 2, 2]
    words = sweep(["no", "yes", "yes"], p, positive="yes")
    assert (words.classes, words.columns) == (("no", "yes"), ("yes",))
    assert words.of("yes") == sweep([0, 1, 1], p).of()
    assert sweep([0, 1, 1], p, positive=0).of().tp.tolist() == [0, 0, 0, 1]
    assert sweep([1, 1], [0.5, 0.2]).classes == (0, 1)
    table = [[0.7, 0.2, 0.1], [0.1, 0.5, 0.4]]
    named = sweep(["b", "c"], pd.DataFrame(table, columns=["a", "b", "c"]))
    assert (named.kind, named.columns) == ("multiclass", ("a", "b", "c"))
    assert named.of("c").positives.tolist() == [1, 0]
    sets = sweep([{"a"}, {"a", "c"}], table, classes=["a", "b", "c"])
    dense = sweep([[1, 0, 0], [1, 0, 1]], table, classes=["a", "b", "c"])
    assert sets == dense == sweep(sparse.csr_matrix([[1, 0, 0], [1, 0, 1]]), table, classes=["a", "b", "c"])
    assert dense != named
    assert dense != 1
    assert sweep(["b", "c"], table, classes=["a", "b", "c"], positive="c").of().positives.tolist() == [1, 0]
    coded = ix.one_hot(["b", "c"], classes=["a", "b", "c"])
    assert sweep(coded, table) == named
    large = sweep([0, 1], np.array([1, 2], np.float32))
    assert large.of().scores.tolist() == [2.0, 1.0]


def test_rows_left_out():
    s = sweep([0, None, 1], [0.1, 0.2, 0.3], missing="mask", sample_weight=[1, 2, 3], by={"site": ["a", "a", "b"]})
    assert (s.n, s.of().thresholds.tolist(), s.of().tpos) == (2, [np.inf, 0.3, 0.1], 3.0)
    assert {k: v.n for k, v in s.split("site").items()} == {"a": 1, "b": 1}
    entries = sweep([[1, np.nan], [0, 1]], [[0.3, 0.4], [0.5, 0.6]], missing="mask", mask=[[1, 1], [0, 1]])
    assert [entries.of(j).n for j in (0, 1)] == [1, 1]
    assert entries.micro.n == 2


def test_nothing_and_one_class():
    empty = sweep([], [])
    assert (empty.n, empty.of().n, empty.at(0.5)) == (0, 0, ix.Counts(0, 0, 0, 0))
    assert math.isnan(empty.best("f1").value)
    assert empty.best("recall").plateaus == ()
    none = sweep(np.zeros((0, 3), int), np.zeros((0, 3)))
    assert none.at(0.5).tp.tolist() == [0, 0, 0]
    one = sweep([1, 1], [0.5, 0.5])
    assert math.isnan(one.roc().area)
    assert one.best("f1").value == 1.0


def test_groups_and_merging():
    y, p = several(7, "multilabel")
    site, fold = np.arange(30) % 3, np.arange(30) % 2
    whole = sweep(y, p, by={"site": site, "fold": fold})
    assert whole.axes == ("site", "fold")
    assert whole.split("site")[1].of(2) == sweep(y[site == 1], p[site == 1]).of(2)
    assert whole.split("site")[1] == sweep(y[site == 1], p[site == 1], by={"fold": fold[site == 1]})
    parts = [sweep(y[i], p[i], by={"site": site[i], "fold": fold[i]}) for i in (slice(0, 4), slice(4, 20), slice(20, 30))]
    for some in (parts, [x.compact() for x in parts], [parts[0], parts[1].compact(), parts[2]]):
        total = some[2] + some[0] + some[1]
        assert total == whole
        assert total.n == 30
        assert total.micro == whole.micro
        assert set(total.split("site")) == {0, 1, 2}
    assert (parts[0] + parts[1]).rows is not None
    assert (parts[0] + parts[1].compact()).rows is None
    assert whole.compact() == whole
    assert pickle.loads(pickle.dumps(whole)) == whole
    late, early = (sweep([0, 1], [0.1, 0.2], by={"site": names}) for names in (["b", "b"], ["a", "a"]))
    assert {name: part.n for name, part in (late + early).split("site").items()} == {"b": 2, "a": 2}
    weighted = sweep(y[:4], p[:4], sample_weight=[1, 2, 3, 4], mask=y[:4] >= 0) + sweep(y[4:], p[4:])
    assert weighted == sweep(y, p, sample_weight=[1, 2, 3, 4] + [1] * 26)
    assert not weighted.axes
    masked = sweep(y[:4], p[:4], mask=[1, 0, 1, 1]) + sweep(y[4:], p[4:], mask=np.ones((26, 4)))
    assert masked.of(0) == sweep(y, p, mask=np.arange(30) != 1).of(0)


def test_a_part_of_a_sweep_has_the_groups_that_occur_in_it():
    """A group that a part never met is not a unit of it, so that parts of the whole equal sums of parts."""
    y, p = binary(8, 12)
    by = {"site": np.repeat(["a", "b", "c"], 4), "fold": np.repeat([0, 1, 0, 1, 2, 2], 2)}
    whole = sweep(y, p, by=by)
    parts = [sweep(y[i], p[i], by={name: ids[i] for name, ids in by.items()}).compact() for i in np.split(np.arange(12), [3, 8])]
    for total in (whole, whole.compact(), *(a + b + c for a, b, c in itertools.permutations(parts))):
        assert total == whole
        assert {site: sorted(part.split("fold")) for site, part in total.split("site").items()} == {
            "a": [0, 1],
            "b": [0, 1],
            "c": [2],
        }
        assert ix.auc(total.split("site")["c"], average="fold", undefined=0).counts.names == ((2,),)
    codes = np.arange(12) % 5
    for name, part in sweep(y, p, by={"k": codes}).split("k").items():  # in any order of the rows
        assert part == sweep(y[codes == name], p[codes == name])


def test_many_equally_good_thresholds_under_weights(monkeypatch):
    """Sums of weights are rounded, so that fractions of them add nothing: many are compared as floats, with the same result."""
    rng = np.random.default_rng(11)
    p, w = rng.permutation(900) / 900, rng.random(900)
    s, asked = sweep(p > 0.6, p, sample_weight=w), []

    def squared_recall(tp, fp, fn, tn):
        asked.append(np.size(tp))
        return ix.ratio(tp * tp, (tp + fn) * (tp + fn))

    measures = ix.Measure("", squared_recall, better="higher"), ix.recall, ix.measures.negative_likelihood_ratio, ix.cohen_kappa
    found = [s.best(measure).plateaus for measure in measures]
    assert len(asked) < 10
    monkeypatch.setattr(best_module, "MANY", 10**9)
    assert [s.best(measure).plateaus for measure in measures] == found
    assert found[0] == ((-math.inf, p[p > 0.6].min()),)


def test_callers_arrays_are_copied():
    y, p = np.array([0, 1, 1]), np.array([0.1, 0.8, 0.4])
    s = sweep(y, p)
    p[:] = 0
    y[:] = 0
    assert s.of().tp.tolist() == [0, 1, 2, 2]
    y, p = several(1, "multilabel")
    s, before = sweep(y.astype(bool), p), p.copy()
    p[:] = 0
    assert np.array_equal(s.rows.scores, before)
    assert np.array_equal(s.rows.truth(slice(3, 5)), y[3:5] == 1)
    codes, q = several(1, "multiclass")
    s, kept = sweep(codes, q), codes.copy()
    codes[:] = 0
    assert np.array_equal(s.rows.truth(), kept[:, None] == np.arange(4))


@for_each(
    ("call", "message"),
    [
        (lambda: sweep([0, 1], [0.1]), "scores has 1 entries for 2 examples"),
        (lambda: sweep([0, 1, 1], [[0.1, 0.2]]), "scores has 1 rows for 3 examples. Give one row of scores per example."),
        (lambda: sweep([0, 1], [0.1, math.nan]), r"scores\[1\] is NaN"),
        (lambda: sweep(np.array([0, 1]), np.array([math.nan, 0.2])), r"scores\[0\] is NaN: every example needs a number"),
        (lambda: sweep([0, 1], [[0.1, 0.2], [0.1, math.nan]]), r"scores\[1, 1\] is NaN: every example and class needs a number"),
        (lambda: sweep([0, 1], ["a", "b"]), "scores holds texts, which are labels; a score is a number for each example"),
        (lambda: sweep([0, 1], [{1}, {2}]), "scores must be numbers: one per example, or one per example and class"),
        (lambda: sweep([0, 1, 2], [0.1, 0.2, 0.3]), r"decides between two classes, but y_true has 0, 1, 2"),
        (lambda: sweep([0, 1, 2], [0.1, 0.2, 0.3], positive=2), r"For one class against the rest give np.asarray\(y_true\) == 2"),
        (lambda: sweep(["a", "a"], [0.1, 0.2], positive="a"), r"y_true has 'a'. Name the two in classes="),
        (lambda: sweep(["a", "b"], [0.1, 0.2]), "Which class do the scores speak for"),
        (lambda: sweep([0, 1], [0.1, 0.2], positive=2), "positive=2 is not a class"),
        (lambda: sweep([0, 1], [[0.1, 0.2], [0.3, 0.4]], positive=7), "positive=7 is not a class"),
        (lambda: sweep(["a", "b"], [[0.1, 0.2], [0.3, 0.4]]), "Which classes are the 2 columns of scores"),
        (lambda: sweep([[1, 0]], [[0.1, 0.2, 0.3]]), "y_true has 2 columns and scores 3"),
        (lambda: sweep([0, 1], [0.1, 0.2], sample_weight=[1, -1]), r"sample_weight\[1\] = -1.0"),
        (lambda: sweep([0, 1], [0.1, 0.2], missing="drop"), "missing='drop' is unknown"),
        (lambda: sweep([0, None], [0.1, 0.2]), "y_true"),
        (lambda: sweep([0, 1], [0.1, 0.2]).of("x"), r"'x' is not a column of scores; they are 1"),
        (lambda: sweep([0, 1], [[0.1, 0.2], [0.3, 0.4]]).of(), r"Name one column of scores, 0, 1, or pool them"),
        (lambda: sweep([0, 1], [0.1, 0.2]).split("site"), "There is no grouping 'site'"),
        (
            lambda: sweep([0, 1], [0.1, 0.2]).values("f1", average="macro"),
            "average='macro' does not have a single threshold axis",
        ),
        (lambda: sweep([0, 1], [0.1, 0.2]).roc(1, average="micro"), "average='micro' pools all columns"),
        (lambda: sweep([0, 1], [0.1, 0.2]).best("f1", 1, average="macro"), "there is one column of scores"),
        (lambda: sweep([0, 1], np.eye(2)).best("f1", 1, average="macro"), "is over all classes; leave out the column 1"),
        (lambda: sweep([0, 1], [0.1, 0.2]).best("prevalence"), "Neither higher nor lower values of prevalence are better"),
        (lambda: sweep([0, 1], [0.1, 0.2]).best("exact_match"), "exact_match exists only as average='exemplar'"),
        (lambda: sweep([0, 1], [0.1, 0.2]).at([[0.1, 0.2]]), r"shape \(1, 2\); one column of scores takes one number, or a list"),
        (lambda: sweep([0, 1], np.eye(2)).at([0.1]), r"shape \(1,\); give one number, one for each of 2 classes, or .* \(k, 2\)"),
        (lambda: sweep([0, 1], np.eye(2)).at([[0.1, 0.2, 0.3]]), r"thresholds has shape \(1, 3\)"),
        (lambda: sweep([0, 1], np.eye(2)).at(pd.Series([0.1, 0.2], ["b", "a"])), "thresholds have names; give them as a list"),
        (lambda: sweep([0, 1], [0.1, 0.2]).at("argmax"), "thresholds='argmax' must be numbers, such as 0.5"),
        (lambda: sweep([0, 1], [0.1, 0.2]).at([0.1, None, object()]), "must be numbers, such as 0.5"),
        (lambda: sweep([0, 1], [0.1, 0.2]).at(math.nan), "thresholds has one that is NaN"),
        (lambda: sweep([0, 1], [0.1, 0.2]) + sweep([False, True], np.ones((2, 2))), "kind is 'binary' here and 'mult"),
        (lambda: sweep([0, 1], [0.1, 0.2]) + 1, "unsupported operand"),
    ],
)
def test_errors(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_repr():
    assert repr(sweep([0, 1], [0.1, 0.2])) == "<Sweep: binary, 2 examples, classes 0, 1>"
    assert isinstance(sweep([0, 1], [0.1, 0.2]), Sweep)


def test_an_example_is_ranked_within_itself():
    truth, scores = [{"a"}, {"a", "b"}, set()], np.array([[0.9, 0.2, 0.5], [0.1, 0.7, 0.7], [0.3, 0.2, 0.1]])
    seen = np.array([[1, 1, 1], [1, 1, 0], [1, 1, 1]], bool)
    swept = ix.sweep(truth, scores, classes=["a", "b", "c"], mask=seen, sample_weight=[2.0, 1.0, 1.0])
    assert swept.example(0) == rank_scores(scores[0], np.array([True, False, False]))
    assert swept.example(1) == rank_scores(scores[1, :2], np.array([True, True]))
    assert swept.example(-1) == rank_scores(scores[2], np.zeros(3, bool))
    with pytest.raises(ValueError, match="leaves nothing to rank"):
        ix.sweep([0, 1], [0.1, 0.2]).example(0)
    with pytest.raises(ValueError, match="keeps no examples"):
        swept.compact().example(0)
    with pytest.raises(IndexError):
        swept.example(3)


def test_sweeps_add_only_with_the_same_groupings_and_sum():
    plain, grouped = ix.sweep([0, 1], [0.1, 0.2]), ix.sweep([0, 1], [0.1, 0.2], by={"g": [1, 2]})
    assert sum([plain, plain]).n == 4
    with pytest.raises(ValueError, match="Sweeps add only with the same groupings"):
        plain + grouped


def test_text_names_of_columns_stand_for_classes():
    scores = np.array([[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
    right, turned = (
        pl.DataFrame(dict(zip("012", scores.T, strict=True))),
        pl.DataFrame(dict(zip("210", scores.T[::-1], strict=True))),
    )
    assert ix.auc([0, 1, 2], right, classes=[0, 1, 2], average="macro") == 1
    for call in (ix.auc, ix.measures.hand_till_auc, ix.measures.ordinal_auc):
        with pytest.raises(ValueError, match="Put both in the same order"):
            call([0, 1, 2], turned, classes=[0, 1, 2], average="macro")
    with pytest.raises(ValueError, match="Put both in the same order"):
        ix.brier([0, 1, 2], turned, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="Put both in the same order"):
        ix.evaluate([0, 1, 2], turned, classes=[0, 1, 2], decide="argmax")


def test_numbers_that_floats_do_not_hold():
    with pytest.raises(ValueError, match="beyond the range of floats"):
        ix.auc([0, 1], [10**400, 1])
    third = Fraction(1, 3)
    for scores in ([2**64, 2**64 + 1], [2**53, 2**53 + 1, 0.5], [third, third + Fraction(1, 10**30)]):
        y = [0, 1, 1][: len(scores)]
        with pytest.raises(ValueError, match=r"scores\[1\] = .* are different numbers and one float\. Rescale"):
            ix.auc(y, scores)
        with pytest.raises(ValueError, match=r"y_true\[1\] = .* are different numbers and one float"):
            ix.scores.kendall(scores, y)
    assert ix.auc([0, 1, 1, 0], [third, 2**64, 2.0**70, third]) == 1.0
    assert ix.auc([0, 1], [2**64, 2**64 + 1], mask=[True, False], undefined=0) == 0.0
    for weight in (1e100, 1e-100):
        for call in (lambda w: ix.auc([0, 1], [0.1, 0.2], sample_weight=w), lambda w: ix.mcc([0, 1], [0, 1], sample_weight=w)):
            with pytest.raises(ValueError, match="Divide all by a constant"):
                call([weight] * 2)


@pytest.mark.parametrize("n", [1, 6, 7, 8, 9, 15, 16, 40])
def test_sums_of_two_counts_give_what_arrays_of_four_give(n, monkeypatch):
    rng = np.random.default_rng(n)
    r = rank_scores(rng.permutation(np.arange(float(n))), rng.random(n) < 0.5)
    monkeypatch.setattr(formula_operands, "BLOCK", 8)
    found = 0
    for name in MEASURES:
        values = formula_operands.affine_values(ix.algebra.MEASURES[name], r)
        found += values is not None
        if values is not None:
            np.testing.assert_allclose(
                values, best_module.applied_values(ix.algebra.MEASURES[name], r), 1e-12, 1e-14, err_msg=name
            )
    assert found > len(MEASURES) / 2


@pytest.mark.parametrize(
    "name", ["precision", "recall", "f1", "accuracy", "informedness", "jaccard", "markedness", "cohen_kappa"]
)
def test_quotients_of_integers_are_rounded_once(name):
    rng = np.random.default_rng(1)
    r = rank_scores(np.round(rng.normal(size=700), 2), rng.random(700) < 0.3)
    exact = [ix.algebra.MEASURES[name](ix.Counts(*map(Fraction, r.counts_at(k)))) for k in range(len(r.tp))]
    assert formula_operands.affine_values(ix.algebra.MEASURES[name], r).tolist() == pytest.approx(
        [float(v) for v in exact], 0, 0, True
    )


@for_each(
    "formula",
    [
        lambda tp, fp, fn, tn: tp,
        lambda tp, fp, fn, tn: tp + fp,
        lambda tp, fp, fn, tn: tp + fn,
        lambda tp, fp, fn, tn: 3 - tp - 2 * fp,
        lambda tp, fp, fn, tn: 1 / (0 - tp),  # +0 below: no sum gives -0
        lambda tp, fp, fn, tn: 1 / (fn - tp - fn),
        lambda tp, fp, fn, tn: 1 / (0 - tp - (tp + fp)),
        lambda tp, fp, fn, tn: (tp / (tp + fn) + tn / (tn + fp)) / (tp / (tp + fn)),
        lambda tp, fp, fn, tn: tp * fp * fn * tn * tp * fp / (tp * fn - fp * fp + tn),
        lambda tp, fp, fn, tn: (tp + fn) / (fp + tn),
        lambda tp, fp, fn, tn: ix.ratio(tp * fp, fp * (tp + fn)),  # undefined where fp is zero
        lambda tp, fp, fn, tn: 1.0,
        lambda tp, fp, fn, tn: tp / (tp + 0.3 * fn + 0.7 * fp),
        lambda tp, fp, fn, tn: tp / (tp + fn + math.inf),
        lambda tp, fp, fn, tn: tp - math.nan,
        lambda tp, fp, fn, tn: np.sqrt(tp / (tp + fn)),
        lambda tp, fp, fn, tn: np.nan_to_num(tp / (tp + fp + 0 * fn), nan=0.5),
        lambda tp, fp, fn, tn: (tp - 0.5) * (1.5 - tp) / (2.0 * fp),
        lambda tp, fp, fn, tn: 1 / (1 - (tp + fn) / (tp + fn)),  # of numbers
    ],
)
def test_formulas_that_are_arithmetic(formula):
    r = rank_scores(np.array([0.9, 0.8, 0.7, 0.7, 0.2, -0.1]), np.array([False, True, True, False, False, True]))
    values = formula_operands.affine_values(ix.Measure("", formula), r)
    np.testing.assert_allclose(values, best_module.applied_values(ix.Measure("", formula), r), 1e-14)


def only_arrays(counts):
    """Return counts, unless they are of a type that their formula was not written for."""
    if not isinstance(counts, np.ndarray | int | float):
        raise ValueError(f"what is {type(counts)}?")
    return counts


@for_each(
    "formula",
    [
        lambda tp, fp, fn, tn: tp / (tp + fp) if tp + fp else math.nan,
        lambda tp, fp, fn, tn: math.nan if tp == 0 else tp / (tp + fp),
        lambda tp, fp, fn, tn: np.where(tp > 0, tp / (tp + fp), 0),
        lambda tp, fp, fn, tn: np.sqrt(tp) / (tp + fn),
        lambda tp, fp, fn, tn: abs(tp - fp) ** 0.5,
        lambda tp, fp, fn, tn: tp.real / (tp + fn),
        lambda tp, fp, fn, tn: np.vectorize(lambda a, b: max(b, a))(tp, fp) / (tp + fn),
        lambda tp, fp, fn, tn: np.max([tp, fp], axis=0) / (tp + fn),
        lambda tp, fp, fn, tn: Fraction(1, 3) * tp,
        lambda tp, fp, fn, tn: -tp,
        lambda tp, fp, fn, tn: np.nan_to_num(tp + fp, nan=0.5) / (tp + fn),  # returns unchanged what it cannot look into
        lambda tp, fp, fn, tn: np.nan_to_num(np.asarray(tp) / (tp + fp)),
        lambda tp, fp, fn, tn: only_arrays(tp) / (tp + fn),
    ],
)
def test_formulas_that_are_applied_to_arrays(formula):
    y, p = binary(6, 30)
    s, measure = sweep(y, p), ix.Measure("", formula)
    assert formula_operands.affine_values(measure, s.of()) is None
    with np.errstate(all="ignore"):
        expected = [measure(s.of().counts_at(np.array([k] * 20), per=("unit",)))[0] for k in range(len(s.of().tp))]
    np.testing.assert_allclose(s.values(measure), np.array(expected, float), 1e-14)


def test_an_error_of_a_formula_is_not_hidden():
    def wrong(tp, fp, fn, tn):
        raise KeyError("gain")

    for call in (best_module.values_of, best_of):
        with pytest.raises(KeyError, match="gain"):
            call(ix.Measure("", wrong), sweep([0, 1], [0.1, 0.2]).of())


def test_weighted_values_are_those_of_arrays():
    y, p = binary(7, 30)
    s = sweep(y, p, sample_weight=np.linspace(0.1, 2, 30))
    assert formula_operands.affine_values(ix.f1, s.of()) is None
    np.testing.assert_allclose(s.values("f1"), [ix.f1(s.of().counts_at(k)) for k in range(len(s.of().tp))])


@pytest.mark.parametrize("n", [1, STRIP - 1, STRIP, STRIP + 1, 2 * STRIP + 3])
def test_plain_tables_are_read_like_any_other(n):
    rng = np.random.default_rng(n)
    truth, p = (rng.random((n, 3)) < 0.4).astype(np.int64), rng.random((n, 3))
    other = sweep(truth, p, classes=[0, 1, 2])  # the long way
    for y in (truth, truth.astype(bool), truth.astype(np.uint8), np.asfortranarray(truth)):
        s = sweep(y, p)
        assert s == other
        assert (s.kind, s.classes, s.columns, s.positive) == (other.kind, other.classes, other.columns, other.positive)
        np.testing.assert_array_equal(s.rows.labels, other.rows.labels)
        np.testing.assert_array_equal(s.rows.scores, other.rows.scores)
    p[n - 1, 1] = np.nan
    with pytest.raises(ValueError, match=rf"scores\[{n - 1}, 1\] is NaN"):
        sweep(truth, p)


@pytest.mark.one_fast_case
@for_each("decades", [0, 3, 17, 40, 70])
@for_each("kind", ["binary", "multiclass", "multilabel"])
def test_weights_of_many_decades_give_the_counts_of_evaluate_exactly(kind, decades):
    """A false negative of weight 1 next to a true positive of weight 1e17 is not lost: nothing is subtracted."""
    for seed in range(2):
        y, p = binary(seed, 30) if kind == "binary" else several(seed, kind)
        rng = np.random.default_rng(seed)
        w = 10.0 ** rng.uniform(-decades / 2, decades / 2, 30) * (rng.random(30) < 0.9)
        s, one = sweep(y, p, sample_weight=w), kind == "binary"
        for t in [-1.0, 0.35, np.inf, *np.unique(p)]:
            ev = ix.evaluate(y, p, decide=t, sample_weight=w, **({"positive": 1} if one else {"classes": range(4)}))
            for mine, theirs in zip(s.at(t), ev.binary() if one else ev.aggregate("class"), strict=True):
                assert np.array_equal(mine, theirs)
            if not one:
                pooled = s.micro.counts_at(s.micro.count_reaching(t))
                assert [float(x) for x in pooled] == [float(x) for x in ev.aggregate()]
        r = s.of() if one else s.micro
        four, at = r.counts(), range(len(r.thresholds))
        assert all(np.array_equal(a, b) for a, b in zip(r.floats, four, strict=True))
        assert all([x[k] for x in four] == [*r.counts_at(k)] for k in at)
        for name in ("npv", "f1", "recall"):
            assert np.array_equal(
                s.values(name, average=None if one else "micro"), ix.algebra.MEASURES[name](four), equal_nan=True
            )


def test_rates_and_averages_of_weighted_sweeps_do_not_subtract():
    y, p, w = [0, 0, 1, 1], [0.9, 0.1, 0.2, 0.8], [1e17, 1, 1, 1]
    s = sweep(y, p, sample_weight=w)
    assert s.at(0.5) == ix.Counts(1.0, 1e17, 1.0, 1.0)
    assert ix.measures.threshold_average(y, p, sample_weight=w, measure="npv", between=(0.3, 0.7)) == 0.5
    heavy = sweep([1, 1, 0], [0.9, 0.2, 0.5], sample_weight=[1e17, 1, 1])
    assert heavy.det().y.tolist() == [1.0, 1e-17, 1e-17, 0.0]


def test_weights_of_an_open_set_curve_are_summed_on_both_sides():
    curve = ix.tasks.open_set_curve(["a", "a", "x"], ["a", "a", "a"], [0.9, 0.2, 0.5], known=["a"], sample_weight=[1e17, 1, 1])
    assert curve.counts.fn.tolist() == [1e17, 1.0, 1.0, 0.0]
