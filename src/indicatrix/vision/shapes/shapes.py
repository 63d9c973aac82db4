"""Shapes of objects that are numbers: boxes, oriented boxes and keypoints, with their overlaps.

Objects: what is in the images, one row per object, whatever its shape is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from math import prod
from typing import Any, Protocol

import numpy as np

from ...algebra.arrays import Array
from ...words.wording import short
from ..images.image_units import groups_of, join_images


@dataclass(frozen=True, eq=False)
class Boxes:
    """Boxes as left edge, top edge, width and height.

    >>> one, two = Boxes(np.array([[0.0, 0, 2, 2]])), Boxes(np.array([[1.0, 0, 2, 2]]))
    >>> first = np.zeros(1, int)
    >>> one.overlaps(first, two, first, np.array([False])).round(4).tolist()
    [0.3333]
    """

    xywh: Array  # (n, 4)

    @property
    def n(self) -> int:
        """The number of boxes."""
        return len(self.xywh)

    @property
    def area(self) -> Array:
        """The area of each box."""
        return np.asarray(self.xywh[:, 2] * self.xywh[:, 3])

    def overlaps(self, mine: Array, truth: Boxes, theirs: Array, crowd: Array, least: float = 0.0) -> Array:
        """Return the IoU of pairs: a box of mine and the true one at the same place of two lists.

        A true box that is a crowd may hold many objects, so the intersection is divided by the area of my box alone.
        """
        x, y, w, h = self.xywh[mine].T
        tx, ty, tw, th = truth.xywh[theirs].T
        wide = np.minimum(w + x, tw + tx) - np.maximum(x, tx)
        high = np.minimum(h + y, th + ty) - np.maximum(y, ty)
        inside = np.where((wide > 0) & (high > 0), wide * high, 0.0)
        own = w * h
        union = np.where(crowd, own, own + tw * th - inside)
        return np.asarray(np.divide(inside, union, out=np.zeros_like(inside), where=inside > 0))

    def take(self, at: Array) -> Boxes:
        """Return the boxes at these positions."""
        return Boxes(self.xywh[at])

    def join(self, other: Boxes) -> Boxes:
        """Return these boxes, then the others."""
        return Boxes(np.concatenate([self.xywh, other.xywh]))


EDGE = 1e-9  # a corner so near to a border, in units of the size of the boxes, lies inside
SIDES = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2  # corners in order


@dataclass(frozen=True, eq=False)
class OrientedBoxes:
    """Boxes as center x, center y, width, height and an angle in degrees.

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
    center = (points * real[..., None]).sum(axis=1) / np.maximum(count, 1)[:, None]
    away = points - center[:, None]
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
    def unlabeled(self) -> Array:
        """Whether an object has no labeled point, so that nobody can tell whether it was found."""
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


def boxes_around(points: Array, *, labeled: bool = False) -> Array:
    """Return the box around the points of each object, or around the labeled ones alone.

    >>> boxes_around(np.array([[[1.0, 2, 2], [4, 3, 1], [0, 0, 0]]]), labeled=True).tolist()
    [[1.0, 2.0, 3.0, 1.0]]
    """
    if not points.size:
        return np.zeros((len(points), 4))
    counted = np.asarray((points[:, :, 2] > 0) | (not labeled))
    some = np.asarray(counted.any(axis=1, keepdims=True))
    low = np.where(some, np.where(counted[:, :, None], points[:, :, :2], np.inf).min(axis=1), 0)
    high = np.where(some, np.where(counted[:, :, None], points[:, :, :2], -np.inf).max(axis=1), 0)
    return np.concatenate([low, high - low], axis=1)


class Shapes(Protocol):
    """The shapes of objects: boxes, masks, oriented boxes or keypoints."""

    @property
    def n(self) -> int:
        """The number of objects."""

    @property
    def area(self) -> Array:
        """The area of each."""

    def overlaps(self, mine: Array, truth: Any, theirs: Array, crowd: Array, least: float = 0.0) -> Array:
        """Return how much each pair of a shape of mine and a true one overlap, from 0 to 1.

        A smaller overlap than ``least`` may be told as 0, which saves time.
        """

    def take(self, at: Array) -> Any:
        """Return the shapes at these positions."""

    def join(self, other: Any) -> Any:
        """Return these shapes, then the others."""


OF_BOTH_SIDES = ("pair", "pixels", "sides", "number")  # of regions: what predictions share with true ones


def same_shapes(one: Shapes, two: Shapes) -> bool:
    """Return whether true shapes are the same: of one kind, and at the same places."""
    if type(one) is not type(two):
        return False
    names = [field.name for field in fields(one) if field.name not in OF_BOTH_SIDES]  # type: ignore[arg-type]
    return all(np.array_equal(getattr(one, name), getattr(two, name)) for name in names)


@dataclass(frozen=True, eq=False)
class Objects:
    """Objects of all images: where each is, its class, its shape, and what matching has to know about it."""

    image: Array  # the position of its image
    label: Array  # the position of its class
    shapes: Shapes
    area: Array  # what area ranges read
    crowd: Array  # bool: a region with many objects, which any number of predictions may match
    ignore: Array  # bool: to find it counts for nothing, and to miss it too
    score: Array  # of a prediction; 1 for a true object

    @property
    def n(self) -> int:
        """The number of objects."""
        return len(self.image)

    def take(self, at: Array) -> Objects:
        """Return the objects at these positions."""
        columns = (self.area, self.crowd, self.ignore, self.score)
        return Objects(self.image[at], self.label[at], self.shapes.take(at), *(column[at] for column in columns))


@dataclass(frozen=True, eq=False)
class Scene:
    """True objects and predictions in the same images, of the same classes."""

    truth: Objects
    predictions: Objects
    images: tuple[Any, ...]  # the name of each image
    classes: tuple[Any, ...]
    by: Mapping[str, tuple[Any, ...]]  # other axes: what each image belongs to, such as its sequence
    unlisted: Array | None = None  # (images, classes) bool: nobody looked for this class in this image
    partial: Array | None = None  # (images, classes) bool: not every object of this class was annotated
    frequency: tuple[str, ...] | None = None  # the frequency group of each class

    def axis(self, name: str) -> tuple[tuple[Any, ...], Array]:
        """Return the names along an axis of images, and the position of each image in it."""
        return groups_of(name, self.images, self.by)


@dataclass(frozen=True, eq=False)
class Units:
    """Axes, the names along each, and the unit of each prediction and of each true object."""

    per: tuple[str, ...]
    names: tuple[tuple[Any, ...], ...]
    predictions: Array
    truth: Array

    @property
    def n(self) -> int:
        """The number of units."""
        return prod(map(len, self.names))


def join_scenes(one: Scene, two: Scene) -> Scene:
    """Return the scene with the images of both; images and classes that both have in order stay in order."""
    joined = join_images(one, two)
    if (one.partial is None) != (two.partial is None):
        raise ValueError("One was evaluated with federated=True, the other was not.")
    sides = [*zip((one, two), joined.rows, joined.columns, strict=True)]
    truth, predictions = (_join(*(_recode(getattr(side, name), *to) for side, *to in sides)) for name in ("truth", "predictions"))
    unlisted, partial = (
        _table([(getattr(side, name), *to) for side, *to in sides], other)
        for name, other in (("unlisted", True), ("partial", False))
    )
    groups = _frequencies(one, two, joined.classes)
    return Scene(truth, predictions, joined.images, joined.classes, joined.by, unlisted, partial, groups)


def _recode(objects: Objects, place: Array, column: Array) -> tuple[Objects, Array, Array]:
    image, label = (to[codes] if len(to) else codes for to, codes in ((place, objects.image), (column, objects.label)))
    return objects, image, label


def _join(one: tuple[Objects, Array, Array], two: tuple[Objects, Array, Array]) -> Objects:
    image, label = (np.concatenate([one[k], two[k]]) for k in (1, 2))
    shapes = one[0].shapes.join(two[0].shapes)
    columns = ("area", "crowd", "ignore", "score")
    return Objects(image, label, shapes, *(np.concatenate([getattr(side[0], name) for side in (one, two)]) for name in columns))


def _table(parts: Sequence[tuple[Array | None, Array, Array]], other: bool) -> Array | None:
    """Return a table of images and classes; what is in neither part is ``other``."""
    rows, columns = (
        sum(len(part[0]) for part in parts if part[0] is not None),
        1 + max(int(p[2].max(initial=-1)) for p in parts),
    )
    table = np.full((rows, columns), other)
    for own, place, column in parts:
        if own is None:
            return None
        table[np.ix_(place, column)] = own
    return table


def _frequencies(one: Scene, two: Scene, classes: tuple[Any, ...]) -> tuple[str, ...] | None:
    if one.frequency is None or two.frequency is None:
        return None
    found = dict(zip(one.classes, one.frequency, strict=True))
    for name, group in zip(two.classes, two.frequency, strict=True):
        if found.setdefault(name, group) != group:
            raise ValueError(f"The class {short(name)} has the frequency {found[name]!r} in one and {group!r} in the other.")
    return tuple(found[name] for name in classes)
