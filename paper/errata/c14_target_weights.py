"""Targets with more classes do not dominate pooled precision, recall or F1 (sec:multioutput)."""

from __future__ import annotations

from math import isclose

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

TRUTH = {"size": ["S", "M", "L", "XL", "XL", "S"], "sold": ["yes", "no", "no", "yes", "no", "yes"]}
GUESS = {"size": ["S", "L", "L", "M", "M", "M"], "sold": ["yes", "no", "yes", "yes", "no", "yes"]}
EQUAL, UNEQUAL = ("precision", "recall", "f1"), ("accuracy", "specificity")


@experiment("C14", "Targets with more classes")
def target_weights(record: Record) -> None:
    """Evaluate a target of four classes and one of two together."""
    ev = ix.evaluate(TRUTH, GUESS, targets=True)
    rows, counts = [], ev.aggregate("target")
    for name in (*EQUAL, *UNEQUAL, "jaccard"):
        micro, target = ev.score(name, "micro"), ev.score(name, "target")
        weights = ix.algebra.MEASURES[name].denominator(counts).tolist()
        rows.append([words(name), *ev.values(name, per="target").tolist(), *weights, float(micro), float(target)])
        if name in EQUAL:
            record.holds(
                f"the target with more classes weighs more in micro {words(name)}",
                ours=weights[0] > weights[1],
                differs="every target has one true and one predicted class for each example: micro is target-wise",
                errata="C14",
            )
            record.finds(f"micro {words(name)} is the mean over targets", isclose(micro, target))
        elif name in UNEQUAL:
            record.holds(f"the target with more classes weighs more in micro {words(name)}", weights[0] > weights[1])
            record.finds(f"micro {words(name)} is not the mean over targets", not isclose(micro, target))
    header = ["measure", "size", "sold", "weight of size", "weight of sold", "micro", "target-wise"]
    record.table("Four classes and two", header, rows)
    n, right = len(TRUTH["size"]), counts.tp.tolist()
    weights = ix.jaccard.denominator(counts).tolist()
    record.finds("Jaccard weighs a target by 2n minus its right examples", weights == [2 * n - c for c in right])
