"""Abstention breaks the micro collapse unless rejection is a class (sec:abstention, sec:openset)."""

from __future__ import annotations

from fractions import Fraction

import indicatrix as ix

from ..record import Record, experiment


@experiment("B7", "Abstention and the micro collapse")
def abstention_collapse(record: Record) -> None:
    """Decline one example of five, as an empty row and as a class."""
    truth, guess = ["a", "b", "b", "c", "c"], ["a", "b", "a", "c", None]
    ev = ix.evaluate(truth, guess, missing="abstain")
    precision, recall = (ev.exact(name, "micro") for name in ("precision", "recall"))
    right, declined = 3, 1
    record.finds("micro precision is right/(n - declined)", precision == Fraction(right, ev.n - declined))
    record.finds("micro recall is right/n", recall == Fraction(right, ev.n))
    record.finds("with one empty row micro precision and recall differ: the theorem is for one-hot rows", precision != recall)
    record.finds("ours speaks of the collapse only where every row is one-hot", not ev.coinciding_scores().one_hot)

    opened = ix.evaluate(["a", "b", "x", "y"], ["a", "a", "unknown", "b"], known=["a", "b"])
    record.holds(
        "open set, rejection as the column of unknowns: precision = recall",
        opened.coinciding_scores().one_hot and opened.score("precision", "micro") == opened.score("recall", "micro"),
    )
    all_classes, known = opened.score("f1", "macro"), opened.only(["a", "b"]).score("f1", "macro")
    rows = [["known and unknown", float(all_classes)], ["known", float(known)]]
    record.table("Macro F1 of an open set", ["over classes", "value"], rows)
    record.finds("macro averages over m + 1 and over the m known classes differ; ours has both", all_classes != known)
