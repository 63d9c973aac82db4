"""What coefficients read of ratings: sums over items, exactly; and what each item adds to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from .ratings import Ratings, counts_of_classes

STEP = 2.0**-13  # of a sum, up and down: a power of two, so that the sums stay exact


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
        worth = np.array([float(self._worth(size)) if size > 1 else 0.0 for size in range(codes.shape[1] + 1)])
        return np.asarray(total * worth[sizes])


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


@dataclass(frozen=True)
class FunctionOfSums:
    """A number that is computed from sums over items."""

    function: Callable[..., Any]
    sums: tuple[TableOfTwo | TableOfPairs | ClassesOfRaters, ...]

    def value(self, ratings: Ratings) -> Any:
        """Return the number, exactly."""
        return self.function(*(read.total(ratings) for read in self.sums))

    def effects(self, ratings: Ratings) -> Array:
        """Return how the number moves with the weight of each item: the linearised variance of Gwet has them.

        The number has a slope for each entry of its sums, and every item adds to some entries. So the work grows with the number
        of classes, and hardly with the number of items.
        """
        totals = [read.total(ratings).astype(np.float64) for read in self.sums]
        slopes = [np.zeros_like(total) for total in totals]
        for total, slope in zip(totals, slopes, strict=True):
            for at in map(tuple, np.argwhere(total != 0)):  # no item adds to the others
                was, ends = total[at], []
                for step in (STEP, -STEP):
                    total[at] = was * (1 + step)
                    ends.append(float(self.function(*totals)))
                total[at], slope[at] = was, (ends[0] - ends[1]) / (2 * STEP * was)
        effects = sum(read.of_items(ratings, slope) for read, slope in zip(self.sums, slopes, strict=True))
        return np.asarray(effects if ratings.weights is None else effects * ratings.weights)
