"""``indicatrix reproduce``: the paper recomputed, number by number."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from indicatrix.cli.options import examples, forms
from indicatrix.cli.output import Form, Table, drawn, json_text, styled, tell, write

if TYPE_CHECKING:
    from .data import Data
    from .record import Experiment
    from .run import Outcome

COLOURS = {"differs": "yellow", "fails": "red", "missing": "yellow"}


@click.command(
    short_help="Recompute every table, example and figure of the paper.",
    epilog=examples(
        "reproduce --list",
        "reproduce --only tab:floors",
        "reproduce --only 'ex:*' --differences",
        "reproduce --only A2 --out reproduced",
    ),
)
@click.option("--only", multiple=True, metavar="LABEL", help="Only this: tab:floors, A2, or a pattern, 'fig:*'. Repeatable.")
@click.option("--list", "listed", is_flag=True, help="List the experiments and run none.")
@click.option("--differences", is_flag=True, help="Print only what differs.")
@click.option(
    "--out",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Also write figures (SVG, PNG), tables (Markdown, LaTeX) and one page with everything, index.html, there.",
)
@click.option(
    "--data",
    "folder",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    envvar="INDICATRIX_DATA",
    show_envvar=True,
    help="Where yeast.csv.gz, emotions.csv.gz and mammography.csv.gz are; otherwise they are fetched from OpenML.",
)
@click.option("--retrain", is_flag=True, help="Train all classifiers again, whatever is stored.")
@forms
def reproduce(only: tuple[str, ...], listed: bool, form: Form, **options: Any) -> None:
    """Recompute every table, example and figure of the paper, and the entries of its errata.

    For each number: the paper's value, ours, and whether they agree; where they differ, why. The exit code is 1 if a number that
    agreed before stops agreeing. Where a data set or a library is missing this is said, and the rest runs.
    """
    from .data import Data
    from .select import experiments

    chosen = experiments(only)
    _check_writable(options["out"])
    if listed:
        write(_list(chosen, form))
        return
    outcomes = list(_watched(chosen, Data.here(options["folder"], retrain=options["retrain"])))
    write(_text(outcomes, form, differences=options["differences"]))
    if options["out"] is not None:
        _write(outcomes, options["out"])
    if any(outcome.failed for outcome in outcomes):
        raise click.exceptions.Exit(1)


def _check_writable(folder: Path | None) -> None:
    """Refuse a folder that cannot be made or written to, before minutes go into what it should hold."""
    if folder is None:
        return
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        why = "cannot be written to" if there.is_dir() else "is a file"
        raise click.UsageError(f"--out {folder}: {there} {why}. Name another folder.")


def _list(chosen: Iterable[Experiment], form: Form) -> str:
    from .select import part

    if form == "json":
        return json_text([{"label": e.label, "title": e.title, "part": part(e)} for e in chosen])
    return drawn(Table(("label", "title"), [(e.label, e.title) for e in chosen], left=2), form)


def _watched(chosen: list[Experiment], data: Data) -> Iterator[Outcome]:
    """Run experiments under a progress bar, which goes to the terminal and never into what is piped on."""
    from dataclasses import replace

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from .run import run

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
    from .pages import markdown, structured
    from .pages.show import sentence, summary
    from .pages.text import lines

    if form == "json":
        return json_text(structured.structured(outcomes))
    if form == "markdown":
        return markdown.report(outcomes).rstrip()

    def paint(text: str, verdict: str) -> str:
        return styled(text, fg=COLOURS[verdict]) if verdict in COLOURS else text

    shown = [line for outcome in outcomes for line in lines(outcome, differences=differences, paint=paint)]
    failing = [f"FAILS: {outcome.experiment.label}, {claim.what}" for outcome in outcomes for claim in outcome.failed]
    return "\n".join([*shown, *(paint(line, "fails") for line in failing), sentence(summary(outcomes))])


def _write(outcomes: list[Outcome], folder: Path) -> None:
    from .pages.write import write

    written = list(write(outcomes, folder))
    tell(f"{len(written)} files in {folder}; open {written[-1]}")
