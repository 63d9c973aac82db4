"""Counts at many thresholds as exact quotients, so that a formula is computed for all at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts
from ...algebra.measure import Measure


@dataclass(frozen=True, eq=False, slots=True)
class Quotients:
    """One exact number for each threshold: two arrays of Python integers, which are never reduced.

    A denominator of 0 is a value that is infinite or undefined.
    """

    above: Any
    below: Any

    __array_ufunc__ = None  # functions of NumPy refuse it: then the formula is applied to fractions, one by one
    __hash__ = None  # type: ignore[assignment]

    def __array__(self, *args: Any, **options: Any) -> Array:
        raise TypeError("A formula that needs an array is applied to fractions.")

    def __bool__(self) -> bool:
        raise TypeError("A formula with cases is applied to fractions.")

    def __eq__(self, other: object) -> bool:
        return bool(self)

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
