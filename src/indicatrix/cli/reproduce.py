"""``indicatrix reproduce``: the paper recomputed, number by number."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..experiments.data import Data
    from ..experiments.record import Experiment
    from ..experiments.run import Outcome

COLOURS = {"differs": "yellow", "fails": "red", "missing": "yellow"}


@click.command()
@click.option("--only", multiple=True, metavar="LABEL", help='Only these: "tab:floors", "floors", "A2" or a pattern, "fig:*".')
@click.option("--list", "listed", is_flag=True, help="List the experiments and run none.")
@click.option("--differences", is_flag=True, help="Print only what differs.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write figures, tables and one page there.")
@click.option(
    "--data",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    envvar="INDICATRIX_DATA",
    help="The folder with yeast.csv.gz, emotions.csv.gz and mammography.csv.gz; fetched from OpenML if not given.",
)
@click.option("--retrain", is_flag=True, help="Train all classifiers again, whatever is stored.")
def reproduce(
    only: tuple[str, ...],
    listed: bool,
    differences: bool,
    as_json: bool,
    out: Path | None,
    folder: Path | None,
    retrain: bool,
) -> None:
    """Recompute every table, example and figure of the paper, and the entries of its errata.

    For each number: the paper's value, ours, and whether they agree; where they differ, why. Exits with 1 if a number that agreed
    before stops agreeing. Data sets that are missing are said to be, and the rest runs.
    """
    from ..experiments.data import Data
    from ..experiments.pages.structured import structured
    from ..experiments.select import experiments

    chosen = experiments(only)
    if listed:
        return _list(chosen, as_json)
    outcomes = list(_watched(chosen, Data.here(folder, retrain=retrain)))
    if as_json:
        click.echo(json.dumps(structured(outcomes), indent=1, ensure_ascii=False, allow_nan=False))
    else:
        _print(outcomes, differences)
    if out is not None:
        _write(outcomes, out)
    if any(outcome.failed for outcome in outcomes):
        raise click.exceptions.Exit(1)
    return None


def _list(chosen: Iterable[Experiment], as_json: bool) -> None:
    from ..experiments.select import part
    from ..report.grid import grid

    if as_json:
        click.echo(
            json.dumps([{"label": e.label, "title": e.title, "part": part(e)} for e in chosen], indent=1, ensure_ascii=False)
        )
    else:
        click.echo("\n".join(line for line in grid(("label", "title"), [(e.label, e.title) for e in chosen], left=2)))


def _watched(chosen: list[Experiment], data: Data) -> Iterator[Outcome]:
    """Run experiments under a progress bar, which goes to the terminal and never into what is piped on."""
    from dataclasses import replace

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from ..experiments.run import run

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("", total=len(chosen))
        now = ""

        def training(text: str, done: int, total: int) -> None:
            progress.update(bar, description=f"{now}: {text}, {done} of {total} fits")

        for experiment in chosen:
            now = f"{experiment.label}  {experiment.title}"
            progress.update(bar, description=now)
            yield from run([experiment], replace(data, progress=training))
            progress.advance(bar)


def _print(outcomes: list[Outcome], differences: bool) -> None:
    from ..experiments.pages.show import sentence, summary
    from ..experiments.pages.text import lines

    def paint(text: str, verdict: str) -> str:
        return click.style(text, fg=COLOURS[verdict]) if verdict in COLOURS else text

    for outcome in outcomes:
        for line in lines(outcome, differences=differences, paint=paint):
            click.echo(line)
    for outcome in outcomes:
        for claim in outcome.failed:
            click.echo(click.style(f"FAILS: {outcome.experiment.label}, {claim.what}", fg="red"))
    click.echo(sentence(summary(outcomes)))


def _write(outcomes: list[Outcome], folder: Path) -> None:
    from ..experiments.pages.write import write

    written = list(write(outcomes, folder))
    click.echo(f"{len(written)} files in {folder}; open {written[-1]}", err=True)
