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

import numpy as np

from ...algebra.arrays import Array
from .text_lines import LONGEST, TextLines, check_encoding

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


FAST_DELIMITERS = (",", ";", "\t", "|", ":")
SPACES = tuple(bytes([x]) for x in range(128) if chr(x).isspace() and chr(x) not in "\r\n")


def columns_of_lines(
    lines: bytes, delimiter: str, width: int, chosen: list[int], numbers: frozenset[int] = frozenset()
) -> list[Any] | None:
    r"""Return the chosen columns of whole lines; None if they are not plain rows of ``width`` cells.

    Columns among ``numbers`` are floats, null where a cell is empty, if every cell is a number; others are codes of texts.

    >>> [column.to_pylist() for column in columns_of_lines(b'a,b\n"c",\n', ",", 2, [1, 0]) or []]
    [['b', None], ['a', 'c']]
    """
    lines = lines if lines.endswith(b"\n") else lines + b"\n"
    quoted = b'"' in lines
    if b"\0" in lines or (quoted and not _is_quoted_well(np.frombuffer(lines, np.uint8), ord(delimiter))):
        return None
    columns = _parse(lines, delimiter, width, chosen, numbers)
    if columns is None and numbers:
        columns = _parse(lines, delimiter, width, chosen, frozenset())  # some number is written as only Python reads it, or wrong
    if columns is None or (quoted and any(map(_has_spaces, columns)) and _has_plain_spaces(lines, delimiter)):
        return None
    return [_without_blanks(column, strip=not quoted) for column in columns]


def _parse(lines: bytes, delimiter: str, width: int, chosen: list[int], numbers: frozenset[int]) -> list[Any] | None:
    """Return the columns that Arrow reads; None if some row or number is odd."""
    import pyarrow as pa
    from pyarrow import csv

    names, text = [str(i) for i in range(width)], pa.dictionary(pa.int32(), pa.string())
    convert = csv.ConvertOptions(
        check_utf8=False,
        column_types={names[i]: pa.float64() if i in numbers else text for i in chosen},
        include_columns=[names[i] for i in chosen],
        null_values=[""],
        strings_can_be_null=True,
    )
    try:
        table = csv.read_csv(
            pa.BufferReader(lines),
            csv.ReadOptions(use_threads=False, block_size=len(lines) + 1, column_names=names),
            csv.ParseOptions(delimiter=delimiter, ignore_empty_lines=width > 1, escape_char=False),
            convert,
        )
    except pa.ArrowInvalid:
        return None
    return [column.chunk(0) if column.num_chunks == 1 else column.combine_chunks() for column in table.columns]


def _texts(column: Any) -> list[str]:
    """Return the distinct texts of a column; none if it holds numbers."""
    return list(column.dictionary.to_pylist()) if hasattr(column, "dictionary") else []


def _has_spaces(column: Any) -> bool:
    return any(text != text.strip() for text in _texts(column))


def _has_plain_spaces(lines: bytes, delimiter: str) -> bool:
    """Return whether spaces around a cell may stand outside of quotation marks."""
    edges = (delimiter.encode(), b"\n", b"\r")
    found = any(edge + space in lines or space + edge in lines for space in SPACES for edge in edges)
    return found or lines[:1] in SPACES or not lines.isascii()  # there are spaces that are not ASCII


def _without_blanks(column: Any, *, strip: bool) -> Any:
    """Return a column without blank texts; if ``strip``, texts that differ only by spaces become one."""
    import pyarrow as pa

    given, texts = _texts(column), dict[str, int]()
    meaning = [texts.setdefault(text.strip() if strip else text, len(texts)) if text.strip() else None for text in given]
    if [*texts] == given:
        return column
    return pa.DictionaryArray.from_arrays(pa.array(meaning, pa.int32()).take(column.indices), pa.array([*texts], pa.string()))


def _is_quoted_well(buffer: Array, delimiter: int) -> bool:
    """Return whether every quotation mark opens or closes a cell, or is doubled inside one.

    The lines end with a line end. Each byte is a bit here, 64 of them in a word.
    """
    marks, edges = _bits(buffer == ord('"')), _bits((buffer == delimiter) | (buffer == ord("\n")) | (buffer == ord("\r")))
    odd = np.bitwise_count(marks) & 1
    before = np.bitwise_xor.accumulate(odd) ^ odd  # whether a cell is open where a word begins
    if before[-1] ^ odd[-1]:
        return False
    inside = marks.copy()
    for step in (1, 2, 4, 8, 16, 32):  # then a bit says whether there is an odd number of marks up to it
        inside ^= inside << np.uint64(step)
    inside ^= np.uint64(0) - before
    opening, closing = marks & inside, marks & ~inside
    begins, ends = edges | closing, edges | opening  # a mark that follows a closing one is part of the cell
    after = begins << np.uint64(1)
    after[1:] |= begins[:-1] >> np.uint64(63)
    after[0] |= np.uint64(1)
    until = ends >> np.uint64(1)
    until[:-1] |= ends[1:] << np.uint64(63)
    return not (opening & ~after).any() and not (closing & ~until).any()


def _bits(flags: Array) -> Array:
    """Return flags as words of 64 bits; bits after the last flag are 0."""
    words = np.zeros(-(-len(flags) // 64), "<u8")
    words.view(np.uint8)[: -(-len(flags) // 8)] = np.packbits(flags, bitorder="little")
    return words
