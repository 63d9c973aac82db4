"""Quotients of polynomials in the four counts.

And when signs show that a polynomial is never negative.

SymPy has polynomials, too, but it is an optional library, and the range of a formula must not depend on what is installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from ..arrays import Array, as_float

Powers = tuple[int, ...]  # the exponents of tp, fp, fn, tn
Polynomial = Mapping[Powers, Fraction]

LONGEST = 500  # terms; a longer polynomial is not worth its time
NONE: Powers = (0, 0, 0, 0)
NOTHING: Polynomial = MappingProxyType({})


def constant(x: Fraction) -> Polynomial:
    """Return a polynomial without counts."""
    return {NONE: x} if x else {}


def cell(i: int) -> Polynomial:
    """Return one of the four counts."""
    return {tuple(int(i == k) for k in range(4)): Fraction(1)}


def add(a: Polynomial, b: Polynomial, sign: int = 1) -> Polynomial:
    """Return a + b, or a - b if the sign is -1."""
    found = dict(a)
    for powers, x in b.items():
        found[powers] = found.get(powers, Fraction(0)) + sign * x
    return {powers: x for powers, x in found.items() if x}


def multiply(a: Polynomial, b: Polynomial) -> Polynomial | None:
    """Return a b; None if it would be too long."""
    if len(a) * len(b) > 20 * LONGEST:
        return None
    found: dict[Powers, Fraction] = {}
    for p, x in a.items():
        for q, y in b.items():
            powers = (p[0] + q[0], p[1] + q[1], p[2] + q[2], p[3] + q[3])
            found[powers] = found.get(powers, Fraction(0)) + x * y
    return {powers: x for powers, x in found.items() if x} if len(found) <= LONGEST else None


def sign(a: Polynomial) -> int:
    """Return 1 if no term is negative, -1 if none is positive, 0 otherwise or for the polynomial 0."""
    signs = {x > 0 for x in a.values()}
    return 0 if len(signs) != 1 else 1 if signs == {True} else -1


def values(a: Polynomial, vectors: Array) -> Array:
    """Return the values at rows of counts, in floats."""
    total = np.zeros(len(vectors))
    for powers, x in a.items():
        total += as_float(x) * np.prod([vectors[:, i] ** k for i, k in enumerate(powers) if k], axis=0)
    return total


def is_never_negative(a: Polynomial) -> bool:
    """Return whether signs show that a polynomial is at least 0 for all counts.

    False also where they do not tell.

    A negative term is allowed where two positive ones outweigh it: a^2 + b^2 >= 2ab.

    >>> square = {(2, 0, 0, 0): Fraction(1), (1, 1, 0, 0): Fraction(-2), (0, 2, 0, 0): Fraction(1)}
    >>> is_never_negative(square), is_never_negative({(1, 0, 0, 0): Fraction(1), (0, 1, 0, 0): Fraction(-1)})
    (True, False)
    """
    left = {powers: x for powers, x in a.items() if x > 0}
    return all(_outweigh(left, powers, -x / 2) for powers, x in a.items() if x < 0)


def _outweigh(left: dict[Powers, Fraction], powers: Powers, half: Fraction) -> bool:
    """Take from two positive terms, whose geometric mean a term is, what outweighs twice ``half`` of it."""
    for one in [*left]:
        other = tuple(2 * p - q for p, q in zip(powers, one, strict=True))
        if other in left and other != one and left[one] * left[other] >= half**2:
            left[other] -= half**2 / left[one]
            left[one] = Fraction(0)
            for used in (one, other):
                if not left[used]:
                    del left[used]
            return True
    return False


@dataclass(frozen=True)
class Quotient:
    """A quotient of two polynomials."""

    top: Polynomial
    bottom: Polynomial

    def plus(self, other: Quotient, sign: int = 1) -> Quotient | None:
        """Return the sum, or the difference if the sign is -1; None if it would be too long."""
        if self.bottom == other.bottom:
            return Quotient(add(self.top, other.top, sign), self.bottom)
        a, b, below = multiply(self.top, other.bottom), multiply(other.top, self.bottom), multiply(self.bottom, other.bottom)
        return None if a is None or b is None or below is None else Quotient(add(a, b, sign), below)

    def times(self, other: Quotient) -> Quotient | None:
        """Return the product; None if it would be too long."""
        above, below = multiply(self.top, other.top), multiply(self.bottom, other.bottom)
        return None if above is None or below is None else Quotient(above, below)

    def inverse(self) -> Quotient | None:
        """Return the quotient turned upside down; None for 0."""
        return Quotient(self.bottom, self.top) if self.top else None

    def oriented(self) -> Quotient | None:
        """Return the same with a denominator that is never negative; None if signs do not show one."""
        below = sign(self.bottom)
        if below >= 0:
            return self if below else None
        return Quotient(add({}, self.top, -1), add({}, self.bottom, -1))

    def is_at_most(self, bound: Fraction, less: Polynomial = NOTHING) -> bool:
        """Return whether signs show that no value is above a bound; the quotient is oriented.

        ``less`` is known not to be negative: it is enough if the rest without it is not.
        """
        left = add({p: bound * x for p, x in self.bottom.items()}, self.top, -1)
        return is_never_negative(add(left, less, -1))
