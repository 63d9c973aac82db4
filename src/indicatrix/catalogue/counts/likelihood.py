"""Group 6 of the paper's catalogue: likelihood ratios, odds and risks."""

from __future__ import annotations

import math
from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import ratio

GROUP = "likelihood"


@listed(range=(0, math.inf), aliases=("lr_plus", "plr"), group=GROUP, source="deeks2004")
def positive_likelihood_ratio(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Recall divided by the false positive rate."""
    return ratio(tp * (fp + tn), fp * (tp + fn))


@listed(better="lower", range=(0, math.inf), aliases=("lr_minus", "nlr"), group=GROUP, source="deeks2004")
def negative_likelihood_ratio(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """False negative rate divided by specificity."""
    return ratio(fn * (fp + tn), tn * (tp + fn))


@listed(range=(0, math.inf), aliases=("dor", "odds_ratio"), group=GROUP, source="glas2003")
def diagnostic_odds_ratio(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Odds of a positive prediction for actual positives, divided by those for actual negatives."""
    return ratio(tp * tn, fp * fn)


@listed(range=(0, math.inf), aliases=("risk_ratio",), group=GROUP, source="cornfield1951")
def relative_risk(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of positives among predicted positives, divided by that among predicted negatives."""
    return ratio(tp * (fn + tn), fn * (tp + fp))
