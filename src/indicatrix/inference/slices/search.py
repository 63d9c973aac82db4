"""The search among all conjunctions of features that have enough examples.

Also how surely each is worse than the rest.

A slice is a group. Level by level, the values of a set of features make one grouping of the examples, whose groups are compared
as any others. A slice is not divided further if it has too few examples, or so few bad ones that no part of it could be found.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import combinations
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask, quiet
from ..groups.group_comparison import compare_groups, sampled_groups
from ..groups.group_samples import LEVEL, Precision, SampledGroups, of_intervals, of_shares
from ..intervals.interval import Interval
from ..intervals.of_score import interval
from .sliced import Cells, Feature

HALF = 0.5  # of an example: the correction for continuity of counted examples
DENSE = 1 << 22  # combinations of values up to which all are numbered, whether they occur or not
SCREEN = 1.28  # standard errors, roughly measured, from which on a slice has an interval of its own: one in ten by chance
MOST_INTERVALS = 4000  # of slices, the most striking first: each takes milliseconds


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups of one grouping: how many examples each has, its value, and how precise that is."""

    names: Array  # the number of each group that occurs
    sizes: Array
    values: Array
    sampled: SampledGroups
    clusters: str | None

    @cached_property
    def counted(self) -> Precision | None:
        """The precision of shares of counted examples; None for other scores."""
        shares = None if self.clusters is not None else self.sampled.shares
        return None if shares is None else of_shares(*shares)

    def interval(self, place: int, level: float = LEVEL) -> Interval:
        """Return the interval of one group."""
        if self.clusters is None:
            return self.sampled.intervals(level, [place])[0]
        asked = (self.sampled.measure, self.sampled.average)
        return interval(self.sampled.part(place), *asked, level=level, clusters=self.clusters)

    def precision(self, places: Array, bounded: bool | None = None) -> Precision:
        """Return the precision of some groups; one without an interval has the size 0."""
        if self.counted is not None:
            return replace(self.counted, values=self.counted.values[places], sizes=self.counted.sizes[places])
        intervals = [self._known(place) for place in places.tolist()]
        span = (-math.inf, math.inf) if bounded is False else self.sampled.span(i for i in intervals if not math.isnan(i.low))
        found = of_intervals(intervals, span)
        known = np.isfinite(found.values) & np.isfinite(found.sizes)
        return Precision(np.where(known, found.values, 0.0), np.where(known, found.sizes, 0.0), found.bounded)

    def _known(self, place: int) -> Interval:
        try:
            return self.interval(place)
        except ValueError:
            return Interval(math.nan, math.nan, math.nan, LEVEL, "none")


@dataclass(frozen=True, eq=False)
class Question:
    """A score whose worst slices are looked for, of the cells that take part."""

    cells: Cells
    measure: Any
    average: Any
    clusters: str | None
    lower_is_worse: bool
    inside: Mask  # the cells that are searched; the others are held out

    def apart(self, some: Mask, others: Mask) -> Groups:
        """Return some cells as group 0 and others as group 1."""
        zero, one, two = np.arange(3, dtype=np.int8)
        return self.groups(np.where(some, zero, np.where(others, one, two)), 3)

    def groups(self, codes: Array, count: int, *, moments: bool | None = None) -> Groups:
        """Return the groups of a grouping of all cells."""
        count = min(count, int(codes.max(initial=0)) + 1)
        source = self.cells.grouped(codes, count, moments=self.moments if moments is None else moments)
        found = compare_groups(source, self.measure, source.tally.by[0], average=self.average)
        names, sizes = np.array(found.names, np.intp), np.array(found.sizes, np.int64)
        return Groups(names, sizes, np.asarray(found.values, np.float64), sampled_groups(found), self.clusters)

    @cached_property
    def moments(self) -> bool | None:
        """What must be kept for intervals: nothing for shares of counted examples."""
        whole = self.groups(np.where(self.inside, 0, 1), 2, moments=False)
        return False if whole.counted is not None else None

    @cached_property
    def whole(self) -> Groups:
        """Everything that is searched, as the first group."""
        return self.groups(np.where(self.inside, 0, 1), 2)

    @cached_property
    def evidence(self) -> Evidence:
        """How slices are compared with the rest; a score without an interval is refused with the reason."""
        whole = self.whole
        defined = len(whole.values) > 0 and math.isfinite(whole.values[0])
        if defined and whole.counted is None:
            whole.interval(0)  # refuses with the reason
        if not defined or not (found := whole.precision(np.array([0]))).sizes[0] > 0:
            raise ValueError(
                f"{whole.sampled.measure} is undefined for these examples, so that no slice can be worse than the rest."
            )
        return Evidence(found, self.lower_is_worse)

    def distances(self, groups: Groups, places: Array) -> Array:
        """Return how far some groups are on the bad side of the rest, in standard errors."""
        evidence = self.evidence
        if groups.counted is not None:
            own = groups.precision(places)
            return evidence.against_rest(own.values, own.sizes)
        z, near, values = np.zeros(len(places)), np.full(len(places), SCREEN), groups.values[places]
        if evidence.whole.bounded:
            low, high = map(float, self.whole.sampled.measure.range)
            values = (values - low) / (high - low)
        if evidence.whole.bounded or self.whole.interval(0).method != "log":
            near = evidence.against_rest(values, evidence.whole.sizes[0] * groups.sizes[places] / self.cells.count(self.inside))
        some = np.flatnonzero(near >= SCREEN)
        some = some[np.argsort(-near[some], kind="stable")][:MOST_INTERVALS]
        if len(some):
            own = groups.precision(places[some], evidence.whole.bounded)
            z[some] = evidence.against_rest(own.values, own.sizes)
        return z


@dataclass(frozen=True, eq=False)
class Candidate:
    """A conjunction that is worse than the rest: which value, by number, of which features."""

    where: tuple[tuple[Feature, int], ...]
    n: int
    distance: float  # from the rest, in standard errors

    def cells(self) -> Mask:
        """Return which cells are in it."""
        return reduce(np.logical_and, (feature.codes == place for feature, place in self.where))


@dataclass(eq=False)
class Search:
    """All slices up to a depth: how many were tested, and those that may be worse than the rest."""

    question: Question
    features: Sequence[Feature]
    smallest: int
    least: float  # standard errors that a discovery needs at least
    tested: int = 0
    found: list[Candidate] = field(default_factory=list)
    _codes: list[Array] = field(default_factory=list)  # of each feature: its values that may be divided, then all others
    _values: list[Array] = field(default_factory=list)  # which these are
    _large: list[int] = field(default_factory=list)  # how many values have enough examples, whether they may be divided or not
    _alive: dict[tuple[int, ...], tuple[Mask, Mask] | None] = field(default_factory=dict)  # of features, which values; None: any

    def run(self, depth: int) -> Search:
        """Search all levels."""
        inside = self.question.inside
        for k, feature in enumerate(self.features):
            count = len(feature.said)
            codes = np.where(inside, feature.codes, count)
            alive, large = self._look((k,), codes, np.arange(count)[:, None])
            self._values.append(np.flatnonzero(alive))
            self._large.append(int(large.sum()))
            numbers = np.append(np.where(alive, np.cumsum(alive) - 1, alive.sum()), alive.sum())
            self._codes.append(numbers[codes].astype(np.int32))
            self._alive[k,] = None
        for level in range(2, depth + 1):
            for some in combinations(range(len(self.features)), level):
                if all(sub in self._alive for sub in combinations(some, level - 1)):
                    self._divide(some)
        return self

    def _divide(self, some: tuple[int, ...]) -> None:
        """Count the conjunctions of some features, as far as their parts may be divided.

        Those that are left out because they could not be found count as tested, as far as there are examples for so many.
        """
        sizes = [len(self._values[k]) for k in some]
        left_out = math.prod(self._large[k] for k in some) - math.prod(sizes)
        most = self.question.cells.count(self.question.inside) // self.smallest
        if math.prod(size + 1 for size in sizes) > DENSE:
            self.tested += min(left_out, most)
            self._divide_sparsely(some)
            return
        mask, large = np.ones(sizes, bool), np.ones(sizes, bool)
        for left in range(len(some)):
            known = self._alive[some[:left] + some[left + 1 :]]
            if known is not None:
                mask &= np.expand_dims(known[0], left)
                large &= np.expand_dims(known[1], left)
        self.tested += min(left_out + int((large & ~mask).sum()), most)
        places = np.argwhere(mask)
        if not len(places):
            self._alive[some] = (mask, large)
            return
        padded = np.pad(mask, [(0, 1)] * len(some)).ravel()
        numbers = np.where(padded, np.cumsum(padded) - 1, len(places)).astype(np.int32)
        codes = np.zeros(len(self._codes[0]), np.int32)
        for k, size in zip(some, sizes, strict=True):
            codes = codes * np.int32(size + 1) + self._codes[k]
        kept, enough = self._look(some, numbers[codes], self._named(some, places))
        large[tuple(places[~enough].T)] = False
        mask[tuple(places[~kept].T)] = False
        self._alive[some] = (mask, large)

    def _divide_sparsely(self, some: tuple[int, ...]) -> None:
        """Count the conjunctions that occur, of features with very many values."""
        rows = np.flatnonzero(np.logical_and.reduce([self._codes[k] < len(self._values[k]) for k in some]))
        group = np.zeros(len(rows), np.intp)
        for k in some:
            group = np.unique(group * (len(self._values[k]) + 1) + self._codes[k][rows], return_inverse=True)[1]
        _, first = np.unique(group, return_index=True)
        large = np.bincount(group, self.question.cells.sizes[rows]) >= self.smallest
        if large.any():
            codes = np.full(len(self._codes[0]), large.sum())
            codes[rows] = np.where(large, np.cumsum(large) - 1, large.sum())[group]
            places = np.stack([self._codes[k][rows[first[large]]] for k in some], axis=1)
            self._look(some, codes, self._named(some, places))
            self._alive[some] = None

    def _named(self, some: tuple[int, ...], places: Array) -> Array:
        return np.stack([self._values[k][places[:, i]] for i, k in enumerate(some)], axis=1)

    def _look(self, some: tuple[int, ...], codes: Array, places: Array) -> tuple[Mask, Mask]:
        """Test the groups of a grouping, whose last group is everything else.

        Return which may be divided further, and which have enough examples.
        """
        groups = self.question.groups(codes, len(places) + 1)
        here = np.flatnonzero((groups.names < len(places)) & (groups.sizes >= self.smallest))
        known = here[np.isfinite(groups.values[here])]
        self.tested += len(known)
        z = self.question.distances(groups, known)
        for i in np.flatnonzero(z >= self.least).tolist():
            own = places[groups.names[known[i]]].tolist()
            where = tuple((self.features[k], place) for k, place in zip(some, own, strict=True))
            self.found.append(Candidate(where, int(groups.sizes[known[i]]), float(z[i])))
        divided = here
        if groups.counted is not None:
            hits = groups.counted.values[here] * groups.counted.sizes[here]
            bad = groups.counted.sizes[here] - hits if self.question.lower_is_worse else hits
            divided = here[self.question.evidence.at_most(np.nan_to_num(bad)) >= self.least]
        numbers = np.arange(len(places))
        return np.isin(numbers, groups.names[divided]), np.isin(numbers, groups.names[here])


@dataclass(frozen=True, eq=False)
class Evidence:
    """How many standard errors slices are worse than the rest: one test for every measure.

    A score between two bounds is as precise as a share of so many examples (``homogeneity``); that of counted examples is one.
    The test of two shares is the signed root of their likelihood ratio, which keeps its size for small slices of rare errors,
    where a normal test does not. Scores without bounds have a normal test with the variances of their intervals.
    """

    whole: Precision  # one value
    lower_is_worse: bool

    def against_rest(self, values: Array, sizes: Array) -> Array:
        """Return how far slices are on the bad side of all other examples together."""
        total, mean = float(self.whole.sizes[0]), float(self.whole.values[0])
        rest = np.maximum(total - sizes, 1e-9)
        with quiet():
            others = (total * mean - sizes * values) / rest
        return self.between(values, sizes, np.clip(others, 0, 1) if self.whole.bounded else others, rest)

    def between(self, values: Array, sizes: Array, others: Array, rest: Array) -> Array:
        """Return how far some values are on the bad side of others, in standard errors; nan counts as 0."""
        sign = 1.0 if self.lower_is_worse else -1.0
        with quiet():
            if not self.whole.bounded:
                z = sign * (others - values) / np.sqrt(1 / sizes + 1 / rest)
                return np.where(np.isfinite(z), z, 0.0)
            both = (sizes * values + rest * others) / (sizes + rest)
            hits = sizes * values
            if self.whole.counted:  # half an example towards what is expected
                near = np.minimum(np.abs(hits - sizes * both), HALF)
                hits = hits + np.sign(sizes * both - hits) * near
            ratio = _bent(hits, sizes, both) + _bent(rest * others, rest, both)
            z = sign * np.sign(both - values) * np.sqrt(2 * np.maximum(ratio, 0))
        return np.where(np.isfinite(z), z, 0.0)

    def at_most(self, bad: Array) -> Array:
        """Return how far a slice can be at most that has so many bad examples: one that has no others."""
        return self.against_rest(np.full(bad.shape, 0.0 if self.lower_is_worse else 1.0), bad)


def _bent(hits: Array, sizes: Array, share: Array) -> Array:
    """Return the logarithm of the likelihood ratio of a share against another."""

    def part(k: Array, expected: Array) -> Array:
        return np.where(k > 0, k * np.log(np.where(k > 0, k, 1.0) / np.where(expected > 0, expected, 1.0)), 0.0)

    return part(hits, sizes * share) + part(sizes - hits, sizes * (1 - share))


def upper_tail(z: float) -> float:
    """Return how often a normal number is at least so large.

    >>> upper_tail(0.0), round(upper_tail(1.6449), 3)
    (0.5, 0.05)
    """
    return math.erfc(z / math.sqrt(2)) / 2
