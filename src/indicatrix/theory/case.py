"""Case: a result and the scores that were asked for, as the finders see it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..algebra.average import ALIASES, Score, as_weight
from ..algebra.measure import Measure
from ..algebra.names import find
from .onehot import is_one_hot

Pair = tuple[Measure, str | None]


@dataclass(frozen=True, eq=False)
class Case:
    """A result and the scores that were asked for."""

    source: Any
    pairs: tuple[Pair, ...]
    asked: bool  # the measures were named by the user

    @staticmethod
    def of(source: Any, measures: Iterable[Any], averages: Iterable[str | None] | None, asked: bool) -> Case:
        """Return the case of these measures under these averages, by default the ones that make sense here."""
        if averages is None:
            averages = natural_averages(source)
        named = [ALIASES.get(a, a) if a else None for a in ([averages] if isinstance(averages, str) else averages)]
        found = [find(m) for m in measures]
        pairs = tuple((m, a) for m in found for a in named if not m.averages or a in m.averages)
        return Case(source, pairs, asked)

    @cached_property
    def scores(self) -> dict[Pair, Score]:
        """The scores, by measure and average."""
        return {(m, a): m.score(self.source, a) for m, a in self.pairs}

    def under(self, *averages: str) -> Iterator[tuple[Measure, Score]]:
        """Return the scores under these averages that have a value."""
        return ((m, s) for (m, _), s in self.scores.items() if s.average in averages and math.isfinite(s))

    @cached_property
    def m(self) -> int:
        """The number of classes."""
        return len(self.source.classes)

    @cached_property
    def one_hot(self) -> bool:
        """Whether every example has one true and one predicted class, of several."""
        return self.m > 1 and is_one_hot(self.source)

    @cached_property
    def examples(self) -> Examples | None:
        """The examples, where they are known."""
        try:
            rows = self.source.aggregate("example")
        except ValueError:  # counts per class only
            return None
        times = np.ones(rows.tp.shape) if rows.times is None else as_weight(rows.times)
        actual, predicted = as_weight(rows.tp) + as_weight(rows.fn), as_weight(rows.tp) + as_weight(rows.fp)
        return Examples(times, (predicted == 0) & (actual > 0), bool(((actual <= 1) & (predicted <= 1)).all()))

    @cached_property
    def sizes(self) -> np.ndarray[Any, Any]:
        """The positives of each class."""
        counts = self.source.aggregate("class")
        return as_weight(counts.tp) + as_weight(counts.fn)


@dataclass(frozen=True, eq=False)
class Examples:
    """Distinct examples: how often each occurs, which have labels but no prediction, whether all have at most one label."""

    times: Any
    silent: Any
    single: bool


def natural_averages(source: Any) -> tuple[str, ...]:
    """Return the averages that the report shows: the positive class of a binary problem, and all that run here."""
    binary = ("binary",) if getattr(source, "positive", None) is not None else ()
    if len(source.classes) == 1:
        return binary
    try:
        source.aggregate("example")
    except ValueError:  # counts per class only
        return (*binary, "micro", "macro", "weighted")
    return (*binary, "micro", "macro", "weighted", "exemplar")
