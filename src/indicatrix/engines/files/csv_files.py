"""CSV files into columns: a header, then blocks of rows.

A file may be larger than memory, because blocks are counted one after the other. Text stays text here: other modules decide
what a column means, from all of its rows and not only from the first few. Lines of plain cells are read all at once; where a
line is odd, the csv module reads its block, so that results and errors are the same.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import IO, Any

from . import text_columns
from .csv_bytes import FAST_DELIMITERS, columns_of_lines, count_lines, whole_lines
from .csv_lines import LONGEST, ChainedBytes, CountedBytes, check_encoding, is_utf8, read_bytes, text_lines
from .csv_quotes import Quoted, QuotedRows
from .text_columns import Block, TextColumn, check_names

BYTES = 40  # of a row, from which the size of a block in bytes follows
UTF8_MARK = b"\xef\xbb\xbf"

DELIMITERS = (",", ";", "\t")
UNFIT = '"\r\n\0'  # characters that cannot stand between cells


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


Report = Callable[[int, str], None]  # takes the number of a row that cannot be read, and why


@dataclass(frozen=True)
class CsvRows:
    """The columns of an open CSV file, and a function that yields blocks of some of them.

    Of the chosen columns it takes those that hold numbers, and what to do with a row of another length: None is an error.
    """

    columns: tuple[str, ...]
    blocks: Callable[..., Iterator[Block]]


def read_csv(data: IO[bytes], name: str, dialect: CsvForm, wanted: tuple[str, ...]) -> CsvRows:
    """Return the rows of an open CSV file.

    ``wanted`` are columns that must exist: they decide the delimiter of the header if several are possible.
    """
    counted = CountedBytes(data)
    used: list[str] = []
    lines = _remember(text_lines(counted, name, dialect.encoding), used, counted)
    header = next(lines, None)
    while header is not None and not header.strip():
        header = next(lines, None)
    if header is None:
        raise ValueError(f"{name} is empty. Give a file whose first line names the columns; every other line is one example.")
    if header.lstrip().startswith(("{", "[")):
        raise ValueError(
            f"{name} holds JSON, not CSV. If every line is one example, give the file a name that ends with .jsonl; otherwise "
            "write one example per line, for example with pandas: "
            "pandas.read_json(…).to_json('rows.jsonl', orient='records', lines=True)."
        )
    delimiter = dialect.delimiter or _delimiter(header, name, wanted)
    csv.field_size_limit(LONGEST)
    rows = QuotedRows(chain([header], lines), delimiter)
    columns = tuple(cell.strip() for cell in next(_parse(rows, name)))
    check_names(columns, name)

    def blocks(chosen: tuple[str, ...], numbers: tuple[str, ...] = (), report: Report | None = None) -> Iterator[Block]:
        shape = _Shape(name, columns, chosen, delimiter, frozenset(map(columns.index, numbers)), report)
        counted.keep = False
        if not is_utf8(dialect.encoding) or delimiter not in FAST_DELIMITERS:
            found = _blocks(_parse(rows, name), shape)
        else:
            mark = UTF8_MARK if counted.beginning.startswith(UTF8_MARK) else b""
            found = _fast_blocks(counted, mark + "".join(used).encode("utf-8"), len(used), shape)
        return (block for block in found if len(next(iter(block.values()))))

    return CsvRows(columns, blocks)


@dataclass(frozen=True)
class _Shape:
    """What the rows of a file must look like, and which columns are read."""

    name: str
    columns: tuple[str, ...]
    chosen: tuple[str, ...]
    delimiter: str
    numbers: frozenset[int] = frozenset()  # the places of columns of numbers
    report: Report | None = None

    @property
    def places(self) -> list[int]:
        """The places of the columns that are read."""
        return [self.columns.index(c) for c in self.chosen]


def _remember(lines: Iterator[str], used: list[str], counted: CountedBytes) -> Iterator[str]:
    """Yield lines, and keep those of the header in a list."""
    for line in lines:
        if counted.keep:
            used.append(line)
        yield line


def _fast_blocks(counted: CountedBytes, header: bytes, lines: int, shape: _Shape) -> Iterator[Block]:
    """Yield the blocks after the lines of the header: plain lines at once, odd ones by the csv module."""
    data, rows, offset = bytes(counted.kept[len(header) :]), 0, len(header)
    size, ended = text_columns.BLOCK * BYTES, False
    while data or not ended:
        while len(data) < size and not ended:
            more = read_bytes(counted, shape.name, size - len(data))
            data, ended = data + more, not more
        end = len(data) if ended and len(data) <= size else whole_lines(data, size)
        if not end and size <= LONGEST:
            size *= 2
            continue
        part, data, size = data[:end], data[end:], text_columns.BLOCK * BYTES
        found = None
        if 0 < end <= LONGEST:
            found = columns_of_lines(part, shape.delimiter, len(shape.columns), shape.places, shape.numbers)
        if found is None:
            begun = _Begun(lines, offset, rows, counted.beginning)
            slow = _odd_lines(part, begun, shape) if end else None
            if slow is None:  # the lines do not end where their quotation marks say
                yield from _slow_blocks(ChainedBytes(part + data, counted.source), begun, shape)
                return
            found = slow
        if found:
            yield dict(zip(shape.chosen, found, strict=True))
            rows += len(found[0])
        lines, offset = lines + count_lines(part), offset + len(part)


@dataclass(frozen=True)
class _Begun:
    """How far a file has been read: its lines, bytes and rows, and its first bytes."""

    lines: int
    offset: int
    rows: int
    beginning: bytes


def _odd_lines(part: bytes, begun: _Begun, shape: _Shape) -> list[TextColumn] | None:
    """Return the columns of lines from the csv module; None if a cell goes on after the last line."""
    try:
        blocks = list(_slow_blocks(io.BytesIO(part), begun, shape))
    except _UnreadableError as wrong:
        if b'"' in part:
            return None
        raise ValueError(str(wrong)) from None
    return [TextColumn.of([cell for block in blocks for cell in block[name].cells()]) for name in shape.chosen]


def _slow_blocks(source: Any, begun: _Begun, shape: _Shape) -> Iterator[Block]:
    """Yield the blocks of the rest of a file, read by the csv module."""
    counted = CountedBytes(source, begun.offset, begun.beginning, keep=False)
    lines = text_lines(counted, shape.name, "utf-8", begun.lines)
    yield from _blocks(_parse(QuotedRows(lines, shape.delimiter), shape.name, begun.lines), shape, begun.rows)


class _UnreadableError(ValueError):
    """Rows that the csv module cannot read."""


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


def _parse(rows: QuotedRows, name: str, before: int = 0) -> Iterator[list[str]]:
    """Yield the rows of a CSV reader; its errors become ours. ``before`` lines come before them."""
    try:
        yield from rows
    except csv.Error as wrong:
        where = f"{name}, line {before + rows.line_num}"
        raise _UnreadableError(
            f"{where}: {wrong}. Check that every quotation mark is closed, and doubled inside a cell."
        ) from None


def _blocks(rows: Iterator[list[str]], shape: _Shape, before: int = 0) -> Iterator[Block]:
    width = len(shape.columns)
    while block := list(islice(rows, text_columns.BLOCK)):
        if width == 1:
            block = [row or [""] for row in block]
        elif set(map(len, block)) - {width}:  # an empty line is not a row
            block = [row for row in block if len(row) > 1 or "".join(row).strip()]
        ragged = [i for i, row in enumerate(block) if len(row) != width] if set(map(len, block)) - {width} else []
        for i in ragged:
            why = f"the number of cells is {len(block[i])}, but the header has {width}"
            if shape.report is None:
                raise ValueError(
                    f"{shape.name}, data row {before + i + 1}: {why}. Correct this row; a cell that contains the delimiter must "
                    "be quoted."
                )
            shape.report(before + i + 1, why)
            block[i] = [""] * width  # so that rows keep their numbers; whoever counts leaves it out
        if block:
            yield {c: _column([row[i] for row in block]) for c, i in zip(shape.chosen, shape.places, strict=True)}
        before += len(block)


def _column(cells: list[str]) -> TextColumn:
    """Return cells without spaces around them, unless these are quoted; a blank cell is missing."""
    return TextColumn.of([(str(cell) if type(cell) is Quoted else cell.strip()) or None for cell in cells])
