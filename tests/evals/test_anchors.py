"""Published numbers of evaluations of language models, each with its source."""

from __future__ import annotations

import math

import numpy as np
import pytest

import indicatrix as ix


def test_aime_has_the_standard_error_of_lighteval() -> None:
    """huggingface/lighteval#661: math_pass@1:1_samples of aime24 is 0.4000 ± 0.0910, of 30 questions."""
    runs = ix.read_evals({"question": range(30), "score": [1] * 12 + [0] * 18})
    assert f"{runs.score():.4f}" == "0.4000"
    assert f"{runs.variance()['standard_error']:.4f}" == "0.0910"
    low, high = runs.interval()
    assert low < 0.4 - 1.5 * 0.091
    assert high > 0.4 + 1.5 * 0.091


def test_the_plan_of_miller_needs_969_questions() -> None:
    """Miller 2024, arXiv 2411.00640, section 5: ω² = 1/9, a difference of 3 points, 80% power at 5%: n = 969.

    With difficulties spread evenly from 0 to 1, two answers to each question save a third of the variance, four save half.
    """
    assert ix.power(difference=0.03, between=1 / 9, within=0).n == 969
    one, two, four = (ix.power(difference=0.02, between=1 / 6, within=1 / 6, samples=k).n for k in (1, 2, 4))
    assert two == pytest.approx(one * 2 / 3, abs=1)
    assert four == pytest.approx(one / 2, abs=1)


def test_the_variance_of_even_difficulties_is_that_of_miller() -> None:
    """Miller 2024, section 3.1: of difficulties spread evenly, Var(x) = 1/12 between questions, E(σ²) = 1/6 within."""
    rng = np.random.default_rng(0)
    likely = rng.random(20_000)
    scores = (rng.random((20_000, 5)) < likely[:, None]).astype(int)
    found = ix.read_evals({"question": np.repeat(np.arange(20_000), 5), "score": scores.ravel()}).variance()
    assert found["between"] == pytest.approx(1 / 12, abs=0.002)
    assert found["within"] == pytest.approx(1 / 6, abs=0.002)
    assert found["standard_error"] == pytest.approx(math.sqrt((1 / 12 + 1 / 30) / 20_000), rel=0.02)


def test_intervals_of_small_sets_do_not_collapse() -> None:
    """Bowyer et al. 2025, arXiv 2503.01747: mean ± 1.96 standard errors is [1, 1] if all are right, and leaves [0, 1]."""
    perfect = ix.read_evals({"question": range(20), "score": [1] * 20}).interval()
    assert perfect.high == 1
    assert 0.80 < perfect.low < 0.90
    nearly = ix.read_evals({"question": range(20), "score": [1] * 19 + [0]}).interval()
    assert 0.95 + 1.96 * math.sqrt(0.95 * 0.05 / 19) > 1 >= nearly.high
    graded = ix.read_evals({"question": np.repeat(range(20), 2), "score": [1] * 40}).interval()
    assert graded.high == 1
    assert graded.low < 0.95


def test_single_questions_of_passages_give_the_false_alarms_of_evalsig() -> None:
    """vtensor/evalsig, VERIFICATION.md, E2: 43.2% false alarms of single questions and 5.5% of clusters, in 600 samples.

    ``python -m benchmarks.evals`` has 2,000 samples of the design; by its variances, 47.3% are expected of single questions.
    """
    from benchmarks.evals import PAIRS, finds

    draws, rng = 40, np.random.default_rng(1)
    naive, clustered = (sum(finds(PAIRS[name](rng)) for _ in range(draws)) for name in list(PAIRS)[-2:])
    assert 0.30 * draws < naive < 0.65 * draws
    assert clustered <= 0.15 * draws


def test_pass_at_k_is_that_of_its_definition() -> None:
    """Chen et al. 2021: the share of the draws of k answers of which at least one is right; pass^k: of which all are."""
    for n in range(1, 8):
        for c in range(n + 1):
            for k in range(1, n + 1):
                scores = [1] * c + [0] * (n - c)
                assert ix.pass_at_k(["q"] * n, scores, k=k) == pytest.approx(1 - math.comb(n - c, k) / math.comb(n, k), abs=1e-15)
                assert ix.pass_hat_k(["q"] * n, scores, k=k) == pytest.approx(math.comb(c, k) / math.comb(n, k), abs=1e-15)
