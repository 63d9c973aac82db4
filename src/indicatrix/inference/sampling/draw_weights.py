"""Random weights for what was sampled: how often each distinct row is in a replicate.

Directions in which the counts of a sample vary.

The mean of their outer products is the covariance of the counts, or about it.
Traces of curvatures times covariances are means along such directions, so that neither matrix is needed.
The directions follow an order of the classes that does not change with their names and places.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...words.wording import check_at_most, short

MOST_DRAWS = 1_000_000
Draw = Callable[[Array, Array | None, int], Array]  # of times, strata and the number of replicates: (replicates, rows)


def check_draws(draws: Any) -> None:
    """Refuse what does not say how many replicates to draw."""
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 1:
        raise ValueError(f"draws={draws!r} must be a whole number of replicates, such as 2000.")
    check_at_most("draws", draws, MOST_DRAWS, "2,000 place the ends of an interval to a few hundredths of its width.")


def generator(seed: Any) -> np.random.Generator:
    """Return a generator that starts at a seed, at 0 without one: the same seed gives the same draws.

    >>> int(generator(3).integers(100)) == int(generator(3).integers(100))
    True
    """
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0):
        raise ValueError(f"seed={short(seed)} must be a whole number from 0 on.")
    return np.random.default_rng(0 if seed is None else seed)


def multinomial(rng: np.random.Generator) -> Draw:
    """Return multinomial draws of as many rows as there are; of each stratum alone, if there are strata."""

    def draw(times: Array, strata: Array | None, draws: int) -> Array:
        out = np.empty((draws, len(times)))
        for stratum in [None] if strata is None else np.unique(strata):
            at = slice(None) if stratum is None else np.flatnonzero(strata == stratum)
            own = times[at]
            out[:, at] = rng.multinomial(round(own.sum()), own / own.sum(), draws) if len(own) else 0
        return out

    return draw


def poisson(rng: np.random.Generator) -> Draw:
    """Return independent draws for each row, scaled to the number of rows."""
    return _scale(lambda times, draws: rng.poisson(times, (draws, len(times))).astype(np.float64))


def gamma(rng: np.random.Generator) -> Draw:
    """Return the weights of the Bayesian bootstrap: no row is ever lost."""
    return _scale(lambda times, draws: rng.standard_gamma(times, (draws, len(times))))


def _scale(weights: Callable[[Array, int], Array]) -> Draw:
    def draw(times: Array, strata: Array | None, draws: int) -> Array:
        drawn = weights(times, draws)
        if strata is None:
            return _to_total(drawn, times)
        for stratum in np.unique(strata):
            at = np.flatnonzero(strata == stratum)
            drawn[:, at] = _to_total(drawn[:, at], times[at])
        return drawn

    return draw


def _to_total(drawn: Array, times: Array) -> Array:
    total = drawn.sum(axis=1, keepdims=True)
    return np.asarray(drawn * np.where(total > 0, times.sum() / np.where(total > 0, total, 1), 0.0))


DRAWS: dict[str, Callable[[np.random.Generator], Draw]] = {"multinomial": multinomial, "poisson": poisson, "gamma": gamma}


MOST = 64  # classes among which ties are broken one by one; more of them are seldom alike


def signed_directions(table: Array, squares: Array, count: int) -> Array:
    """Return directions in which every cell moves up or down by about its standard deviation.

    The signs do not depend on the order in which the classes are listed.
    """
    place = class_order(table)
    return _centered(table, np.sqrt(squares), _signs(count, len(table))[:, place][:, :, place])


def cell_directions(table: Array, squares: Array) -> Array:
    """Return a direction for each cell that was seen; for them the mean is exact."""
    seen = np.argwhere(table > 0)
    signs = np.zeros((len(seen), *table.shape))
    signs[np.arange(len(seen)), seen[:, 0], seen[:, 1]] = math.sqrt(len(seen))
    return _centered(table, np.sqrt(squares), signs)


def _centered(table: Array, root: Array, signs: Array) -> Array:
    """Return standard deviations with signs, less what changes the number of examples."""
    moved = signs * root
    return np.asarray(moved - table * (moved.sum(axis=(1, 2)) / max(float(table.sum()), 1.0))[:, None, None])


@cache
def _signs(count: int, size: int) -> Array:
    return signs_of(count, size * size).reshape(count, size, size)


def signs_of(count: int, things: int) -> Array:
    """Return a sign for each of some things, several times; always the same ones."""
    return np.random.default_rng(0).choice((-1.0, 1.0), (count, things))


def class_order(table: Array, positive: int | None = None) -> Array:
    """Return the rank of each class of a table (true, predicted).

    The last row and column are "no class". Classes are told apart by their counts, then by the counts that they share with
    classes that are told apart. Where two are still alike, either may come first: the table in this order is the same. A
    positive class is not like any other.

    >>> one = np.array([[5.0, 1, 0], [2, 7, 0], [0, 0, 0]])
    >>> class_order(one).tolist(), class_order(one[[1, 0, 2]][:, [1, 0, 2]]).tolist()
    ([0, 1, 2], [1, 0, 2])
    """
    m = len(table) - 1
    special = np.append(np.zeros(m, np.intp), 2)
    if positive is not None:
        special[positive] = 1
    rows, columns = (np.sort(side, axis=1).sum(axis=1) for side in (table, table.T))  # sorted, because sums are rounded
    facts = np.stack([special, np.diag(table), rows, columns])
    order = np.lexsort(facts[::-1])  # by the first fact, then by the next; faster than np.unique
    ranks = np.empty(m + 1, np.intp)
    ranks[order] = np.cumsum(np.append(0, (np.diff(facts[:, order], axis=1) != 0).any(axis=0)))
    if ranks[order[-1]] < m:
        ranks = _refine(table, ranks)
    while m <= MOST and len(np.unique(ranks)) <= m:
        _, first, times = np.unique(ranks, return_index=True, return_counts=True)
        at = first[np.argmax(times > 1)]
        ranks = ranks * 2 + (ranks == ranks[at])
        ranks[at] -= 1  # one of those that are alike comes before the others
        ranks = _refine(table, np.unique(ranks, return_inverse=True)[1])
    return np.argsort(np.argsort(ranks, kind="stable"), kind="stable")


def _refine(table: Array, ranks: Array) -> Array:
    """Return ranks that tell apart all classes whose counts with classes of some rank differ."""
    while True:
        facts = [ranks[:, None], np.diag(table)[:, None]]
        for side in (table, table.T):
            order = np.array([np.lexsort((row, ranks)) for row in side])
            facts.append(np.take_along_axis(side, order, axis=1))
        finer = np.unique(np.hstack(facts), axis=0, return_inverse=True)[1].ravel()
        if finer.max() == ranks.max() and len(np.unique(finer)) == len(np.unique(ranks)):
            return finer
        ranks = finer
