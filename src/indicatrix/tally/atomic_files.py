"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a place to write to that becomes the file ``path`` at the end, and vanishes if the writing is interrupted.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, whole(Path(folder) / "out.txt") as place:
    ...     _ = place.write_text("all of it")
    """
    target = Path(path)
    # The suffix stays the last part: libraries that write pictures and tables choose their format by it.
    part = target.with_name(f".{target.stem}.{os.getpid()}.part{target.suffix}")
    try:
        yield part
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
