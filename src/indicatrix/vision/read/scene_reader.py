"""From what a caller gives to a scene: objects with checked shapes, in images and classes with names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.vocabulary import check_classes
from ...words.wording import short, type_of
from ..images.image_axes import axes_of_images
from ..shapes.objects import Objects, Scene, Shapes
from ..shapes.shapes import COCO_SIGMAS, Boxes, Keypoints, OrientedBoxes, boxes_around
from .coco_json import class_table, is_coco, read_coco
from .given_columns import FARTHEST, Columns, numbers_or_none, plain
from .image_lists import is_by_name, lists_of_names, read_lists
from .mask_reader import check_sizes, read_masks

ADD_IMAGE = "Leave it out, or name all images: images=[…]; COCO's JSON names them in 'images'."
ADD_CLASS = "Leave it out, or add the class: to the categories of COCO's JSON, or to classes=."
FORMATS = ("xyxy", "xywh")


@dataclass(frozen=True)
class Form:
    """How a caller writes objects down."""

    kind: str
    box: str = "xyxy"
    sigmas: Any = None
    classes: Iterable[Any] | None = None
    images: Iterable[Any] | None = None
    by: Mapping[str, Any] | None = None
    federated: bool = False


def read_scene(truth: Any, predictions: Any, form: Form) -> Scene:
    """Return the scene of true objects and predictions in any of the forms."""
    if is_coco(truth):
        return _scene_of_coco(truth, predictions, form)
    if form.federated:
        raise ValueError("federated=True reads which classes were looked for in each image, from JSON as LVIS writes it.")
    if is_by_name(truth):
        if form.images is not None:
            raise ValueError("images= names the images of lists; here the dicts name them. Leave it out.")
        truth, predictions, names = lists_of_names(truth, predictions)
        form = replace(form, images=names)
    true, pred, found = read_lists(truth, predictions, form.kind)
    images = tuple(plain(form.images)) if form.images is not None else tuple(found)
    if form.images is not None and not isinstance(truth, Mapping):
        if len(images) != len(found):
            raise ValueError(f"images= names {len(images)} images, but the lists have {len(found)}.")
        true, pred = (replace(side, image=[images[i] for i in side.image]) for side in (true, pred))
    by = _axes(form.by, images)
    for side in (true, pred):
        side.check_labels()
    labels = dict.fromkeys([*true.label, *pred.label])
    classes = check_classes(form.classes if form.classes is not None else _sort_if_possible(labels))
    sizes = _sizes(true, pred, {} if isinstance(truth, Mapping) else dict(enumerate(images)))
    shapes = _shapes(true, pred, form, sizes)
    if isinstance(shapes[0], Keypoints):
        true = replace(true, ignore=true.flags(true.ignore, "ignore") | shapes[0].unlabelled)
    objects, found_objects = (_objects(side, own, images, classes) for side, own in zip((true, pred), shapes, strict=True))
    return Scene(objects, found_objects, images, classes, by)


def _sizes(true: Columns, pred: Columns, name: Mapping[int, Any]) -> dict[Any, tuple[int, int]]:
    """Return the height and the width of each image by its name; lists know images by their position."""
    sizes = dict(true.more["sizes"])
    for image, size in pred.more["sizes"].items():
        if sizes.setdefault(image, size) != size:
            ours, theirs = (f"{high} x {wide}" for high, wide in (sizes[image], size))
            raise ValueError(
                f"The image {short(name.get(image, image))} has the size {ours} in truth and {theirs} in predictions."
            )
    return {name.get(image, image): size for image, size in sizes.items()}


def _sort_if_possible(labels: Iterable[Any]) -> list[Any]:
    try:
        return sorted(labels)
    except TypeError:
        return [*labels]


def _scene_of_coco(truth: Any, predictions: Any, form: Form) -> Scene:
    if form.classes is not None or form.images is not None:
        raise ValueError("COCO's JSON names the images and the classes itself. Leave images= and classes= out.")
    files = read_coco(truth, predictions, form.kind, federated=form.federated)
    true, pred = files.truth, files.predictions
    if form.federated:
        nobody = np.zeros(true.n, int)
        true = replace(true, crowd=nobody, ignore=true.more["ignore"])  # LVIS has no crowds
    shapes = _shapes(true, pred, replace(form, box="xywh"), files.sizes)
    objects, found = (_objects(side, own, files.images, files.ids) for side, own in zip((true, pred), shapes, strict=True))
    unlisted = partial = None
    if files.negative is not None and files.partial is not None:
        negative, partial = (class_table(lists, files.images, files.ids) for lists in (files.negative, files.partial))
        unlisted = ~negative
        unlisted[objects.image, objects.label] = False
    return Scene(objects, found, files.images, files.classes, _axes(form.by, files.images), unlisted, partial, files.frequency)


def _objects(columns: Columns, shapes: Shapes, images: Sequence[Any], classes: Sequence[Any]) -> Objects:
    score = np.ones(columns.n)
    if columns.side == "predictions":
        score = columns.numbers(columns.score, "score")
    area = shapes.area.astype(np.float64) if columns.area is None else columns.numbers(columns.area, "area")
    if (area < 0).any():
        i = int((area < 0).argmax())
        raise ValueError(f"{columns.where(i)}: area is {area[i]:g}; an area is not negative.")
    crowd = columns.flags(columns.crowd, "crowd")
    ignore = columns.flags(columns.ignore, "ignore") | crowd
    image = columns.codes(columns.image, images, "image", ADD_IMAGE)
    return Objects(image, columns.codes(columns.label, classes, "class", ADD_CLASS), shapes, area, crowd, ignore, score)


def _axes(by: Mapping[str, Any] | None, images: Sequence[Any]) -> dict[str, tuple[Any, ...]]:
    """Return other axes: a list with one entry per image, or a dict from the image."""
    if by is not None and not isinstance(by, Mapping):
        raise TypeError(f"by= is {type_of(by)}. Give a dict from the name of an axis to one entry for each image.")
    listed = {name: _in_order(given, images, name) for name, given in (by or {}).items()}
    axes, keys = axes_of_images(images, listed, len(images))
    return {axis: tuple(key[k] for key in keys) for k, axis in enumerate(axes) if k}


def _in_order(given: Any, images: Sequence[Any], name: str) -> Any:
    """Return one entry for each image, in the order of the images."""
    if not isinstance(given, Mapping):
        return given
    lacking = [image for image in images if image not in given]
    if lacking:
        raise ValueError(f"by={{{name!r}: …}} has no entry for the image {short(lacking[0])}. Give one for each image.")
    return [given[image] for image in images]


def _shapes(true: Columns, pred: Columns, form: Form, sizes: Mapping[Any, tuple[int, int]]) -> tuple[Shapes, Shapes]:
    if form.kind == "masks":
        masks = read_masks(true, sizes), read_masks(pred, sizes)
        check_sizes(true, pred, masks, sizes)
        return masks
    if form.kind == "oriented":
        return tuple(OrientedBoxes(_check_sizes(side, "oriented box", 5)) for side in (true, pred))  # type: ignore[return-value]
    if form.kind == "keypoints":
        return tuple(_poses(side, form) for side in (true, pred))  # type: ignore[return-value]
    return tuple(Boxes(_box(side, side.shape, form.box)) for side in (true, pred))  # type: ignore[return-value]


def _box(columns: Columns, given: Any, box: str) -> Array:
    """Return boxes as left, top, width and height."""
    return _check_sizes(columns, f"box ({box})", 4, given=given, corners=box == "xyxy")


def _check_sizes(columns: Columns, name: str, width: int, *, given: Any = None, corners: bool = False) -> Array:
    array = columns.numbers(columns.shape if given is None else given, name, width=width)
    columns.check_range(array[:, :4], f"the {name} is")
    if corners:
        array = np.concatenate([array[:, :2], array[:, 2:] - array[:, :2]], axis=1)
    columns.check_range(array[:, 2:4], f"the {name} has width and height", least=1 / FARTHEST)
    bad = (array[:, 2:4] < 0).any(axis=1)
    if bad.any():
        i = int(bad.argmax())
        hint = " Is it xywh? Then pass box='xywh'." if corners else ""
        raise ValueError(f"{columns.where(i)}: the {name} has a width of {array[i, 2]:g} and a height of {array[i, 3]:g}.{hint}")
    return array


def _poses(columns: Columns, form: Form) -> Keypoints:
    sigmas = COCO_SIGMAS if form.sigmas is None else numbers_or_none(form.sigmas)
    if sigmas is None or sigmas.ndim != 1 or not (np.isfinite(sigmas) & (sigmas > 0)).all():
        raise ValueError(f"sigmas={short(form.sigmas)} must be one positive number for each keypoint.")
    k = len(sigmas)
    flat = [one if (array := numbers_or_none(one)) is None else array.ravel() for one in columns.shape]
    points = columns.numbers(flat, f"keypoints (x, y, visibility of {k} points)", width=3 * k).reshape(-1, k, 3)
    columns.check_range(points[:, :, :2].reshape(-1, 2 * k), "the keypoints are at")
    if columns.side == "predictions" or columns.boxes is None:
        boxes = boxes_around(points, labelled=columns.side == "truth")  # COCO takes all points of a prediction
    else:
        boxes = _box(columns, columns.boxes, form.box)
    area = boxes[:, 2] * boxes[:, 3] if columns.area is None else columns.numbers(columns.area, "area")
    return Keypoints(points, boxes, area, sigmas)
