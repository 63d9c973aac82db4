"""Formulas that nobody declared.

What is derived from them against brute force, and what is done with them.

``python -m fuzz.own_formulas 2000`` derives the range and the direction of random formulas and compares them with all counts up
to 8; ``python -m fuzz.own_formulas 20 --sizes`` simulates the size of the paired test that each of them gets.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any

import numpy as np

import indicatrix as ix

CELLS, MOST = ("tp", "fp", "fn", "tn"), 8
RATES = (
    "tp/(tp+fn)",
    "tn/(tn+fp)",
    "fp/(tn+fp)",
    "fn/(tp+fn)",
    "tp/(tp+fp)",
    "fp/(tp+fp)",
    "tn/(tn+fn)",
    "(tp+tn)/n",
    "(fp+fn)/n",
)
NUMBERS = ("2", "3", "5", "0.25", "0.5", "10", "1/3", "0.1")
TOLERANCE = 1e-9


def linear(rng: random.Random, names: tuple[str, ...] = CELLS, signs: str = "+-") -> str:
    """Return a weighted sum of some cells."""
    chosen = rng.sample(names, rng.randint(1, len(names)))
    terms = [f"{rng.choice((*NUMBERS, '1'))}*{name}" for name in chosen]
    return "".join(f" {rng.choice(signs)} {term}" for term in terms).removeprefix(" + ").strip()


def positive(rng: random.Random) -> str:
    """Return a weighted sum that is never negative."""
    return linear(rng, signs="+")


def rate(rng: random.Random) -> str:
    """Return a rate, or what is left of it to 1."""
    chosen = rng.choice(RATES)
    return chosen if rng.random() < 0.8 else f"(1 - {chosen})"


def cost(rng: random.Random) -> str:
    """Return the costs of errors, in all or of one example."""
    text = f"{rng.choice(NUMBERS)}*fn + {rng.choice(NUMBERS)}*fp"
    return rng.choice((text, f"({text})/n", f"-({text})", f"{text} - {rng.choice(NUMBERS)}*tp"))


FAMILIES: dict[str, Callable[[random.Random], str]] = {
    "linear": linear,
    "cost": cost,
    "ratio": lambda rng: f"({linear(rng)})/({positive(rng)})",
    "share": lambda rng: f"({positive(rng)})/n",
    "pole": lambda rng: f"({positive(rng)})/({linear(rng)})",
    "mean of rates": lambda rng: f"({rate(rng)} + {rng.choice(NUMBERS)}*{rate(rng)})/2",
    "difference of rates": lambda rng: f"{rate(rng)} - {rng.choice(NUMBERS)}*({rate(rng)})",
    "product": lambda rng: f"({rate(rng)})*({rate(rng)})",
    "quotient": lambda rng: f"({rate(rng)})/({rate(rng)})",
    "root": lambda rng: f"sqrt(({rate(rng)})*({rate(rng)}))",
    "root of counts": lambda rng: f"sqrt({positive(rng)})",
    "power": lambda rng: f"({rate(rng)})**{rng.choice(('2', '3', '0.5', '1.5'))}",
    "logarithm": lambda rng: f"log({rate(rng)} + {rng.choice(NUMBERS)})",
    "exponential": lambda rng: f"exp(-({cost(rng)})/n)",
    "least": lambda rng: f"min({rate(rng)}, {rate(rng)})",
    "largest": lambda rng: f"max({rate(rng)}, {rate(rng)}, {rng.choice(NUMBERS)})",
    "distance": lambda rng: f"abs({linear(rng)})/n",
    "smoothed": lambda rng: f"({positive(rng)} + 1)/({positive(rng)} + 2)",
    "correlation": lambda rng: f"(tp*tn - fp*fn)/sqrt((tp+fp)*(tp+fn)*(tn+fp)*(tn+fn)) - {rng.choice(NUMBERS)}*{rate(rng)}",
    "negated": lambda rng: f"-({rate(rng)})",
    "inverse": lambda rng: f"1/({positive(rng)} + 1)",
}


def formulas(seed: int) -> Iterator[tuple[str, str]]:
    """Yield the family and the text of random formulas without end; a seed gives the same ones again."""
    rng = random.Random(seed)
    while True:
        for family, make in FAMILIES.items():
            yield family, make(rng)


@cache
def all_counts() -> Any:
    """Return all count vectors up to 8."""
    return np.array([*product(range(MOST + 1), repeat=4)], np.float64)


@cache
def corrections() -> tuple[Any, Any]:
    """Return the places of all pairs of which the second has errors of the first corrected."""
    v = all_counts().astype(int)
    first, second = list[Any](), list[Any]()
    sizes = [v[:, 0] + v[:, 2], v[:, 1] + v[:, 3]]
    for tpos, tneg in product(range(2 * MOST + 1), repeat=2):
        at = np.flatnonzero((sizes[0] == tpos) & (sizes[1] == tneg))
        i, j = (x.ravel() for x in np.meshgrid(at, at, indexing="ij"))
        better = (v[j, 0] >= v[i, 0]) & (v[j, 3] >= v[i, 3]) & (i != j)
        first.append(i[better])
        second.append(j[better])
    return np.concatenate(first), np.concatenate(second)


@dataclass
class Found:
    """What brute force shows of a formula."""

    values: Any
    rises: bool  # some correction raises it
    falls: bool

    @property
    def better(self) -> str:
        """The direction that all counts up to 8 show."""
        return {(True, False): "higher", (False, True): "lower", (False, False): "neither", (True, True): "unknown"}[
            self.rises, self.falls
        ]


def brute_force(measure: Any) -> Found:
    """Return the values at all counts up to 8, and what corrections do there."""
    values = np.asarray(measure.values(ix.Counts(*all_counts().T, per=("unit",))), np.float64)
    i, j = corrections()
    old, new = values[i], values[j]
    known = np.isfinite(old) & np.isfinite(new)
    size = np.maximum(1, np.maximum(abs(old), abs(new)))
    gain = np.where(known, np.where(known, new, 0) - np.where(known, old, 0), 0) / np.where(known, size, 1)
    return Found(values[np.isfinite(values)], bool((gain > TOLERANCE).any()), bool((gain < -TOLERANCE).any()))


@dataclass
class Tally:
    """What a run has found."""

    formulas: int = 0
    monotone: int = 0
    unknown: int = 0  # of the monotone ones
    ends: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [
            f"{self.formulas} formulas; {self.monotone} are monotone for all counts up to {MOST}, and of {self.unknown} of these "
            f"({self.unknown / max(self.monotone, 1):.1%}) the direction is unknown",
            *(f"  {count:>6}  {name}" for name, count in sorted(self.ends.items())),
            f"{len(self.wrong)} wrong",
            *self.wrong,
        ]
        return "\n".join(lines)


def check(number: int, seed: int) -> Tally:
    """Return how the range and the direction of random formulas compare with brute force."""
    tally = Tally()
    for (family, text), _ in zip(formulas(seed), range(number), strict=False):
        measure = ix.measure(text)
        found = brute_force(measure)
        tally.formulas += 1
        low, high = measure.range
        slack = TOLERANCE * (1 + abs(found.values))
        if ((found.values < low - slack) | (found.values > high + slack)).any():
            tally.wrong.append(f"{family}: {text} has values outside of {measure.range}")
        tally.ends.update(_describe(end, found.values) for end in (low, high))
        if found.better != "unknown" and len(found.values):
            tally.monotone += 1
            tally.unknown += measure.better == "unknown"
        if measure.better != "unknown" and measure.better != found.better and found.better != "neither":
            tally.wrong.append(f"{family}: {text} is {measure.better}, and brute force shows {found.better}")
    return tally


def _describe(end: float, values: Any) -> str:
    if math.isinf(end):
        return "ends without a bound"
    reached = len(values) and (abs(values - end) <= TOLERANCE * (1 + abs(end))).any()
    return "ends that counts up to 8 reach" if reached else "ends beyond what counts up to 8 reach"


def size_of_test(text: str, samples: int, seed: int, n: int = 200) -> tuple[float, float, str]:
    """Return how often the default test and permutation find a difference of two alike classifiers."""
    rng = np.random.default_rng(seed)
    own = exchanged = 0
    method = ""
    for _ in range(samples):
        y = (rng.random(n) < 0.3).astype(int)
        two = {name: np.where(rng.random(n) < 0.75, y, 1 - y) for name in "ab"}
        found = ix.compare(y, two, text, "binary").differences[0]
        own += found.clear
        exchanged += ix.compare(y, two, text, "binary", method="permutation").differences[0].p < 0.05
        method = found.method
    return own / samples, exchanged / samples, method


def main(arguments: list[str] | None = None) -> int:
    """Run the command line, and return its exit code: 1 if something that was derived is wrong."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.own_formulas", description=sys.modules[__name__].__doc__)
    parser.add_argument("number", type=int, nargs="?", default=2000, help="how many formulas (2000)")
    parser.add_argument("--seed", type=int, default=0, help="what formulas are drawn from (0)")
    parser.add_argument("--sizes", action="store_true", help="the sizes of paired tests instead")
    parser.add_argument("--samples", type=int, default=200, help="how many samples each size is from (200)")
    options = parser.parse_args(arguments)
    if not options.sizes:
        tally = check(options.number, options.seed)
        print(f"seed {options.seed}: {tally}")
        return int(bool(tally.wrong))
    far = 0
    for (family, text), _ in zip(formulas(options.seed), range(options.number), strict=False):
        own, exchanged, method = size_of_test(text, options.samples, options.seed)
        far += abs(own - exchanged) > 0.03
        print(f"{own:.3f} ({method}) {exchanged:.3f} (permutation)  {family}: {text}", flush=True)
    print(f"{far} of {options.number} are more than .03 from permutation's size")
    return int(bool(far))


if __name__ == "__main__":
    sys.exit(main())
