"""How far a command is, in one line on standard error.

It is shown on a terminal only that can clear a line, and only if the command takes longer than a second.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Event, RLock, Thread

from ..engines.files.progress import CLEAR, bar
from ..report.grid import printable

DELAY, STEP = 1.0, 0.1  # seconds until the line appears, and between two states of it


@dataclass
class _Line:
    """The state of the line."""

    text: str = "Working"
    share: float | None = None  # of the work that is done, if it is known
    shown: bool = False  # on the screen
    lock: RLock = field(default_factory=RLock)


_line = _Line()


def report_progress(text: str, share: float | None = None) -> None:
    """Say what the command is doing, and which share of it is done if that is known."""
    _line.text, _line.share = text, share


@contextlib.contextmanager
def show_progress() -> Iterator[None]:
    """Show how far the command is, as long as it runs."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    report_progress("Working")
    ended = Event()
    thread = Thread(target=_draw_until, args=(ended,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextlib.contextmanager
def clear_line() -> Iterator[None]:
    """Take the line off the screen while something else is printed."""
    with _line.lock:
        if _line.shown:
            _write(CLEAR)
            _line.shown = False
        yield


def _draw_until(ended: Event) -> None:
    start = time.monotonic()
    wait = DELAY
    while not ended.wait(wait):
        with _line.lock:
            _write(CLEAR + picture(_line.text, _line.share, time.monotonic() - start, shutil.get_terminal_size().columns))
            _line.shown = True
        wait = STEP
    with clear_line():
        pass


def _write(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # the terminal may be gone, which is not the command's concern
        sys.stderr.write(text)
        sys.stderr.flush()


def picture(text: str, share: float | None, seconds: float, columns: int) -> str:
    """Return the line, at most as wide as the terminal.

    >>> picture("a.csv: 5 rows", 0.5, 2, 80), picture("Working", None, 2, 80)
    ('[###############---------------]  50%  a.csv: 5 rows', 'Working … 2 s')
    """
    text = printable(text)
    text = f"{text} … {seconds:.0f} s" if share is None else bar(share) + text
    return text[: columns - 1]
