"""``indicatrix evals``: scores in logs of language models with intervals, compared by question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ..algebra.ends import check_level
from ..compare.comparison import Comparison
from ..evals.answers import about_unfinished
from ..evals.page import write_runs_page
from ..evals.read.read_evals import read_evals
from ..report.table_forms import Table, Uncertain
from .asked import split_names
from .options import BASELINE, CLUSTERS, FILES, LEVEL, MARGIN, OPTIONS, FileCommand, add_forms, examples, html_option, option
from .output import Form, draw, fields_of, heading, json_text, tell, write, write_file

READ = ("repeats", "question", "score", "model")  # options of reading; the others are of scores and their comparison


@click.command(
    cls=FileCommand,
    epilog=examples(
        "evals logs/inspect",
        "evals logs/inspect --task sums --scorer match --clusters passage --json",
        "evals logs/inspect -m 'pass_at_k(k=2)' --scorer match",
    ),
)
@FILES
@option("--measure -m NAME", "mean_score, or such as 'pass_at_k(k=5)' and 'pass_hat_k(k=5)'.", default="mean_score", read=str)
@option("--task NAME", "Only this task.")
@option("--scorer NAME", "Only what this scorer says.")
@CLUSTERS
@BASELINE
@MARGIN
@LEVEL
@OPTIONS["undefined"]
@option("--repeats", "What two logs of one model and task are.", type=click.Choice(["join", "apart"]))
@option("--question COLUMN", "In tables: the column of questions.", default="question")
@option("--score COLUMNS", "In tables: the columns of scores, with commas.", default="score", read=split_names)
@option("--model COLUMN", "In tables: the column of models.", default="model")
@option("--export FOLDER", "Write records in the schema of Every Eval Ever to this folder.")
@option("--organization NAME", "Who ran the evaluations; --export needs it.")
@html_option("a page with both tables")
@add_forms
def evals(
    files: tuple[str, ...],
    form: Form,
    measure: str,
    export: str | None,
    organization: str | None,
    html: str | None,
    **options: Any,
) -> None:
    """Show the scores of language models in logs, FILE or folder, with intervals, and compare models.

    Logs of Inspect, the evaluation harness (lm-eval), lighteval and promptfoo, and tables with a row for each answer. Models are
    compared on the questions that all of them answered.
    """
    check_level(options["level"])
    read, only = ({name: options.pop(name) for name in names} for names in (READ, ("task", "scorer")))
    runs = read_evals(files, **read).only(**only)
    of_scores = {name: options[name] for name in ("level", "clusters")}
    shown = runs.table(measure, **of_scores, undefined=options["undefined"])
    made = runs.compare(measure, **options) if len(runs.models) > 1 else None
    for note in about_unfinished(runs.answers):
        tell(note)
    if export is not None:
        if organization is None:
            raise ValueError("--export needs --organization, who ran the evaluations: --organization 'our lab'.")
        paths = runs.to_every_eval_ever(export, organization=organization, **of_scores)
        tell(f"{len(paths)} records are in {export}.")
    if html is not None:
        write_file("--html", html, lambda path: write_runs_page(runs, shown, made, path))
    write(_text(shown, made, form))


def _text(shown: Table, made: Comparison | None, form: Form) -> str:
    """Return the tables to print, in one of the forms of the command line."""
    if form == "json":
        differences, notes = (made.differences, made.doubts) if made is not None else ((), ())
        found = [fields_of(one, "score first second value low high level p adjusted method note") for one in differences]
        return json_text({"runs": [_run(shown.header, row) for row in shown.rows], "differences": found, "notes": notes})
    if form == "csv" or made is None:
        return draw(shown, form)
    compared = str(made) if form == "text" else getattr(made, form)()
    return "\n\n".join([draw(shown, form), heading("Models compared on the same questions", form), compared])


def _run(header: Sequence[Any], row: Sequence[Any]) -> dict[str, Any]:
    """Return a row of the table, with the score and the ends of its interval, if it has one."""
    *about, score = (getattr(cell, "name", cell) for cell in row)
    ends = fields_of(score, "value low high") if isinstance(score, Uncertain) else {"value": score, "low": None, "high": None}
    return dict(zip(header, about, strict=False)) | ends
