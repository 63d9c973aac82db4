"""False alarms of gates that are looked at after every batch, next to intervals for one look.

``python -m benchmarks.watching`` prints a table for docs/work/gates.md; ``--draws 200`` takes as many runs. The same seed gives
the same numbers. The limit of each gate is the true score, so that every alarm is false: after each of 1,000 batches of 10
examples the gate fails if its interval lies below the limit. An interval excludes the truth at no look unless the score is far
from it in standard deviations of a large sample; only those looks are computed.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import indicatrix as ix
from indicatrix.inference.intervals.confidence_sequence import level_at
from indicatrix.inference.stats.quantiles import normal

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


def misses(name: str, draws: int) -> dict[str, tuple[float, float]]:
    """Return for each way how often a run has a false alarm, and how often an interval misses at a look."""
    shares, measure, average = CASES[name]
    p = np.array(shares)
    p = p / p.sum()
    whole = evaluation(np.rint(p * 10**6).astype(int)).interval(measure, average)
    truth = whole.value
    sd = (whole.high - whole.low) / 2 / normal(LEVEL) * 1000
    n = BATCH * np.arange(1, LOOKS + 1)
    ways = {
        "sequential": np.array([normal(level_at(x, LEVEL)) if level_at(x, LEVEL) < 1 else 8.0 for x in n.tolist()]),
        None: np.full(LOOKS, normal(LEVEL)),
    }
    counted = {way: [0, 0] for way in ways}
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        tables = rng.multinomial(BATCH, p.ravel(), LOOKS).cumsum(axis=0).reshape(LOOKS, *p.shape)
        apart = values(tables, measure, average) - truth
        for way, far in ways.items():
            distances = apart * np.sqrt(n) / sd / far
            alarm = miss = False
            for at in np.flatnonzero(distances < -NEAR if way is None else np.abs(distances) > NEAR):
                if alarm or (miss and apart[at] > 0):
                    continue
                found = evaluation(tables[at]).interval(measure, average, level=LEVEL, method=way)
                alarm = alarm or found.high < truth
                miss = miss or not found.low <= truth <= found.high
            counted[way][0] += alarm
            counted[way][1] += miss
    return {way or "one look": (alarms / draws, missed / draws) for way, (alarms, missed) in counted.items()}


def main(draws: int) -> None:
    """Print the table."""
    print("| score | false alarms, gate | false alarms, intervals of one look | gate misses on either side |")
    print("|---|---|---|---|")
    for name in CASES:
        found = misses(name, draws)
        (alarms, missed), (naive, _) = found["sequential"], found["one look"]
        print(f"| {name} | {alarms:.3f} | {naive:.3f} | {missed:.3f} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2000)
    main(parser.parse_args().draws)
