"""How often two areas are called equivalent whose difference is the margin.

``python -m benchmarks.equivalence``.

Scores are normal in both classes and share 70% of their noise; the true AUCs differ by the margin. So a test at 5% may say in 5%
of samples that they differ by less (``equivalent`` below .05), and the verdict next to a 95% interval, which tests each side at
2.5%, in 2.5%. The other columns are how often the 95% interval of the difference covers, and how often the difference is found.
All methods read the same samples. With 1,000 samples a share is known to about ±.014 around .05.
"""

from __future__ import annotations

import argparse
from statistics import NormalDist
from typing import Any

import numpy as np

import indicatrix as ix

CASES = ((50, 100, 0.99, 0.97), (100, 100, 0.995, 0.98), (50, 100, 0.9, 0.85), (200, 200, 0.995, 0.98))  # classes, and areas
SHARED = 0.7  # of the noise
METHODS = ("score", "delong")


def draw(rng: np.random.Generator, positives: int, negatives: int, *areas: float) -> tuple[Any, dict[str, Any]]:
    """Return labels and two scores with these areas."""
    y, common = np.repeat([1, 0], [positives, negatives]), rng.normal(size=positives + negatives)
    own = [rng.normal(size=len(y)) * (1 - SHARED**2) ** 0.5 + SHARED * common for _ in areas]
    return y, {name: s + y * 2**0.5 * NormalDist().inv_cdf(a) for name, s, a in zip("ab", own, areas, strict=True)}


def rates(case: tuple[int, int, float, float], method: str, samples: int) -> tuple[float, float, float, float]:
    """Return how often they are equivalent at 5%, and how often the interval covers and excludes 0."""
    rng, margin, found = np.random.default_rng(4), case[2] - case[3], np.zeros(4)
    for _ in range(samples):
        y, both = draw(rng, *case)
        (one,) = ix.compare(y, both, "auc", margin=margin, method=method).differences
        found += [one.equivalent < 0.05, one.shown_equivalent, one.low <= margin <= one.high, one.clear]
    return tuple(float(x) for x in found / samples)  # type: ignore[return-value]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000)
    asked = parser.parse_args()
    print("| positives, negatives | AUCs | method | equivalent at 5% | verdict at 2.5% | covers | difference found |")
    print("|---|---|---|---|---|---|---|")
    for case in CASES:
        for method in METHODS:
            shares = " | ".join(f"{x:.3f}" for x in rates(case, method, asked.samples))
            print(f"| {case[0]}, {case[1]} | {case[2]:g}, {case[3]:g} | {method} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
