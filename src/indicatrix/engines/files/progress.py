"""How far the reading of files is: rows, rows per second, and the time that is left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from ...words.call_mistakes import answers_mistakes

STEP = 0.2  # seconds between two states of the line
WIDTH = 30  # of the bar
CLEAR = "\r\x1b[K"


def bar(share: float) -> str:
    """Return a bar for the share of the work that is done, to stand before a text.

    >>> bar(0.5)
    '[###############---------------]  50%  '
    """
    done = min(max(share, 0.0), 1.0)
    full = int(done * WIDTH)
    return f"[{'#' * full}{'-' * (WIDTH - full)}] {done:4.0%}  "


@answers_mistakes
class Progress(NamedTuple):
    """A moment of a run.

    Attributes
    ----------
    file : str
        The file that is read.
    rows : int
        How many rows were read.
    share : float or None
        Which share of all files was read, if that is known.
    seconds : float
        How long it has taken.
    resumed : int
        How many of the rows an earlier run had counted, whose checkpoint this one goes on from.
    """

    file: str
    rows: int
    share: float | None
    seconds: float
    resumed: int = 0

    @property
    def left(self) -> float | None:
        """The seconds that are probably left, if the share is known."""
        own = self.rows - self.resumed  # rows, which took the seconds
        return None if not self.share or not own else self.seconds * (1 - self.share) / self.share * (self.rows / own)

    @property
    def text(self) -> str:
        """The rows, the rate and the time left.

        >>> Progress("a.csv", 4_000_000, 0.5, 2.0).text
        'a.csv: 4,000,000 rows, 2.0 million rows/s, 2 s left'
        """
        rate = (self.rows - self.resumed) / self.seconds if self.seconds else 0
        speed = f", {rate / 1e6:.1f} million rows/s" if rate >= 1e5 else f", {rate:,.0f} rows/s" if rate else ""
        left = "" if self.left is None else f", {_time(self.left)} left"
        return f"{self.file}: {self.rows:,} rows{speed}{left}"


def _time(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole} s" if whole < 100 else f"{whole // 60} min" if whole < 6000 else f"{whole / 3600:.1f} h"


class Reporter:
    """Calls what the caller gave with the progress; True draws a line on standard error."""

    def __init__(self, progress: Any) -> None:
        if not (isinstance(progress, bool) or progress is None or callable(progress)):
            raise TypeError(f"progress={progress!r} must be True, False or a function of an ix.types.Progress.")
        self.start = time.monotonic()
        self.tell: Callable[[Progress], Any] | None = self._draw if progress is True else (progress or None)
        self.drawn = 0.0
        self.resumed = 0  # rows that an earlier run had counted

    def report(self, file: str, rows: int, share: float | None) -> None:
        """Say how far the run is, given the rows that this run and an earlier one have read."""
        if self.tell is not None:
            self.tell(Progress(file, rows, share, time.monotonic() - self.start, self.resumed))

    def _draw(self, now: Progress) -> None:
        if now.seconds - self.drawn >= STEP:
            self.drawn = now.seconds
            sys.stderr.write(f"{CLEAR}{'' if now.share is None else bar(now.share)}{now.text}")
            sys.stderr.flush()

    def end(self) -> None:
        """Take the line off the screen."""
        if self.drawn:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()
