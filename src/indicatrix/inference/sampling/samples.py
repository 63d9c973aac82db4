"""What was sampled: pairs of classes, rows or clusters of rows, and what each adds to the counts.

A score is a function of sums over them. Its variance needs only what each adds along the slopes of the score.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...tally.states.group_counts import class_counts
from ...tally.states.moments import Products
from .draw_weights import Draw, cell_directions, class_order, signed_directions, signs_of

HALF = 0.5  # of the pseudo-example is right, the other half is wrong
POSITIVE = np.array([-1, 0])  # the units of the two classes of one class against the rest: only the second is read
NOT_BY_CLASS = "Clusters hold examples of several classes, so they cannot be drawn class by class."
CHUNK = 1 << 22  # numbers that are drawn at a time
FEW_CLASSES = 64  # whose pseudo-example is kept for the next score


@dataclass(frozen=True, eq=False)
class Pairs:
    """How often each pair of classes (true, predicted) was seen; the last index is "no class".

    With weights, the numbers are sums of weights, so scaled that their sum is the effective number of examples.
    """

    table: Array  # (m + 1) x (m + 1) floats
    squares: Array | None = None  # the sums of the squared weights; None: there are no weights
    by_class: bool = False  # the number of examples of each true class was chosen, and does not vary
    positive: int | None = None  # the class that the score is of, if it is of one
    shares: Any = None  # how sure the shares of classes are that were chosen; None: they are exact
    known_counts: Array | None = field(default=None, repr=False)  # the counts per class, where these were added up before

    @property
    def weighted(self) -> bool:
        """Whether examples have weights."""
        return self.squares is not None

    @cached_property
    def n(self) -> float:
        """The number of examples."""
        return float(self.table.sum())

    @cached_property
    def counts(self) -> Array:
        """The counts per class, (4, m)."""
        return counts_of_tables(self.table) if self.known_counts is None else self.known_counts

    @staticmethod
    def of_one_class(counts: Array, squares: Array | None = None) -> Pairs:
        """Return the table of the rest and the positive class, from the four counts of the positive class."""

        def table(tp: float, fp: float, fn: float, tn: float) -> Array:
            return np.array([[tn, fp, 0], [fn, tp, 0], [0, 0, 0]], np.float64)

        return Pairs(table(*counts), None if squares is None else table(*squares))

    def pseudo(self) -> Pairs:
        """Return one more example, half of it right and half of it wrong, spread over all classes.

        With weights it has in each cell the typical weight there.
        """
        m = len(self.table) - 1
        extra = _small_half_right(m) if m <= FEW_CLASSES else _half_right(m)
        if self.squares is None:
            return extra
        typical = self.typical_weights
        return Pairs(extra.table * typical, extra.table * typical**2)

    @property
    def typical_weights(self) -> Array:
        """The typical weight of an example of each pair, seen or not."""
        if self.squares is None:
            return np.ones_like(self.table)
        sums = (x.sum(axis=1, keepdims=True) for x in (self.table, self.squares))
        return typical_weights(self.table, self.squares, *sums)

    def __add__(self, other: Pairs) -> Pairs:
        return Pairs(self.table + other.table, by_class=self.by_class, positive=self.positive)

    def scale(self, factor: float) -> Pairs:
        """Return a sample with the same shares and this many times the examples."""
        squares = None if self.squares is None else self.squares * factor
        return Pairs(self.table * factor, squares, self.by_class, self.positive, self.shares)

    def as_unit(self, size: float) -> Pairs:
        """Return the same examples, each with the weight of so many."""
        squares = self.table if self.squares is None else self.squares
        return Pairs(self.table * size, squares * size**2)

    def influence(self, slopes: Array) -> Array:
        """Return what each pair adds along slopes (4, m), in the shape of the table.

        Along several slopes (4, b, m), there is one table for each.
        """
        tp, fp, fn, tn = np.concatenate([slopes, np.zeros((*slopes.shape[:-1], 1))], axis=-1)  # "no class" has no slopes
        all_negative = np.add.reduce(tn, axis=-1)
        added = all_negative[..., None, None] + (fn - tn)[..., :, None] + (fp - tn)[..., None, :]
        place = np.arange(tp.shape[-1])
        added[..., place, place] = all_negative[..., None] + tp - tn
        return np.asarray(added)

    def square_within(self, slopes: Array, extra: Pairs | None = None) -> float:
        """Return the same sum of squares, of what each example adds beyond the mean of its true class."""
        times, added = self.table if extra is None else self.table + extra.table, self.influence(slopes)
        squares = self.table if self.squares is None else self.squares
        if extra is not None:
            squares = squares + (extra.table if extra.squares is None else extra.squares)
        return self._variance_within(times, squares, added)

    def _variance_within(self, times: Array, squares: Array, added: Array) -> float:
        """Return the variance of what each example adds beyond the mean of its true class.

        That of estimated shares is added.
        """
        total = times.sum(axis=1, keepdims=True)
        mean = (times * added).sum(axis=1, keepdims=True) / np.where(total > 0, total, 1.0)
        own = float((squares * (added - mean) ** 2).sum())
        return own if self.shares is None else max(own + self.shares.variance(times, added - mean, mean), 0.0)

    def square(self, slopes: Array, extra: Pairs | None = None) -> Any:
        """Return the sum over examples, and a pseudo-example, of the square of what each adds.

        Of several tables, there is one sum for each.
        """
        times = self.table if self.squares is None else self.squares
        if extra is not None:
            times = times + (extra.table if extra.squares is None else extra.squares)
        return np.add.reduce(times * self.influence(slopes) ** 2, axis=(-2, -1))

    @property
    def squared_counts(self) -> Array | None:
        """The counts per class with squared weights, (4, m); None: there are no weights."""
        return None if self.squares is None else counts_of_tables(self.squares)

    @property
    def kinds(self) -> int:
        """How many different pairs of classes were seen."""
        return int(np.count_nonzero(self.table))

    def directions(self, count: int) -> Array:
        """Return some directions in which the table varies."""
        return signed_directions(self.table, self.table if self.squares is None else self.squares, count)

    def all_directions(self) -> Array:
        """Return all directions in which the table varies."""
        return cell_directions(self.table, self.table if self.squares is None else self.squares)

    def variance(self, slopes: Array, extra: Pairs | None = None) -> float:
        """Return the variance of a score by the delta method, from its slopes in every cell.

        ``extra`` is the pseudo-example, if the slopes are those of the table with it.
        """
        own, squares = self.table, self.table if self.squares is None else self.squares
        if extra is not None:
            own, squares = own + extra.table, squares + (extra.table if extra.squares is None else extra.squares)
        added = np.where(own > 0, slopes, 0.0)  # no example is in the others
        if not self.by_class:
            total = own.sum()
            added -= np.vdot(own, added) / (total if total > 0 else 1.0)
            return float(np.vdot(squares, added * added))
        return self._variance_within(own, squares, added)

    def replicate(self, draw: Draw, draws: int, *, stratified: bool = False) -> Iterator[Pairs]:
        """Yield replicates, several tables at a time."""
        rows, columns = np.nonzero(self.table)
        rank = class_order(self.table, self.positive)
        order = np.lexsort((rank[columns], rank[rows]))  # so that draws do not change with the order of the classes
        seen = (rows * len(self.table) + columns)[order]
        times, strata = self.table.ravel()[seen], rank[rows[order]] if stratified or self.by_class else None
        for some in chunk_sizes(draws, self.table.size):
            tables = np.zeros((some, self.table.size))
            tables[:, seen] = draw(times, strata, some)
            yield Pairs(tables.reshape(some, *self.table.shape))

    def posterior(self, rng: np.random.Generator, draws: int) -> Iterator[Pairs]:
        """Yield draws from the posterior, several tables at a time; the prior is one example."""
        yield from (self + self.pseudo()).replicate(posterior_weights(rng, self.n), draws)

    def without_each(self) -> Iterator[tuple[Pairs, Array]]:
        """Yield tables without one example of several distinct pairs, and how often each occurs."""
        seen = np.flatnonzero(self.table)
        for start in range(0, len(seen), max(1, CHUNK // self.table.size)):
            some = seen[start : start + max(1, CHUNK // self.table.size)]
            tables = np.repeat(self.table[None], len(some), axis=0)
            tables.reshape(len(some), -1)[np.arange(len(some)), some] -= 1
            yield Pairs(tables), self.table.ravel()[some]


def _half_right(m: int) -> Pairs:
    """Return one example of m classes, half of it right and half of it wrong, spread over all of them."""
    extra = np.zeros((m + 1, m + 1))
    extra[:m, :m] = HALF / max(m * (m - 1), 1)
    if m < 2:
        extra[:m, m] = HALF
    np.fill_diagonal(extra[:m, :m], HALF / max(m, 1))
    extra.setflags(write=False)
    return Pairs(extra)


_small_half_right = lru_cache(maxsize=8)(_half_right)  # many scores are of the same few classes


@dataclass(frozen=True, eq=False)
class LabelRows:
    """Rows of label matrices, of which counts and second moments are known.

    With weights, both are so scaled that n is the effective number of examples.
    """

    counts: Array  # (4, m)
    n: float
    places: tuple[Array, Array]  # the two entries of (1, tp, fp, fn, rest) of each product
    products: Array
    extra: IndependentEntries  # the pseudo-example
    squared_counts: Array | None = None  # the counts with squared weights; None: there are no weights

    @property
    def weighted(self) -> bool:
        """Whether examples have weights."""
        return self.squared_counts is not None

    @staticmethod
    def of(counts: Array, moments: Products, extra: Array, squares: Array | None = None) -> LabelRows:
        """Return the sample of counts, with or without squared weights, with their second moments.

        ``extra`` is the pseudo-example; with weights it has in each cell the typical weight there.
        """
        typical = typical_weight(moments.weight, moments.squares)
        first, second = moments.pairs
        products = moments.values.astype(np.float64) / typical**2 * np.where(first == second, 1, 2)
        products = np.ldexp(products, moments.unit * ((first > 0).astype(int) + (second > 0)))
        counts, more = counts / typical, IndependentEntries(extra)
        if squares is not None:
            squares = squares / typical**2
            rows = [np.repeat([x[0] + x[2], x[1] + x[3]], 2, axis=0)[[0, 2, 1, 3]] for x in (counts, squares)]
            own = typical_weights(counts, squares, *rows)
            more = IndependentEntries(extra * own, extra * own**2)
        return LabelRows(counts, float(moments.weight) / typical, (first, second), products, more, squares)

    def scale(self, factor: float) -> LabelRows:
        """Return a sample with the same shares and this many times the examples."""
        squares = None if self.squared_counts is None else self.squared_counts * factor
        counts, products = self.counts * factor, self.products * factor
        return replace(self, counts=counts, n=self.n * factor, products=products, squared_counts=squares)

    def square(self, slopes: Array, extra: IndependentEntries | None = None) -> float:
        """Return the sum over rows, and a pseudo-example, of the square of what each adds."""
        tp, fp, fn, tn = slopes
        along = np.concatenate([[tn.sum()], tp - tn, fp - tn, fn - tn, -tn])
        squares = float(self.products @ (along[self.places[0]] * along[self.places[1]]))
        return squares if extra is None else squares + extra.square(slopes)

    def pseudo(self) -> IndependentEntries:
        """Return one more example, half of it right and half of it wrong."""
        return self.extra


def typical_weights(times: Array, squares: Array, of_rows: Array, squares_of_rows: Array) -> Array:
    """Return the typical weight of the examples of each cell: Σw² / Σw.

    A cell without examples has that of the true class, ``of_rows``: weights often belong to classes. A class without examples
    has the weight 1.

    >>> typical_weights(np.array([6.0, 0.0]), np.array([12.0, 0.0]), np.array([6.0, 6.0]), np.array([12.0, 12.0])).tolist()
    [2.0, 2.0]
    """
    rows = np.where(of_rows > 0, squares_of_rows / np.where(of_rows > 0, of_rows, 1.0), 1.0)
    return np.where(times > 0, squares / np.where(times > 0, times, 1.0), rows)


def typical_weight(weight: Any, squares: Any) -> float:
    """Return what sums of weights are divided by, so that they count effective examples: Σw² / Σw.

    Then intervals do not change if all weights are multiplied by a constant, and equal weights change nothing.
    """
    return float(Fraction(squares) / Fraction(weight))


@dataclass(frozen=True, eq=False)
class Clusters:
    """Groups of examples that were sampled together: what each group adds to the counts per class."""

    cells: Array  # (G, 4, m) floats
    extra: Pseudo  # what is added to the sample
    apart: Pairs | IndependentEntries  # the same examples, as if each was sampled alone
    weights: Array | float = 1.0  # how often each group is in the sample: (G,), or (b, G) for b replicates

    @property
    def weighted(self) -> bool:
        """Whether the things that were sampled have weights; clusters have not, whatever is inside."""
        return False

    @property
    def n(self) -> float:
        """The number of clusters."""
        return float(len(self.cells))

    @property
    def counts(self) -> Array:
        """The counts per class, (4, m), or (4, b, m) for several replicates."""
        weights = np.broadcast_to(self.weights, (*np.shape(self.weights)[:-1], len(self.cells)))
        return np.moveaxis(np.tensordot(weights, self.cells, 1), -2, 0)

    def square(self, slopes: Array, extra: Pseudo | None = None) -> Any:
        """Return the sum over clusters, and a pseudo-example, of the square of what each adds.

        With several weights, there is one sum for each.
        """
        added = np.einsum("gjm,j...m->...g", self.cells, slopes)
        squares = (self.weights * added**2).sum(axis=-1)
        return squares if extra is None else squares + extra.square(slopes)

    @property
    def squared_counts(self) -> None:
        """Clusters have no weights."""

    def pseudo(self) -> Pairs | IndependentEntries:
        """Return one more example, half of it right and half of it wrong."""
        return self.extra

    def replicate(self, draw: Draw, draws: int, *, stratified: bool = False) -> Iterator[Clusters]:
        """Yield replicates, several sets of weights at a time."""
        if stratified:
            raise ValueError(NOT_BY_CLASS)
        for some in chunk_sizes(draws, len(self.cells) + 4 * self.cells.shape[-1]):
            yield Clusters(self.cells, self.extra, self.apart, draw(np.ones(len(self.cells)), None, some))

    def posterior(self, rng: np.random.Generator, draws: int) -> Iterator[IndependentEntries]:
        """Yield draws from the posterior, several counts (4, b, m) at a time; the prior is one example."""
        m = self.cells.shape[-1]
        order = np.argsort(np.lexsort(self.cells.reshape(-1, m)))  # draws do not change with the order of the classes
        rank = np.append(order, m)
        for clusters in self.replicate(posterior_weights(rng, self.n), draws):
            some = len(np.asarray(clusters.weights))
            if isinstance(self.extra, IndependentEntries):
                more = rng.standard_gamma(self.extra.counts[:, None], (4, some, m))[..., rank[:-1]]
            else:
                drawn = rng.standard_gamma(self.extra.table, (some, *self.extra.table.shape))
                more = Pairs(drawn[:, rank][:, :, rank]).counts
            yield IndependentEntries(clusters.counts + more)

    def without_each(self) -> Iterator[tuple[IndependentEntries, Array]]:
        """Yield the counts (4, G, m) without each cluster, and how often each occurs: once."""
        yield IndependentEntries(np.moveaxis(self.counts - self.cells, 1, 0)), np.ones(len(self.cells))


@dataclass(frozen=True, eq=False)
class TablesOfClusters:
    """Groups of examples that were sampled together: how often each pair of classes was seen in each."""

    groups: int
    size: int  # m + 1
    owner: Array  # the group of each entry
    slot: Array  # its pair of classes, true * (m + 1) + predicted
    times: Array  # how often the pair was seen in the group

    @property
    def weighted(self) -> bool:
        """Whether the things that were sampled have weights; clusters have not, whatever is inside."""
        return False

    @property
    def n(self) -> float:
        """The number of clusters."""
        return float(self.groups)

    @property
    def kinds(self) -> int:
        """How many clusters there are; they are taken for different."""
        return self.groups

    @cached_property
    def table(self) -> Array:
        """How often each pair of classes was seen."""
        return np.bincount(self.slot, self.times, self.size**2).reshape(self.size, self.size)

    def pseudo(self) -> Pairs:
        """Return one more example, half of it right and half of it wrong."""
        return Pairs(np.zeros((self.size, self.size))).pseudo()

    def added(self, slopes: Array) -> Array:
        """Return what each cluster adds along slopes in every cell."""
        return np.bincount(self.owner, self.times * slopes.ravel()[self.slot], self.groups)

    def variance(self, slopes: Array, extra: Pairs | None = None) -> float:
        """Return the variance of a score from what each cluster adds along its slopes in every cell.

        ``extra`` is the pseudo-example, if the slopes are those of the table with it.
        """
        added = self.added(slopes)
        spread = float(((added - added.mean()) ** 2).sum())
        return spread if extra is None else spread + Pairs(np.zeros_like(self.table)).variance(slopes, extra)

    def directions(self, count: int) -> Array:
        """Return some directions in which the table varies: every cluster is added or taken away."""
        return self._signed(signs_of(count, self.groups))

    def all_directions(self) -> Array:
        """Return all directions in which the table varies."""
        return self._signed(np.eye(self.groups) * self.groups**0.5)

    def _signed(self, signs: Array) -> Array:
        signs = signs - signs.mean(axis=1, keepdims=True)
        return scatter(signs[:, self.owner] * self.times, self.slot, self.size**2).reshape(-1, self.size, self.size)

    def replicate(self, draw: Draw, draws: int, *, stratified: bool = False) -> Iterator[Pairs]:
        """Yield replicates, several tables at a time."""
        if stratified:
            raise ValueError(NOT_BY_CLASS)
        for some in chunk_sizes(draws, self.groups + len(self.times) + self.size**2):
            weights = draw(np.ones(self.groups), None, some)
            tables = scatter(weights[:, self.owner] * self.times, self.slot, self.size**2)
            yield Pairs(tables.reshape(some, self.size, self.size))

    def posterior(self, rng: np.random.Generator, draws: int) -> Iterator[Pairs]:
        """Yield draws from the posterior, several tables at a time; the prior is one example."""
        extra, rank = self.pseudo().table, class_order(self.table)
        for clusters in self.replicate(posterior_weights(rng, self.n), draws):
            yield clusters + Pairs(rng.standard_gamma(extra, clusters.table.shape)[:, rank][:, :, rank])

    def without_each(self) -> Iterator[tuple[Pairs, Array]]:
        """Yield the table without each cluster, and how often it occurs: once."""
        for own in range(self.groups):
            here = self.owner == own
            gone = np.bincount(self.slot[here], self.times[here], self.size**2).reshape(self.table.shape)
            yield Pairs((self.table - gone)[None]), np.ones(1)


def posterior_weights(rng: np.random.Generator, n: float) -> Draw:
    """Return how weights are drawn that sum to n: those of the Bayesian bootstrap."""

    def draw(times: Array, strata: Array | None, some: int) -> Array:
        weights = rng.standard_gamma(times, (some, len(times)))
        for stratum in () if strata is None else np.unique(strata):  # each keeps its number of examples
            own = strata == stratum
            weights[:, own] *= times[own].sum() / weights[:, own].sum(axis=1, keepdims=True)
        return np.asarray(weights * (n / weights.sum(axis=1, keepdims=True)))

    return draw


@dataclass(frozen=True, eq=False)
class IndependentEntries:
    """Entries of a label matrix that are independent of each other: the multilabel pseudo-example."""

    counts: Array  # (4, m)
    squares: Array | None = None  # with squared weights; None: there are no weights

    @property
    def n(self) -> float:
        """The number of examples."""
        return float(self.counts.sum() / max(self.counts.shape[1], 1))

    @property
    def squared_counts(self) -> Array | None:
        """The counts with squared weights, (4, m); None: there are no weights."""
        return self.squares

    def square(self, slopes: Array) -> float:
        """Return the sum over entries of the square of what each adds."""
        return float(((self.counts if self.squares is None else self.squares) * slopes**2).sum())

    def as_unit(self, size: float) -> IndependentEntries:
        """Return the same entries, each with the weight of so many."""
        return IndependentEntries(self.counts * size, (self.counts if self.squares is None else self.squares) * size**2)

    @staticmethod
    def pseudo(m: int) -> IndependentEntries:
        """Return half an entry of each kind, spread over all classes."""
        return IndependentEntries(np.full((4, m), HALF / max(m, 1)))


Sample = Pairs | LabelRows | Clusters
Pseudo = Pairs | IndependentEntries  # a pseudo-example


def chunk_sizes(draws: int, numbers: int) -> Iterator[int]:
    """Yield how many replicates are made at a time, if each needs this many numbers."""
    step = max(1, CHUNK // max(numbers, 1))
    yield from (min(step, draws - start) for start in range(0, draws, step))


def counts_of_tables(tables: Array) -> Array:
    """Return tp, fp, fn, tn per class of tables of pairs (…, m + 1, m + 1), as an array (4, …, m)."""
    return np.asarray(class_counts(tables), np.float64)


def scatter(weights: Array, cell: Array, size: int) -> Array:
    """Return the sums of weights (b, entries) over the entries with the same cell, (b, size)."""
    out = np.zeros((len(weights), size))
    if len(cell):
        order = np.argsort(cell, kind="stable")
        here = cell[order]
        first = np.flatnonzero(np.append(True, here[1:] != here[:-1]))
        out[:, here[first]] = np.add.reduceat(weights[:, order], first, axis=1)
    return out
