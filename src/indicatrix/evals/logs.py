"""Rows of a log, whichever program wrote it, become the answers of each scorer."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..encode.plain_forms import is_missing
from ..encode.weights import check_row_labels
from ..words.wording import short
from .answers import Answers

# Correct, partly, incorrect and no answer, as Inspect writes them; and what others write, in any case of letters.
WORDS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
TRUE_OR_FALSE = {"yes": 1.0, "true": 1.0, "pass": 1.0, "no": 0.0, "false": 0.0, "fail": 0.0}
TASK_AND_DATE = r"_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d+)"


class Answer(NamedTuple):
    """A row of a log: the scores of an answer by scorer, and what is known of it and of its question."""

    question: Any
    scores: Mapping[str, Any]
    target: Any = None
    said: Any = None
    columns: Mapping[str, Any] = {}  # of the question


@dataclass(frozen=True)
class Log:
    """What one file says about one model and one task."""

    task: str
    model: str
    rows: Iterable[Answer]
    about: Mapping[str, Any] = field(default_factory=dict)
    better: Mapping[str, str] = field(default_factory=dict)  # of scorers whose lower values are better, or of all
    named: bool = True


def facts(library: str, origin: Any, version: Any = None, created: Any = None, dataset: Any = None) -> dict[str, Any]:
    """Return what a log says about itself; the same ``origin`` means the same log."""
    known = {"library": library, "version": version or "unknown", "created": created or "", "dataset": dataset or ""}
    return {**known, "origin": frozenset(() if origin is None else (origin,)), "unfinished": frozenset(), "file": "a table"}


def plain_values(given: Any) -> dict[str, Any]:
    """Return the numbers and texts of an object, which may be columns of a question."""
    return {k: v for k, v in given.items() if not isinstance(v, list | dict)} if isinstance(given, dict) else {}


def task_and_date(path: Path, kind: str) -> tuple[str, str]:
    """Return the task and the date in the name of a file.

    >>> task_and_date(Path("samples_sums_2026-01-01T00-00-00.000000.jsonl"), "samples")
    ('sums', '2026-01-01T00-00-00.000000')
    """
    named = re.fullmatch(kind + TASK_AND_DATE, path.stem)
    return (named["task"], named["date"]) if named else (path.stem.removeprefix(f"{kind}_"), "")


def assemble(log: Log) -> list[Answers]:
    """Return the answers of a log, those of each scorer apart.

    What differs between answers to the same question, such as a seed, says nothing about the question.
    """
    places: dict[Any, int] = {}
    columns: dict[str, dict[int, Any]] = {}  # of each the value of each question
    varying: dict[str, None] = {}
    scored: dict[str, list[tuple[int, Any, Any, Any]]] = {}
    for row in log.rows:
        question = _hashable(row.question)
        if question is None or question != question:
            raise ValueError(f"An answer to {log.task!r} names no question. Name the question of each answer.")
        place = places.setdefault(question, len(places))
        for name, value in row.columns.items():
            if _differs(columns.setdefault(name, {}), place, value):
                varying[name] = None
        for scorer, value in _each_score(row.scores):
            scored.setdefault(scorer, []).append((place, value, row.target, row.said))
    kept = _of_questions(columns, varying, len(places))
    of_log: dict[str, Any] = {"columns": kept, "varying": tuple(varying), "about": log.about, "named": log.named}
    made = []
    for scorer, rows in scored.items():
        of, values, targets, said = zip(*rows, strict=True)
        scores, labels = zip(*_numbers(values), strict=True)
        said = tuple(one if label is None else label for one, label in zip(said, labels, strict=True))
        answers = np.array(of, np.intp), np.array(scores, np.float64), targets, said
        better = log.better.get(scorer, "higher")
        made.append(Answers(log.task, log.model, scorer, tuple(places), *answers, better=better, **of_log))
    return made


def joined(several: Sequence[Answers]) -> Answers:
    """Return all together: further answers to the same questions, and answers to further ones."""
    places: dict[Any, int] = {}
    own = [[places.setdefault(question, len(places)) for question in one.questions] for one in several]
    varying = dict.fromkeys(name for one in several for name in one.varying)
    columns: dict[str, dict[int, Any]] = {n: {} for n in several[0].columns if all(n in one.columns for one in several)}
    for name, values in columns.items():
        each = (pair for one, where in zip(several, own, strict=True) for pair in zip(where, one.columns[name], strict=True))
        if any(_differs(values, place, value) for place, value in each):  # then nobody reads it
            varying[name] = None
    about = {n: frozenset().union(*(one.about[n] for one in several)) for n in ("origin", "unfinished")}
    return replace(
        several[0],
        questions=tuple(places),
        of=np.concatenate([np.array(where, np.intp)[one.of] for one, where in zip(several, own, strict=True)]),
        scores=np.concatenate([one.scores for one in several]),
        targets=tuple(chain.from_iterable(one.targets for one in several)),
        said=tuple(chain.from_iterable(one.said for one in several)),
        columns=_of_questions(columns, varying, len(places)),
        varying=tuple(varying),
        about={**several[0].about, **about},
    )


def _differs(values: dict[int, Any], place: int, value: Any) -> bool:
    """Note the value of a question, and return whether it had another one.

    What is not known does not differ.

    >>> [_differs({0: "x"}, *found) for found in ((0, "x"), (0, None), (1, "y"), (0, "y"))]
    [False, False, False, True]
    """
    return not is_missing(value) and bool(values.setdefault(place, value) != value)


def _of_questions(columns: Mapping[str, Mapping[int, Any]], varying: Container[str], n: int) -> dict[str, list[Any]]:
    return {name: [*map(values.get, range(n))] for name, values in columns.items() if name not in varying}


def plain_columns(given: Mapping[Any, Any]) -> dict[Any, list[Any]]:
    """Return columns as lists of plain numbers and texts, whichever library holds them.

    They must be of one length.
    """
    check_row_labels({str(name): column for name, column in given.items()})
    found = {}
    for name, column in given.items():
        way = next((way for way in ("to_pylist", "to_list", "tolist") if hasattr(column, way)), "")
        values = getattr(column, way)() if way else column
        if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
            raise TypeError(f"{name} is {short(column)}. Give a list, an array or a column, with an entry for each answer.")
        found[name] = [None if is_missing(value) else value for value in values]
    if len({len(values) for values in found.values()}) > 1:
        sizes = ", ".join(f"{name} {len(values):,}" for name, values in found.items())
        raise ValueError(f"The columns have different lengths: {sizes}.")
    return found


def _each_score(scores: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the scores of a row; a scorer that gives several has one name for each."""
    for name, value in scores.items():
        inner = dict(enumerate(value)) if isinstance(value, list | tuple) else value
        if isinstance(inner, Mapping):
            yield from _each_score({str(k): v for k, v in inner.items()}, f"{above}{name}/")
        else:
            yield f"{above}{name}", value


def _numbers(values: Sequence[Any]) -> list[tuple[float, Any]]:
    """Return the number or the label that each score of a scorer means.

    Next to labels, C and yes are labels, too.

    >>> _numbers(["C", "I"]), _numbers(["C", "B"])
    ([(1.0, None), (0.0, None)], [(nan, 'C'), (nan, 'B')])
    """
    found = [_number(value) for value in values]
    if all(label is None for _, label in found):
        return found
    return [(math.nan, value) if _is_word(value) else one for value, one in zip(values, found, strict=True)]


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and (value in WORDS or value.lower() in TRUE_OR_FALSE)


def _number(value: Any) -> tuple[float, Any]:
    """Return the number that a score means, and otherwise the label that it is.

    >>> _number("C"), _number(True), _number("0.25"), _number(None), _number("cat")
    ((1.0, None), (1.0, None), (0.25, None), (nan, None), (nan, 'cat'))
    """
    if isinstance(value, str):
        value = WORDS.get(value, TRUE_OR_FALSE.get(value.lower(), value))
    if value is None or (isinstance(value, str) and not value.strip()):
        return math.nan, None
    if isinstance(value, bool | int | float | np.number | np.bool_):
        if math.isinf(value):
            raise ValueError(f"A score is {float(value)}, which no mean holds. Leave it out, or write a finite number.")
        return float(value), None
    if not isinstance(value, str):
        raise TypeError(f"A score is {short(value)}. It must be a number, true or false, a text or an object of such.")
    try:
        number = float(value)
    except ValueError:
        return math.nan, value
    return number if math.isfinite(number) else math.nan, None


def _hashable(question: Any) -> Any:
    """Return the name of a question as it is, or as text where it is a list or an object."""
    try:
        hash(question)
    except TypeError:
        return str(question)
    return question
