"""A result and its scores, prepared for the finders."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array, as_weight
from ...algebra.average import BINARY, Average, averages_over, find_average
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.score import Score
from .one_hot_identities import is_one_hot
from .requested_scores import Scored, requested_scores


@dataclass(frozen=True, eq=False)
class ExaminedResult:
    """A result and the scores that a reader looks at."""

    source: Any
    pairs: tuple[Scored, ...]
    chosen: bool  # whether the user named the measures

    @staticmethod
    def of(source: Any, measures: Iterable[Any], averages: Iterable[str | None] | None, chosen: bool) -> ExaminedResult:
        """Return a result with these measures and averages, by default the averages that make sense here."""
        if averages is None:
            averages = natural_averages(source)
        return ExaminedResult(source, tuple(s for s in requested_scores(measures, averages) if s.exists), chosen)

    @cached_property
    def counted(self) -> RememberedCounts:
        """The source for scores and counts: it counts once what several finders read."""
        return RememberedCounts(self.source)

    @cached_property
    def scores(self) -> dict[Scored, Score]:
        """The scores, by measure and average."""
        return {s: s.measure.score(self.counted, s.average) for s in self.pairs}

    def under(self, fits: Callable[[Average], bool]) -> Iterator[tuple[Measure, Score]]:
        """Return the scores with a value, under the averages whose rows fulfill a condition."""
        averaged = ((m, s) for (m, _), s in self.scores.items() if s.average != BINARY and math.isfinite(s))
        return ((m, s) for m, s in averaged if fits(find_average(s.average)))

    def binary(self) -> Iterator[tuple[Measure, Score]]:
        """Return the scores of the positive class that have a value."""
        return ((m, s) for (m, _), s in self.scores.items() if s.average == BINARY and math.isfinite(s))

    @cached_property
    def m(self) -> int:
        """The number of classes."""
        return len(self.source.classes)

    @cached_property
    def one_hot(self) -> bool:
        """Whether every example has one true and one predicted class, and there are several classes."""
        return self.m > 1 and is_one_hot(self.counted)

    @cached_property
    def examples(self) -> ExampleFacts | None:
        """The examples, or None where they are unknown."""
        try:
            rows = self.counted.aggregate("example")
        except ValueError:  # counts per class only
            return None
        times = np.ones(rows.tp.shape) if rows.times is None else as_weight(rows.times)
        actual, predicted = as_weight(rows.tp) + as_weight(rows.fn), as_weight(rows.tp) + as_weight(rows.fp)
        seen = float(times[as_weight(rows.n) > 0].sum())
        return ExampleFacts(times, (predicted == 0) & (actual > 0), bool(((actual <= 1) & (predicted <= 1)).all()), seen)

    @cached_property
    def sizes(self) -> Array:
        """The positives of each class."""
        counts = self.counted.aggregate("class")
        return as_weight(counts.tp) + as_weight(counts.fn)


@dataclass(frozen=True, eq=False)
class ExampleFacts:
    """Distinct examples: how often each occurs, and facts about all of them."""

    times: Any
    silent: Any  # which of them have labels but no prediction
    single: bool  # whether each has at most one label
    seen: float  # how many were observed


def natural_averages(source: Any) -> tuple[str, ...]:
    """Return the averages that the report shows.

    They are the positive class of a binary problem, and all averages that are possible here.
    """
    binary = (BINARY,) if getattr(source, "positive", None) is not None else ()
    if len(source.classes) == 1:
        return binary
    try:
        source.aggregate("example")
    except ValueError:  # counts per class only
        return (*binary, *averages_over("class"))
    return (*binary, *averages_over("class", "example"))


@dataclass(frozen=True, eq=False)
class RememberedCounts:
    """A source of counts whose answers are kept; everything else is asked of the source itself.

    Counts of weighted examples are exact fractions, and making floats of those of many classes takes longer than a score.
    """

    source: Any
    _kept: dict[tuple[str, Any], Counts] = field(default_factory=dict, repr=False)

    def aggregate(self, per: str | tuple[str, ...] = ()) -> Counts:
        """Return the counts of the units of some axes."""
        return self._ask("aggregate", (per,) if isinstance(per, str) else tuple(per))

    def binary(self, per: tuple[str, ...] = ()) -> Counts:
        """Return the counts of the positive class, of each unit of some axes."""
        return self._ask("binary", tuple(per))

    def _ask(self, what: str, per: tuple[str, ...]) -> Counts:
        if (what, per) not in self._kept:
            self._kept[what, per] = getattr(self.source, what)(*([per] if per else []))
        return self._kept[what, per]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)
