"""The chance of a table of four counts with given marginals, to the last digits also if it is huge.

It is a product of nine factorials. Added one by one, logarithms of factorials of numbers near 2**53 are wrong by tens, because
each has a part x log x - x that is far larger than the result.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from .arrays import Array, as_float
from .numbers.functions import REMEMBERED, divide, log_gamma, special

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
