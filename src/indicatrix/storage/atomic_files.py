"""Files that are written completely or not at all, and read only if they are files."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path

PAUSES = (0.01, 0.03, 0.1, 0.3, 0.6) if os.name == "nt" else ()


@contextlib.contextmanager
def replace_file(path: str | bytes | os.PathLike[str]) -> Iterator[Path]:
    """Yield the path of a new, empty file that becomes the file ``path`` at the end.

    Each call has a file of its own, so threads and processes may write the same path: the last one stays. A link stays a link,
    and the file that it leads to is replaced. If the writing is interrupted, nothing is left behind.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, replace_file(Path(folder) / "out.txt") as place:
    ...     _ = place.write_text("all of it")
    """
    target = check_replaceable(path)
    mode = _mode_of(target)
    # The suffix stays at the end: libraries that write pictures and tables choose their format by it.
    part = target.with_name(f".{secrets.token_hex(8)}.part{target.suffix}")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666 if mode is None else 0o600))
        yield part
        if mode is not None:
            part.chmod(mode)
        _sync(part, os.O_RDWR)
        _rename(part, target)
        if os.name == "posix":
            _sync(target.parent, os.O_RDONLY)  # the new name is safe only when its folder is
    finally:
        part.unlink(missing_ok=True)


def refuse_pipe(path: str | bytes | os.PathLike[str], where: str = "") -> None:
    """Refuse to read a pipe or a device, which may have no end; an error begins with ``where``.

    >>> refuse_pipe("rows.csv")  # a file, or nothing yet
    """
    place = Path(os.fsdecode(path))
    if place.exists() and not place.is_file() and not place.is_dir():
        raise ValueError(f"{where}{place} is a pipe or a device, not a file. Write its content to a file first.")


def check_replaceable(path: str | bytes | os.PathLike[str]) -> Path:
    """Return the file that a path leads to; one that cannot be written there at all is refused.

    >>> check_replaceable(".")
    Traceback (most recent call last):
    ...
    ValueError: ... is a folder, not a file that can be replaced. Name a file.
    """
    target = Path(os.path.realpath(os.fsdecode(path)))
    if not target.parent.is_dir():
        raise FileNotFoundError(
            f"There is no folder {target.parent} to write {target.name} in. Make it first, or check the name."
        )
    _mode_of(target)
    return target


def _mode_of(target: Path) -> int | None:
    """Return the permissions of the file that is replaced, or None if there is no file yet."""
    try:
        found = target.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found):
        what = "a folder" if stat.S_ISDIR(found) else "a device, a pipe or the like"
        raise ValueError(f"{target} is {what}, not a file that can be replaced. Name a file.")
    return stat.S_IMODE(found)


def _rename(part: Path, target: Path) -> None:
    """Give a file its name, trying again for a second where Windows refuses.

    It refuses as long as somebody reads the old file.
    """
    for pause in PAUSES:
        try:
            part.replace(target)
        except PermissionError:
            time.sleep(pause)
        else:
            return
    part.replace(target)


def _sync(place: Path, flags: int) -> None:
    """Wait until a file or a folder is on the disk, so that a power failure cannot leave it empty."""
    opened = os.open(place, flags)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
