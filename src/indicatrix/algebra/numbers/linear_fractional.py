"""Linear-fractional form: M(v) = <a, v> / <b, v>, decided exactly (def:decomposable, errata A8).

Quotients of polynomials in the four counts.

And when signs show that a polynomial is never negative.

SymPy has polynomials, too, but it is an optional library, and the range of a formula must not depend on what is installed.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from operator import mul
from types import MappingProxyType
from typing import Any

import numpy as np

from ..arrays import Array, as_float, is_array, quiet
from .exact import Rounded, Value, exact_value, fraction_of, is_defined, number, order

Vector = tuple[Fraction, ...]
Witness = tuple[tuple[Vector, ...], tuple[Value, ...]]  # count vectors, and the values there

SAMPLE, FRESH = 24, 48  # count vectors that the coefficients are found on, and checked on
SUSPECTS = 40  # this many differences of floats are computed again exactly
COMMON, CERTAIN = 10**20, 45  # a value that agrees to 45 digits with a fraction of denominator <= COMMON is that fraction


@lru_cache(maxsize=512)
def linear_fractional(formula: Callable[..., Any], params: tuple[tuple[str, Any], ...]) -> tuple[Vector, Vector] | None:
    """Return the exact coefficients (a, b); None if the formula has no such form with rational ones.

    The formula is evaluated on rational count vectors of varying total, zero cells included; the equations
    M(v)<b, v> = <a, v> give the candidates, and a candidate counts only if it reproduces M on new vectors, with
    <b, v> not zero wherever M is defined: without this condition, subset accuracy would pass.

    >>> a, b = linear_fractional(lambda tp, fp, fn, tn: 2 * tp / (2 * tp + fp + fn), ())
    >>> [str(x) for x in b]
    ['1', '1/2', '1/2', '0']
    """
    value = exact_value(formula, dict(params))
    if find_bend(value, lines(3)):
        return None  # the most common "no", found with few vectors
    equations = []
    for v in _whole_vectors(SAMPLE, seed=0):
        given = value(*v)
        m = as_fraction(given)
        if m is not None:
            equations.append([*(m.denominator * x for x in v), *(-m.numerator * x for x in v)])
        elif is_defined(given):
            return None  # irrational
    if len(equations) < SAMPLE // 3:
        return None  # defined too rarely to decide
    solutions = _null_space(equations)
    if len(solutions) == 4:  # a constant satisfies the equations for every denominator: take n
        solutions = [_constant(as_fraction(value(1, 1, 1, 1)))]
    if len(solutions) != 1 or not any(solutions[0][4:]):
        return None
    top, bottom = solutions[0][:4], solutions[0][4:]
    for v in _whole_vectors(FRESH, seed=1):
        m, den = as_fraction(value(*v)), sum(map(mul, bottom, v))
        if m is not None and (den == 0 or m.denominator * sum(map(mul, top, v)) != m.numerator * den):
            return None
    lead = next(x for x in bottom if x)
    a, b = (tuple(Fraction(x, lead) for x in side) for side in (top, bottom))
    return None if _contradicts(formula, dict(params), value, (a, b)) else (a, b)


def _contradicts(
    formula: Callable[..., Any], params: dict[str, Any], value: Callable[..., Value], form: tuple[Vector, Vector]
) -> bool:
    """Return whether M differs from <a, v>/<b, v> at one of many count vectors.

    They are compared in floats first: a formula with min or max may agree with one of its cases almost everywhere.
    """
    vectors, four = _many_vectors()
    a, b = (np.array(side, np.float64) for side in form)
    top, bottom = a @ four, b @ four
    try:
        with quiet():
            found = np.asarray(formula(*four, **{k: float(x) for k, x in params.items()}), np.float64)
            differs = np.isfinite(found) & ((abs(found * bottom - top) > 1e-9 * (abs(a) @ four)) | (bottom == 0))
    except (TypeError, ValueError, ArithmeticError):  # a function that is written for numbers
        differs = four.max(axis=0) < 3
    for i in np.flatnonzero(differs)[:SUSPECTS]:
        v = tuple(map(Fraction, vectors[i]))
        m, den = as_fraction(value(*v)), dot(form[1], v)
        if m is not None and (den == 0 or m * den != dot(form[0], v)):
            return True
    return False


@cache
def _many_vectors() -> tuple[tuple[tuple[int, ...], ...], Any]:
    """Return many count vectors, and their cells in floats, which formulas only read."""
    vectors = (*product(range(6), repeat=4), *_whole_vectors(FRESH * 20, seed=3))
    return vectors, np.array(vectors, np.float64).T


def find_bend(value: Callable[..., Value], along: Iterable[tuple[Vector, ...]]) -> Witness | None:
    """Return a witness that a function is not linear-fractional, or None if these lines show no witness.

    The witness is four equidistant collinear count vectors, or a vector and its triple, with their values. On a line
    a linear-fractional M is a Möbius function: constant, or injective with the cross-ratio 4/3 at equidistant points; and it
    does not change with the scale. Conversely, a function that is Möbius on every line and scale-free is linear-fractional.
    """
    for points in along:
        values = tuple(value(*v) for v in points)
        if not is_defined(*values):
            continue
        for v, x in zip(points[:2], values, strict=False):
            triple = tuple(3 * c for c in v)
            larger = value(*triple)
            if is_defined(larger) and order(x, larger):
                return (v, triple), (x, larger)
        if not _moebius(values):
            return points, values
    return None


def _moebius(values: tuple[Value, ...]) -> bool:
    """Return whether values at four equidistant points fit a Möbius function."""
    w, x, y, z = values
    equal = [order(p, q) == 0 for p, q in ((w, x), (w, y), (w, z), (x, y), (x, z), (y, z))]
    if any(equal):
        return all(equal)
    return order(_times(w, y, x, z, 3), _times(w, z, x, y, 4)) == 0


def _times(p: Value, q: Value, r: Value, s: Value, factor: int) -> Value:
    """Return factor (p - q)(r - s), in the precision that the values have."""
    if all(type(x) is Fraction for x in (p, q, r, s)):
        return factor * (p - q) * (r - s)
    if any(isinstance(x, Rounded) for x in (p, q, r, s)):
        return Rounded(factor * (float(p) - float(q)) * (float(r) - float(s)))
    return factor * (number(p) - number(q)) * (number(r) - number(s))


@cache
def lines(size: int, seed: int = 2) -> tuple[tuple[Vector, ...], ...]:
    """Return lines of four equidistant count vectors, some of which end where cells become empty."""
    rng = random.Random(seed)
    out = []
    for i in range(size):
        scale = (1, 1, 1, 400)[i % 4]  # some have large counts, where a formula with cases may change
        start = [Fraction(scale * rng.randint(4, 40)) for _ in range(4)]
        step = [Fraction(scale * rng.randint(-1, 9)) for _ in range(4)]
        for cell in ((), (1, 2), (0, 3), (0,), (1,), (2,), (3,))[i % 7]:  # start - 3 step is 0 in these cells
            step[cell] = Fraction(-rng.randint(2, 9))
            start[cell] = -3 * step[cell]
        out.append(tuple(tuple(s + t * d for s, d in zip(start, step, strict=True)) for t in range(4)))
    return tuple(out)


@cache
def short_lines(size: int, seed: int = 4) -> tuple[tuple[Vector, ...], ...]:
    """Return lines of four equidistant count vectors with small counts, many of them with empty cells."""
    rng = random.Random(seed)
    out = list[tuple[Vector, ...]]()
    while len(out) < size:
        start, step = ([Fraction(rng.randint(low, high)) for _ in range(4)] for low, high in ((0, 9), (-2, 3)))
        if all(s + 3 * d >= 0 for s, d in zip(start, step, strict=True)) and any(step):
            out.append(tuple(tuple(s + t * d for s, d in zip(start, step, strict=True)) for t in range(4)))
    return tuple(out)


def as_fraction(x: Value) -> Fraction | None:
    """Return a value as a fraction; None if it is not a fraction.

    Roots may hide a fraction, as in sqrt(tp)*sqrt(tp).

    >>> as_fraction(float("nan")) is None
    True
    """
    if type(x) is Fraction or not is_defined(x) or isinstance(x, Rounded):
        return x if type(x) is Fraction else None
    whole = fraction_of(x)
    near = whole.limit_denominator(COMMON)
    return near if abs(near - whole) <= Fraction(1, 10**CERTAIN) * max(Fraction(1), abs(whole)) else None


def dot(a: Vector, v: Vector) -> Fraction:
    """Return the scalar product."""
    return sum((x * y for x, y in zip(a, v, strict=True)), Fraction(0))


def count_vectors(size: int, seed: int) -> tuple[Vector, ...]:
    """Return random count vectors: generic ones of very different totals, then ones with empty cells."""
    return tuple(tuple(map(Fraction, v)) for v in _whole_vectors(size, seed))


@cache  # every formula is tried on the same ones
def _whole_vectors(size: int, seed: int) -> tuple[tuple[int, ...], ...]:
    rng = random.Random(seed)
    vectors = []
    for i in range(size):
        top = rng.choice((9, 97, 9973))
        v = [rng.randint(1, top) for _ in range(4)]
        if i % 3 == 2:
            for cell in rng.choice(((0,), (1,), (2,), (3,), (1, 2), (0, 3), (1, 3))):
                v[cell] = 0
        vectors.append(tuple(v))
    return tuple(vectors)


def _constant(m: Fraction | None) -> list[int]:
    return [m.numerator if m else 0] * 4 + [m.denominator if m else 1] * 4


def _null_space(equations: Iterable[Sequence[int]]) -> list[list[int]]:
    """Return a basis of the solutions of linear equations, in whole numbers without a common factor.

    Each equation cuts the space of those before it. Integers are many times faster than fractions.

    >>> _null_space([[1, 0, 0, 0, 0, 0, 0, 0], [0, 2, 4, 0, 0, 0, 0, 0]])[0]
    [0, -2, 1, 0, 0, 0, 0, 0]
    """
    basis = [[int(i == k) for i in range(8)] for k in range(8)]
    for equation in equations:
        off = [sum(map(mul, equation, x)) for x in basis]
        first = next((i for i, far in enumerate(off) if far), None)
        if first is None:
            continue
        pivot, by = basis.pop(first), off.pop(first)
        basis = [
            _reduce([by * x - far * y for x, y in zip(own, pivot, strict=True)]) for own, far in zip(basis, off, strict=True)
        ]
    return basis


def _reduce(x: list[int]) -> list[int]:
    common = math.gcd(*x)
    return [k // common for k in x]


@lru_cache(maxsize=256)
def linear_form(exact: tuple[Any, ...]) -> Callable[..., Any]:
    """Return <b, v> as a function of four counts; a cell that is not read may be unknown (nan).

    >>> linear_form((1, 0, 1, 0))(3, 1, 2, float("nan"))
    5
    """
    rounded = tuple(map(float, exact))
    exact = tuple(
        k.numerator if isinstance(k, Fraction) and k.denominator == 1 else k for k in exact
    )  # whole numbers, which are faster

    def denominator(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        b = rounded if is_array(tp) and tp.dtype != object else exact  # other numbers keep the coefficients exact
        terms = [k * x for k, x in zip(b, (tp, fp, fn, tn), strict=True) if k]
        return sum(terms) if terms else 0 * tp

    return denominator


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
