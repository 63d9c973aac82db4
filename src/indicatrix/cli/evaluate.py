"""``indicatrix evaluate``: the report of one file of predictions, or several side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import click

from ..algebra.average import score_name
from ..compare.compare import compare
from ..compare.row import doubts, doubts_about_units
from ..inference.intervals.method_choice import BY_CLASS, design_note, with_design
from ..inference.planning.gate import FAILED
from ..report.summary import usual_average_inside
from ..report.text import interval_notes
from ..selection import Selection
from ..words.wording import listing
from . import tables
from .asked import Asked, check_written, prevalence_of
from .counting import Evaluated, check_decided, evaluate_file
from .gates import OPTIONS, Asks, answers, check_gates, read_check, write_answers
from .options import FileCommand, add_files, add_forms, examples, html_option, option
from .output import Form, draw, json_text, paint_report, prose, report_progress, tell, write, write_file

CHECK_FAILED = 1
NOT_TESTED = "No star: the differences were not tested. indicatrix compare tests them."
PREVALENCE = option(
    "--prevalence SHARE",
    "Scores and intervals where the positive class has this share: 0.02. Or the share of each class: cat=0.2,dog=0.8.",
    read=prevalence_of,
)
SAMPLED = option(
    "--sampled",
    "For intervals: how many examples of each true class there are was chosen, as in a case-control study.",
    read={"by-class": BY_CLASS}.get,
    type=click.Choice(["by-class"]),
)
SAVE = option("--save FILE", "Write the evaluation to a small file such as ev.json, which this command reads as a FILE later.")
HTML = html_option("the report page, with the scores of --measure and --average first,")
# In the order in which a new user needs them: what is compared, which scores, which rows, how they are read, the output.
SCORES = ("true", "pred", "measure", "average", "undefined", "interval", PREVALENCE, SAMPLED)
ROWS = (
    "positive",
    "classes",
    "by",
    "weight",
    "gold",
    "design",
    "score",
    "decide",
    "multilabel",
    "separator",
    "missing",
    "delimiter",
    "encoding",
)


@click.command(
    cls=FileCommand,
    epilog=examples(
        "evaluate a.csv --true true --pred pred",
        "evaluate a.csv --true true --pred pred -m f1 -m mcc -a macro --by site",
        "evaluate a.csv --true true --score 'p_*' --decide argmax",
        "evaluate a.csv --true true --pred pred --separator ';'",
        "evaluate a.csv --true true --pred pred -m f1 -a macro --interval",
        "evaluate a.csv --true true --pred pred -m precision --interval --positive cat --prevalence 0.02",
        "evaluate a.csv b.csv --true true --pred pred --markdown",
        "evaluate a.csv --true true --pred pred --pred tree -m f1",
        "evaluate a.csv --true true --pred pred --fail-under 'macro f1=0.7' --save a.json",
        "evaluate a.csv --true true --pred pred --fail-under accuracy=0.9 --sequential state.json",
        "evaluate a.csv --true true --pred pred -m f1 -a macro --fail-if-worse a.json --margin 0.01 --junit checks.xml",
        "evaluate a.csv --html",
        "evaluate a.json --json",
    ),
)
@add_files(*SCORES, *ROWS, SAVE, HTML, *OPTIONS)
@add_forms
def evaluate(asked: Asked, form: Form, save: str | None, html: str | None, **asks: Any) -> None:
    """Evaluate the predictions in FILE, or compare several files or columns side by side.

    A FILE is CSV or JSON lines (also .gz and .zst, and - for CSV from standard input), Parquet, Arrow or Feather, a folder or
    a quoted pattern of them, or an evaluation that --save wrote (.json). The first line of a CSV file names the columns. Its
    labels are text; they are integers if every true and predicted label is a whole number such as 0, -12 or 1.0 (01 is text),
    so that 0 and 1 are a binary problem, and bools if every one is True or False. Groups of --by are integers if all are.

    Without --measure and --average the whole report is printed, otherwise a table of these scores. Several files or columns are
    shown side by side; the compare command tests their differences.
    """
    _check(asked, save, html)
    gates = Asks(**asks)
    check_gates(gates, asked)
    checks = tuple(read_check(text, asked.by) for text in gates.fail_under)
    check_decided(asked, (*asked.measure, *(one.measure for one in checks)))
    unified = tables.unify([one for path in asked.files for one in evaluate_file(path, asked)])
    evaluated = [_in_design(one, asked) for one in unified]
    report_progress("Computing scores")
    text = _render(evaluated, asked, form)
    found = answers(gates, checks, evaluated, asked)
    if save is not None:
        write_file("--save", save, evaluated[0].ev.save)
    if html is not None:
        write_file("--html", html, lambda path: _write_page(evaluated[0], asked, path))
    write(text)
    write_answers(gates, found)
    failed = [one for one in found if one.answer == FAILED]
    for one in found if gates.sequential or gates.fail_if_worse else failed:
        tell(one.line)
    if failed:
        raise click.exceptions.Exit(CHECK_FAILED)


def _check(asked: Asked, save: str | None, html: str | None) -> None:
    """Refuse options that do not go with several predictions; no file is read."""
    for name, path, writes in (("save", save, "one evaluation"), ("html", html, "the page of one evaluation")):
        for given, what in ((asked.pred, "--pred"), (asked.files, "files")):
            if path is not None and len(given) > 1:
                raise ValueError(f"--{name} writes {writes}, but there are several {what}. Save each with a separate call.")
    if asked.score and asked.decide is None and (save or html):
        name = "save" if save else "html"
        raise ValueError(f"--{name} writes counts of decisions. How do the scores become decisions? Add --decide argmax.")
    check_written(asked, save, html)
    if max(len(asked.files), len(asked.pred)) > 1 and asked.by and not (asked.measure and asked.average):
        several = "files" if len(asked.files) > 1 else "columns"
        advice = "Choose scores with --measure and --average."
        if asked.selects:
            advice = (
                f"Add {'--average, for example --average macro' if asked.measure else '--measure, for example --measure f1'}."
            )
        raise ValueError(f"--by with several {several} compares every group. {advice}")


def _in_design(one: Evaluated, asked: Asked) -> Evaluated:
    """Return an evaluation as --prevalence and --sampled say; areas of scores would not change."""
    if asked.prevalence is None and asked.sampled is None:
        return one
    shares = asked.prevalence
    if isinstance(shares, dict):
        named = {str(name): name for name in one.ev.classes}
        unknown = [name for name in shares if name not in named]
        if unknown or len(shares) < len(named):
            wrong = f"{unknown[0]!r} is not a class" if unknown else "the share of each class is needed"
            raise ValueError(f"--prevalence: {wrong}. The classes are {listing([*named])}.")
        shares = {named[name]: share for name, share in shares.items()}
    return replace(one, ev=with_design(one.ev, shares, asked.sampled))


def _write_page(one: Evaluated, asked: Asked, path: str) -> None:
    """Write the page with the measures, averages, convention and level that were asked for."""
    level = {} if asked.interval is None else {"level": asked.interval}
    scores = None if one.ev.scored is None else one.ev.sweep()
    shown = {"measures": asked.measure or None, "averages": asked.average or None, "undefined": asked.undefined, **level}
    one.ev.to_html(path, scores=scores, title=one.name, **shown)


def _render(evaluated: Sequence[Evaluated], asked: Asked, form: Form) -> str:
    """Return the text to print."""
    selection = tables.select([e.ev for e in evaluated], asked.measure, asked.average)
    if form == "json":
        return json_text(tables.data(evaluated, selection, asked))
    if form == "csv":
        return draw(tables.flat_table(tables.data(evaluated, selection, asked)), form)
    if len(evaluated) > 1:
        blocks = _comparison(tables.names_of(evaluated, asked.files), evaluated, asked, form)
    else:
        blocks = _report(evaluated[0], selection, asked, form)
    return "\n\n".join(filter(None, blocks))


def _report(one: Evaluated, selection: Selection, asked: Asked, form: Form) -> Iterator[str]:
    """Yield the report or the table of the selected scores, with a table for each grouping.

    Areas and losses of scores follow the report.
    """
    whole = not asked.selects and form == "text"
    if whole:
        report = one.ev.report(undefined=asked.undefined, interval=asked.interval)
        yield from (paint_report(prose(report)), prose(tables.strange_advice(one)))  # the report has the warning
    else:
        scores = selection.scores(one.ev, asked.undefined)
        listed = tables.notes(scores, asked.undefined)
        listed = listed.replace("\n  ", "\n- ") if form == "markdown" else listed  # Markdown would join indented lines
        intervals = selection.intervals(one.ev, asked.undefined, asked.interval)
        about = interval_notes({score_name(m, a): x for (m, a), x in intervals.items()})
        yield from (
            draw(tables.score_table(scores, selection, intervals), form),
            *(
                prose(text, form)
                for text in (design_note(asked.prevalence), listed, *about, tables.hidden_note(one), tables.strange_note(one))
            ),
        )
    beyond = None if asked.selects else tables.table_beyond_decisions(one.ev)
    if beyond is not None:
        yield "\n".join(filter(None, (draw(beyond[0], form), prose(beyond[1], form))))
    if not asked.selects:  # all averages of all measures would be too many columns
        selection = Selection(selection.measures, (usual_average_inside(one.ev),))
    for axis in () if whole else asked.by:
        table, remarks = tables.group_table(one, axis, selection, asked)
        yield from (draw(table, form), *(prose(remark, form) for remark in remarks))


def _comparison(names: Sequence[str], evaluated: Sequence[Evaluated], asked: Asked, form: Form) -> Iterator[str]:
    """Yield the scores of several evaluations side by side, and what makes them hard to compare."""
    each = [e.ev for e in evaluated]
    made = compare(each, measures=asked.measure or None, averages=asked.average or None, undefined=asked.undefined, by=asked.by)
    beyond = [] if asked.selects else tables.rows_beyond_decisions(evaluated)
    for some in ([*made.rows, *beyond], *made.groups.values()):
        yield draw(tables.comparison_table(names, some), form)
    yield from (prose(text, form) for text in (NOT_TESTED, design_note(asked.prevalence)))
    if asked.interval is not None:
        keys = [row.key for row in made.rows if row.key is not None]
        table, about_intervals = tables.interval_table(names, each, keys, asked)
        yield from (draw(table, form), *(prose(text, form) for text in about_intervals))
    about = (
        *doubts(each, tables.compared_things(evaluated)),
        *map(tables.hidden_note, evaluated),
        *map(tables.strange_note, evaluated),
    )
    remarks = (*about, *doubts_about_units(names, made.rows, made.groups), *made.notes)
    yield from (prose(remark, form) for remark in remarks)
