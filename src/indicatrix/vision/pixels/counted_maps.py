"""The counts of one image: pixels, or boundaries of regions.

Pixels have one label on each side, or one channel per class.

A boundary are the pixels of a region that are near its outside.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import evaluate_labels
from ...tally.counting.code_tables import cross_integers
from ...tally.kernels.kernels import cross, embed, exact_bincount
from ...tally.states.group_counts import CrossTable, Key, Part
from ...tally.tally import MANY_GROUPED, empty
from ...words.wording import listing

USUAL = 0.02  # of the diagonal of the image, as in Cheng et al., 2021


def check_boundary(boundary: Any) -> Any:
    """Return the width of a boundary: a share of the diagonal below 1, or a whole number of pixels."""
    if boundary is None or boundary is True:
        return USUAL if boundary else None
    number = isinstance(boundary, int | float | np.number) and not isinstance(boundary, bool)
    if not number or not (0 < boundary < 1 or (boundary >= 1 and boundary == int(boundary))):
        raise ValueError(
            f"boundary={boundary!r} is not a width. Give a share of the diagonal such as 0.02, or a whole number of pixels."
        )
    return float(boundary) if boundary < 1 else int(boundary)


def width_in_pixels(boundary: float, shape: tuple[int, ...]) -> int:
    """Return the width of a boundary in pixels, at least one.

    >>> width_in_pixels(0.02, (300, 400)), width_in_pixels(3, (300, 400))
    (10, 3)
    """
    if boundary >= 1:
        return int(boundary)
    return max(1, round(boundary * math.sqrt(sum(side**2 for side in shape))))


def is_inside(labels: Array, width: int) -> Array:
    """Return which pixels have the same label all around them, up to a width.

    Beyond the image all is different.

    A pixel is inside if each line of its neighborhood along the last axis holds one label, and these lines agree, and so on for
    the axes before: so each axis is passed once.

    >>> is_inside(np.zeros((3, 4), int), 1).astype(int).tolist()
    [[0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0]]
    """
    inside = np.ones(labels.shape, bool)
    for axis in reversed(range(labels.ndim)):
        inside = _all_around(inside, axis, width) & _same_around(labels, axis, width)
    return inside


def _same_around(labels: Array, axis: int, width: int) -> Array:
    """Return where the label stays the same, this many pixels on both sides along an axis."""
    labels = np.moveaxis(labels, axis, 0)
    n, out = len(labels), np.zeros(labels.shape, bool)
    if n > 2 * width:
        changes = np.zeros(labels.shape, np.int32)  # between the first pixel and this one
        np.cumsum(labels[1:] != labels[:-1], axis=0, out=changes[1:])
        out[width : n - width] = changes[2 * width :] == changes[: n - 2 * width]
    return np.moveaxis(out, 0, axis)


def _all_around(flags: Array, axis: int, width: int) -> Array:
    """Return where all flags are set, this many pixels on both sides along an axis."""
    flags = np.moveaxis(flags, axis, 0)
    n = len(flags)
    upto = np.zeros((n + 1, *flags.shape[1:]), np.int32)
    np.cumsum(flags, axis=0, out=upto[1:])
    out = np.zeros(flags.shape, bool)
    if n > 2 * width:
        out[width : n - width] = upto[2 * width + 1 :] - upto[: n - 2 * width] == 2 * width + 1
    return np.moveaxis(out, 0, axis)


PLAIN = ("classes", "confusion")  # options that leave pixels as they are


@dataclass(frozen=True, eq=False, slots=True)
class Image:
    """One image; the mask and the weights are maps of its shape, or one number for all its pixels."""

    number: int
    true: Array
    pred: Array
    mask: Array | None
    weights: Array | None
    channels: tuple[bool, bool] = (False, False)  # which side has one channel per class, along the last axis

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape without channels."""
        shape = self.true.shape[:-1] if self.channels[0] else self.true.shape
        return tuple(shape)

    @property
    def size(self) -> int:
        """The number of pixels."""
        return int(np.prod(self.shape))

    def seen_pixels(self, ignore: Any) -> Array | None:
        """Return which pixels were observed; None means all."""
        observed = None if ignore is None else self.true != ignore
        if self.mask is not None:
            mask = np.broadcast_to(self.mask, self.shape)
            observed = mask if observed is None else mask & observed
        return None if observed is None or observed.all() else observed


@dataclass(frozen=True, eq=False, slots=True)
class PairTable:
    """The pairs of labels of one image that was counted as it is."""

    labels: tuple[Any, ...]
    table: Array  # with no class as the last row and column
    masked: int  # pixels that were not observed
    n: int


class ImageCounter:
    """Counts images one after the other, all in the same way."""

    def __init__(self, ignore: Any, boundary: float | None, options: Mapping[str, Any]) -> None:
        self.ignore, self.boundary, self.options = ignore, boundary, options
        self._plain = all(value is None or name in PLAIN for name, value in options.items())
        self._classes = None if options.get("classes") is None else tuple(options["classes"])
        self._nothing: Any = None

    def count(self, image: Image) -> Any:
        """Return the counts of one image, a table of pairs or an evaluation.

        Images are counted separately, so pixels need no number of their image.
        """
        if any(image.channels):
            return self._count_channels(image)
        if self.boundary is not None:
            return self._count_boundary(image, self.boundary)
        if self._plain and image.mask is None and image.weights is None:
            counted = self._count_integers(image)
            if counted is not None:
                return counted
        return self._count_labels(image)

    def together(self, found: list[Any], axes: tuple[str, ...], keys: list[Key]) -> Any:
        """Return the evaluation of images with their places on axes."""
        if all(isinstance(one, PairTable) for one in found):
            return self._of_tables(found, axes, keys)
        groups = [
            self._of_tables([one], axes, [key])
            if isinstance(one, PairTable)
            else replace(one, tally=one.tally.as_group(axes, key))
            for one, key in zip(found, keys, strict=True)
        ]
        while len(groups) > 1:  # neighbors are added first, so each is copied only a few times
            groups = [a + b for a, b in zip(groups[::2], groups[1::2], strict=False)] + groups[len(groups) // 2 * 2 :]
        return groups[0]

    def _count_integers(self, image: Image) -> PairTable | None:
        """Return the pairs of two maps of small integers; None for others, and for what is refused."""
        true, pred, ignore = image.true.ravel(), image.pred.ravel(), self.ignore
        table = cross_integers(true, pred) if true.dtype.kind in "biu" and pred.dtype.kind in "biu" else None
        if table is None:
            return None
        masked, void = 0, None
        if ignore is not None and 0 <= ignore < len(table) - 1 and ignore == int(ignore):
            ignore = int(ignore)  # True and 1.0 do not name a row of an array
            masked, void = int(table[ignore].sum()), table[:, ignore].copy()
            void[ignore] = 0
            table[ignore] = table[:, ignore] = 0
            table[:, -1] = void  # predicted as no class
        found = np.flatnonzero((table.any(axis=1) | table.any(axis=0)) & (np.arange(len(table)) < len(table) - 1))
        place = np.append(found, len(table) - 1)
        labels = tuple(found.tolist())
        if true.dtype.kind == pred.dtype.kind == "b":
            labels = tuple(map(bool, labels))
        if self._classes is not None and not set(labels) <= set(self._classes):
            return None  # the other way says where
        return PairTable(labels, table[place[:, None], place], masked, len(true))

    def _of_tables(self, found: list[PairTable], axes: tuple[str, ...], keys: list[Key]) -> Any:
        classes = self._classes
        if classes is None:
            every = {label for one in found for label in one.labels}
            bools = all(isinstance(label, bool) for one in found for label in one.labels)
            classes = tuple(sorted(every if bools else map(int, every)))
        at, m = {label: k for k, label in enumerate(classes)}, len(classes)
        parts = {}
        for one, key in zip(found, keys, strict=True):
            position = np.array([*(at[label] for label in one.labels), m], np.intp)
            table = one.table if len(position) == m + 1 and one.labels == classes else embed(one.table, position, m + 1)
            parts[key] = CrossTable(table, one.masked)
        sizes = {key: one.n for key, one in zip(keys, found, strict=True)}
        return self._evaluation(classes, parts, by=axes, sizes=sizes, n=sum(sizes.values()))

    def _evaluation(self, classes: tuple[Any, ...], parts: Mapping[Key, Part], **facts: Any) -> Any:
        if self._nothing is None:
            self._nothing = evaluate_labels(np.zeros(0, np.intp), np.zeros(0, np.intp), **self.options)
        ev = self._nothing
        tally = ev.tally.with_parts(parts, None, classes=classes, **facts)
        if len(classes) > MANY_GROUPED and not tally.keep_pairs:
            tally = tally.without_pairs()
        made = ev.recipe if self.ignore is None else ev.recipe.with_task(ignore=self.ignore)
        return replace(ev, tally=tally, recipe=made)

    def _count_labels(self, image: Image) -> Any:
        """Return the evaluation of two label maps under any options."""
        options, ignore = self.options, self.ignore
        seen = image.seen_pixels(ignore)
        rows: Any = slice(None) if seen is None else seen.ravel()
        true, pred = image.true.ravel()[rows], image.pred.ravel()[rows]
        more, hidden = dict(options), image.size - len(true)
        if image.weights is not None:
            weights = np.broadcast_to(image.weights, image.shape).ravel()
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
        tally = ev.tally.with_parts({(): part}, ev.tally.declined, n=image.size)
        if m > MANY_GROUPED and not ev.tally.keep_pairs:
            tally = tally.without_pairs()
        # Images are evaluated in the same way, whether or not some prediction is void in this image.
        made = ev.recipe if options.get("abstain") is not None else ev.recipe._replace(abstain=None)
        made = made if ignore is None else made.with_task(ignore=ignore)
        return replace(ev, tally=tally, recipe=made)

    def _count_boundary(self, image: Image, boundary: float) -> Any:
        """Return the evaluation of the boundaries of regions: a pixel inside a region has no class there."""
        ignore, classes = self.ignore, self.options.get("classes")
        seen = image.seen_pixels(ignore)
        sides = [image.true, image.pred if ignore is None else np.where(image.true == ignore, image.true, image.pred)]
        if classes is None:
            shown = [side if seen is None else side[seen] for side in sides]
            found = np.unique(np.concatenate([side.ravel() for side in shown]))
            classes = found[found != ignore].tolist() if ignore is not None else found.tolist()
        place, width = {label: k for k, label in enumerate(classes)}, width_in_pixels(boundary, image.shape)
        codes = []
        for side in sides:
            labels, at = np.unique(side, return_inverse=True)
            code = np.array([place.get(label, -1) for label in labels.tolist()], np.intp)[at].reshape(side.shape)
            code[is_inside(at.reshape(side.shape), width)] = -1
            codes.append(code.ravel() if seen is None else code[seen])
        m = len(classes)
        table = cross(codes[0].__getitem__, codes[1].__getitem__, len(codes[0]), m)
        part = CrossTable(table, image.size - len(codes[0]))
        ev = self._evaluation(tuple(classes), {(): part}, n=image.size)
        return replace(ev, recipe=ev.recipe.with_task(boundary=boundary))

    def _count_channels(self, image: Image) -> Any:
        """Return the evaluation of masks with one channel per class: decisions, scores or memberships."""
        options = dict(self.options)
        k = next(x.shape[-1] for x, own in zip((image.true, image.pred), image.channels, strict=True) if own)
        single = k == 1 and not all(image.channels)  # scores of the positive class
        if options.get("classes") is None and not single:
            options["classes"] = range(k)
        rows = [
            x.reshape(image.size, -1) if own else x.ravel()
            for x, own in zip((image.true, image.pred), image.channels, strict=True)
        ]
        seen = image.seen_pixels(self.ignore)
        if self.ignore is not None and (void := rows[0] == self.ignore).any():
            rows[0] = np.where(void, 0 if single else np.asarray([*options["classes"]])[0], rows[0])  # any class: it is hidden
        rows = [row[:, 0] if single and row.ndim == 2 else row for row in rows]
        options["mask"] = None if seen is None else np.ascontiguousarray(seen).ravel()
        if image.weights is not None:
            options["sample_weight"] = np.broadcast_to(image.weights, image.shape).ravel()
        try:
            ev = evaluate_labels(rows[0], rows[1], **options)
        except ValueError as error:
            raise ValueError(f"Image {image.number}, its pixels as one row: {error}") from None
        tally = ev.tally
        if len(ev.classes) > MANY_GROUPED and not tally.keep_pairs:
            tally = tally.without_pairs()
        made = ev.recipe if self.ignore is None else ev.recipe.with_task(ignore=self.ignore)
        return replace(ev, tally=tally, recipe=made)


def _locate_error(error: ValueError, image: Image, seen: Array | None, classes: Any, ignore: Any) -> ValueError:
    """Return the error with the pixel whose label is not a class, or with the image of other labels."""
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
