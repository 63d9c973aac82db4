"""Counts of one ranking as sums of tp and tp + fp, so that formulas add fewer arrays (prop:roc).

At all thresholds of one ranking tp + fn is a number and fn + tn falls as tp + fp grows. A formula adds such counts before it
multiplies or divides. So its sums are kept as three coefficients, and arrays are made where anything else happens to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.measure import Measure
from ...ranking.ranked import Ranked

BLOCK = 1 << 15  # thresholds at a time: what a formula writes down on the way stays in the cache


@dataclass(frozen=True, eq=False, slots=True)
class Affine:
    """A count at some thresholds: a times tp, plus b times tp + fp, plus c.

    The coefficients are integers, so nothing is rounded.
    """

    tp: Array
    predicted: Array
    a: int
    b: int
    c: int

    __array_ufunc__ = None  # functions of NumPy refuse it: then the formula is applied to arrays
    __hash__ = None  # type: ignore[assignment]

    def __array__(self, *args: Any, **options: Any) -> Array:
        raise TypeError("A formula is applied to arrays where it needs one.")  # NumPy's nan_to_num would return it unchanged

    def __bool__(self) -> bool:
        raise TypeError("A formula with cases is applied to numbers.")

    def __eq__(self, other: object) -> bool:
        return bool(self)

    def __add__(self, other: Any) -> Any:
        a, b, c = _coefficients(other)
        if a is None:
            return self.array() + other
        return Affine(self.tp, self.predicted, self.a + a, self.b + b, self.c + c)

    def __sub__(self, other: Any) -> Any:
        a, b, c = _coefficients(other)
        if a is None:
            return self.array() - other
        return Affine(self.tp, self.predicted, self.a - a, self.b - b, self.c - c)

    def __rsub__(self, other: Any) -> Any:
        return other - self.array() if _coefficients(other)[0] is None else self * -1 + other

    def __mul__(self, other: Any) -> Any:
        if type(other) is int:
            return Affine(self.tp, self.predicted, self.a * other, self.b * other, self.c * other)
        return self.array() * _as_array(other)

    def __truediv__(self, other: Any) -> Any:
        return self.array() / _as_array(other)

    def __rtruediv__(self, other: Any) -> Any:
        return _as_array(other) / self.array()

    __radd__, __rmul__ = __add__, __mul__

    def array(self) -> Any:
        """Return the values at the thresholds, or the one number that they all are; a sum of zero is +0."""
        (most, first), (least, last) = sorted(((self.a, self.tp), (self.b, self.predicted)), key=lambda term: -term[0])
        if self.c or most <= 0:
            total: Any = np.float64(self.c)
        else:
            most, total = 0, first if most == 1 else most * first
        for factor, values in ((most, first), (least, last)):
            if factor:
                part = values if abs(factor) == 1 else abs(factor) * values
                total = total + part if factor > 0 else total - part
        return total


def _coefficients(other: Any) -> tuple[Any, Any, Any]:
    """Return the coefficients of a count or of an integer; None where it is an array or a float."""
    if type(other) is Affine:
        return other.a, other.b, other.c
    return (0, 0, other) if type(other) is int else (None, None, _as_array(other))


def _as_array(other: Any) -> Any:
    if type(other) is Affine:
        return other.array()
    if not isinstance(other, np.ndarray | int | float):
        raise TypeError("A formula with other numbers is applied to arrays.")
    return other


def affine_values(measure: Measure, ranking: Ranked) -> Array | None:
    """Return a measure at every threshold of unweighted scores.

    Return None where its formula is more than arithmetic.

    >>> import indicatrix as ix
    >>> affine_values(ix.recall, ix.sweep([0, 1, 1], [0.2, 0.5, 0.7]).of()).tolist()
    [0.0, 0.5, 1.0, 1.0]
    """
    if ranking.weighted:  # sums of weights are rounded: they are what they are
        return None
    tp, predicted = ranking.climb
    values, four = np.empty(len(tp)), ((1, 0, 0), (-1, 1, 0), (-1, 0, ranking.tpos), (1, -1, ranking.tneg))
    for start in range(0, len(tp), BLOCK):
        at = slice(start, start + BLOCK)
        try:
            with quiet():
                found = measure.function(*(Affine(tp[at], predicted[at], *c) for c in four), **measure.params_for(1))
                values[at] = found.array() if type(found) is Affine else found
        # What is more than arithmetic raises some error: TypeError of comparisons, powers and NumPy's functions, AttributeError
        # of methods of arrays, whatever a formula says itself of a number that it does not know. No error is hidden by this:
        # the formula is then applied to arrays, where it works, or says again what is wrong.
        except Exception:
            return None
    return values
