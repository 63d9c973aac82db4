"""Files that are written completely or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def replace_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path that becomes the file ``path`` at the end.

    If the writing is interrupted, nothing is left behind.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, replace_file(Path(folder) / "out.txt") as place:
    ...     _ = place.write_text("all of it")
    """
    target = Path(path)
    # The suffix stays at the end: libraries that write pictures and tables choose their format by it.
    part = target.with_name(f".{target.stem}.{os.getpid()}.part{target.suffix}")
    try:
        yield part
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
