"""The door of panoptic segmentation: segments in any form are matched, which gives an evaluation."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.factorize import objection, plain_label
from ...encode.vocabulary import check_classes, family_of, vocabulary
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, short, type_of
from ..images.image_units import named_axes
from ..match.segments import SegmentForm, Segments, fingerprint_of, instance_labels, read_segments, shared_pixels
from ..read.given_columns import check_ignore
from ..read.map_reader import is_coco, read_coco
from .panoptic_evaluation import PanopticEvaluation

HALF = 0.5  # above it, no other segment can overlap as much


@dataclass(frozen=True, eq=False)
class MatchedImage:
    """What matching found in one image, segment by segment."""

    pairs: tuple[tuple[int, int], ...]  # the positions of the true and the predicted segment
    overlaps: tuple[float, ...]  # the IoU of each pair
    missed: tuple[int, ...]  # true segments
    false: tuple[int, ...]  # predicted segments


def match_segments(true: Segments, pred: Segments) -> MatchedImage:
    """Return the matches of one image by COCO's rules (Kirillov et al., 2019).

    Pixels that belong to nothing in the truth are taken off a prediction's side of the union. A crowd is never matched or
    missed. A prediction without a match is not false if more than half of it lies on such pixels or on crowds of its class.
    """
    table = shared_pixels(true, pred)
    common, void = table[:-1, :-1], table[-1, :-1]
    area_true, area_pred = table[:-1].sum(axis=1), table[:, :-1].sum(axis=0)
    same = np.array([[a == b for b in pred.labels] for a in true.labels], bool).reshape(common.shape)
    union = area_true[:, None] + area_pred - common - void
    overlap = common / np.maximum(union, 1)
    found = same & ~true.crowd[:, None] & (overlap > HALF)
    rows, columns = np.nonzero(found)
    excused = void + (common * (same & true.crowd[:, None])).sum(axis=0)
    false = ~found.any(axis=0) & ~(excused / np.maximum(area_pred, 1) > HALF)
    missed = ~found.any(axis=1) & ~true.crowd
    return MatchedImage(
        tuple(zip(rows.tolist(), columns.tolist(), strict=True)),
        tuple(overlap[rows, columns].tolist()),
        tuple(np.flatnonzero(missed).tolist()),
        tuple(np.flatnonzero(false).tolist()),
    )


def sums_per_class(true: Segments, pred: Segments) -> dict[Any, Array]:
    """Return matches, false and missed segments, and the sum of IoUs, of each class in an image."""
    matched = match_segments(true, pred)
    sums: dict[Any, Array] = {label: np.zeros(4) for label in (*true.labels, *pred.labels)}
    for (row, _), overlap in zip(matched.pairs, matched.overlaps, strict=True):
        sums[true.labels[row]][[0, 3]] += 1, overlap
    for kind, positions, labels in ((1, matched.false, pred.labels), (2, matched.missed, true.labels)):
        for position in positions:
            sums[labels[position]][kind] += 1
    return sums


SEVERAL = "give them one class"  # what to do with pixels of several classes that belong to nothing


@answers_mistakes
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
    truth, predictions : iterable, or COCO's JSON
        One entry for each image, of which one is in memory at a time: a pair (map of classes, map of instances); a dict with
        "map" and "segments", a list of dicts with "id", "category_id" and, if need be, "iscrowd"; or with ``divisor=`` one map.
        Or the path of COCO's panoptic JSON, whose pictures lie in a folder of the same name, or (path, folder); pictures need
        Pillow.
    things : iterable, optional
        The classes that have instances. The others are stuff: one segment per image. Default: those of COCO's JSON, or all.
    classes : iterable, optional
        The classes and their order. Default: those of COCO's JSON, or those that occur.
    ignore : label, optional
        The class of pixels that belong to nothing.
    divisor : int, optional
        Numbers in the maps are class * divisor + instance, such as 1000 in Cityscapes. A number below it is a class by itself,
        one segment per image, and stuff if it has no instances anywhere.
    images : iterable, optional
        The names of the images.
    by : dict, optional
        Other axes: {"sequence": one entry for each image}.

    Returns
    -------
    PanopticEvaluation
        ``pq()``, ``sq()``, ``rq()``, ``summary()``, ``interval()``, ``compare()``, and ``counts()`` for any measure.

    References
    ----------
    - A. Kirillov, K. He, R. Girshick, C. Rother, P. Dollár (2019). Panoptic segmentation. IEEE/CVF Conference on Computer
      Vision and Pattern Recognition, 9404-9413. https://doi.org/10.1109/CVPR.2019.00963

    Examples
    --------
    >>> import indicatrix as ix
    >>> classes = [[1, 1, 1, 1], [2, 2, 2, 2]]
    >>> truth, found = (classes, [[1, 1, 2, 2], [0, 0, 0, 0]]), (classes, [[1, 1, 1, 2], [0, 0, 0, 0]])
    >>> result = ix.panoptic([truth], [found], things=[1])
    >>> result.pq(per="class").round(3).tolist(), result.rq(), round(result.sq(), 3)
    ([0.333, 1.0], 0.75, 0.833)
    """
    given, ignore = images_of(truth, predictions, images), check_ignore(ignore, None, SEVERAL)
    possible = classes_of_segments(classes, ignore) if classes is not None else known_classes(given, ignore)
    things = classes_of_things(things, possible)
    is_thing = dict(given.known)
    if things is not None:
        is_thing = {label: label in things for label in (*given.known, *things)}
    form = SegmentForm(divisor, ignore, None if things is None else frozenset(things))
    counted, truths, instanced = [], [], set()
    for sides in each_image(given, form, possible):
        counted.append(sums_per_class(*sides))
        truths.append(fingerprint_of(sides[0]))
        instanced |= {label for side in sides for label in instance_labels(side)}
    names, others = named_axes(given.names, by, len(counted))
    occurring = {label for one in counted for label in one}
    check_types(things, occurring)
    order = vocabulary(occurring, "truth and predictions") if possible is None else possible
    place = {label: k for k, label in enumerate(order)}
    sums = np.zeros((4, len(counted), len(order)))
    for i, one in enumerate(counted):
        for label, own in one.items():
            sums[:, i, place[label]] = own
    return PanopticEvaluation(
        order,
        tuple(is_thing.get(label, things is None and label in instanced) for label in order),
        names,
        others,
        sums,
        tuple(truths),
    )


def classes_of_segments(classes: Iterable[Any], ignore: Any) -> tuple[Any, ...]:
    """Return the classes that were named, each once and without the one that belongs to nothing."""
    named = check_classes(classes)
    if ignore is not None and ignore in named:
        raise ValueError(f"ignore={short(ignore)} is among classes=. Its pixels belong to nothing: leave it out of classes=.")
    return named


def known_classes(given: GivenImages, ignore: Any) -> tuple[Any, ...] | None:
    """Return the categories of COCO's JSON, except the one of nothing; None without such a file."""
    return tuple(label for label in given.known if ignore is None or label != ignore) or None


def classes_of_things(things: Any, possible: Collection[Any] | None) -> list[Any] | None:
    """Return the classes that have instances, None if it was not said; each must be possible."""
    if isinstance(things, str) or not isinstance(things, Iterable | None):
        raise TypeError(f"things={things!r} must be a list of classes, such as [{things!r}].")
    named = None if things is None else [*map(plain_label, things)]
    odd = next((label for label in named or () if objection(label)), None)
    if odd is not None:
        raise TypeError(f"things= has {short(odd)}, which is not a class.")
    unknown = [label for label in named or () if possible is not None and label not in possible]
    if unknown:
        raise ValueError(f"things= has {listing(unknown)}, which is not among the classes ({listing(tuple(possible or ()))}).")
    return named


def check_types(things: Iterable[Any] | None, occurring: Collection[Any]) -> None:
    """Refuse classes of several types, and things of another one: no segment could be such a thing."""
    named, held = ({family_of(type(label)) for label in labels} for labels in (things or (), occurring))
    if len(held) > 1:
        raise TypeError(f"The classes are of type {' and '.join(sorted(held))}. Convert all of them to one type.")
    if held and not named <= held:
        raise TypeError(
            f"things= holds labels of type {' and '.join(sorted(named))}, and the classes are of type "
            f"{' and '.join(sorted(held))}. Give them in the type of the classes."
        )


@dataclass(frozen=True)
class GivenImages:
    """The images of both sides, in one order and read one after the other."""

    truth: Iterable[Any]
    predictions: Iterable[Any]
    names: Any  # None: they are numbered
    known: dict[Any, bool]  # the categories of COCO's JSON: whether each is a thing
    coco: bool = False


def images_of(truth: Any, predictions: Any, images: Any) -> GivenImages:
    """Return the images of both sides, their names, and the categories of COCO's JSON."""
    if not is_coco(truth) and not is_coco(predictions):
        sides = {"truth": truth, "predictions": predictions}
        for argument, side in sides.items():
            if isinstance(side, str | bytes | Mapping) or not isinstance(side, Iterable):
                raise TypeError(f"{argument} is {type_of(side)}; give a list with one entry for each image.")
            dimensions = getattr(side, "ndim", 3)
            if dimensions < 3 and str(getattr(side, "dtype", "")) != "object":
                raise ValueError(
                    f"{argument} has {dimensions} dimensions; an array needs at least three, the first one for the images. "
                    f"For one image give a list of it, [{argument}]."
                )
        many = [len(side) for side in sides.values() if isinstance(side, Sized)]
        if len({*many}) == 2:
            raise ValueError(f"truth has {many[0]} images and predictions {many[1]}; give both for the same images.")
        return GivenImages(truth, predictions, images, {})
    if not (is_coco(truth) and is_coco(predictions)):
        raise ValueError("One side is COCO's JSON and the other is not. Give both sides in the same form.")
    (ours, known), (theirs, _) = read_coco(truth, "truth"), read_coco(predictions, "predictions")
    for here, there, argument in ((ours, theirs, "predictions"), (theirs, ours, "truth")):
        missing = [name for name in here if name not in there]
        if missing:
            raise ValueError(f"{argument} has no annotation for the images {listing(missing)}.")
    names = tuple(ours) if images is None else images
    return GivenImages([*ours.values()], [theirs[name] for name in ours], names, known, coco=True)


def each_image(given: GivenImages, form: SegmentForm, classes: tuple[Any, ...] | None) -> Iterator[tuple[Segments, Segments]]:
    """Yield the segments of both sides of each image; one image is in memory at a time."""
    whole = isinstance(form.divisor, int | np.integer) and not isinstance(form.divisor, bool)
    if form.divisor is not None and not (whole and form.divisor >= 1):
        raise ValueError(f"divisor={form.divisor!r} must be a whole number above 0, such as 1000.")
    names = [*given.names] if given.coco else []
    end = object()
    for i, (one, two) in enumerate(zip_longest(given.truth, given.predictions, fillvalue=end)):
        if one is end or two is end:
            longer, shorter = ("truth", "predictions") if two is end else ("predictions", "truth")
            raise ValueError(f"{shorter} ends after {i} images, and {longer} has more; give both for the same images.")
        try:
            yield _one_image(i, one, two, form, classes)
        except (ValueError, TypeError, FileNotFoundError) as error:
            if not given.coco or i >= len(names):
                raise
            raise type(error)(f"Image {short(names[i])}: {error}") from None


def _one_image(
    i: int, truth: Any, prediction: Any, form: SegmentForm, classes: tuple[Any, ...] | None
) -> tuple[Segments, Segments]:
    sides = read_segments(truth, f"truth[{i}]", form), read_segments(prediction, f"predictions[{i}]", form)
    if sides[0].place.shape != sides[1].place.shape:
        raise ValueError(
            f"Image {i} has shape {sides[0].place.shape} in truth and {sides[1].place.shape} in predictions. Resize one of them."
        )
    if classes is not None:
        check_segments(i, sides, [side.labels for side in sides], classes, "Add it, or pass ignore=.")
    return sides


def check_segments(
    i: int, sides: Iterable[Segments], labels: Iterable[tuple[Any, ...]], classes: tuple[Any, ...], advice: str
) -> None:
    """Refuse a segment of an image whose class is not among those possible."""
    for side, own, argument in zip(sides, labels, ("truth", "predictions"), strict=True):
        for k, label in enumerate(own):
            if label is not None and label not in classes:
                raise ValueError(
                    f"{argument}[{i}], segment {short(side.ids[k])}, has the class {short(label)}, which is not among "
                    f"({listing(classes)}). {advice}"
                )
