"""How often an interval could cover that knew how the score varies.

The coverage of a discrete score moves in steps.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .populations import COMMON_WEIGHT, Population

TAIL = 0.025  # of a 95% interval


def possible_coverage(values: Any, chances: Any = None) -> float:
    """Return how often a mid-P interval covers that knows the values of a score and how likely they are.

    Without probabilities, the values are those of samples. The interval misses where the probability beyond a value, the value
    itself counted half, is below 2.5%. So the interval of a share k/n is its mid-P interval. A score with many values is covered
    in 95% of samples. Few values make steps: no errors in 95 of 100 samples cannot be a miss, and then 97.5% or more are covered.

    >>> many, few = possible_coverage(np.arange(10_000) % 200), possible_coverage(np.arange(3), np.array([0.95, 0.03, 0.02]))
    >>> round(many, 6), round(few, 6)
    (0.95, 0.98)
    """
    if not len(values):
        return math.nan
    _, place = np.unique(np.round(values, 12), return_inverse=True)
    own = np.bincount(place, np.full(len(values), 1 / len(values)) if chances is None else chances)
    upto = np.cumsum(own) - own / 2
    return float(own[np.minimum(upto, 1 - upto) >= TAIL].sum())


def possible_of_share(size: int, share: float) -> float:
    """Return the same of a share of independent examples: the exact coverage of its mid-P interval.

    >>> [round(possible_of_share(n, 0.97), 3) for n in (30, 100, 1000)]
    [0.988, 0.921, 0.959]
    """
    return possible_coverage(np.arange(size + 1), binomial(size, share))


def binomial(size: int, share: float) -> Any:
    """Return how likely each number of successes is.

    >>> binomial(2, 0.5).round(3).tolist()
    [0.25, 0.5, 0.25]
    """
    k, logs = np.arange(size + 1), np.cumsum([0.0, *np.log(np.arange(1, size + 1))])
    return np.exp(logs[-1] - logs - logs[::-1] + k * math.log(share) + (size - k) * math.log1p(-share))


def within_reach(size: int, share: float, limits: tuple[float, float], one_side: float = 1.0) -> bool:
    """Return whether an interval of a share, of any method, can cover as often as limits say.

    Its ends grow with the number of successes. So those numbers whose interval has the true share inside are neighbors, and
    their chances are what it covers: if no neighbors have chances between the limits, no interval does, whatever its method.
    ``one_side`` is how often it may lie above the truth, and how often below it.

    >>> [share for share in (0.01, 0.02, 0.03) if not within_reach(30, share, (0.93, 0.975))]
    [0.02]
    """
    upto = np.concatenate([[0.0], np.cumsum(binomial(size, share))])
    below, last = upto[:-1], upto[1:]  # chances of fewer than the first of them, and of up to the last
    most = np.searchsorted(last, below + limits[1], side="right") - 1  # the last one that may be added
    covered, above = last[most] - below, 1 - last[most]
    return bool(((most >= 0) & (covered >= limits[0]) & (below <= one_side) & (above <= one_side)).any())


def inside_by_chance(samples: int, coverage: float, limits: tuple[float, float]) -> float:
    """Return how likely some samples show a coverage between the limits, if this is the true one.

    >>> [round(inside_by_chance(n, 0.95, (0.93, 0.975)), 3) for n in (250, 400, 1000)]
    [0.89, 0.965, 0.998]
    """
    shares = np.arange(samples + 1) / samples
    return float(binomial(samples, coverage)[(shares >= limits[0]) & (shares <= limits[1])].sum())


OF_ONE_CLASS = {"accuracy": 0, "recall": -1, "precision": -1, "specificity": 0, "npv": 0}  # the last class is the positive one
OF_PREDICTED = ("precision", "npv")
OF_RATES: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("balanced_accuracy", "informedness", "macro recall"), lambda rates: rates.mean(axis=-1)),
    "g_mean": lambda rates: rates.prod(axis=-1),
}
DOMINATES = 0.8  # the share of a variance
GIVEN, DRAWN = 50, 1000  # margins of samples that are tried, and samples with these margins


def possible_given_margins(population: Population, name: str, samples: Sequence[Any], truth: float, otherwise: float) -> float:
    """Return the same of a score of shares, among samples with as many examples of each class.

    How many examples a class has tells nothing about the share of them that is right: an interval should not cover more often in
    samples with many of them and less in others. Where the share of one class has four fifths of the variance, its steps alone
    count, which the others only blur. Other scores have the coverage that is given.
    """
    weighted, shared = population.kind == "weights", (*OF_ONE_CLASS, *OF_RATES)
    if name not in shared or not (weighted or population.kind == "one class") or (weighted and name == "accuracy"):
        return otherwise
    rng, right = np.random.default_rng(0), truth if name in OF_PREDICTED else 1 - population.quality
    found = []
    for sample in samples:
        own = sample.aggregate("class")
        sizes = np.array([float(x) for x in (own.tp + (own.fp if name in OF_PREDICTED else own.fn))])
        if weighted:
            sizes[0] /= COMMON_WEIGHT
        if name == "accuracy":
            sizes = sizes.sum(keepdims=True)
        if name not in OF_ONE_CLASS:
            sizes = sizes[sizes > 0]
        at = OF_ONE_CLASS.get(name, int(sizes.argmin()))
        if name in OF_ONE_CLASS or 1 / sizes[at] > DOMINATES * (1 / sizes).sum():
            found += [possible_of_share(round(sizes[at]), right)] if sizes[at] else []
        else:
            drawn = rng.binomial(sizes.round().astype(int), right, (DRAWN, len(sizes)))
            found.append(possible_coverage(OF_RATES[name](drawn / sizes)))
    return float(np.mean(found)) if found else otherwise
