"""The floors are those of micro and exemplar averages; macro floors are lower and depend on class sizes (tab:floors)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

TRUTH, M = [0, 0, 1, 2], 3


@experiment("B14", "Floors of macro averages")
def macro_floors(record: Record) -> None:
    """Find the least values over all 81 predictions of four examples, class sizes 2, 1, 1."""
    every = [ix.evaluate(TRUTH, guess, classes=range(M)) for guess in product(range(M), repeat=len(TRUTH))]

    def least(measure: str, average: str) -> Any:
        return min(ev.exact(measure, average) for ev in every)

    table = {"specificity": "0.500", "balanced_accuracy": "0.250", "informedness": ""}
    rows = []
    for name, printed in table.items():
        micro, exemplar, macro = (least(name, average) for average in ("micro", "exemplar", "macro"))
        rows.append([words(name), micro, exemplar, macro])
        if printed:
            record.claim(f"floor of micro {words(name)}, m = 3", paper=printed, ours=micro)
        record.claim(
            f"floor of {words(name)}, m = 3, read for the macro average",
            paper=micro,
            ours=macro,
            differs="the table is of micro averages; a large class can spoil the others",
            errata="B14",
        )
        record.holds(
            f"floor() finds from the class sizes that of macro {words(name)}",
            ix.floor(name, M, average="macro", sizes=[2, 1, 1]) == macro,
        )
        record.holds(
            f"the exemplar floor of {words(name)} is the micro floor", exemplar == micro == ix.floor(name, M, average="exemplar")
        )
    record.table("Least values over all predictions, class sizes 2, 1, 1", ["measure", "micro", "exemplar", "macro"], rows)
    record.refuses("without class sizes ours gives no macro floor", lambda: ix.floor("specificity", M, average="macro"))
    sizes = [[2, 1, 1], [4, 1, 1], [2, 1, 1, 1], [5, 3, 2], [4, 4, 4]]
    record.holds("macro specificity: 1 - (1 + n1/(n - n2))/m, n1 and n2 the largest classes", all(map(closed_form_holds, sizes)))
    mcc = [
        ix.mcc(TRUTH, [1, 1, 0, 0], classes=range(M), average="macro"),
        ix.mcc([0, 0, 0, 1, 1, 2], [1, 1, 1, 0, 0, 0], classes=range(M), average="macro"),
    ]
    record.holds(
        "macro MCC under exclusion goes below -1/2: -0.789, and -0.854 for sizes 3, 2, 1",
        [round(x, 3) for x in mcc] == [-0.789, -0.854],
    )
    record.holds(
        "macro G-mean is 0 already for the constant prediction", ix.g_mean(TRUTH, [0] * 4, classes=range(M), average="macro") == 0
    )


def closed_form_holds(sizes: list[int]) -> bool:
    """Return whether the floor of macro specificity is what the two largest classes say."""
    second, first = sorted(sizes)[-2:]
    value = 1 - (1 + Fraction(first, sum(sizes) - second)) / len(sizes)
    return bool(ix.floor("specificity", len(sizes), average="macro", sizes=sizes) == value)
