"""The Bayes rule by thresholds does not apply to one class per example (prop:consistency)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

import indicatrix as ix

from ..record import Record, experiment

ETA = np.array([[0.55, 0.3, 0.15]])  # P(Y_j = 1 | x) of one point and three classes
CLASSES = [np.eye(3)[[j]] for j in range(3)]
LABEL_SETS = [np.array([labels], dtype=float) for labels in product((0, 1), repeat=3)]
COEFFICIENTS = [(0, 1, 5, 0), (3, 1, 2, 0), (1, 0, 0, 1), (3, 0, 0, 1), (1, 2, 0, 0)]  # alpha, beta, gamma, delta


@experiment("B10", "The scope of the Bayes rule")
def bayes_scope(record: Record) -> None:
    """Maximise linear utilities over label sets and over single classes, by trying every decision."""
    rows = []
    for alpha, beta, gamma, delta in COEFFICIENTS:
        utility = ix.measures.linear_utility.at(alpha=alpha, beta=beta, gamma=gamma, delta=delta)
        threshold: Any = ix.properties(utility).threshold
        by_threshold = (threshold <= ETA).astype(int)
        best_set, best_class = best(utility, LABEL_SETS), best(utility, CLASSES)
        rows.append(
            [(alpha, beta, gamma, delta), threshold, *(d[0].astype(int).tolist() for d in (by_threshold, best_set, best_class))]
        )
    record.table(
        "Decisions for P(Y=1|x) = (0.55, 0.3, 0.15)", ["coefficients", "t*", "labels by t*", "best labels", "best class"], rows
    )
    record.holds("label sets: thresholding at t* is best for all coefficients", all(row[2] == row[3] for row in rows))
    record.finds(
        "single classes: thresholding at t* does not give one class: for some coefficients it takes several or none",
        {0, 2} <= {sum(row[2]) for row in rows},
    )
    record.finds("single classes: argmax is best for all coefficients", all(row[4] == [1, 0, 0] for row in rows))
    record.finds(
        "cost 5:1 and (3, 1, 2, 0) are one problem: only alpha + gamma and beta + delta count", rows[0][1:] == rows[1][1:]
    )
    sure = [ix.specificity([1, 0, 0], [decision, 0, 1]) for decision in (0, 1)]
    record.finds("t* = 1 is a tie: a sure positive may be decided either way under specificity", sure[0] == sure[1])
    predicted = {ix.evaluate([0, 1, 2], guess, classes=range(3)).aggregate().ppos for guess in product(range(3), repeat=3)}
    record.holds(
        "single classes: the denominator of micro precision depends on the predictions",
        ours=len(predicted) > 1,
        differs="it is n, so that micro precision and F1 are among the measures of the proposition",
        errata="B10",
    )
    record.finds(
        "single classes: macro recall is maximised by argmax P(Y=j|x)/P(Y=j), not by argmax P(Y=j|x)", macro_recall_rule()
    )


def best(utility: ix.Measure, decisions: list[Any]) -> Any:
    """Return the decision with the highest expected utility."""
    expected = [float(utility(ETA, decision, tnorm="product", average="micro")) for decision in decisions]
    return decisions[int(np.argmax(expected))]


def macro_recall_rule() -> bool:
    """Return whether, of 27 decision rules for three points, argmax eta/pi is best and beats argmax eta."""
    eta = np.array([[0.7, 0.2, 0.1], [0.6, 0.3, 0.1], [0.5, 0.2, 0.3]])
    values = {
        rule: float(ix.recall(eta, np.eye(3)[list(rule)], tnorm="product", average="macro"))
        for rule in product(range(3), repeat=3)
    }
    by_ratio, by_eta = (tuple(scores.argmax(axis=1).tolist()) for scores in (eta / eta.mean(axis=0), eta))
    return max(values, key=lambda prediction: values[prediction]) == by_ratio and values[by_eta] < values[by_ratio]
