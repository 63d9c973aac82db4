"""A confusion matrix as shares: of each true class, of each predicted class, or of all examples."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra.arrays import Array, as_weight
from ..algebra.numbers.functions import ratio
from ..algebra.score import Undefined, UndefinedError, check_undefined

AXES = {"true": 1, "pred": 0, "all": None}  # what is summed


def normalize_confusion(table: Array, how: Any, undefined: Undefined) -> Array:
    """Return a confusion matrix divided by its row sums, its column sums or its total.

    >>> normalize_confusion(np.array([[3, 1], [0, 0]]), "true", "nan").tolist()
    [[0.75, 0.25], [nan, nan]]
    """
    if how not in AXES:
        raise ValueError(
            f"normalize={how!r} is unknown. Use 'true' (shares of each true class), 'pred' (shares of each predicted class), "
            "'all' (shares of all examples) or None (counts)."
        )
    check_undefined(undefined)
    counts = as_weight(table)
    shares = np.asarray(ratio(counts, counts.sum(axis=AXES[how], keepdims=True)))
    lost = np.isnan(shares)
    if undefined == "raise" and lost.any():
        raise UndefinedError(f"normalize={how!r} divides by the sum of a class that has no examples, which is 0.")
    return shares if isinstance(undefined, str) else np.where(lost, undefined, shares)
