"""The command line: evaluate files, look at measures, browse the catalogue.

Each command is one module. ``options`` writes what it takes, ``asked`` is what it asks of files, ``counting`` makes evaluations
from files, ``tables`` decides what is shown of them, and ``output`` prints for all commands. A
reader that stops early, as `head` does, is not an error: the rest of the output is discarded.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator

from ..quiet_start import INTERRUPTED

BAD_USE = 2


def main() -> None:
    """Run the command line; its libraries come with the extra ``cli``."""
    try:
        from .app import run
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted.\n")
        sys.exit(INTERRUPTED)
    except ModuleNotFoundError as missing:
        if install_hint(missing) is None:
            raise
        sys.stderr.write(f"Error: {install_hint(missing)}\n")
        sys.exit(BAD_USE)
    run()


def install_hint(missing: ModuleNotFoundError) -> str | None:
    """Return how to install a missing library of the command line; None for any other library."""
    library = (missing.name or "").partition(".")[0]
    if library not in ("click", "rich"):
        return None
    return f"The command line needs click and rich, and {library} is missing: pip install 'indicatrix[cli]'"


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
