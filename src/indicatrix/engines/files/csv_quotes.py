"""Rows of the csv module that know which spaces are quoted, because those belong to a label."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator


class Quoted(str):
    """A cell with spaces around it that stand inside of quotation marks."""

    __slots__ = ()


class QuotedRows:
    r"""The rows of lines, as the csv module reads them; a cell that keeps its spaces is ``Quoted``.

    >>> rows = [*QuotedRows(['a ," b","c"\n'], ",")]
    >>> rows, [type(cell).__name__ for cell in rows[0]]
    ([['a ', ' b', 'c']], ['str', 'Quoted', 'str'])
    """

    def __init__(self, lines: Iterable[str], delimiter: str) -> None:
        self._delimiter = delimiter
        self._last: list[str] = []  # the lines of the last row: a quoted cell may hold line ends
        self._rows = csv.reader(_remember(lines, self._last), delimiter=delimiter, skipinitialspace=True, strict=True)

    @property
    def line_num(self) -> int:
        """How many lines were read."""
        return self._rows.line_num

    def __iter__(self) -> Iterator[list[str]]:
        for row in self._rows:
            if any('"' in line for line in self._last) and any(cell != cell.strip() for cell in row):
                row = self._mark(row)
            self._last.clear()
            yield row

    def _mark(self, row: list[str]) -> list[str]:
        """Return a row that was read without error, with the cells that keep their spaces."""
        text, at = "".join(self._last), 0
        for i, cell in enumerate(row):
            while text.startswith(" ", at):
                at += 1
            if text.startswith('"', at):
                at += 1
                while (at := text.index('"', at) + 1) < len(text) and text[at] == '"':  # a doubled mark is part of the cell
                    at += 1
                if cell.strip() and cell != cell.strip():
                    row[i] = Quoted(cell)
            elif i < len(row) - 1:
                at = text.index(self._delimiter, at)
            at += 1  # the delimiter
        return row


def _remember(lines: Iterable[str], last: list[str]) -> Iterator[str]:
    """Yield lines, and add each to a list."""
    for line in lines:
        last.append(line)
        yield line
