"""Total cost is a cost of one class per example only (eq:total_cost)."""

from __future__ import annotations

from typing import Any

import numpy as np

import indicatrix as ix

from ..record import Record, experiment

C = np.array([[0, 1, 2], [3, 0, 1], [1, 1, 0]])


@experiment("A4", "Total cost beyond one class per example")
def total_cost(record: Record) -> None:
    """Price perfect predictions of labels and memberships, and an empty one, by the paper's equation."""

    def literal(y: Any, yhat: Any) -> Any:
        return ((np.array(y) @ C) * np.array(yhat)).sum()

    two, half, nothing = [[1, 1, 0]], [[0.5, 0.5, 0]], [[0, 0, 0]]
    beyond = "the equation prices every pair of a true and a predicted label, right ones too"
    for what, rows, pinned in (("prediction of two labels", two, 4), ("soft prediction, 1/2 and 1/2", half, 1)):
        record.claim(f"cost of a perfect {what}", paper=0, ours=literal(rows, rows), differs=beyond, pinned=pinned, errata="A4")
    record.holds(
        "predicting nothing where class 1 is true costs something",
        ours=literal([[1, 0, 0]], nothing) > 0,
        differs="an all-zero row has nothing to price: abstaining always would be free",
        errata="A4",
    )
    record.refuses("ours refuses a cost matrix for several labels", lambda: ix.cost(two, two, C))

    def abstaining(**price: Any) -> Any:
        return ix.cost([0], [None], C, classes=[0, 1, 2], missing="abstain", **price)

    record.refuses("ours refuses to price an abstention unasked", abstaining)
    record.finds("ours prices an abstention as told", abstaining(abstain_cost=7) == 7)
    record.finds(
        "of memberships ours is the cost expected under independence, as documented",
        ix.cost(half, half, C, tnorm="product") == literal(half, half),
    )
