"""CSV files into columns: a header, then blocks of rows.

A file may be larger than memory, because blocks are counted one after the other. Text stays text here: other modules decide
what a column means, from all of its rows and not only from the first few. Lines of plain cells are read all at once; where a
line is odd, the csv module reads the next rows, so that results and errors are the same.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO, Any

from .csv_bytes import FAST_DELIMITERS, columns_of_lines
from .csv_lines import LONGEST, TextLines, check_encoding

BLOCK = 100_000  # rows that are read and counted at once
BYTES = 40  # of a row, from which the size of a block in bytes follows
DELIMITERS = (",", ";", "\t")
UNFIT = '"\r\n\0'  # characters that cannot stand between cells
Report = Callable[[int, str], None]  # takes the number of a row that cannot be read, and why


@dataclass(frozen=True)
class CsvForm:
    """The encoding and the delimiter of a CSV file; if the delimiter is None, the header shows it."""

    encoding: str = "utf-8"
    delimiter: str | None = None

    def __post_init__(self) -> None:
        check_encoding(self.encoding)
        one = isinstance(self.delimiter, str) and len(self.delimiter) == 1
        if self.delimiter is not None and (not one or self.delimiter in UNFIT):
            raise ValueError(
                f"delimiter={self.delimiter!r} does not separate the columns of CSV files. Give one character, such as ',', ';', "
                "'|' or '\\t'."
            )


@dataclass(frozen=True)
class CsvRows:
    """The columns of an open CSV file, of which blocks of rows are read."""

    lines: TextLines
    delimiter: str
    columns: tuple[str, ...]

    def blocks(self, chosen: tuple[str, ...], numbers: tuple[str, ...] = (), report: Report | None = None) -> Iterator[Any]:
        """Yield record batches of the chosen columns, of which some hold numbers.

        ``report`` takes rows of another length; without it they are an error.
        """
        import pyarrow as pa

        row, size, width = 1, BLOCK * BYTES, len(self.columns)
        places, floats = [*map(self.columns.index, chosen)], frozenset(map(self.columns.index, numbers))
        while self.lines.available(1):
            part = self.lines.whole_lines(size) if self.delimiter in FAST_DELIMITERS else b""
            found = columns_of_lines(part, self.delimiter, width, places, floats) if part else None
            if found is not None:
                self.lines.take(part)
            else:
                rows = self._checked(self._odd_rows(size), row, report)
                found = [pa.array([_cell(one[i]) for one in rows], pa.string()).dictionary_encode() for i in places]
            if len(found[0]):
                yield pa.record_batch(found, [*chosen])
                row += len(found[0])

    def _odd_rows(self, size: int) -> list[list[str]]:
        """Return the next rows, about a block of them, as the csv module reads them."""
        rows, end = list[list[str]](), self.lines.taken + size
        for row in quoted_rows(self.lines, self.delimiter):
            rows.append(row)
            if len(rows) >= BLOCK or self.lines.taken >= end:
                break
        return rows

    def _checked(self, rows: list[list[str]], first: int, report: Report | None) -> list[list[str]]:
        """Return the rows that are not empty lines; one that has more or fewer cells than the header is bad."""
        width = len(self.columns)
        if width == 1:
            return [row or [""] for row in rows]
        kept = [row for row in rows if len(row) > 1 or "".join(row).strip()]
        for i, row in enumerate(kept):
            if len(row) == width:
                continue
            why = f"the number of cells is {len(row)}, but the header has {width}"
            if report is None:
                raise ValueError(
                    f"{self.lines.name}, data row {first + i}: {why}. Correct this row; a cell that contains the delimiter must "
                    "be quoted."
                )
            report(first + i, why)
            kept[i] = [""] * width  # so that rows keep their numbers; whoever counts leaves it out
        return kept


def read_csv(data: IO[bytes], name: str, dialect: CsvForm, wanted: tuple[str, ...]) -> CsvRows:
    """Return the rows of an open CSV file.

    ``wanted`` are columns that must exist: they decide the delimiter of the header if several are possible.
    """
    lines = TextLines(data, name, dialect.encoding)
    header = next((line for line in lines if line.strip()), None)
    if header is None:
        raise ValueError(f"{name} is empty. Give a file whose first line names the columns; every other line is one example.")
    if header.lstrip().startswith(("{", "[")):
        raise ValueError(
            f"{name} holds JSON, not CSV. If every line is one example, give the file a name that ends with .jsonl; otherwise "
            "write one example per line, for example with pandas: "
            "pandas.read_json(…).to_json('rows.jsonl', orient='records', lines=True)."
        )
    delimiter = dialect.delimiter or _delimiter(header, name, wanted)
    columns = next(quoted_rows(lines, delimiter, (header,)))
    return CsvRows(lines, delimiter, tuple(cell.strip() for cell in columns))


def _delimiter(header: str, name: str, wanted: tuple[str, ...]) -> str:
    """Return the delimiter that splits the header; if several do, the one that gives the wanted columns."""
    splits = {}
    for delimiter in DELIMITERS:
        cells = next(csv.reader([header], delimiter=delimiter, skipinitialspace=True))
        if len(cells) > 1:
            splits[delimiter] = {cell.strip() for cell in cells}
    if len(splits) > 1:
        splits = {d: cells for d, cells in splits.items() if cells >= set(wanted)} or splits
    if len(splits) > 1:
        raise ValueError(
            f"The columns of {name} could be separated by {' or '.join(map(repr, splits))}. Choose one, for example "
            f"delimiter={next(iter(splits))!r}."
        )
    return next(iter(splits), ",")


class Quoted(str):
    """A cell that stands in quotation marks, so that its spaces belong to it."""

    __slots__ = ()


def quoted_rows(lines: TextLines, delimiter: str, before: tuple[str, ...] = ()) -> Iterator[list[str]]:
    """Yield the rows of lines, as the csv module reads them; a cell that keeps its spaces is ``Quoted``.

    ``before`` has lines that were taken already.
    """
    last: list[str] = []  # the lines of the last row: a quoted cell may hold line ends
    cell = re.compile(rf' *("(?:[^"]|"")*")?[^{re.escape(delimiter)}]*.?', re.DOTALL)
    csv.field_size_limit(LONGEST)
    rows = csv.reader(_remember(chain(before, lines), last), delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        for row in rows:
            text, at = "".join(last), 0
            last.clear()
            if '"' in text and any(one != one.strip() for one in row):
                for i, one in enumerate(row):
                    found = cell.match(text, at)
                    assert found is not None  # every part of the pattern may be empty
                    row[i], at = Quoted(one) if found[1] else one, found.end()
            yield row
    except csv.Error as wrong:
        raise ValueError(
            f"{lines.name}, line {lines.number}: {wrong}. Check that every quotation mark is closed, and doubled inside a cell."
        ) from None


def _remember(lines: Iterator[str], last: list[str]) -> Iterator[str]:
    """Yield lines, and add each to a list."""
    for line in lines:
        last.append(line)
        yield line


def _cell(cell: str) -> str | None:
    """Return a cell without spaces around it, unless these are quoted; a blank cell is missing."""
    return None if not cell.strip() else str(cell) if type(cell) is Quoted else cell.strip()
