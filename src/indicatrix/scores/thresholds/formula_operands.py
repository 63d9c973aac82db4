"""What a formula computes with at many thresholds at once (prop:roc).

These are sums of two counts, which are fast, or exact quotients.

At all thresholds of one ranking tp + fn is a number and fn + tn falls as tp + fp grows. A formula adds such counts before it
multiplies or divides. So its sums are kept as three coefficients, and arrays are made where anything else happens to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...ranking.ranked import Ranked

BLOCK = 1 << 15  # thresholds at a time: what a formula writes down on the way stays in the cache


class Operand:
    """What only arithmetic takes.

    It refuses functions of NumPy, comparisons and cases: the formula is then applied to arrays, or to fractions one by one.
    """

    __slots__ = ()
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __array__(self, *args: Any, **options: Any) -> Array:
        raise TypeError("A formula that needs an array is applied to arrays.")  # NumPy's nan_to_num would return it unchanged

    def __bool__(self) -> bool:
        raise TypeError("A formula with cases is applied to numbers.")

    def __eq__(self, other: object) -> bool:
        return bool(self)


@dataclass(frozen=True, eq=False, slots=True)
class Affine(Operand):
    """A count at some thresholds: a times tp, plus b times tp + fp, plus c.

    The coefficients are integers, so nothing is rounded.
    """

    tp: Array
    predicted: Array
    a: int
    b: int
    c: int

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


@dataclass(frozen=True, eq=False, slots=True)
class Quotients(Operand):
    """One exact number for each threshold: two arrays of Python integers, which are never reduced.

    A denominator of 0 is a value that is infinite or undefined.
    """

    above: Any
    below: Any

    def __add__(self, other: Any) -> Quotients:
        x = _quotients(other)
        if x.below is self.below:
            return Quotients(self.above + x.above, self.below)
        return Quotients(self.above * x.below + x.above * self.below, self.below * x.below)

    def __mul__(self, other: Any) -> Quotients:
        x = _quotients(other)
        return Quotients(self.above * x.above, self.below * x.below)

    def __truediv__(self, other: Any) -> Quotients:
        x = _quotients(other)
        return Quotients(self.above * x.below, self.below * x.above)

    def __rtruediv__(self, other: Any) -> Quotients:
        return _quotients(other) / self

    def __neg__(self) -> Quotients:
        return Quotients(-self.above, self.below)

    def __sub__(self, other: Any) -> Quotients:
        return self + -_quotients(other)

    def __rsub__(self, other: Any) -> Quotients:
        return _quotients(other) + -self

    __radd__, __rmul__ = __add__, __mul__


def _quotients(other: Any) -> Quotients:
    """Return another operand as quotients; floats and arrays are refused."""
    if type(other) is Quotients:
        return other
    if type(other) is int:
        return Quotients(other, 1)
    if type(other).__module__ == "fractions":
        return Quotients(other.numerator, other.denominator)
    raise TypeError("A formula with other numbers is applied to fractions.")


def exact_quotients(measure: Measure, counts: Counts) -> tuple[Array, Array] | None:
    """Return numerators and positive denominators of a measure at many thresholds, exactly.

    None where its formula is more than arithmetic, or where it is infinite or undefined at one of them.

    >>> import indicatrix as ix
    >>> [x.tolist() for x in exact_quotients(ix.informedness, ix.Counts(*np.array([[3, 1], [1, 0], [1, 3], [1, 2]])))]
    [[2, 2], [8, 8]]
    """
    one = np.array(1, object)  # shared, so that sums of counts do not multiply
    try:
        found = measure.function(*(Quotients(np.asarray(x).astype(object), one) for x in counts), **measure.params_for(1))
        above, below = np.broadcast_arrays(*(found.above, found.below), np.asarray(counts.tp))[:2]
    # Whatever is more than arithmetic raises some error here. None is hidden: the formula is then applied to fractions.
    except Exception:
        return None
    if (below == 0).any():
        return None
    sign = np.where(below < 0, -1, 1)
    return above * sign, below * sign
