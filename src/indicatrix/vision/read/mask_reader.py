"""Masks in any form: arrays, polygons, run lengths, compressed texts; mixed if need be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...words.wording import short, type_of
from ..shapes.run_lengths import Lengths, MaskError, Masks, lengths_of_texts, masks_of_arrays, masks_of_lengths
from .given_columns import Columns, numbers_or_none, on_host

FINER = 5  # points of the fine grid along a pixel
MIDDLE = FINER // 2  # the last point before the middle of a pixel


def masks_of_polygons(objects: Sequence[Sequence[Array]], size: Array) -> Masks:
    """Return one mask for each object, the union of its polygons; a polygon is x, y, x, y and so on.

    >>> masks_of_polygons([[np.array([1.0, 1, 3, 1, 3, 3, 1, 3])]], np.array([[4, 4]])).area.tolist()
    [4]
    """
    owner = np.repeat(np.arange(len(objects)), [len(polygons) for polygons in objects])
    flat = [polygon for polygons in objects for polygon in polygons]
    corners = np.array([len(polygon) // 2 for polygon in flat], np.int64)
    fine = np.trunc(FINER * np.concatenate([np.zeros(0), *flat]).reshape(-1, 2) + 0.5).astype(np.int64)
    ahead, ends = np.arange(len(fine)) + 1, np.cumsum(corners)
    ahead[ends - 1] = ends - corners  # after the last corner of a polygon comes its first
    polygon = np.repeat(np.arange(len(corners)), corners)
    change, edge = _changes(fine, fine[ahead], size[owner[polygon]])
    return _fill(change, polygon[edge], owner, size)


def _changes(start: Array, stop: Array, size: Array) -> tuple[Array, Array]:
    """Return the pixels where edges cross the middle of a column, and the edge of each.

    ``size`` has the height and the width of the image of each edge.
    """
    low, high = np.minimum(start[:, 0], stop[:, 0]), np.maximum(start[:, 0], stop[:, 0])
    first = np.maximum(-((MIDDLE - low) // FINER), 0)
    many = np.maximum(np.minimum((high - MIDDLE - 1) // FINER, size[:, 1] - 1) - first + 1, 0)
    edge = np.repeat(np.arange(len(start)), many)
    column = np.arange(len(edge)) - np.repeat(np.cumsum(many) - many, many) + first[edge]
    y = _crossing(start, stop, edge, FINER * column + MIDDLE)
    tall = size[edge, 0]
    row = np.ceil(np.clip((y + 0.5) / FINER - 0.5, 0, tall)).astype(np.int64)
    return column * tall + row, edge


def _crossing(start: Array, stop: Array, edge: Array, x: Array) -> Array:
    """Return where edges step from x to the next point of the fine grid: the upper one of the two points."""
    apart = np.abs(stop - start)
    flat = apart[:, 0] >= apart[:, 1]
    back = np.where(flat, start[:, 0] > stop[:, 0], start[:, 1] > stop[:, 1])  # drawn from its other end, with the same points
    (x0, y0), (x1, y1) = np.where(back[:, None], stop, start).T, np.where(back[:, None], start, stop).T
    slope = np.where(flat, y1 - y0, x1 - x0) / np.maximum(apart.max(axis=1, initial=0), 1)
    x0, y0, slope, flat = x0[edge], y0[edge], slope[edge], flat[edge]
    left, right = (np.trunc(y0 + slope * (at - x0) + 0.5) for at in (x, x + 1))
    rising, safe = slope > 0, np.where(flat, 1.0, slope)
    step = np.ceil((x + 0.5 - x0) / safe)  # of a steep edge, the first one on the other side; rounding may miss it by one

    def has_arrived(at: Array) -> Array:
        now = np.trunc(x0 + slope * at + 0.5)
        return np.asarray(np.where(rising, now > x, now <= x))

    step = np.where(has_arrived(step - 1), step - 1, step)
    step = np.where(has_arrived(step), step, step + 1)
    return np.asarray(np.where(flat, np.minimum(left, right), y0 + step - 1))


def _fill(change: Array, polygon: Array, owner: Array, size: Array) -> Masks:
    """Return the masks between an odd change of a polygon and the next one, joined for each object."""
    pixels = int((size[:, 0] * size[:, 1]).max(initial=0)) + 1
    odd = np.flatnonzero(np.bincount(polygon, minlength=len(owner)) % 2)  # such a one goes on to the last pixel
    key = np.append(polygon * pixels + change, odd * pixels + size[owner[odd]].prod(axis=1))
    key.sort()
    polygon, change = np.divmod(key, pixels)
    key = owner[polygon] * pixels + change
    return _union(key[::2], key[1::2], size, pixels)


def _union(start: Array, end: Array, size: Array, pixels: int) -> Masks:
    """Return the runs of the union of runs of each object, without runs that are empty or that touch."""
    event = np.concatenate([2 * start, 2 * end + 1])  # at the same pixel, what begins comes before what ends
    event.sort()
    ends = event & 1
    depth = np.cumsum(1 - 2 * ends)
    begins, finishes = event[(depth == 1) & (ends == 0)] >> 1, event[depth == 0] >> 1
    real = finishes > begins
    owner, first = np.divmod(begins[real], pixels)
    many = np.bincount(owner, minlength=len(size))
    return Masks(first, finishes[real] - owner * pixels, np.append(0, np.cumsum(many)), size)


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
            whose = "its image" if image in sizes else "another of this image"
            high, wide = sizes[image] if image in sizes else known.setdefault(image, size)
            if size != (high, wide):
                raise ValueError(
                    f"{columns.where(i)}: the mask has {size[0]} x {size[1]} pixels, but {whose} has {high} x {wide}. All masks "
                    "of an image have its height and width."
                )
