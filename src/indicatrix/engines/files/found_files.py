"""Which files are meant by a path, several, a pattern or a partitioned folder, on any file system."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ...words.spelling import close_names
from ...words.wording import short
from .folder_files import STAR, PathPattern, files_below, identity, local_path, refuse_what_is_no_file, what_it_is
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
