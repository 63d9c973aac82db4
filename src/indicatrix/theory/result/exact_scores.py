"""Scores in exact numbers: the counts of a source as fractions, and the exact averages of a measure over them."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cmp_to_key
from typing import Any, TypeVar

import numpy as np

from ...algebra.arrays import as_weight, is_array
from ...algebra.average import AVERAGES, Average
from ...algebra.counts import Counts
from ...algebra.exact import Value, defined, exactly, number, order
from ...algebra.linear_fractional import dot
from ...algebra.measure import Measure
from ...algebra.score import combine
from ...tally.tally import Tally

Vector = tuple[Fraction, ...]
Key = TypeVar("Key", bound=Hashable)

MANY = 512  # a mean of more fractions than this has a denominator of thousands of digits: such means have fifty digits
ROUNDED = 12  # digits to which scores of counts that are rounded floats themselves are compared


@dataclass(frozen=True)
class Units:
    """The exact count vectors of the units of an axis, and how often each occurs."""

    counts: tuple[Vector, ...]
    times: tuple[Fraction, ...]
    rounded: bool = False  # the counts came as floats that are not whole, so their sums are known to rounding only

    def pooled(self) -> Vector:
        """Return the sum of the units."""
        weighted = [[x * t for x in v] for v, t in zip(self.counts, self.times, strict=True)]
        return tuple(sum(column, Fraction(0)) for column in zip(*weighted, strict=True)) or (Fraction(0),) * 4


def units_of(source: Any, per: str) -> Units:
    """Return the exact count vectors of the units of one axis: those that a tally holds, else those that a source gives.

    >>> import indicatrix as ix
    >>> units_of(ix.evaluate([0, 1], [0, 1], sample_weight=[0.5, 2]), "class").counts[0][0]
    Fraction(1, 2)
    """
    tally, times = getattr(source, "tally", source), None
    if isinstance(tally, Tally) and per == "class":
        four = tally.pooled.cells().tolist()
    elif isinstance(tally, Tally) and per == "example":
        rows, how_often = tally.pooled.rows()
        four, times = rows.tolist(), how_often.tolist()
    else:
        return exact_units(source.aggregate(per))
    return _units(four, times)


def exact_units(counts: Counts) -> Units:
    """Return counts of any axes as exact count vectors, in the order of ``unit_names``."""
    return _units([_listed(x) for x in counts], None if counts.times is None else _listed(counts.times))


def _units(four: Sequence[Sequence[Any]], times: Sequence[Any] | None) -> Units:
    vectors = tuple(tuple(map(Fraction, v)) for v in zip(*four, strict=True))
    rounded = any(map(is_rounded, (x for column in four for x in column)))
    return Units(vectors, tuple(map(Fraction, [1] * len(vectors) if times is None else times)), rounded)


def is_rounded(x: Any) -> bool:
    """Return whether a count is a sum of floats, as of weights 0.1 and 0.2: a float, or the dyadic fraction that a float is.

    >>> is_rounded(Fraction(0.1)), is_rounded(Fraction(1, 10)), is_rounded(0.5), is_rounded(Fraction(1, 2))
    (True, False, True, False)
    """
    if type(x) is float:
        return not x.is_integer()
    # Halves and quarters are what they are; a float that stands for another number has dozens of binary places.
    return type(x) is Fraction and x.denominator > 1 << 20 and x.denominator & (x.denominator - 1) == 0


def _listed(x: Any) -> list[Any]:
    """Return an array of any library and shape, or a sequence, as a flat list of Python numbers."""
    x = x.tolist() if hasattr(x, "tolist") else as_weight(x) if is_array(x) else x
    return list(np.asarray(x, object).ravel().tolist())


def exact_mean(values: Sequence[Value], weights: Sequence[Fraction]) -> Value:
    """Return the weighted mean of the defined values (eq:undef_convention); nan if there is none.

    >>> exact_mean([Fraction(1), Fraction(0), math.nan], [Fraction(1), Fraction(2), Fraction(5)])
    Fraction(1, 3)
    """
    kept = [(x, w) for x, w in zip(values, weights, strict=True) if w and defined(x)]
    total = sum((w for _, w in kept), Fraction(0))
    if not total:
        return math.nan
    if len(kept) <= MANY and all(type(x) is Fraction for x, _ in kept):
        return sum((x * w for x, w in kept), Fraction(0)) / total
    return sum(number(x) * number(w) for x, w in kept) / number(total)


@dataclass(frozen=True, eq=False)
class ExactScores:
    """The exact scores of one problem, each computed once; undefined units are left out."""

    read: Callable[[str], Units]  # the units of an axis
    binary: Vector | None = None  # the counts of the positive class, where there is one
    _units: dict[str, Units] = field(default_factory=dict, repr=False)
    _values: dict[tuple[Measure, str], Value] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(source: Any) -> ExactScores:
        """Return the exact scores of a source of counts."""
        positive, classes = getattr(source, "positive", None), tuple(getattr(source, "classes", ()))
        binary = None
        if positive in classes:
            binary = units_of(source, "class").counts[classes.index(positive)]
        elif positive is not None:
            binary = tuple(map(Fraction, source.binary()))
        return ExactScores(lambda per: units_of(source, per), binary)

    def units(self, axis: str) -> Units:
        """Return the units of an axis."""
        if axis not in self._units:
            self._units[axis] = self.read(axis)
        return self._units[axis]

    @property
    def rounded(self) -> bool:
        """Whether some of the counts read so far were rounded."""
        return any(units.rounded for units in self._units.values())

    def value(self, measure: Measure, average: str) -> Value:
        """Return the measure under an average; nan where it is undefined."""
        if (measure, average) not in self._values:
            x = self._compute(measure, average)
            self._values[measure, average] = x if defined(x) else math.nan
        return self._values[measure, average]

    def _compute(self, measure: Measure, average: str) -> Value:
        value = exactly(measure)
        if average == "micro":
            return value(*self.units("class").pooled())
        if average == "binary":
            return math.nan if self.binary is None else value(*self.binary)
        units = self.units(axis_of(average))
        if units.rounded and len(units.counts) > MANY:  # exact arithmetic on rounded numbers would only be slow
            values = measure.values(Counts(*np.array(units.counts, np.float64).T, per=("unit",)))
            return number(combine(values, np.array(self.weights(measure, average), np.float64), "exclude"))
        return exact_mean([value(*v) for v in units.counts], self.weights(measure, average))

    def weights(self, measure: Measure, average: str) -> list[Fraction]:
        """Return the exact weight of each unit under an average."""
        units = self.units(axis_of(average))
        if average == "weighted":
            each = [v[0] + v[2] for v in units.counts]
        elif average == "denominator":
            each = denominators(measure, units)
        else:
            each = [Fraction(1)] * len(units.counts)
        return [w * t for w, t in zip(each, units.times, strict=True)]


def axis_of(average: str) -> str:
    """Return the axis that an average runs along."""
    return (AVERAGES.get(average) or Average((average,))).per[0]


def denominators(measure: Measure, units: Units) -> list[Fraction]:
    """Return <b, v> of each unit of a decomposable measure (def:decomposable)."""
    if measure.decomposition is None:
        raise ValueError(f"{measure} is not a ratio of two linear forms in the counts, so it has no denominators to weigh with.")
    return [dot(measure.decomposition[1], v) for v in units.counts]


def same(x: Value, y: Value, rounded: bool = False) -> bool:
    """Return whether two finite values are equal: exactly, to thirty digits if irrational, to twelve if from rounded counts."""
    if not rounded:
        return order(x, y) == 0
    return abs(float(x) - float(y)) <= 10.0**-ROUNDED * max(1.0, abs(float(x)), abs(float(y)))


def partition(values: Mapping[Key, Value], rounded: bool = False) -> list[list[Key]]:
    """Return the keys in blocks of equal value, lowest value first and keys in the order given; undefined ones are left out.

    >>> partition({"a": Fraction(1, 2), "b": math.nan, "c": Fraction(1, 3), "d": Fraction(2, 4)})
    [['c'], ['a', 'd']]
    """
    kept = [key for key, x in values.items() if defined(x)]
    blocks: list[list[Key]] = []
    for key in sorted(kept, key=lambda k: cmp_to_key(order)(values[k])):
        if blocks and same(values[blocks[-1][-1]], values[key], rounded):
            blocks[-1].append(key)
        else:
            blocks.append([key])
    place = {key: i for i, key in enumerate(values)}
    return [sorted(block, key=place.__getitem__) for block in blocks]
