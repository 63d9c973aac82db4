"""The chance of a table of four counts with given marginals, with all its digits also for huge counts.

It is a product of nine factorials. Added one by one, logarithms of factorials of numbers near 2**53 are wrong by tens, because
each has a part x log x - x that is far larger than the result.
"""

from __future__ import annotations

import math
from typing import Any

from .arrays import as_float, divide, log_gamma, special

FEW = 32  # from here on three terms of Stirling's series give all digits


def _log_table_chance(tp: Any, fp: Any, fn: Any, tn: Any) -> float:
    """Return what remains of the factorials after Stirling's formula, less the information in the table.

    The parts x log x of all nine add up to that information, a sum of terms that are not negative, and the parts x to 0.
    """
    n, difference = tp + fp + fn + tn, tp * tn - fp * fn
    ppos, pneg, tpos, tneg = tp + fp, fn + tn, tp + fn, fp + tn
    information = 0.0
    for row, column, sign in ((ppos, tpos, 1), (ppos, tneg, -1), (pneg, tpos, -1), (pneg, tneg, 1)):
        if row * column != 0:
            expected = as_float(divide(row * column, n))
            information += expected * _information(as_float(divide(sign * difference, row * column)))
    rest = sum(map(_beyond_stirling, (ppos, pneg, tpos, tneg))) - sum(map(_beyond_stirling, (n, tp, fp, fn, tn)))
    return rest - information


def _information(x: float) -> float:
    """Return (1 + x) log(1 + x) - x, with all its digits also near 0, where it is x**2 / 2."""
    if abs(x) < 0.01:
        return sum((-x) ** k / (k * (k - 1)) for k in range(10, 1, -1))
    return (1 + x) * math.log1p(x) - x if x > -1 else 1.0 if x == -1 else math.nan


def _beyond_stirling(x: Any) -> float:
    """Return log(x!) - x log(x) + x."""
    if not x > 0:
        return 0.0 if x == 0 else math.nan
    if x < FEW:
        return float(math.lgamma(x + 1) - x * math.log(x) + x)
    part = as_float(divide(1, x))
    return (math.log(2 * math.pi) + math.log(x)) / 2 + part * (1 / 12 - part**2 * (1 / 360 - part**2 / 1260))


def _sum_of_log_factorials(_: Any, tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    below, above = (tp + fp, fn + tn, tp + fn, fp + tn), (tp + fp + fn + tn, tp, fp, fn, tn)
    return sum(log_gamma(x + 1) for x in below) - sum(log_gamma(x + 1) for x in above)


log_table_chance = special(_log_table_chance, _sum_of_log_factorials, 4)
