"""The text report: classes, averages and what was undefined; and tables of scores.

Classes have their counts and main measures. The confusion matrix is as people read it: true classes in rows, predicted ones in
columns.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import wrap
from typing import Any

from ..algebra.average import Name, average_name, measure_name, score_name
from ..algebra.convention import plain_part
from ..algebra.measure_names import is_of_whole
from ..algebra.score import Score
from ..algebra.values import free_name, to_pandas, to_polars
from ..words.call_mistakes import answers_mistakes
from ..words.wording import listing, treatment
from .grid import grid, labels, show, width
from .table_forms import CELL_STYLE, TABLE_STYLE, BothConventions, Table, Uncertain, columns_as_csv, escape_html, inside, plain

MOST_CLASSES = 30
WIDTH = 110  # of running text


Unit = tuple[Any, int | float, int | float, Sequence[float]]  # name, actual, predicted, values


@dataclass(frozen=True)
class Report:
    """What a report shows, already computed."""

    facts: Sequence[str]  # one line each: what was evaluated
    measures: Sequence[str]  # names of the columns
    classes: Sequence[Unit]
    averages: Sequence[tuple[str, Sequence[Any]]]  # name, scores
    undefined: Any
    confused: Sequence[tuple[Any, Any, int | float]] = ()  # true, predicted, how often; the most frequent first
    notes: Sequence[str] = field(default_factory=tuple)
    findings: Sequence[str] = ()  # what the theory says about these scores
    groups: tuple[str, Sequence[Unit]] | None = None  # the name of the grouping (target, depth), and its groups of classes
    tables: Sequence[GroupTable] = ()  # one for each grouping of the examples
    intervals: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # of an average: one for each measure, or why not
    confusion: ConfusionTable | None = None  # of a few classes


@dataclass(frozen=True)
class GroupTable:
    """The scores of each group of examples of one axis."""

    axis: str
    average: str  # inside each group
    rows: Sequence[tuple[Any, int, Sequence[Any]]]  # name, examples, scores
    of: int  # how many groups there are; rows may have only the largest


def render(report: Report) -> str:
    """Return the report as lines of text."""
    blocks = [list(report.facts), _units(report, "class", "classes", report.classes)]
    if report.groups is not None:
        axis, groups = report.groups
        blocks.append(_units(report, axis, f"{axis}s", groups))
    blocks.append(_averages(report))
    blocks += [_group_table(report, table) for table in report.tables]
    if report.confusion is not None:
        blocks.append(report.confusion.lines())
    if report.confused:
        names = labels([name for true, predicted, _ in report.confused for name in (true, predicted)])
        pairs = (f"{t} → {p} ({show(k)})" for t, p, (_, _, k) in zip(names[::2], names[1::2], report.confused, strict=True))
        blocks.append([f"Most confused, true → predicted: {', '.join(pairs)}."])
    lost = [s for _, scores in report.averages for s in scores if s.undefined_units]
    blocks.append(undefined_notes(lost, report.undefined))
    blocks.append(list(report.notes))
    if report.findings:
        blocks.append(["Worth knowing:", *(line for text in report.findings for line in _bullet(text))])
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _bullet(text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent="- ", subsequent_indent="  ", break_long_words=False)


def _units(report: Report, one: str, many: str, units: Sequence[Unit]) -> list[str]:
    shown = most_frequent(units)
    names = labels([name for name, *_ in shown])
    rows = [(name, *counts, *values, bar(values[-1])) for name, (_, *counts, values) in zip(names, shown, strict=True)]
    lines = grid((one, "actual", "predicted", *report.measures, ""), rows)
    if len(shown) < len(units):
        lines.append(f"… the {len(shown)} most frequent of {len(units):,} {many}")
    return lines


def most_frequent(units: Sequence[Unit]) -> Sequence[Unit]:
    """Return the units that a report shows: all of a few, and the most frequent of many."""
    return sorted(units, key=lambda row: -float(row[1]))[:MOST_CLASSES] if len(units) > MOST_CLASSES else units


def _group_table(report: Report, table: GroupTable) -> list[str]:
    """Return the lines of the scores of each group, and remarks on groups that are hidden or undefined."""
    names = labels([name for name, *_ in table.rows])
    rows = [(name, n, *map(_plain_cell, scores)) for name, (_, n, scores) in zip(names, table.rows, strict=True)]
    lines = grid((table.axis, "examples", *(f"{table.average} {m}" for m in report.measures)), rows)
    if len(rows) < table.of:
        lines.append(f"… the {len(rows)} largest of {table.of:,} groups")
    every = [score for _, _, scores in table.rows for score in scores]
    lost = [name for name, _, scores in table.rows if any(s.undefined_mask().any() for s in scores)]
    if lost:
        lines.append(f"Undefined values are {treatment_of(every, report.undefined)}: in {table.axis} {listing(lost)}.")
    return lines


def _averages(report: Report) -> list[str]:
    if not report.intervals:
        return grid(("average", *report.measures), [(name, *map(_plain_cell, scores)) for name, scores in report.averages])
    rows: list[tuple[str, ...]] = []
    for name, scores in report.averages:
        cells = [*map(score_cell, scores, report.intervals.get(name, [None] * len(scores)))]
        rows.append((name, *(_value_text(c) for c in cells)))
        if name in report.intervals:
            rows.append(("", *(x.show_ends() if isinstance(x := inside(c), Uncertain) else "" for c in cells)))
    lines = grid(("average", *report.measures), rows)
    named = {f"{name} {m}": x for name, own in report.intervals.items() for m, x in zip(report.measures, own, strict=True)}
    return [*lines, "", *(line for text in interval_notes(named) for line in wrap(text, WIDTH, break_long_words=False))]


def _plain_cell(score: Any) -> str:
    return plain(score_cell(score))


def _value_text(cell: Any) -> str:
    """Return the value of a cell without its interval."""
    value = inside(cell)
    text = value.show_value() if isinstance(value, Uncertain) else show(value)
    return f"{text} {cell.show_as_zero()}" if isinstance(cell, BothConventions) else text


def bar(value: float, length: int = 10) -> str:
    """Return a value in [0, 1] as a bar.

    Its characters are in every font, and a screen reader says them; those of progress are the same.

    >>> bar(0.55), bar(1.0, 3), bar(0.0, 3)
    ('[######----]', '[###]', '[---]')
    """
    if not 0 <= value <= 1:
        return ""
    full = math.floor(value * length + 0.5)
    return f"[{'#' * full}{'-' * (length - full)}]"


MOST = 12  # classes whose matrix is shown
MATRIX_WIDTH = 110  # of its lines
SHORTEST, WIDEST, LONGEST = 10, 14, 28  # what is left of the name of a column at least and at most, and of a row
TITLE = "Confusion matrix, true classes in rows, predicted classes in columns:"
LEFT_OUT = "Examples without a class on one side are not in it."


@dataclass(frozen=True)
class ConfusionTable:
    """How often each class was predicted for each true class."""

    classes: Sequence[Any]
    rows: Sequence[Sequence[Any]]  # counts, or sums of weights
    complete: bool = True  # whether every example has a class on both sides

    @property
    def notes(self) -> list[str]:
        """What the matrix does not show."""
        return [] if self.complete else [LEFT_OUT]

    def lines(self) -> list[str]:
        r"""Return aligned lines; long names are cut so that they stay apart.

        >>> print("\n".join(ConfusionTable(["ant", "bee"], [[40, 10], [5, 1045]]).lines()))
        Confusion matrix, true classes in rows, predicted classes in columns:
             ant    bee
        ant   40     10
        bee    5  1,045
        """
        down, across = self._names()
        rows = [(name, *map(show, row)) for name, row in zip(down, self.rows, strict=True)]
        return [TITLE, *grid(("", *across), rows), *self.notes]

    def _names(self) -> tuple[list[str], list[str]]:
        """Return the names of rows and columns.

        Where names of columns would be cut to almost nothing, columns have the numbers of their rows.
        """
        down = labels(self.classes, LONGEST)
        room = (MATRIX_WIDTH - max(map(width, down))) // len(down) - 2
        if room >= SHORTEST or max(map(width, down)) <= room:
            return down, labels(self.classes, min(room, WIDEST))
        numbers = [str(i) for i in range(1, len(down) + 1)]
        return [f"{number:>{len(numbers[-1])}} {name}" for number, name in zip(numbers, down, strict=True)], numbers

    def html(self) -> str:
        """Return a table whose cells are the darker the larger their share of the true class.

        >>> ConfusionTable(["<a>"], [[3]]).html().count("&lt;a&gt;")
        2
        """
        across = labels(self.classes, WIDEST)
        head = "".join(_cell("th", self.classes[j], name, scope="col") for j, name in enumerate(across))
        names = labels(self.classes, LONGEST)
        body = []
        for i, row in enumerate(self.rows):
            total = float(sum(row))
            cells = (_cell("td", "", show(x), share=max(float(x), 0.0) / total if total > 0 else 0.0) for x in row)
            body.append(f"<tr>{_cell('th', self.classes[i], names[i], scope='row')}{''.join(cells)}</tr>")
        corner = f'<th scope="col" style="{CELL_STYLE};text-align:left;font-weight:inherit">true ↓ predicted →</th>'
        return f'<table style="{TABLE_STYLE}"><thead><tr>{corner}{head}</tr></thead><tbody>{"".join(body)}</tbody></table>'


def _cell(tag: str, name: Any, text: str, *, scope: str = "", share: float = 0) -> str:
    """Return a cell; a name that was cut is whole in its title."""
    side = "left;font-weight:inherit" if scope == "row" else "right"
    shade = f";background:rgba(128,128,128,{0.5 * min(share, 1):.2f})" if share else ""
    hint = f' title="{escape_html(str(name)[:300])}"' if scope and str(name) != text else ""
    given = f' scope="{scope}"' if scope else ""
    style = f"{CELL_STYLE};white-space:nowrap;text-align:{side}{shade}"
    return f'<{tag}{given} style="{style}"{hint}><bdi>{escape_html(text)}</bdi></{tag}>'


FAR_APART = 0.01  # values under two conventions that are both shown
NAMED = 4  # scores that are named in a remark


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
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")


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
