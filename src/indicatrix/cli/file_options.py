"""The options of commands that read files of predictions, and what they ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ..engines.files.csv_files import CsvForm
from ..engines.files.found_files import similar_file
from ..inference.intervals.designs import BY_CLASS
from .completion import complete_averages, complete_columns, complete_measures
from .measures.measure_argument import read_measure
from .output import tell
from .rows import request
from .rows.counting import Evaluated
from .rows.input_files import STDIN, input_name
from .rows.positive_class import with_positive
from .rows.request import Request

SAVED = ".json"  # the ending of the name of a saved evaluation
PAGE, PAGES = "report.html", (".html", ".htm")  # the page that has no name of its own, and how names of pages end
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
UNSET = (None, (), "error", "utf-8")

FILES = click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(), is_eager=True)
OPTIONS: dict[str, Callable[[Any], Any]] = {
    "true": click.option(
        "--true",
        metavar="COLUMN",
        help="The column of true labels. Left out, it is the one with a usual name: y_true, true, label, target, actual.",
        shell_complete=complete_columns,
    ),
    "pred": click.option(
        "--pred",
        metavar="COLUMN",
        multiple=True,
        help="The column of predicted labels. Repeated, it compares the columns of one file side by side. Left out, it is the "
        "one with a usual name: y_pred, pred, prediction, predicted.",
        shell_complete=complete_columns,
    ),
    "measure": click.option(
        "--measure",
        "-m",
        metavar="NAME|FORMULA",
        multiple=True,
        help="Only this measure: f1, 'f_beta(beta=2)', 'tp/(tp+fp)'. Repeatable.",
        shell_complete=complete_measures,
    ),
    "average": click.option(
        "--average",
        "-a",
        metavar="NAME",
        multiple=True,
        help="Only this average: micro, macro, weighted, exemplar, binary, or a column of --by. Repeatable.",
        shell_complete=complete_averages,
    ),
    "undefined": click.option(
        "--undefined",
        metavar="HOW",
        default="exclude",
        help="What to do with an undefined value: leave it out (exclude, the default), replace it by a number (0), "
        "keep it (nan), or stop with an error (raise).",
    ),
    "positive": click.option(
        "--positive", metavar="CLASS", help="The positive class, for binary scores. For labels 0 and 1 it is 1."
    ),
    "classes": click.option("--classes", metavar="A,B,C", help="The classes in their order; a label outside them is an error."),
    "by": click.option(
        "--by",
        metavar="COLUMN",
        multiple=True,
        help="Also evaluate each group of this column. Repeatable.",
        shell_complete=complete_columns,
    ),
    "weight": click.option("--weight", metavar="COLUMN", help="The column of sample weights.", shell_complete=complete_columns),
    "score": click.option(
        "--score",
        metavar="COLUMNS",
        help="Columns of scores instead of --pred: names with commas between them, or a pattern such as 'p_*'. One column is the "
        "score of the positive class. With several columns each is one class: the name of the column without the beginning that "
        "all of them share, if this gives the labels; otherwise --classes names the classes in order.",
        shell_complete=complete_columns,
    ),
    "decide": click.option(
        "--decide", metavar="RULE", help="How scores become decisions: argmax, 0.5, top3, 'reject_below(0.7)'."
    ),
    "multilabel": click.option(
        "--multilabel",
        metavar="PREFIX",
        help="Several labels per row: the truth is in the 0/1 columns that start with this prefix, the prediction in the columns "
        "that start with --pred (or --score). They are matched by what follows the prefix.",
    ),
    "separator": click.option(
        "--separator",
        metavar="TEXT",
        help="Several labels per row in one cell, with this text between them: ';' for cells such as red;big. An empty cell has "
        "no labels.",
    ),
    "missing": click.option(
        "--missing",
        type=click.Choice(list(request.MISSING)),
        default="error",
        help="What an empty label means: an error (the default); not observed (mask); an abstention of the predictor (abstain); "
        "or not observed in the truth and an abstention in the predictions (mask,abstain).",
    ),
    "delimiter": click.option(
        "--delimiter", metavar="CHARACTER", help="The character between columns, if the header does not decide it: , ; or tab."
    ),
    "encoding": click.option(
        "--encoding", metavar="NAME", default="utf-8", help="The encoding of the text, if not utf-8: cp1252, utf-16, …"
    ),
}


def add_options(*options: str | Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a decorator that gives a command the files and these options, in the order of its help.

    An option of this module is named; any other is given as click made it.
    """

    def decorate(function: Any) -> Any:
        for option in reversed(options):
            function = (OPTIONS[option] if isinstance(option, str) else option)(function)
        return FILES(function)

    return decorate


def read_request(options: dict[str, Any]) -> Request:
    """Return what the options ask for; no file is read."""
    given = options.get
    return Request(
        true=given("true"),
        pred=next(iter(given("pred") or ()), None),
        score=given("score"),
        decide=request.decide_of(given("decide")),
        multilabel=given("multilabel"),
        separator=request.separator_of(given("separator")),
        classes=request.classes_of(given("classes")),
        positive=given("positive"),
        by=tuple(dict.fromkeys(given("by") or ())),
        weight=given("weight"),
        missing=request.MISSING[given("missing") or "error"],
        measures=tuple(read_measure(text, {}) for text in given("measure") or ()),
        averages=given("average") or (),
        undefined=request.undefined_of(given("undefined") or "exclude"),
        interval=request.interval_of(given("interval")),
        prevalence=request.prevalence_of(given("prevalence")),
        sampled=BY_CLASS if given("sampled") else None,
    )


def read_dialect(options: dict[str, Any]) -> CsvForm:
    """Return how text files are written."""
    return CsvForm(request.encoding_of(options["encoding"]), request.delimiter_of(options["delimiter"]))


def check_inputs(files: tuple[str, ...], options: dict[str, Any]) -> None:
    """Refuse inputs that contradict each other; no file is read."""
    if files.count(STDIN) > 1:
        raise ValueError("Standard input, -, can be read only once. Give - only once.")
    columns = options.get("pred") or ()
    for path in files[1:] if columns else ():  # a second column after --pred, which click reads as a file
        if not Path(path).suffix and path != STDIN and not Path(path).exists() and not similar_file(path):
            repeated = " ".join(f"--pred {name}" for name in (*columns, path))
            raise ValueError(f"There is no file {path}. If it is a column of predictions, repeat --pred: {repeated}.")
    if len(columns) > 1 and len(files) > 1:
        raise ValueError("Several files and several --pred are two comparisons. Give one file, or one --pred.")
    for column in columns:
        if columns.count(column) > 1:
            raise ValueError(f"--pred names {column!r} twice. Name each column once.")
    if all(is_saved(path) for path in files):
        for name in ROW_OPTIONS:
            if options.get(name) not in UNSET:
                raise ValueError(f"--{name} is about rows, but saved evaluations contain only counts. Leave it out.")


def check_writable(files: tuple[str, ...], path: str, option: str) -> None:
    """Refuse a file that an option is to write, if there is no place for it or it is read now."""
    target = Path(path)
    if target.is_dir() or not target.absolute().parent.is_dir():
        why = "this is a folder" if target.is_dir() else "the folder does not exist"
        raise ValueError(f"{option} {path}: {why}. Name a file.")
    if target.exists() and files[0] != STDIN and Path(files[0]).exists() and target.samefile(files[0]):
        raise ValueError(f"{option} {path} would overwrite the file that is read. Name another file.")


def html_option(what: str) -> Callable[[Any], Any]:
    """Return the option that writes a page of something; without a file it is report.html."""
    return click.option(
        "--html",
        metavar="FILE",
        is_flag=False,
        flag_value=PAGE,
        help=f"Write {what} to this file, which a browser opens, also offline. Without FILE it is {PAGE}.",
        type=click.Path(),
    )


def check_page(files: tuple[str, ...], path: str) -> None:
    """Refuse a file for the page that is not to be overwritten, or that no browser would open as a page."""
    check_writable(files, path, "--html")
    if Path(path).suffix.lower() not in PAGES:
        raise ValueError(
            f"--html {path}: the name of a page must end with .html. Name it {Path(path).with_suffix('.html').name}, for "
            f"example, or leave the name out for {PAGE}; if {path} is a file to read, give it before --html."
        )


def write_html(path: str, write: Callable[[], Any]) -> None:
    """Write a page and say where it is; a message about the file names the option."""
    try:
        write()
        tell(f"The report page is in {path}.")
    except OSError as wrong:  # its own message names a temporary file
        raise ValueError(f"--html {path}: {wrong.strerror or wrong}. Name a file in another folder.") from None


def check_target(files: tuple[str, ...], save: str, what: str = "a saved evaluation") -> None:
    """Refuse a file to write that cannot be read later, or that is read now."""
    check_writable(files, save, "--save")
    if not is_saved(save):
        other = Path(save).with_suffix(SAVED).name
        raise ValueError(f"--save {save}: the name of {what} must end with {SAVED}. Name it {other}, for example.")


def save_counts(counts: Any, save: str) -> None:
    """Write an evaluation, or what was counted together."""
    try:
        counts.save(save)
    except OSError as wrong:  # its own message names a temporary file
        raise ValueError(f"--save {save}: {wrong.strerror or wrong}. Name a file in another folder.") from None


def is_saved(path: str) -> bool:
    """Return whether a path names a saved evaluation.

    >>> is_saved("a.JSON"), is_saved("a.csv")
    (True, False)
    """
    return path.lower().endswith(SAVED)


def load_evaluation(path: str, asked: Request) -> Evaluated:
    """Return a saved evaluation with the positive class and the groupings that are asked for."""
    from ..storage.formats import load_as

    check_exists(path)
    ev = with_positive(load_as("Evaluation", path), asked.positive, path)
    for axis in asked.by:
        if axis not in ev.tally.by:
            have = f"it has {', '.join(ev.tally.by)}" if ev.tally.by else "it has no grouping"
            raise ValueError(f"--by {axis}: {path} was saved without this grouping; {have}. Evaluate the rows again with --by.")
    return Evaluated(input_name(path), ev)


def check_exists(path: str) -> None:
    """Refuse the name of a saved evaluation that is not there."""
    if not Path(path).exists():
        raise ValueError(f"There is no file {path}. {similar_file(path) or 'Check the name; --save writes such files.'}")


def for_each_column(asked: Request, columns: tuple[str, ...]) -> list[Request]:
    """Return one request for each column of predictions."""
    return [replace(asked, pred=column) for column in columns]
