"""Simulate evaluations without labels.

``python -m benchmarks.unlabeled [expected] [shares] [plans] [raters] --draws 2000 --processes 8`` draws 2,000 samples of each
cell.

``expected``: how often intervals of expected scores cover the scores of the population, in worlds in which assumptions hold, and
in which they do not. ``shares``: the same at estimated shares of classes, of the rows of the reference and of others, and in
brackets with the shares taken as exact. ``plans``: the mean squared error of random labels, divided by that of a plan for F1 with
as many. ``raters``: a classifier against the truth behind raters who err independently, and behind raters who do not.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import indicatrix as ix

from .draws import arguments, generator, samples

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


@cache
def true_scores(world: str) -> dict[str, float]:
    """Return the scores of the population of new rows."""
    true = ix.evaluate(*WORLDS[world].rows(np.random.default_rng(1), LARGE, new=True), decide=0.5)
    return {name: float(true.score(name)) for name in SCORES}


def of_expected(cell: tuple[str, str, int, int], number: int) -> list[tuple[float, float]]:
    """Return for each score of a world whether its interval covers that of the population, and its width."""
    name, way, reference, n = cell
    rng, world, true = generator(cell, number), WORLDS[name], true_scores(name)
    known, (_, scores) = world.rows(rng, max(reference, 1), new=False), world.rows(rng, n, new=True)
    ev = ix.expected(scores, decide=0.5, **({**WAYS[way], "reference": known} if WAYS[way] or reference else {}))
    found = [ev.interval(name) for name in SCORES]
    return [(one.low <= true[name] <= one.high, one.high - one.low) for one, name in zip(found, SCORES, strict=True)]


OF_SHARES = ("f1", "precision", "recall", "mcc", "accuracy")


def of_classes(rng: Any, n: int, new: bool) -> Rows:
    """Return labels and probabilities of rows of four classes, equally frequent ones in the reference."""
    y, x = rng.choice(4, n, p=[0.1, 0.2, 0.3, 0.4] if new else [0.25] * 4), rng.normal(0, 1, (n, 4))
    x[np.arange(n), y] += 1.5
    return y, np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)


SHIFTED: dict[str, tuple[Callable[..., Rows], Any, Any]] = {  # how rows are drawn, their rule, and the average
    "none": (WORLDS["overconfident"].rows, 0.5, "binary"),
    "a quarter of the positives": (WORLDS["… and label shift"].rows, 0.5, "binary"),
    "four classes": (of_classes, "argmax", "macro"),
}


@cache
def scores_after(shift: str) -> list[float]:
    """Return the scores of the population of new rows."""
    draw, decide, average = SHIFTED[shift]
    true = ix.evaluate(*draw(np.random.default_rng(1), LARGE // 2, True), decide=decide)
    return [float(true.score(name, average if name != "accuracy" else None)) for name in OF_SHARES]


def of_shares(cell: tuple[str, str, int, int], number: int) -> list[tuple[bool, bool]]:
    """Return for each score at estimated shares whether its interval covers.

    The second answer is for the shares taken as exact.
    """
    shift, rows, size, n = cell
    rng, (draw, decide, average) = generator(cell, number), SHIFTED[shift]
    known, (_, scores) = draw(rng, size, False), draw(rng, n, True)
    shares = ix.inference.class_shares(scores, decide=decide, reference=known)
    ev = ix.evaluate(*(known if rows == "reference" else draw(rng, size, False)), decide=decide)
    moved, found = (ev.with_priors(shares), ev.with_priors(shares.priors)), []
    for name, true in zip(OF_SHARES, scores_after(shift), strict=True):
        both = [one.interval(name, average if name != "accuracy" else None) for one in moved]
        found.append((both[0].low <= true <= both[0].high, both[1].low <= true <= both[1].high))
    return found


GUESSES: dict[str, Callable[[Any, Any], Any]] = {
    "right": lambda x, rng: inverse(x),
    "overconfident": lambda x, rng: inverse(1.8 * x),
    "poor": lambda x, rng: inverse(0.5 * x + rng.normal(0, 1.0, len(x)) - 1.5),
}


START = {0.02: -5.6, 0.036: -4.9, 0.1: -3.4, 0.3: -1.3}  # mean log odds of populations with these shares of positives
CUT = {0.02: 0.2, 0.036: 0.25, 0.1: 0.4, 0.3: 0.5}


@cache
def population(prevalence: float, guess: str, n: int) -> tuple[Any, Any, Any, dict[str, float]]:
    """Return labels, predictions and guesses of the rows of which some are labeled, and the true scores."""
    rng = np.random.default_rng(0)
    x = rng.normal(0, 1.9, n) + START[prevalence]
    y, pred = (rng.random(n) < inverse(x)).astype(int), (inverse(x) >= CUT[prevalence]).astype(int)
    true = ix.evaluate(y, pred)
    return y, pred, GUESSES[guess](x, rng), {name: float(true.score(name)) for name in SCORES}


def of_plan(cell: tuple[float, str, int, int], number: int) -> list[tuple[float, float, bool]]:
    """Return for each score the squared errors of labels at random and of a plan for F1.

    Also whether the plan's interval covers.

    An undefined score counts as 0.
    """
    prevalence, guess, budget, n = cell
    y, pred, proba, true = population(prevalence, guess, n)
    plan = ix.plan_labels(pred, proba, budget=budget, measure="f1", seed=number)
    some = generator(cell, number).choice(n, budget, replace=False)
    planned, random = ix.evaluate(plan.gold(y[plan.rows]), pred, design=plan), ix.evaluate(y[some], pred[some])
    found = []
    for name in SCORES:
        own, plain = planned.interval(name), float(random.score(name))
        errors = [((x if np.isfinite(x) else 0.0) - true[name]) ** 2 for x in (plain, own.value)]
        found.append((errors[0], errors[1], own.low <= true[name] <= own.high))
    return found


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


def of_raters(cell: tuple[str, int], number: int) -> tuple[float, bool, bool, float]:
    """Return the error of F1 against the truth behind raters, and the interval's width.

    Also whether the error is covered and doubted.
    """
    kind, n = cell
    true = 0.32 / (0.32 + 0.1)  # F1 = tp / (tp + (fp + fn) / 2) of a rater that is right in .8
    truth = ix.agreement(panel(kind, generator(cell, number), n)[1]).latent_truth()
    found = truth.evaluation("model").interval("f1")
    doubted = any("Some raters err together" in note for note in truth.notes)
    return found.value - true, found.low <= true <= found.high, doubted, found.high - found.low


def expected_lines(draws: int, processes: int) -> Iterator[str]:
    """Yield the table of expected scores, line by line."""
    cells = [
        (world, way, size, 2000) for world in WORLDS for way in WAYS for size in ((500, 2000) if way != "probabilities" else (0,))
    ]
    for world in WORLDS:
        true_scores(world)
    yield f"| world | what is used | reference | {' | '.join(SCORES)} |\n|---|---|---|---|---|---|---|"
    for (world, way, size, _), found in samples(of_expected, cells, draws, processes):
        numbers = " | ".join(f"{100 * covered:.1f} ({width:.3f})" for covered, width in found.mean(axis=0))
        yield f"| {world} | {way} | {f'{size:,}' if size else '–'} | {numbers} |"


def share_lines(draws: int, processes: int) -> Iterator[str]:
    """Yield the table of scores at estimated shares, line by line."""
    yield f"| shift | rows | reference | unlabeled | {' | '.join(OF_SHARES)} |\n|---|---|---|---|---|---|---|---|---|"
    sizes = ((500, 2000), (2000, 500))
    cells = [(shift, rows, *size) for shift in SHIFTED for rows in ("reference", "others") for size in sizes]
    for shift in SHIFTED:
        scores_after(shift)
    for (shift, rows, size, n), found in samples(of_shares, cells, draws, processes):
        numbers = " | ".join(f"{100 * own:.1f} ({100 * exact:.1f})" for own, exact in found.mean(axis=0))
        yield f"| {shift} | {rows} | {size:,} | {n:,} | {numbers} |"


def plan_lines(draws: int, processes: int) -> Iterator[str]:
    """Yield the table of plans, line by line."""
    yield f"| share of positives | probabilities | labels | {' | '.join(SCORES)} |\n|---|---|---|---|---|---|---|"
    cells = [(share, guess, budget, 20_000) for share in START for guess in GUESSES for budget in (100, 200)]
    for (share, guess, budget, _), found in samples(of_plan, cells, draws, processes):
        numbers = " | ".join(f"{random / own:.1f} ({100 * covered:.1f})" for random, own, covered in found.mean(axis=0))
        yield f"| {share:.1%} | {guess} | {budget} | {numbers} |"


def rater_lines(draws: int, processes: int) -> Iterator[str]:
    """Yield the table of raters, line by line."""
    yield "| raters | bias of F1 | coverage | width | doubted |\n|---|---|---|---|---|"
    for (kind, _), found in samples(of_raters, [(kind, 1000) for kind in PANELS], draws, processes):
        error, covered, doubted, width = found.mean(axis=0)
        yield f"| {kind} | {error:.3f} | {covered:.1%} | {width:.3f} | {doubted:.1%} |"


PARTS = {"expected": expected_lines, "shares": share_lines, "plans": plan_lines, "raters": rater_lines}


def main() -> None:
    """Print the tables that are asked for."""
    given = arguments("unlabeled", __doc__, list(PARTS))
    warnings.simplefilter("ignore")
    for part in given.parts:
        for line in PARTS[part](given.draws, given.processes):
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
