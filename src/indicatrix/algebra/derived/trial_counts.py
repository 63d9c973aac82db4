"""Count vectors on which formulas are tried.

All small ones, random shares, and cells of very different size.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from ..arrays import Array, quiet

CountVector = tuple[int, ...]
SMALL, MIXED, LARGE = (0, 1, 2, 3, 5, 17), 600, tuple(10**k for k in (3, 6, 9, 12))
MODERATE = len(SMALL) ** 4 + 2 * MIXED  # the first ones, whose cells are small enough for a step of one to show
MOST = 8  # every vector of cells up to this number is tried where a direction or a range is derived


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
