"""Floors of macro averages are lower and depend on class sizes (tab:floors)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

TRUTH, M = [0, 0, 1, 2], 3
MACRO = {"specificity": Fraction(4, 9), "balanced_accuracy": Fraction(2, 9), "informedness": Fraction(-5, 9)}


@experiment("B14", "Floors of macro averages")
def macro_floors(record: Record) -> None:
    """Find the least values over all 81 predictions of four examples, class sizes 2, 1, 1."""
    every = [ix.evaluate(TRUTH, guess, classes=range(M)) for guess in product(range(M), repeat=len(TRUTH))]

    def least(measure: str, average: str) -> Any:
        return min(ev.exact(measure, average) for ev in every)

    printed = {"specificity": "0.500", "balanced_accuracy": "0.250", "informedness": Fraction(-1, M - 1)}
    rows = []
    for name, floor in printed.items():
        micro, exemplar, macro = (least(name, average) for average in ("micro", "exemplar", "macro"))
        rows.append([words(name), micro, exemplar, macro])
        record.claim(f"floor of micro {words(name)}, m = 3", paper=floor, ours=micro)
        if name == "informedness":  # only here does the paper say that this is the floor of all averages
            reason = "it is the floor of micro and exemplar averages; a large class can spoil the others"
            what = f"floor of macro {words(name)}, m = 3"
            record.claim(what, paper=floor, ours=macro, differs=reason, pinned=MACRO[name], errata="B14")
            record.claim(f"floor of exemplar {words(name)}, m = 3", paper=floor, ours=exemplar)
        record.finds(
            f"the floor of macro {words(name)} is {MACRO[name]}, below that of micro {words(name)}", macro == MACRO[name] < micro
        )
        record.finds(
            f"floor() finds from the class sizes that of macro {words(name)}",
            ix.theory.floor(name, M, average="macro", sizes=[2, 1, 1]) == macro,
        )
        record.finds(
            f"the exemplar floor of {words(name)} is the micro floor",
            exemplar == micro == ix.theory.floor(name, M, average="exemplar"),
        )
    record.table("Least values over all predictions, class sizes 2, 1, 1", ["measure", "micro", "exemplar", "macro"], rows)
    record.refuses("without class sizes ours gives no macro floor", lambda: ix.theory.floor("specificity", M, average="macro"))
    sizes = [[2, 1, 1], [4, 1, 1], [2, 1, 1, 1], [5, 3, 2], [4, 4, 4]]
    record.finds("macro specificity: 1 - (1 + n1/(n - n2))/m, n1 and n2 the largest classes", all(map(closed_form_holds, sizes)))
    mcc = [
        ix.mcc(TRUTH, [1, 1, 0, 0], classes=range(M), average="macro"),
        ix.mcc([0, 0, 0, 1, 1, 2], [1, 1, 1, 0, 0, 0], classes=range(M), average="macro"),
    ]
    record.finds(
        "macro MCC under exclusion goes below -1/2: -0.789, and -0.854 for sizes 3, 2, 1",
        [round(x, 3) for x in mcc] == [-0.789, -0.854],
    )
    record.finds(
        "macro G-mean is 0 already for the constant prediction", ix.g_mean(TRUTH, [0] * 4, classes=range(M), average="macro") == 0
    )


def closed_form_holds(sizes: list[int]) -> bool:
    """Return whether the floor of macro specificity follows from the two largest classes."""
    second, first = sorted(sizes)[-2:]
    value = 1 - (1 + Fraction(first, sum(sizes) - second)) / len(sizes)
    return bool(ix.theory.floor("specificity", len(sizes), average="macro", sizes=sizes) == value)
