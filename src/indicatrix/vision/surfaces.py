"""Surfaces of masks, and how far each is from the other (SciPy's distance transform)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.arrays import Array


@dataclass(frozen=True, eq=False)
class SurfacePair:
    """The distances between the surfaces of a true and a predicted region, sorted.

    Without a region on one side, there are no distances from it, and those to it are infinite.
    """

    to_prediction: Array  # from each surface pixel of the true region
    to_truth: Array  # from each surface pixel of the predicted region
    diagonal: float  # of the image

    @property
    def both_empty(self) -> bool:
        """Whether neither side has the region."""
        return not len(self.to_prediction) and not len(self.to_truth)

    @property
    def one_sided(self) -> bool:
        """Whether only one side has the region."""
        return bool(len(self.to_prediction)) != bool(len(self.to_truth))


def surface_of(mask: Array) -> Array:
    """Return the pixels of a mask with a neighbour outside of it, along an axis; beyond the image is outside.

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


def distances_between(true: Array, pred: Array, spacing: tuple[float, ...]) -> SurfacePair:
    """Return the distances from each surface to the other, in units of the spacing.

    Only the box around both regions is read: what lies outside of it changes no distance.
    """
    diagonal = float(np.sqrt(sum((side * step) ** 2 for side, step in zip(true.shape, spacing, strict=True))))
    box = _box(true | pred)
    if box is None:
        return SurfacePair(np.zeros(0), np.zeros(0), diagonal)
    # A surface pixel at the edge of the box has its neighbour outside of the region, or of the image: both are outside.
    surfaces = [surface_of(side[box]) for side in (true, pred)]
    here, there = surfaces
    return SurfacePair(_from(here, there, spacing), _from(there, here, spacing), diagonal)


def _from(here: Array, there: Array, spacing: tuple[float, ...]) -> Array:
    if not here.any() or not there.any():
        return np.full(int(here.sum()), np.inf)
    return np.sort(_transform()(~there, sampling=spacing)[here])


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


def hausdorff(pair: SurfacePair, percentile: float, pooled: bool) -> float:
    """Return a percentile of the distances: the larger one of both directions, or that of all together."""
    if pair.both_empty:
        return float("nan")
    if pair.one_sided:
        return float("inf")
    if pooled:
        return float(np.percentile(np.concatenate([pair.to_prediction, pair.to_truth]), percentile))
    return max(float(np.percentile(side, percentile)) for side in (pair.to_prediction, pair.to_truth))


def average_distance(pair: SurfacePair, directions: str) -> float:
    """Return the mean of the distances, of both directions together or of one."""
    if pair.both_empty:
        return float("nan")
    if pair.one_sided:
        return float("inf")
    chosen = {
        "both": np.concatenate([pair.to_prediction, pair.to_truth]),
        "to_truth": pair.to_truth,
        "to_prediction": pair.to_prediction,
    }
    return float(chosen[directions].mean())


def surface_dice(pair: SurfacePair, tolerance: float) -> float:
    """Return the share of both surfaces within a tolerance of the other."""
    total = len(pair.to_prediction) + len(pair.to_truth)
    if not total:
        return float("nan")
    near = (np.searchsorted(side, tolerance, "right") for side in (pair.to_prediction, pair.to_truth))
    return float(sum(near) / total)
