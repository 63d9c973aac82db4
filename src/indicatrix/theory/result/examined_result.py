"""A result and its scores, prepared for the finders.

Requested scores: measures and averages in any form, and the names of scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array, as_weight
from ...algebra.average import ALIASES, BINARY, Average, averages_over, find_average, score_name
from ...algebra.counts import Counts
from ...algebra.measure import MEASURES, Measure
from ...algebra.measure_names import average_in, measure_of_counts, resolve
from ...algebra.score import Score
from ...words.wording import short
from .one_hot_identities import is_one_hot


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


Name = tuple[Any, ...]  # in results: (measure, average), or (measure, "class", class), where the measure is its text

WHOLE = None  # in place of an average, of a function of the whole confusion matrix
NO_SCORES = "There are no scores to compare: name measures, such as ['recall', 'precision'], and averages."
EACH_CLASS = "class"  # one score for each class, not an average of them


class Scored(NamedTuple):
    """A measure under an average; equal to the plain pair."""

    measure: Any
    average: Any  # its name; None for a measure that has one value, or if the source chooses

    def __str__(self) -> str:
        return score_name(self.measure, self.average)

    @property
    def exists(self) -> bool:
        """Whether the measure exists under this average."""
        only = getattr(self.measure, "averages", ())
        return not only or self.average in only


def requested_scores(measures: Any, averages: Iterable[str | None] | str, *, matrix: bool = False) -> Iterator[Scored]:
    """Yield the requested scores, measure by measure.

    Each measure appears under all averages, or under its own if it is a pair. Measures are one or several of names, formulas,
    ``Measure``, names of scores and pairs (measure, average). ``matrix`` allows functions of the whole confusion matrix, whose
    average is ``WHOLE``. The caller decides what to do with a score that does not exist.

    >>> print(*requested_scores(["f1", ("recall", "samples"), "weighted mcc"], ["micro", "macro"]), sep=", ")
    micro f1, macro f1, exemplar recall, weighted mcc
    """
    every: tuple[Any, ...] = (averages,) if isinstance(averages, str) else tuple(averages)
    for i, average in enumerate(every):
        if not isinstance(average, str | tuple | None):
            raise TypeError(f"averages[{i}] is {short(average)}; an average is a name, such as 'macro'.")
    items: Iterable[Any] = [measures] if isinstance(measures, str | Measure) else measures
    for item in items:
        named = average_in(item) if isinstance(item, str) else None
        pair = named[::-1] if named else item
        one, own = (pair[0], pair[1:]) if isinstance(pair, tuple) and len(pair) == 2 else (item, every)
        measure = resolve(one)  # even if there are no averages: a measure that does not exist is refused
        if matrix and not measure.reads.averaged:
            yield Scored(measure, WHOLE)
        else:
            measure = measure_of_counts(measure)
            yield from (Scored(measure, ALIASES.get(average, average)) for average in own)


def same_name_error(name: str) -> ValueError:
    """Return the error that two different measures have one name: their scores cannot be told apart."""
    return ValueError(f"Two different measures have the name {name!r}. Give one of them another name.")


def name_in_words(name: Name) -> str:
    """Return the name of a score: ``macro f1``, ``recall of class 'a'``, ``multiclass_mcc``.

    >>> name_in_words(("f1", "macro")), name_in_words(("recall", "class", "a"))
    ('macro f1', "recall of class 'a'")
    """
    if len(name) == 3:
        return f"{name[0]} of class {name[2]!r}"
    measure, average = name
    return str(Scored(MEASURES.get(measure, measure), average))
