"""Polygons as runs of pixels, drawn as COCO draws them: five times finer than pixels, then sampled.

All polygons of a data set are drawn at once, a block at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..algebra.arrays import Array
from .run_lengths import Masks

FINER = 5  # how many points of the border there are along a pixel
BLOCK = 1 << 21  # points of borders that are drawn at a time


def masks_of_polygons(objects: Sequence[Sequence[Array]], size: Array) -> Masks:
    """Return one mask for each object, the union of its polygons; a polygon is x, y, x, y and so on.

    >>> masks_of_polygons([[np.array([1.0, 1, 3, 1, 3, 3, 1, 3])]], np.array([[4, 4]])).area.tolist()
    [4]
    """
    many = np.array([len(polygons) for polygons in objects], np.int64)
    owner = np.repeat(np.arange(len(objects)), many)
    flat = [polygon for polygons in objects for polygon in polygons]
    corners = np.array([len(polygon) // 2 for polygon in flat], np.int64)
    xy = np.concatenate([np.zeros(0), *flat]).reshape(-1, 2)
    edges = _edges(np.trunc(FINER * xy + 0.5).astype(np.int64), corners)
    pixels = int((size[:, 0] * size[:, 1]).max(initial=0)) + 1
    changes, polygons = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for some in edges.blocks(corners):
        change, polygon = _changes(some, size[owner])
        changes.append(change)
        polygons.append(polygon)
    return _filled(np.concatenate(changes), np.concatenate(polygons), owner, size, pixels)


@dataclass(frozen=True, eq=False)
class _Edges:
    """The edges of all polygons in turn, in units of a fifth of a pixel."""

    start: Array  # (edges, 2)
    stop: Array
    polygon: Array

    @property
    def steps(self) -> Array:
        """How many points each edge has: one for each step along its longer side, both ends included."""
        return np.asarray(np.abs(self.stop - self.start).max(axis=1, initial=0) + 1)

    def blocks(self, corners: Array) -> list[_Edges]:
        """Return edges of whole polygons, not too many points at once."""
        ends = np.cumsum(corners)
        points = np.append(0, np.cumsum(self.steps))[ends] // BLOCK  # the block in which each polygon ends
        cuts = ends[:-1][np.diff(points) > 0] if len(ends) else ends
        return [
            _Edges(self.start[at], self.stop[at], self.polygon[at])
            for at in np.split(np.arange(len(self.start)), cuts)
            if len(at)
        ]


def _edges(fine: Array, corners: Array) -> _Edges:
    """Return the edges from each corner to the next one of its polygon, from the last to the first."""
    ahead = np.arange(len(fine)) + 1
    ends = np.cumsum(corners)
    ahead[ends - 1] = ends - corners
    return _Edges(fine, fine[ahead], np.repeat(np.arange(len(corners)), corners))


def _changes(edges: _Edges, size: Array) -> tuple[Array, Array]:
    """Return the pixels where a polygon begins or ends in a column, and the polygon of each.

    Such a pixel is where the border steps from one column of fine points to the next, at the middle of a column of pixels.
    """
    u, v, polygon = _border(edges)
    crossing = np.flatnonzero((u[1:] != u[:-1]) & (polygon[1:] == polygon[:-1])) + 1
    now, before, polygon = u[crossing], u[crossing - 1], polygon[crossing]
    column = (np.where(now < before, now, now - 1) + 0.5) / FINER - 0.5
    high, wide = size[polygon].T
    inside = (np.floor(column) == column) & (column >= 0) & (column <= wide - 1)
    crossing, column, polygon, high = crossing[inside], column[inside].astype(np.int64), polygon[inside], high[inside]
    row = (np.minimum(v[crossing], v[crossing - 1]) + 0.5) / FINER - 0.5
    return column * high + np.ceil(np.clip(row, 0, high)).astype(np.int64), polygon


def _border(edges: _Edges) -> tuple[Array, Array, Array]:
    """Return the points of all edges in turn, and the polygon of each."""
    start, stop = edges.start, edges.stop
    apart = np.abs(stop - start)
    flat = apart[:, 0] >= apart[:, 1]
    long = np.where(flat, apart[:, 0], apart[:, 1])
    a, b = np.where(flat, start[:, 0], start[:, 1]), np.where(flat, stop[:, 0], stop[:, 1])
    back = a > b  # such an edge is drawn from its other end, so that it has the same points in both directions
    p, q = np.where(flat, start[:, 1], start[:, 0]), np.where(flat, stop[:, 1], stop[:, 0])
    from_short, to_short = np.where(back, q, p), np.where(back, p, q)
    slope = (to_short - from_short) / np.where(long > 0, long, 1)
    edge = np.repeat(np.arange(len(start)), long + 1)
    step = np.arange(len(edge)) - np.repeat(np.cumsum(long + 1) - (long + 1), long + 1)
    step = np.where(back[edge], long[edge] - step, step)
    along = step + np.minimum(a, b)[edge]
    across = np.trunc(from_short[edge] + slope[edge] * step + 0.5).astype(np.int64)
    return np.where(flat[edge], along, across), np.where(flat[edge], across, along), edges.polygon[edge]


def _filled(change: Array, polygon: Array, owner: Array, size: Array, pixels: int) -> Masks:
    """Return the masks between an odd change of a polygon and the next one, joined for each object."""
    odd = np.flatnonzero(np.bincount(polygon, minlength=len(owner)) % 2)  # such a one goes on to the last pixel
    change = np.append(change, size[owner[odd]].prod(axis=1))
    polygon = np.append(polygon, odd)
    order = np.lexsort((change, polygon))
    key = owner[polygon[order]] * pixels + change[order]
    return _union(key[::2], key[1::2], size, pixels)


def _union(start: Array, end: Array, size: Array, pixels: int) -> Masks:
    """Return the runs of the union of runs of each object, without runs that are empty or that touch."""
    key = np.concatenate([start, end])
    order = np.argsort(key, kind="stable")  # at the same pixel, what begins comes before what ends
    depth = np.cumsum(np.repeat([1, -1], len(start))[order])
    at = key[order]
    begins, finishes = at[(depth == 1) & (np.diff(depth, prepend=0) == 1)], at[depth == 0]
    real = finishes > begins
    begins, finishes = begins[real], finishes[real]
    many = np.bincount(begins // pixels, minlength=len(size))
    return Masks(begins % pixels, finishes - begins // pixels * pixels, np.append(0, np.cumsum(many)), size)
