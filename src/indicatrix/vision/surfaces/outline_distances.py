"""Surfaces of masks, and how far each is from the other (SciPy's distance transform)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from .surface_elements import codes_of_cells, sizes_of_elements

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
