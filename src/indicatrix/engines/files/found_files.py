"""Which files are meant by a path, several, a pattern or a partitioned folder, on any file system.

The files below a folder that a pattern means; links are followed once, and no rows are lost.

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
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from ...words.wording import close_names, short
from .text_classes import integers

FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".arrows": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
PACKED = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"  # what other engines write as the name of the folder of missing values


@dataclass(frozen=True)
class FoundFile:
    """A file of rows: where it is, what it is, and what the names of its folders say about its rows."""

    path: str
    name: str  # in messages
    system: Any = field(repr=False)  # a file system of pyarrow
    format: str
    packed: str | None = None
    size: int | None = None
    changed: int | None = None  # when, in nanoseconds
    partition: Mapping[str, Any] = field(default_factory=dict)

    @property
    def facts(self) -> list[Any]:
        """What tells whether it is still the same file."""
        return [self.name, self.size, self.changed]


def find_files(paths: Any, *, filesystem: Any = None, format: str | None = None) -> list[FoundFile]:
    """Return the files that paths, patterns and folders mean, in their order; those of a folder by name.

    A file that is meant twice, by a link or by two paths, is one file.
    """
    if format is not None and format not in FORMATS.values():
        raise ValueError(f"format={format!r} is unknown. Use 'parquet', 'arrow', 'csv' or 'jsonl'.")
    given = [paths] if isinstance(paths, str | bytes | os.PathLike) else paths
    if not isinstance(given, Iterable):
        raise _path_error(paths)
    found = _each_once([file for path in given for file in _of_path(_text_of(path), filesystem, format)])
    if not found:
        raise ValueError("There are no files: the list of paths is empty.")
    return _with_types(found)


def _text_of(path: Any) -> str:
    """Return a path as text that can be the name of a file."""
    try:
        text = os.fsdecode(path)
        text.encode()
    except TypeError:
        raise _path_error(path) from None
    except UnicodeEncodeError:
        raise ValueError(f"The name of the file {path!r} is not text in UTF-8. Rename it, or make a link to it.") from None
    if not text or "\0" in text:
        raise ValueError(f"{path!r} names no file. Give a file, a folder or a pattern such as 'rows/*.parquet'.")
    return text


def _path_error(given: Any) -> TypeError:
    return TypeError(
        f"{short(given)} is not a path. Give a file, a folder, a pattern such as 'rows/*.parquet', or a list of them."
    )


def _each_once(files: list[FoundFile]) -> list[FoundFile]:
    """Return the files without those that are another name of one before."""
    first: dict[Any, FoundFile] = {}
    for file in files:
        place = local_path(file.system, file.path)
        one = first.setdefault(file.path if place is None else identity(place), file)
        if one.partition != file.partition:
            raise ValueError(
                f"{one.name} and {file.name} are the same file, in folders that say different things about its rows: "
                f"{_folders(one)} and {_folders(file)}. Remove one of them, or copy the file."
            )
    return [*first.values()]


def _folders(file: FoundFile) -> str:
    return "/".join(f"{key}={value}" for key, value in file.partition.items()) or "no such folder"


def similar_file(path: str) -> str:
    """Return the question whether a file of a similar name was meant; "" without one."""
    folder = Path(path).parent
    names = sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []
    close = close_names(Path(path).name, names, cutoff=0.8)
    return f"Did you mean {Path(path).with_name(close[0])}?" if close else ""


def _of_path(given: str, filesystem: Any, format: str | None) -> list[FoundFile]:
    from pyarrow import fs

    def readable(path: str) -> bool:
        return _kind(path)[0] is not None or (format is not None and not os.path.basename(path).startswith("_"))

    system, path = _system(given, filesystem)
    kind = system.get_file_info(path).type
    if kind == fs.FileType.NotFound and (star := STAR.search(path)):
        base, slash, _ = path[: star.start()].rpartition("/")
        infos = files_below(system, base + slash, PathPattern.of(path[len(base + slash) :]), readable)
        if not infos:
            raise FileNotFoundError(f"No file fits the pattern {given}.")
        return [_describe_file(info, info.path, system, format) for info in infos]
    if kind == fs.FileType.Directory:
        infos = files_below(system, path, PathPattern(()), readable)
        if not infos:
            raise FileNotFoundError(f"{given} is a folder without files that can be read: {', '.join(FORMATS)}.")
        return [_describe_file(info, info.path, system, format) for info in infos]
    if kind == fs.FileType.NotFound and not what_it_is(local_path(system, path) or ""):
        advice = similar_file(given) if filesystem is None else ""
        raise FileNotFoundError(f"There is no file {given}. {advice or 'Check the name.'}")
    return [_describe_file(system.get_file_info(path), given, system, format)]


def _system(given: str, filesystem: Any) -> tuple[Any, str]:
    """Return the file system of a path, and the path in it."""
    from pyarrow import fs

    if filesystem is None and "://" not in given:
        return fs.LocalFileSystem(), given.replace(os.sep, "/")  # as pyarrow and patterns write paths on Windows, too
    if filesystem is None:
        try:
            system, path = fs.FileSystem.from_uri(given)
        except (ValueError, TypeError, OSError):  # not one of those that pyarrow knows
            try:
                import fsspec
            except ImportError:
                scheme = given.partition("://")[0]
                raise ImportError(f"Reading {scheme}:// needs fsspec, which is not installed: pip install fsspec") from None
            system, path = fsspec.core.url_to_fs(given)
            return fs.PyFileSystem(fs.FSSpecHandler(system)), path
        return system, path
    if not isinstance(filesystem, fs.FileSystem):
        filesystem = fs.PyFileSystem(fs.FSSpecHandler(filesystem))
    return filesystem, given.partition("://")[2] or given


def _kind(path: str) -> tuple[str | None, str | None]:
    """Return the format of a file and how it is packed, by its name."""
    stem, ending = os.path.splitext(path.lower())
    packed = PACKED.get(ending)
    return FORMATS.get(os.path.splitext(stem)[1] if packed else ending), packed


def _describe_file(info: Any, name: str, system: Any, format: str | None) -> FoundFile:
    from pyarrow import fs

    if info.type != fs.FileType.File:
        refuse_what_is_no_file(local_path(system, info.path) or name)
    kind, packed = _kind(info.path)
    values: dict[str, Any] = {}
    # All folders of the path, so that a column does not depend on which of them the caller names.
    for part in info.path.split("/")[:-1]:
        key, equals, text = part.partition("=")
        if not (key and equals):
            continue
        value = None if text == NO_VALUE else unquote(text)
        if values.setdefault(key, value) != value:
            raise ValueError(f"{name} lies in two folders {key}=, which say {values[key]} and {value}. Rename one of them.")
    changed = getattr(info, "mtime_ns", None)
    return FoundFile(info.path, name, system, format or kind or "csv", packed, info.size, changed, values)


def _with_types(files: list[FoundFile]) -> list[FoundFile]:
    """Return the files with the values of their folders, as integers where all values of a name are."""
    keys = {key for file in files for key in file.partition}
    meaning = {key: integers({v for file in files if (v := file.partition.get(key)) is not None}) or {} for key in keys}
    return [_replace_values(file, {k: meaning[k].get(v, v) for k, v in file.partition.items()}) for file in files]


def _replace_values(file: FoundFile, values: Mapping[str, Any]) -> FoundFile:
    from dataclasses import replace

    return replace(file, partition=values) if values else file


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
