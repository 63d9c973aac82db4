"""Formulas in exact arithmetic: fractions where a value is rational, fifty digits where it is not."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from ..arrays import quiet

DIGITS = 30  # irrational values that agree to this many digits count as equal; evidence states the number
FLOAT_DIGITS = 9  # the same for values that only floats can compute
LARGEST = 1 << 16  # bits: a number with more, such as 2**-10**10, would not fit into memory as a fraction
WORKING = 50  # digits with which irrational values are computed

Value = Any  # a Fraction, an mpmath number, or the floats nan (undefined) and ±inf


def exactly(measure: Any) -> Callable[..., Value]:
    """Return the measure as a function from four counts to its exact value.

    The value is nan where the measure is undefined, and ±inf for x/0.

    >>> import indicatrix as ix
    >>> exactly(ix.f1)(1, 1, 0, 5), exactly(ix.f1)(0, 0, 0, 5)
    (Fraction(2, 3), nan)
    """
    return exact_value(measure.function, measure.params)


def exact_value(formula: Callable[..., Any], params: Mapping[str, Any]) -> Callable[..., Value]:
    """Return a formula as a function from four counts to its exact value."""
    exact, known = {name: as_written(value) for name, value in params.items()}, dict[tuple[Any, ...], Value]()

    def value(*v: Any) -> Value:
        if (found := known.get(v)) is None:  # to hash fractions takes as long as many a formula: once here, and once more to keep
            found = known[v] = _rational(formula, v, exact)
        return found

    return value


def as_written(x: Any) -> Fraction:
    """Return a parameter as the fraction that its decimals show: 0.1 is 1/10, not the nearest float.

    >>> as_written(0.1), as_written(2)
    (Fraction(1, 10), Fraction(2, 1))
    """
    if not isinstance(x, int | float | Fraction):
        raise TypeError(f"The parameter {x!r} is not a number; choose one with .at(…).")
    return Fraction(str(x)) if isinstance(x, float) else Fraction(x)


class Rounded(float):
    """A value that only floats could compute; nine of its digits are known.

    A formula that calls math.sqrt gives such values.
    """


def _rational(formula: Callable[..., Any], v: tuple[Any, ...], params: dict[str, Fraction]) -> Value:
    try:
        m = formula(*[x if type(x) is Fraction else Fraction(x) for x in v], **params)
    except ZeroDivisionError:  # a formula that writes / instead of ratio
        return math.nan
    except (TypeError, ValueError, AttributeError, OverflowError):  # a function written for floats
        return _float_value(formula, v, params)
    if isinstance(m, int | Fraction):
        return m if type(m) is Fraction else Fraction(m)
    return irrational(formula, v, params) if math.isfinite(m) else float(m)


def irrational(formula: Callable[..., Any], v: Sequence[Any], params: Mapping[str, Any]) -> Value:
    """Return the value of a formula to fifty digits, or to those of floats if it keeps no more."""
    try:
        m = formula(*(number(Fraction(x)) for x in v), **{name: number(Fraction(x)) for name, x in params.items()})
    except ZeroDivisionError:
        return math.nan
    except (TypeError, ValueError, AttributeError, OverflowError):
        return _float_value(formula, v, params)
    if hasattr(m, "_mpf_"):
        return m if abs(m.context.mag(m)) < LARGEST or not m else Fraction(0) if abs(m) < 1 else math.inf if m > 0 else -math.inf
    return math.nan if hasattr(m, "_mpc_") else Fraction(m) if isinstance(m, int) else _float_value(formula, v, params)


def _float_value(formula: Callable[..., Any], v: Sequence[Any], params: Mapping[str, Any]) -> Value:
    try:
        with quiet():
            m = float(formula(*map(float, v), **{name: float(x) for name, x in params.items()}))
    except (ZeroDivisionError, ValueError, OverflowError):  # math.sqrt(-1), math.log(0)
        return math.nan
    return Rounded(m) if math.isfinite(m) else m


def is_defined(*values: Value) -> bool:
    """Return whether all values are finite."""
    return all(type(x) is Fraction or math.isfinite(x) for x in values)


def order(x: Value, y: Value) -> int:
    """Return -1, 0 or 1 as x is less than, equal to or greater than y; both are finite.

    >>> order(Fraction(1, 3), Fraction(1, 2))
    -1
    """
    if type(x) is Fraction and type(y) is Fraction:
        return (x > y) - (x < y)
    shared = digits((x, y)) or DIGITS
    x, y = number(x), number(y)
    if abs(x - y) <= number(10) ** -shared * max(1, abs(x), abs(y)):
        return 0
    return 1 if x > y else -1


@cache
def context(precision: int) -> Any:
    """Return a separate mpmath context with this precision.

    Its numbers keep their digits in every thread, and the caller's mpmath is not changed.
    """
    import mpmath

    own = mpmath.mp.clone()
    own.dps = precision
    return own


def number(x: Any, precision: int = WORKING) -> Any:
    """Return a value as an mpmath number whose arithmetic keeps ``precision`` digits."""
    own = context(precision)
    return own.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else own.mpf(x)


def fraction_of(x: Value) -> Fraction:
    """Return a finite value, exact or with many digits, as the fraction that is stored."""
    if isinstance(x, Fraction):
        return x
    if isinstance(x, float):
        return Fraction(x)
    from mpmath.libmp import to_rational

    return Fraction(*map(int, to_rational(x._mpf_)))


def digits(values: Sequence[Value]) -> int | None:
    """Return to how many digits these values are compared; None if all are exact."""
    if all(type(x) is Fraction for x in values):
        return None
    return FLOAT_DIGITS if any(isinstance(x, Rounded) for x in values) else DIGITS
