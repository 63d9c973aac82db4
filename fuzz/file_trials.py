"""Trials of damaged files: each is refused by name, or counted as an independent reader reads it."""

from __future__ import annotations

import hashlib
import io
import json
import random
from pathlib import Path
from typing import Any

import indicatrix as ix

from .damage import damage, damage_text
from .independent_readers import READERS, UnclearError
from .structures import mutate

KINDS = ("arrow", "feather", "parquet", "csv", "jsonl", "evaluation", "checkpoint")
REFUSED, RIGHT, UNCLEAR, WRONG = "refused", "as it is read", "unclear", "wrong"
NAMES = ("ant", "bee", "cat", "dög", "eel", " x", "1", "0")


def try_file(kind: str, number: int, seed: int, folder: Path) -> tuple[str, str]:
    """Return what became of a damaged file, and what is wrong with that; the file stays in the folder.

    File ``number`` of a kind depends on the seed only.
    """
    if kind not in KINDS:
        raise ValueError(f"There are no files of the kind {kind!r}. There are {', '.join(KINDS)}.")
    rng = random.Random(f"{seed} {kind} {number}")
    if kind == "evaluation":
        return _try_evaluation(rng, folder / "rows.json")
    if kind == "checkpoint":
        return _try_checkpoint(rng, folder / "rows.checkpoint")
    table, options = draw_table(rng, lists=kind != "csv")
    path = folder / f"rows.{kind}"
    data = (damage_text if kind in ("csv", "jsonl") else damage)(write(table, kind, rng), rng)
    path.write_bytes(data)
    found = _caught(lambda: ix.evaluate_file(path, **options), path)
    if isinstance(found, str):
        return (REFUSED, "") if not found else (WRONG, found)
    columns = tuple(dict.fromkeys(str(name) for name in options.values()))
    try:
        read = READERS[kind](data, columns)
    except UnclearError:
        return UNCLEAR, ""
    except Exception as wrong:  # whatever it is, the file is not a valid one
        return WRONG, f"it was counted, but cannot be read: {type(wrong).__name__}: {wrong}"
    y, p, *by = ([set(x) if isinstance(x, list) else x for x in read[options[role]]] for role in options)
    expected = ix.evaluate(y, p, by={options["by"]: by[0]} if by else None)
    return (RIGHT, "") if found == expected else (WRONG, f"{found!r} is not {expected!r} of what can be read")


def draw_table(rng: random.Random, *, lists: bool) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Return columns of labels, scores and groups, and how they are evaluated."""
    n = rng.choice((3, 20, 20, 200, 3000))
    form = rng.choice(("texts", "texts", "integers", "bools", *(["lists"] if lists else [])))
    names: list[Any] = {"integers": [*range(5)], "bools": [False, True]}.get(form, [*NAMES[: rng.choice((2, 8))]])

    def label() -> Any:
        return rng.choice(names) if form != "lists" else sorted({rng.choice(names) for _ in range(rng.randrange(3))})

    y = [label() for _ in range(n)]
    table = {"y": y, "p": [x if rng.random() < 0.7 else label() for x in y]}
    table |= {"s": [rng.random() for _ in range(n)], "g": [rng.choice("xyz") for _ in range(n)]}
    return table, {"true": "y", "pred": "p", **({"by": "g"} if rng.random() < 0.4 else {})}


def write(table: dict[str, list[Any]], kind: str, rng: random.Random) -> bytes:
    """Return the bytes of a file with these columns."""
    import pyarrow as pa
    from pyarrow import csv, feather, parquet

    if kind == "jsonl":
        rows = zip(*table.values(), strict=True)
        return "".join(json.dumps(dict(zip(table, row, strict=True)), ensure_ascii=False) + "\n" for row in rows).encode()
    columns = pa.table(table)
    if rng.random() < 0.4:  # codes into a dictionary
        for i, name in enumerate(columns.column_names):
            if pa.types.is_string(columns.schema.field(name).type):
                columns = columns.set_column(i, name, columns.column(name).dictionary_encode())
    out = io.BytesIO()
    if kind == "csv":
        csv.write_csv(pa.table(table), out, csv.WriteOptions(quoting_style=rng.choice(("needed", "all_valid"))))
    elif kind == "parquet":
        parquet.write_table(
            columns, out, row_group_size=rng.choice((7, 5000)), compression=rng.choice(("none", "snappy", "zstd"))
        )
    elif kind == "feather":
        feather.write_feather(columns, out, compression=rng.choice(("uncompressed", "lz4", "zstd")), chunksize=500)
    else:
        with rng.choice((pa.ipc.new_file, pa.ipc.new_stream))(out, columns.schema) as writer:
            writer.write_table(columns, max_chunksize=500)
    return out.getvalue()


def _caught(call: Any, *files: Path) -> Any:
    """Return what a call gives; "" if its error names a file, and otherwise what is wrong with the error."""
    try:
        return call()
    except (ValueError, TypeError, OSError, MemoryError) as wrong:  # the memory of this process is limited
        return "" if any(file.name in str(wrong) for file in files) else f"this names no file: {type(wrong).__name__}: {wrong}"
    except Exception as wrong:  # no error of ours
        return f"{type(wrong).__name__}: {wrong}"


def _evaluation(rng: random.Random) -> ix.Evaluation:
    table, options = draw_table(rng, lists=True)
    y, p = ([set(x) if isinstance(x, list) else x for x in table[name]] for name in "yp")
    more: dict[str, Any] = {"by": {"g": table["g"]}} if "by" in options else {}
    if rng.random() < 0.3:
        more["sample_weight"] = table["s"]
    elif rng.random() < 0.3:
        more["replicates"] = 5
    return ix.evaluate(y, p, **more)


def _try_evaluation(rng: random.Random, path: Path) -> tuple[str, str]:
    ev = _evaluation(rng)
    ev.save(path)
    edited = rng.random() < 0.5
    path.write_bytes(_edit(path.read_bytes(), rng) if edited else damage(path.read_bytes(), rng))
    given = path.read_bytes()
    found = _caught(lambda: ix.load(path), path)
    if isinstance(found, str):
        return (REFUSED, "") if not found else (WRONG, found)
    if not edited:
        return (RIGHT, "") if found == ev else (WRONG, "it is another evaluation than was saved")
    found.save(path)
    again, held = json.loads(path.read_bytes())["tally"], json.loads(given)["tally"]
    path.write_bytes(given)
    other = [name for name in ("classes", "n", "by", "open") if again[name] != held[name]]
    return (WRONG, f"{other[0]} is not that of the file") if other else (RIGHT, "")


def _edit(data: bytes, rng: random.Random) -> bytes:
    """Return a saved file with something else in it, and a correct checksum."""
    content = json.loads(data)
    del content["checksum"]
    mutate(content, rng)
    checksum = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return json.dumps({**content, "checksum": checksum}).encode()


def _try_checkpoint(rng: random.Random, path: Path) -> tuple[str, str]:
    """Damage the checkpoint of a run that was interrupted, and let the run go on."""
    rows = path.with_suffix(".csv")
    table, options = draw_table(rng, lists=False)
    rows.write_bytes(write(table, "csv", rng))
    more: dict[str, Any] = {"separator": ";"} if rng.random() < 0.2 else {}
    path.unlink(missing_ok=True)
    expected = ix.evaluate_file(rows, **options, **more, checkpoint=path)
    edited = rng.random() < 0.5
    path.write_bytes(_edit(path.read_bytes(), rng) if edited else damage(path.read_bytes(), rng))
    given = path.read_bytes()
    found = _caught(lambda: ix.evaluate_file(rows, **options, **more, checkpoint=path), path, rows)
    path.write_bytes(given)
    if isinstance(found, str):
        return (REFUSED, "") if not found else (WRONG, found)
    if edited:  # its counts are those that somebody wrote into it
        return (RIGHT, "") if found.n == expected.n else (WRONG, f"{found.n} rows were counted of {expected.n}")
    return (RIGHT, "") if found == expected else (WRONG, "it is another evaluation than that of the rows")
