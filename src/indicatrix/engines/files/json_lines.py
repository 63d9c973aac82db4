"""JSON lines: one object per line, of which some keys are columns.

Arrow reads plain lines, many at once. Where its reading could differ from what a line says, such as a number that it would round,
Python's json reads the block line by line.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import IO, Any

from ...algebra.arrays import FLOATS_ARE_EXACT
from .csv_lines import PACKED_ERRORS
from .json_cells import family_of_type, read_cells

BYTES = 1 << 20  # of a block
LONGEST = 1 << 26  # bytes of a line, so that a file without line ends does not fill the memory
SHOWN = 100  # lines that are read to find the columns
DEEPEST = 500  # brackets of a line that Arrow reads: it ends the process where objects are nested too deeply
SPACES = b" \t\r\n"  # what is blank in JSON
UTF8_MARK = b"\xef\xbb\xbf"


def open_json(data: IO[bytes], name: str) -> tuple[tuple[str, ...], Iterator[bytes]]:
    """Return the columns that the first lines have, and all lines in blocks."""
    blocks = _blocks(data, name)
    first = next(blocks, b"").removeprefix(UTF8_MARK)
    lines = _lines(first)
    rows = (_parse(line)[0] for line in lines[:SHOWN])
    columns = tuple(dict.fromkeys(key for row in rows if row is not None for key in row))
    if not lines:
        raise ValueError(f'{name} is empty. Give a file with one example per line, such as {{"true": "a", "pred": "b"}}.')
    if not columns:
        raise ValueError(f"{name} does not hold one JSON object per line. Its first line is {_short(lines[0])}.")
    return columns, chain((first,), blocks)


def _lines(block: bytes) -> list[bytes]:
    """Return the lines of a block that are not blank."""
    return [line for given in block.split(b"\n") if (line := given.strip(SPACES))]


def json_batches(
    blocks: Iterator[bytes], name: str, columns: tuple[str, ...], count_bad: bool
) -> Iterator[tuple[Any, dict[int, str]]]:
    """Yield record batches of the columns, with the rows of each that cannot be read, and why."""
    kinds: dict[str, Any] = {}  # the type of each column in the last block where it is known
    families: dict[str, str] = {}  # what the cells of each column are, which may not change
    row = 1
    for block in blocks:
        lines = _lines(block)
        if not lines:
            continue
        batch = _read_block(lines, columns, kinds)
        bad: dict[int, str] = {}
        if batch is None:
            batch, bad = _read_lines(lines, columns, families)
            if bad and not count_bad:
                at = min(bad)
                raise ValueError(f"{name}, data row {row + at}: {bad[at]}. Correct this line.")
        for column, kind in zip(batch.schema.names, batch.schema.types, strict=True):
            if (family := family_of_type(kind)) is not None:
                kinds[column] = kind
                families.setdefault(column, family)
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


def _read_block(lines: list[bytes], columns: tuple[str, ...], kinds: dict[str, Any]) -> Any:
    """Return the columns of plain lines as a batch; None if a line is odd, or a type has changed."""
    import pyarrow as pa
    from pyarrow import json as arrow_json

    block = b"\n".join(lines) + b"\n"
    if not all(line[0] == ord("{") and line[-1] == ord("}") for line in lines) or _is_deep(block, lines):
        return None
    known = pa.schema([(c, kinds[c]) for c in columns if c in kinds])
    behaviour = "ignore" if len(known) == len(columns) else "infer"
    try:
        table = arrow_json.read_json(
            pa.BufferReader(block),
            arrow_json.ReadOptions(use_threads=False, block_size=len(block) + 1),
            arrow_json.ParseOptions(explicit_schema=known, unexpected_field_behavior=behaviour),
        )
        table.validate(full=True)  # a text may be no UTF-8
    except (pa.ArrowInvalid, UnicodeDecodeError):
        return None
    if table.num_rows != len(lines):
        return None
    arrays = {}
    for name in columns:
        column = table.column(name).combine_chunks() if name in table.schema.names else pa.nulls(len(lines))
        if not _is_plain(column):
            return None
        arrays[name] = column
    return pa.record_batch(arrays)


def _is_deep(block: bytes, lines: list[bytes]) -> bool:
    """Return whether a line may be nested so deeply that Arrow would end the process."""
    some = block.count(b"{") + block.count(b"[") - len(lines) >= DEEPEST
    return some and any(line.count(b"{") + line.count(b"[") > DEEPEST for line in lines)


def _is_plain(column: Any) -> bool:
    """Return whether a column is surely what the lines say.

    A text that looks like a time stays a text. Integers that are too large for their type, or next to a float, were rounded.
    """
    from pyarrow import compute, types

    if types.is_list(column.type):
        return not types.is_nested(column.type.value_type) and _is_plain(column.flatten())
    if types.is_floating(column.type):
        return bool(compute.all(compute.less(compute.abs(column), FLOATS_ARE_EXACT), min_count=0).as_py())
    return bool(types.is_integer(column.type) or types.is_boolean(column.type) or types.is_string(column.type)) or types.is_null(
        column.type
    )


def _read_lines(lines: list[bytes], columns: tuple[str, ...], families: dict[str, str]) -> tuple[Any, dict[int, str]]:
    """Return the columns of lines one by one, with those that cannot be read, and why."""
    import pyarrow as pa

    parsed = [_parse(line) for line in lines]
    bad = {i: why for i, (_, why) in enumerate(parsed) if why}
    for i, (row, _) in enumerate(parsed):
        twice = row.twice.intersection(columns) if isinstance(row, _RepeatedKeys) else ()
        if twice:
            bad[i] = f"it has the key {min(twice)!r} twice"
    arrays = {}
    for name in columns:
        cells = [None if row is None or i in bad else row.get(name) for i, (row, _) in enumerate(parsed)]
        arrays[name], odd = read_cells(cells, families.get(name))
        bad = {i: f"{name!r} is {_short(cells[i])}, {why}" for i, why in odd.items()} | bad
    return pa.record_batch(arrays), bad


class _RepeatedKeys(dict[str, Any]):
    """An object in which some keys are given twice; ``twice`` has them."""

    twice: frozenset[str] = frozenset()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; json itself would take the last value of a key without a word."""
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeated = _RepeatedKeys(found)
    repeated.twice = frozenset(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    return repeated


def _finite(text: str) -> float:
    found = float(text)
    if abs(found) == float("inf"):
        raise ValueError(f"{_short(text)} is too large for a float")
    return found


def _parse(line: bytes) -> tuple[dict[str, Any] | None, str]:
    """Return the object of a line, and "", or None and why it cannot be read."""
    try:
        row = json.loads(line.decode("utf-8"), object_pairs_hook=_object, parse_float=_finite)
    except (ValueError, RecursionError) as wrong:
        return None, f"this line is not JSON ({wrong})"
    return (row, "") if isinstance(row, dict) else (None, f"this line holds {_short(row)}, not an object")


def _short(value: Any) -> str:
    text = value[:200].decode("utf-8", "replace") if isinstance(value, bytes) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
