"""A difference as chance would have it: draws of it, and every way to swap whole groups."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from statistics import NormalDist
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ..stats.proportions import Ends
from ..stats.quantiles import normal

LISTED = 12  # examples or groups that differ, of which every way to swap them is listed

Scores = Callable[[Array], Array]  # of several tables or counts
FEW_DRAWS = 10  # beyond a bound: with fewer, the tail is approximated
USUAL = 0.95  # the level at which the draws say how wide each side is


@dataclass(frozen=True, eq=False)
class SwappedGroups:
    """The counts of two classifiers, and what swapping each group where they differ moves.

    If the two do not differ, each group is as likely to come from the one as from the other. Every way to swap is listed, and
    the scores are computed anew, so that nothing is taken for normal: the test of any score is exact.
    """

    totals: tuple[Array, Array]
    apart: int  # groups where they differ
    moves: Array  # the counts of the second less those of the first, of each of these groups; none if there are too many
    scores: tuple[Scores, Scores]

    def is_listed(self, value: float) -> bool:
        """Return whether every way to swap can be listed.

        Few groups differ, and the counts give the difference itself.

        Sums of weights, which are scaled, do not give the difference of totals.
        """
        return self.apart <= LISTED and math.isclose(float(self._differences(self.moves[:0].sum(0))[0]), value, abs_tol=1e-9)

    def _differences(self, moved: Array) -> Array:
        tables = moved.reshape(-1, *self.totals[0].shape)
        with quiet():
            return np.asarray(self.scores[0](self.totals[0] + tables) - self.scores[1](self.totals[1] - tables))

    def swap(self) -> tuple[Array, Array]:
        """Return the differences for each way to swap, and how likely each is."""
        ways = np.array([*product((0.0, 1.0), repeat=self.apart)]).reshape(2**self.apart, -1)
        found = self._differences(np.tensordot(ways, self.moves, 1))
        return found, np.full(len(found), 1 / len(found))


def swapped_groups(
    keys: tuple[Array, Array], times: tuple[Array, Array], shape: tuple[int, ...], scores: tuple[Scores, Scores]
) -> SwappedGroups:
    """Return the groups to swap from the counts of both.

    A key is the number of a group times the cells of one, plus its cell.
    """
    cells = math.prod(shape)
    totals = [np.bincount(key % cells, often, cells).reshape(shape) for key, often in zip(keys, times, strict=True)]
    places, where = np.unique(np.concatenate(keys), return_inverse=True)
    change = np.bincount(where.ravel(), np.concatenate([-times[0], times[1]]), len(places))
    differ = np.abs(change) > 1e-12
    groups, row = np.unique(places[differ] // cells, return_inverse=True)
    moves = np.zeros((len(groups) if len(groups) <= LISTED else 0, cells))
    if len(moves):
        moves[row.ravel(), places[differ] % cells] = change[differ]
    return SwappedGroups((totals[0], totals[1]), len(groups), moves.reshape(-1, *shape), scores)


@dataclass(frozen=True, eq=False)
class Draws:
    """The known ones of some draws, in rising order.

    Where fewer than ten draws lie beyond a bound, they say nothing about how far the tail reaches. It is then taken for the tail
    of a normal distribution on that side, which is as wide as the draws say at 95%.
    """

    known: Array

    @staticmethod
    def of(drawn: Any) -> Draws:
        """Return the draws that are numbers."""
        given = np.asarray(drawn, np.float64)
        return Draws(np.sort(given[np.isfinite(given)]))

    @property
    def count(self) -> int:
        """How many draws are numbers."""
        return len(self.known)

    @property
    def variance(self) -> float:
        """The variance of the draws."""
        return float(self.known.var())

    @cached_property
    def _shape(self) -> tuple[float, float, float]:
        """The middle, and the standard deviation of each side."""
        low, middle, high = np.quantile(self.known, ((1 - USUAL) / 2, 0.5, (1 + USUAL) / 2))
        return float(middle), float(middle - low) / normal(USUAL), float(high - middle) / normal(USUAL)

    def ends(self, level: float) -> Ends:
        """Return the interval that holds this share of the draws, with as much beyond it on each side."""
        beyond = (1 - level) / 2
        if beyond * self.count >= FEW_DRAWS:
            low, high = np.quantile(self.known, (beyond, 1 - beyond))
            return float(low), float(high)
        middle, down, up = self._shape
        return middle - normal(level) * down, middle + normal(level) * up

    def below(self, bound: float, *, ties: float = 1.0) -> float:
        """Return the chance of a draw below a bound; of equal ones the share ``ties`` counts."""
        under, upto = (int(np.searchsorted(self.known, bound, side)) for side in ("left", "right"))
        if min(upto, self.count - under) >= FEW_DRAWS:
            return (under + ties * (upto - under)) / self.count
        middle, down, up = self._shape
        width = down if bound < middle else up
        if not width > 0:  # all draws are alike, which is not certain either
            return max((under + ties * (upto - under)) / self.count, 1 / (self.count + 1))
        return NormalDist().cdf((bound - middle) / width)

    def above(self, bound: float, *, ties: float = 1.0) -> float:
        """Return the chance of a draw at or above a bound."""
        return Draws(-self.known[::-1]).below(-bound, ties=ties) if self.count else math.nan
