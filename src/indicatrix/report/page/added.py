"""The sections of what was added to an evaluation.

These are weak slices, the correction of its truth, and a reporting checklist.

A subject has each under the name of its section; where it was not asked for, there is nothing to show.
"""

from __future__ import annotations

from typing import Any

from ...algebra.average import measure_name
from .headline import usual_average
from .numbers import label_text, numbers
from .page_subject import Subject

CORRECTED = "corrected"
MISSING = float("nan")


def slices_content(subject: Subject) -> dict[str, Any] | str | None:
    """Return the slices as plain data, with intervals, as the search gave them; or why there are none."""
    found = subject.extras.get("slices")
    if found is None:
        return None
    if not len(found):
        return " ".join(found.sentences())
    columns = found.to_dict()
    names = [label_text(text) for text in columns.pop("slice")]
    return {
        "score": found.name,
        "whole": numbers([found.value])[0],
        "names": names,
        "says": found.sentences(),
        **{name: numbers(values) for name, values in columns.items()},
    }


def corrections_content(subject: Subject) -> dict[str, Any] | None:
    """Return each score, with intervals, by the labels as judged, by gold labels alone, and corrected."""
    without = subject.extras.get("corrections")  # the evaluations without the correction, by what they take as truth
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


def checklist_content(subject: Subject) -> dict[str, Any] | None:
    """Return the items of the checklist, and what the evaluation says about them."""
    made = subject.extras.get("checklist")
    return None if made is None else {"title": made.title, **made.to_dict()}
