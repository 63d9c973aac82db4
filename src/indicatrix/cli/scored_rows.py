"""Rows with scores: truth and scores of each classifier, in memory, because ranks do not add."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engines.arrow_columns import label_vector, number_vector, table_of
from ..engines.column_roles import SHOWN
from ..engines.files.bad_rows import find_bad_rows
from ..engines.files.file_run import FileRun
from ..engines.files.text_classes import check_spellings, integers, label_like, label_values
from ..words.wording import listing
from .asked import Asked
from .columns import score_classes
from .output import report_progress


@dataclass(frozen=True)
class ScoredRows:
    """The truth and the scores of a file, as ``evaluate`` and ``sweep`` take them."""

    name: str  # of the file
    truth: Any
    tables: dict[str, Any]  # the scores of each classifier: one column, or one for each class
    by: dict[str, Any] | None  # the groups of each row, which ``sweep`` does not take
    options: dict[str, Any]  # those that are given: missing, sample_weight, classes, positive


def read_rows(run: FileRun, asked: Asked) -> ScoredRows:
    """Return the rows of files with the scores of all classifiers."""
    roles, name = run.roles, run.files[0].name
    truth: list[Any] = []
    weights: list[Any] = []
    scores: dict[str, list[Any]] = {answer: [] for answer, _ in roles.answers}
    groups: dict[str, list[Any]] = {axis: [] for axis, _ in roles.by}
    for batch in _good_batches(run):
        for answer, columns in roles.answers:
            scores[answer].append(np.column_stack([number_vector(batch.column(c)) for c in columns]).astype(float))
        for axis, cells in groups.items():
            cells += _cells(batch, axis)
        if roles.sample_weight is not None:
            weights.append(number_vector(batch.column(roles.sample_weight)).astype(float))
        truth += [table_of(batch, roles.true, roles.options.classes).values] if roles.wide else _cells(batch, roles.true[0])
    if not truth:
        raise ValueError(f"{name} has columns but no rows. Give a file with one example per row.")
    report_progress("Ranking scores")
    by = {axis: _as_integers(cells, f"{name}, column {axis!r}") for axis, cells in groups.items()} or None
    tables = {answer: np.concatenate(blocks) for answer, blocks in scores.items()}
    labels: Any
    if roles.wide:
        labels, classes, positive = np.concatenate(truth), roles.options.classes, None
    else:
        labels, classes, positive = _name_labels(run, asked, truth)
        if len(roles.answers[0][1]) == 1 and (classes is None or len(classes) == 2):
            tables = {answer: table[:, 0] for answer, table in tables.items()}  # the scores of the positive class
    weight = np.concatenate(weights) if weights else None
    given = {"missing": asked.missing, "sample_weight": weight, "classes": classes, "positive": positive}
    return ScoredRows(name, labels, tables, by, {option: x for option, x in given.items() if x is not None})


def _good_batches(run: FileRun) -> Iterator[Any]:
    """Yield the rows of files; a row without a score, or with one that is not a number, is an error."""
    for _, file, piece in run.pieces(run.roles.columns):
        bad, explain = find_bad_rows(piece.batch, run.roles)
        if bad.any():
            raise ValueError(piece.place(file.name, int(bad.argmax())) + explain(int(bad.argmax())))
        yield piece.batch


def _name_labels(run: FileRun, asked: Asked, truth: list[Any]) -> tuple[list[Any], Any, Any]:
    """Return the true labels, the classes and the positive class, which are the same for all classifiers."""
    every = [columns for _, columns in run.roles.answers]
    named = [_labels_and_classes(run, columns, asked, truth) for columns in every]
    for columns, (_, classes, _) in zip(every, named, strict=True):
        if classes != named[0][1] or len(columns) != len(every[0]):
            raise ValueError(
                f"The columns of scores {listing(every[0], SHOWN)} and {listing(columns, SHOWN)} are not for the same classes in "
                "the same order. Name the same classes for each classifier."
            )
    return named[0]


def _cells(batch: Any, name: str) -> list[Any]:
    """Return the labels of a column, None where one is missing."""
    form = label_vector(batch.column(name), name)
    if form.categories is None:
        return [None if cell != cell else cell for cell in form.values.tolist()]
    names = np.empty(len(form.categories) + 1, object)
    names[:-1] = form.categories
    cells: list[Any] = names[form.values].tolist()
    return cells


def _as_integers(cells: list[Any], where: str) -> list[Any]:
    meaning = integers(set(cells), where)
    return cells if meaning is None else [meaning[cell] for cell in cells]


def _labels_and_classes(run: FileRun, columns: tuple[str, ...], asked: Asked, truth: list[Any]) -> tuple[list[Any], Any, Any]:
    """Return the true labels, the classes and the positive class; numbers or bools if all labels are."""
    file, names, positive = run.files[0], asked.classes, asked.positive
    typed, single = file.format != "csv", len(columns) == 1
    labels = {x for x in truth if x is not None}
    if names is None and not single:
        meant = None if typed else label_values(labels)
        names = score_classes(columns, {*map(_text, labels if meant is None else meant.values())}, file.name)
    if names is not None and not single and len(names) != len(columns):
        raise ValueError(
            f"--classes names {len(names)} classes for the {len(columns)} columns of scores {listing(columns, SHOWN)}. Name one "
            "class per column, in their order."
        )
    where = f"{file.name}, a label"
    meaning: dict[Any, Any] = {} if typed else {**(label_values({*labels, *(names or ())}, where) or {})}
    if not typed and not meaning and names is None:
        check_spellings(labels, where)
    like = next(iter(labels if typed else meaning.values()), "")
    truth = [meaning.get(x, x) for x in truth]
    classes = None if names is None else tuple(meaning.get(name, label_like(name, like)) for name in names)
    positive = None if positive is None else label_like(positive, like)
    if classes is not None:
        _check_classes(file.name, run.roles.true[0], truth, classes)
    if single:
        _check_binary(classes or sorted({x for x in truth if x is not None}), positive, columns[0])
    return truth, classes, positive


def _check_classes(file: str, name: str, truth: list[Any], classes: Sequence[Any]) -> None:
    """Refuse a label that is not one of the classes."""
    for row, label in enumerate(truth, 1):
        if label is not None and label not in classes:
            raise ValueError(
                f"{file}, data row {row}, column {name!r}: the label {label!r} is not in --classes "
                f"{listing(classes, SHOWN)}. Add it, or drop such rows."
            )


def _text(label: Any) -> str:
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def _check_binary(classes: Any, positive: Any, column: str) -> None:
    """Refuse one column of scores if it is not clear for which of two classes it is."""
    if set(classes) <= {0, 1} and positive is None:
        return
    if len(classes) > 2:
        raise ValueError(
            f"One column of scores, {column!r}, decides between two classes, but the classes are {listing(classes, SHOWN)}. "
            "Name one column of scores per class."
        )
    if positive is None:
        raise ValueError(f"For which class is the score {column!r}? Give --positive {classes[-1]} or another class.")
