"""JSON lines: one object per line, of which some keys are columns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import IO, Any

from .csv_lines import PACKED_ERRORS

BYTES = 1 << 20  # of a block
LONGEST = 1 << 26  # bytes of a line, so that a file without line ends does not fill the memory
SHOWN = 100  # lines that are read to find the columns


def open_json(data: IO[bytes], name: str) -> tuple[tuple[str, ...], Iterator[bytes]]:
    """Return the columns that the first lines have, and all lines in blocks."""
    blocks = _blocks(data, name)
    first = next(blocks, b"")
    rows = (_parse(line)[0] for line in first.splitlines()[:SHOWN])
    columns = tuple(dict.fromkeys(key for row in rows if row is not None for key in row))
    if not first.strip():
        raise ValueError(f'{name} is empty. Give a file with one example per line, such as {{"true": "a", "pred": "b"}}.')
    if not columns:
        raise ValueError(f"{name} does not hold one JSON object per line. Its first line is {_short(first.splitlines()[0])}.")
    return columns, chain((first,), blocks)


def json_batches(
    blocks: Iterator[bytes], name: str, columns: tuple[str, ...], count_bad: bool
) -> Iterator[tuple[Any, dict[int, str]]]:
    """Yield record batches of the columns, with the rows of each that cannot be read, and why."""
    kinds: dict[str, Any] = {}  # the type of each column, once it is known
    row = 1
    for block in blocks:
        lines = [line for line in block.split(b"\n") if line.strip()]
        if not lines:
            continue
        batch = _read_block(b"\n".join(lines) + b"\n", columns, kinds, len(lines))
        bad: dict[int, str] = {}
        if batch is None:
            batch, bad = _read_lines(lines, columns, kinds)
            if bad and not count_bad:
                at = min(bad)
                raise ValueError(f"{name}, data row {row + at}: {bad[at]}. Correct this line.")
        row += len(lines)
        yield batch, bad


def _blocks(data: IO[bytes], name: str) -> Iterator[bytes]:
    """Yield blocks of whole lines."""
    left = b""
    while True:
        try:
            more = data.read(BYTES)
        except PACKED_ERRORS as wrong:
            raise ValueError(f"{name} is not a whole gzip or zstd file: {wrong}. Fetch or compress it again.") from None
        end = more.rfind(b"\n") + 1
        if end:
            yield left + more[:end]
            left = more[end:]
        elif not more:
            break
        elif len(left) > LONGEST:
            raise ValueError(f"{name} has a line of more than {LONGEST:,} bytes. Write one example per line.")
        else:
            left += more
    yield left


def _read_block(block: bytes, columns: tuple[str, ...], kinds: dict[str, Any], rows: int) -> Any:
    """Return the columns of plain lines as a batch; None if a line is odd, or a type has changed."""
    import pyarrow as pa
    from pyarrow import json as arrow_json

    known = pa.schema([(c, kinds[c]) for c in columns if c in kinds])
    behaviour = "ignore" if len(known) == len(columns) else "infer"
    try:
        table = arrow_json.read_json(
            pa.BufferReader(block),
            arrow_json.ReadOptions(use_threads=False, block_size=len(block) + 1),
            arrow_json.ParseOptions(explicit_schema=known, unexpected_field_behavior=behaviour),
        )
    except pa.ArrowInvalid:
        return None
    if table.num_rows != rows:
        return None
    arrays = {}
    for name in columns:
        column = table.column(name) if name in table.schema.names else pa.nulls(rows)
        column = column.combine_chunks() if hasattr(column, "combine_chunks") else column
        if pa.types.is_timestamp(column.type):  # a text that looks like a time stays a text
            return None
        if not pa.types.is_null(column.type):
            kinds.setdefault(name, column.type)
        arrays[name] = column
    return pa.record_batch(arrays)


def _read_lines(lines: list[bytes], columns: tuple[str, ...], kinds: dict[str, Any]) -> tuple[Any, dict[int, str]]:
    """Return the columns of lines one by one, with those that cannot be read, and why."""
    import pyarrow as pa

    parsed = [_parse(line) for line in lines]
    bad = {i: why for i, (_, why) in enumerate(parsed) if why}
    cells = {name: [None if row is None else row.get(name) for row, _ in parsed] for name in columns}
    arrays = {}
    for name, values in cells.items():
        kind = kinds.get(name)
        try:
            arrays[name] = pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            like = next((type(v) for v in values if v is not None), type(None)) if kind is None else None
            for i, value in enumerate(values):
                odd = value is not None and (type(value) is not like if like else not _fits(value, kind))
                if odd and i not in bad:
                    bad[i] = f"{name!r} is {_short(value)}, of another type than in the rows before"
                values[i] = None if odd else value
            arrays[name] = pa.array(values)
        if not pa.types.is_null(arrays[name].type):
            kinds.setdefault(name, arrays[name].type)
    return pa.record_batch(arrays), bad


def _fits(value: Any, kind: Any) -> bool:
    import pyarrow as pa

    try:
        pa.scalar(value, kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return False
    return True


def _parse(line: bytes) -> tuple[dict[str, Any] | None, str]:
    """Return the object of a line, and "", or None and why it cannot be read."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as wrong:
        return None, f"this line is not JSON ({wrong})"
    return (row, "") if isinstance(row, dict) else (None, f"this line holds {_short(row)}, not an object")


def _short(value: Any) -> str:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
