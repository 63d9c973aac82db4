"""The three principal t-norms, their conorms, and what their cells sum to (tab:tnorms)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import indicatrix as ix

from ..record import Record, experiment

Number = Any
# Name, t-norm of the library, T(a, b), S(a, b), the formulas as text.
ROWS: tuple[tuple[str, str, Callable[..., Number], Callable[..., Number], str, str], ...] = (
    ("Gödel (min)", "godel", min, max, "min(a, b)", "max(a, b)"),
    ("Product", "product", lambda a, b: a * b, lambda a, b: a + b - a * b, "a b", "a + b - ab"),
    (
        "Łukasiewicz",
        "lukasiewicz",
        lambda a, b: max(0, a + b - 1),
        lambda a, b: min(1, a + b),
        "max(0, a + b - 1)",
        "min(1, a + b)",
    ),
)
MEMBERSHIPS = [Fraction(k, 12) for k in range(13)]  # closed under 1 - a, so that all four cells stay on the grid
PAIRS = list(product(MEMBERSHIPS, repeat=2))
ONE_CELL = {"godel": "1.6", "product": "1.0", "lukasiewicz": "0.4"}  # what the cells of a = 0.6, b = 0.7 sum to


def four_cells(t: Callable[..., Number], a: Number, b: Number) -> tuple[Number, ...]:
    """Return the fuzzy TP, FP, FN, TN of one entry (eq:fuzzy_tp)."""
    return t(a, b), t(1 - a, b), t(a, 1 - b), t(1 - a, 1 - b)


@experiment("tab:tnorms", "Three t-norms: formulas, order, total mass, marginals")
def tnorms(record: Record) -> None:
    """Check formulas, axioms, order and sums of cells in exact arithmetic on a grid of memberships."""
    table = []
    for title, name, t, s, t_text, s_text in ROWS:
        ours = ix.algebra.tnorm(name)
        record.holds(f"{title}: T(a, b) = {t_text}", all(ours(a, b) == t(a, b) for a, b in PAIRS))
        record.holds(f"{title}: S(a, b) = {s_text}", all(ours.conorm(a, b) == s(a, b) for a, b in PAIRS))
        record.holds(f"{title}: S(a, b) = 1 - T(1-a, 1-b)", all(s(a, b) == 1 - ours(1 - a, 1 - b) for a, b in PAIRS))
        record.holds(f"{title}: T is a t-norm, with T(a, 1) = a and T(a, 0) = 0", _is_tnorm(ours))
        record.holds(f"{title}: T of 0 and 1 is the Boolean and", all(ours(a, b) == (a and b) for a in (0, 1) for b in (0, 1)))
        cells = four_cells(ours, Fraction(6, 10), Fraction(7, 10))
        record.claim(f"{title}: sum of the four cells of a = 0.6, b = 0.7", paper=ONE_CELL[name], ours=sum(cells))
        consistent = ix.algebra.is_marginally_consistent(ours).holds
        record.claim(f"{title} keeps the marginals", paper=name == "product", ours=consistent)
        table.append((title, t_text, s_text, *cells, sum(cells), "✓" if consistent else "–"))
    _order(record)
    record.note(f"Exact fractions k/12: {len(PAIRS)} pairs of memberships, and all triples for associativity.")
    record.table(
        "t-norms, conorms, and the four cells of a = 0.6, b = 0.7",
        ("t-norm", "T(a, b)", "S(a, b)", "TP", "FP", "FN", "TN", "Sum", "Keeps marginals"),
        table,
    )


def _is_tnorm(t: Callable[..., Number]) -> bool:
    """Return whether a function is commutative, associative and monotone with 1 neutral, on the grid."""
    return (
        all(t(a, b) == t(b, a) for a, b in PAIRS)
        and all(t(a, t(b, c)) == t(t(a, b), c) for a, b in PAIRS for c in MEMBERSHIPS)
        and all(t(a, b) <= t(a, c) for a in MEMBERSHIPS for b, c in pairwise(MEMBERSHIPS))
        and all(t(a, 1) == a and t(a, 0) == 0 for a in MEMBERSHIPS)
    )


def _order(record: Record) -> None:
    """Check the order of the three in all cells, and which asks for the strongest overlap."""
    godel, independent, lukasiewicz = (ix.algebra.tnorm(name) for _, name, *_ in ROWS)
    in_order = [
        low <= middle <= high
        for a, b in PAIRS
        for low, middle, high in zip(*(four_cells(t, a, b) for t in (lukasiewicz, independent, godel)), strict=True)
    ]
    record.holds("Łukasiewicz ≤ product ≤ Gödel in all four cells", all(in_order))
    record.holds("the product's cells always sum to one", ix.algebra.is_partition(independent))
    record.holds("the product is the only one of the three that keeps the marginals", _only_product_keeps_marginals())
    record.holds(
        "Gödel credits the weakest, Łukasiewicz the strongest overlap",
        all(godel(a, b) <= lukasiewicz(a, b) for a, b in PAIRS),
        differs="it is the reverse: of the three, Gödel's cells are the largest and Łukasiewicz's the smallest",
        errata="D",
    )


def _only_product_keeps_marginals() -> bool:
    return [name for _, name, *_ in ROWS if ix.algebra.is_marginally_consistent(name)] == ["product"]
