"""Detections as JSON: shapes, scores and names, so that a loaded one answers every question."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...storage.json_values import array_in, array_out, dict_in, flag_in, list_in, record_in, text_in, whole_in
from ...storage.json_values import fields as fields_in
from ..images.image_units import axes_in, axes_out
from ..match.matches import MatchingRule, Number, check_area, check_ious, check_most
from ..match.matching import RULES
from ..match.segments import Regions, number_anew
from ..shapes.run_lengths import Masks
from ..shapes.shapes import Boxes, Keypoints, Objects, OrientedBoxes, Scene, Shapes
from .detection_evaluation import DetectionEvaluation

# The arrays of each kind of shape, and their lengths.
ARRAYS: dict[str, tuple[type, dict[str, tuple[int | None, ...]]]] = {
    "boxes": (Boxes, {"xywh": (None, 4)}),
    "oriented": (OrientedBoxes, {"given": (None, 5)}),
    "keypoints": (Keypoints, {"points": (None, None, 3), "boxes": (None, 4), "area": (None,), "sigmas": (None,)}),
    "masks": (Masks, {"start": (None,), "end": (None,), "first": (None,), "size": (None, 2)}),
    "regions": (
        Regions,
        {"area": (None,), "boxes": (None, 4), "number": (None,), "pair": (None,), "pixels": (None,), "sides": (3,)},
    ),
}


def to_data(result: DetectionEvaluation) -> dict[str, Any]:
    """Return an evaluation as plain data; the objects of an image stand together."""
    scene, made = result.scene, result.made
    truth, predictions = (side.take(np.argsort(side.image, kind="stable")) for side in (scene.truth, scene.predictions))
    if isinstance(truth.shapes, Regions) and isinstance(predictions.shapes, Regions):
        ours, theirs = number_anew(truth.shapes, predictions.shapes)
        truth, predictions = replace(truth, shapes=ours), replace(predictions, shapes=theirs)
    (kind,) = (name for name, (own, _) in ARRAYS.items() if isinstance(scene.truth.shapes, own))
    tables = {name: getattr(scene, name) for name in ("unlisted", "partial")}
    return {
        "kind": kind,
        **axes_out(scene),
        "matching": {"rule": made.rule, "ious": _floats(made.ious), "across_classes": made.across_classes},
        "areas": {name: _floats(ends) for name, ends in made.areas.items()},
        "max_detections": list(result.most),
        "numbers": [{name: x for name, x in asdict(number).items() if x is not None} for number in result.numbers],
        "truth": _objects_out(truth, kind),
        "predictions": _objects_out(predictions, kind),
        "frequency": None if scene.frequency is None else list(scene.frequency),
        **{name: None if table is None else array_out(table.astype(np.int64)) for name, table in tables.items()},
    }


def _floats(values: Any) -> list[str]:
    return [float(x).hex() for x in values]


def _objects_out(objects: Objects, kind: str) -> dict[str, Any]:
    whole = {name: array_out(getattr(objects, name).astype(np.int64)) for name in ("image", "label", "crowd", "ignore")}
    real = {name: array_out(getattr(objects, name).astype(np.float64)) for name in ("area", "score")}
    return {**whole, **real, "shapes": {name: array_out(getattr(objects.shapes, name)) for name in ARRAYS[kind][1]}}


NAMES = ("kind", "matching", "areas", "max_detections", "numbers", "truth", "predictions")


def from_data(version: int, data: dict[str, Any]) -> DetectionEvaluation:
    """Return the evaluation that plain data of a version of the format describe."""
    del version
    kind, matching, areas, most, numbers, truth, found = fields_in(data, NAMES, "the file")
    if kind not in ARRAYS:
        raise ValueError(f"the kind of shapes is {kind!r}, not one of {', '.join(ARRAYS)}")
    classes, images, by = axes_in(data)
    frequency, unlisted, partial = (data.get(name) for name in ("frequency", "unlisted", "partial"))
    groups = None if frequency is None else tuple(text_in(x, "a frequency") for x in list_in(frequency, "the frequencies"))
    if groups is not None and len(groups) != len(classes):
        raise ValueError(f"there are {len(groups)} frequencies for {len(classes)} classes")
    tables = [
        None if table is None else array_in(table, "a table of images and classes", (len(images), len(classes))).astype(bool)
        for table in (unlisted, partial)
    ]
    objects, predictions = (_objects_in(side, kind, len(classes), len(images)) for side in (truth, found))
    scene = Scene(objects, predictions, images, classes, by, tables[0], tables[1], groups)
    limits = check_most([whole_in(k, "a number of predictions") for k in list_in(most, "the numbers of predictions")])
    rule, shown = _rule_in(matching, areas, limits), tuple(map(_number_in, list_in(numbers, "the numbers")))
    return DetectionEvaluation(scene, rule, limits, shown)


def _rule_in(matching: Any, areas: Any, most: tuple[int, ...]) -> MatchingRule:
    rule, ious, across = fields_in(matching, ("rule", "ious", "across_classes"), "the matching")
    if rule not in RULES:
        raise ValueError(f"the rule of matching is {rule!r}, not one of {', '.join(RULES)}")
    ranges = {name: check_area(_floats_in(ends), f"the area range {name!r}") for name, ends in dict_in(areas, "areas").items()}
    return MatchingRule(rule, check_ious(_floats_in(ious)), ranges, most[-1], flag_in(across, "'across_classes'"))


def _floats_in(data: Any) -> list[float]:
    return [float.fromhex(text_in(x, "a number")) for x in list_in(data, "numbers")]


def _number_in(data: Any) -> Number:
    given = dict_in(data, "a number of the summary")
    if "name" not in given or not {*given} <= {field.name for field in fields(Number)}:
        raise ValueError(f"a number of the summary has {', '.join(map(repr, given))}")
    number = record_in(Number, given, "a number of the summary")
    if number.iou is not None:
        check_ious(number.iou)
    return number


def _objects_in(data: Any, kind: str, classes: int, images: int) -> Objects:
    columns = ("image", "label", "crowd", "ignore", "area", "score")
    *values, shapes = fields_in(data, (*columns, "shapes"), "a side")
    read = {name: array_in(value, name, (None,)) for name, value in zip(columns, values, strict=True)}
    own = _shapes_in(shapes, kind)
    if {len(array) for array in read.values()} != {own.n}:
        raise ValueError("the columns of objects have different lengths")
    for name, end in (("image", images), ("label", classes), ("crowd", 2), ("ignore", 2)):
        if read[name].dtype.kind != "i" or ((read[name] < 0) | (read[name] >= end)).any():
            raise ValueError(f"{name} holds a number that is not from 0 to {end - 1}")
    image, label = (read[name].astype(np.intp) for name in ("image", "label"))
    crowd, ignore = (read[name].astype(bool) for name in ("crowd", "ignore"))
    area, score = (_finite(read[name], name) for name in ("area", "score"))
    return Objects(image, label, own, area, crowd, ignore, score)


def _shapes_in(data: Any, kind: str) -> Shapes:
    made, lengths = ARRAYS[kind]
    arrays = fields_in(data, tuple(lengths), "the shapes")
    found = [_finite(array_in(x, name, shape), name) for x, (name, shape) in zip(arrays, lengths.items(), strict=True)]
    if kind == "masks":
        start, end, first, size = found = [x.astype(np.int64) for x in found]
        fits = len(first) == len(size) + 1 and len(start) == len(end) == first[-1] and first[0] == 0
        if not fits or (np.diff(first) < 0).any() or (end <= start).any() or (size < 0).any():
            raise ValueError("the runs of the masks do not fit together")
    if kind == "regions":
        area, boxes, (number, pair, pixels, sides) = *found[:2], (x.astype(np.int64) for x in found[2:])
        found = [area, boxes, number, pair, pixels, sides]
        own = sides[1 + (sides[0] > 0)]
        fits = (
            len(area) == len(boxes) == len(number)
            and len(pair) == len(pixels)
            and (number < own).all()
            and (np.diff(pair) > 0).all()
        )
        if not fits or any((x < 0).any() for x in found) or (pair >= max(sides[1] * sides[2], 1)).any():
            raise ValueError("the regions do not fit together")
    if kind == "keypoints" and (found[0].shape[1] != len(found[3]) or not len(found[0]) == len(found[1]) == len(found[2])):
        raise ValueError("the keypoints do not fit together")
    return made(*found)  # type: ignore[no-any-return]


def _finite(x: Array, name: str) -> Array:
    if x.dtype.kind not in "if" or not np.isfinite(x).all():
        raise ValueError(f"{name} holds something else than finite numbers")
    return x
