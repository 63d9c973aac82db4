"""Kappa of two classes need not be -1 if everything is wrong (sec:properties).

Many measures have no fixed best value.
"""

from __future__ import annotations

import math
from fractions import Fraction

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

ALL_WRONG = {(0, 3, 5, 0): "-15/17", (0, 1, 3, 0): "-3/5", (0, 4, 4, 0): None}  # kappa, where it is not -1
ALL_RIGHT = ((3, 0, 0, 5), (2, 0, 0, 9), (5, 0, 0, 5))
BY_PREVALENCE = (
    "lift", "relative_accuracy", "weighted_relative_accuracy", "novelty", "piatetsky_shapiro", "net_benefit", "coverage",
)  # fmt: skip
UNBOUNDED = ("positive_likelihood_ratio", "diagnostic_odds_ratio", "discriminant_power", "conviction", "sebag_schoenauer")


@experiment("C6", "The values of total failure and of total success")
def boundaries(record: Record) -> None:
    """Compute kappa and MCC with everything wrong, and the rule measures with everything right."""
    import sympy

    fp, fn = sympy.symbols("fp fn", positive=True)
    wrong = ix.cohen_kappa(ix.Counts(0, fp, fn, 0))
    record.finds("kappa(0, fp, fn, 0) is -2 fp fn/(fp² + fn²)", sympy.simplify(wrong + 2 * fp * fn / (fp**2 + fn**2)) == 0)
    for counts, pinned in ALL_WRONG.items():
        v = ix.Counts(*map(Fraction, counts))
        record.claim(
            f"kappa of two classes, (tp, fp, fn, tn) = {counts}",
            paper=Fraction(-1),
            ours=Fraction(ix.cohen_kappa(v)),
            differs="kappa depends on the margins: it is -1 only where fp = fn" if pinned else "",
            pinned=pinned,
            errata="C6",
        )
        record.claim(f"MCC of two classes, (tp, fp, fn, tn) = {counts}", paper=-1, ours=float(ix.mcc(v)))
    record.holds(
        "kappa is lower boundary correct for two classes",
        ours=ix.properties("kappa").lower_boundary,
        differs="its value at tp = tn = 0 is not always its least",
        errata="C6",
    )
    rows = []
    for name in (*BY_PREVALENCE, *UNBOUNDED):
        values = [ix.algebra.MEASURES[name](ix.Counts(*map(Fraction, v))) for v in ALL_RIGHT]
        rows.append([words(name), *map(str, values)])
        if name in UNBOUNDED:
            record.finds(f"{words(name)} is infinite where all is right", all(map(math.isinf, values)))
        else:
            record.finds(f"{words(name)}, where all is right, depends on the prevalence", len(set(values)) == len(ALL_RIGHT))
    upper = [name for name in (*BY_PREVALENCE, *UNBOUNDED) if ix.properties(name, prove=False).upper_boundary]
    record.finds("none of these twelve is upper boundary correct", not upper)
    record.table("All right, by counts (tp, fp, fn, tn)", ["measure", *map(str, ALL_RIGHT)], rows)
