"""Micro specificity can be free of the priors if specificities differ (cor:micro_skew)."""

from __future__ import annotations

from fractions import Fraction

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

RATES = [[14, 6, 0], [4, 14, 2], [1, 5, 14]]  # of twenty examples of each class: 7/10 of every class is right
PRIORS = [
    (Fraction(4, 5), Fraction(1, 10), Fraction(1, 10)),
    (Fraction(1, 10), Fraction(3, 5), Fraction(3, 10)),
]


@experiment("C7", "When micro averages are free of the priors")
def micro_skew(record: Record) -> None:
    """Move the priors of a classifier with equal recalls and unequal specificities."""
    ev = ix.from_confusion(RATES)
    specificities = ev.values("specificity").tolist()
    record.finds("the classes' recalls are all 7/10", set(ev.values("recall").tolist()) == {7 / 10})
    record.finds("the classes' specificities are 7/8, 29/40 and 19/20", specificities == [7 / 8, 29 / 40, 19 / 20])
    rows = []
    for measure in ("specificity", "balanced_accuracy"):
        drift = ev.prior_sensitivity(measure, *PRIORS, average="micro")
        rows.append([words(measure), *drift.values])
        record.holds(
            f"micro {words(measure)} moves with the priors, as the specificities differ",
            ours=drift.spread > 0,
            differs=f"it is {drift.values[0]} at all of them: pooled one-hot counts depend on the priors through accuracy alone",
            pinned=(
                "it is 0.775 at all of them: pooled one-hot counts depend on the priors through accuracy alone",
                "it is 0.85 at all of them: pooled one-hot counts depend on the priors through accuracy alone",
            ),
            errata="C7",
        )
    record.table("Micro scores at three priors", ["measure", "uniform", *("({}, {}, {})".format(*p) for p in PRIORS)], rows)
    evidence = ev.skew_conditions().prior_free("specificity", "micro")
    proved = bool(evidence) and "same recall" in evidence.proof  # R_jj is the recall of class j
    record.finds("equal rates of right decisions R_jj are enough for all priors, and ours proves it", proved)
    unequal = ix.from_confusion([[16, 4, 0], [4, 14, 2], [1, 5, 14]])
    record.finds(
        "unequal R_jj: micro specificity moves", unequal.prior_sensitivity("specificity", *PRIORS, average="micro").spread > 0
    )
