"""Cost-weighted cells: two are not defined, and right labels are charged (sec:cost).

A benefit of zero leaves no true positives.
"""

from __future__ import annotations

import math

import numpy as np

import indicatrix as ix

from ..record import Record, experiment

C = np.array([[0, 1, 2], [3, 0, 1], [1, 1, 0]])


@experiment("A3", "Cost-weighted cells")
def cost_cells(record: Record) -> None:
    """Weigh a right prediction of two labels by the paper's cells; then weigh single classes by ours."""
    y = np.array([[1, 1, 0]])
    charged = (y @ (C - np.diag(np.diag(C)))) * y  # the paper's FP^C at Yhat = Y
    record.claim(
        "false positives of a right prediction of two labels",
        paper=[0, 0, 0],
        ours=charged[0].tolist(),
        differs="FP^C lacks the factor 1 - Y, so each right label pays for the other",
        pinned=[3, 1, 0],
        errata="A3",
    )
    truth, guess = [0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 0]
    without_benefit = ix.types.CostMatrix(C, benefit=0)
    values = [ix.precision(truth, p, cost=without_benefit, average="micro") for p in (guess, [1, 1, 0, 0, 0, 0])]
    record.holds(
        "with C+ = 0, 'often zero', precision tells four right predictions of six from none",
        ours=values[0] > values[1],
        differs="without a benefit there are no true positives: both are 0; ours has benefit 1 unless another is given",
        errata="A3",
    )
    record.holds(
        "with C+ = 0 a perfect classifier has a precision",
        ours=not math.isnan(ix.precision(truth, truth, cost=without_benefit, average="micro")),
        differs="it is 0/0",
        errata="A3",
    )
    per_label = ix.evaluate(y, y, cost=ix.tasks.label_costs(fp=[3, 1, 2], fn=5)).aggregate()
    record.finds("costs per label charge nothing for right labels", (per_label.fp, per_label.fn) == (0, 0))
    v = ix.evaluate(truth, guess, cost=C).aggregate()
    total = ix.cost(truth, guess, C, average="total")
    record.finds("with FN^C defined as FP^C is, both sum to the total cost of one-hot rows", v.fp == v.fn == total)
    record.finds("cost-weighted micro precision and recall of one-hot rows are equal then, too", ix.precision(v) == ix.recall(v))
    units = ix.evaluate(truth, guess, cost=1 - np.eye(3)).aggregate()
    plain = ix.evaluate(truth, guess).aggregate()
    record.finds("unit costs give the plain cells", units == plain)
