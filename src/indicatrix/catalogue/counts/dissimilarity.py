"""Distances between two binary vectors: zero where they agree."""

from __future__ import annotations

import math
from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import ratio, sqrt

GROUP = "dissimilarity"


@listed(
    better="lower",
    range=(0, math.inf),
    aliases=("squared_euclidean_distance", "manhattan_distance"),
    group=GROUP,
    source="hamming1950",
)
def hamming_distance(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Number of wrong decisions."""
    return fp + fn


@listed(better="lower", range=(0, math.inf), group=GROUP, source="choi2010")
def euclidean_distance(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Square root of the number of wrong decisions."""
    return sqrt(fp + fn)


@listed(better="lower", range=(0, 0.25), group=GROUP, source="choi2010")
def variance_dissimilarity(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """A quarter of the error rate."""
    return ratio(fp + fn, 4 * (tp + fp + fn + tn))


@listed(better="lower", group=GROUP, source="choi2010")
def size_difference(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Square of the error rate."""
    n, wrong = tp + fp + fn + tn, fp + fn
    return ratio(wrong * wrong, n * n)


@listed(better="lower", group=GROUP, source="choi2010")
def shape_difference(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Variance over all entries of prediction minus label."""
    n, excess = tp + fp + fn + tn, fp - fn
    return ratio(n * (fp + fn) - excess * excess, n * n)


@listed(better="lower", group=GROUP, source="choi2010")
def pattern_difference(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Four times the product of the shares of false positives and false negatives."""
    n = tp + fp + fn + tn
    return ratio(4 * fp * fn, n * n)


@listed(better="lower", aliases=("bray_curtis", "canberra"), group=GROUP, source="lance1967")
def lance_williams(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """One minus the F1 measure: wrong decisions among predicted plus actual positives."""
    return ratio(fp + fn, 2 * tp + fp + fn)


@listed(better="lower", range=(0, 2), group=GROUP, source="choi2010")
def hellinger(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Twice the root of one minus the geometric mean of precision and recall."""
    return 2 * sqrt(_beyond_ochiai(tp, fp, fn))


@listed(better="lower", range=(0, math.sqrt(2)), group=GROUP, source="orloci1967")
def chord(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Distance of the two binary vectors after both are scaled to length one."""
    return sqrt(2 * _beyond_ochiai(tp, fp, fn))


def _beyond_ochiai(tp: Any, fp: Any, fn: Any) -> Any:
    """Return 1 - tp/sqrt(ppos tpos) without cancellation: ppos tpos - tp**2 is a sum of products."""
    root = sqrt((tp + fp) * (tp + fn))
    return ratio(tp * (fp + fn) + fp * fn, root * (root + tp))


@listed(better="lower", range=(0, 2), group=GROUP, source="choi2010")
def yule_dissimilarity(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """One minus Yule's Q."""
    return ratio(2 * fp * fn, tp * tn + fp * fn)


@listed(better="lower", range=(0, math.inf), group=GROUP, source="batagelj1995")
def batagelj_bren(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Inverse of the diagnostic odds ratio."""
    return ratio(fp * fn, tp * tn)
