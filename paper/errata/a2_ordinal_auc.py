"""The probability of one class does not grow with the rank; a tail sum does (prop:ordinal_auc)."""

from __future__ import annotations

import math

import numpy as np

import indicatrix as ix

from ..record import Record, experiment


@experiment("A2", "Ordinal AUC of a perfect classifier")
def ordinal_auc(record: Record) -> None:
    """Rank three examples of three classes, each given its class for sure, at both thresholds."""
    ranks, p = np.array([1, 2, 3]), np.eye(3)
    literal = [ix.auc(ranks >= j, p[:, j - 1]) for j in (1, 2)]
    record.holds(
        "AUC is defined at the first threshold",
        ours=not math.isnan(literal[0]),
        differs="k >= 1 always holds, so that no example is negative",
        errata="A2",
    )
    record.claim(
        "AUC of a perfect classifier, second threshold",
        paper=1,
        ours=literal[1],
        differs="P of class 2 is high for class 2 only, not for all classes from 2 on",
        pinned="3/4",
        errata="A2",
    )
    ours = ix.measures.ordinal_auc(ranks, p, classes=[1, 2, 3])
    record.finds("k > j scored by the sum of P above j is 1 at both thresholds", ours.values.tolist() == [1, 1] and ours == 1.0)
    cut = ix.measures.ordinal_auc([1, 1, 2], p[[0, 0, 1]], classes=[1, 2, 3])
    record.finds(
        "a threshold with one label value is undefined and left out by name", cut == 1.0 and len(cut.undefined_units) == 1
    )
