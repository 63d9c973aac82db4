"""Stratified folds: pooled and averaged values still differ where the denominator depends on predictions (sec:cv)."""

from __future__ import annotations

from fractions import Fraction

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words


@experiment("A13", "Pooled and averaged values of stratified folds")
def stratified_folds(record: Record) -> None:
    """Evaluate two folds with two positives and four negatives each, one perfect, one poor."""
    truth = [1, 1, 0, 0, 0, 0] * 2
    guess = [1, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 0]
    ev = ix.evaluate(truth, guess, by={"fold": [1] * 6 + [2] * 6})
    rows = []
    for name in ("precision", "f1", "jaccard", "npv", "recall", "specificity", "accuracy"):
        both = ev.folds(name)
        pooled, averaged = (Fraction(x).limit_denominator(1000) for x in (both.pooled, both.averaged))
        rows.append([words(name), pooled, averaged])
        of_predictions = name in ("precision", "f1", "jaccard", "npv")
        record.claim(
            f"{words(name)} averaged over folds, which the paper says is the pooled value",
            paper=pooled,
            ours=averaged,
            differs="its denominator depends on the predictions, so the folds weigh differently" if of_predictions else "",
            errata="A13" if of_predictions else "",
        )
    record.table("Two folds of the same size and class distribution", ["measure", "pooled", "averaged"], rows)
    precision = ev.folds("precision")
    record.holds(
        "the denominators as weights turn averaged into pooled precision",
        precision.weights is not None and precision.weights.tolist() == [2, 4] and precision.weighted == precision.pooled,
    )
