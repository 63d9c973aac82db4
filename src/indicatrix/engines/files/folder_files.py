"""The files below a folder that a pattern means; links are followed once, and no rows are lost."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from typing import Any

from .path_patterns import PathPattern, Places

Readable = Callable[[str], bool]  # whether the name of a file says that it can be read


def files_below(system: Any, folder: str, pattern: PathPattern, readable: Readable) -> list[Any]:
    """Return what pyarrow knows about the files below a folder that a pattern means, by their names."""
    from pyarrow import fs

    if local_path(system, folder) is not None:
        found = sorted(path for path, places in _walk(system, folder, pattern) if _is_meant(path, places, pattern, readable))
        return [*system.get_file_info(found)] if found else []
    chosen = fs.FileSelector(folder, recursive=True, allow_not_found=True)
    start = len(folder)
    infos = [info for info in system.get_file_info(chosen) if info.type == fs.FileType.File]
    places = ((info, pattern.fits([part for part in info.path[start:].split("/") if part])) for info in infos)
    return sorted((info for info, ends in places if _is_meant(info.path, ends, pattern, readable)), key=lambda info: info.path)


def local_path(system: Any, path: str) -> str | None:
    """Return the path on this machine of a path in a file system; None if it is elsewhere."""
    from pyarrow import fs

    if isinstance(system, fs.SubTreeFileSystem):
        return local_path(system.base_fs, os.path.join(system.base_path, path.lstrip("/")))
    if isinstance(system, fs.PyFileSystem) and isinstance(system.handler, fs.FSSpecHandler):
        named = system.handler.fs.protocol
        return path if "file" in ((named,) if isinstance(named, str) else named) else None
    return path if isinstance(system, fs.LocalFileSystem) else None


def identity(path: str) -> tuple[Any, ...]:
    """Return what two names of one file of this machine have in common."""
    found = os.stat(path)
    return (found.st_dev, found.st_ino) if found.st_ino else (os.path.realpath(path),)


def what_it_is(path: str) -> str:
    """Return what something is that is neither a file nor a folder, in words; "" if there is nothing.

    >>> what_it_is("/dev/null")
    'a device'
    """
    try:
        mode = os.stat(path).st_mode
    except OSError as wrong:
        if not os.path.islink(path):
            return ""
        return (
            "a link that leads in a circle"
            if wrong.errno == errno.ELOOP
            else f"a link to {os.readlink(path)}, which is not there"
        )
    return "a pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"


def refuse_what_is_no_file(path: str) -> None:
    """Refuse a pipe, a device or a link that leads nowhere; a pipe would be waited for without end."""
    what = what_it_is(path)
    advice = "Correct or remove it" if "link" in what else "Write its rows to a file first, because they may be read twice"
    raise ValueError(f"{path} is {what}, not a file. {advice}.")


def _is_meant(path: str, ends: Places, pattern: PathPattern, readable: Readable) -> bool:
    """Return whether a pattern means a file; a name that may or may not be one of data is refused."""
    exact = len(pattern.parts)
    meant = [end for end in ends if end.part == exact or readable(path)]
    if meant and all(end.marked for end in meant):
        if not readable(path):
            return False  # a marker such as _SUCCESS
        raise ValueError(
            f"{path}: a name that begins with an underscore is given to files that are not data, too. If this is data, rename "
            "it, or name it, for example with the pattern 'rows/_*.csv'; if not, remove it, or leave it out, for example with "
            "'rows/[!_]*.csv'."
        )
    return bool(meant)


def _walk(system: Any, folder: str, pattern: PathPattern) -> Iterator[tuple[str, Places]]:
    """Yield the files below a folder of this machine, with the last places of the pattern.

    A folder that lies in itself, through a link, is not entered again. One that several links lead to is entered once for each
    meaning of the names before it: the pattern, and folders such as site=3.
    """
    start = folder.rstrip("/") or folder
    seen: set[Any] = set()
    left: list[tuple[str, Places, tuple[Any, ...], tuple[str, ...]]] = [(start, pattern.start, (), ())]
    while left:
        here, places, above, keys = left.pop()
        place = local_path(system, here)
        assert place is not None
        if not os.path.isdir(place or "."):
            continue
        own = identity(place or ".")
        if own in above or (own, places, keys) in seen:
            continue
        seen.add((own, places, keys))
        with os.scandir(place or ".") as entries:
            for entry in entries:
                after = pattern.step(places, entry.name)
                path = f"{here}/{entry.name}" if here and not here.endswith("/") else f"{here}{entry.name}"
                if not after:
                    continue
                if _is_folder(entry):
                    more = (entry.name,) if "=" in entry.name else ()
                    left.append((path, after, (*above, own), (*keys, *more)))
                elif ends := pattern.ends(after):
                    yield path, ends


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads in a circle
        return False
