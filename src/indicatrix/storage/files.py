"""Files that are written completely or not at all, and read only if they are files.

Results are JSON with a format, a version and a checksum. They are written and read here, so that damage, other formats and other
versions are answered in one place.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from .json_values import check_room

PAUSES = (0.01, 0.03, 0.1, 0.3, 0.6) if os.name == "nt" else ()
Content = TypeVar("Content")
Reader = Callable[[str, int, dict[str, Any]], Content]  # of the format, its version, and what the file holds


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


def write_file(path: str | os.PathLike[str], content: dict[str, Any]) -> None:
    """Write plain data with a format and a version to a file, completely or not at all."""
    check_room(content)
    text = json.dumps({**content, "checksum": _checksum(content)})
    with replace_file(path) as place:
        place.write_text(text, encoding="utf-8")


def read_file(
    path: str | os.PathLike[str],
    readable: Mapping[str, tuple[int, ...]],
    what: str,
    read: Reader[Content],
    elsewhere: Callable[[str], str] = lambda form: "which ix.load reads",
) -> Content:
    """Return what ``read`` finds in a file of one of the formats.

    ``readable`` names the formats and the versions of each. Whatever is wrong with the content of the file is a ValueError.
    ``what`` the file should hold is in the messages, and ``elsewhere`` says what reads a file of another format of this library.
    """
    path = Path(os.fsdecode(path))
    content = _read_json(path, what)
    form = content.get("format") if isinstance(content, dict) else None
    if not isinstance(content, dict) or not isinstance(form, str) or form not in readable:
        ours = isinstance(form, str) and form.startswith("indicatrix ")
        other = f": it is a file of {form!r}, {elsewhere(str(form))}" if ours else ""
        raise ValueError(f"{path} is not a saved {what}{other}. {_where_from(what)}")
    version = _check_version(path, content.get("version"), readable[form])
    try:
        intact = content.pop("checksum", None) == _checksum(content)
    except RecursionError:
        raise ValueError(f"{path} is not a saved {what}: it is nested too deeply.") from None
    if not intact:
        raise ValueError(f"{path} is damaged or was edited: it differs from what was saved. Save the {what} again.")
    try:
        check_room(content)
        return read(form, version, content)
    except RecursionError:
        raise ValueError(f"{path} cannot be read: a name or a record is nested too deeply.") from None
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{path} cannot be read: {error}.") from None


def _read_json(path: Path, what: str) -> Any:
    """Return the JSON in a file."""
    refuse_pipe(path)  # it would be waited for
    if path.is_dir():
        raise ValueError(f"{path} is a folder, not a file. {_where_from(what)}")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileNotFoundError(f"There is no file {path}. {_where_from(what)}") from None
    except RecursionError:
        raise ValueError(f"{path} is not a saved {what}: it is nested too deeply.") from None
    except ValueError as error:  # neither JSON nor UTF-8, or a number of thousands of digits
        raise ValueError(f"{path} is not a saved {what}: {error}.") from None


def _where_from(what: str) -> str:
    return f"Give a file that the save() of {'an' if what[0] in 'aeiou' else 'a'} {what} wrote."


def _check_version(path: Path, version: Any, readable: tuple[int, ...]) -> int:
    """Return the version of a file; refuse one that this release does not read."""
    if type(version) is int and version in readable:
        return version
    newer = type(version) is int and version > max(readable)
    fix = " A newer release wrote it: update indicatrix." if newer else ""
    raise ValueError(f"{path} has version {version} of the format; this release reads versions {readable}.{fix}")


def _checksum(content: dict[str, Any]) -> str:
    """Return a text that changes with any count or name in a file.

    So a damaged file is never read as if it were intact.
    """
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
