"""What coefficients read of ratings: sums over items, exactly; and what each item adds to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.numbers.gradient import gradient
from ..estimators.lowest_at_margins import lowest_of
from ..sampling.directions import signs_of
from ..sampling.samples import HALF
from .ratings import Ratings, counts_of_classes

STEP = 2.0**-16  # along a direction in which the sums vary by about their standard deviation
DIRECTIONS = 8  # along which the change of slopes is seen


def pseudo_item(m: int) -> Array:
    """Return how much of one more item has each pair of classes: half of it agrees, half of it disagrees."""
    shares = np.full((m, m), HALF / max(m * (m - 1), 1))
    np.fill_diagonal(shares, HALF / max(m, 1))
    return shares


@dataclass(frozen=True)
class TableOfTwo:
    """How often two raters gave each pair of classes, over the items that both rated."""

    one: int
    other: int

    def total(self, ratings: Ratings) -> Array:
        """Return the table, exactly."""
        return ratings.table(self.one, self.other)

    def of_items(self, ratings: Ratings, slopes: Array) -> Array:
        """Return what each item adds to the table, each entry times its slope."""
        a, b = ratings.codes[:, self.one], ratings.codes[:, self.other]
        return np.where((a >= 0) & (b >= 0), slopes[a, b], 0.0)

    def weighted(self, ratings: Ratings, weights: Array) -> Array:
        """Return the table of items with these weights."""
        m, a, b = len(ratings.classes), ratings.codes[:, self.one], ratings.codes[:, self.other]
        both = (a >= 0) & (b >= 0)
        return np.bincount(a[both] * m + b[both], weights[both], m * m).reshape(m, m)

    def of_pseudo(self, ratings: Ratings, slopes: Array) -> Array:
        """Return what one more item with each pair of classes adds, each entry times its slope."""
        return slopes

    def pseudo(self, ratings: Ratings) -> Array:
        """Return what the pseudo-item adds."""
        return pseudo_item(len(ratings.classes))


@dataclass(frozen=True)
class TableOfPairs:
    """All pairs of ratings of an item, in both orders: each item sums to 1, or to half its ratings."""

    by_size: bool  # whether items count by the number of their ratings

    def _worth(self, size: int) -> Fraction:
        """Return what a pair of ratings counts in an item with this many ratings."""
        return Fraction(1, 2 * (size - 1)) if self.by_size else Fraction(1, size * (size - 1))

    def total(self, ratings: Ratings) -> Array:
        """Return the symmetric table, as Fractions."""
        m = len(ratings.classes)
        table = np.full((m, m), Fraction(0), object)
        for codes, times, unit in ratings.by_weight():
            sizes, counts = (codes >= 0).sum(axis=1), counts_of_classes(codes, m)
            for size in np.unique(sizes[sizes > 1]).tolist():
                some, often = counts[sizes == size], times[sizes == size]
                pairs = some.T @ (some * often[:, None]) - np.diag(often @ some)
                table = table + pairs * (unit * self._worth(size))
        return table

    def of_items(self, ratings: Ratings, slopes: Array) -> Array:
        """Return what each item adds to the table, each entry times its slope."""
        codes, sizes = ratings.codes, (ratings.codes >= 0).sum(axis=1)
        total = np.zeros(len(codes))
        for one, other in combinations(range(codes.shape[1]), 2):
            total += TableOfTwo(one, other).of_items(ratings, slopes + slopes.T)
        return np.asarray(total * self._worths(codes.shape[1])[sizes])

    def _worths(self, most: int) -> Array:
        return np.array([float(self._worth(size)) if size > 1 else 0.0 for size in range(most + 1)])

    def weighted(self, ratings: Ratings, weights: Array) -> Array:
        """Return the table of items with these weights."""
        counts = counts_of_classes(ratings.codes, len(ratings.classes))
        often = counts * (weights * self._worths(ratings.codes.shape[1])[counts.sum(axis=1)])[:, None]
        return np.asarray(counts.T @ often - np.diag(often.sum(axis=0)))

    def _size(self, ratings: Ratings) -> float:
        """Return what an item adds to the table in the mean."""
        return float((ratings.codes >= 0).sum(axis=1).mean() / 2) if self.by_size else 1.0

    def of_pseudo(self, ratings: Ratings, slopes: Array) -> Array:
        """Return what one more item with each pair of classes adds, each entry times its slope."""
        return (slopes + slopes.T) / 2 * self._size(ratings)

    def pseudo(self, ratings: Ratings) -> Array:
        """Return what the pseudo-item adds."""
        return pseudo_item(len(ratings.classes)) * self._size(ratings)


@dataclass(frozen=True)
class ClassesOfRaters:
    """How often each rater gave each class."""

    def total(self, ratings: Ratings) -> Array:
        """Return one row for each rater, exactly."""
        total = np.full((len(ratings.raters), len(ratings.classes)), Fraction(0), object)
        for codes, times, unit in ratings.by_weight():
            often = [times @ (codes == k) for k in range(len(ratings.classes))]
            total = total + np.reshape(often, total.shape[::-1]).T.astype(object) * unit
        return total

    def of_items(self, ratings: Ratings, slopes: Array) -> Array:
        """Return what each item adds, each entry times its slope."""
        codes = ratings.codes
        return np.asarray(np.where(codes >= 0, slopes[np.arange(codes.shape[1]), codes], 0.0).sum(axis=1))

    def weighted(self, ratings: Ratings, weights: Array) -> Array:
        """Return one row for each rater, of items with these weights."""
        classes = range(len(ratings.classes))
        return np.stack([weights @ (ratings.codes == k) for k in classes], axis=1) if classes else self.pseudo(ratings)

    def of_pseudo(self, ratings: Ratings, slopes: Array) -> Array:
        """Return what one more item with each pair of classes adds: half of the raters give either class."""
        both = slopes.sum(axis=0) / 2
        return np.asarray(both[:, None] + both)

    def pseudo(self, ratings: Ratings) -> Array:
        """Return what the pseudo-item adds."""
        m = len(ratings.classes)
        return np.full((len(ratings.raters), m), 1 / max(m, 1))


@dataclass(frozen=True)
class Nearby:
    """A number around the sums with a pseudo-item: what items and its curvature add."""

    smoothed: float  # the number with the pseudo-item
    effects: Array  # of each item
    pseudo_effects: Array  # of one more item, for each pair of classes
    bias: float  # of second order
    bent: Array  # changes of the effects along directions in which the sums vary, (directions, items)


@dataclass(frozen=True)
class FunctionOfSums:
    """A number that is computed from sums over items."""

    function: Callable[..., Any]
    sums: tuple[TableOfTwo | TableOfPairs | ClassesOfRaters, ...]

    def value(self, ratings: Ratings) -> Any:
        """Return the number, exactly."""
        return self.function(*(read.total(ratings) for read in self.sums))

    def effects(self, ratings: Ratings) -> Array:
        """Return how the number moves with the weight of each item: the linearized variance of Gwet has them.

        The number has a slope for each entry of its sums, and every item adds to some entries. So the work grows with the number
        of classes, and hardly with the number of items.
        """
        totals = [read.total(ratings).astype(np.float64) for read in self.sums]
        return self._of_items(ratings, self._slopes(totals)[1])

    def _with_pseudo(self, ratings: Ratings) -> tuple[list[Array], Array]:
        """Return the sums with a pseudo-item, and the weights of the items."""
        weights = np.ones(len(ratings.codes)) if ratings.weights is None else ratings.weights
        unit = float(weights.mean())
        return [read.total(ratings).astype(np.float64) + unit * read.pseudo(ratings) for read in self.sums], weights

    def span(self, ratings: Ratings, span: tuple[float, float]) -> tuple[float, float]:
        """Return the range, from the number for ratings that agree as little as they can.

        Classes stay as frequent as they are, and all raters give them equally often.
        """
        (pairs, *others), _ = self._with_pseudo(ratings)

        def function(table: Array) -> float:
            return float(self.function(table, *(np.tile(table.sum(axis=1), (len(x), 1)) for x in others)))

        return lowest_of(function, pairs, span, lambda: float(self.value(ratings)))

    def nearby(self, ratings: Ratings) -> Nearby:
        """Return the number with a pseudo-item, what each item adds there, and what the curvature adds."""
        totals, weights = self._with_pseudo(ratings)
        unit, m = float(weights.mean()), len(ratings.classes)
        smoothed, slopes = self._slopes(totals)
        extra = sum((read.of_pseudo(ratings, own) for read, own in zip(self.sums, slopes, strict=True)), np.zeros((m, m)))
        bias, bent = 0.0, []
        for signs in signs_of(DIRECTIONS, len(weights)):
            moved = weights * (signs - signs.mean())
            along = [read.weighted(ratings, moved) for read in self.sums]
            _, there = self._slopes([total + STEP * step for total, step in zip(totals, along, strict=True)])
            change = [(b - a) / STEP for a, b in zip(slopes, there, strict=True)]
            bias += sum(float((a * b).sum()) for a, b in zip(along, change, strict=True)) / (2 * DIRECTIONS)
            bent.append(self._of_items(ratings, change))
        return Nearby(smoothed, self._of_items(ratings, slopes), extra * unit, bias, np.array(bent))

    def _slopes(self, totals: list[Array]) -> tuple[float, list[Array]]:
        """Return the number and its slopes in every entry of its sums."""
        ends = np.cumsum([total.size for total in totals])[:-1]

        def of_row(row: Any) -> Any:
            starts = [0, *ends.tolist(), row.size]
            parts = [row[a:b].reshape(total.shape) for a, b, total in zip(starts, starts[1:], totals, strict=False)]
            return self.function(*parts)

        found = gradient(of_row, np.concatenate([total.ravel() for total in totals]))
        return found.value, [x.reshape(total.shape) for x, total in zip(np.split(found.cells, ends), totals, strict=True)]

    def _of_items(self, ratings: Ratings, slopes: list[Array]) -> Array:
        """Return what each item adds along slopes."""
        added = sum(
            (read.of_items(ratings, own) for read, own in zip(self.sums, slopes, strict=True)), np.zeros(len(ratings.codes))
        )
        return np.asarray(added if ratings.weights is None else added * ratings.weights)
