"""Losses have ceilings instead of floors (prop:lower_boundary)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words


@experiment("B15", "Ceilings of losses")
def loss_ceilings(record: Record) -> None:
    """Compute the values of total failure for five losses and for AC1."""
    losses = ["error_rate", "false_positive_rate", "false_omission_rate", "balanced_error_rate", "negative_likelihood_ratio"]
    bounds: dict[str, Any] = {name: ix.theory.floor(name, 10) for name in losses}
    rows = [[words(name), Fraction(bound), bound.orientation] for name, bound in bounds.items()]
    ac1: dict[int, Any] = {m: ix.theory.floor("gwet_ac1", m) for m in (3, 5, 10)}
    rows.append([words("gwet_ac1"), Fraction(ac1[10]), ac1[10].orientation])
    record.table("Everything wrong, ten classes", ["measure", "value", "bound"], rows)
    record.claim("error rate, ten classes, all wrong (a ceiling)", paper="0.200", ours=bounds["error_rate"])
    record.claim(
        "false positive rate, ten classes, all wrong: 1/(m-1)", paper=Fraction(1, 9), ours=Fraction(bounds["false_positive_rate"])
    )
    record.finds(
        "of all five losses the value of total failure is a ceiling, where prop:lower_boundary speaks of minima",
        all(bound.orientation == "ceiling" for bound in bounds.values()),
    )
    closed = {m: Fraction(m * m - 4 * m + 2, m * m - 2 * m + 2) for m in ac1}
    record.finds("AC1 with everything wrong is (m² - 4m + 2)/(m² - 2m + 2)", ac1 == closed)
    record.finds("AC1 with everything wrong, ten classes, is 31/41", ac1[10] == Fraction(31, 41))
