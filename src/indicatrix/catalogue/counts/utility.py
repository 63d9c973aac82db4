"""Linear measures of gains and costs, with a closed form of the best threshold (prop:consistency).

Group 11 of the paper's catalogue: measures of classification rules.
"""

from __future__ import annotations

import math
from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import power, ratio

UTILITY = "utility"
AT_LEAST_ZERO = (0, math.inf)


@listed(range=(-math.inf, 1), domain={"p_t": (0, 1)}, group=UTILITY, source="vickers2006")
def net_benefit(tp: Any, fp: Any, fn: Any, tn: Any, *, p_t: Any = 0.5) -> Any:
    """True positives per entry minus p_t/(1 - p_t) times the false positives per entry."""
    return ratio(tp * (1 - p_t) - fp * p_t, (tp + fp + fn + tn) * (1 - p_t))


@listed(range=(-math.inf, 1), domain={"p_t": (0, 1)}, group=UTILITY, source="vickers2006")
def interventions_avoided(tp: Any, fp: Any, fn: Any, tn: Any, *, p_t: Any = 0.5) -> Any:
    """True negatives per entry minus (1 - p_t)/p_t times the false negatives per entry."""
    return ratio(tn * p_t - fn * (1 - p_t), (tp + fp + fn + tn) * p_t)


@listed(domain={"w": (0, 1)}, group=UTILITY, source="androutsopoulos2000")
def weighted_accuracy(tp: Any, fp: Any, fn: Any, tn: Any, *, w: Any = 0.5) -> Any:
    """Accuracy where a positive counts w and a negative 1 - w; best threshold 1 - w."""
    return ratio(w * tp + (1 - w) * tn, w * (tp + fn) + (1 - w) * (fp + tn))


@listed(
    range=(-math.inf, math.inf),
    domain={"alpha": AT_LEAST_ZERO, "beta": AT_LEAST_ZERO, "gamma": AT_LEAST_ZERO, "delta": AT_LEAST_ZERO},
    group=UTILITY,
    source="elkan2001",
)
def linear_utility(tp: Any, fp: Any, fn: Any, tn: Any, *, alpha: Any = 1, beta: Any = 0, gamma: Any = 0, delta: Any = 1) -> Any:
    """Mean gain per entry: plus alpha per tp and delta per tn, minus beta per fp and gamma per fn."""
    return ratio(alpha * tp - beta * fp - gamma * fn + delta * tn, tp + fp + fn + tn)


RULES = "rules"


@listed(better="neither", aliases=("predicted_positive_rate", "selection_rate"), group=RULES, source="lavrac1999")
def coverage(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of entries that are predicted positive."""
    return ratio(tp + fp, tp + fp + fn + tn)


@listed(range=(-1, 1), group=RULES, source="lavrac1999")
def relative_accuracy(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Precision minus prevalence."""
    return ratio(tp * tn - fp * fn, (tp + fp) * (tp + fp + fn + tn))


@listed(range=(-0.25, 0.25), aliases=("novelty", "dispersion"), group=RULES, source="lavrac1999")
def weighted_relative_accuracy(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of true positives minus that expected if prediction and label were independent."""
    n = tp + fp + fn + tn
    return ratio(tp * tn - fp * fn, n * n)


@listed(range=(-1, 1), domain={"omega": (0, math.inf)}, group=RULES, source="klosgen1996")
def klosgen(tp: Any, fp: Any, fn: Any, tn: Any, *, omega: Any = 0.5) -> Any:
    """Coverage to the power omega, times precision minus prevalence."""
    ppos, n = tp + fp, tp + fp + fn + tn
    return power(ratio(ppos, n), omega) * ratio(tp * tn - fp * fn, ppos * n)


@listed(range=(0, math.inf), group=RULES, source="brin1997")
def conviction(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of negatives among all entries, divided by that among predicted positives."""
    return ratio((fp + tn) * (tp + fp), fp * (tp + fp + fn + tn))


@listed(better="neither", range=(0, math.inf), group=RULES, source="pearson1900b")
def chi_squared(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Pearson's statistic of independence of prediction and label; large for good and bad association."""
    determinant = tp * tn - fp * fn
    n = tp + fp + fn + tn
    return ratio(n * determinant * determinant, (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


@listed(range=(-math.inf, math.inf), group=RULES, source="piatetsky1991")
def piatetsky_shapiro(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Number of true positives beyond that expected if prediction and label were independent."""
    return ratio(tp * tn - fp * fn, tp + fp + fn + tn)


@listed(range=(0, math.inf), group=RULES, source="sebag1988")
def sebag_schoenauer(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives for each false positive."""
    return ratio(tp, fp)
