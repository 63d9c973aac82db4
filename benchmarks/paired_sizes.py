"""How often paired tests reject if nothing differs: ``python -m benchmarks.paired_sizes``.

Alike: the two are exchangeable. Mirrored: one is good where the other is bad, with the same accuracy and macro F1.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import indicatrix as ix
from indicatrix.comparison.differences import make_contrast
from indicatrix.comparison.row import Row
from indicatrix.inference.paired.tests import Question, run_test

RECALLS = {"alike": ((0.8, 0.8, 0.8), (0.8, 0.8, 0.8)), "mirrored": ((0.9, 0.8, 0.7), (0.7, 0.8, 0.9))}
TESTS = (
    ("accuracy", "micro", "mcnemar"),
    ("accuracy", "micro", "mcnemar_mid_p"),
    ("f1", "macro", "delta"),
    ("mcc", "macro", "delta"),
    ("recall", "macro", "delta"),
)


def draw(rng: np.random.Generator, kind: str, n: int, ratio: float) -> tuple[Any, dict[str, Any]]:
    """Return labels and the predictions of two classifiers; some examples are hard for both."""
    shares = np.geomspace(1, 1 / ratio, 3)
    y, hard = rng.choice(3, n, p=shares / shares.sum()), rng.random(n)
    guesses = {}
    for name, recalls in zip("ab", RECALLS[kind], strict=True):
        luck = np.where(rng.random(n) < 0.5, hard, rng.random(n))
        guesses[name] = np.where(luck < np.array(recalls)[y], y, (y + rng.integers(1, 3, n)) % 3)
    return y, guesses


def sizes(kind: str, n: int, ratio: float, simulations: int) -> dict[str, float]:
    """Return the share of simulations in which each test rejects at 5%."""
    rng, rejected = np.random.default_rng(5), dict.fromkeys(map(" ".join, TESTS), 0)
    for _ in range(simulations):
        y, guesses = draw(rng, kind, n, ratio)
        joint = ix.joint(y, guesses, classes=[0, 1, 2])
        for name, average, method in TESTS:
            measure = ix.MEASURES[name]
            values = tuple(ev.score(measure, average) for ev in joint.evaluations)
            contrast = make_contrast(joint, Row(name, values, "higher", (measure, average)), 0, 1)
            answer = run_test(contrast, Question(float(values[0]) - float(values[1])), method)[0]
            rejected[f"{name} {average} {method}"] += answer.p < 0.05
    return {name: k / simulations for name, k in rejected.items()}


if __name__ == "__main__":
    simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for kind, n, ratio in (
        ("alike", 200, 1),
        ("mirrored", 200, 1),
        ("alike", 200, 20),
        ("alike", 1000, 1),
        ("mirrored", 1000, 1),
    ):
        print(
            kind, f"n = {n}, 1:{ratio}", {name: round(x, 3) for name, x in sizes(kind, n, ratio, simulations).items()}, flush=True
        )
