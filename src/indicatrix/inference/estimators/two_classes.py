"""Functions of the matrix of two classes: which measure of counts is the same number there.

One number has one interval, whether it is called Cohen's kappa or the multiclass kappa of two classes.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from ...algebra.measure import MEASURES, Measure
from ..sampling.score_function import is_smooth

TABLES = (
    ((32, 4), (7, 10)),
    ((8, 32), (34, 23)),
    ((2, 4), (13, 17)),
    ((25, 19), (11, 7)),
    ((27, 29), (2, 5)),
)  # without any regularity
NEAR = 1e-12


def measure_of_two_classes(measure: Measure) -> Measure | None:
    """Return a smooth measure of counts that equals a function of the matrix of two classes, or None.

    The second class is the positive one. Fractions at tables without any regularity decide it.

    >>> import indicatrix as ix
    >>> print(measure_of_two_classes(ix.multiclass_kappa), measure_of_two_classes(ix.measures.mutual_information))
    cohen_kappa None
    """
    return _equal_measure(measure, measure.params.get("values"))


@lru_cache(maxsize=256)
def _equal_measure(measure: Measure, numbers: Any) -> Measure | None:
    wanted = [_value(measure, np.array(table, dtype=object)) for table in TABLES]
    if not all(map(math.isfinite, wanted)):
        return None
    for name, other in MEASURES.items():
        if name == other.name and all(_is_equal(other, table, x) for table, x in zip(TABLES, wanted, strict=True)):
            return other if is_smooth(other) and np.isfinite(other.range).all() else None
    return None


def _is_equal(other: Measure, table: Any, wanted: float) -> bool:
    (tn, fp), (fn, tp) = ([Fraction(x) for x in row] for row in table)
    return math.isclose(_value(other.function, tp, fp, fn, tn), wanted, rel_tol=NEAR, abs_tol=NEAR)


def _value(function: Any, *args: Any) -> float:
    try:
        return float(function(*args))
    except (TypeError, ValueError, ArithmeticError, AttributeError):
        return math.nan
