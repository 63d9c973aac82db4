"""Two measures of the catalogue are skew-invariant and lack the mark (sec:catalogue, thm:skew)."""

from __future__ import annotations

import math
from itertools import product

import indicatrix as ix

from ..appendix import ENTRIES
from ..record import Record, experiment
from ..wording import words

FORGOTTEN = {
    "subset_accuracy": "it is 1 where recall and specificity are 1, and 0 elsewhere",
    "tetrachoric": "it is a function of the odds ratio, as discriminant power is, which has the mark",
}


@experiment("C1", "Skew-invariance without a mark")
def skew_invariance_marks(record: Record) -> None:
    """Decide skew-invariance from the formulas, and write two measures as functions of the rates."""
    formulas_alone = {entry.name: entry.alone for entry in ENTRIES}
    for name, reason in FORGOTTEN.items():
        record.holds(
            f"{words(name)} is skew-invariant, by its mark",
            ours=ix.properties(formulas_alone[name], prove=False).skew_invariant,
            paper=False,
            differs=reason,
            errata="C1",
        )
    others = [entry for entry in ENTRIES if entry.name not in FORGOTTEN]
    right = [ix.properties(entry.name, prove=False).skew_invariant == entry.invariant for entry in others]
    record.holds(f"the other {len(others)} marks and blanks of the appendix are right", all(right))

    vectors = [ix.Counts(*v) for v in product((1, 2, 5, 9), repeat=4)]
    odds = [ix.measures.diagnostic_odds_ratio(v) for v in vectors]
    by_odds = {
        "tetrachoric": [math.cos(math.pi / (1 + math.sqrt(x))) for x in odds],
        "discriminant_power": [math.sqrt(3) / math.pi * math.log(x) for x in odds],
    }
    formulas = {"tetrachoric": "cos(π/(1 + √OR))", "discriminant_power": "(√3/π) log OR"}
    for name, values in by_odds.items():
        ours = [ix.algebra.MEASURES[name](v) for v in vectors]
        same = all(math.isclose(a, b, abs_tol=1e-12) for a, b in zip(ours, values, strict=True))
        record.finds(f"{words(name)} is {formulas[name]}, OR the odds ratio", same)
    with_zeros = [v for v in (ix.Counts(*x) for x in product(range(4), repeat=4)) if v.tpos and v.tneg]
    perfect = [ix.recall(v) == 1 and ix.specificity(v) == 1 for v in with_zeros]
    record.finds("subset accuracy is 1[recall = 1, specificity = 1]", [ix.subset_accuracy(v) == 1 for v in with_zeros] == perfect)
