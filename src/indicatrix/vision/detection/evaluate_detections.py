"""The door of detection: objects in any form become a scene, and the scene an evaluation.

Instances in label maps, matched by their overlap: counts at any threshold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.vocabulary import vocabulary
from ...words.call_mistakes import answers_mistakes
from ..images.image_units import named_axes
from ..match.matches import EVERY, MatchingRule, check_areas, check_ious, check_most, numbers_of, usual_most
from ..match.matching import RULES, ranks_within
from ..match.segments import Regions, SegmentForm, Segments, boxes_of, instance_labels, shared_pixels
from ..panoptic.panoptic import (
    SEVERAL,
    check_segments,
    check_types,
    classes_of_segments,
    classes_of_things,
    each_image,
    images_of,
    known_classes,
)
from ..read.given_columns import KINDS, check_ignore
from ..read.scene_reader import FORMATS, Form, read_scene
from ..shapes.shapes import Objects, Scene
from .detection_evaluation import DetectionEvaluation

LVIS_MOST = 300  # predictions of an image, of all classes


@answers_mistakes
def detection(
    truth: Any,
    predictions: Any,
    *,
    kind: str = "boxes",
    box: str = "xyxy",
    matching: str = "coco",
    ious: Any = None,
    areas: Mapping[str, tuple[float, float]] | None = None,
    max_detections: Any = None,
    classes: Iterable[Any] | None = None,
    images: Iterable[Any] | None = None,
    by: Mapping[str, Any] | None = None,
    sigmas: Any = None,
    federated: bool = False,
) -> DetectionEvaluation:
    """Return the evaluation of predicted objects: boxes, masks, oriented boxes or keypoints.

    Predictions are matched with true objects; after that there are ranked scores and counts, and every number of the library
    follows from these.

    Parameters
    ----------
    truth : path, dict or list
        COCO's annotations (a path, or what ``json.load`` returns); a list with one dict per image that has the shapes,
        "labels" and, if need be, "crowd", "ignore", "area", "size", or a dict from names of images to such dicts; or one dict of
        such columns with "image".
    predictions : path, dict or list
        COCO's results, or the same form as the truth with "scores".
    kind : str, default 'boxes'
        'boxes'; 'masks': arrays, polygons, run lengths and compressed texts; 'oriented': center, width, height, angle in
        degrees; 'keypoints': x, y and visibility of each point.
    box : str, default 'xyxy'
        Whether arrays of boxes hold two corners, 'xyxy', or a corner and the size, 'xywh'. COCO's JSON always holds the latter.
    matching : str, default 'coco'
        'coco': in the order of scores, each prediction takes the best object that is left. 'voc': each looks only at the object
        that it overlaps most. 'optimal': as many matches as possible, whatever the scores are (needs SciPy).
    ious : float or list, optional
        The least overlaps of a match. Default: 0.50, 0.55, …, 0.95. For keypoints the overlap is OKS.
    areas : dict, optional
        Ranges of areas by name. Default: COCO's small, medium and large.
    max_detections : int or tuple, optional
        How many predictions of an image and a class take part, those with the highest scores. Default: 1, 10, 100.
    classes : iterable, optional
        The classes and their order, for arrays.
    images : iterable, optional
        The names of the images, for arrays.
    by : dict, optional
        Other axes: {"sequence": one entry for each image}.
    sigmas : array-like, optional
        The spread of each keypoint. Default: COCO's 17.
    federated : bool, default False
        Whether only some classes were looked for in each image, as in LVIS. Its numbers of rare, common and frequent classes read
        "frequency" of each category, and are nan if no category has it.

    Returns
    -------
    DetectionEvaluation
        ``summary()``, ``ap()``, ``ar()``, ``at(score=…)``, ``best(measure)``, ``errors()``, ``confusion()``, ``interval()``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> truth = [{"boxes": [[0, 0, 10, 10], [20, 20, 30, 30]], "labels": ["cat", "dog"]}]
    >>> found = [{"boxes": [[0, 0, 10, 9], [50, 50, 60, 60]], "labels": ["cat", "dog"], "scores": [0.9, 0.8]}]
    >>> ix.detection(truth, found).summary()["AP50"]
    0.5
    """
    for name, given, possible in (("kind", kind, KINDS), ("box", box, FORMATS), ("matching", matching, tuple(RULES))):
        if given not in possible:
            raise ValueError(f"{name}={given!r} is unknown. Choose from {', '.join(map(repr, possible))}.")
    if sigmas is not None and kind != "keypoints":
        raise ValueError(f"sigmas= is the spread of keypoints; kind={kind!r} has none. Leave it out.")
    scene = read_scene(truth, predictions, Form(kind, box, sigmas, classes, images, by, federated))
    most = usual_most(kind, federated) if max_detections is None else check_most(max_detections)
    if scene.unlisted is not None:
        scene = _looked_for(scene, scene.unlisted)
    made = MatchingRule(matching, check_ious(ious), check_areas(areas, kind), most[-1])
    return DetectionEvaluation(scene, made, most, numbers_of(kind, most, federated=federated))


def _looked_for(scene: Scene, unlisted: Array) -> Scene:
    """Return the scene with at most 300 predictions per image, of classes that were looked for there."""
    found = scene.predictions
    _, rank = ranks_within(found.image, found.score)
    kept = np.flatnonzero((rank < LVIS_MOST) & ~unlisted[found.image, found.label])
    return replace(scene, predictions=found.take(kept))


OBJECT = "object"  # the class of instances in maps that have no classes


@answers_mistakes
def instances(
    truth: Any,
    predictions: Any,
    *,
    things: Iterable[Any] | None = None,
    classes: Iterable[Any] | None = None,
    ignore: Any = None,
    divisor: int | None = None,
    matching: str = "coco",
    ious: Any = None,
    images: Any = None,
    by: Mapping[str, Any] | None = None,
) -> DetectionEvaluation:
    """Return the evaluation of instances in label maps, matched by their intersection over union.

    ``result.at(score=0, iou=0.5)`` has the counts of matched, false and missed instances, for every measure. Pixels that belong
    to nothing in the truth are taken off the predictions; those of the background 0 are not.

    Parameters
    ----------
    truth, predictions : list, or COCO's JSON
        One entry for each image, as in ``ix.panoptic``; or a plain map of instances, where 0 is the background and every other
        number one instance of the class "object". "score" in "segments" is the score of a prediction; without it, it is 1.
    things : iterable, optional
        The classes that have instances; others are left out. Default: those of COCO's JSON, or all.
    classes : iterable, optional
        The classes and their order; an instance of another class is an error. Default: those that occur.
    ignore : label, optional
        The class of pixels that belong to nothing; in a plain map the number of such pixels.
    divisor : int, optional
        Numbers in the maps are class * divisor + instance, such as 1000 in Cityscapes. A number below it is a class without
        instances, which is left out.
    matching : str, default 'coco'
        'coco': in the order of scores, each prediction takes the best instance that is left. 'voc': each looks only at the one it
        overlaps most. 'optimal': as many matches as possible (needs SciPy). Above an IoU of one half all are the same.
    ious : float or list, optional
        The least overlaps of a match. Default: 0.50, 0.55, …, 0.95.
    images : iterable, optional
        The names of the images.
    by : dict, optional
        Other axes: {"sequence": one entry for each image}.

    Returns
    -------
    DetectionEvaluation
        As ``ix.detection`` returns it: ``at(score=…)``, ``ap()``, ``confusion()``, ``interval()``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> truth, found = [[1, 1, 1, 0], [2, 2, 0, 0]], [[5, 5, 0, 0], [0, 6, 6, 6]]
    >>> result = ix.vision.instances([truth], [found])
    >>> result.at(score=0, iou=0.5).score("f1", "micro"), result.at(score=0, iou=0.25).score("f1", "micro")
    (0.5, 1.0)
    """
    if matching not in RULES:
        raise ValueError(f"matching={matching!r} is unknown. Choose from {', '.join(map(repr, RULES))}.")
    given, ignore = images_of(truth, predictions, images), check_ignore(ignore, None, SEVERAL)
    chosen = None if classes is None else classes_of_segments(classes, ignore)
    things = classes_of_things(things, chosen or known_classes(given, ignore))
    things = [label for label, thing in given.known.items() if thing] if things is None and given.known else things
    kept = None if things is None else frozenset(things)
    form = SegmentForm(divisor, ignore, kept, one_class=OBJECT)
    counted = []
    for i, sides in enumerate(each_image(given, form, None)):
        if chosen is not None:
            labels = [_taking_part(side, kept) for side in sides]
            check_segments(i, sides, labels, chosen, "Add it, leave it out of things=, or pass ignore=.")
        counted.append(_count_pixels(*sides))
    axes = named_axes(given.names, by, len(counted))
    found = {label for one in counted for side in one.sides for label in side.labels if label is not None}
    check_types(things, found)
    found = found if kept is None else found & kept
    order = vocabulary(found, "truth and predictions") if chosen is None else chosen
    scene = _scene(counted, order, *axes)
    made = MatchingRule(matching, check_ious(ious), check_areas(None, "masks"), EVERY)
    return DetectionEvaluation(scene, made, (EVERY,), numbers_of("masks", (EVERY,)))


def _taking_part(side: Segments, things: frozenset[Any] | None) -> tuple[Any, ...]:
    """Return the class of each segment, None where it is not an instance of a thing."""
    return tuple(label if things is None or label in things else None for label in instance_labels(side))


@dataclass(frozen=True, eq=False)
class _Side:
    """The instances of one side of an image."""

    labels: tuple[Any, ...]
    area: Array
    boxes: Array
    crowd: Array
    score: Array


@dataclass(frozen=True, eq=False)
class _PixelCounts:
    """The instances of an image, and how many pixels those of both sides share."""

    sides: tuple[_Side, _Side]
    true: Array  # of each pair that shares pixels
    pred: Array
    pixels: Array


def _count_pixels(true: Segments, pred: Segments) -> _PixelCounts:
    """Return what is counted in the maps of an image, which are then forgotten."""
    table = shared_pixels(true, pred)
    rows, columns = np.nonzero(table[:-1, :-1])
    areas = table[:-1].sum(axis=1), table[:-1, :-1].sum(axis=0)  # what was not labeled is taken off the predictions
    ours, theirs = (
        _Side(instance_labels(side), area, boxes_of(side), side.crowd, side.score)
        for side, area in zip((true, pred), areas, strict=True)
    )
    return _PixelCounts((ours, theirs), rows, columns, table[rows, columns])


def _scene(counted: list[_PixelCounts], order: tuple[Any, ...], images: tuple[Any, ...], by: dict[str, tuple[Any, ...]]) -> Scene:
    """Return the instances of all images with the pixels that they share."""
    place = {label: k for k, label in enumerate(order)}
    sides: list[list[list[Array]]] = [[], []]
    pairs, before = [], [0, 0]
    total = sum(len(one.sides[0].labels) for one in counted)
    for i, one in enumerate(counted):
        pairs.append((one.pred + before[1]) * total + one.true + before[0])
        for k, side in enumerate(one.sides):
            n = len(side.labels)
            label = np.array([place.get(name, -1) for name in side.labels], np.intp)
            sides[k].append([np.full(n, i), label, side.area, side.crowd, side.score, np.arange(n) + before[k], side.boxes])
            before[k] += n
    pair, many = (np.concatenate([np.zeros(0, np.int64), *x]).astype(np.int64) for x in (pairs, [c.pixels for c in counted]))
    up = np.argsort(pair)
    ours, theirs = (_objects(some, pair[up], many[up], np.array([side, *before], np.int64)) for side, some in enumerate(sides))
    return Scene(ours, theirs, images, order, by)


def _objects(columns: list[list[Array]], pair: Array, pixels: Array, numbers: Array) -> Objects:
    """Return the instances of one side, without those of classes that do not take part."""
    kinds = (np.intp, np.intp, np.float64, bool, np.float64, np.intp)
    image, label, area, crowd, score, number = (
        np.concatenate([np.zeros(0, kind), *(row[k] for row in columns)]).astype(kind) for k, kind in enumerate(kinds)
    )
    boxes = np.concatenate([np.zeros((0, 4)), *(row[-1] for row in columns)])
    whole = Objects(image, label, Regions(area, boxes, number, pair, pixels, numbers), area, crowd, crowd.copy(), score)
    return whole.take(np.flatnonzero((label >= 0) & (area > 0)))
