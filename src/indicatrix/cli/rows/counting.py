"""From options to evaluations: the engine for files counts, and this names its columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from ...common_classes import on_all_classes
from ...comparison.joint import Joint
from ...engines.column_roles import roles_of
from ...engines.files.csv_files import CsvForm
from ...engines.files.file_run import FileRun
from ...engines.files.found_files import FoundFile
from ...engines.files.paired_files import PairedRun
from ...engines.files.progress import Reporter
from ...engines.files.rows_of_file import open_rows
from ...engines.files.text_classes import label_like
from ...engines.record_batches import labels_in
from ...evaluate import evaluate
from ...evaluation import Evaluation
from ...scores.sweep import sweep
from .columns import Roles, RowsFile, check_request, named_columns, roles, roles_of_all
from .input_files import found_files
from .label_spelling import check_spelling
from .positive_class import with_positive
from .ranking import Ranking, ranking
from .request import Request
from .scored_rows import ScoredRows, read_rows, report
from .usual_columns import with_usual_columns


@dataclass(frozen=True)
class Evaluated:
    """The evaluation of a file, and the areas and losses of its scores if it has scores."""

    file: str
    ev: Evaluation
    ranking: Ranking | None = None
    column: str | None = None  # the predictions, if several columns of one file are compared
    scores: Callable[[], Any] | None = None  # it makes the sweep of its scores, if it has scores

    @property
    def name(self) -> str:
        """The name in tables and messages: the column where columns are compared, otherwise the file."""
        return self.file if self.column is None else self.column


def evaluate_rows(path: str, dialect: CsvForm, request: Request) -> Evaluated:
    """Return the evaluation of the rows of a file."""
    check_request(request)
    if request.score is None:
        return evaluate_columns(path, dialect, [request])[0]
    with found_files(path) as files:
        source, requests = _source(files, dialect, [request])
        return _evaluate_scores(read_rows(files, source, dialect, requests), requests[0])


def evaluate_columns(path: str, dialect: CsvForm, requests: Sequence[Request]) -> list[Evaluated]:
    """Return one evaluation of the rows of a file for each request.

    The requests differ in their predictions only. The file is read once.
    """
    for request in requests:
        check_request(request)
    with found_files(path) as files:
        source, requests = _source(files, dialect, requests)
        every = roles_of_all(source, requests)
        # Counted together, rows are the same for all; where some may be missing, each prediction has rows of its own.
        together = requests[0].missing == "error"
        some = [slice(None)] if together else [slice(i, i + 1) for i in range(len(requests))]
        states: list[Evaluation] = []
        for part in some:
            state = _run(files, source, dialect, every[part], requests[part]).count()
            states += state.evaluations if isinstance(state, Joint) else [state]
    return _name_classes(source, requests, states)


def count_columns(path: str, dialect: CsvForm, requests: Sequence[Request]) -> Joint:
    """Return several columns of predictions of a file, counted together."""
    for request in requests:
        check_request(request)
    with found_files(path) as files:
        source, requests = _source(files, dialect, requests)
        joint = _run(files, source, dialect, roles_of_all(source, requests), requests).count()
    return _finish(joint, requests[0], source.name)


def count_paired(paths: Sequence[str], names: Sequence[str], dialect: CsvForm, request: Request) -> Joint:
    """Return the predictions of several files of the same examples in the same order, counted together."""
    check_request(request)
    with ExitStack() as stack:
        runs: list[FileRun] = []
        for path, name in zip(paths, names, strict=True):
            if runs:  # groups and weights are those of the first file
                request = replace(request, by=(), weight=None)
            files = stack.enter_context(found_files(path))
            source, (own,) = _source(files, dialect, [request])
            run = _run(files, source, dialect, [roles(source, own)], [own])
            ((_, columns),) = run.roles.answers
            run.roles = replace(run.roles, answers=((name, columns),))
            runs.append(run)
        joint = PairedRun.of(runs).count()
    return _finish(joint, request, paths[0])


def _finish(joint: Joint, request: Request, where: str) -> Joint:
    """Return a joint with the positive class; refuse labels that both sides spell differently."""
    if request.multilabel is None:
        for name, ev in zip(joint.names, joint.evaluations, strict=True):
            check_spelling(ev, f"{where}, {name!r}")
    return replace(joint, evaluations=tuple(with_positive(ev, request.positive, where) for ev in joint.evaluations))


def _source(files: list[FoundFile], dialect: CsvForm, requests: Sequence[Request]) -> tuple[RowsFile, list[Request]]:
    """Return the name and the columns of files, and requests that name the columns that they need.

    The columns are those of the first file.
    """
    wanted = tuple(name for request in requests for name in named_columns(request))
    with open_rows(files[0], dialect, wanted) as rows:
        source = RowsFile(files[0].name, rows.columns, rows.typed)
    return source, with_usual_columns(source, requests)


def _run(
    files: list[FoundFile], source: RowsFile, dialect: CsvForm, every: Sequence[Roles], requests: Sequence[Request]
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
    run = FileRun(files, roles_of("evaluate", **given), dialect, reporter=Reporter(report))
    if source.typed and request.classes is not None:
        run.roles = run.roles.with_classes(_typed_labels(run, request.classes))
    return run


def _typed_labels(run: FileRun, names: Sequence[str]) -> tuple[Any, ...]:
    """Return texts of the command line as labels of a file whose cells have types."""
    like = None
    for _, _, piece in run.pieces(run.roles.true[:1]):
        like = next(iter(labels_in(piece.batch, run.roles.true[0])), None)
        if like is not None:
            break
    return tuple(label_like(name, like) for name in names)


def _name_classes(source: RowsFile, requests: Sequence[Request], totals: Sequence[Evaluation]) -> list[Evaluated]:
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


def read_scores(path: str, dialect: CsvForm, requests: Sequence[Request]) -> ScoredRows:
    """Return the truth and the scores of each request, which are kept in memory."""
    for request in requests:
        check_request(request, decides=False)
    with found_files(path) as files:
        source, requests = _source(files, dialect, requests)
        return read_rows(files, source, dialect, requests)


def _evaluate_scores(rows: ScoredRows, request: Request) -> Evaluated:
    """Return the evaluation of decisions on scores, and the areas and losses of the scores themselves."""
    (table,) = rows.tables.values()
    single = table.ndim == 1
    options = rows.options if single else {name: x for name, x in rows.options.items() if name != "positive"}
    ev = evaluate(rows.truth, table, decide=request.decide, **options)
    if not single:
        ev = with_positive(ev, request.positive, rows.name)
    swept = {name: x for name, x in options.items() if x is not None and name != "by"}
    return Evaluated(rows.name, ev, ranking(rows.truth, table, options), scores=lambda: sweep(rows.truth, table, **swept))
