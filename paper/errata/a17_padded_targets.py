"""Padding narrow targets adds true negatives and undefined classes (sec:multioutput)."""

from __future__ import annotations

import numpy as np

import indicatrix as ix

from ..record import Record, experiment


@experiment("A17", "Padding targets with fewer classes")
def padded_targets(record: Record) -> None:
    """Evaluate a target of two and one of four classes side by side, padded to four and as they are."""
    truth = {"sex": ["f", "m", "f", "m"], "size": ["S", "M", "L", "XL"]}
    guess = {"sex": ["f", "f", "f", "m"], "size": ["S", "L", "L", "M"]}
    ragged = ix.evaluate(truth, guess, targets=True)

    def block(labels: list[str], classes: list[str]) -> list[list[int]]:
        return [[int(label == name) for name in classes] for label in labels]

    columns = {"sex": ["f", "m", "(none)", "(none)"], "size": ["S", "M", "L", "XL"]}
    padded = ix.evaluate(*(np.hstack([block(side[t], columns[t]) for t in columns]) for side in (truth, guess)))

    for measure, average, pinned in (("accuracy", "micro", "13/16"), ("specificity", "macro", "41/48")):
        record.claim(
            f"{average} {measure} of blocks padded to one width",
            paper=ragged.exact(measure, average),
            ours=padded.exact(measure, average),
            pinned=pinned,
            differs="the columns added count as true negatives",
            errata="A17",
        )
    record.holds(
        "every class of padded blocks has a recall",
        ours=padded.score("recall", "macro").undefined_units == (),
        differs="no example belongs to the added columns, so that their recall is undefined",
        errata="A17",
    )
    record.finds("ragged blocks have the classes of their targets and no more", len(ragged.classes) == 6)
    record.finds("micro F1, without true negatives, does not change", ragged.exact("f1", "micro") == padded.exact("f1", "micro"))
