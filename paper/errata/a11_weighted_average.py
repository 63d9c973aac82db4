"""Weighted averaging: tpos/n are weights only where every example has one label (sec:sklearn)."""

from __future__ import annotations

from fractions import Fraction
from math import isclose

import indicatrix as ix

from ..record import Record, experiment


@experiment("A11", "The weights of weighted averaging")
def weighted_average(record: Record) -> None:
    """Average the recall of a perfect and of an imperfect prediction of four label sets."""
    truth = [{"a", "b"}, {"a", "b"}, {"a"}, set()]
    guess = [{"a"}, {"a", "b"}, set(), {"b"}]
    sizes = ix.evaluate(truth, truth).aggregate("class").tpos
    weights = [Fraction(int(size), len(truth)) for size in sizes]
    reason = "the labels of four examples number five; weights must be divided by their sum"
    what = "sum of the weights tpos/n, label sizes 3 and 2, n = 4"
    record.claim(what, paper=1, ours=sum(weights), differs=reason, pinned="5/4", errata="A11")
    perfect = ix.evaluate(truth, truth).values("recall")
    literal = sum(w * Fraction(float(r)) for w, r in zip(weights, perfect, strict=True))
    what = "weighted recall of a perfect prediction"
    record.claim(what, paper=1, ours=literal, differs=reason, pinned="5/4", errata="A11")
    record.finds(
        "weights divided by their sum give a perfect prediction recall 1", ix.recall(truth, truth, average="weighted") == 1
    )
    ev = ix.evaluate(truth, guess)
    record.finds(
        "weights divided by their sum: micro is weighted recall for label sets, too",
        isclose(ev.score("recall", "micro"), ev.score("recall", "weighted")),
    )
    absent = ix.evaluate([*truth, {"c"}], [*guess, set()])  # c is never predicted: its precision is undefined
    precision = absent.score("precision", "weighted")
    defined = absent.only(["a", "b"]).score("precision", "weighted")
    record.finds(
        "an undefined class is left out of the weights, too", precision.undefined_units == ("c",) and isclose(precision, defined)
    )
