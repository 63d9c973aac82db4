"""Distances between two binary vectors: zero where they agree.

Other statistics of one class against the rest: marginals, adjusted means, diagnostics, forecasts.
"""

from __future__ import annotations

import math
from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import absolute, constant, equals, log, log_ratio, minimum, probit, ratio, select, sqrt

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


STATISTICS = "statistics"


@listed(better="neither", group=STATISTICS, source="haghighi2018")
def prevalence(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of entries that are positive."""
    return ratio(tp + fn, tp + fp + fn + tn)


@listed(better="neither", range=(0, math.inf), group=STATISTICS, source="wilks2011")
def frequency_bias(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Predicted positives for each actual positive; one is unbiased."""
    return ratio(tp + fp, tp + fn)


@listed(better="neither", range=(-math.inf, math.inf), group=STATISTICS, source="haghighi2018")
def automatic_manual(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Predicted positives minus actual positives; zero is unbiased."""
    return fp - fn


@listed(better="lower", range=(0, 0.5), aliases=("bcd",), group=STATISTICS, source="haghighi2018")
def marginal_bray_curtis(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """This class's part of the Bray-Curtis dissimilarity of actual and predicted class sizes."""
    return ratio(absolute(fp - fn), 2 * (tp + fp + fn + tn))


@listed(better="neither", aliases=("racc",), group=STATISTICS, source="cohen1960")
def random_accuracy(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of true positives expected if prediction and label were independent."""
    n = tp + fp + fn + tn
    return ratio((tp + fp) * (tp + fn), n * n)


@listed(better="neither", aliases=("raccu",), group=STATISTICS, source="scott1955")
def random_accuracy_unbiased(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of true positives expected if prediction and label were independent and equally frequent."""
    n, both = tp + fp + fn + tn, 2 * tp + fp + fn
    return ratio(both * both, 4 * n * n)


@listed(range=(-math.inf, math.inf), group=STATISTICS, source="kononenko1991")
def information_score(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Bits that a positive prediction tells about the label: the binary logarithm of lift."""
    nats = log_ratio(tp * (tp + fp + fn + tn), (tp + fp) * (tp + fn), tp * tn - fp * fn)
    return nats / log(constant(2, tp))


@listed(better="lower", range=(0, math.sqrt(2)), aliases=("dind",), group=STATISTICS, source="haghighi2018")
def distance_index(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Distance in ROC space from the perfect corner."""
    return sqrt(ratio(fn, tp + fn) ** 2 + ratio(fp, fp + tn) ** 2)


@listed(aliases=("sind",), group=STATISTICS, source="haghighi2018")
def similarity_index(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """One minus the distance in ROC space from the perfect corner, as a share of the diagonal."""
    tpos, tneg = tp + fn, fp + tn
    # 1 - sqrt(x) is (1 - x)/(1 + sqrt(x)), and 1 - fnr**2 = recall (1 + fnr) is a quotient of sums.
    found = ratio(tp * (tp + 2 * fn), tpos * tpos) + ratio(tn * (tn + 2 * fp), tneg * tneg)
    return ratio(found, 2 + sqrt(2 * (ratio(fn, tpos) ** 2 + ratio(fp, tneg) ** 2)))


@listed(range=(-math.inf, math.inf), aliases=("d_prime",), group=STATISTICS, source="green1966")
def sensitivity_index(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Distance of two normal distributions with the same variance that gives this recall and specificity."""
    return _normal_quantile(tp, fn) + _normal_quantile(tn, fp)


def _normal_quantile(part: Any, rest: Any) -> Any:
    """Return the normal quantile of the share part / (part + rest).

    The smaller side is used: it has all its digits also where the share is near one.
    """
    tail = probit(ratio(minimum(part, rest), part + rest))
    return select(part < rest, tail, -tail)


@listed(aliases=("agf",), group=STATISTICS, source="maratea2014")
def adjusted_f(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Geometric mean of F-beta at 2 of the positive class and F-beta at 1/2 of the negative class."""
    return sqrt(ratio(25 * tp * tn, (5 * tp + 4 * fn + fp) * (5 * tn + 4 * fn + fp)))


@listed(aliases=("agm",), group=STATISTICS, source="batuwita2009")
def adjusted_geometric_mean(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """G-mean shifted towards specificity, more if there are more negatives; zero where recall is zero."""
    tneg, n = fp + tn, tp + fp + fn + tn
    g_mean = sqrt(ratio(tp * tn, (tp + fn) * tneg))
    return select(equals(tp, 0), g_mean, ratio(n * g_mean + tn, n + tneg))


@listed(domain={"alpha": (0, 1)}, aliases=("iba",), group=STATISTICS, source="garcia2009")
def index_of_balanced_accuracy(tp: Any, fp: Any, fn: Any, tn: Any, *, alpha: Any = 1) -> Any:
    """Recall times specificity, raised or lowered by alpha times their difference."""
    both = (tp + fn) * (fp + tn)
    return ratio(both + alpha * (tp * fp - tn * fn), both) * ratio(tp * tn, both)


@listed(group=STATISTICS, source="sitarz2022")
def p4(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Harmonic mean of precision, recall, specificity and negative predictive value."""
    hits = 4 * tp * tn
    return ratio(hits, hits + (tp + tn) * (fp + fn))


@listed(better="lower", group=STATISTICS, source="balayla2020")
def prevalence_threshold(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Prevalence below which the precision of a test falls fastest, given its recall and specificity."""
    true, false = sqrt(ratio(tp, tp + fn)), sqrt(ratio(fp, fp + tn))
    return ratio(false, true + false)


@listed(range=(-1 / 3, 1), aliases=("gilbert_skill_score",), group=STATISTICS, source="schaefer1990")
def equitable_threat_score(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Jaccard's index after the true positives expected by chance are taken out."""
    determinant = tp * tn - fp * fn
    return ratio(determinant, determinant + (fp + fn) * (tp + fp + fn + tn))
