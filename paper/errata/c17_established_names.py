"""Names that the literature uses in another way, or has and the paper has not (sec:notable)."""

from __future__ import annotations

from math import isclose

import numpy as np

import indicatrix as ix

from ..record import Record, experiment

TRUTH = np.array([[1, 1, 0, 0], [0, 1, 0, 1], [1, 0, 0, 0], [0, 1, 1, 1]])
GUESS = np.array([[1, 0, 0, 0], [0, 1, 1, 1], [1, 0, 0, 0], [1, 1, 0, 0]])
SCORES = np.array([[0.9, 0.4, 0.6, 0.1], [0.2, 0.8, 0.7, 0.5], [0.7, 0.3, 0.1, 0.2], [0.6, 0.9, 0.4, 0.5]])


@experiment("C17", "Names in the literature")
def established_names(record: Record) -> None:
    """Compute accuracy, label ranking and balanced accuracy as scikit-learn and others do."""
    from sklearn import metrics

    sets = [tuple(set(np.flatnonzero(row).tolist()) for row in pair) for pair in zip(TRUTH, GUESS, strict=True)]
    example_based = sum(len(y & z) / len(y | z) for y, z in sets) / len(sets)
    ev = ix.evaluate(TRUTH, GUESS)
    record.claim(
        "example-based accuracy",
        paper=float(ev.score("accuracy", "exemplar")),
        ours=example_based,
        pinned="29/48",
        differs="it is the mean of |Y ∩ Z|/|Y ∪ Z|, exemplar Jaccard; (tp + tn)/m per example is 1 minus the Hamming loss",
        errata="C17",
    )
    record.finds("exemplar Jaccard is example-based accuracy", isclose(ev.score("jaccard", "exemplar"), example_based))
    hamming = metrics.hamming_loss(TRUTH, GUESS)
    record.finds("exemplar accuracy is 1 minus the Hamming loss", isclose(ev.score("accuracy", "exemplar"), 1 - hamming))

    known = {
        "AP": (
            ix.average_precision,
            metrics.label_ranking_average_precision_score(TRUTH, SCORES),
            "label-ranking average precision",
        ),
        "AUC": (ix.auc, 1 - metrics.label_ranking_loss(TRUTH, SCORES), "one minus the ranking loss"),
    }
    for name, (area, value, established) in known.items():
        record.holds(
            f"exemplar {name} has no established name",
            ours=not isclose(area(TRUTH, SCORES, average="exemplar"), value),
            differs=f"it is {established}",
            errata="C17",
        )
    truth, guess = [0, 0, 0, 0, 1, 2], [0, 0, 1, 2, 1, 0]
    multiclass, theirs = ix.evaluate(truth, guess), metrics.balanced_accuracy_score(truth, guess)
    record.finds("scikit-learn's balanced_accuracy_score is macro recall", isclose(multiclass.score("recall", "macro"), theirs))
    record.finds(
        "scikit-learn's balanced_accuracy_score is not macro balanced accuracy",
        not isclose(multiclass.score("balanced_accuracy", "macro"), theirs),
    )
