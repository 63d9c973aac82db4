"""Ctrl-C while the command line is starting: one line instead of a traceback.

Loading NumPy and the library takes a moment, and the command line itself cannot catch what happens before it is loaded.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

INTERRUPTED = 130


def is_command_line() -> bool:
    """Return whether this process was started as ``indicatrix`` or as ``python -m indicatrix``."""
    program = next(iter(getattr(sys, "argv", ())), "")
    if program == "-m":  # what Python writes there until it has loaded the package of the module
        return ("-m", "indicatrix") in pairwise(sys.orig_argv)
    return program.replace("\\", "/").rpartition("/")[2].removesuffix(".exe") == "indicatrix"


@contextlib.contextmanager
def quiet_start() -> Iterator[None]:
    """End the process quietly on Ctrl-C while the library is loaded; only if it is the command line."""
    if not is_command_line():
        yield
        return
    import signal
    import threading

    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield
        return
    signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(*_: Any) -> None:
    """End the process at once: an exception could be caught by a library that is being loaded."""
    import os

    os.write(2, b"\nInterrupted.\n")
    os._exit(INTERRUPTED)
