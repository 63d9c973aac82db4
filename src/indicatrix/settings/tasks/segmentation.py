"""Segmentation: label maps as pixels, with one group of examples per image (errata A14).

See sec:cv_metrics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha1
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.measure import evaluate_labels
from ...algebra.wording import listing, short, type_of
from ...encode.factorise import plain_label
from ...encode.plain_forms import is_missing
from ...encode.vocabulary import family_of
from ...encode.weights import check_by
from ...tally.group_counts import CrossTable
from ...tally.kernels import exact_bincount
from ...tally.tally import MANY_GROUPED, empty
from ..combinations import refuse


def segmentation(y_true: Any, y_pred: Any, *, ignore: Any = None, images: Any = None, **options: Any) -> Any:
    """Return the evaluation of label maps: one example per pixel, with the image as an axis.

    See sec:cv_metrics, errata A14.

    Level: derived. Pixels are counted one by one, so nothing is known about boundaries, objects or instances.

    Mean IoU is macro jaccard, mean Dice macro f1, mean pixel accuracy macro recall, frequency-weighted IoU weighted jaccard.
    Pixel accuracy, the share of pixels classified right, is ``exact_match`` (and micro recall). Micro accuracy is label accuracy,
    which is another number. ``ev.score("jaccard", "image")`` is the mean over images of the IoU of an image: of class 1 in maps
    of 0 and 1, otherwise of all classes pooled; ``("image", "macro")`` is the mean over images of their mean IoU.
    ``ev.split("image")`` has the images one by one.

    ``y_true`` and ``y_pred`` are lists of label maps of any shapes, or arrays whose first axis is the image. Pixels whose true
    label is ``ignore`` are not observed; as a prediction for other pixels it means no class. ``images=`` names the images.
    Without it they are numbered from 0, and such batches do not add, because their images have the same numbers. ``by=`` has
    one entry per image; ``mask=`` and ``sample_weight=`` are maps of the same shapes, or one number per image.

    Parameters
    ----------
    y_true, y_pred : array-like
        Label maps of any shapes: a list with one for each image, or an array whose first axis is the image.
    ignore : label, optional
        The true label of pixels that are not observed, such as 255.
    images : iterable, optional
        The names of the images. Left out: 0, 1, 2, …
    **options
        What ``evaluate`` takes and this setting allows: classes, sample_weight, mask, by, … See help(ix.evaluate) and
        ``ix.SETTINGS``.

    Returns
    -------
    Evaluation
        One example per pixel, with the axis "image".

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.segmentation([[[0, 0], [1, 255]], [[1, 1]]], [[[0, 1], [1, 1]], [[1, 1]]], ignore=255)
    >>> ev.score("jaccard", "macro"), ev.values("jaccard", "image").tolist(), float(ev.score("exact_match"))
    (0.625, [0.5, 1.0], 0.8)
    """
    refuse("segmentation", options)
    if options.get("tnorm") is not None and options.get("ordinal") is None:
        raise ValueError(
            "tnorm= combines memberships, but label maps hold classes. Leave it out, or pass ordinal= to make memberships."
        )
    true, pred = _maps(y_true, "y_true"), _maps(y_pred, "y_pred")
    _check_shapes(true, pred)
    axes, keys = _axes(images, options.pop("by", None), len(true))
    mask, weights = _masks(options.pop("mask", None), true), _weights(options.pop("sample_weight", None), true, options)
    ignore = _check_ignore(ignore, [*true, *pred], options.get("classes"))
    numbering = {} if images is not None or not true else {"images": _describe_numbering(true, pred)}
    found = []
    for i, (t, p, key) in enumerate(zip(true, pred, keys, strict=True)):
        image = _Image(i, t, p, None if mask is None else mask[i], None if weights is None else weights[i])
        ev = _one_image(image, ignore, options)
        found.append(replace(ev, tally=ev.tally.as_group(axes, key), made=ev.made.with_task(**numbering)))
    return _add_all(found) if found else _evaluate_nothing(axes, options)


@dataclass(frozen=True, eq=False, slots=True)
class _Image:
    """One image; the mask and the weights are maps of its shape, or one number for all its pixels."""

    number: int
    true: Array
    pred: Array
    mask: Array | None
    weights: Array | None

    def seen(self, ignore: Any) -> Array | None:
        """Return which pixels were observed; None means all."""
        observed = None if ignore is None else self.true != ignore
        if self.mask is not None:
            mask = np.broadcast_to(self.mask, self.true.shape)
            observed = mask if observed is None else mask & observed
        return None if observed is None or observed.all() else observed


def _one_image(image: _Image, ignore: Any, options: Mapping[str, Any]) -> Any:
    """Return the evaluation of one image.

    Images are counted separately, so pixels do not need the number of their image.
    """
    seen = image.seen(ignore)
    rows: Any = slice(None) if seen is None else seen.ravel()
    true, pred = image.true.ravel()[rows], image.pred.ravel()[rows]
    more, hidden = dict(options), image.true.size - len(true)
    if image.weights is not None:
        weights = np.broadcast_to(image.weights, image.true.shape).ravel()
        more["sample_weight"] = weights[rows]
        hidden = exact_bincount(np.zeros(hidden, np.intp), weights[~rows], 1)[0] if hidden else 0
    if ignore is not None and (void := pred == ignore).any():
        if options.get("abstain") is None:
            more["abstain"] = ignore
        else:  # evaluate takes only one label that abstains
            pred = np.where(void, np.asarray(options["abstain"]), pred)
    try:
        ev = evaluate_labels(true, pred, **more)
    except ValueError as error:
        raise _locate_error(error, image, seen, options.get("classes"), ignore) from None
    part, m = ev.tally.parts.get((), empty(len(ev.classes))), len(ev.classes)
    if hidden:
        part = part + CrossTable(np.zeros((m + 1, m + 1), np.int64), hidden)
    tally = ev.tally.with_parts({(): part}, ev.tally.declined, n=image.true.size)
    if m > MANY_GROUPED and not ev.tally.keep_pairs:
        tally = tally.without_pairs()
    # Images are evaluated in the same way, whether or not some prediction is void in this image.
    made = ev.made if options.get("abstain") is not None else ev.made._replace(abstain=None)
    made = made if ignore is None else made.with_task(ignore=repr(ignore))
    return replace(ev, tally=tally, made=made)


def _locate_error(error: ValueError, image: _Image, seen: Array | None, classes: Any, ignore: Any) -> ValueError:
    """Return the error with the pixel whose label is not a class.

    Other errors about labels name the image.
    """
    for argument, labels in (("y_true", image.true), ("y_pred", image.pred)):
        wrong = np.zeros(labels.shape, bool) if classes is None else ~np.isin(labels, list(classes))
        if ignore is not None:
            wrong &= labels != ignore
        if seen is not None:
            wrong &= seen
        if wrong.any():
            at = tuple(map(int, np.argwhere(wrong)[0]))
            return ValueError(
                f"{argument}[{image.number}][{', '.join(map(str, at))}] is {labels[at].item()!r}, which is not in "
                f"classes=({listing(tuple(classes))}); {int(wrong.sum())} pixels of this image. Add it, or pass ignore=."
            )
    about_labels = any(f"{argument}[" in str(error) for argument in ("y_true", "y_pred"))
    return ValueError(f"Image {image.number}, its observed pixels as one row: {error}") if about_labels else error


def _add_all(found: list[Any]) -> Any:
    """Return the sum of evaluations; neighbours are added first, so each is copied only a few times."""
    while len(found) > 1:
        found = [a + b for a, b in zip(found[::2], found[1::2], strict=False)] + found[len(found) // 2 * 2 :]
    return found[0]


def _evaluate_nothing(axes: tuple[str, ...], options: Mapping[str, Any]) -> Any:
    ev = evaluate_labels(np.zeros(0, np.intp), np.zeros(0, np.intp), **options)
    return replace(ev, tally=replace(ev.tally, by=axes, _pooled=[]))


def _maps(y: Any, argument: str) -> list[Array]:
    """Return label maps as arrays; an argument that may be a single map, or scores, is an error."""
    if isinstance(y, str | bytes | Mapping) or not (isinstance(y, Iterable) or hasattr(y, "__array__")):
        raise TypeError(f"{argument} is {type_of(y)}; give a list of label maps, one array per image.")
    whole = np.asarray(y) if hasattr(y, "__array__") else None
    if whole is not None and whole.dtype != object and whole.ndim < 3 and whole.size:
        raise ValueError(
            f"{argument} has {whole.ndim} dimensions; an array needs at least three, the first one for the images. "
            f"For one image give a list of it, [{argument}]."
        )
    return [_map(image, f"{argument}[{i}]") for i, image in enumerate(y if whole is None else whole)]


def _map(image: Any, place: str) -> Array:
    try:
        array = np.asarray(image if hasattr(image, "__array__") else _as_lists(image))
    except ValueError:  # lists of different lengths
        raise ValueError(
            f"{place} has rows of different lengths. Give a list of label maps, each with rows of one length."
        ) from None
    if array.ndim == 1 and array.size and not hasattr(image, "__array__"):
        side = place.partition("[")[0]
        raise ValueError(
            f"{place} is a list of labels, one row of a map. For one image give a list of it, [{side}]. For pixels without rows "
            "and columns give one array per image."
        )
    if array.dtype.kind == "f" and not array.size:
        return array.astype(np.intp)
    if array.dtype.kind not in "biuUS":
        reason = "scores? Take their argmax first" if array.dtype.kind == "f" else "they are not class ids"
        raise TypeError(f"{place} holds {array.dtype} values: {reason}. A label map holds one whole number or text per pixel.")
    if array.ndim < 1:
        raise ValueError(f"{place} is a single label; an image is an array of labels. Give a list of label maps.")
    return array


def _as_lists(x: Any) -> Any:
    """Return nested iterables as nested lists; anything else is a label, and is returned as it is."""
    if isinstance(x, str | bytes | Mapping) or not isinstance(x, Iterable) or hasattr(x, "__array__"):
        return x
    return [_as_lists(row) for row in x]


def _check_ignore(ignore: Any, maps: list[Array], classes: Any) -> Any:
    """Return the label of pixels that are not observed.

    A label that no pixel of these maps can have is an error.
    """
    if ignore is None:
        return None
    if np.ndim(ignore):
        raise ValueError(f"ignore={short(ignore)} must be one label. To hide pixels of several labels, use mask=.")
    ignore = plain_label(ignore)
    if is_missing(ignore):
        raise ValueError(f"ignore={short(ignore)} is not a label. Give the label of the pixels to leave out, or a mask=.")
    if ignore in list(classes or ()):
        raise ValueError(f"ignore={short(ignore)} is among classes=. Its pixels are not observed: leave it out of classes=.")
    held = {family_of(x.dtype.type) for x in maps if x.size}
    mine = family_of(type(ignore))
    if held and mine not in held:
        raise TypeError(
            f"ignore={short(ignore)} is of type {mine} and the labels are of type {' and '.join(sorted(held))}: "
            "no pixel can have it. Give it in the type of the maps."
        )
    return ignore


def _describe_numbering(true: list[Array], pred: list[Array]) -> str:
    """Return the text that images have numbers instead of names, for the record.

    It differs for other pixels, so such evaluations do not add.
    """
    digest = sha1(usedforsecurity=False)  # it reads each pixel once more, so it must be fast
    for x in (*true, *pred):
        if x.size and x.dtype.kind in "iu":  # equal labels have the same bytes in every integer type
            ends = (np.min_scalar_type(int(end)) for end in (x.min(), x.max()))
            x = x.astype(np.result_type(*ends), copy=False)
        digest.update(repr(x.shape).encode())
        digest.update("\0".join(map(str, x.ravel().tolist())).encode() if x.dtype.kind in "US" else np.ascontiguousarray(x).data)
    return f"numbered from 0, pixels {digest.hexdigest()[:16]}; to add batches, name their images with images="


def _check_shapes(true: list[Array], pred: list[Array]) -> None:
    if len(true) != len(pred):
        raise ValueError(f"y_true has {len(true)} images and y_pred {len(pred)}; give both for the same images.")
    for i, (t, p) in enumerate(zip(true, pred, strict=True)):
        if t.shape != p.shape:
            raise ValueError(f"Image {i} has shape {t.shape} in y_true and {p.shape} in y_pred. Resize one of them first.")


def _axes(images: Any, by: Any, n: int) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Return the axes, the image first, and the place of each image on them."""
    if by is not None and not isinstance(by, Mapping):
        raise TypeError(f"by= is {type_of(by)}; give a name for each grouping of the images, by={{'site': sites}}.")
    if by is not None and "image" in by:
        raise ValueError("by= cannot have 'image', because the images are that axis. Name them with images=.")
    named = {"image": range(n) if images is None else images, **(by or {})}
    for axis, ids in named.items():
        argument = "images" if axis == "image" else f"by[{axis!r}]"
        if not hasattr(ids, "__len__") or len(ids) != n:
            raise ValueError(f"{argument}= must have one entry for each of the {n} images.")
    groups = check_by(named, n)
    names = groups["image"][0]
    if len(names) < n:
        twice = next(x for k, x in enumerate(images) if x in list(images)[:k])
        raise ValueError(f"images= has {short(twice)} twice. Give every image its own name; group images with by=.")
    columns = [[names[c] for c in codes.tolist()] for names, codes in groups.values()]
    return tuple(groups), list(zip(*columns, strict=True))


def _masks(given: Any, true: list[Array]) -> list[Array] | None:
    maps = _read_per_image(given, true, "mask")
    for i, x in enumerate(maps or ()):
        if x.dtype.kind not in "biuf" or not ((x == 0) | (x == 1)).all():
            raise ValueError(
                f"mask[{i}] has other values than True and False (or 1 and 0). Give True where a pixel was observed."
            )
    return None if maps is None else [x.astype(bool) for x in maps]


def _weights(given: Any, true: list[Array], options: Mapping[str, Any]) -> list[Array] | None:
    maps = _read_per_image(given, true, "sample_weight")
    for i, x in enumerate(maps or ()):
        numbers = x.dtype.kind in "biuf"
        right = np.isfinite(x) & ((x >= 0) | bool(options.get("signed_weights"))) if numbers else np.zeros(x.shape, bool)
        if not right.all():
            at = f"[{', '.join(map(str, np.argwhere(~right)[0].tolist()))}]" if x.ndim else ""
            raise ValueError(f"sample_weight[{i}]{at} is not a weight: a weight is a finite number that is not negative.")
    return None if maps is None else [x.astype(np.float64) for x in maps]


def _read_per_image(given: Any, true: list[Array], argument: str) -> list[Array] | None:
    """Return, for each image, a map of its shape, or one number for all its pixels."""
    if given is None:
        return None
    if not hasattr(given, "__len__") or len(given) != len(true):
        raise ValueError(f"{argument}= must have one map, or one number, for each of the {len(true)} images.")
    maps = [np.asarray(x) for x in given]
    for i, (x, image) in enumerate(zip(maps, true, strict=True)):
        if x.ndim and x.shape != image.shape:
            raise ValueError(
                f"{argument}[{i}] has shape {x.shape} for an image of shape {image.shape}. Give one entry per pixel."
            )
    return maps
