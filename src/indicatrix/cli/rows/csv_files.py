"""CSV files into columns: a header, then blocks of rows.

A file may be larger than memory, because blocks are counted one after the other. Text stays text here: other modules decide
what a column means, from all of its rows and not only from the first few.
"""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import IO, Any

from . import row_source
from .row_source import Block, Source, check_names

# Characters in a cell: some columns hold whole texts, but an open quotation mark should not read to the end of the file.
LONGEST = 1 << 24
LONGEST_LINE = 4 * LONGEST  # characters in a line, so that a file without line ends does not fill the memory
DELIMITERS = (",", ";", "\t")
# The first bytes of files that are not text, and what to do about them.
BEGINNINGS = {
    b"\xff\xfe": "Name its encoding: --encoding utf-16.",
    b"\xfe\xff": "Name its encoding: --encoding utf-16.",
    b"\x1f\x8b": "It is compressed: unpack it first, or give the file a name that ends with .gz.",
    b"PK": "It is an archive or a spreadsheet: write the rows to a CSV file.",
    b"PAR1": "It is a Parquet file: give it a name that ends with .parquet.",
    b"ARROW1": "It is an Arrow file: give it a name that ends with .arrow.",
}


@dataclass(frozen=True)
class Dialect:
    """The encoding and the delimiter of a CSV file; if the delimiter is None, the header shows it."""

    encoding: str = "utf-8"
    delimiter: str | None = None


def read_csv(data: IO[bytes], name: str, dialect: Dialect, wanted: tuple[str, ...]) -> Source:
    """Return the rows of an open CSV file.

    ``wanted`` are columns that must exist: they decide the delimiter of the header if several are possible.
    """
    lines = _lines(data, name, dialect.encoding)
    header = next(lines, None)
    while header is not None and not header.strip():
        header = next(lines, None)
    if header is None:
        raise ValueError(f"{name} is empty. Give a file whose first line names the columns; every other line is one example.")
    delimiter = dialect.delimiter or _delimiter(header, name, wanted)
    csv.field_size_limit(LONGEST)
    rows = csv.reader(chain([header], lines), delimiter=delimiter, skipinitialspace=True, strict=True)
    columns = tuple(cell.strip() for cell in next(_parse(rows, name)))
    check_names(columns, name)

    def blocks(chosen: tuple[str, ...]) -> Iterator[Block]:
        return _blocks(_parse(rows, name), name, columns, chosen)

    return Source(name, columns, blocks)


class _CountedBytes(io.BufferedIOBase):
    """Bytes that count how many were read and keep their beginning, because a pipe cannot go back."""

    def __init__(self, source: IO[bytes]) -> None:
        self.source, self.count, self.beginning = source, 0, b""

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1) -> bytes:
        read = getattr(self.source, "read1", self.source.read)
        data: bytes = read(max(size, 1 << 16))
        self.count += len(data)
        self.beginning = self.beginning or data[:8]
        return data

    def read(self, size: int | None = -1) -> bytes:
        return self.read1(-1 if size is None else size)


def _lines(source: IO[bytes], name: str, encoding: str) -> Iterator[str]:
    """Yield the lines of a text file as they are, including line ends."""
    counted = _CountedBytes(source)
    # The codec utf-8 would keep a byte order mark as part of the first column's name.
    codec = "utf-8-sig" if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else encoding
    text = io.TextIOWrapper(counted, codec, newline="")  # type: ignore[type-var]
    try:
        for number, line in enumerate(iter(lambda: text.readline(LONGEST_LINE + 1), ""), 1):
            if len(line) > LONGEST_LINE:
                raise ValueError(
                    f"{name}, line {number} has more than {LONGEST_LINE:,} characters. Is this a CSV file? Write one row a line."
                )
            if "\0" in line:
                advice = _advice(counted.beginning, "Try --encoding utf-16.")
                raise ValueError(f"{name}, line {number} holds a NUL byte: this is not text in {encoding}. {advice}")
            yield line
    except UnicodeDecodeError as wrong:
        at = counted.count - len(wrong.object) + wrong.start
        byte = wrong.object[wrong.start]
        advice = _advice(counted.beginning, "Name its encoding, for example --encoding cp1252.")
        raise ValueError(f"{name} is not text in {encoding}: byte {at} is 0x{byte:02x}. {advice}") from None
    except (gzip.BadGzipFile, EOFError) as wrong:
        raise ValueError(f"{name} is not a whole gzip file: {wrong}. Fetch or compress it again.") from None
    finally:
        text.detach()  # the file is closed where it was opened


def _advice(beginning: bytes, otherwise: str) -> str:
    """Return what to do about a file that is not text, if its beginning shows what it is."""
    return next((advice for start, advice in BEGINNINGS.items() if beginning.startswith(start)), otherwise)


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
            f"The columns of {name} could be separated by {' or '.join(map(repr, splits))}. Choose one, for example --delimiter "
            f"{'tab' if (first := next(iter(splits))) == chr(9) else repr(first)}."
        )
    return next(iter(splits), ",")


def _parse(rows: Any, name: str) -> Iterator[list[str]]:
    """Yield the rows of a CSV reader; its errors become ours."""
    try:
        yield from rows
    except csv.Error as wrong:
        raise ValueError(
            f"{name}, line {rows.line_num}: {wrong}. Check that every quotation mark is closed, and doubled inside a cell."
        ) from None


def _blocks(rows: Iterator[list[str]], name: str, columns: tuple[str, ...], chosen: tuple[str, ...]) -> Iterator[Block]:
    before, width, at = 0, len(columns), [columns.index(c) for c in chosen]
    while block := list(islice(rows, row_source.BLOCK)):
        if width == 1:
            block = [row or [""] for row in block]
        elif set(map(len, block)) - {width}:  # an empty line is not a row
            block = [row for row in block if len(row) > 1 or "".join(row).strip()]
        if set(map(len, block)) - {width}:
            ragged = next(i for i, row in enumerate(block) if len(row) != width)
            raise ValueError(
                f"{name}, data row {before + ragged + 1}: the number of cells is {len(block[ragged])}, but the header has "
                f"{width}. Correct this row; a cell that contains the delimiter must be quoted."
            )
        if block:
            yield {c: _cells([row[i] for row in block]) for c, i in zip(chosen, at, strict=True)}
        before += len(block)
    if not before:
        raise ValueError(f"{name} has a header but no rows. Give a file with one example per row after the header.")


def _cells(column: list[str]) -> list[Any]:
    """Return cells without spaces around them, which would make other labels; None if empty."""
    return [cell.strip() or None for cell in column]
