"""A reader that stops early, as `head` does, is not an error: the rest of the output is discarded."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator


def reader_is_gone(wrong: OSError) -> bool:
    """Return whether nobody reads what a command writes; Windows then says that an argument is invalid.

    >>> reader_is_gone(BrokenPipeError()), reader_is_gone(FileNotFoundError())
    (True, False)
    """
    return isinstance(wrong, BrokenPipeError) or (os.name == "nt" and (wrong.errno, wrong.filename) == (errno.EINVAL, None))


@contextlib.contextmanager
def until_the_reader_is_gone() -> Iterator[None]:
    """End the block, without an error, when nobody reads what it writes."""
    try:
        yield
    except OSError as wrong:
        if not reader_is_gone(wrong):
            raise
        stop_writing()


def stop_writing() -> None:
    """Discard the rest of the output, so that the interpreter does not fail to flush it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
