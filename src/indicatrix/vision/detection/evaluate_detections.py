"""The door of detection: objects in any form become a scene, and the scene an evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...words.call_mistakes import answers_mistakes
from ..match.detection_settings import check_areas, check_ious, check_most, numbers_of, usual_most
from ..match.matches import MatchingRule
from ..match.matching import RULES, ranks_within
from ..read.given_columns import KINDS
from ..read.scene_reader import FORMATS, Form, read_scene
from ..shapes.objects import Scene
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
