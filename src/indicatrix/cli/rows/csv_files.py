"""CSV files into columns: a header, then blocks of rows.

A file may be larger than memory, because blocks are counted one after the other. Text stays text here: what a column means is
decided elsewhere, from all of its rows and not from the first few.
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

# Characters of a cell: some columns hold whole texts, but a quotation mark may be open to the end of the file.
LONGEST = 1 << 24
DELIMITERS = (",", ";", "\t")
# How files begin that are no text, and what to do about them.
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
    """How the text of a CSV file is written; without a delimiter it is found in the header."""

    encoding: str = "utf-8"
    delimiter: str | None = None


def read_csv(data: IO[bytes], name: str, dialect: Dialect, wanted: tuple[str, ...]) -> Source:
    """Return the rows of an open CSV file.

    ``wanted`` are columns that must be there: they tell which delimiter a header has, where several are possible.
    """
    lines = _lines(data, name, dialect.encoding)
    header = next(lines, None)
    while header is not None and not header.strip():
        header = next(lines, None)
    if header is None:
        raise ValueError(f"{name} is empty. The first line names the columns, the others hold one example each.")
    delimiter = dialect.delimiter or _delimiter(header, name, wanted)
    csv.field_size_limit(LONGEST)
    rows = csv.reader(chain([header], lines), delimiter=delimiter, skipinitialspace=True, strict=True)
    columns = tuple(cell.strip() for cell in next(_parse(rows, name)))
    check_names(columns, name)

    def blocks(chosen: tuple[str, ...]) -> Iterator[Block]:
        return _blocks(_parse(rows, name), name, columns, chosen)

    return Source(name, columns, blocks)


class _CountedBytes(io.BufferedIOBase):
    """Bytes that know how many of them were read and how they began, which a pipe cannot tell."""

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
    """Give the lines of a text file as they are, their ends included."""
    counted = _CountedBytes(source)
    # With its own name UTF-8 would keep a byte order mark as part of the first column's name.
    codec = "utf-8-sig" if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else encoding
    text = io.TextIOWrapper(counted, codec, newline="")  # type: ignore[type-var]
    try:
        for number, line in enumerate(text, 1):
            if "\0" in line:
                advice = _advice(counted.beginning, "Try --encoding utf-16.")
                raise ValueError(f"{name}, line {number} holds a NUL byte: this is no text in {encoding}. {advice}")
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
    """Return what to do about a file that is no text, if its beginning tells what it is."""
    return next((advice for start, advice in BEGINNINGS.items() if beginning.startswith(start)), otherwise)


def _delimiter(header: str, name: str, wanted: tuple[str, ...]) -> str:
    """Return the delimiter that splits the header; where several do, the only one that gives the columns asked for."""
    splits = {}
    for delimiter in DELIMITERS:
        cells = next(csv.reader([header], delimiter=delimiter, skipinitialspace=True))
        if len(cells) > 1:
            splits[delimiter] = {cell.strip() for cell in cells}
    if len(splits) > 1:
        splits = {d: cells for d, cells in splits.items() if cells >= set(wanted)} or splits
    if len(splits) > 1:
        raise ValueError(
            f"The columns of {name} could be separated by {' or '.join(map(repr, splits))}. Say which: --delimiter "
            f"{'tab' if (first := next(iter(splits))) == chr(9) else repr(first)}."
        )
    return next(iter(splits), ",")


def _parse(rows: Any, name: str) -> Iterator[list[str]]:
    """Give the rows that a CSV reader finds; what it objects to, in our words."""
    try:
        yield from rows
    except csv.Error as wrong:
        raise ValueError(
            f"{name}, line {rows.line_num}: {wrong}. Is a quotation mark not closed, or not doubled inside a cell?"
        ) from None


def _blocks(rows: Iterator[list[str]], name: str, columns: tuple[str, ...], chosen: tuple[str, ...]) -> Iterator[Block]:
    before, width, at = 0, len(columns), [columns.index(c) for c in chosen]
    while block := list(islice(rows, row_source.BLOCK)):
        if width == 1:
            block = [row or [""] for row in block]
        elif set(map(len, block)) - {width}:  # a line with nothing in it is no row
            block = [row for row in block if len(row) > 1 or "".join(row).strip()]
        if set(map(len, block)) - {width}:
            ragged = next(i for i, row in enumerate(block) if len(row) != width)
            raise ValueError(
                f"{name}, data row {before + ragged + 1}: {len(block[ragged])} of {width} cells, which the header names. "
                "Mend that row; a cell that holds the delimiter must be quoted."
            )
        if block:
            yield {c: _cells([row[i] for row in block]) for c, i in zip(chosen, at, strict=True)}
        before += len(block)
    if not before:
        raise ValueError(f"{name} has a header but no rows. Every row after the header is one example.")


def _cells(column: list[str]) -> list[Any]:
    """Return cells without the spaces around them, which would make another label of each; None for an empty one."""
    return [cell.strip() or None for cell in column]
