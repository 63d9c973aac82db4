"""If only inliers are labelled, recall is known and precision is not (sec:single_class).

The paper says the reverse.
"""

from __future__ import annotations

import math

import indicatrix as ix

from ..record import Record, experiment


@experiment("A12", "What is known when only inliers are labelled")
def single_class(record: Record) -> None:
    """Judge two detectors by three labelled inliers and three examples without a label."""
    truth = ["in", "in", "in", None, None, None]
    accepts = {"careful": [1, 1, -1, -1, -1, -1], "careless": [1, 1, -1, 1, 1, 1]}
    ev = ix.tasks.one_class(truth, accepts["careful"])
    swapped = "recall needs inliers only; precision needs to know which accepted examples are outliers"
    record.holds(
        "only inliers labelled: precision is computable",
        ours=not math.isnan(ev.score("precision")),
        differs=swapped,
        errata="A12",
    )
    record.holds("only inliers labelled: recall is undefined", ours=math.isnan(ev.score("recall")), differs=swapped, errata="A12")
    record.finds("recall is accepted inliers by labelled inliers, 2/3", ev.score("recall") == 2 / 3)
    record.finds("only inliers labelled: accuracy is undefined", math.isnan(ev.score("accuracy")))
    masked = [
        ix.evaluate(truth, ["in" if a == 1 else "out" for a in accepted], classes=["out", "in"], positive="in", missing="mask")
        for accepted in accepts.values()
    ]
    record.finds(
        "under the mask precision is 1 even for a detector that accepts all the unlabelled",
        [ev.score("precision") for ev in masked] == [1, 1],
    )
