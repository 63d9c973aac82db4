"""Average precision is five different numbers (sec:catalogue, Groups 2, 7, 12).

Detection needs one-to-one matching, too.
"""

from __future__ import annotations

from fractions import Fraction

import indicatrix as ix

from ..record import Record, experiment

NAMES = {  # what each interpolation is called, and its value
    "envelope": ("AP, best precision to the right (VOC since 2010)", "29/45"),
    "11-point": ("AP, 11 recalls (VOC 2007)", "106/165"),
    "101-point": ("AP, 101 recalls (COCO)", "976/1515"),
    "trapezoid": ("AUPRC, trapezoids from (0, 1)", "83/180"),
}


@experiment("A15", "The family of average precisions")
def average_precision(record: Record) -> None:
    """Average the precision of one ranking in five ways."""
    labels, scores = [0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5]

    def area(name: str) -> Fraction:
        return Fraction(ix.average_precision(labels, scores, interpolation=name)).limit_denominator(10_000)

    step = area("step")
    record.table("Five average precisions of one ranking", ["definition", "value"], [[x, area(x)] for x in ("step", *NAMES)])
    for name, (what, pinned) in NAMES.items():
        record.claim(
            f"{what}, which the paper takes for the sum of P ΔR",
            paper=step,
            ours=area(name),
            pinned=pinned,
            differs="another rule between the points of the curve",
            errata="A15",
        )
    record.finds("the sum of P ΔR, which is ours, is 53/90", step == Fraction(53, 90))
    record.finds("equal scores are one threshold, in any order of rows", ap_with_a_tie([1, 0]) == ap_with_a_tie([0, 1]))
    accepted = [1, 1]  # two boxes on one object, both above the IoU threshold
    matched = [1, 0]  # one-to-one: the second box is a duplicate
    record.claim(
        "precision of two boxes on one object, both accepted by their IoU",
        paper=ix.precision(accepted, [1, 1]),
        ours=ix.precision(matched, [1, 1]),
        pinned="1/2",
        differs="an object is matched once: IoU alone does not tell a true positive, and is not the score that is swept",
        errata="A15",
    )


def ap_with_a_tie(labels: list[int]) -> float:
    """Return the average precision of a positive and a negative with the same score, then a positive."""
    return float(ix.average_precision([*labels, 1], [0.5, 0.5, 0.4]))
