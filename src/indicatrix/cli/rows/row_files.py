"""The choice of a reader for a file: CSV, plain or compressed, or Parquet, Arrow and Feather."""

from __future__ import annotations

import contextlib
import gzip
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
            raise FileNotFoundError(f"There is no file {path}. Check the name, or give - to read standard input.")
        if Path(path).is_dir():
            raise IsADirectoryError(f"{path} is a folder. Give the files in it, for example {Path(path) / '*.csv'}.")
        if Path(path).suffix.lower() in ARROW:
            with open_arrow(path) as source:
                yield source
            return
    with _open_bytes(path) as data:
        yield read_csv(data, input_name(path), dialect, wanted)


def input_name(path: str) -> str:
    """Return the name of an input in messages.

    >>> input_name("-"), input_name("runs/a.csv")
    ('standard input', 'runs/a.csv')
    """
    return "standard input" if path == STDIN else path


def _open_bytes(path: str) -> contextlib.AbstractContextManager[Any]:
    if path == STDIN:
        return contextlib.nullcontext(sys.stdin.buffer)
    return gzip.open(path, "rb") if path.lower().endswith(".gz") else Path(path).open("rb")
