"""Arithmetic on confusion matrices of any number type: floats, integers, Fractions, many digits.

Tails of the binomial and of the chi-squared distribution, in any number type.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.numbers.functions import constant, exp, log, log1p, log_gamma, log_ratio, part_log, special, sqrt
from ...algebra.numbers.gradient import without_trace

LARGEST = 2**1000  # integers up to here become floats
EXACT_PRODUCTS = 2**31  # up to this many examples, products of two counts are exact integers of the machine


def margins(table: Array) -> tuple[Any, Any, Any]:
    """Return how often each class is true, how often it is predicted, and the number of examples."""
    return table.sum(axis=1), table.sum(axis=0), table.sum()


def machine_integers(table: Any) -> Any:
    """Return a table of Python integers as int64, which is much faster; other tables as they are.

    Products of two sums of its cells stay exact; where they would not, the table is left as it is, too. Products of three may not
    fit.
    """
    if isinstance(table, np.ndarray) and table.dtype == object and _are_integers_below(table, EXACT_PRODUCTS):
        small = table.astype(np.int64)
        return small if np.abs(small).sum() < EXACT_PRODUCTS else table
    return table


def occurring(table: Any) -> Any:
    """Return the table, as int64, without classes that are never true, or never predicted."""
    table = machine_integers(table)
    true, pred, _ = margins(table)
    rows, columns = np.asarray(true != 0, bool), np.asarray(pred != 0, bool)
    return table if rows.all() and columns.all() else table[rows][:, columns]


def deviations(table: Array) -> tuple[Array, Array, Array, Any]:
    """Return n w - r c for each cell, how far it is from independence, and r, c and n.

    The classes that do not occur are left out. Of counts, the differences are exact before they, r and c become floats.
    """
    table = occurring(table)
    true, pred, n = margins(table)
    apart = table * n - np.multiply.outer(true, pred)
    if table.dtype != np.int64:
        return apart, true, pred, n
    return apart.astype(np.float64), true.astype(np.float64), pred.astype(np.float64), int(n)


def each(function: Callable[..., Any], *arrays: Array) -> Any:
    """Return a function of the algebra for each element: floats at once, many digits one by one."""
    if any(x.dtype == object for x in arrays):
        if all(_are_integers_below(some, LARGEST) for some in arrays):
            return each(function, *(x.astype(np.float64) for x in arrays))  # their logarithms are floats in any case
        return np.asarray(np.frompyfunc(function, len(arrays), 1)(*arrays), object)
    with quiet():
        return function(*arrays)


def _are_integers_below(numbers: Array, limit: int) -> bool:
    listed = numbers.ravel().tolist()
    return set(map(type, listed)) <= {int} and max(map(abs, listed), default=0) < limit


def total(terms: Array) -> Any:
    """Return the sum of terms; 0 for none."""
    return terms.sum() if terms.size else 0


def log_parts(parts: Any, wholes: Any) -> Any:
    """Return the sum of x log(whole/x) over all parts; those that are 0 add nothing.

    There is one whole, or one for each part.
    """
    if parts.dtype != object:
        return total(part_log(parts, wholes))
    parts, wholes = _without_zeros(parts, wholes * np.ones(parts.shape, int))
    return total(parts * each(lambda x, whole: log(whole / x), parts, wholes))


def log_parts_against(parts: Array, tops: Array, bottoms: Array) -> Any:
    """Return the sum of x log(top/bottom) over all parts; those that are 0 add nothing."""
    parts, tops, bottoms = _without_zeros(parts, tops, bottoms)
    return total(parts * each(log_ratio, tops, bottoms, without_trace(tops) - without_trace(bottoms)))


def _without_zeros(parts: Array, *others: Array) -> tuple[Array, ...]:
    """Return the parts that are not 0, with what belongs to each; all as they are where none is 0."""
    seen = np.asarray(parts != 0, bool)
    return (parts, *others) if seen.all() else (parts[seen], *(x[seen] for x in others))


complementary_error = special(lambda x: math.erfc(x), lambda library, x: library.erfc(x))
MOST_TERMS = 10_000
NO_TRUE_P_VALUE = "it is a p-value of this sample, and has no true value in the population"


def chi_squared_tail(x: Any, degrees: int) -> Any:
    """Return the chance that chi-squared with these degrees of freedom is at least ``x``.

    Nan without any degree.

    >>> round(chi_squared_tail(3.841458820694124, 1), 6), chi_squared_tail(2.0, 2) == math.exp(-1)
    (0.05, True)
    """
    if not degrees or x != x:
        return math.nan
    x = _inexact(x)
    # Each step by two degrees adds one term: Q(k + 2) = Q(k) + (x/2)**(k/2) exp(-x/2) / Gamma(k/2 + 1).
    half, odd = x / 2, degrees % 2
    tail = complementary_error(sqrt(half)) if odd else exp(-half)
    if x == 0:
        return tail
    for k in range(2 - odd, degrees, 2):
        order = constant(1, x) * k / 2
        tail = tail + exp(order * log(half) - half - log_gamma(order + 1))
    return tail


def binomial_tail(least: Any, n: Any, share: Any) -> Any:
    """Return the chance of at least ``least`` of ``n`` successes, each with probability ``share``.

    >>> binomial_tail(2, 3, 0.5), binomial_tail(0, 5, 0.2), binomial_tail(5, 5, 1)
    (0.5, 1, 1)
    """
    if n == 0:
        return math.nan
    if least <= 0 or share == 1:
        return 1
    if least > n or share == 0:
        return 0
    a, b, x = map(_inexact, (least, n - least + 1, share))
    # The incomplete beta function I_x(a, b), by the continued fraction that converges quickly on either side of its mean.
    if x * (a + b + 2) < a + 1:
        return _beta_part(a, b, x)
    return 1 - _beta_part(b, a, 1 - x)


def _beta_part(a: Any, b: Any, x: Any) -> Any:
    """Return I_x(a, b) for an x below its mean: powers over Lentz's continued fraction."""
    front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x)) / a
    smallest = precision(x)
    tiny = smallest**4
    value, c, d = constant(1, x), constant(1, x), 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    value = d
    for k in range(1, MOST_TERMS):
        for step in (
            k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)),
            -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1)),
        ):
            d, c = 1 + step * d, 1 + step / c
            d, c = 1 / (d if abs(d) > tiny else tiny), c if abs(c) > tiny else tiny
            value = value * d * c
        if abs(d * c - 1) < smallest:
            break
    return front * value


def _inexact(x: Any) -> Any:
    """Return a float, or the number itself if it has more digits."""
    return x if hasattr(x, "context") else float(x)


def precision(x: Any) -> Any:
    """Return the distance from 1 to the next number of this type."""
    return x.context.eps if hasattr(x, "context") else 2.0**-52
