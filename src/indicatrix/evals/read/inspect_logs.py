"""Logs of Inspect: .eval, a zip archive with a file for each sample, and the same as .json."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import crc32, error

from ..logs import Log

ZSTD = 93  # the compression that newer versions write, which Python's zipfile reads from 3.14 on
LOCAL_HEADER = 30  # bytes before the name of a file in an archive


def is_inspect(path: Path, data: Any) -> bool:
    """Return whether a file is a log of Inspect; ``data`` is what its JSON says."""
    return path.suffix == ".eval" or (isinstance(data, dict) and "eval" in data and "samples" in data)


def read_inspect(path: Path, data: Any) -> Iterator[Log]:
    """Yield the one log of a file of Inspect."""
    header, samples = open_archive(path) if path.suffix == ".eval" else (data, data["samples"] or ())
    task = header["eval"]
    about = {
        "library": "inspect_ai",
        "version": (task.get("packages") or {}).get("inspect_ai", "unknown"),
        "created": task.get("created", ""),
        "origin": frozenset((task.get("eval_id") or task.get("run_id") or str(path),)),
        "dataset": (task.get("dataset") or {}).get("name") or "",
        "status": header.get("status", ""),
    }
    yield Log(task.get("task_registry_name") or task["task"], task["model"], _rows(samples), about=about)


def _rows(samples: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield a row for each sample and epoch; a sample that ended in an error has no scores."""
    scorers: dict[str, None] = {}
    failed = []
    for sample in samples:
        scores = sample.get("scores") or {}
        scorers |= dict.fromkeys(scores)
        row = {"question": sample["id"], "target": sample.get("target"), "columns": sample.get("metadata") or {}}
        if not scores:
            failed.append(row)
            continue
        for name, score in scores.items():
            yield {**row, "scores": {name: score["value"]}, "said": score.get("answer")}
    for row in failed:
        yield {**row, "scores": dict.fromkeys(scorers)}


def open_archive(path: Path) -> tuple[Any, Iterator[Any]]:
    """Return the header of an archive, and its samples, which are read one by one."""
    try:
        with ZipFile(path) as archive:
            names = {entry.filename: entry for entry in archive.infolist()}
            if "header.json" not in names:
                raise ValueError(f"{path} has no header.json: the evaluation did not end. Run `inspect eval-retry {path.name}`.")
            return json.loads(_content(archive, names["header.json"])), _samples(path)
    except BadZipFile:
        raise ValueError(f"{path} is not a log of Inspect: it is not a zip archive, or it was not written to its end.") from None


def _samples(path: Path) -> Iterator[Any]:
    with ZipFile(path) as archive:
        for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
            if entry.filename.startswith("samples/") and entry.filename.endswith(".json"):
                yield json.loads(_content(archive, entry))


def _content(archive: ZipFile, entry: ZipInfo) -> bytes:
    """Return what a file of an archive holds, also where it is compressed as newer versions do."""
    try:
        return archive.read(entry) if entry.compress_type in (ZIP_STORED, ZIP_DEFLATED) else _of_zstd(archive, entry)
    except (BadZipFile, OSError, EOFError, error) as wrong:
        raise ValueError(f"{entry.filename} in it is damaged: {wrong}") from None


def _of_zstd(archive: ZipFile, entry: ZipInfo) -> bytes:
    if entry.compress_type != ZSTD:
        raise BadZipFile(f"compression {entry.compress_type} is unknown")
    try:
        import pyarrow
    except ImportError:
        raise ImportError("This log is compressed by zstd, which pyarrow reads: pip install 'indicatrix[files]'") from None
    file: Any = archive.fp
    file.seek(entry.header_offset + LOCAL_HEADER - 4)
    name, extra = (int.from_bytes(file.read(2), "little") for _ in range(2))
    file.seek(name + extra, 1)
    with pyarrow.CompressedInputStream(pyarrow.BufferReader(file.read(entry.compress_size)), "zstd") as stream:
        found = bytes(stream.read())
    if crc32(found) != entry.CRC:
        raise BadZipFile("its checksum is another")
    return found
