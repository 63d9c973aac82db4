"""``indicatrix weakest``: the slices of a file whose value is worst."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

import click

from ..algebra.measure_names import split_score
from ..engines.files.text_classes import decimal
from ..evaluation import Evaluation
from ..inference.slices.weakest import CUTS, WeakestSlices, slices_table
from .asked import Asked, check_written, split_names
from .counting import check_decided, decide_scores, evaluate_file, read_scores
from .options import LEVEL, FileCommand, add_files, add_forms, examples, html_option, option
from .output import Form, draw, heading, json_text, prose, report_progress, write, write_file

TIME = re.compile(r"\d{4}-\d\d-\d\d")  # Python also reads 2026-W05 and 20260131, which may be names
HOW = (
    option(
        "--among COLUMNS",
        "The columns of features, with commas between them. Numbers are cut into ranges; an empty cell is a value of its own.",
        read=lambda text: tuple(split_names(text)),
        required=True,
    ),
    option("--depth COUNT", "How many features a slice may name.", type=click.IntRange(min=1), default=2),
    option("--smallest COUNT", "How many examples a slice has at least.", type=click.IntRange(min=1), default=50),
    option("--most COUNT", "How many slices are shown at most.", type=click.IntRange(min=1), default=10),
    option("--bins COUNT", "Into how many ranges a number is cut.", type=click.IntRange(min=2), default=5),
    option("--cut", "Where numbers are cut: ranges of equal size, or where the values differ most.", type=click.Choice([*CUTS])),
    option("--false-discoveries SHARE", "Which share of the slices found may be false, in the mean.", type=float, default=0.1),
    LEVEL,
    option(
        "--better",
        "Which values of the measure are better, for a formula that does not say it itself.",
        type=click.Choice(["higher", "lower"]),
    ),
)
ROWS = ("positive", "classes", "weight", "decide", "multilabel", "separator", "missing", "delimiter", "encoding")
HTML = html_option("the report page, with the slices,")


@click.command(
    cls=FileCommand,
    epilog=examples(
        "weakest a.csv --true true --pred pred -m recall -a macro --among site,tree",
        "weakest a.csv --true true --pred pred -m accuracy --among site,tree --depth 1 --smallest 2 --json",
    ),
)
@add_files("true", "pred", "score", "measure", "average", *HOW, HTML, *ROWS)
@add_forms
def weakest(asked: Asked, form: Form, html: str | None, cut: str | None, **how: Any) -> None:
    """Find the slices of FILE, conjunctions of features, that are worse than all other rows.

    All conjunctions with enough rows are tested, and the share of false ones among those shown is controlled. Intervals allow for
    the choice among all. A slice that is worse only because it shares rows with a clearer one is not shown.
    """
    check_written(asked, None, html)
    if len(asked.measure) != 1 or len(asked.average) > 1:
        raise ValueError("The slices are of one score: give one --measure, and at most one --average.")
    measure, average = split_score(asked.measure[0], next(iter(asked.average), None))
    try:
        ev, features = _read(asked)
    except ValueError as wrong:
        if not (text := str(wrong)).startswith("--by"):
            raise
        raise ValueError(f"--among{text.removeprefix('--by')}") from None
    report_progress("Searching slices")
    found = ev.weakest(measure, among=features, average=average, cut=cut or CUTS[0], **how)
    if html is not None:
        write_file("--html", html, lambda path: ev.to_html(path, slices=found, title=asked.files[0]))
    write(slices_text(found, form))


def _read(asked: Asked) -> tuple[Evaluation, dict[str, Any] | None]:
    """Return the evaluation of a file with the features as groups, or with scores next to it."""
    asked = replace(asked, by=asked.among)
    if len(asked.files) > 1:
        raise ValueError("weakest reads one file, or one folder. Give one.")
    if not asked.score:
        (evaluated,) = evaluate_file(asked.files[0], asked)
        tally = evaluated.ev.tally
        for axis in asked.among:
            tally = tally.with_group_names(axis, _meaning(tally.sizes_of(axis)))
        return replace(evaluated.ev, tally=tally), None
    check_decided(asked, asked.measure)
    rows = read_scores(asked.files[0], asked)
    columns = {axis: _meaning({*cells}) for axis, cells in (rows.by or {}).items()}
    features = {axis: [columns[axis][cell] for cell in cells] for axis, cells in (rows.by or {}).items()}
    return decide_scores(replace(rows, by=None), asked).ev, features


def _meaning(names: Collection[Any]) -> dict[Any, Any]:
    """Return what texts of a file mean: numbers or times, if each means another one, or else themselves.

    An empty text means that the value is missing.

    >>> _meaning(["0.5", "2", ""]), _meaning(["a", "2"]), _meaning(["2026-01-31"])
    ({'0.5': 0.5, '2': 2.0, '': None}, {'a': 'a', '2': '2'}, {'2026-01-31': datetime.datetime(2026, 1, 31, 0, 0)})
    """
    known = [name for name in names if name != ""]
    for read in (decimal, _time):
        meant = {name: x for name in known if isinstance(name, str) and not isinstance(x := read(name), str)}
        if len({*meant.values()}) == len(known):
            return {name: meant.get(name) for name in names}
    return {name: name or None for name in names}


def _time(text: str) -> datetime | str:
    """Return the date, with or without a time of day, in a text, or the text itself.

    >>> _time("2026-01-31 05:00"), _time("20260131")
    (datetime.datetime(2026, 1, 31, 5, 0), '20260131')
    """
    try:
        return datetime.fromisoformat(text) if TIME.match(text) else text
    except ValueError:
        return text


def slices_text(found: WeakestSlices, form: Form) -> str:
    """Return slices to print, in one of the forms of the command line."""
    if form == "json":
        data = {"score": found.name, "value": found.value, "tested": found.tested, **found.to_dict()}
        return json_text({**data, "sentences": found.sentences()})
    table = [draw(slices_table(found, "value"), form)] if len(found) or form == "csv" else []
    if form == "csv":
        return "".join(table)
    title = f"{found.name}: {found.value:.3g} of all examples"
    return "\n\n".join((heading(title, form), *table, *(prose(text, form) for text in found.sentences())))
