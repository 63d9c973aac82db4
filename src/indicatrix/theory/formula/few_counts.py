"""A few count vectors on which every formula is tried first."""

from __future__ import annotations

from typing import Any

CountVector = tuple[Any, ...]  # tp, fp, fn, tn in any numbers; the vectors of linear_fractional are fractions

# Generic count vectors of very different totals and skews, then ones with empty cells; only few, because some formulas are slow.
GENERIC: tuple[CountVector, ...] = (
    (3, 2, 5, 11),
    (41, 7, 2, 19),
    (1, 6, 3, 1),
    (2, 1, 1, 2),
    (5, 3, 17, 4),
    (640, 77, 59, 5),
    (23, 29, 31, 37),
    (5049, 4122, 9928, 13477),
)
SPARSE: tuple[CountVector, ...] = (
    (0, 3, 4, 9),
    (6, 0, 2, 5),
    (4, 3, 0, 8),
    (7, 5, 3, 0),
    (4, 0, 0, 7),
    (0, 5, 2, 0),
)
