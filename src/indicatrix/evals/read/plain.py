"""Plain tables of scores, with a column of questions and one of scores.

They are JSON lines, Parquet, CSV, data frames and columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...encode.weights import read_groupings
from ...words.wording import did_you_mean, listing, short
from ..logs import Answer, Log, facts, plain_columns, plain_values


def read_plain(rows: Any, columns: Mapping[str, Any], path: Path | None = None) -> Iterator[Log]:
    """Yield a log for each task and model of a table.

    Without such columns it is one, called after the file.
    """
    runs: dict[tuple[str, str], list[Answer]] = {}
    better: dict[tuple[str, str], dict[str, str]] = {}
    usual = (path.name.partition(".")[0] if path else "") or "model"
    taken = {*columns["score"], *(name for role, name in columns.items() if role != "score")}
    for row in rows:
        run = _name_in(row, columns["task"], "task"), _name_in(row, columns["model"], usual)
        question, target, said = row[columns["question"]], row.get(columns["target"]), row.get(columns["answer"])
        scores, more = _scores_in(row, columns), {k: v for k, v in row.items() if k not in taken}
        runs.setdefault(run, []).append(Answer(question, scores, target, said, plain_values(more)))
        if columns["better"] in row:
            _add_directions(better.setdefault(run, {}), scores, row[columns["better"]], columns["better"])
    for (task, model), own in runs.items():
        yield Log(task, model, own, facts("unknown", path and f"{path.resolve()}/{task}/{model}"), better.get((task, model), {}))


def _scores_in(row: Mapping[str, Any], columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scores of a row, by the columns that hold them and by the scorer that a column names."""
    own = {name: row.get(name) for name in columns["score"]}
    if columns["scorer"] not in row:
        return own
    scorer = _name_in(row, columns["scorer"], "")
    return {scorer if len(own) == 1 else f"{scorer}/{name}": score for name, score in own.items()}


def _add_directions(known: dict[str, str], scorers: Iterable[str], said: Any, column: str) -> None:
    """Add which values of some scorers are better; one that is said to have both is refused."""
    for scorer in scorers:
        if said not in ("higher", "lower") or known.setdefault(scorer, said) != said:
            raise ValueError(
                f"{column!r} is {short(said)} in a row of {scorer!r}. It says which scores are better: 'higher' or 'lower' in "
                "all rows of a scorer. Where the column means something else, name another one as better=."
            )


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
    for role, name in (("question", columns["question"]), *(("score", name) for name in columns["score"])):
        if name not in have:
            hint = did_you_mean(str(name), [*map(str, have)])
            raise ValueError(
                f"{what} has no column {name!r}. {hint + ' ' if hint else ''}Its columns are {listing(have)}; name that of "
                f"{role}s as {role}=."
            )
