"""Evaluate random problems until the time is up, and print what was compared and every difference.

See ``python -m fuzz --help``.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from .problem import draw
from .trial import Difference, compare, questions, shrink

ENOUGH = 5  # differences, after which a run stops


@dataclass
class Tally:
    """What a run has compared so far."""

    problems: int = 0
    inputs: Counter[str] = field(default_factory=Counter)  # problems of each form and container
    settings: Counter[str] = field(default_factory=Counter)  # problems with each setting
    asked: Counter[str] = field(default_factory=Counter)  # comparisons of each kind
    measures: Counter[str] = field(default_factory=Counter)  # comparisons of each measure
    conventions: Counter[str] = field(default_factory=Counter)
    found: list[Difference] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.problems:,} problems, {self.asked.total():,} comparisons, {len(self.measures)} measures"]
        for title in ("inputs", "settings", "conventions", "asked"):
            lines += [f"\n{title}", *(f"  {count:>9,}  {name}" for name, count in sorted(getattr(self, title).items()))]
        return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line, and return its exit code: 1 if something differs from its definition."""
    options = read_options(arguments)
    print(f"seed {options.seed}, {options.minutes:g} minutes", flush=True)
    tally = try_problems(
        options.seed, stop=time.monotonic() + 60 * options.minutes, problems=options.problems, first=options.first
    )
    print(tally)
    for difference in tally.found:
        print(f"\n{difference}")
    print(f"\n{len(tally.found) or 'no'} differences")
    return int(bool(tally.found))


def read_options(arguments: list[str] | None) -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=sys.modules["fuzz"].__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long to go on (10)")
    parser.add_argument("--seed", type=int, default=0, help="what problems are drawn from (0)")
    parser.add_argument("--problems", type=int, default=sys.maxsize, help="stop after so many problems")
    parser.add_argument("--first", type=int, default=0, help="the number of the first problem, to go on from there (0)")
    return parser.parse_args(arguments)


def try_problems(seed: int, *, stop: float, problems: int, first: int = 0) -> Tally:
    """Return what was compared until the time is up, or for so many problems.

    Problem k depends on the seed and k only.
    """
    tally = Tally()
    while tally.problems < problems and time.monotonic() < stop and len(tally.found) < ENOUGH:
        rng = random.Random(f"{seed} {first + tally.problems}")
        problem = draw(rng)
        tally.problems += 1
        tally.inputs.update({f"{problem.form}: {container}" for container in problem.containers})
        tally.settings.update(problem.settings or ["none"])
        for question in questions(problem, rng):
            tally.asked[question.kind] += 1
            if question.measure is not None:
                tally.measures[str(question.measure.name)] += 1
                tally.conventions[str(question.undefined)] += 1
            difference = compare(problem, question)
            if difference is not None:
                tally.found.append(shrink(difference))
                break  # one difference of a problem is enough
    return tally


if __name__ == "__main__":
    sys.exit(main())
