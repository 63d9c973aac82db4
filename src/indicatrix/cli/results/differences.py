"""What ``indicatrix compare`` shows: tables, differences in sentences, or all as plain data."""

from __future__ import annotations

from typing import Any

from ...comparison.comparison import Comparison
from ...comparison.row import Row
from ...inference.paired.difference import Difference
from ..measures.quantities import plain
from ..output import Form, bullets, draw, json_text, prose
from .evaluation_tables import comparison_table


def comparison_text(made: Comparison, form: Form) -> str:
    """Return a comparison to print: as text that of ``print(comparison)``."""
    if form == "json":
        return json_text(comparison_data(made))
    if form == "csv":
        return made.csv().replace("\r\n", "\n").rstrip("\n")
    tables = [draw(comparison_table(made.names, rows), form) for rows in (made.rows, *made.groups.values()) if rows]
    said = [bullets(made.sentences, form) if form == "markdown" else prose("\n".join(made.sentences))] if made.sentences else []
    key = [prose(text, form)] if (text := made.legend("star" if form == "text" else "bold")) else []
    return "\n\n".join((*tables, *key, *said, *(prose(text, form) for text in (*made.doubts, *made.notes))))


def comparison_data(made: Comparison) -> dict[str, Any]:
    """Return everything as plain data; what is undefined or not known is None."""
    return {
        "names": list(made.names),
        "paired": made.joint is not None,
        "undefined": made.undefined,
        "scores": [_row_data(made, row) for row in made.rows],
        "differences": [_difference_data(d) for d in made.differences],
        "groups": {axis: [_row_data(made, row) for row in rows] for axis, rows in made.groups.items()},
        "doubts": list(made.doubts),
        "notes": list(made.notes),
    }


def _row_data(made: Comparison, row: Row) -> dict[str, Any]:
    values = {name: None if v is None else plain(v) for name, v in zip(made.names, row.values, strict=True)}
    data: dict[str, Any] = {"score": row.name, "better": row.better, "values": values}
    if row.intervals:
        each = zip(made.names, row.intervals, strict=True)
        data["intervals"] = {
            n: None if i is None else {"low": plain(i.low), "high": plain(i.high), "level": i.level} for n, i in each
        }
    best = [name for name, top in zip(made.names, row.best, strict=True) if top]
    return {**data, "best": best}


def _difference_data(d: Difference) -> dict[str, Any]:
    numbers = {
        name: plain(getattr(d, name))
        for name in ("value", "low", "high", "p", "adjusted", "probability", "not_worse", "equivalent")
    }
    facts = {name: getattr(d, name) for name in ("level", "method", "correction", "family", "margin", "clear", "note")}
    return {"score": d.score, "first": d.first, "second": d.second, **numbers, **facts, "says": str(d)}
