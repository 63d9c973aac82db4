"""The range from (m-2)/(m-1) to 1 is that of three measures only (rem:boundary_implications)."""

from __future__ import annotations

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

SAID = "(m - 2)/(m - 1)"
RANGES = {
    "specificity": SAID,
    "npv": SAID,
    "f_beta_negative(beta=2)": SAID,
    "accuracy": "(m - 2)/m",
    "balanced_accuracy": "(m - 2)/(2*(m - 1))",
    "mcc": "-1/(m - 1)",
    "kappa": "-1/(m - 1)",
    "informedness": "-1/(m - 1)",
    "markedness": "-1/(m - 1)",
}
NOT_LISTED = ("f_beta_negative(beta=2)",)  # the others the paper lists as counting true negatives at tp = 0
NO_FLOOR_PRINTED = ("npv", "markedness", *NOT_LISTED)  # of the others it has the closed form


@experiment("C19", "Effective ranges of measures that count true negatives")
def effective_ranges(record: Record) -> None:
    """Compute the value of total failure for m classes, m a symbol."""
    import sympy

    m = sympy.Symbol("m", positive=True)
    rows = []
    for name, form in RANGES.items():
        least = ix.theory.floor(name, m)
        rows.append([words(name), str(sympy.factor(least)), ix.theory.floor(name, 10)])
        right = form == SAID
        record.claim(
            f"{words(name)}: the range begins at",
            paper=SAID,
            ours=str(sympy.factor(least)),
            differs="" if right else "every measure has its own value of total failure (tab:floors)",
            pinned=None if right else form,
            errata="C19",
        )
        same = sympy.simplify(least - sympy.sympify(form, locals={"m": m})) == 0
        write = record.finds if name in NO_FLOOR_PRINTED else record.holds
        write(f"{words(name)}: everything wrong is {form}", same)
        write = record.finds if name in NOT_LISTED else record.holds
        write(f"{words(name)} counts true negatives where nothing is found", ix.properties(name, prove=False).tn_survives_at_tp0)
    record.table("Everything wrong, one class per example", ["measure", "m classes", "ten classes"], rows)
