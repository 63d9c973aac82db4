"""Details of lighteval: a Parquet file for each task, with the metrics of each question."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..logs import Answer, Log, facts, plain_values, task_and_date


def read_lighteval(path: Path, rows: Any) -> Iterator[Log]:
    """Yield the log of a file of details: details/MODEL/DATE/details_TASK_DATE.parquet."""
    task, date = task_and_date(path, "details")
    above = path.parent.parts
    end = -1 if date and above and above[-1] == date else len(above)
    start = len(above) - 1 - above[::-1].index("details") if "details" in above else max(len(above[:end]) - 2, -1)
    model = "/".join(above[start + 1 : end]) or path.parent.name
    about = facts("lighteval", f"{model}/{task}/{date}", created=date)
    yield Log(task, model, (_row(i, row) for i, row in enumerate(rows)), about)


def _row(place: int, row: dict[str, Any]) -> Answer:
    """Return a row of details; older versions have a column for each field, newer ones nest them."""
    doc = _read(row.get("doc")) or {}
    metrics = _read(row.get("metric") if "metric" in row else row["metrics"])
    choices, gold = doc.get("choices") or _read(row.get("choices")) or [], doc.get("gold_index", _read(row.get("gold_index")))
    place_of = gold[0] if isinstance(gold, list) and gold else gold
    name, scores = doc.get("id"), {metric: value for metric, value in metrics.items() if value is not None}
    target = choices[place_of] if isinstance(place_of, int) and 0 <= place_of < len(choices) else None
    return Answer(place if name in (None, "") else name, scores, target, None, plain_values(_read(doc.get("specific"))))


def _read(value: Any) -> Any:
    """Return a value that may have been written as the text of a literal of Python."""
    if not isinstance(value, str):
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return value
