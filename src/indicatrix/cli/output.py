"""How commands print: tables as aligned lines, Markdown, LaTeX or CSV, or everything as JSON.

On a terminal, long texts are wrapped and tables are coloured.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from textwrap import wrap
from typing import Any, Literal

import click

from ..report.escapes import escape_latex, escape_markdown
from ..report.grid import grid, printable
from ..report.table_forms import Table
from .colour import is_terminal, paint_table, style, uses_colour
from .progress import clear_line

Form = Literal["text", "markdown", "latex", "csv", "json"]
WIDEST_TEXT = 110  # of sentences that are not wrapped by a terminal, as in reports
WIDEST = 130  # longer lines are hard to read, however wide the terminal


def write(text: str) -> None:
    """Print to standard output.

    A reader that stops early, as `head` does, is not an error: the command goes on.
    """
    try:
        with clear_line():
            click.echo(text, color=uses_colour() or None)
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
    r"""Return sentences of a report, with names from files in them, as a terminal or a page can show them.

    In LaTeX they are comments. CSV has none: it is one table.

    >>> print(prose("50 % of a|b\nand c", "markdown"), prose("50 %", "latex"), sep="\n")
    50 % of a\|b
    and c
    % 50 \%
    """
    if form == "csv":
        return ""
    if form == "text":
        return printable(text, "\n")
    if form == "latex":
        return "\n".join(f"% {escape_latex(line)}" for line in text.split("\n") if line)
    return "\n".join(map(escape_markdown, text.split("\n")))


def draw(table: Table, form: Form = "text", *, indent: int = 0) -> str:
    r"""Return a table; as text on a terminal, long texts are wrapped.

    >>> from ..report.cells import BestCell
    >>> print(draw(Table(("", "a.csv", "b.csv"), [("f1", 0.5, BestCell(0.75)), ("mcc", 0.25, 0.25)])))
         a.csv  b.csv
    f1   0.500  0.750*
    mcc  0.250  0.250
    """
    if form == "csv":
        return table.csv().replace("\r\n", "\n").rstrip("\n")
    if form in ("markdown", "latex"):
        return table.to(form)
    texts = table.texts()
    if is_terminal() and table.left >= len(texts[0]):
        return _wrap_cells(table, texts, indent)
    lines = paint_table(grid(texts[0], texts[1:], left=table.left), header=bool(table.header))
    return "\n".join(f"{'':<{indent}}{line}".rstrip() for line in lines)


def heading(text: str, form: Form = "text") -> str:
    """Return a heading."""
    if form == "latex":
        return f"\\textbf{{{escape_latex(text)}}}"
    text = prose(text, form)
    if form == "markdown":
        return f"**{text}**"
    return style("\n".join(wrap(text, console_width())), bold=True) if is_terminal() else style(text, bold=True)


def bullets(sentences: Sequence[str], form: Form = "text") -> str:
    """Return sentences as a list, wrapped if they are read as text."""
    if form == "latex":
        return "\n".join(["\\begin{itemize}", *(f"\\item {escape_latex(said)}" for said in sentences), "\\end{itemize}"])
    lines = [prose(sentence, form) for sentence in sentences]
    if form == "markdown":
        return "\n".join(f"- {line}" for line in lines)
    how: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
    width = console_width() if is_terminal() else WIDEST_TEXT
    return "\n".join(line for text in lines for line in wrap(text, width, initial_indent="- ", subsequent_indent="  ", **how))


def console_width() -> int:
    """Return how many characters a line on the terminal may have."""
    return int(_console().width)


def _wrap_cells(table: Table, texts: list[list[str]], indent: int) -> str:
    """Return a table of texts whose long cells are wrapped."""
    from rich.padding import Padding
    from rich.table import Table as Drawn
    from rich.text import Text

    drawn = Drawn(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", show_header=bool(table.header))
    for i, name in enumerate(texts[0]):
        drawn.add_column(Text(name), overflow="fold", no_wrap=i == 0)
    for row in texts[1:] if table.header else texts:
        drawn.add_row(*(Text(text, "cyan" if i == 0 else "") for i, text in enumerate(row)))
    console = _console()
    with console.capture() as captured:
        console.print(Padding(drawn, (0, 0, 0, indent), expand=False))
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def _console() -> Any:
    from rich.console import Console

    # Without colours there is no bold text either; printed text is never read as markup.
    made = Console(file=sys.stdout, color_system="auto" if uses_colour() else None, highlight=False, markup=False)
    made.width = min(made.width, WIDEST)
    return made
