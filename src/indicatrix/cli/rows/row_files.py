"""The choice of a reader for a file: CSV, plain or compressed, or Parquet, Arrow and Feather."""

from __future__ import annotations

import contextlib
import gzip
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from ...algebra.spelling import close_names
from .arrow_files import open_arrow
from .csv_files import Dialect, read_csv
from .row_source import Source

ARROW = (".parquet", ".pq", ".arrow", ".feather", ".ipc")
STDIN = "-"


@contextlib.contextmanager
def open_rows(path: str, dialect: Dialect, wanted: tuple[str, ...]) -> Iterator[Source]:
    """Open a file, or standard input, as a source of rows; ``wanted`` are columns that must exist."""
    if path != STDIN:
        if not Path(path).exists():
            advice = similar_file(path) or "Check the name, or give - to read standard input."
            raise FileNotFoundError(f"There is no file {path}. {advice}")
        if Path(path).is_dir():
            raise IsADirectoryError(f"{path} is a folder. Give the files in it, for example {Path(path) / '*.csv'}.")
        if Path(path).suffix.lower() in ARROW:
            with open_arrow(path) as source:
                yield source
            return
    if path == STDIN:
        yield read_csv(sys.stdin.buffer, input_name(path), dialect, wanted)
        return
    with Path(path).open("rb") as file, _unpack(file, path) as data:
        size = os.fstat(file.fileno()).st_size

        def share() -> float | None:
            return file.tell() / size if size and file.seekable() else None

        yield replace(read_csv(data, input_name(path), dialect, wanted), share=share)


def similar_file(path: str) -> str:
    """Return the question whether a file of a similar name was meant; "" without one."""
    folder = Path(path).parent
    names = sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []
    close = close_names(Path(path).name, names, cutoff=0.8)
    return f"Did you mean {Path(path).with_name(close[0])}?" if close else ""


def input_name(path: str) -> str:
    """Return the name of an input in messages.

    >>> input_name("-"), input_name("runs/a.csv")
    ('standard input', 'runs/a.csv')
    """
    return "standard input" if path == STDIN else path


def _unpack(file: IO[bytes], path: str) -> contextlib.AbstractContextManager[Any]:
    return gzip.GzipFile(fileobj=file) if path.lower().endswith(".gz") else contextlib.nullcontext(file)
