"""Keypoints, and the similarity of two poses: object keypoint similarity (OKS)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..algebra.arrays import Array

# How far people place the same point of a body apart, in units of the size of the body, for the 17 points of COCO.
COCO_SIGMAS = np.array([26, 25, 25, 35, 35, 79, 79, 72, 72, 62, 62, 107, 107, 87, 87, 89, 89]) / 1000


@dataclass(frozen=True, eq=False)
class Keypoints:
    """The points of each object as x, y and visibility, the boxes around the objects, and their areas."""

    points: Array  # (n, k, 3)
    boxes: Array  # (n, 4): left, top, width, height
    area: Array
    sigmas: Array  # (k,)

    @property
    def unlabelled(self) -> Array:
        """Whether an object has no labelled point, so that nobody can tell whether it was found."""
        return np.asarray(~(self.points[:, :, 2] > 0).any(axis=1))

    @property
    def n(self) -> int:
        """The number of objects."""
        return len(self.points)

    def overlaps(self, mine: Array, truth: Keypoints, theirs: Array, crowd: Array, least: float = 0.0) -> Array:
        """Return the OKS of pairs: the mean over visible true points of exp(-distance²).

        Distances are in units of the size of the object and of the spread of the point.

        An object without a visible point is a region: points within twice its box have distance 0.
        """
        x, y = self.points[mine, :, 0], self.points[mine, :, 1]
        tx, ty, seen = np.moveaxis(truth.points[theirs], 2, 0)
        left, top, w, h = truth.boxes[theirs].T[:, :, None]
        visible = seen > 0
        count = visible.sum(axis=1)
        known = (count > 0)[:, None]
        far_x = np.where(known, x - tx, np.maximum(0, left - w - x) + np.maximum(0, x - (left + w * 2)))
        far_y = np.where(known, y - ty, np.maximum(0, top - h - y) + np.maximum(0, y - (top + h * 2)))
        size = truth.area[theirs][:, None] + np.spacing(1)
        near = np.exp(-((far_x**2 + far_y**2) / (truth.sigmas * 2) ** 2 / size / 2))
        total = np.where(visible | ~known, near, 0.0).sum(axis=1)
        return np.asarray(total / np.where(count > 0, count, near.shape[1]))

    def take(self, at: Array) -> Keypoints:
        """Return the objects at these positions."""
        return Keypoints(self.points[at], self.boxes[at], self.area[at], self.sigmas)

    def join(self, other: Keypoints) -> Keypoints:
        """Return these objects, then the others, which have the same points."""
        if not np.array_equal(self.sigmas, other.sigmas):
            raise ValueError("The keypoints of one have other sigmas than those of the other.")
        names = ("points", "boxes", "area")
        points, boxes, area = (np.concatenate([getattr(side, name) for side in (self, other)]) for name in names)
        return Keypoints(points, boxes, area, self.sigmas)


def boxes_around(points: Array, *, labelled: bool = False) -> Array:
    """Return the box around the points of each object, or around the labelled ones alone.

    >>> boxes_around(np.array([[[1.0, 2, 2], [4, 3, 1], [0, 0, 0]]]), labelled=True).tolist()
    [[1.0, 2.0, 3.0, 1.0]]
    """
    if not points.size:
        return np.zeros((len(points), 4))
    counted = np.asarray((points[:, :, 2] > 0) | (not labelled))
    some = np.asarray(counted.any(axis=1, keepdims=True))
    low = np.where(some, np.where(counted[:, :, None], points[:, :, :2], np.inf).min(axis=1), 0)
    high = np.where(some, np.where(counted[:, :, None], points[:, :, :2], -np.inf).max(axis=1), 0)
    return np.concatenate([low, high - low], axis=1)
