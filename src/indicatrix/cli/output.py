"""How commands print: tables as aligned lines, Markdown, LaTeX or CSV, or everything as JSON.

On a terminal, long texts are wrapped and tables are colored; the text is the same without colors. How far a command is stands in
one line on standard error: on a terminal only that can clear a line, and only if the command takes longer than a second.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from threading import Event, RLock, Thread
from typing import Any, Literal

import click

from ..engines.files.file_run import CLEAR, bar
from ..report.grid import grid, printable
from ..report.table_forms import Table, escape_latex, escape_markdown
from . import until_the_reader_is_gone

DELAY, STEP = 1.0, 0.1  # seconds until the line appears, and between two states of it


Form = Literal["text", "markdown", "latex", "csv", "json"]
WIDEST_TEXT = 110  # of sentences that are not wrapped by a terminal, as in reports
WIDEST = 130  # longer lines are hard to read, however wide the terminal
CELLS = re.compile(r"(?P<name>\S(?:.*?\S)?)(?P<rest>  .*|)")  # the first cell of a row, and the others
MARKS = re.compile(r"(?P<bar>\[#*-*\])|(?P<best>\S+(?: \[[^]]*\])?\*)|(?P<undefined>(?<=  )–(?=\s|$))")
STYLES: dict[str, dict[str, Any]] = {"bar": {"fg": "green"}, "best": {"bold": True}, "undefined": {"fg": "yellow"}}


def write(text: str) -> None:
    """Print to standard output; if nobody reads it, the command goes on."""
    with until_the_reader_is_gone(), clear_line():
        click.echo(text, color=uses_color() or None)


def tell(text: str) -> None:
    """Print to standard error, with escapes for characters that would steer a terminal."""
    with clear_line():
        click.echo(printable(text, "\n"), err=True)


def write_file(option: str, path: str, write_to: Callable[[str], Any]) -> None:
    """Write a file that an option names; an error names them, too, and not a temporary file."""
    try:
        write_to(path)
    except OSError as wrong:
        raise ValueError(f"{option} {path}: {wrong.strerror or wrong}. Name a file in another folder.") from None
    if option == "--html":
        tell(f"The report page is in {path}.")


def json_text(content: Any) -> str:
    r"""Return data as JSON, with escapes for characters that would steer a terminal or break a line.

    A number that is undefined or infinite is null.

    >>> print(json_text("a\x9b\u2028é"), json_text(float("nan")))
    "a\u009b\u2028é" null
    """
    text = json.dumps(_finite(content), indent=2, ensure_ascii=False, allow_nan=False)
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def _finite(content: Any) -> Any:
    """Return data with None for each number that JSON cannot write."""
    if isinstance(content, dict):
        return {name: _finite(part) for name, part in content.items()}
    if isinstance(content, list | tuple):
        return [*map(_finite, content)]
    return None if isinstance(content, float) and not math.isfinite(content) else content


def fields_of(thing: Any, names: str) -> dict[str, Any]:
    """Return attributes of a result by their names, which have spaces between them.

    >>> fields_of(1.5, "real imag")
    {'real': 1.5, 'imag': 0.0}
    """
    return {name: getattr(thing, name) for name in names.split()}


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

    >>> from ..report.table_forms import BestCell
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

    # Without colors there is no bold text either; printed text is never read as markup.
    made = Console(file=sys.stdout, color_system="auto" if uses_color() else None, highlight=False, markup=False)
    made.width = min(made.width, WIDEST)
    return made


def is_terminal() -> bool:
    """Return whether the output is a terminal, where it is wrapped for people."""
    return sys.stdout.isatty()


def uses_color() -> bool:
    """Return whether the output is colored.

    It is on a terminal that can, unless NO_COLOR or FORCE_COLOR say otherwise; NO_COLOR goes first. An empty variable says
    nothing, and FORCE_COLOR=0 is no.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("FORCE_COLOR") == "0":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (is_terminal() and os.environ.get("TERM") != "dumb")


def style(text: str, **how: Any) -> str:
    """Return a text in a color or bold, if the output is colored."""
    return click.style(text, **how) if uses_color() else text


def paint_table(lines: list[str], *, header: bool = True) -> list[str]:
    """Return the lines of a table in colors: its header, the names of its rows, the best values, bars."""
    if not uses_color():
        return lines
    return [style(line, bold=True) if header and i == 0 else _paint_row(line) for i, line in enumerate(lines)]


def paint_report(text: str) -> str:
    """Return a report in colors: tables are blocks of several lines whose first line has columns."""
    if not uses_color():
        return text
    return "\n\n".join(map(_paint_block, text.split("\n\n")))


def _paint_block(block: str) -> str:
    lines = block.split("\n")
    if len(lines) > 1 and "  " in lines[0].strip():
        return "\n".join(paint_table(lines))
    return "\n".join((style(lines[0], bold=True), *lines[1:])) if len(lines) > 1 and lines[0].endswith(":") else block


def _paint_row(line: str) -> str:
    cells = CELLS.fullmatch(line)
    if cells is None or not cells["rest"]:  # the ends of intervals below a row, or a remark
        return line
    return style(cells["name"], fg="cyan") + MARKS.sub(_paint_mark, cells["rest"])


def _paint_mark(found: re.Match[str]) -> str:
    return style(found[0], **STYLES[str(found.lastgroup)])


@dataclass
class _Line:
    """The state of the line."""

    text: str = "Working"
    share: float | None = None  # of the work that is done, if it is known
    shown: bool = False  # on the screen
    lock: RLock = field(default_factory=RLock)


_line = _Line()


def report_progress(text: str, share: float | None = None) -> None:
    """Say what the command is doing, and which share of it is done if that is known."""
    _line.text, _line.share = text, share


@contextlib.contextmanager
def show_progress() -> Iterator[None]:
    """Show how far the command is, as long as it runs."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    report_progress("Working")
    ended = Event()
    thread = Thread(target=_draw_until, args=(ended,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextlib.contextmanager
def clear_line() -> Iterator[None]:
    """Take the line off the screen while something else is printed."""
    with _line.lock:
        if _line.shown:
            _write(CLEAR)
            _line.shown = False
        yield


def _draw_until(ended: Event) -> None:
    start = time.monotonic()
    wait = DELAY
    while not ended.wait(wait):
        with _line.lock:
            _write(CLEAR + picture(_line.text, _line.share, time.monotonic() - start, shutil.get_terminal_size().columns))
            _line.shown = True
        wait = STEP
    with clear_line():
        pass


def _write(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # the terminal may be gone, which is not the command's concern
        sys.stderr.write(text)
        sys.stderr.flush()


def picture(text: str, share: float | None, seconds: float, columns: int) -> str:
    """Return the line, at most as wide as the terminal.

    >>> picture("a.csv: 5 rows", 0.5, 2, 80), picture("Working", None, 2, 80)
    ('[###############---------------]  50%  a.csv: 5 rows', 'Working … 2 s')
    """
    text = printable(text)
    text = f"{text} … {seconds:.0f} s" if share is None else bar(share) + text
    return text[: columns - 1]
