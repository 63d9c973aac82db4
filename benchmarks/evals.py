"""How often intervals of evaluation logs cover, and how often equal models are called different.

``python -m benchmarks.evals [names of designs] --draws 2000 --processes 8`` prints the tables of docs/work/language-models.md:
for each design the share of samples whose 95% interval covers the true score, next to that of the normal approximation (mean ±
1.96 standard errors over questions); and for two models that are equally good how often the test finds a difference.
``python -m benchmarks.evals exactly`` draws nothing: it prints where intervals of single answers cover as aimed, and any can.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import indicatrix as ix
from indicatrix.algebra.arrays import Array
from indicatrix.inference.stats.proportions import PROPORTIONS

from .coverage.possible import binomial, within_reach
from .draws import arguments, generator, samples

LEVEL, AIM = 0.95, (0.93, 0.97)
EXACTLY, SHARES, ONE_SIDE = "exactly", np.linspace(0.8, 0.99, 191), 0.04  # true shares; how often one end may miss
COVERAGE, ALARMS = "coverage", "false alarms"
Sample = tuple[Array, Array, Array | None, str, float]  # question, score, cluster of each question, measure, true score
Pair = tuple[Array, Array, Array, Array | None]  # question, scores of two models, cluster of each question
EASY_OR_HARD, EVEN = (0.4, 0.1), (1.0, 1.0)  # of difficulties: most questions are always right or always wrong; anywhere


def asked(rng: np.random.Generator, n: int, answers: int, shares: tuple[float, float]) -> tuple[Array, Array, Array]:
    """Return the questions of answers that are right or wrong, the answers, and how likely each is right."""
    likely = rng.beta(*shares, n)
    return np.repeat(np.arange(n), answers), (rng.random((n, answers)) < likely[:, None]).astype(float).ravel(), likely


def right_or_wrong(n: int, answers: int, shares: tuple[float, float], measure: str = "mean_score") -> Callable[[Any], Sample]:
    """Return a design of questions that are answered so often.

    ``shares`` are the parameters of their difficulties.
    """
    drawn = np.random.default_rng(0).beta(*shares, 10**6)
    k = int(measure.partition("k=")[2].rstrip(")") or 1)
    true = {"mean_score": drawn, "pass_at_k": 1 - (1 - drawn) ** k, "pass_hat_k": drawn**k}[measure.partition("(")[0]].mean()

    def sample(rng: np.random.Generator) -> Sample:
        questions, scores, _ = asked(rng, n, answers, shares)
        return questions, scores, None, measure, float(true)

    return sample


def passages(clusters: int, size: int) -> Callable[[Any], Sample]:
    """Return a design of passages with questions of their own, of which some are easier than others."""

    def sample(rng: np.random.Generator) -> Sample:
        likely = np.clip(np.repeat(rng.beta(3, 1.5, clusters), size), 0, 1)
        n = clusters * size
        return np.arange(n), (rng.random(n) < likely).astype(float), np.repeat(np.arange(clusters), size), "mean_score", 3 / 4.5

    return sample


def graded(n: int) -> Callable[[Any], Sample]:
    """Return a design of grades from 0 to 1, most of them high."""

    def sample(rng: np.random.Generator) -> Sample:
        return np.arange(n), rng.beta(4, 0.5, n), None, "mean_score", 4 / 4.5

    return sample


def graded_with_zeros(n: int) -> Callable[[Any], Sample]:
    """Return a design of grades about 0.9, of which 3% are 0."""

    def sample(rng: np.random.Generator) -> Sample:
        return np.arange(n), np.where(rng.random(n) < 0.03, 0.0, rng.beta(90, 10, n)), None, "mean_score", 0.97 * 0.9

    return sample


DESIGNS: dict[str, Callable[[Any], Sample]] = {
    "30 questions, right or wrong, 80% right": right_or_wrong(30, 1, (8, 2)),
    "30 questions, right or wrong, 97% right": right_or_wrong(30, 1, (97, 3)),
    "100 questions, right or wrong, 97% right": right_or_wrong(100, 1, (97, 3)),
    "300 questions, right or wrong, 80% right": right_or_wrong(300, 1, (8, 2)),
    "30 questions, 4 answers each": right_or_wrong(30, 4, EVEN),
    "30 questions, 4 answers each, easy or hard": right_or_wrong(30, 4, EASY_OR_HARD),
    "100 questions, 8 answers each": right_or_wrong(100, 8, EVEN),
    "30 questions, pass@3 of 5 answers": right_or_wrong(30, 5, EVEN, "pass_at_k(k=3)"),
    "100 questions, pass^3 of 5 answers": right_or_wrong(100, 5, EVEN, "pass_hat_k(k=3)"),
    "20 passages of 5 questions": passages(20, 5),
    "50 passages of 10 questions": passages(50, 10),
    "30 graded questions": graded(30),
    "100 graded questions": graded(100),
    "30 graded questions, 3% of them 0": graded_with_zeros(30),
}


def alike(n: int, answers: int, together: float) -> Callable[[Any], Pair]:
    """Return a design of two equal models.

    ``together`` is the share of questions that are as hard for both.
    """

    def sample(rng: np.random.Generator) -> Pair:
        one = rng.beta(2, 1, n)
        other = np.where(rng.random(n) < together, one, rng.beta(2, 1, n))
        scores = [(rng.random((n, answers)) < x[:, None]).astype(float).ravel() for x in (one, other)]
        return np.repeat(np.arange(n), answers), scores[0], scores[1], None

    return sample


def evalsig(clustered: bool) -> Callable[[Any], Pair]:
    """Return the design of evalsig's experiment 2.

    50 passages of 10 questions, which shift the difference by 0.08 and 0.05.
    """

    def sample(rng: np.random.Generator) -> Pair:
        number = np.repeat(np.arange(50), 10)
        one = rng.normal(0.65, 0.1, 500)
        other = one + rng.normal(0, 0.08, 50)[number] + rng.normal(0, 0.05, 500)
        return np.arange(500), one, other, number if clustered else None

    return sample


PAIRS: dict[str, Callable[[Any], Pair]] = {
    "30 questions, right or wrong": alike(30, 1, 0.7),
    "100 questions, right or wrong": alike(100, 1, 0.7),
    "300 questions, right or wrong": alike(300, 1, 0.7),
    "30 questions, 4 answers each": alike(30, 4, 0.7),
    "100 questions, 4 answers each": alike(100, 4, 0.7),
    "50 passages of 10 questions, as single questions": evalsig(False),
    "50 passages of 10 questions, clusters=": evalsig(True),
}


def covers(sample: Sample) -> tuple[bool, bool, float]:
    """Return whether the interval covers, whether the normal one does, and how wide the interval is."""
    questions, scores, clusters, measure, true = sample
    runs = ix.read_evals({"question": questions, "score": scores})
    found = runs.interval(measure, level=LEVEL, clusters=clusters)
    error = 1.96 * runs.variance(measure, clusters=clusters)["standard_error"]
    return found.low <= true <= found.high, abs(found.value - true) <= error, found.width


def finds(pair: Pair) -> bool:
    """Return whether the test finds a difference."""
    questions, one, other, number = pair
    table = {"question": [*questions] * 2, "score": np.append(one, other), "model": ["a"] * len(one) + ["b"] * len(other)}
    if number is not None:
        table["passage"] = [*number] * 2
    return ix.compare(ix.read_evals(table), clusters=None if number is None else "passage").differences[0].clear


def of_design(cell: tuple[str, str], number: int) -> tuple[float, ...]:
    """Return for one sample of a design what covers and how wide it is, or whether a difference is found."""
    kind, name = cell
    rng = generator(cell, number)
    return covers(DESIGNS[name](rng)) if kind == COVERAGE else (finds(PAIRS[name](rng)),)


def exactly(n: int) -> tuple[float, ...]:
    """Return for how many true shares an interval of a share of n can cover as aimed, of any method.

    Also if either end may miss in 4% of samples at most; for how many the mid-P interval does; and its mean and lowest coverage.
    """
    ends = np.array([PROPORTIONS["mid_p"](k, n, LEVEL) for k in range(n + 1)])
    covered = np.array([binomial(n, p)[(ends[:, 0] <= p) & (p <= ends[:, 1])].sum() for p in SHARES.tolist()])
    can = [[within_reach(n, 1 - p, AIM, most) for p in SHARES.tolist()] for most in (1.0, ONE_SIDE)]
    inside = (covered >= AIM[0]) & (covered <= AIM[1])
    return (*(float(np.mean(some)) for some in (*can, inside, covered)), float(covered.min()))


def main() -> None:
    """Print the tables."""
    given = arguments("evals", __doc__, [*dict.fromkeys([*DESIGNS, *PAIRS]), EXACTLY])
    for n in (10, 30, 100, 300) if EXACTLY in given.parts else ():
        print(f"| {EXACTLY} | {n} | " + " | ".join(f"{x:.3f}" for x in exactly(n)) + " |", flush=True)
    cells = [(kind, name) for kind, some in ((COVERAGE, DESIGNS), (ALARMS, PAIRS)) for name in some if name in given.parts]
    for (kind, name), found in samples(of_design, cells, given.draws, given.processes):
        print(f"| {kind} | {name} | " + " | ".join(f"{x:.3f}" for x in found.mean(axis=0)) + " |", flush=True)


if __name__ == "__main__":
    main()
