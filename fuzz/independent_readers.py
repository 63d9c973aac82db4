"""Columns of files, read without the library: by pyarrow, by Python's json, one character at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

WHOLE = re.compile(r"(0|-?[1-9][0-9]*)(\.0)?|-0\.0")
BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}

Columns = dict[str, list[Any]]


class UnclearError(Exception):
    """Columns of types that have no one meaning as labels, such as times."""


def read_arrow(data: bytes, columns: tuple[str, ...]) -> Columns:
    """Return columns of an Arrow or Feather file, or of a stream of batches."""
    import pyarrow as pa

    whole = data.startswith(b"ARROW1")
    open_batches = pa.ipc.open_file if whole else pa.ipc.open_stream
    names = open_batches(pa.BufferReader(data)).schema.names
    options = pa.ipc.IpcReadOptions(included_fields=[names.index(name) for name in columns])
    reader = open_batches(pa.BufferReader(data), options=options)
    batches = [reader.get_batch(i) for i in range(reader.num_record_batches)] if whole else [*reader]
    return _values(batches, columns)


def read_parquet(data: bytes, columns: tuple[str, ...]) -> Columns:
    """Return columns of a Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    return _values(parquet.ParquetFile(pa.BufferReader(data)).read(columns=[*columns]).to_batches(), columns)


def _values(batches: list[Any], columns: tuple[str, ...]) -> Columns:
    from pyarrow import types

    found: Columns = {name: [] for name in columns}
    for batch in batches:
        batch.validate(full=True)
        for name in columns:
            kind = batch.column(name).type
            kind = kind.value_type if types.is_dictionary(kind) or types.is_list(kind) else kind
            if not (types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_string(kind)):
                raise UnclearError(str(kind))
            found[name] += map(_without_blanks, batch.column(name).to_pylist())
    return found


def _without_blanks(cell: Any) -> Any:
    return None if isinstance(cell, str) and not cell.strip() else cell


def read_csv(data: bytes, columns: tuple[str, ...]) -> Columns:
    """Return columns of a CSV file: numbers or bools where all labels are."""
    text = data.decode("utf-8-sig")
    rows = [row for row in scan_csv(text) if len(row) > 1 or "".join(cell for cell, _ in row).strip()]
    header = [name.strip() for name, _ in rows[0]]
    if any(len(row) != len(header) for row in rows) or "\0" in text:
        raise ValueError("rows of different lengths, or NUL")
    spoken = [[cell if quoted and cell.strip() else cell.strip() for cell, quoted in row] for row in rows[1:]]
    texts = {name: [row[header.index(name)] or None for row in spoken] for name in columns}
    labels = {text for name in ("y", "p") for text in texts[name] if text is not None}
    groups = {text for text in texts.get("g", ()) if text is not None}
    meaning: dict[Any, Any] = {}
    if all(map(WHOLE.fullmatch, labels)):
        meaning = {text: int(text.removesuffix(".0")) for text in labels}
    elif labels <= BOOLS.keys():
        meaning = BOOLS
    named = {name: [meaning.get(text, text) for text in texts[name]] for name in ("y", "p")}
    if "g" in texts:
        whole = all(re.fullmatch("0|-?[1-9][0-9]*", text) for text in groups)
        named["g"] = [int(text) if whole and text is not None else text for text in texts["g"]]
    return named


def scan_csv(text: str) -> list[list[tuple[str, bool]]]:
    """Return the cells of all rows, and whether each is quoted, one character after the other."""
    rows: list[list[tuple[str, bool]]] = []
    row: list[tuple[str, bool]] = []
    cell, state = "", "start"  # of a cell; then "plain", "quoted", or "closed" after a mark that may be doubled
    for c in [*text.replace("\r\n", "\n").replace("\r", "\n"), "\n"] if '"' not in text else [*text, "\n"]:
        if state == "quoted":
            cell, state = (cell, "closed") if c == '"' else (cell + c, state)
        elif c == '"' and state in ("start", "closed"):
            cell, state = (cell + c if state == "closed" else ""), "quoted"
        elif c in ",\r\n":
            row.append((cell, state == "closed"))
            cell, state = "", "start"
            if c != ",":
                rows.append(row)
                row = []
        elif state == "closed":
            raise ValueError("a character after a closing mark")
        elif c != " " or state == "plain":
            cell, state = cell + c, "plain"
    if state == "quoted":
        raise ValueError("a mark that is not closed")
    return rows


def read_json_lines(data: bytes, columns: tuple[str, ...]) -> Columns:
    """Return columns of JSON lines."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs if key in columns]
        if len(set(keys)) < len(keys):
            raise ValueError("a key twice")
        return dict(pairs)

    lines = [line.strip(" \t\r") for line in data.decode("utf-8-sig").split("\n")]
    rows = [json.loads(line, object_pairs_hook=once) for line in lines if line]
    return {name: [_without_blanks(row.get(name)) for row in rows] for name in columns}


READERS: dict[str, Callable[[bytes, tuple[str, ...]], Columns]] = {
    "arrow": read_arrow,
    "feather": read_arrow,
    "parquet": read_parquet,
    "csv": read_csv,
    "jsonl": read_json_lines,
}
