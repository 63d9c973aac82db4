"""Exclusion can be gamed: who does not answer has no precision to lose (eq:undef_convention)."""

from __future__ import annotations

import indicatrix as ix

from ..record import Record, experiment


@experiment("B4", "Free abstention under exclusion")
def abstention_free(record: Record) -> None:
    """Compare a classifier with one that answers once, and correct a prediction under macro MCC."""
    truth = ["a", "b", "c", "a"]
    answers = ix.evaluate(truth, ["a", "b", "c", "b"], missing="abstain")
    silent = ix.evaluate(truth, ["a", None, None, None], classes=["a", "b", "c"], missing="abstain")
    scores = [ev.score("precision", "exemplar") for ev in (answers, silent)]
    zeros = [ev.score("precision", "exemplar", undefined=0) for ev in (answers, silent)]
    rows = [
        ["excluded", float(scores[0]), float(scores[1])],
        ["counted as 0", float(zeros[0]), float(zeros[1])],
        ["coverage", answers.coverage, silent.coverage],
    ]
    record.table(
        "Exemplar precision of answering four and of answering one", ["undefined", "three right of four", "one of one"], rows
    )
    record.finds(
        "answering one of four wins if undefined values are excluded, and loses if they count as 0",
        scores[1] > scores[0] and zeros[1] < zeros[0],
    )
    record.finds(
        "ours says how many examples are behind the score",
        scores[1].undefined_count == 3 and silent.coverage == 1 / 4,
    )
    before = ix.mcc([0, 0, 1], [2, 2, 1], classes=[0, 1, 2], average="macro")
    after = ix.mcc([0, 0, 1], [0, 2, 1], classes=[0, 1, 2], average="macro")
    record.holds(
        "macro MCC does not decrease when a prediction is corrected",
        ours=after >= before,
        differs="from 1, with one example of three right and two classes undefined, to 3/4 when they become defined",
        errata="B4",
    )
    record.finds(
        "macro MCC was 1 over one class of three, and the score names the other two",
        before == 1 and before.undefined_units == (0, 2),
    )
