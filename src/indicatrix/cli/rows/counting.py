"""Rows into an evaluation, block by block, because evaluations add.

Scores are all kept in memory, because ranks do not add.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.wording import listing
from ...common_classes import on_all_classes
from ...encode.plain_forms import Labels
from ...evaluate import evaluate
from ...evaluation import Evaluation
from ..progress import report_progress
from . import cells
from .columns import SHOWN, Roles, check_request, named_columns, roles, roles_of_all, score_classes
from .csv_files import Dialect
from .label_spelling import check_spelling
from .ranking import Ranking, ranking
from .renamed_classes import integers_for_text, label_like, with_positive
from .request import Request, integers
from .row_files import open_rows
from .row_source import Block, Column, Source


@dataclass(frozen=True)
class Evaluated:
    """The evaluation of a file, and the areas and losses of its scores if it has scores."""

    file: str
    ev: Evaluation
    ranking: Ranking | None = None
    column: str | None = None  # the predictions, if several columns of one file are compared

    @property
    def name(self) -> str:
        """The name in tables and messages: the column where columns are compared, otherwise the file."""
        return self.file if self.column is None else self.column


def evaluate_rows(path: str, dialect: Dialect, request: Request) -> Evaluated:
    """Return the evaluation of the rows of a file."""
    check_request(request)
    if request.score is None:
        return evaluate_columns(path, dialect, [request])[0]
    with open_rows(path, dialect, named_columns(request)) as source:
        return _evaluate_scores(source, roles(source, request), request)


def evaluate_columns(path: str, dialect: Dialect, requests: Sequence[Request]) -> list[Evaluated]:
    """Return one evaluation of the rows of a file for each request.

    The requests differ in their predictions only. The file is read once.
    """
    for request in requests:
        check_request(request)
    with open_rows(path, dialect, tuple(name for request in requests for name in named_columns(request))) as source:
        every = roles_of_all(source, requests)
        totals: list[Any] = [0] * len(requests)
        for first, block in _number_blocks(source, tuple(dict.fromkeys(name for parts in every for name in parts.all))):
            counted = [_count(source, parts, request, first, block) for parts, request in zip(every, requests, strict=True)]
            totals = [total + one for total, one in zip(totals, counted, strict=True)]
        return _name_classes(source, requests, totals)


def _name_classes(source: Source, requests: Sequence[Request], totals: Sequence[Evaluation]) -> list[Evaluated]:
    """Return the evaluations with common classes, integers if all are integers, and the positive class."""
    several, request = len(totals) > 1, requests[0]
    if request.multilabel is None:
        for ev, one in zip(totals, requests, strict=True):
            check_spelling(ev, f"{source.name}, column {one.pred!r}" if several else source.name)
    if several:
        totals = on_all_classes(totals, [str(one.pred) for one in requests], "columns")
    if request.multilabel is None and not source.typed:
        totals = [integers_for_text(ev, source.name) for ev in totals]
    return [
        Evaluated(source.name, with_positive(ev, request.positive, source.name), column=one.pred if several else None)
        for ev, one in zip(totals, requests, strict=True)
    ]


def _number_blocks(source: Source, columns: tuple[str, ...]) -> Iterator[tuple[int, Block]]:
    """Yield blocks of rows with the number of their first row."""
    first = 1
    for block in source.blocks(columns):
        yield first, block
        first += len(block[columns[0]])
        report_progress(f"{source.name}: {first - 1:,} rows", source.share())


def _count(source: Source, parts: Roles, request: Request, first: int, block: Block) -> Evaluation:
    place = cells.Place(source.name, first)
    options: dict[str, Any] = {"missing": request.missing, **_groups_and_weights(place, parts, block)}
    if parts.labels is not None:
        sides = (cells.matrix(place, block, side, request.missing) for side in (parts.truth, parts.predicted))
        return evaluate(*sides, classes=parts.labels, **options)
    if request.separator is not None:
        sets = [_label_sets(source, place, name, block, request) for name in (parts.truth[0], parts.predicted[0])]
        return evaluate(*sets, classes=request.classes, **options)
    block = {name: column.without_empty_texts() for name, column in block.items()}
    true, pred = block[parts.truth[0]], block[parts.predicted[0]]
    cells.check_missing(place, parts, block, request.missing)
    if request.classes is not None:
        options["classes"] = classes = _classes(request.classes, source, (*true.values, *pred.values))
        for name, column in ((parts.truth[0], true), (parts.predicted[0], pred)):
            cells.check_classes(place, name, column, classes)
    return evaluate(_labels(source, true), _labels(source, pred), **options)


def _labels(source: Source, column: Column) -> Any:
    """Return a column as the library takes it: text as codes, which it need not find again."""
    return column.cells() if source.typed else Labels(column.codes, tuple(column.values), complete=True)


def _label_sets(source: Source, place: cells.Place, name: str, block: Block, request: Request) -> list[frozenset[str]]:
    """Return the sets of labels of a column; an empty cell of a text file is the empty set."""
    assert request.separator is not None
    sets = cells.label_sets(place, name, block[name], request.separator, empty=not source.typed)
    if request.classes is not None:
        cells.check_classes_of_sets(place, name, sets, request.classes)
    return sets


def _groups_and_weights(place: cells.Place, parts: Roles, block: Block) -> dict[str, Any]:
    """Return the groups and the weights of rows."""
    found: dict[str, Any] = {}
    if parts.by:
        found["by"] = {name: cells.groups(place, name, block[name]) for name in parts.by}
    if parts.weight is not None:
        found["sample_weight"] = cells.weights(place, parts.weight, block[parts.weight])
    return found


def _classes(names: tuple[str, ...], source: Source, labels: Any) -> tuple[Any, ...]:
    """Return the classes in the type of the labels.

    In CSV files text stays text; in typed files, names are read as numbers if the labels are numbers.
    """
    if not source.typed:
        return names
    like = next(iter(labels), None)
    return tuple(label_like(name, like) for name in names)


def _evaluate_scores(source: Source, parts: Roles, request: Request) -> Evaluated:
    """Return the evaluation of decisions on scores, and the areas and losses of the scores themselves."""
    truth: list[Any] = []
    scores, grouped, tables = [], [], []
    for first, block in _number_blocks(source, parts.all):
        place = cells.Place(source.name, first)
        scores.append(cells.numbers(place, block, parts.predicted))
        grouped.append(_groups_and_weights(place, parts, block))
        if parts.labels is not None:
            tables.append(cells.matrix(place, block, parts.truth, request.missing))
        else:
            labels = block[parts.truth[0]].without_empty_texts()
            cells.check_missing(place, replace(parts, predicted=()), {parts.truth[0]: labels}, request.missing)
            truth += labels.cells()
    report_progress("Ranking scores")
    options = {"missing": request.missing, **_join_blocks(grouped, source.name)}
    table = np.concatenate(scores)
    if parts.labels is not None:
        return _evaluate_decisions(source, request, np.concatenate(tables), table, {**options, "classes": parts.labels})
    truth, classes, positive = _labels_and_classes(source, parts, request, truth)
    if table.shape[1] == 1 and (classes is None or len(classes) == 2):
        table = table[:, 0]
        options |= {"positive": positive}
    return _evaluate_decisions(source, request, truth, table, {**options, "classes": classes})


def _evaluate_decisions(source: Source, request: Request, truth: Any, table: Any, options: dict[str, Any]) -> Evaluated:
    ev = evaluate(truth, table, decide=request.decide, **options)
    if options.get("positive") is None:
        ev = with_positive(ev, request.positive, source.name)
    return Evaluated(source.name, ev, ranking(truth, table, options))


def _join_blocks(blocks: list[dict[str, Any]], file: str) -> dict[str, Any]:
    """Return the groups and weights of all blocks as one."""
    joined: dict[str, Any] = {}
    if "by" in blocks[0]:
        columns = {name: [x for block in blocks for x in block["by"][name]] for name in blocks[0]["by"]}
        meanings = {name: integers(set(column), f"{file}, column {name!r}") for name, column in columns.items()}
        joined["by"] = {n: column if (m := meanings[n]) is None else [m[x] for x in column] for n, column in columns.items()}
    if "sample_weight" in blocks[0]:
        joined["sample_weight"] = np.concatenate([block["sample_weight"] for block in blocks])
    return joined


def _labels_and_classes(source: Source, parts: Roles, request: Request, truth: list[Any]) -> tuple[list[Any], Any, Any]:
    """Return the true labels, the classes and the positive class; integers if all are integers."""
    labels = {x for x in truth if x is not None}
    names = request.classes
    single = len(parts.predicted) == 1
    if names is None and not single:
        names = score_classes(parts.predicted, set(map(_text, labels)), source.name)
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
        meaning = integers({*labels, *(names or ())}, f"{source.name}, a label") or {}
        truth = [meaning.get(x, x) for x in truth]
        classes = None if names is None else tuple(meaning.get(name, name) for name in names)
        positive = request.positive
        if meaning and positive is not None:
            positive = (integers([positive]) or {}).get(positive, positive)
    if classes is not None:
        cells.check_classes(cells.Place(source.name, 1), parts.truth[0], Column.of(truth), classes)
    if single:
        _check_binary(classes or sorted({x for x in truth if x is not None}), positive, parts.predicted[0])
    return truth, classes, positive


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
