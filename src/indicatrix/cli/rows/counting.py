"""From options to evaluations: the engine for files counts, and this names its columns.

Scores are all kept in memory, because ranks do not add.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.wording import listing
from ...common_classes import on_all_classes
from ...comparison.joint import Joint
from ...engines.arrow_columns import label_vector, number_vector, table_of
from ...engines.column_roles import ColumnRoles, roles_of
from ...engines.files.bad_rows import find_bad_rows
from ...engines.files.csv_files import Dialect
from ...engines.files.file_run import FileRun
from ...engines.files.found_files import FoundFile
from ...engines.files.progress import Progress, Reporter
from ...engines.files.rows_of_file import open_rows
from ...engines.files.text_classes import integers, label_like
from ...engines.record_batches import labels_in
from ...evaluate import evaluate
from ...evaluation import Evaluation
from ...settings.arguments.options import Options
from ..progress import report_progress
from .columns import SHOWN, Roles, Source, check_request, named_columns, roles, roles_of_all, score_classes
from .input_files import found_files
from .label_spelling import check_spelling
from .positive_class import with_positive
from .ranking import Ranking, ranking
from .request import Request


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
    with found_files(path) as files:
        source = _source(files, dialect, [request])
        return _evaluate_scores(files, source, dialect, roles(source, request), request)


def evaluate_columns(path: str, dialect: Dialect, requests: Sequence[Request]) -> list[Evaluated]:
    """Return one evaluation of the rows of a file for each request.

    The requests differ in their predictions only. The file is read once.
    """
    for request in requests:
        check_request(request)
    with found_files(path) as files:
        source = _source(files, dialect, requests)
        every = roles_of_all(source, requests)
        # Counted together, rows are the same for all; where some may be missing, each prediction has rows of its own.
        together = requests[0].missing == "error"
        some = [slice(None)] if together else [slice(i, i + 1) for i in range(len(requests))]
        states: list[Evaluation] = []
        for part in some:
            state = _run(files, source, dialect, every[part], requests[part]).count()
            states += state.evaluations if isinstance(state, Joint) else [state]
    return _name_classes(source, requests, states)


def _source(files: list[FoundFile], dialect: Dialect, requests: Sequence[Request]) -> Source:
    """Return the name and the columns of files, which are those of the first one."""
    wanted = tuple(name for request in requests for name in named_columns(request))
    with open_rows(files[0], dialect, wanted) as rows:
        return Source(files[0].name, rows.columns, rows.typed)


def _run(
    files: list[FoundFile], source: Source, dialect: Dialect, every: Sequence[Roles], requests: Sequence[Request]
) -> FileRun:
    """Return a run over files for one request, or for several predictions together."""
    parts, request = every[0], requests[0]
    wide = parts.labels is not None
    columns = [one.predicted if wide else one.predicted[0] for one in every]
    answers = {str(one.pred): columns[i] for i, one in enumerate(requests)}
    given: dict[str, Any] = {
        "true": parts.truth if wide else parts.truth[0],
        "pred": answers if len(answers) > 1 else next(iter(answers.values())),
        "by": parts.by,
        "sample_weight": parts.weight,
        "classes": parts.labels if wide else request.classes,
        "missing": request.missing,
        "separator": request.separator,
    }
    run = FileRun(files, roles_of("evaluate", **given), dialect, reporter=Reporter(_report))
    if source.typed and request.classes is not None:
        run.roles = run.roles.with_classes(_typed_labels(run, request.classes))
    return run


def _report(now: Progress) -> None:
    report_progress(now.text, now.share)


def _typed_labels(run: FileRun, names: Sequence[str]) -> tuple[Any, ...]:
    """Return texts of the command line as labels of a file whose cells have types."""
    like = None
    for _, _, piece in run.pieces(run.roles.true[:1]):
        like = next(iter(labels_in(piece.batch, run.roles.true[0])), None)
        if like is not None:
            break
    return tuple(label_like(name, like) for name in names)


def _name_classes(source: Source, requests: Sequence[Request], totals: Sequence[Evaluation]) -> list[Evaluated]:
    """Return the evaluations with common classes, integers if all are integers, and the positive class."""
    several, request = len(totals) > 1, requests[0]
    if request.multilabel is None:
        for ev, one in zip(totals, requests, strict=True):
            check_spelling(ev, f"{source.name}, column {one.pred!r}" if several else source.name)
    if several:
        totals = on_all_classes(totals, [str(one.pred) for one in requests], "columns")
    return [
        Evaluated(source.name, with_positive(ev, request.positive, source.name), column=one.pred if several else None)
        for ev, one in zip(totals, requests, strict=True)
    ]


def _evaluate_scores(files: list[FoundFile], source: Source, dialect: Dialect, parts: Roles, request: Request) -> Evaluated:
    """Return the evaluation of decisions on scores, and the areas and losses of the scores themselves."""
    run = FileRun(files, _score_roles(parts, request), dialect, reporter=Reporter(_report))
    truth: list[Any] = []
    scores, tables, weights = [], [], []
    groups: dict[str, list[Any]] = {name: [] for name in parts.by}
    for _, file, piece in run.pieces(run.roles.columns):
        batch = piece.batch
        bad, explain = find_bad_rows(batch, run.roles)
        if bad.any():
            raise ValueError(piece.place(file.name, int(bad.argmax())) + explain(int(bad.argmax())))
        scores.append(np.column_stack([number_vector(batch.column(name)) for name in parts.predicted]).astype(float))
        for name, cells in groups.items():
            cells += _cells(batch, name)
        if parts.weight is not None:
            weights.append(number_vector(batch.column(parts.weight)).astype(float))
        if parts.labels is not None:
            tables.append(table_of(batch, parts.truth, parts.labels).values)
        else:
            truth += _cells(batch, parts.truth[0])
    if not scores:
        raise ValueError(f"{source.name} has columns but no rows. Give a file with one example per row.")
    report_progress("Ranking scores")
    options: dict[str, Any] = {"missing": request.missing}
    if groups:
        options["by"] = {n: _as_integers(cells, f"{source.name}, column {n!r}") for n, cells in groups.items()}
    if weights:
        options["sample_weight"] = np.concatenate(weights)
    table = np.concatenate(scores)
    if parts.labels is not None:
        return _evaluate_decisions(source, request, np.concatenate(tables), table, {**options, "classes": parts.labels})
    truth, classes, positive = _labels_and_classes(source, parts, request, truth)
    if table.shape[1] == 1 and (classes is None or len(classes) == 2):
        table = table[:, 0]
        options |= {"positive": positive}
    return _evaluate_decisions(source, request, truth, table, {**options, "classes": classes})


def _score_roles(parts: Roles, request: Request) -> ColumnRoles:
    """Return the roles of columns of scores; which classes they are for is found out later."""
    wide = parts.labels is not None
    return ColumnRoles(
        parts.truth,
        (("score", parts.predicted),),
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


def _evaluate_decisions(source: Source, request: Request, truth: Any, table: Any, options: dict[str, Any]) -> Evaluated:
    ev = evaluate(truth, table, decide=request.decide, **options)
    if options.get("positive") is None:
        ev = with_positive(ev, request.positive, source.name)
    return Evaluated(source.name, ev, ranking(truth, table, options))


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
        _check_classes(source, parts.truth[0], truth, classes)
    if single:
        _check_binary(classes or sorted({x for x in truth if x is not None}), positive, parts.predicted[0])
    return truth, classes, positive


def _check_classes(source: Source, name: str, truth: list[Any], classes: Sequence[Any]) -> None:
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
