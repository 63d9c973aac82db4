"""The differences of every two groups, with intervals and p-values adjusted for all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.values import to_pandas, to_polars
from ...words.call_mistakes import answers_mistakes
from ..intervals.interval import Interval
from ..stats.quantiles import two_sided
from ..stats.several_tests import Independent, Largest, ends_of_verdict, largest_difference, p_text
from .group_samples import Precision, square_and_add

MOST_PAIRS = 500_000  # that are compared; about a thousand groups
MOST = 20  # pairs that are printed
MOST_CORRELATED = 40  # groups up to which the correlation of their differences is used


@answers_mistakes
@dataclass(frozen=True)
class GroupDifference:
    """How far one group is above another.

    Attributes
    ----------
    higher, lower : Any
        The names of the two groups.
    values : tuple of float
        Their values.
    difference : Interval
        The difference with an interval; the intervals of all pairs hold together at their level.
    p_value : float
        How often groups that do not differ are at least as far apart, adjusted for all pairs.
    """

    higher: Any
    lower: Any
    values: tuple[float, float]
    difference: Interval
    p_value: float

    def __str__(self) -> str:
        a, b = self.values
        return f"{self.higher!r} {a:.3f} and {self.lower!r} {b:.3f}: difference {self.difference}, {p_text(self.p_value)}"


@answers_mistakes
@dataclass(frozen=True, repr=False)
class GroupDifferences:
    """The differences of every two groups, the clearest first.

    Attributes
    ----------
    title : str
        What was compared.
    pairs : tuple of GroupDifference
        Each has ``higher``, ``lower``, ``values``, ``difference`` (an Interval) and ``p_value``.
    """

    title: str
    pairs: tuple[GroupDifference, ...]

    def __iter__(self) -> Iterator[GroupDifference]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns: the two groups of each pair, their difference, its interval, and the p-value.

        Returns
        -------
        dict
            A list for each column.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([1] * 40, [1] * 30 + [0] * 10, by={"site": ["x"] * 20 + ["y"] * 20})
        >>> columns = ev.compare_groups("recall", "site").differences().to_dict()
        >>> columns["higher"], columns["lower"], columns["difference"]
        (['x'], ['y'], [0.5])
        """
        return {
            "higher": [p.higher for p in self.pairs],
            "lower": [p.lower for p in self.pairs],
            "difference": [p.difference.value for p in self.pairs],
            "low": [p.difference.low for p in self.pairs],
            "high": [p.difference.high for p in self.pairs],
            "p_value": [p.p_value for p in self.pairs],
        }

    to_pandas, to_polars = to_pandas, to_polars

    def __str__(self) -> str:
        k = len(self.pairs)
        lines = [self.title + (f", p-values adjusted for {k} pairs" if k > 1 else "")]
        lines += [f"  {pair}" for pair in self.pairs[:MOST]]
        return "\n".join([*lines, f"  and {k - MOST} more pairs"] if k > MOST else lines)

    def __repr__(self) -> str:
        sure = sum(pair.p_value < 0.05 for pair in self.pairs)
        return f"<GroupDifferences: {self.title}, {sure} of {len(self.pairs)} pairs with p < 0.05>"


def check_pairs(groups: int) -> None:
    """Refuse more pairs of groups than the memory holds or anybody reads."""
    pairs = groups * (groups - 1) // 2
    if pairs > MOST_PAIRS:
        raise ValueError(
            f"{groups:,} groups make {pairs:,} pairs, more than {MOST_PAIRS:,}. ``unusual`` names groups that differ from all "
            "others together, and ``difference_interval`` is about the two that are the farthest apart."
        )


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of some groups, whose intervals and p-values hold together."""

    precision: Precision
    level: float

    @cached_property
    def _largest(self) -> Largest:
        """The largest of all differences; those of many groups are taken as independent."""
        k, inverse = len(self.precision.values), 1 / self.precision.sizes
        if k > MOST_CORRELATED:
            return Independent(k * (k - 1) // 2)
        variances = inverse[:, None] + inverse
        np.fill_diagonal(variances, 0.0)
        return largest_difference(variances, [(i, j) for i in range(k) for j in range(i + 1, k)])

    @cached_property
    def interval_level(self) -> float:
        """The level of the interval of each group, so that those of all differences hold together."""
        return self.level if len(self.precision.values) < 3 else 1 - two_sided(self._largest.limit(1 - self.level))

    @cached_property
    def p_values(self) -> tuple[Array, Array]:
        """How often equal groups are at least as far apart: each pair alone, and the largest of all."""
        k = len(self.precision.values)
        if k == 2:  # the test of all groups is the test of these two
            p = self.precision.test().p_value
            alone = np.array([[1.0, p], [p, 1.0]])
            return alone, alone
        rows, columns = np.triu_indices(k, 1)
        z = np.abs(self.precision.between_pairs()[rows, columns])
        alone, adjusted = np.ones((k, k)), np.ones((k, k))
        alone[rows, columns] = alone[columns, rows] = [two_sided(x) for x in z.tolist()]
        adjusted[rows, columns] = adjusted[columns, rows] = self._largest.above(z)
        return alone, adjusted

    def interval(self, i: int, j: int, high: Interval, low: Interval) -> Interval:
        """Return the difference of two groups; its interval has 0 inside unless the p-value is small."""
        alone, adjusted = (float(p[i, j]) for p in self.p_values)
        value, clear = high.value - low.value, adjusted < 1 - self.level
        ends = ends_of_verdict(square_and_add(high, low), value, clear=clear, p=alone, level=self.interval_level)
        return Interval(value, *ends, self.level, "square_and_add", "", high.measure, high.average)


def differences_of(title: str, names: Sequence[Any], intervals: Sequence[Interval], compared: Pairs) -> GroupDifferences:
    """Return the differences of every two groups from their intervals, whose level allows for all pairs."""
    pairs, (_, adjusted) = [], compared.p_values
    for i, j in combinations(range(len(names)), 2):
        high, low = (i, j) if intervals[i].value >= intervals[j].value else (j, i)
        a, b = intervals[high], intervals[low]
        apart = compared.interval(high, low, a, b)
        pairs.append(GroupDifference(names[high], names[low], (a.value, b.value), apart, float(adjusted[i, j])))
    return GroupDifferences(title, tuple(sorted(pairs, key=lambda pair: (pair.p_value, -pair.difference.value))))
