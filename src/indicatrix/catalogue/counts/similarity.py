"""Similarity coefficients of two binary vectors, as ecology and chemometrics use them.

Those of the paper's own groups are in other modules. Where the literature gives one function several names, one measure has
them all (errata C16): Ochiai's coefficient is ``fowlkes_mallows``, Forbes' is ``lift``, Tanimoto's is ``jaccard``, Sokal and
Michener's is ``accuracy``. The numbers of the Sokal–Sneath coefficients follow Choi et al. (2010).

Coefficients of association of two binary vectors: how far they are from being independent.

Nearly all have the determinant tp tn - fp fn in the numerator, which is zero under independence.
"""

from __future__ import annotations

import math
from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import absolute, asin, constant, log, log1p, log_ratio, maximum, minimum, ratio, select, sqrt

SIMILARITY = "similarity"


@listed(domain={"alpha": (0, math.inf), "beta": (0, math.inf)}, group=SIMILARITY, source="tversky1977")
def tversky(tp: Any, fp: Any, fn: Any, tn: Any, *, alpha: Any = 0.5, beta: Any = 0.5) -> Any:
    """True positives divided by true positives plus alpha false negatives plus beta false positives."""
    return ratio(tp, tp + alpha * fn + beta * fp)


@listed(group=SIMILARITY, source="choi2010")
def jaccard_3w(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Jaccard's index with true positives counted three times."""
    return ratio(3 * tp, 3 * tp + fp + fn)


@listed(group=SIMILARITY, source="rogers1960")
def rogers_tanimoto(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Accuracy with wrong decisions counted twice in the total."""
    return ratio(tp + tn, tp + tn + 2 * (fp + fn))


@listed(group=SIMILARITY, source="russell1940")
def russell_rao(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of true positives among all entries."""
    return ratio(tp, tp + fp + fn + tn)


@listed(group=SIMILARITY, source="sokal1963")
def sokal_sneath_1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Jaccard's index with wrong decisions counted twice."""
    return ratio(tp, tp + 2 * (fp + fn))


@listed(aliases=("gower_legendre",), group=SIMILARITY, source="sokal1963")
def sokal_sneath_2(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Accuracy with right decisions counted twice."""
    return ratio(2 * (tp + tn), 2 * (tp + tn) + fp + fn)


@listed(range=(0, math.inf), group=SIMILARITY, source="sokal1963")
def sokal_sneath_3(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Right decisions for each wrong one."""
    return ratio(tp + tn, fp + fn)


@listed(group=SIMILARITY, source="sokal1963")
def sokal_sneath_4(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Mean of precision, recall, specificity and negative predictive value."""
    return ratio(ratio(tp, tp + fp) + ratio(tp, tp + fn) + ratio(tn, fp + tn) + ratio(tn, fn + tn), 4)


@listed(aliases=("ochiai_2",), group=SIMILARITY, source="sokal1963")
def sokal_sneath_5(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Square root of the product of precision, recall, specificity and negative predictive value."""
    return ratio(tp * tn, sqrt((tp + fp) * (tp + fn) * (fp + tn) * (fn + tn)))


@listed(range=(0, math.inf), group=SIMILARITY, source="kulczynski1927")
def kulczynski_1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives for each wrong decision."""
    return ratio(tp, fp + fn)


@listed(aliases=("driver_kroeber",), group=SIMILARITY, source="kulczynski1927")
def kulczynski_2(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Mean of precision and recall."""
    ppos, tpos = tp + fp, tp + fn
    return ratio(tp * (ppos + tpos), 2 * ppos * tpos)


@listed(range=(0, 2), group=SIMILARITY, source="johnson1967")
def johnson(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Sum of precision and recall."""
    ppos, tpos = tp + fp, tp + fn
    return ratio(tp * (ppos + tpos), ppos * tpos)


@listed(
    range=(-1, 1),
    aliases=("icsi", "individual_classification_success_index"),
    group=SIMILARITY,
    source="mcconnaughey1964",
)
def mcconnaughey(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Precision plus recall minus one."""
    return ratio(tp * tp - fp * fn, (tp + fp) * (tp + fn))


@listed(group=SIMILARITY, source="sorgenfrei1958", aliases=("positive_clinical_utility",))
def sorgenfrei(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Product of precision and recall."""
    return ratio(tp * tp, (tp + fp) * (tp + fn))


@listed(aliases=("simpson", "overlap_coefficient", "szymkiewicz_simpson"), group=SIMILARITY, source="simpson1943")
def overlap(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives divided by the smaller of predicted and actual positives."""
    return ratio(tp, minimum(tp + fp, tp + fn))


@listed(group=SIMILARITY, source="braunblanquet1932")
def braun_blanquet(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives divided by the larger of predicted and actual positives."""
    return ratio(tp, maximum(tp + fp, tp + fn))


@listed(range=(0, math.inf), group=SIMILARITY, source="mountford1962")
def mountford(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Approximate inverse diversity that two samples of a log series share; not independent of scale."""
    return ratio(2 * tp, tp * (fp + fn) + 2 * fp * fn)


@listed(range=(-0.5, 1), group=SIMILARITY, source="fager1963")
def fager_mcgowan(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Geometric mean of precision and recall, minus a correction for small samples."""
    # With s the smaller of ppos and tpos: (2 tp - sqrt(s)) / (2 sqrt(ppos tpos)), and 2 tp - sqrt(s) without cancellation.
    ppos, tpos = tp + fp, tp + fn
    smaller = minimum(ppos, tpos)
    return ratio(4 * tp * tp - smaller, (2 * tp + sqrt(smaller)) * 2 * sqrt(ppos * tpos))


@listed(range=(0, math.inf), group=SIMILARITY, source="fossum1966")
def fossum(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Lift with the true positives corrected by one half."""
    corrected = 2 * tp - 1
    return ratio((tp + fp + fn + tn) * corrected * corrected, 4 * (tp + fp) * (tp + fn))


@listed(group=SIMILARITY, source="faith1983")
def faith(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Accuracy with a true negative counted as half a success."""
    return ratio(2 * tp + tn, 2 * (tp + fp + fn + tn))


@listed(range=(-1, 1), group=SIMILARITY, source="hamann1961")
def hamann(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of right decisions minus share of wrong ones."""
    return ratio(tp + tn - fp - fn, tp + fp + fn + tn)


@listed(group=SIMILARITY, source="baroni1976")
def baroni_urbani_buser_1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Jaccard's index with the geometric mean of tp and tn added to the true positives."""
    hits = sqrt(tp * tn) + tp
    return ratio(hits, hits + fp + fn)


@listed(range=(-1, 1), group=SIMILARITY, source="baroni1976")
def baroni_urbani_buser_2(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Twice the first coefficient of Baroni-Urbani and Buser, minus one."""
    root, rest = sqrt(tp * tn), tp - fp - fn
    # root + rest cancels where rest is negative: there it is (root**2 - rest**2) / (root - rest).
    excess = select(rest >= 0, root + rest, ratio(tp * tn - rest * rest, root - rest))
    return ratio(excess, root + tp + fp + fn)


@listed(aliases=("austin_colwell",), group=SIMILARITY, source="goodall1967")
def goodall(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Angle whose squared sine is the accuracy, as a share of the right angle."""
    n, right, wrong = tp + fp + fn + tn, tp + tn, fp + fn
    # Near its end at 1 the arcsine loses half the digits, so the smaller of the two complementary angles is taken.
    smaller = asin(sqrt(ratio(minimum(right, wrong), n))) / (constant("pi", tp) / 2)
    return select(right < wrong, smaller, 1 - smaller)


@listed(group=SIMILARITY, source="warrens2008")
def hawkins_dotson(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Mean of Jaccard's index of the positive class and that of the negative class."""
    wrong = fp + fn
    return ratio(ratio(tp, tp + wrong) + ratio(tn, tn + wrong), 2)


@listed(group=SIMILARITY, source="harris1978")
def harris_lahey(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Jaccard's indices of both classes, each weighted by the mean marginal of the other class."""
    n, wrong = tp + fp + fn + tn, fp + fn
    positive = ratio(tp * (2 * tn + wrong), (tp + wrong) * 2 * n)
    negative = ratio(tn * (2 * tp + wrong), (tn + wrong) * 2 * n)
    return positive + negative


@listed(group=SIMILARITY, source="clement1976")
def clement(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Precision and negative predictive value, each weighted by the share of the other prediction."""
    n, ppos, pneg = tp + fp + fn + tn, tp + fp, fn + tn
    return ratio(tp * pneg, ppos * n) + ratio(tn * ppos, pneg * n)


@listed(range=(-1, 1), group=SIMILARITY, source="andres2004")
def andres_marzo(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of right decisions minus twice the geometric mean of the two shares of wrong ones."""
    right = tp + tn
    # right - 2 sqrt(fp fn), multiplied and divided by its conjugate; where both vanish nothing is left to subtract.
    conjugate = right + 2 * sqrt(fp * fn)
    n = tp + fp + fn + tn
    return select(conjugate > 0, ratio(right * right - 4 * fp * fn, conjugate * n), ratio(right, n))


@listed(group=SIMILARITY, source="consonni2012")
def consonni_todeschini_1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Accuracy on a logarithmic scale."""
    return ratio(log1p(tp + tn), log1p(tp + fp + fn + tn))


@listed(group=SIMILARITY, source="consonni2012")
def consonni_todeschini_2(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """One minus the error rate on a logarithmic scale."""
    n = tp + fp + fn + tn
    return ratio(log_ratio(1 + n, 1 + fp + fn, tp + tn), log1p(n))


@listed(group=SIMILARITY, source="consonni2012")
def consonni_todeschini_3(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of true positives among all entries, on a logarithmic scale."""
    return ratio(log1p(tp), log1p(tp + fp + fn + tn))


@listed(group=SIMILARITY, source="consonni2012")
def consonni_todeschini_4(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Jaccard's index on a logarithmic scale."""
    return ratio(log1p(tp), log1p(tp + fp + fn))


@listed(range=(-1, 1), group=SIMILARITY, source="consonni2012")
def consonni_todeschini_5(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Difference of tp tn and fp fn on a logarithmic scale, divided by its largest value."""
    n = tp + fp + fn + tn
    right, wrong = tp * tn, fp * fn
    return ratio(log_ratio(1 + right, 1 + wrong, right - wrong), log1p(ratio(n * n, 4)))


ASSOCIATION = "association"


@listed(range=(-1, 1), aliases=("odds_ratio_skill_score",), group=ASSOCIATION, source="yule1900")
def yule_q(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """The odds ratio minus one, divided by the odds ratio plus one."""
    return ratio(tp * tn - fp * fn, tp * tn + fp * fn)


@listed(range=(-1, 1), aliases=("yule_w", "colligation"), group=ASSOCIATION, source="yule1912")
def yule_y(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Yule's Q with square roots of the products: the coefficient of colligation."""
    right, wrong = tp * tn, fp * fn
    return ratio(right - wrong, right + wrong + 2 * sqrt(right * wrong))  # x - y is (x**2 - y**2)/(x + y)


@listed(range=(-1, 1), group=ASSOCIATION, source="michael1920")
def michael(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Four times the determinant, divided by the squares of right and wrong decisions."""
    right, wrong = tp + tn, fp + fn
    return ratio(4 * (tp * tn - fp * fn), right * right + wrong * wrong)


@listed(range=(-1, 1), group=ASSOCIATION, source="maxwell1968")
def maxwell_pilliner(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Covariance of the two labels, divided by the mean of their variances."""
    return ratio(2 * (tp * tn - fp * fn), (tp + fp) * (fn + tn) + (tp + fn) * (fp + tn))


@listed(range=(-math.inf, 1), group=ASSOCIATION, source="kuder1937")
def kuder_richardson(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Reliability of the sum of the two labels: Cronbach's alpha of two binary items."""
    twice = 2 * (tp * tn - fp * fn)
    return ratio(2 * twice, (tp + fp) * (fn + tn) + (tp + fn) * (fp + tn) + twice)


@listed(range=(-math.inf, 1), aliases=("loevinger", "benini_2"), group=ASSOCIATION, source="loevinger1948")
def forbes_2(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """The determinant, divided by the largest one that the marginals allow."""
    return ratio(tp * tn - fp * fn, minimum((tp + fp) * (fp + tn), (tp + fn) * (fn + tn)))


@listed(range=(-1, 1), group=ASSOCIATION, source="cole1949")
def cole(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """The determinant, divided by the largest one of its sign that the marginals allow."""
    ppos, tpos, pneg, tneg = tp + fp, tp + fn, fn + tn, fp + tn
    determinant = tp * tn - fp * fn
    largest = select(determinant >= 0, minimum(ppos * tneg, tpos * pneg), minimum(ppos * tpos, pneg * tneg))
    return ratio(determinant, largest)


@listed(range=(-1, 1), group=ASSOCIATION, source="tarwid1960")
def tarwid(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Lift minus one, divided by lift plus one."""
    return ratio(tp * tn - fp * fn, tp * (tp + fp + fn + tn) + (tp + fp) * (tp + fn))


@listed(range=(-math.inf, math.inf), group=ASSOCIATION, source="gilbert1966")
def gilbert_wells(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Natural logarithm of lift."""
    return log_ratio(tp * (tp + fp + fn + tn), (tp + fp) * (tp + fn), tp * tn - fp * fn)


@listed(range=(-math.inf, math.inf), group=ASSOCIATION, source="dennis1965")
def dennis(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives beyond those expected under independence, in units of the root of that expectation."""
    return ratio(tp * tn - fp * fn, sqrt((tp + fp + fn + tn) * (tp + fp) * (tp + fn)))


@listed(range=(-math.inf, math.inf), group=ASSOCIATION, source="eyraud1936")
def eyraud(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Covariance of the two labels, divided by both variances."""
    n = tp + fp + fn + tn
    return ratio(n * n * (tp * tn - fp * fn), (tp + fp) * (tp + fn) * (fp + tn) * (fn + tn))


@listed(better="neither", aliases=("mean_square_contingency",), group=ASSOCIATION, source="doolittle1885")
def doolittle(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Square of the correlation of the two labels."""
    determinant = tp * tn - fp * fn
    return ratio(determinant * determinant, (tp + fp) * (tp + fn) * (fp + tn) * (fn + tn))


@listed(better="neither", range=(0, math.sqrt(0.5)), aliases=("pearson_2",), group=ASSOCIATION, source="pearson1904")
def contingency_coefficient(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Root of chi-squared over n plus chi-squared."""
    determinant = tp * tn - fp * fn
    marginals = (tp + fp) * (tp + fn) * (fp + tn) * (fn + tn)
    # Divided by the marginals first, so that it is undefined exactly where chi-squared is.
    squared = ratio(determinant * determinant, marginals)
    return sqrt(ratio(squared, 1 + squared))


@listed(better="neither", range=(-math.inf, math.inf), group=ASSOCIATION, source="stiles1961")
def stiles(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Common logarithm of chi-squared with Yates's correction."""
    n = tp + fp + fn + tn
    corrected = 2 * absolute(tp * tn - fp * fn) - n
    return log(ratio(n * corrected * corrected, 4 * (tp + fp) * (tp + fn) * (fp + tn) * (fn + tn))) / log(constant(10, tp))


@listed(better="neither", group=ASSOCIATION, source="dallmeier2005")
def ample(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Absolute difference of the shares of positives among predicted positives and predicted negatives."""
    return ratio(absolute(tp * tn - fp * fn), (tp + fp) * (fn + tn))


@listed(better="neither", group=ASSOCIATION, source="guttman1941")
def guttman_lambda_a(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of the errors in guessing the prediction that are avoided if the label is known."""
    modal = maximum(tp + fp, fn + tn)
    return ratio(maximum(tp, fn) + maximum(fp, tn) - modal, tp + fp + fn + tn - modal)


@listed(better="neither", group=ASSOCIATION, source="guttman1941")
def guttman_lambda_b(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of the errors in guessing the label that are avoided if the prediction is known."""
    modal = maximum(tp + fn, fp + tn)
    return ratio(maximum(tp, fp) + maximum(fn, tn) - modal, tp + fp + fn + tn - modal)


@listed(better="neither", group=ASSOCIATION, source="goodman1954")
def goodman_kruskal_lambda(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of the errors in guessing label or prediction, half each, avoided if the other is known."""
    known, modal = _right_guesses(tp, fp, fn, tn)
    return ratio(known - modal, 2 * (tp + fp + fn + tn) - modal)


def _right_guesses(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:
    """Return how many labels and predictions are guessed right, if the other one is known and if not.

    If the other one is not known, the guess is always the more frequent class.
    """
    modal = maximum(tp + fp, fn + tn) + maximum(tp + fn, fp + tn)
    known = maximum(tp, fp) + maximum(fn, tn) + maximum(tp, fn) + maximum(fp, tn)
    return known, modal


@listed(better="neither", range=(0, 0.5), group=ASSOCIATION, source="anderberg1973")
def anderberg(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Drop in the chance of a wrong guess of label or prediction, half each, if the other is known."""
    known, modal = _right_guesses(tp, fp, fn, tn)
    return ratio(known - modal, 2 * (tp + fp + fn + tn))


@listed(range=(-1, 1), group=ASSOCIATION, source="goodman1954")
def goodman_kruskal_lambda_r(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Agreement beyond that of always guessing the class that is more frequent in both labels together."""
    twice, wrong = 2 * minimum(tp, tn), fp + fn
    return ratio(twice - wrong, twice + wrong)
