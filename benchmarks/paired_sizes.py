"""How often paired tests reject if nothing differs: ``python -m benchmarks.paired_sizes``.

Alike: the two classifiers are exchangeable. Mirrored: one is good where the other is bad, with the same accuracy and macro F1.
A test at 5% should reject in 4-6% of samples of 1,000 examples, and in 3.5-6.5% of 200; an exact test in at most 6%. With 2,000
samples a share is known to about ±0.01. Where fewer than 10 examples make a difference, only exact tests are shown.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np

import indicatrix as ix

Draw = Callable[[np.random.Generator, int], tuple[Any, dict[str, Any]]]  # truth and predictions of n examples


@dataclass(frozen=True)
class Test:
    """A test of a difference: the score, the method, and whether it is exact."""

    measure: str
    average: str | None
    method: str
    exact: bool = False

    @property
    def title(self) -> str:
        """The name in the table."""
        return f"{self.method.replace('_', ' ')}, {f'{self.average} ' if self.average else ''}{self.measure}"


LABELS = (
    Test("exact_match", "exemplar", "mcnemar", exact=True),
    Test("exact_match", "exemplar", "mcnemar_mid_p"),
    Test("f1", "macro", "delta"),
    Test("mcc", "macro", "delta"),
    Test("recall", "macro", "delta"),
)
MATRICES = (Test("f1", "micro", "delta"), Test("f1", "macro", "delta"), Test("jaccard", "exemplar", "delta"))
SCORES = (Test("auc", None, "score"), Test("average_precision", None, "score"))


def draw_labels(first: Any, second: Any, ratio: float, rng: np.random.Generator, n: int) -> tuple[Any, dict[str, Any]]:
    """Return labels and the predictions of two classifiers; some examples are hard for both."""
    shares = np.geomspace(1, 1 / ratio, 3)
    y, hard = rng.choice(3, n, p=shares / shares.sum()), rng.random(n)
    guesses = {}
    for name, recalls in zip("ab", (first, second), strict=True):
        luck = np.where(rng.random(n) < 0.5, hard, rng.random(n))
        guesses[name] = np.where(luck < np.array(recalls)[y], y, (y + rng.integers(1, 3, n)) % 3)
    return y, guesses


def draw_matrices(rng: np.random.Generator, n: int) -> tuple[Any, dict[str, Any]]:
    """Return label matrices of five correlated labels; some examples are hard for both classifiers."""
    true = 0.6 * rng.normal(size=(n, 1)) + 0.8 * rng.normal(size=(n, 5)) > np.linspace(0.2, 1.2, 5)
    hard = rng.exponential(size=(n, 1))
    return true, {name: true ^ (rng.random((n, 5)) < np.minimum(0.1 * hard, 1)) for name in "ab"}


def draw_scores(rng: np.random.Generator, n: int) -> tuple[Any, dict[str, Any]]:
    """Return binary labels and two scores that share a part of their noise."""
    y = (rng.random(n) < 0.3).astype(int)
    common = rng.normal(size=n)
    return y, {name: 1.2 * y + 0.7 * common + 0.7 * rng.normal(size=n) for name in "ab"}


CASES: dict[str, tuple[Draw, tuple[Test, ...]]] = {
    "alike, 20% errors": (partial(draw_labels, (0.8, 0.8, 0.8), (0.8, 0.8, 0.8), 1), LABELS),
    "mirrored, 10-30% errors": (partial(draw_labels, (0.9, 0.8, 0.7), (0.7, 0.8, 0.9), 1), LABELS),
    "alike, classes 1:20": (partial(draw_labels, (0.8, 0.8, 0.8), (0.8, 0.8, 0.8), 20), LABELS),
    "alike, 2% errors": (partial(draw_labels, (0.98, 0.98, 0.98), (0.98, 0.98, 0.98), 1), LABELS),
    "five labels": (draw_matrices, MATRICES),
    "scores": (draw_scores, SCORES),
}


def sizes(case: str, n: int, simulations: int) -> dict[str, float]:
    """Return the share of samples in which each test rejects at 5%; nan if it is mostly not shown."""
    draw, tests = CASES[case]
    rng = np.random.default_rng(5)
    rejected, shown = dict.fromkeys((test.title for test in tests), 0), dict.fromkeys((test.title for test in tests), 0)
    for _ in range(simulations):
        y, guesses = draw(rng, n)
        joint = (
            ix.inference.paired_counts(y, guesses, scores=True, labels=False)
            if tests is SCORES
            else ix.inference.paired_counts(y, guesses)
        )
        for test in tests:
            made = ix.compare(joint, test.measure, test.average or (), method=test.method, correction=None, undefined=1)
            rejected[test.title] += made.differences[0].p < 0.05
            shown[test.title] += math.isfinite(made.differences[0].p)
    return {title: k / simulations if 2 * shown[title] > simulations else math.nan for title, k in rejected.items()}


def _cell(test: Test, n: int, size: float) -> str:
    low, high = (0, 0.06) if test.exact else (0.04, 0.06) if n >= 1000 else (0.035, 0.065)
    if math.isnan(size):
        return "–"
    text = f"{size:.3f}".removeprefix("0")
    return text if low <= size <= high else f"**{text}**"


def _run(task: tuple[str, int, int]) -> dict[str, float]:
    return sizes(*task)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Size of paired tests at 5%.")
    parser.add_argument("--simulations", type=int, default=2000, help="samples of each case (2000)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    given = parser.parse_args()
    tasks = [(case, n, given.simulations) for case in CASES for n in (200, 1000)]
    with get_context("spawn").Pool(given.jobs) as pool:
        found = dict(zip(tasks, pool.map(_run, tasks, chunksize=1), strict=True))
    for tests in (LABELS, MATRICES, SCORES):
        print("| | n | " + " | ".join(test.title for test in tests) + " |\n|---|---|" + "---|" * len(tests))
        for (case, n, _), size in found.items():
            if CASES[case][1] is tests:
                print(f"| {case} | {n} | " + " | ".join(_cell(test, n, size[test.title]) for test in tests) + " |")
        print()


if __name__ == "__main__":
    main()
