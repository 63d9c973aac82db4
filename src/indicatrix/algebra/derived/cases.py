"""Cases of an expression: min(a, b) is a where b - a is not negative, and b where a - b is not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

from ..numbers.recorded_counts import Recorded

MOST = 32  # cases; an expression with more is not taken apart


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
    if math.prod(map(len, ways)) > MOST:
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
    return found if len(found) <= MOST else []


def _choices(operation: str, a: Case, b: Case) -> list[Case]:
    known = (*a.never_negative, *b.never_negative)
    above, below = b.expression - a.expression, a.expression - b.expression
    first, second = (above, below) if operation == "min" else (below, above)
    return [Case(a.expression, (*known, first)), Case(b.expression, (*known, second))]


def _apply(x: Recorded, parts: tuple[Case, ...]) -> Case:
    made = Recorded(x.operation, *(part.expression for part in parts), whole=x.whole)
    return Case(made, tuple(given for part in parts for given in part.never_negative))
