"""The lines of a text file, as UTF-8; bytes that are not text are an error that says what to do."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from typing import IO, Any

import numpy as np

from ...algebra.arrays import Array

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
