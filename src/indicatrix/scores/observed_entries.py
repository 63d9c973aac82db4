"""What was observed: scores and probabilities are read only there (eq:masked_agg).

Elsewhere they may be missing.
"""

from __future__ import annotations

import numpy as np

from ..algebra.arrays import Array
from ..encode.pairs import Pair
from ..encode.plain_forms import Table


def seen_in(pair: Pair, mask: Array | None) -> Array | None:
    """Return which entries (n, m) or examples (n, 1) have a label and are not masked; None: all."""
    seen = mask
    for more in (None if pair.rows is None else pair.rows[:, None], pair.cells):
        seen = more if seen is None else seen if more is None else seen & more
    return seen


def observed_numbers(table: Table, argument: str, seen: Array | None) -> Array:
    """Return the numbers of a table, 0 in place of what was not observed; elsewhere NaN is an error.

    >>> observed_numbers(Table(np.array([[0.5, np.nan]])), "scores", np.array([[True, False]])).tolist()
    [[0.5, 0.0]]
    """
    values = table.values
    if values.dtype.kind != "f" or not values.size:
        return values
    if seen is not None:
        values = np.where(seen, values, values.dtype.type(0))
    if np.isnan(values.max()):
        i, j = map(int, np.unravel_index(int(np.isnan(values).argmax()), values.shape))
        raise ValueError(f"{argument}[{i}, {j}] is NaN: every example and class needs a number. Fill it, or drop the row.")
    return values
