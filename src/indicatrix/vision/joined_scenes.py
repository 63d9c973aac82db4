"""Two scenes with different images become one, so that batches, files and machines merge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.wording import short
from .image_axes import join_images
from .objects import Objects, Scene


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
