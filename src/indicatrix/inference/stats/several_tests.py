"""Several tests together: p-values by Holm or Benjamini-Hochberg, and ends that fit a verdict.

The largest of several correlated differences: how often chance takes it as far from 0 (max-T).

The differences of all pairs of classifiers share the classifiers, so they vary together. A family of such tests is judged by the
largest of them: a p-value is adjusted to how often the largest of all is as far from 0, and the intervals of all are so wide that
they hold together. How the differences go together follows from their variances.

Correlated normal numbers are a direction times a length. Directions are drawn, always the same ones; the length is integrated
exactly, so that small chances are known, too.

p-values and probabilities as they are written in a sentence.

Ranks with ties, and Wilcoxon's signed-rank test, exact also with ties.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np

from ...algebra.arrays import Array
from .proportions import Ends
from .quantiles import normal, two_sided


def holm(p: Any) -> Array:
    """Return p-values adjusted by Holm: the chance of any false discovery stays below the level.

    A nan is a test that was not made: it stays nan and does not count in the family. The result has the shape of ``p``.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    return _adjust(p, lambda sorted_p, k: np.maximum.accumulate(sorted_p * np.arange(k, 0, -1)))


def benjamini_hochberg(p: Any) -> Array:
    """Return p-values adjusted by Benjamini and Hochberg, for the share of false discoveries.

    Its expectation stays below the level for independent or positively dependent tests. A nan is a test that was not made: it
    stays nan and does not count in the family. The result has the shape of ``p``.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.04, 0.04]
    """
    return _adjust(p, lambda sorted_p, k: np.minimum.accumulate((sorted_p * k / np.arange(1, k + 1))[::-1])[::-1])


def _adjust(p: Any, step: Callable[[Array, int], Array]) -> Array:
    """Return the p-values after a step that takes the known ones in rising order and how many there are."""
    given = np.asarray(p, np.float64)
    known = ~np.isnan(given)
    small = given[known]
    if ((small < 0) | (small > 1)).any():
        raise ValueError("p-values lie between 0 and 1; nan stands for a test that was not made.")
    order = np.argsort(small, kind="stable")
    adjusted = np.empty_like(small)
    adjusted[order] = np.minimum(step(small[order], len(small)), 1.0)
    out = np.full(given.shape, np.nan)
    out[known] = adjusted
    return out


SMALLEST = 1e-12  # the share of a clear difference that is left at the end next to 0, at least


def ends_of_verdict(ends: Ends, value: float, *, clear: bool, p: float, level: float) -> Ends:
    """Return the ends of an interval, moved where they contradict a test at the same level.

    Exact tests and draws are sharper or blunter near 0 than a variance says. Where the two disagree, the end next to 0 is that of
    the test: 0 itself if it does not reject, and otherwise as far from 0 as its p-value says. The value stays inside.

    >>> ends_of_verdict((0.01, 0.13), 0.07, clear=False, p=0.06, level=0.95)
    (0.0, 0.13)
    >>> low, high = ends_of_verdict((-0.001, 0.141), 0.07, clear=True, p=0.04, level=0.95)
    >>> round(low, 4), high
    (0.0032, 0.141)
    """
    low, high = min(ends[0], value), max(ends[1], value)
    if not clear:
        return min(low, 0.0), max(high, 0.0)
    if low <= 0 <= high:
        kept = value * max(1 - normal(level) / far_from_zero(p), SMALLEST)
        return (kept, high) if value > 0 else (low, kept)
    return low, high


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


def p_text(p: float, name: str = "p") -> str:
    """Return a p-value with its name, to two digits.

    >>> p_text(0.0312), p_text(1e-9), p_text(0.2, "Holm"), p_text(float("nan"))
    ('p = 0.031', 'p < 0.0001', 'Holm = 0.2', 'no p')
    """
    if math.isnan(p):
        return f"no {name}"
    return f"{name} < 0.0001" if p < 1e-4 else f"{name} = {p:.2g}"


def level_text(level: float) -> str:
    """Return the level of a test as people say it, from that of the interval it belongs to.

    >>> level_text(0.95), level_text(0.999)
    ('the 5% level', 'the 0.1% level')
    """
    return f"the {100 * (1 - level):.6g}% level"


def probability_text(p: float) -> str:
    """Return a probability to three digits, without calling anything certain or impossible.

    >>> probability_text(0.0312), probability_text(1e-9), probability_text(0.99999), probability_text(0)
    ('0.031', '< 0.001', '> 0.999', '0')
    """
    if 0 < p < 0.0005:
        return "< 0.001"
    if 0.9995 <= p < 1:
        return "> 0.999"
    return f"{p:.3f}" if 0 < p < 1 else f"{p:g}"


def rope_text(names: tuple[str, str], probabilities: tuple[str, str, str], rope: float) -> str:
    """Return how likely the first is better, both are equivalent, and the second is better.

    A region of 0 is left out.

    >>> rope_text(("lr", "rf"), ("0.3", "0", "0.7"), 0)
    'lr is better with probability 0.3, rf is better with 0.7'
    >>> rope_text(("a", "b"), ("0.1", "0.2", "0.7"), 0.01)
    'a is better by more than 0.01 with probability 0.1, equivalent within 0.01 with 0.2, b is better by more than 0.01 with 0.7'
    """
    (first, second), (ahead, equivalent, behind) = names, probabilities
    more, same = (f" by more than {rope:g}", f"equivalent within {rope:g} with {equivalent}, ") if rope else ("", "")
    return f"{first} is better{more} with probability {ahead}, {same}{second} is better{more} with {behind}"


EXACT = 200  # differences up to which all signs are counted; beyond, the sum of ranks is normal to many digits


def mid_ranks(values: Any) -> Array:
    """Return ranks along the last axis, 1 for the smallest; equal values share the mean rank.

    >>> mid_ranks([0.3, 0.1, 0.3, 0.5]).tolist()
    [2.5, 1.0, 2.5, 4.0]
    """
    x = np.asarray(values, np.float64)
    out = np.empty(x.shape)
    for place in np.ndindex(x.shape[:-1]):
        _, found, times = np.unique(x[place], return_inverse=True, return_counts=True)
        out[place] = (np.cumsum(times) - (times - 1) / 2)[found]
    return out


@dataclass(frozen=True)
class SignedRanks:
    """Wilcoxon's signed-rank test: the two-sided p-value, and an effect whose sign says who is ahead."""

    p: float  # nan if all differences are 0
    effect: (
        float  # rank-biserial correlation: positive ranks minus negative ranks, over all ranks: 1 if every difference is positive
    )


def signed_ranks(differences: Any) -> SignedRanks:
    """Return Wilcoxon's test of differences; those of 0 are left out.

    If the true median is 0, every choice of signs of the others is equally likely.

    >>> signed_ranks([1, 2, 3, 4, 5])
    SignedRanks(p=0.0625, effect=1.0)
    >>> signed_ranks([1, -1, 2])
    SignedRanks(p=0.75, effect=0.5)
    """
    d = np.asarray(differences, np.float64)
    d = d[d != 0]
    if not len(d):
        return SignedRanks(math.nan, 0.0)
    ranks = mid_ranks(np.abs(d))
    up, down = float(ranks[d > 0].sum()), float(ranks[d < 0].sum())
    if len(d) > EXACT:
        p = two_sided((up - down) / math.sqrt(float(ranks @ ranks)))
    else:
        p = 2 * float(_sums_of_ranks(ranks)[: round(2 * min(up, down)) + 1].sum())
    return SignedRanks(min(p, 1.0), (up - down) / (up + down))


def _sums_of_ranks(ranks: Array) -> Array:
    """Return how likely each sum of positive ranks is; ranks are doubled, so that halves are whole."""
    steps = np.rint(2 * ranks).astype(int)
    chances = np.zeros(int(steps.sum()) + 1)
    chances[0] = 1.0
    for step in steps:
        moved = np.zeros_like(chances)
        moved[step:] = chances[: len(chances) - step]
        chances = (chances + moved) / 2
    return chances
