"""Details of lighteval: a Parquet file for each task, with the metrics of each question."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..logs import Log

DETAILS = re.compile(r"details_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d+)")


def is_lighteval(path: Path, data: Any) -> bool:
    """Return whether a file has details of lighteval; ``data`` is its first row."""
    return isinstance(data, dict) and bool({"metric", "metrics"} & data.keys()) and bool({"doc", "full_prompt"} & data.keys())


def read_lighteval(path: Path, rows: Any) -> Iterator[Log]:
    """Yield the log of a file of details: details/MODEL/DATE/details_TASK_DATE.parquet."""
    named = DETAILS.fullmatch(path.stem)
    task, date = (named["task"], named["date"]) if named else (path.stem.removeprefix("details_"), "")
    above = path.parent.parts
    end = -1 if date and above and above[-1] == date else len(above)
    start = len(above) - 1 - above[::-1].index("details") if "details" in above else max(len(above[:end]) - 2, -1)
    model = "/".join(above[start + 1 : end]) or path.parent.name
    about = {"library": "lighteval", "version": "unknown", "created": date, "origin": frozenset((f"{model}/{task}/{date}",))}
    yield Log(task, model, (_row(i, row) for i, row in enumerate(rows)), about=about)


def _row(place: int, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of details; older versions have a column for each field, newer ones nest them."""
    doc = _read(row.get("doc")) or {}
    metrics = _read(row.get("metric") if "metric" in row else row["metrics"])
    choices, gold = doc.get("choices") or _read(row.get("choices")) or [], doc.get("gold_index", _read(row.get("gold_index")))
    place_of = gold[0] if isinstance(gold, list) and gold else gold
    name = doc.get("id")
    return {
        "question": place if name in (None, "") else name,
        "scores": {metric: value for metric, value in metrics.items() if value is not None},
        "target": choices[place_of] if isinstance(place_of, int) and 0 <= place_of < len(choices) else None,
        "columns": {k: v for k, v in (_read(doc.get("specific")) or {}).items() if not isinstance(v, list | dict)},
    }


def _read(value: Any) -> Any:
    """Return a value that may have been written as the text of a literal of Python."""
    if not isinstance(value, str):
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return value
