"""From what a caller gives to a scene: objects with checked shapes, in images and classes with names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.vocabulary import check_classes
from ...words.wording import listing, short, type_of
from ..images.image_units import named_axes
from ..shapes.shapes import COCO_SIGMAS, Boxes, Keypoints, Objects, OrientedBoxes, Scene, Shapes, boxes_around
from .coco_json import class_table, is_coco, read_coco
from .given_columns import FARTHEST, KINDS, Columns, numbers_or_none, on_host, plain
from .mask_reader import check_sizes, read_masks

NAMES = {"labels", "scores", "area", "crowd", "ignore", "image", "size"}
ELSEWHERE = {"iscrowd": "crowd"}  # what torchmetrics calls it


def read_lists(truth: Any, predictions: Any, kind: str) -> tuple[Columns, Columns, list[Any]]:
    """Return both sides and the images: positions in lists, or the images of the columns of the truth."""
    if isinstance(truth, Mapping):
        if not isinstance(predictions, Mapping):
            raise TypeError(
                f"truth is one dict of columns, but predictions is {type_of(predictions)}. Give both in the same form."
            )
        sides = [_flat(given, side, kind) for given, side in ((truth, "truth"), (predictions, "predictions"))]
        return sides[0], sides[1], list(dict.fromkeys(sides[0].image))
    for given, side in ((truth, "truth"), (predictions, "predictions")):
        if isinstance(given, str | bytes | Mapping) or not isinstance(given, Sequence):
            raise TypeError(
                f"{side} is {type_of(given)}. Give COCO's JSON, a list with one dict per image, or one dict of columns."
            )
    if len(truth) and isinstance(truth[0], Mapping) and "image_id" in truth[0]:
        raise ValueError(
            "truth is a list of single objects with image_id. Give COCO's whole JSON, {'images': […], 'annotations': truth, "
            "'categories': […]}: it also names images and classes without objects."
        )
    if len(truth) != len(predictions):
        raise ValueError(
            f"truth has {len(truth)} images and predictions has {len(predictions)}. Give one dict for each image in both."
        )
    return _read_list(truth, "truth", kind), _read_list(predictions, "predictions", kind), list(range(len(truth)))


def is_by_name(given: Any) -> bool:
    """Return whether something is a dict from the names of images to their dicts."""
    return isinstance(given, Mapping) and bool(given) and all(isinstance(one, Mapping) for one in given.values())


def lists_of_names(truth: Mapping[Any, Any], predictions: Any) -> tuple[list[Any], list[Any], tuple[Any, ...]]:
    """Return lists with one dict per image, and the names of the images, from dicts by these names."""
    if not isinstance(predictions, Mapping):
        raise TypeError(
            f"truth is a dict by the name of the image, but predictions is {type_of(predictions)}. Give both as dicts."
        )
    for one, other, side in ((truth, predictions, "predictions"), (predictions, truth, "truth")):
        lacking = next((name for name in one if name not in other), None)
        if lacking is not None:
            raise ValueError(
                f"{side} has no image {short(lacking)}. Give both the same images; one without objects has empty lists."
            )
    return [*truth.values()], [predictions[name] for name in truth], tuple(truth)


def _read(given: Any, place: str, side: str, kind: str) -> dict[str, Any]:
    """Return the columns of one dict by our names."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{place} is {type_of(given)}; give a dict with {kind!r} and 'labels'.")
    columns: dict[str, Any] = {
        ELSEWHERE.get(str(name), str(name)): on_host(values, f"{place}[{name!r}]") for name, values in given.items()
    }
    unknown = [name for name in columns if name not in NAMES and name not in KINDS]
    if unknown:
        raise ValueError(
            f"{place} has {listing(unknown)}, which is not a column. Give {kind!r}, 'labels' and others of {sorted(NAMES)}."
        )
    needed = (kind, "labels", "scores") if side == "predictions" else (kind, "labels")
    missing = [name for name in needed if name not in columns]
    if missing:
        raise ValueError(f"{place} has no {missing[0]!r}; it has {listing(tuple(columns))}.")
    return columns


def _length(columns: Mapping[str, Any], place: str, kind: str) -> int:
    if not hasattr(columns["labels"], "__len__") or isinstance(columns["labels"], str):
        raise TypeError(f"{place}: 'labels' is {short(columns['labels'])}; give a list with the class of each object.")
    n = len(columns["labels"])
    for name, values in columns.items():
        if name == "size" or (name in KINDS and name != kind):
            continue
        if not hasattr(values, "__len__") or len(values) != n:
            raise ValueError(
                f"{place}: {name!r} has {np.shape(values)[:1] or 'no'} entries for {n} labels. Give one for each object."
            )
    return n


def _flat(given: Any, side: str, kind: str) -> Columns:
    columns = _read(given, side, side, kind)
    if "image" not in columns:
        raise ValueError(
            f"{side} is one dict of columns without 'image'. Add the image of each object, or give a list of one dict per image."
        )
    _length(columns, side, kind)
    found = {name: columns.get(name) for name in ("area", "crowd", "ignore")}
    return Columns(
        side,
        plain(columns["image"]),
        plain(columns["labels"]),
        columns[kind],
        lambda i: f"{side}, row {i}",
        score=columns.get("scores"),
        boxes=columns.get("boxes"),
        more={"sizes": _sizes_by_name(columns.get("size"), side)},
        **found,
    )


def _sizes_by_name(given: Any, side: str) -> dict[Any, tuple[int, int]]:
    """Return the sizes of images that a dict of columns has, by their names."""
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"{side}: 'size' is {type_of(given)}; give a dict from the image to its height and width.")
    return {name: _size(size, f"{side}, image {short(name)}") for name, size in (given or {}).items()}


def _size(given: Any, place: str) -> tuple[int, int]:
    """Return the height and the width of an image."""
    size = numbers_or_none(given)
    if size is None or size.shape != (2,) or not (np.isfinite(size) & (size >= 0) & (size % 1 == 0)).all():
        raise ValueError(f"{place}: 'size' is {short(given)}; give the height and the width of the image in pixels.")
    return int(size[0]), int(size[1])


def _read_list(given: Sequence[Any], side: str, kind: str) -> Columns:
    read = [_read(one, f"{side}[{i}]", side, kind) for i, one in enumerate(given)]
    many = [_length(one, f"{side}[{i}]", kind) for i, one in enumerate(read)]
    starts = np.cumsum([0, *many])

    def place(row: int) -> str:
        image = int(np.searchsorted(starts, row, "right")) - 1
        return f"{side}[{image}], object {row - int(starts[image])}"

    def join(name: str, *, optional: bool = True) -> Any:
        if optional and not any(name in one for one in read):
            return None
        lacking = next((i for i, one in enumerate(read) if name not in one and many[i]), None)
        if lacking is not None:
            raise ValueError(f"{side}[{lacking}] has no {name!r}, which other images have. Give it for every image, or for none.")
        return [value for one in read for value in one.get(name, ())]

    sizes = {i: _size(one["size"], f"{side}[{i}]") for i, one in enumerate(read) if "size" in one}
    image = [i for i, n in enumerate(many) for _ in range(n)]
    found = {name: join(name) for name in ("area", "crowd", "ignore")}
    return Columns(
        side,
        image,
        plain(join("labels", optional=False)),
        join(kind, optional=False),
        place,
        score=join("scores", optional=side == "truth"),
        boxes=join("boxes") if kind == "keypoints" else None,
        more={"sizes": sizes},
        **found,
    )


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
        true = replace(true, ignore=true.flags(true.ignore, "ignore") | shapes[0].unlabeled)
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
    return named_axes(images, listed, len(images))[1]


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
        boxes = boxes_around(points, labeled=columns.side == "truth")  # COCO takes all points of a prediction
    else:
        boxes = _box(columns, columns.boxes, form.box)
    area = boxes[:, 2] * boxes[:, 3] if columns.area is None else columns.numbers(columns.area, "area")
    return Keypoints(points, boxes, area, sigmas)
