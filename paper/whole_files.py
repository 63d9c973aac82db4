"""Files that are written completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Give a path to write to, which becomes the file ``path`` at the end or disappears."""
    part = path.with_name(f".{path.stem}.{os.getpid()}.part{path.suffix}")  # NumPy would append another suffix
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
