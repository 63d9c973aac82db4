"""Sums that examples add to a part and a whole: their ratio is a cost, a loss or a score of rankings."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from .arrays import Array
from .average import NotOfferedError
from .count_formula import COUNTS
from .counts import Counts
from .measure import Measure
from .values import Values


@dataclass(frozen=True, eq=False)
class UnitSums:
    """Units of one axis, or everything pooled, with the value that their sums give: part over whole."""

    values: Any
    per: tuple[str, ...] = ()
    names: tuple[tuple[Any, ...], ...] = ()
    times: Any = None  # how often each unit counts; None: once
    seen: Array | None = None  # units of which something was observed; None: all
    known: Counts | None = None  # four counts, where they are known
    sides: Callable[[], tuple[Array, Array]] | None = None  # actual positives and negatives; None: nothing reads them

    @cached_property
    def counts(self) -> Counts:
        """Four counts, mostly ones that nobody knows; zeros where nothing was observed."""
        if self.known is not None:
            return self.known
        some = np.full(np.shape(self.values), math.nan)
        if self.seen is not None:
            some[~np.asarray(self.seen, bool)] = 0.0
        return Counts(*(some,) * 4, per=self.per, names=self.names, times=self.times)

    @cached_property
    def _sides(self) -> tuple[Array, Array]:
        return (self.counts.tpos, self.counts.tneg) if self.sides is None else self.sides()

    @property
    def tpos(self) -> Array:
        """The actual positives of each unit, which weights read."""
        return self._sides[0]

    @property
    def tneg(self) -> Array:
        """The actual negatives of each unit, which weights read."""
        return self._sides[1]


def units_meant(source: Any, measure: Any, per: tuple[str, ...], *, positive: bool) -> Any:
    """Return the units of what a measure means of a source; None if that is the source itself.

    A source that does not have what the measure reads refuses it with the reason.
    """
    kind = measure.reads
    if kind.meaning is None:
        raise NotOfferedError(f"{measure} reads {kind.what}, which {type(source).__name__} does not have.")
    group = next((axis for axis in per if axis not in ("class", "example")), None)  # what is opened then keeps its groups
    meant, opened = kind.meaning(measure, source, group, "exclude")[:2]
    if opened is source:
        return None
    found = opened.units(meant, per, positive=positive)
    if meant.reads is kind:
        return found
    return UnitSums(meant.values(found), found.per, found.names, found.times, known=found.counts)


def _values(measure: Any, units: UnitSums) -> Any:
    """Return the value of each unit, with the names of these."""
    return Values.of(units.values, units.names) if units.per else float(units.values)


SUMS = replace(
    COUNTS,
    name="sums",
    what="what examples add to a part and a whole",
    is_unit=lambda x: isinstance(x, UnitSums),
    unit="sums",
    apply=_values,
    check_parameter=lambda measure, name, value: None,
    help=("catalogue.listing", "help_on_function"),
    formula=False,
    examples=tuple,
    counted=False,
    in_counts=False,
    of_labels=None,
    per_example=True,
    named=False,
    left_out="",
    infinite=True,
    splits=True,
    pools_classes=False,
)


def part_over_whole(units: UnitSums) -> Any:
    """Return the part that examples added to, over the whole."""
    return units.values


def sums(
    name: str, better: str = "higher", range: tuple[float, float] = (0, math.inf), source: str = "", **facts: Any
) -> Measure:
    """Return the measure of a cost, a loss or a ranking: what examples add to it says who computes it.

    >>> sums("log_loss", "lower").range
    (0, inf)
    """
    return Measure(name, part_over_whole, better, range, source=source, reads=SUMS, **facts)
