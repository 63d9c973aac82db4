"""The section of groups: the counts of each group of each grouping, and how sure their values are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from ...algebra.average import AVERAGES, BINARY, groupings_of
from ...algebra.measure import Measure
from ..summary import usual_average_inside
from .javascript import measure_as_javascript
from .numbers import label_text, numbers
from .page_data import all_units_of
from .page_subject import Subject

MOST_GROUPS = 200
MOST_ENTRIES = 20_000  # groups times classes, of which each has four counts
MOST_INTERVALS = 60  # over all groups and scores: each takes a few milliseconds


def content(subject: Subject) -> dict[str, Any] | None:
    """Return the groupings with the counts of their groups; None without groups."""
    axes = groupings_of(subject.ev)
    inside = [a for a in subject.averages if a in AVERAGES or a == BINARY]
    if not axes or not inside:
        return None
    usual = usual_average_inside(subject.ev)
    main = {"measure": subject.main, "average": usual if usual in inside else inside[0]}
    return {"main": main, "averages": inside, "axes": [_axis(subject, axis, inside, main) for axis in axes]}


def _axis(subject: Subject, axis: str, inside: list[str], main: dict[str, str]) -> dict[str, Any]:
    """Return a grouping: its largest groups with their counts, and intervals of some scores."""
    ev = subject.ev
    sizes = ev.tally.sizes_of(axis)
    most = max(2, min(MOST_GROUPS, MOST_ENTRIES // max(1, len(ev.classes))))
    largest = {*sorted(sizes, key=lambda name: -sizes[name])[:most]}
    shown = [name for name in sizes if name in largest]
    parts = {name: replace(ev, tally=part) for name, part in ev.tally.split(axis, shown).items()}
    pairs = _first_pairs(subject, inside, main)
    every = shown if len(shown) == len(sizes) else []  # a test of some groups is not one of all
    sure = islice(pairs, max(1, MOST_INTERVALS // max(1, len(every)))) if every else ()
    return {
        "name": label_text(axis),
        "groups": [label_text(name) for name in shown],
        "sizes": numbers([sizes[name] for name in shown]),
        "all": len(sizes),
        "units": [all_units_of(part, inside) for part in parts.values()],
        "sure": {f"{m} {a}": _between(subject, axis, m, a) for m, a in sure},
    }


def _first_pairs(subject: Subject, inside: list[str], main: dict[str, str]) -> Iterator[tuple[Measure, str]]:
    """Yield scores, the most important first: the main one, other measures, then other averages."""
    first = next(m for m in subject.catalogue if str(m) == main["measure"])
    averages = [main["average"], *(a for a in inside if a != main["average"])]
    measures = [first, *(m for m in subject.measures if m is not first and measure_as_javascript(m) is not None)]
    possible = [(m, averages[0]) for m in measures] + [(first, a) for a in averages[1:]]
    yield from ((m, a) for m, a in possible if not m.averages or a in m.averages)


def _between(subject: Subject, axis: str, measure: Measure, average: str) -> dict[str, Any]:
    """Return the intervals of a score of the groups and of its largest difference, and the test."""
    try:
        found = subject.ev.compare_groups(measure, axis, average=average, level=subject.level)
        ends = [*found.intervals.values()]
        gap = found.difference_interval
    except (ValueError, ImportError) as wrong:
        return {"why": str(wrong)}
    test = found.test
    return {
        "low": numbers([i.low for i in ends]),
        "high": numbers([i.high for i in ends]),
        "gap": numbers([gap.low, gap.high]),
        "test": str(test) if test is not None else "",
        "p": numbers([test.p_value])[0] if test is not None else None,
        "why": found.reason,
        "unusual": [label_text(name) for name in found.unusual],
    }
