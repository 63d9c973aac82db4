"""Closed thresholds exist beyond constant coefficients (sec:consistency).

Macro averages of linear measures keep theirs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

SEED = 29


@experiment("C10", "Which measures have a closed threshold")
def closed_thresholds(record: Record) -> None:
    """Find the best decisions in populations of random probabilities, binary and of three labels."""
    eta = np.random.default_rng(SEED).random((60, 3)) * [0.2, 0.6, 1.0]
    record.note(f"60 random points with three labels of different prevalence, seed {SEED}.")
    for name in ("balanced_accuracy", "informedness"):
        found = ix.properties(name)
        record.holds(
            f"{words(name)} has no closed threshold, as it does not have a linear numerator over a fixed denominator",
            ours=found.threshold is None,
            differs="its coefficients depend on the prevalence, not on the predictions: t* is the prevalence",
            errata="C10",
        )
        decided = [ix.theory.optimal_threshold(name, column).decisions for column in eta.T]
        at_prevalence = [column >= column.mean() for column in eta.T]
        record.finds(f"{words(name)}: thresholding at the prevalence is best", np.array_equal(decided, at_prevalence))
        macro = ix.theory.optimal_threshold(name, eta, average="macro").decisions
        record.finds(
            f"macro {words(name)}: thresholding at the prevalence of each label is best",
            np.array_equal(macro, eta >= eta.mean(axis=0)),
        )
    linear = ["accuracy", "net_benefit(p_t=0.2)", "linear_utility(alpha=0, beta=1, gamma=5, delta=0)"]
    rows, tuned = [], []
    for name in linear:
        threshold: Any = ix.properties(name).threshold
        same = eta >= float(threshold)
        agree = [
            np.array_equal(ix.theory.optimal_threshold(name, eta, average=a).decisions, same)
            for a in ("micro", "macro", "exemplar")
        ]
        rows.append([words(name), threshold, *agree])
        tuned.append(not agree[1])
    record.table("Is one threshold best for all labels?", ["measure", "t*", "micro", "macro", "exemplar"], rows)
    record.holds(
        "macro averages of linear measures need a threshold for each class",
        ours=any(tuned),
        differs="every label keeps the threshold t*: a weight of the class does not change where its gain is positive",
        errata="C10",
    )
    record.holds(
        "exemplar accuracy couples the labels of an example",
        ours=not rows[0][-1],
        differs="all examples have the same denominator m: each label is decided at 1/2",
        errata="C10",
    )
    each: Any = ix.theory.optimal_threshold("f1", eta, average="macro").threshold
    record.holds("macro F1, which is not linear, does need one for each label", len({round(t, 6) for t in each}) == 3)
