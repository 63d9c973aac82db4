"""The door of panoptic segmentation: segments in any form are matched, which gives an evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..algebra.wording import listing, short
from .image_axes import axes_of_images
from .panoptic_evaluation import PanopticEvaluation
from .panoptic_json import is_coco, read_coco
from .panoptic_matching import sums_per_class
from .segments import SegmentForm, Segments, read_segments


def panoptic(
    truth: Any,
    predictions: Any,
    *,
    things: Iterable[Any] | None = None,
    classes: Iterable[Any] | None = None,
    ignore: Any = None,
    divisor: int | None = None,
    images: Any = None,
    by: Mapping[str, Any] | None = None,
) -> PanopticEvaluation:
    """Return the panoptic quality of segments: how many were found, and how well (Kirillov et al., 2019).

    A predicted segment matches a true one of its class if their intersection over union is above one half; then no other can.
    The matches, the false and the missed segments are counts, so recognition quality is F1; segmentation quality is the mean IoU
    of the matches; panoptic quality is their product.

    Pixels that belong to nothing in the truth (the class ``ignore``, or COCO's id 0) count nowhere; a crowd is neither found nor
    missed, and a prediction that lies on both for more than a half is not false.

    Parameters
    ----------
    truth, predictions : list, or COCO's JSON
        One entry for each image: a pair (map of classes, map of instances); a dict with "map" and "segments", a list of dicts
        with "id", "category_id" and, if need be, "iscrowd"; or with ``divisor=`` one map. Or the path of COCO's panoptic JSON,
        whose pictures lie in a folder of the same name, or (path, folder); pictures need Pillow.
    things : iterable, optional
        The classes that have instances. The others are stuff: one segment per image. Left out: those of COCO's JSON, or all.
    classes : iterable, optional
        The classes and their order. Left out: those of COCO's JSON, or those that occur.
    ignore : label, optional
        The class of pixels that belong to nothing.
    divisor : int, optional
        Numbers in the maps are class * divisor + instance, such as 1000 in Cityscapes.
    images : iterable, optional
        The names of the images.
    by : dict, optional
        Other axes: {"sequence": one entry for each image}.

    Returns
    -------
    PanopticEvaluation
        ``pq()``, ``sq()``, ``rq()``, ``summary()``, ``interval()``, ``compare()``, and ``counts()`` for any measure.

    Examples
    --------
    >>> import indicatrix as ix
    >>> classes = [[1, 1, 1, 1], [2, 2, 2, 2]]
    >>> truth, found = (classes, [[1, 1, 2, 2], [0, 0, 0, 0]]), (classes, [[1, 1, 1, 2], [0, 0, 0, 0]])
    >>> result = ix.panoptic([truth], [found], things=[1])
    >>> result.pq(per="class").round(3).tolist(), result.rq(), round(result.sq(), 3)
    ([0.333, 1.0], 0.75, 0.833)
    """
    truth, predictions, images, known = images_of(truth, predictions, images)
    is_thing = dict(known)
    if things is not None:
        things = [*things]
        is_thing = {label: label in things for label in (*known, *things)}
    form = SegmentForm(divisor, ignore, None if things is None else frozenset(things))
    axes, keys = axes_of_images(images, by, len(truth))
    read = read_both(truth, predictions, form)
    found = tuple(dict.fromkeys(label for sides in read for side in sides for label in side.labels))
    order = tuple(classes) if classes is not None else (*known,) or tuple(sorted(found))
    _check_classes(read, order)
    place = {label: k for k, label in enumerate(order)}
    sums = [sums_per_class(*sides, place) for sides in read]
    return PanopticEvaluation(
        order,
        tuple(is_thing.get(label, things is None) for label in order),
        tuple(key[0] for key in keys),
        {axis: tuple(key[k] for key in keys) for k, axis in enumerate(axes) if k},
        np.stack(sums, axis=1) if sums else np.zeros((4, 0, len(order))),
    )


def images_of(truth: Any, predictions: Any, images: Any) -> tuple[list[Any], list[Any], Any, dict[Any, bool]]:
    """Return the images of both sides in one order, their names, and the categories of COCO's JSON."""
    if not is_coco(truth) and not is_coco(predictions):
        return [*truth], [*predictions], images, {}
    if not (is_coco(truth) and is_coco(predictions)):
        raise ValueError("One side is COCO's JSON and the other is not. Give both sides in the same form.")
    (ours, known), (theirs, _) = read_coco(truth, "truth"), read_coco(predictions, "predictions")
    for here, there, argument in ((ours, theirs, "predictions"), (theirs, ours, "truth")):
        missing = [name for name in here if name not in there]
        if missing:
            raise ValueError(f"{argument} has no annotation for the images {listing(missing)}.")
    return [*ours.values()], [theirs[name] for name in ours], tuple(ours) if images is None else images, known


def read_both(truth: list[Any], predictions: list[Any], form: SegmentForm) -> list[tuple[Segments, Segments]]:
    """Return the segments of both sides of each image."""
    if form.divisor is not None and (isinstance(form.divisor, bool) or not isinstance(form.divisor, int) or form.divisor < 1):
        raise ValueError(f"divisor={form.divisor!r} must be a whole number above 0, such as 1000.")
    if len(truth) != len(predictions):
        raise ValueError(f"truth has {len(truth)} images and predictions {len(predictions)}; give both for the same images.")
    return [_one_image(i, one, two, form) for i, (one, two) in enumerate(zip(truth, predictions, strict=True))]


def _one_image(i: int, truth: Any, prediction: Any, form: SegmentForm) -> tuple[Segments, Segments]:
    sides = read_segments(truth, f"truth[{i}]", form), read_segments(prediction, f"predictions[{i}]", form)
    if sides[0].place.shape != sides[1].place.shape:
        raise ValueError(
            f"Image {i} has shape {sides[0].place.shape} in truth and {sides[1].place.shape} in predictions. Resize one of them."
        )
    return sides


def _check_classes(read: list[tuple[Segments, Segments]], order: tuple[Any, ...]) -> None:
    for i, sides in enumerate(read):
        for side, argument in zip(sides, ("truth", "predictions"), strict=True):
            for k, label in enumerate(side.labels):
                if label not in order:
                    raise ValueError(
                        f"{argument}[{i}], segment {short(side.ids[k])}, has the class {short(label)}, which is not among "
                        f"({listing(order)}). Add it, or pass ignore=."
                    )
