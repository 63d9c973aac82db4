"""Print how often intervals of corrected scores cover the true one, and how wide they are.

``python -m benchmarks.corrected --draws 2000 --processes 8`` draws 2,000 samples of 2,000 rows from each population, of which
50, 100 or 300 have gold labels, and prints a line for each population and measure: the share of samples whose interval covers the
true value with the judge corrected, with the gold labels alone, and with the judge taken for the truth; the mean widths of the
first two; how many gold labels the judge makes of one; and below the rows of the documentation. 2,000 samples tell a share to
about ±0.01, 200 to ±0.03. Then it prints how often two classifiers that are equally good are found to differ, at the level 0.05.
Words name parts: ``"binary .5"``,
``"binary .1"``, ``classes``, ``labels``, ``pairs``; left out, all are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

import indicatrix as ix
from indicatrix.inference.estimators.of_evaluation import estimator_of

from .draws import arguments, generator, samples

N = 2000
GOLD = (50, 100, 300)
JUDGES = {"0.7": (0.7, 0.0), "0.8": (0.8, 0.0), "0.9": (0.9, 0.0), "0.95": (0.95, 0.0), "0.9, copies 30%": (0.9, 0.3)}
ONE_CLASS = [
    ("f1", "binary"),
    ("precision", "binary"),
    ("recall", "binary"),
    ("mcc", "binary"),
    ("accuracy", None),
    ("cohen_kappa", "binary"),
]
ALL_CLASSES = [("f1", "macro"), ("precision", "macro"), ("recall", "macro"), ("mcc", "macro"), ("accuracy", None)]
SETS = [("f1", "micro"), ("f1", "macro"), ("f1", "exemplar"), ("precision", "macro"), ("recall", "macro")]
Drawn = tuple[Any, Any, Any]


def labels_from(rng: np.random.Generator, truth: Any, right: Any, m: int) -> Any:
    """Return labels that are right with some probability, and otherwise one of the other classes."""
    other = (truth + rng.integers(1, m, truth.shape)) % m
    return np.where(rng.random(truth.shape) < right, truth, other)


def judged(rng: np.random.Generator, truth: Any, predicted: Any, judge: tuple[float, float], m: int) -> Any:
    """Return what a judge says: right with a probability, in a share of rows what was predicted."""
    own = labels_from(rng, truth, judge[0], m)
    return np.where(rng.random(truth.shape) < judge[1], predicted, own)


def binary(share: float) -> Callable[..., Drawn]:
    """Return how rows of two classes are drawn.

    Of frequent ones 84% are right, of rare ones 75%, and 94% of the others.
    """

    def draw(rng: np.random.Generator, n: int, judge: tuple[float, float]) -> Drawn:
        truth = (rng.random(n) < share).astype(int)
        right = 0.84 if share == 0.5 else np.where(truth == 1, 0.75, 0.94)
        predicted = labels_from(rng, truth, right, 2)
        return truth, predicted, judged(rng, truth, predicted, judge, 2)

    return draw


def classes(rng: np.random.Generator, n: int, judge: tuple[float, float]) -> Drawn:
    """Return rows of five classes, the most frequent of which has six times the rows of the rarest."""
    share = np.geomspace(6, 1, 5)
    truth = rng.choice(5, n, p=share / share.sum())
    predicted = labels_from(rng, truth, 0.8, 5)
    return truth, predicted, judged(rng, truth, predicted, judge, 5)


def labels(rng: np.random.Generator, n: int, judge: tuple[float, float]) -> Drawn:
    """Return rows with some of six labels, which have something in common.

    A judge sees each label by itself.
    """
    common = rng.normal(0, 1, (n, 1))
    truth = (common + rng.normal(0, 1, (n, 6)) > np.linspace(0, 1.5, 6)).astype(int)
    predicted = labels_from(rng, truth, 0.85, 2)
    return truth, predicted, judged(rng, truth, predicted, judge, 2)


POPULATIONS: dict[str, tuple[Callable[..., Drawn], list[tuple[str, Any]]]] = {
    "binary .5": (binary(0.5), ONE_CLASS),
    "binary .1": (binary(0.1), ONE_CLASS),
    "classes": (classes, ALL_CLASSES),
    "labels": (labels, SETS),
}


@cache
def true_values(name: str) -> dict[Any, float]:
    """Return the scores of very many rows, whose truth is known."""
    draw, scores = POPULATIONS[name]
    truth, predicted, _ = draw(np.random.default_rng(1), 4_000_000 if draw is not labels else 600_000, (0.9, 0.0))
    ev = ix.evaluate(truth, predicted)
    return {key: float(ev.score(*key)) for key in scores}


def with_gold(rng: np.random.Generator, truth: Any, k: int) -> Any:
    """Return the truth of k rows chosen at random, and nan of the others."""
    gold = np.full(truth.shape, np.nan)
    some = rng.choice(len(truth), k, replace=False)
    gold[some] = truth[some]
    return gold


def ends(ev: Any, key: tuple[str, Any]) -> tuple[float, float, float]:
    """Return the ends of an interval and the variance, without the notes."""
    score = ev.score(*key)
    estimator = estimator_of(ev, score.measure, score, None)
    low, high = estimator.center().ends(estimator.span, 0.95)
    return low, high, estimator.variance()


Cell = tuple[str, str, int]  # a population, a judge, and how many rows have gold labels


def of_scores(cell: Cell, number: int) -> list[list[float]]:
    """Return for each score of a sample which of three intervals cover, both widths and both variances."""
    name, judge, k = cell
    draw, scores = POPULATIONS[name]
    rng, true = generator(cell, number), true_values(name)
    truth, predicted, says = draw(rng, N, JUDGES[judge])
    gold = with_gold(rng, truth, k)
    corrected, alone = (ix.evaluate(judged, predicted, gold=gold) for judged in (says, None))
    naive = ix.evaluate(says, predicted)
    found = []
    for key in scores:
        (low, high, variance), (least, most, more), raw = ends(corrected, key), ends(alone, key), naive.interval(*key)
        covers = [a <= true[key] <= b for a, b in ((low, high), (least, most), (raw.low, raw.high))]
        found.append([*covers, high - low, most - least, variance, more])
    return found


def cells(name: str, draws: int, processes: int) -> Iterator[str]:
    """Yield a line for each judge, number of gold labels and measure of a population.

    Rows of the documentation follow.
    """
    true_values(name)
    rows: dict[int, list[Any]] = {k: [] for k in GOLD}
    for cell, found in samples(of_scores, [(name, judge, k) for judge in JUDGES for k in GOLD], draws, processes):
        for key, one in zip(POPULATIONS[name][1], found.transpose(1, 2, 0), strict=True):
            own, gold_only, raw = one[:3].mean(axis=1)
            width, wide = np.nanmean(one[3:5], axis=1)  # without a gold label of a class, its recall is not known
            variance, more = np.nanmedian(one[5:], axis=1)
            rows[cell[2]].append((own, gold_only, raw, more / variance, width / wide))
            measure = f"{key[1] or ''} {key[0]}".strip()
            yield (
                f"{name:10} {cell[1]:16} {cell[2]:4} {measure:18} {own:6.3f} {gold_only:6.3f} {raw:6.3f}  "
                f"{width:6.3f} {wide:6.3f}  {more / variance:5.2f}"
            )
    for k, some in rows.items():
        own, gold_only, raw, worth, narrower = np.array(some).T
        covers = " | ".join(f"{x.mean():.3f} ({x.min():.3f} to {x.max():.3f})" for x in (own, gold_only))
        ranges = " | ".join(f"{x.min():.{d}f} to {x.max():.{d}f}" for x, d in ((worth, 1), (narrower, 2)))
        yield f"| {name} | {k} | {covers} | {np.median(raw):.3f} | {ranges} |"


TESTED = ONE_CLASS[:4]


def of_pairs(cell: tuple[float, str, int], number: int) -> list[bool]:
    """Return for each score whether two classifiers that are equally good are found to differ."""
    share, judge, k = cell
    rng = generator(cell, number)
    truth, predicted, says = binary(share)(rng, N, JUDGES[judge])
    other = labels_from(rng, truth, 0.84 if share == 0.5 else np.where(truth == 1, 0.75, 0.94), 2)
    gold = with_gold(rng, truth, k)
    made = ix.compare(says, {"a": predicted, "b": other}, [name for name, _ in TESTED], "binary", gold=gold)
    return [one.clear for one in made.differences]


def pairs(draws: int, processes: int) -> Iterator[str]:
    """Yield how often two classifiers that are equally good are found to differ."""
    drawn = [(share, judge, k) for share in (0.5, 0.1) for judge in ("0.8", "0.95") for k in GOLD[1:]]
    for (share, judge, k), found in samples(of_pairs, drawn, draws, processes):
        for (score, _), clear in zip(TESTED, found.mean(axis=0), strict=True):
            yield f"{'pairs ' + str(share):10} {judge:16} {k:4} {score:18} {clear:6.3f}"


def main() -> None:
    """Print the lines that are asked for."""
    given = arguments("corrected", __doc__, [*POPULATIONS, "pairs"])
    for name in given.parts:
        numbers = (
            f"{'size':>6}"
            if name == "pairs"
            else f"{'corr.':>6} {'gold':>6} {'naive':>6}  {'width':>6} {'gold':>6}  {'worth':>5}"
        )
        print(f"{'':10} {'judge':16} {'gold':>4} {'measure':18} {numbers}")
        lines = pairs(given.draws, given.processes) if name == "pairs" else cells(name, given.draws, given.processes)
        for line in lines:
            print(line, flush=True)


if __name__ == "__main__":
    main()
