"""An open file of rows, of any format: its columns, and record batches of some of them."""

from __future__ import annotations

import contextlib
import gzip
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import IO, Any, NamedTuple

from ...words.wording import short
from ..arrow_columns import is_text_column
from .csv_files import CsvForm, read_csv
from .found_files import NO_VALUE, FoundFile
from .text_lines import json_batches, open_json

ROWS = 1 << 17  # of a batch
WHOLE = 1 << 25  # bytes: a smaller row group of a Parquet file is read at once, which takes less time than parts of it


class Piece(NamedTuple):
    """Some rows of a file, one after the other."""

    batch: Any
    first: int  # the number of its first row in the file, from 1
    group: int | None = None  # the row group of a Parquet file
    bad: Mapping[int, str] = {}  # rows of it, by their number in the file, that could not be read, and why

    def place(self, name: str, row: int) -> str:
        """Return where a row of the batch stands, for a message."""
        group = "" if self.group is None else f" row group {self.group},"
        return f"{name},{group} data row {self.first + row}"


class Wanted(NamedTuple):
    """What is read of a file."""

    columns: tuple[str, ...]
    numbers: tuple[str, ...] = ()  # columns of numbers; in text files the others are text
    skip: int = 0  # rows at the beginning that were read before
    count_bad: bool = False  # whether a row that cannot be read is reported in its piece; otherwise it is an error
    blank: bool = True  # whether a text without a letter is missing
    times: int = 1  # how many times as large as usual a batch is


@dataclass(frozen=True)
class Rows:
    """The columns of an open file, and a function that yields its rows."""

    columns: tuple[str, ...]
    pieces: Callable[[Wanted], Iterator[Piece]]
    typed: bool  # cells have types, as in Parquet files; otherwise all cells are text
    total: int | None = None  # rows, if this is known
    share: Callable[[], float | None] = field(default=lambda: None)  # of the file that has been read
    name: str = ""  # of the file, in messages


@contextlib.contextmanager
def open_rows(file: FoundFile, dialect: CsvForm, wanted: tuple[str, ...] = ()) -> Iterator[Rows]:
    """Open a file; ``wanted`` are columns that must exist, which may decide how a CSV file is read."""
    opener = {"parquet": _open_parquet, "arrow": _open_ipc, "csv": _open_csv, "jsonl": _open_jsonl}[file.format]
    with contextlib.ExitStack() as opened:
        with _named_errors(file.name):
            rows = opened.enter_context(opener(file, dialect, wanted))
        check_names(rows.columns, file.name)
        yield _with_partition(replace(rows, pieces=partial(_pieces_with_named_errors, rows, file.name), name=file.name), file)


def _pieces_with_named_errors(rows: Rows, name: str, wanted: Wanted) -> Iterator[Piece]:
    with _named_errors(name):
        yield from rows.pieces(wanted)


@contextlib.contextmanager
def _named_errors(name: str) -> Iterator[None]:
    """Let an error of a disk or a network say which file was read: there may be thousands."""
    try:
        yield
    except OSError as wrong:
        if name in str(wrong):
            raise
        text = f"{name} cannot be read: {wrong.strerror or wrong}"
        raise (OSError(text) if wrong.errno is None else OSError(wrong.errno, text)) from None


def _with_partition(rows: Rows, file: FoundFile) -> Rows:
    """Return the rows with a column for each folder such as site=3; a column of its name must agree."""
    if not file.partition:
        return rows
    more = {key: value for key, value in file.partition.items() if key not in rows.columns}
    import pyarrow as pa

    def pieces(wanted: Wanted) -> Iterator[Piece]:
        own = tuple(c for c in wanted.columns if c not in more) or rows.columns[:1]
        for piece in rows.pieces(wanted._replace(columns=own)):
            batch = piece.batch
            for key in wanted.columns:
                if key in more:
                    zeros = pa.repeat(pa.scalar(0, pa.int32()), len(batch))
                    constant = pa.DictionaryArray.from_arrays(zeros, pa.array([more[key]]))
                    batch = batch.append_column(key, constant if more[key] is not None else pa.nulls(len(batch)))
                elif key in file.partition:
                    _check_folder(batch.column(key), key, file)
            yield piece._replace(batch=batch)

    return replace(rows, columns=(*rows.columns, *more), pieces=pieces)


def _check_folder(column: Any, key: str, file: FoundFile) -> None:
    """Refuse a column that says something else than the folder of the same name in which its file lies."""
    value = file.partition[key]
    for cell in column.unique().to_pylist():
        if cell != value and (None in (cell, value) or not _same_text(str(cell), str(value))):
            raise ValueError(
                f"{file.name}: the folder {key}={NO_VALUE if value is None else value} and the column {key!r}, which has "
                f"{short(cell)}, say different things about the same rows. Rename one of them."
            )


def _same_text(one: str, other: str) -> bool:
    """Return whether two texts are the same, or spell the same whole number: month=05 and 5.

    >>> _same_text("05", "5"), _same_text("x", "x"), _same_text("5", "6")
    (True, True, False)
    """
    return one == other or (one.isdecimal() and other.isdecimal() and one.lstrip("0") == other.lstrip("0"))


def check_names(columns: tuple[str, ...], name: str) -> None:
    """Refuse a file with two columns of the same name."""
    seen: dict[str, int] = {}
    for at, column in enumerate(columns, 1):
        if column in seen and column:
            raise ValueError(
                f"{name} has two columns {column!r}, the {_ordinal(seen[column])} and the {_ordinal(at)}. Rename one of them."
            )
        seen[column] = at


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


@contextlib.contextmanager
def _open_parquet(file: FoundFile, dialect: CsvForm, wanted: tuple[str, ...]) -> Iterator[Rows]:
    from pyarrow import parquet, types

    del dialect, wanted
    with name_damage(file.name, "is not a Parquet file"):
        stream = file.system.open_input_file(file.path)
        schema = parquet.ParquetFile(stream).schema_arrow
    texts = [f.name for f in schema if types.is_string(f.type) or types.is_large_string(f.type)]
    with stream, name_damage(file.name, "is not a Parquet file"):
        opened = parquet.ParquetFile(stream, read_dictionary=texts)  # codes, without a text for every row
        total = opened.metadata.num_rows
        done = [0]

        def width_of(columns: tuple[str, ...]) -> float:
            """Return the bytes of a row of these columns in memory; without limit if a row has no fixed size."""
            return sum(_width(opened.schema_arrow.field(column).type) for column in columns)

        def pieces(wanted: Wanted) -> Iterator[Piece]:
            first = 1
            for group in range(opened.num_row_groups):
                rows = opened.metadata.row_group(group).num_rows
                if first + rows <= wanted.skip + 1:  # all of it was read before
                    first += rows
                    continue
                size = rows if rows * width_of(wanted.columns) <= WHOLE else ROWS * wanted.times
                for batch in _read(file, opened.iter_batches(size, row_groups=[group], columns=[*wanted.columns])):
                    for piece in _typed_pieces(batch, first, group, wanted):
                        done[0] = piece.first - 1 + len(piece.batch)
                        yield piece
                    first += len(batch)

        yield Rows(tuple(schema.names), pieces, True, total, lambda: done[0] / total if total else None)


@contextlib.contextmanager
def _open_ipc(file: FoundFile, dialect: CsvForm, wanted: tuple[str, ...]) -> Iterator[Rows]:
    """Open an Arrow file or stream; a stream does not start with magic bytes."""
    del dialect, wanted
    with name_damage(file.name, "is not an Arrow or Feather file"):
        stream = file.system.open_input_file(file.path)  # a memory map would end the process if the file became shorter
        whole = stream.read(6) == b"ARROW1"
        names = _open_batches(stream, whole).schema.names
    done: list[float | None] = [None]

    def batches(chosen: tuple[str, ...]) -> Iterator[Any]:
        opened = _open_batches(stream, whole, [names.index(name) for name in chosen])
        number = opened.num_record_batches if whole else None
        for i, batch in enumerate(map(opened.get_batch, range(number)) if number is not None else opened, 1):
            done[0] = i / number if number else stream.tell() / file.size if file.size else None
            yield batch.select([*chosen])

    def pieces(wanted: Wanted) -> Iterator[Piece]:
        first = 1
        for batch in _read(file, batches(wanted.columns)):
            yield from _typed_pieces(batch, first, None, wanted)
            first += len(batch)

    with stream:
        yield Rows(tuple(names), pieces, True, None, lambda: done[0])


def _open_batches(stream: Any, whole: bool, chosen: list[int] | None = None) -> Any:
    """Return a reader of the batches of an Arrow file or stream, with all columns or the chosen ones."""
    import pyarrow as pa

    stream.seek(0)
    return (pa.ipc.open_file if whole else pa.ipc.open_stream)(stream, options=pa.ipc.IpcReadOptions(included_fields=chosen))


def _typed_pieces(batch: Any, first: int, group: int | None, wanted: Wanted) -> Iterator[Piece]:
    """Yield the rows of a typed batch that were not read before, in parts; a blank text is missing."""
    for start in range(max(wanted.skip - first + 1, 0), len(batch), step := ROWS * wanted.times):
        part = batch.slice(start, step)
        yield Piece(_without_blanks(part) if wanted.blank else part, first + start, group)


def _width(kind: Any) -> float:
    """Return the bytes of a value of a type of Arrow; infinity if each value has its own."""
    from pyarrow import types

    if types.is_dictionary(kind):
        return _width(kind.index_type)
    return max(kind.bit_width / 8, 1) if types.is_primitive(kind) else math.inf


def _without_blanks(batch: Any) -> Any:
    """Return a batch with codes for its texts, of which blank ones are missing."""
    import pyarrow as pa
    from pyarrow import compute

    for i, described in enumerate(batch.schema):
        if is_text_column(described.type):
            column = batch.column(i)
            column = column if pa.types.is_dictionary(described.type) else column.dictionary_encode()
            texts = column.dictionary
            texts = texts.cast(pa.large_string()) if pa.types.is_string_view(texts.type) else texts
            blank = compute.equal(compute.utf8_trim_whitespace(texts), "")
            if compute.any(blank).as_py():
                places = pa.array(range(len(column.dictionary)), pa.int32())
                known = compute.if_else(blank, pa.scalar(None, pa.int32()), places)
                column = pa.DictionaryArray.from_arrays(known.take(column.indices), column.dictionary)
            batch = batch.set_column(i, described.name, column)
    return batch


def _read(file: FoundFile, batches: Iterator[Any]) -> Iterator[Any]:
    """Yield batches that are safe to read; damage in the middle of a file is an error that names it."""
    kind = "a Parquet" if file.format == "parquet" else "an Arrow or Feather"
    batches = iter(batches)
    while True:
        with name_damage(file.name, f"is damaged and cannot be read as {kind} file"):
            batch = next(batches, None)
            if batch is None:
                return
            # Damage may make a code that is in no dictionary, a text that is not UTF-8, or one that begins outside of its buffer:
            # whoever reads it would read other bytes of this process, or end it.
            batch.validate(full=True)
        yield batch


@contextlib.contextmanager
def name_damage(name: str, problem: str) -> Iterator[None]:
    """Turn what pyarrow raises on a damaged file, of several types, into an error that names the file."""
    import pyarrow

    try:
        yield
    except MemoryError as wrong:  # of damage, too: it may say that a few bytes unpack to terabytes
        raise MemoryError(f"{name} needs more memory than there is, or it is damaged: {wrong}") from None
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as wrong:
        reason = next(iter(str(wrong).splitlines()), type(wrong).__name__).rstrip(".")
        raise ValueError(f"{name} {problem}: {reason}. Fetch or write it again.") from None


@contextlib.contextmanager
def _open_csv(file: FoundFile, dialect: CsvForm, wanted: tuple[str, ...]) -> Iterator[Rows]:
    with _open_bytes(file) as (data, share):
        found = read_csv(data, file.name, dialect, wanted)

        def pieces(wanted: Wanted) -> Iterator[Piece]:
            first, bad = 1, dict[int, str]()
            numbers = tuple(c for c in wanted.numbers if c in wanted.columns)
            for batch in found.blocks(wanted.columns, numbers, bad.__setitem__ if wanted.count_bad else None):
                gone = min(max(wanted.skip - first + 1, 0), len(batch))
                if gone < len(batch):
                    here = {row: why for row, why in bad.items() if row >= first + gone}
                    yield Piece(batch.slice(gone), first + gone, None, here)
                first += len(batch)
                bad.clear()

        yield Rows(found.columns, pieces, False, None, share)


@contextlib.contextmanager
def _open_jsonl(file: FoundFile, dialect: CsvForm, wanted: tuple[str, ...]) -> Iterator[Rows]:
    del dialect, wanted
    with _open_bytes(file) as (data, share):
        columns, blocks = open_json(data, file.name)

        def pieces(wanted: Wanted) -> Iterator[Piece]:
            row = 1
            for batch, bad in json_batches(blocks, file.name, wanted.columns, wanted.count_bad):
                bad = {row + i: why for i, why in bad.items()}
                for piece in _typed_pieces(batch, row, None, wanted):
                    end = piece.first + len(piece.batch)
                    yield piece._replace(bad={r: why for r, why in bad.items() if piece.first <= r < end})
                row += len(batch)

        yield Rows(columns, pieces, True, None, share)


@contextlib.contextmanager
def _open_bytes(file: FoundFile) -> Iterator[tuple[IO[bytes], Callable[[], float | None]]]:
    """Open a file of text, unpacked, with the share of it that has been read."""
    import pyarrow as pa

    with file.system.open_input_file(file.path) as stream:
        size = file.size or 0

        def share() -> float | None:
            return stream.tell() / size if size else None

        if file.packed == "zstd":
            yield _Unpacked(pa.CompressedInputStream(stream, "zstd")), share  # type: ignore[misc]
        elif file.packed == "gzip":
            with gzip.GzipFile(fileobj=stream) as data:
                yield data, share  # type: ignore[misc]
        else:
            yield stream, share


class _Unpacked:
    """The bytes of a packed stream; damage is an EOFError, as Python's own readers have it."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def read(self, size: int = -1) -> bytes:
        try:
            return bytes(self.stream.read(size if size >= 0 else None))
        except OSError as wrong:
            raise EOFError(str(wrong)) from None
