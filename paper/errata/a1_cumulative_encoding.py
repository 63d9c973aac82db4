"""With k >= j two ordered classes get the same row, and one column is constant (eq:cumulative)."""

from __future__ import annotations

import indicatrix as ix

from ..record import Record, experiment


@experiment("A1", "The cumulative encoding of ordered classes")
def cumulative_encoding(record: Record) -> None:
    """Encode four classes by I(k >= j) and by I(k > j), and compare errors with rank distances."""
    ranks, thresholds = [1, 2, 3, 4], [1, 2, 3]
    literal = [[int(k >= j) for j in thresholds] for k in ranks]
    ours = [ix.evaluate([k], [k], classes=ranks, ordinal="cumulative").aggregate("class").tp.tolist() for k in ranks]
    record.claim(
        "distinct rows of four ordered classes",
        paper=4,
        ours=len(set(map(tuple, literal))),
        differs="k >= j with j from 1 gives the classes m - 1 and m the same row",
        pinned=3,
        errata="A1",
    )
    defined = ix.evaluate(literal, literal).values("specificity")
    record.holds(
        "every column is a binary problem with positives and negatives",
        ours=all(value == value for value in defined),
        differs="all classes are at least the first: column 1 is constant, its specificity undefined",
        errata="A1",
    )
    record.table("Rows of the cumulative encoding", ["class", "k >= j", "k > j"], list(zip(ranks, literal, ours, strict=True)))
    record.finds("k > j gives four distinct rows", ours=len(set(map(tuple, ours))) == 4)

    truth, guess = [k for k in ranks for _ in ranks], ranks * 4  # every pair of a true and a predicted rank
    wrong = ix.evaluate(truth, guess, classes=ranks, ordinal="cumulative").aggregate()
    distance = sum(abs(k - g) for k, g in zip(truth, guess, strict=True))
    record.finds(
        "k > j: wrong entries are the sum of rank distances, so micro error is MAE/(m - 1)", wrong.fp + wrong.fn == distance
    )
