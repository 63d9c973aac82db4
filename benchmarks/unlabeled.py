"""Simulate evaluations without labels.

``python -m benchmarks.unlabeled [expected|plans|raters] [--draws 2000]``.

``expected``: how often intervals of expected scores cover the scores of the population, in worlds in which assumptions hold, and
in which they do not. ``plans``: the mean squared error of random labels, divided by that of a plan for F1 with as many.
``raters``: a classifier against the truth behind raters who err independently, and behind raters who do not.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import indicatrix as ix

Rows = tuple[Any, Any]  # labels and probabilities
SCORES = ("f1", "precision", "recall", "accuracy")
LARGE = 2_000_000  # rows from which a population's scores are computed


def inverse(x: Any) -> Any:
    """Return the probability of log odds."""
    return 1 / (1 + np.exp(-x))


class World(NamedTuple):
    """Where the reference and the new rows come from; scores are log odds, and decisions are made at 1/2."""

    steep: float = 1.0  # how much surer the model is than it should be
    moved: float = 0.0  # by how much the log odds of the new rows are larger, and what they say stays
    lower: float = 0.0  # by how much the same log odds say less about the new rows
    kept: float = 1.0  # the share of positives that is left among the new rows

    def rows(self, rng: Any, n: int, new: bool) -> Rows:
        """Return labels and probabilities of rows of the reference, or new ones."""
        y, x = self._drawn(rng, n if self.kept == 1 or not new else 3 * n, new)
        if new and self.kept < 1:
            left = np.flatnonzero((y == 0) | (rng.random(len(y)) < self.kept))[:n]
            y, x = y[left], x[left]
        return y, inverse(self.steep * x)

    def _drawn(self, rng: Any, n: int, new: bool) -> tuple[Any, Any]:
        x = rng.normal(-1.0, 1.6, n) + (self.moved if new else 0.0)
        return (rng.random(n) < inverse(x - (self.lower if new else 0.0))).astype(int), x


WORLDS = {
    "calibrated": World(),
    "overconfident": World(steep=1.8),
    "… and covariate shift": World(steep=1.8, moved=0.5),
    "… and concept drift": World(steep=1.8, lower=0.6),
    "… and label shift": World(steep=1.8, kept=0.25),
}
WAYS: dict[str, dict[str, Any]] = {
    "probabilities": {},
    "covariate": {"shift": "covariate"},
    "label, scores": {"shift": "label"},
    "label, predictions": {"shift": "label", "strata": 1},
}


def coverage(world: World, way: str, reference: int, draws: int, seed: int = 0, n: int = 2000) -> dict[str, tuple[float, float]]:
    """Return for each score how often its interval covers that of the population, and its mean width."""
    rng = np.random.default_rng(seed)
    true = ix.evaluate(*world.rows(np.random.default_rng(1), LARGE, new=True), decide=0.5)
    hits, widths = (dict.fromkeys(SCORES, 0.0) for _ in range(2))
    for _ in range(draws):
        known, (_, scores) = world.rows(rng, reference, new=False), world.rows(rng, n, new=True)
        options = WAYS[way] if way == "probabilities" else {**WAYS[way], "reference": known}
        ev = ix.expected(scores, decide=0.5, **options)
        for name in SCORES:
            found = ev.interval(name)
            hits[name] += found.low <= true.score(name) <= found.high
            widths[name] += found.high - found.low
    return {name: (hits[name] / draws, widths[name] / draws) for name in SCORES}


GUESSES: dict[str, Callable[[Any, Any], Any]] = {
    "right": lambda x, rng: inverse(x),
    "overconfident": lambda x, rng: inverse(1.8 * x),
    "poor": lambda x, rng: inverse(0.5 * x + rng.normal(0, 1.0, len(x)) - 1.5),
}


class Gain(NamedTuple):
    """What a plan gains for each score, and how often its interval covers."""

    ratio: dict[str, float]  # of mean squared errors: random labels by those of the plan
    covered: dict[str, float]


def gains(prevalence: float, guess: str, budget: int, draws: int, seed: int = 0, n: int = 20_000, measure: str = "f1") -> Gain:
    """Return what a plan for a measure gains over labels at random, for all of ``SCORES``."""
    rng = np.random.default_rng(seed)
    x = rng.normal(0, 1.9, n) + START[prevalence]
    y, pred = (rng.random(n) < inverse(x)).astype(int), (inverse(x) >= CUT[prevalence]).astype(int)
    proba, true = GUESSES[guess](x, rng), ix.evaluate(y, pred)
    errors, covered = ({name: [0.0, 0.0] for name in SCORES} for _ in range(2))
    for seed_of_plan in range(draws):
        plan = ix.plan_labels(pred, proba, budget=budget, measure=measure, seed=seed_of_plan)
        some = rng.choice(n, budget, replace=False)
        planned = ix.evaluate(plan.gold(y[plan.rows]), pred, design=plan)
        random = ix.evaluate(y[some], pred[some])
        for name in SCORES:
            for k, ev in enumerate((random, planned)):
                found = ev.interval(name)
                value = found.value if np.isfinite(found.value) else 0.0
                errors[name][k] += (value - true.score(name)) ** 2 / draws
                covered[name][k] += (found.low <= true.score(name) <= found.high) / draws
    ratio = {name: a / b if b else float("inf") for name, (a, b) in errors.items()}
    return Gain(ratio, {name: b for name, (_, b) in covered.items()})


START = {0.02: -5.6, 0.036: -4.9, 0.1: -3.4, 0.3: -1.3}  # mean log odds of populations with these shares of positives
CUT = {0.02: 0.2, 0.036: 0.25, 0.1: 0.4, 0.3: 0.5}


def panel(kind: str, rng: Any, n: int) -> tuple[Any, dict[str, Any]]:
    """Return true labels and those of raters, the classifier being the last."""
    y = (rng.random(n) < 0.4).astype(int)

    def rater(right: float) -> Any:
        return np.where(rng.random(n) < right, y, 1 - y)

    model = rater(0.8)
    if kind == "copies of the model":
        raters = [np.where(rng.random(n) < 0.2, model, rater(0.8)) for _ in range(3)]
    else:
        count, right = {"3 of .8": (3, 0.8), "5 of .7": (5, 0.7), "2 of .8": (2, 0.8)}[kind]
        raters = [rater(right) for _ in range(count)]
    return y, {**{f"rater {k}": one for k, one in enumerate(raters)}, "model": model}


PANELS = ("3 of .8", "5 of .7", "2 of .8", "copies of the model")


def against_raters(kind: str, draws: int, seed: int = 0, n: int = 1000) -> tuple[float, float, float]:
    """Return the bias of F1 against the truth behind raters, and how often it is covered and doubted."""
    rng, true = np.random.default_rng(seed), 0.32 / (0.32 + 0.1)  # F1 = tp / (tp + (fp + fn) / 2) of a rater that is right in .8
    bias = covered = doubted = 0.0
    for _ in range(draws):
        truth = ix.agreement(panel(kind, rng, n)[1]).latent_truth()
        found = truth.evaluation("model").interval("f1")
        bias, covered = bias + (found.value - true) / draws, covered + (found.low <= true <= found.high) / draws
        doubted += any("Some raters err together" in note for note in truth.notes) / draws
    return bias, covered, doubted


def lines(part: str, draws: int) -> Iterator[str]:
    """Yield the table of one part, line by line."""
    if part == "expected":
        yield f"{'world':24}{'way':22}{'reference':>10}  " + "".join(f"{name:>16}" for name in SCORES)
        for name, world in WORLDS.items():
            for way in WAYS:
                for size in (500, 2000) if way != "probabilities" else (0,):
                    found = coverage(world, way, size, draws)
                    yield f"{name:24}{way:22}{size:10,}  " + "".join(f"{c:10.1%} {w:.3f}" for c, w in found.values())
    elif part == "plans":
        yield f"{'prevalence':12}{'probabilities':16}{'budget':>7}  " + "".join(f"{name:>16}" for name in SCORES)
        for prevalence in START:
            for guess in GUESSES:
                for budget in (100, 200):
                    gain = gains(prevalence, guess, budget, draws)
                    cells = "".join(f"{gain.ratio[name]:9.2f} {gain.covered[name]:6.1%}" for name in SCORES)
                    yield f"{prevalence:<12}{guess:16}{budget:7,}  {cells}"
    else:
        yield f"{'raters':24}{'bias of F1':>12}{'coverage':>12}{'doubted':>12}"
        for kind in PANELS:
            bias, covered, doubted = against_raters(kind, draws)
            yield f"{kind:24}{bias:12.3f}{covered:12.1%}{doubted:12.1%}"


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unlabeled", description=__doc__)
    parser.add_argument("parts", nargs="*", default=["expected", "plans", "raters"])
    parser.add_argument("--draws", type=int, default=2000)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    for part in given.parts:
        for line in lines(part, given.draws):
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
