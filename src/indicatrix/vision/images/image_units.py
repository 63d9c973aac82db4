"""What images add to units: sums along classes, images and groups; each image counts once or often.

Random halves of the images tell by how much a score is too high, and how far it is off.

The axes of images: their names, and what by= groups them by.

Fingerprints tell their truths apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from hashlib import sha1
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...encode.vocabulary import check_classes
from ...encode.weights import check_by, read_groupings
from ...storage.json_values import dict_in, fields, list_in, name_in, name_out, names_in, text_in
from ...words.wording import listing, short, type_of

STEP = 1e-4  # of sums, by which slopes are found


def groups_of(axis: str, images: tuple[Any, ...], by: Mapping[str, tuple[Any, ...]]) -> tuple[tuple[Any, ...], Array]:
    """Return the names along an axis of images, and the place of each image on it."""
    check_clusters(axis, by)
    if axis == "image":
        return images, np.arange(len(images))
    names = tuple(dict.fromkeys(by[axis]))
    place = {name: k for k, name in enumerate(names)}
    return names, np.array([place[name] for name in by[axis]], np.intp)


def own_params(measure: Measure) -> dict[str, Any]:
    """Return the parameters that the function of a measure takes; the others choose what it reads.

    >>> import indicatrix as ix
    >>> own_params(ix.measures.ap), own_params(ix.measures.pq)
    ({'interpolation': 'coco'}, {})
    """
    return {name: measure.params[name] for name in getattr(measure.function, "__kwdefaults__", None) or {}}


@dataclass(frozen=True, eq=False)
class Along:
    """The axes of units, the names along each, and which images are added into each unit."""

    per: tuple[str, ...]
    names: tuple[tuple[Any, ...], ...]
    group: Array  # of each image: its place on the axis of images; all 0 where they are pooled
    groups: int


def along(source: Any, per: tuple[str, ...], classes: tuple[Any, ...]) -> Along:
    """Return the units of images along some axes: "class", and one of "image" and those of by=."""
    possible = ("class", "image", *source.by)
    unknown = [axis for axis in per if axis not in possible]
    choice = f"choose 'class', one of {listing(possible[1:])}, or both."
    if unknown:
        raise ValueError(f"per={per!r}: There is no axis {unknown[0]!r} here; {choice}")
    if len(set(per)) < len(per) or sum(axis != "class" for axis in per) > 1:
        raise ValueError(f"per={per!r}: {choice}")
    names, group, groups = {"class": classes}, np.zeros(len(source.images), np.intp), 1
    for axis in set(per) - {"class"}:
        names[axis], group = groups_of(axis, source.images, source.by)
        groups = len(names[axis])
    return Along(per, tuple(names[axis] for axis in per), group, groups)


@dataclass(frozen=True, eq=False)
class AddedImages:
    """Amounts that each image adds to each class, and the numbers that their sums give.

    This is the statistic of segments and of distances between outlines.
    """

    rows: Array  # (k, images, classes)
    along: Along
    value: Callable[..., Array]  # of the k sums
    cells: Callable[[Array], tuple[Array, Array, Array]]  # tp, fp and fn of the sums, for weights and for units that occur
    left_out: tuple[int, int] = (0, 0)  # how many values are infinite, which intervals leave out, and how many there are
    times: Array | None = None  # (draws, images): how often each image counts; None: once, and there are no draws

    @property
    def per(self) -> tuple[str, ...]:
        """The axes of the units."""
        return self.along.per

    @property
    def names(self) -> tuple[tuple[Any, ...], ...]:
        """The names of the units along each axis."""
        return self.along.names

    def counted(self, times: Array) -> AddedImages:
        """Return the same images, counted so often in each draw."""
        return replace(self, times=times)

    @cached_property
    def sums(self) -> Array:
        """The k sums of each unit: (k, units), or (k, draws, units)."""
        per, shape = self.along.per, tuple(map(len, self.along.names))
        rows = self.rows if "class" in per else self.rows.sum(axis=2, keepdims=True)
        parts = [self._add(rows, self.along.group == k) for k in range(self.along.groups)]
        whole = np.stack(parts, axis=-2) if parts else self._add(rows, np.zeros(0, np.intp))[..., None, :][..., :0, :]
        whole = whole.swapaxes(-1, -2) if per[:1] == ("class",) else whole
        return whole.reshape(*whole.shape[:-2], *shape)

    def _add(self, rows: Array, some: Array) -> Array:
        if self.times is None:
            return np.asarray(rows[:, some].sum(axis=1))
        return np.moveaxis(np.tensordot(self.times[:, some], rows[:, some], (1, 1)), 0, 1)

    def values(self) -> Array:
        """Return the value of each unit, with a first axis of draws if there are draws."""
        return np.asarray(self.value(*self.sums))

    @property
    def counts(self) -> Counts:
        """The counts of each unit, which weights and the names of what is undefined read."""
        tp, fp, fn = self.cells(self.sums)
        return counts_of_units((tp, fp, fn, 0 * tp), self.along.per, self.along.names)

    @property
    def tpos(self) -> Any:
        """The true segments or objects of each unit."""
        return self.counts.tpos

    @property
    def tneg(self) -> Any:
        """What was not true, as far as it is known."""
        return self.counts.tneg

    def moves(self, shares: Array, apart: Array, weigh: Callable[[Counts], Any]) -> Array:
        """Return how fast a mean of the values grows with how often each image counts.

        It moves with a value by its share, and with a weight by how far the value is apart from the mean.
        """
        out = np.zeros(len(self.along.group))
        for k, row in enumerate(self.rows):
            up, down = (self._moved(k, step) for step in (STEP, -STEP))
            slope = shares * (up.values() - down.values())
            if (heavier := weigh(up.counts)) is not None:
                slope = slope + apart * (heavier - weigh(down.counts))
            slope = np.nan_to_num(slope / (2 * STEP))
            slope = slope.T if self.along.per[:1] == ("class",) else slope
            out += (row * slope.reshape(self.along.groups, -1)[self.along.group]).sum(axis=1)
        return out

    def _moved(self, k: int, step: float) -> AddedImages:
        moved = replace(self)
        moved.__dict__["sums"] = self.sums + step * (np.arange(len(self.rows)) == k).reshape(-1, *[1] * (self.sums.ndim - 1))
        return moved


def counts_of_units(cells: tuple[Any, Any, Any, Any], per: tuple[str, ...], names: tuple[tuple[Any, ...], ...]) -> Counts:
    """Return counts of units along axes; an axis before these is one of draws."""
    if np.ndim(cells[0]) > len(per):
        per, names = ("draw", *per), (tuple(range(len(cells[0]))), *names)
    four = cells if per else tuple(np.asarray(x).item() for x in cells)
    return Counts(*four, per=per, names=names, signed=True)


def mean_of_units(values: Array, weights: Array, axis: int = 1) -> Array:
    """Return the weighted means of values along an axis, nan where nothing has weight.

    >>> mean_of_units(np.array([[1.0, 0.0, 2.0]]), np.array([[1.0, 0.0, 1.0]])).tolist()
    [1.5]
    """
    with quiet():
        return np.asarray((values * weights).sum(axis=axis) / weights.sum(axis=axis))


@dataclass(frozen=True, eq=False)
class Halves:
    """What random halves of a sample tell: by how much the whole is too high, and draws of its error.

    A half has twice the variance of the whole around the true value, so halves spread around the whole as the whole does around
    the true value; this holds where the bootstrap, which repeats images, fails. The precisions of average precision are the best
    of several, so it is too high by an amount that falls with the square root of the images: how much halves are higher tells how
    much the whole is. Units are compared with themselves, because the rarest are lost in some halves.
    """

    bias: float
    errors: Array  # of draws, around 0

    @classmethod
    def of(cls, units_of: Callable[[Array], tuple[Array, Array]], n: int, rng: np.random.Generator, draws: int) -> Halves:
        """Return what halves tell of the mean over units.

        ``units_of`` has the values of units and their weights, for rows of weights of the n groups.
        """
        order = rng.random((-(-draws // 2), n)).argsort(axis=1).argsort(axis=1)
        first = order < n // 2
        weights = np.stack([first, ~first], axis=1).reshape(-1, n).astype(np.float64)  # each is followed by the other half
        size = weights.sum(axis=1)
        drawn, own = units_of(weights)
        (whole,), (usual,) = units_of(np.ones((1, n)))
        known = usual * own.any(axis=0)
        higher = float(mean_of_units(np.where(known > 0, mean_of_units(drawn, own > 0, 0) - whole, 0)[None], known[None])[0])
        means = mean_of_units(drawn, own)
        means = means[np.isfinite(means)]
        scale = math.sqrt(1 / n / float(np.mean(1 / size - 1 / n)))
        return cls(higher / float(np.mean(np.sqrt(n / size)) - 1), (means - means.mean()) * scale)


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
