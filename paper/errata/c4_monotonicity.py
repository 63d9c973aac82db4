"""Many measures are not monotone in every cell, and corrections do not need it (def:monotone)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

import indicatrix as ix

from ..appendix import ENTRIES
from ..record import Record, experiment
from ..wording import words

# Measures of the paper's catalogue that are not monotone in every cell, and the cells in which they are not.
BY_CELL = {
    "lift": ("tp",),
    "optimized_precision": ("tp", "fp", "fn", "tn"),
    "kappa": ("fp", "fn"),
    "gwet_ac1": ("tp", "tn"),
    "net_benefit": ("fn", "tn"),
    "coverage": ("fp", "tn"),
    "relative_accuracy": ("tp", "fp"),
    "weighted_relative_accuracy": ("tp", "fp", "fn", "tn"),
    "conviction": ("fp",),
    "chi_squared": ("tp", "fp", "fn", "tn"),
}
CELLS = ("tp", "fp", "fn", "tn")


@experiment("C4", "Monotonicity of the catalogue")
def monotonicity(record: Record) -> None:
    """Raise one cell at a time, then correct one example at a time, and see which values get worse."""

    def values(name: str, *vectors: tuple[int, ...]) -> list[Fraction]:
        return [Fraction(ix.algebra.MEASURES[name](ix.Counts(*map(Fraction, v)))) for v in vectors]

    fewer, more = values("kappa", (1, 4, 1, 1), (1, 5, 1, 1))
    record.holds(
        "Cohen's kappa does not increase with fp, all other cells fixed",
        ours=more <= fewer,
        differs=f"from (1, 4, 1, 1) to (1, 5, 1, 1) it rises from {fewer} to {more}",
        pinned="from (1, 4, 1, 1) to (1, 5, 1, 1) it rises from -6/29 to -1/5",
        errata="C4",
    )
    wrong, right = values("optimized_precision", (1, 1, 1, 1), (2, 1, 0, 1))
    record.holds(
        "a correction never lowers the score of any measure",
        ours=right >= wrong,
        differs=f"optimised precision falls from {wrong} at (1, 1, 1, 1) to {right} at (2, 1, 0, 1)",
        pinned="optimised precision falls from 1/2 at (1, 1, 1, 1) to 5/12 at (2, 1, 0, 1)",
        errata="C4",
    )
    rows, cells = [], {}
    for name in BY_CELL:
        cells[name] = worsening_cells(ix.algebra.MEASURES[name])
        rows.append([words(name), ", ".join(cells[name]), "yes" if ix.properties(name, prove=False).monotone else "no"])
    record.table("Not monotone cell by cell", ["measure", "in", "monotone under corrections"], rows)
    record.finds("ten measures are not monotone in the cells of the table, and are in all others", cells == BY_CELL)
    others = [entry.name for entry in ENTRIES if entry.measure not in map(ix.algebra.MEASURES.get, BY_CELL)]
    found = {name: ix.properties(name, prove=False) for name in (*BY_CELL, *others)}
    record.finds(
        "all other measures of the appendix are monotone cell by cell",
        [name for name, p in found.items() if not p.monotone_per_cell] == list(BY_CELL),
    )
    record.claim(
        "measures that a correction can lower",
        paper=[],
        ours=[words(name) for name, p in found.items() if not p.monotone],
        pinned=["optimized precision", "coverage", "chi-squared"],
        differs="the proposition supposes monotone measures; these are not, even under corrections",
        errata="C4",
    )


def worsening_cells(measure: ix.Measure) -> tuple[str, ...]:
    """Return the cells whose improvement can make the value worse, for counts from 0 to 6."""
    grid: Any = np.array(list(product(range(6), repeat=4)), float).T
    sign = -1 if measure.better == "lower" else 1
    found = []
    for i, cell in enumerate(CELLS):
        step = np.eye(4)[i][:, None]
        fewer, more = (sign * measure(ix.Counts(*v)) for v in (grid, grid + step))
        defined = np.isfinite(fewer) & np.isfinite(more)
        change = more[defined] - fewer[defined]
        if ((change if cell in ("tp", "tn") else -change) < -1e-12).any():
            found.append(cell)
    return tuple(found)
