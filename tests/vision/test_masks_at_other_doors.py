"""Masks and label maps that are given to evaluate are refused with the name of what takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from loops import for_each
from PIL import Image

import indicatrix as ix

MAPS = np.random.default_rng(0).integers(0, 3, (2, 4, 5))
CONTAINERS: dict[str, Callable[[Any], Any]] = {
    "an array of label maps": lambda maps: maps,
    "an array of masks": lambda maps: maps > 0,
    "scores of pixels": lambda maps: np.eye(3)[maps],
    "a list of arrays": list,
    "a list of arrays of different sizes": lambda maps: [maps[0], maps[1][:2]],
    "nested lists": lambda maps: maps.tolist(),
    "a list of images": lambda maps: [Image.fromarray(x.astype(np.uint8)) for x in maps],
    "one image": lambda maps: Image.fromarray(maps[0].astype(np.uint8)),
    "one label map": lambda maps: maps[0],
    "one mask of 0 and 255": lambda maps: (maps[0] > 0).astype(np.uint8) * 255,
}
DOORS: dict[str, Callable[[Any, Any], Any]] = {
    "evaluate": ix.evaluate,
    "measure": lambda y, z: ix.f1(y, z, average="macro"),
    "compare": lambda y, z: ix.compare(y, {"a": z, "b": z}),
    "stream": lambda y, z: ix.Stream().update(y, z),
}


@for_each("door", DOORS)
@for_each("container", CONTAINERS)
def test_the_error_names_segmentation(container: str, door: str) -> None:
    given = CONTAINERS[container](MAPS)
    with pytest.raises((ValueError, TypeError), match=r"ix\.segmentation\("):
        DOORS[door](given, given)


def test_segmentation_takes_them() -> None:
    images = CONTAINERS["a list of images"](MAPS)
    assert ix.segmentation(images, images).score("f1", "macro") == 1
    assert ix.segmentation([MAPS[0]], [MAPS[0]]).n == 20
