"""Formulas in exact arithmetic: fractions where a value is rational, fifty digits where it is not."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

DIGITS = 30  # irrational values that agree to so many digits are taken as equal; all evidence says so
WORKING = 50  # digits that they are computed with

Value = Any  # a Fraction, an mpmath number, or the floats nan (undefined) and ±inf


def exactly(measure: Any) -> Callable[..., Value]:
    """Return the measure as a function of four counts to its exact value; nan where it is undefined, ±inf for x/0.

    >>> import indicatrix as ix
    >>> exactly(ix.f1)(1, 1, 0, 5), exactly(ix.f1)(0, 0, 0, 5)
    (Fraction(2, 3), nan)
    """
    return exact_value(measure.formula, measure.params)


def exact_value(formula: Callable[..., Any], params: Mapping[str, Any]) -> Callable[..., Value]:
    """Return a formula as a function of four counts to its exact value."""
    exact, known = {name: as_written(value) for name, value in params.items()}, dict[tuple[Any, ...], Value]()

    def value(*v: Any) -> Value:
        if v not in known:
            known[v] = _rational(formula, v, exact)
        return known[v]

    return value


def as_written(x: Any) -> Fraction:
    """Return a parameter as the fraction that its decimals write: 0.1 is a tenth, not the float nearest to it.

    >>> as_written(0.1), as_written(2)
    (Fraction(1, 10), Fraction(2, 1))
    """
    return Fraction(str(x)) if isinstance(x, float) else Fraction(x)


def _rational(formula: Callable[..., Any], v: tuple[Any, ...], params: dict[str, Fraction]) -> Value:
    try:
        m = formula(*map(Fraction, v), **params)
    except ZeroDivisionError:  # a formula that writes / instead of ratio
        return math.nan
    if isinstance(m, int | Fraction):
        return Fraction(m)
    return irrational(formula, v, params) if math.isfinite(m) else m


def irrational(formula: Callable[..., Any], v: Sequence[Any], params: Mapping[str, Any]) -> Value:
    """Return the value of a formula to fifty digits."""
    import mpmath

    with mpmath.workdps(WORKING):
        try:
            m = formula(*(number(Fraction(x)) for x in v), **{name: number(Fraction(x)) for name, x in params.items()})
        except ZeroDivisionError:
            return math.nan
        return m if isinstance(m, mpmath.mpf) else math.nan if isinstance(m, mpmath.mpc) else number(m)


def defined(*values: Value) -> bool:
    """Return whether all values are finite."""
    return all(type(x) is Fraction or math.isfinite(x) for x in values)


def order(x: Value, y: Value) -> int:
    """Return -1, 0 or 1 as x is less than, equal to or greater than y; both are finite.

    >>> order(Fraction(1, 3), Fraction(1, 2))
    -1
    """
    if type(x) is Fraction and type(y) is Fraction:
        return (x > y) - (x < y)
    import mpmath

    with mpmath.workdps(WORKING):
        x, y = number(x), number(y)
        if abs(x - y) <= mpmath.mpf(10) ** -DIGITS * max(1, abs(x), abs(y)):
            return 0
        return 1 if x > y else -1


def number(x: Value) -> Any:
    """Return a value as an mpmath number; call it inside ``mpmath.workdps``."""
    import mpmath

    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpmath.mpf(x)


def digits(values: Sequence[Value]) -> int | None:
    """Return to how many digits these values were compared; None if all are exact."""
    return None if all(type(x) is Fraction for x in values) else DIGITS
