"""A measure as a function of decomposable measures, and its expansion about their means.

The expansion is described in rem:gap_general and errata A18.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ...algebra.evidence import Evidence
from ...algebra.measure import Measure
from ...algebra.measure_names import find
from ...algebra.numbers.exact import digits, exactly, fraction_of, is_defined, order
from ...algebra.numbers.linear_fractional import Vector, count_vectors, dot

NATURAL = (  # tried in this order; the last one serves every measure that does not change when all counts are scaled
    ("recall", "specificity"),
    ("precision", "negative_predictive_value"),
    ("precision", "recall"),
    ("recall", "specificity", "prevalence"),
)
STEP = Fraction(1, 10**11)  # of the differences that replace derivatives: with fifty digits they are right to about thirty
MANY, GRID = (
    500,
    10**120,
)  # sums over more units round each value to the grid; otherwise their denominators would grow without limit

Point = tuple[Fraction, ...]


@lru_cache(maxsize=512)
def natural_parts(measure: Measure) -> tuple[Measure, ...]:
    """Return decomposable measures that determine this one; () if they do not exist.

    They are the measure itself, or two or three rates.

    >>> import indicatrix as ix
    >>> print(*natural_parts(ix.measures.markedness), *natural_parts(ix.mcc), *natural_parts(ix.measures.chi_squared))
    precision negative_predictive_value recall specificity prevalence
    """
    if measure.decomposition is not None:
        return (measure,)
    for names in NATURAL:
        parts = tuple(map(find, names))
        if function_of(measure, parts):
            return parts
    return ()


def function_of(measure: Measure, parts: Sequence[Measure]) -> Evidence:
    """Return whether these decomposable measures determine the measure, where they are defined.

    It is tested exactly: two count vectors on which the parts have the same values have the same value.

    >>> import indicatrix as ix
    >>> bool(function_of(ix.g_mean, [ix.recall, ix.specificity])), bool(function_of(ix.mcc, [ix.recall, ix.specificity]))
    (True, False)
    """
    value, seen = exactly(measure), []
    for v in count_vectors(45, seed=2):
        u = _point(parts, v)
        other = None if u is None else _counts_at(parts, u)
        if other is None:
            continue
        x, y = value(*v), value(*other)
        if is_defined(x) != is_defined(y) or (is_defined(x) and order(x, y)):
            return Evidence(False, witness=(v, other, x, y))
        seen += [x, y] if is_defined(x) else []
    note = "" if seen else f"{measure} and {', '.join(map(str, parts))} are never defined on the same counts."
    return Evidence(bool(seen) or None, trials=len(seen) // 2, digits=digits(seen), note=note)


def check_parts(measure: Measure, names: Iterable[Any]) -> tuple[Measure, ...]:
    """Return the named parts; refuse those that do not allow an expansion."""
    parts = tuple(find(x) for x in ([names] if isinstance(names, str | Measure) else names))
    if not 1 <= len(parts) <= 3 or len(set(parts)) < len(parts):
        raise ValueError(f"parts={parts} must name one, two or three different measures. Three determine all counts up to scale.")
    for part in parts:
        if part.decomposition is None:
            raise ValueError(f"{part} cannot be a part: it is not a ratio of two linear forms in the counts, such as recall.")
    found = function_of(measure, parts)
    if not found:
        raise ValueError(
            f"{measure} is not a function of {', '.join(map(str, parts))}: {found}. Leave out parts= and they are found."
        )
    return parts


def _forms(part: Measure) -> tuple[Vector, Vector]:
    assert part.decomposition is not None
    return part.decomposition


def _point(parts: Sequence[Measure], v: Vector) -> Point | None:
    """Return the values of the parts, or None where one is undefined."""
    pairs = [(dot(a, v), dot(b, v)) for a, b in map(_forms, parts)]
    return tuple(x / y for x, y in pairs) if all(y for _, y in pairs) else None


def _counts_at(parts: Sequence[Measure], u: Point) -> Vector | None:
    """Return the counts nearest to four equal ones on which the parts have the values u.

    None where u does not determine them.
    """
    rows = [tuple(x - t * y for x, y in zip(*_forms(part), strict=True)) for part, t in zip(parts, u, strict=True)]
    # The part of (1, 1, 1, 1) that is orthogonal to all rows, by Gram and Schmidt.
    nearest: Vector = (Fraction(1),) * 4
    basis = list[Vector]()
    for row in rows:
        for b in basis:
            row = _less(row, b)
        if not any(row):
            return None
        basis.append(row)
        nearest = _less(nearest, row)
    return nearest if any(nearest) else None


def _less(v: Vector, b: Vector) -> Vector:
    factor = dot(v, b) / dot(b, b)
    return tuple(x - factor * y for x, y in zip(v, b, strict=True))


@dataclass(frozen=True)
class Expansion:
    """The terms of micro minus macro up to second order, and the weights of the units.

    The weights are the share of each unit in the pooled value of each part.
    """

    skew: Fraction
    curvature: Fraction
    second_order: Fraction
    weights: list[list[Fraction]]


def expand(measure: Measure, parts: tuple[Measure, ...], cells: Sequence[Vector], shares: Sequence[Fraction]) -> Expansion | str:
    """Return the expansion about the means of the parts over these units, or a text that says why not.

    >>> import indicatrix as ix
    >>> units = [(Fraction(3), Fraction(1), Fraction(1), Fraction(5)), (Fraction(1), Fraction(2), Fraction(1), Fraction(6))]
    >>> expand(ix.recall, (ix.recall,), units, [Fraction(1, 2)] * 2).skew
    Fraction(1, 24)
    """
    names = ", ".join(map(str, parts))
    points = [_point(parts, v) for v in cells]
    found = [shares_of([s * dot(_forms(p)[1], v) for v, s in zip(cells, shares, strict=True)]) for p in parts]
    weights = [w for w in found if w is not None]
    if None in points or None in found:
        everywhere = "('russell_rao', 'prevalence', 'coverage')"
        return f"{names} are not all defined where {measure} is. Use parts={everywhere}, which are always defined."
    columns = [[p[k] for p in points if p is not None] for k in range(len(parts))]
    means = tuple(mean_of(u, shares) for u in columns)
    skew = tuple(mean_of(u, w) - mean for u, w, mean in zip(columns, weights, means, strict=True))
    away = [[x - mean for x in u] for u, mean in zip(columns, means, strict=True)]
    covariance = [[mean_of([x * y for x, y in zip(a, b, strict=True)], shares) for b in away] for a in away]
    g = _as_function(measure, parts)
    along = _derivatives(g, means, skew)
    across = [(scale, _derivatives(g, means, direction)) for scale, direction in _directions(covariance)]
    if along is None or any(bend is None for _, bend in across):
        return f"{measure} is not twice differentiable at the means of {names}."
    trace = sum((scale * bend[1] for scale, bend in across if bend is not None), Fraction(0))
    return Expansion(along[0], -trace / 2, along[1] / 2, weights)


def _as_function(measure: Measure, parts: tuple[Measure, ...]) -> Callable[[Point], Fraction | None]:
    """Return g with M = g(parts); None where it is undefined."""
    if parts == (measure,):
        return lambda u: u[0]
    value = exactly(measure)

    def g(u: Point) -> Fraction | None:
        v = _counts_at(parts, u)
        x = math.nan if v is None else value(*v)
        return fraction_of(x) if is_defined(x) else None

    return g


def _derivatives(g: Callable[[Point], Fraction | None], at: Point, along: Point) -> tuple[Fraction, Fraction] | None:
    """Return two derivatives of g along a direction; None where g is undefined or has a kink."""
    if not any(along):
        return Fraction(0), Fraction(0)  # also at the border of where g is defined
    around = [g(tuple(x + k * STEP * y for x, y in zip(at, along, strict=True))) for k in (-2, -1, 0, 1, 2)]
    if None in around:
        return None
    far_down, down, here, up, far_up = (x for x in around if x is not None)
    near, far = up + down - 2 * here, far_up + far_down - 2 * here
    if abs(4 * near - far) > STEP * max(
        STEP, abs(near)
    ):  # at twice the distance the difference is four times as large, unless there is a kink
        return None
    return (8 * (up - down) - (far_up - far_down)) / (12 * STEP), (16 * near - far) / (12 * STEP**2)


def _directions(covariance: list[list[Fraction]]) -> list[tuple[Fraction, Point]]:
    """Return pairs (d, l) such that the covariance is the sum of all d l l'.

    These are only the directions in which the units differ.
    """
    rest, found = [row[:] for row in covariance], []
    for k in range(len(rest)):
        pivot, column = rest[k][k], [row[k] for row in rest]
        if pivot == 0:
            continue  # then its column is zero, too: a part that does not vary has no covariances
        direction = tuple(x / pivot for x in column)
        found.append((pivot, direction))
        rest = [[x - pivot * a * b for x, b in zip(row, direction, strict=True)] for row, a in zip(rest, direction, strict=True)]
    return found


def shares_of(weights: Sequence[Fraction]) -> list[Fraction] | None:
    """Return weights divided by their sum; None where that is zero."""
    total = sum(weights, Fraction(0))
    return [w / total for w in weights] if total else None


def mean_of(values: Sequence[Fraction], shares: Sequence[Fraction]) -> Fraction:
    """Return the mean of one or more values with shares that add to one.

    It is exact, or right to 120 places for many values.
    """
    products = [x * s for x, s in zip(values, shares, strict=True)]
    if len(products) > MANY:
        products = [Fraction(round(x * GRID), GRID) for x in products]
    while len(products) > 1:  # in pairs, because denominators grow with every sum
        products = [sum(products[i : i + 2], Fraction(0)) for i in range(0, len(products), 2)]
    return products[0]
