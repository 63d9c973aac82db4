"""Areas: each formula against its definition in fractions and scikit-learn, every average against the single rankings."""

from __future__ import annotations

import copy
import math
import pickle
import warnings
from fractions import Fraction
from itertools import pairwise, permutations

import mpmath
import numpy as np
import pytest
from average_rows import row_weights, rows_along
from hypothesis import example, given
from hypothesis import strategies as st
from loops import examples, for_each
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning

import indicatrix as ix
from indicatrix.ranking.ranked import rank_scores
from indicatrix.scores.areas import (
    AREAS,
    area_under_cost_curve,
    auc,
    auprc,
    average_precision,
    exact_area,
    partial_auc,
    r_precision,
    threshold_average,
)
from indicatrix.scores.curves.precision_areas import INTERPOLATIONS
from indicatrix.scores.curves.ranked_units import row_steps
from indicatrix.scores.curves.roc_areas import METHODS, upper_hull
from indicatrix.scores.thresholds.sweep import sweep

PARTIAL = partial_auc.at(max_fpr=Fraction(3, 10), standardized=False)
MEAN_RECALL = threshold_average.at(measure="recall")
AT_TIES = {  # the value where all scores are equal, if it is neither 1/2 nor the prevalence
    "area_under_cost_curve": 0.25,
    "h_measure": 0.0,
    "log_auc": 0.4 / math.log(5),  # the integral of x over log x from 0.1 to 0.5
}
PARAMETERS = {  # of the areas that have some
    "partial_auc": (PARTIAL, partial_auc.at(max_fpr=0.2)),
    "eer": tuple(AREAS["eer"].at(method=name) for name in METHODS),
    "h_measure": tuple(AREAS["h_measure"].at(prior=prior) for prior in ("prevalence", "severity", (2, 2), (0.5, 3))),
    "log_auc": (AREAS["log_auc"].at(fpr_range=(0.1, 0.5)),),
    "average_precision": tuple(average_precision.at(interpolation=name) for name in INTERPOLATIONS),
    "threshold_average": (MEAN_RECALL, threshold_average.at(measure="accuracy", between=(0.25, 0.75))),
}
EVERY = tuple(one for name, area in AREAS.items() for one in PARAMETERS.get(name, (area,)))
TIED = st.lists(st.tuples(st.booleans(), st.integers(0, 4)), max_size=9)  # labels and scores, most of them tied


def close(value, expected, tolerance=1e-12):
    return math.isclose(value, expected, rel_tol=0, abs_tol=tolerance) or (math.isnan(value) and math.isnan(expected))


def ranking(pairs):
    labels, scores = np.array([y for y, _ in pairs], bool), np.array([s / 4 for _, s in pairs], float)
    return rank_scores(scores, labels)


# ---- The definitions, in fractions, by the slowest road.


def points(pairs):
    """Return (tp, fp) at +inf and at every distinct score."""
    predicted = [[], *([y for y, s in pairs if s >= t] for t in sorted({s for _, s in pairs}, reverse=True))]
    return [(Fraction(sum(labels)), Fraction(len(labels) - sum(labels))) for labels in predicted]


def share_of_pairs(pairs):
    won = [Fraction((a > b) - (a < b) + 1, 2) for y, a in pairs if y for z, b in pairs if not z]
    return sum(won) / len(won) if won else math.nan


def roc_up_to(pairs, limit):
    (p, n), area = points(pairs)[-1], Fraction(0)
    if not p or not n:
        return math.nan
    roc = [(fp / n, tp / p) for tp, fp in points(pairs)]
    for (x0, y0), (x1, y1) in pairwise(roc):
        if x0 < limit and x1 > x0:
            end = min(x1, limit)
            height = y0 + (y1 - y0) * (end - x0) / (x1 - x0)
            area += (end - x0) * (y0 + height) / 2
    return area


def precision_areas(pairs):
    """Return the six definitions of average precision."""
    p = points(pairs)[-1][0]
    if not p:
        return dict.fromkeys(INTERPOLATIONS, math.nan)
    pr = [(tp / p, tp / (tp + fp)) for tp, fp in points(pairs)[1:]]

    def best(recall):
        return max(y for x, y in pr if x >= recall)

    steps = [(0, Fraction(1)), *pr]
    gains = [(x1 - x0, y0, y1, x1) for (x0, y0), (x1, y1) in pairwise(steps)]
    return {
        "step": sum(d * y for d, _, y, _ in gains),
        "envelope": sum(d * best(x) for d, _, _, x in gains),
        "11-point": sum(best(Fraction(i, 10)) for i in range(11)) / 11,
        "101-point": sum(best(Fraction(i, 100)) for i in range(101)) / 101,
        "coco": sum(max((y for x, y in pr if float(x) >= point), default=0) for point in np.linspace(0, 1, 101).tolist()) / 101,
        "trapezoid": sum(d * (y0 + y) / 2 for d, y0, y, _ in gains),
    }


def expected_precision_at_r(pairs):
    """Return the mean over every order of the examples that the scores allow."""
    k = sum(y for y, _ in pairs)
    if not k:
        return math.nan
    orders = [o for o in permutations(pairs) if all(a[1] >= b[1] for a, b in pairwise(o))]
    return sum(Fraction(sum(y for y, _ in o[:k]), k) for o in orders) / len(orders)


def envelope_of_costs(pairs):
    """Return the integral of the lowest cost line, piece by piece between all crossings of two lines."""
    p, n = points(pairs)[-1]
    if not p or not n:
        return math.nan
    lines = [(1 - tp / p, fp / n) for tp, fp in points(pairs)]  # the cost is a x + b (1 - x)
    cuts = {Fraction(0), Fraction(1)}
    for a, b in lines:
        for c, d in lines:
            if (a - b) != (c - d):
                x = (d - b) / ((a - b) - (c - d))
                cuts |= {x} if 0 < x < 1 else set()
    cuts = sorted(cuts)

    def lowest(x):
        return min(a * x + b * (1 - x) for a, b in lines)

    return sum((x1 - x0) * (lowest(x0) + lowest(x1)) / 2 for x0, x1 in pairwise(cuts))


def under_hyperbolas(pairs):
    """Return the integral of precision where fp grows in proportion to tp between two thresholds."""
    p = points(pairs)[-1][0]
    if not p:
        return math.nan
    area = mpmath.mpf(0)
    for (a, b), (c, d) in pairwise(points(pairs)):
        if c > a:
            h = mpmath.mpf((d - b).numerator) / int(c - a)
            start, fp, gained = int(a), int(b), int(c - a)
            area += mpmath.quad(
                lambda x, s=start, f=fp, h=h: (s + x) / (s + x + f + h * x) if s + x else 1 / (1 + h), [0, gained]
            )
    return float(area / int(p))


@pytest.mark.slow
@examples(50)
@example([])
@example([(True, 1)])
@example([(False, 1)])
@example([(True, 2), (False, 2)])
@given(TIED)
def test_every_area_is_its_definition_exactly(pairs):
    r = ranking(pairs)
    exactly = {
        auc: share_of_pairs(pairs),
        PARTIAL: roc_up_to(pairs, Fraction(3, 10)),
        partial_auc.at(max_fpr=1): share_of_pairs(pairs),
        area_under_cost_curve: envelope_of_costs(pairs),
        **{average_precision.at(interpolation=k): v for k, v in precision_areas(pairs).items()},
    }
    for area, expected in exactly.items():
        assert exact_area(area, r) == expected or (math.isnan(exact_area(area, r)) and math.isnan(expected)), area
        assert close(area(r), expected, 1e-14), area


@given(TIED)
def test_auprc_is_the_area_under_hyperbolas(pairs):
    assert close(auprc(ranking(pairs)), under_hyperbolas(pairs))


@given(TIED.filter(lambda pairs: len(pairs) <= 6))
def test_r_precision_is_the_mean_over_orders_of_ties(pairs):
    expected = expected_precision_at_r(pairs)
    assert close(r_precision(ranking(pairs)), expected, 1e-15)
    assert math.isnan(expected) or exact_area(r_precision, ranking(pairs)) == expected


@given(TIED, st.sampled_from(["f1", "precision", "accuracy", "mcc", "recall"]), st.sampled_from([(0, 1), (0.3, 0.55), (-1, 2)]))
def test_threshold_average_is_the_integral_of_a_step_function(pairs, name, between):
    low, high = map(Fraction, map(str, between))
    cuts = sorted({low, high, *(Fraction(s, 4) for _, s in pairs if low < Fraction(s, 4) < high)})
    total = 0.0
    for a, b in pairwise(cuts):  # a threshold in (a, b] predicts the scores >= b
        yes = [y for y, s in pairs if Fraction(s, 4) >= b]
        no = [y for y, s in pairs if Fraction(s, 4) < b]
        counts = ix.Counts(sum(yes), len(yes) - sum(yes), sum(no), len(no) - sum(no))
        total += float(b - a) * float(ix.algebra.MEASURES[name](counts)) / float(high - low)
    assert close(threshold_average.at(measure=name, between=between)(ranking(pairs)), total)


def test_grids_of_recall_reach_its_end_with_any_weights():
    rng = np.random.default_rng(2)
    for _ in range(120):
        n = int(rng.integers(1, 12))
        weights = rng.choice([0.1, 0.3, 1 / 3, 1e-9, 7e8], n)
        y, scores = rng.random(n) < 0.6, np.arange(n, 0, -1.0)
        y[0] = True
        total = math.fsum(weights[y])
        pr = [(math.fsum(weights[:k][y[:k]]), math.fsum(weights[:k])) for k in range(1, n + 1)]
        for name, parts in (("11-point", 10), ("101-point", 100)):
            expected = sum(max(tp / k for tp, k in pr if tp * parts >= i * total) for i in range(parts + 1)) / (parts + 1)
            assert close(average_precision(y, scores, sample_weight=weights, interpolation=name), expected)


def test_the_six_definitions():
    r = rank_scores(np.array([0.9, 0.8, 0.7, 0.6, 0.5]), np.array([0, 1, 1, 0, 1], bool))
    expected = ("53/90", "29/45", "106/165", "976/1515", "976/1515", "83/180")
    assert [str(exact_area(average_precision.at(interpolation=name), r)) for name in INTERPOLATIONS] == list(expected)
    assert [average_precision.at(interpolation=name)(r) for name in INTERPOLATIONS] == pytest.approx(
        [float(Fraction(x)) for x in expected], abs=1e-15
    )


def test_long_stretches_of_the_curve_lose_no_digits():
    rng = np.random.default_rng(0)
    mpmath.mp.dps = 40
    for _ in range(200):
        a, b, c, d = (int(x) for x in rng.integers(0, 10 ** rng.integers(1, 9, 4)))
        c += a + 1
        d += b
        steps = type("Steps", (), {"tp": np.array([0, a, c]), "fp": np.array([0, b, d])})
        first = mpmath.mpf(a) ** 2 / max(a + b, 1)
        h = mpmath.mpf(d - b) / (c - a)
        second = (
            (c - a) / (1 + h) + (a * h - b) / (1 + h) ** 2 * mpmath.log(1 + mpmath.mpf(c - a + d - b) / (a + b))
            if a + b
            else mpmath.mpf(c) ** 2 / (c + d)
        )
        assert AREAS["auprc"].function(steps) == pytest.approx(float((first + second) / c), rel=1e-13)
    mpmath.mp.dps = 15


@examples(50)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60))
def test_hull_is_the_set_of_points_that_some_slope_prefers(moves):
    x, y = (np.concatenate(([0], np.cumsum(side))) for side in zip(*moves, strict=True))
    check_hull(x, y)


@examples(50)
@given(st.dictionaries(st.integers(1, 39), st.integers(1, 300), max_size=4))
def test_hull_of_many_corners_with_a_few_dents(dents):
    """A dent that is taken away may leave another one next to it, so that points go one by one."""
    x = np.arange(41)
    y = x * (81 - x)
    for i, depth in dents.items():
        y[i] -= depth
    check_hull(x, np.maximum.accumulate(np.maximum(y, 0)))


def check_hull(x, y):
    at = upper_hull(x, y)
    corners = {(int(x[i]), int(y[i])) for i in at}
    assert len(corners) == len(at)
    assert {(0, 0), (int(x[-1]), int(y[-1]))} <= corners
    for i in range(len(x)):  # no point above the hull, and every corner strictly above the line of its neighbors
        right = int(np.searchsorted(x[at], x[i]))
        a, b = at[max(right - 1, 0)], at[min(right, len(at) - 1)]
        assert (y[i] - y[a]) * (x[b] - x[a]) <= (y[b] - y[a]) * (x[i] - x[a]) or x[a] == x[b] == x[i]
    for a, b, c in zip(at[:-2], at[1:-1], at[2:], strict=True):
        assert (y[b] - y[a]) * (x[c] - x[b]) > (y[c] - y[b]) * (x[b] - x[a])


# ---- scikit-learn.


def drawn(seed):
    """Return labels, scores and weights of a random binary problem: ties or none, float32 or 64, constant or extreme."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 400))
    y = rng.random(n) < rng.choice([0.05, 0.5, 0.9])
    y[:2] = True, False
    scores = rng.normal(size=n) + y * rng.choice([0, 1])
    scores = [scores, np.round(scores), np.zeros(n), scores * 1e300, scores.astype(np.float32)][int(rng.integers(5))]
    weights = [None, rng.random(n), rng.integers(0, 3, n).astype(float) + (np.arange(n) < 2)][int(rng.integers(3))]
    return y, scores, weights


@for_each("seed", range(40))
def test_binary_areas_agree_with_scikit_learn(seed):
    y, scores, weights = drawn(seed)
    given = {} if weights is None else {"sample_weight": weights}
    assert close(auc(y, scores, **given), metrics.roc_auc_score(y, scores, **given))
    assert close(average_precision(y, scores, **given), metrics.average_precision_score(y, scores, **given))
    for limit in (0.05, 0.3, 0.99, 1):
        theirs = metrics.roc_auc_score(y, scores, max_fpr=limit, **given)
        assert close(partial_auc(y, scores, max_fpr=limit, **given), theirs)
    precision, recall, _ = metrics.precision_recall_curve(y, scores, **given)
    trapezoid = average_precision(y, scores, interpolation="trapezoid", **given)
    assert close(trapezoid, metrics.auc(recall, precision))


def test_binary_areas_agree_with_scikit_learn_for_many_scores():
    rng = np.random.default_rng(1)
    y, scores = rng.random(100_000) < 0.01, rng.normal(size=100_000)
    assert close(auc(y, scores), metrics.roc_auc_score(y, scores))
    assert close(average_precision(y, scores), metrics.average_precision_score(y, scores))
    assert close(partial_auc(y, scores, max_fpr=0.1), metrics.roc_auc_score(y, scores, max_fpr=0.1))
    weights = rng.random(len(y))
    assert close(auc(y, scores, sample_weight=weights), metrics.roc_auc_score(y, scores, sample_weight=weights))


def test_infinite_scores_rank_first_and_last():
    y, scores = np.array([1, 0, 1, 0, 1]), np.array([np.inf, np.inf, 2.0, -np.inf, -np.inf])
    finite = np.array([9, 9, 2.0, -9, -9])
    for area in EVERY:
        if area.name != "threshold_average":
            assert area(y, scores) == area(y, finite)
    assert MEAN_RECALL(y, scores) == pytest.approx(2 / 3)


def table(seed, kind):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(5, 60)), int(rng.integers(3, 7))
    scores = rng.integers(1, 9, (n, m)) / 8 if seed % 2 else rng.random((n, m))
    if kind == "multiclass":
        scores = scores / scores.sum(axis=1, keepdims=True)
        y = rng.integers(0, m, n)
        y[:m] = rng.permutation(m)[: min(m, n)]
    else:
        y = (rng.random((n, m)) < 0.4).astype(int)
        y[:2] = [[0] * m, [1] * m]
        y[2:, 0] |= np.arange(n - 2) % 2
    return y, scores, None if seed % 3 else rng.random(n) + 0.01


@for_each("seed", range(12))
@for_each("average", ["micro", "macro", "weighted", "samples"])
def test_multilabel_areas_agree_with_scikit_learn(seed, average):
    y, scores, weights = table(seed, "multilabel")
    given = {} if weights is None else {"sample_weight": weights}
    if average == "samples":  # scikit-learn averages undefined rows to nan, and takes AP without positives for zero
        rows = (y.sum(axis=1) > 0) & (y.sum(axis=1) < y.shape[1])
        y, scores, given = y[rows], scores[rows], {k: v[rows] for k, v in given.items()}
    for area, theirs in ((auc, metrics.roc_auc_score), (average_precision, metrics.average_precision_score)):
        assert close(area(y, scores, average=average, **given), theirs(y, scores, average=average, **given))
    if average != "samples":
        theirs = metrics.roc_auc_score(y, scores, average=average, max_fpr=0.4, **given)
        assert close(partial_auc(y, scores, average=average, max_fpr=0.4, **given), theirs)


@pytest.mark.slow
@for_each("seed", range(12))
@for_each("average", ["micro", "macro", "weighted"])
def test_multiclass_areas_agree_with_scikit_learn(seed, average):
    y, scores, weights = table(seed, "multiclass")
    given = {} if weights is None else {"sample_weight": weights}
    theirs = metrics.roc_auc_score(y, scores, multi_class="ovr", average=average, labels=range(scores.shape[1]), **given)
    assert close(auc(y, scores, average=average, **given), theirs)
    theirs = metrics.average_precision_score(np.eye(scores.shape[1])[y], scores, average=average, **given)
    assert close(average_precision(y, scores, average=average, **given), theirs)


def test_missing_classes_are_undefined_like_the_values_of_scikit_learn():
    pytest.importorskip("sklearn", "1.6", reason="older ones raise an error for them")
    y, scores, _ = table(4, "multilabel")
    y[:, 1], y[:, 2] = 0, 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        theirs = metrics.roc_auc_score(y, scores, average=None)
    ours = auc(y, scores, average="macro")
    assert np.allclose(ours.values, theirs, atol=1e-12, equal_nan=True)
    assert ours.undefined_units == (1, 2)
    assert ours == pytest.approx(np.nanmean(theirs))
    ap = average_precision(y, scores, average="macro")
    assert (ap.undefined_units, ap.values[2]) == ((1,), 1)


# ---- Averages are derived: the same for every area.


def problem(seed, kind):
    """Return a random problem as arguments of an area, with mask, weights and groups."""
    y, scores, weights = table(seed, kind)
    rng = np.random.default_rng(seed + 1000)
    rows, cells = rng.random(len(scores)) < 0.8, rng.random(scores.shape) < 0.8
    mask = (cells, None, rows, rows)[seed]
    given = {"mask": mask, "sample_weight": weights, "by": {"site": rng.integers(0, 3, len(scores))}}
    return y, scores, {k: v for k, v in given.items() if v is not None}


def column(y, scores, given, j):
    """Return the ranking of a column, made by hand."""
    truth = y == j if y.ndim == 1 else y[:, j] == 1
    seen = given.get("mask", np.ones(len(y), bool))
    seen = seen if seen.ndim == 1 else seen[:, j]
    weights = given.get("sample_weight")
    return rank_scores(scores[seen, j], truth[seen], None if weights is None else weights[seen])


def pooled(y, scores, given, rows=slice(None)):
    m = scores.shape[1]
    truth = (y[:, None] == np.arange(m) if y.ndim == 1 else y == 1)[rows]
    seen = given.get("mask", np.ones(len(y), bool))
    seen = np.broadcast_to(seen if seen.ndim == 2 else seen[:, None], scores.shape)[rows]
    weights = np.broadcast_to(np.asarray(given.get("sample_weight", np.ones(len(y))))[:, None], scores.shape)[rows]
    return rank_scores(scores[rows][seen], truth[seen], weights[seen] if "sample_weight" in given else None)


def mean(values, weights, undefined):
    values, weights = np.array(values), np.ones(len(values)) if weights is None else np.array(weights, float)
    if undefined == "exclude":
        weights = np.where(np.isnan(values), 0, weights)
        values = np.nan_to_num(values)
    elif undefined != "nan":
        values = np.where(np.isnan(values), undefined, values)
    return math.nan if not weights.sum() else float((values * weights).sum() / weights.sum())


@pytest.mark.one_fast_case
@for_each("kind", ["multiclass", "multilabel"])
@for_each("area", EVERY)
def test_averages_are_means_over_rankings(area, kind):
    for seed in range(2):
        y, scores, given = problem(seed, kind)
        swept, columns = sweep(y, scores, **given), range(scores.shape[1])
        rankings = [column(y, scores, given, j) for j in columns]
        groups = [pooled(y, scores, given, given["by"]["site"] == g) for g in np.unique(given["by"]["site"])]
        each = {"site": ([area(r) for r in groups], None)}
        each |= {name: ([area(pooled(y, scores, given))], None) for name in rows_along("")}
        for name in rows_along("class"):
            weights = row_weights(ix.algebra.AVERAGES[name], area, *zip(*((r.tpos, r.tneg) for r in rankings), strict=True))
            each[name] = [area(r) for r in rankings], weights
        assert {"micro", "macro", "weighted", "site"} <= set(each)
        for undefined in ("exclude", 0, 0.5, "nan"):
            for average, (values, weights) in each.items():
                assert close(area(swept, average=average, undefined=undefined), mean(values, weights, undefined))
        for average, (values, weights) in each.items():  # labels and scores are swept alike under every convention
            assert close(area(y, scores, average=average, **given), mean(values, weights, "exclude"))


@pytest.mark.one_fast_case
@for_each("kind", ["multiclass", "multilabel"])
@for_each("area", EVERY)
def test_exemplar_average_is_the_mean_over_rows(area, kind):
    for seed in range(3):  # a mask of cells, none, one of rows
        y, scores, given = problem(seed, kind)
        m = scores.shape[1]
        truth = y[:, None] == np.arange(m) if y.ndim == 1 else y == 1
        seen = np.broadcast_to(np.reshape(given.get("mask", np.ones(len(y), bool)), (len(y), -1)), scores.shape)
        values = [area(rank_scores(s[o], t[o])) for s, t, o in zip(scores, truth, seen, strict=True)]
        swept = sweep(y, scores, **given)
        assert area(y, scores, average="exemplar", **given).values.tolist() == pytest.approx(values, abs=1e-12, nan_ok=True)
        for undefined in ("exclude", 1, "nan"):
            for average in rows_along("example"):
                found = area(swept, average=average, undefined=undefined)
                assert np.allclose(found.values, values, atol=1e-12, equal_nan=True)
                weights = row_weights(ix.algebra.AVERAGES[average], area, (truth & seen).sum(axis=1), (~truth & seen).sum(axis=1))
                here = seen.any(axis=1)  # what was not observed is not undefined
                weights = np.broadcast_to(weights * given.get("sample_weight", 1), here.shape)
                assert close(found, mean(np.array(values)[here], weights[here], undefined))


def test_area_of_the_cost_curve_is_the_area_under_it():
    rng = np.random.default_rng(9)
    for n in (2, 5, 50, 5000):
        y, scores = rng.random(n) < 0.5, rng.normal(size=n)
        y[:2] = True, False
        swept = sweep(y, scores)
        assert close(area_under_cost_curve(swept), swept.cost_curve().area)


def test_sweeps_without_rows_add_up_to_the_same_areas():
    y, scores, _ = table(1, "multilabel")
    sites = np.arange(len(y)) % 3
    whole = sweep(y, scores, by={"site": sites})
    halves = [sweep(y[at], scores[at], by={"site": sites[at]}).compact() for at in (slice(0, 4), slice(4, None))]
    for area in EVERY:
        for average in (*rows_along("", "class"), "site"):
            assert close(area(halves[0] + halves[1], average=average), area(whole, average=average))


def test_a_named_column_needs_no_average():
    y, scores, given = problem(3, "multiclass")
    for area in EVERY:
        assert close(area(y, scores, positive=2, **given), area(column(y, scores, given, 2)))


def test_rows_are_ranked_in_blocks(monkeypatch):
    y, scores, given = problem(0, "multilabel")
    whole = auc(y, scores, average="exemplar", **given)
    monkeypatch.setattr("indicatrix.scores.curves.ranked_units.BLOCK", 3 * scores.shape[1])
    assert np.array_equal(auc(y, scores, average="exemplar", **given).values, whole.values, equal_nan=True)


def test_binary_sweep_by_group():
    y, scores = np.array([0, 1, 1, 0, 1, 0]), np.array([0.1, 0.4, 0.35, 0.8, 0.7, 0.7])
    groups = np.array(["a", "a", "a", "b", "b", "b"])
    found = auc(y, scores, by={"fold": groups}, average="fold")
    assert found.values.tolist() == [auc(y[:3], scores[:3]), auc(y[3:], scores[3:])]
    assert (found.counts.per, found.counts.names) == (("fold",), (("a", "b"),))
    assert auc(y, scores, by={"fold": groups}) == auc(y, scores)


@pytest.mark.slow
def test_laws_of_ranking():
    rng = np.random.default_rng(8)
    for _ in range(8):
        y, scores = rng.random(40) < 0.4, rng.integers(0, 15, 40).astype(float)
        y[:2] = True, False
        assert close(auc(y, scores) + auc(y, -scores), 1)
        for area in EVERY:
            low, high = area.range
            assert low <= area(y, scores) <= high
            if area.name != "threshold_average":
                assert close(area(y, scores), area(y, np.exp(scores)))
                assert close(area(np.tile(y, 3), np.tile(scores, 3)), area(y, scores))
                assert close(area(y, scores, sample_weight=np.full(40, 0.5)), area(y, scores))
                assert close(area(y, y.astype(float)), 0 if area.better == "lower" else 0.3 if area is PARTIAL else 1)
                if area.name not in ("auprc", "average_precision", "r_precision"):
                    assert close(
                        area(y, np.zeros(40)), AT_TIES.get(str(area), AT_TIES.get(area.name, 0.045 if area is PARTIAL else 0.5))
                    )
        prevalence = y.mean()
        for area in (auprc, average_precision, r_precision):
            assert close(area(y, np.zeros(40)), prevalence)


def test_degenerate_input_is_undefined_not_an_exception():
    for area in EVERY:
        assert math.isnan(area(np.array([], int), np.array([], float))) or area.name == "threshold_average"
        assert isinstance(area([1], [0.5]), float)
        assert isinstance(area([0, 0], [0.5, 0.5]), float)
    assert math.isnan(auc([1, 1], [0.1, 0.2]))
    assert average_precision([1, 1], [0.1, 0.2]) == 1
    assert math.isnan(average_precision([0, 0], [0.1, 0.2]))
    empty = np.zeros((0, 3))
    for average in rows_along("", "class", "example"):
        assert math.isnan(auc(empty.astype(int), empty, average=average))


def test_score_knows_what_was_undefined():
    found = auc([[1, 0], [0, 0], [1, 0]], [[0.9, 0.1], [0.2, 0.3], [0.1, 0.8]], average="macro")
    assert repr(found) == "0.5 (macro auc; 1 of 2 classes undefined, excluded)"
    assert found.counts.tpos.tolist() == [2, 0]
    assert found.counts.tneg.tolist() == [1, 3]
    assert repr(auc([1, 1], [0.1, 0.2], undefined=0)) == "0.0 (binary auc; undefined, counted as 0)"
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert (again, repr(again), again.undefined_units) == (found, repr(found), (1,))
    at = partial_auc.at(max_fpr=0.1)
    assert str(at) == str(pickle.loads(pickle.dumps(at))) == "partial_auc(max_fpr=0.1)"
    assert str(average_precision) == "average_precision"
    assert "trapezoidal" in auc.__doc__
    with pytest.raises(ix.types.UndefinedError, match=r"macro auc: undefined for 1\. Choose undefined='exclude'"):
        auc([[1, 0], [0, 0]], [[0.9, 0.1], [0.2, 0.3]], average="macro", undefined="raise")
    with pytest.raises(ix.types.UndefinedError, match="binary auc: undefined for 'binary'"):
        auc([1, 1], [0.1, 0.2], undefined="raise")


# ---- Errors, each once.

MATRIX = (np.eye(3, dtype=int), np.eye(3))
BINARY = ([0, 1], [0.1, 0.9])
ERRORS = [
    (lambda: auc(*MATRIX), ValueError, "Name an average for auc: average='micro', 'macro', 'weighted' or 'exemplar'"),
    (
        lambda: auc(*MATRIX, average="marco"),
        ValueError,
        "average='marco' is unknown here. Did you mean macro? Choose from micro, macro, weighted",
    ),
    (lambda: auc(*MATRIX, average=3), TypeError, "average=3 must be one name"),
    (lambda: auc(*MATRIX, average="binary"), ValueError, "average='binary': it needs a positive class: pass positive="),
    (lambda: auc(*BINARY, average="macro"), ValueError, "there is nothing to average. Leave average= out"),
    (lambda: auc(*BINARY, average="site"), ValueError, "or give by={'site': ids}"),
    (lambda: auc(*BINARY, undefined="zero"), ValueError, "undefined='zero' is not a convention"),
    (
        lambda: auc(*BINARY, multi_class="ovo"),
        TypeError,
        "auc takes no multi_class=; several classes are one-vs-all",
    ),
    (lambda: auc(*BINARY, max_fpr=0.1), TypeError, "auc takes no max_fpr=; ix.measures.partial_auc"),
    (
        lambda: auc(*BINARY, thresh=1),
        TypeError,
        "auc takes no thresh=. Did you mean thresholds? It takes thresholds, average, undefined, interval, clusters, classes",
    ),
    (
        lambda: auc(*BINARY, [1]),
        TypeError,
        "takes y_true and scores, a sweep, or an evaluation of scores; 3 arguments were given",
    ),
    (lambda: auc(sweep(*BINARY), classes=[0, 1]), TypeError, "auc got classes, which describe labels, together with a sweep"),
    (lambda: auc(ranking([(True, 1)]), average="macro"), TypeError, "auc of one ranking is one number"),
    (lambda: partial_auc(*BINARY), TypeError, "partial_auc needs max_fpr="),
    (lambda: partial_auc(*BINARY, max_fpr=0), ValueError, "max_fpr=0 is not a rate"),
    (lambda: partial_auc.at(max_fpr=1.5), ValueError, "max_fpr=1.5 is not a rate"),
    (lambda: partial_auc(*BINARY, max_fpr=0.5, standardized="no"), TypeError, "standardized='no' must be True"),
    (
        lambda: average_precision(*BINARY, interpolation="linear"),
        ValueError,
        "interpolation='linear' is unknown. Choose from 'step'",
    ),
    (
        lambda: average_precision.at(beta=2),
        TypeError,
        "average_precision has no parameter 'beta'. It takes interpolation, thresholds, missed.",
    ),
    (lambda: threshold_average(*BINARY), TypeError, "threshold_average needs measure="),
    (lambda: threshold_average(*BINARY, measure="f11"), ValueError, "There is no measure 'f11'"),
    (
        lambda: threshold_average(*BINARY, measure="f1", between=(1, 0)),
        ValueError,
        "between=(1, 0) must be two finite thresholds",
    ),
]


@for_each(("call", "kind", "text"), ERRORS)
def test_errors_say_what_to_do(call, kind, text):
    with pytest.raises(kind) as caught:
        call()
    assert text in str(caught.value)


def test_steps_of_rows_are_the_steps_of_rankings():
    rng = np.random.default_rng(3)
    truth, scores = rng.random((20, 6)) < 0.5, rng.integers(0, 4, (20, 6)).astype(float)
    steps = row_steps(truth, scores)
    for i in range(20):
        r = rank_scores(scores[i], truth[i])
        seen = dict.fromkeys(zip(steps.tp[i].tolist(), steps.fp[i].tolist(), strict=True))
        assert list(seen) == list(zip(r.tp.tolist(), r.fp.tolist(), strict=True))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("area", [ix.auc, ix.average_precision], ids=str)
def test_a_grid_of_all_scores_changes_nothing_and_a_coarse_one_ties_scores(area, dtype):
    rng = np.random.default_rng(2)
    y, tenths = rng.integers(0, 2, (60, 4)), rng.integers(0, 10, (60, 4)) / 10
    scores, grid = tenths.astype(dtype), [0.0, 0.3, 0.7, 1.0]
    below = np.array(grid)[np.searchsorted(grid, tenths, "right") - 1]  # the highest threshold that each score reaches
    for average in ("micro", "macro", "weighted", "exemplar"):
        for by in (None, {"site": np.arange(60) % 3}):
            exact = area(y, scores, average=average, by=by)
            assert area(y, scores, average=average, by=by, thresholds=11) == pytest.approx(exact, abs=1e-12)
            coarse = area(y, scores, average=average, by=by, thresholds=grid)
            assert coarse == pytest.approx(float(area(y, below, average=average)), abs=1e-12)
    site = {"site": np.arange(60) % 3}
    assert area(y, scores, average="site", by=site, thresholds=grid) == pytest.approx(
        float(area(y, below, average="site", by=site))
    )
    found = area(y[:, 0], scores[:, 0], thresholds=grid, interval=0.9)
    assert float(found.value) == pytest.approx(float(area(y[:, 0], below[:, 0])))
    assert found.low < float(found.value) < found.high


def test_scores_beyond_the_grid_add_nothing():
    y, scores = [0, 1, 0, 1], [0.1, 0.2, 0.9, 0.9]
    assert ix.auc(y, scores, thresholds=[0.15, 0.5]) == 0
    assert ix.auc(y, scores, thresholds=[0.0, 0.5]) == 0.375
    assert ix.average_precision(y, scores, thresholds=[0.5]) == 0.25


def test_a_threshold_average_is_of_entries_or_of_one_class():
    (measure, *_) = (m for m in ix.algebra.MEASURES.values() if m.averages)
    with pytest.raises(ValueError, match="thresholds are of entries or of one class"):
        ix.measures.threshold_average([0, 1, 1], [0.2, 0.3, 0.8], measure=measure)
