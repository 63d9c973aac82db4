"""The four cells of memberships need not sum to the number of entries (sec:soft_truth)."""

from __future__ import annotations

from math import isclose

import numpy as np

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words


@experiment("B5", "Totals of soft labels")
def soft_totals(record: Record) -> None:
    """Sum the cells of one entry under three t-norms, and divide by that sum and by nm."""
    a, b = [[0.6]], [[0.7]]
    by_entries, by_cells = {}, {}
    for name, mass in (("godel", "1.6"), ("product", "1.0"), ("lukasiewicz", "0.4")):
        v = ix.cells(np.array(a), np.array(b), tnorm=name).aggregate()
        record.claim(f"mass of an entry with memberships 0.6 and 0.7, {words(name)}", paper=mass, ours=float(v.n))
        entries = 1  # one example, one label
        by_entries[name] = float((v.tp + v.tn) / entries + (v.fp + v.fn) / entries)
        by_cells[name] = float(ix.accuracy(v) + ix.measures.hamming_loss(v))
    rows = [[words(name), by_entries[name], by_cells[name]] for name in by_entries]
    record.table("Accuracy plus Hamming loss", ["t-norm", "divided by nm", "divided by tp + fp + fn + tn"], rows)
    same = [name for name in by_entries if isclose(by_entries[name], by_cells[name])]
    record.holds(
        "dividing by nm and by the sum of the cells differ under Gödel and Łukasiewicz, and agree under the product",
        same == ["product"],
    )
    record.finds(
        "divided by the sum of the cells, as ours is, accuracy and Hamming loss add to 1",
        all(isclose(x, 1) for x in by_cells.values()),
    )
    grid = np.linspace(0, 1, 13)
    pairs = [(x, y) for x in grid for y in grid]
    least = np.array([min(x, 1 - x, y, 1 - y) for x, y in pairs])
    y, yhat = (np.array(side)[:, None] for side in zip(*pairs, strict=True))
    for name, sign in (("godel", 1), ("lukasiewicz", -1)):
        mass = ix.cells(y, yhat, tnorm=name).aggregate("example").n
        formula = f"1 {'+' if sign > 0 else '-'} 2 min(a, 1-a, b, 1-b)"
        record.finds(
            f"the mass of an entry is {formula} under {words(name)}", np.allclose(mass, 1 + sign * 2 * least, rtol=0, atol=1e-12)
        )
