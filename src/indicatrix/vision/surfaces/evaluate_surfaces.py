"""The door of surface distances: label maps or masks of each image become distances between outlines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.vocabulary import check_classes, family_of, vocabulary
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, short
from ..images.image_units import Fingerprint, named_axes
from ..read.given_columns import check_ignore, numbers_or_none
from ..read.map_reader import channels_last, read_sides, together
from .outline_distances import SurfacePair, check_elements, check_one_sided, distances_between
from .surface_evaluation import SurfaceEvaluation


@answers_mistakes
def surface_distances(
    y_true: Any,
    y_pred: Any,
    *,
    spacing: Any = None,
    classes: Iterable[Any] | None = None,
    background: Any = 0,
    ignore: Any = None,
    class_axis: int | None = None,
    images: Any = None,
    by: Mapping[str, Any] | None = None,
    one_sided: Any = "inf",
    elements: str = "pixels",
) -> SurfaceEvaluation:
    """Return the distances between the outlines of true and predicted regions, for each image and class.

    From them follow the Hausdorff distance and its percentiles, the average symmetric surface distance and the normalized
    surface Dice. The surface of a region are its pixels with a neighbor outside, along an axis; beyond the image is outside. It
    needs SciPy.

    If neither side has a class, its values are undefined. If only one side has it, the surface Dice is 0, and the distances are
    what ``one_sided`` says.

    Parameters
    ----------
    y_true, y_pred : array-like, paths or folders
        Label maps, pictures or volumes, as in ``ix.segmentation``; with ``class_axis=`` channels of 0 and 1.
    spacing : float, sequence or list of sequences, optional
        The size of a pixel along each axis, such as (2.5, 0.8, 0.8); one for each image as a list of tuples. Default: 1.
    classes : iterable, optional
        The classes. Default: those that occur, without the background.
    background : label, default 0
        The label that does not count as a class, unless ``classes=`` names it. None: every label does. With ``class_axis=`` every
        channel counts: leave out that of the background.
    ignore : label, optional
        The true label of pixels that are not observed; predictions there are taken off.
    class_axis : int, optional
        The axis of one image with one channel per class; then both sides hold 0 and 1.
    images : iterable, optional
        The names of the images. Default: 0, 1, 2, …, or the names of files.
    by : dict, optional
        Other axes: {"patient": one entry for each image}.
    one_sided : str or number, default 'inf'
        The distance where only one side has the class: 'inf', which is undefined in averages; 'diagonal', that of the image;
        or a number.
    elements : str, default 'pixels'
        'pixels': the surface pixels of a region, of which all count the same, as in MONAI. 'areas': the elements of the surface
        between pixels, each counted by its length or area, as in DeepMind's surface-distance; for two or three axes.

    Returns
    -------
    SurfaceEvaluation
        ``hausdorff()``, ``average_distance()``, ``surface_dice(tolerance)``, ``interval()``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> truth, found = [[0, 1, 1, 0, 0]] * 2, [[0, 1, 1, 1, 0]] * 2
    >>> result = ix.vision.surface_distances([truth], [found], spacing=(1, 0.5))
    >>> result.hausdorff(), result.surface_dice(tolerance=0.25)
    (0.5, 0.8)
    """
    check_elements(elements)
    sides = read_sides(y_true, y_pred, class_axis is not None)
    images = sides[2] if images is None else images
    chosen = None if classes is None else check_classes(classes)
    if ignore is not None and class_axis is not None:
        raise ValueError(
            f"ignore={short(ignore)} is a label, and class_axis= is for one channel per class. Set all channels of such pixels "
            "to 0 on both sides, or give label maps."
        )
    ignore = check_ignore(ignore, chosen, "give them the same label on both sides")
    rows: list[dict[Any, SurfacePair]] = []
    truths = []
    for i, (true, pred) in enumerate(together(*sides[:2])):
        masks = _masks(i, true, pred, chosen, class_axis) if class_axis is not None else _regions(i, true, pred, chosen, ignore)
        step = _spacing(spacing, i, next(iter(masks.values()))[0].ndim if masks else true.ndim)
        if chosen is None and class_axis is None:
            masks.pop(background, None)
        rows.append({label: distances_between(*both, step, elements) for label, both in masks.items()})
        truths.append(_fingerprint({label: own for label, (own, _) in masks.items()}, step))
    names, others = named_axes(images, by, len(rows))
    order = chosen if chosen is not None else vocabulary({label for row in rows for label in row}, "y_true and y_pred")
    return SurfaceEvaluation(
        order,
        names,
        others,
        tuple(tuple(row.get(label) for label in order) for row in rows),
        tuple(truths),
        check_one_sided(one_sided),
        elements,
    )


def _regions(i: int, true: Array, pred: Array, classes: tuple[Any, ...] | None, ignore: Any) -> dict[Any, tuple[Array, Array]]:
    """Return the region of each class on both sides of two label maps."""
    if true.shape != pred.shape:
        raise ValueError(f"Image {i} has shape {true.shape} in y_true and {pred.shape} in y_pred. Resize one of them first.")
    if len({side.dtype.kind in "US" for side in (true, pred) if side.size}) > 1:
        raise TypeError(f"Image {i} has text on one side and numbers on the other. Give both sides the same labels.")
    held = {family_of(side.dtype.type) for side in (true, pred) if side.size}
    asked = {family_of(type(label)) for label in (*(classes or ()), *(() if ignore is None else (ignore,)))}
    if held and not asked <= held:
        raise TypeError(
            f"classes= and ignore= hold labels of type {' and '.join(sorted(asked))}, and image {i} labels of type "
            f"{' and '.join(sorted(held))}. Give them in the type of the maps."
        )
    seen = np.ones(true.shape, bool) if ignore is None else true != ignore
    found = {label for side in (true, pred) for label in np.unique(side[seen]).tolist()} - {ignore}
    return {label: ((true == label) & seen, (pred == label) & seen) for label in (sorted(found) if classes is None else classes)}


def _masks(i: int, true: Array, pred: Array, classes: tuple[Any, ...] | None, class_axis: int) -> dict[Any, tuple[Array, Array]]:
    """Return the region of each class on both sides of two arrays with one channel per class."""
    true, pred, _ = channels_last(true, pred, class_axis, i)
    if true.shape != pred.shape:
        raise ValueError(f"Image {i} has shape {true.shape} in y_true and {pred.shape} in y_pred, the classes last.")
    for side, argument in ((true, "y_true"), (pred, "y_pred")):
        wrong = (side != 0) & (side != 1)
        if wrong.any():
            at = tuple(map(int, np.argwhere(wrong)[0]))
            raise ValueError(
                f"{argument}[{i}] has {short(side[at].item())} at {at[:-1]} of channel {at[-1]}: a mask holds 0 and 1. "
                "Decide first, such as scores > 0.5."
            )
    names = classes if classes is not None else tuple(range(true.shape[-1]))
    if len(names) != true.shape[-1]:
        raise ValueError(f"There are {len(names)} classes, {listing(names)}, for {true.shape[-1]} channels of image {i}.")
    return {label: (true[..., k] == 1, pred[..., k] == 1) for k, label in enumerate(names)}


def _fingerprint(masks: Mapping[Any, Array], spacing: tuple[float, ...]) -> str:
    """Return what tells the true regions of an image from others, whatever the order of classes is."""
    found = Fingerprint()
    found.note(spacing)
    for label in sorted(masks, key=repr):
        if masks[label].any():  # the truth does not hold a class that only the predictions have
            found.note((label, masks[label].shape))
            found.add(np.packbits(masks[label]))
    return found.text()


def _spacing(given: Any, i: int, ndim: int) -> tuple[float, ...]:
    """Return the size of a pixel of one image along each axis."""
    own = given[i] if isinstance(given, list) and len(given) > i and np.ndim(given[i]) else given
    steps = np.ones(ndim) if own is None else numbers_or_none(own)
    steps = np.full(ndim, float(steps)) if steps is not None and steps.ndim == 0 else steps
    if steps is None or steps.shape != (ndim,) or not (np.isfinite(steps) & (steps > 0)).all():
        raise ValueError(
            f"spacing={short(own)} does not fit image {i}: give one number above 0, or one for each of its {ndim} axes."
        )
    return tuple(steps.tolist())
