"""The eleven binary measures, each formula as the paper prints it (tab:measures)."""

from __future__ import annotations

import indicatrix as ix

from ..record import Record, experiment

RECALL, SPECIFICITY = "tp/(tp+fn)", "tn/(tn+fp)"
OBSERVED, EXPECTED = "(tp+tn)/n", "(tpos*ppos + tneg*pneg)/n**2"  # p_o and p_e of Cohen's kappa
F_BETA = "(1+beta**2)*tp / ((1+beta**2)*tp + beta**2*fn + fp)"

# Measure, formula, the mark in the column Dec., the measure of the catalogue. F-beta stands for all beta and comes apart.
ROWS = (
    ("Accuracy", "(tp+tn)/n", True, "accuracy"),
    ("Error rate", "(fp+fn)/n", True, "error_rate"),
    ("Precision", "tp/(tp+fp)", True, "precision"),
    ("Recall", RECALL, True, "recall"),
    ("Specificity", SPECIFICITY, True, "specificity"),
    ("F1, F-beta at beta = 1", f"{F_BETA}; beta=1", True, "f1"),
    ("Jaccard index", "tp/(tp+fp+fn)", True, "jaccard"),
    ("Balanced accuracy", f"1/2*({RECALL} + {SPECIFICITY})", False, "balanced_accuracy"),
    ("G-mean", f"sqrt({RECALL} * ({SPECIFICITY}))", False, "g_mean"),
    ("MCC", "(tp*tn - fp*fn)/sqrt((tp+fp)*(tp+fn)*(tn+fp)*(tn+fn))", False, "mcc"),
    ("Cohen's kappa", f"({OBSERVED} - {EXPECTED})/(1 - {EXPECTED})", False, "cohen_kappa"),
)


@experiment("tab:measures", "Eleven binary measures: formulas and decomposability")
def measures(record: Record) -> None:
    """Compare each formula with our measure, and its mark with what the formula implies."""
    table = []
    for title, formula, decomposable, name in ROWS:
        same, found = ix.theory.equivalent(formula, name), ix.properties(name)
        record.holds(f"{title} is {formula}", same.holds)
        record.claim(f"{title} is aggregation-decomposable", paper=decomposable, ours=found.decomposable)
        table.append((title, formula, _linear_forms(found), "✓" if found.decomposable else "–", _extent(same)))
    _f_beta(record)
    record.holds(
        "Cohen's kappa needs more than the four counts, because p_e does not factor through them",
        not ix.theory.equivalent(ROWS[-1][1], "cohen_kappa").holds,
        differs="p_e is a function of tp, fp, fn, tn, and kappa cancels to 2(tp tn - fp fn) over a sum of two products",
        errata="B1",
    )
    record.table(
        "Binary measures and what their formulas imply",
        ("Measure", "Formula", "As a ratio of linear forms of (tp, fp, fn, tn)", "Dec.", "Equal to the catalogue's"),
        table,
    )


def _f_beta(record: Record) -> None:
    """Compare F-beta for every beta, with symbols for the counts and for beta."""
    import sympy

    beta, counts = sympy.Symbol("beta"), ix.Counts(*sympy.symbols("tp fp fn tn"))
    printed, ours = ix.measure(F_BETA, params={"beta": beta})(counts), ix.f_beta.at(beta=beta)(counts)
    record.holds(f"F-beta is {F_BETA}, for every beta", sympy.simplify(printed - ours) == 0)
    record.claim(
        "F-beta is aggregation-decomposable, for every beta",
        paper=True,
        ours=ix.properties(ix.f_beta.at(beta=beta)).decomposable,
    )


def _extent(same: ix.types.Evidence) -> str:
    return "for all counts" if same.proof else f"at {same.trials} count vectors, to {same.digits} digits"


def _linear_forms(found: ix.types.Properties) -> str:
    if found.a is None or found.b is None:
        return "none"
    return " / ".join(f"({', '.join(map(str, form))})" for form in (found.a, found.b))
