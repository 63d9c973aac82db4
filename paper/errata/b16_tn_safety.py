"""Whether true negatives survive at tp = 0 cannot be read off one coefficient (sec:properties)."""

from __future__ import annotations

from typing import Any

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

RATIOS = ["accuracy", "error_rate", "precision", "recall", "specificity", "npv", "f1", "jaccard", "russell_rao", "coverage"]


@experiment("B16", "Reading safety off a coefficient")
def tn_safety(record: Record) -> None:
    """Compare the paper's reading of the formula with what happens to tn at tp = 0."""
    rows = []
    for name in RATIOS:
        p: Any = ix.properties(name)
        (_, a2, a3, a4), (_, b2, b3, b4) = p.a, p.b
        literal = a4 == 0 and b4 == 0
        exact = a4 * b2 == b4 * a2 and a4 * b3 == b4 * a3
        rows.append([words(name), literal, exact, not p.tn_survives_at_tp0])
    header = ["measure", "safe by b4 and the numerator", "safe by a4 b2 = b4 a2 and a4 b3 = b4 a3", "safe"]
    record.table("Is the value at tp = 0 free of tn?", header, rows)
    wrong = [name for name, literal, _, safe in rows if literal != safe]
    record.claim(
        "ratios of sums that b4 and the numerator judge wrongly",
        paper=[],
        ours=wrong,
        pinned=["tp/n"],
        differs="tp/n has tn in its denominator, and is 0 at tp = 0 for every tn",
        errata="B16",
    )
    record.finds("a4 b2 = b4 a2 and a4 b3 = b4 a3 judge all of them rightly", all(exact == safe for _, _, exact, safe in rows))
    g_mean = ix.properties("g_mean")
    record.holds(
        "the G-mean, with tn in its numerator, is unsafe",
        ours=g_mean.tn_survives_at_tp0,
        differs="recall 0 makes it 0; and it is not a ratio of sums, so that it has no b4",
        errata="B16",
    )
    power = ix.properties("discriminant_power").evidence["tn_survives_at_tp0"]
    record.finds("discriminant power is undefined at tp = 0, and ours says so", "undefined" in power.note)
