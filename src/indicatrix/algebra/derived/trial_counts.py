"""Count vectors on which formulas are tried, and the cases into which comparisons divide a formula.

The vectors are all small ones, random shares, and cells of very different size.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from ..arrays import Array, quiet
from ..numbers.recorded_counts import Recorded

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
