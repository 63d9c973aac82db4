"""Objects: what is in the images, one row per object, whatever its shape is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from math import prod
from typing import Any, Protocol

import numpy as np

from ...algebra.arrays import Array
from ...words.wording import short
from ..images.image_axes import join_images
from ..images.image_units import groups_of


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
