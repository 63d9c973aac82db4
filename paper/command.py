"""``python -m paper``: the paper recomputed, number by number."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NoReturn

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from .data import FOLDER, Data
from .pages import markdown, structured
from .pages.show import sentence, summary
from .pages.text import align, lines
from .pages.write import write
from .record import Experiment
from .run import Outcome, run
from .select import experiments, part

Form = Literal["text", "markdown", "json"]
COLOURS = {"differs": "yellow", "fails": "red", "missing": "yellow"}
FAILED, BAD_USE, INTERRUPTED = 1, 2, 130
EXAMPLES = (
    "python -m paper --list",
    "python -m paper --only tab:floors",
    "python -m paper --only 'ex:*' --differences",
    "python -m paper --only A2 --out reproduced",
)


@click.command(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="\n".join(("\b", "Examples:", *(f"  {line}" for line in EXAMPLES))),  # click keeps the lines after \b as they are
)
@click.option("--only", multiple=True, metavar="LABEL", help="Run only this: tab:floors, A2, or a pattern, 'fig:*'. Repeatable.")
@click.option("--list", "listed", is_flag=True, help="List the experiments and run none of them.")
@click.option("--differences", is_flag=True, help="Print only what differs.")
@click.option(
    "--out",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Also write figures (SVG, PNG), tables (Markdown, LaTeX) and one page with everything, index.html, into this folder.",
)
@click.option(
    "--data",
    "folder",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    envvar=FOLDER,
    show_envvar=True,
    help="Where yeast.csv.gz, emotions.csv.gz and mammography.csv.gz are; otherwise they are fetched from OpenML.",
)
@click.option("--retrain", is_flag=True, help="Train all classifiers again, even if their predictions are stored.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
def reproduce(only: tuple[str, ...], listed: bool, as_json: bool, as_markdown: bool, **options: Any) -> None:
    """Recompute every table, example and figure of the paper, and the entries of its errata.

    For each number: the paper's value, ours, and whether they agree; where they differ, why. The exit code is 1 if a number that
    agreed stops agreeing, or if a number of ours that is known to differ changes. If a data set or a library is missing, this is
    said and the rest runs.
    """
    if as_json and as_markdown:
        raise click.UsageError("--json and --markdown are two forms of one output; give one of them.")
    form: Form = "json" if as_json else "markdown" if as_markdown else "text"
    try:
        chosen = experiments(only)
    except ValueError as unknown:
        raise click.UsageError(str(unknown)) from None
    _check_writable(options["out"])
    if listed:
        _print(_list(chosen, form))
        return
    outcomes = list(_run_with_progress(chosen, Data.here(options["folder"], retrain=options["retrain"])))
    _print(_text(outcomes, form, differences=options["differences"]))
    if options["out"] is not None:
        written = list(write(outcomes, options["out"]))
        click.echo(f"{len(written)} files in {options['out']}; open {written[-1]}", err=True)
    if any(outcome.failed for outcome in outcomes):
        raise click.exceptions.Exit(FAILED)


def main() -> NoReturn:
    """Run the command. Exit codes: 0 done, 1 a number fails, 2 bad use, 130 interrupted."""
    try:
        code = reproduce(prog_name="python -m paper", standalone_mode=False)
    except click.ClickException as wrong:
        click.echo(f"Error: {wrong.format_message()}\npython -m paper --help shows the options.", err=True)
        code = BAD_USE
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        code = INTERRUPTED
    sys.exit(code)


def _print(text: str) -> None:
    """Print a text; if its reader has gone away, as `head` does, the command goes on."""
    try:
        click.echo(text)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the interpreter does not fail to flush


def _check_writable(folder: Path | None) -> None:
    """Refuse a folder that cannot be made or written to, before minutes of work go into its files."""
    if folder is None:
        return
    existing = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        why = "cannot be written to" if existing.is_dir() else "is a file"
        raise click.UsageError(f"--out {folder}: {existing} {why}. Name another folder.")


def _list(chosen: Iterable[Experiment], form: Form) -> str:
    if form == "json":
        return json.dumps([{"label": e.label, "title": e.title, "part": part(e)} for e in chosen], indent=2)
    header, rows = ("label", "title"), [(e.label, e.title) for e in chosen]
    return markdown.rows(header, rows) if form == "markdown" else "\n".join(align([header, *rows], left=2))


def _run_with_progress(chosen: list[Experiment], data: Data) -> Iterator[Outcome]:
    """Run experiments under a progress bar, which is shown on a terminal only."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("", total=len(chosen))
        now = ""

        def training(text: str, done: int, total: int) -> None:
            progress.update(bar, description=f"{now}: {text}, {done} of {total} fits")

        for experiment in chosen:
            now = f"{experiment.label}  {experiment.title}"
            progress.update(bar, description=now)
            yield from run([experiment], replace(data, progress=training))
            progress.advance(bar)


def _text(outcomes: list[Outcome], form: Form, *, differences: bool) -> str:
    if form == "json":
        return json.dumps(structured.as_data(outcomes), indent=2, ensure_ascii=False, allow_nan=False)
    if form == "markdown":
        return markdown.report(outcomes).rstrip()
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    def paint(text: str, verdict: str) -> str:
        return click.style(text, fg=COLOURS[verdict]) if coloured and verdict in COLOURS else text

    shown = [line for outcome in outcomes for line in lines(outcome, differences=differences, paint=paint)]
    failing = [f"FAILS: {outcome.experiment.label}, {claim.what}" for outcome in outcomes for claim in outcome.failed]
    return "\n".join([*shown, *(paint(line, "fails") for line in failing), sentence(summary(outcomes))])
