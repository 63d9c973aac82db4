"""Intervals over folds: the corrected t against its formula, the central limit interval against that of the examples."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from loops import for_each
from scipy import special, stats

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.inference.folds.interval import FoldMean, values_of_examples
from indicatrix.inference.stats.proportions import PROPORTIONS


def random_folds(seed: int, *, k: int = 5, n: int = 100, m: int = 3, right: float = 0.7, **options: Any) -> ix.Evaluation:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, m, n)
    z = np.where(rng.random(n) < right, y, rng.integers(0, m, n))
    return ix.evaluate(y, z, by={"fold": np.arange(n) % k}, **options)


def corrected(values: Any, ratio: float, level: float) -> tuple[float, float]:
    """Nadeau and Bengio's interval, written as in their article."""
    j = len(values)
    spread = np.sqrt((1 / j + ratio) * np.var(values, ddof=1))
    return stats.t.interval(level, j - 1, loc=np.mean(values), scale=spread)


@for_each(("measure", "average"), [("f1", "macro"), ("recall", "micro"), ("mcc", "weighted"), ("jaccard", "exemplar")])
@for_each("k", [2, 5, 10])
@for_each("level", [0.8, 0.95])
def test_the_corrected_t_is_its_formula(measure: str, average: str, k: int, level: float) -> None:
    folds = random_folds(k, k=k, n=203).folds(measure, average)
    found = ix.inference.fold_interval(folds, level=level)
    values = [float(part.score(measure, average)) for part in folds.parts]
    low, high = corrected(values, 1 / (k - 1), level)
    span = folds.pooled.measure.range
    assert tuple(found) == pytest.approx((max(low, span[0]), min(high, span[1])))
    assert found.value == pytest.approx(folds.averaged)
    assert (found.method, found.level, found.measure, found.average) == (
        "corrected_t",
        level,
        ix.algebra.MEASURES[measure],
        average,
    )


def test_the_test_share_of_repeated_folds_and_of_random_splits() -> None:
    folds = random_folds(1, k=20, n=400).folds("f1", "macro")  # taken for ten times two folds, then for splits 70:30
    for share, ratio in ((0.5, 1.0), (0.3, 3 / 7)):
        low, high = corrected(np.asarray(folds.values), ratio, 0.95)
        assert tuple(ix.inference.fold_interval(folds, test_share=share)) == pytest.approx((low, min(high, 1)))
    widths = [ix.inference.fold_interval(folds, test_share=share).width for share in (None, 0.1, 0.5)]
    assert widths == sorted(widths)
    assert widths[0] < widths[2]
    assert "tested on 0.5 of the data" in ix.inference.fold_interval(folds, test_share=0.5).note


def test_the_t_interval_is_scipys_and_says_that_it_is_too_narrow() -> None:
    folds = random_folds(2).folds("f1", "macro")
    found = ix.inference.fold_interval(folds, method="t")
    values = np.asarray(folds.values)
    assert tuple(found) == pytest.approx(stats.t.interval(0.95, 4, loc=values.mean(), scale=stats.sem(values)))
    assert "too narrow" in found.note
    assert found.width < ix.inference.fold_interval(folds).width


MEANS = [
    ("exact_match", None, {}),
    ("recall", "micro", {}),
    ("f1", "micro", {}),
    ("accuracy", "micro", {}),
    ("hamming_loss", "micro", {}),
    ("jaccard", "exemplar", {}),
    ("recall", "exemplar", {"undefined": 0}),
]


@for_each(("measure", "average", "more"), MEANS)
@for_each("kind", ["classes", "label sets", "binary"])
def test_values_of_examples_have_the_pooled_score_as_their_mean(measure: str, average: Any, more: Any, kind: str) -> None:
    rng = np.random.default_rng(3)
    if kind == "label sets":
        ev = ix.evaluate(rng.integers(0, 2, (90, 4)), rng.integers(0, 2, (90, 4)), by={"fold": np.arange(90) % 6})
        more = {"undefined": 0}
    else:
        ev = random_folds(4, n=90, k=6, m=2 if kind == "binary" else 4)
    folds = ev.folds(measure, average, **more)
    if kind == "label sets" and average == "micro" and measure in ("recall", "f1"):
        with pytest.raises(ValueError, match="denominator is not the same"):
            values_of_examples(folds)
        return
    values, times = values_of_examples(folds)
    assert times.sum() == 90
    assert values @ times / 90 == pytest.approx(float(folds.pooled))
    # Bayle et al.: the mean plus and minus z σ/√n, with the deviation of all pairs; Wilson's form differs by order 1/n.
    half = stats.norm.ppf(0.975) * math.sqrt((times @ (values - float(folds.pooled)) ** 2) / 90 / 90)
    found = ix.inference.fold_interval(folds, method="cv_clt")
    assert tuple(found) == pytest.approx((float(folds.pooled) - half, float(folds.pooled) + half), abs=3 / 90)
    assert found.value == float(folds.pooled)


def test_each_cell_of_a_binary_problem_has_its_own_value() -> None:
    utility = ix.measure("(3*tp - fp - 2*fn + tn) / (tp + fp + fn + tn)")
    folds = random_folds(11, m=2).folds(utility)
    values, times = values_of_examples(folds)
    assert values.tolist() == [3, -1, -2, 1]
    assert values @ times / 100 == pytest.approx(float(folds.pooled))


def test_memberships_are_not_in_one_cell() -> None:
    rng = np.random.default_rng(13)
    y, p = rng.integers(0, 2, 40), rng.random(40)
    true, pred = (np.column_stack([1 - x, x]).astype(float) for x in (y, p))
    soft = ix.evaluate(true, pred, tnorm="product", positive=1, by={"fold": np.arange(40) % 4})
    with pytest.raises(ValueError, match="memberships and costs"):
        ix.inference.fold_interval(soft.folds("accuracy"), method="cv_clt")
    values, times = values_of_examples(soft.folds("accuracy", "micro"))
    assert values @ times / 40 == pytest.approx(np.mean(y * p + (1 - y) * (1 - p)))


def test_examples_that_were_not_observed_do_not_count() -> None:
    rng = np.random.default_rng(12)
    y, z, mask = rng.integers(0, 2, (60, 3)), rng.integers(0, 2, (60, 3)), np.repeat(rng.random((60, 1)) < 0.8, 3, axis=1)
    folds = ix.evaluate(y, z, mask=mask, by={"fold": np.arange(60) % 5}).folds("accuracy", "micro")
    values, times = values_of_examples(folds)
    assert times.sum() == mask[:, 0].sum() < 60
    assert values @ times / times.sum() == pytest.approx(float(folds.pooled))


def test_the_central_limit_interval_of_a_share_is_that_of_the_share() -> None:
    for ev in (random_folds(5, m=2), random_folds(5, m=4)):
        right = float(ev.score("exact_match")) * 100
        found = ix.inference.fold_interval(ev.folds("exact_match"), method="cv_clt")
        assert tuple(found) == pytest.approx(PROPORTIONS["mid_p"](right, 100, 0.95))
    binary = random_folds(5, m=2)
    assert tuple(ix.inference.fold_interval(binary.folds("accuracy"), method="cv_clt")) == pytest.approx(
        tuple(binary.interval("accuracy"))
    )


def test_a_perfect_score_is_not_certain() -> None:
    perfect = ix.evaluate([0, 1] * 20, [0, 1] * 20, by={"fold": np.arange(40) % 4})
    low, high = ix.inference.fold_interval(perfect.folds("accuracy"), method="cv_clt")
    assert (low, high) == pytest.approx((0.05 ** (1 / 40), 1))
    found = ix.inference.fold_interval(perfect.folds("accuracy"))
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert "same score" in found.note


@pytest.mark.parametrize(
    ("measure", "average", "why"),
    [
        ("recall", "macro", "not a mean over examples"),
        ("mcc", "micro", "not a mean over examples"),
        ("recall", "binary", "denominator"),
        ("f1", "binary", "denominator"),
        ("recall", "fold", "grouping"),
    ],
)
def test_other_scores_have_no_central_limit_interval(measure: str, average: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        ix.inference.fold_interval(random_folds(6, m=2).folds(measure, average), method="cv_clt")


def test_weights_left_out_examples_and_repeats_have_no_central_limit_interval() -> None:
    weighted = random_folds(7, sample_weight=np.linspace(1, 2, 100))
    with pytest.raises(ValueError, match="have weights"):
        ix.inference.fold_interval(weighted.folds("exact_match"), method="cv_clt")
    assert math.isfinite(ix.inference.fold_interval(weighted.folds("exact_match")).low)
    y = [[1, 0], [0, 0], [0, 1], [1, 1]]
    ev = ix.evaluate(y, [[1, 0], [0, 0], [1, 1], [0, 0]], by={"fold": [1, 1, 2, 2]})
    with pytest.raises(ValueError, match="undefined and left out"):
        ix.inference.fold_interval(ev.folds("recall", "exemplar"), method="cv_clt")
    assert 0.5 in ix.inference.fold_interval(ev.folds("recall", "exemplar", undefined=0), method="cv_clt")
    with pytest.raises(ValueError, match="repeated or random"):
        ix.inference.fold_interval(random_folds(7).folds("exact_match"), method="cv_clt", test_share=0.5)
    assert ix.inference.fold_interval(random_folds(7).folds("exact_match"), method="cv_clt", test_share=1 / 5).low > 0


EVERY = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages]


@for_each("measure", EVERY)
def test_every_score_has_an_interval_around_it_or_says_why_not(measure: ix.Measure) -> None:
    ev = random_folds(10, n=120, m=3)
    for average in averages_over("class", "example"):
        folds = ev.folds(measure, average)
        found = ix.inference.fold_interval(folds)
        if math.isnan(found.low):
            assert math.isnan(found.high)
            assert any(text in found.note for text in ("needs two scores", "same score"))
        else:
            assert found.low <= found.value <= found.high
            wider = ix.inference.fold_interval(folds, test_share=0.5)
            assert wider.low <= found.low <= found.high <= wider.high
        counted = central_limit_or_refusal(folds)
        if isinstance(counted, str):
            assert "Use 'corrected_t'" in counted
        else:
            assert counted.low <= counted.value <= counted.high or not math.isfinite(counted.value)


def central_limit_or_refusal(folds: ix.types.Folds) -> ix.Interval | str:
    try:
        return ix.inference.fold_interval(folds, method="cv_clt")
    except ValueError as refusal:
        return str(refusal)


def test_undefined_folds_are_named() -> None:
    y, z = [1, 0, 1, 0, 0, 0, 1, 0, 1, 1], [1, 0, 0, 0, 0, 1, 1, 0, 0, 1]
    ev = ix.evaluate(y, z, by={"fold": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]})
    found = ix.inference.fold_interval(ev.folds("recall"))
    assert "Undefined in fold 3, excluded." in found.note
    # Four scores, but each model was trained on four of five folds.
    low, high = corrected([1, 0, 1, 0.5], 1 / 4, 0.95)
    assert tuple(found) == pytest.approx((max(low, 0), min(high, 1)))
    zero = ix.inference.fold_interval(ev.folds("recall", undefined=0))
    assert tuple(zero) == pytest.approx((0, min(corrected([1, 0, 0, 1, 0.5], 1 / 4, 0.95)[1], 1)))
    assert "counted as 0" in zero.note
    kept = ix.inference.fold_interval(ev.folds("recall", undefined="nan"))
    assert math.isnan(kept.value)
    assert math.isnan(kept.low)


def test_one_fold_has_no_spread() -> None:
    found = ix.inference.fold_interval(random_folds(8, k=1).folds("f1", "macro"))
    assert math.isfinite(found.value)
    assert math.isnan(found.low)
    assert "needs two scores" in found.note


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"method": "corected_t"}, r"Did you mean corrected_t\?"),
        ({"level": 95}, "between 0 and 1"),
        ({"test_share": 10}, "0.1 for 10 folds"),
        ({"test_share": True}, "test_share=True"),
    ],
)
def test_what_is_wrong_is_said(more: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ix.inference.fold_interval(random_folds(9).folds("f1", "macro"), **more)


def test_an_evaluation_is_not_folds() -> None:
    with pytest.raises(TypeError, match=r"ev\.folds\(measure, average\)"):
        ix.inference.fold_interval(random_folds(9))  # type: ignore[arg-type]


def accuracies_of_folds(rng: np.random.Generator, n: int, k: int) -> tuple[list[float], list[float]]:
    """Return the accuracies of nearest-mean classifiers in each of k folds, and their true accuracies."""
    y = rng.integers(0, 2, n)
    x = rng.normal(size=(n, 8)) + 0.45 * (2 * y[:, None] - 1)
    seen, true = [], []
    for fold in range(k):
        test = np.arange(n) % k == fold
        a, b = (x[~test & (y == c)].mean(axis=0) for c in (0, 1))
        w, cut = b - a, (b - a) @ (a + b) / 2
        seen.append(float(((x[test] @ w > cut) == y[test]).mean()))
        true.append(special.ndtr((0.45 * w.sum() + np.array([-cut, cut])) / np.linalg.norm(w)).mean())
    return seen, true


@pytest.mark.slow
def test_the_corrected_t_covers_and_the_plain_one_does_not() -> None:
    rng = np.random.default_rng(0)
    runs = [accuracies_of_folds(rng, 60, 10) for _ in range(300)]
    truth = np.mean([true for _, true in runs])
    covered = {}
    for share in (0.1, 0.0):
        ends = [FoldMean.of(seen, share).ends(0.95) for seen, _ in runs]
        covered[share] = np.mean([low <= truth <= high for low, high in ends])
    assert covered[0.1] >= 0.94
    assert covered[0.0] <= covered[0.1] - 0.03


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("formula", ["5*fn + fp", "chi_squared", "hamming_distance"])
def test_the_interval_of_a_total_is_of_all_folds_together(formula: str, average: str) -> None:
    ev = random_folds(5, n=100)
    folds = ev.folds(formula, average)
    found, of_mean = ix.inference.fold_interval(folds), FoldMean.of(folds.counted, 0.2)
    assert found.value == pytest.approx(5 * of_mean.mean)
    assert [found.low, found.high] == pytest.approx([max(0, 5 * x) for x in of_mean.ends(0.95)])
    assert found.note == "A total, 5 times the mean of 5 folds, each tested on 0.2 of the data."
    if formula != "chi_squared":  # a sum over the examples
        assert found.value == pytest.approx(float(ev.score(formula, average)))
