"""Surfaces of masks, their elements, and how far each is from the other (SciPy's distance transform).

Elements are where a region ends between the centers of pixels. A cell has 4 pixels of a picture, or 8 of a volume, at its
corners. If some are in the region and others are not, the surface passes through the cell, and cuts its edges in the middle.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
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


DIRECTIONS = ("both", "each", "to_truth", "to_prediction")


@dataclass(frozen=True, eq=False)
class SurfacePair:
    """The distances between the surfaces of a true and a predicted region, sorted.

    Without a region on one side, there are no distances from it, and those to it are infinite.
    """

    to_prediction: Array  # from each pixel or element of the true surface
    to_truth: Array  # from each pixel or element of the predicted surface
    diagonal: float  # of the image
    sizes: tuple[Array, Array] | None = None  # of the elements of both surfaces; None: pixels, which are all alike

    @property
    def sides(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """The distances of both directions, and how much each counts."""
        one, two = self.sizes or (np.ones(len(self.to_prediction)), np.ones(len(self.to_truth)))
        return (self.to_prediction, one), (self.to_truth, two)

    @property
    def both_empty(self) -> bool:
        """Whether neither side has the region."""
        return not len(self.to_prediction) and not len(self.to_truth)

    @property
    def one_sided(self) -> bool:
        """Whether only one side has the region."""
        return bool(len(self.to_prediction)) != bool(len(self.to_truth))


def surface_of(mask: Array) -> Array:
    """Return the pixels of a mask with a neighbor outside, along an axis; beyond the image is outside.

    >>> surface_of(np.ones((3, 4), bool)).astype(int).tolist()
    [[1, 1, 1, 1], [1, 0, 0, 1], [1, 1, 1, 1]]
    """
    inside = mask.copy()
    for axis in range(mask.ndim):
        along, own = np.moveaxis(mask, axis, 0), np.moveaxis(inside, axis, 0)
        own[1:] &= along[:-1]
        own[:-1] &= along[1:]
        own[0] = own[-1] = False
    return np.asarray(mask & ~inside)


def distances_between(true: Array, pred: Array, spacing: tuple[float, ...], elements: str) -> SurfacePair:
    """Return the distances from each surface to the other, in units of the spacing.

    Only the box around both regions is read: what lies outside of it changes no distance.
    """
    diagonal = float(np.sqrt(sum((side * step) ** 2 for side, step in zip(true.shape, spacing, strict=True))))
    box = _box(true | pred)
    if box is None:
        return SurfacePair(np.zeros(0), np.zeros(0), diagonal)
    if elements == "pixels":
        # A surface pixel at the edge of the box has its neighbor outside of the region, or of the image: both are outside.
        here, there = (surface_of(side[box]) for side in (true, pred))
        return SurfacePair(np.sort(_from(here, there, spacing)), np.sort(_from(there, here, spacing)), diagonal)
    codes = [codes_of_cells(side[box]) for side in (true, pred)]
    table = sizes_of_elements(spacing)
    here, there = (table[code] > 0 for code in codes)
    one, two = _from(here, there, spacing), _from(there, here, spacing)
    first, second = np.argsort(one, kind="stable"), np.argsort(two, kind="stable")
    sizes = table[codes[0][here]][first], table[codes[1][there]][second]
    return SurfacePair(one[first], two[second], diagonal, sizes)


def _from(here: Array, there: Array, spacing: tuple[float, ...]) -> Array:
    """Return the distance from each place of one surface to the other."""
    if not here.any() or not there.any():
        return np.full(int(here.sum()), np.inf)
    return np.asarray(_transform()(~there, sampling=spacing)[here])


def _box(mask: Array) -> tuple[slice, ...] | None:
    """Return the smallest box around a mask; None if it is empty."""
    box = []
    for axis in range(mask.ndim):
        some = np.flatnonzero(mask.any(axis=tuple(k for k in range(mask.ndim) if k != axis)))
        if not len(some):
            return None
        box.append(slice(int(some[0]), int(some[-1]) + 1))
    return tuple(box)


def _transform() -> Any:
    try:
        from scipy.ndimage import distance_transform_edt
    except ImportError:  # pragma: no cover - SciPy is there in the tests
        raise ImportError("Distances between surfaces need SciPy: pip install scipy.") from None
    return distance_transform_edt


def hausdorff(pair: SurfacePair, *, percentile: float = 100, pooled: bool = False) -> float:
    """Return the Hausdorff distance: the largest distance from one outline to the other, or a percentile.

    It is that of each direction, of which the larger one counts, or with ``pooled`` of the distances of both together.

    >>> import indicatrix as ix
    >>> ix.measures.hausdorff([[[0, 1, 0, 0]]], [[[0, 1, 1, 1]]], average="macro")
    2.0
    """
    sides = pair.sides
    if pooled:
        distances, sizes = (np.concatenate([side[k] for side in sides]) for k in (0, 1))
        order = np.argsort(distances, kind="stable")
        sides = ((distances[order], sizes[order]),) * 2
    return max(_percentile(*side, percentile, pair.sizes is not None) for side in sides)


def hausdorff95(pair: SurfacePair, *, pooled: bool = False) -> float:
    """Return the 95th percentile of the Hausdorff distance, which a few stray pixels do not change.

    >>> import indicatrix as ix
    >>> ix.measures.hausdorff95([[[0, 1, 0, 0]]], [[[0, 1, 1, 1]]], average="macro")
    1.9
    """
    return hausdorff(pair, percentile=95, pooled=pooled)


def _percentile(distances: Array, sizes: Array, percentile: float, sized: bool) -> float:
    """Return a percentile of sorted distances; elements are counted by their size."""
    if not sized:
        return float(np.percentile(distances, percentile))
    share = np.cumsum(sizes) / sizes.sum()
    return float(distances[min(int(np.searchsorted(share, percentile / 100)), len(distances) - 1)])


def average_distance(pair: SurfacePair, *, directions: str = "both") -> float:
    """Return the average surface distance: the mean distance from a pixel of one outline to the other.

    It is that over the pixels of both outlines, the mean of the mean of each, or the mean of one direction.

    >>> import indicatrix as ix
    >>> ix.measures.assd([[[0, 1, 0, 0]]], [[[0, 1, 1, 1]]], average="macro")
    0.75
    """
    first, second = pair.sides
    if directions == "each":
        return (average_distance(pair, directions="to_prediction") + average_distance(pair, directions="to_truth")) / 2
    chosen = {"both": (first, second), "to_prediction": (first,), "to_truth": (second,)}[directions]
    return float(sum((side @ sizes) for side, sizes in chosen) / sum(sizes.sum() for _, sizes in chosen))


def surface_dice(pair: SurfacePair, *, tolerance: float | None = None) -> float:
    """Return the normalized surface Dice: the share of both outlines within a tolerance of the other.

    >>> import indicatrix as ix
    >>> ix.measures.surface_dice([[[0, 1, 0, 0]]], [[[0, 1, 1, 1]]], average="macro", tolerance=1)
    0.75
    """
    if tolerance is None:
        raise ValueError("A surface Dice needs its tolerance, in units of the spacing: 'surface_dice(tolerance=2)'.")
    total = sum(sizes.sum() for _, sizes in pair.sides)
    return float(sum(sizes[side <= tolerance].sum() for side, sizes in pair.sides) / total)


def _number(name: str, most: float) -> Callable[[Any], None]:
    def check(given: Any) -> None:
        if isinstance(given, bool) or not isinstance(given, int | float | np.number) or not 0 <= given <= most:
            raise ValueError(f"{name}={given!r} must be a number from 0 to {most:g}.")

    return check


def _check_directions(given: Any) -> None:
    if given not in DIRECTIONS:
        raise ValueError(f"directions={given!r} is unknown. Choose from {', '.join(map(repr, DIRECTIONS))}.")


CHECKS: dict[str, Callable[[Any], None]] = {  # what refuses wrong values of the parameters above
    "percentile": _number("percentile", 100),
    "tolerance": _number("tolerance", np.inf),
    "directions": _check_directions,
}
