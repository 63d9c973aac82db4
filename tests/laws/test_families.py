"""The verdicts on all pairs of classifiers: interval, adjusted p-value and sentence always say the same."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix
from indicatrix.inference.paired.tests import mcnemar, paired_shares
from indicatrix.inference.stats.quantiles import range_above
from indicatrix.inference.stats.several_tests import Independent, far_from_zero, largest_difference

OWN = ix.measure("(tp + tn - fp) / (tp + tn + fp + 2 * fn)", better="higher")
KINKED = ix.measure("min(tp / (tp + fn), tn / (tn + fp))", better="higher")


@st.composite
def comparisons(draw):
    """Return labels and predictions of several classifiers: alike, equal, perfect, always wrong, or one class only."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, m = draw(st.integers(4, 120)), draw(st.integers(2, 4))
    y = rng.integers(0, m, n)
    y[:m] = np.arange(m)
    guesses = {}
    for k in range(draw(st.integers(2, 5))):
        kind = draw(st.sampled_from(["usual", "equal", "perfect", "wrong", "constant"]))
        share = draw(st.sampled_from([0.3, 0.8, 0.97]))
        usual = np.where(rng.random(n) < share, y, rng.integers(0, m, n))
        made = {"usual": usual, "perfect": y, "wrong": (y + 1) % m, "constant": np.zeros(n, int)}
        guesses[f"c{k}"] = made.get(kind, guesses.get("c0", usual))
    return y, guesses


def check(made, alpha) -> None:
    for d in made.differences:
        if math.isnan(d.low):
            assert d.note
            assert not d.clear
            continue
        assert d.low <= d.value <= d.high
        excludes = d.low > 0 or d.high < 0
        assert d.clear == excludes
        assert ("do not differ clearly" in str(d)) != d.clear
        if not math.isnan(d.adjusted):
            assert (d.adjusted < alpha) == excludes, d
            assert d.adjusted >= d.p - 1e-12
        if d.margin is not None and not math.isnan(d.not_worse):
            inside = d.high < d.margin if d.better == "lower" else d.low > -d.margin
            assert d.shown_not_worse == inside, d
            assert d.shown_not_worse or not (d.clear and (d.value > 0) == (d.better == "higher"))
        if d.margin is not None and not math.isnan(d.equivalent):
            assert d.shown_equivalent == (-d.margin < d.low <= d.high < d.margin), d


@examples(60)
@given(
    comparisons(),
    st.sampled_from(["max_t", "bh", None]),
    st.booleans(),
    st.sampled_from([0.8, 0.95, 0.999]),
    st.sampled_from([None, 0.013, 0.1]),
    st.sampled_from([None, "delta", "permutation", "bootstrap", "posterior"]),
    st.booleans(),
)
def test_interval_p_value_and_sentence_agree(problem, correction, across, level, margin, method, baseline) -> None:
    y, guesses = problem
    how = {"correction": correction, "across_scores": across, "level": level, "margin": margin, "undefined": 0}
    how["baseline"] = "c0" if baseline else None
    scores = (
        ["accuracy", "f1", "error_rate", OWN] if method else ["accuracy", "f1", "error_rate", "multiclass_kappa", OWN, KINKED]
    )
    check(ix.compare(y, guesses, scores, method=method, **how), 1 - level)


@given(comparisons(), st.sampled_from(["max_t", "bh", None]))
def test_unpaired_differences_and_areas_agree_as_well(problem, correction) -> None:
    y, guesses = problem
    evaluations = {name: ix.evaluate(y, z, classes=range(4)) for name, z in guesses.items()}
    check(ix.compare(evaluations, ["f1", "recall"], "macro", level=0.95, correction=correction, undefined=0), 0.05)
    rng = np.random.default_rng(len(y))
    scores = {name: z + rng.normal(size=len(y)) for name, z in guesses.items()}
    check(ix.compare(y > 0, scores, ["auc", "average_precision"], correction=correction, margin=0.05), 0.05)


def test_scores_that_are_one_hypothesis_have_one_test() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 200)
    guesses = {k: np.where(rng.random(200) < 0.7, y, rng.integers(0, 3, 200)) for k in "abc"}
    alone = ix.compare(y, guesses, "accuracy", across_scores=True).differences
    micro = ix.compare(y, guesses, ["f1", "recall", "precision"], "micro", across_scores=True).differences
    facts = [pytest.approx((d.value, d.low, d.high, d.p, d.adjusted, 3)) for d in alone]
    assert [(d.value, d.low, d.high, d.p, d.adjusted, d.family) for d in micro] == facts * 3
    other = ix.compare(y, guesses, ["f1", "recall", "jaccard"], "micro", across_scores=True).differences
    assert {d.family for d in other} == {6}  # the Jaccard index is another score
    scaled = ix.compare(y, guesses, ["f1", "accuracy"], "micro", across_scores=True).differences  # of labels: a multiple
    assert {d.family for d in scaled} == {3}


@pytest.mark.parametrize("k", [3, 4, 7, 12])
def test_equal_variances_give_the_studentized_range(k: int) -> None:
    """All pairs of equally precise, independent scores: Tukey's test with a known variance."""
    pairs = [*combinations(range(k), 2)]
    found = largest_difference(1 - np.eye(k), pairs)
    for z in (1.5, 2.5, 3.5, 4.5):
        assert float(found.above(z)[0]) == pytest.approx(range_above(z * math.sqrt(2), k), rel=0.04)
    assert float(found.above(found.limit(0.05))[0]) == pytest.approx(0.05, rel=1e-3)


def test_one_number_has_one_p_value_however_often_it_is_tested() -> None:
    """Classifiers that are all multiples of one difference are one test; independent ones multiply."""
    line = np.array([0.0, 1.0, 3.0])
    found = largest_difference((line[:, None] - line) ** 2, [(0, 1), (0, 2), (1, 2)])
    assert float(found.above(far_from_zero(0.03))[0]) == pytest.approx(0.03)
    apart = np.full((4, 4), 2.0)
    apart[0, 1:] = apart[1:, 0] = 1.0  # three differences from one that has no variance of its own
    np.fill_diagonal(apart, 0.0)
    found = largest_difference(apart, [(1, 0), (2, 0), (3, 0)])
    assert float(found.above(2.0)[0]) == pytest.approx(float(Independent(3).above(2.0)[0]), rel=0.02)


def test_the_correction_lies_between_none_and_bonferroni() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        k = int(rng.integers(3, 9))
        loadings = rng.normal(size=(k, int(rng.integers(1, k + 1))))
        variances = ((loadings[:, None] - loadings) ** 2).sum(axis=2)
        pairs = [*combinations(range(k), 2)]
        found = largest_difference(variances, pairs)
        for p in (0.2, 0.01, 1e-6, 1e-30):
            adjusted = float(found.above(far_from_zero(p))[0])
            assert p * (1 - 1e-9) <= adjusted <= min(1.0, len(pairs) * p) * (1 + 1e-9)


@pytest.mark.parametrize("n", [15, 40])
def test_few_disagreements_have_an_honest_interval(n: int) -> None:
    """The interval of fewer than ten disagreements, over all tables: it covers, where Wald's does not."""
    z = 1.959964
    for first_share, second_share in ((0.05, 0.0), (0.1, 0.02), (0.02, 0.02), (0.15, 0.1)):
        covered = 0.0
        for b in range(n + 1):
            for c in range(n + 1 - b):
                rest = 1 - first_share - second_share
                ways = math.comb(n, b) * math.comb(n - b, c)
                chance = ways * first_share**b * second_share**c * rest ** (n - b - c)
                low, high = paired_shares(b, c, n, z)
                covered += chance * (low <= first_share - second_share <= high)
        assert covered >= 0.925, (n, first_share, second_share, covered)


@pytest.mark.slow
def test_many_classifiers_are_compared_in_linear_time_of_rows() -> None:
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 300)
    many = {f"m{i}": np.where(rng.random(300) < 0.8, y, 1 - y) for i in range(60)}
    made = ix.compare(y, many, "accuracy")
    assert len(made.differences) == 60 * 59 // 2
    assert {d.family for d in made.differences} == {1770}
    check(made, 0.05)


def test_mcnemar_is_the_test_whose_verdict_the_interval_has() -> None:
    """Five against none: p = 0.0625, so the interval has 0 inside, although Wald's has not."""
    y = [1] * 100
    (d,) = ix.compare(y, {"a": [1] * 100, "b": [0] * 5 + [1] * 95}, "accuracy").differences
    assert d.p == pytest.approx(mcnemar(5, 0))
    assert d.low <= 0 < d.high
    assert not d.clear
