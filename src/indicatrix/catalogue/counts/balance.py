"""Group 4 of the paper's catalogue: measures that weigh both classes.

Differences of rates are written as one quotient, so that only integer polynomials of the counts are subtracted:
recall + specificity - 1 is (tp tn - fp fn) / (tpos tneg), with every digit right where the two nearly cancel.
"""

from __future__ import annotations

import math
from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import absolute, constant, log_ratio, ratio, sqrt

GROUP = "balance"


@listed(
    group=GROUP,
    source="brodersen2010",
    known_as={"micro": "Micro-BA", "macro": "Macro-BA"},
    averaged_name="label balanced accuracy",
)
def balanced_accuracy(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Mean of recall and specificity; scikit-learn's multiclass version is macro recall."""
    tpos, tneg = tp + fn, fp + tn
    return ratio(tp * tneg + tn * tpos, 2 * tpos * tneg)


@listed(group=GROUP, source="kubat1997", known_as={"micro": "Micro-GM", "macro": "Macro-GM"})
def g_mean(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Geometric mean of recall and specificity."""
    return sqrt(ratio(tp * tn, (tp + fn) * (fp + tn)))


@listed(
    range=(-1, 1),
    aliases=("youden_j", "bookmaker", "peirce_skill_score"),
    group=GROUP,
    source="youden1950",
)
def informedness(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Recall plus specificity minus one."""
    return ratio(tp * tn - fp * fn, (tp + fn) * (fp + tn))


@listed(range=(-1, 1), aliases=("delta_p",), group=GROUP, source="powers2011")
def markedness(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Precision plus negative predictive value minus one."""
    return ratio(tp * tn - fp * fn, (tp + fp) * (fn + tn))


@listed(domain={"beta": (0, math.inf)}, aliases=("fleiss_levin_paik",), group=GROUP, source="rijsbergen1979")
def f_beta_negative(tp: Any, fp: Any, fn: Any, tn: Any, *, beta: Any = 1) -> Any:
    """F-beta of the negative class: negatives take the place of positives."""
    hits = (1 + beta * beta) * tn
    return ratio(hits, hits + beta * beta * fp + fn)


@listed(range=(-math.inf, math.inf), group=GROUP, source="biggerstaff2000")
def discriminant_power(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Natural logarithm of the diagnostic odds ratio, times sqrt(3)/pi."""
    return sqrt(constant(3, tp)) / constant("pi", tp) * log_ratio(tp * tn, fp * fn, tp * tn - fp * fn)


@listed(range=(-1, 1), group=GROUP, source="ranawana2006")
def optimized_precision(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Accuracy minus the relative difference of recall and specificity; not monotone."""
    n = tp + fp + fn + tn
    both = tp * (fp + tn) + tn * (tp + fn)  # (recall + specificity) tpos tneg
    apart = absolute(tp * fp - tn * fn)  # |recall - specificity| tpos tneg
    return ratio((tp + tn) * both - n * apart, n * both)
