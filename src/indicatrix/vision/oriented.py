"""Oriented boxes, and how much two of them overlap: convex polygons, many pairs at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..algebra.arrays import Array

EDGE = 1e-9  # a corner so near to a border, in units of the size of the boxes, lies inside
SIDES = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2  # corners in order


@dataclass(frozen=True, eq=False)
class OrientedBoxes:
    """Boxes as centre x, centre y, width, height and an angle in degrees.

    The angle goes from the x axis towards the y axis.

    >>> boxes = OrientedBoxes(np.array([[0.0, 0, 2, 2, 0], [0, 0, 2, 2, 45]]))
    >>> boxes.overlaps(np.array([0]), boxes, np.array([1]), np.array([False])).round(4).tolist()
    [0.7071]
    """

    given: Array  # (n, 5)

    @property
    def n(self) -> int:
        """The number of boxes."""
        return len(self.given)

    @property
    def area(self) -> Array:
        """The area of each box."""
        return np.asarray(self.given[:, 2] * self.given[:, 3])

    @cached_property
    def corners(self) -> Array:
        """The four corners of each box, (n, 4, 2)."""
        turn = np.deg2rad(self.given[:, 4])
        sides = SIDES * self.given[:, None, 2:4]
        cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
        x, y = sides[..., 0] * cos - sides[..., 1] * sin, sides[..., 0] * sin + sides[..., 1] * cos
        return np.stack([x, y], axis=-1) + self.given[:, None, :2]

    def overlaps(self, mine: Array, truth: OrientedBoxes, theirs: Array, crowd: Array, least: float = 0.0) -> Array:
        """Return the IoU of pairs; of a crowd, the intersection is divided by the area of my box alone."""
        inside = _common_area(self.corners[mine], truth.corners[theirs])
        own = self.area[mine]
        union = np.where(crowd, own, own + truth.area[theirs] - inside)
        return np.minimum(np.divide(inside, union, out=np.zeros(len(inside)), where=inside > 0), 1.0)

    def take(self, at: Array) -> OrientedBoxes:
        """Return the boxes at these positions."""
        return OrientedBoxes(self.given[at])

    def join(self, other: OrientedBoxes) -> OrientedBoxes:
        """Return these boxes, then the others."""
        return OrientedBoxes(np.concatenate([self.given, other.given]))


def _common_area(a: Array, b: Array) -> Array:
    """Return the area that the boxes of each pair have in common, from their corners.

    The corners of the common part are corners of one box inside the other, and points where their sides cross.
    """
    crossing, crosses = _crossings(a, b)
    points = np.concatenate([a, b, crossing], axis=1)
    real = np.concatenate([_inside(a, b), _inside(b, a), crosses], axis=1)
    count = real.sum(axis=1)
    centre = (points * real[..., None]).sum(axis=1) / np.maximum(count, 1)[:, None]
    away = points - centre[:, None]
    angle = np.where(real, np.arctan2(away[..., 1], away[..., 0]), np.inf)
    order = np.argsort(angle, axis=1)
    away = np.take_along_axis(away, order[..., None], axis=1)
    last = np.arange(points.shape[1]) >= count[:, None]
    away = np.where(last[..., None], away[:, :1], away)  # what is not a corner stands on the first one
    ahead = np.roll(away, -1, axis=1)
    twice = (away[..., 0] * ahead[..., 1] - away[..., 1] * ahead[..., 0]).sum(axis=1)
    return np.where(count > 2, np.abs(twice) / 2, 0.0)


def _inside(points: Array, box: Array) -> Array:
    """Return which corners of a box lie in the other box, its border included."""
    side = np.roll(box, -1, axis=1) - box
    to = points[:, :, None] - box[:, None]
    cross = side[:, None, :, 0] * to[..., 1] - side[:, None, :, 1] * to[..., 0]
    slack = EDGE * np.abs(side).max(axis=(1, 2), initial=0)[:, None, None] ** 2
    return np.asarray((cross >= -slack).all(axis=2))


def _crossings(a: Array, b: Array) -> tuple[Array, Array]:
    """Return the points where sides cross, (pairs, 16, 2), and which of them are real."""
    p, r = a[:, :, None], (np.roll(a, -1, axis=1) - a)[:, :, None]
    q, s = b[:, None], (np.roll(b, -1, axis=1) - b)[:, None]
    turn = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
    gap = q - p
    flat = turn == 0
    safe = np.where(flat, 1, turn)
    t = (gap[..., 0] * s[..., 1] - gap[..., 1] * s[..., 0]) / safe
    u = (gap[..., 0] * r[..., 1] - gap[..., 1] * r[..., 0]) / safe
    real = ~flat & (t >= 0) & (t <= 1) & (u >= 0) & (u <= 1)
    points = p + np.where(real, t, 0.0)[..., None] * r
    return points.reshape(len(a), 16, 2), real.reshape(len(a), 16)
