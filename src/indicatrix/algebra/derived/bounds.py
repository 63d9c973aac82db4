"""Bounds of a formula for all counts, derived from its expression: no value lies outside of them.

A quotient of polynomials is bounded by a number if the signs of a polynomial show it; trials only propose the number. What is put
together by roots, logarithms, min or max is bounded by the bounds of its parts. Where min or max chooses, the chosen part is the
smaller or the larger one, which a proof may use: min(tp, fp) is at most half of tp + fp.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from ..arrays import as_float, quiet
from ..counts import CELLS
from ..numbers.linear_fractional import NOTHING, Polynomial, Quotient, add, cell, constant, sign, values
from ..numbers.recorded_counts import Case, Recorded, cases_of, screen

Span = tuple[float, float]
ALL: Span = (-math.inf, math.inf)
SIMPLE, CLOSE = 1000, 1e-6  # a bound that is only approached is a fraction with a small denominator, close to what was seen
MOST_GIVEN = 3  # facts of a case that get weights of their own in a proof
UNBOUNDED = 1e6  # values above this are taken to have no bound
ROOT, ONE = Fraction(1, 2), Quotient(constant(Fraction(1)), constant(Fraction(1)))
LEAST_LOG_GAMMA = -0.12148629053584961  # the minimum of log Gamma(x) for x > 0, rounded down


def bounds(expression: Recorded) -> Span:
    """Return numbers between which every finite value of an expression lies.

    Infinite where none is known.

    >>> import indicatrix as ix
    >>> from indicatrix.algebra.numbers.recorded_counts import record
    >>> formulas = "(tp - fp/4)/n", "5*fn + fp", "sqrt(tp/(tp+fn) * tn/(tn+fp))", "min(tp, fp)/(tp + fp)"
    >>> [bounds(record(ix.measure(text).function, {})) for text in formulas]
    [(-0.25, 1.0), (0.0, inf), (0.0, 1.0), (0.0, 0.5)]
    """
    known = _form(expression, {}).span
    cases = cases_of(expression)
    if len(cases) < 2:
        return known
    spans = [_span_of_case(case) for case in cases]
    return _intersect(known, (min(low for low, _ in spans), max(high for _, high in spans)))


def _span_of_case(case: Case) -> Span:
    """Return the bounds of one of the expressions that min, max and abs choose from, where it is chosen."""
    form = _form(case.expression, {})
    quotient = form.factor.oriented() if form.factor is not None and form.root == ONE else None
    if quotient is None:
        return form.span
    given = [*{tuple(sorted(p.items())): p for p in map(_polynomial, case.never_negative) if p}.values()]
    below = Quotient({p: -x for p, x in quotient.top.items()}, quotient.bottom)
    found = -_highest(below, given) + 0.0, _highest(quotient, given)
    return found if all(map(math.isfinite, found)) else _intersect(found, form.span)


def _polynomial(x: Recorded) -> Polynomial | None:
    """Return an expression as a polynomial of the counts; None if it is not one."""
    form = _form(x, {})
    whole = form.factor is not None and form.root == ONE and form.factor.bottom == ONE.bottom
    return form.factor.top if whole and form.factor is not None else None


@dataclass(frozen=True, eq=False)
class _Form:
    """An expression.

    As factor * sqrt(root), where it is of this form, and the bounds of its parts put together.
    """

    factor: Quotient | None
    root: Quotient
    together: Callable[[], Span]

    @cached_property
    def span(self) -> Span:
        """The bounds."""
        known = ALL if self.factor is None else _bounds_of_root(self.factor, self.root)
        return known if all(map(math.isfinite, known)) else _intersect(known, self.together())


def _form(x: Recorded, known: dict[int, _Form]) -> _Form:
    if id(x) not in known:
        known[id(x)] = _leaf(x) or _combine(x.operation, [_form(part, known) for part in x.operands])
    return known[id(x)]


def _leaf(x: Recorded) -> _Form | None:
    match x.operation:
        case "cell":
            return _Form(Quotient(cell(CELLS.index(x.operands[0])), ONE.bottom), ONE, lambda: (0.0, math.inf))
        case "constant":
            value = x.operands[0]
            if not math.isfinite(value):
                return _Form(None, ONE, lambda: ALL)
            exact = Fraction(str(value)) if isinstance(value, float) else Fraction(value)
            return _Form(Quotient(constant(exact), ONE.bottom), ONE, lambda: (as_float(exact), as_float(exact)))
        case "pi":
            return _Form(None, ONE, lambda: (math.pi, math.pi))
    return None


def _combine(operation: str, parts: list[_Form]) -> _Form:
    rule = RULES.get(operation)

    def together() -> Span:
        return ALL if rule is None else rule(*(part.span for part in parts))

    factor, root = _arithmetic(operation, parts)
    return _Form(factor, root, together)


def _arithmetic(operation: str, parts: list[_Form]) -> tuple[Quotient | None, Quotient]:
    """Return the result as a quotient times a root, if it is one."""
    none = None, ONE
    if any(part.factor is None for part in parts):
        return none
    a, *others = [(part.factor, part.root) for part in parts]
    match operation, others:
        case (("+" | "-"), [b]) if a[1] == b[1]:
            return a[0].plus(b[0], 1 if operation == "+" else -1), a[1]  # type: ignore[union-attr, arg-type]
        case "*", [b]:
            return _product(a, b)
        case "ratio", [b]:
            turned = b[0].inverse(), b[1].inverse()  # type: ignore[union-attr]
            return none if None in turned else _product(a, turned)
        case "neg", []:
            return Quotient({}, ONE.bottom).plus(a[0], -1), a[1]  # type: ignore[arg-type]
        case "sqrt", [] if a[1] == ONE:
            return ONE, a[0]  # type: ignore[return-value]
        case "pow", [b]:
            return _power(a, b)
    return none


def _product(a: Any, b: Any) -> tuple[Quotient | None, Quotient]:
    if a[1] == b[1]:  # sqrt(x) sqrt(x) is x wherever it is defined
        both = a[0].times(b[0])
        return None if both is None else both.times(a[1]), ONE
    root = a[1].times(b[1])
    return (None, ONE) if root is None else (a[0].times(b[0]), root)


def _power(base: Any, exponent: Any) -> tuple[Quotient | None, Quotient]:
    """Return the power of a whole number or of a half; others are not quotients."""
    to = exponent[0]
    known = {*to.top, *to.bottom} <= {(0, 0, 0, 0)} and exponent[1] == ONE
    power = next(iter(to.top.values()), Fraction(0)) / next(iter(to.bottom.values())) if known else Fraction(1, 3)
    if power == ROOT and base[1] == ONE:
        return ONE, base[0]
    if power.denominator != 1 or not 0 < abs(power) <= 8:
        return None, ONE
    if power < 0:
        base = (base[0].inverse(), base[1].inverse())
        if None in base:
            return None, ONE
    made: tuple[Quotient | None, Quotient] = base
    for _ in range(abs(power.numerator) - 1):
        made = _product(made, base)
        if made[0] is None:
            return None, ONE
    return made


def _bounds_of_root(factor: Quotient, root: Quotient) -> Span:
    """Return the bounds of factor * sqrt(root) that signs show."""
    if root == ONE:
        return _bounds_of_quotient(factor)
    both = factor.times(factor)
    square = None if both is None else both.times(root)
    if square is None:
        return ALL
    most = math.sqrt(max(_bounds_of_quotient(square)[1], 0.0))
    side = sign(factor.top) * sign(factor.bottom)
    return (0.0 if side > 0 else -most), (0.0 if side < 0 else most)


def _bounds_of_quotient(quotient: Quotient) -> Span:
    oriented = quotient.oriented()
    if oriented is None:
        return ALL
    below = Quotient({p: -x for p, x in oriented.top.items()}, oriented.bottom)
    return -_highest(below) + 0.0, _highest(oriented)


def _highest(quotient: Quotient, given: Sequence[Polynomial] = ()) -> float:
    """Return the least number that trials propose, and signs prove, to be no less than any value.

    Infinite without one. Only counts matter at which no polynomial of ``given`` is negative.
    """
    vectors = np.array(screen(), np.float64)
    with quiet():
        seen = values(quotient.top, vectors) / values(quotient.bottom, vectors)
    kept = np.isfinite(seen)
    for polynomial in given:
        kept &= values(polynomial, vectors) >= 0
    if not kept.any():
        return math.inf
    highest = float(seen[kept].max())
    if highest > UNBOUNDED:
        return math.inf
    for bound in _proposed(highest):
        if any(quotient.is_at_most(bound, less) for less in _sums(given, bound)):
            return as_float(bound)
    return math.inf


def _sums(given: Sequence[Polynomial], bound: Fraction) -> Iterator[Polynomial]:
    """Yield sums of polynomials that are never negative, with weights that proofs of a bound often need."""
    weights = sorted({Fraction(0), abs(bound), abs(1 - bound), 2 * abs(bound), Fraction(1)})
    few = len(given) <= MOST_GIVEN
    for chosen in product(weights, repeat=len(given)) if few else ((weight,) * len(given) for weight in weights):
        total: Polynomial = NOTHING
        for weight, polynomial in zip(chosen, given, strict=True):
            total = add(total, {p: weight * x for p, x in polynomial.items()})
        yield total


def _proposed(highest: float) -> list[Fraction]:
    """Return numbers that may be the least upper bound.

    The highest value, or the simple fraction that values approach.
    """
    near = Fraction(highest).limit_denominator(SIMPLE)
    simple = [near] if abs(near - Fraction(highest)) <= CLOSE * max(1.0, abs(highest)) else []
    return sorted({*simple, Fraction(highest), *map(Fraction, (-1, 0, 1))})  # a proof counts, however floats were rounded


def _intersect(a: Span, b: Span) -> Span:
    return max(a[0], b[0]), min(a[1], b[1])


def _times(a: float, b: float) -> float:
    return 0.0 if a == 0 or b == 0 else a * b


def _multiply(a: Span, b: Span) -> Span:
    ends = [_times(x, y) for x in a for y in b]
    return min(ends), max(ends)


def _divide(a: Span, b: Span) -> Span:
    low, high = b
    if low < 0 < high or low == high == 0:
        return ALL
    inverse = (1 / high if high else -math.inf, 1 / low if low else math.inf)  # 1/inf is 0
    return _multiply(a, inverse)


def _raise(a: Span, b: Span) -> Span:
    """Return the bounds of a power; a base that may be negative only to a whole number."""
    if b[0] == b[1] and b[0] == int(b[0] if math.isfinite(b[0]) else 0):
        return _whole_power(a, int(b[0]))
    if a[1] < 0:
        return ALL
    base = (max(a[0], 0.0), a[1])
    ends = [_of_two(x, y) for x in base for y in b]
    return (0.0, math.inf) if any(map(math.isnan, ends)) else (min(ends), max(ends))


def _whole_power(a: Span, k: int) -> Span:
    if k < 0:
        return _divide((1.0, 1.0), _whole_power(a, -k))
    ends = [_of_two(x, float(k)) for x in a]
    if any(map(math.isnan, ends)):
        return ALL
    return (0.0 if k and k % 2 == 0 and a[0] < 0 < a[1] else min(ends), max(ends))


def _of_two(x: float, y: float) -> float:
    """Return x**y, infinite where it is too large and nan where it has no limit."""
    try:
        return float(x**y)
    except OverflowError:
        return math.inf if x > 0 or y % 2 == 0 else -math.inf
    except ZeroDivisionError:
        return math.inf


def _rising(function: Callable[[float], float], low: float = -math.inf, high: float = math.inf) -> Callable[[Span], Span]:
    """Return the rule of a function that only rises, where it is defined from ``low`` to ``high``."""

    def rule(a: Span) -> Span:
        if a[1] < low or a[0] > high:
            return ALL  # it is never defined
        return function(max(a[0], low)), function(min(a[1], high))

    return rule


def _logarithm(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf


def _exponential(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _absolute(a: Span) -> Span:
    ends = sorted(map(abs, a))
    return (0.0 if a[0] <= 0 <= a[1] else ends[0]), ends[1]


def _either(_: Span, yes: Span, no: Span) -> Span:
    return min(yes[0], no[0]), max(yes[1], no[1])


RULES: dict[str, Callable[..., Span]] = {
    "+": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "-": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "neg": lambda a: (-a[1], -a[0]),
    "*": _multiply,
    "ratio": _divide,
    "pow": _raise,
    "abs": _absolute,
    "min": lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    "max": lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
    "select": _either,
    "sqrt": _rising(math.sqrt, 0.0),
    "log": _rising(_logarithm, 0.0),
    "log1p": _rising(lambda x: _logarithm(1 + x), -1.0),
    "exp": _rising(_exponential),
    "asin": _rising(math.asin, -1.0, 1.0),
    "sin": lambda a: (-1.0, 1.0),
    "cos": lambda a: (-1.0, 1.0),
    "log_gamma": lambda a: (LEAST_LOG_GAMMA, math.inf),
    "log_table_chance": lambda *_: (-math.inf, 0.0),
    **dict.fromkeys(("<", "<=", ">", ">=", "=="), lambda a, b: (0.0, 1.0)),
}
