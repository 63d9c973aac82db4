"""Exemplar averages of one column are not all the binary measure (tab:skew_settings)."""

from __future__ import annotations

import math

import numpy as np

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

COUNTS = (8, 1, 2, 9)  # tp, fp, fn, tn
SAME = ("recall", "specificity", "precision")
UNDEFINED = ("balanced_accuracy", "g_mean", "informedness", "mcc")
NO_VALUE = "an example is positive or negative, never both, so no example has a value"


@experiment("C22", "One column under three averages")
def one_column(record: Record) -> None:
    """Average measures of twenty examples of one label over entries, columns and examples."""
    truth, guess = (np.repeat(column, COUNTS)[:, None] for column in ([1, 0, 1, 0], [1, 1, 0, 0]))
    ev = ix.evaluate(truth, guess)
    rows = []
    for name in (*SAME, *UNDEFINED, "f1"):
        binary = ev.score(name)
        scores = {average: ev.score(name, average) for average in ("micro", "macro", "exemplar")}
        rows.append([words(name), float(binary), *map(float, scores.values())])
        pooled = scores["micro"] == scores["macro"] == binary
        record.holds(f"one column: micro and macro {words(name)} are the binary measure", pooled)
        if name in SAME:
            record.holds(f"one column: exemplar {words(name)} is the binary measure", scores["exemplar"] == binary)
        if name in UNDEFINED:
            record.holds(
                f"one column: exemplar {words(name)} is the binary measure",
                ours=scores["exemplar"] == binary,
                differs=NO_VALUE,
                errata="C22",
            )
            undefined = math.isnan(scores["exemplar"]) and scores["exemplar"].undefined_count == ev.n
            record.finds(f"one column: exemplar {words(name)} is undefined for every example", undefined)
    record.claim(
        "one column: exemplar F1, which the paper says is the binary measure",
        paper=ev.exact("f1"),
        ours=ev.exact("f1", "exemplar"),
        differs="true negatives are left out and every other example is 1 or 0: it is tp/(tp + fp + fn), the Jaccard index",
        pinned="8/11",
        errata="C22",
    )
    record.finds("one column: exemplar F1 is the binary Jaccard index", ev.exact("f1", "exemplar") == ev.exact("jaccard"))
    record.table("One column, (tp, fp, fn, tn) = (8, 1, 2, 9)", ["measure", "binary", "micro", "macro", "exemplar"], rows)
