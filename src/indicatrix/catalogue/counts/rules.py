"""Group 11 of the paper's catalogue: measures of classification rules."""

from __future__ import annotations

import math
from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import power, ratio

GROUP = "rules"


@listed(better="neither", aliases=("predicted_positive_rate", "selection_rate"), group=GROUP, source="lavrac1999")
def coverage(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of entries that are predicted positive."""
    return ratio(tp + fp, tp + fp + fn + tn)


@listed(range=(-1, 1), group=GROUP, source="lavrac1999")
def relative_accuracy(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Precision minus prevalence."""
    return ratio(tp * tn - fp * fn, (tp + fp) * (tp + fp + fn + tn))


@listed(range=(-0.25, 0.25), aliases=("novelty", "dispersion"), group=GROUP, source="lavrac1999")
def weighted_relative_accuracy(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of true positives minus that expected if prediction and label were independent."""
    n = tp + fp + fn + tn
    return ratio(tp * tn - fp * fn, n * n)


@listed(range=(-1, 1), domain={"omega": (0, math.inf)}, group=GROUP, source="klosgen1996")
def klosgen(tp: Any, fp: Any, fn: Any, tn: Any, *, omega: Any = 0.5) -> Any:
    """Coverage to the power omega, times precision minus prevalence."""
    ppos, n = tp + fp, tp + fp + fn + tn
    return power(ratio(ppos, n), omega) * ratio(tp * tn - fp * fn, ppos * n)


@listed(range=(0, math.inf), group=GROUP, source="brin1997")
def conviction(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of negatives among all entries, divided by that among predicted positives."""
    return ratio((fp + tn) * (tp + fp), fp * (tp + fp + fn + tn))


@listed(better="neither", range=(0, math.inf), group=GROUP, source="pearson1900b")
def chi_squared(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Pearson's statistic of independence of prediction and label; large for good and bad association."""
    determinant = tp * tn - fp * fn
    n = tp + fp + fn + tn
    return ratio(n * determinant * determinant, (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


@listed(range=(-math.inf, math.inf), group=GROUP, source="piatetsky1991")
def piatetsky_shapiro(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Number of true positives beyond that expected if prediction and label were independent."""
    return ratio(tp * tn - fp * fn, tp + fp + fn + tn)


@listed(range=(0, math.inf), group=GROUP, source="sebag1988")
def sebag_schoenauer(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives for each false positive."""
    return ratio(tp, fp)
