"""Thresholds between 0 and 1 miss the ends of the ROC curve and run backwards (prop:roc).

One-vs-all is not Hand and Till's AUC, either.
"""

from __future__ import annotations

from itertools import pairwise

import indicatrix as ix

from ..record import Record, experiment


@experiment("A16", "The ends and the direction of the ROC curve")
def roc_thresholds(record: Record) -> None:
    """Sweep scores that reach 0 and 1, and integrate in the direction of the threshold."""
    labels, scores = [0, 1, 1, 0], [1.0, 1.0, 0.5, 0.0]
    sweep = ix.sweep(labels, scores)
    thresholds = [0.25, 0.5, 0.75]  # the counts change only where a threshold passes a score
    points = [(float(ix.measures.fpr(v)), float(ix.measures.tpr(v))) for v in map(sweep.at, thresholds)]
    ends = "a score of 1 is accepted, and one of 0 rejected, by every threshold in (0, 1)"
    record.claim(
        "least false positive rate for thresholds in (0, 1)",
        paper=0.0,
        ours=min(x for x, _ in points),
        pinned="1/2",
        differs=ends,
        errata="A16",
    )
    record.claim(
        "greatest false positive rate for thresholds in (0, 1)",
        paper=1.0,
        ours=max(x for x, _ in points),
        pinned="1/2",
        differs=ends,
        errata="A16",
    )
    curve = sweep.roc()
    record.finds("with +inf and every distinct score the curve runs from (0, 0) to (1, 1)", reaches_both_ends(curve))
    rising = sorted(zip(curve.x.tolist(), curve.y.tolist(), strict=True))
    with_threshold = rising[::-1]  # as the threshold rises from 0 to 1 both rates fall
    record.claim(
        "∫ TPR dFPR as the threshold runs from 0 to 1",
        paper=ix.auc(labels, scores),
        ours=trapezoids(with_threshold),
        pinned="-5/8",
        differs="the rates fall as the threshold rises: the integral has the wrong sign",
        errata="A16",
    )
    record.finds("trapezoids in FPR, ties counting half, give the AUC", trapezoids(rising) == ix.auc(labels, scores))
    truth, p = [0, 0, 1, 2], [[0.3, 0.5, 0.2], [0.4, 0.1, 0.5], [0.3, 0.5, 0.2], [0.3, 0.6, 0.1]]
    record.claim(
        "macro AUC, which the paper attributes to Hand and Till",
        paper=float(ix.measures.hand_till_auc(truth, p)),
        ours=float(ix.auc(truth, p, average="macro")),
        pinned="5/12",
        differs="theirs is the mean over pairs of classes, one-vs-one",
        errata="A16",
    )


def reaches_both_ends(curve: ix.types.Curve) -> bool:
    """Return whether the curve has the points (0, 0) and (1, 1)."""
    points = set(zip(curve.x.tolist(), curve.y.tolist(), strict=True))
    return {(0.0, 0.0), (1.0, 1.0)} <= points


def trapezoids(points: list[tuple[float, float]]) -> float:
    """Return the signed area under the points, in their order."""
    return sum((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in pairwise(points))
