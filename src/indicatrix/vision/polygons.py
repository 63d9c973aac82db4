"""Polygons as runs of pixels, drawn as COCO draws them: five times finer than pixels, then sampled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..algebra.arrays import Array
from .run_lengths import Masks

FINER = 5  # how many points of the border there are along a pixel


def masks_of_polygons(objects: Sequence[Sequence[Array]], size: Array) -> Masks:
    """Return one mask for each object, the union of its polygons; a polygon is x, y, x, y and so on.

    >>> masks_of_polygons([[np.array([1.0, 1, 3, 1, 3, 3, 1, 3])]], np.array([[4, 4]])).area.tolist()
    [4]
    """
    starts, ends, many = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [0]
    for polygons, (high, wide) in zip(objects, size.tolist(), strict=True):
        start, end = _union([_runs(polygon.reshape(-1, 2), high, wide) for polygon in polygons])
        starts.append(start)
        ends.append(end)
        many.append(len(start))
    return Masks(np.concatenate(starts), np.concatenate(ends), np.cumsum(many), size)


def _runs(corners: Array, high: int, wide: int) -> tuple[Array, Array]:
    """Return where the runs of ones of one polygon begin and end.

    In each column that the border crosses, a pixel changes sides; between an odd change and the next one are ones.
    """
    fine = np.trunc(FINER * corners + 0.5).astype(np.int64)
    u, v = _border(fine, np.roll(fine, -1, axis=0))
    crossing = np.flatnonzero(u[1:] != u[:-1]) + 1
    now, before = u[crossing], u[crossing - 1]
    column = (np.where(now < before, now, now - 1) + 0.5) / FINER - 0.5
    inside = (np.floor(column) == column) & (column >= 0) & (column <= wide - 1)
    row = (np.minimum(v[crossing], v[crossing - 1])[inside] + 0.5) / FINER - 0.5
    row = np.ceil(np.clip(row, 0, high)).astype(np.int64)
    change = np.sort(column[inside].astype(np.int64) * high + row)
    if len(change) % 2:
        change = np.append(change, high * wide)
    return change[::2], change[1::2]


def _border(start: Array, stop: Array) -> tuple[Array, Array]:
    """Return the points of all edges in turn, one for each step along the longer side of an edge."""
    apart = np.abs(stop - start)
    flat = apart[:, 0] >= apart[:, 1]
    long = np.where(flat, apart[:, 0], apart[:, 1])
    a, b = np.where(flat, start[:, 0], start[:, 1]), np.where(flat, stop[:, 0], stop[:, 1])
    back = a > b  # such an edge is drawn from its other end, so that it has the same points in both directions
    from_long, to_long = np.minimum(a, b), np.maximum(a, b)
    p, q = np.where(flat, start[:, 1], start[:, 0]), np.where(flat, stop[:, 1], stop[:, 0])
    from_short, to_short = np.where(back, q, p), np.where(back, p, q)
    slope = (to_short - from_short) / np.where(long > 0, long, 1)
    edge = np.repeat(np.arange(len(start)), long + 1)
    step = np.arange(len(edge)) - np.repeat(np.cumsum(long + 1) - (long + 1), long + 1)
    step = np.where(back[edge], (to_long - from_long)[edge] - step, step)
    along = step + from_long[edge]
    across = np.trunc(from_short[edge] + slope[edge] * step + 0.5).astype(np.int64)
    return np.where(flat[edge], along, across), np.where(flat[edge], across, along)


def _union(parts: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Return the runs of the union of several sets of runs, without runs that are empty or that touch."""
    start, end = (np.concatenate([np.zeros(0, np.int64), *(part[side] for part in parts)]) for side in (0, 1))
    change = np.concatenate([start, end]).astype(np.int64)
    order = np.argsort(change, kind="stable")  # at the same pixel, what begins comes before what ends
    depth = np.cumsum(np.repeat([1, -1], [len(start), len(end)])[order])
    at = change[order]
    begins, finishes = at[(depth == 1) & (np.diff(depth, prepend=0) == 1)], at[depth == 0]
    real = finishes > begins
    return begins[real], finishes[real]
