"""Elements of surfaces: where a region ends between the centers of pixels, and their sizes.

A cell has 4 pixels of a picture, or 8 of a volume, at its corners. If some are in the region and others are not, the surface
passes through the cell, and cuts its edges in the middle.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from ...algebra.arrays import Array

Point = tuple[float, ...]


def codes_of_cells(mask: Array) -> Array:
    """Return which corners of each cell are in a mask, as bits; cells lie between and around pixels.

    >>> codes_of_cells(np.ones((1, 1), bool)).tolist()
    [[1, 2], [4, 8]]
    """
    padded = np.pad(mask, 1)
    code = np.zeros([side + 1 for side in mask.shape], np.int16)
    corners = [*product((0, 1), repeat=mask.ndim)]
    for k, corner in enumerate(corners):
        cut = tuple(slice(own, own + side + 1) for own, side in zip(corner, mask.shape, strict=True))
        code |= padded[cut].astype(np.int16) << (len(corners) - 1 - k)
    return code


@cache
def sizes_of_elements(spacing: tuple[float, ...]) -> Array:
    """Return the length or area of the surface in a cell, for each code.

    >>> sizes_of_elements((3.0, 4.0)).tolist()[:4]  # nothing, one corner, another, two next to each other
    [0.0, 2.5, 2.5, 4.0]
    """
    ndim = len(spacing)
    if ndim not in (2, 3):
        raise ValueError(f"elements='areas' is for pictures and volumes, of two or three axes, not for {ndim}.")
    corners = [*product((0, 1), repeat=ndim)]
    bits = len(corners)
    sizes = np.zeros(1 << bits)
    for code in range(1, len(sizes) - 1):
        inside = {corner for k, corner in enumerate(corners) if code >> (bits - 1 - k) & 1}
        few = inside if len(inside) <= bits / 2 else {*corners} - inside  # the surface is the same from both sides
        sizes[code] = _length(few, spacing) if ndim == 2 else _area(few, spacing)
    return sizes


def _length(inside: set[Any], spacing: tuple[float, ...]) -> float:
    """Return the length of the line in a square cell."""
    if len(inside) == 1:
        return math.hypot(*spacing) / 2
    one, other = sorted(inside)
    same = [a == b for a, b in zip(one, other, strict=True)]
    # Corners across from each other are cut off one by one; a line next to two corners is parallel to them.
    return spacing[same.index(False)] if any(same) else math.hypot(*spacing)


def _area(inside: set[Any], spacing: tuple[float, ...]) -> float:
    """Return the area of the surface in a cubic cell: of the polygons of its lines on the six faces.

    A polygon that is not flat is cut into triangles so that a cube would have the largest area.
    """
    total = 0.0
    for polygon in _polygons(_lines_on_faces(inside)):
        points = np.array(polygon)
        cut = max(_triangulations(len(polygon)), key=lambda triangles: _sum_of_areas(points, triangles))
        total += _sum_of_areas(points * spacing, cut)
    return total


def _lines_on_faces(inside: set[Any]) -> list[tuple[Point, Point]]:
    """Return the lines between middles of edges on the faces of a cell."""
    lines = []
    for axis, side in product(range(3), (0, 1)):
        ring = [(*two[:axis], side, *two[axis:]) for two in ((0, 0), (0, 1), (1, 1), (1, 0))]
        middle = [tuple((a + b) / 2 for a, b in zip(ring[k], ring[k - 3], strict=True)) for k in range(4)]  # after corner k
        cut = [k for k in range(4) if (ring[k] in inside) != (ring[k - 3] in inside)]
        if len(cut) == 2:
            lines.append((middle[cut[0]], middle[cut[1]]))
        elif cut:  # corners across from each other, which are cut off one by one
            lines += [(middle[k - 1], middle[k]) for k in range(4) if ring[k] in inside]
    return lines


def _polygons(lines: list[tuple[Point, Point]]) -> list[list[Point]]:
    """Return the closed polygons that lines make; two lines meet at each point."""
    near: dict[Point, list[Point]] = {}
    for one, other in lines:
        near.setdefault(one, []).append(other)
        near.setdefault(other, []).append(one)
    left, found = dict.fromkeys(sorted(near)), []
    while left:
        here: Point | None = next(iter(left))
        polygon = []
        while here is not None:
            polygon.append(here)
            del left[here]
            here = next((point for point in near[here] if point in left), None)
        found.append(polygon)
    return found


@cache
def _triangulations(n: int, first: int = 0, last: int | None = None) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    """Return all ways to cut a polygon of n points into triangles of its points."""
    last = n - 1 if last is None else last
    if last - first < 2:
        return ((),)
    return tuple(
        (*left, *right, (first, k, last))
        for k in range(first + 1, last)
        for left in _triangulations(n, first, k)
        for right in _triangulations(n, k, last)
    )


def _sum_of_areas(points: Array, triangles: tuple[tuple[int, int, int], ...]) -> float:
    return sum(float(np.linalg.norm(np.cross(points[b] - points[a], points[c] - points[a]))) / 2 for a, b, c in triangles)


ELEMENTS = ("pixels", "areas")


def check_elements(given: Any) -> str:
    """Return what a surface is made of."""
    if given not in ELEMENTS:
        raise ValueError(f"elements={given!r} is unknown. Choose from {', '.join(map(repr, ELEMENTS))}.")
    return str(given)


def check_one_sided(given: Any) -> Any:
    """Return the distance where only one side has a class: a word, or a number."""
    if given in ("inf", "diagonal"):
        return given
    if isinstance(given, str | bool) or not isinstance(given, int | float | np.number) or not given >= 0:
        raise ValueError(f"one_sided={given!r} is unknown. Use 'inf', 'diagonal', or a distance that is not negative.")
    return float(given)
