"""Which binary measures do not depend on the class frequencies (tab:skew, thm:skew)."""

from __future__ import annotations

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

PRINTED = {
    "recall": "Yes",
    "specificity": "Yes",
    "balanced_accuracy": "Yes",
    "g_mean": "Yes",
    "precision": "No",
    "f_beta": "No",
    "jaccard": "No",
    "accuracy": "No",
    "mcc": "No",
    "error_rate": "No",
    "kappa": "No",
}
BALANCED = ("balanced_accuracy", "g_mean", "informedness")


@experiment("tab:skew", "Skew-invariance of binary measures")
def skew_invariance(record: Record) -> None:
    """Decide every row from the formula, with a proof or with two count vectors."""
    import sympy

    rows = []
    for name, printed in PRINTED.items():
        # F_beta is decided for every beta at once.
        known = ix.properties(ix.f_beta.at(beta=sympy.Symbol("beta", positive=True)) if name == "f_beta" else name)
        answer = "Yes" if known.skew_invariant else "No"
        record.claim(f"{words(name)} is skew-invariant", paper=printed, ours=answer)
        rows.append([words(name), answer, str(known.evidence["skew_invariant"])])
    record.table("Skew-invariance, with the evidence", ["measure", "skew-invariant", "evidence"], rows)
    _with_other_properties(record)


def _with_other_properties(record: Record) -> None:
    """Check what the text around the table says about decomposability and constant baselines."""
    both = ix.theory.select(skew_invariant=True, decomposable=True)
    record.holds(
        "all skew-invariant and decomposable measures of ours are Möbius functions of one rate",
        all(ix.properties(x).moebius for x in both),
    )
    record.note(
        f"Of the whole catalogue these are both skew-invariant and decomposable: {', '.join(words(x.name) for x in both)}."
    )
    known = {name: ix.properties(name, prove=False) for name in (*BALANCED, "mcc", "kappa", "recall")}
    for name in BALANCED:
        found = (known[name].skew_invariant, known[name].decomposable)
        record.claim(f"{words(name)}: skew-invariant, decomposable", paper=(True, False), ours=found)
    for name in ("mcc", "kappa"):
        found = (known[name].skew_invariant, known[name].decomposable)
        record.claim(f"{words(name)}: skew-invariant, decomposable", paper=(False, False), ours=found)
    implied = all(p.constant_baseline for p in known.values() if p.skew_invariant)
    record.holds(
        "skew-invariance is stronger than a constant baseline",
        implied,
        differs="recall is skew-invariant and has no constant baseline; MCC has one and is not skew-invariant",
        errata="C9",
    )
    record.table(
        "Neither property implies the other",
        ["measure", "skew-invariant", "constant baseline"],
        [[words(name), known[name].skew_invariant, known[name].constant_baseline] for name in ("recall", "mcc")],
    )
