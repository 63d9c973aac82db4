"""Draws of a difference: its interval at any level, and how often it lies beyond a bound.

Where fewer than ten draws lie beyond, they say nothing about how far the tail reaches. It is then taken for the tail of a normal
distribution on that side, which is as wide as the draws say at 95%.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ..stats.proportions import Ends
from ..stats.quantiles import normal

FEW_DRAWS = 10  # beyond a bound: with fewer, the tail is approximated
USUAL = 0.95  # the level at which the draws say how wide each side is


@dataclass(frozen=True, eq=False)
class Draws:
    """The known ones of some draws, in rising order."""

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
