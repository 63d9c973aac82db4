"""Lines of a CSV file into columns, all cells at once.

NumPy finds the cells, and each distinct cell is decoded once. Only what is surely read as Python's csv module reads it is read
here; anything else is left to that module.
"""

from __future__ import annotations

import numpy as np

from ...algebra.arrays import Array
from .row_source import Column

FAST_DELIMITERS = (",", ";", "\t", "|", ":")
NEWLINE, QUOTE = ord("\n"), ord('"')
LONGEST_KEY = 64  # bytes of a cell that is compared as eight machine words; longer cells are compared one by one
SAMPLE = 2000  # the first cells, which usually hold all distinct cells of a column of labels
MASKS = np.array([(1 << 8 * k) - 1 for k in range(9)], np.uint64)  # that keep the first k bytes of a word
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def columns_of_lines(lines: bytes, delimiter: str, width: int, chosen: list[int]) -> list[Column] | None:
    r"""Return the chosen columns of whole lines; None if they are not plain rows of ``width`` cells.

    >>> [column.cells() for column in columns_of_lines(b'a,b\n"c",\n', ",", 2, [1, 0]) or []]
    [['b', None], ['a', 'c']]
    """
    if b"\0" in lines or not _is_utf8(lines):
        return None
    if b"\r" in lines:
        if b'"' in lines or lines.count(b"\r") != lines.count(b"\r\n"):
            return None
        lines = lines.replace(b"\r\n", b"\n")
    if width > 1:
        lines = lines.rstrip(b"\n")  # empty lines are not rows
    elif lines.endswith(b"\n"):
        lines = lines[:-1]
    if not lines and width > 1:
        return [Column([], np.empty(0, np.intp))] * len(chosen)
    padded = np.frombuffer(lines + b"\n" + bytes(LONGEST_KEY), np.uint8)
    buffer = padded[: len(lines) + 1]
    ends = _ends_of_cells(buffer, ord(delimiter))
    if ends is None or len(ends) % width:
        return None
    kinds = (buffer[ends] == NEWLINE).reshape(-1, width)
    if not kinds[:, -1].all() or kinds[:, :-1].any():
        return None
    starts = np.empty_like(ends)
    starts[0] = 0
    np.add(ends[:-1], 1, out=starts[1:])
    starts, ends = starts.reshape(-1, width), ends.reshape(-1, width)
    return [_column(lines, padded, np.ascontiguousarray(starts[:, i]), np.ascontiguousarray(ends[:, i])) for i in chosen]


def _is_utf8(lines: bytes) -> bool:
    if lines.isascii():
        return True
    try:
        lines.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _ends_of_cells(buffer: Array, delimiter: int) -> Array | None:
    """Return where cells end, outside quotation marks; None if a mark stands inside a cell."""
    is_end = (buffer == delimiter) | (buffer == NEWLINE)
    marks = np.flatnonzero(buffer == QUOTE)
    if len(marks):
        if len(marks) % 2:
            return None
        opening, closing = marks[::2], marks[1::2]
        before = np.where(opening > 0, opening - 1, len(buffer) - 1)  # the last byte ends a line, as one before the first would
        doubled = np.zeros(len(opening), bool)  # a mark that follows a closing one is doubled: part of the cell
        doubled[1:] = opening[1:] == closing[:-1] + 1
        last = np.append(doubled[1:], False)
        if not (is_end[before] | doubled).all() or not (is_end[closing + 1] | last).all():
            return None
        step = np.zeros(len(buffer) + 1, np.int8)
        step[opening], step[closing] = 1, -1
        is_end &= np.cumsum(step[:-1], dtype=np.int8) == 0
    return np.flatnonzero(is_end)


def _column(lines: bytes, padded: Array, starts: Array, ends: Array) -> Column:
    lengths = ends - starts
    longest = int(lengths.max(initial=0))
    if longest > LONGEST_KEY:
        return _merge_equal([lines[s:e] for s, e in zip(starts.tolist(), ends.tolist(), strict=True)], None)
    words = _words(padded, starts, lengths, longest)
    key = words[0]
    for word in words[1:]:
        key = (key * MULTIPLIER) ^ (word + (key >> np.uint64(29)))
    codes, first = _codes(key)
    if len(words) > 1 and any((word != word[first][codes]).any() for word in words):  # two cells have the same key
        return _merge_equal([lines[s:e] for s, e in zip(starts.tolist(), ends.tolist(), strict=True)], None)
    return _merge_equal([lines[starts[i] : ends[i]] for i in first.tolist()], codes)


def _words(padded: Array, starts: Array, lengths: Array, longest: int) -> list[Array]:
    """Return the bytes of each cell as machine words, zeros after its end."""
    every: Array = np.ndarray((len(padded) - 7,), "<u8", padded, strides=(1,))  # the word that begins at each byte
    words = []
    for k in range(0, max(longest, 1), 8):
        word = every[starts + k] if k else every[starts]
        word &= MASKS[np.clip(lengths - k, 0, 8)]
        words.append(word)
    return words


def _codes(key: Array) -> tuple[Array, Array]:
    """Return the number of each key among the distinct keys, and the first row of each distinct key."""
    known, first = np.unique(key[:SAMPLE], return_index=True)
    places = np.zeros(1 << 16, np.int16)
    places[_slots(known)] = np.arange(len(known))
    codes: Array = places[_slots(key)]
    if (known[codes] != key).any():  # a key is not in the sample, or two keys have one slot
        known, first = np.unique(key, return_index=True)
        codes = np.searchsorted(known, key)
    return codes, first


def _slots(key: Array) -> Array:
    """Return a number of 16 bits for each key."""
    slots: Array = (key * MULTIPLIER) >> np.uint64(48)
    return slots


def _merge_equal(raw: list[bytes], codes: Array | None) -> Column:
    """Return the column of distinct raw cells and their codes; cells that mean the same text become one."""
    texts: dict[str, int] = {}
    memo: dict[bytes, int] = {}
    for cell in raw:
        if cell not in memo:
            text = _text(cell)
            memo[cell] = texts.setdefault(text, len(texts)) if text else -1
    meaning = np.fromiter(map(memo.__getitem__, raw), np.intp, len(raw))
    return Column(list(texts), meaning if codes is None else meaning[codes])


def _text(cell: bytes) -> str:
    text = cell.decode("utf-8")
    if text.startswith('"'):
        text = text[1:-1].replace('""', '"')
    return text.strip()


def count_lines(lines: bytes) -> int:
    """Return the number of line ends, as Python counts them."""
    alone = lines.count(b"\r") - lines.count(b"\r\n") if b"\r" in lines else 0
    return int(np.count_nonzero(np.frombuffer(lines, np.uint8) == NEWLINE)) + alone


def whole_lines(data: bytes) -> int:
    r"""Return how many bytes of the data are whole lines, as far as quotation marks show.

    >>> whole_lines(b'a,b\nc,d'), whole_lines(b'a,"b\nc')
    (4, 0)
    """
    if b'"' not in data:
        return data.rfind(b"\n") + 1
    buffer = np.frombuffer(data, np.uint8)
    ends, marks = np.flatnonzero(buffer == NEWLINE), np.flatnonzero(buffer == QUOTE)
    outside = ends[np.searchsorted(marks, ends) % 2 == 0]
    return int(outside[-1]) + 1 if len(outside) else 0
