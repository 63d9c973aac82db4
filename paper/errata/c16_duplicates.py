"""Entries that are one measure under two names, or a function of another (sec:catalogue)."""

from __future__ import annotations

import indicatrix as ix

from ..appendix import ENTRIES
from ..record import Record, experiment
from ..wording import words

TWICE = (
    ("Klosgen's measure (WRA)", "weighted_relative_accuracy", "Novelty", "novelty"),
    ("Diagnostic odds ratio", "diagnostic_odds_ratio", "Odds ratio", "odds_ratio"),
)
AS_PRINTED = {entry.name: entry.formula for entry in ENTRIES}  # not by name: ours has such pairs as one measure


@experiment("C16", "Measures that are listed twice")
def duplicates(record: Record) -> None:
    """Compare the formulas of the appendix as they are printed."""
    import sympy

    for title, one, other_title, other in TWICE:
        same = ix.theory.equivalent(AS_PRINTED[one], AS_PRINTED[other])
        record.holds(
            f"{title} and {other_title} are two measures",
            ours=not same,
            differs="the formulas have the same value for all counts where both are defined",
            errata="C16",
        )
    record.holds("the phi coefficient is MCC", ix.theory.equivalent("phi", AS_PRINTED["mcc"]))
    for one, other in (*((one, other) for _, one, _, other in TWICE), ("mcc", "phi")):
        record.finds(
            f"ours has one measure with both names, {words(one)} and {words(other)}",
            ix.algebra.MEASURES[one] is ix.algebra.MEASURES[other],
        )
    counts = ix.Counts(*sympy.symbols("tp fp fn tn", positive=True))
    record.finds(
        "chi-squared is n MCC², not only proportional",
        sympy.simplify(ix.measures.chi_squared(counts) - counts.n * ix.mcc(counts) ** 2) == 0,
    )
    for name in ("discriminant_power", "tetrachoric"):
        record.finds(
            f"{words(name)} ranks as the odds ratio does: it is a function of it",
            ix.theory.equivalent(name, "odds_ratio", up_to="ranking"),
        )
    same = ix.theory.equivalent("klosgen", AS_PRINTED["weighted_relative_accuracy"])
    record.holds(
        "Klosgen's measure is coverage times relative accuracy",
        ours=same,
        differs="Klösgen takes coverage to the power 1/2, which is ours by default; the power 1 is weighted relative accuracy",
        errata="C16",
    )
    record.finds(
        "with coverage to the power 1, Klosgen's measure is coverage times relative accuracy",
        ix.theory.equivalent("klosgen(omega=1)", AS_PRINTED["weighted_relative_accuracy"]),
    )
    record.note("Average precision is listed in Groups 2 and 7; ours is one function, ix.average_precision.")
