"""Files of results: JSON with a format, a version and a checksum, written completely or not at all.

Every file of this library is written and read here, so that damage, other formats and other versions are answered in one place.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from .atomic_files import refuse_pipe, replace_file
from .json_values import check_room

Content = TypeVar("Content")
Reader = Callable[[str, int, dict[str, Any]], Content]  # of the format, its version, and what the file holds


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
