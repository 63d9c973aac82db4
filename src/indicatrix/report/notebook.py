"""What a notebook shows: compact HTML in the colors of the page, without scripts.

Labels are plain text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, product
from types import MappingProxyType
from typing import Any

from .grid import show
from .table_forms import Label, Table, Uncertain, escape_html, labels_apart
from .text import TITLE, GroupTable, Report, Unit, interval_notes, most_frequent, score_cell, undefined_notes

OPEN = 12  # rows that a table shows at once; a longer one opens on request
SHOWN = 30  # rows, and columns, of values that are shown
POINTS = 160  # of a sketched curve
FAR_BELOW = 0.35  # of the height of a curve: what lies further below 0 is not drawn
NOTHING_ELSE: Mapping[str, Sequence[float]] = MappingProxyType({})
WIDE, HIGH = 260, 150


def report_html(report: Report) -> str:
    """Return the report of an evaluation: averages, classes, groups, confusions and findings."""
    blocks = [paragraphs([" ".join(report.facts)]), _averages(report).html()]
    blocks.append(_units("class", "classes", report.measures, report.classes))
    if report.groups is not None:
        axis, groups = report.groups
        blocks.append(_units(axis, f"{axis}s", report.measures, groups))
    blocks += [_groups(table, report.measures) for table in report.tables]
    if report.confusion is not None:
        inside = scrolling_html(report.confusion.html()) + paragraphs(report.confusion.notes)
        blocks.append(fold(TITLE.rstrip(":"), inside, open=True))
    if report.confused:
        names = labels_apart([name for true, predicted, _ in report.confused for name in (true, predicted)])
        rows = [(t, p, often) for t, p, (_, _, often) in zip(names[::2], names[1::2], report.confused, strict=True)]
        blocks.append(fold("Most confused", Table(("true", "predicted", "how often"), rows, 2).html()))
    lost = [s for _, scores in report.averages for s in scores if s.undefined_units]
    blocks.append(paragraphs([" ".join(undefined_notes(lost, report.undefined)), " ".join(report.notes)]))
    if report.findings:
        blocks.append(fold("Worth knowing", listed(report.findings), open=True))
    return fragment(blocks)


def fragment(blocks: Iterable[str]) -> str:
    """Return blocks of HTML as one part of a page."""
    return f'<div style="color:inherit;line-height:1.4">{"".join(blocks)}</div>'


def fold(title: str, inside: str, *, open: bool = False) -> str:
    """Return HTML below a title that opens and closes it."""
    return f"<details{' open' if open else ''}><summary>{escape_html(title)}</summary>{inside}</details>"


def listed(texts: Iterable[str]) -> str:
    """Return texts as a list of HTML."""
    items = "".join(f"<li>{escape_html(text)}</li>" for text in texts)
    return f'<ul style="margin:.3em 0;max-width:60em">{items}</ul>'


def scrolling_box(table: Table) -> str:
    """Return a table in a box that scrolls."""
    return scrolling_html(table.html())


def scrolling_html(inside: str) -> str:
    """Return HTML in a box that scrolls."""
    return f'<div style="max-height:26em;max-width:100%;overflow:auto" tabindex="0">{inside}</div>'


def value_html(cell: Any, name: str, *more: str) -> str:
    """Return a value, what it is, and sentences about it."""
    text = f"<strong>{escape_html(show(cell))}</strong> {escape_html(name)}"
    return fragment([f"<span>{text}</span>", paragraphs(more)])


def uncertain_html(interval: Any, name: str) -> str:
    """Return a value with its interval, how this was found, and what a reader should know."""
    how = f"{name}, {100 * interval.level:.4g}% interval" + (f" ({interval.method})" if interval.method else "")
    return value_html(Uncertain(float(interval.value), interval.low, interval.high), how, interval.note)


def sketch(
    name: str, x: Sequence[float], y: Sequence[float], axes: tuple[str, str], also: Mapping[str, Sequence[float]] = NOTHING_ELSE
) -> str:
    """Return a small drawing of points that lines join; it breaks where something is undefined.

    ``also`` are curves over the same x to compare it with, by name. They may fall without limit, as the benefit of treating all
    does: what lies far below 0 is cut off.
    """
    points = _finite(x, y)
    if not points:
        return paragraphs([f"{name}: every point is undefined."])
    kept = _thin_out(points)
    (left, right), (low, high) = ((min(side), max(side)) for side in zip(*kept, strict=True))
    cut = max(low, -FAR_BELOW * abs(high)) if also else low
    wide, tall = WIDE - 16, HIGH - 38
    across, up = wide / ((right - left) or 1), tall / ((high - cut) or 1)

    def line(some: Iterable[tuple[float, float]]) -> str:
        place = " ".join(f"{1 + across * (a - left):.1f},{1 + up * (high - b):.1f}" for a, b in some)
        return f'<polyline points="{place}" fill="none" stroke="currentColor" '

    dashed = "".join(
        f'{line(_thin_out(_finite(x, other)))}stroke-opacity=".5" stroke-dasharray="4 3"/>' for other in also.values()
    )
    against = f"Dashed: {', '.join(also)}." if also else ""
    ranges = f"{axes[1]} from {show(low)} to {show(high)}, against {axes[0]} from {show(left)} to {show(right)}"
    says = escape_html(f"{name}: {ranges}" + (f". {against}" if against else ""))
    label = '<text x="{}" y="{}" font-size="11" fill="currentColor" text-anchor="{}">{}</text>'
    return (
        f'<svg role="img" aria-label="{says}" width="{WIDE}" height="{HIGH}" viewBox="0 0 {WIDE} {HIGH}" style="max-width:100%">'
        f'<path d="M8 16V{HIGH - 22}H{WIDE - 8}" fill="none" stroke="currentColor" stroke-opacity=".4"/>'
        f'<svg x="7" y="15" width="{wide + 2}" height="{tall + 2}">{dashed}{line(kept)}stroke-width="2"/></svg>'  # cuts lines off
        + label.format(8, 11, "start", f"{escape_html(axes[1])}: {show(cut)} ↑ {show(high)}")
        + label.format(WIDE - 8, HIGH - 7, "end", f"{escape_html(axes[0])}: {show(left)} → {show(right)}")
        + "</svg>"
        + paragraphs([against])
    )


def _finite(x: Sequence[float], y: Sequence[float]) -> list[tuple[float, float]]:
    return [(a, b) for a, b in zip(x, y, strict=True) if math.isfinite(a) and math.isfinite(b)]


def _thin_out(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return as many points as a reader can see, and the last one."""
    return [*points[:: max(1, -(-len(points) // POINTS))], *points[-1:]]


def _averages(report: Report) -> Table:
    rows = []
    for name, scores in report.averages:
        own = report.intervals.get(name, [None] * len(scores))
        rows.append((name, *(score_cell(score, x) for score, x in zip(scores, own, strict=True))))
    named = {f"{name} {m}": x for name, own in report.intervals.items() for m, x in zip(report.measures, own, strict=True)}
    return Table(("average", *report.measures), rows, notes=interval_notes(named) if named else ())


def _units(one: str, many: str, measures: Sequence[str], units: Sequence[Unit]) -> str:
    shown = most_frequent(units)
    names = labels_apart([name for name, *_ in shown])
    rows = [(name, *counts, *values) for name, (_, *counts, values) in zip(names, shown, strict=True)]
    title = f"{len(units):,} {one if len(units) == 1 else many}"
    title += f", the {len(shown)} most frequent" if len(shown) < len(units) else ""
    return fold(title, scrolling_box(Table((one, "actual", "predicted", *measures), rows)), open=len(rows) <= OPEN)


def _groups(table: GroupTable, measures: Sequence[str]) -> str:
    names = labels_apart([name for name, *_ in table.rows])
    rows = [(name, n, *map(score_cell, scores)) for name, (_, n, scores) in zip(names, table.rows, strict=True)]
    head = (Label(table.axis), "examples", *(f"{table.average} {m}" for m in measures))
    title = f"{len(rows):,} of {table.of:,} groups of {table.axis}" if len(rows) < table.of else f"Groups of {table.axis}"
    return fold(title, scrolling_box(Table(head, rows)), open=len(rows) <= OPEN)


def paragraphs(texts: Iterable[str]) -> str:
    """Return texts as paragraphs of HTML; empty ones are left out."""
    return "".join(f'<p style="margin:.3em 0;max-width:60em">{escape_html(text)}</p>' for text in texts if text)


def values_html(values: Any) -> str:
    """Return the table of values that know the names of their units.

    >>> import indicatrix as ix
    >>> "<bdi>0.500</bdi>" in values_html(ix.evaluate(["a", "b", "b"], ["a", "a", "b"]).values("recall"))
    True
    """
    crossed = values.ndim == 2 and values.times is None
    table, left_out = _crossed(values) if crossed else _listed(values)
    level = [f"In brackets: {100 * values.intervals[0].level:.4g}% intervals."] if values.intervals else []
    return fragment([scrolling_box(table), paragraphs([left_out, *level])])


def _crossed(values: Any) -> tuple[Table, str]:
    """Return the units of the first axis in rows, those of the second in columns; and what is not shown."""
    down, across = values.names
    corner = Label(f"{values.per[0]} ↓ {values.per[1]} →" if values.per else "")
    rows = [
        (name, *(_cell(values, i * len(across) + j) for j in range(min(len(across), SHOWN))))
        for i, name in enumerate(labels_apart(down[:SHOWN]))
    ]
    shown = (
        f"{len(rows)} of {len(down)} rows" * (len(down) > SHOWN),
        f"{SHOWN} of {len(across)} columns" * (len(across) > SHOWN),
    )
    said = " and ".join(filter(None, shown))
    return Table((corner, *labels_apart(across[:SHOWN])), rows), f"The first {said}." if said else ""


def _listed(values: Any) -> tuple[Table, str]:
    """Return a row for each unit: its names, its value, how often it occurred; and what is not shown."""
    axes = values.per or ("unit",) * values.ndim
    units = islice(product(*((values.names,) if values.ndim == 1 else values.names)), SHOWN)
    counted = values.times is not None
    rows = []
    for i, unit in enumerate(units):
        rows.append((*map(Label, unit), _cell(values, i), *([values.times.ravel()[i].item()] if counted else ())))
    said = f"The first {SHOWN} of {values.size:,} units." if values.size > SHOWN else ""
    return Table((*map(Label, axes), "value", *(["times"] if counted else ())), rows, len(axes)), said


def _cell(values: Any, i: int) -> Any:
    """Return a value, with its interval if there is one."""
    if values.intervals is None:
        return float(values.flat[i])
    found = values.intervals[i]
    return Uncertain(float(found.value), found.low, found.high)
