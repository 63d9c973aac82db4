"""How commands print: aligned and coloured on a terminal; plain lines, never wrapped, in a pipe or a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click

WIDEST = 130  # longer lines are hard to read, however wide the terminal


def is_terminal() -> bool:
    """Return whether people read the output, so that it is wrapped and styled."""
    return sys.stdout.isatty()


def heading(text: str) -> None:
    """Print a heading."""
    if is_terminal():
        _console().print(text, style="bold")
    else:
        click.echo(text)


def pairs(rows: Iterable[tuple[str, str]], *, indent: int = 0) -> None:
    """Print names with what is said of them, one below the other; long texts hang from their column on a terminal."""
    listed = list(rows)
    width = max((len(name) for name, _ in listed), default=0)
    if not is_terminal():
        for name, text in listed:
            click.echo(f"{'':<{indent}}{name:<{width}}  {text}".rstrip())
        return
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, min_width=width)
    grid.add_column(overflow="fold")
    for name, text in listed:
        grid.add_row(Text(name, style="cyan"), Text(text))
    _console().print(Padding(grid, (0, 0, 0, indent)))


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table of texts; the last column, which may be long, wraps on a terminal and nowhere else."""
    if not is_terminal():
        widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        for row in (header, *rows):
            click.echo("  ".join(map(str.ljust, row, widths)).rstrip())
        return
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for i, name in enumerate(header):
        drawn.add_column(name, overflow="fold", no_wrap=i == 0)
    for row in rows:
        drawn.add_row(*(Text(cell, style="cyan" if i == 0 else "") for i, cell in enumerate(row)))
    _console().print(drawn)


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table in Markdown."""
    for row in (header, ["---"] * len(header), *rows):
        click.echo(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |")


def _console() -> Any:
    from rich.console import Console

    # Colours and bold are left out altogether where the user wants none; what is printed is never read as markup.
    made = Console(file=sys.stdout, color_system=None if os.environ.get("NO_COLOR") else "auto", highlight=False, markup=False)
    made.width = min(made.width, WIDEST)
    return made
