"""What images add to units: sums along classes, images and groups; each image counts once or often.

Random halves of the images tell by how much a score is too high, and how far it is off.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...words.wording import listing
from .image_axes import check_clusters

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
