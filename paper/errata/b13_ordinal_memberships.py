"""Ordinal memberships do not sum to one (sec:ordinal_classification).

A perfect prediction need not score 1.
"""

from __future__ import annotations

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words


@experiment("B13", "Ordinal memberships of a perfect prediction")
def ordinal_memberships(record: Record) -> None:
    """Encode three ordered classes by linear decay and evaluate a perfect prediction under three t-norms."""
    classes = ["low", "mid", "high"]

    def perfect(tnorm: str, sides: str) -> ix.Evaluation:
        return ix.evaluate(classes, classes, classes=classes, ordinal=ix.ordinal("linear", sides=sides), tnorm=tnorm)

    memberships = ix.ordinal("linear").memberships(3)
    middle = [float(memberships[abs(1 - j)]) for j in range(3)]
    record.finds("memberships of the middle class sum to 2, not to 1", sum(middle) == 2)
    rows, one_sided = [], []
    for tnorm in ("product", "godel", "lukasiewicz"):
        both, true_only = perfect(tnorm, "both"), perfect(tnorm, "true")
        values = [float(ev.score(name, "micro")) for ev in (both, true_only) for name in ("precision", "recall")]
        rows.append([words(tnorm), *values])
        one_sided.append(values[3])
        lower = tnorm != "lukasiewicz"
        record.holds(
            f"precision and recall of a perfect prediction are 1, {words(tnorm)}, memberships on both sides",
            ours=values[:2] == [1, 1],
            differs="where a membership is not 0 or 1, some of it counts as wrong" if lower else "",
            errata="B13",
        )
    header = ["t-norm", "precision, both soft", "recall, both soft", "precision, true soft", "recall, true soft"]
    record.table("A perfect prediction of three ordered classes, linear decay", header, rows)
    record.finds("with memberships on the true side only, recall is below 1 under all three", max(one_sided) < 1)
