"""One-vs-one: which class of a pair is positive, and which examples a pair is judged on (sec:ovo)."""

from __future__ import annotations

import indicatrix as ix

from ..record import Record, experiment


@experiment("B11", "The encoding of pairs")
def pairwise_encoding(record: Record) -> None:
    """Judge one pair of classes in both directions, with examples of a third class."""
    truth = ["a", "a", "a", "b", "c", "c"]
    votes = ["a", "a", "b", "b", "a", "b"]
    pair, turned = (ix.tasks.one_vs_one(truth, {p: votes}, classes=["a", "b", "c"]).pairs for p in (("a", "b"), ("b", "a")))
    rows = [
        [name, *(float(ev.score(x, "micro")) for x in ("precision", "recall", "accuracy"))]
        for name, ev in (("a", pair), ("b", turned))
    ]
    record.table("The pair of a and b", ["positive", "precision", "recall", "accuracy"], rows)
    record.finds(
        "which class is positive changes precision and recall, not accuracy",
        rows[0][1:3] != rows[1][1:3] and rows[0][3] == rows[1][3],
    )
    v = pair.aggregate()
    record.finds("ours: the first class of the pair is positive", (v.tp, v.fp, v.fn, v.tn) == (2, 0, 1, 1))
    record.holds("a pair is observed exactly for the examples that belong to one of its classes", v.n == 4)
    unmasked = ix.evaluate([int(y == "a") for y in truth], [int(z == "a") for z in votes])
    record.finds(
        "without the mask the pair would be charged for a third class",
        unmasked.score("precision") < pair.score("precision", "micro"),
    )
