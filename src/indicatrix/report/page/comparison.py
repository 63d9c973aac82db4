"""The section of several classifiers: their counts, and what their comparison computed."""

from __future__ import annotations

from typing import Any

from ..grid import labels
from .numbers import label_text, numbers
from .of_counts import conventions_content
from .page_data import all_units_of
from .page_subject import Subject

LONGEST_NAME = 48
EXTRA = "comparison"  # the name under which a subject has its comparison


def comparison_content(subject: Subject) -> dict[str, Any] | None:
    """Return the classifiers with their counts, and what was computed for them; None for a single one."""
    made = subject.extras.get(EXTRA)
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
    made = subject.extras.get(EXTRA)
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
