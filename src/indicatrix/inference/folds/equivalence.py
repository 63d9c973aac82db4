"""The region of practical equivalence, where it is not given: it must fit the scale of the score."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.measure import Measure
from ...algebra.totals import is_total, per_example

ROPE = 0.01  # of scores that lie between 0 and 1, or between -1 and 1
WIDEST = 2.0  # range of such scores


def usual_rope(score: str, measure: Any, values: Array) -> tuple[float, str]:
    """Return the usual region of practical equivalence, and why there is none.

    A hundredth is small for a share; for a cost, or another score without bounds, it says nothing.

    >>> import indicatrix as ix, numpy as np
    >>> usual_rope("f1", ix.f1, np.zeros(3)), usual_rope("cost", ix.measure("5*fn + fp"), np.zeros(3))[0]
    ((0.01, ''), 0.0)
    """
    if measure is None:
        known = values[np.isfinite(values)]
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
        fits = low >= -1 and high <= 1
    else:
        low, high = map(float, measure.range)
        fits = high - low <= WIDEST
    if fits:
        return ROPE, ""
    what = "has no bounds" if not math.isfinite(high - low) else f"lies between {low:g} and {high:g}"
    return 0.0, f"No region of practical equivalence: {score} {what}, so say with rope= which difference does not matter."


def note_on_totals(measure: Any, sizes: Any) -> str:
    """Return what the values of folds are, where they are totals; "" where they are not.

    >>> import indicatrix as ix
    >>> note_on_totals(ix.measure("5*fn + fp"), [60, 60]), note_on_totals(ix.f1, [60, 60])
    ("5 * fn + fp is a total: the values are of folds of 60 examples; '(5 * fn + fp) / n' is that of one example.", '')
    """
    if measure is None or not is_total(measure):
        return ""
    few, many = min(sizes), max(sizes)
    examples = f"{few:,}" if few == many else f"{few:,} to {many:,}"
    instead = (
        f"; {per_example(measure)!r} is that of one example" if isinstance(measure, Measure) and measure.reads.formula else ""
    )
    return f"{measure} is a total: the values are of folds of {examples} examples{instead}."
