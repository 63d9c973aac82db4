"""Print how often intervals cover the true score: ``python -m benchmarks.coverage``.

A population has a true score. Many samples are drawn from it; an interval at level 0.95 is honest if 95% of the samples have an
interval that covers the true score. With 2,000 samples a coverage is known to about ±0.01.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from multiprocessing import get_context
from statistics import NormalDist
from typing import Any

import numpy as np

import indicatrix as ix

LARGE = 400_000  # examples of a population that is known only by its examples
SKEW = 20  # the most frequent class of a skewed population has so many times the examples of the rarest
Draw = Callable[[np.random.Generator, int], Any]  # a sample of n examples: an evaluation, or a sweep


@dataclass(frozen=True)
class Case:
    """A score of samples of n examples from a population, and what its coverage should be."""

    kind: str
    population: str
    measure: str
    average: str | None
    n: int
    least: float  # the coverage at level 0.95 should lie between these
    most: float


@dataclass(frozen=True)
class Result:
    """The share of samples whose interval covers the true score."""

    case: Case
    coverage: float

    @property
    def as_promised(self) -> bool:
        """Whether the coverage is as it should be."""
        return self.case.least <= self.coverage <= self.case.most


# -- populations --------------------------------------------------------------------------------------------------------------
def shares(m: int, skewed: bool) -> Any:
    """Return the shares of classes: equal, or falling from 20 to 1 in equal steps of their logarithms."""
    x = np.geomspace(SKEW, 1, m) if skewed else np.ones(m)
    return x / x.sum()


def confusion_probabilities(own: Any, errors: Any) -> Any:
    """Return the probability of each pair of classes; errors go to the other classes by their shares."""
    others = np.tile(own, (len(own), 1))
    np.fill_diagonal(others, 0)
    table = others / others.sum(axis=1, keepdims=True) * errors[:, None]
    np.fill_diagonal(table, 1 - errors)
    return own[:, None] * table


def named_tables() -> dict[str, Callable[[], Any]]:
    """Return what makes each population with one class per example, by name."""
    found: dict[str, Callable[[], Any]] = {}
    for m in (3, 10):
        for skewed in (False, True):
            for name, errors in (("10-30% errors", np.linspace(0.1, 0.3, m)), ("2% errors", np.full(m, 0.02))):
                title = f"{m} classes, {'1:20' if skewed else 'balanced'}, {name}"
                found[title] = partial(confusion_probabilities, shares(m, skewed), errors)
    return found | {f"{m} classes at random": partial(_random_table, m) for m in (2, 4, 7)}


def _random_table(m: int) -> Any:
    """Return a population that no method was chosen on."""
    rng = np.random.default_rng(m)
    own = rng.dirichlet(np.full(m, 4.0))
    return own[:, None] * np.stack([rng.dirichlet(np.where(np.arange(m) == i, 6.0, 0.6)) for i in range(m)])


def label_matrices(m: int, skewed: bool, errors: float, seed: int) -> tuple[Any, Any]:
    """Return true and predicted labels of many rows; labels are correlated, hard rows have most errors."""
    rng = np.random.default_rng(seed)
    rates = 0.4 * shares(m, skewed) / shares(m, skewed).max()
    common = rng.normal(size=(LARGE, 1))
    latent = 0.6 * common + 0.8 * rng.normal(size=(LARGE, m))
    true = latent > [NormalDist().inv_cdf(1 - rate) for rate in rates]
    hard = rng.exponential(size=(LARGE, 1))
    missed = rng.random((LARGE, m)) < np.minimum(errors * hard, 1)
    invented = rng.random((LARGE, m)) < np.minimum(errors * hard * rates / (1 - rates), 1)
    return true, np.where(true, ~missed, invented)


def named_labels() -> dict[str, Callable[[], Any]]:
    """Return what makes each population with several labels per example, by name."""
    found: dict[str, Callable[[], Any]] = {}
    for m in (3, 10):
        for skewed in (False, True):
            for errors in (0.2, 0.02):
                title = f"{m} labels, {'1:20' if skewed else 'balanced'}, {errors:.0%} errors"
                found[title] = partial(label_matrices, m, skewed, errors, seed=m)
    found["5 labels, kinds of rows at random"] = partial(_random_labels, 5)
    return found


def _random_labels(m: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(4)
    kinds = rng.random((40, 2, m)) < rng.uniform(0.1, 0.7, m)  # forty kinds of rows, each with its truth and its prediction
    kinds[:30, 1] = kinds[:30, 0]
    drawn = rng.choice(40, LARGE, p=rng.dirichlet(np.ones(40)))
    return kinds[drawn, 0], kinds[drawn, 1]


def named_scores() -> dict[str, Callable[[], Any]]:
    """Return what makes each population of labels with scores, by name."""
    found: dict[str, Callable[[], Any]] = {}
    for rate, seed in ((1 / 2, 6), (1 / 21, 7)):
        for area, distance in ((0.80, 1.19), (0.98, 2.904)):
            found[f"normal, {rate:.0%} positives, AUC {area:.2f}"] = partial(_normal, rate, distance, seed)
        found[f"exponential, {rate:.0%} positives, AUC 0.80"] = partial(_exponential, rate, seed)
        found[f"ten ratings, {rate:.0%} positives"] = partial(_ratings, rate, seed)
    return found


def _labels(rate: float, seed: int) -> tuple[np.random.Generator, Any]:
    rng = np.random.default_rng(seed)
    return rng, rng.random(LARGE) < rate


def _normal(rate: float, distance: float, seed: int) -> tuple[Any, Any]:
    rng, y = _labels(rate, seed)
    return y, rng.normal(size=LARGE) + distance * y


def _exponential(rate: float, seed: int) -> tuple[Any, Any]:
    rng, y = _labels(rate, seed)
    return y, rng.exponential(size=LARGE) * np.where(y, 4, 1)


def _ratings(rate: float, seed: int) -> tuple[Any, Any]:
    rng, y = _labels(rate, seed)
    return y, rng.binomial(9, np.where(y, 0.65, 0.4)).astype(float)


@cache
def population(kind: str, name: str) -> Any:
    """Return a population: a table of probabilities, or the labels and predictions of many examples."""
    return {"one class": named_tables, "several labels": named_labels, "scores": named_scores}[kind]()[name]()


# -- cases --------------------------------------------------------------------------------------------------------------------
MULTICLASS = (("accuracy", "exact_match", None), ("macro f1", "f1", "macro"), ("macro mcc", "mcc", "macro"))
MULTICLASS += (("weighted f1", "f1", "weighted"),)
MULTILABEL = (("micro f1", "f1", "micro"), ("macro f1", "f1", "macro"), ("exemplar jaccard", "jaccard", "exemplar"))
AREAS = (("AUC", "auc", None), ("average precision", "average_precision", None))
SIZES = (50, 200, 1000)


def cases() -> Iterator[Case]:
    """Yield all cases."""
    for kind, populations, scores in (
        ("one class", named_tables(), MULTICLASS),
        ("several labels", named_labels(), MULTILABEL),
        ("scores", named_scores(), AREAS),
    ):
        for population in populations:
            for n in SIZES:
                for _, measure, average in scores:
                    yield Case(kind, population, measure, average, n, *_promise(kind, population, average, n))


def _promise(kind: str, population: str, average: str | None, n: int) -> tuple[float, float]:
    """Return between which values the coverage should lie; small samples are reported without a promise."""
    if n == 50 or (n == 200 and "at random" in population):
        return 0.0, 1.0
    if n == 200 and ("1:20" in population or " 5% positives" in population):
        return 0.93, 1.0
    return 0.93, 0.985 if (kind, average) == ("several labels", "macro") else 0.97


def measure_of(case: Case) -> Any:
    """Return the measure or the area of a case."""
    return ix.AREAS.get(case.measure, case.measure)


def sampler(case: Case) -> tuple[Draw, float]:
    """Return how samples are drawn from the population of a case, and its true score."""
    if case.kind == "one class":
        table = population(case.kind, case.population)
        whole = ix.from_confusion((table * 1e9).round().astype(int))
        return lambda rng, n: ix.from_confusion(rng.multinomial(n, table.ravel()).reshape(table.shape)), _truth(whole, case)
    if case.kind == "several labels":
        y, p = population(case.kind, case.population)

        def draw(rng: np.random.Generator, n: int) -> Any:
            rows = rng.integers(0, len(y), n)
            return ix.evaluate(y[rows], p[rows])

        return draw, _truth(ix.evaluate(y, p), case)
    y, s = population(case.kind, case.population)

    def draw_scores(rng: np.random.Generator, n: int) -> Any:
        rows = rng.integers(0, len(y), n)
        return ix.sweep(y[rows].astype(int), s[rows], classes=[0, 1])

    return draw_scores, _truth(ix.sweep(y.astype(int), s), case)


def _truth(whole: Any, case: Case) -> float:
    area = ix.AREAS.get(case.measure)
    return float(whole.score(case.measure, case.average) if area is None else area(whole))


def coverages(same: Sequence[Case], simulations: int, seed: int = 0) -> list[Result]:
    """Return how often the default intervals of some scores of the same samples cover the true scores."""
    drawn = [sampler(case) for case in same]
    draw, n = drawn[0][0], same[0].n
    rng = np.random.default_rng([seed, n, len(same[0].population)])
    covered, known = [0] * len(same), [0] * len(same)
    for _ in range(simulations):
        sample = draw(rng, n)
        for k, case in enumerate(same):
            found = ix.interval(sample, measure_of(case), case.average)
            if math.isfinite(found.width):  # a sample without positives has no AUC
                known[k] += 1
                covered[k] += drawn[k][1] in found
    return [Result(case, hits / all_of_them) for case, hits, all_of_them in zip(same, covered, known, strict=True)]


# -- the tables ----------------------------------------------------------------------------------------------------------------
def table(results: list[Result], kind: str, scores: Any) -> str:
    """Return the coverage of one kind of data as a Markdown table: in each cell, all sample sizes."""
    own = {(r.case.population, r.case.measure, r.case.average, r.case.n): r for r in results if r.case.kind == kind}
    sizes = sorted({n for *_, n in own})
    title = f"coverage at n = {' / '.join(map(str, sizes))}"
    lines = [f"| {title} | " + " | ".join(name for name, *_ in scores) + " |", "|---|" + "---|" * len(scores)]
    for population in dict.fromkeys(key[0] for key in own):
        cells = (" / ".join(_cell(own[population, measure, average, n]) for n in sizes) for _, measure, average in scores)
        lines.append(f"| {population} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(result: Result) -> str:
    text = f"{result.coverage:.3f}".removeprefix("0")
    return text if result.as_promised else f"**{text}**"


def _run(task: tuple[list[Case], int]) -> list[Result]:
    return coverages(*task)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Coverage of the default intervals at level 0.95.")
    parser.add_argument("--simulations", type=int, default=2000, help="samples of each case (2000)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--kind", choices=["one class", "several labels", "scores"], help="only this kind of data")
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="only these numbers of examples")
    given = parser.parse_args()
    chosen = [c for c in cases() if given.kind in (None, c.kind) and c.n in given.sizes]
    with get_context("spawn").Pool(given.jobs) as pool:
        tasks = [([*same], given.simulations) for _, same in groupby(chosen, lambda case: (case.kind, case.population, case.n))]
        results = [one for some in pool.map(_run, tasks, chunksize=1) for one in some]
    for kind, scores in (("one class", MULTICLASS), ("several labels", MULTILABEL), ("scores", AREAS)):
        if any(r.case.kind == kind for r in results):
            print(f"\n### {kind.capitalize()}\n\n{table(results, kind, scores)}")
    missed = [r for r in results if not r.as_promised]
    print(f"\n{len(results)} cases, {given.simulations} samples each; {len(missed)} outside of what is promised (bold).")


if __name__ == "__main__":
    main()
