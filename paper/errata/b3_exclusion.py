"""What is undefined if a measure has several denominators (eq:undef_convention)."""

from __future__ import annotations

from math import isclose, isinf, isnan

import numpy as np

import indicatrix as ix

from ..record import Record, experiment


@experiment("B3", "Exclusion beyond ratios of sums")
def exclusion(record: Record) -> None:
    """Average over classes where one never occurs, and over values where one is infinite."""
    ev = ix.evaluate([0, 0, 1], [0, 2, 1], classes=[0, 1, 2])  # class 2 is predicted, and never true
    rates = [ev.score(name, "macro") for name in ("recall", "specificity")]
    whole, parts = ev.score("balanced_accuracy", "macro"), sum(rates) / 2
    record.table(
        "Macro balanced accuracy where class 2 has no recall",
        ["reading", "value"],
        [
            ["a class with an undefined part is left out", float(whole)],
            ["each part is averaged where it is defined", float(parts)],
        ],
    )
    record.finds(
        "two readings of macro balanced accuracy differ: leaving out the class, or the undefined part only",
        not isclose(whole, parts),
    )
    record.finds("ours: an entry is undefined if any ratio in it is", whole.undefined_units == (2,) and whole == 0.875)
    ratios = ix.evaluate([0, 0, 1, 1], [0, 0, 1, 0], classes=[0, 1])
    values, score = ratios.values("lr_plus"), ratios.score("lr_plus", "macro")
    record.finds(
        "an infinite value is seen, and counts as undefined in averages",
        isinf(values[1]) and score == 2 and score.undefined_units == (1,),
    )
    nothing = ix.evaluate([0, 1], [None, None], classes=[0, 1], missing="abstain").score("precision", "macro")
    record.finds("an average over nothing is undefined", isnan(nothing))
    v, recall = ev.aggregate("class"), ev.values("recall")
    there = v.tpos > 0
    weighted = np.average(recall[there], weights=v.tpos[there])
    record.finds(
        "micro is the mean weighted by denominators over the defined classes", isclose(weighted, ev.score("recall", "micro"))
    )
    gap = ev.gap("recall")
    covariance = np.cov(v.tpos[there], recall[there], ddof=0)[0, 1] / v.tpos[there].mean()
    record.finds(
        "the gap of recall is the covariance over the defined classes, with their number for m",
        isclose(gap.gap, covariance) and gap.undefined_units == (2,),
    )
