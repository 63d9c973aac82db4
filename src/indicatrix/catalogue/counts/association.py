"""Coefficients of association of two binary vectors: how far they are from being independent.

Nearly all have the determinant tp tn - fp fn in the numerator, which is zero under independence.
"""

from __future__ import annotations

import math
from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import absolute, constant, log, log_ratio, maximum, minimum, ratio, select, sqrt

GROUP = "association"


@listed(range=(-1, 1), aliases=("odds_ratio_skill_score",), group=GROUP, source="yule1900")
def yule_q(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """The odds ratio minus one, divided by the odds ratio plus one."""
    return ratio(tp * tn - fp * fn, tp * tn + fp * fn)


@listed(range=(-1, 1), aliases=("yule_w", "colligation"), group=GROUP, source="yule1912")
def yule_y(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Yule's Q with square roots of the products: the coefficient of colligation."""
    right, wrong = tp * tn, fp * fn
    return ratio(right - wrong, right + wrong + 2 * sqrt(right * wrong))  # x - y is (x**2 - y**2)/(x + y)


@listed(range=(-1, 1), group=GROUP, source="michael1920")
def michael(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Four times the determinant, divided by the squares of right and wrong decisions."""
    right, wrong = tp + tn, fp + fn
    return ratio(4 * (tp * tn - fp * fn), right * right + wrong * wrong)


@listed(range=(-1, 1), group=GROUP, source="maxwell1968")
def maxwell_pilliner(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Covariance of the two labels, divided by the mean of their variances."""
    return ratio(2 * (tp * tn - fp * fn), (tp + fp) * (fn + tn) + (tp + fn) * (fp + tn))


@listed(range=(-math.inf, 1), group=GROUP, source="kuder1937")
def kuder_richardson(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Reliability of the sum of the two labels: Cronbach's alpha of two binary items."""
    twice = 2 * (tp * tn - fp * fn)
    return ratio(2 * twice, (tp + fp) * (fn + tn) + (tp + fn) * (fp + tn) + twice)


@listed(range=(-math.inf, 1), aliases=("loevinger", "benini_2"), group=GROUP, source="loevinger1948")
def forbes_2(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """The determinant, divided by the largest one that the marginals allow."""
    return ratio(tp * tn - fp * fn, minimum((tp + fp) * (fp + tn), (tp + fn) * (fn + tn)))


@listed(range=(-1, 1), group=GROUP, source="cole1949")
def cole(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """The determinant, divided by the largest one of its sign that the marginals allow."""
    ppos, tpos, pneg, tneg = tp + fp, tp + fn, fn + tn, fp + tn
    determinant = tp * tn - fp * fn
    largest = select(determinant >= 0, minimum(ppos * tneg, tpos * pneg), minimum(ppos * tpos, pneg * tneg))
    return ratio(determinant, largest)


@listed(range=(-1, 1), group=GROUP, source="tarwid1960")
def tarwid(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Lift minus one, divided by lift plus one."""
    return ratio(tp * tn - fp * fn, tp * (tp + fp + fn + tn) + (tp + fp) * (tp + fn))


@listed(range=(-math.inf, math.inf), group=GROUP, source="gilbert1966")
def gilbert_wells(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Natural logarithm of lift."""
    return log_ratio(tp * (tp + fp + fn + tn), (tp + fp) * (tp + fn), tp * tn - fp * fn)


@listed(range=(-math.inf, math.inf), group=GROUP, source="dennis1965")
def dennis(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """True positives beyond those expected under independence, in units of the root of that expectation."""
    return ratio(tp * tn - fp * fn, sqrt((tp + fp + fn + tn) * (tp + fp) * (tp + fn)))


@listed(range=(-math.inf, math.inf), group=GROUP, source="eyraud1936")
def eyraud(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Covariance of the two labels, divided by both variances."""
    n = tp + fp + fn + tn
    return ratio(n * n * (tp * tn - fp * fn), (tp + fp) * (tp + fn) * (fp + tn) * (fn + tn))


@listed(better="neither", aliases=("mean_square_contingency",), group=GROUP, source="doolittle1885")
def doolittle(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Square of the correlation of the two labels."""
    determinant = tp * tn - fp * fn
    return ratio(determinant * determinant, (tp + fp) * (tp + fn) * (fp + tn) * (fn + tn))


@listed(better="neither", range=(0, math.sqrt(0.5)), aliases=("pearson_2",), group=GROUP, source="pearson1904")
def contingency_coefficient(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Root of chi-squared over n plus chi-squared."""
    determinant = tp * tn - fp * fn
    marginals = (tp + fp) * (tp + fn) * (fp + tn) * (fn + tn)
    # Divided by the marginals first, so that it is undefined exactly where chi-squared is.
    squared = ratio(determinant * determinant, marginals)
    return sqrt(ratio(squared, 1 + squared))


@listed(better="neither", range=(-math.inf, math.inf), group=GROUP, source="stiles1961")
def stiles(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Common logarithm of chi-squared with Yates's correction."""
    n = tp + fp + fn + tn
    corrected = 2 * absolute(tp * tn - fp * fn) - n
    return log(ratio(n * corrected * corrected, 4 * (tp + fp) * (tp + fn) * (fp + tn) * (fn + tn))) / log(constant(10, tp))


@listed(better="neither", group=GROUP, source="dallmeier2005")
def ample(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Absolute difference of the shares of positives among predicted positives and predicted negatives."""
    return ratio(absolute(tp * tn - fp * fn), (tp + fp) * (fn + tn))


@listed(better="neither", group=GROUP, source="guttman1941")
def guttman_lambda_a(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of the errors in guessing the prediction that are avoided if the label is known."""
    modal = maximum(tp + fp, fn + tn)
    return ratio(maximum(tp, fn) + maximum(fp, tn) - modal, tp + fp + fn + tn - modal)


@listed(better="neither", group=GROUP, source="guttman1941")
def guttman_lambda_b(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Share of the errors in guessing the label that are avoided if the prediction is known."""
    modal = maximum(tp + fn, fp + tn)
    return ratio(maximum(tp, fp) + maximum(fn, tn) - modal, tp + fp + fn + tn - modal)


@listed(better="neither", group=GROUP, source="goodman1954")
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


@listed(better="neither", range=(0, 0.5), group=GROUP, source="anderberg1973")
def anderberg(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Drop in the chance of a wrong guess of label or prediction, half each, if the other is known."""
    known, modal = _right_guesses(tp, fp, fn, tn)
    return ratio(known - modal, 2 * (tp + fp + fn + tn))


@listed(range=(-1, 1), group=GROUP, source="goodman1954")
def goodman_kruskal_lambda_r(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Agreement beyond that of always guessing the class that is more frequent in both labels together."""
    twice, wrong = 2 * minimum(tp, tn), fp + fn
    return ratio(twice - wrong, twice + wrong)
