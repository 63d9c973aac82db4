"""The scores of results of images: matched objects, segments and outlines are sources, and one path scores them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from ..algebra.arrays import Array
from ..algebra.average import Average, Name
from ..algebra.counts import Counts
from ..algebra.measure import Measure
from ..algebra.measure_names import resolve
from ..algebra.score import Score, Undefined, check_undefined, score_of_units, stand_in_for_undefined
from ..algebra.values import Values
from ..algebra.wording import type_of
from ..catalogue.named_scores import measure_and_average
from ..report.table import ScoreTable


class ImageStatistic(Protocol):
    """What a measure reads: units along axes, each the sum of what images add."""

    @property
    def left_out(self) -> tuple[int, int]:
        """How many values of images and classes are infinite, which intervals leave out, and how many there are."""

    @property
    def per(self) -> tuple[str, ...]:
        """The axes of the units."""

    @property
    def names(self) -> tuple[tuple[Any, ...], ...]:
        """The names of the units along each axis."""

    @property
    def counts(self) -> Counts:
        """The counts of each unit, which weights read."""

    def values(self) -> Array:
        """Return the value of each unit."""

    def counted(self, times: Array) -> ImageStatistic:
        """Return the same images, counted so often in each draw: values and counts then have a first axis of draws."""

    def moves(self, shares: Array, apart: Array, weigh: Callable[[Counts], Any]) -> Array:
        """Return how fast a mean of the values grows with how often each image counts."""


class ImageSource(Protocol):
    """A result of images: what is scored, added, compared and saved."""

    reads: str  # the kind of measure that it is for
    usual: tuple[str, ...]  # the measures of tables and comparisons, if none are named
    lacks: str  # why it has no measures of other kinds

    @property
    def images(self) -> tuple[Any, ...]:
        """The names of the images."""

    @property
    def by(self) -> Mapping[str, tuple[Any, ...]]:
        """What each image belongs to."""

    def find_average(self, measure: Measure, average: Any) -> tuple[str, Average]:
        """Return the name and the row of an average; one that does not exist here is refused with the reason."""

    def units(self, measure: Measure, per: tuple[str, ...], undefined: Undefined = "exclude") -> ImageStatistic:
        """Return what a measure reads, along some axes."""


def check_source(measure: Measure, source: Any) -> None:
    """Refuse a source that does not have what a measure reads."""
    reads = getattr(source, "reads", "")
    if reads != measure.reads.name:
        what = getattr(source, "lacks", f"{type_of(source)} has none".capitalize())
        raise TypeError(f"{measure} reads {measure.reads.what}, as {measure.reads.source} has them. {what}.")


def score(measure: Measure, source: Any, average: Name | None, undefined: Undefined) -> Score:
    """Return a measure of a result of images under an average and a convention."""
    check_undefined(undefined)
    check_source(measure, source)
    name, rule = source.find_average(measure, average)
    units = source.units(measure, rule.per, undefined)
    counts = units.counts
    values: Any = units.values() if rule.per else float(units.values())
    return score_of_units(measure, name, undefined, values, counts, rule.weights(measure, counts) if rule.per else None)


def score_by_name(source: Any, measure: str | Measure, average: Any, undefined: Undefined) -> Score:
    """Return any score that a text or a measure names."""
    found, average = measure_and_average(measure, average)
    if not (found.reads.counted and hasattr(source, "aggregate")):
        check_source(found, source)
    return found.score(source, average, undefined)


def values_of(source: Any, measure: str | Measure, per: Any, stand_in: Undefined, undefined: Undefined = "exclude") -> Values:
    """Return the value of each unit along some axes, with its name.

    ``stand_in`` stands for an undefined value; ``undefined`` is what one does in the mean of a unit.
    """
    found, axes = resolve(measure), (per,) if isinstance(per, str) else tuple(per)
    check_source(found, source)
    units = source.units(found, axes, undefined)
    return Values.of(stand_in_for_undefined(units.values(), stand_in), units.names, per=axes)


def table_of(source: Any, measures: Any, averages: Any, undefined: Undefined, interval: float | bool | None = None) -> ScoreTable:
    """Return the scores of measures (rows) under averages (columns), with intervals if these are asked for."""
    from ..inference.intervals.of_score import level_of

    measures = source.usual if measures is None else measures
    rows = tuple(map(resolve, (measures,) if isinstance(measures, str | Measure) else measures))
    columns = (averages,) if isinstance(averages, str) else tuple(averages)
    scores = {(m, a): score_by_name(source, m, a, undefined) for m in rows for a in columns}
    asked: Iterable[Any] = scores if interval else ()
    level = level_of(interval or True)
    intervals = {key: source.interval(*key, level=level, undefined=undefined) for key in asked}
    return ScoreTable(rows, columns, scores, undefined, intervals)


def score_or_values(source: Any, measure: Measure, average: Any, per: Any, undefined: Undefined) -> Any:
    """Return the score of a measure under an average, or with ``per`` the value of each unit."""
    check_undefined(undefined)
    return (
        source.score(measure, average, undefined=undefined) if per is None else values_of(source, measure, per, "nan", undefined)
    )
