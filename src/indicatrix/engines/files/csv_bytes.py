"""Lines of a CSV file into columns of Arrow, all cells at once.

Only what is surely read as Python's csv module reads it is read here; anything else is left to that module.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import Array

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
