"""Linear-fractional form: M(v) = <a, v> / <b, v>, decided exactly (def:decomposable, errata A8)."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

Vector = tuple[Fraction, ...]


@lru_cache(maxsize=512)
def linear_fractional(formula: Callable[..., Any], params: tuple[tuple[str, Any], ...]) -> tuple[Vector, Vector] | None:
    """Return the exact coefficients (a, b), or None if the formula has no such form.

    The formula is evaluated on rational count vectors of varying total, zero cells included; the equations
    M(v)<b, v> = <a, v> give the candidates, and a candidate counts only if it reproduces M on fresh vectors with
    <b, v> not zero wherever M is defined: without that, subset accuracy would pass.

    >>> a, b = linear_fractional(lambda tp, fp, fn, tn: 2 * tp / (2 * tp + fp + fn), ())
    >>> [str(x) for x in b]
    ['1', '1/2', '1/2', '0']
    """
    exact = {name: Fraction(value) for name, value in params}

    def value(v: Vector) -> Fraction | None:
        m = formula(*v, **exact)
        return m if isinstance(m, Fraction) else Fraction(m) if isinstance(m, int) else None

    equations = []
    for v in count_vectors(40, seed=0):
        m = value(v)
        if m is None and all(v):
            return None  # irrational, or undefined although no cell is empty
        if m is not None:
            equations.append([*v, *(-m * x for x in v)])
    solutions = _null_space(equations)
    if len(solutions) == 4:  # a constant satisfies the equations for every denominator: take n
        solutions = [_constant(value)]
    if len(solutions) != 1:
        return None
    lead = next((x for x in solutions[0][4:] if x), None)
    if lead is None:
        return None
    scaled = tuple(x / lead for x in solutions[0])
    a, b = scaled[:4], scaled[4:]
    for v in count_vectors(60, seed=1):
        m, den = value(v), dot(b, v)
        if m is not None and (den == 0 or dot(a, v) / den != m):
            return None
    return a, b


def dot(a: Vector, v: Vector) -> Fraction:
    """Return the scalar product."""
    return sum((x * y for x, y in zip(a, v, strict=True)), Fraction(0))


def count_vectors(size: int, seed: int) -> list[Vector]:
    """Return random count vectors: generic ones of very different totals, then ones with empty cells."""
    rng = random.Random(seed)
    vectors = []
    for i in range(size):
        top = rng.choice((9, 97, 9973))
        v = [Fraction(rng.randint(1, top)) for _ in range(4)]
        if i % 3 == 2:
            for cell in rng.choice(((0,), (1,), (2,), (3,), (1, 2), (0, 3), (1, 3))):
                v[cell] = Fraction(0)
        vectors.append(tuple(v))
    return vectors


def _constant(value: Callable[[Vector], Fraction | None]) -> list[Fraction]:
    m = value((Fraction(1),) * 4) or Fraction(0)
    return [m] * 4 + [Fraction(1)] * 4


def _null_space(rows: list[list[Fraction]]) -> list[list[Fraction]]:
    """Return a basis of the null space by Gauss–Jordan elimination over the rationals."""
    rows = [row[:] for row in rows]
    width = 8
    pivots: list[int] = []
    for column in range(width):
        top = len(pivots)
        found = next((i for i in range(top, len(rows)) if rows[i][column]), None)
        if found is None:
            continue
        rows[top], rows[found] = rows[found], rows[top]
        rows[top] = [x / rows[top][column] for x in rows[top]]
        for i, row in enumerate(rows):
            if i != top and row[column]:
                rows[i] = [x - row[column] * y for x, y in zip(row, rows[top], strict=True)]
        pivots.append(column)
    basis = []
    for free in (c for c in range(width) if c not in pivots):
        solution = [Fraction(0)] * width
        solution[free] = Fraction(1)
        for i, column in enumerate(pivots):
            solution[column] = -rows[i][free]
        basis.append(solution)
    return basis
