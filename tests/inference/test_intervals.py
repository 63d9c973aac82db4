"""Intervals: known formulas, laws of every measure and average, and how often they cover the truth."""

from __future__ import annotations

import math
import pickle
import re
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.inference.estimators.estimators import OfCounts
from indicatrix.inference.estimators.of_evaluation import estimator_of
from indicatrix.inference.intervals.interval import METHODS
from indicatrix.inference.stats.proportions import PROPORTIONS, mid_p_of_each

TABLE = np.array([[40, 10, 1], [5, 45, 3], [2, 1, 17]])
NAMES = ["ant", "bee", "cat"]
EV = ix.from_confusion(TABLE, classes=NAMES)
EVERY = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages]
OVER_CLASSES = averages_over("class")


def random_table(seed: int, m: int, n: int) -> Any:
    rng = np.random.default_rng(seed)
    shares = np.full((m, m), 0.2 / (m * max(m - 1, 1)))
    np.fill_diagonal(shares, 0.8 / m)
    return rng.multinomial(n, shares.ravel() / shares.sum()).reshape(m, m)


# Proportions: the formulas of a peer.


@for_each(
    ("ours", "theirs"),
    [("wilson", "wilson"), ("clopper_pearson", "beta"), ("jeffreys", "jeffreys"), ("agresti_coull", "agresti_coull")],
)
@for_each("level", [0.8, 0.95, 0.99])
def test_proportions_are_those_of_statsmodels(ours: str, theirs: str, level: float) -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    for k, n in ((0, 5), (1, 7), (40, 50), (50, 50), (3, 1000)):
        low, high = proportion.proportion_confint(k, n, 1 - level, theirs)
        if ours == "jeffreys":  # at the ends the interval is closed there, as its authors advise
            low, high = low if k else 0.0, high if k < n else 1.0
        assert PROPORTIONS[ours](k, n, level) == pytest.approx((max(low, 0), min(high, 1)), abs=1e-9)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_mid_p_cuts_tails_in_which_the_count_itself_is_half(level: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    tail = (1 - level) / 2
    for k, n in ((0, 5), (1, 7), (40, 50), (49, 50), (50, 50), (3, 1000), (2, 2), (0.3, 1.7), (6.5, 7.25), (999_990, 1_000_000)):
        low, high = PROPORTIONS["mid_p"](k, n, level)
        assert ((low == 0), (high == 1)) == (k == 0, k == n)
        for share, hits in ((low, k), (1 - high, n - k)):
            if share:
                more = stats.beta.cdf(share, hits + 1, n - hits) if hits < n else 0.0
                assert (more + stats.beta.cdf(share, hits, n - hits + 1)) / 2 == pytest.approx(tail, rel=1e-6)


def test_many_shares_have_the_intervals_of_each_alone() -> None:
    rng = np.random.default_rng(0)
    sizes = np.floor(10 ** rng.uniform(0, 6, 60))
    hits = np.minimum(np.floor(sizes * rng.random(60) ** 0.2 + 0.5), sizes)
    sizes[:9], hits[:9] = sizes[:9] + 0.25, hits[:9] + rng.random(9) / 4
    for level in (0.6, 0.95):
        each = [PROPORTIONS["mid_p"](k, n, level) for k, n in zip(hits.tolist(), sizes.tolist(), strict=True)]
        assert np.allclose(mid_p_of_each(hits, sizes, level).T, each, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("measure", "average", "k", "n"),
    [
        ("recall", "micro", 102, 124),
        ("precision", "micro", 102, 124),
        ("exact_match", None, 102, 124),
        ("jaccard", "micro", None, None),  # pooled entries of one example are not independent
        ("accuracy", "micro", None, None),
    ],
)
def test_shares_of_examples_have_the_interval_of_mid_p(measure: str, average: str | None, k: int | None, n: int | None) -> None:
    found = EV.interval(measure, average)
    if k is None:
        assert found.method == "score"
    else:
        assert n is not None
        assert (found.low, found.high) == pytest.approx(PROPORTIONS["mid_p"](k, n, 0.95))
        assert found.method == "mid_p"


@pytest.mark.parametrize("name", ["recall", "precision", "specificity", "jaccard", "npv", "fpr", "accuracy", "error_rate"])
def test_rates_of_one_class_have_the_interval_of_mid_p(name: str) -> None:
    ev = ix.from_confusion([[50, 4], [7, 30]])
    value = float(ev.score(name))
    found = ev.interval(name)
    assert found.method == "mid_p"
    counts = ev.binary()
    sizes = [s for s in range(1, 92) if math.isclose(value * s, round(value * s), abs_tol=1e-9)]
    assert any((found.low, found.high) == pytest.approx(PROPORTIONS["mid_p"](value * s, s, 0.95)) for s in sizes)
    assert counts.n == 91


# The score interval, written out literally.


def class_variances(counts: Any, slopes: Any) -> Any:
    """Return the variances of classes that vary on their own."""
    return (counts * slopes**2).sum(0) - (counts * slopes).sum(0) ** 2 / counts.sum(0)


def like_all(counts: Any) -> Any:
    """Return counts of classes of which each has one more example, and then one more prediction, that is as those of all."""
    tp, fp, fn, tn = counts
    true, pred = tp + fn, tp + fp
    tp = true * (tp + tp.sum() / true.sum()) / (true + 1)
    drawn = tp + fp  # the predictions of a class change with its hits
    hit = drawn * (tp + tp.sum() / drawn.sum()) / (drawn + 1)
    return np.stack([hit, drawn - hit, true - tp, tn + pred - drawn])


def literal_score_interval(measure: Any, table: Any, average: str, z: float) -> tuple[float, float]:
    """Return the interval from second moments of all single examples, with derivatives by differences."""
    m = len(table)
    pseudo = np.full((m, m), 0.5 / (m * (m - 1)))
    np.fill_diagonal(pseudo, 0.5 / m)

    def cells(t: Any) -> Any:
        true, pred, hit = t.sum(1), t.sum(0), np.diagonal(t)
        return np.stack([hit, pred - hit, true - hit, t.sum() - true - pred + hit])

    def weights(v: Any) -> Any:
        amounts = ix.algebra.AVERAGES[average].amounts(measure, ix.Counts(*v))
        return np.ones(v.shape[1]) if amounts is None else amounts

    def score(v: Any) -> float:
        if ix.algebra.AVERAGES[average].pools:
            v = v.sum(1, keepdims=True)
        x = np.array([float(measure(ix.Counts(*column))) for column in v.T])
        w = weights(v)
        return float((w * x).sum() / w.sum())

    smooth = table + pseudo
    v, n = cells(smooth), smooth.sum()

    def slopes_at(v: Any) -> Any:
        slopes = np.zeros_like(v)
        for at in np.ndindex(v.shape):
            step = np.zeros_like(v)
            step[at] = 1e-4 * v[at]
            slopes[at] = (score(v + step) - score(v - step)) / (2 * step[at])
        return slopes

    slopes = slopes_at(v)
    added = np.array([[(slopes * cells(np.eye(m * m)[i * m + j].reshape(m, m))).sum() for j in range(m)] for i in range(m)])
    spread = (smooth * added**2).sum() - (slopes * v).sum() ** 2 / n
    value, u = score(cells(table.astype(float))), score(v)
    if not ix.algebra.AVERAGES[average].pools:
        bias = 0.0
        for k in range(m):
            x, w = v[:, k], weights(v)[k]
            for cell in range(4):
                step = np.zeros(4)
                step[cell] = 1e-3 * x[cell]
                bend = sum(s * float(measure(ix.Counts(*(x + d * step)))) for s, d in ((1, 1), (1, -1), (-2, 0)))
                bias += w * x[cell] * bend / (2 * step[cell] ** 2)
        value -= bias / weights(v).sum()
        from scipy import stats

        own = class_variances(v, slopes)
        tp, fp, fn, tn = cells(table)
        least = np.maximum(np.min([tp + fn, tp + fp, fp + tn, fn + tn], 0), 1)
        z = stats.t.ppf(0.975, own.sum() ** 2 / (own**2 / least).sum())
        spread *= class_variances(like_all(v), slopes_at(like_all(v))).sum() / own.sum()
    size = u * (1 - u) / spread
    c = z * z / size
    middle, half = (value + c / 2) / (1 + c), z / (1 + c) * math.sqrt(value * (1 - value) / size + c / (4 * size))
    return middle - half, middle + half


@for_each("average", OVER_CLASSES)
@for_each("name", ["f1", "jaccard", "f_beta(beta=2)", "kulczynski_2"])
@for_each("seed", range(3))
def test_the_score_interval_is_its_definition(name: str, average: str, seed: int) -> None:
    table = random_table(seed, 3, 150)
    found = ix.from_confusion(table).interval(name, average, method="score")
    literal = literal_score_interval(ix.evaluate([0], [0]).score(name, "micro").measure, table, average, 1.959963985)
    assert (found.low, found.high) == pytest.approx(literal, abs=2e-5)


# Laws of all measures and averages.


@for_each("average", [*OVER_CLASSES, "exemplar"])
@for_each("measure", EVERY)
def test_every_measure_has_an_interval_around_its_value(measure: Any, average: str) -> None:
    found = EV.interval(measure, average)
    if math.isnan(found.value):
        assert math.isnan(found.low)
        assert math.isnan(found.high)
        return
    assert math.isfinite(found.low)
    assert math.isfinite(found.high)
    low, high = measure.range
    assert low - 1e-12 <= found.low <= found.high <= high + 1e-12
    if found.method in ("mid_p", "rates", "score"):
        assert found.low - 1e-9 <= found.value <= found.high + 1e-9
    narrow = EV.interval(measure, average, level=0.5)
    assert narrow.width <= found.width + 1e-12
    assert EV.interval(measure, average) == found  # the same, without a seed


@for_each("average", OVER_CLASSES)
@for_each("measure", EVERY)
def test_intervals_do_not_depend_on_the_order_of_classes(measure: Any, average: str) -> None:
    order = [2, 0, 1]
    other = ix.from_confusion(TABLE[np.ix_(order, order)], classes=[NAMES[i] for i in order])
    one, two = EV.interval(measure, average), other.interval(measure, average)
    if one.method != "posterior":  # draws follow the order of the cells
        assert tuple(two) == pytest.approx(tuple(one), rel=1e-6, nan_ok=True)


@for_each("method", METHODS)
@for_each("average", [*OVER_CLASSES, "exemplar"])
def test_every_method_gives_ends_in_the_range(method: str, average: str) -> None:
    found = EV.interval("f1", average, method=method, draws=400)
    assert 0 <= found.low <= found.high <= 1
    assert found.method == method
    assert found.width < 0.3
    assert EV.interval("f1", average, method=method, draws=400) == found
    if method in ("percentile", "bca", "posterior", "poisson", "gamma", "studentized"):
        assert EV.interval("f1", average, method=method, draws=400, seed=1) != found


def test_methods_agree_where_there_are_many_examples() -> None:
    ev = ix.from_confusion(1000 * TABLE)
    ends = [tuple(ev.interval("f1", "macro", method=method, draws=4000)) for method in METHODS]
    for one in ends:
        assert one == pytest.approx(ends[0], abs=2e-4)


@for_each("measure", ["f1", "mcc", "recall", "jaccard", "kappa"])
@for_each("average", [*OVER_CLASSES, "exemplar"])
def test_a_perfect_score_of_few_examples_is_not_certain(measure: str, average: str) -> None:
    small, large = (ix.from_confusion(np.diag([k, k])).interval(measure, average) for k in (10, 1000))
    assert small.value == large.value == 1
    assert small.low < 0.99 < large.low < 1
    assert small.high == pytest.approx(1)
    assert ix.from_confusion(np.diag([10, 10])).interval(measure, average, method="percentile").width < 1e-9  # which is why


@pytest.mark.parametrize("average", [*OVER_CLASSES, "exemplar"])
def test_intervals_narrow_as_examples_grow(average: str) -> None:
    widths = [ix.from_confusion(k * TABLE).interval("f1", average).width for k in (1, 4, 16)]
    assert widths[0] > widths[1] > widths[2]
    assert widths[1] / widths[2] == pytest.approx(2, rel=0.1)


@pytest.mark.slow
def test_merged_and_saved_evaluations_have_the_same_intervals(tmp_path: Any) -> None:
    rng = np.random.default_rng(0)
    y, z, site = rng.integers(0, 3, 200), rng.integers(0, 3, 200), rng.integers(0, 12, 200)
    whole = ix.evaluate(y, z, by={"site": site}, classes=range(3))
    parts = sum((ix.evaluate(y[i::3], z[i::3], by={"site": site[i::3]}, classes=range(3)) for i in range(3)), ix.Evaluation())
    whole.save(tmp_path / "ev.json")
    for ev in (parts, ix.load(tmp_path / "ev.json"), pickle.loads(pickle.dumps(whole))):
        for options in ({}, {"clusters": "site"}, {"method": "bca", "draws": 200}):
            for average in ("macro", "exemplar", "site", ("site", "macro")):
                if options.get("clusters") and average not in ("macro", "exemplar"):
                    continue
                assert ev.interval("f1", average, **options) == whole.interval("f1", average, **options)


def test_clusters_that_agree_inside_make_intervals_wide() -> None:
    rng = np.random.default_rng(0)
    site = np.repeat(np.arange(20), 25)
    right = rng.random(20)[site] < 0.7  # whole sites are right or wrong
    y = rng.integers(0, 2, 500)
    ev = ix.evaluate(y, np.where(right, y, 1 - y), by={"site": site})
    for average in ("macro", "exemplar"):
        alone, together = (ev.interval("f1", average, clusters=axis) for axis in (None, "site"))
        assert together.width > 2 * alone.width
    shuffled = ix.evaluate(y, np.where(right, y, 1 - y), by={"site": rng.permutation(site)})
    assert shuffled.interval("f1", "macro", clusters="site").width < 1.6 * alone.width


def test_undefined_classes_follow_the_convention() -> None:
    ev = ix.from_confusion([[30, 5, 0], [4, 40, 0], [0, 0, 0]], classes=NAMES)
    left, zero = ev.interval("f1", "macro"), ev.interval("f1", "macro", undefined=0)
    assert left.value == ev.score("f1", "macro")
    assert zero.value == ev.score("f1", "macro", undefined=0)
    assert zero.value in zero
    assert "undefined" in left.note
    assert math.isnan(ev.interval("f1", "macro", undefined="nan").low)
    with pytest.raises(ix.types.UndefinedError):
        ev.interval("f1", "macro", undefined="raise")


@pytest.mark.parametrize(
    ("k", "words"), [(2, "with fewer than 3, no interval is reliable"), (7, "the interval is wide"), (30, "")]
)
def test_the_note_names_the_class_with_few_examples(k: int, words: str) -> None:
    note = ix.from_confusion(np.diag([50, k]), classes=["ant", "bee"]).interval("f1", "macro").note
    assert (words in note and "'bee'" in note) if words else note == ""


def test_odds_have_an_interval_on_the_log_scale() -> None:
    """Woolf's interval with one half added to each count (Haldane, Anscombe)."""
    ev = ix.from_confusion([[50, 4], [7, 30]])
    found = ev.interval("odds_ratio")
    tp, fp, fn, tn = (x + 0.5 for x in ev.binary())
    middle, half = math.log(tp * tn / (fp * fn)), 1.959963985 * math.sqrt(1 / tp + 1 / fp + 1 / fn + 1 / tn)
    assert tuple(found) == pytest.approx((math.exp(middle - half), math.exp(middle + half)), rel=1e-5)
    assert found.method == "log"


def test_kinked_formulas_have_draws() -> None:
    kinked = ix.measure("min(tp/(tp+fn), tp/(tp+fp))")
    assert EV.interval(kinked, "macro").method == "posterior"
    assert EV.interval(kinked, "macro").low < EV.score(kinked, "macro") < EV.interval(kinked, "macro").high


# What cannot be known is refused.


GROUPED = ix.evaluate([0, 1] * 20, [0, 1] * 20, by={"site": [0, 1, 1, 0] * 10})


@for_each(
    ("make", "words"),
    [
        (lambda: ix.evaluate([0, 1], [0, 1], sample_weight=[1.5, 2], moments=False).interval("f1", "macro"), "sums of weights"),
        (
            lambda: ix.evaluate([0, 1], [0, 1], sample_weight=[1.5, 2], moments=False).interval("f1", "exemplar"),
            "sums of weights",
        ),
        (lambda: ix.evaluate([{1}, {2}], [{1}, {1, 2}], moments=False).interval("f1", "macro"), "moments=True was not given"),
        (lambda: ix.from_counts([5], [1], [1], [3]).interval("f1", "macro"), "only counts per class are known"),
        (
            lambda: ix.evaluate([0, 1], [0, 1], mask=[[1, 0], [1, 1]], moments=False).interval("f1", "macro"),
            "moments=True was not",
        ),
        (lambda: ix.evaluate(range(1100), range(1100)).interval("f1", "macro"), "Evaluate with confusion=True"),
        (lambda: GROUPED.with_group_shares({0: 0.3, 1: 0.7}, "site").interval("f1", "macro"), "changed by mix"),
        (lambda: EV.interval("f1", "macro", level=95), "level=95 must be a share"),
        (lambda: EV.interval("f1", "macro", method="wilsen"), "Did you mean wilson"),
        (lambda: EV.interval("f1", "macro", method="wilson"), "plain proportions"),
        (lambda: EV.interval("f1", "macro", method="log"), "odds and likelihood ratios"),
        (lambda: EV.interval(ix.measure("min(tp/(tp+fn), tp/(tp+fp))"), "macro", method="score"), "needs a smooth score"),
        (lambda: EV.interval("multiclass_mcc", method="studentized"), "needs the variance of each replicate"),
        (lambda: EV.interval("f1", "macro", clusters="site"), "no grouping 'site'"),
        (lambda: EV.interval("f1", "macro", draws=0), "whole number of replicates"),
        (lambda: EV.interval("f1", "exemplar", method="bca", stratified=True), "no classes to stratify by"),
        (lambda: ix.inference.interval(ix.sweep([0, 1], [0.1, 0.9]), "f1"), "not an area of scores"),
    ],
)
def test_what_cannot_be_known_is_refused(make: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


# Areas.


def test_the_variance_of_an_auc_is_delongs() -> None:
    rng = np.random.default_rng(0)
    y, s = rng.integers(0, 2, 80), np.round(rng.normal(size=80), 1)
    s = s + y
    pos, neg = s[y == 1], s[y == 0]
    kernel = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
    literal = kernel.mean(1).var(ddof=1) / len(pos) + kernel.mean(0).var(ddof=1) / len(neg)
    found = ix.inference.interval(ix.sweep(y, s), "auc", method="delta")
    half = 1.959963985 * math.sqrt(literal)
    assert tuple(found) == pytest.approx((kernel.mean() - half, min(kernel.mean() + half, 1)), abs=1e-9)


@pytest.mark.parametrize("name", ["auc", "average_precision"])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
def test_what_an_example_adds_to_an_area_is_its_slope(name: str, average: str) -> None:
    """The influence function is the derivative by the weight of the example."""
    from indicatrix.inference.estimators.of_units import estimator_of_scores

    rng = np.random.default_rng(1)
    y, s = rng.integers(0, 3, 40), np.round(rng.normal(size=(40, 3)), 1)
    area, swept = ix.scores.AREAS[name], ix.sweep(y, s)
    estimator = estimator_of_scores(area, swept, area.score(swept, average), None)
    weights = np.ones((40, 40)) + 1e-6 * np.eye(40)
    slopes = (estimator.scores(weights) - estimator.value) / 1e-6
    # Variances divide by one less than the number of positives, and of negatives.
    assert np.corrcoef(slopes, estimator.added)[0, 1] > 0.999
    assert estimator.added == pytest.approx(slopes, rel=0.1, abs=1e-3)


PARAMETERS = {"partial_auc": {"max_fpr": 0.3}, "threshold_average": {"measure": "f1"}}  # which have no default


@pytest.mark.parametrize("name", ix.scores.AREAS)
def test_every_area_has_an_interval(name: str) -> None:
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 100)
    area = ix.scores.AREAS[name].at(**PARAMETERS.get(name, {}))
    found = ix.inference.interval(ix.sweep(y, 1 / (1 + np.exp(rng.normal(size=100) - y))), area, draws=300)
    assert found.width > 0.01
    assert found.low <= found.value <= found.high
    assert math.isfinite(found.width)


# Coverage: a small version of what docs/how-sure/intervals.md reports.


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "average"), [("f1", "macro"), ("mcc", "macro"), ("f1", "weighted"), ("recall", "micro")])
def test_intervals_cover_the_truth_as_often_as_they_say(measure: str, average: str) -> None:
    shares = np.array([[0.36, 0.03, 0.01], [0.04, 0.25, 0.01], [0.03, 0.02, 0.25]])
    truth = float(ix.from_confusion((1000 * shares).round().astype(int)).score(measure, average))
    rng = np.random.default_rng(3)
    samples = rng.multinomial(200, shares.ravel(), 600).reshape(-1, 3, 3)
    covered = sum(truth in ix.from_confusion(table).interval(measure, average) for table in samples)
    assert 0.92 < covered / len(samples) < 0.98


@pytest.mark.slow
def test_the_estimator_of_an_evaluation_has_its_score() -> None:
    for measure in EVERY:
        for average in OVER_CLASSES:
            score = EV.score(measure, average)
            if math.isfinite(score):
                made = estimator_of(EV, measure, score, None)
                assert isinstance(made, OfCounts)
                assert made.value == pytest.approx(float(score), rel=1e-9)


@pytest.mark.parametrize("method", ["percentile", "bca", "delta", "jackknife", "poisson", "gamma", "studentized"])
def test_a_perfect_score_is_never_called_certain(method: str) -> None:
    perfect = ix.from_confusion(np.diag([20, 30, 40]))
    found = perfect.interval("f1", "macro", method=method)
    assert "does not mean that the score is certain" in found.note
    assert perfect.interval("f1", "macro").low < 1
    assert perfect.interval("f1", "macro").note == ""


def test_the_interval_of_a_plain_score_is_answered_with_the_calls_that_give_it() -> None:
    y, p, s = [0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 1], [0.1, 0.8, 0.4, 0.3, 0.9, 0.6]
    for score in (ix.auc(y, s), ix.f1(y, p), ix.f1(y, p, average="macro"), ix.measure("tp / (tp + fn)")(y, p)):
        with pytest.raises(TypeError, match=r"not of a Score\. It has one with ix\.") as caught:
            ix.inference.interval(score)
        first, second = re.search(r"It has one with (.*), or (.*)\.$", str(caught.value)).groups()  # type: ignore[union-attr]
        names = {"ix": ix, "y_true": y, "y_pred": p, "scores": s}
        assert eval(first, names) == eval(second, names)
        assert eval(first, names).value == score
