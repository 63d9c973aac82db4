"""How far the points of a curve are sure: a band of pointwise intervals of shares.

A true positive rate is a share of the positives, a false positive rate of the negatives, a precision of the examples that are
predicted positive. Each has Wilson's interval at its threshold. The two rates of a ROC curve are shares of different examples,
so they are independent, and intervals of the level √0.95 hold for both together in 95% of samples. The band is pointwise: it says
where the point of one threshold lies, not where the whole curve does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...algebra.arrays import Array
from ...algebra.wilson import check_level, wilson_of_each


@dataclass(frozen=True)
class Shares:
    """How many examples the coordinates of a curve are shares of: a number, or one for each point.

    None: a coordinate has no interval here.
    """

    x: Any
    y: Any


@dataclass(frozen=True, eq=False)
class Band:
    """The ends of the intervals of each point of a curve.

    Attributes
    ----------
    x_low, x_high : array
        Between which values x is expected to lie; x itself where only y has intervals.
    y_low, y_high : array
        Between which values y is expected to lie.
    level : float
        In which share of samples the intervals of a point are to hold, those of x and y together.
    says : str
        What the band is, in words.

    Examples
    --------
    >>> import indicatrix as ix
    >>> band = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).pr().band()
    >>> band.y_low.round(2).tolist(), band.says
    ([nan, 0.21, 0.09, 0.21, 0.15], '95% of precision at each threshold (Wilson)')
    """

    x_low: Array
    x_high: Array
    y_low: Array
    y_high: Array
    level: float
    says: str


WORDS: Mapping[str, str] = {"roc": "both rates", "pr": "precision"}


def band_of(name: str, x: Array, y: Array, of: Shares, level: float) -> Band:
    """Return the band of a curve whose coordinates are shares."""
    check_level(level)
    says = f"{100 * level:.4g}% of {WORDS[name]} at each threshold (Wilson)"
    if of.x is None:
        return Band(x, x, *wilson_of_each(y, of.y, level), level, says)
    each = math.sqrt(level)  # two independent intervals that hold together
    return Band(*wilson_of_each(x, of.x, each), *wilson_of_each(y, of.y, each), level, says)
