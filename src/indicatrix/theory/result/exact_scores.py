"""Scores in exact numbers: counts as fractions, and the exact averages of a measure over them.

What a classifier does in each class: counts and rates that do not depend on class priors.

See sec:skew_settings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, cmp_to_key
from typing import Any, TypeVar

import numpy as np

from ...algebra.arrays import as_weight, is_array, quiet
from ...algebra.average import BINARY, Average, Name, counts_of_units, find_average, groupings_of
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.numbers.exact import Value, exact_value, exactly, is_defined, number, order
from ...algebra.numbers.linear_fractional import Vector
from ...algebra.score import combine
from ...algebra.source_score import counts_read, read_nested
from ...tally.states.group_counts import CrossTable
from ...tally.tally import Tally

Key = TypeVar("Key", bound=Hashable)

MANY = 512  # a mean of more fractions than this would have a denominator of thousands of digits: it gets fifty digits
ROUNDED = 12  # digits to which scores are compared if the counts are rounded floats


@dataclass(frozen=True)
class ExactUnits:
    """The exact count vectors of the units of some axes, and how often each occurs."""

    counts: tuple[Vector, ...]
    times: tuple[Fraction, ...]
    rounded: bool = False  # whether counts were floats that are not whole numbers: then their sums are rounded

    @staticmethod
    def once(vectors: Iterable[Sequence[Any]]) -> ExactUnits:
        """Return units of which each occurs once."""
        exact = tuple(tuple(map(Fraction, v)) for v in vectors)
        return ExactUnits(exact, (Fraction(1),) * len(exact))

    def pool(self) -> Vector:
        """Return the sum of the units."""
        weighted = [[x * t for x in v] for v, t in zip(self.counts, self.times, strict=True)]
        return tuple(sum(column, Fraction(0)) for column in zip(*weighted, strict=True)) or (Fraction(0),) * 4


def units_of(source: Any, per: str | tuple[str, ...]) -> ExactUnits:
    """Return the exact count vectors of the units of some axes.

    They come from the tally if there is one, otherwise from the source.

    >>> import indicatrix as ix
    >>> units_of(ix.evaluate([0, 1], [0, 1], sample_weight=[0.5, 2]), "class").counts[0][0]
    Fraction(1, 2)
    """
    tally, times = getattr(source, "tally", source), None
    if isinstance(tally, Tally) and per in ("class", ("class",)):
        four = tally.pooled.cells().tolist()
    elif isinstance(tally, Tally) and per in ("example", ("example",)):
        rows, how_often = tally.pooled.rows()
        four, times = rows.tolist(), how_often.tolist()
    else:
        return exact_units(counts_of_units(source, per))
    return _units(four, times)


def exact_units(counts: Counts) -> ExactUnits:
    """Return counts of any axes as exact count vectors, in the order of ``unit_names``."""
    return _units([_flat(x) for x in counts], None if counts.times is None else _flat(counts.times))


def _units(four: Sequence[Sequence[Any]], times: Sequence[Any] | None) -> ExactUnits:
    vectors = tuple(tuple(map(Fraction, v)) for v in zip(*four, strict=True))
    rounded = any(map(is_rounded, (x for column in four for x in column)))
    return ExactUnits(vectors, tuple(map(Fraction, [1] * len(vectors) if times is None else times)), rounded)


def is_rounded(x: Any) -> bool:
    """Return whether a count may be rounded: a float, or a fraction that comes from a rounded float.

    Sums of weights such as 0.1 and 0.2 are rounded.

    >>> is_rounded(Fraction(0.1)), is_rounded(Fraction(1, 10)), is_rounded(0.5), is_rounded(Fraction(1, 2))
    (True, False, True, False)
    """
    if type(x) is float:
        return not x.is_integer()
    # Halves and quarters are exact; a float that approximates another number has dozens of binary places.
    return type(x) is Fraction and x.denominator > 1 << 20 and x.denominator & (x.denominator - 1) == 0


def _flat(x: Any) -> list[Any]:
    """Return an array of any library and shape, or a sequence, as a flat list of Python numbers."""
    x = x.tolist() if hasattr(x, "tolist") else as_weight(x) if is_array(x) else x
    return list(np.asarray(x, object).ravel().tolist())


def exact_mean(values: Sequence[Value], weights: Sequence[Value]) -> Value:
    """Return the weighted mean of the defined values; nan if no value is defined.

    >>> exact_mean([Fraction(1), Fraction(0), math.nan], [Fraction(1), Fraction(2), Fraction(5)])
    Fraction(1, 3)
    """
    kept = [(x, w) for x, w in zip(values, weights, strict=True) if w and is_defined(x)]
    own = [w for _, w in kept]
    if not is_defined(*own):
        return math.nan
    rational = all(type(w) is Fraction for w in own)
    total = sum(own, Fraction(0)) if rational else sum(map(number, own))
    if not total:
        return math.nan
    if rational and len(kept) <= MANY and all(type(x) is Fraction for x, _ in kept):
        return sum((x * w for x, w in kept), Fraction(0)) / total
    return sum(number(x) * number(w) for x, w in kept) / number(total)


def exact_weights(average: Average, measure: Measure, units: ExactUnits) -> list[Value]:
    """Return the exact weight of one occurrence of each unit; nan or infinite where it is undefined.

    A unit of which nothing was observed has weight zero.
    """
    if average.weight is None:
        return [Fraction(any(v)) for v in units.counts]
    with quiet():  # a measure without such weights is refused here; below, an error in a formula means nan
        average.amounts(measure, Counts(*np.ones((4, 1)), per=("unit",)))
    exact = exact_value(lambda *v: average.amounts(measure, Counts(*v, signed=True)), {})
    return [exact(*v) if any(v) else Fraction(0) for v in units.counts]


@dataclass(frozen=True, eq=False)
class ExactScores:
    """The exact scores of one problem, each computed once; undefined units are left out."""

    read: Callable[[tuple[str, ...]], ExactUnits]  # the units of some axes
    binary: Vector | None = None  # the counts of the positive class, where there is one
    _units: dict[tuple[str, ...], ExactUnits] = field(default_factory=dict, repr=False)
    _values: dict[tuple[Measure, str], Value] = field(default_factory=dict, repr=False)
    _of_units: dict[tuple[Measure, tuple[str, ...]], list[Value]] = field(default_factory=dict, repr=False)
    _weights: dict[tuple[Measure, str], list[Value]] = field(default_factory=dict, repr=False)

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

    def units(self, *per: str) -> ExactUnits:
        """Return the units of some axes."""
        if per not in self._units:
            self._units[per] = self.read(per)
        return self._units[per]

    @property
    def rounded(self) -> bool:
        """Whether some of the counts read so far were rounded."""
        return any(units.rounded for units in self._units.values())

    @cached_property
    def pooled(self) -> Vector:
        """The sum of the counts of all classes."""
        return self.units("class").pool()

    def value(self, measure: Measure, average: str) -> Value:
        """Return the measure under an average; nan where it is undefined."""
        if (measure, average) not in self._values:
            x = self._compute(measure, average)
            self._values[measure, average] = x if is_defined(x) else math.nan
        return self._values[measure, average]

    def _compute(self, measure: Measure, average: str) -> Value:
        rule = find_average(average)
        if average == BINARY:
            return math.nan if self.binary is None else exactly(measure)(*self.binary)
        if rule.pools:
            return exactly(measure)(*self.pooled)
        units = self.units(*rule.per)
        if units.rounded and len(units.counts) > MANY:  # exact arithmetic with rounded numbers would be slow and not exact
            cells, times = np.array(units.counts, np.float64).T, np.array(units.times, np.float64)
            counts = Counts(*cells, per=("unit",), times=times, signed=True)
            return number(combine(measure.values(counts), rule.weights(measure, counts), "exclude"))
        return exact_mean(self.values_of_units(measure, rule.per), self.weights(measure, average))

    def values_of_units(self, measure: Measure, per: tuple[str, ...]) -> list[Value]:
        """Return the exact value of each unit of some axes."""
        if (measure, per) not in self._of_units:
            value = exactly(measure)
            self._of_units[measure, per] = [value(*v) for v in self.units(*per).counts]
        return self._of_units[measure, per]

    def weights_of_units(self, measure: Measure, average: str) -> list[Value]:
        """Return the exact weight of one occurrence of each unit under an average."""
        if (measure, average) not in self._weights:
            rule = find_average(average)
            self._weights[measure, average] = exact_weights(rule, measure, self.units(*rule.per))
        return self._weights[measure, average]

    def weights(self, measure: Measure, average: str) -> list[Value]:
        """Return the exact weight of each unit under an average, times how often the unit occurs."""
        times = self.units(*find_average(average).per).times
        return [w * t for w, t in zip(self.weights_of_units(measure, average), times, strict=True)]


def exact_average(source: Any, measure: Measure, average: Name) -> Value:
    """Return the exact score of a source, also of scores inside groups, such as ("site", "macro")."""
    if isinstance(average, str):
        return ExactScores.of(source).value(measure, average)
    axis, inside = read_nested(average, groupings_of(source))
    parts = source.split(axis).values()
    seen = [Fraction(bool(counts_read(part, inside).observed)) for part in parts]  # a group that was not observed counts nowhere
    return exact_mean([exact_average(part, measure, inside) for part in parts], seen)


def is_same(x: Value, y: Value, rounded: bool = False) -> bool:
    """Return whether two finite values are equal.

    They are compared exactly, to thirty digits if irrational, and to twelve digits if the counts are rounded.
    """
    if not rounded:
        return order(x, y) == 0
    return abs(float(x) - float(y)) <= 10.0**-ROUNDED * max(1.0, abs(float(x)), abs(float(y)))


def partition(values: Mapping[Key, Value], rounded: bool = False) -> list[list[Key]]:
    """Return the keys in blocks of equal value, the lowest value first.

    Keys stay in the order given, and undefined ones are left out.

    >>> partition({"a": Fraction(1, 2), "b": math.nan, "c": Fraction(1, 3), "d": Fraction(2, 4)})
    [['c'], ['a', 'd']]
    """
    kept = [key for key, x in values.items() if is_defined(x)]
    blocks: list[list[Key]] = []
    for key in sorted(kept, key=lambda k: cmp_to_key(order)(values[k])):
        if blocks and is_same(values[blocks[-1][-1]], values[key], rounded):
            blocks[-1].append(key)
        else:
            blocks.append([key])
    place = {key: i for i, key in enumerate(values)}
    return [sorted(block, key=place.__getitem__) for block in blocks]


NEVER = Fraction(0)  # how often most pairs of many classes occur


def behavior_of(source: Any) -> tuple[Tally, str]:
    """Return the tally of a source, and its kind, which says whether classes exclude one another."""
    if hasattr(source, "tally") and hasattr(source, "kind"):
        return source.tally, str(source.kind)
    if isinstance(source, Tally) and isinstance(source.pooled, CrossTable):
        return source, "multiclass"
    if isinstance(source, Tally):
        raise ValueError(
            "These counts do not say whether classes exclude one another. Pass the evaluation, which has this information."
        )
    raise TypeError(
        f"Priors can be changed in an evaluation or a tally, not in {type(source).__name__}. Use ix.evaluate(…) to make one."
    )


def pair_table(tally: Tally) -> list[list[Fraction]]:
    """Return the table of pairs (true, predicted) in fractions.

    The last column holds abstentions, and the last row is empty.
    """
    if not isinstance(tally.pooled, CrossTable):
        raise ValueError(
            "Other priors need the rates at which each class is predicted as each other, but pairs of classes were not counted: "
            "there is a mask of entries, or there are many classes. Evaluate with confusion=True, without such a mask."
        )
    table = [[Fraction(x) if x else NEVER for x in row] for row in tally.pooled.table.tolist()]
    if any(table[-1]):
        raise ValueError(
            "Some examples have no true class, so their number does not follow from the priors. Evaluate without them."
        )
    return table


def class_cells(tally: Tally) -> tuple[Vector, ...]:
    """Return the exact counts (tp, fp, fn, tn) of each class."""
    return units_of(tally, "class").counts


def error_rates(table: list[list[Fraction]]) -> list[dict[int, Fraction]]:
    """Return R_kj over the classes k other than j that occur, for each class j."""
    sizes = [sum_of_row(row) for row in table[:-1]]
    return [{k: rate(table[k][j], size) for k, size in enumerate(sizes) if k != j and size} for j in range(len(sizes))]


def rate(part: Fraction, whole: Fraction) -> Fraction:
    """Return a share, rounded to twelve places if the weights are rounded floats.

    Otherwise equal rates could differ in their last digits.
    """
    if not part:
        return NEVER
    share = part / whole
    return round(share, ROUNDED) if is_rounded(part) or is_rounded(whole) else share


def scaled_rows(table: list[list[Fraction]], shares: Sequence[Fraction]) -> list[list[Fraction]]:
    """Return the rows of a table scaled to these shares of the same total."""
    sizes = [sum_of_row(row) for row in table]
    total = sum(sizes, Fraction(0))
    factors = [p * total / size if p else Fraction(0) for p, size in zip(shares, sizes, strict=False)]
    return [[x * f if x else x for x in row] for row, f in zip(table, [*factors, Fraction(0)], strict=True)]


def sum_of_row(row: Sequence[Fraction]) -> Fraction:
    """Return the sum of a row of a table of pairs.

    Most pairs never occur, and adding a fraction takes long.
    """
    return sum((x for x in row if x), NEVER)


def is_movable(v: Vector) -> bool:
    """Return whether a label has positives and negatives, so that its recall and specificity are known."""
    return v[0] + v[2] != 0 and v[1] + v[3] != 0


def at_prevalence(v: Vector, p: Fraction) -> Vector:
    """Return the counts of a label at another prevalence, its recall, specificity and total kept."""
    tp, fp, fn, tn = v
    up, down = p * sum(v) / (tp + fn), (1 - p) * sum(v) / (fp + tn)
    return tp * up, fp * down, fn * up, tn * down


@dataclass(frozen=True)
class Balanced:
    """A source of counts per class, where each class has one example in total."""

    counts: Counts
    positive: Any

    def aggregate(self, per: str | tuple[str, ...] = ()) -> Counts:
        """Return the counts, per class or in total."""
        return self.counts if per else self.counts.sum()

    def binary(self) -> Counts:
        """Return the counts of the positive class."""
        return self.counts.at(**{"class": self.positive})


def balanced_source(source: Any) -> Balanced | None:
    """Return the source with every row of its confusion matrix scaled to one.

    None if it has no confusion matrix.

    >>> import indicatrix as ix
    >>> balanced_source(ix.from_confusion([[8, 2], [1, 3]])).counts.tp.tolist()
    [0.8, 0.75]
    """
    try:
        table = np.asarray(source.confusion, np.float64)
    except ValueError:  # pairs of classes were not kept
        return None
    rates = table / table.sum(axis=1, keepdims=True)
    tp, ppos = rates.diagonal(), rates.sum(axis=0)
    counts = Counts(
        tp, ppos - tp, 1 - tp, len(rates) - 1 - ppos + tp, per=("class",), names=(tuple(source.classes),), signed=True
    )
    return Balanced(counts, getattr(source, "positive", None))
