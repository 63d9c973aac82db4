"""``indicatrix evaluate``: the report of one file of predictions, or several side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ..comparison.compare import compare
from ..comparison.doubts import doubts, doubts_about_units
from ..engines.files.csv_files import Dialect
from ..engines.files.found_files import similar_file
from ..report.summary import usual_average_inside
from ..report.table import interval_notes
from ..selection import Selection, title
from .measures.measure_argument import read_measure
from .options import OncePerOption, add_forms, examples
from .output import Form, draw, json_text, prose, tell, write
from .progress import report_progress
from .results.checks import failures, read_check
from .results.comparing import compared_things, names_of, rows_beyond_decisions, unify
from .results.selection import select
from .results.showing import (
    comparison_table,
    data,
    group_table,
    hidden_note,
    interval_table,
    notes,
    ranking_table,
    score_table,
    strange_advice,
    strange_note,
)
from .rows import request
from .rows.counting import Evaluated, evaluate_columns, evaluate_rows
from .rows.input_files import STDIN, input_name
from .rows.positive_class import with_positive
from .rows.request import Request

FAILED = 1
SAVED = ".json"  # the ending of the name of a saved evaluation
# The names of the library's arguments in its messages, but not the names of a user's columns, files and labels.
ARGUMENT = re.compile(
    r"""(?<!\w)'[^']*'|"[^"]*"|(?<![\w./-])(?:(average|positive|classes|decide|missing|undefined|by|encoding|delimiter"""
    r"""|separator)=\ ?|(y_true|y_pred)(?!\w|[./-]\w))"""
)
# Advice is written as in Python, but a shell needs no quotation marks; a value that is refused keeps them.
VALUE = re.compile(r"(--(?:missing|encoding) )('[\w-]+'|\('[\w-]+', '[\w-]+'\))(?! is )")
SIDES = {"y_true": "the truth", "y_pred": "the prediction"}
ROW_OPTIONS = (
    "true",
    "pred",
    "score",
    "decide",
    "multilabel",
    "separator",
    "classes",
    "weight",
    "missing",
    "delimiter",
    "encoding",
)

# In the order in which a new user needs them: what is compared, which scores, which rows, how they are read, the output.
OPTIONS = [
    click.option("--true", metavar="COLUMN", help="The column of true labels."),
    click.option(
        "--pred",
        metavar="COLUMN",
        multiple=True,
        help="The column of predicted labels. Repeated, it compares the columns of one file side by side.",
    ),
    click.option(
        "--measure",
        "-m",
        metavar="NAME|FORMULA",
        multiple=True,
        help="Only this measure: f1, 'f_beta(beta=2)', 'tp/(tp+fp)'. Repeatable.",
    ),
    click.option(
        "--average",
        "-a",
        metavar="NAME",
        multiple=True,
        help="Only this average: micro, macro, weighted, exemplar, binary, or a column of --by. Repeatable.",
    ),
    click.option(
        "--undefined",
        metavar="HOW",
        default="exclude",
        help="What to do with an undefined value: leave it out (exclude, the default), replace it by a number (0), "
        "keep it (nan), or stop with an error (raise).",
    ),
    click.option(
        "--interval",
        metavar="LEVEL",
        is_flag=False,
        flag_value="0.95",
        help="Show between which values the true score is expected to lie. Without LEVEL it is 0.95.",
    ),
    click.option("--positive", metavar="CLASS", help="The positive class, for binary scores. For labels 0 and 1 it is 1."),
    click.option("--classes", metavar="A,B,C", help="The classes in their order; a label outside them is an error."),
    click.option("--by", metavar="COLUMN", multiple=True, help="Also evaluate each group of this column. Repeatable."),
    click.option("--weight", metavar="COLUMN", help="The column of sample weights."),
    click.option(
        "--score",
        metavar="COLUMNS",
        help="Columns of scores instead of --pred: names with commas between them, or a pattern such as 'p_*'. One column is the "
        "score of the positive class. With several columns each is one class: the name of the column without the beginning that "
        "all of them share, if this gives the labels; otherwise --classes names the classes in order.",
    ),
    click.option("--decide", metavar="RULE", help="How scores become decisions: argmax, 0.5, top3, 'reject_below(0.7)'."),
    click.option(
        "--multilabel",
        metavar="PREFIX",
        help="Several labels per row: the truth is in the 0/1 columns that start with this prefix, the prediction in the columns "
        "that start with --pred (or --score). They are matched by what follows the prefix.",
    ),
    click.option(
        "--separator",
        metavar="TEXT",
        help="Several labels per row in one cell, with this text between them: ';' for cells such as red;big. An empty cell has "
        "no labels.",
    ),
    click.option(
        "--missing",
        type=click.Choice(list(request.MISSING)),
        default="error",
        help="What an empty label means: an error (the default); not observed (mask); an abstention of the predictor (abstain); "
        "or not observed in the truth and an abstention in the predictions (mask,abstain).",
    ),
    click.option(
        "--delimiter", metavar="CHARACTER", help="The character between columns, if the header does not decide it: , ; or tab."
    ),
    click.option("--encoding", metavar="NAME", default="utf-8", help="The encoding of the text, if not utf-8: cp1252, utf-16, …"),
    click.option(
        "--save",
        metavar="FILE",
        help="Write the evaluation to a small file such as ev.json, which this command reads as a FILE later.",
    ),
    click.option(
        "--fail-under",
        metavar="CHECK",
        multiple=True,
        help="Exit with 1 if a score is under a value, 'macro f1=0.8', or above it where lower is better. An undefined score "
        "fails. Repeatable.",
    ),
]


def _with_options(function: Any) -> Any:
    for option in reversed(OPTIONS):
        function = option(function)
    return function


@click.command(
    cls=OncePerOption,
    short_help="Evaluate predictions in files: any measure, every average.",
    epilog=examples(
        "evaluate a.csv --true true --pred pred",
        "evaluate a.csv --true true --pred pred -m f1 -m mcc -a macro --by site",
        "evaluate a.csv --true true --score 'p_*' --decide argmax",
        "evaluate a.csv --true true --pred pred --separator ';'",
        "evaluate a.csv --true true --pred pred -m f1 -a macro --interval",
        "evaluate a.csv b.csv --true true --pred pred --markdown",
        "evaluate a.csv --true true --pred pred --pred tree -m f1",
        "evaluate a.csv --true true --pred pred --fail-under 'macro f1=0.7' --save a.json",
        "evaluate a.json --json",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@_with_options
@add_forms
@click.pass_context
def evaluate(context: click.Context, /, files: tuple[str, ...], form: Form, **options: Any) -> None:
    """Evaluate the predictions in FILE, or compare several files or columns side by side.

    A FILE is CSV or JSON lines (also .gz and .zst, and - for CSV from standard input), Parquet, Arrow or Feather, a folder or
    a quoted pattern of them, or an evaluation that --save wrote (.json). The first line of a CSV file names the columns. Its
    labels are text; they are integers if every true and predicted label is a plain integer such as 0 or -12 (01 and 1.0 are
    text), so that 0 and 1 are a binary problem. The same holds for groups of --by.

    Without --measure and --average the whole report is printed, otherwise a table of these scores. In a comparison * marks the
    best value of each row, which is the lowest where lower is better.
    """
    try:
        asked, dialect = _read_options(files, options)
        checks = tuple(read_check(text, asked.by) for text in options["fail_under"])
        evaluated = unify([one for path in files for one in _evaluate_file(path, dialect, asked, options["pred"])])
        report_progress("Computing scores")
        text = _render(files, evaluated, asked, form)
        lines = [line for e in evaluated for line in failures(checks, e, asked.undefined)]
        if options["save"]:
            _save(evaluated[0], options["save"])
    except (ValueError, TypeError) as wrong:
        raise ValueError(_reword(wrong)) from wrong
    write(text)
    for line in lines:
        tell(line)
    if lines:
        context.exit(FAILED)


def _reword(wrong: Exception) -> str:
    """Return the message of an error of the library with options in place of its arguments."""
    text = ARGUMENT.sub(lambda found: f"--{found[1]} " if found[1] else SIDES.get(found[2], found[0]), str(wrong))
    return VALUE.sub(lambda found: found[1] + ",".join(re.findall(r"[\w.-]+", found[2])), text)


def _read_options(files: tuple[str, ...], options: dict[str, Any]) -> tuple[Request, Dialect]:
    """Return what the options ask for; this checks everything that does not need a file."""
    if files.count(STDIN) > 1:
        raise ValueError("Standard input, -, can be read only once. Give - only once.")
    _check_files(files, options["pred"])
    _check_columns(files, options["pred"])
    _check_save(files, options["pred"], options["save"])
    if all(_is_saved(path) for path in files):
        for name in ROW_OPTIONS:
            if options[name] not in (None, (), "error", "utf-8"):
                raise ValueError(f"--{name} is about rows, but saved evaluations contain only counts. Leave it out.")
    asked = Request(
        true=options["true"],
        pred=next(iter(options["pred"]), None),
        score=options["score"],
        decide=request.decide_of(options["decide"]),
        multilabel=options["multilabel"],
        separator=request.separator_of(options["separator"]),
        classes=request.classes_of(options["classes"]),
        positive=options["positive"],
        by=tuple(dict.fromkeys(options["by"])),
        weight=options["weight"],
        missing=request.MISSING[options["missing"]],
        measures=tuple(read_measure(text, {}) for text in options["measure"]),
        averages=options["average"],
        undefined=request.undefined_of(options["undefined"]),
        interval=request.interval_of(options["interval"]),
    )
    if max(len(files), len(options["pred"])) > 1 and asked.by and not (asked.measures and asked.averages):
        several = "files" if len(files) > 1 else "columns"
        advice = "Choose scores with --measure and --average."
        if asked.selects:
            advice = (
                "Add --average, for example --average macro." if asked.measures else "Add --measure, for example --measure f1."
            )
        raise ValueError(f"--by with several {several} compares every group. {advice}")
    return asked, Dialect(request.encoding_of(options["encoding"]), request.delimiter_of(options["delimiter"]))


def _check_files(files: tuple[str, ...], columns: tuple[str, ...]) -> None:
    """Refuse a second column after --pred, which click reads as a file."""
    for path in files[1:] if columns else ():
        if not Path(path).suffix and path != STDIN and not Path(path).exists() and not similar_file(path):
            repeated = " ".join(f"--pred {name}" for name in (*columns, path))
            raise ValueError(f"There is no file {path}. If it is a column of predictions, repeat --pred: {repeated}.")


def _check_columns(files: tuple[str, ...], columns: tuple[str, ...]) -> None:
    """Refuse several columns of predictions where it is not clear what is compared."""
    if len(columns) > 1 and len(files) > 1:
        raise ValueError("Several files and several --pred are two comparisons. Give one file, or one --pred.")
    for column in columns:
        if columns.count(column) > 1:
            raise ValueError(f"--pred names {column!r} twice. Name each column once.")


def _check_save(files: tuple[str, ...], columns: tuple[str, ...], save: str | None) -> None:
    if save is None:
        return
    if len(columns) > 1:
        raise ValueError("--save writes one evaluation, but there are several --pred. Save each with a separate call.")
    if len(files) > 1:
        raise ValueError("--save writes one evaluation, but there are several files. Save each with a separate call.")
    target = Path(save)
    if target.is_dir() or not target.absolute().parent.is_dir():
        raise ValueError(f"--save {save}: {'this is a folder' if target.is_dir() else 'the folder does not exist'}. Name a file.")
    if target.exists() and files[0] != STDIN and Path(files[0]).exists() and target.samefile(files[0]):
        raise ValueError(f"--save {save} would overwrite the file that is read. Name another file.")
    if not _is_saved(save):
        other = target.with_suffix(SAVED).name
        raise ValueError(f"--save {save}: the name of a saved evaluation must end with {SAVED}. Name it {other}, for example.")


def _save(evaluated: Evaluated, save: str) -> None:
    try:
        evaluated.ev.save(save)
    except OSError as wrong:  # its own message names a temporary file
        raise ValueError(f"--save {save}: {wrong.strerror or wrong}. Name a file in another folder.") from None


def _is_saved(path: str) -> bool:
    return path.lower().endswith(SAVED)


def _evaluate_file(path: str, dialect: Dialect, asked: Request, columns: tuple[str, ...]) -> list[Evaluated]:
    """Return the evaluation of a file, or one for each of several columns of predictions."""
    if _is_saved(path):
        return [_load(path, asked)]
    if len(columns) > 1:
        return evaluate_columns(path, dialect, [replace(asked, pred=column) for column in columns])
    return [evaluate_rows(path, dialect, asked)]


def _load(path: str, asked: Request) -> Evaluated:
    from ..evaluation import Evaluation

    if not Path(path).exists():
        raise ValueError(f"There is no file {path}. {similar_file(path) or 'Check the name; --save writes such files.'}")
    ev = with_positive(Evaluation.load(path), asked.positive, path)
    for axis in asked.by:
        if axis not in ev.tally.by:
            have = f"it has {', '.join(ev.tally.by)}" if ev.tally.by else "it has no grouping"
            raise ValueError(f"--by {axis}: {path} was saved without this grouping; {have}. Evaluate the rows again with --by.")
    return Evaluated(input_name(path), ev)


def _render(files: tuple[str, ...], evaluated: Sequence[Evaluated], asked: Request, form: Form) -> str:
    """Return the text to print."""
    selection = select([e.ev for e in evaluated], asked.measures, asked.averages)
    if form == "json":
        return json_text(data(evaluated, selection, asked))
    if len(evaluated) > 1:
        blocks = _comparison(names_of(evaluated, files), evaluated, selection, asked, form)
    else:
        blocks = _report(evaluated[0], selection, asked, form)
    return "\n\n".join(filter(None, blocks))


def _report(one: Evaluated, selection: Selection, asked: Request, form: Form) -> Iterator[str]:
    """Yield the report or the table of the selected scores, with a table for each grouping.

    Areas and losses of scores follow the report.
    """
    whole = not asked.selects and form == "text"
    if whole:
        report = one.ev.report(undefined=asked.undefined, interval=asked.interval)
        yield from (prose(report), prose(strange_advice(one)))  # the report has the warning
    else:
        scores = selection.scores(one.ev, asked.undefined)
        listed = notes(scores, asked.undefined)
        listed = listed.replace("\n  ", "\n- ") if form == "markdown" else listed  # Markdown would join indented lines
        intervals = selection.intervals(one.ev, asked.undefined, asked.interval)
        about = interval_notes({title(m, a): x for (m, a), x in intervals.items()})
        yield from (
            draw(score_table(scores, selection, intervals), form),
            *(prose(text, form) for text in (listed, *about, hidden_note(one), strange_note(one))),
        )
    beyond = None if asked.selects else ranking_table(one)
    if beyond is not None:
        yield "\n".join(filter(None, (draw(beyond[0], form), prose(beyond[1], form))))
    if not asked.selects:  # all averages of all measures would be too many columns
        selection = Selection(selection.measures, (usual_average_inside(one.ev),))
    for axis in () if whole else asked.by:
        table, remarks = group_table(one, axis, selection, asked)
        yield from (draw(table, form), *(prose(remark, form) for remark in remarks))


def _comparison(
    names: Sequence[str], evaluated: Sequence[Evaluated], selection: Selection, asked: Request, form: Form
) -> Iterator[str]:
    each, undefined = [e.ev for e in evaluated], asked.undefined
    selection = selection if asked.selects else selection.shortened()
    made = compare(each, selection.measures, selection.averages, undefined=undefined, by=asked.by)
    beyond = [] if asked.selects else rows_beyond_decisions(evaluated)
    for some in ([*made.rows, *beyond], *made.groups.values()):
        yield draw(comparison_table(names, some), form)
    if asked.interval is not None:
        table, about_intervals = interval_table(names, each, selection, asked)
        yield from (draw(table, form), *(prose(text, form) for text in about_intervals))
    about = (*doubts(each, compared_things(evaluated)), *map(hidden_note, evaluated), *map(strange_note, evaluated))
    remarks = (*about, *doubts_about_units(names, made.rows, made.groups), *made.notes, *selection.notes)
    yield from (prose(remark, form) for remark in remarks)
