"""Checkpoints: what was counted of which files with which options, for a run that was interrupted."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any, NamedTuple

from ...tally.saved_files import read_file, write_file
from ..column_roles import ColumnRoles
from .bad_rows import BadRows
from .counted_rows import CountedRows
from .found_files import FoundFile
from .number_spellings import NumberSpellings

FORMAT, VERSION = "indicatrix checkpoint", 2
COLUMNS = ("true", "answers", "by", "sample_weight", "mask", "bits", "separator")  # what the roles say about columns


class Place(NamedTuple):
    """Where a run is."""

    file: int = 0
    rows: int = 0  # of this file that were read
    total: int = 0  # rows that were read of all files
    share: float | None = None  # of all files


class RunState(NamedTuple):
    """What a run has counted, and what it knows about the rows."""

    rows: CountedRows
    bad: BadRows
    spellings: NumberSpellings | None = None


class Checkpoint:
    """A file that holds how far a run came; it is written every few seconds, completely or not at all."""

    def __init__(self, path: str | os.PathLike[str], facts: dict[str, Any], seconds: float) -> None:
        self.path, self.facts, self.seconds = Path(path), facts, seconds
        self.written = time.monotonic()

    def load(self, counted: RunState) -> Place:
        """Take up what was counted before; return where to go on."""
        if not self.path.exists():
            return Place()

        def read(version: int, data: dict[str, Any]) -> Place:
            difference = _difference(data["run"], self.facts)
            if difference:
                raise ValueError(f"it is of another run: {difference}. Name another file, or remove this one to start again")
            if data["state"] is not None:
                counted.rows.load(data["state"])
            counted.bad.count, counted.bad.first = data["bad"]["count"], list(data["bad"]["first"])
            if counted.spellings is not None:
                counted.spellings.load(data["numbers"])
            return Place(data["file"], data["rows"], data["total"])

        return read_file(self.path, FORMAT, (VERSION,), "checkpoint", read)

    def save(self, place: Place, counted: RunState, *, now: bool = False) -> None:
        """Write how far the run came, if enough time has passed or ``now``."""
        if now or time.monotonic() - self.written >= self.seconds:
            facts = {
                "run": self.facts,
                "file": place.file,
                "rows": place.rows,
                "total": place.total,
                "bad": {"count": counted.bad.count, "first": counted.bad.first},
                "numbers": [] if counted.spellings is None else counted.spellings.texts,
                "state": counted.rows.to_json() if place.rows or place.file else None,
            }
            write_file(self.path, FORMAT, VERSION, facts)
            self.written = time.monotonic()


def run_facts(files: list[FoundFile], roles: ColumnRoles, reading: dict[str, Any]) -> dict[str, Any]:
    """Return what a run is: its files with their sizes and times, its columns and its options."""
    options = {name: repr(value) for name, value in roles.options._asdict().items()}
    columns = {name: repr(getattr(roles, name)) for name in COLUMNS}
    listed = [file.facts for file in files]
    digest = hashlib.sha256(json.dumps(listed).encode()).hexdigest()
    shown = listed if len(listed) <= 1000 else []  # of more files only the digest
    return {
        "files": shown,
        "digest": digest,
        "columns": columns,
        "options": {**options, **{k: repr(v) for k, v in reading.items()}},
    }


def _difference(before: dict[str, Any], now: dict[str, Any]) -> str:
    """Return how two runs differ, in words; "" if they are the same."""
    for what in ("columns", "options"):
        for name, value in now[what].items():
            if before[what].get(name) != value:
                return f"{name} was {before[what].get(name)} and is {value}"
    if before["digest"] == now["digest"]:
        return ""
    for old, new in zip(before["files"], now["files"], strict=False):
        if old != new:
            return f"the file {new[0]} was changed" if old[0] == new[0] else f"the file {new[0]} was {old[0]}"
    return "the files are others"
