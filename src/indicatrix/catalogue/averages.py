"""The averages: which axes they keep, and which measures weight them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..algebra.average import AVERAGES, Average
from ..algebra.count_formula import COUNTS
from ..algebra.measure import Measure

LABELS = replace(
    COUNTS,
    name="labels",
    what="the actual positives and negatives",
    takes="counts, an evaluation, or y_true and y_pred",
    apply=lambda measure, units: measure.function(units.tpos, units.tneg, **measure.params),
    check_parameter=lambda measure, name, value: None,
    help=("catalogue.listing", "help_on_function"),
    formula=False,
    examples=tuple,
)


def _positives(positives: Any, negatives: Any) -> Any:
    """Return the actual positives."""
    return positives


SUPPORT = Measure("support", _positives, "neither", (0, float("inf")), reads=LABELS)


AVERAGES.update(
    {
        "micro": Average((), meaning="pool all counts, then apply the formula once"),
        "macro": Average(("class",), meaning="apply the formula per class, then take the plain mean"),
        "weighted": Average(("class",), SUPPORT, "macro, weighted by actual positives"),
        "denominator": Average(
            ("class",),
            lambda measure: measure.own_denominator,
            "macro, weighted by denominators: micro, where all are defined",
            general=False,
        ),
        "exemplar": Average(("example",), meaning="apply the formula per example, then take the mean"),
        "target": Average(("target",), meaning="apply the formula per target, then take the mean"),
    }
)
