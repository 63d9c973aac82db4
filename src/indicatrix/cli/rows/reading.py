"""Files into columns: a header, then blocks of rows, so that files larger than memory can be counted.

Text stays text here. What a column means is decided elsewhere, from all of its rows and not from the first few.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

BLOCK = 100_000  # rows that are read and counted at a time
LONGEST = (
    1 << 24
)  # characters of a cell: whole texts stand beside labels, but a quotation mark may be open to the end of the file
DELIMITERS = (",", ";", "\t")
ARROW = (".parquet", ".pq", ".arrow", ".feather", ".ipc")
SAVED = ".json"
# How files begin that are no text, and what to do about them.
BEGINNINGS = {
    b"\xff\xfe": "Name its encoding: --encoding utf-16.",
    b"\xfe\xff": "Name its encoding: --encoding utf-16.",
    b"\x1f\x8b": "It is compressed: unpack it first, or give the file a name that ends with .gz.",
    b"PK": "It is an archive or a spreadsheet: write the rows to a CSV file.",
    b"PAR1": "It is a Parquet file: give it a name that ends with .parquet.",
    b"ARROW1": "It is an Arrow file: give it a name that ends with .arrow.",
}
STDIN = "-"

Block = dict[str, list[Any]]  # cells by column; None where one is missing


@dataclass(frozen=True)
class Source:
    """Rows to read: what they are called in messages, their columns, and a function that gives blocks of some columns."""

    name: str
    columns: tuple[str, ...]
    blocks: Callable[[tuple[str, ...]], Iterator[Block]]
    typed: bool = False  # numbers are numbers already; otherwise all cells are text


@dataclass(frozen=True)
class Dialect:
    """How the text of a CSV file is written; without a delimiter it is found in the header."""

    encoding: str = "utf-8"
    delimiter: str | None = None


def called(path: str) -> str:
    """Return what a file is called in messages.

    >>> called("-"), called("runs/a.csv")
    ('standard input', 'runs/a.csv')
    """
    return "standard input" if path == STDIN else path


@contextlib.contextmanager
def opened(path: str, dialect: Dialect, wanted: tuple[str, ...]) -> Iterator[Source]:
    """Give the rows of a file: CSV, gzipped CSV or standard input, or Parquet, Arrow and Feather where pyarrow is there.

    ``wanted`` are columns that must be there: they tell which delimiter a header has, where several are possible.
    """
    if path != STDIN:
        if not Path(path).exists():
            raise FileNotFoundError(f"There is no file {path}. Check the name, or give - to read standard input.")
        if Path(path).is_dir():
            raise IsADirectoryError(f"{path} is a folder; give the files in it, for example {Path(path) / '*.csv'}.")
        if Path(path).suffix.lower() in ARROW:
            from .arrow_files import opened_arrow

            with opened_arrow(path) as source:
                yield source
            return
    with _bytes(path) as data:
        yield _csv(data, called(path), dialect, wanted)


def _csv(data: IO[bytes], name: str, dialect: Dialect, wanted: tuple[str, ...]) -> Source:
    lines = _lines(data, name, dialect.encoding)
    header = next(lines, None)
    while header is not None and not header.strip():
        header = next(lines, None)
    if header is None:
        raise ValueError(f"{name} is empty. The first line names the columns, the others hold one example each.")
    delimiter = dialect.delimiter or _delimiter(header, name, wanted)
    csv.field_size_limit(LONGEST)
    rows = csv.reader(_chained(header, lines), delimiter=delimiter, skipinitialspace=True, strict=True)
    columns = tuple(cell.strip() for cell in next(_parsed(rows, name)))
    check_names(columns, name)

    def blocks(chosen: tuple[str, ...]) -> Iterator[Block]:
        return _blocks(_parsed(rows, name), name, columns, chosen)

    return Source(name, columns, blocks)


def _bytes(path: str) -> contextlib.AbstractContextManager[Any]:
    if path == STDIN:
        return contextlib.nullcontext(sys.stdin.buffer)
    return gzip.open(path, "rb") if path.lower().endswith(".gz") else Path(path).open("rb")


class _Counted(io.BufferedIOBase):
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
    counted = _Counted(source)
    # With its own name UTF-8 would keep a byte order mark as part of the first column's name.
    codec = "utf-8-sig" if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else encoding
    text = io.TextIOWrapper(counted, codec, newline="")  # type: ignore[type-var]
    try:
        for number, line in enumerate(text, 1):
            if "\0" in line:
                mend = _mend(counted.beginning, "Try --encoding utf-16.")
                raise ValueError(f"{name}, line {number} holds a NUL byte: this is no text in {encoding}. {mend}")
            yield line
    except UnicodeDecodeError as wrong:
        at = counted.count - len(wrong.object) + wrong.start
        byte = wrong.object[wrong.start]
        mend = _mend(counted.beginning, "Name its encoding, for example --encoding cp1252.")
        raise ValueError(f"{name} is not text in {encoding}: byte {at} is 0x{byte:02x}. {mend}") from None
    except (gzip.BadGzipFile, EOFError) as wrong:
        raise ValueError(f"{name} is not a whole gzip file: {wrong}. Fetch or compress it again.") from None
    finally:
        text.detach()  # the file is closed where it was opened


def _mend(beginning: bytes, otherwise: str) -> str:
    """Return what to do about a file that is no text, if its beginning tells what it is."""
    return next((mend for start, mend in BEGINNINGS.items() if beginning.startswith(start)), otherwise)


def _chained(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


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


def check_names(columns: tuple[str, ...], name: str) -> None:
    """Refuse a file with two columns of one name."""
    seen: dict[str, int] = {}
    for at, column in enumerate(columns, 1):
        if column in seen and column:
            raise ValueError(f"{name} has two columns {column!r}, the {_th(seen[column])} and the {_th(at)}. Rename one of them.")
        seen[column] = at


def _th(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _parsed(rows: Any, name: str) -> Iterator[list[str]]:
    """Give the rows that a CSV reader finds; what it objects to, in our words."""
    try:
        yield from rows
    except csv.Error as wrong:
        raise ValueError(
            f"{name}, line {rows.line_num}: {wrong}. Is a quotation mark not closed, or not doubled inside a cell?"
        ) from None


def _blocks(rows: Iterator[list[str]], name: str, columns: tuple[str, ...], chosen: tuple[str, ...]) -> Iterator[Block]:
    before, width, at = 0, len(columns), [columns.index(c) for c in chosen]
    while block := list(islice(rows, BLOCK)):
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
