"""Plain tables of scores, with a column of questions and one of scores.

They are JSON lines, Parquet, CSV, data frames and columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...encode.weights import read_groupings
from ...words.spelling import did_you_mean
from ...words.wording import listing
from ..logs import Log, plain_columns

COLUMNS = {"question": "question", "score": "score", "model": "model", "task": "task", "target": "target", "answer": "answer"}


def is_plain(data: Any, columns: Mapping[str, Any]) -> bool:
    """Return whether a row has the columns of questions and scores."""
    return isinstance(data, dict) and {columns["question"], *_several(columns["score"])} <= data.keys()


def read_plain(rows: Any, columns: Mapping[str, Any], path: Path | None = None) -> Iterator[Log]:
    """Yield a log for each task and model of a table.

    Without such columns it is one, called after the file.
    """
    name = path.name.partition(".")[0] if path else ""
    by_run: dict[tuple[str, str], list[dict[str, Any]]] = {}
    taken = {columns[role] for role in ("question", "model", "task", "target", "answer")} | {*_several(columns["score"])}
    for row in rows:
        run = _name_in(row, columns["task"], "task"), _name_in(row, columns["model"], name or "model")
        made = {
            "question": row[columns["question"]],
            "scores": {score: row.get(score) for score in _several(columns["score"])},
            "target": row.get(columns["target"]),
            "said": row.get(columns["answer"]),
            "columns": {k: v for k, v in row.items() if k not in taken and not isinstance(v, list | dict)},
        }
        by_run.setdefault(run, []).append(made)
    for (task, model), own in by_run.items():
        origin = frozenset((f"{path.resolve()}/{task}/{model}",) if path else ())
        about = {"library": "unknown", "version": "unknown", "origin": origin}
        yield Log(task, model, own, about=about)


def _name_in(row: Mapping[str, Any], column: str, otherwise: str) -> str:
    """Return what a column calls a task or a model; without the column, another name."""
    name = row.get(column, otherwise)
    if name is None or name != name:
        raise ValueError(
            f"{column!r} is missing in a row, so that nobody knows whose answer it is. Fill it, or leave the row out."
        )
    return str(name)


def rows_of_columns(given: Any, columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a data frame, or of columns by name."""
    given = read_groupings(given)
    refuse_lacking([*given], columns, "The table")
    named = plain_columns(given)
    return [dict(zip(named, row, strict=True)) for row in zip(*named.values(), strict=True)]


def refuse_lacking(have: Sequence[str], columns: Mapping[str, Any], what: str) -> None:
    """Refuse a table without the columns of questions and scores."""
    for role in ("question", "score"):
        for name in _several(columns[role]):
            if name not in have:
                hint = did_you_mean(str(name), [*map(str, have)])
                raise ValueError(
                    f"{what} has no column {name!r}. {hint + ' ' if hint else ''}Its columns are {listing(have)}; name that of "
                    f"{role}s as {role}=."
                )


def _several(score: Any) -> tuple[str, ...]:
    return (score,) if isinstance(score, str) else tuple(score)
