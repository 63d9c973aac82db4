"""Laws of shares and of functions of the rates of separate true classes: which they are, and their intervals."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from fuzz.own_formulas import RATES
from indicatrix.inference.estimators.of_evaluation import estimator_of
from indicatrix.inference.estimators.rates import proportion, rates_of

OWN = [
    ix.measure("tp / (tp + fn) * tn / (tn + fp)", range=(0, 1)),
    ix.measure("(tp / (tp + fn)) ** 2", range=(0, 1)),
    ix.measure("0.2 * tp / (tp + fn) + 0.8 * tn / (tn + fp)", range=(0, 1)),
    ix.measure("2 * tp / (2 * tp + fp + 0 * fn)", range=(0, 1)),
]
MEASURES = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages] + OWN


def estimate(ev: Any, measure: Any, average: str | None) -> Any:
    score = ev.score(measure, average)
    return estimator_of(ev, score.measure, score, None) if math.isfinite(score) else None


def table(seed: int, m: int = 2, n: int = 80) -> np.ndarray:
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(m * m)).reshape(m, m) + 0.6 * np.diag(rng.dirichlet(np.ones(m)))
    return rng.multinomial(n, shares.ravel() / shares.sum()).reshape(m, m) + 1


@pytest.mark.parametrize("average", ["binary", "macro", "micro", "weighted"])
def test_functions_of_rates_are_what_does_not_change_with_the_frequencies_of_classes(average: str) -> None:
    """The slopes decide; here whole classes are counted several times."""
    counts = table(3)
    once, often = ix.from_confusion(counts), ix.from_confusion(counts * [[3], [7]])
    found = 0
    for measure in MEASURES:
        estimator = estimate(once, measure, average)
        if estimator is None or not estimator.smooth:
            continue
        moved = abs(float(often.score(measure, average)) - estimator.value)
        still = moved <= 1e-9 * max(1.0, abs(estimator.value))
        assert (rates_of(estimator) is not None) == (still and estimator.variance() > 1e-15), (measure, average)
        found += still
    assert found >= (3 if average in ("binary", "macro") else 0)


@pytest.mark.parametrize("m", [2, 3, 5])
def test_one_number_has_one_interval(m: int) -> None:
    for seed in range(5):
        ev = ix.from_confusion(table(seed, m))
        own = ix.measure("tp / (tp + fn)", name="own_recall", range=(0, 1))
        recall, mine = ev.interval("recall", "macro"), ev.interval(own, "macro")
        assert tuple(recall) == pytest.approx(tuple(mine), abs=1e-9)
        accuracy = [tuple(ev.interval(*which)) for which in (("accuracy",), ("recall", "micro"), ("recall", "weighted"))]
        assert accuracy[1] == pytest.approx(accuracy[0], abs=1e-9)
        assert accuracy[2] == pytest.approx(accuracy[0], abs=1e-9)
        if m == 2:
            for name, average in (("balanced_accuracy", "binary"), ("balanced_accuracy", "macro"), ("specificity", "macro")):
                assert tuple(ev.interval(name, average)) == pytest.approx(tuple(recall), abs=1e-6), (name, average)
            twice = [2 * x - 1 for x in recall]
            assert tuple(ev.interval("informedness")) == pytest.approx(twice, abs=1e-6)


def test_a_function_of_one_rate_has_the_ends_of_the_rate() -> None:
    ev = ix.from_confusion([[50, 7], [3, 20]])
    low, high = ev.interval("recall")
    assert tuple(ev.interval(OWN[1])) == pytest.approx((low**2, high**2))


@pytest.mark.slow
def test_mirrored_measures_have_mirrored_intervals() -> None:
    texts = (*RATES, "(tp/(tp+fn)) ** 2", "tp/(tp+fn) * tn/(tn+fp)", "2*tp/(2*tp+fp+fn)", "tp/(tp+fp+fn)")
    pairs = [(ix.measure(text, range=(0, 1)), ix.measure(f"1 - ({text})", range=(0, 1))) for text in texts]
    pairs += [
        (ix.algebra.MEASURES[a], ix.algebra.MEASURES[b])
        for a, b in (("recall", "fnr"), ("specificity", "fpr"), ("precision", "fdr"))
    ]
    for seed in range(8):
        ev = ix.from_confusion(table(seed, 2, 30))
        for one, other in pairs:
            for average in ("binary", "macro", "micro", "weighted"):
                low, high = ev.interval(one, average)
                assert tuple(ev.interval(other, average)) == pytest.approx((1 - high, 1 - low), abs=1e-9), (one, average)


@pytest.mark.parametrize("average", ["binary", "macro"])
def test_weights_of_true_classes_do_not_change_functions_of_rates(average: str) -> None:
    """100 positives of weight 0.04 are 100 positives, whatever the weights of others."""
    y, z = [1] * 100 + [0] * 60, [1] * 85 + [0] * 15 + [0] * 50 + [1] * 10
    plain, weighted = ix.evaluate(y, z), ix.evaluate(y, z, sample_weight=[0.04] * 100 + [1.96] * 60)
    found = 0
    for measure in MEASURES:
        estimator = estimate(plain, measure, average)
        if estimator is None or not estimator.smooth or rates_of(estimator) is None or math.isinf(estimator.span[1]):
            continue
        expected = plain.interval(measure, average)
        assert tuple(weighted.interval(measure, average)) == pytest.approx(tuple(expected), rel=1e-6, abs=1e-9), measure
        assert weighted.interval(measure, average).note == expected.note
        found += 1
    assert found >= 8
    assert tuple(weighted.interval("diagnostic_odds_ratio")) == pytest.approx(tuple(plain.interval("diagnostic_odds_ratio")))


@pytest.mark.one_fast_case
@pytest.mark.parametrize("measure", ["recall", "precision", "f1", "balanced_accuracy", "mcc"])
def test_inverse_probability_weights_cover_and_are_not_wide(measure: str) -> None:
    """A tenth of the negatives was kept, with ten times the weight."""
    rng, n, hits, widths, values = np.random.default_rng(0), 3000, 0, [], []
    counts = np.array([[0.72, 0.08], [0.04, 0.16]]) * 1e6
    truth = float(ix.from_confusion(counts.astype(int)).score(measure, "binary"))
    for _ in range(150):
        cells = rng.multinomial(n, (counts / counts.sum()).ravel())
        y, z = np.repeat([0, 0, 1, 1], cells), np.repeat([0, 1, 0, 1], cells)
        keep = (y == 1) | (rng.random(n) < 0.1)
        found = ix.evaluate(y[keep], z[keep], sample_weight=np.where(y == 1, 1.0, 10.0)[keep]).interval(measure, "binary")
        hits += found.low <= truth <= found.high
        widths.append(found.width)
        values.append(found.value)
    assert hits >= 0.88 * 150
    assert np.mean(widths) < 1.15 * 2 * 1.96 * np.std(values) * 1.12  # the deviation of 150 values is known to 6%


def test_a_share_is_recognized_from_its_slopes() -> None:
    ev = ix.from_confusion(table(8, 3))
    for measure, average, expected in (("recall", "weighted", True), ("recall", "macro", False), ("f1", "micro", True)):
        assert (proportion(estimate(ev, measure, average)) is not None) == expected, measure
    one = replace(ev, named_positive=1)
    assert proportion(estimate(one, "precision", "binary")) == (ev.confusion_matrix()[1, 1], ev.confusion_matrix()[:, 1].sum())


@pytest.mark.parametrize("measure", ["g_mean", "recall*specificity", "recall*specificity*recall"])
def test_rates_that_are_all_zero_still_have_a_width(measure: str) -> None:
    """No single rate moves a product of zeros; all together do, and less far with more examples."""
    highs = []
    for times in (1, 4, 16):
        found = ix.from_confusion([[0, 80 * times], [5 * times, 0]], classes=[0, 1], positive=1).interval(measure)
        assert (found.value, found.low, found.note.count("no spread")) == (0, 0, 0)
        highs.append(found.high)
    assert highs[0] > highs[1] > highs[2] > 0
    ev = ix.from_confusion([[0, 80], [5, 0]], classes=[0, 1], positive=1)
    assert ev.interval("g_mean").high == pytest.approx(math.sqrt(ev.interval("recall").high * ev.interval("specificity").high))


@pytest.mark.parametrize("table", [[[40, 5, 5], [2, 30, 3], [0, 1, 9]], [[7, 0, 0], [0, 4, 2], [0, 0, 30]], [[20, 1], [3, 5]]])
@pytest.mark.parametrize("design", [{}, {"sampled": "by class"}])
def test_functions_of_the_matrix_that_are_functions_of_rates_have_their_interval(table: Any, design: dict[str, str]) -> None:
    ev, k = ix.from_confusion(table), len(table)
    recall, informedness = ev.interval("recall", "macro", **design), ev.interval("multiclass_informedness", **design)
    assert informedness.method == "rates"
    assert tuple(informedness) == pytest.approx([(k * x - 1) / (k - 1) for x in recall])
    own = ix.measure(
        lambda w: (w.diagonal() / w.sum(axis=1)).mean(), name="own_recall", reads="matrix", range=(0, 1), better="higher"
    )
    assert tuple(ev.interval(own, **design)) == pytest.approx(tuple(recall))
    assert ev.interval("multiclass_kappa").method == "score"
    assert ("fewer than 10" in informedness.note) == (min(map(sum, table)) < 10)
