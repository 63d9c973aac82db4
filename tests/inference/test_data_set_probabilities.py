"""Probabilities over data sets: the Bayesian signed-rank test against baycomp, the hierarchical model against integrals."""

import math

import numpy as np
import pytest
from scipy import stats

import indicatrix as ix
from indicatrix.inference.data_sets.hierarchical_model import FoldSums, draw_next_data_set
from indicatrix.inference.data_sets.probabilities import draw_shares


def table(seed: int, n: int, shift: float, spread: float = 0.03) -> np.ndarray:
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.5, 0.9, n)
    return np.column_stack([base, base + shift + spread * rng.normal(size=n)])


@pytest.mark.parametrize("rope", [0, 0.01, 0.03])
@pytest.mark.parametrize(("seed", "n", "shift"), [(0, 8, 0.02), (1, 30, 0.01), (2, 15, 0.0)])
def test_signed_ranks_are_baycomps(seed: int, n: int, shift: float, rope: float) -> None:
    baycomp = pytest.importorskip("baycomp")
    scores = table(seed, n, shift)
    (pair,) = ix.inference.compare_data_sets(scores, classifiers=["a", "b"]).probabilities(rope=rope, draws=20_000).pairs
    theirs = baycomp.SignedRankTest(scores[:, 0], scores[:, 1], rope, nsamples=5000, random_state=1).probs()
    assert (pair.first_better, pair.equivalent, pair.second_better) == pytest.approx(theirs, abs=0.02)
    assert pair.first_better + pair.equivalent + pair.second_better == pytest.approx(1)


def test_shares_have_the_means_of_the_dirichlet_process() -> None:
    """The expected share of pairs of data sets above the region, from the moments of Dirichlet weights."""
    d, rope = np.array([-0.02, 0.0, 0.01, 0.03, 0.05]), 0.01
    z, weight = np.append(0.0, d), np.array([0.5, 1, 1, 1, 1, 1])
    total = weight.sum()
    moments = (np.outer(weight, weight) + np.diag(weight)) / (total * (total + 1))
    means = (z[:, None] + z) / 2
    above = np.where(np.abs(means - rope) < 1e-12, 0.5, means > rope)
    drawn = draw_shares(d, rope, np.random.default_rng(0), 40_000)
    assert drawn[:, 2].mean() == pytest.approx(float((moments * above).sum()), abs=0.005)
    assert drawn.sum(axis=1) == pytest.approx(1)


def test_exchanged_classifiers_and_turned_scores_exchange_the_probabilities() -> None:
    scores = table(3, 12, 0.015)
    (one,) = ix.inference.compare_data_sets(scores, classifiers=["a", "b"]).probabilities().pairs
    (two,) = ix.inference.compare_data_sets(1 - scores, classifiers=["a", "b"], better="lower").probabilities().pairs
    assert (one.first_better, one.equivalent, one.second_better) == (two.first_better, two.equivalent, two.second_better)
    (turned,) = ix.inference.compare_data_sets(scores[:, ::-1], classifiers=["b", "a"]).probabilities(seed=0).pairs
    assert (turned.second_better, turned.first_better) == pytest.approx((one.first_better, one.second_better))


def folds_of(seed: int, q: int, shift: float, among: float, inside: float, folds: int = 10) -> dict[str, dict[str, np.ndarray]]:
    rng = np.random.default_rng(seed)
    made = {}
    for k in range(q):
        true = shift + among * rng.normal()
        base = 0.7 + 0.01 * rng.normal(size=folds)
        made[f"d{k}"] = {"a": base, "b": base + true + inside * rng.normal(size=folds)}
    return made


@pytest.mark.slow
def test_the_hierarchical_model_says_what_the_data_say() -> None:
    for shift, expected in ((0.05, "second_better"), (-0.05, "first_better"), (0.0, "equivalent")):
        given = folds_of(1, 12, shift, 0.004, 0.01)
        many = ix.inference.hierarchical_comparison(given, rope=0.02, draws=1000)
        (pair,) = many.pairs
        assert getattr(pair, expected) > 0.95, (shift, pair)
    assert many.to_dict() == ix.inference.hierarchical_comparison(given, rope=0.02, draws=1000).to_dict()  # the same seed
    assert "p =" not in str(many)
    assert "probability" in str(many)
    lower = {name: {"a": -one["a"], "b": -one["b"]} for name, one in folds_of(1, 12, 0.05, 0.004, 0.01).items()}
    assert ix.inference.hierarchical_comparison(lower, rope=0.02, draws=500, better="lower").pairs[0].second_better > 0.95


@pytest.mark.slow
def test_the_posterior_of_the_hierarchical_model_is_its_integral() -> None:
    """The center and the spread of the means, by a grid: all folds are so many that only the means matter."""
    means = np.array([0.02, -0.5, 1.0, 0.6, 0.3, -0.1])
    exact = [m + 1e-3 * np.array([-1.0, 1.0] * 50) for m in means]  # each mean is known to about 1e-4
    sums = FoldSums.of(exact, [0.01] * len(means), 0.01)
    center, spread, nu = draw_next_data_set(sums, np.random.default_rng(0), 8000)
    c, s = np.meshgrid(np.linspace(-2, 3, 161), np.geomspace(0.02, 30, 140))
    beyond = np.geomspace(0.05, 400, 60)
    shape, rate = np.meshgrid(np.linspace(1, 2, 9), np.linspace(0.01, 0.1, 10))
    prior = np.array([stats.gamma.pdf(x, shape, scale=1 / rate).mean() for x in beyond])
    logs = np.array([sum(stats.t.logpdf((m - c) / s, 1 + x) - np.log(s) for m in means) for x in beyond])
    weight = np.exp(logs - logs.max()) * (prior * beyond)[:, None, None] * s  # steps of equal ratio in both
    weight /= weight.sum()
    assert center.mean() == pytest.approx(float((weight * c).sum()), abs=0.03)
    assert np.log(spread).mean() == pytest.approx(float((weight * np.log(s)).sum()), abs=0.08)
    assert np.log(nu).mean() == pytest.approx(float((weight * np.log1p(beyond)[:, None, None]).sum()), abs=0.2)


def test_folds_without_spread_and_mistakes() -> None:
    flat = {f"d{k}": {"a": [0.5] * 5, "b": [0.6] * 5} for k in range(4)}
    (pair,) = ix.inference.hierarchical_comparison(flat, draws=500).pairs
    assert pair.second_better > 0.9
    assert not any(math.isnan(x) for x in (pair.first_better, pair.equivalent))
    with pytest.raises(ValueError, match="Give at least two data sets by name"):
        ix.inference.hierarchical_comparison({"iris": flat["d0"]})
    with pytest.raises(ValueError, match="does not have the same classifiers in the same order"):
        ix.inference.hierarchical_comparison({"iris": flat["d0"], "wine": {"a": [0.5] * 5, "c": [0.6] * 5}})
    with pytest.raises(ValueError, match="rope=-1 must be a difference that does not matter"):
        ix.inference.hierarchical_comparison(flat, rope=-1)
    with pytest.raises(ValueError, match="nothing says whether they are repeated"):
        ix.inference.hierarchical_comparison({name: {"a": np.arange(100.0), "b": np.ones(100)} for name in "xy"})
