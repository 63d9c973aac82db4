"""Lines of a CSV file into columns, all cells at once.

Arrow reads the cells, and each distinct cell is decoded once. Only what is surely read as Python's csv module reads it is read
here; anything else is left to that module.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import Array
from .text_columns import TextColumn

FAST_DELIMITERS = (",", ";", "\t", "|", ":")
NEWLINE, QUOTE = ord("\n"), ord('"')
SPACES = tuple(bytes([x]) for x in range(128) if chr(x).isspace() and chr(x) not in "\r\n")


def columns_of_lines(
    lines: bytes, delimiter: str, width: int, chosen: list[int], numbers: frozenset[int] = frozenset()
) -> list[Any] | None:
    r"""Return the chosen columns of whole lines; None if they are not plain rows of ``width`` cells.

    Columns among ``numbers`` are floats of Arrow, null where a cell is empty, if every cell is a number.

    >>> [column.cells() for column in columns_of_lines(b'a,b\n"c",\n', ",", 2, [1, 0]) or []]
    [['b', None], ['a', 'c']]
    """
    if b"\0" in lines or not _is_utf8(lines):
        return None
    if b"\r" in lines:
        if b'"' in lines or lines.count(b"\r") != lines.count(b"\r\n"):
            return None
        lines = lines.replace(b"\r\n", b"\n")
    if width > 1 and (lines.endswith(b"\n\n") or lines == b"\n"):
        lines = lines.rstrip(b"\n")  # empty lines are not rows
        if not lines:
            return [TextColumn([], np.empty(0, np.intp))] * len(chosen)
    lines = lines if lines.endswith(b"\n") else lines + b"\n"
    if b'"' in lines and not _is_quoted_well(np.frombuffer(lines, np.uint8), ord(delimiter)):
        return None
    table = _parse(lines, delimiter, width, chosen, numbers)
    if table is None and numbers:
        table = _parse(lines, delimiter, width, chosen, frozenset())  # some number is written as only Python reads it, or wrong
    if table is None:
        return None
    columns = [table.column(str(i)) for i in chosen]
    if b'"' not in lines or not any(map(_has_spaces, columns)):
        return [_column(column, strip=True) for column in columns]
    return None if _has_plain_spaces(lines, delimiter) else [_column(column, strip=False) for column in columns]


def _parse(lines: bytes, delimiter: str, width: int, chosen: list[int], numbers: frozenset[int]) -> Any:
    """Return the table that Arrow reads; None if some row or number is odd."""
    import pyarrow as pa
    from pyarrow import csv

    text = pa.dictionary(pa.int32(), pa.string())
    try:
        return csv.read_csv(
            pa.BufferReader(lines),
            csv.ReadOptions(use_threads=False, block_size=len(lines) + 1, column_names=[str(i) for i in range(width)]),
            csv.ParseOptions(delimiter=delimiter, ignore_empty_lines=width > 1, escape_char=False),
            csv.ConvertOptions(
                check_utf8=False,
                column_types={str(i): pa.float64() if i in numbers else text for i in chosen},
                include_columns=[str(i) for i in chosen],
                null_values=[""],
                strings_can_be_null=True,
            ),
        )
    except pa.ArrowInvalid:
        return None


def _has_spaces(chunks: Any) -> bool:
    """Return whether a cell of a column of text has spaces around it."""
    return any(
        text != text.strip() for part in chunks.chunks if hasattr(part, "dictionary") for text in part.dictionary.to_pylist()
    )


def _has_plain_spaces(lines: bytes, delimiter: str) -> bool:
    """Return whether spaces around a cell may stand outside of quotation marks."""
    edges = (delimiter.encode(), b"\n")
    found = any(edge + space in lines or space + edge in lines for space in SPACES for edge in edges)
    return found or lines[:1] in SPACES or not lines.isascii()  # there are spaces that are not ASCII


def _column(chunks: Any, *, strip: bool) -> Any:
    """Return a column that Arrow read; if ``strip``, cells that differ only by spaces become one."""
    array = chunks.combine_chunks() if chunks.num_chunks != 1 else chunks.chunk(0)
    if not hasattr(array, "dictionary"):
        return array
    texts: dict[str, int] = {}
    given = array.dictionary.to_pylist()
    meaning = [texts.setdefault(text.strip() if strip else text, len(texts)) if text.strip() else -1 for text in given]
    codes = np.asarray((array.indices.fill_null(-1) if array.null_count else array.indices).to_numpy(zero_copy_only=False))
    if meaning != [*range(len(meaning))]:
        codes = np.array([*meaning, -1], np.intp)[codes]
    return TextColumn([*texts], codes)


def _is_utf8(lines: bytes) -> bool:
    if lines.isascii():
        return True
    try:
        lines.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_quoted_well(buffer: Array, delimiter: int) -> bool:
    """Return whether every quotation mark opens or closes a cell, or is doubled inside one.

    The lines end with a line end. Each byte is a bit here, 64 of them in a word.
    """
    marks, edges = _bits(buffer == QUOTE), _bits((buffer == delimiter) | (buffer == NEWLINE))
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


def _count(byte: int, data: bytes, end: int) -> int:
    """Return how often a byte occurs before an end, faster than ``bytes.count`` where it is frequent."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8, end) == byte))


def count_lines(lines: bytes) -> int:
    """Return the number of line ends, as Python counts them."""
    alone = lines.count(b"\r") - lines.count(b"\r\n") if b"\r" in lines else 0
    return _count(NEWLINE, lines, len(lines)) + alone


def whole_lines(data: bytes, size: int) -> int:
    r"""Return how many of the first bytes of the data are whole lines, as far as quotation marks show.

    >>> whole_lines(b'a,b\nc,d', 7), whole_lines(b'a,"b\nc', 6), whole_lines(b'a,b\nc,d\n', 7)
    (4, 0, 4)
    """
    end = data.rfind(b"\n", 0, size) + 1
    if data.find(b'"', 0, end) < 0 or _count(QUOTE, data, end) % 2 == 0:
        return end
    buffer = np.frombuffer(data, np.uint8, min(size, len(data)))
    ends, marks = np.flatnonzero(buffer == NEWLINE), np.flatnonzero(buffer == QUOTE)
    outside = ends[np.searchsorted(marks, ends) % 2 == 0]
    return int(outside[-1]) + 1 if len(outside) else 0
