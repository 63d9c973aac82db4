"""``indicatrix demo``: evaluate the example predictions that come with the library."""

from __future__ import annotations

from pathlib import Path

import click

from .options import examples
from .output import paint_report, write


@click.command(
    epilog=examples("demo", "demo --copy-to ."),
)
@click.option(
    "--copy-to",
    "folder",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Only write digits.csv and properties.csv into this folder, so that you can try commands on them.",
)
@click.option(
    "--html",
    "page",
    metavar="FILE",
    default="indicatrix-demo.html",
    help="Where to write the report page of the first problem, if not to indicatrix-demo.html in this folder.",
    type=click.Path(),
)
def demo(folder: Path | None, page: str) -> None:
    """Print the reports of two example problems, a measure of your own, and commands to try next.

    The report page of the first problem is written to a file that a browser opens.
    """
    if folder is not None:
        _copy(folder)
        return
    from .tour import tour

    for paragraph in tour(page):
        write(f"{paint_report(paragraph)}\n")


def _copy(folder: Path) -> None:
    """Write the example predictions into a folder; never overwrite a file."""
    from .tour import EXAMPLES, example

    for name in EXAMPLES:
        if (folder / name).exists():
            raise click.ClickException(f"{folder / name} already exists. Remove it, or choose another folder.")
    for name in EXAMPLES:
        (folder / name).write_bytes(example(name).read_bytes())
        write(str(folder / name))
