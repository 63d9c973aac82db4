"""The axes of images: their names, and what by= groups them by.

Fingerprints tell their truths apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha1
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.vocabulary import check_classes
from ...encode.weights import check_by, read_groupings
from ...storage.json_values import dict_in, fields, list_in, name_in, name_out, names_in, text_in
from ...words.wording import listing, short, type_of


def axes_of_images(images: Any, by: Any, n: int) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Return the axes, the image first, and the place of each image on them."""
    by = read_groupings(by)
    if by is not None and "image" in by:
        raise ValueError("by= cannot have 'image', because the images are that axis. Name them with images=.")
    named = {"image": range(n) if images is None else images, **(by or {})}
    for axis, ids in named.items():
        argument = "images" if axis == "image" else f"by[{axis!r}]"
        if not hasattr(ids, "__len__") or len(ids) != n:
            raise ValueError(f"{argument}= must have one entry for each of the {n} images.")
    groups = check_by(named, n, {"image": "images"})
    names = groups["image"][0]
    if len(names) < n:
        seen = set[Any]()
        twice = next(x for x in images if x in seen or seen.add(x))  # type: ignore[func-returns-value]
        raise ValueError(f"images= has {short(twice)} twice. Give every image its own name; group images with by=.")
    columns = [[names[c] for c in codes.tolist()] for names, codes in groups.values()]
    return tuple(groups), list(zip(*columns, strict=True))


def named_axes(images: Any, by: Any, n: int) -> tuple[tuple[Any, ...], dict[str, tuple[Any, ...]]]:
    """Return the names of images, and what each belongs to along the other axes."""
    axes, keys = axes_of_images(images, by, n)
    names, *others = zip(*keys, strict=True) if keys else ((),) * len(axes)
    return names, dict(zip(axes[1:], others, strict=True))


def check_clusters(clusters: str, by: Mapping[str, Any]) -> None:
    """Refuse what images cannot be sampled by."""
    if clusters != "image" and clusters not in by:
        raise ValueError(f"clusters={clusters!r} is not an axis of images. There are {listing(('image', *by))}.")


def check_same_images(one: Any, two: Any) -> None:
    """Refuse to compare two evaluations of other images, classes or axes."""
    if type(one) is not type(two):
        raise TypeError(f"compare() takes another {type(one).__name__}, not {type_of(two)}.")
    if (one.images, one.classes, one.by) != (two.images, two.classes, two.by):
        raise ValueError(
            "The two models were not evaluated on the same images and classes. Give both the same images=, classes=."
        )


@dataclass(frozen=True)
class Joined:
    """The images, classes and axes of two evaluations together, and where those of each now stand."""

    images: tuple[Any, ...]
    classes: tuple[Any, ...]
    by: dict[str, tuple[Any, ...]]
    rows: tuple[Array, Array]  # the place of each image of the one and of the other
    columns: tuple[Array, Array]  # … of each class


def join_images(one: Any, two: Any) -> Joined:
    """Return the images of two evaluations together; names that both have in order stay in order."""
    theirs = {*two.images}
    if shared := [name for name in one.images if name in theirs]:
        raise ValueError(
            f"Both evaluations have the images {listing(shared)}. Name the images of each batch with images=: without names, "
            "each list counts from 0."
        )
    if {*one.by} != {*two.by}:
        raise ValueError(
            f"One has the axes {listing(tuple(one.by))}, the other {listing(tuple(two.by))}. Give both the same by=."
        )
    images, classes = _union(one.images, two.images), check_classes(_union(one.classes, two.classes))
    rows = _places(images, one.images), _places(images, two.images)
    order = np.argsort(np.concatenate(rows), kind="stable")
    by = {axis: tuple((*units, *two.by[axis])[k] for k in order) for axis, units in one.by.items()}
    return Joined(images, classes, by, rows, (_places(classes, one.classes), _places(classes, two.classes)))


def join_truths(joined: Joined, one: Any, two: Any) -> tuple[str, ...]:
    """Return the fingerprints of the truths of two evaluations together, in the order of their images."""
    order = np.argsort(np.concatenate(joined.rows), kind="stable")
    return tuple((*one.truths, *two.truths)[k] for k in order)


def _union(one: tuple[Any, ...], two: tuple[Any, ...]) -> tuple[Any, ...]:
    both = tuple(dict.fromkeys((*one, *two)))
    try:
        ordered = all(side == tuple(sorted(side)) for side in (one, two))
        return tuple(sorted(both)) if ordered else both
    except TypeError:  # names of several types have no order
        return both


def _places(names: Sequence[Any], some: Sequence[Any]) -> Array:
    place = {name: k for k, name in enumerate(names)}
    return np.array([place[name] for name in some], np.intp)


def check_same_truth(one: Any, two: Any, numbers: tuple[Array, Array]) -> None:
    """Refuse two models whose truths differ: by fingerprints, or by numbers of each image and class."""
    alike = (numbers[0] == numbers[1]).all(axis=1)
    for image, mine, theirs, as_many in zip(one.images, one.truths, two.truths, alike.tolist(), strict=True):
        if not as_many or (mine and theirs and mine != theirs):
            raise ValueError(
                f"The two were evaluated on different truths: that of the image {short(image)} is not the same. Give both the "
                "same truth, read in the same way."
            )


Axes = tuple[tuple[Any, ...], tuple[Any, ...], dict[str, tuple[Any, ...]]]


def axes_out(result: Any) -> dict[str, Any]:
    """Return the classes, images and other axes of an evaluation or a scene as plain data."""
    return {
        "classes": [name_out(name) for name in result.classes],
        "images": [name_out(name) for name in result.images],
        "by": {axis: [name_out(unit) for unit in units] for axis, units in result.by.items()},
    }


def axes_in(data: dict[str, Any]) -> Axes:
    """Return the classes, the images and the other axes that plain data describe."""
    classes, images, by = fields(data, ("classes", "images", "by"), "the file")
    named = check_classes(names_in(classes, "the classes")), names_in(images, "the images")
    axes = {axis: tuple(map(name_in, list_in(units, f"the axis {axis!r}"))) for axis, units in dict_in(by, "by").items()}
    if any(len(units) != len(named[1]) for units in axes.values()):
        raise ValueError(f"an axis of by has another length than the {len(named[1])} images")
    return *named, axes


def truths_in(version: int, data: dict[str, Any], images: int) -> tuple[str, ...]:
    """Return the fingerprints of the truths of images, which version 1 of the formats does not have."""
    if version == 1:
        return ("",) * images
    (given,) = fields(data, ("truths",), "the file")
    truths = tuple(text_in(one, "the fingerprint of a truth") for one in list_in(given, "the truths"))
    if len(truths) != images:
        raise ValueError(f"it has the truths of {len(truths)} images, and there are {images}")
    return truths


WORDS = 1 << 15  # of eight bytes, added into one number


class Fingerprint:
    """What tells some label maps from others; the integer type of the labels does not matter."""

    def __init__(self) -> None:
        self._digest = sha1(usedforsecurity=False)

    def add(self, x: Array) -> None:
        """Read one map."""
        if x.size and x.dtype.kind in "iu" and x.dtype != np.uint8:  # equal labels have the same bytes in every integer type
            ends = (np.min_scalar_type(int(end)) for end in (x.min(), x.max()))
            x = x.astype(np.result_type(*ends), copy=False)
        self._digest.update(f"{x.shape}{x.dtype.kind if x.dtype.kind in 'USf' else ''}".encode())
        if x.dtype.kind in "US":
            self._digest.update("\0".join(map(str, x.ravel().tolist())).encode())
            return
        raw = np.ascontiguousarray(x).reshape(-1).view(np.uint8)
        words = raw[: len(raw) // 8 * 8].view(np.uint64)
        for start in range(0, len(words), WORDS):
            some = words[start : start + WORDS]
            # A sum with random weights is another number for other words, but for one case in 2**64.
            self._digest.update(int(np.dot(some, _weights()[: len(some)])).to_bytes(8, "little"))
        self._digest.update(raw[len(words) * 8 :].tobytes())

    def note(self, fact: Any) -> None:
        """Read something that is not a map: a label, or a spacing."""
        self._digest.update(f"{fact!r}\0".encode())

    def text(self) -> str:
        """Return the fingerprint of all maps so far."""
        return self._digest.hexdigest()[:16]


@cache
def _weights() -> Array:
    return np.random.default_rng(0).integers(0, 2**64 - 1, WORDS, np.uint64) | np.uint64(1)
