"""read_evals(): which files are meant, which program wrote each, and the runs that they hold."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from glob import glob
from itertools import chain
from pathlib import Path
from typing import Any

from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, short
from ..logs import Log, assemble
from ..runs import Runs, join
from .harness import read_results, read_samples
from .inspect_logs import open_archive, read_inspect
from .lighteval import read_lighteval
from .plain import read_plain, refuse_lacking, rows_of_columns
from .promptfoo import read_promptfoo, results_of

# Which keys a log has, in its JSON, its first row or its first result: one of each group; and what reads it.
READERS: tuple[tuple[tuple[set[str], ...], Callable[[Path, Any], Iterator[Log]]], ...] = (
    (({"eval"}, {"samples"}), read_inspect),
    (({"doc_id"}, {"metrics"}, {"filter"}), read_samples),
    (({"results"}, {"configs"}, {"n-samples"}), read_results),
    (({"metric", "metrics"}, {"doc", "full_prompt"}), read_lighteval),
    (({"success"}, {"score"}, {"provider"}), read_promptfoo),
)
GZIP = b"\x1f\x8b"  # what a file begins with that gzip made smaller
ENDINGS = (".eval", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".csv")
KNOWN = (
    "Inspect (.eval, .json), the evaluation harness (samples_*.jsonl, results_*.json), lighteval (details_*.parquet), promptfoo "
    "(.json, .jsonl), and tables (JSON lines, Parquet, CSV) with a column of questions and one of scores"
)


@answers_mistakes
def read_evals(
    paths: Any,
    *,
    question: str = "question",
    score: str | Iterable[str] = "score",
    model: str = "model",
    task: str = "task",
    target: str = "target",
    answer: str = "answer",
    scorer: str = "scorer",
    better: str = "better",
    repeats: str | None = None,
) -> Runs:
    """Return the runs of language models in evaluation logs: the scores of all answers, by task.

    It reads logs of Inspect (.eval and .json), samples and results of the evaluation harness (lm-eval), details of lighteval,
    results of promptfoo, and tables (JSON lines, Parquet, CSV, data frames) with a row for each answer. Scores are right or
    wrong, or numbers; several answers to the same question are epochs.

    Parameters
    ----------
    paths : path, iterable of path, data frame or mapping
        Files, folders with all that they hold, or patterns such as ``"logs/*.eval"``; or a table with a row for each answer. JSON
        and CSV may be gzipped.
    question, score, model, task, target, answer, scorer, better : str
        What the columns of a table are called; score also several. Only the first two are needed; better says 'higher' or
        'lower'. Other columns are kept, for clusters=.
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
    scores = (score,) if isinstance(score, str) else tuple(score)
    columns = {"question": question, "score": scores, "model": model, "task": task, "target": target, "answer": answer}
    columns |= {"scorer": scorer, "better": better}
    if isinstance(paths, Mapping) or (hasattr(paths, "columns") and not isinstance(paths, str | os.PathLike)):
        logs, where = read_plain(rows_of_columns(paths, columns), columns), ": the table has no rows."
    else:
        given = [paths] if isinstance(paths, str | bytes | os.PathLike) or not isinstance(paths, Iterable) else [*paths]
        logs = (log for path, named in _files(given) for log in _logs(path, columns, named=named))
        where = f" in {listing([*map(str, given)])}. Logs are those of {KNOWN}."
    answers = [*map(assemble, logs)]
    if not answers:
        raise ValueError(f"There are no answers{where}")
    return Runs(join(chain.from_iterable(answers), repeats))


def _files(given: list[Any]) -> Iterable[tuple[Path, bool]]:
    """Return the files that are meant, each once, and whether they were named.

    A file that was named must be a log, one of a folder may be something else.
    """
    wrong = [path for path in given if not isinstance(path, str | os.PathLike)]
    if wrong or not given:
        raise TypeError(
            f"{f'{short(wrong[0])} is not a path' if wrong else 'There is no path'}. Give a file, a folder, a pattern such as "
            "'logs/*.eval', several of them, or a table."
        )
    found: dict[Path, tuple[Path, bool]] = {}
    for text in map(os.fspath, given):
        here = Path(text)
        if here.is_dir():
            files = [path for path in here.rglob("*") if _ending(path) in ENDINGS and path.is_file()]
        else:
            files = [path for path in ([here] if here.is_file() else map(Path, glob(text, recursive=True))) if path.is_file()]
            if not files:
                raise FileNotFoundError(f"There is no file {text}. Give a file, a folder, or a pattern such as 'logs/*.eval'.")
        for path in sorted(files):
            found.setdefault(path.resolve(), (path, not here.is_dir()))
    return found.values()


def _ending(path: Path) -> str:
    """Return what the name of a file ends with, without the .gz of one that was made smaller.

    >>> [_ending(Path(name)) for name in ("a.JSON", "a.jsonl.gz")]
    ['.json', '.jsonl']
    """
    return Path(path.name.lower().removesuffix(".gz")).suffix


def _logs(path: Path, columns: Mapping[str, Any], *, named: bool) -> Iterator[Log]:
    """Yield the logs of a file; an error names it, and what it lacks."""
    try:
        for log in _read(path, columns, named=named):
            yield replace(log, rows=[*log.rows], about={**log.about, "file": str(path)})
    except (KeyError, TypeError, AttributeError, IndexError) as wrong:
        lacks = f"it has no {wrong}" if isinstance(wrong, KeyError) else str(wrong)
        raise ValueError(f"{path} looks like an evaluation log, but cannot be read: {lacks}.") from None
    except ValueError as wrong:
        raise wrong if str(path) in str(wrong) else ValueError(f"{path}: {wrong}") from None


def _read(path: Path, columns: Mapping[str, Any], *, named: bool) -> Iterable[Log]:
    """Return the logs of a file; a file of a folder that is not a log has none."""
    data = _content(path, columns)
    rows = data if isinstance(data, list) else [data]
    first, result = (some[0] if some and isinstance(some[0], dict) else {} for some in (rows, results_of(data)))
    for groups, read in READERS:
        if all(group & (first.keys() | result.keys()) for group in groups):
            return read(path, data)
    if {columns["question"], *columns["score"]} <= first.keys():
        return read_plain(rows, columns, path)
    if not named:
        return ()
    if isinstance(data, list) and first:
        refuse_lacking([*first], columns, str(path))
    raise ValueError(f"{path} is not an evaluation log that is known here. Logs are those of {KNOWN}.")


def _content(path: Path, columns: Mapping[str, Any]) -> Any:
    """Return the content of a file: data of JSON, or a list of rows."""
    ending = _ending(path)
    if ending == ".eval":
        return open_archive(path)
    if ending in (".parquet", ".pq", ".csv"):
        return _rows_of_arrow(path, ending, columns)
    try:
        held = path.read_bytes()
        text = (gzip.decompress(held) if held.startswith(GZIP) else held).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text in UTF-8.") from None
    except (EOFError, OSError, zlib.error) as wrong:
        raise ValueError(f"{path} cannot be read: {wrong}.") from None
    if ending in (".jsonl", ".ndjson"):
        return [_json(line, f"{path}, line {i + 1},") for i, line in enumerate(text.split("\n")) if line.strip()]
    return _json(text, str(path))


def _json(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError) as wrong:
        raise ValueError(f"{what} is not JSON: {wrong}.") from None


def _rows_of_arrow(path: Path, ending: str, columns: Mapping[str, Any]) -> Any:
    try:
        from pyarrow import ArrowException, csv, parquet, string, types
    except ImportError:
        raise ImportError(f"Reading {path.name} needs pyarrow: pip install 'indicatrix[files]'") from None
    try:
        table = (csv.read_csv if ending == ".csv" else parquet.read_table)(path)
        names = {columns["target"], columns["answer"], columns["question"]}
        texts = {c.name: string() for c in table.schema if c.name in names and not types.is_null(c.type)}
        rows = table.to_pylist()
        if ending == ".csv" and texts:  # true and 1 next to texts and fractions are labels as they are written
            asked, numbers = columns["question"], [row.get(columns["question"]) for row in rows]
            rows = csv.read_csv(path, convert_options=csv.ConvertOptions(column_types=texts)).to_pylist()
            both = [*zip(rows, numbers, strict=True)] if asked in texts else []
            plain = all(number is None or row[asked] == str(number) for row, number in both)
            for row, number in both:  # 1 is a number, but next to 001 both are names
                row[asked] = None if number in (None, "") else number if plain else row[asked]
        return rows
    except (ArrowException, OSError) as wrong:
        raise ValueError(f"{path} cannot be read: {wrong}.") from None
