"""Whether what is taken to stay the same can stay the same.

Tests with the labels of the reference, and with the scores alone.
"""

from __future__ import annotations

import math

import numpy as np

from ..algebra.arrays import Array
from ..inference.stats.tails import chi_square_tail
from ..tally.corrected.shifts import HALF, most_likely_mixture


def same_in_groups(inside: Array, outcome: Array, group: Array) -> float:
    """Return the p-value of outcomes that are alike in all groups within strata (Mantel and Haenszel).

    It is powerful where groups differ in the same direction in all strata, and right for strata of few rows; nan where nothing
    can be compared.

    >>> one = np.zeros(40, int)
    >>> round(same_in_groups(one, np.tile([0, 1], 20), np.repeat([0, 1], 20)), 3)
    1.0
    >>> same_in_groups(one, np.repeat([0, 1], 20), np.repeat([0, 1], 20)) < 1e-6
    True
    """
    shape = [int(x.max(initial=-1)) + 1 for x in (inside, group, outcome)]
    tables = np.zeros(shape)
    np.add.at(tables, (inside, group, outcome), 1.0)
    tables = tables[tables.sum(axis=(1, 2)) > 1]
    n = tables.sum(axis=(1, 2))
    if not len(n):
        return math.nan
    rows, columns = tables.sum(axis=2) / n[:, None], tables.sum(axis=1) / n[:, None]
    apart = (tables - n[:, None, None] * rows[:, :, None] * columns[:, None, :]).sum(axis=0)[:-1, :-1].ravel()
    spreads = [np.einsum("si,ij->sij", x, np.eye(x.shape[1])) - np.einsum("si,sj->sij", x, x) for x in (rows, columns)]
    of_rows, of_columns = (x[:, :-1, :-1] for x in spreads)
    covariance = np.einsum("s,sik,sjl->ijkl", n**2 / (n - 1), of_rows, of_columns).reshape(len(apart), len(apart))
    freedom = int(np.linalg.matrix_rank(covariance, hermitian=True)) if len(apart) else 0
    if not freedom:
        return math.nan
    return chi_square_tail(float(apart @ np.linalg.pinv(covariance, hermitian=True) @ apart), freedom)


def is_mixture(target: Array, reference: Array) -> float:
    """Return the p-value of strata (h,) that are a mixture of the reference's classes (h, m).

    It is of the likelihood ratio.

    nan where any target would fit: there are as many classes as strata.

    >>> reference = np.array([[60.0, 5], [30, 15], [10, 80]])
    >>> round(is_mixture(np.array([32.5, 22.5, 45.0]), reference), 3), is_mixture(np.array([10.0, 80, 10]), reference) < 1e-6
    (1.0, True)
    """
    used = (reference.sum(axis=1) > 0) | (target > 0)
    target, reference = target[used], reference[used]
    reference = reference[:, reference.sum(axis=0) > 0]
    h, m = reference.shape
    if h <= m or not target.sum():
        return math.nan
    sizes = reference.sum(axis=0)
    rates, shares = most_likely_mixture((reference + HALF / h) / (sizes + HALF), reference, target)
    fitted = _plogp(reference, rates) + _plogp(target, rates @ shares)
    free = _plogp(reference, reference / sizes) + _plogp(target, target / target.sum())
    return chi_square_tail(max(2 * (free - fitted), 0.0), h - m)


def _plogp(times: Array, share: Array) -> float:
    """Return the logarithm of the likelihood of counts; a count of 0 adds nothing."""
    return float((times * np.log(np.where(times > 0, share, 1.0))).sum())
