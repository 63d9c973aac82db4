"""Segmentation: label maps as pixels, with one group of examples per image (errata A14).

See sec:cv_metrics.

>>> import indicatrix as ix
>>> ev = ix.segmentation([[[0, 0], [1, 255]], [[1, 1]]], [[[0, 1], [1, 1]], [[1, 1]]], ignore=255)
>>> ev.score("jaccard", "macro"), ev.values("jaccard", "image").tolist()  # mIoU; per image
(0.625, [0.5, 1.0])
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import evaluate_labels
from ...algebra.score import Score, Undefined
from ...encode.factorize import objection
from ...encode.plain_forms import is_missing
from ...encode.vocabulary import family_of
from ...settings.example_costs import ExampleCosts
from ...settings.paper_settings import refuse
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, short, type_of
from ..images.image_units import Fingerprint, axes_of_images
from ..read.given_columns import check_ignore, check_type, on_host
from ..read.map_reader import channels_last, read_sides, together
from .counted_maps import PLAIN, Image, ImageCounter, check_boundary


@answers_mistakes
def segmentation(
    y_true: Any,
    y_pred: Any,
    *,
    ignore: Any = None,
    images: Any = None,
    class_axis: int | None = None,
    names: Any = None,
    boundary: Any = None,
    **options: Any,
) -> Any:
    """Return the evaluation of label maps or masks: one example per pixel, with the image as an axis.

    Each pixel is one example, so every measure, average and interval works. With all pixels pooled, mean IoU is macro
    ``jaccard``, mean Dice is macro ``f1``, mean pixel accuracy is macro ``recall``, and frequency-weighted IoU is weighted
    ``jaccard``. Pixel accuracy, the share of pixels classified right, is ``exact_match``.

    Per image there are two means: ``ev.score("jaccard", ("image", "macro"))`` is the mean over images of their mean IoU, and
    ``ev.score("jaccard", "image")`` the mean over images of the IoU of class 1 (in maps of 0 and 1) or of all classes pooled.
    ``ix.vision.segmentation_summary`` has the usual numbers by name, pooled and per image. ``ev.split("image")`` has the images
    one by one, and ``ev.interval(…, clusters="image")`` treats images as what was sampled.

    Distances between outlines are in ``ix.vision.surface_distances``, objects in ``ix.vision.instances`` and ``ix.panoptic``.

    Parameters
    ----------
    y_true, y_pred : array-like, paths or folders
        Label maps of any shapes, volumes too: a list with one for each image, or an array whose first axis is the image.
    ignore : label, optional
        The true label of pixels that are not observed, such as 255.
    images : iterable, optional
        The names of the images. Default: 0, 1, 2, …, or the names of files.
    class_axis : int, optional
        The axis of one image with one channel per class: 0 for (classes, height, width), -1 for (height, width, classes). Sides
        of equally many dimensions both have it; otherwise the one with one dimension more. Channels of 0 and 1 are decisions;
        scores need ``decide=``, such as "argmax" or 0.5; memberships, soft masks, need ``tnorm=``, such as "product".
    names : mapping or iterable, optional
        Names of classes in place of the labels in the maps: {0: "road", 1: "sky"}, or a list for the labels 0, 1, 2, …
    boundary : float or int, optional
        Count only the boundary of each region, this wide: a share of the diagonal such as 0.02, or whole pixels. Then jaccard is
        the boundary IoU.
    **options
        What ``evaluate`` takes and this setting allows: classes, sample_weight, mask, by, … See help(ix.evaluate) and
        ``ix.tasks.SETTINGS``.

    Returns
    -------
    Evaluation
        One example per pixel, with the axis "image".

    Notes
    -----
    The maps may have any shapes, and may come from lists, iterators (one image is in memory at a time), arrays whose first axis
    is the image, lists of files, or two folders. Files are NumPy's .npy or, with Pillow, pictures such as PNG; their names are
    the names of the images. Arrays without ``images=`` are numbered from 0, and such batches do not add, because their images
    have the same numbers.

    Pixels whose true label is ``ignore`` are not observed; predicted for other pixels, that label means no class. ``by=`` has
    one entry per image; ``mask=`` and ``sample_weight=`` are maps of the same shapes, or one number per image. Micro accuracy
    is label accuracy, which is another number than pixel accuracy.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.segmentation([[[0, 0], [1, 255]], [[1, 1]]], [[[0, 1], [1, 1]], [[1, 1]]], ignore=255)
    >>> ev.score("jaccard", "macro"), ev.values("jaccard", "image").tolist(), float(ev.score("exact_match"))
    (0.625, [0.5, 1.0], 0.8)
    >>> soft = [[[[0.9, 0.2]], [[0.1, 0.8]]]]  # one image, two classes, one row of two pixels
    >>> ix.segmentation([[[0, 1]]], soft, class_axis=0, decide="argmax").score("f1", "macro")
    1.0
    """
    refuse("segmentation", options)
    boundary = check_boundary(boundary)
    _check_form(class_axis, boundary, options)
    renamed = _names(names, options)
    true, pred, files = read_sides(y_true, y_pred, class_axis is not None)
    images = files if images is None else images
    by, mask, weights = options.pop("by", None), options.pop("mask", None), options.pop("sample_weight", None)
    mask, weights = _per_image(mask, true.n, "mask"), _per_image(weights, true.n, "sample_weight")
    if true.n is not None:
        axes_of_images(images, by, true.n)  # refused before anything is read
    ignore = check_ignore(ignore, options.get("classes"), "use mask=")
    counter, found, same = ImageCounter(ignore, boundary, options), [], Fingerprint()
    for i, (t, p) in enumerate(together(true, pred)):
        image = _image(i, t, p, class_axis)
        if ignore is not None and image.channels[0]:
            raise ValueError(
                f"ignore={short(ignore)} is a label, and y_true[{i}] has one channel per class. Hide pixels with mask=, or give "
                "y_true as label maps."
            )
        check_type(ignore, {family_of(x.dtype.type) for x in (t, p) if x.size}, f"image {i}")
        shown = _mask(mask, i, image.shape), _weights(weights, i, image.shape, options)
        found.append(counter.count(replace(image, mask=shown[0], weights=shown[1])))
        if images is None:
            same.add(t)
            same.add(p)
    axes, keys = axes_of_images(images, by, len(found))
    if not found:
        return _rename_classes(_evaluate_nothing(axes, options), renamed)
    ev = counter.together(found, axes, keys)
    if images is None:
        ev = replace(ev, recipe=ev.recipe.with_task(images=same.text()))
    return _rename_classes(ev, renamed)


def _check_form(class_axis: Any, boundary: Any, options: Mapping[str, Any]) -> None:
    """Refuse options that need another form of maps."""
    if class_axis is not None and (isinstance(class_axis, bool) or not isinstance(class_axis, int | np.integer)):
        raise TypeError(
            f"class_axis={class_axis!r} must be a whole number: the axis of one image that has one channel per class."
        )
    if isinstance(options.get("cost"), ExampleCosts):
        raise ValueError("Pixels are the examples here, and costs of single pixels are maps: give them as sample_weight=.")
    if class_axis is None and options.get("decide") is not None:
        raise ValueError(
            "decide= turns scores into decisions, but label maps hold classes. Name the axis of scores: class_axis=0."
        )
    if class_axis is None and options.get("tnorm") is not None and options.get("ordinal") is None:
        raise ValueError(
            "tnorm= combines memberships, but label maps hold classes. Name the axis of memberships with class_axis=, or pass "
            "ordinal= to make memberships."
        )
    if boundary is None:
        return
    given = [name for name, value in options.items() if name not in (*PLAIN, "mask", "by") and value is not None]
    if class_axis is not None or given:
        what = "class_axis" if class_axis is not None else given[0]
        raise ValueError(f"boundary= is for label maps with classes=, ignore= and mask=, not with {what}. Make label maps first.")


def _image(i: int, true: Array, pred: Array, class_axis: int | None) -> Image:
    """Return one image; sides of other sizes are refused."""
    channels = (False, False)
    if class_axis is not None:
        true, pred, channels = channels_last(true, pred, class_axis, i)
    shapes = [x.shape[:-1] if own else x.shape for x, own in zip((true, pred), channels, strict=True)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"Image {i} has shape {shapes[0]} in y_true and {shapes[1]} in y_pred. Resize one of them first.")
    if all(channels) and true.shape != pred.shape:
        raise ValueError(f"Image {i} has {true.shape[-1]} classes in y_true and {pred.shape[-1]} in y_pred.")
    return Image(i, true, pred, None, None, channels)


def _names(names: Any, options: dict[str, Any]) -> dict[Any, Any] | None:
    """Return the name of each label; the labels become classes= if these were not given."""
    if names is None:
        return None
    meaning = dict(names) if isinstance(names, Mapping) else dict(enumerate(names))
    odd = next((name for name in meaning.values() if objection(name) or is_missing(name)), None)
    if odd is not None or None in meaning.values():
        raise TypeError(f"names= has {short(odd)}, which is not a name. Give every label a text or a number.")
    if len(set(meaning.values())) < len(meaning):
        raise ValueError("names= has a name twice. Give every label its own name.")
    given = [option for option in ("ordinal", "hierarchy", "known", "positive") if options.get(option) is not None]
    if given:
        raise ValueError(
            f"names= replaces the labels after counting, and {given[0]}= reads them. Give the names in the maps themselves."
        )
    if options.get("classes") is None:
        options["classes"] = tuple(meaning)
    missing = [label for label in options["classes"] if label not in meaning]
    if missing:
        raise ValueError(f"names= has no name for the classes {listing(missing)}.")
    return meaning


def _rename_classes(ev: Any, names: Mapping[Any, Any] | None) -> Any:
    if names is None:
        return ev
    positive = None if ev.positive is None else names[ev.positive]
    return replace(ev, tally=ev.tally.with_names(tuple(names[label] for label in ev.classes)), named_positive=positive)


def _evaluate_nothing(axes: tuple[str, ...], options: Mapping[str, Any]) -> Any:
    plain = {name: value for name, value in options.items() if name != "decide"}
    ev = evaluate_labels(np.zeros(0, np.intp), np.zeros(0, np.intp), **plain)
    return replace(ev, tally=replace(ev.tally, by=axes, _pooled=[]))


def _mask(given: Any, i: int, shape: tuple[int, ...]) -> Array | None:
    x = _of_image(given, i, shape, "mask")
    if x is None:
        return None
    if x.dtype.kind not in "biuf" or not ((x == 0) | (x == 1)).all():
        raise ValueError(f"mask[{i}] has other values than True and False (or 1 and 0). Give True where a pixel was observed.")
    return x.astype(bool)


def _weights(given: Any, i: int, shape: tuple[int, ...], options: Mapping[str, Any]) -> Array | None:
    x = _of_image(given, i, shape, "sample_weight")
    if x is None:
        return None
    numbers = x.dtype.kind in "biuf"
    right = np.isfinite(x) & ((x >= 0) | bool(options.get("signed_weights"))) if numbers else np.zeros(x.shape, bool)
    if not right.all():
        at = f"[{', '.join(map(str, np.argwhere(~right)[0].tolist()))}]" if x.ndim else ""
        raise ValueError(f"sample_weight[{i}]{at} is not a weight: a weight is a finite number that is not negative.")
    return x.astype(np.float64)


def _per_image(given: Any, n: int | None, argument: str) -> Any:
    if given is None:
        return None
    if isinstance(given, str | bytes | Mapping) or not hasattr(given, "__getitem__") or not hasattr(given, "__len__"):
        raise TypeError(
            f"{argument}= is {type_of(given)}; give a list or an array with one map, or one number, for each image, also where "
            "the images are a stream."
        )
    if n is not None and len(given) != n:
        raise ValueError(f"{argument}= must have one map, or one number, for each of the {n} images.")
    return given


def _of_image(given: Any, i: int, shape: tuple[int, ...], argument: str) -> Array | None:
    """Return a map of the shape of an image, or one number for all its pixels."""
    if given is None:
        return None
    try:
        own = given[i]
    except (IndexError, TypeError):
        raise ValueError(f"{argument}= must have one map, or one number, for each image; it has none for image {i}.") from None
    x = np.asarray(on_host(own, f"{argument}[{i}]"))
    if x.ndim and x.shape != shape:
        raise ValueError(f"{argument}[{i}] has shape {x.shape} for an image of shape {shape}. Give one entry per pixel.")
    return x


# The name in papers, the measure, and the average over classes.
NUMBERS: tuple[tuple[str, str, str], ...] = (
    ("mIoU", "jaccard", "macro"),
    ("Dice", "f1", "macro"),
    ("frequency-weighted IoU", "jaccard", "weighted"),
    ("mean pixel accuracy", "recall", "macro"),
    ("pixel accuracy", "recall", "micro"),
)


@answers_mistakes
def segmentation_summary(ev: Any, *, undefined: Undefined = "exclude") -> dict[str, dict[str, Score]]:
    """Return mIoU, Dice, frequency-weighted IoU and pixel accuracies, of the data set and per image.

    "data set" pools the pixels of all images, then averages over classes. "per image" does the same inside each image, then takes
    the plain mean over images. Papers confuse the two, and they can differ much: small images count as much as large ones, and a
    class counts only in images where it occurs or is predicted.

    Parameters
    ----------
    ev : Evaluation
        What ``ix.segmentation`` returns.
    undefined : str or number, default 'exclude'
        What an undefined value does, such as the IoU of a class that an image does not have: 'exclude' leaves it out of the
        average, a number replaces it, 'nan' keeps it, 'raise' is an error.

    Returns
    -------
    dict
        The name of each number, and its two values, {"data set": Score, "per image": Score}.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.segmentation([[[0, 0], [1, 1]], [[1, 1]]], [[[0, 1], [1, 1]], [[1, 1]]])
    >>> {side: round(float(value), 4) for side, value in ix.vision.segmentation_summary(ev)["mIoU"].items()}
    {'data set': 0.65, 'per image': 0.7917}
    """
    if "image" not in getattr(ev, "axes", ()):
        raise ValueError("A summary of a segmentation needs the axis 'image'. Give what ix.segmentation returns.")
    return {
        name: {
            "data set": ev.score(measure, average, undefined=undefined),
            "per image": ev.score(measure, ("image", average), undefined=undefined),
        }
        for name, measure, average in NUMBERS
    }
