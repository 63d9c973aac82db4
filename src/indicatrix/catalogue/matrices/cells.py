"""Arithmetic on confusion matrices of any number type: floats, integers, Fractions, many digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.numbers.functions import log, log_ratio, part_log
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
