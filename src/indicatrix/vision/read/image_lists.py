"""Objects from arrays: a dict per image, or one dict with the image of each object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...words.wording import listing, short, type_of
from .given_columns import KINDS, Columns, numbers_or_none, on_host, plain

NAMES = {"labels", "scores", "area", "crowd", "ignore", "image", "size"}
ELSEWHERE = {"iscrowd": "crowd"}  # what torchmetrics calls it


def read_lists(truth: Any, predictions: Any, kind: str) -> tuple[Columns, Columns, list[Any]]:
    """Return both sides and the images: positions in lists, or the images of the columns of the truth."""
    if isinstance(truth, Mapping):
        if not isinstance(predictions, Mapping):
            raise TypeError(
                f"truth is one dict of columns, but predictions is {type_of(predictions)}. Give both in the same form."
            )
        sides = [_flat(given, side, kind) for given, side in ((truth, "truth"), (predictions, "predictions"))]
        return sides[0], sides[1], list(dict.fromkeys(sides[0].image))
    for given, side in ((truth, "truth"), (predictions, "predictions")):
        if isinstance(given, str | bytes | Mapping) or not isinstance(given, Sequence):
            raise TypeError(
                f"{side} is {type_of(given)}. Give COCO's JSON, a list with one dict per image, or one dict of columns."
            )
    if len(truth) != len(predictions):
        raise ValueError(
            f"truth has {len(truth)} images and predictions has {len(predictions)}. Give one dict for each image in both."
        )
    return _read_list(truth, "truth", kind), _read_list(predictions, "predictions", kind), list(range(len(truth)))


def is_by_name(given: Any) -> bool:
    """Return whether something is a dict from the names of images to their dicts."""
    return isinstance(given, Mapping) and bool(given) and all(isinstance(one, Mapping) for one in given.values())


def lists_of_names(truth: Mapping[Any, Any], predictions: Any) -> tuple[list[Any], list[Any], tuple[Any, ...]]:
    """Return lists with one dict per image, and the names of the images, from dicts by these names."""
    if not isinstance(predictions, Mapping):
        raise TypeError(
            f"truth is a dict by the name of the image, but predictions is {type_of(predictions)}. Give both as dicts."
        )
    for one, other, side in ((truth, predictions, "predictions"), (predictions, truth, "truth")):
        lacking = next((name for name in one if name not in other), None)
        if lacking is not None:
            raise ValueError(
                f"{side} has no image {short(lacking)}. Give both the same images; one without objects has empty lists."
            )
    return [*truth.values()], [predictions[name] for name in truth], tuple(truth)


def _read(given: Any, place: str, side: str, kind: str) -> dict[str, Any]:
    """Return the columns of one dict by our names."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{place} is {type_of(given)}; give a dict with {kind!r} and 'labels'.")
    columns: dict[str, Any] = {
        ELSEWHERE.get(str(name), str(name)): on_host(values, f"{place}[{name!r}]") for name, values in given.items()
    }
    unknown = [name for name in columns if name not in NAMES and name not in KINDS]
    if unknown:
        raise ValueError(
            f"{place} has {listing(unknown)}, which is not a column. Give {kind!r}, 'labels' and others of {sorted(NAMES)}."
        )
    needed = (kind, "labels", "scores") if side == "predictions" else (kind, "labels")
    missing = [name for name in needed if name not in columns]
    if missing:
        raise ValueError(f"{place} has no {missing[0]!r}; it has {listing(tuple(columns))}.")
    return columns


def _length(columns: Mapping[str, Any], place: str, kind: str) -> int:
    if not hasattr(columns["labels"], "__len__") or isinstance(columns["labels"], str):
        raise TypeError(f"{place}: 'labels' is {short(columns['labels'])}; give a list with the class of each object.")
    n = len(columns["labels"])
    for name, values in columns.items():
        if name == "size" or (name in KINDS and name != kind):
            continue
        if not hasattr(values, "__len__") or len(values) != n:
            raise ValueError(
                f"{place}: {name!r} has {np.shape(values)[:1] or 'no'} entries for {n} labels. Give one for each object."
            )
    return n


def _flat(given: Any, side: str, kind: str) -> Columns:
    columns = _read(given, side, side, kind)
    if "image" not in columns:
        raise ValueError(
            f"{side} is one dict of columns without 'image'. Add the image of each object, or give a list of one dict per image."
        )
    _length(columns, side, kind)
    found = {name: columns.get(name) for name in ("area", "crowd", "ignore")}
    return Columns(
        side,
        plain(columns["image"]),
        plain(columns["labels"]),
        columns[kind],
        lambda i: f"{side}, row {i}",
        score=columns.get("scores"),
        boxes=columns.get("boxes"),
        more={"sizes": _sizes_by_name(columns.get("size"), side)},
        **found,
    )


def _sizes_by_name(given: Any, side: str) -> dict[Any, tuple[int, int]]:
    """Return the sizes of images that a dict of columns has, by their names."""
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"{side}: 'size' is {type_of(given)}; give a dict from the image to its height and width.")
    return {name: _size(size, f"{side}, image {short(name)}") for name, size in (given or {}).items()}


def _size(given: Any, place: str) -> tuple[int, int]:
    """Return the height and the width of an image."""
    size = numbers_or_none(given)
    if size is None or size.shape != (2,) or not (np.isfinite(size) & (size >= 0) & (size % 1 == 0)).all():
        raise ValueError(f"{place}: 'size' is {short(given)}; give the height and the width of the image in pixels.")
    return int(size[0]), int(size[1])


def _read_list(given: Sequence[Any], side: str, kind: str) -> Columns:
    read = [_read(one, f"{side}[{i}]", side, kind) for i, one in enumerate(given)]
    many = [_length(one, f"{side}[{i}]", kind) for i, one in enumerate(read)]
    starts = np.cumsum([0, *many])

    def place(row: int) -> str:
        image = int(np.searchsorted(starts, row, "right")) - 1
        return f"{side}[{image}], object {row - int(starts[image])}"

    def join(name: str, *, optional: bool = True) -> Any:
        if optional and not any(name in one for one in read):
            return None
        lacking = next((i for i, one in enumerate(read) if name not in one and many[i]), None)
        if lacking is not None:
            raise ValueError(f"{side}[{lacking}] has no {name!r}, which other images have. Give it for every image, or for none.")
        return [value for one in read for value in one.get(name, ())]

    sizes = {i: _size(one["size"], f"{side}[{i}]") for i, one in enumerate(read) if "size" in one}
    image = [i for i, n in enumerate(many) for _ in range(n)]
    found = {name: join(name) for name in ("area", "crowd", "ignore")}
    return Columns(
        side,
        image,
        plain(join("labels", optional=False)),
        join(kind, optional=False),
        place,
        score=join("scores", optional=side == "truth"),
        boxes=join("boxes") if kind == "keypoints" else None,
        more={"sizes": sizes},
        **found,
    )
