"""Compare intervals of shares and rates by enumeration: ``python -m benchmarks.shares``.

Every count that n examples can give is looked at with its probability, so that nothing is simulated. The first table is of plain
shares: how often the interval misses below and above, on average over true shares and at worst, and how wide it is. The second
one is of balanced accuracy of two classes: our interval, and Wilson's at the effective size of the score.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import indicatrix as ix
from indicatrix.inference.stats.proportions import PROPORTIONS

SIZES = (20, 100, 1000)
BANDS = ((0.5, 0.8), (0.8, 0.95), (0.95, 0.99), (0.99, 0.999))
SHARES = 61  # true shares of each band
CLASSES = ((10, 10), (10, 100), (50, 50), (20, 1000))  # examples of the two classes
RATES = ((0.6, 0.8), (0.9, 0.9), (0.9, 0.98), (0.99, 0.99))
LEVEL = 0.95


def blaker(k: int, n: int, level: float) -> tuple[float, float]:
    """Return Blaker's interval: what his test, with an opposite tail, does not reject."""

    def acceptable(p: float) -> float:
        chances = _binomial(n, np.array([p]))[0]
        below, above = np.cumsum(chances), np.cumsum(chances[::-1])[::-1]
        smaller = np.minimum(below, above)
        return float(chances[smaller <= smaller[k] * (1 + 1e-12)].sum())

    low, high = PROPORTIONS["clopper_pearson"](k, n, level)
    ends = []
    for end in (low, high):
        places = np.linspace(end, k / n, 200)  # fine enough for the third digit of a coverage
        ends.append(next((float(p) for p in places if acceptable(p) >= 1 - level), k / n))
    return (ends[0] if k else 0.0), (ends[1] if k < n else 1.0)


def _binomial(n: int, p: Any) -> Any:
    """Return the chances of 0 to n hits for several shares."""
    k = np.arange(n + 1)
    logs = np.array([math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) for i in range(n + 1)])
    return np.exp(logs + k * np.log(p)[:, None] + (n - k) * np.log1p(-p)[:, None])


METHODS: dict[str, Callable[[int, int, float], tuple[float, float]]] = {**PROPORTIONS, "blaker": blaker}


def of_shares(name: str, n: int, band: tuple[float, float]) -> tuple[float, float, float, float, float]:
    """Return the mean and the worst coverage, the worst misses above and below, and the width."""
    ends = np.array([METHODS[name](k, n, LEVEL) for k in range(n + 1)])
    p = np.linspace(*band, SHARES)
    chances = _binomial(n, p)
    below, above = (chances * (ends[:, 1] < p[:, None])).sum(axis=1), (chances * (ends[:, 0] > p[:, None])).sum(axis=1)
    covered = 1 - below - above
    width = (chances @ (ends[:, 1] - ends[:, 0])).mean()
    return covered.mean(), covered.min(), above.max(), below.max(), width


def of_balanced_accuracy(sizes: tuple[int, int], rates: tuple[float, float], method: str | None) -> tuple[float, float]:
    """Return how often the interval of balanced accuracy covers, and how wide it is."""
    chances = [_binomial(n, np.array([p]))[0] for n, p in zip(sizes, rates, strict=True)]
    kept = [np.flatnonzero(own > 1e-5) for own in chances]
    covered = width = total = 0.0
    for a in kept[0].tolist():
        for b in kept[1].tolist():
            own = chances[0][a] * chances[1][b]
            table = [[a, sizes[0] - a], [sizes[1] - b, b]]
            found = ix.from_confusion(table).interval("balanced_accuracy", "macro", method=method)
            covered += own * (found.low <= sum(rates) / 2 <= found.high)
            width, total = width + own * found.width, total + own
    return covered / total, width / total


def main() -> None:
    """Print both tables."""
    print("| n | true share | interval | coverage | worst | worst miss above | worst miss below | width |")
    for n in SIZES:
        for band in BANDS:
            for name in METHODS:
                if name == "blaker" and n > 100:
                    continue  # its enumeration takes hours
                mean, worst, above, below, width = of_shares(name, n, band)
                row = f"{mean:.3f} | {worst:.3f} | {above:.3f} | {below:.3f} | {width:.4f}"
                print(f"| {n} | {band[0]:g} to {band[1]:g} | {name} | {row} |", flush=True)
    print("\n| examples | rates | rates: coverage | width | score: coverage | width |")
    for sizes in CLASSES:
        for rates in RATES:
            ours, theirs = (of_balanced_accuracy(sizes, rates, method) for method in (None, "score"))
            print(f"| {sizes} | {rates} | {ours[0]:.3f} | {ours[1]:.3f} | {theirs[0]:.3f} | {theirs[1]:.3f} |", flush=True)


if __name__ == "__main__":
    main()
