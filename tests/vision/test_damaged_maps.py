"""Files of label maps that are damaged or say that they are huge: an error that names the file, and no memory for it."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import indicatrix as ix
from fuzz.damage import damage

MAP = np.arange(64).reshape(8, 8) % 4


def huge_array(path: Path) -> None:
    """A header of eight terabytes, and no data."""
    header = b"{'descr': '<i8', 'fortran_order': False, 'shape': (1000000, 1000000), }"
    header += b" " * (117 - len(header)) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(64))


def long_header(path: Path) -> None:
    """A header that says that it is itself four gigabytes long."""
    path.write_bytes(b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**32 - 1) + b"{'descr'")


def nested_header(path: Path) -> None:
    header = b"(" * 5000 + b")" * 5000
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)


def huge_picture(path: Path) -> None:
    """A picture of a thousand million pixels, in fifty bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    size = struct.pack(">IIBBBBB", 2**20, 2**20, 8, 0, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b""))


@pytest.mark.parametrize(
    ("make", "name", "said"),
    [
        (huge_array, "a.npy", "is not a NumPy array of numbers"),
        (long_header, "a.npy", "is not a NumPy array of numbers"),
        (nested_header, "a.npy", "is not a NumPy array of numbers"),
        (huge_picture, "a.png", "is larger than Pillow reads, or says so: .*give the array"),
    ],
)
@pytest.mark.parametrize("task", [ix.segmentation, ix.panoptic])
def test_a_huge_header_is_refused(tmp_path: Path, make: Callable[[Path], None], name: str, said: str, task: Any) -> None:
    make(tmp_path / name)
    given = [tmp_path / name] if task is ix.segmentation else [{"map": tmp_path / name, "segments": []}]
    with pytest.raises(ValueError, match=rf"(y_true|truth)\[0\].*{name} {said}"):
        task(given, given)


@pytest.mark.parametrize("name", ["a.npy", "a.png", "a.tif", "a.bmp", "a.gif"])
def test_a_damaged_file_is_refused_or_read(tmp_path: Path, name: str) -> None:
    path, rng = tmp_path / name, random.Random(name)
    np.save(path, MAP) if name.endswith("npy") else Image.fromarray(MAP.astype(np.uint8)).save(path)
    whole, refused = path.read_bytes(), 0
    for _ in range(60):
        path.write_bytes(damage(whole, rng))
        try:
            ev = ix.segmentation([path], [path], classes=range(256))
        except (ValueError, TypeError) as wrong:
            assert "y_true[0]" in str(wrong) or name in str(wrong) or "classes=" in str(wrong)  # noqa: PT017 - others pass
            refused += 1
        else:
            assert ev.score("accuracy", "micro") == 1 or not ev.n
    assert refused
