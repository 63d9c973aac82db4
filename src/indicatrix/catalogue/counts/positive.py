"""Group 2 of the paper's catalogue: measures of the positive class; only lift reads true negatives."""

from __future__ import annotations

import math
from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import ratio, sqrt

GROUP = "positive class"


def _names_of_averages(what: str) -> dict[str, str]:
    return {average: f"{average.capitalize()}-{what}" for average in ("micro", "macro", "weighted", "exemplar")}


@listed(aliases=("ppv", "positive_predictive_value"), group=GROUP, source="kent1955", known_as=_names_of_averages("precision"))
def precision(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of predicted positives that are positive."""
    return ratio(tp, tp + fp)


@listed(
    aliases=("sensitivity", "tpr", "hit_rate", "true_positive_rate"),
    group=GROUP,
    source="kent1955",
    known_as=_names_of_averages("recall") | {"macro": "Macro-recall (unweighted average recall)"},
)
def recall(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of actual positives that are found."""
    return ratio(tp, tp + fn)


@listed(better="lower", aliases=("fnr", "miss_rate"), group=GROUP, source="altman1994a")
def false_negative_rate(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of actual positives that are missed."""
    return ratio(fn, tp + fn)


@listed(better="lower", aliases=("fdr",), group=GROUP, source="benjamini1995")
def false_discovery_rate(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of predicted positives that are negative."""
    return ratio(fp, tp + fp)


@listed(domain={"beta": (0, math.inf)}, group=GROUP, source="rijsbergen1979", known_as=_names_of_averages("F-beta"))
def f_beta(tp: Any, fp: Any, fn: Any, tn: Any, *, beta: Any = 1) -> Any:
    """Weighted harmonic mean of precision and recall, where recall counts beta times as much."""
    hits = (1 + beta * beta) * tp
    return ratio(hits, hits + beta * beta * fn + fp)


@listed(aliases=("dice", "czekanowski"), group=GROUP, source="dice1945", known_as=_names_of_averages("F1"))
def f1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Harmonic mean of precision and recall."""
    return ratio(2 * tp, 2 * tp + fp + fn)


@listed(
    aliases=("iou", "critical_success_index", "threat_score", "tanimoto"),
    group=GROUP,
    source="jaccard1901",
    known_as={
        "micro": "Micro-Jaccard",
        "macro": "Mean IoU",
        "weighted": "Frequency-weighted IoU",
        "exemplar": "Example-based accuracy",
    },
)
def jaccard(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives among the entries that are positive or predicted positive: intersection over union."""
    return ratio(tp, tp + fp + fn)


@listed(
    aliases=("ochiai", "otsuka_ochiai", "cosine_similarity", "g_measure"),
    group=GROUP,
    source="fowlkes1983",
)
def fowlkes_mallows(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Geometric mean of precision and recall."""
    return ratio(tp, sqrt((tp + fp) * (tp + fn)))


@listed(range=(0, math.inf), aliases=("forbes",), group=GROUP, source="forbes1907")
def lift(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Precision divided by prevalence: how much more often predicted positives are positive than average."""
    return ratio(tp * (tp + fp + fn + tn), (tp + fp) * (tp + fn))
