"""Only the exemplar mean of subset accuracy is an accuracy (sec:catalogue, Group 1)."""

from __future__ import annotations

from functools import partial

import indicatrix as ix

from ..appendix import ENTRIES
from ..record import Record, experiment


@experiment("A7", "The three extensions of subset accuracy")
def subset_accuracy(record: Record) -> None:
    """Apply 1[tp = tpos, tn = tneg] to the counts of two examples, one of them wrong."""
    ev = ix.evaluate([[1, 0], [0, 1]], [[1, 0], [1, 0]])
    accuracy = ev.aggregate().tp / ev.n  # one label for each example: Σ1(TP)/n
    reason = "one wrong entry makes the value of all entries, or of its column, zero"
    values = {"micro": ix.subset_accuracy(ev.aggregate()), "macro": ix.subset_accuracy(ev.aggregate("class")).mean()}
    for average, value in values.items():
        what = f"{average} subset accuracy"
        record.claim(what, paper=accuracy, ours=float(value), differs=reason, pinned=0, errata="A7")
    record.claim(
        "exemplar subset accuracy, the share of right rows", paper=accuracy, ours=ev.score("subset_accuracy", "exemplar")
    )
    for average in ("micro", "macro"):
        record.refuses(f"ours refuses {average} subset accuracy", partial(ev.score, "subset_accuracy", average))
    alone = next(entry.alone for entry in ENTRIES if entry.name == "subset_accuracy")
    record.finds(
        "subset accuracy is skew-invariant, which the appendix does not mark (errata C1)",
        ix.properties(alone).skew_invariant,
    )
    record.finds("its exemplar mean is not: it moves with the prior", ix.properties("subset_accuracy").skew_invariant is False)
