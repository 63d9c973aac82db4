"""Parquet, Arrow and Feather files into columns of typed cells; this needs pyarrow."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import row_source
from .row_source import Block, Column, Source, check_names

PARQUET = (".parquet", ".pq")


@contextlib.contextmanager
def open_arrow(path: str) -> Iterator[Source]:
    """Open a Parquet, Arrow or Feather file as a source of rows."""
    try:
        import pyarrow  # noqa: F401 - to say that it is missing
    except ModuleNotFoundError:
        raise ImportError(f"Reading {path} needs pyarrow, which is not installed: pip install pyarrow") from None
    with _name_damage(path, "is not {} file"):
        file, schema, batches, total = _parquet(path) if Path(path).suffix.lower() in PARQUET else _ipc(path)
    names, types = tuple(schema.names), dict(zip(schema.names, schema.types, strict=True))

    rows = 0

    def blocks(chosen: tuple[str, ...]) -> Iterator[Block]:
        nonlocal rows
        for name in chosen:
            _check_type(path, name, types[name])
        for block in _damage_named(path, _typed_blocks(batches, chosen)):
            rows += len(block[chosen[0]])
            yield block
        if not rows:
            raise ValueError(f"{path} has columns but no rows. Give a file with one example per row.")

    with file:
        check_names(names, path)
        yield Source(path, names, blocks, typed=True, share=lambda: rows / total if total else None)


@contextlib.contextmanager
def _name_damage(path: str, problem: str) -> Iterator[None]:
    """Turn what pyarrow raises on a damaged file, of several types, into an error that names the file."""
    import pyarrow

    try:
        yield
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as wrong:
        kind = "a Parquet" if Path(path).suffix.lower() in PARQUET else "an Arrow or Feather"
        reason = next(iter(str(wrong).splitlines()), type(wrong).__name__).rstrip(".")
        raise ValueError(f"{path} {problem.format(kind)}: {reason}. Fetch or write it again.") from None


def _damage_named(path: str, blocks: Iterator[Block]) -> Iterator[Block]:
    """Yield blocks; damage in the middle of a file is an error that names the file."""
    while True:
        with _name_damage(path, "is damaged and cannot be read as {} file"):
            block = next(blocks, None)
        if block is None:
            return
        yield block


def _typed_blocks(batches: Any, chosen: tuple[str, ...]) -> Iterator[Block]:
    for batch in batches(list(chosen)):
        if batch.num_rows:
            yield {name: _column(batch.column(name)) for name in chosen}


def _check_type(path: str, name: str, kind: Any) -> None:
    """Refuse a column of lists or records, which would be read as the rows of a matrix."""
    import pyarrow

    if pyarrow.types.is_nested(kind):
        raise ValueError(
            f"{path}, column {name!r} holds {kind}, but a cell must be one label, number or group. If a row has several "
            "labels, make one 0/1 column for each label, and name them with --multilabel."
        )


def _parquet(path: str) -> tuple[Any, Any, Any, int]:
    from pyarrow import parquet

    file = parquet.ParquetFile(path)
    return file, file.schema_arrow, lambda columns: file.iter_batches(row_source.BLOCK, columns=columns), file.metadata.num_rows


def _ipc(path: str) -> tuple[Any, Any, Any, int]:
    """Return an Arrow file, its schema, its batches, and 0 for its unknown number of rows.

    A stream does not start with magic bytes.
    """
    import pyarrow

    with Path(path).open("rb") as file:
        is_file = file.read(6) == b"ARROW1"
    mapped = pyarrow.memory_map(path)
    opened = (pyarrow.ipc.open_file if is_file else pyarrow.ipc.open_stream)(mapped)
    batches = (opened.get_batch(i) for i in range(opened.num_record_batches)) if is_file else opened
    return mapped, opened.schema, lambda columns: (batch.select(columns) for batch in batches), 0


def _column(column: Any) -> Column:
    """Return a column; NaN, which pandas writes for a missing number, is missing."""
    return Column.of([None if cell != cell else cell for cell in column.to_pylist()])
