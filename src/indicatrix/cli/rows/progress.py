"""How far the reading of a long file is, on a terminal only."""

from __future__ import annotations

import sys

import click


def show_progress(rows: int, name: str) -> None:
    """Say how many rows were read so far, in a line that the next one overwrites."""
    if sys.stderr.isatty():
        click.echo(f"\r{name}: {rows:,} rows \r", nl=False, err=True)


def clear_progress() -> None:
    """Clear that line."""
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)
