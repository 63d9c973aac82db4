"""Progress while a long file is read, shown on a terminal only."""

from __future__ import annotations

import sys

import click


def show_progress(rows: int, name: str) -> None:
    """Print how many rows have been read, in a line that the next output overwrites."""
    if sys.stderr.isatty():
        click.echo(f"\r{name}: {rows:,} rows \r", nl=False, err=True)


def clear_progress() -> None:
    """Clear the line that shows the progress."""
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)
