"""Tallies as JSON: counts and names only, no raw rows.

A loaded tally equals the saved one.
"""

from __future__ import annotations

import hashlib
import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from .atomic_files import replace_file
from .group_counts import CrossTable, Part, Summed
from .tally import Tally

FORMAT, VERSION = "indicatrix evaluation", 2
READABLE = (1, VERSION)  # version 1 kept how an evaluation was made as texts


def save(path: str | os.PathLike[str], facts: dict[str, Any], tally: Tally) -> None:
    """Write a tally and facts about it to a file, completely or not at all."""
    content = {"format": FORMAT, "version": VERSION, **facts, "tally": to_json(tally)}
    with replace_file(path) as place:
        place.write_text(json.dumps({**content, "checksum": _checksum(content)}), encoding="utf-8")


def load(path: str | os.PathLike[str], facts: tuple[str, ...]) -> tuple[int, dict[str, Any], Tally]:
    """Return the version of a file's format, and the facts and the tally that it holds."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is not a saved evaluation: {error}.") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"{path} is not a saved evaluation. Give a file that the save() of an evaluation wrote.")
    if data.get("version") not in READABLE:
        raise ValueError(f"{path} has version {data.get('version')} of the format; this release reads versions {READABLE}.")
    if data.pop("checksum", None) != _checksum(data):
        raise ValueError(f"{path} is damaged or was edited: it differs from what was saved. Save the evaluation again.")
    try:
        return data["version"], {fact: data[fact] for fact in facts}, from_json(data["tally"])
    except (KeyError, TypeError, IndexError, ValueError, OverflowError, AttributeError) as error:
        raise ValueError(f"{path} is damaged: {error!r}.") from None


def _checksum(content: dict[str, Any]) -> str:
    """Return a text that changes with any count or name in a file.

    So a damaged file is never read as if it were intact.
    """
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def to_json(tally: Tally) -> dict[str, Any]:
    """Return a tally as plain data."""
    return {
        "classes": [name_out(c) for c in tally.classes],
        "open": tally.open,
        "by": list(tally.by),
        "targets": None if tally.targets is None else [name_out(t) for t in tally.targets],
        "grouping": tally.grouping,
        "n": tally.n,
        "ordered": tally.ordered,
        "hidden": tally.hidden,
        "keep_pairs": tally.keep_pairs,
        "parts": [
            {"group": [name_out(k) for k in key], "n": tally.sizes.get(key, tally.n), **_part_out(part)}
            for key, part in tally.parts.items()
        ],
    }


def from_json(data: dict[str, Any]) -> Tally:
    """Return the tally that plain data describe."""
    targets = data["targets"]
    groups = {tuple(name_in(k) for k in part["group"]): part for part in data["parts"]}
    return Tally(
        classes=tuple(name_in(c) for c in data["classes"]),
        parts={key: _part_in(part) for key, part in groups.items()},
        n=data["n"],
        open=data["open"],
        by=tuple(data["by"]),
        targets=None if targets is None else tuple(name_in(t) for t in targets),
        grouping=data["grouping"],
        ordered=data["ordered"],
        hidden=None if data["hidden"] is None else tuple(data["hidden"]),
        keep_pairs=data["keep_pairs"],
        sizes={key: part["n"] for key, part in groups.items()} if data["by"] else {},
    )


def _part_out(part: Part) -> dict[str, Any]:
    if isinstance(part, CrossTable):
        return {"table": array_out(part.table), "masked": number_out(part.masked)}
    return {
        "per_class": array_out(part.per_class),
        "per_example": None if part.per_example is None else array_out(part.per_example),
        "times": None if part.times is None else array_out(part.times),
    }


def _part_in(data: dict[str, Any]) -> Part:
    if "table" in data:
        return CrossTable(array_in(data["table"]), number_in(data["masked"]))
    rows, times = data["per_example"], data["times"]
    return Summed(
        array_in(data["per_class"]),
        None if rows is None else array_in(rows),
        None if times is None else array_in(times),
    )


def array_out(x: Array) -> dict[str, Any]:
    """Return an array of counts as JSON that loses nothing.

    Integers stay integers, floats become hexadecimals, fractions become text.
    """
    kind = {"i": "int", "f": "float"}.get(x.dtype.kind, "exact")
    return {"shape": list(x.shape), "kind": kind, "values": [number_out(v) for v in x.ravel().tolist()]}


def array_in(data: dict[str, Any]) -> Array:
    """Return the array that this JSON describes."""
    values = [number_in(v) for v in data["values"]]
    if data["kind"] == "exact":
        flat = np.empty(len(values), object)
        flat[:] = values
    else:
        flat = np.array(values, dtype=np.int64 if data["kind"] == "int" else np.float64)
    return flat.reshape(data["shape"])


def number_out(x: Any) -> Any:
    """Return a number as JSON that loses nothing."""
    if isinstance(x, Fraction):
        return f"{x.numerator}/{x.denominator}"
    return x.hex() if isinstance(x, float) else int(x)


def number_in(x: Any) -> Any:
    """Return the number that this JSON describes."""
    if isinstance(x, str):
        return Fraction(x) if "/" in x else float.fromhex(x)
    return x


def name_out(name: Any) -> Any:
    """Return a label as JSON that keeps its type: 1, "1" and True stay different."""
    if name is None or isinstance(name, str | bool | int):
        return name
    if isinstance(name, float):
        return {"float": name.hex()}
    if isinstance(name, bytes):
        return {"bytes": name.hex()}
    if isinstance(name, tuple):
        return {"tuple": [name_out(x) for x in name]}
    raise TypeError(f"A label of type {type(name).__name__} cannot be saved; use strings or numbers as labels.")


def name_in(data: Any) -> Any:
    """Return the label that this JSON describes."""
    match data:
        case {"float": text}:
            return float.fromhex(text)
        case {"bytes": text}:
            return bytes.fromhex(text)
        case {"tuple": items}:
            return tuple(name_in(x) for x in items)
    return data
