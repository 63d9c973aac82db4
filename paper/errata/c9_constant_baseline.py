"""Neither of skew-invariance and a constant baseline implies the other (sec:skew)."""

from __future__ import annotations

from typing import Any

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words


@experiment("C9", "Skew-invariance and constant baselines")
def constant_baseline(record: Record) -> None:
    """Score random assignments of different sizes by recall and MCC, and skew a classifier."""
    import sympy

    prior, share, n = sympy.symbols("pi q n", positive=True)
    guessing: Any = ix.Counts(
        *(n * x for x in (prior * share, (1 - prior) * share, prior * (1 - share), (1 - prior) * (1 - share)))
    )
    known = {name: ix.properties(name) for name in ("recall", "mcc", "balanced_accuracy", "accuracy")}
    rows = [
        [words(name), p.skew_invariant, p.constant_baseline, str(sympy.simplify(ix.algebra.MEASURES[name](guessing)))]
        for name, p in known.items()
    ]
    header = ["measure", "skew-invariant", "constant baseline", "expected counts of guessing a share q, prior π"]
    record.table("All four combinations occur", header, rows)
    record.holds(
        "skew-invariance implies a constant baseline",
        ours=all(p.constant_baseline for p in known.values() if p.skew_invariant),
        differs="recall is skew-invariant, and guessing a share q of the examples has recall q",
        errata="C9",
    )
    record.finds("guessing a share q has recall q", sympy.simplify(ix.recall(guessing) - share) == 0)
    record.finds("guessing has MCC 0 for all shares and priors", sympy.simplify(ix.mcc(guessing)) == 0)
    once, twice = ix.Counts(8, 1, 2, 9), ix.Counts(16, 1, 4, 9)  # the same classifier, twice as many positives
    record.holds("MCC is not skew-invariant: twice as many positives change it", ix.mcc(once) != ix.mcc(twice))
    record.holds("recall is skew-invariant: twice as many positives leave it", ix.recall(once) == ix.recall(twice))
