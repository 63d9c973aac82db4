"""The gap between micro and macro: how much of it is skew, how much is curvature (sec:gap_decomposition)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from ..algebra.average import PLURALS, as_weight, combine
from ..algebra.counts import Counts
from ..algebra.evidence import Evidence
from ..algebra.linear import Vector, count_vectors, dot
from ..algebra.measure import Measure
from ..algebra.names import find
from .exact import defined, digits, exactly, order

NATURAL = (  # tried in this order; the last one serves every measure that does not change when all counts are scaled
    ("recall", "specificity"),
    ("precision", "negative_predictive_value"),
    ("precision", "recall"),
    ("recall", "specificity", "prevalence"),
)
STEP = Fraction(1, 10**11)  # of the differences that stand for derivatives: with fifty digits they are right to about thirty
RESOLVED = Fraction(1, 10**24)  # a remainder smaller than this, relative to its terms, is rounding
MANY, GRID = 500, 10**120  # sums over more units round each value to the grid, or their denominators would grow without end

Point = tuple[Fraction, ...]


@dataclass(frozen=True)
class Gap:
    """Micro minus macro, and the terms that add up to it: gap = skew + curvature + second_order + residual (cor:gap, errata A18).

    Each term is a contribution, with its sign: curvature is -1/2 tr(H Var), so it is positive where the measure is concave in
    its parts. The terms are nan where the gap is undefined and None where no expansion exists; ``note`` then says why.
    """

    micro: float
    macro: float
    gap: float
    skew: float | None = None
    curvature: float | None = None
    second_order: float | None = None
    residual: float | None = None
    parts: tuple[Measure, ...] = ()  # the decomposable measures that this one is a function of
    weights: Mapping[Measure, tuple[float, ...]] | None = None  # for each part, the share of each unit in its pooled value
    units: tuple[Any, ...] = ()  # those with a value, in the order of the weights
    lost: tuple[Any, ...] = ()  # those without
    lost_effect: float = 0.0  # what of the residual the counts of lost units bring about: they are in micro all the same
    measure: Measure | None = None
    per: tuple[str, ...] = ()
    note: str = ""

    def __str__(self) -> str:
        axis = " × ".join(PLURALS.get(a, a) for a in self.per)
        lines = [f"{self.measure}, micro minus mean over {axis}: {self.micro:.6g} - {self.macro:.6g} = {self.gap:+.6g}"]
        meaning = {
            "skew": f"units that weigh more {'raise' if (self.skew or 0) > 0 else 'lower'} the pooled value",
            "curvature": "the mean of a curved function is not the function of the mean",
            "second_order": "curvature along the skew",
            "residual": "what these terms leave, of third order and beyond",
        }
        if self.skew == 0:
            meaning["skew"] = "weights and values of the units are uncorrelated"
        for term, words in meaning.items():
            value = getattr(self, term)
            if value is not None and (value or term in ("skew", "residual")):
                lines.append(f"  {term.replace('_', ' '):<13}{value:+.6g}  {words}")
        return "\n".join([*lines, *([f"  {self.note}"] if self.note else [])])


def gap(source: Any, measure: str | Measure, per: str | tuple[str, ...] = "class", *, parts: Iterable[Any] | None = None) -> Gap:
    """Return micro minus macro and what it is made of (cor:gap, rem:gap_general, errata A18).

    Macro is the plain mean over the defined units of the axes in ``per``. A decomposable measure has a skew term only,
    Cov(w, M)/mean(w) of its denominators w (over the defined units, errata B3); any other that does not change when all counts
    are scaled is expanded about the means of decomposable ``parts``, which are found unless named.

    >>> import indicatrix as ix
    >>> g = gap(ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]]), "g_mean")
    >>> round(g.gap, 8), round(g.skew, 8), round(g.curvature, 8), g.parts
    (0.03273015, 0.02501667, 0.00777682, (recall, specificity))
    """
    found = find(measure)
    if found.averages:
        raise ValueError(f"{found} exists only as average={found.averages[0]!r}, so there is no pooled value to compare it with.")
    counts = source.aggregate(per)
    if not counts.per:
        raise ValueError("per=() keeps no axis, so there are no units to average over. Name one, such as per='class'.")
    chosen = natural_parts(found) if parts is None else _checked(found, parts)
    micro = float(found.values(source.aggregate(())))
    macro = combine(found.values(counts), None if counts.times is None else as_weight(counts.times), "exclude")
    return _gap(found, _Units.of(counts, found), chosen, (micro if math.isfinite(micro) else math.nan, macro))


def _gap(measure: Measure, units: _Units, parts: tuple[Measure, ...], scores: tuple[float, float]) -> Gap:
    """Return the gap in exact arithmetic; the two scores are only shown, as everywhere else in the library."""
    facts: dict[str, Any] = {"measure": measure, "per": units.per, "units": units.kept.names, "lost": units.lost}
    shares = _shares(units.kept.times)
    if shares is None or not defined(units.pooled):
        reason = "the pooled counts have no value" if shares is not None else "the weights of the units add to zero"
        reason = reason if units.kept.names else "no unit has a value"
        nan = math.nan
        return Gap(*scores, nan, nan, nan, nan, nan, **facts, note=f"Undefined: {reason}.")
    micro, macro = _fraction(units.pooled), _mean([_fraction(x) for x in units.kept.values], shares)
    facts |= {"parts": parts}
    if not parts:
        note = f"No terms: {measure} changes when all counts are multiplied by one number, so it is no function of rates."
        return Gap(*scores, float(micro - macro), **facts, note=note)
    expanded = _expand(measure, parts, units.kept.cells, shares)
    if isinstance(expanded, str):
        return Gap(*scores, float(micro - macro), **facts, note=f"No terms: {expanded}")
    skew, curvature, second_order, weights = expanded
    facts["weights"] = {p: tuple(map(float, w)) for p, w in zip(parts, weights, strict=True)}
    without = exactly(measure)(*_pooled(units.kept.cells, units.kept.times)) if units.lost else units.pooled
    facts["lost_effect"] = float(micro - _fraction(without)) if defined(without) else math.nan
    if facts["lost_effect"]:
        facts["note"] = (
            f"The counts of units without a value are in micro all the same: {facts['lost_effect']:+.6g} of the residual."
        )
    rest = micro - macro - skew - curvature - second_order
    if abs(rest) <= RESOLVED * max(map(abs, (micro - macro, skew, curvature, second_order))):
        rest = Fraction(0)
    terms = float(skew), float(curvature), float(second_order), float(rest)
    return Gap(*scores, float(micro - macro), *terms, **facts)


@dataclass(frozen=True)
class _Kept:
    """The units that have a value."""

    names: tuple[Any, ...]
    cells: list[Vector]
    times: list[Fraction]
    values: list[Any]


@dataclass(frozen=True)
class _Units:
    """The units of some axes in exact numbers: those with a value, the names of those without, and the value of all together."""

    per: tuple[str, ...]
    kept: _Kept
    lost: tuple[Any, ...]
    pooled: Any

    @staticmethod
    def of(counts: Counts, measure: Measure) -> _Units:
        cells = [tuple(map(Fraction, v)) for v in zip(*map(_plain, counts), strict=True)]
        times = [Fraction(1)] * len(cells) if counts.times is None else [*map(Fraction, _plain(counts.times))]
        names = list(counts.names[0]) if len(counts.names) == 1 else list(product(*counts.names))
        value = exactly(measure)
        values = [value(*v) for v in cells]
        here = [i for i, x in enumerate(values) if times[i] and defined(x)]
        kept = _Kept(tuple(names[i] for i in here), [cells[i] for i in here], [times[i] for i in here], [values[i] for i in here])
        lost = tuple(names[i] for i, x in enumerate(values) if times[i] and not defined(x))
        return _Units(counts.per, kept, lost, value(*_pooled(cells, times)))


def _plain(x: Any) -> list[Any]:
    """Return an array as a flat list of Python numbers."""
    flat: list[Any] = (x if isinstance(x, np.ndarray) else as_weight(x)).ravel().tolist()
    return flat


def _pooled(cells: Sequence[Vector], times: Sequence[Fraction]) -> Vector:
    return tuple(sum((t * v[i] for v, t in zip(cells, times, strict=True)), Fraction(0)) for i in range(4))


def _shares(times: Sequence[Fraction]) -> list[Fraction] | None:
    total = sum(times, Fraction(0))
    return [t / total for t in times] if total else None


def _fraction(x: Any) -> Fraction:
    """Return a finite exact value, or one of many digits, as a fraction."""
    if isinstance(x, Fraction):
        return x
    from mpmath.libmp import to_rational

    return Fraction(*map(int, to_rational(x._mpf_)))


def _mean(values: Sequence[Fraction], shares: Sequence[Fraction]) -> Fraction:
    products = [x * s for x, s in zip(values, shares, strict=True)]
    if len(products) > MANY:
        products = [Fraction(round(x * GRID), GRID) for x in products]
    while len(products) > 1:  # in pairs, because denominators grow with every sum
        products = [sum(products[i : i + 2], Fraction(0)) for i in range(0, len(products), 2)]
    return products[0]


@lru_cache(maxsize=512)
def natural_parts(measure: Measure) -> tuple[Measure, ...]:
    """Return the decomposable measures of which this one is a function: itself, or two or three rates; () if there are none.

    >>> import indicatrix as ix
    >>> natural_parts(ix.markedness), natural_parts(ix.mcc), natural_parts(ix.chi_squared)
    ((precision, negative_predictive_value), (recall, specificity, prevalence), ())
    """
    if measure.decomposition is not None:
        return (measure,)
    for names in NATURAL:
        parts = tuple(map(find, names))
        if function_of(measure, parts):
            return parts
    return ()


def function_of(measure: Measure, parts: Sequence[Measure]) -> Evidence:
    """Return whether the measure is determined by these decomposable measures, where they are defined (rem:gap_general).

    Exactly: on random counts, its value is that of other counts on which the parts have the same values.

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
        if defined(x) != defined(y) or (defined(x) and order(x, y)):
            return Evidence(False, witness=(v, other, x, y))
        seen += [x, y] if defined(x) else []
    note = "" if seen else f"{measure} and {', '.join(map(str, parts))} have no common counts on which they are defined."
    return Evidence(bool(seen) or None, trials=len(seen) // 2, digits=digits(seen), note=note)


def _checked(measure: Measure, names: Iterable[Any]) -> tuple[Measure, ...]:
    parts = tuple(find(x) for x in ([names] if isinstance(names, str | Measure) else names))
    if not 1 <= len(parts) <= 3 or len(set(parts)) < len(parts):
        raise ValueError(f"parts={parts} must name one, two or three different measures; three determine all counts up to scale.")
    for part in parts:
        if part.decomposition is None:
            raise ValueError(f"{part} cannot be a part: it is not a ratio of two linear forms in the counts (def:decomposable).")
    found = function_of(measure, parts)
    if not found:
        raise ValueError(
            f"{measure} is not a function of {', '.join(map(str, parts))}: {found}. Leave parts out to have them found."
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
    """Return counts on which the parts have the values u: those nearest to four equal counts; None where u does not fix them."""
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


def _expand(measure: Measure, parts: tuple[Measure, ...], cells: list[Vector], shares: list[Fraction]) -> Any:
    """Return skew, curvature, second order and each part's weights of the units; or, as text, why there are none."""
    names = ", ".join(map(str, parts))
    points = [_point(parts, v) for v in cells]
    weights = [_shares([s * dot(_forms(p)[1], v) for v, s in zip(cells, shares, strict=True)]) for p in parts]
    if None in points or None in weights:
        everywhere = "('russell_rao', 'prevalence', 'coverage')"
        return f"{names} are not all defined where {measure} is. parts={everywhere} are, wherever there are entries."
    columns = [[p[k] for p in points if p is not None] for k in range(len(parts))]
    means = tuple(_mean(u, shares) for u in columns)
    skew = tuple(_mean(u, w) - mean for u, w, mean in zip(columns, weights, means, strict=True) if w is not None)
    away = [[x - mean for x in u] for u, mean in zip(columns, means, strict=True)]
    covariance = [[_mean([x * y for x, y in zip(a, b, strict=True)], shares) for b in away] for a in away]
    g = _as_function(measure, parts)
    along = _derivatives(g, means, skew)
    across = [(scale, _derivatives(g, means, direction)) for scale, direction in _directions(covariance)]
    if along is None or any(bend is None for _, bend in across):
        return f"{measure} is not twice differentiable at the means of {names}."
    trace = sum((scale * bend[1] for scale, bend in across if bend is not None), Fraction(0))
    return along[0], -trace / 2, along[1] / 2, weights


def _as_function(measure: Measure, parts: tuple[Measure, ...]) -> Callable[[Point], Fraction | None]:
    """Return g with M = g(parts); None where it is undefined."""
    if parts == (measure,):
        return lambda u: u[0]
    value = exactly(measure)

    def g(u: Point) -> Fraction | None:
        v = _counts_at(parts, u)
        x = math.nan if v is None else value(*v)
        return _fraction(x) if defined(x) else None

    return g


def _derivatives(g: Callable[[Point], Fraction | None], at: Point, along: Point) -> tuple[Fraction, Fraction] | None:
    """Return the first and second derivative of g along a direction; None where g is undefined or has a kink."""
    if not any(along):
        return Fraction(0), Fraction(0)  # also at the border of where g is defined
    around = [g(tuple(x + k * STEP * y for x, y in zip(at, along, strict=True))) for k in (-2, -1, 0, 1, 2)]
    if None in around:
        return None
    far_down, down, here, up, far_up = (x for x in around if x is not None)
    near, far = up + down - 2 * here, far_up + far_down - 2 * here
    if abs(4 * near - far) > STEP * max(STEP, abs(near)):  # twice as far is four times as much, unless there is a kink
        return None
    return (8 * (up - down) - (far_up - far_down)) / (12 * STEP), (16 * near - far) / (12 * STEP**2)


def _directions(covariance: list[list[Fraction]]) -> list[tuple[Fraction, Point]]:
    """Return (d, l) such that the covariance is the sum of all d l l': directions in which the units do differ, and no others."""
    rest, found = [row[:] for row in covariance], []
    for k in range(len(rest)):
        pivot, column = rest[k][k], [row[k] for row in rest]
        if pivot == 0:
            continue  # so is its column: a part that does not vary does not covary
        direction = tuple(x / pivot for x in column)
        found.append((pivot, direction))
        rest = [[x - pivot * a * b for x, b in zip(row, direction, strict=True)] for row, a in zip(rest, direction, strict=True)]
    return found
