"""A smallest set of columns that explains the others: linear functions of it give almost all of them."""

from __future__ import annotations

import math
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np

from ...algebra.arrays import Array

MANY = 50_000  # sets of one size up to which all are tried
CHUNK = 1000  # sets that are tried at a time
SINGULAR = 1e-9  # relative size below which a direction is not counted, and by which a share may miss the threshold


class Explaining(NamedTuple):
    """Some columns, and which share of the variance of every column they explain."""

    columns: tuple[int, ...]
    shares: Array
    exact: bool  # no smaller set explains all columns


def explaining_set(correlations: Array, threshold: float, n: float = math.inf) -> Explaining:
    """Return a smallest set that explains a share of the variance of every column with ``n`` rows.

    All sets of one column are tried, then all of two, and so on; of the smallest that are enough, the one is taken that explains
    the least explained column best. Where more than 50,000 sets would have to be tried, columns are added one by one instead,
    and those that turn out not to be needed are left out.

    >>> pairs = np.array([[1, 0.99, 0], [0.99, 1, 0], [0, 0, 1]])
    >>> explaining_set(pairs, 0.95).columns
    (0, 2)
    """
    if not len(correlations):
        return Explaining((), np.zeros(0), True)
    found = _one_by_one(correlations, threshold, n)
    for size in range(1, len(found) + 1):
        if math.comb(len(correlations), size) > MANY:
            return Explaining(found, explained_shares(correlations, np.array([found]), n)[0], False)
        best, shares = _best_of(correlations, size, n)
        if shares.min() >= threshold - SINGULAR:
            return Explaining(best, shares, True)
    raise AssertionError("the set that was found one by one is among those that were tried")


def _best_of(correlations: Array, size: int, n: float) -> tuple[tuple[int, ...], Array]:
    """Return the set of some size that explains the least explained column best, the first of several."""
    best: tuple[tuple[int, ...], Array] = (), np.zeros(1)
    every, most = combinations(range(len(correlations)), size), -1.0
    while chunk := [*islice(every, CHUNK)]:
        shares = explained_shares(correlations, np.array(chunk), n)
        least = shares.min(axis=1).round(12)
        if least.max() > most:
            k = int(least.argmax())
            best, most = (chunk[k], shares[k]), float(least[k])
    return best


def explained_shares(correlations: Array, sets: Array, n: float = math.inf) -> Array:
    """Return which share of the variance of each column each set explains: R² of linear regression.

    It is adjusted for the size of the set: in ``n`` rows, n - 1 columns of noise explain everything.
    """
    inside = correlations[sets[:, :, None], sets[:, None, :]]
    across = correlations[sets]  # sets x members x columns
    shares = np.einsum("skp,skl,slp->sp", across, np.linalg.pinv(inside, rcond=SINGULAR, hermitian=True), across)
    if math.isfinite(n):
        left = n - 1 - sets.shape[1]
        shares = 1 - (1 - shares) * (n - 1) / left if left > 0 else np.zeros_like(shares)
    np.put_along_axis(shares, sets, 1.0, axis=1)
    return np.asarray(np.clip(shares, 0, 1))


def _one_by_one(correlations: Array, threshold: float, n: float) -> tuple[int, ...]:
    p = len(correlations)
    chosen: list[int] = []
    while not chosen or explained_shares(correlations, np.array([chosen]), n).min() < threshold - SINGULAR:
        others = [k for k in range(p) if k not in chosen]
        shares = explained_shares(correlations, np.array([[*chosen, k] for k in others]), n)
        enough = (shares >= threshold - SINGULAR).sum(axis=1)
        chosen.append(others[int(np.lexsort((-shares.mean(axis=1).round(12), -enough))[0])])
    for k in [*chosen]:
        rest = [c for c in chosen if c != k]
        if rest and explained_shares(correlations, np.array([rest]), n).min() >= threshold - SINGULAR:
            chosen = rest
    return tuple(sorted(chosen))
