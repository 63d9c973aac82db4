"""How often one of several equal pairs is called different: ``python -m benchmarks.families``.

All classifiers are equally good, and some examples are hard for all of them. Corrected for the pairs of one score, a comparison
at 5% should call any pair different in 4.5-5.5% of samples, and in fewer if some pairs hardly differ, which have exact tests;
``--correction none`` shows how often it is without.
With 3,000 samples a share is known to about ±0.008.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import indicatrix as ix

CASES: dict[str, dict[str, Any]] = {
    "3 classifiers": {"classifiers": 3},
    "6 classifiers": {"classifiers": 6},
    "6, two of them copies of others but for 5%": {"classifiers": 6, "copies": 2},
    "6, five with a baseline": {"classifiers": 6, "baseline": "c0"},
}
SCORES = ("accuracy", "f1")


def draw(rng: np.random.Generator, n: int, classifiers: int, copies: int = 0) -> tuple[Any, dict[str, Any]]:
    """Return labels of three classes and predictions, 80% right; copies repeat 95% of another's."""
    y, hard = rng.integers(0, 3, n), rng.random(n)

    def guess() -> Any:
        luck = np.where(rng.random(n) < 0.5, hard, rng.random(n))
        return np.where(luck < 0.8, y, (y + rng.integers(1, 3, n)) % 3)

    guesses = {f"c{k}": guess() for k in range(classifiers)}
    for k in range(copies):
        guesses[f"c{classifiers - 1 - k}"] = np.where(rng.random(n) < 0.95, guesses[f"c{k}"], guess())
    return y, guesses


def false_alarms(samples: int, n: int, case: dict[str, Any], correction: str | None) -> list[float]:
    """Return, for each score, in which share of samples any pair is called different."""
    rng, found = np.random.default_rng(20), np.zeros(len(SCORES))
    facts = {name: case[name] for name in ("classifiers", "copies") if name in case}
    for _ in range(samples):
        y, guesses = draw(rng, n, **facts)
        made = ix.compare(y, guesses, SCORES, baseline=case.get("baseline"), correction=correction, classes=range(3))
        clear = {d.score for d in made.differences if d.clear}
        found += [row.name in clear for row in made.rows]
    return [float(x) for x in found / samples]


def main() -> None:
    """Print how often there is any false alarm."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--n", type=int, default=500)
    parser.add_argument("--correction", choices=("max_t", "bh", "none"), default="max_t")
    asked = parser.parse_args()
    print(f"any pair called different, {asked.samples} samples of {asked.n} examples: accuracy, macro f1")
    correction = None if asked.correction == "none" else asked.correction
    for name, case in CASES.items():
        shares = ", ".join(f"{share:.4f}" for share in false_alarms(asked.samples, asked.n, case, correction))
        print(f"{name:<44} {shares}", flush=True)


if __name__ == "__main__":
    main()
