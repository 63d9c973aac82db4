"""The range from (m-2)/(m-1) to 1 is that of three measures, not of all that count true negatives (rem:boundary_implications)."""

from __future__ import annotations

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

RANGES = {
    "specificity": "(m - 2)/(m - 1)",
    "npv": "(m - 2)/(m - 1)",
    "f_beta_negative(beta=2)": "(m - 2)/(m - 1)",
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
    said, rows = (m - 2) / (m - 1), []
    for name, form in RANGES.items():
        least = ix.floor(name, m)
        rows.append([words(name), str(sympy.factor(least)), ix.floor(name, 10)])
        agrees = sympy.simplify(least - said) == 0
        record.claim(
            f"{words(name)}: the range begins at",
            paper="(m - 2)/(m - 1)",
            ours=str(sympy.factor(least)),
            agrees=agrees,
            differs="" if agrees else "every measure has its own value of total failure (tab:floors)",
            errata="" if agrees else "C19",
        )
        same = sympy.simplify(least - sympy.sympify(form, locals={"m": m})) == 0
        write = record.finds if name in NO_FLOOR_PRINTED else record.holds
        write(f"{words(name)}: everything wrong is {form}", same)
        write = record.finds if name in NOT_LISTED else record.holds
        write(f"{words(name)} counts true negatives where nothing is found", ix.properties(name, prove=False).tn_survives_at_tp0)
    record.table("Everything wrong, one class per example", ["measure", "m classes", "ten classes"], rows)
