"""The largest of several correlated differences: how often chance takes it as far from 0 (max-T).

The differences of all pairs of classifiers share the classifiers, so they vary together. A family of such tests is judged by the
largest of them: a p-value is adjusted to how often the largest of all is as far from 0, and the intervals of all are so wide that
they hold together. How the differences go together follows from their variances.

Correlated normal numbers are a direction times a length. Directions are drawn, always the same ones; the length is integrated
exactly, so that small chances are known, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np

from ...algebra.arrays import Array
from .tails import two_sided

DIRECTIONS = (1024, 8192)  # that are drawn, at least and at most
WORK = 1 << 25  # numbers that are compared for all of them
NODES = 256  # groups of directions that reach about as far
MOST = 256  # places at which the chance is computed; between them it is interpolated
BLOCK = 1 << 18  # numbers that are multiplied at a time: in cache, and too few for the many threads of a library
FARTHEST = 40.0  # standard deviations
ROUNDS, STEPS = 2, 32  # of the search for a quantile, and the places of each
NEGLIGIBLE = 1e-12  # the share of the variance that rounding leaves


def far_from_zero(p: float) -> float:
    """Return how many standard deviations from 0 a normal number is that has this two-sided p-value.

    >>> round(far_from_zero(0.05), 4), far_from_zero(1.0), far_from_zero(0.0)
    (1.96, 0.0, inf)
    """
    return math.inf if p <= 0 else 0.0 if p >= 1 else -NormalDist().inv_cdf(p / 2)


class Largest(Protocol):
    """How often the largest of several numbers is far from 0."""

    def above(self, z: Any) -> Array:
        """Return how often the largest is at least so many standard deviations from 0."""

    def limit(self, share: float) -> float:
        """Return how far from 0 the largest is with this share: the quantile of simultaneous intervals."""


@dataclass(frozen=True)
class Independent:
    """The largest of independent normal numbers; correlated ones are never farther from 0 (Šidák 1967)."""

    count: int

    def above(self, z: Any) -> Array:
        """Return how often the largest is at least so many standard deviations from 0.

        >>> Independent(3).above([1.96]).round(3).tolist()
        [0.143]
        """
        one = np.array([two_sided(x) for x in np.atleast_1d(z).tolist()])
        with np.errstate(divide="ignore"):
            return np.asarray(-np.expm1(self.count * np.log1p(-one)))

    def limit(self, share: float) -> float:
        """Return how far from 0 the largest is with this share.

        >>> round(Independent(1).limit(0.05), 4), round(Independent(3).limit(0.05), 4)
        (1.96, 2.3877)
        """
        return far_from_zero(share if self.count == 1 else -math.expm1(math.log1p(-share) / self.count))


@dataclass(frozen=True, eq=False)
class OfDifferences:
    """The largest of the differences between pairs of classifiers, by how far each direction reaches."""

    reach: Array  # of groups of directions: the largest difference, in standard deviations
    rank: int  # how many independent normal numbers there are, an even number
    count: int  # of differences

    def above(self, z: Any) -> Array:
        """Return how often the largest is at least so many standard deviations from 0.

        It lies between the chance of one alone and the sum over all.
        """
        places = np.minimum(np.atleast_1d(np.asarray(z, np.float64)), FARTHEST)
        if len(places) > MOST:  # the logarithm is almost a straight line in the square
            grid = np.linspace(places.min(), places.max(), MOST)
            with np.errstate(divide="ignore"):
                logs = np.log(self.above(grid))
            return np.asarray(np.exp(np.interp(places**2, grid**2, logs)))
        one = np.array([two_sided(x) for x in places.tolist()])
        found = _length_above(places[:, None] / self.reach, self.rank).mean(axis=1)
        return np.asarray(np.clip(found, one, np.minimum(self.count * one, 1.0)))

    def limit(self, share: float) -> float:
        """Return how far from 0 the largest is with this share."""
        low, high = 0.0, FARTHEST
        for _ in range(ROUNDS):
            places = np.linspace(low, high, STEPS + 1)
            at = int((self.above(places) > share).sum())  # the chance falls from place to place
            low, high = float(places[max(at - 1, 0)]), float(places[min(at, STEPS)])
        square = np.interp(-math.log(share), -np.log(self.above([low, high])), [low * low, high * high])
        return math.sqrt(float(square))


def largest_difference(variances: Array, pairs: Sequence[tuple[int, int]]) -> Largest:
    """Return the largest of the differences of some pairs, from the variances of those of all pairs.

    ``variances[i, j]`` is that of the difference between i and j, 0 for i = j. Where some are not known, the largest of
    independent numbers is returned, which is on the safe side.

    >>> equal = 1 - np.eye(4)
    >>> largest_difference(equal, [(i, j) for j in range(4) for i in range(j)]).above([2.569]).round(3).tolist()  # Tukey's
    [0.05]
    """
    known = np.asarray(variances, np.float64)
    if len(pairs) < 2 or not np.isfinite(known).all():
        return Independent(max(len(pairs), 1))
    k = len(known)
    center = np.eye(k) - 1 / k
    values, vectors = np.linalg.eigh(-center @ known @ center / 2)
    kept = values > NEGLIGIBLE * max(float(values[-1]), 0.0)
    if not kept.any():
        return Independent(max(len(pairs), 1))
    places = vectors[:, kept] * np.sqrt(values[kept])
    first, second = np.array(pairs, np.intp).T
    between = places[first] - places[second]
    length = np.sqrt((between**2).sum(axis=1))
    apart = length > math.sqrt(NEGLIGIBLE) * length.max()
    if kept.sum() < 2:
        return Independent(1)  # all differences are multiples of one number
    if kept.sum() % 2:  # one number more, which moves nothing: the length of an even number of them has a closed form
        between = np.append(between, np.zeros((len(pairs), 1)), axis=1)
    reach = np.sort(_reach(between[apart] / length[apart, None]))
    return OfDifferences(reach.reshape(NODES, -1).mean(axis=1), between.shape[1], len(pairs))


def _reach(apart: Array) -> Array:
    """Return how far the largest of some unit vectors is from 0 along each of many directions."""
    least, most = DIRECTIONS
    size = min(max(WORK // len(apart) // NODES * NODES, least), most)
    drawn = np.random.default_rng(0).standard_normal((size, apart.shape[1]))
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    out, step = np.empty(size), max(1, BLOCK // apart.size)
    for start in range(0, size, step):
        moved = drawn[start : start + step] @ apart.T
        out[start : start + step] = np.maximum(moved.max(axis=1), -moved.min(axis=1))
    return out


def _length_above(x: Array, rank: int) -> Array:
    """Return how often the length of an even number of independent normal numbers is at least x.

    >>> _length_above(np.array([2.0, 3.0]), 2).round(4).tolist()
    [0.1353, 0.0111]
    """
    half = x * x / 2
    term = np.exp(-half)
    out = term.copy()
    for j in range(1, rank // 2):
        term *= half / j
        out += term
    return np.minimum(out, 1.0)
