"""False alarms of gates that are looked at after every batch, next to intervals for one look.

``python -m benchmarks.watching --processes 8`` prints the table of docs/work/gates.md; ``--draws 200`` takes as many
runs. The limit of each gate is the true score, so that every alarm is false: after each of 1,000 batches of 10 examples
the gate fails if its interval lies below the limit. An interval excludes the truth at no look unless the score is far from it in
standard deviations of a large sample; only those looks are computed.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import indicatrix as ix
from indicatrix.inference.intervals.interval import level_at
from indicatrix.inference.stats.quantiles import normal

from .draws import arguments, generator, samples

LOOKS, BATCH, LEVEL = 1000, 10, 0.95
NEAR = 0.8  # of the distance, in standard deviations, at which an interval of a large sample excludes the truth
EVEN = [[0.30, 0.02, 0.01], [0.02, 0.31, 0.02], [0.01, 0.02, 0.29]]
RARE = [[0.86, 0.04], [0.02, 0.08]]  # one example of ten is positive
CASES: dict[str, tuple[list[list[float]], str, Any]] = {
    "accuracy, 3 classes": (EVEN, "accuracy", None),
    "macro f1, 3 classes": (EVEN, "f1", "macro"),
    "recall, 10% positive": (RARE, "recall", "binary"),
    "f1, 10% positive": (RARE, "f1", "binary"),
    "mcc, 10% positive": (RARE, "mcc", "binary"),
}


def evaluation(table: Any) -> Any:
    """Return the evaluation of a confusion matrix."""
    return ix.from_confusion(table, positive=1)


def values(tables: np.ndarray, measure: str, average: Any) -> np.ndarray:
    """Return the score of each of several confusion matrices."""
    hits = np.diagonal(tables, axis1=1, axis2=2).astype(float)
    true, said, n = tables.sum(axis=2), tables.sum(axis=1), tables.sum(axis=(1, 2))
    if average is None:
        return np.asarray(hits.sum(axis=1) / n)
    keep = slice(None) if average == "macro" else slice(1, 2)
    counts = ix.Counts(
        hits,
        said - hits,
        true - hits,
        n[:, None] - said - true + hits,
        per=("look", "class"),
        names=(tuple(range(len(n))), tuple(range(hits.shape[1]))),
    )
    with np.errstate(all="ignore"):
        found = np.asarray(getattr(ix, measure).values(counts))[:, keep]
        return np.asarray(np.nanmean(found, axis=1)) if average == "macro" else found[:, 0]


@cache
def population(name: str) -> tuple[Any, float, float]:
    """Return the shares of the cells of a case, and its true score.

    Also the standard deviation of what one example adds.
    """
    shares, measure, average = CASES[name]
    p = np.array(shares)
    p = p / p.sum()
    whole = evaluation(np.rint(p * 10**6).astype(int)).interval(measure, average)
    return p, whole.value, (whole.high - whole.low) / 2 / normal(LEVEL) * 1000


@cache
def reach() -> dict[str | None, Any]:
    """Return how many standard deviations intervals have at each look, by their method."""
    levels = [level_at(x, LEVEL) for x in (BATCH * np.arange(1, LOOKS + 1)).tolist()]
    return {
        "sequential": np.array([normal(level) if level < 1 else 8.0 for level in levels]),
        None: np.full(LOOKS, normal(LEVEL)),
    }


def of_run(name: str, number: int) -> list[tuple[bool, bool]]:
    """Return for each way of a run whether it has a false alarm.

    Also whether an interval misses at a look.
    """
    _, measure, average = CASES[name]
    p, truth, sd = population(name)
    tables = generator(name, number).multinomial(BATCH, p.ravel(), LOOKS).cumsum(axis=0).reshape(LOOKS, *p.shape)
    apart, n = values(tables, measure, average) - truth, BATCH * np.arange(1, LOOKS + 1)
    found = []
    for way, far in reach().items():
        distances = apart * np.sqrt(n) / sd / far
        alarm = miss = False
        for at in np.flatnonzero(distances < -NEAR if way is None else np.abs(distances) > NEAR):
            if alarm or (miss and apart[at] > 0):
                continue
            ends = evaluation(tables[at]).interval(measure, average, level=LEVEL, method=way)
            alarm = alarm or ends.high < truth
            miss = miss or not ends.low <= truth <= ends.high
        found.append((alarm, miss))
    return found


def main() -> None:
    """Print the table."""
    given = arguments("watching", __doc__, list(CASES))
    print("| score | false alarms, gate | false alarms, intervals of one look | gate misses on either side |")
    print("|---|---|---|---|")
    for name, found in samples(of_run, given.parts, given.draws, given.processes):
        (alarms, missed), (naive, _) = found.mean(axis=0)
        print(f"| {name} | {alarms:.3f} | {naive:.3f} | {missed:.3f} |", flush=True)


if __name__ == "__main__":
    main()
