"""Files of counts: JSON with a format, a version and a checksum, written completely or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from .atomic_files import refuse_pipe, replace_file
from .json_values import check_room

Content = TypeVar("Content")
FIRST = re.compile(rb'\s*{\s*"format":\s*"([^"]*)"')


def write_file(path: str | os.PathLike[str], form: str, version: int, facts: dict[str, Any]) -> None:
    """Write facts to a file, completely or not at all."""
    check_room(facts)
    content = {"format": form, "version": version, **facts}
    text = json.dumps({**content, "checksum": _checksum(content)})
    with replace_file(path) as place:
        place.write_text(text, encoding="utf-8")


def read_file(
    path: str | os.PathLike[str],
    form: str,
    readable: tuple[int, ...],
    what: str,
    read: Callable[[int, dict[str, Any]], Content],
) -> Content:
    """Return what ``read`` finds in a file, given the version of its format.

    Whatever is wrong with the content of the file is a ValueError. ``what`` the file should hold is in the messages.
    """
    written = f"Give a file that the save() of {'an' if what[0] in 'aeiou' else 'a'} {what} wrote."
    path = Path(os.fsdecode(path))
    refuse_pipe(path)
    if path.is_dir():
        raise ValueError(f"{path} is a folder, not a file. {written}")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        intact = isinstance(data, dict) and data.pop("checksum", None) == _checksum(data)
    except FileNotFoundError:
        raise FileNotFoundError(f"There is no file {path}. {written}") from None
    except RecursionError:
        raise ValueError(f"{path} is not a saved {what}: it is nested too deeply.") from None
    except ValueError as error:  # neither JSON nor UTF-8, or a number of thousands of digits
        raise ValueError(f"{path} is not a saved {what}: {error}.") from None
    if not isinstance(data, dict) or data.get("format") != form:
        held = data.get("format") if isinstance(data, dict) else None
        ours = isinstance(held, str) and held.startswith("indicatrix ")
        other = f": it is a file of {held!r}, which ix.load reads" if ours else ""
        raise ValueError(f"{path} is not a saved {what}{other}. {written}")
    version = data.get("version")
    if type(version) is not int or version not in readable:
        raise ValueError(f"{path} has version {version} of the format; this release reads versions {readable}.")
    if not intact:
        raise ValueError(f"{path} is damaged or was edited: it differs from what was saved. Save the {what} again.")
    try:
        check_room(data)
        return read(version, data)
    except RecursionError:
        raise ValueError(f"{path} cannot be read: a name or a record is nested too deeply.") from None
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{path} cannot be read: {error}.") from None


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the format that a file names; "" where there is no file, or one that names none.

    The format stands first in what ``write_file`` writes, so the rest of the file is not read.
    """
    refuse_pipe(Path(os.fsdecode(path)))  # it would be waited for
    try:
        with open(path, "rb") as file:
            found = FIRST.match(file.read(200))
    except OSError:
        return ""
    return found[1].decode("utf-8", "replace") if found else ""


def _checksum(content: dict[str, Any]) -> str:
    """Return a text that changes with any count or name in a file.

    So a damaged file is never read as if it were intact.
    """
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
