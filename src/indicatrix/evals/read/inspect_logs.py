"""Logs of Inspect: .eval, a zip archive with a file for each sample, and the same as .json."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import crc32, error

from ..logs import Answer, Log, facts

ZSTD = 93  # the compression that newer versions write, which Python's zipfile reads from 3.14 on


def read_inspect(path: Path, data: Any) -> Iterator[Log]:
    """Yield the one log of a file of Inspect."""
    task = data["eval"]
    origin = task.get("eval_id") or task.get("run_id") or str(path)
    version, dataset = (task.get("packages") or {}).get("inspect_ai"), (task.get("dataset") or {}).get("name")
    about = facts("inspect_ai", origin, version, task.get("created"), dataset)
    about["unfinished"] = frozenset({data.get("status") or "success"} - {"success"})
    about["origin"] |= {task.get("task_id") or origin}  # which logs of one retry after the other share, and samples with it
    yield Log(task.get("task_registry_name") or task["task"], task["model"], _rows(data["samples"] or ()), about)


def _rows(samples: Iterable[Mapping[str, Any]]) -> Iterator[Answer]:
    """Yield a row for each sample and epoch; a sample that ended in an error has no scores."""
    scorers: dict[str, None] = {}
    failed = []
    for sample in samples:
        scores = sample.get("scores") or {}
        scorers |= dict.fromkeys(scores)
        row = Answer(sample["id"], {}, sample.get("target"), columns=sample.get("metadata") or {})
        if not scores:
            failed.append(row)
        for name, score in scores.items():
            yield row._replace(scores={name: score["value"]}, said=score.get("answer"))
    for row in failed:
        yield row._replace(scores=dict.fromkeys(scorers))


def open_archive(path: Path) -> dict[str, Any]:
    """Return what an archive says, as the JSON of the same log does; its samples are read one by one."""
    try:
        with ZipFile(path) as archive:
            if "header.json" not in archive.namelist():
                raise ValueError(f"{path} has no header.json: the evaluation did not end. Run `inspect eval-retry {path.name}`.")
            header = json.loads(_content(archive, archive.getinfo("header.json")))
            return {"eval": {}, **header, "samples": _samples(path)}
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
    packed = copy(entry)  # the compressed bytes, as if they were what is stored
    packed.compress_type, packed.file_size = ZIP_STORED, entry.compress_size
    del packed.CRC
    with pyarrow.CompressedInputStream(pyarrow.BufferReader(archive.read(packed)), "zstd") as stream:
        found = bytes(stream.read())
    if crc32(found) != entry.CRC:
        raise BadZipFile("its checksum is another")
    return found
