"""Boundaries of regions: the pixels of a region that are near its outside."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.arrays import Array

USUAL = 0.02  # of the diagonal of the image, as in Cheng et al., 2021


def check_boundary(boundary: Any) -> Any:
    """Return the width of a boundary: a share of the diagonal below 1, or a whole number of pixels."""
    if boundary is None or boundary is True:
        return USUAL if boundary else None
    number = isinstance(boundary, int | float | np.number) and not isinstance(boundary, bool)
    if not number or not (0 < boundary < 1 or (boundary >= 1 and boundary == int(boundary))):
        raise ValueError(
            f"boundary={boundary!r} is not a width. Give a share of the diagonal such as 0.02, or a whole number of pixels."
        )
    return float(boundary) if boundary < 1 else int(boundary)


def width_in_pixels(boundary: float, shape: tuple[int, ...]) -> int:
    """Return the width of a boundary in pixels, at least one.

    >>> width_in_pixels(0.02, (300, 400)), width_in_pixels(3, (300, 400))
    (10, 3)
    """
    if boundary >= 1:
        return int(boundary)
    return max(1, round(boundary * math.sqrt(sum(side**2 for side in shape))))


def is_inside(labels: Array, width: int) -> Array:
    """Return which pixels have the same label all around them, up to a width.

    Beyond the image all is different.

    A pixel is inside if each line of its neighborhood along the last axis holds one label, and these lines agree, and so on for
    the axes before: so each axis is passed once.

    >>> is_inside(np.zeros((3, 4), int), 1).astype(int).tolist()
    [[0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0]]
    """
    inside = np.ones(labels.shape, bool)
    for axis in reversed(range(labels.ndim)):
        inside = _all_around(inside, axis, width) & _same_around(labels, axis, width)
    return inside


def _same_around(labels: Array, axis: int, width: int) -> Array:
    """Return where the label stays the same, this many pixels on both sides along an axis."""
    labels = np.moveaxis(labels, axis, 0)
    n, out = len(labels), np.zeros(labels.shape, bool)
    if n > 2 * width:
        changes = np.zeros(labels.shape, np.int32)  # between the first pixel and this one
        np.cumsum(labels[1:] != labels[:-1], axis=0, out=changes[1:])
        out[width : n - width] = changes[2 * width :] == changes[: n - 2 * width]
    return np.moveaxis(out, 0, axis)


def _all_around(flags: Array, axis: int, width: int) -> Array:
    """Return where all flags are set, this many pixels on both sides along an axis."""
    flags = np.moveaxis(flags, axis, 0)
    n = len(flags)
    upto = np.zeros((n + 1, *flags.shape[1:]), np.int32)
    np.cumsum(flags, axis=0, out=upto[1:])
    out = np.zeros(flags.shape, bool)
    if n > 2 * width:
        out[width : n - width] = upto[2 * width + 1 :] - upto[: n - 2 * width] == 2 * width + 1
    return np.moveaxis(out, 0, axis)
