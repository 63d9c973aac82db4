"""The files that the command line names; standard input is copied, so that it can be read twice."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace

from ...engines.files.evaluation_of_files import need_pyarrow
from ...engines.files.found_files import FoundFile, find_files

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
        copy.writelines(iter(lambda: sys.stdin.buffer.read1(BLOCK), b""))  # each read ends soon, so that Ctrl-C is seen
        copy.flush()
        yield [replace(file, name=input_name(STDIN)) for file in find_files(copy.name, format="csv")]


def input_name(path: str) -> str:
    """Return the name of an input in messages.

    >>> input_name("-"), input_name("runs/a.csv")
    ('standard input', 'runs/a.csv')
    """
    return "standard input" if path == STDIN else path
