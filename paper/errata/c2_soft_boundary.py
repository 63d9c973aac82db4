"""A prediction equal to soft labels is not perfect under every t-norm (prop:preserved)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

TNORMS = {"product": "6/25", "godel": "2/5", "lukasiewicz": None}  # false positive mass, where it is not 0


@experiment("C2", "The upper boundary of soft labels")
def soft_boundary(record: Record) -> None:
    """Predict memberships as they are, and look for predictions that score higher."""
    y, rows = Fraction(3, 5), []
    for name, pinned in TNORMS.items():
        tnorm = ix.algebra.tnorm(name)
        false_positive = tnorm(1 - y, y)
        rows.append([words(name), tnorm(y, y), false_positive, tnorm(y, 1 - y), tnorm(1 - y, 1 - y)])
        record.claim(
            f"false positive mass where label and prediction are 3/5, {words(name)}",
            paper=Fraction(0),
            ours=false_positive,
            differs="T(1-y, y) is 0 for labels 0 and 1 only" if pinned else "",
            pinned=pinned,
            errata="C2",
        )
    record.table("Cells of one entry, label and prediction 3/5", ["t-norm", "TP", "FP", "FN", "TN"], rows)

    truth = np.array([[0.9, 0.3], [0.6, 0.2], [0.7, 0.5]])
    itself = {name: ix.evaluate(truth, truth, tnorm=name) for name in TNORMS}
    # Both are sums or ratios of sums that are linear in every entry, so that a best prediction is among the crisp ones.
    crisp = [np.array(p, float).reshape(truth.shape) for p in product((0, 1), repeat=truth.size)][1:]
    for measure, what, best in (("accuracy", "1[y > 1/2]", 1.0 * (truth > 0.5)), ("recall", "everything", np.ones((3, 2)))):
        score = ix.algebra.MEASURES[measure]
        at_best = float(score(truth, best, tnorm="product", average="micro"))
        at_truth = float(itself["product"].score(measure, "micro"))
        record.holds(
            f"product: micro {measure} attains its maximum at Yhat = Y",
            ours=at_truth >= at_best,
            differs=f"it is {at_truth:.3f} there, and {at_best:.3f} if {what} is predicted",
            pinned=(
                "it is 0.613 there, and 0.700 if 1[y > 1/2] is predicted",
                "it is 0.637 there, and 1.000 if everything is predicted",
            ),
            errata="C2",
        )
        others = [float(score(truth, p, tnorm="product", average="micro")) for p in crisp]
        record.finds(
            f"product: of all crisp predictions none has a higher micro {measure} than {what}", max(others) <= at_best + 1e-12
        )
    perfect = [name for name, ev in itself.items() if all(abs(ev.score(m, "micro") - 1) < 1e-12 for m in ("precision", "recall"))]
    record.finds("only Łukasiewicz gives Yhat = Y precision and recall 1", perfect == ["lukasiewicz"])
    record.finds(
        "only the product keeps the marginals: no t-norm of the three does both",
        [name for name in TNORMS if ix.algebra.is_marginally_consistent(name)] == ["product"],
    )
