"""``indicatrix evaluate``: the report of one file of predictions, or several side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from ..algebra.average import score_name
from ..comparison.compare import compare
from ..comparison.doubts import doubts, doubts_about_units
from ..engines.files.csv_files import CsvForm
from ..inference.intervals.designs import design_note
from ..report.summary import usual_average_inside
from ..report.table import interval_notes
from ..selection import Selection
from .colour import paint_report
from .file_options import (
    add_options,
    check_inputs,
    check_page,
    check_target,
    for_each_column,
    html_option,
    is_saved,
    load_evaluation,
    read_dialect,
    read_request,
    save_counts,
    write_html,
)
from .option_words import options_in_messages
from .options import OncePerOption, add_forms, examples
from .output import Form, draw, json_text, prose, tell, write
from .progress import report_progress
from .results.checks import failures, read_check
from .results.comparison_columns import compared_things, names_of, rows_beyond_decisions, unify
from .results.designs import in_design
from .results.evaluation_tables import (
    comparison_table,
    data,
    flat_table,
    group_table,
    hidden_note,
    interval_table,
    notes,
    ranking_table,
    score_table,
    strange_advice,
    strange_note,
)
from .results.selection import select
from .rows.counting import Evaluated, evaluate_columns, evaluate_rows
from .rows.request import Request

FAILED = 1
NOT_TESTED = "No star: the differences were not tested. indicatrix compare tests them."
INTERVAL = click.option(
    "--interval",
    metavar="LEVEL",
    is_flag=False,
    flag_value="0.95",
    help="Show between which values the true score is expected to lie. Without LEVEL it is 0.95.",
)
PREVALENCE = click.option(
    "--prevalence",
    metavar="SHARE",
    help="Scores and intervals where the positive class has this share: 0.02. Or the share of each class: cat=0.2,dog=0.8.",
)
SAMPLED = click.option(
    "--sampled",
    type=click.Choice(["by-class"]),
    help="For intervals: how many examples of each true class there are was chosen, as in a case-control study.",
)
SAVE = click.option(
    "--save",
    metavar="FILE",
    help="Write the evaluation to a small file such as ev.json, which this command reads as a FILE later.",
    type=click.Path(),
)
HTML = html_option("the report page, with the scores of --measure and --average first,")
FAIL_UNDER = click.option(
    "--fail-under",
    metavar="CHECK",
    multiple=True,
    help="Exit with 1 if a score is under a value, 'macro f1=0.8', or above it where lower is better. An undefined score "
    "fails. Repeatable.",
)
# In the order in which a new user needs them: what is compared, which scores, which rows, how they are read, the output.
SCORES = ("true", "pred", "measure", "average", "undefined", INTERVAL, PREVALENCE, SAMPLED)
ROWS = ("positive", "classes", "by", "weight", "score", "decide", "multilabel", "separator", "missing", "delimiter", "encoding")


@click.command(
    cls=OncePerOption,
    epilog=examples(
        "evaluate a.csv --true true --pred pred",
        "evaluate a.csv --true true --pred pred -m f1 -m mcc -a macro --by site",
        "evaluate a.csv --true true --score 'p_*' --decide argmax",
        "evaluate a.csv --true true --pred pred --separator ';'",
        "evaluate a.csv --true true --pred pred -m f1 -a macro --interval",
        "evaluate a.csv --true true --pred pred -m precision --interval --prevalence 0.02",
        "evaluate a.csv b.csv --true true --pred pred --markdown",
        "evaluate a.csv --true true --pred pred --pred tree -m f1",
        "evaluate a.csv --true true --pred pred --fail-under 'macro f1=0.7' --save a.json",
        "evaluate a.csv --html",
        "evaluate a.json --json",
    ),
)
@add_options(*SCORES, *ROWS, SAVE, HTML, FAIL_UNDER)
@add_forms
@click.pass_context
def evaluate(context: click.Context, /, files: tuple[str, ...], form: Form, **options: Any) -> None:
    """Evaluate the predictions in FILE, or compare several files or columns side by side.

    A FILE is CSV or JSON lines (also .gz and .zst, and - for CSV from standard input), Parquet, Arrow or Feather, a folder or
    a quoted pattern of them, or an evaluation that --save wrote (.json). The first line of a CSV file names the columns. Its
    labels are text; they are integers if every true and predicted label is a whole number such as 0, -12 or 1.0 (01 is text),
    so that 0 and 1 are a binary problem, and bools if every one is True or False. Groups of --by are integers if all are.

    Without --measure and --average the whole report is printed, otherwise a table of these scores. Several files or columns are
    shown side by side; the compare command tests their differences.
    """
    with options_in_messages():
        asked = _read_options(files, options)
        dialect = read_dialect(options)
        checks = tuple(read_check(text, asked.by) for text in options["fail_under"])
        evaluated = unify([one for path in files for one in _evaluate_file(path, dialect, asked, options["pred"])])
        evaluated = [in_design(one, asked) for one in evaluated]
        report_progress("Computing scores")
        text = _render(files, evaluated, asked, form)
        lines = [line for e in evaluated for line in failures(checks, e, asked.undefined)]
        if options["save"]:
            save_counts(evaluated[0].ev, options["save"])
        if options["html"]:
            _write_page(evaluated[0], asked, options["html"])
    write(text)
    for line in lines:
        tell(line)
    if lines:
        context.exit(FAILED)


def _read_options(files: tuple[str, ...], options: dict[str, Any]) -> Request:
    """Return what the options ask for; this checks everything that does not need a file."""
    check_inputs(files, options)
    for option, writes in (("save", "one evaluation"), ("html", "the page of one evaluation")):
        for several, what in ((options["pred"], "--pred"), (files, "files")):
            if options[option] is not None and len(several) > 1:
                raise ValueError(f"--{option} writes {writes}, but there are several {what}. Save each with a separate call.")
    if options["save"] is not None:
        check_target(files, options["save"])
    if options["html"] is not None:
        check_page(files, options["html"])
    asked = read_request(options)
    if max(len(files), len(options["pred"])) > 1 and asked.by and not (asked.measures and asked.averages):
        several = "files" if len(files) > 1 else "columns"
        advice = "Choose scores with --measure and --average."
        if asked.selects:
            advice = (
                "Add --average, for example --average macro." if asked.measures else "Add --measure, for example --measure f1."
            )
        raise ValueError(f"--by with several {several} compares every group. {advice}")
    return asked


def _write_page(one: Evaluated, asked: Request, path: str) -> None:
    """Write the page with the measures, averages, convention and level that were asked for."""
    level = {} if asked.interval is None else {"level": asked.interval}
    measures, averages = asked.measures or None, asked.averages or None
    asked_for = {"measures": measures, "averages": averages, "undefined": asked.undefined, "title": one.name, **level}
    write_html(path, lambda: one.ev.to_html(path, scores=None if one.scores is None else one.scores(), **asked_for))


def _evaluate_file(path: str, dialect: CsvForm, asked: Request, columns: tuple[str, ...]) -> list[Evaluated]:
    """Return the evaluation of a file, or one for each of several columns of predictions."""
    if is_saved(path):
        return [load_evaluation(path, asked)]
    if len(columns) > 1:
        return evaluate_columns(path, dialect, for_each_column(asked, columns))
    return [evaluate_rows(path, dialect, asked)]


def _render(files: tuple[str, ...], evaluated: Sequence[Evaluated], asked: Request, form: Form) -> str:
    """Return the text to print."""
    selection = select([e.ev for e in evaluated], asked.measures, asked.averages)
    if form == "json":
        return json_text(data(evaluated, selection, asked))
    if form == "csv":
        return draw(flat_table(data(evaluated, selection, asked)), form)
    if len(evaluated) > 1:
        blocks = _comparison(names_of(evaluated, files), evaluated, asked, form)
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
        yield from (paint_report(prose(report)), prose(strange_advice(one)))  # the report has the warning
    else:
        scores = selection.scores(one.ev, asked.undefined)
        listed = notes(scores, asked.undefined)
        listed = listed.replace("\n  ", "\n- ") if form == "markdown" else listed  # Markdown would join indented lines
        intervals = selection.intervals(one.ev, asked.undefined, asked.interval)
        about = interval_notes({score_name(m, a): x for (m, a), x in intervals.items()})
        yield from (
            draw(score_table(scores, selection, intervals), form),
            *(prose(text, form) for text in (design_note(asked.prevalence), listed, *about, hidden_note(one), strange_note(one))),
        )
    beyond = None if asked.selects else ranking_table(one)
    if beyond is not None:
        yield "\n".join(filter(None, (draw(beyond[0], form), prose(beyond[1], form))))
    if not asked.selects:  # all averages of all measures would be too many columns
        selection = Selection(selection.measures, (usual_average_inside(one.ev),))
    for axis in () if whole else asked.by:
        table, remarks = group_table(one, axis, selection, asked)
        yield from (draw(table, form), *(prose(remark, form) for remark in remarks))


def _comparison(names: Sequence[str], evaluated: Sequence[Evaluated], asked: Request, form: Form) -> Iterator[str]:
    """Yield the scores of several evaluations side by side, and what makes them hard to compare."""
    each = [e.ev for e in evaluated]
    made = compare(each, measures=asked.measures or None, averages=asked.averages or None, undefined=asked.undefined, by=asked.by)
    beyond = [] if asked.selects else rows_beyond_decisions(evaluated)
    for some in ([*made.rows, *beyond], *made.groups.values()):
        yield draw(comparison_table(names, some), form)
    yield from (prose(text, form) for text in (NOT_TESTED, design_note(asked.prevalence)))
    if asked.interval is not None:
        keys = [row.key for row in made.rows if row.key is not None]
        table, about_intervals = interval_table(names, each, keys, asked)
        yield from (draw(table, form), *(prose(text, form) for text in about_intervals))
    about = (*doubts(each, compared_things(evaluated)), *map(hidden_note, evaluated), *map(strange_note, evaluated))
    remarks = (*about, *doubts_about_units(names, made.rows, made.groups), *made.notes)
    yield from (prose(remark, form) for remark in remarks)
