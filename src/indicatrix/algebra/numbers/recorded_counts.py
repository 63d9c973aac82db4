"""Recorded arithmetic: counts that write down what a formula does with them.

A formula gets four ``Recorded`` counts and returns the expression it computes. Other languages are printed from it, so that no
formula is written twice. It also tells how large counts may be until float64 no longer computes as exact integers do.

Count vectors on which formulas are tried, and the cases into which comparisons divide a formula.

The vectors are all small ones, random shares, and cells of very different size.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np

from ..arrays import EXACT_IN_FLOAT64, FLOATS_ARE_EXACT, Array, quiet
from ..counts import CELLS, Counts

UNCHANGED = ("+", "-", "*", "neg", "min", "max", "abs", "select")  # of whole numbers these are whole
ROUNDED_ALIKE = {
    *UNCHANGED,
    "constant",
    "ratio",
    "sqrt",
    "<",
    "<=",
    ">",
    ">=",
    "==",
}  # in Python and in NumPy; a logarithm is not


class NotRecordableError(TypeError):
    """The error for a function that does more with counts than arithmetic, such as ``if``."""


class Recorded:
    """A number that is not known yet: an operation and what it is applied to.

    Operations are "cell" (of its name), "constant" (of its value), "+", "-", "*", "ratio", "neg", "pow", comparisons, "select"
    and the names of functions. ``whole`` says that the value is an integer wherever the counts are integers.

    >>> tp, fp, fn, tn = recorded_counts()
    >>> (2 * tp + fn).operation, (2 * tp + fn).whole, (tp / fn).whole
    ('+', True, False)
    """

    __slots__ = ("operands", "operation", "whole")
    __array_ufunc__ = None  # NumPy numbers leave the arithmetic to this class
    context: Any  # the functions of recorded numbers; formulas find them here, as they find those of mpmath

    def __init__(self, operation: str, *operands: Any, whole: bool | None = None) -> None:
        self.operation = operation
        self.operands = operands
        self.whole = operation in UNCHANGED and all(x.whole for x in operands) if whole is None else whole

    def __add__(self, other: Any) -> Recorded:
        return Recorded("+", self, as_recorded(other))

    def __radd__(self, other: Any) -> Recorded:
        return Recorded("+", as_recorded(other), self)

    def __sub__(self, other: Any) -> Recorded:
        return Recorded("-", self, as_recorded(other))

    def __rsub__(self, other: Any) -> Recorded:
        return Recorded("-", as_recorded(other), self)

    def __mul__(self, other: Any) -> Recorded:
        return Recorded("*", self, as_recorded(other))

    def __rmul__(self, other: Any) -> Recorded:
        return Recorded("*", as_recorded(other), self)

    def __truediv__(self, other: Any) -> Recorded:
        return _ratio(self, as_recorded(other))

    def __rtruediv__(self, other: Any) -> Recorded:
        return _ratio(as_recorded(other), self)

    def __pow__(self, other: Any) -> Recorded:
        return _power(self, as_recorded(other))

    def __rpow__(self, other: Any) -> Recorded:
        return _power(as_recorded(other), self)

    def __neg__(self) -> Recorded:
        return Recorded("neg", self)

    def __pos__(self) -> Recorded:
        return self

    def __abs__(self) -> Recorded:
        return Recorded("abs", self)

    def __lt__(self, other: Any) -> Recorded:
        return Recorded("<", self, as_recorded(other))

    def __le__(self, other: Any) -> Recorded:
        return Recorded("<=", self, as_recorded(other))

    def __gt__(self, other: Any) -> Recorded:
        return Recorded(">", self, as_recorded(other))

    def __ge__(self, other: Any) -> Recorded:
        return Recorded(">=", self, as_recorded(other))

    def _refuse(self, *_: Any) -> NoReturn:
        raise NotRecordableError(
            "A formula of recorded counts uses arithmetic and the functions of ix; it cannot ask for a value."
        )

    def __bool__(self) -> bool:
        path = _PATH.get()
        return self._refuse() if path is None else path.turn()

    def __eq__(self, other: object) -> Any:
        return self._refuse() if _PATH.get() is None else Recorded("==", self, as_recorded(other))

    def __ne__(self, other: object) -> Any:
        return self._refuse() if _PATH.get() is None else Recorded("!=", self, as_recorded(other))

    __float__ = __int__ = __index__ = _refuse
    __hash__ = object.__hash__


class _Path:
    """One way through the conditions of a function.

    What each of them is taken to be, in the order in which they are asked.
    """

    def __init__(self, turns: tuple[bool, ...]) -> None:
        self.turns, self.taken = turns, list[bool]()

    def turn(self) -> bool:
        """Return what the next condition is taken to be."""
        known = len(self.taken) < len(self.turns)
        self.taken.append(self.turns[len(self.taken)] if known else True)
        if len(self.taken) > MOST_TURNS:
            raise NotRecordableError(f"A function of recorded counts may have {MOST_TURNS} conditions on one way, not more.")
        return self.taken[-1]


_PATH: ContextVar[_Path | None] = ContextVar("_PATH", default=None)
MOST_TURNS, MOST_PATHS = 12, 64


def as_recorded(x: Any) -> Recorded:
    """Return a number as a recorded constant; a recorded number as it is."""
    if isinstance(x, Recorded):
        return x
    if isinstance(x, Fraction) and x.denominator == 1:
        x = int(x)
    if isinstance(x, bool) or not isinstance(x, int | float | Fraction):
        raise NotRecordableError(f"A formula of recorded counts cannot use {type(x).__name__}.")
    return Recorded("constant", x, whole=isinstance(x, int))


def _ratio(num: Recorded, den: Recorded) -> Recorded:
    if num.operation == den.operation == "constant" and den.operands[0] == 1:
        return num
    return Recorded("ratio", num, den)


def _power(base: Recorded, exponent: Recorded) -> Recorded:
    fixed = exponent.operation == "constant" and isinstance(exponent.operands[0], int) and exponent.operands[0] >= 0
    return Recorded("pow", base, exponent, whole=base.whole and fixed)


def _call(name: str) -> Callable[..., Recorded]:
    return lambda *xs: Recorded(name, *map(as_recorded, xs))


def _piecewise(first: tuple[Any, Recorded], otherwise: tuple[Any, bool]) -> Recorded:
    yes, no = as_recorded(first[0]), as_recorded(otherwise[0])
    return Recorded("select", first[1], yes, no, whole=yes.whole and no.whole)


# What formulas call on recorded numbers, under the names that symbolic libraries have.
Recorded.context = SimpleNamespace(
    pi=Recorded("pi", whole=False),
    Integer=as_recorded,
    Pow=lambda base, exponent: _power(as_recorded(base), as_recorded(exponent)),
    Piecewise=_piecewise,
    **{name: _call(own) for name, own in {"Abs": "abs", "Min": "min", "Max": "max", "Eq": "=="}.items()},
    **{name: _call(name) for name in ("sqrt", "log", "log1p", "exp", "sin", "cos", "asin")},
    **{name: _call(name) for name in ("probit", "log_gamma", "log_table_chance")},
)


def recorded_counts() -> Counts:
    """Return four counts that record what is done with them.

    >>> [x.operands[0] for x in recorded_counts()]
    ['tp', 'fp', 'fn', 'tn']
    """
    return Counts(*(Recorded("cell", name, whole=True) for name in CELLS), signed=True)


def record(formula: Callable[..., Any], params: Any) -> Recorded:
    """Return the expression that a formula computes; NotRecordableError if it is more than arithmetic.

    >>> import indicatrix as ix
    >>> record(ix.recall.function, {}).operation
    'ratio'
    """
    try:
        return as_recorded(formula(*recorded_counts(), **params))
    except NotRecordableError:
        raise
    except (TypeError, ValueError, AttributeError, ArithmeticError) as wrong:  # math.sqrt, NumPy functions, …
        raise NotRecordableError(f"The formula is more than arithmetic on counts: {wrong}") from wrong


def record_branches(formula: Callable[..., Any], params: Any) -> list[Recorded]:
    """Return the expressions that a formula computes, one for each way through its conditions.

    >>> [x.operation for x in record_branches(lambda tp, fp, fn, tn: tp / (tp + fn) if tp + fn else 0, {})]
    ['ratio', 'constant']
    """
    found, ways = list[Recorded](), list[tuple[bool, ...]]([()])
    while ways:
        path = _Path(ways.pop())
        token = _PATH.set(path)
        try:
            found.append(record(formula, params))
        finally:
            _PATH.reset(token)
        ways += [(*path.taken[:i], False) for i in range(len(path.turns), len(path.taken))]
        if len(found) + len(ways) > MOST_PATHS:
            raise NotRecordableError(f"The formula has more than {MOST_PATHS} ways through its conditions.")
    return found


def exact_below(formula: Callable[..., Any], params: Mapping[str, Any]) -> int:
    """Return the total of counts below which float64 gives what Python integers give, to the last bit.

    Until the first division a formula computes polynomials of the counts. Floats are exact while these stay below 2**53, so
    their degree decides.

    >>> import indicatrix as ix
    >>> [exact_below(m.function, {}).bit_length() - 1 for m in (ix.f1, ix.cohen_kappa, ix.mcc)]
    [51, 25, 17]
    """
    try:
        polynomials = _polynomials(record(formula, params))
    except NotRecordableError:
        return EXACT_IN_FLOAT64
    limit = FLOATS_ARE_EXACT
    for polynomial in polynomials:
        while limit > EXACT_IN_FLOAT64 and sum(int(c) * limit**k for k, c in enumerate(polynomial)) > FLOATS_ARE_EXACT:
            limit //= 2
    return limit


def _polynomials(x: Recorded) -> list[Array]:
    """Return a limit of each integer that an expression computes, as coefficients of powers of the total."""
    if not x.whole and x.operation not in ROUNDED_ALIKE:
        raise NotRecordableError(f"{x.operation} may differ in the last bit.")
    own = [_size(x)] if x.whole else []
    return own + [found for part in x.operands if isinstance(part, Recorded) for found in _polynomials(part)]


def _size(x: Recorded) -> Array:
    """Return coefficients of a polynomial of the total that no value of a whole expression exceeds."""
    if x.operation == "cell":
        return np.array([0, 1], object)
    if x.operation == "constant":
        return np.array([abs(x.operands[0])], object)
    if x.operation == "pow":
        return _product([_size(x.operands[0])] * x.operands[1].operands[0])
    sizes = [_size(part) for part in x.operands if part.whole]
    if x.operation == "*":
        return _product(sizes)
    total = np.zeros(max(map(len, sizes)), object)
    for size in sizes:
        total[: len(size)] += size
    return total


def _product(sizes: list[Array]) -> Array:
    found = np.array([1], object)
    for size in sizes:
        found = np.convolve(found, size)
    return found


CountVector = tuple[int, ...]
SMALL, MIXED, LARGE = (0, 1, 2, 3, 5, 17), 600, tuple(10**k for k in (3, 6, 9, 12))
MODERATE = len(SMALL) ** 4 + 2 * MIXED  # the first ones, whose cells are small enough for a step of one to show
MOST = 8  # every vector of cells up to this number is tried where a direction or a range is derived
MOST_CASES = 32  # cases; an expression with more is not taken apart


def _screen() -> tuple[CountVector, ...]:
    rng = random.Random(0)
    totals = [20000 if i % 5 == 4 else 1000 for i in range(MIXED)]
    cuts = ((*sorted(rng.randint(0, n) for _ in range(3)), n) for n in totals)
    shares = [(a, b - a, c - b, n - c) for a, b, c, n in cuts]
    uneven = [tuple(int(10 ** rng.uniform(0, 4)) for _ in range(4)) for _ in range(MIXED)]
    return (*product(SMALL, repeat=4), *shares, *uneven, *(v for k in LARGE for v in product((0, 1, k), repeat=4)))


@cache
def screen() -> tuple[CountVector, ...]:
    """Return many count vectors that are tried in floats first.

    >>> len(screen()), screen()[1]
    (2820, (0, 0, 0, 1))
    """
    return _screen()


@cache
def small_counts() -> Array:
    """Return every count vector with cells up to ``MOST``, as rows of floats."""
    return np.array([*product(range(MOST + 1), repeat=4)], np.float64)


def values_at(formula: Callable[..., Any], params: Mapping[str, Any], vectors: Array) -> Array:
    """Return the float64 values of a formula at rows of counts; nan where it has none."""
    columns, given = [*np.asarray(vectors, np.float64).T], {k: float(x) for k, x in params.items()}
    try:
        with quiet():
            found = np.asarray(formula(*columns, **given), np.float64)
        return np.array(np.broadcast_to(found, len(vectors)))
    except (TypeError, ValueError, ArithmeticError):  # a function that is written for single numbers
        return np.array([_value(formula, given, row) for row in zip(*(x.tolist() for x in columns), strict=True)], np.float64)


def _value(formula: Callable[..., Any], params: Mapping[str, Any], row: tuple[float, ...]) -> float:
    try:
        with quiet():
            return float(formula(*row, **params))
    except (TypeError, ValueError, ArithmeticError):
        return math.nan


@dataclass(frozen=True, eq=False)
class Case:
    """An expression without choices, and the expressions that are never negative where it is chosen."""

    expression: Recorded
    never_negative: tuple[Recorded, ...] = ()


def cases_of(x: Recorded) -> list[Case]:
    """Return the cases of which an expression is one at any counts; no case if there would be too many.

    >>> import indicatrix as ix
    >>> from indicatrix.algebra.numbers.recorded_counts import record
    >>> formulas = "tp/n", "min(tp, fp)/n", "abs(tp - fp)", "min(tp, fp, fn)"
    >>> [len(cases_of(record(ix.measure(text).function, {}))) for text in formulas]
    [1, 2, 2, 4]
    """
    if not all(isinstance(part, Recorded) for part in x.operands):
        return [Case(x)]
    ways = [cases_of(part) for part in x.operands]
    if math.prod(map(len, ways)) > MOST_CASES:
        return []
    match x.operation:
        case "select":  # which of the two holds is not read
            found = [case for own in ways[-2:] for case in own]
        case "abs":
            signed = [(one.expression, one) for one in ways[0]]
            found = [Case(y, (*one.never_negative, y)) for x, one in signed for y in (x, -x)]
        case "min" | "max":
            found = [choice for pair in product(*ways) for choice in _choices(x.operation, *pair)]
        case _ if all(len(own) == 1 and own[0].expression is part for own, part in zip(ways, x.operands, strict=True)):
            found = [Case(x)]
        case _:
            found = [_apply(x, parts) for parts in product(*ways)]
    return found if len(found) <= MOST_CASES else []


def _choices(operation: str, a: Case, b: Case) -> list[Case]:
    known = (*a.never_negative, *b.never_negative)
    above, below = b.expression - a.expression, a.expression - b.expression
    first, second = (above, below) if operation == "min" else (below, above)
    return [Case(a.expression, (*known, first)), Case(b.expression, (*known, second))]


def _apply(x: Recorded, parts: tuple[Case, ...]) -> Case:
    made = Recorded(x.operation, *(part.expression for part in parts), whole=x.whole)
    return Case(made, tuple(given for part in parts for given in part.never_negative))
