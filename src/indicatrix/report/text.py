"""The text report: classes, averages and what was undefined.

Classes have their counts and main measures.

The confusion matrix as people read it: true classes in rows, predicted ones in columns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

from ..words.wording import listing
from .grid import grid, labels, show, width
from .score_table import interval_notes, score_cell, treatment_of, undefined_notes
from .table_forms import CELL_STYLE, TABLE_STYLE, BothConventions, Uncertain, escape_html, inside, plain

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
