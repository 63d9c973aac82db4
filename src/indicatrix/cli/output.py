"""How commands print: tables as aligned lines, in Markdown, or as JSON.

On a terminal, long texts are wrapped and tables are coloured.
"""

from __future__ import annotations

import json
import os
import sys
from textwrap import wrap
from typing import Any, Literal

import click

from ..report.cells import Best
from ..report.escapes import escape_markdown
from ..report.forms import Table
from ..report.grid import grid, printable, width
from .progress import clear_line

Form = Literal["text", "markdown", "json"]
WIDEST = 130  # longer lines are hard to read, however wide the terminal


def write(text: str) -> None:
    """Print to standard output.

    A reader that stops early, as `head` does, is not an error: the command goes on.
    """
    try:
        with clear_line():
            click.echo(text)
    except BrokenPipeError:
        stop_writing()


def stop_writing() -> None:
    """Discard the rest of the output, so that the interpreter does not fail to flush it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell(text: str) -> None:
    """Print to standard error, with escapes for characters that would steer a terminal."""
    with clear_line():
        click.echo(printable(text, "\n"), err=True)


def json_text(content: Any) -> str:
    r"""Return plain data as JSON, with escapes for characters that would steer a terminal or break a line.

    >>> print(json_text("a\x9b\u2028é"))
    "a\u009b\u2028é"
    """
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def prose(text: str, form: Form = "text") -> str:
    """Return sentences of a report, with names from files in them, as a terminal or a page can show them."""
    if form == "markdown":
        return "\n".join(map(escape_markdown, text.split("\n")))
    return printable(text, "\n")


def draw(table: Table, form: Form = "text", *, indent: int = 0) -> str:
    r"""Return a table as text; only on a terminal long texts are wrapped.

    >>> print(draw(Table(("", "a.csv", "b.csv"), [("f1", 0.5, Best(0.75)), ("mcc", 0.25, 0.25)])))
         a.csv  b.csv
    f1   0.500  0.750*
    mcc  0.250  0.250
    """
    if form == "markdown":
        return table.markdown()
    texts = table.texts()
    lines = grid(texts[0], texts[1:], left=table.left)
    if is_terminal() and (table.left >= len(texts[0]) or max(map(width, lines)) <= _console().width):
        return _draw_on_terminal(table, indent)
    return "\n".join(f"{'':<{indent}}{line}".rstrip() for line in lines)


def heading(text: str, form: Form = "text") -> str:
    """Return a heading."""
    text = prose(text, form)
    if form == "markdown":
        return f"**{text}**"
    return style("\n".join(wrap(text, _console().width)), bold=True) if is_terminal() else text


def style(text: str, **how: Any) -> str:
    """Return a text in a colour or bold, if the output is a terminal and NO_COLOR is not set."""
    return click.style(text, **how) if is_terminal() and not os.environ.get("NO_COLOR") else text


def is_terminal() -> bool:
    """Return whether the output is a terminal, where it is wrapped and styled for people."""
    return sys.stdout.isatty()


def _draw_on_terminal(table: Table, indent: int) -> str:
    from rich.padding import Padding
    from rich.table import Table as Drawn
    from rich.text import Text

    every = table.texts()
    texts = iter(every)
    drawn = Drawn(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", show_header=bool(table.header))
    for i, name in enumerate(next(texts) if table.header else every[0]):
        flush: Literal["left", "right"] = "left" if i < table.left else "right"
        drawn.add_column(name, justify=flush, overflow="fold", no_wrap=i == 0 or i >= table.left)
    for row, cells in zip(table.rows, texts, strict=True):
        drawn.add_row(*(Text(text, _style(i, cell)) for i, (text, cell) in enumerate(zip(cells, row, strict=True))))
    console = _console()
    with console.capture() as captured:
        console.print(Padding(drawn, (0, 0, 0, indent), expand=False))
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def _style(column: int, cell: Any) -> str:
    return "bold" if isinstance(cell, Best) else "cyan" if column == 0 else ""


def _console() -> Any:
    from rich.console import Console

    # With NO_COLOR neither colours nor bold are used; printed text is never read as markup.
    made = Console(file=sys.stdout, color_system=None if os.environ.get("NO_COLOR") else "auto", highlight=False, markup=False)
    made.width = min(made.width, WIDEST)
    return made
