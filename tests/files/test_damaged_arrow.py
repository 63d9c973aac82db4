"""Damaged Arrow files: a batch is checked as a whole before anything reads it, and the error names the file."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import indicatrix as ix
from indicatrix.engines.files import rows_of_file

TEXTS = ["ant", "bee", "cat", "dog"] * 50
DAMAGED = r"rows\.\w+ is damaged and cannot be read as an Arrow or Feather file: .*Fetch or write it again"


def write(path: Path, column: pa.Array, batch: int = 50) -> bytes:
    table = pa.table({"y": column, "p": column})
    with pa.ipc.new_file(str(path), table.schema) as out:
        out.write_table(table, max_chunksize=batch)
    return path.read_bytes()


def change(path: Path, data: bytes, old: bytes, new: bytes) -> None:
    assert old in data
    path.write_bytes(data.replace(old, new))


def test_an_offset_outside_of_its_texts_is_refused(tmp_path: Path) -> None:
    """It would make class names of neighboring bytes, or end the process."""
    path = tmp_path / "rows.arrow"
    data = write(path, pa.array(TEXTS))
    offsets = struct.pack("<4i", 138, 141, 144, 147)
    for wrong in (160, 3, -5, 2**31 - 1):
        change(path, data, offsets, struct.pack("<4i", 138, wrong, 144, 147))
        with pytest.raises(ValueError, match=DAMAGED):
            ix.evaluate_file(path, true="y", pred="p")


def test_a_text_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.arrow"
    data = write(path, pa.array(TEXTS))
    change(path, data, b"dogant", b"d\xffgant")
    with pytest.raises(ValueError, match=DAMAGED):
        ix.evaluate_file(path, true="y", pred="p")


def test_a_code_that_is_in_no_dictionary_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.arrow"
    data = write(path, pa.array(TEXTS).dictionary_encode())
    change(path, data, struct.pack("<4i", 0, 1, 2, 3), struct.pack("<4i", 0, 1, 77, 3))
    with pytest.raises(ValueError, match=DAMAGED):
        ix.evaluate_file(path, true="y", pred="p")


@pytest.mark.parametrize("form", ["arrow", "feather"])
def test_a_file_that_becomes_shorter_while_it_is_read_is_an_error(tmp_path: Path, form: str) -> None:
    """A memory map would end the process."""
    path = tmp_path / f"rows.{form}"
    labels = pa.array([k % 7 for k in range(200_000)])
    if form == "arrow":
        write(path, labels, 10_000)
    else:
        feather.write_feather(pa.table({"y": labels, "p": labels}), str(path), compression="uncompressed", chunksize=10_000)

    def shorten(now: ix.types.Progress) -> None:
        os.truncate(path, 40_000)

    with pytest.raises(ValueError, match=DAMAGED):
        ix.evaluate_file(path, true="y", pred="p", progress=shorten)


def test_only_the_columns_that_are_named_are_read(tmp_path: Path) -> None:
    """Damage in another column changes nothing, and costs nothing."""
    path = tmp_path / "rows.arrow"
    table = pa.table({"z": pa.array(TEXTS), "y": [0, 1] * 100, "p": [0, 0] * 100})
    for new in (pa.ipc.new_file, pa.ipc.new_stream):
        with new(str(path), table.schema) as out:
            out.write_table(table)
        change(path, path.read_bytes(), b"dogant", b"d\xffgant")
        assert ix.evaluate_file(path, true="y", pred="p") == ix.evaluate(table["y"], table["p"])
        with pytest.raises(ValueError, match=DAMAGED):
            ix.evaluate_file(path, true="z", pred="z")


def test_too_little_memory_names_the_file() -> None:
    def read() -> Any:
        with rows_of_file.name_damage("rows.arrow", "is damaged"):
            raise MemoryError("malloc of size 47261417472 failed")

    with pytest.raises(MemoryError, match=r"rows\.arrow needs more memory than there is, or it is damaged: malloc of size"):
        read()


def test_texts_of_parquet_files_are_checked_in_lists_too(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    lists = [["ant", "dog"], ["dog"]] * 20
    parquet.write_table(pa.table({"y": lists, "p": lists}), path, compression="none", use_dictionary=False)
    change(path, path.read_bytes(), b"dog", b"d\xffg")
    with pytest.raises(ValueError, match=r"rows\.parquet is damaged and cannot be read as a Parquet file"):
        ix.evaluate_file(path, true="y", pred="p")
