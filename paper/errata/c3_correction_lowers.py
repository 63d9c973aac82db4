"""A correction can lower an average that leaves out undefined values (prop:preserved)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

M = 3
FALL = ("mcc", "kappa", "markedness", "fowlkes_mallows")
MEASURES = (
    "precision", "recall", "specificity", "npv", "f1", "jaccard", "balanced_accuracy", "g_mean", "informedness", *FALL,
)  # fmt: skip
CONVENTIONS = ("exclude", 0, 1)
# Up to the order of examples and the names of classes these are all truths of at most four examples of three classes.
TRUTHS = ((0,), (0, 0), (0, 1), (0, 0, 0), (0, 0, 1), (0, 1, 2), (0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 1), (0, 0, 1, 2))


@experiment("C3", "Corrections under exclusion")
def correction_lowers(record: Record) -> None:
    """Correct a prediction; then try every correction of every prediction of up to four examples."""
    before = ix.evaluate([0, 0, 1], [2, 2, 1], classes=range(M))
    after = ix.evaluate([0, 0, 1], [0, 2, 1], classes=range(M))
    values = [float(ev.score("mcc", "macro")) for ev in (before, after)]
    record.holds(
        "macro MCC does not decrease under a correction",
        ours=values[1] >= values[0],
        differs="it is 1, over the one class where it is defined, and becomes 3/4, over three",
        errata="C3",
    )
    record.finds("macro MCC falls from 1 to 3/4", values == [1, 3 / 4])
    record.finds("macro MCC was 1 with one of three examples right", before.score("exact_match") == 1 / 3)

    labels = [[1, 1, 0], [1, 0, 0]]
    silent, better = (ix.mcc(labels, [first, labels[1]], average="exemplar") for first in ([0, 0, 0], [1, 0, 0]))
    record.finds(
        "exemplar MCC falls from 1 to 3/4 when an example without predicted labels gets a right one",
        (silent, better) == (1, 3 / 4),
    )

    fallen: dict[Any, list[str]] = {undefined: [] for undefined in CONVENTIONS}
    problems = [_corrections(truth) for truth in TRUTHS]
    for name in MEASURES:
        for undefined, names in fallen.items():
            if any(_falls(name, undefined, *problem) for problem in problems):
                names.append(name)
    rows = [[str(undefined), ", ".join(map(words, names)) or "none"] for undefined, names in fallen.items()]
    record.table("Macro averages that some correction lowers, n ≤ 4, m = 3", ["undefined counts as", "measures"], rows)
    record.finds("excluded: MCC, kappa, markedness and Fowlkes-Mallows fall, and no other", fallen["exclude"] == list(FALL))
    record.finds("counted as 0: none falls", fallen[0] == [])
    record.finds("counted as 1: MCC, markedness, Fowlkes-Mallows fall, not kappa", fallen[1] == [x for x in FALL if x != "kappa"])
    record.note("Tried: all predictions of all truths with at most four examples of three classes, and all single corrections.")


def _corrections(truth: tuple[int, ...]) -> tuple[ix.Counts, list[tuple[int, int]]]:
    """Return the counts per class of all predictions, and which of these are one correction apart."""
    guesses = list(product(range(M), repeat=len(truth)))
    counts = [ix.evaluate(truth, guess, classes=range(M)).aggregate("class") for guess in guesses]
    pairs = [
        (i, guesses.index((*guess[:k], truth[k], *guess[k + 1 :])))
        for i, guess in enumerate(guesses)
        for k in range(len(truth))
        if guess[k] != truth[k]
    ]
    return ix.Counts(*(np.array(cells) for cells in zip(*counts, strict=True))), pairs


def _falls(name: str, undefined: Any, counts: ix.Counts, pairs: list[tuple[int, int]]) -> bool:
    """Return whether the macro average falls from the first to the second of some pair."""
    values = ix.algebra.MEASURES[name](counts)
    defined = ~np.isnan(values)
    if undefined == "exclude":
        lost = defined.sum(axis=1) == 0
        mean = np.where(lost, np.nan, np.where(defined, values, 0).sum(axis=1) / np.where(lost, 1, defined.sum(axis=1)))
    else:
        mean = np.where(defined, values, undefined).mean(axis=1)
    wrong, right = (mean[list(side)] for side in zip(*pairs, strict=True))
    return bool((right < wrong - 1e-12).any())
