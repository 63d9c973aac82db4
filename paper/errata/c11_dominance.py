"""Dominance by all measures does not imply dominance in every cell (sec:dominance, prop:dof)."""

from __future__ import annotations

import indicatrix as ix

from ..record import Record, experiment

CONFUSION = [[5, 2, 1], [1, 5, 2], [2, 1, 5]]
TABLE = (  # tab:extensions
    "precision", "recall", "specificity", "f1", "jaccard", "error_rate", "accuracy", "balanced_accuracy", "g_mean", "mcc",
    "cohen_kappa",
)  # fmt: skip


@experiment("C11", "Dominance and degrees of freedom")
def dominance(record: Record) -> None:
    """Compare a confusion matrix with its transpose, and count independent scores."""
    a = ix.from_confusion(CONFUSION)
    b = ix.from_confusion(list(zip(*CONFUSION, strict=True)))
    found = a.dominates(b)
    names = [(measure, average) for measure in TABLE for average in ("micro", "macro")]
    record.finds(
        "the matrix and its transpose agree on every micro and macro score of tab:extensions", set(names) <= set(found.equal)
    )
    record.finds(
        "the matrix and its transpose agree on all per-class values of them",
        all((a.values(m) == b.values(m)).all() for m in TABLE),
    )
    record.holds(
        "A dominates B by all measures only if it does in every cell",
        ours=found.elementwise or not found.measurewise,
        differs="each dominates the other by all measures, and all errors differ: these see hits and predictions of a class only",
        errata="C11",
    )
    rows, ranks = [], []
    for m in (2, 3, 4, 5):
        matrix = [[10 if j == k else 3 for k in range(m)] for j in range(m)]
        count = ix.theory.redundant(["recall", "precision"], matrix, averages=["each class"])  # all scores are functions of these
        rows.append([m, count.degrees_of_freedom, count.rank])
        ranks.append(count.rank)
    record.table("How many scores can be independent", ["m", "bound m(m-1)", "scores of counts per class"], rows)
    record.claim(
        "degrees of freedom of micro and macro scores, m = 2, 3, 4, 5",
        paper=[m * (m - 1) for m in (2, 3, 4, 5)],
        ours=ranks,
        pinned=[2, 5, 7, 9],
        differs="m(m-1) is a bound; scores of hits and predictions per class have min(m(m-1), 2m-1) degrees of freedom",
        errata="C11",
    )
    three = [[8, 1, 1], [2, 6, 2], [1, 3, 6]]
    whole = ix.theory.redundant(TABLE, three, averages=["micro", "macro", "each class"])
    record.finds("three classes: all micro, macro and class values of the table together have rank 5", whole.rank == 5)
