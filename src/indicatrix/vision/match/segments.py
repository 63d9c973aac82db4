"""Segments of images: regions with a class, and how many pixels two of them share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.factorize import plain_label
from ...encode.vocabulary import family_of
from ...words.wording import listing, short
from ..images.image_units import Fingerprint
from ..read.given_columns import check_type, name_of_dtype, on_host
from ..read.map_reader import is_path, read_array, read_picture

LARGEST = int(np.iinfo(np.int64).max)


@dataclass(frozen=True, eq=False)
class Segments:
    """The segments of one side of an image."""

    place: Array  # of the shape of the image: the segment of each pixel, -1 for none
    labels: tuple[Any, ...]  # the class of each segment
    crowd: Array  # bool: a region of many things that are not told apart
    score: Array
    ids: tuple[Any, ...]
    whole: Array | None = None  # bool: background or stuff by its number, which is not an instance; None: nothing

    @property
    def n(self) -> int:
        """The number of segments."""
        return len(self.labels)


@dataclass(frozen=True)
class SegmentForm:
    """How maps of segments are read."""

    divisor: int | None = None  # a number in the map is class * divisor + instance, and below it a class
    void: Any = None  # the class of pixels that belong to nothing
    things: frozenset[Any] | None = None  # classes with instances; None: all
    one_class: Any = None  # the class of plain maps of instances, where 0 is the background; None: such maps are refused


def read_segments(given: Any, place: str, form: SegmentForm) -> Segments:
    """Return the segments of one side of an image, in any of its forms."""
    if isinstance(given, Mapping) and "segments" in given and "map" in given:
        return _listed_segments(_ids(given["map"], f"{place}['map']"), given["segments"], place, form.void)
    check_type(form.void, {"number"}, place)  # all other forms are maps of whole numbers
    if isinstance(given, Mapping) and "classes" in given and "instances" in given:
        given = given["classes"], given["instances"]
    if isinstance(given, tuple) and len(given) == 2:
        classes, instances = (_ids(x, f"{place}[{k}]") for k, x in enumerate(given))
        if classes.shape != instances.shape:
            raise ValueError(f"{place} has classes of shape {classes.shape} and instances of shape {instances.shape}.")
        return _of_classes(classes, instances, form)
    if isinstance(given, Mapping):
        raise ValueError(f"{place} has {listing(tuple(given))}. Give 'map' and 'segments', or 'classes' and 'instances'.")
    ids = _ids(given, place)
    if form.divisor is not None:
        stuff = ids < form.divisor  # a class by itself, as Cityscapes writes road or sky
        classes = np.where(stuff, ids, ids // form.divisor)
        found = _of_classes(classes, np.where(stuff, form.divisor, ids % form.divisor), form)
        return replace(found, whole=np.array([own == form.divisor for _, own in found.ids], bool))
    if form.one_class is not None:
        labeled = np.ones_like(ids) if form.void is None else 1 - np.isin(ids, [form.void])
        found = _of_classes(labeled, ids, SegmentForm(void=0), {1: form.one_class})
        return replace(found, whole=np.array([own == 0 for _, own in found.ids], bool))
    raise ValueError(
        f"{place} is one map, which does not say what its numbers are. Give (classes, instances), "
        "{'map': ids, 'segments': [{'id': …, 'category_id': …}]}, or divisor= for numbers such as class * 1000 + instance."
    )


def _ids(given: Any, place: str) -> Array:
    """Return whole numbers, one per pixel; colors become COCO's ids, red + 256 green + 256² blue."""
    if is_path(given):
        from pathlib import Path

        path = Path(given)
        if not path.is_file():
            raise FileNotFoundError(f"{place}: there is no file {str(path)!r}.")
        given = read_array(path, place) if path.suffix == ".npy" else read_picture(path, place)
        if given.ndim == 3:
            red, green, blue = (given[..., k].astype(np.int64) for k in range(3))
            return np.asarray(red + 256 * green + 256**2 * blue)
    ids = np.asarray(on_host(given, place))
    if ids.dtype.kind not in "biu" and (ids.size or ids.dtype.kind != "f"):  # an empty list is read as floats
        named = hasattr(given, "dtype") or ids.dtype.kind == "f"
        held = name_of_dtype(given, ids) if named else "text" if ids.dtype.kind in "US" else "other"
        raise TypeError(f"{place} holds {held} values; give whole numbers (integers), and ix.segmentation takes text.")
    if ids.dtype == np.uint64 and ids.size and ids.max() > LARGEST:
        at = tuple(map(int, np.argwhere(ids > LARGEST)[0]))
        raise ValueError(f"{place}[{', '.join(map(str, at))}] is {int(ids[at])}; the largest number is {LARGEST}.")
    if ids.size and ids.min() < 0:
        at = tuple(map(int, np.argwhere(ids < 0)[0]))
        raise ValueError(
            f"{place}[{', '.join(map(str, at))}] is {int(ids[at])}: a number of a class or an instance is not negative."
        )
    return ids.astype(np.int64, copy=False)


def _of_classes(classes: Array, instances: Array, form: SegmentForm, names: Mapping[Any, Any] | None = None) -> Segments:
    """Return segments of a map of classes and one of instances; stuff has one segment for each class."""
    things = form.things
    if things is not None:
        instances = np.where(np.isin(classes, [*things]), instances, 0)
    names_of, owns = np.arange(0), instances
    if (int(classes.max(initial=0)) + 1) * (int(instances.max(initial=0)) + 1) > LARGEST:  # ids such as hashes
        names_of, owns = (x.reshape(-1) for x in np.unique(instances, return_inverse=True))
        owns = owns.reshape(instances.shape)
    widest = int(owns.max(initial=0)) + 1
    keys, at = np.unique(classes * widest + owns, return_inverse=True)
    at = at.reshape(classes.shape)
    labels = (keys // widest).tolist()
    kept = np.array([label != form.void for label in labels], bool)
    number = np.where(kept, np.cumsum(kept) - 1, -1)
    meaning = [label if names is None else names[label] for label, own in zip(labels, kept.tolist(), strict=True) if own]
    n = int(kept.sum())
    own = (keys % widest)[kept]
    ids = tuple(zip(meaning, (names_of[own] if len(names_of) else own).tolist(), strict=True))
    return Segments(number[at], tuple(meaning), np.zeros(n, bool), np.ones(n), ids)


def _listed_segments(ids: Array, listed: Any, place: str, void: Any) -> Segments:
    """Return segments that are listed by their ids, as COCO does.

    Pixels of the id 0, and of the class that belongs to nothing, are in no segment.
    """
    known: dict[int, Mapping[str, Any]] = {}
    for k, row in enumerate(listed):
        if not isinstance(row, Mapping) or "id" not in row or "category_id" not in row:
            raise ValueError(f"{place}['segments'][{k}] is {short(row)}: it needs 'id' and 'category_id'.")
        for name in ("id", "category_id"):
            if not isinstance(row[name], int | float | str | np.number) or row[name] != row[name]:
                raise ValueError(f"{place}['segments'][{k}] has the {name} {short(row[name])}; give a number or a text.")
        if row["id"] in known:
            raise ValueError(f"{place}['segments'] has the id {row['id']!r} twice.")
        known[row["id"]] = row
    check_type(void, {family_of(type(row["category_id"])) for row in known.values()}, place)
    found, at = np.unique(ids, return_inverse=True)
    strange = [number for number in found.tolist() if number not in known and number != 0]
    if strange:
        raise ValueError(
            f"{place}['map'] has the ids {listing(strange)}, which are not in its 'segments'. Only 0 belongs to nothing."
        )
    absent = [number for number in known if number not in set(found.tolist())]
    if absent:
        raise ValueError(f"{place}['segments'] has the ids {listing(absent)}, which no pixel of its 'map' has.")
    known = {number: row for number, row in known.items() if void is None or row["category_id"] != void}
    order = {number: k for k, number in enumerate(known)}
    number = np.array([order.get(one, -1) for one in found.tolist()], np.intp)
    rows = list(known.values())
    crowd = np.array([bool(row.get("iscrowd", 0)) for row in rows], bool)
    score = np.array([_score(row.get("score", 1), f"{place}['segments'][{k}]") for k, row in enumerate(rows)], np.float64)
    return Segments(number[at].reshape(ids.shape), tuple(row["category_id"] for row in rows), crowd, score, tuple(known))


def _score(given: Any, place: str) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float | np.number) or not math.isfinite(given):
        raise ValueError(f"{place} has the score {short(given)}; give a finite number.")
    return float(given)


def instance_labels(side: Segments) -> tuple[Any, ...]:
    """Return the class of each segment, None where it is not an instance."""
    whole = [False] * side.n if side.whole is None else side.whole.tolist()
    return tuple(None if skipped else label for label, skipped in zip(side.labels, whole, strict=True))


def fingerprint_of(side: Segments) -> str:
    """Return what tells the segments of an image from others, whatever their numbers and order are."""
    pixels = side.place.ravel()
    first = np.full(side.n + 1, pixels.size)
    first[pixels[::-1]] = np.arange(pixels.size)[::-1]  # of several values written to one place, the last one stays
    order = np.argsort(first[:-1])
    rank = np.zeros(side.n + 1, np.intp)  # the last one is for no segment
    rank[order] = np.arange(1, side.n + 1)
    found = Fingerprint()
    found.add(rank[side.place])
    for k in order.tolist():
        found.note((plain_label(side.labels[k]), bool(side.crowd[k])))
    return found.text()


def boxes_of(side: Segments) -> Array:
    """Return the box around each segment, x, y, width and height; of a volume along its last two axes.

    >>> place = np.array([[-1, 0, 0], [-1, 0, 1]])
    >>> boxes_of(Segments(place, (7, 7), np.zeros(2, bool), np.ones(2), (1, 2))).tolist()
    [[1.0, 0.0, 2.0, 2.0], [2.0, 1.0, 1.0, 1.0]]
    """
    high, wide = (1, *side.place.shape)[-2:]
    at = np.flatnonzero(side.place.ravel() >= 0)
    segment = side.place.ravel()[at]
    ends = []
    for where, side_length in ((at % max(wide, 1), wide), (at // max(wide, 1) % max(high, 1), high)):
        seen = np.zeros((side.n, max(side_length, 1)), bool)
        seen[segment, where] = True
        first = seen.argmax(axis=1)
        ends.append((first, seen.shape[1] - seen[:, ::-1].argmax(axis=1) - first))
    (x, width), (y, height) = ends
    return np.stack([x, y, width, height], axis=1).astype(np.float64)


def shared_pixels(true: Segments, pred: Segments) -> Array:
    """Return how many pixels segments share, rows true; the last row and column are for no segment."""
    width = pred.n + 1
    rows, columns = (np.where(side.place < 0, side.n, side.place).ravel() for side in (true, pred))
    return np.bincount(rows * width + columns, minlength=(true.n + 1) * width).reshape(true.n + 1, width)


@dataclass(frozen=True, eq=False)
class Regions:
    """Regions of label maps; which ones share pixels was counted when the maps were read."""

    area: Array
    boxes: Array  # around each region: x, y, width, height; of a volume along its last two axes
    number: Array  # of each region, on its side
    pair: Array  # of a predicted and a true region that share pixels: its number * all true ones + that of the true one
    pixels: Array  # of each pair
    sides: Array  # 0 for true regions, 1 for predicted ones; then how many numbers true and predicted regions have

    @property
    def n(self) -> int:
        """The number of regions."""
        return len(self.area)

    def overlaps(self, mine: Array, truth: Regions, theirs: Array, crowd: Array, least: float = 0.0) -> Array:
        """Return the intersection over union of pairs; of a crowd, over the prediction alone."""
        del least
        wanted = self.number[mine] * self.sides[1] + truth.number[theirs]
        at = np.minimum(np.searchsorted(self.pair, wanted), max(len(self.pair) - 1, 0))
        common = np.where(self.pair[at] == wanted, self.pixels[at], 0) if len(self.pair) else np.zeros(len(wanted))
        union = np.where(crowd, self.area[mine], self.area[mine] + truth.area[theirs] - common)
        return np.asarray(common / np.maximum(union, 1))

    def take(self, at: Array) -> Regions:
        """Return the regions at these positions."""
        return replace(self, area=self.area[at], boxes=self.boxes[at], number=self.number[at])

    def join(self, other: Regions) -> Regions:
        """Return these regions, then the others, which get the numbers after these."""
        side, true, predicted = self.sides.tolist()
        total = true + other.sides[1]
        (found, theirs), (others, rest) = (divmod(x.pair, max(x.sides[1], 1)) for x in (self, other))
        return Regions(
            np.concatenate([self.area, other.area]),
            np.concatenate([self.boxes, other.boxes]),
            np.concatenate([self.number, other.number + (predicted if side else true)]),
            np.concatenate([found * total + theirs, (others + predicted) * total + rest + true]),
            np.concatenate([self.pixels, other.pixels]),
            np.array([side, total, predicted + other.sides[2]]),
        )


def number_anew(truth: Regions, predictions: Regions) -> tuple[Regions, Regions]:
    """Return the regions of both sides numbered as they stand, with the pairs that are left."""
    place = [np.full(int(side.sides[1 + k]), -1) for k, side in enumerate((truth, predictions))]
    for to, side in zip(place, (truth, predictions), strict=True):
        to[side.number] = np.arange(side.n)
    found, theirs = divmod(predictions.pair, max(int(truth.sides[1]), 1))
    both = (place[1][found] >= 0) & (place[0][theirs] >= 0)
    pair = place[1][found[both]] * truth.n + place[0][theirs[both]]
    up = np.argsort(pair)
    shared = pair[up], predictions.pixels[both][up]
    ours, others = (
        Regions(side.area, side.boxes, np.arange(side.n), *shared, np.array([k, truth.n, predictions.n]))
        for k, side in enumerate((truth, predictions))
    )
    return ours, others
