"""JSON lines: one object per line, of which some keys are columns.

Arrow reads plain lines, many at once. Where its reading could differ from what a line says, such as a number that it would round,
Python's json reads the block line by line, and what no type of Arrow holds is refused, never rounded.

The lines of a text file, as UTF-8; bytes that are not text are an error that says what to do.
"""

from __future__ import annotations

import codecs
import gzip
import io
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import IO, Any

import numpy as np

from ...algebra.arrays import FLOATS_ARE_EXACT, Array

NUMBER, TEXT, BOOL, LIST = "a number", "a text", "true or false", "a list"
FAMILIES = {
    bool: BOOL,
    int: NUMBER,
    float: NUMBER,
    str: TEXT,
    list: LIST,
}  # what a cell is; no label, score or weight is an object
SMALLEST, LARGEST = -(2**63), 2**64 - 1  # what integers of 64 bits hold, with a sign or without
AS_TEXT = "Write such labels as texts in all rows"
Typed = tuple[Any, dict[int, str]]  # a type of Arrow, or an array of it, and why it does not hold some cells, by their place

BYTES = 1 << 20  # of a block
LONGEST_OBJECT = 1 << 26  # bytes of a line, so that a file without line ends does not fill the memory
SHOWN = 100  # lines that are read to find the columns
DEEPEST = 500  # brackets of a line that Arrow reads: it ends the process where objects are nested too deeply
SPACES = b" \t\r\n"  # what is blank in JSON
UTF8_MARK = b"\xef\xbb\xbf"


def open_json(data: IO[bytes], name: str) -> tuple[tuple[str, ...], Iterator[bytes]]:
    """Return the columns that the first lines have, and all lines in blocks."""
    blocks = _blocks(data, name)
    first = next(blocks, b"").removeprefix(UTF8_MARK)
    lines = _lines(first)
    rows = (_parse(line)[0] for line in lines[:SHOWN])
    columns = tuple(dict.fromkeys(key for row in rows if row is not None for key in row))
    if not lines:
        raise ValueError(f'{name} is empty. Give a file with one example per line, such as {{"true": "a", "pred": "b"}}.')
    if not columns:
        raise ValueError(f"{name} does not hold one JSON object per line. Its first line is {_short(lines[0])}.")
    return columns, chain((first,), blocks)


def _lines(block: bytes) -> list[bytes]:
    """Return the lines of a block that are not blank."""
    return [line for given in block.split(b"\n") if (line := given.strip(SPACES))]


def json_batches(
    blocks: Iterator[bytes], name: str, columns: tuple[str, ...], count_bad: bool
) -> Iterator[tuple[Any, dict[int, str]]]:
    """Yield record batches of the columns, with the rows of each that cannot be read, and why."""
    kinds: dict[str, Any] = {}  # the type of each column in the last block where it is known
    families: dict[str, str] = {}  # what the cells of each column are, which may not change
    row = 1
    for block in blocks:
        lines = _lines(block)
        if not lines:
            continue
        batch = _read_block(lines, columns, kinds)
        bad: dict[int, str] = {}
        if batch is None:
            batch, bad = _read_lines(lines, columns, families)
            if bad and not count_bad:
                at = min(bad)
                raise ValueError(f"{name}, data row {row + at}: {bad[at]}. Correct this line.")
        for column, kind in zip(batch.schema.names, batch.schema.types, strict=True):
            if (family := family_of_type(kind)) is not None:
                kinds[column] = kind
                families.setdefault(column, family)
        row += len(lines)
        yield batch, bad


def _blocks(data: IO[bytes], name: str) -> Iterator[bytes]:
    """Yield blocks of whole lines."""
    left = b""
    while more := read_bytes(data, name, BYTES):
        whole, end, rest = more.rpartition(b"\n")
        if end:
            yield left + whole
        left = rest if end else left + more
        if len(left) > LONGEST_OBJECT:
            raise ValueError(f"{name} has a line of more than {LONGEST_OBJECT:,} bytes. Write one example per line.")
    yield left


def _read_block(lines: list[bytes], columns: tuple[str, ...], kinds: dict[str, Any]) -> Any:
    """Return the columns of plain lines as a batch; None if a line is odd, or a type has changed."""
    import pyarrow as pa
    from pyarrow import json as arrow_json

    block = b"\n".join(lines) + b"\n"
    if not all(line[0] == ord("{") and line[-1] == ord("}") for line in lines) or _is_deep(block, lines):
        return None
    known = pa.schema([(c, kinds[c]) for c in columns if c in kinds])
    behavior = "ignore" if len(known) == len(columns) else "infer"
    try:
        table = arrow_json.read_json(
            pa.BufferReader(block),
            arrow_json.ReadOptions(use_threads=False, block_size=len(block) + 1),
            arrow_json.ParseOptions(explicit_schema=known, unexpected_field_behavior=behavior),
        )
        table.validate(full=True)  # a text may be no UTF-8
    except (pa.ArrowInvalid, UnicodeDecodeError):
        return None
    if table.num_rows != len(lines):
        return None
    arrays = {}
    for name in columns:
        column = table.column(name).combine_chunks() if name in table.schema.names else pa.nulls(len(lines))
        if not _is_plain(column):
            return None
        arrays[name] = column
    return pa.record_batch(arrays)


def _is_deep(block: bytes, lines: list[bytes]) -> bool:
    """Return whether a line may be nested so deeply that Arrow would end the process."""
    some = block.count(b"{") + block.count(b"[") - len(lines) >= DEEPEST
    return some and any(line.count(b"{") + line.count(b"[") > DEEPEST for line in lines)


def _is_plain(column: Any) -> bool:
    """Return whether a column is surely what the lines say.

    A text that looks like a time stays a text. Integers that are too large for their type, or next to a float, were rounded.
    """
    from pyarrow import compute, types

    if types.is_list(column.type):
        return not types.is_nested(column.type.value_type) and _is_plain(column.flatten())
    if types.is_floating(column.type):
        return bool(compute.all(compute.less(compute.abs(column), FLOATS_ARE_EXACT), min_count=0).as_py())
    kind = column.type
    return bool(types.is_integer(kind) or types.is_boolean(kind) or types.is_string(kind) or types.is_null(kind))


def _read_lines(lines: list[bytes], columns: tuple[str, ...], families: dict[str, str]) -> tuple[Any, dict[int, str]]:
    """Return the columns of lines one by one, with those that cannot be read, and why."""
    import pyarrow as pa

    parsed = [_parse(line) for line in lines]
    bad = {i: why for i, (_, why) in enumerate(parsed) if why}
    for i, (row, _) in enumerate(parsed):
        if row is not None and (twice := row.twice.intersection(columns)):
            bad[i] = f"it has the key {min(twice)!r} twice"
    arrays = {}
    for name in columns:
        cells = [None if row is None or i in bad else row.get(name) for i, (row, _) in enumerate(parsed)]
        arrays[name], odd = read_cells(cells, families.get(name))
        bad = {i: f"{name!r} is {_short(cells[i])}, {why}" for i, why in odd.items()} | bad
    return pa.record_batch(arrays), bad


class _Object(dict[str, Any]):
    """An object that knows which keys are given twice; json itself would take the last value."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        times = {} if len(self) == len(pairs) else Counter(key for key, _ in pairs)
        self.twice = {key for key in times if times[key] > 1}


def _finite(text: str) -> float:
    found = float(text)
    if abs(found) == float("inf"):
        raise ValueError(f"{_short(text)} is too large for a float")
    return found


def _parse(line: bytes) -> tuple[_Object | None, str]:
    """Return the object of a line, and "", or None and why it cannot be read."""
    try:
        row = json.loads(line.decode("utf-8"), object_pairs_hook=_Object, parse_float=_finite)
    except (ValueError, RecursionError) as wrong:
        return None, f"this line is not JSON ({wrong})"
    return (row, "") if isinstance(row, _Object) else (None, f"this line holds {_short(row)}, not an object")


def _short(value: Any) -> str:
    text = value[:200].decode("utf-8", "replace") if isinstance(value, bytes) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def family_of_type(kind: Any) -> str | None:
    """Return what the cells of a type of Arrow are; None if all of them are missing."""
    from pyarrow import types

    if types.is_list(kind):
        return family_of_type(kind.value_type) and LIST
    return None if types.is_null(kind) else BOOL if types.is_boolean(kind) else TEXT if types.is_string(kind) else NUMBER


def read_cells(cells: list[Any], family: str | None = None) -> Typed:
    """Return cells as an array of Arrow, and why some of them cannot be read, by their place.

    ``family`` is what the cells of earlier rows were.

    >>> array, bad = read_cells([2**63, None, "a"])
    >>> array.to_pylist(), bad
    ([9223372036854775808, None, None], {2: 'and rows before have a number there'})
    """
    import pyarrow as pa

    bad: dict[int, str] = {}
    given = {i: cell for i, cell in enumerate(cells) if cell is not None}
    for i, cell in given.items():
        own = FAMILIES.get(type(cell))
        family = family or own
        if own is None:
            bad[i] = "an object, and a cell is a text, a number, true or false, or a list of these"
        elif own != family:
            bad[i] = f"and rows before have {family} there"
    makers = {NUMBER: _type_of_numbers, TEXT: _type_of_texts, BOOL: lambda cells: (pa.bool_(), {}), LIST: _type_of_lists}
    kept = {i: cell for i, cell in given.items() if i not in bad}
    kind, odd = makers[family](kept) if family and kept else (pa.null(), {})
    bad |= odd
    return pa.array([None if i in bad else cell for i, cell in enumerate(cells)], kind), bad


def _type_of_lists(lists: dict[int, list[Any]]) -> Typed:
    import pyarrow as pa

    bad = {i: "and a list here holds labels, no lists" for i, own in lists.items() if any(isinstance(x, list) for x in own)}
    flat = [(i, cell) for i, own in lists.items() if i not in bad for cell in own]
    members, odd = read_cells([cell for _, cell in flat])
    return pa.list_(members.type), bad | {flat[at][0]: f"with a wrong label: {why}" for at, why in odd.items()}


def _type_of_texts(cells: dict[int, str]) -> Typed:
    """Return the type of texts; an escape may stand for half of a character, which UTF-8 does not have."""
    import pyarrow as pa

    halves = (i for i, text in cells.items() if any("\ud800" <= character <= "\udfff" for character in text))
    return pa.string(), dict.fromkeys(halves, "which holds half of a character")


def _type_of_numbers(cells: dict[int, Any]) -> Typed:
    import pyarrow as pa

    long = (i for i, x in cells.items() if isinstance(x, int) and not SMALLEST <= x <= LARGEST)
    bad = dict.fromkeys(long, f"an integer of more than 64 bits. {AS_TEXT}")
    left = {i: x for i, x in cells.items() if i not in bad}
    if any(isinstance(x, float) for x in left.values()):
        why = f"an integer above 2**53, and other rows have floats, which do not hold all of these. {AS_TEXT}"
        return pa.float64(), bad | {i: why for i, x in left.items() if isinstance(x, int) and abs(x) > FLOATS_ARE_EXACT}
    if max(left.values(), default=0) < 2**63:
        return pa.int64(), bad
    why = f"which does not fit into 64 bits together with negative numbers. {AS_TEXT}"
    return pa.uint64(), bad | {i: why for i, x in left.items() if x < 0}


# Characters in a cell: some columns hold whole texts, but an open quotation mark should not read to the end of the file.
LONGEST = 1 << 24
LONGEST_LINE = 4 * LONGEST  # bytes of a line, so that a file without line ends does not fill the memory
READ = 1 << 20  # bytes read at once
PACKED_ERRORS = (gzip.BadGzipFile, EOFError, zlib.error)
LINE_END = re.compile(rb"\r\n|\r|\n")
NEWLINE, QUOTE = ord("\n"), ord('"')
# The first bytes of files that are not text, and what to do about them.
BEGINNINGS = {
    b"\xff\xfe": "Name its encoding: encoding='utf-16'.",
    b"\xfe\xff": "Name its encoding: encoding='utf-16'.",
    b"\x1f\x8b": "It is compressed: unpack it first, or give the file a name that ends with .gz.",
    b"PK": "It is an archive or a spreadsheet: write the rows to a CSV file.",
    b"PAR1": "It is a Parquet file: give it a name that ends with .parquet.",
    b"ARROW1": "It is an Arrow file: give it a name that ends with .arrow.",
}


def check_encoding(encoding: str) -> None:
    """Refuse a name that Python does not know as an encoding of text."""
    try:
        io.TextIOWrapper(io.BytesIO(), encoding)
    except (LookupError, ValueError, TypeError):
        raise ValueError(
            f"encoding={encoding!r} is unknown. Use the name that Python has for it, such as 'utf-8', 'utf-16', 'cp1252' or "
            "'latin-1'."
        ) from None


def read_bytes(source: IO[bytes], name: str, size: int) -> bytes:
    """Return the next bytes of a file; one that is not packed as a whole is an error that names it."""
    try:
        return source.read(size)
    except PACKED_ERRORS as wrong:
        raise ValueError(f"{name} is not a whole gzip or zstd file: {wrong}. Fetch or compress it again.") from None


class TextLines:
    """The lines of an open file, which are taken in blocks, or one after the other as text."""

    def __init__(self, source: IO[bytes], name: str, encoding: str) -> None:
        self.source, self.name, self.encoding = source, name, encoding
        # The codec utf-8 would keep a byte order mark as part of the first column's name.
        mark = "-sig" if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else ""
        self._decoder: Any = codecs.getincrementaldecoder(encoding + mark)()
        self._count, self._beginning, self._ended = 0, b"", False
        self._data, self._at = b"", 0  # bytes that were read, and how many of them were taken
        self.number = self.taken = 0  # lines and bytes that were taken

    def available(self, size: int) -> int:
        """Return how many bytes are left, after reading until there are so many or the file ends."""
        left = len(self._data) - self._at
        if left < size and not self._ended:
            parts, self._data, self._at = [self._data[self._at :]], b"", 0
            while left < size and not self._ended:
                parts.append(self._next_bytes())
                left += len(parts[-1])
            self._data = b"".join(parts)
        return left

    def _next_bytes(self) -> bytes:
        """Return the next bytes of the file, as UTF-8."""
        more = read_bytes(self.source, self.name, READ)
        self._ended = not more
        self._count += len(more)
        self._beginning = self._beginning or more[:8]
        try:
            text: str = self._decoder.decode(more, final=not more)
        except UnicodeDecodeError as wrong:
            at, byte = self._count - len(wrong.object) + wrong.start, wrong.object[wrong.start]
            advice = self._advice("Name its encoding, for example encoding='cp1252'.")
            raise ValueError(f"{self.name} is not text in {self.encoding}: byte {at} is 0x{byte:02x}. {advice}") from None
        return text.encode("utf-8")

    def _advice(self, otherwise: str) -> str:
        """Return what to do about a file that is not text, if its beginning shows what it is."""
        return next((advice for start, advice in BEGINNINGS.items() if self._beginning.startswith(start)), otherwise)

    def whole_lines(self, size: int) -> bytes:
        """Return the next whole lines, as far as quotation marks show, without taking them."""
        last = self.available(size + 1) <= size
        data = self._data[self._at : self._at + size]
        return data if last else data[: end_of_lines(data)]

    def take(self, lines: bytes) -> None:
        """Take lines that were returned before."""
        self._at, self.taken = self._at + len(lines), self.taken + len(lines)
        alone = lines.count(b"\r") - lines.count(b"\r\n") if b"\r" in lines else 0
        self.number += int(np.count_nonzero(np.frombuffer(lines, np.uint8) == NEWLINE)) + alone

    def __iter__(self) -> TextLines:
        return self

    def __next__(self) -> str:
        """Take one line, with its end."""
        found = LINE_END.search(self._data, self._at)
        while (found is None or found.end() == len(self._data)) and not self._ended:  # \r may begin \r\n
            if self.available(min(2 * self.available(1), LONGEST_LINE + 1)) > LONGEST_LINE:
                raise ValueError(
                    f"{self.name}, line {self.number + 1} has more than {LONGEST_LINE:,} bytes. Is this a CSV file? Write one "
                    "row a line."
                )
            found = LINE_END.search(self._data, self._at)
        line = self._data[self._at : len(self._data) if found is None else found.end()]
        if not line:
            raise StopIteration
        self._at, self.taken, self.number = self._at + len(line), self.taken + len(line), self.number + 1
        if b"\0" in line:
            advice = self._advice("Try encoding='utf-16'.")
            raise ValueError(f"{self.name}, line {self.number} holds a NUL byte: this is not text in {self.encoding}. {advice}")
        return line.decode("utf-8")


def end_of_lines(data: bytes) -> int:
    r"""Return how many of the first bytes of the data are whole lines, as far as quotation marks show.

    >>> end_of_lines(b'a,b\nc,d'), end_of_lines(b'a,"b\nc'), end_of_lines(b'a,b\nc,d\n')
    (4, 0, 8)
    """
    buffer: Array = np.frombuffer(data, np.uint8)
    end = data.rfind(b"\n") + 1
    if b'"' not in data or not np.count_nonzero(buffer[:end] == QUOTE) % 2:
        return end
    ends, marks = np.flatnonzero(buffer == NEWLINE), np.flatnonzero(buffer == QUOTE)
    outside = ends[np.searchsorted(marks, ends) % 2 == 0]
    return int(outside[-1]) + 1 if len(outside) else 0
