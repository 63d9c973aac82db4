"""The section of curves: counts at some thresholds of each column of scores, and exact areas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...algebra.arrays import Array
from ...algebra.counts import CELLS, Counts
from .page_subject import Subject, label_text, numbers

EXTRA = "curves"  # the name under which a subject has its scores


@dataclass(frozen=True)
class ScoredColumn:
    """One column of scores: counts at some of its thresholds, from +inf down, and areas of all."""

    name: Any  # the class; None for all classes pooled
    thresholds: Array
    ends: Array  # up to where each threshold can be moved without a change of its counts, to about a pixel of a plot
    counts: Counts
    areas: Mapping[str, tuple[float, ...]]  # by name: the exact area, or what binned scores know and its bounds
    reliability: Mapping[str, Array] | None = None  # None if the scores are not probabilities
    independent: bool = False  # whether counts are of independent examples, so that shares of them have intervals


@dataclass(frozen=True)
class ScoredColumns:
    """The columns of scores of a page, where the threshold starts, and how many columns there are in all."""

    columns: tuple[ScoredColumn, ...]
    start: float | None = None
    all: int = 1
    notes: tuple[str, ...] = field(default_factory=tuple)


def content(subject: Subject) -> dict[str, Any] | None:
    """Return the columns of scores as plain data; None where there are no scores."""
    scored: ScoredColumns | None = subject.extras.get(EXTRA)
    if scored is None or not scored.columns:
        return None
    return {
        "columns": [_column(column) for column in scored.columns],
        "start": scored.start,
        "all": scored.all,
        "notes": list(scored.notes),
        "main": subject.main,
    }


def _column(column: ScoredColumn) -> dict[str, Any]:
    found = {
        "name": None if column.name is None else label_text(column.name),
        "thresholds": numbers(column.thresholds),
        "ends": numbers(column.ends),
        "areas": {name: numbers(values) for name, values in column.areas.items()},
        "independent": column.independent,
        "reliability": None if column.reliability is None else {key: numbers(x) for key, x in column.reliability.items()},
    }
    return found | {cell: numbers(x) for cell, x in zip(CELLS, column.counts, strict=True)}
