"""Kappa and MCC of several classes: pooled indicators, or the whole matrix (sec:notable).

sec:ranking_curves uses the other reading.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import indicatrix as ix

from ..record import Record, experiment


@experiment("B1", "Which kappa, which MCC")
def which_kappa(record: Record) -> None:
    """Write kappa in four counts, and compare both readings of several classes."""

    def in_counts(tp: int, fp: int, fn: int, tn: int) -> Fraction:
        return Fraction(2 * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))

    def by_agreement(tp: int, fp: int, fn: int, tn: int) -> Fraction:
        n = tp + fp + fn + tn
        p_o, p_e = Fraction(tp + tn, n), Fraction((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn), n * n)
        return (p_o - p_e) / (1 - p_e)

    vectors = list(product(range(1, 5), repeat=4))
    same = all(in_counts(*v) == by_agreement(*v) == ix.measures.kappa(ix.Counts(*map(Fraction, v))) for v in vectors)
    record.holds(
        "p_e does not factor purely into tp, fp, fn, tn",
        ours=not same,
        differs="kappa = 2(tp tn - fp fn)/((tp + fp)(fp + tn) + (tp + fn)(fn + tn))",
        errata="B1",
    )
    ev = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])
    rows = [
        ["kappa", float(ev.score("kappa", "micro")), float(ix.multiclass_kappa(ev))],
        ["MCC", float(ev.score("mcc", "micro")), float(ix.multiclass_mcc(ev))],
    ]
    record.table("Two readings for several classes (matrix of ex:counterexample)", ["", "pooled", "whole matrix"], rows)
    kappas, mccs = (values for _, *values in rows)
    record.holds("MCC of pooled indicators is distinct from Gorodkin's, of the whole matrix", mccs[0] != mccs[1])
    record.finds("kappa of pooled indicators is not that of the whole matrix", kappas[0] != kappas[1])

    truth, first, second = [0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 0, 0], [0, 0, 2, 1, 1, 1]  # four right of six, twice
    pooled = [ix.measures.kappa(truth, guess, average="micro") for guess in (first, second)]
    whole = [ix.multiclass_kappa(truth, guess) for guess in (first, second)]
    record.holds("equal accuracies may have different kappas, those of the whole matrix", whole[0] != whole[1])
    record.finds("equal accuracies have equal pooled kappas, those of tab:extensions: (m acc - 1)/(m - 1)", pooled == [0.5, 0.5])
    ten = list(range(10))
    record.claim(
        "pooled kappa, ten classes, all wrong", paper="-0.111", ours=ix.measures.kappa(ten, [*ten[1:], 0], average="micro")
    )
    swapped = ix.multiclass_kappa([0, 1], [1, 0], classes=[0, 1, 2])
    record.finds("kappa of the whole matrix can be -1 with three classes, one of them unused", swapped == -1.0)
