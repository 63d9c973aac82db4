"""Random segments of images, compared with COCO's program of panoptic quality number by number.

``python -m fuzz.segments 500`` compares 500 data sets through COCO's files. It needs Pillow and panopticapi, which is not on
PyPI: https://github.com/cocodataset/panopticapi; its folder on PYTHONPATH is enough.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import indicatrix as ix
from indicatrix.algebra.arrays import Array

SIDES = ("truth", "found")
KINDS = {"all": None, "things": True, "stuff": False}
CLOSE = 1e-12


def write_data_set(seed: int, folder: Path) -> tuple[dict[str, list[dict[str, Any]]], dict[int, dict[str, Any]]]:
    """Write COCO's panoptic files of both sides to a folder; return their annotations and categories.

    There are pixels without a segment, crowds (one of a class in an image, which is all that COCO's program knows), segments that
    lie next to each other or far apart, classes that never occur, and predictions that differ a little or much.
    """
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 6))
    categories = {c + 1: {"id": c + 1, "isthing": c % 2, "name": str(c)} for c in range(m)}
    rows: dict[str, list[dict[str, Any]]] = {side: [] for side in SIDES}
    for side in SIDES:
        (folder / side).mkdir()
    for image in range(int(rng.integers(1, 5))):
        shape = rng.integers(3, 12, 2)
        base = np.kron(rng.integers(0, rng.integers(2, 8), shape), np.ones((3, 3), np.int64))
        for side in SIDES:
            ids = base if side == "truth" else _disturbed(rng, base)
            ids = ids * int(rng.integers(1, 90_000))
            _write_picture(folder / side / f"{image}.png", ids)
            info = _segments(rng, ids, base, categories, crowds=side == "truth")
            rows[side].append({"image_id": image, "file_name": f"{image}.png", "segments_info": info})
    for side in SIDES:
        content = {"annotations": rows[side], "categories": [*categories.values()]}
        (folder / f"{side}.json").write_text(json.dumps(content), encoding="utf-8")
    return rows, categories


def _disturbed(rng: np.random.Generator, base: Array) -> Array:
    other = rng.random(base.shape) < rng.choice([0.05, 0.3])
    return np.where(other, rng.integers(0, 8, base.shape), base)


def _write_picture(path: Path, ids: Array) -> None:
    from PIL import Image

    colors = np.stack([ids % 256, ids // 256 % 256, ids // 65536], axis=-1).astype(np.uint8)
    Image.fromarray(colors).save(path)


def _segments(
    rng: np.random.Generator, ids: Array, base: Array, categories: dict[int, dict[str, Any]], *, crowds: bool
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    crowded: set[int] = set()
    for number, area in zip(*(x.tolist() for x in np.unique(ids[ids > 0], return_counts=True)), strict=True):
        label = int(base[ids == number][0] * 7 + (rng.random() < 0.2)) % len(categories) + 1
        crowd = int(crowds and rng.random() < 0.2 and label not in crowded and categories[label]["isthing"])
        crowded |= {label} if crowd else set()
        rows.append({"id": number, "category_id": label, "iscrowd": crowd, "area": area})
    return rows


def coco_numbers(
    rows: dict[str, list[dict[str, Any]]], categories: dict[int, dict[str, Any]], folder: Path
) -> dict[str, dict[str, float]]:
    """Return the numbers of COCO's own program, without kinds that have no segment."""
    from panopticapi.evaluation import pq_compute_single_core

    pairs = copy.deepcopy([*zip(rows["truth"], rows["found"], strict=True)])
    with contextlib.redirect_stdout(io.StringIO()):
        counted = pq_compute_single_core(0, pairs, *(str(folder / side) for side in SIDES), categories)
    found = {}
    for kind, things in KINDS.items():
        with contextlib.suppress(ZeroDivisionError):
            found[kind] = counted.pq_average(categories, things)[0]
    return found


def differences(seed: int, known: dict[str, dict[str, float]] | None = None) -> list[str]:
    """Return the numbers in which the two differ, in words.

    ``known`` has those of COCO's program, if they were written down.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows, categories = write_data_set(seed, folder)
        result = ix.panoptic(folder / "truth.json", folder / "found.json")
        theirs = coco_numbers(rows, categories, folder) if known is None else known
    out = []
    for kind, numbers in theirs.items():
        ours = {q.lower(): float(value) for q, value in result.summary()[kind].items()}
        for number, own in (("pq", "pq"), ("sq", "sq"), ("rq", "rq"), ("n", "classes")):
            if not abs(ours[own] - numbers[number]) <= CLOSE:
                out.append(f"seed {seed}, {kind}: {number} is {ours[own]!r}, COCO's program has {numbers[number]!r}")
    return out


def main(many: int) -> int:
    """Compare data sets, print what differs, and return the exit status."""
    found = [line for seed in range(many) for line in differences(seed)]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{many} data sets, {len(found)} numbers differ from COCO's program by more than {CLOSE:g}.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500))
