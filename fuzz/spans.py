"""Random documents with spans, compared with nervaluate count by count.

``python -m fuzz.spans 500`` compares 500 sets of documents, in four readings of a match.
"""

from __future__ import annotations

import sys
from typing import Any

import nervaluate
import numpy as np

import indicatrix as ix

READINGS = {"strict": "strict", "exact": "exact", "partial": "partial", "type": "ent_type"}
COUNTS = ("correct", "incorrect", "partial", "missed", "spurious")
TYPES = ("A", "B", "C")
Span = tuple[int, int, str]


def random_spans(rng: np.random.Generator, near: list[Span] | None = None) -> list[Span]:
    """Return spans that do not overlap, in the order of positions: anywhere, or some near to given ones."""
    out: list[Span] = []
    at, reach = 0, int(rng.integers(1, 6))
    places = near if near is not None else _anywhere(rng)
    for start, end, kind in places:
        if rng.random() < 0.8:
            start = max(at, start + int(rng.integers(-reach, reach + 1)))
            at = max(start + 1, end + int(rng.integers(-reach, reach + 1)))
            out.append((start, at, kind if near is not None and rng.random() < 0.7 else str(rng.choice(TYPES))))
    return out


def _anywhere(rng: np.random.Generator) -> list[Span]:
    """Return places of spans of any length that touch or lie apart."""
    steps = rng.integers(1, 1 + rng.integers(2, 9), 2 * rng.integers(0, 9))
    bounds = np.cumsum(steps * (rng.random(len(steps)) < 0.8)).tolist()
    return [(a, b, TYPES[0]) for a, b in zip(bounds[::2], bounds[1::2], strict=True) if a < b]


def random_documents(seed: int) -> tuple[list[list[Span]], list[list[Span]]]:
    """Return true and predicted spans of three documents; some predictions ignore the true spans."""
    rng = np.random.default_rng(seed)
    true = [random_spans(rng) for _ in range(3)]
    return true, [random_spans(rng, row if rng.random() < 0.5 else None) for row in true]


def counts_of_nervaluate(true: list[list[Span]], pred: list[list[Span]]) -> dict[str, dict[str, Any]]:
    """Return the five counts, precision and recall of each reading; nervaluate's ends are inclusive."""
    sides = ([[{"label": t, "start": a, "end": b - 1} for a, b, t in row] for row in side] for side in (true, pred))
    found = nervaluate.Evaluator(*sides, tags=list(TYPES), loader="dict").evaluate()["overall"]
    return {
        ours: {"counts": [getattr(found[theirs], x) for x in COUNTS], "scores": (found[theirs].precision, found[theirs].recall)}
        for ours, theirs in READINGS.items()
    }


def compare(seed: int) -> dict[str, bool]:
    """Return for each reading whether all counts and both scores are the same; none has fewer right."""
    true, pred = random_documents(seed)
    theirs, same = counts_of_nervaluate(true, pred), {}
    for match in READINGS:
        ev = ix.spans(true, pred, match=match, outcomes=True)
        scores = [float(ev.score(name, "micro", undefined=0)) for name in ("precision", "recall")]
        equal = [*ix.tasks.span_outcomes(ev).values()] == theirs[match]["counts"]
        same[match] = equal and bool(np.allclose(scores, theirs[match]["scores"]))
        assert ix.tasks.span_outcomes(ev)["COR"] >= theirs[match]["counts"][0]  # no pairs are better
    return same


def main(sets: int) -> int:
    """Compare, and return how many sets differ where they should not."""
    found = [compare(seed) for seed in range(sets)]
    for match in READINGS:
        print(f"{match:8} {sum(one[match] for one in found)} of {sets} sets are the same")
    print("type differs where nervaluate gives a true span to a prediction although a later one needs it")
    return sum(not one[match] for one in found for match in READINGS if match != "type")


if __name__ == "__main__":
    sys.exit(min(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500), 1))
