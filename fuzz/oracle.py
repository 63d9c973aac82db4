"""The oracle: the counts of literal rows, and their scores by the definitions, all in fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from mpmath import mp
from mpmath.libmp import to_rational

from .definitions import DEFINITIONS, Exact, Table

DIGITS = 60  # of irrational values
Vector = tuple[Fraction, ...]  # tp, fp, fn, tn
Value = Fraction | None  # None: undefined, or infinite
Name = str | tuple[str, ...]  # of an average
Undefined = str | int | float


class UndefinedScoreError(Exception):
    """What the oracle raises where ``undefined="raise"`` has to raise."""


@dataclass(frozen=True)
class Row:
    """One example: columns of its labels, observed columns, its weight, its group along each axis."""

    true: frozenset[int]
    pred: frozenset[int]
    seen: tuple[bool, ...]
    weight: Fraction
    groups: Mapping[str, Any]


@dataclass(frozen=True)
class Rows:
    """All examples of a problem, and the column of the positive class.

    The column is None without a positive class, and -1 if the positive class does not occur.
    """

    rows: tuple[Row, ...]
    m: int
    positive: int | None = None

    def counts(self, columns: Iterable[int]) -> Vector:
        """Return the weighted counts of these columns."""
        four, columns = [Fraction(0)] * 4, list(columns)
        for row in self.rows:
            for j in columns:
                if row.seen[j] if j >= 0 else any(row.seen):
                    four[(j not in row.true) + 2 * (j not in row.pred)] += row.weight
        return tuple(four)

    def of(self, **groups: Any) -> Rows:
        """Return the examples of a group of each of these axes."""
        return replace(self, rows=tuple(r for r in self.rows if all(r.groups[a] == name for a, name in groups.items())))

    def names(self, axis: str) -> list[Any]:
        """Return the groups of an axis, in order."""
        return sorted({row.groups[axis] for row in self.rows})


@dataclass(frozen=True)
class Definition:
    """A measure as the literature defines it: name, parameters, and weights under "denominator"."""

    name: str
    params: Mapping[str, Any]
    denominator: Callable[[Vector], Fraction] | None = None

    def value(self, v: Vector) -> Value:
        """Return the exact value of the definition, irrational ones to sixty digits."""
        params = {name: exact(Fraction(str(x))) for name, x in self.params.items()}
        with mp.workdps(DIGITS):
            return fraction(DEFINITIONS[self.name](Table(*map(exact, v)), **params))


def exact(x: Fraction) -> Any:
    """Return a fraction as a number that the definitions calculate with."""
    return x.numerator if x.denominator == 1 else Exact(x.numerator, x.denominator)


def fraction(x: Any) -> Value:
    """Return a value of a definition as a fraction, None where it is not finite."""
    if isinstance(x, Exact):
        return Fraction(x.top, x.bottom)
    if isinstance(x, int):
        return Fraction(x)
    return Fraction(*map(int, to_rational(x._mpf_))) if hasattr(x, "_mpf_") and mp.isfinite(x) else None


def score(rows: Rows, measure: Definition, average: Name, undefined: Undefined) -> Value:
    """Return the score under an average and a convention; None where it is undefined."""
    if isinstance(average, tuple):
        return _score_groups(rows, measure, average, undefined)
    if average in ("micro", "binary"):
        columns = range(rows.m) if average == "micro" else [rows.positive or 0]
        return mean([(measure.value(rows.counts(columns)), Fraction(1))], undefined)
    return mean([(measure.value(v), w) for v, w in units(rows, measure, average) if any(v)], undefined)


def units(rows: Rows, measure: Definition, average: str) -> list[tuple[Vector, Fraction]]:
    """Return counts and weight of each unit of an average: classes, examples, or groups of an axis."""
    if average == "exemplar":
        return [(replace(rows, rows=(replace(row, weight=Fraction(1)),)).counts(range(rows.m)), row.weight) for row in rows.rows]
    if average in ("macro", "weighted", "denominator"):
        four = [rows.counts([j]) for j in range(rows.m)]
        if average == "macro":
            return [(v, Fraction(1)) for v in four]
        weight = measure.denominator if average == "denominator" else lambda v: v[0] + v[2]
        assert weight is not None
        return [(v, weight(v)) for v in four]
    columns = range(rows.m) if rows.positive is None else [rows.positive]
    return [(rows.of(**{average: name}).counts(columns), Fraction(1)) for name in rows.names(average)]


AVERAGES_OF_ALL_CLASSES = ("micro", "macro", "weighted", "denominator", "exemplar")


def _score_groups(rows: Rows, measure: Definition, average: tuple[str, ...], undefined: Undefined) -> Value:
    axis, *rest = average
    inside, found = rest[0] if len(rest) == 1 else tuple(rest), []
    # Where only the positive class is read, a group of which this class was not observed counts nowhere.
    one = rows.positive is not None and rest[-1] not in AVERAGES_OF_ALL_CLASSES
    for name in rows.names(axis):
        part = rows.of(**{axis: name})
        seen = any(part.counts([rows.positive or 0] if one else range(rows.m)))
        how = "nan" if undefined == "raise" and not seen else undefined
        found.append((score(part, measure, inside, how), Fraction(seen)))
    return mean(found, undefined)


def mean(values: list[tuple[Value, Fraction]], undefined: Undefined) -> Value:
    """Return the weighted mean of values under a convention for undefined ones."""
    counted = [(x, w) for x, w in values if w]
    total = sum((w for _, w in counted), Fraction(0))
    lost = not total or any(x is None for x, _ in counted)
    if undefined == "raise" and lost:
        raise UndefinedScoreError
    stand_in = None if isinstance(undefined, str) else Fraction(undefined)
    if undefined == "exclude":
        counted = [(x, w) for x, w in counted if x is not None]
        total = sum((w for _, w in counted), Fraction(0))
    if not total:
        return stand_in
    replaced = [(stand_in if x is None else x, w) for x, w in counted]
    if any(x is None for x, _ in replaced):
        return None
    return sum((x * w for x, w in replaced if x is not None), Fraction(0)) / total
