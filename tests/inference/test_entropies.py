"""Entropies of a population whose kinds were not all seen."""

from __future__ import annotations

import math

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.inference.estimators.entropies import from_entropies

RNG = np.random.default_rng(3)
SPARSE = [RNG.multinomial(n, RNG.dirichlet(np.ones(25) / 3)).reshape(5, 5).astype(float) for n in (10, 30, 300)]


def literal_entropy(counts: np.ndarray) -> float:
    """Return the entropy as Chao, Wang & Jost write it, with their sums over the number of examples."""
    counts = counts.ravel()[counts.ravel() > 0]
    n, once, twice = counts.sum(), (counts == 1).sum(), (counts == 2).sum()
    seen = float(sum(x / n * sum(1 / k for k in range(int(x), int(n))) for x in counts))
    if not once:
        return seen
    chance = 2 * twice / ((n - 1) * once + 2 * twice) if twice else 2 / ((n - 1) * (once - 1) + 2)
    if chance >= 1:
        return seen
    rest = -math.log(chance) - sum((1 - chance) ** r / r for r in range(1, int(n)))
    return float(seen + once / n * (1 - chance) ** (1 - n) * rest)


def literal(table: np.ndarray) -> float:
    rows, columns = literal_entropy(table.sum(axis=1)), literal_entropy(table.sum(axis=0))
    return (rows + columns - literal_entropy(table)) / math.log(2)


@pytest.mark.parametrize("table", SPARSE, ids=["10", "30", "300"])
def test_value_and_variance_are_those_of_the_definition(table: np.ndarray) -> None:
    value, variance = from_entropies((1, 1, -1), table)
    assert value == pytest.approx(literal(table), abs=5e-4)  # a sum of n terms became an integral
    left, times = [], []
    for at in zip(*np.nonzero(table), strict=True):
        less = table.copy()
        less[at] -= 1
        left.append(literal(less))
        times.append(table[at])
    mean = np.average(left, weights=times)
    n = table.sum()
    assert variance == pytest.approx((n - 1) / n * (np.array(times) @ (np.array(left) - mean) ** 2), rel=0.01)


def test_many_examples_have_the_correction_of_miller_and_madow() -> None:
    table = np.diag([3000.0, 2000, 4000]) + 500
    plain = float(ix.measures.mutual_information(table))
    assert plain - from_entropies((1, 1, -1), table)[0] == pytest.approx(4 / (2 * table.sum() * math.log(2)), rel=0.01)


@pytest.mark.parametrize(("quality", "least"), [(0.8, 0.9), (0.97, 0.85)])
def test_mutual_information_of_pairs_that_were_not_seen_is_covered(quality: float, least: float) -> None:
    """Ten classes and 100 examples: the slopes of the sample cover 48% and 88%."""
    chances = np.full((10, 10), (1 - quality) / 90)
    np.fill_diagonal(chances, quality / 10)
    truth = float(ix.measures.mutual_information(chances * 2.0**40))
    rng = np.random.default_rng(8)
    found = [
        ix.from_confusion(rng.multinomial(100, chances.ravel()).reshape(10, 10)).interval("mutual_information") for _ in range(60)
    ]
    assert sum(truth in interval for interval in found) >= (least - 0.1) * 60
    assert all("were not seen" in interval.note or "few" in interval.note for interval in found)


@pytest.mark.parametrize("name", ["joint_entropy", "entropy_true", "conditional_entropy_true", "variation_of_information"])
def test_intervals_of_entropies_contain_their_value(name: str) -> None:
    for table in SPARSE:
        found = ix.from_confusion(table.astype(int)).interval(name)
        assert found.low <= found.value <= found.high
