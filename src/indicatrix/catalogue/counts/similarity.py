"""Similarity coefficients of two binary vectors, as ecology and chemometrics use them.

Those of the paper's own groups are in other modules. Where the literature gives one function several names, one measure has
them all (errata C16): Ochiai's coefficient is ``fowlkes_mallows``, Forbes' is ``lift``, Tanimoto's is ``jaccard``, Sokal and
Michener's is ``accuracy``. The numbers of the Sokal–Sneath coefficients follow Choi et al. (2010).
"""

from __future__ import annotations

import math
from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import asin, constant, log1p, log_ratio, maximum, minimum, ratio, select, sqrt

GROUP = "similarity"


@listed(domain={"alpha": (0, math.inf), "beta": (0, math.inf)}, group=GROUP, source="tversky1977")
def tversky(tp: Any, fp: Any, fn: Any, tn: Any, *, alpha: Any = 0.5, beta: Any = 0.5) -> Any:
    """True positives divided by true positives plus alpha false negatives plus beta false positives."""
    return ratio(tp, tp + alpha * fn + beta * fp)


@listed(group=GROUP, source="choi2010")
def jaccard_3w(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Jaccard's index with true positives counted three times."""
    return ratio(3 * tp, 3 * tp + fp + fn)


@listed(group=GROUP, source="rogers1960")
def rogers_tanimoto(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Accuracy with wrong decisions counted twice in the total."""
    return ratio(tp + tn, tp + tn + 2 * (fp + fn))


@listed(group=GROUP, source="russell1940")
def russell_rao(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of true positives among all entries."""
    return ratio(tp, tp + fp + fn + tn)


@listed(group=GROUP, source="sokal1963")
def sokal_sneath_1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Jaccard's index with wrong decisions counted twice."""
    return ratio(tp, tp + 2 * (fp + fn))


@listed(aliases=("gower_legendre",), group=GROUP, source="sokal1963")
def sokal_sneath_2(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Accuracy with right decisions counted twice."""
    return ratio(2 * (tp + tn), 2 * (tp + tn) + fp + fn)


@listed(range=(0, math.inf), group=GROUP, source="sokal1963")
def sokal_sneath_3(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Right decisions for each wrong one."""
    return ratio(tp + tn, fp + fn)


@listed(group=GROUP, source="sokal1963")
def sokal_sneath_4(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Mean of precision, recall, specificity and negative predictive value."""
    return ratio(ratio(tp, tp + fp) + ratio(tp, tp + fn) + ratio(tn, fp + tn) + ratio(tn, fn + tn), 4)


@listed(aliases=("ochiai_2",), group=GROUP, source="sokal1963")
def sokal_sneath_5(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Square root of the product of precision, recall, specificity and negative predictive value."""
    return ratio(tp * tn, sqrt((tp + fp) * (tp + fn) * (fp + tn) * (fn + tn)))


@listed(range=(0, math.inf), group=GROUP, source="kulczynski1927")
def kulczynski_1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives for each wrong decision."""
    return ratio(tp, fp + fn)


@listed(aliases=("driver_kroeber",), group=GROUP, source="kulczynski1927")
def kulczynski_2(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Mean of precision and recall."""
    ppos, tpos = tp + fp, tp + fn
    return ratio(tp * (ppos + tpos), 2 * ppos * tpos)


@listed(range=(0, 2), group=GROUP, source="johnson1967")
def johnson(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Sum of precision and recall."""
    ppos, tpos = tp + fp, tp + fn
    return ratio(tp * (ppos + tpos), ppos * tpos)


@listed(
    range=(-1, 1),
    aliases=("icsi", "individual_classification_success_index"),
    group=GROUP,
    source="mcconnaughey1964",
)
def mcconnaughey(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Precision plus recall minus one."""
    return ratio(tp * tp - fp * fn, (tp + fp) * (tp + fn))


@listed(group=GROUP, source="sorgenfrei1958", aliases=("positive_clinical_utility",))
def sorgenfrei(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Product of precision and recall."""
    return ratio(tp * tp, (tp + fp) * (tp + fn))


@listed(aliases=("simpson", "overlap_coefficient", "szymkiewicz_simpson"), group=GROUP, source="simpson1943")
def overlap(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives divided by the smaller of predicted and actual positives."""
    return ratio(tp, minimum(tp + fp, tp + fn))


@listed(group=GROUP, source="braunblanquet1932")
def braun_blanquet(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives divided by the larger of predicted and actual positives."""
    return ratio(tp, maximum(tp + fp, tp + fn))


@listed(range=(0, math.inf), group=GROUP, source="mountford1962")
def mountford(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Approximate inverse diversity that two samples of a log series share; not independent of scale."""
    return ratio(2 * tp, tp * (fp + fn) + 2 * fp * fn)


@listed(range=(-0.5, 1), group=GROUP, source="fager1963")
def fager_mcgowan(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Geometric mean of precision and recall, minus a correction for small samples."""
    # With s the smaller of ppos and tpos: (2 tp - sqrt(s)) / (2 sqrt(ppos tpos)), and 2 tp - sqrt(s) without cancellation.
    ppos, tpos = tp + fp, tp + fn
    smaller = minimum(ppos, tpos)
    return ratio(4 * tp * tp - smaller, (2 * tp + sqrt(smaller)) * 2 * sqrt(ppos * tpos))


@listed(range=(0, math.inf), group=GROUP, source="fossum1966")
def fossum(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Lift with the true positives corrected by one half."""
    corrected = 2 * tp - 1
    return ratio((tp + fp + fn + tn) * corrected * corrected, 4 * (tp + fp) * (tp + fn))


@listed(group=GROUP, source="faith1983")
def faith(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Accuracy with a true negative counted as half a success."""
    return ratio(2 * tp + tn, 2 * (tp + fp + fn + tn))


@listed(range=(-1, 1), group=GROUP, source="hamann1961")
def hamann(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of right decisions minus share of wrong ones."""
    return ratio(tp + tn - fp - fn, tp + fp + fn + tn)


@listed(group=GROUP, source="baroni1976")
def baroni_urbani_buser_1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Jaccard's index with the geometric mean of tp and tn added to the true positives."""
    hits = sqrt(tp * tn) + tp
    return ratio(hits, hits + fp + fn)


@listed(range=(-1, 1), group=GROUP, source="baroni1976")
def baroni_urbani_buser_2(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Twice the first coefficient of Baroni-Urbani and Buser, minus one."""
    root, rest = sqrt(tp * tn), tp - fp - fn
    # root + rest cancels where rest is negative: there it is (root**2 - rest**2) / (root - rest).
    excess = select(rest >= 0, root + rest, ratio(tp * tn - rest * rest, root - rest))
    return ratio(excess, root + tp + fp + fn)


@listed(aliases=("austin_colwell",), group=GROUP, source="goodall1967")
def goodall(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Angle whose squared sine is the accuracy, as a share of the right angle."""
    n, right, wrong = tp + fp + fn + tn, tp + tn, fp + fn
    # Near its end at 1 the arcsine loses half the digits, so the smaller of the two complementary angles is taken.
    smaller = asin(sqrt(ratio(minimum(right, wrong), n))) / (constant("pi", tp) / 2)
    return select(right < wrong, smaller, 1 - smaller)


@listed(group=GROUP, source="warrens2008")
def hawkins_dotson(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Mean of Jaccard's index of the positive class and that of the negative class."""
    wrong = fp + fn
    return ratio(ratio(tp, tp + wrong) + ratio(tn, tn + wrong), 2)


@listed(group=GROUP, source="harris1978")
def harris_lahey(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Jaccard's indices of both classes, each weighted by the mean marginal of the other class."""
    n, wrong = tp + fp + fn + tn, fp + fn
    positive = ratio(tp * (2 * tn + wrong), (tp + wrong) * 2 * n)
    negative = ratio(tn * (2 * tp + wrong), (tn + wrong) * 2 * n)
    return positive + negative


@listed(group=GROUP, source="clement1976")
def clement(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Precision and negative predictive value, each weighted by the share of the other prediction."""
    n, ppos, pneg = tp + fp + fn + tn, tp + fp, fn + tn
    return ratio(tp * pneg, ppos * n) + ratio(tn * ppos, pneg * n)


@listed(range=(-1, 1), group=GROUP, source="andres2004")
def andres_marzo(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of right decisions minus twice the geometric mean of the two shares of wrong ones."""
    right = tp + tn
    # right - 2 sqrt(fp fn), multiplied and divided by its conjugate; where both vanish nothing is left to subtract.
    conjugate = right + 2 * sqrt(fp * fn)
    n = tp + fp + fn + tn
    return select(conjugate > 0, ratio(right * right - 4 * fp * fn, conjugate * n), ratio(right, n))


@listed(group=GROUP, source="consonni2012")
def consonni_todeschini_1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Accuracy on a logarithmic scale."""
    return ratio(log1p(tp + tn), log1p(tp + fp + fn + tn))


@listed(group=GROUP, source="consonni2012")
def consonni_todeschini_2(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """One minus the error rate on a logarithmic scale."""
    n = tp + fp + fn + tn
    return ratio(log_ratio(1 + n, 1 + fp + fn, tp + tn), log1p(n))


@listed(group=GROUP, source="consonni2012")
def consonni_todeschini_3(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of true positives among all entries, on a logarithmic scale."""
    return ratio(log1p(tp), log1p(tp + fp + fn + tn))


@listed(group=GROUP, source="consonni2012")
def consonni_todeschini_4(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Jaccard's index on a logarithmic scale."""
    return ratio(log1p(tp), log1p(tp + fp + fn))


@listed(range=(-1, 1), group=GROUP, source="consonni2012")
def consonni_todeschini_5(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Difference of tp tn and fp fn on a logarithmic scale, divided by its largest value."""
    n = tp + fp + fn + tn
    right, wrong = tp * tn, fp * fn
    return ratio(log_ratio(1 + right, 1 + wrong, right - wrong), log1p(ratio(n * n, 4)))
