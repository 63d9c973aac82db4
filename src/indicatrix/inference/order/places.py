"""The order in which scores put classifiers: ranks in which rounding makes no difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from ...algebra.arrays import Array

ROUNDING, TINY = 1e-12, 1e-15  # values that differ by less, as a share of the larger one or at all, are equal


def places(values: Sequence[Any], better: str = "higher") -> Array:
    """Return places of values, the worst 0; equal values share one, and nan stays nan.

    >>> places([0.5, 0.9, None, 0.5]).tolist(), places([0.1 + 0.2, 0.3, 1], "lower").tolist()
    ([0.0, 1.0, nan, 0.0], [1.0, 1.0, 0.0])
    """
    sign = -1.0 if better == "lower" else 1.0
    signed = [math.nan if v is None else sign * float(v) for v in values]
    out = np.full(len(signed), np.nan)
    place, before = -1, math.nan
    for i in sorted((i for i, v in enumerate(signed) if not math.isnan(v)), key=signed.__getitem__):
        v = signed[i]
        if not math.isclose(v, before, rel_tol=ROUNDING, abs_tol=TINY):
            place += 1
        out[i], before = place, v
    return out


def reversed_pairs(one: Array, other: Array) -> list[tuple[int, int]]:
    """Return the pairs (a, b) of classifiers: ``one`` ranks a higher, ``other`` ranks b higher.

    >>> import numpy as np
    >>> reversed_pairs(np.array([0.0, 1, 2]), np.array([1.0, 0, 2]))
    [(1, 0)]
    """
    found = []
    for a, b in combinations(range(len(one)), 2):
        if (one[a] - one[b]) * (other[a] - other[b]) < 0:
            found.append((a, b) if one[a] > one[b] else (b, a))
    return found
