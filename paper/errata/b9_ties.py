"""Ties: argmax of equal scores, and scores that equal the threshold (eq:argmax, eq:threshold)."""

from __future__ import annotations

import numpy as np

import indicatrix as ix

from ..record import Record, experiment


@experiment("B9", "Ties of scores")
def ties(record: Record) -> None:
    """Decide a row with two equal maxima and a score of exactly one half."""
    p = np.array([[0.4, 0.4, 0.2]])
    literal = (p == p.max(axis=1, keepdims=True)).astype(int)
    record.claim(
        "predicted classes of the scores 0.4, 0.4, 0.2 by eq:argmax",
        paper=1,
        ours=int(literal.sum()),
        pinned=2,
        differs="both maxima are argmax; the tie must be broken",
        errata="B9",
    )
    decided = ix.evaluate([0], p, decide="argmax").confusion
    record.finds("ours takes the lowest index", decided.tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]])
    labels, scores = [1, 0, 1, 0], np.array([0.9, 0.5, 0.5, 0.1])
    at_least, above = (ix.recall(labels, decision.astype(int)) for decision in (scores >= 0.5, scores > 0.5))
    record.finds("a score of 1/2: 'at least' (eq:threshold) and 'above' (the MAP rule) give different recalls", at_least != above)
    record.holds(
        "a score that equals the threshold is accepted (eq:threshold)", ix.recall(labels, scores, decide=0.5) == at_least
    )
