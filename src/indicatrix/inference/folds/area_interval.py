"""The interval of an area over folds, from the spread of its values in the folds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.spelling import did_you_mean
from ..intervals.interval import Interval
from .mean import FoldMean

METHODS = ("corrected_t", "t")  # an area is not a mean over examples, so 'cv_clt' has nothing to count


def interval_of_area(score: Any, test_share: float, level: float, method: str | None) -> Interval:
    """Return the mean of the values of folds with its interval; ``score`` is their average."""
    chosen = method or METHODS[0]
    if chosen not in METHODS:
        hint = did_you_mean(str(chosen), METHODS)
        why = "needs a mean over examples, which an area is not" if chosen == "cv_clt" else "is unknown"
        raise ValueError(f"method={method!r} {why}. {hint + ' ' if hint else ''}Choose from {', '.join(METHODS)}.")
    values = np.asarray(score.values, np.float64)
    found = FoldMean.of(values[np.isfinite(values)], test_share if chosen == "corrected_t" else 0.0)
    start, end = found.ends(level)
    low, high = score.measure.range
    note = f"Mean of {found.count} folds, each tested on {test_share:.3g} of the data."
    if found.count < len(values):
        note += f" In {len(values) - found.count} of {len(values)} folds it is undefined, and these are left out."
    if not math.isfinite(start):
        note += " The folds do not differ, so their spread says nothing."
    ends = max(start, float(low)), min(end, float(high))  # an end that is nan stands first, so that it stays nan
    return Interval(found.mean, *ends, level, chosen, note, score.measure, score.average, score.undefined)
