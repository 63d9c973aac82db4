"""Rows of a log, whichever program wrote it, become the answers of each scorer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..words.wording import short
from .answers import Answers, differing

WORDS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}  # correct, partly, incorrect and no answer, as Inspect writes them
TRUE_OR_FALSE = {"yes": 1.0, "true": 1.0, "pass": 1.0, "no": 0.0, "false": 0.0, "fail": 0.0}


@dataclass(frozen=True)
class Log:
    """What one file says about one model and one task.

    A row has the keys question and scores (by scorer), and perhaps target, said and columns, what is known of the question.
    """

    task: str
    model: str
    rows: Iterable[Mapping[str, Any]]
    better: Mapping[str, str] = field(default_factory=dict)  # of scorers whose lower values are better, or of all
    about: Mapping[str, Any] = field(default_factory=dict)
    named: bool = True


def assemble(log: Log) -> list[Answers]:
    """Return the answers of a log, those of each scorer apart.

    What differs between answers to the same question, such as a seed, says nothing about the question.
    """
    places: dict[Any, int] = {}
    columns: list[Mapping[str, Any]] = []
    varying: dict[str, None] = {}
    values: dict[str, tuple[list[int], list[float], list[Any], list[Any]]] = {}
    for row in log.rows:
        question = _hashable(row["question"])
        if question is None or question != question:
            raise ValueError(f"An answer to {log.task!r} names no question. Name the question of each answer.")
        place = places.setdefault(question, len(places))
        about = row.get("columns") or {}
        if place == len(columns):
            columns.append(about)
        else:
            varying |= dict.fromkeys(differing(about, columns[place]))
        for scorer, value in _each_score(row["scores"]):
            number, label = _number(value)
            of, scores, targets, said = values.setdefault(scorer, ([], [], [], []))
            of.append(place)
            scores.append(number)
            targets.append(row.get("target"))
            said.append(row.get("said") if label is None else label)
    names = dict.fromkeys(n for own in columns for n in own if n not in varying)
    kept = {name: [own.get(name) for own in columns] for name in names}
    of_log: dict[str, Any] = {"columns": kept, "varying": tuple(varying), "about": log.about, "named": log.named}
    made = []
    for scorer, (of, scores, targets, said) in values.items():
        rows = np.array(of, np.intp), np.array(scores, np.float64), tuple(targets), tuple(said)
        better = log.better.get(scorer, "higher")
        made.append(Answers(log.task, log.model, scorer, tuple(places), *rows, better=better, **of_log))
    return made


def plain_columns(given: Mapping[Any, Any]) -> dict[Any, list[Any]]:
    """Return columns as lists of plain numbers and texts, whichever library holds them.

    They must be of one length.
    """
    found = {}
    for name, column in given.items():
        way = next((way for way in ("to_pylist", "to_list", "tolist") if hasattr(column, way)), "")
        values = getattr(column, way)() if way else column
        if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
            raise TypeError(f"{name} is {short(column)}. Give a list, an array or a column, with an entry for each answer.")
        found[name] = list(values)
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


def _number(value: Any) -> tuple[float, Any]:
    """Return the number that a score means, and otherwise the label that it is.

    >>> _number("C"), _number(True), _number("0.25"), _number(None), _number("cat")
    ((1.0, None), (1.0, None), (0.25, None), (nan, None), (nan, 'cat'))
    """
    if value is None:
        return math.nan, None
    if isinstance(value, bool | int | float | np.number | np.bool_):
        number = float(value)
        if math.isinf(number):
            raise ValueError(f"A score is {number}, which no mean holds. Leave it out, or write a finite number.")
        return number, None
    if isinstance(value, str):
        if value in WORDS:
            return WORDS[value], None
        if value.lower() in TRUE_OR_FALSE:
            return TRUE_OR_FALSE[value.lower()], None
        try:
            number = float(value)
        except ValueError:
            return math.nan, value
        return (number, None) if math.isfinite(number) else (math.nan, None)
    raise TypeError(f"A score is {short(value)}. It must be a number, true or false, a text or an object of such.")


def _hashable(question: Any) -> Any:
    """Return the name of a question as it is, or as text where it is a list or an object."""
    try:
        hash(question)
    except TypeError:
        return str(question)
    return question
