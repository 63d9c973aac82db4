"""Draw the figure of the paper: how often intervals of a recall cover, for every number of right answers in 12 of 60 examples.

The coverage is exact: it is summed over the binomial numbers of positives that were found.
"""

from __future__ import annotations

from math import comb, sqrt
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
import numpy as np

import indicatrix as ix

POSITIVES, EXAMPLES, LEVEL, Z = 12, 60, 0.95, 1.959964


def ours(found: int) -> tuple[float, float]:
    """Return the default interval of recall."""
    interval = ix.from_counts(found, 0, POSITIVES - found, EXAMPLES - POSITIVES).interval("recall", level=LEVEL)
    return interval.low, interval.high


def wald(found: int) -> tuple[float, float]:
    """Return the usual formula: the value and 1.96 estimated standard deviations to both sides."""
    value = found / POSITIVES
    half = Z * sqrt(value * (1 - value) / POSITIVES)
    return value - half, value + half


def main() -> None:
    """Draw both coverages over all true recalls."""
    truths = np.linspace(0.5, 0.99, 400)
    shares = np.array([[comb(POSITIVES, k) * t**k * (1 - t) ** (POSITIVES - k) for k in range(POSITIVES + 1)] for t in truths])
    figure, ax = plt.subplots(figsize=(6, 2.6), layout="constrained")
    for made, label in ((wald, "Wald"), (ours, "indicatrix, by default")):
        ends = np.array([made(k) for k in range(POSITIVES + 1)])
        inside = (ends[:, 0] <= truths[:, None]) & (truths[:, None] <= ends[:, 1])
        covered = (shares * inside).sum(axis=1)
        ax.plot(truths, covered, label=label)
        print(f"{label}: covers {covered.min():.3f} to {covered.max():.3f}, {covered.mean():.3f} on average")
    ax.axhline(LEVEL, color="gray", linewidth=0.8)
    ax.set(xlabel="true recall", ylabel="coverage", ylim=(0, 1.02))
    ax.legend(frameon=False, loc="lower left")
    figure.savefig(Path(__file__).with_name("coverage.png"), dpi=160)


if __name__ == "__main__":
    main()
