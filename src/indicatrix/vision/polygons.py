"""Polygons as runs of pixels, drawn as COCO draws them: on a grid five times finer than pixels.

An edge is drawn point by point on the fine grid, one for each step along its longer side. Only the points to both sides of the
middle of a column of pixels say where a run begins or ends, so only these are computed, for all polygons at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..algebra.arrays import Array
from .run_lengths import Masks

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
