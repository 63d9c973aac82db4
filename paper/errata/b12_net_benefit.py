"""Net benefit of several labels divides by all entries (sec:catalogue, Group 10).

As a cost it needs a gain for true positives.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import indicatrix as ix

from ..record import Record, experiment


@experiment("B12", "Net benefit under aggregation and as a cost")
def net_benefit(record: Record) -> None:
    """Pool three labels of four examples, and price binary predictions by the paper's cost matrix."""
    p_t = Fraction(1, 5)
    odds, measure = p_t / (1 - p_t), ix.net_benefit.at(p_t=p_t)
    ev = ix.evaluate([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]], [[1, 1, 1], [0, 1, 0], [1, 0, 0], [0, 0, 1]])
    pooled = ev.aggregate()
    record.claim(
        "micro net benefit of three labels",
        paper=(pooled.tp - odds * pooled.fp) / ev.n,
        ours=ev.exact(measure, "micro"),
        pinned="19/48",
        differs="Σ1(TP)/n divides entries by examples and can exceed 1; ours divides by all entries, nm",
        errata="B12",
    )
    record.finds("divided by n, a perfect prediction of these labels has net benefit 7/4, above 1", pooled.tpos / ev.n == 7 / 4)

    truth, guesses = [1, 1, 0, 0], {"treat one": [1, 0, 0, 0], "treat none": [0, 0, 0, 0]}
    charge = np.array([[0, float(odds)], [0, 0]])  # negatives first: only C[neg, pos] is set
    gain = charge + np.array([[0, 0], [0, -1]])

    def benefit(matrix: np.ndarray, guess: list[int]) -> float:
        y, yhat = np.eye(2)[truth], np.eye(2)[guess]
        return (0 - float(((y @ matrix) * yhat).sum())) / len(truth)

    ours = {name: float(measure(truth, guess)) for name, guess in guesses.items()}
    record.claim(
        "net benefit of treating one of two ill, by the cost matrix with C[neg, pos] alone",
        paper=benefit(charge, guesses["treat one"]),
        ours=ours["treat one"],
        pinned="1/4",
        differs="nothing is gained by a true positive: C[pos, pos] = -1 is needed, too",
        errata="B12",
    )
    record.finds(
        "with C[pos, pos] = -1 cost and net benefit agree", all(benefit(gain, g) == ours[name] for name, g in guesses.items())
    )
