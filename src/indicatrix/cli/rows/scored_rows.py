"""Rows with scores: the truth, the scores of each request, and what belongs to each row.

All are kept in memory, because ranks do not add.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.wording import listing
from ...engines.arrow_columns import label_vector, number_vector, table_of
from ...engines.column_roles import ColumnRoles
from ...engines.files.bad_rows import find_bad_rows
from ...engines.files.csv_files import CsvForm
from ...engines.files.file_run import FileRun
from ...engines.files.found_files import FoundFile
from ...engines.files.progress import Progress, Reporter
from ...engines.files.text_classes import check_spellings, integers, label_like, label_values
from ...settings.arguments.options import Options
from ..progress import report_progress
from .columns import SHOWN, Roles, RowsFile, roles, score_classes
from .request import Request


@dataclass(frozen=True)
class ScoredRows:
    """The truth and the scores of a file, as ``evaluate`` and ``sweep`` take them."""

    name: str  # of the file
    truth: Any
    tables: dict[str, Any]  # the scores of each request: one column, or one for each class
    options: dict[str, Any]  # missing, by, sample_weight, classes, positive


def report(now: Progress) -> None:
    """Say how many rows were read."""
    report_progress(now.text, now.share)


def read_rows(files: list[FoundFile], source: RowsFile, dialect: CsvForm, requests: Sequence[Request]) -> ScoredRows:
    """Return the rows of files; the requests differ in their scores only."""
    every, request = [roles(source, one) for one in requests], requests[0]
    run = FileRun(files, _score_roles(every, requests), dialect, reporter=Reporter(report))
    parts = every[0]
    truth: list[Any] = []
    tables, weights = [], []
    scores: list[list[Any]] = [[] for _ in every]
    groups: dict[str, list[Any]] = {name: [] for name in parts.by}
    for _, file, piece in run.pieces(run.roles.columns):
        batch = piece.batch
        bad, explain = find_bad_rows(batch, run.roles)
        if bad.any():
            raise ValueError(piece.place(file.name, int(bad.argmax())) + explain(int(bad.argmax())))
        for own, blocks in zip(every, scores, strict=True):
            blocks.append(np.column_stack([number_vector(batch.column(name)) for name in own.predicted]).astype(float))
        for name, cells in groups.items():
            cells += _cells(batch, name)
        if parts.weight is not None:
            weights.append(number_vector(batch.column(parts.weight)).astype(float))
        if parts.labels is not None:
            tables.append(table_of(batch, parts.truth, parts.labels).values)
        else:
            truth += _cells(batch, parts.truth[0])
    if not scores[0]:
        raise ValueError(f"{source.name} has columns but no rows. Give a file with one example per row.")
    report_progress("Ranking scores")
    options: dict[str, Any] = {"missing": request.missing}
    if groups:
        options["by"] = {n: _as_integers(cells, f"{source.name}, column {n!r}") for n, cells in groups.items()}
    if weights:
        options["sample_weight"] = np.concatenate(weights)
    found = {str(one.score): np.concatenate(blocks) for one, blocks in zip(requests, scores, strict=True)}
    if parts.labels is not None:
        return ScoredRows(source.name, np.concatenate(tables), found, {**options, "classes": parts.labels})
    return _name_labels(source, every, request, truth, found, options)


def _name_labels(
    source: RowsFile, every: Sequence[Roles], request: Request, truth: list[Any], found: dict[str, Any], options: dict[str, Any]
) -> ScoredRows:
    """Return the rows with their classes; one column of scores is that of the positive class."""
    named = [_labels_and_classes(source, parts, request, truth) for parts in every]
    for parts, (_, classes, _) in zip(every, named, strict=True):
        if classes != named[0][1] or len(parts.predicted) != len(every[0].predicted):
            raise ValueError(
                f"The columns of scores {listing(every[0].predicted, SHOWN)} and {listing(parts.predicted, SHOWN)} are not for "
                "the same classes in the same order. Name the same classes for each classifier."
            )
    truth, classes, positive = named[0]
    if len(every[0].predicted) == 1 and (classes is None or len(classes) == 2):
        found = {name: table[:, 0] for name, table in found.items()}
    return ScoredRows(source.name, truth, found, {**options, "classes": classes, "positive": positive})


def _score_roles(every: Sequence[Roles], requests: Sequence[Request]) -> ColumnRoles:
    """Return the roles of columns of scores; which classes they are for is found out later."""
    parts, request = every[0], requests[0]
    wide = parts.labels is not None
    return ColumnRoles(
        parts.truth,
        tuple((str(one.score), own.predicted) for one, own in zip(requests, every, strict=True)),
        scored=True,
        wide=wide,
        by=tuple((name, name) for name in parts.by),
        sample_weight=parts.weight,
        options=Options(missing=request.missing),
    )


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


def _labels_and_classes(source: RowsFile, parts: Roles, request: Request, truth: list[Any]) -> tuple[list[Any], Any, Any]:
    """Return the true labels, the classes and the positive class; numbers or bools if all labels are."""
    labels = {x for x in truth if x is not None}
    names = request.classes
    single = len(parts.predicted) == 1
    if names is None and not single:
        meant = None if source.typed else label_values(labels)
        values = labels if meant is None else {*meant.values()}
        names = score_classes(parts.predicted, set(map(_text, values)), source.name)
    if names is not None and not single and len(names) != len(parts.predicted):
        raise ValueError(
            f"--classes names {len(names)} classes for the {len(parts.predicted)} columns of scores "
            f"{listing(parts.predicted, SHOWN)}. Name one class per column, in their order."
        )
    like = next(iter(labels), None)
    if source.typed:
        classes = None if names is None else tuple(label_like(name, like) for name in names)
        positive = None if request.positive is None else label_like(request.positive, like)
    else:
        where = f"{source.name}, a label"
        meaning: dict[str, Any] = {**(label_values({*labels, *(names or ())}, where) or {})}
        if not meaning and names is None:
            check_spellings(labels, where)
        truth = [meaning.get(x, x) for x in truth]
        classes = None if names is None else tuple(meaning.get(name, name) for name in names)
        positive = request.positive
        if meaning and positive is not None:
            positive = label_like(positive, next(iter(meaning.values())))
    if classes is not None:
        _check_classes(source, parts.truth[0], truth, classes)
    if single:
        _check_binary(classes or sorted({x for x in truth if x is not None}), positive, parts.predicted[0])
    return truth, classes, positive


def _check_classes(source: RowsFile, name: str, truth: list[Any], classes: Sequence[Any]) -> None:
    """Refuse a label that is not one of the classes."""
    for row, label in enumerate(truth, 1):
        if label is not None and label not in classes:
            raise ValueError(
                f"{source.name}, data row {row}, column {name!r}: the label {label!r} is not in --classes "
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
