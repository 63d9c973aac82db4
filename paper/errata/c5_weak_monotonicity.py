"""Measures that ignore a cell are constant in it, and so monotone (def:monotone)."""

from __future__ import annotations

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

IGNORED = {
    "recall": ("fp", "tn"),
    "precision": ("fn", "tn"),
    "specificity": ("tp", "fn"),
    "npv": ("tp", "fp"),
    "jaccard": ("tn",),
    "f1": ("tn",),
}


@experiment("C5", "Monotone in the weak sense")
def weak_monotonicity(record: Record) -> None:
    """Differentiate measures of two or three cells by all four."""
    import sympy

    cells = dict(zip(("tp", "fp", "fn", "tn"), sympy.symbols("tp fp fn tn", positive=True), strict=True))
    rows = []
    for name, ignored in IGNORED.items():
        value = ix.algebra.MEASURES[name](ix.Counts(**cells))
        slopes = {cell: sympy.factor(sympy.diff(value, symbol)) for cell, symbol in cells.items()}
        constant = tuple(cell for cell, slope in slopes.items() if slope == 0)
        rows.append([words(name), *(str(slope) for slope in slopes.values())])
        record.finds(f"{words(name)} is constant in {' and '.join(ignored)}", constant == ignored)
        # The paper takes the measures of tab:extensions for monotone; negative predictive value is not among them.
        write = record.finds if name == "npv" else record.holds
        write(f"{words(name)} is monotone in all four cells", ix.properties(name).monotone_per_cell)
    record.table("Slopes", ["measure", *cells], rows)
