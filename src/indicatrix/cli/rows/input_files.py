"""The files that the command line names; standard input is copied, so that it can be read twice."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from io import BufferedReader
from typing import IO, cast

from ...engines.files.evaluation_of_files import need_pyarrow
from ...engines.files.found_files import FoundFile, find_files
from ..progress import report_progress

STDIN = "-"
BLOCK = 1 << 20


@contextlib.contextmanager
def found_files(path: str) -> Iterator[list[FoundFile]]:
    """Find the files that a path, a pattern, a folder or standard input means."""
    need_pyarrow()
    if path != STDIN:
        yield find_files(path)
        return
    with tempfile.NamedTemporaryFile() as copy:
        _copy_input(copy)
        yield [replace(file, name=input_name(STDIN)) for file in find_files(copy.name, format="csv")]


def _copy_input(copy: IO[bytes]) -> None:
    """Copy standard input, and say how many rows there are so far."""
    lines, stream = 0, cast(BufferedReader, sys.stdin.buffer)
    while block := stream.read1(BLOCK):  # ends soon, so that Ctrl-C is seen
        copy.write(block)
        lines += block.count(b"\n")
        report_progress(f"{input_name(STDIN)}: {max(0, lines - 1):,} rows")
    copy.flush()


def input_name(path: str) -> str:
    """Return the name of an input in messages.

    >>> input_name("-"), input_name("runs/a.csv")
    ('standard input', 'runs/a.csv')
    """
    return "standard input" if path == STDIN else path
