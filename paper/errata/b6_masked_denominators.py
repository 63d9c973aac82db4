"""Under a mask accuracy has three averages, as columns and rows differ in size (sec:partial_labels)."""

from __future__ import annotations

from math import isclose

import numpy as np

import indicatrix as ix

from ..record import Record, experiment


@experiment("B6", "Masks and denominators")
def masked_denominators(record: Record) -> None:
    """Average the accuracy of four label sets, all entries observed and some."""
    truth = [[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]]
    guess = [[1, 1, 1], [0, 1, 0], [1, 0, 0], [0, 0, 0]]
    mask = [[1, 1, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]]
    full, masked = ix.evaluate(truth, guess), ix.evaluate(truth, guess, mask=mask)
    averages = ["micro", "macro", "exemplar"]
    all_observed, some_observed = ([float(ev.score("accuracy", a)) for a in averages] for ev in (full, masked))
    rows = [["all", *all_observed], ["some", *some_observed]]
    record.table("Accuracy by the entries observed", ["observed", *averages], rows)
    record.finds(
        "all entries observed: accuracy has one value under every average", len({round(x, 12) for x in all_observed}) == 1
    )
    record.finds("some entries observed: accuracy has three values", len({round(x, 12) for x in some_observed}) == 3)
    by_class, by_example = (masked.score("accuracy", average) for average in averages[1:])
    for what, score in {"column": by_class, "row": by_example}.items():
        lacking = np.isnan(score.values).sum() == 1 and score.undefined_units == ()
        record.finds(f"a {what} without observed entries has no value, and counts under no convention", lacking)
    v = masked.aggregate("class")
    recall = masked.values("recall")
    weighted = sum(w * r for w, r in zip(v.tpos[:2], recall[:2], strict=True)) / v.tpos[:2].sum()
    record.finds("prevalence weights count observed entries", isclose(masked.score("recall", "weighted"), weighted))
