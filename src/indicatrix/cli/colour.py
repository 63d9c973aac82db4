"""Colours of tables and reports, on terminals only; the text is the same without them."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

import click

CELLS = re.compile(r"(?P<name>\S(?:.*?\S)?)(?P<rest>  .*|)")  # the first cell of a row, and the others
MARKS = re.compile(r"(?P<bar>[▏▎▍▌▋▊▉█]+)|(?P<best>\S+(?: \[[^]]*\])?\*)|(?P<undefined>(?<=  )–(?=\s|$))")
STYLES: dict[str, dict[str, Any]] = {"bar": {"fg": "green"}, "best": {"bold": True}, "undefined": {"fg": "yellow"}}


def is_terminal() -> bool:
    """Return whether the output is a terminal, where it is wrapped for people."""
    return sys.stdout.isatty()


def uses_colour() -> bool:
    """Return whether the output is coloured.

    It is on a terminal that can, unless NO_COLOR or FORCE_COLOR say otherwise; NO_COLOR goes first. An empty variable says
    nothing, and FORCE_COLOR=0 is no.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("FORCE_COLOR") == "0":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (is_terminal() and os.environ.get("TERM") != "dumb")


def style(text: str, **how: Any) -> str:
    """Return a text in a colour or bold, if the output is coloured."""
    return click.style(text, **how) if uses_colour() else text


def paint_table(lines: list[str], *, header: bool = True) -> list[str]:
    """Return the lines of a table in colours: its header, the names of its rows, the best values, bars."""
    if not uses_colour():
        return lines
    return [style(line, bold=True) if header and i == 0 else _paint_row(line) for i, line in enumerate(lines)]


def paint_report(text: str) -> str:
    """Return a report in colours: tables are blocks of several lines whose first line has columns."""
    if not uses_colour():
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
