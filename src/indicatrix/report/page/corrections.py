"""The section of imperfect truth: scores by the labels as judged, by gold labels alone, corrected."""

from __future__ import annotations

from typing import Any

from ...algebra.average import measure_name
from .headline import usual_average
from .numbers import numbers
from .page_subject import Subject

EXTRA = "corrections"  # the name under which a subject has the evaluations without the correction, by what they take as truth
CORRECTED = "corrected"
MISSING = float("nan")


def content(subject: Subject) -> dict[str, Any] | None:
    """Return each score for each truth, with intervals, as plain data; None where nothing was corrected."""
    without = subject.extras.get(EXTRA)
    if not without:
        return None
    ways = {**without, CORRECTED: subject.ev}
    several = (measure for measure in subject.measures if measure.reads.counted and not subject.versions(measure))
    shown = [(measure, usual_average(subject, measure)) for measure in several]
    columns: dict[str, dict[str, list[Any]]] = {}
    for way, ev in ways.items():
        found = [_interval(subject, ev, *score) for score in shown]
        columns[way] = {
            end: numbers([MISSING if one is None else getattr(one, end) for one in found]) for end in ("value", "low", "high")
        }
        says = ["" if one is None else one.note for one in found]  # at last those of what was corrected
    names = [measure_name(measure, [average]) for measure, average in shown]
    return {"names": names, "ways": [*ways], "columns": columns, "says": says}


def _interval(subject: Subject, ev: Any, measure: Any, average: str) -> Any:
    """Return the interval of a score; None where it has none."""
    try:
        return ev.interval(measure, average, level=subject.level)
    except ValueError:
        return None
