"""The score interval of a function that bends: at the ends of its range some variance is left.

Wilson's interval takes the variance of a score for the one of a proportion, which is 0 at both ends. Mutual information of a
table near independence is 0, too, but not certain: what its curvature adds to the variance is there at every value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ..stats.proportions import Ends
from ..stats.quantiles import normal, student
from .score_interval import Centre

NOTHING = Centre(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class CurvedCentre(Centre):
    """What the score interval of a function is made of; the spread includes what its curvature adds."""

    bent: float = 0.0  # the part of the spread that does not change with the value

    def ends(self, span: Ends, level: float) -> Ends:
        """Return the values from which the score is not too many of their standard deviations away.

        The other part of the spread grows with the distance from the ends of ``span``, as that of a proportion does; if only one
        of them is finite, with the distance from it.
        """
        (low, high), value = span, min(max(self.value, span[0]), span[1])
        quantile = student(level, self.freedom) if math.isfinite(self.freedom) else normal(level)
        room = (self.smoothed - low if math.isfinite(low) else 1.0) * (high - self.smoothed if math.isfinite(high) else 1.0)
        unit = quantile**2 * (self.spread - self.bent) / room if room > 0 else 0.0
        # (value - x)² = unit (x - low) (high - x) + quantile² bent, without the brackets that have an infinite end
        square, linear, constant = 1.0, -2 * value, value**2 - quantile**2 * self.bent
        if math.isfinite(low) and math.isfinite(high):
            square, linear, constant = square + unit, linear - unit * (low + high), constant + unit * low * high
        elif math.isfinite(low):
            linear, constant = linear - unit, constant + unit * low
        elif math.isfinite(high):
            linear, constant = linear + unit, constant - unit * high
        else:
            constant -= unit
        half = math.sqrt(max(linear**2 - 4 * square * constant, 0.0))
        return (-linear - half) / (2 * square), (-linear + half) / (2 * square)


@dataclass(frozen=True)
class CentreThrough(Centre):
    """The centre of a score that grows with another one: the interval of the other gives the ends."""

    other: Centre = NOTHING
    other_span: Ends = (0.0, 1.0)
    grows: Callable[[float], float] = float

    def ends(self, span: Ends, level: float) -> Ends:
        """Return the ends of the interval of the other, turned into the score."""
        low, high = self.other.ends(self.other_span, level)
        return self.grows(max(low, self.other_span[0])), self.grows(min(high, self.other_span[1]))
