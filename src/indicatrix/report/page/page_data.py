"""What the page computes with: the counts of all units, and the formulas and averages as JavaScript.

Subject: what a page is about, and the functions of higher layers that its sections ask.

Numbers and labels are embedded in a page in one way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import as_weight
from ...algebra.average import ALIASES, BINARY, counts_of_units, find_average
from ...algebra.convention import Convention
from ...algebra.counts import CELLS, Counts
from ...algebra.measure import MEASURES, Measure
from ...algebra.measure_names import find, resolve
from ...algebra.score import check_undefined
from ...algebra.source_score import choose_average
from ...words.wording import short
from ..grid import name_text
from ..summary import usual_columns, usual_measures
from .javascript import denominator_as_javascript, measure_as_javascript, object_of, weights_as_javascript

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


ALSO_SHOWN = ("accuracy", "balanced_accuracy", "cohen_kappa")  # with the measures of the text report
JOINER = "\u200d"  # it joins parts of one emoji


@dataclass(frozen=True)
class Theory:
    """What the page asks about measures; the report draws it and does not know where it comes from."""

    notes: Callable[[Measure], Mapping[str, Any]]  # the formula as text, and the properties
    glosses: Mapping[str, str]  # what each property means
    floor: Callable[..., Any]


@dataclass(frozen=True)
class Subject:
    """An evaluation, what its page shows first, and the convention that it starts with."""

    ev: Any
    theory: Theory
    measures: tuple[Measure, ...]
    averages: tuple[str, ...]
    undefined: Any = "exclude"
    level: float = 0.95
    title: str = "Evaluation"
    extras: Mapping[str, Any] = field(default_factory=dict)  # what single sections need, by the name of the section
    facts: tuple[str, ...] | None = None  # what was evaluated, in sentences; None: those of the text report
    names_measures: bool = False  # whether whoever made the page named the measures, and the averages
    names_averages: bool = False

    @cached_property
    def catalogue(self) -> tuple[Measure, ...]:
        """Every measure that the page can show: its own, then those of the catalogue."""
        return tuple(dict.fromkeys((*self.measures, *MEASURES.values())))

    def versions(self, measure: Measure) -> tuple[str, ...]:
        """The only averages under which a measure is shown, or () for all; one value stands at the first."""
        return measure.averages or (() if measure.reads.averaged else self.averages[:1])

    def score(self, measure: Measure, average: str) -> Any:
        """Return a score that the page shows; one that does not exist is refused."""
        return measure.score(self.ev, average if measure.reads.averaged else None, self.undefined)

    def with_extra(self, name: str, extra: Any) -> Subject:
        """Return the subject with what one more section needs."""
        return replace(self, extras={**self.extras, name: extra})

    @cached_property
    def of_classes(self) -> tuple[str, ...]:
        """The names of the measures that the page computes for single classes."""
        return tuple(str(m) for m in self.measures if not m.averages and measure_as_javascript(m) is not None)

    @property
    def main(self) -> str:
        """The measure that sections show first: F1, or else the first that the page computes."""
        return "f1" if "f1" in self.of_classes or not self.of_classes else self.of_classes[0]


def subject_of(ev: Any, theory: Theory, measures: Any, averages: Iterable[str] | None, undefined: Any, **facts: Any) -> Subject:
    """Return the subject of an evaluation; measures and averages that do not exist are refused."""
    check_convention(undefined)
    alone = isinstance(measures, str) or hasattr(measures, "better")  # one measure
    names = (*usual_measures(ev), *ALSO_SHOWN) if measures is None else (measures,) if alone else measures
    shown = tuple(dict.fromkeys(m for name in names for m in _rows_of(resolve(name), ev, named=averages is not None)))
    if not shown:
        raise ValueError("measures= is empty. Name at least one measure, or leave it out.")
    asked = [*(usual_columns(ev) if averages is None else averages)]
    for average in asked:
        if not isinstance(average, str | tuple | None):
            raise TypeError(f"averages= holds {short(average)}; an average is a name, such as 'macro'.")
    columns = tuple(dict.fromkeys(ALIASES.get(a, a) for a in asked))
    for average in columns:
        choose_average(find("f1"), ev, average)  # refuses an average that does not exist
    facts |= {"names_measures": measures is not None, "names_averages": averages is not None}
    made = Subject(ev, theory, shown, columns, undefined, **facts)
    for measure in (m for m in shown if not m.reads.counted):
        _check_given(made, measure)
    return made


def _check_given(subject: Subject, measure: Measure) -> None:
    """Refuse a measure without a score under any average, as one of scores where only labels are given."""
    refused = None
    for average in subject.averages:
        try:
            subject.score(measure, average)
        except ValueError as reason:
            refused = reason
        else:
            return
    if refused is not None:
        raise refused


def _rows_of(measure: Measure, ev: Any, *, named: bool) -> tuple[Measure, ...]:
    """Return the rows of a measure: accuracy of examples is another measure than label accuracy.

    It has a row of its own unless averages are named. A page knows measures by their own names, so one that goes by the name of
    another is called by its own.
    """
    whole = measure if named else measure.meant_for(ev)
    several = (measure,) if whole is measure else (whole, measure)
    return tuple(replace(m, called="") if MEASURES.get(m.called, m) != m else m for m in several)


def check_convention(undefined: Any) -> None:
    """Refuse a convention that a page cannot start with."""
    if isinstance(undefined, Convention):
        return
    check_undefined(undefined)
    if undefined == "raise":
        raise ValueError("undefined='raise' stops at an undefined value, and a page shows it. Use 'exclude', 'nan' or a number.")


def numbers(xs: Any) -> list[int | float | None]:
    """Return numbers for JSON: whole ones as integers, those that are not finite as None.

    >>> numbers([1.0, 0.5, float("nan")])
    [1, 0.5, None]
    """
    return [None if not math.isfinite(x) else int(x) if x.is_integer() else x for x in as_weight(xs).tolist()]


def label_text(name: Any) -> str:
    r"""Return a label as text in which no character steers a page; quotes show spaces at its ends.

    >>> print(label_text("a\nb"), label_text(""), label_text("dog "))
    a\nb '' 'dog '
    """
    return name_text(name, keep=JOINER)
