"""Group 3 of the paper's catalogue: measures of the negative class."""

from __future__ import annotations

from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import ratio

GROUP = "negative class"


@listed(
    aliases=("tnr", "selectivity", "true_negative_rate"),
    group=GROUP,
    source="altman1994a",
    known_as={"micro": "Micro-specificity", "macro": "Macro-specificity", "exemplar": "Exemplar-specificity"},
)
def specificity(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of actual negatives that are predicted negative."""
    return ratio(tn, fp + tn)


@listed(aliases=("npv",), group=GROUP, source="altman1994b")
def negative_predictive_value(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of predicted negatives that are negative."""
    return ratio(tn, fn + tn)


@listed(better="lower", aliases=("fpr", "fall_out"), group=GROUP, source="altman1994a")
def false_positive_rate(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of actual negatives that are predicted positive."""
    return ratio(fp, fp + tn)


@listed(better="lower", group=GROUP, source="altman1994b")
def false_omission_rate(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of predicted negatives that are positive."""
    return ratio(fn, fn + tn)
