"""Linear measures of gains and costs, with a closed form of the best threshold (prop:consistency)."""

from __future__ import annotations

import math
from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import ratio

GROUP = "utility"
AT_LEAST_ZERO = (0, math.inf)


@listed(range=(-math.inf, 1), domain={"p_t": (0, 1)}, group=GROUP, source="vickers2006")
def net_benefit(tp: Any, fp: Any, fn: Any, tn: Any, *, p_t: Any = 0.5) -> Any:
    """True positives per entry minus p_t/(1 - p_t) times the false positives per entry."""
    return ratio(tp * (1 - p_t) - fp * p_t, (tp + fp + fn + tn) * (1 - p_t))


@listed(range=(-math.inf, 1), domain={"p_t": (0, 1)}, group=GROUP, source="vickers2006")
def interventions_avoided(tp: Any, fp: Any, fn: Any, tn: Any, *, p_t: Any = 0.5) -> Any:
    """True negatives per entry minus (1 - p_t)/p_t times the false negatives per entry."""
    return ratio(tn * p_t - fn * (1 - p_t), (tp + fp + fn + tn) * p_t)


@listed(domain={"w": (0, 1)}, group=GROUP, source="androutsopoulos2000")
def weighted_accuracy(tp: Any, fp: Any, fn: Any, tn: Any, *, w: Any = 0.5) -> Any:
    """Accuracy where a positive counts w and a negative 1 - w; best threshold 1 - w."""
    return ratio(w * tp + (1 - w) * tn, w * (tp + fn) + (1 - w) * (fp + tn))


@listed(
    range=(-math.inf, math.inf),
    domain={"alpha": AT_LEAST_ZERO, "beta": AT_LEAST_ZERO, "gamma": AT_LEAST_ZERO, "delta": AT_LEAST_ZERO},
    group=GROUP,
    source="elkan2001",
)
def linear_utility(tp: Any, fp: Any, fn: Any, tn: Any, *, alpha: Any = 1, beta: Any = 0, gamma: Any = 0, delta: Any = 1) -> Any:
    """Mean gain per entry: plus alpha per tp and delta per tn, minus beta per fp and gamma per fn."""
    return ratio(alpha * tp - beta * fp - gamma * fn + delta * tn, tp + fp + fn + tn)
