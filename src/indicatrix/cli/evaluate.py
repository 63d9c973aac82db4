"""``indicatrix evaluate``: the report of one file of predictions, or several side by side."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from . import progress, request
from .checks import failed, read_check
from .comparing import cautions, compared, compared_beyond, compared_by_group, titles, unified
from .counting import Evaluated, evaluate_rows
from .reading import SAVED, STDIN, Dialect, called
from .relabel import with_positive
from .request import Request
from .selection import Selection, find_measure, select
from .showing import (
    comparison_table,
    group_table,
    hidden,
    json_text,
    markdown_table,
    notes,
    ranking_text,
    score_table,
    text_table,
    undefined_rows,
)

FAILED = 1
OF_ROWS = ("true", "pred", "score", "decide", "multilabel", "classes", "weight", "missing", "delimiter", "encoding")

OPTIONS = [
    click.option("--true", metavar="COLUMN", help="The column of true labels."),
    click.option("--pred", metavar="COLUMN", help="The column of predicted labels; with --multilabel, a prefix of 0/1 columns."),
    click.option(
        "--score",
        metavar="COLUMNS",
        help="Columns of scores instead of --pred: names with commas between them, or a pattern such as 'p_*'. Their classes are "
        "their names, without what all of them begin with, if these are the labels; otherwise --classes names them in order. One "
        "column is the score of the positive class. Scores are kept in memory; everything else is counted block by block.",
    ),
    click.option("--decide", metavar="RULE", help="How scores become decisions: argmax, 0.5, top3, 'reject_below(0.7)'."),
    click.option(
        "--multilabel",
        metavar="PREFIX",
        help="The truth is in the 0/1 columns that start so. --pred or --score then is the prefix of the predicted columns; they "
        "are matched by what follows the prefixes.",
    ),
    click.option(
        "--measure", "-m", metavar="NAME", multiple=True, help="A measure: f1, 'f_beta(beta=2)', 'tp/(tp+fp)'. Repeatable."
    ),
    click.option(
        "--average", "-a", metavar="NAME", multiple=True, help="micro, macro, weighted, exemplar, binary, … Repeatable."
    ),
    click.option(
        "--undefined",
        metavar="HOW",
        default="exclude",
        help="What an undefined value does: exclude (as usual), 0, 1, nan, raise.",
    ),
    click.option("--positive", metavar="CLASS", help="The positive class. Of labels 0 and 1 it is 1."),
    click.option("--classes", metavar="A,B,C", help="The classes in their order; a label outside them is an error."),
    click.option("--by", metavar="COLUMN", multiple=True, help="Also evaluate each group of this column. Repeatable."),
    click.option("--weight", metavar="COLUMN", help="The column of sample weights."),
    click.option(
        "--missing",
        type=click.Choice(list(request.MISSING)),
        default="error",
        help="What an empty label means: an error (as usual), not observed (mask), an abstention of the predictor (abstain), or "
        "not observed in the truth and an abstention in the predictions (mask,abstain).",
    ),
    click.option(
        "--delimiter", metavar="CHARACTER", help="What separates columns: , or ; or tab, found in the header if it is clear."
    ),
    click.option(
        "--encoding", metavar="NAME", default="utf-8", help="The encoding of the text: utf-8 (as usual), cp1252, utf-16, …"
    ),
    click.option(
        "--save", metavar="FILE", help="Write the evaluation to a small JSON file, which this command reads like any other."
    ),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
    click.option("--markdown", "as_markdown", is_flag=True, help="Print tables in Markdown."),
    click.option(
        "--fail-under",
        metavar="CHECK",
        multiple=True,
        help="Exit with code 1 if a score is below a value: 'macro f1=0.8'; of a loss, where lower is better, if it is above. An "
        "undefined score fails. Repeatable.",
    ),
]


def _with_options(function: Any) -> Any:
    for option in reversed(OPTIONS):
        function = option(function)
    return function


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@_with_options
@click.pass_context
def evaluate(context: click.Context, /, files: tuple[str, ...], **options: Any) -> None:
    """Evaluate the predictions in FILE, or compare several files side by side.

    A FILE is CSV (also .csv.gz, and - for standard input), Parquet, Arrow or Feather (with pyarrow), or an evaluation that
    --save wrote (.json). Its first line names the columns. Labels are text; they are integers if every true and predicted label
    is a plain integer such as 0 or -12 (01 and 1.0 are text), so that 0 and 1 are a binary problem. Groups of --by likewise.
    Spaces after a delimiter and empty lines do not count.

    Without --measure, --average and --undefined the whole report is printed, otherwise the table of these scores. In a
    comparison * marks the best of each row, the lowest where lower is better.
    """
    try:
        asked, dialect = _read_options(files, options)
        checks = tuple(read_check(text, asked.by) for text in options["fail_under"])
        evaluated = unified([_evaluated(path, dialect, asked) for path in files])
        progress.done()
        text = _shown(files, evaluated, asked, options)
        lines = [line for e in evaluated for line in failed(checks, e, asked.undefined)]
        if options["save"]:
            evaluated[0].ev.save(options["save"])
    except (ValueError, TypeError) as wrong:
        raise ValueError(_spoken(wrong)) from wrong
    click.echo(text)
    for line in lines:
        click.echo(line, err=True)
    if lines:
        context.exit(FAILED)


def _spoken(wrong: Exception) -> str:
    """Return what the library objects to in the words of the command line: its arguments are options here."""
    text = re.sub(r"\b(average|positive|classes|decide|missing|undefined|by)=", r"--\1 ", str(wrong))
    return text.replace("y_true", "the truth").replace("y_pred", "the prediction")


def _read_options(files: tuple[str, ...], options: dict[str, Any]) -> tuple[Request, Dialect]:
    """Return what the options ask for; everything that needs no file is checked here."""
    if options["as_json"] and options["as_markdown"]:
        raise ValueError("--json and --markdown are two ways to print the same; give one of them.")
    if files.count(STDIN) > 1:
        raise ValueError("Standard input, -, can be read only once. Give it once.")
    _check_save(files, options["save"])
    if all(_is_saved(path) for path in files):
        for name in OF_ROWS:
            if options[name] not in (None, "error", "utf-8"):
                raise ValueError(f"--{name} is about rows, but saved evaluations hold counts only. Leave it out.")
    asked = Request(
        true=options["true"],
        pred=options["pred"],
        score=options["score"],
        decide=request.decide_of(options["decide"]),
        multilabel=options["multilabel"],
        classes=None if options["classes"] is None else request.listed(options["classes"]),
        positive=options["positive"],
        by=tuple(dict.fromkeys(options["by"])),
        weight=options["weight"],
        missing=request.MISSING[options["missing"]],
        measures=tuple(map(find_measure, options["measure"])),
        averages=options["average"],
        undefined=request.undefined_of(options["undefined"]),
    )
    if len(files) > 1 and asked.by and not (asked.measures and asked.averages):
        raise ValueError("--by with several files compares every group: choose what, with --measure and --average.")
    return asked, Dialect(request.encoding_of(options["encoding"]), request.delimiter_of(options["delimiter"]))


def _check_save(files: tuple[str, ...], save: str | None) -> None:
    if save is None:
        return
    if len(files) > 1:
        raise ValueError("--save writes one evaluation, but there are several files. Save each in a call of its own.")
    target = Path(save)
    if target.is_dir() or not target.absolute().parent.is_dir():
        raise ValueError(f"--save {save}: {'this is a folder' if target.is_dir() else 'there is no such folder'}. Name a file.")
    if target.exists() and files[0] != STDIN and Path(files[0]).exists() and target.samefile(files[0]):
        raise ValueError(f"--save {save} would overwrite the file that is read. Name another file.")


def _is_saved(path: str) -> bool:
    return path.lower().endswith(SAVED)


def _evaluated(path: str, dialect: Dialect, asked: Request) -> Evaluated:
    if not _is_saved(path):
        return evaluate_rows(path, dialect, asked)
    from ..evaluation import Evaluation

    if not Path(path).exists():
        raise ValueError(f"There is no file {path}. Check the name; --save writes such files.")
    ev = with_positive(Evaluation.load(path), asked.positive, path)
    for axis in asked.by:
        if axis not in ev.tally.by:
            have = f"it has {', '.join(ev.tally.by)}" if ev.tally.by else "it has none"
            raise ValueError(f"--by {axis}: {path} was saved without this grouping; {have}. Evaluate the rows again with --by.")
    return Evaluated(called(path), ev)


def _shown(files: tuple[str, ...], evaluated: Sequence[Evaluated], asked: Request, options: dict[str, Any]) -> str:
    """Return what is printed."""
    selection = select([e.ev for e in evaluated], asked.measures, asked.averages)
    if options["as_json"]:
        return json_text(evaluated, selection, asked.by, asked.undefined)
    if len(evaluated) > 1:
        return _comparison(titles(files), evaluated, selection, asked, markdown=options["as_markdown"])
    return _single(evaluated[0], selection, asked, markdown=options["as_markdown"])


def _single(one: Evaluated, selection: Selection, asked: Request, *, markdown: bool) -> str:
    draw = markdown_table if markdown else text_table
    if not asked.selects and not markdown:
        blocks = [str(one.ev), ranking_text(one)]
    else:
        scores = selection.scores(one.ev, asked.undefined)
        blocks = [draw(score_table(scores, selection)), notes(scores, asked.undefined), hidden(one)]
    if not asked.selects:  # all averages of all measures would be too many columns
        selection = Selection(selection.measures, ("binary" if one.ev.positive is not None else "macro",))
    for axis in asked.by:
        table, remarks = group_table(one, axis, selection, asked.undefined)
        blocks += [draw(table), *remarks]
    return "\n\n".join(filter(None, blocks))


def _comparison(
    names: Sequence[str], evaluated: Sequence[Evaluated], selection: Selection, asked: Request, *, markdown: bool
) -> str:
    rows = compared(evaluated, selection, asked.undefined)
    if not asked.selects:
        rows += compared_beyond(evaluated)
    tables = [rows, *(compared_by_group(evaluated, axis, selection, asked.undefined) for axis in asked.by)]
    if markdown:
        return "\n\n".join(markdown_table(comparison_table(names, some, mark=("**", "**"))) for some in tables)
    blocks = [text_table(comparison_table(names, some)) for some in tables]
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        best = re.compile(r"(?<= )(\S+\*)(?= |$)", re.MULTILINE)
        blocks = [best.sub(lambda hit: click.style(hit[1], bold=True), block) for block in blocks]
    return "\n\n".join(
        filter(None, [*blocks, *cautions(evaluated), *map(hidden, evaluated), *undefined_rows(rows, asked.undefined)])
    )
