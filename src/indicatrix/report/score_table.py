"""ScoreTable: scores of several measures under several averages."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..algebra.average import Name, average_name, measure_name, score_name
from ..algebra.convention import plain_part
from ..algebra.measure_names import is_of_whole
from ..algebra.score import Score
from ..algebra.values import free_name, to_pandas, to_polars
from ..words.call_mistakes import answers_mistakes
from ..words.wording import treatment
from .table_forms import BothConventions, Table, Uncertain, columns_as_csv

FAR_APART = 0.01  # values under two conventions that are both shown
MOST = 4  # scores that are named in a remark


@answers_mistakes
@dataclass(frozen=True, repr=False)
class ScoreTable:
    """Scores by measure (rows) and average (columns).

    Printing it shows the convention and what was undefined. A measure of the confusion matrix has one score, under None.
    ``intervals`` has the interval of each score, or the reason why it has no interval, if these were asked for.

    >>> import indicatrix as ix
    >>> t = ix.evaluate(["a", "b", "b"], ["a", "a", "b"]).table(["precision", "f1"], ["micro", "macro"])
    >>> print(t)
               micro  macro
    precision  0.667  0.750
    f1         0.667  0.667
    """

    measures: tuple[Any, ...]
    averages: tuple[Name | None, ...]
    scores: Mapping[tuple[Any, Name | None], Any]
    undefined: Any
    intervals: Mapping[tuple[Any, Name | None], Any] = field(default_factory=dict)  # intervals, or texts that say why not

    def __getitem__(self, key: tuple[Any, Name | None]) -> Any:
        measure, average = key
        for (row, column), score in self.scores.items():
            if measure in (row, row.name, str(row), *row.aliases) and average in (column, score.average):
                return score
        rows = ", ".join(map(str, self.measures))
        raise KeyError(f"{key!r} is not in this table. Its measures are ({rows}), its averages {self.averages}.")

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return (tuple(self.scores.get((m, a), math.nan) for a in self.averages) for m in self.measures)

    def __len__(self) -> int:
        return len(self.measures)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns: the names of the measures, the scores under each average, and their intervals.

        Undefined scores are nan, and so are those under an average that a measure does not have.

        >>> import indicatrix as ix
        >>> ix.evaluate(["a", "b", "b"], ["a", "a", "b"]).table(["recall"], ["micro", "macro"]).to_dict()
        {'measure': ['recall'], 'micro': [0.6666666666666666], 'macro': [0.75]}
        """
        titles = self._titles()
        columns: dict[str, list[Any]] = {free_name("measure", titles): [self._row_name(m) for m in self.measures]}
        for title, average, scores in zip(titles, self.averages, zip(*self, strict=True), strict=True):
            columns[title] = [*map(float, scores)]
            for end in ("low", "high") if self.intervals else ():
                ends = (getattr(self.intervals.get((m, average)), end, math.nan) for m in self.measures)
                columns[free_name(f"{title}_{end}", [*titles, *columns])] = [*ends]
        return columns

    to_pandas, to_polars = to_pandas, to_polars

    def as_table(self) -> Table:
        """Return the scores as rows of cells, with remarks on undefined values and intervals.

        Its forms are ``text()``, ``markdown()``, ``latex()``, ``csv()`` and ``html()``.
        """
        rows = [(self._row_name(m), *(self._cell((m, a)) for a in self.averages)) for m in self.measures]
        return Table(("measure", *self._titles()), rows, notes=self._notes())

    def markdown(self) -> str:
        """Return the scores as a Markdown table, with the digits of the printed one, without remarks."""
        return replace(self.as_table(), notes=()).markdown()

    def latex(self) -> str:
        """Return the scores as a LaTeX table, which needs the package booktabs; remarks are comments."""
        return self.as_table().latex()

    def csv(self) -> str:
        """Return the columns of ``to_dict()`` as comma-separated values, with all digits."""
        return columns_as_csv(self.to_dict())

    def html(self) -> str:
        """Return the scores as an HTML table, with the remarks."""
        return self.as_table().html()

    def _cell(self, key: tuple[Any, Name | None]) -> Any:
        """Return a score with its interval, where it has one; "" where a measure does not have the average."""
        if key not in self.scores:
            return ""
        return score_cell(self.scores[key], self.intervals.get(key))

    def _notes(self) -> list[str]:
        lost = [s for row in self for s in row if isinstance(s, Score) and s.undefined_units]
        notes = undefined_notes(lost, self.undefined) if lost else []
        if self.intervals:
            about = interval_notes({score_name(m, self._title(a)): x for (m, a), x in self.intervals.items()})
            notes += ["", *about] if notes else about
        return notes

    def _row_name(self, measure: Any) -> str:
        return measure_name(measure, [a for m, a in self.scores if m == measure])

    def _titles(self) -> tuple[str, ...]:
        return tuple(map(self._title, self.averages))

    def _title(self, average: Name | None) -> str:
        return self._only_average(average) if average is None else average_name(average)

    def __str__(self) -> str:
        table = self.as_table()
        return replace(table, header=("", *table.header[1:])).text()

    _repr_html_ = html  # what a notebook shows

    __repr__ = __str__  # what a reader of a prompt wants to see

    def _only_average(self, average: Name | None) -> str:
        """Return the average that a column without a name has: that of its scores, if all have the same."""
        own = [(m, s) for (m, a), s in self.scores.items() if a == average]
        found = {average_name(None if is_of_whole(m) else s.average) for m, s in own}
        return found.pop() if len(found) == 1 else "value" if found else ""


def score_cell(score: Any, interval: Any = None) -> Any:
    """Return the cell of a score, with its interval and with the value if undefined ones count as 0.

    >>> import indicatrix as ix
    >>> score_cell(ix.precision(["a", "b", "c"], ["a", "a", "a"], average="macro"))
    BothConventions(cell=0.3333333333333333, as_zero=0.1111111111111111)
    """
    known = interval is not None and not isinstance(interval, str) and not math.isnan(interval.low)
    cell = Uncertain(float(score), interval.low, interval.high) if known else float(score)
    zero = value_as_zero(score)
    return cell if zero is None else BothConventions(cell, zero)


def value_as_zero(score: Any) -> float | None:
    """Return the value of a score if undefined values count as 0; None if that is about the same."""
    if not isinstance(score, Score) or plain_part(score.undefined) != "exclude" or not math.isfinite(score):
        return None
    if not score.has_undefined():
        return None
    zero = score.under(0)
    return zero if abs(zero - float(score)) > FAR_APART else None


def show_ends(interval: Any) -> str:
    """Return the two ends of an interval as tables show them; "" if it is a reason instead."""
    return "" if isinstance(interval, str) else Uncertain(float(interval), interval.low, interval.high).show_ends()


def interval_notes(intervals: Mapping[str, Any]) -> list[str]:
    """Return lines on intervals: their level, what makes some unreliable, why some do not exist.

    Scores with the same remark share a line.
    """
    remarks: dict[str, list[str]] = {}
    for name, own in intervals.items():
        remark = own if isinstance(own, str) else own.warning
        if remark:
            remarks.setdefault(remark, []).append(name)
    levels = [own.level for own in intervals.values() if not isinstance(own, str)]
    lines = [f"In brackets: {100 * levels[0]:.4g}% intervals."] if levels else []
    every = len(intervals)
    return lines + [remark if len(names) == every else f"{_some(names)}: {remark}" for remark, names in remarks.items()]


def _some(names: list[str]) -> str:
    return ", ".join(names[:MOST]) + (f" and {len(names) - MOST} more" if len(names) > MOST else "")


def treatment_of(scores: Iterable[Any], undefined: Any) -> str:
    """Return what becomes of undefined values, and what stands next to some scores.

    >>> treatment_of([], "exclude")
    'excluded'
    """
    both = any(value_as_zero(score) is not None for score in scores)
    return f"{treatment(undefined)}{' (as 0: counted as 0)' if both else ''}"


def undefined_notes(scores: list[Any], undefined: Any) -> list[str]:
    """Return lines that say what was undefined and how it was treated.

    Scores with the same undefined units share a line.
    """
    treated = treatment(undefined)
    lost: dict[str, dict[str, None]] = {}
    for score in scores:
        lost.setdefault(score.undefined_in_words(), {})[measure_name(score.measure, [score.average])] = None
    if not lost:
        return [f"Every value is defined; undefined ones would be {treated}."]
    return [
        f"Undefined values are {treatment_of(scores, undefined)}:",
        *(f"  {', '.join(measures)}: {units}" for units, measures in lost.items()),
    ]
