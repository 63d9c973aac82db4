"""A table of scores, data sets by classifiers, from mappings, data frames or arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import Name, score_name
from ...algebra.score import Undefined
from ...words.wording import type_of


@dataclass(frozen=True, eq=False)
class DataSetScores:
    """Scores of classifiers (columns) on data sets (rows); no cell is missing."""

    data_sets: tuple[str, ...]
    classifiers: tuple[str, ...]
    scores: Array
    name: str = "score"
    measure: Any = None


def read_score_table(
    given: Any, classifiers: Sequence[Any] | None, measure: Any, average: Name | None, undefined: Undefined
) -> DataSetScores:
    """Return a table of scores; refuse cells that are missing."""
    if isinstance(given, Mapping):
        _refuse_names(classifiers)
        table = _from_mapping(given, measure, average, undefined)
    elif hasattr(given, "columns"):
        _refuse_names(classifiers)
        table = _from_frame(given)
    else:
        table = _from_array(given, classifiers)
    if measure is not None and table.measure is None:
        raise TypeError("measure= is for evaluations; this table has plain scores. Leave it out.")
    _refuse_twice(table.classifiers, "classifier")
    _refuse_twice(table.data_sets, "data set")
    if len(table.classifiers) < 2 or not table.data_sets:
        raise ValueError("Give the scores of at least two classifiers on at least one data set.")
    for row, column in np.argwhere(~np.isfinite(table.scores)):
        raise ValueError(
            f"Data set {table.data_sets[row]!r} has no score of {table.classifiers[column]!r}. Ranks need every classifier on "
            "every data set: add the score, or leave out the data set or the classifier."
        )
    return table


def _refuse_names(classifiers: Any) -> None:
    if classifiers is not None:
        raise TypeError("classifiers= is for arrays; a mapping or a data frame names its classifiers.")


def _refuse_twice(names: Sequence[Any], word: str) -> None:
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise ValueError(f"There is more than one {word} with the name {twice[0]!r}. Give each its own name.")


def _from_mapping(given: Mapping[Any, Any], measure: Any, average: Name | None, undefined: Undefined) -> DataSetScores:
    for name, row in given.items():
        if not isinstance(row, Mapping):
            raise TypeError(
                f'Data set {name!r} has {type_of(row)}, not the scores of classifiers by name, as in {{"iris": {{"lr": 0.9, '
                '"rf": 0.95}}.'
            )
    names = dict.fromkeys(name for row in given.values() for name in row)
    if measure is None and any(hasattr(cell, "score") for row in given.values() for cell in row.values()):
        raise TypeError("Name the measure by which the evaluations are compared, such as compare_data_sets(…, 'f1', 'macro').")
    found: list[Any] = []

    def number(cell: Any) -> float:
        if not hasattr(cell, "score"):
            return float(cell)
        score = cell.score(measure, average, undefined=undefined)
        found.append(score)
        return float(score)

    scores = np.array([[number(row[name]) if name in row else math.nan for name in names] for row in given.values()])
    facts = (score_name(found[0].measure, found[0].average), found[0].measure) if found else ("score", None)
    return DataSetScores(tuple(map(str, given)), tuple(map(str, names)), scores.reshape(len(given), len(names)), *facts)


def _from_frame(frame: Any) -> DataSetScores:
    """Return the table of a pandas or Polars data frame; a first column of text names the data sets."""
    names = [*frame.columns]
    _refuse_twice(names, "classifier")
    columns = [frame[name].to_list() for name in names]
    rows = [*getattr(frame, "index", range(1, len(frame) + 1))]  # Polars has no index
    if columns and any(isinstance(x, str) for x in columns[0]):
        rows, names, columns = columns[0], names[1:], columns[1:]
    for name, column in zip(names, columns, strict=True):
        if any(isinstance(x, str) for x in column):
            raise TypeError(f"Column {name!r} has texts; only the first column may name the data sets, the others have scores.")
    scores = np.array(columns, np.float64).reshape(len(names), len(rows)).T
    return DataSetScores(tuple(map(str, rows)), tuple(map(str, names)), scores)


def _from_array(given: Any, classifiers: Sequence[Any] | None) -> DataSetScores:
    try:
        scores = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        scores = np.zeros(())
    if scores.ndim != 2:
        raise TypeError(
            "Give scores by data set and classifier, a data frame, or an array with a row for each data set, not "
            f"{type_of(given)}."
        )
    if classifiers is None or len(classifiers) != scores.shape[1]:
        raise ValueError(f"Name the {scores.shape[1]} columns of the array: classifiers=[…].")
    return DataSetScores(tuple(str(k + 1) for k in range(len(scores))), tuple(map(str, classifiers)), scores)
