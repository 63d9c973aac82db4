"""read_evals(): which files are meant, which program wrote each, and the runs that they hold."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from glob import glob
from pathlib import Path
from typing import Any

from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, short
from ..logs import Log, assemble
from ..runs import Runs, join
from .harness import is_results, is_samples, read_results, read_samples
from .inspect_logs import is_inspect, read_inspect
from .lighteval import is_lighteval, read_lighteval
from .plain import COLUMNS, is_plain, read_plain, refuse_lacking, rows_of_columns
from .promptfoo import is_promptfoo, read_promptfoo

READERS = (
    (is_inspect, read_inspect),
    (is_samples, read_samples),
    (is_results, read_results),
    (is_lighteval, read_lighteval),
    (is_promptfoo, read_promptfoo),
)
ENDINGS = (".eval", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".csv")
KNOWN = (
    "Inspect (.eval, .json), the evaluation harness (samples_*.jsonl, results_*.json), lighteval (details_*.parquet), promptfoo "
    "(.json, .jsonl), and tables (JSON lines, Parquet, CSV) with a column of questions and one of scores"
)


@answers_mistakes
def read_evals(
    paths: Any,
    *,
    question: str = COLUMNS["question"],
    score: str | Iterable[str] = COLUMNS["score"],
    model: str = COLUMNS["model"],
    task: str = COLUMNS["task"],
    target: str = COLUMNS["target"],
    answer: str = COLUMNS["answer"],
    repeats: str | None = None,
) -> Runs:
    """Return the runs of language models in evaluation logs: the scores of all answers, by task.

    It reads logs of Inspect (.eval and .json), samples and results of the evaluation harness (lm-eval), details of lighteval,
    results of promptfoo, and tables (JSON lines, Parquet, CSV, data frames) with a row for each answer. Scores are right or
    wrong, or numbers; several answers to the same question are epochs.

    Parameters
    ----------
    paths : path, iterable of path, data frame or mapping
        Files, folders with all that they hold, or patterns such as ``"logs/*.eval"``; or a table with a row for each answer.
    question, score, model, task, target, answer : str
        What the columns of a table are called; score also several. Only the first two are needed. Other columns are kept, for
        clusters=.
    repeats : str, optional
        What two logs of the same model and task are: 'join', further answers to the same questions; 'apart', models of their own,
        "gpt" and "gpt #2". Default: an error that names them.

    Returns
    -------
    Runs
        ``.score``, ``.interval``, ``.compare``, ``.table``; it prints.

    Examples
    --------
    >>> import indicatrix as ix
    >>> table = {"question": [1, 1, 2, 2, 3, 3], "score": [1, 1, 0, 1, 0, 0], "model": ["a"] * 6}
    >>> runs = ix.read_evals(table)
    >>> runs.score()
    0.5
    """
    if repeats not in (None, "join", "apart"):
        raise ValueError(f"repeats={repeats!r} is unknown. Use 'join' for further answers to the same questions, or 'apart'.")
    columns = {"question": question, "score": score if isinstance(score, str) else tuple(score), "model": model}
    columns |= {"task": task, "target": target, "answer": answer}
    if isinstance(paths, Mapping) or (hasattr(paths, "columns") and not isinstance(paths, str | os.PathLike)):
        logs = [*read_plain(rows_of_columns(paths, columns), columns)]
        if not logs:
            raise ValueError("There are no answers: the table has no rows.")
        return Runs(join((one for log in logs for one in assemble(log)), repeats))
    return Runs(join(_answers(paths, columns), repeats))


def _answers(paths: Any, columns: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the answers of all files.

    A file that was named must be a log, one of a folder may be something else.
    """
    given = [paths] if isinstance(paths, str | bytes | os.PathLike) or not isinstance(paths, Iterable) else [*paths]
    wrong = [path for path in given if not isinstance(path, str | os.PathLike)]
    if wrong or not given:
        raise TypeError(
            f"{f'{short(wrong[0])} is not a path' if wrong else 'There is no path'}. Give a file, a folder, a pattern such as "
            "'logs/*.eval', several of them, or a table."
        )
    once: dict[Path, tuple[Path, bool]] = {}
    for path, named in _files(given):
        once.setdefault(path.resolve(), (path, named))
    logs = (log for path, named in once.values() for log in _logs(path, columns, named=named))
    none = True
    for log in logs:
        none = False
        yield from assemble(log)
    if none:
        raise ValueError(f"There are no answers in {listing([str(path) for path in given])}. Logs are those of {KNOWN}.")


def _files(given: Iterable[Any]) -> Iterator[tuple[Path, bool]]:
    """Yield the files that are meant, and whether they were named."""
    for path in given:
        text = os.fspath(path)
        here = Path(text)
        if here.is_dir():
            yield from ((p, False) for p in sorted(here.rglob("*")) if p.suffix.lower() in ENDINGS and p.is_file())
        elif here.is_file():
            yield here, True
        else:
            found = sorted(Path(p) for p in glob(text, recursive=True) if Path(p).is_file())
            if not found:
                raise FileNotFoundError(f"There is no file {text}. Give a file, a folder, or a pattern such as 'logs/*.eval'.")
            yield from ((p, True) for p in found)


def _logs(path: Path, columns: Mapping[str, Any], *, named: bool) -> Iterable[Log]:
    """Return the logs of a file; a file of a folder that is not a log has none."""
    data = _content(path)
    first = (data[0] if data else {}) if isinstance(data, list) else data
    for fits, read in READERS:
        if fits(path, first):
            return _told(path, read(path, data))
    if is_plain(first, columns):
        return _told(path, read_plain(data if isinstance(data, list) else [data], columns, path))
    if not named:
        return ()
    if isinstance(data, list) and isinstance(first, dict) and first:
        refuse_lacking([*first], columns, str(path))
    raise ValueError(f"{path} is not an evaluation log that is known here. Logs are those of {KNOWN}.")


def _told(path: Path, logs: Iterator[Log]) -> Iterator[Log]:
    """Yield the logs of a file; an error names it, and what it lacks."""
    try:
        for log in logs:
            yield Log(log.task, log.model, [*log.rows], log.better, {**log.about, "file": str(path)}, log.named)
    except (KeyError, TypeError, AttributeError, IndexError) as wrong:
        lacks = f"it has no {wrong}" if isinstance(wrong, KeyError) else str(wrong)
        raise ValueError(f"{path} looks like an evaluation log, but cannot be read: {lacks}.") from None
    except ValueError as wrong:
        raise wrong if str(path) in str(wrong) else ValueError(f"{path}: {wrong}") from None


def _content(path: Path) -> Any:
    """Return the content of a file: data of JSON, or a list of rows; nothing of an archive."""
    ending = path.suffix.lower()
    if ending == ".eval":
        return None
    if ending in (".parquet", ".pq", ".csv"):
        return _rows_of_arrow(path, ending)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text in UTF-8.") from None
    if ending in (".jsonl", ".ndjson"):
        return [_json(line, f"{path}, line {i + 1},") for i, line in enumerate(text.split("\n")) if line.strip()]
    return _json(text, str(path))


def _json(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError) as wrong:
        raise ValueError(f"{what} is not JSON: {wrong}.") from None


def _rows_of_arrow(path: Path, ending: str) -> list[dict[str, Any]]:
    try:
        from pyarrow import ArrowException, parquet
        from pyarrow import csv as csv_of_arrow
    except ImportError:
        raise ImportError(f"Reading {path.name} needs pyarrow: pip install 'indicatrix[files]'") from None
    try:
        table = csv_of_arrow.read_csv(path) if ending == ".csv" else parquet.read_table(path)
    except (ArrowException, OSError) as wrong:
        raise ValueError(f"{path} cannot be read: {wrong}.") from None
    return table.to_pylist()  # type: ignore[no-any-return]
