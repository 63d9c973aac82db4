"""Rarely used coefficients of two binary vectors, so that the classical lists are complete.

Those with a number follow the order in which surveys list them. Several depend on the scale of the counts: twice all
counts do not give the same value. Others of these authors are aliases: Benini's second is ``forbes_2``, Köppen's first is
``scott_pi``, Canberra's distance is ``lance_williams``, and Kendall's tau-b is ``mcc``.
"""

from __future__ import annotations

import math
from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import constant, exp, log, maximum, minimum, ratio, sqrt
from ...algebra.table_chance import log_table_chance

GROUP = "coefficients"


@listed(better="lower", group=GROUP, source="baulieu1989")
def baulieu_1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """One minus the product of precision and recall."""
    return ratio(tp * (fp + fn) + fp * fn, (tp + fp) * (tp + fn))


@listed(group=GROUP, source="baulieu1989")
def baulieu_2(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Product of precision, recall, specificity and negative predictive value."""
    both = tp * tn
    return ratio(both * both, (tp + fp) * (tp + fn) * (fp + tn) * (fn + tn))


@listed(better="lower", group=GROUP, source="baulieu1989")
def baulieu_3(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """One half minus twice the covariance of the two labels."""
    n = tp + fp + fn + tn
    return ratio(n * n - 4 * (tp * tn - fp * fn), 2 * n * n)


@listed(better="lower", range=(-math.inf, 1), group=GROUP, source="baulieu1997")
def baulieu_4(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Wrong decisions minus e (tp + 1/2) (tn + 1/2) tn, per entry; not independent of scale."""
    right = (2 * tp + 1) * (2 * tn + 1) * tn
    return ratio(4 * (fp + fn) - exp(constant(1, tp)) * right, 4 * (tp + fp + fn + tn))


@listed(better="lower", group=GROUP, source="baulieu1997")
def baulieu_5(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """One minus Jaccard's index with one more wrong decision; not independent of scale."""
    wrong = fp + fn + 1
    return ratio(wrong, tp + wrong)


@listed(better="lower", group=GROUP, source="baulieu1997")
def baulieu_6(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """One minus Jaccard's index with one more true positive; not independent of scale."""
    return ratio(fp + fn, tp + fp + fn + 1)


@listed(better="lower", group=GROUP, source="baulieu1997")
def baulieu_7(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Error rate with tp (tp - 4)**2 added to the total; not independent of scale."""
    return ratio(fp + fn, tp + fp + fn + tn + tp * (tp - 4) * (tp - 4))


@listed(better="lower", group=GROUP, source="baulieu1997")
def baulieu_8(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Square of coverage minus prevalence."""
    n, excess = tp + fp + fn + tn, fp - fn
    return ratio(excess * excess, n * n)


@listed(better="lower", group=GROUP, source="baulieu1997")
def baulieu_9(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Error rate with false negatives counted twice."""
    wrong = fp + 2 * fn
    return ratio(wrong, tp + tn + wrong)


@listed(better="lower", group=GROUP, source="baulieu1997")
def baulieu_10(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Error rate with the more frequent kind of error counted twice."""
    wrong = fp + fn + maximum(fp, fn)
    return ratio(wrong, tp + tn + wrong)


@listed(better="lower", group=GROUP, source="baulieu1997")
def baulieu_11(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """One minus Jaccard's index of the negative class."""
    return ratio(fp + fn, fp + fn + tn)


@listed(better="lower", range=(0, math.inf), group=GROUP, source="baulieu1997")
def baulieu_12(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """One minus Jaccard's index with one true positive fewer; not independent of scale."""
    return ratio(fp + fn, tp + fp + fn - 1)


@listed(better="lower", group=GROUP, source="baulieu1997")
def baulieu_13(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """One minus Jaccard's index with tp (tp - 4)**2 added to tp; not independent of scale."""
    return ratio(fp + fn, tp + fp + fn + tp * (tp - 4) * (tp - 4))


@listed(better="lower", group=GROUP, source="baulieu1997")
def baulieu_14(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """One minus Jaccard's index with false negatives counted twice."""
    wrong = fp + 2 * fn
    return ratio(wrong, tp + wrong)


@listed(better="lower", group=GROUP, source="baulieu1997")
def baulieu_15(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """One minus Jaccard's index with the more frequent kind of error counted twice."""
    wrong = fp + fn + maximum(fp, fn)
    return ratio(wrong, tp + wrong)


@listed(range=(-math.inf, 1), group=GROUP, source="benini1901")
def benini_1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Index of attraction: one minus the false negatives over those expected under independence."""
    return ratio(tp * tn - fp * fn, (tp + fn) * (fn + tn))


@listed(range=(-1, 1), group=GROUP, source="digby1983")
def digby(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Yule's Q with three-quarter powers of the products: it approximates the tetrachoric correlation."""
    # With u**4 = tp tn, v**4 = fp fn and w = u**2 + v**2: (u**4 - v**4)/w**2 (w**2 + w u v)/(u**4 + v**4 + w u v).
    right, wrong = tp * tn, fp * fn
    mean = sqrt(right * wrong)
    square = right + wrong + 2 * mean
    mixed = sqrt(square * mean)
    return ratio(right - wrong, square) * ratio(square + mixed, right + wrong + mixed)


@listed(better="neither", range=(-math.inf, math.inf), group=GROUP, source="gilbert1966")
def gilbert_wells_factorial(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """-2 log of the table's chance at fixed marginals, minus its normal approximation at independence."""
    n, ppos, pneg, tpos, tneg = tp + fp + fn + tn, tp + fp, fn + tn, tp + fn, fp + tn
    normal = log(ratio(n * n * n, 2 * constant("pi", tp) * ppos * pneg * tpos * tneg))
    return normal - 2 * log_table_chance(tp, fp, fn, tn)


@listed(range=(-1, 1), aliases=("kendall_tau",), group=GROUP, source="kendall1938")
def kendall_tau_a(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Concordant minus discordant pairs of entries, among all pairs; tau-b, without ties, is the MCC."""
    n = tp + fp + fn + tn
    return ratio(2 * (tp * tn - fp * fn), n * (n - 1))


@listed(range=(-1 / 3, 0), group=GROUP, source="kent1977")
def kent_foster_1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Agreement on the positive class beyond chance, as if there were no true negatives."""
    return _beyond_occurrence(tp, fp, fn)


@listed(range=(-1 / 3, 0), group=GROUP, source="kent1977")
def kent_foster_2(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Agreement on the negative class beyond chance, as if there were no true positives."""
    return _beyond_occurrence(tn, fp, fn)


def _beyond_occurrence(hits: Any, fp: Any, fn: Any) -> Any:
    """Return (h - e) / (h - e + fp + fn), with e the hits expected among h + fp + fn entries.

    h - e is -fp fn divided by h + fp + fn.
    """
    return ratio(-fp * fn, (hits + fp + fn) * (fp + fn) - fp * fn)


@listed(better="neither", range=(0, math.inf), group=GROUP, source="koppen1870")
def koppen_2(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Mean of actual and predicted positives."""
    return ratio(2 * tp + fp + fn, 2)


@listed(range=(-0.5, 0.5), group=GROUP, source="kuhns1965")
def kuhns_1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Twice the covariance of the two labels."""
    n = tp + fp + fn + tn
    return ratio(2 * (tp * tn - fp * fn), n * n)


@listed(range=(-0.5, 1), group=GROUP, source="kuhns1965")
def kuhns_2(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives beyond chance, divided by the larger of predicted and actual positives."""
    return ratio(tp * tn - fp * fn, (tp + fp + fn + tn) * maximum(tp + fp, tp + fn))


@listed(range=(-1 / 3, 1), group=GROUP, source="kuhns1965")
def kuhns_3(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Jaccard's index minus its value at independence, in the scale of the share of overlap."""
    n, both, either = tp + fp + fn + tn, 2 * tp + fp + fn, tp + fp + fn
    return ratio((tp * tn - fp * fn) * both, either * (n * both - (tp + fp) * (tp + fn)))


@listed(range=(-1, 1), group=GROUP, source="kuhns1965")
def kuhns_4(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives beyond chance, divided by the smaller of predicted and actual positives."""
    return ratio(tp * tn - fp * fn, (tp + fp + fn + tn) * minimum(tp + fp, tp + fn))


@listed(range=(-1, 1), group=GROUP, source="kuhns1965")
def kuhns_5(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Covariance of the two labels, divided by the larger of their variances."""
    return ratio(tp * tn - fp * fn, maximum((tp + fp) * (fn + tn), (tp + fn) * (fp + tn)))


@listed(range=(-1, 1), group=GROUP, source="kuhns1965")
def kuhns_6(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Covariance of the two labels, divided by the smaller of their variances."""
    return ratio(tp * tn - fp * fn, minimum((tp + fp) * (fn + tn), (tp + fn) * (fp + tn)))


@listed(range=(-0.5, 1), group=GROUP, source="kuhns1965")
def kuhns_7(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives beyond chance, divided by the geometric mean of predicted and actual positives."""
    return ratio(tp * tn - fp * fn, (tp + fp + fn + tn) * sqrt((tp + fp) * (tp + fn)))
