"""Which files are meant by a path, several, a pattern or a partitioned folder, on any file system."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ...algebra.spelling import close_names
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
STAR = re.compile(r"[*?\[]")


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
    """Return the files that paths, patterns and folders mean, in their order; those of a folder by name."""
    if format is not None and format not in FORMATS.values():
        raise ValueError(f"format={format!r} is unknown. Use 'parquet', 'arrow', 'csv' or 'jsonl'.")
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    if not isinstance(given, Iterable):
        raise TypeError(f"{paths!r} is not a path. Give a file, a folder, a pattern such as 'rows/*.parquet', or a list of them.")
    found = [file for path in given for file in _of_path(os.fspath(path), filesystem, format)]
    if not found:
        raise ValueError("There are no files: the list of paths is empty.")
    return _with_types(found)


def similar_file(path: str) -> str:
    """Return the question whether a file of a similar name was meant; "" without one."""
    folder = Path(path).parent
    names = sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []
    close = close_names(Path(path).name, names, cutoff=0.8)
    return f"Did you mean {Path(path).with_name(close[0])}?" if close else ""


def _of_path(given: str, filesystem: Any, format: str | None) -> list[FoundFile]:
    from pyarrow import fs

    system, path = _system(given, filesystem)
    if STAR.search(path) and system.get_file_info(path).type == fs.FileType.NotFound:
        start = path[: STAR.search(path).start()]  # type: ignore[union-attr]
        base = start.rpartition("/")[0] or ("/" if start.startswith("/") else "")
        matches = _pattern(path.rstrip("/"))
        infos = [info for info in _files_in(system, base) if _fits(info.path, matches, format)]
        if not infos:
            raise FileNotFoundError(f"No file fits the pattern {given}.")
        return [_describe_file(info, info.path, system, format) for info in infos]
    info = system.get_file_info(path)
    if info.type == fs.FileType.NotFound:
        advice = similar_file(given) if filesystem is None else ""
        raise FileNotFoundError(f"There is no file {given}. {advice or 'Check the name.'}")
    if info.type == fs.FileType.Directory:
        infos = [info for info in _files_in(system, path) if format or _kind(info.path)[0]]
        if not infos:
            raise FileNotFoundError(f"{given} is a folder without files that can be read: {', '.join(FORMATS)}.")
        return [_describe_file(info, info.path, system, format) for info in infos]
    return [_describe_file(info, given, system, format)]


def _system(given: str, filesystem: Any) -> tuple[Any, str]:
    """Return the file system of a path, and the path in it."""
    from pyarrow import fs

    if filesystem is None and "://" not in given:
        return fs.LocalFileSystem(), given
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


def _files_in(system: Any, folder: str) -> list[Any]:
    """Return the files below a folder, sorted; names that begin with a dot or an underscore are not data."""
    from pyarrow import fs

    chosen = fs.FileSelector(folder, recursive=True, allow_not_found=True)
    infos = (info for info in system.get_file_info(chosen) if info.type == fs.FileType.File)
    start = len(folder)
    return sorted(
        (info for info in infos if not any(part[:1] in "._" for part in info.path[start:].split("/") if part)),
        key=lambda info: info.path,
    )


def _pattern(path: str) -> re.Pattern[str]:
    """Return a pattern with stars as a regular expression: ** stands for folders, * and ? stay in one."""
    out, at = "", 0
    special = {"**/": r"(?:[^/]+/)*", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}
    while at < len(path):
        hit = next((k for k in special if path.startswith(k, at)), None)
        brackets = re.compile(r"\[!?[^\]/]+\]").match(path, at)
        if hit:
            out, at = out + special[hit], at + len(hit)
        elif brackets:
            out, at = out + brackets[0].replace("[!", "[^"), brackets.end()
        else:
            out, at = out + re.escape(path[at]), at + 1
    return re.compile(out)


def _fits(path: str, pattern: re.Pattern[str], format: str | None) -> bool:
    """Return whether a file fits a pattern, or one of its folders does and the file can be read."""
    if pattern.fullmatch(path):
        return True
    folders = (path[: slash.start()] for slash in re.finditer("/", path))
    return bool(format or _kind(path)[0]) and any(map(pattern.fullmatch, folders))


def _kind(path: str) -> tuple[str | None, str | None]:
    """Return the format of a file and how it is packed, by its name."""
    stem, ending = os.path.splitext(path.lower())
    packed = PACKED.get(ending)
    return FORMATS.get(os.path.splitext(stem)[1] if packed else ending), packed


def _describe_file(info: Any, name: str, system: Any, format: str | None) -> FoundFile:
    kind, packed = _kind(info.path)
    # All folders of the path, so that a column does not depend on which of them the caller names.
    pairs = (part.partition("=") for part in info.path.split("/")[:-1] if "=" in part)
    values = {key: None if value == NO_VALUE else unquote(value) for key, _, value in pairs}
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
