"""What the page computes with: the counts of all units, and the formulas and averages as JavaScript."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ...algebra.average import BINARY, counts_of_units, find_average
from ...algebra.convention import Convention
from ...algebra.counts import CELLS, Counts
from ...algebra.measure import MEASURES
from .javascript import denominator_as_javascript, measure_as_javascript, object_of, weights_as_javascript
from .page_subject import Subject, label_text, numbers

MOST_UNITS = 2000  # distinct rows of examples: a page must not grow with their number


def page_data(subject: Subject) -> dict[str, Any]:
    """Return the counts, averages and measures as plain data."""
    units = {name: units_of(subject.ev, name) for name in subject.averages}
    classes = [units_of(subject.ev, "macro")] if "class" in subject.ev.axes else []  # tables of classes need them
    return {
        "title": subject.title,
        "kind": subject.ev.kind,
        "n": subject.ev.n,
        "level": subject.level,
        "classes": [label_text(name) for name in subject.ev.classes],
        "positive": subject.ev.classes.index(subject.ev.positive) if subject.ev.positive in subject.ev.classes else None,
        "positive_name": None if subject.ev.positive is None else label_text(subject.ev.positive),
        "matrix": matrix_rows(subject.ev),
        "units": {key: data for key, data in (*classes, *units.values()) if data is not None},
        "averages": [_average(subject, name, *units[name]) for name in subject.averages],
        "measures": {str(m): _measure(subject, m) for m in subject.catalogue},
        "shown": [str(m) for m in subject.measures],
        "glosses": dict(subject.theory.glosses),
        "fixed": _fixed_scores(subject, {name for name, (_, data) in units.items() if data is None}),
        "convention": convention_data(subject.undefined),
    }


def page_code(subject: Subject) -> str:
    """Return the formulas of all measures and the weights of all averages as JavaScript."""
    formulas = {str(m): text for m in subject.catalogue if (text := measure_as_javascript(m)) is not None}
    general, special = {}, {}
    for name in subject.averages:
        rule = find_average(name)
        if rule.weight is not None and rule.general:
            general[name] = weights_as_javascript(rule, None) or "null"
        elif rule.weight is not None:
            own = {str(m): text for m in subject.measures if (text := weights_as_javascript(rule, m)) is not None}
            special[name] = object_of(own)
    below = {str(m): text for m in subject.measures if (text := denominator_as_javascript(m)) is not None}
    tables = {"FORMULAS": formulas, "WEIGHTS": general, "OWN_WEIGHTS": special, "DENOMINATORS": below}
    return "".join(f"const {name}={object_of(table)};\n" for name, table in tables.items())


def units_of(ev: Any, average: str, *, names: bool = True) -> tuple[str, dict[str, Any] | None]:
    """Return the key of the units of an average, and their counts; None if they are too many to embed."""
    rule = find_average(average)
    counts = ev.binary() if average == BINARY else counts_of_units(ev, rule.per)
    key = average if average == BINARY else " × ".join(rule.per) or "all"
    if "example" in rule.per and np.size(counts.tp) > MOST_UNITS:
        return key, None
    return key, units_data(counts, names=names and rule.per not in ((), ("example",)))


def all_units_of(ev: Any, averages: Iterable[str]) -> dict[str, Any]:
    """Return the units of several averages by their keys, without names, which the page has once."""
    found = dict(units_of(ev, name, names=False) for name in averages)
    return {key: data for key, data in found.items() if data is not None}


def units_data(counts: Counts, *, names: bool = True) -> dict[str, Any]:
    """Return counts of units as lists; an unknown count is null."""
    data: dict[str, Any] = {cell: numbers(np.ravel(x)) for cell, x in zip(CELLS, counts, strict=True)}
    data["times"] = None if counts.times is None else numbers(counts.times)
    data["classes"] = "class" in counts.per
    if names and counts.names:
        data["names"] = [label_text(name) for name in counts.names[0]]
    return data


def _average(subject: Subject, name: str, key: str, data: Any) -> dict[str, Any]:
    rule = find_average(name)
    meaning = rule.meaning or f"apply the formula in each group of {name}, then take the mean"
    if name == BINARY:
        meaning = f"only the counts of the positive class, {label_text(subject.ev.positive)}"
    return {
        "name": name,
        "units": key,
        "here": data is not None,
        "pooled": rule.pools,
        "general": rule.general,
        "weighted": rule.weight is not None,
        "meaning": meaning,
        "floor": "pooled" if rule.pools and name != BINARY else "example" if rule.is_mean_over("example") else None,
    }


def _measure(subject: Subject, measure: Any) -> dict[str, Any]:
    notes, formula = subject.theory.notes(measure), measure.reads.formula
    return {
        "what": measure.doc if measure.name else "",
        "formula": notes["formula"],
        "range": [numbers([end])[0] if math.isfinite(end) else ("-∞" if end < 0 else "∞") for end in measure.range],
        "better": measure.better,
        "group": measure.group,
        "aliases": list(measure.aliases),
        "averages": list(subject.versions(measure)),
        "averaged": measure.averaged_name or None,
        "alone": next((m.name for m in MEASURES.values() if m.whole and m.meant_for(subject.ev) == measure), None),
        "properties": notes["properties"],
        "domain": {name: numbers(measure.domain.get(name, (-math.inf, math.inf))) for name in measure.params if formula},
        **{name: notes[name] for name in ("facts", "use", "misleads") if name in notes},
    }


def _fixed_scores(subject: Subject, absent: Iterable[str]) -> dict[str, dict[str, float | None]]:
    """Return the scores that the page cannot compute: averages without units, formulas beyond arithmetic."""
    unwritten = [m for m in subject.measures if measure_as_javascript(m) is None]
    wanted = [(m, a) for m in subject.measures for a in subject.averages if a in absent or m in unwritten]
    fixed: dict[str, dict[str, float | None]] = {}
    for m, a in wanted:
        averaged = m.under(m.averaged_name) if m.averaged_name else m  # the row of accuracy is label accuracy under every average
        try:
            fixed.setdefault(str(m), {})[a] = numbers([subject.score(averaged, a)])[0]
        except ValueError:  # a measure that does not have this average
            continue
    return fixed


def convention_data(undefined: Any) -> dict[str, Any]:
    """Return a convention as the page writes it.

    >>> convention_data("exclude"), convention_data(0)
    ({'otherwise': 'exclude', 'absent': None}, {'otherwise': 0, 'absent': None})
    """
    if isinstance(undefined, Convention):
        return {"otherwise": undefined.otherwise, "absent": undefined.absent}
    return {"otherwise": undefined if isinstance(undefined, str) else numbers([undefined])[0], "absent": None}


def matrix_rows(ev: Any) -> list[list[list[Any]]] | None:
    """Return for each row its filled columns, as distances, and their counts; None without a matrix."""
    try:
        table = np.asarray(ev.confusion)
    except ValueError:
        return None
    filled = (np.flatnonzero(row) for row in table)
    return [[np.diff(at, prepend=-1).tolist(), numbers(row[at])] for row, at in zip(table, filled, strict=True)]
