"""From files to evaluations: the engine for files counts, and this names columns and classes.

Rows with scores: truth and scores of each classifier, in memory, because ranks do not add.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import BufferedReader
from typing import IO, Any, cast

import numpy as np

from ..compare.paired_counts import PairedCounts, on_all_classes
from ..engines.arrow_columns import label_vector, number_vector, table_of
from ..engines.column_roles import SHOWN
from ..engines.files.bad_rows import find_bad_rows
from ..engines.files.evaluation_of_files import PairedRun, need_pyarrow
from ..engines.files.file_run import FileRun, Reporter
from ..engines.files.found_files import FoundFile, find_files
from ..engines.files.rows_of_file import open_rows
from ..engines.files.text_classes import check_spellings, decimal, integers, label_like, label_values
from ..engines.partitions import labels_in
from ..evaluate import evaluate
from ..evaluation import Evaluation
from ..storage.formats import load_as
from ..words.wording import did_you_mean, listing
from .asked import STDIN, Asked, check_exists, is_saved
from .columns import roles_in, score_classes, with_usual_columns
from .output import report_progress

BLOCK = 1 << 20


@dataclass(frozen=True)
class Evaluated:
    """The evaluation of a file, or of one column of predictions in it."""

    file: str
    ev: Evaluation
    column: str | None = None  # the predictions, if several columns of one file are compared

    @property
    def name(self) -> str:
        """The name in tables and messages: the column where columns are compared, otherwise the file."""
        return self.file if self.column is None else self.column


def evaluate_file(path: str, asked: Asked) -> list[Evaluated]:
    """Return the evaluation of a file, one for each column of predictions; a saved one as it was saved."""
    if is_saved(path):
        return [_load(path, asked)]
    if not asked.score:
        return _evaluate_labels(path, asked)
    check_decided(asked, asked.measure)
    return [decide_scores(read_scores(path, asked), asked)]


def check_decided(asked: Asked, measures: Iterable[Any]) -> None:
    """Refuse scores without a rule for decisions, unless measures are named that all read the scores."""
    named = [*measures]
    counted = [m for m in named if m.reads.counted]
    if asked.score and asked.decide is None and (counted or not named):
        why = f"{counted[0]} reads decisions. " if counted else ""
        raise ValueError(
            f"{why}How do the scores become decisions? Add --decide argmax, --decide 0.5 or --decide top3; or name measures that "
            "read the scores: -m auc."
        )


def count_columns(path: str, asked: Asked) -> PairedCounts:
    """Return several columns of predictions of a file, counted together."""
    with _opened(path, asked) as run:
        return _finish(run.count(), asked, run.files[0].name)


def count_paired(names: Sequence[str], asked: Asked) -> PairedCounts:
    """Return the predictions of several files of the same examples in the same order, counted together."""
    with contextlib.ExitStack() as stack:
        runs: list[FileRun] = []
        for path, name in zip(asked.files, names, strict=True):
            run = stack.enter_context(_opened(path, asked, further=bool(runs)))
            ((_, columns),) = run.roles.answers
            run.roles = replace(run.roles, answers=((name, columns),))
            runs.append(run)
        return _finish(PairedRun.of(runs).count(), asked, asked.files[0])


def read_scores(path: str, asked: Asked) -> ScoredRows:
    """Return the truth and the scores of each classifier, which are kept in memory."""
    with _opened(path, asked) as run:
        return read_rows(run, asked)


@contextlib.contextmanager
def _opened(path: str, asked: Asked, *, further: bool = False) -> Iterator[FileRun]:
    """Open the first of the files that a path means; return the run over them, with roles of columns."""
    needed = replace(asked, by=(), weight=None) if further else asked  # a further file may lack groups and weights
    with found_files(path) as files, open_rows(files[0], asked.csv, needed.named_columns) as rows:
        if further:  # which are then those of the first file
            weight = asked.weight if asked.weight in rows.columns else None
            asked = replace(asked, by=tuple(c for c in asked.by if c in rows.columns), weight=weight)
        roles = roles_in(rows, with_usual_columns(rows, asked))
        reporter = Reporter(lambda now: report_progress(now.text, now.share))
        run = FileRun(files, roles, asked.csv, reporter=reporter, features=frozenset(asked.among), opened=[rows])
        if rows.typed and roles.options.classes is not None and not roles.wide:
            run.roles = roles.with_classes(_typed_labels(run, roles.options.classes))
        yield run


def _typed_labels(run: FileRun, names: Sequence[str]) -> tuple[Any, ...]:
    """Return texts of the command line as labels of a file whose cells have types."""
    found = (labels_in(piece.batch, run.roles.true[0]) for _, _, piece in run.pieces(run.roles.true[:1]))
    like = next((label for labels in found for label in labels), None)
    return tuple(label_like(name, like) for name in names)


@contextlib.contextmanager
def found_files(path: str) -> Iterator[list[FoundFile]]:
    """Find the files that a path means; standard input is copied, so that it can be read twice."""
    need_pyarrow()
    if path != STDIN:
        yield find_files(path)
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # Windows keeps a file that is still open
        place = os.path.join(folder, "input")
        with open(place, "wb") as copy:  # and lets no other reader in as long as it is written
            _copy_input(copy)
        yield [replace(file, name=input_name(STDIN)) for file in find_files(place, format="csv")]


def _copy_input(copy: IO[bytes]) -> None:
    """Copy standard input, and say how many rows there are so far."""
    lines, stream = 0, cast(BufferedReader, sys.stdin.buffer)
    while block := stream.read1(BLOCK):  # ends soon, so that Ctrl-C is seen
        copy.write(block)
        lines += block.count(b"\n")
        report_progress(f"{input_name(STDIN)}: {max(0, lines - 1):,} rows")


def input_name(path: str) -> str:
    """Return the name of an input in messages.

    >>> input_name("-"), input_name("runs/a.csv")
    ('standard input', 'runs/a.csv')
    """
    return "standard input" if path == STDIN else path


def _load(path: str, asked: Asked) -> Evaluated:
    """Return a saved evaluation with the positive class and the groupings that are asked for."""
    check_exists(path)
    ev = _with_positive(load_as("Evaluation", path), asked.positive, path)
    for axis in asked.by:
        if axis not in ev.tally.by:
            have = f"it has {', '.join(ev.tally.by)}" if ev.tally.by else "it has no grouping"
            raise ValueError(f"--by {axis}: {path} was saved without this grouping; {have}. Evaluate the rows again with --by.")
    return Evaluated(path, ev)


def _evaluate_labels(path: str, asked: Asked) -> list[Evaluated]:
    """Return one evaluation of the rows of a file for each prediction."""
    with _opened(path, asked) as run:
        name, answers = run.files[0].name, run.roles.answers
        # Counted together, rows are the same for all; where some may be missing, each prediction has rows of its own.
        parts = [answers] if asked.missing == "error" else [(one,) for one in answers]
        states = [replace(run, roles=replace(run.roles, answers=part)).count() for part in parts]
    each = [ev for state in states for ev in (state.evaluations if isinstance(state, PairedCounts) else [state])]
    columns = [column for column, _ in answers]
    several = len(columns) > 1
    if asked.multilabel is None:
        for ev, column in zip(each, columns, strict=True):
            check_spelling(ev, f"{name}, column {column!r}" if several else name)
    if several:
        each = [*on_all_classes(each, columns, "columns")]
    named = (_with_positive(ev, asked.positive, name) for ev in each)
    return [Evaluated(name, ev, column=column if several else None) for ev, column in zip(named, columns, strict=True)]


def decide_scores(rows: ScoredRows, asked: Asked) -> Evaluated:
    """Return the evaluation of decisions on scores, which keeps the scores.

    Without --decide nothing reads the decisions.
    """
    (table,) = rows.tables.values()
    single = table.ndim == 1
    options = rows.options if single else {name: x for name, x in rows.options.items() if name != "positive"}
    some = 0.5 if single or asked.multilabel else "argmax"
    ev = evaluate(rows.truth, table, decide=some if asked.decide is None else asked.decide, by=rows.by, **options)
    if asked.decide is None:
        ev = replace(ev, recipe=ev.recipe._replace(decide=None))._with_scores(ev.scored)
    return Evaluated(rows.name, ev if single else _with_positive(ev, asked.positive, rows.name))


def _finish(joint: PairedCounts, asked: Asked, where: str) -> PairedCounts:
    """Return a joint with the positive class; refuse labels that both sides spell differently."""
    if asked.multilabel is None:
        for name, ev in zip(joint.names, joint.evaluations, strict=True):
            check_spelling(ev, f"{where}, {name!r}")
    return replace(joint, evaluations=tuple(_with_positive(ev, asked.positive, where) for ev in joint.evaluations))


def _with_positive(ev: Evaluation, positive: str | None, name: str) -> Evaluation:
    """Return the evaluation with the positive class that the command line names, as a label of the file."""
    if positive is None:
        return ev
    label = label_like(positive, next(iter(ev.classes), None))
    binary = all(isinstance(c, int) and c in (0, 1) for c in (*ev.classes, label))  # the class 1 may have no examples
    if label not in ev.classes and not binary:
        question = did_you_mean(positive, (str(c) for c in ev.classes))
        known = f"--positive {positive!r} is not a class of {name}; the classes are {listing(ev.classes, SHOWN)}."
        raise ValueError(f"{known} {question}".rstrip())
    return ev.with_positive(label) if label in ev.classes else replace(ev, named_positive=label)


def check_spelling(ev: Evaluation, name: str) -> None:
    """Refuse labels that never agree only because the two sides spell them differently, cat and Cat.

    All scores would be those of a classifier that is always wrong. If at least one true label is also a predicted label, nothing
    is refused, because there two spellings may be two classes.
    """
    counts = ev.aggregate("class")
    true, predicted = (
        [label for label, n in zip(ev.classes, side.tolist(), strict=True) if n] for side in (counts.tpos, counts.ppos)
    )
    if {*true} & {*predicted}:
        return
    spelled = {_meaning(label): label for label in true}
    for label in predicted:
        if (other := spelled.get(_meaning(label))) is not None:
            raise ValueError(
                f"{name}: true and predicted labels never agree, because they are written differently, as {other!r} and "
                f"{label!r}. Write them in the same way in both columns."
            )


def _meaning(label: Any) -> Any:
    return decimal(label.casefold()) if isinstance(label, str) else label


@dataclass(frozen=True)
class ScoredRows:
    """The truth and the scores of a file, as ``evaluate`` and ``sweep`` take them."""

    name: str  # of the file
    truth: Any
    tables: dict[str, Any]  # the scores of each classifier: one column, or one for each class
    by: dict[str, Any] | None  # the groups of each row, which ``sweep`` does not take
    options: dict[str, Any]  # those that are given: missing, sample_weight, classes, positive, gold, design


def read_rows(run: FileRun, asked: Asked) -> ScoredRows:
    """Return the rows of files with the scores of all classifiers."""
    roles, name = run.roles, run.files[0].name
    truth: list[Any] = []
    weights: list[Any] = []
    scores: dict[str, list[Any]] = {answer: [] for answer, _ in roles.answers}
    groups: dict[str, list[Any]] = {axis: [] for axis, _ in roles.by}
    gold, strata = list[Any](), list[Any]()
    for batch in _good_batches(run):
        for answer, columns in roles.answers:
            scores[answer].append(np.column_stack([number_vector(batch.column(c)) for c in columns]).astype(float))
        for axis, cells in groups.items():
            cells += _cells(batch, axis)
        if roles.sample_weight is not None:
            weights.append(number_vector(batch.column(roles.sample_weight)).astype(float))
        gold += [cell for column in roles.gold for cell in _cells(batch, column)]
        strata += [cell for column in roles.strata for cell in _cells(batch, column)]
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
        labels, classes, positive = _name_labels(run, asked, truth + gold)
        labels, gold = labels[: len(truth)], labels[len(truth) :]
        if len(roles.answers[0][1]) == 1 and (classes is None or len(classes) == 2):
            tables = {answer: table[:, 0] for answer, table in tables.items()}  # the scores of the positive class
    weight = np.concatenate(weights) if weights else None
    design = {"strata": _as_integers(strata, f"{name}, column {roles.design!r}") if strata else roles.design}
    given = {"missing": asked.missing, "sample_weight": weight, "classes": classes, "positive": positive}
    given |= {"gold": gold or None, "design": None if roles.design is None else design}
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
        n = len(truth) // (1 + len(run.roles.gold))  # the gold labels follow
        for column, cells in zip((*run.roles.true, *run.roles.gold), (truth[:n], truth[n:]), strict=False):
            _check_classes(file.name, column, cells, classes)
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
