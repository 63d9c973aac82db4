"""The sections that counts make.

Matrix, classes, measures, gap, priors, conventions, several classifiers, groups, and curves.

Classifiers have what their comparison computed. Groups have counts of their own and say how sure their values are. Curves are of
counts at some thresholds of each column of scores, with exact areas.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np

from ...algebra.arrays import Array, as_weight
from ...algebra.average import AVERAGES, BINARY, find_average, groupings_of
from ...algebra.convention import Convention
from ...algebra.counts import CELLS, Counts
from ...algebra.measure import Measure
from ..grid import labels
from ..summary import usual_average_inside
from .javascript import measure_as_javascript
from .page_data import Subject, all_units_of, convention_data, label_text, numbers

MOST_INTERVALS = 400  # each takes one or two milliseconds
MOST_MEASURES = 6
USUAL: tuple[Any, ...] = ("exclude", 0, 1, "nan", Convention(0), Convention(0, "true"))
LONGEST_NAME = 48
COMPARISON = "comparison"  # the name under which a subject has its comparison
MOST_GROUPS = 200
MOST_ENTRIES = 20_000  # groups times classes, of which each has four counts
MOST_GROUP_INTERVALS = 60  # over all groups and scores: each takes a few milliseconds
CURVES = "curves"  # the name under which a subject has its scores


def matrix_content(subject: Subject) -> dict[str, Any] | str | None:
    """Return nothing more than the embedded matrix, or why there is no matrix."""
    if not subject.ev.classes:
        return None
    try:
        return {"examples": numbers([np.asarray(subject.ev.confusion).sum()])[0]}
    except ValueError as reason:
        return str(reason)


def class_table_content(subject: Subject) -> dict[str, Any] | str | None:
    """Return the intervals of the classes; if they are many, of fewer measures and the largest classes."""
    ev = subject.ev
    if not ev.classes:
        return None
    measures = subject.of_classes
    if not measures:
        return "The page cannot compute values of single classes with these measures."
    main = subject.main
    ordered = [main, *(m for m in measures if m != main)]
    with_ends = ordered[: max(1, min(MOST_MEASURES, MOST_INTERVALS // len(ev.classes)))]
    return {"measures": measures, "main": main, **_intervals(subject, with_ends)}


def _intervals(subject: Subject, measures: list[str]) -> dict[str, Any]:
    """Return the ends by measure, one pair of lists for the classes, and why there are no intervals."""
    ev = subject.ev
    found: dict[str, list[Any]] = {}
    sizes = as_weight(ev.aggregate("class").tpos)
    largest = np.argsort(-np.nan_to_num(sizes), kind="stable")[:MOST_INTERVALS].tolist()
    for name in measures:
        ends = np.full((2, len(ev.classes)), np.nan)
        for i in largest:
            try:
                own = replace(ev, named_positive=ev.classes[i]).interval(name, BINARY, level=subject.level)
            except (ValueError, ImportError) as wrong:
                return {"intervals": found, "why": str(wrong), "largest": 0}
            ends[:, i] = own.low, own.high
        found[name] = [numbers(side) for side in ends]
    return {"intervals": found, "why": "", "largest": len(largest)}


def measure_grid_content(subject: Subject) -> dict[str, Any] | None:
    """Return the intervals of the scores, and the values of a classifier that is always wrong."""
    if not subject.ev.classes:
        return None
    return {"floors": _floors(subject), "onehot": len(subject.ev.classes) if _is_one_hot(subject.ev) else 0}


def _is_one_hot(ev: Any) -> bool:
    """Return whether each example has one true and one predicted class: then floors are known."""
    if ev.kind != "multiclass" or len(ev.classes) < 2 or ev.unobserved or ev.recipe.uses("cost") or ev.recipe.uses("only"):
        return False
    rows = ev.aggregate("example")
    fits = np.isclose(np.asarray(rows.fp, float), np.asarray(rows.fn, float)) & ((rows.tp + rows.fn) == 1)
    return bool(np.size(rows.tp)) and bool(np.all(fits))


def _floors(subject: Subject) -> dict[str, dict[str, float]]:
    """Return the floors that depend on the class sizes; the page computes those that depend on m only."""
    ev = subject.ev
    floors: dict[str, dict[str, float]] = {}
    if not _is_one_hot(ev):
        return {}
    sizes = [int(x) for x in np.asarray(ev.aggregate("class").tpos)] if len(ev.classes) <= 200 else []
    if not sizes or min(sizes) < 1:
        return {}
    for measure in (m for m in subject.measures if m.reads.formula):
        for average in subject.averages:
            if not find_average(average).is_mean_over("class"):
                continue
            try:
                found = float(subject.theory.floor(measure, len(sizes), average=average, sizes=sizes, n=sum(sizes)))
            except ValueError:  # not known in closed form
                continue
            if math.isfinite(found):
                floors.setdefault(str(measure), {})[average] = found
    return floors


def gap_content(subject: Subject) -> dict[str, Any] | None:
    """Return the measures to choose from; None with fewer than two classes. The page computes the rest."""
    if len(subject.ev.classes) < 2 or not subject.of_classes:
        return None
    return {"measures": subject.of_classes, "main": subject.main}


def priors_content(subject: Subject) -> dict[str, Any] | str | None:
    """Return how priors are moved here, which classes can be moved, and the first of them."""
    ev = subject.ev
    if not ev.classes or not ev.n or not subject.of_classes:
        return None
    if ev.unobserved:
        return f"Other class frequencies need all counts, but these data do not show {', '.join(ev.unobserved)}."
    if ev.recipe.uses("cost"):
        return "Other class frequencies count examples, but costs weight the cells here."
    counts = ev.aggregate("class")
    actual, rest, predicted = (as_weight(x) for x in (counts.tpos, counts.tneg, counts.ppos))
    if ev.kind == "multiclass":
        try:
            table = as_weight(ev.confusion)
        except ValueError as reason:
            return f"Other class frequencies need the pairs of true and predicted classes. {reason}"
        if not np.allclose(table.sum(axis=0), predicted):
            return "Some examples have no true class, so their number does not follow from the class frequencies."
    movable = np.flatnonzero((actual > 0) & (rest > 0))
    if not movable.size:
        return "No class can be made rarer or more frequent: each has all examples or none."
    first = movable[np.argmin(actual[movable])]  # the rarest shows most
    return {"movable": movable.tolist(), "first": int(first), "together": ev.kind == "multiclass"}


def conventions_content(subject: Subject) -> dict[str, Any] | None:
    """Return the conventions, the one of the page first."""
    if not subject.ev.classes:
        return None
    return {"choices": [convention_data(convention) for convention in dict.fromkeys((subject.undefined, *USUAL))]}


def comparison_content(subject: Subject) -> dict[str, Any] | None:
    """Return the classifiers with their counts, and what was computed for them; None for a single one."""
    made = subject.extras.get(COMPARISON)
    if made is None:
        return None
    rows = [_row(subject, row) for row in made.rows]
    first = next((row for row in rows if row["measure"] is not None), None)
    usual = {"measure": str(subject.measures[0]), "average": subject.averages[0] if subject.averages else None}
    return {
        "names": [label_text(name) for name in made.names],
        "called": labels([label_text(name) for name in made.names], LONGEST_NAME),
        "adjusted": max((d.family for d in made.differences if d.correction), default=0),
        "units": [all_units_of(ev, subject.averages) for ev in made.evaluations],
        "rows": rows,
        "legend": made.legend("star").replace("*:", "★:", 1),
        "groups": [
            {"name": label_text(axis), "rows": [_row(subject, row) for row in some]} for axis, some in made.groups.items()
        ],
        "differences": [_difference(made, d) for d in made.differences],
        "said": [label_text(text) for text in made.sentences],
        "doubts": [label_text(line) for text in (*made.doubts, *made.notes) for line in text.split("\n")],
        "main": usual if first is None else {"measure": first["measure"], "average": first["average"]},
        "conventions": (conventions_content(subject) or {"choices": []})["choices"],
    }


def ranks_content(subject: Subject) -> dict[str, Any] | None:
    """Return nothing more than the page has of several classifiers; None for a single one."""
    made = subject.extras.get(COMPARISON)
    return {} if made is not None and len(made.names) > 1 else None


def _row(subject: Subject, row: Any) -> dict[str, Any]:
    """Return a score of all classifiers, with its measure and average if the page can compute it."""
    measure, average = row.key if row.key is not None else (None, None)
    known = measure in subject.measures and average in subject.averages
    ends = [(None, None) if i is None else tuple(numbers([i.low, i.high])) for i in row.intervals]
    return {
        "name": label_text(row.name),
        "measure": next(str(m) for m in subject.measures if m == measure) if known else None,
        "average": average if known else None,
        "better": row.better,
        "values": numbers([float("nan") if v is None else float(v) for v in row.values]),
        "low": [low for low, _ in ends],
        "high": [high for _, high in ends],
        "best": list(row.best),
    }


def _difference(made: Any, d: Any) -> dict[str, Any]:
    value, low, high, p = numbers([d.value, d.low, d.high, d.adjusted])
    pair = {"first": made.names.index(d.first), "second": made.names.index(d.second)}
    return {
        "row": label_text(d.score),
        **pair,
        "value": value,
        "low": low,
        "high": high,
        "p": p,
        "clear": d.clear,
        "says": label_text(str(d)),
    }


def groups_content(subject: Subject) -> dict[str, Any] | None:
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
    sure = islice(pairs, max(1, MOST_GROUP_INTERVALS // max(1, len(every)))) if every else ()
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


def scores_content(subject: Subject) -> dict[str, Any] | None:
    """Return the columns of scores as plain data; None where there are no scores."""
    scored: ScoredColumns | None = subject.extras.get(CURVES)
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
