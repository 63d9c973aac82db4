"""Bytes of a text file into lines; bytes that are not text are an error that says what to do."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from typing import IO, Any

# Characters in a cell: some columns hold whole texts, but an open quotation mark should not read to the end of the file.
LONGEST = 1 << 24
LONGEST_LINE = 4 * LONGEST  # characters in a line, so that a file without line ends does not fill the memory
READ = 1 << 20  # bytes read at once
PACKED_ERRORS = (gzip.BadGzipFile, EOFError, zlib.error)
# The first bytes of files that are not text, and what to do about them.
BEGINNINGS = {
    b"\xff\xfe": "Name its encoding: encoding='utf-16'.",
    b"\xfe\xff": "Name its encoding: encoding='utf-16'.",
    b"\x1f\x8b": "It is compressed: unpack it first, or give the file a name that ends with .gz.",
    b"PK": "It is an archive or a spreadsheet: write the rows to a CSV file.",
    b"PAR1": "It is a Parquet file: give it a name that ends with .parquet.",
    b"ARROW1": "It is an Arrow file: give it a name that ends with .arrow.",
}


def is_utf8(encoding: str) -> bool:
    """Return whether the name of an encoding is one of UTF-8."""
    return encoding.lower().replace("_", "-") in ("utf-8", "utf8")


def check_encoding(encoding: str) -> None:
    """Refuse a name that Python does not know as an encoding of text."""
    try:
        io.TextIOWrapper(io.BytesIO(), encoding)
    except (LookupError, ValueError, TypeError):
        raise ValueError(
            f"encoding={encoding!r} is unknown. Use the name that Python has for it, such as 'utf-8', 'utf-16', 'cp1252' or "
            "'latin-1'."
        ) from None


class CountedBytes(io.BufferedIOBase):
    """Bytes that count how many were read and keep their beginning, because a pipe cannot go back."""

    def __init__(self, source: Any, count: int = 0, beginning: bytes = b"", *, keep: bool = True) -> None:
        self.source, self.count, self.beginning = source, count, beginning
        self.keep, self.kept = keep, bytearray()  # what was read until the header was found

    def readable(self) -> bool:
        """Return True."""
        return True

    def read1(self, size: int = -1) -> bytes:
        """Return the next bytes, about as many as asked for."""
        read = getattr(self.source, "read1", self.source.read)
        data: bytes = read(max(size, 1 << 16))
        self.count += len(data)
        self.beginning = self.beginning or data[:8]
        if self.keep:
            self.kept += data
        return data

    def read(self, size: int | None = -1) -> bytes:
        """Return the next bytes, about as many as asked for."""
        return self.read1(-1 if size is None else size)


def text_lines(counted: CountedBytes, name: str, encoding: str, before: int = 0) -> Iterator[str]:
    """Yield the lines of a text file as they are, including line ends; ``before`` were read already."""
    # The codec utf-8 would keep a byte order mark as part of the first column's name.
    codec = "utf-8-sig" if is_utf8(encoding) and not before else encoding
    text = io.TextIOWrapper(counted, codec, newline="")  # type: ignore[type-var]
    try:
        for number, line in enumerate(iter(lambda: text.readline(LONGEST_LINE + 1), ""), before + 1):
            if len(line) > LONGEST_LINE:
                raise ValueError(
                    f"{name}, line {number} has more than {LONGEST_LINE:,} characters. Is this a CSV file? Write one row a line."
                )
            if "\0" in line:
                advice = _advice(counted.beginning, "Try encoding='utf-16'.")
                raise ValueError(f"{name}, line {number} holds a NUL byte: this is not text in {encoding}. {advice}")
            yield line
    except UnicodeDecodeError as wrong:
        at = counted.count - len(wrong.object) + wrong.start
        byte = wrong.object[wrong.start]
        advice = _advice(counted.beginning, "Name its encoding, for example encoding='cp1252'.")
        raise ValueError(f"{name} is not text in {encoding}: byte {at} is 0x{byte:02x}. {advice}") from None
    except PACKED_ERRORS as wrong:
        raise _packing_error(name, wrong) from None
    finally:
        text.detach()  # the file is closed where it was opened


def _packing_error(name: str, wrong: Exception) -> ValueError:
    return ValueError(f"{name} is not a whole gzip or zstd file: {wrong}. Fetch or compress it again.")


def _advice(beginning: bytes, otherwise: str) -> str:
    """Return what to do about a file that is not text, if its beginning shows what it is."""
    return next((advice for start, advice in BEGINNINGS.items() if beginning.startswith(start)), otherwise)


class ChainedBytes(io.RawIOBase):
    """Bytes that were read already, and then the rest of their source."""

    def __init__(self, first: bytes, rest: IO[bytes]) -> None:
        self.first, self.rest = first, rest

    def read1(self, size: int = -1) -> bytes:
        """Return all bytes that were read already, then the next ones."""
        if self.first:
            data, self.first = self.first, b""
            return data
        return bytes(getattr(self.rest, "read1", self.rest.read)(size))


def read_bytes(counted: CountedBytes, name: str, size: int) -> bytes:
    """Return the next bytes of a file; one that is not packed as a whole is an error that names it."""
    try:
        return counted.read1(max(size, READ))
    except PACKED_ERRORS as wrong:
        raise _packing_error(name, wrong) from None
