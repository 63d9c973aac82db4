"""Stratified folds do not make pooled and averaged values equal (sec:cv).

They still differ if the denominator depends on the predictions.
"""

from __future__ import annotations

from fractions import Fraction

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

OF_PREDICTIONS = {"precision": "5/8", "f1": "2/3", "jaccard": "3/5", "npv": "3/4"}  # averaged over the folds


@experiment("A13", "Pooled and averaged values of stratified folds")
def stratified_folds(record: Record) -> None:
    """Evaluate two folds with two positives and four negatives each, one perfect, one poor."""
    truth = [1, 1, 0, 0, 0, 0] * 2
    guess = [1, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 0]
    ev = ix.evaluate(truth, guess, by={"fold": [1] * 6 + [2] * 6})
    rows = []
    for name in (*OF_PREDICTIONS, "recall", "specificity", "accuracy"):
        both = ev.folds(name)
        pooled, averaged = (Fraction(x).limit_denominator(1000) for x in (both.pooled, both.averaged))
        rows.append([words(name), pooled, averaged])
        record.claim(
            f"{words(name)} averaged over folds, which the paper says is the pooled value",
            paper=pooled,
            ours=averaged,
            differs="its denominator depends on the predictions, so the folds weigh differently"
            if name in OF_PREDICTIONS
            else "",
            pinned=OF_PREDICTIONS.get(name),
            errata="A13",
        )
    record.table("Two folds of the same size and class distribution", ["measure", "pooled", "averaged"], rows)
    precision = ev.folds("precision")
    record.holds(
        "the denominators as weights turn averaged into pooled precision",
        precision.weights is not None and precision.weights.tolist() == [2, 4] and precision.weighted == precision.pooled,
    )
