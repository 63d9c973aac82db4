"""Print in how many cells any of the usual methods covers as aimed.

It is run by ``python -m benchmarks.coverage.any_method``.

The coverage of few different values moves in steps, and some scores of few examples vary in ways that no method knows. So the
share of cells in which the default lies between the limits has a bound: in how many does at least one of many methods?
Which one it is, nobody knows beforehand. Results go to a file as they are simulated, and a run goes on where it was.
"""

from __future__ import annotations

import csv
import os
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from .populations import CLASSES, ERRORS, PREVALENCES, Population, source_of
from .scores import SIZES, Set
from .simulation import DRAWS, WITHIN, coverage_by

FILE = Path(__file__).parent / "any_method.csv"
SIMULATIONS = 300
METHODS: dict[str, dict[str, Any]] = {
    "default": {"method": None},
    "percentile": {"method": "percentile", "draws": DRAWS},
    "bca": {"method": "bca", "draws": DRAWS},
    "studentized": {"method": "studentized", "draws": DRAWS},
    "delta": {"method": "delta"},
    "jeffreys": {"method": "jeffreys"},
    "wilson": {"method": "wilson"},
    "mid_p": {"method": "mid_p"},
}
OF_TWO, OF_SEVERAL = ("recall", "f1", "mcc"), ("accuracy", "macro f1", "weighted precision")


@dataclass(frozen=True)
class Tried:
    """How often the intervals of one score cover by each method; nan where a method does not fit."""

    population: str
    n: int
    score: str
    coverage: dict[str, float]

    def inside(self, methods: tuple[str, ...] = tuple(METHODS)) -> bool:
        """Return whether one of some methods covers as aimed."""
        return any(WITHIN[0] <= self.coverage[name] <= WITHIN[1] for name in methods)


def asked() -> list[tuple[Set, str]]:
    """Return the cells: scores of examples with one class each, of all populations and sizes."""
    found = []
    for m, prevalence, errors, n in product(CLASSES, PREVALENCES, ERRORS, SIZES):
        some = Set(Population("one class", m, prevalence, errors), n)
        found += [(some, name) for name in (OF_TWO if m == 2 else OF_SEVERAL)]
    return found


def try_all(cell: tuple[Set, str], simulations: int = SIMULATIONS, seed: int = 0) -> Tried:
    """Return how often the intervals of a score cover by each method, in the same samples."""
    (some, name), source = cell, source_of(cell[0].population)
    samples = source.draw(np.random.default_rng([seed, some.n, *str(some.population).encode()]), some.n, simulations)
    score = some.scores[name]
    truth = score.value(source.whole)
    found = {method: coverage_by(score, samples, truth, **options) for method, options in METHODS.items()}
    return Tried(str(some.population), some.n, name, found)


def read(path: Path = FILE) -> list[Tried]:
    """Return what a file has; nothing if it does not exist yet."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Tried(row["population"], int(row["n"]), row["score"], {name: float(row[name]) for name in METHODS})
            for row in csv.DictReader(file)
        ]


def append(path: Path, one: Tried) -> None:
    """Write one more cell to a file."""
    new, row = not path.exists(), asdict(one)
    row |= {name: round(x, 4) for name, x in row.pop("coverage").items()}
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*row], lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow(row)


def sentence(tried: list[Tried]) -> str:
    """Return in how many cells the default covers as aimed, and in how many any method does."""
    if not tried:
        return ""
    parts = []
    for name, own in (
        ("all", tried),
        *((f"those with {n:,} examples", [x for x in tried if x.n == n]) for n in sorted({x.n for x in tried})),
    ):
        alone = {method: np.mean([x.inside((method,)) for x in own]) for method in METHODS}
        others = max((m for m in METHODS if m != "default"), key=alone.__getitem__)
        parts.append(
            f"- Of {name}, {len(own)} cells: the default is inside in {alone['default']:.0%}, the next best method, "
            f"{others!r}, in {alone[others]:.0%}, and at least one of all in {np.mean([x.inside() for x in own]):.0%}."
        )
    return "\n".join(parts)


def main() -> None:
    """Simulate what the file does not have yet, and print the shares."""
    done = {(x.population, x.n, x.score) for x in read()}
    left = [cell for cell in asked() if (str(cell[0].population), cell[0].n, cell[1]) not in done]
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        for one in pool.imap_unordered(partial(try_all), left):
            append(FILE, one)
    print(sentence(read()))


if __name__ == "__main__":
    main()
