"""Masks in any form: arrays, polygons, run lengths, compressed texts; mixed if need be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.wording import short, type_of
from .given_columns import Columns, numbers_or_none, on_host
from .polygons import masks_of_polygons
from .run_lengths import Lengths, MaskError, Masks, lengths_of_texts, masks_of_arrays, masks_of_lengths


def read_masks(columns: Columns, sizes: Mapping[Any, tuple[int, int]]) -> Masks:
    """Return the masks of one side; polygons need the size of their image."""
    forms: dict[str, list[int]] = {"text": [], "lengths": [], "polygons": [], "array": []}
    for i, mask in enumerate(columns.shape):
        forms[_form(columns, i, mask)].append(i)
    parts, order = [], []
    for form, at in forms.items():
        if at:
            parts.append(_read(columns, form, at, sizes))
            order.extend(at)
    if not parts:
        return Masks(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(1, np.int64), np.zeros((0, 2), np.int64))
    return parts[0] if len(parts) == 1 else reduce(Masks.join, parts).take(np.argsort(order))


def _form(columns: Columns, i: int, mask: Any) -> str:
    if isinstance(mask, dict | Mapping) and "counts" in mask and "size" in mask:
        return "text" if isinstance(mask["counts"], str | bytes) else "lengths"
    if isinstance(mask, list | tuple) and mask and all(map(_is_polygon, mask)):
        if _is_picture(mask):
            raise ValueError(
                f"{columns.where(i)}: these lists of 0 and 1 look like the rows of a picture, and lists are polygons here. Give "
                "the picture as an array: numpy.array(mask)."
            )
        return "polygons"
    if hasattr(mask, "__array__") and np.ndim(mask) == 2:
        return "array"
    given = short(mask) if np.isscalar(mask) else type_of(mask)
    raise ValueError(
        f"{columns.where(i)}: a mask cannot be read from {given}. Give a two-dimensional array, a list of "
        "polygons [[x, y, x, y, x, y, …], …], or RLE, a dict with 'size' and 'counts'."
    )


def _is_polygon(part: Any) -> bool:
    """Return whether something is x, y, x, y, … of three corners or more, and not a row of a picture."""
    if not hasattr(part, "__len__") or isinstance(part, str | bytes | Mapping) or len(part) < 6 or len(part) % 2:
        return False
    return isinstance(part[0], int | float | np.number) and not isinstance(part[0], bool)


def _is_picture(parts: Sequence[Any]) -> bool:
    """Return whether parts may be the rows of a picture: several of one length, and only 0 and 1."""
    rows = len(parts) > 1 and len({*map(len, parts)}) == 1
    return rows and all(value in (0, 1) for part in parts for value in part)


def _read(columns: Columns, form: str, at: list[int], sizes: Mapping[Any, tuple[int, int]]) -> Masks:
    masks = [columns.shape[i] for i in at]
    try:
        if form == "array":
            return masks_of_arrays([_picture(columns, i) for i in at])
        if form == "polygons":
            return masks_of_polygons([_polygons(columns, i) for i in at], _sizes(columns, at, sizes))
        size = np.array([_size(columns, i) for i in at], np.int64).reshape(-1, 2)
        if form == "text":
            return masks_of_lengths(lengths_of_texts([mask["counts"] for mask in masks]), size)
        return masks_of_lengths(Lengths.of([_counts(columns, i) for i in at]), size)
    except MaskError as error:
        raise ValueError(f"{columns.where(at[error.position])}: the mask cannot be read: {error}.") from None


def _size(columns: Columns, i: int) -> Any:
    size = columns.shape[i]["size"]
    if np.shape(size) != (2,) or not all(isinstance(side, int | np.integer) and side >= 0 for side in size):
        raise ValueError(f"{columns.where(i)}: the size of the mask is {short(size)}; give its height and width in pixels.")
    return size


def _counts(columns: Columns, i: int) -> Array:
    given = columns.shape[i]["counts"]
    counts = numbers_or_none(given)
    if counts is None or counts.ndim != 1 or not np.isfinite(counts).all() or (counts % 1).any():
        raise ValueError(f"{columns.where(i)}: the counts of the mask are {short(given)}; give lengths of runs, or a text.")
    return counts.astype(np.int64)


def _picture(columns: Columns, i: int) -> Array:
    array = np.asarray(on_host(columns.shape[i], columns.where(i)))
    if array.dtype.kind not in "biuf" or not ((array == 0) | (array == 1)).all():
        raise ValueError(
            f"{columns.where(i)}: a mask holds False and True (0 and 1), not other {array.dtype} values. Compare probabilities "
            "with a threshold first."
        )
    return array.astype(bool)


def _polygons(columns: Columns, i: int) -> list[Array]:
    parts = [numbers_or_none(part) for part in columns.shape[i]]
    known = [part for part in parts if part is not None and np.isfinite(part).all()]
    if len(known) < len(parts):
        raise ValueError(f"{columns.where(i)}: a corner of a polygon is not a finite number.")
    return known


def _sizes(columns: Columns, at: list[int], sizes: Mapping[Any, tuple[int, int]]) -> Array:
    out = np.zeros((len(at), 2), np.int64)
    for k, i in enumerate(at):
        if columns.image[i] not in sizes:
            raise ValueError(
                f"{columns.where(i)}: a polygon needs the height and the width of its image. Add them to the image: 'size'."
            )
        out[k] = sizes[columns.image[i]]
    return out


def check_sizes(truth: Columns, predictions: Columns, masks: tuple[Masks, Masks], sizes: Mapping[Any, tuple[int, int]]) -> None:
    """Refuse a mask whose size is not that of its image, or of the other masks of its image."""
    known: dict[Any, tuple[int, int]] = {}
    for columns, own in ((truth, masks[0]), (predictions, masks[1])):
        for i, (image, size) in enumerate(zip(columns.image, map(tuple, own.size.tolist()), strict=True)):
            if image in sizes and size != tuple(sizes[image]):
                raise ValueError(
                    f"{columns.where(i)}: the mask has {size[0]} x {size[1]} pixels, but its image has "
                    f"{sizes[image][0]} x {sizes[image][1]}. All masks of an image have its height and width."
                )
            if known.setdefault(image, size) != size:
                raise ValueError(
                    f"{columns.where(i)}: the mask has {size[0]} x {size[1]} pixels, but another of this image has "
                    f"{known[image][0]} x {known[image][1]}. All masks of an image have its height and width."
                )
