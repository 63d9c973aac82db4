"""The files below a folder that a pattern means; links are followed once, and no rows are lost.

A pattern and a path are compared one name after the other, so that no pattern takes long. ``*``, ``?`` and ``[a-c]`` stay inside
one name, ``**`` is any number of folders. A pattern that fits a folder means all files below it. What begins with a dot is
hidden, as in a shell: it must be written in the pattern.
"""

from __future__ import annotations

import errno
import fnmatch
import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

STAR = re.compile(r"[*?\[]")
BRACKETS = re.compile(r"\[!?\]?[^\]]*\]")
FOLDERS = "**"


class Place(NamedTuple):
    """How much of a pattern the names of a path fit."""

    part: int  # the next part of the pattern; one after the last part: all of it fits; two: a folder before did
    marked: bool = False  # an underscore begins a name that no part of the pattern names


Places = frozenset[Place]


@dataclass(frozen=True)
class PathPattern:
    """The parts of a pattern, between slashes; without any part it is the folder itself.

    >>> pattern = PathPattern.of("site=*/**/[ab].csv")
    >>> pattern.fits(["site=3", "b.csv"]), pattern.fits(["site=3", "may", "c.csv"])
    (frozenset({Place(part=3, marked=False)}), frozenset())
    """

    parts: tuple[re.Pattern[str] | None, ...]  # None is any number of folders

    @classmethod
    def of(cls, text: str) -> PathPattern:
        """Return the pattern of a text."""
        names = [name for name in text.split("/") if name]
        return cls(tuple(None if name == FOLDERS else _compile(name, text) for name in names))

    @property
    def start(self) -> Places:
        """The places before the first name."""
        return self._reach({Place(0)})

    def step(self, places: Places, name: str) -> Places:
        """Return the places after one more name of a path."""
        after, n = set[Place](), len(self.parts)
        for part, marked in places:
            below = part >= n
            if below or self.parts[part] is None:
                if not name.startswith("."):
                    after.add(Place(n + 1 if below else part, marked or name.startswith("_")))
            elif self.parts[part].fullmatch(name):  # type: ignore[union-attr]
                after.add(Place(part + 1, marked))
        return self._reach(after)

    def fits(self, names: list[str]) -> Places:
        """Return the last places of a path: where all of the pattern fits it, or one of its folders."""
        places = self.start
        for name in names:
            places = self.step(places, name)
        return self.ends(places)

    def ends(self, places: Places) -> Places:
        """Return the places at which all of the pattern fits."""
        return frozenset(place for place in places if place.part >= len(self.parts))

    def _reach(self, places: set[Place]) -> Places:
        """Return the places with those that no folder away are reached: ** also means none."""
        new = places
        while new:
            new = {Place(p + 1, m) for p, m in new if p < len(self.parts) and self.parts[p] is None} - places
            places |= new
        return frozenset(places)


def _compile(name: str, pattern: str) -> re.Pattern[str]:
    """Return the expression of a pattern of one name; its time does not grow with the number of stars."""
    for brackets in BRACKETS.finditer(name):
        for low, high in re.findall(r"(.)-(.)", brackets[0][1:-1].removeprefix("!")):
            if low > high:
                raise ValueError(f"The pattern {pattern} has the range {low}-{high}, which is empty. Write [{high}-{low}].")
    hidden = "" if name.startswith(".") else r"(?!\.)"
    return re.compile(hidden + fnmatch.translate(name))


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

    >>> what_it_is(os.devnull)
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
