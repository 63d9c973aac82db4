"""A grid of thresholds: areas that look at scores only where they reach some given thresholds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...ranking.ranked import Ranked
from ...words.limits import check_at_most

MOST = 1_000_000


def check_thresholds(thresholds: Any) -> None:
    """Refuse what is not a grid: None, a whole number of at least 2, or a list of numbers."""
    if thresholds is None:
        return
    if isinstance(thresholds, int) and not isinstance(thresholds, bool) and thresholds >= 2:
        check_at_most("thresholds", thresholds, MOST, "Without thresholds= every score is a threshold, and the area is exact.")
        return
    numbers = isinstance(thresholds, list | tuple) and all(
        isinstance(t, int | float) and not isinstance(t, bool) and t == t for t in thresholds
    )
    if not numbers or not thresholds:
        raise ValueError(
            f"thresholds={thresholds!r} is not a grid. Give a whole number of at least 2, for this many thresholds from 0 to 1, "
            "or a list of numbers; an array as thresholds.tolist()."
        )


def steps_at(steps: Any, thresholds: Any) -> tuple[Array, Array]:
    """Return the true and false positives of steps at each threshold of a grid, the highest first.

    >>> import indicatrix as ix
    >>> [x.tolist() for x in steps_at(ix.sweep([0, 1, 1], [0.2, 0.5, 0.7]).of(), 3)]
    [[0, 2, 2], [0, 0, 1]]
    """
    even = isinstance(thresholds, int)
    grid = np.arange(thresholds) / (thresholds - 1) if even else np.array(sorted(thresholds), np.float64)  # 0.3 is 3/10
    grid = grid[::-1]
    if isinstance(steps, Ranked):
        at = steps.count_reaching(grid)
        return steps.tp[at], steps.fp[at]
    # The first step, +inf, reaches every threshold, so that the last one that does is one less than their number.
    reached = np.stack([(steps.thresholds >= t).sum(axis=-1) for t in grid.astype(steps.thresholds.dtype)], axis=-1) - 1
    return np.take_along_axis(steps.tp, reached, axis=-1), np.take_along_axis(steps.fp, reached, axis=-1)
