"""Micro precision equals micro recall under the three t-norms if rows sum to one (sec:tnorm_emp)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

SIXTEENTHS = [Fraction(k, 16) for k in range(17)]
PAIRS = list(product(SIXTEENTHS, repeat=2))
TNORMS = ("lukasiewicz", "product", "godel")  # from the smallest to the largest
# Two examples of three classes; the rows of both matrices sum to one.
TRUTH = np.array([[8, 3, 5], [3, 0, 13]]) / 16
GUESS = np.array([[11, 5, 0], [6, 3, 7]]) / 16


@experiment("C21", "Orders of precision and recall under t-norms")
def tnorm_orders(record: Record) -> None:
    """Compare false positives with false negatives of one entry, then the scores of two examples."""
    evaluations = {name: ix.evaluate(TRUTH, GUESS, tnorm=name) for name in TNORMS}
    for name, ev in evaluations.items():
        record.finds(f"{words(name)}: FP - FN is Yhat - Y for all memberships k/16", _is_balanced(name))
        scores = {ev.exact(measure, "micro") for measure in ("precision", "recall", "f1")}
        record.holds(
            f"{words(name)}: micro precision and micro recall can differ where rows sum to one",
            ours=len(scores) > 1,
            differs="FP - FN is Yhat - Y, so FP and FN have the same total, and precision, recall and F1 are equal",
            errata="C21",
        )
    frank = [f"frank(s={s})" for s in (0.01, 0.5, 2, 50)]
    record.finds("Frank's t-norms, s = 0.01, 0.5, 2 and 50: FP - FN is Yhat - Y, too", all(map(_is_balanced, frank)))
    for title, tnorm in (("Hamacher's product", "hamacher(r=0)"), ("the nilpotent minimum", nilpotent_minimum)):
        record.finds(f"{title}: FP - FN is not Yhat - Y", not _is_balanced(tnorm))

    first = {measure: [float(ev.values(measure)[0]) for ev in evaluations.values()] for measure in ("precision", "recall")}
    record.holds(
        "a single class: precision rises from Łukasiewicz to product to Gödel while recall falls",
        all(a < b for a, b in pairwise(first["precision"])) and all(a > b for a, b in pairwise(first["recall"])),
    )
    rows = [
        [words(name), *(float(ev.score(measure, "micro")) for measure in first), *(values[k] for values in first.values())]
        for k, (name, ev) in enumerate(evaluations.items())
    ]
    header = ["t-norm", "micro precision", "micro recall", "precision of class 1", "recall of class 1"]
    record.table("Two examples of three classes", header, rows)


def nilpotent_minimum(a: Any, b: Any) -> Any:
    """Return the smaller of two memberships if they sum to more than one, else zero."""
    return np.where(a + b > 1, np.minimum(a, b), 0)[()]


def _is_balanced(tnorm: Any) -> bool:
    """Return whether T(1-a, b) - T(a, 1-b) = b - a for all pairs of memberships, up to rounding."""
    t = ix.algebra.tnorm(tnorm)
    return all(abs(t(1 - a, b) - t(a, 1 - b) - (b - a)) < 1e-12 for a, b in PAIRS)
