"""Association of true and predicted classes, by chi-squared: how far a table is from independence.

A class that is never true, or never predicted, takes no part. None of them asks whether the classes agree.
"""

from __future__ import annotations

import math
from typing import Any

from ...algebra.functions import ratio, sqrt
from ..matrix_measure import matrix_measure
from .cells import deviations, occurring, total
from .tails import chi_squared_tail

GROUP = "matrix association"


@matrix_measure(range=(0, math.inf), source="pearson1900b", group=GROUP, better="neither", symmetric=True)
def multiclass_chi_squared(confusion: Any) -> Any:
    """Squared deviations from the counts expected under independence, divided by these (Pearson)."""
    return _phi_squared(confusion) * confusion.sum()


@matrix_measure(
    range=(0, math.inf), source="fisher1922", group=GROUP, better="neither", symmetric=True, aliases=("chi_squared_df",)
)
def chi_squared_degrees(confusion: Any) -> Any:
    """Degrees of freedom of chi-squared: (true classes - 1) times (predicted classes - 1)."""
    rows, columns = occurring(confusion).shape
    return (rows - 1) * (columns - 1) if rows else 0


@matrix_measure(range=(0, 1), source="pearson1900b", group=GROUP, better="neither", symmetric=True)
def chi_squared_p_value(confusion: Any) -> Any:
    """Chance of at least this chi-squared if predictions do not depend on the truth, in large samples."""
    return chi_squared_tail(multiclass_chi_squared.function(confusion), chi_squared_degrees.function(confusion))


@matrix_measure(range=(0, math.inf), source="pearson1904", group=GROUP, better="neither", symmetric=True)
def phi_squared(confusion: Any) -> Any:
    """Chi-squared divided by the number of examples."""
    return _phi_squared(confusion)


@matrix_measure(range=(0, 1), source="cramer1946", group=GROUP, better="neither", symmetric=True)
def cramer_v(confusion: Any) -> Any:
    """Root of phi squared over the largest that it can be for so many classes."""
    return sqrt(ratio(_phi_squared(confusion), min(occurring(confusion).shape) - 1))


@matrix_measure(range=(0, 1), source="tschuprow1939", group=GROUP, better="neither", symmetric=True)
def tschuprow_t(confusion: Any) -> Any:
    """Root of phi squared over the root of the degrees of freedom."""
    rows, columns = occurring(confusion).shape
    return sqrt(ratio(_phi_squared(confusion), sqrt((rows - 1) * (columns - 1))))


@matrix_measure(range=(0, 1), source="pearson1904", group=GROUP, better="neither", symmetric=True, aliases=("pearson_c",))
def multiclass_contingency_coefficient(confusion: Any) -> Any:
    """Root of chi-squared over n plus chi-squared; it stays below 1."""
    squared = _phi_squared(confusion)
    return sqrt(ratio(squared, 1 + squared))


def _phi_squared(confusion: Any) -> Any:
    apart, true, pred, n = deviations(confusion)
    if n == 0:
        return math.nan
    # A sum of squares, so that rounding cannot make a table near independence negative.
    return ratio(total(ratio(ratio(apart * apart, true[:, None]), pred)), n * n)
