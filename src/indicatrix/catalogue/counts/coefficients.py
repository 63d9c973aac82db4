"""Rarely used coefficients of two binary vectors, so that the classical lists are complete.

Those with a number follow the order in which surveys list them. Several depend on the scale of the counts: twice all
counts do not give the same value. Others of these authors are aliases: Benini's second is ``forbes_2``, Köppen's first is
``scott_pi``, Canberra's distance is ``lance_williams``, and Kendall's tau-b is ``mcc``.

The chance of a table of four counts with given marginals, to the last digits also if it is huge.

It is a product of nine factorials. Added one by one, logarithms of factorials of numbers near 2**53 are wrong by tens, because
each has a part x log x - x that is far larger than the result.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array, as_float
from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import REMEMBERED, constant, divide, exp, log, log_gamma, maximum, minimum, ratio, special, sqrt

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


SMALL = 500  # up to this many entries the binomial coefficients are computed
FEW = 10  # from here on these terms of Stirling's series give all digits
SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)  # of 1/x, 1/x**3, 1/x**5, …


def _log_table_chance(tp: Any, fp: Any, fn: Any, tn: Any) -> float:
    """Return what remains of the factorials after Stirling's formula, less the information in the table.

    The parts x log x of all nine add up to that information, a sum of terms that are not negative, and the parts x to 0.
    """
    n, difference = tp + fp + fn + tn, tp * tn - fp * fn
    if n <= SMALL and all(x >= 0 and x == int(x) for x in (tp, fp, fn, tn)):
        return _log_of_small_chance(*map(int, (tp, fp, fn, tn)))
    ppos, pneg, tpos, tneg = tp + fp, fn + tn, tp + fn, fp + tn
    information = 0.0
    for cell, row, column, sign in ((tp, ppos, tpos, 1), (fp, ppos, tneg, -1), (fn, pneg, tpos, -1), (tn, pneg, tneg, 1)):
        product = row * column
        if product != 0:
            quotient, excess = as_float(divide(cell * n, product)), as_float(divide(sign * difference, product))
            information += as_float(divide(product, n)) * _information(quotient, excess)
    rest = sum(map(_beyond_stirling, (ppos, pneg, tpos, tneg))) - sum(map(_beyond_stirling, (n, tp, fp, fn, tn)))
    return rest - information


def _log_of_small_chance(tp: int, fp: int, fn: int, tn: int) -> float:
    """Return the logarithm from whole numbers, which is faster than the series."""
    above, below = math.comb(tp + fp, tp) * math.comb(fn + tn, fn), math.comb(tp + fp + fn + tn, tp + fn)
    return math.log1p((above - below) / below) if 2 * above > below else math.log(above / below)


def _information(quotient: float, excess: float) -> float:
    """Return q log(q) - x of a quotient q and its excess x over 1.

    It has all its digits also near q = 1, where it is x**2 / 2.
    """
    if -0.5 <= excess <= 1:  # log(1 + x) = 2 (u + u**3/3 + u**5/5 + …), and 2 (1 + x) u - x = x u
        u = excess / (2 + excess)
        return excess * u + 2 * quotient * u * float(_odd_terms(u * u))
    return quotient * math.log(quotient) - excess if quotient > 0 else 1.0 if quotient == 0 else math.nan


def _beyond_stirling(x: Any) -> float:
    """Return log(x!) - x log(x) + x."""
    if not x > 0:
        return 0.0 if x == 0 else math.nan
    if x < FEW:
        return float(math.lgamma(x + 1) - x * math.log(x) + x)
    part = as_float(divide(1, x))
    return (math.log(2 * math.pi) + math.log(x)) / 2 + part * float(_correction(part * part))


def _odd_terms(square: Any) -> Any:
    """Return s/3 + s**2/5 + s**3/7 + … of a number or an array s of up to 1/9."""
    total = 0.0
    for k in range(17, 0, -1):
        total = (total + 1 / (2 * k + 1)) * square
    return total


def _correction(square: Any) -> Any:
    """Return the terms of Stirling's series, divided by the first power, of squares of 1/x."""
    total = 0.0
    for coefficient in SERIES[::-1]:
        total = total * square + coefficient
    return total


def _log_table_chances(*four: Array) -> Array:
    """Return the same for arrays of floats: the steps above, for all tables at once."""
    cells = np.stack(four)
    small = (sum(cells) <= SMALL) & ((cells >= 0) & (cells == np.floor(cells))).all(axis=0)
    out = np.empty(small.shape)
    out[small] = _small_chances(*cells[:, small])
    out[~small] = _large_chances(*cells[:, ~small])
    return out


_small_chances = np.frompyfunc(lru_cache(REMEMBERED)(lambda *four: _log_of_small_chance(*map(int, four))), 4, 1)


def _large_chances(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    n, difference = tp + fp + fn + tn, tp * tn - fp * fn
    ppos, pneg, tpos, tneg = tp + fp, fn + tn, tp + fn, fp + tn
    information = np.zeros(n.shape)
    for cell, row, column, sign in ((tp, ppos, tpos, 1), (fp, ppos, tneg, -1), (fn, pneg, tpos, -1), (tn, pneg, tneg, 1)):
        product = row * column
        own = product / n * _informations(cell * n / product, sign * difference / product)
        information += np.where(product != 0, own, 0.0)
    rest = _beyond_stirling_of_each(np.stack([ppos, pneg, tpos, tneg, n, tp, fp, fn, tn]))
    return np.asarray(sum(rest[:4]) - sum(rest[4:]) - information)


def _informations(quotient: Array, excess: Array) -> Array:
    u = excess / (2 + excess)
    near = excess * u + 2 * quotient * u * _odd_terms(u * u)
    far = np.where(quotient == 0, 1.0, quotient * np.log(quotient) - excess)
    return np.where((excess >= -0.5) & (excess <= 1), near, far)


def _beyond_stirling_of_each(x: Array) -> Array:
    part = 1 / x
    out = (math.log(2 * math.pi) + np.log(x)) / 2 + part * _correction(part * part)
    few = ~(x >= FEW)
    values, place = np.unique(x[few], return_inverse=True)
    out[few] = np.array([*map(_beyond_stirling, values.tolist())], np.float64)[place]
    return np.asarray(out)


def _sum_of_log_factorials(_: Any, tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    below, above = (tp + fp, fn + tn, tp + fn, fp + tn), (tp + fp + fn + tn, tp, fp, fn, tn)
    return sum(log_gamma(x + 1) for x in below) - sum(log_gamma(x + 1) for x in above)


log_table_chance = special(_log_table_chance, _sum_of_log_factorials, 4, arrays=_log_table_chances)
