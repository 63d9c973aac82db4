"""Contributions: what each entry adds to two sums, whose ratio is a loss or a gain.

Such scores are outside the algebra (sec:calibration). An entry (i, j) of a table of examples and classes adds a part to a
numerator and a whole to a denominator. Summed over all of them they give the global value, down the columns those of the
classes, along the rows those of the examples, and over some rows those of groups. So every average of every loss and every
ranking is here, once; a score only says what its entries add.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..algebra.arrays import Array, Mask
from ..algebra.average import Average
from ..algebra.counts import Counts, undecided_counts
from ..algebra.numbers.functions import ratio
from ..algebra.offered_averages import Offer, OfferedAverages, product_of_weights, refuse_all_but_labels
from ..algebra.quantity import Quantity
from ..algebra.score import Score, Undefined, check_undefined, combine, score_of_units
from ..algebra.values import Values
from ..encode.weights import Groups

ONE_COLUMN = (
    "there is one column of probabilities, of the positive class, so there is nothing to average. Leave average= out, or "
    "give one column per class."
)
UNDECIDED = "it weights by what is predicted, and no label is predicted here: scores are read before any decision."


@dataclass(frozen=True, eq=False)
class UnitAxes:
    """What values may be kept along: examples with their weights, classes, and named groups of examples."""

    n: int
    classes: tuple[Any, ...]
    weights: Array | None
    by: Mapping[str, Groups]
    seen: Array | None = None  # observed entries (n, m), or examples (n, 1); None: everything

    def observed_units(self, axis: str) -> Array | None:
        """Return which units of an axis have an observed entry of an example that has a weight; None: all."""
        if self.n and self.seen is None and (self.weights is None or axis == "example"):
            return None  # the weight of an example is its weight already
        seen = np.ones((self.n, 1), bool) if self.seen is None else self.seen
        if self.weights is not None and axis != "example":
            seen = seen & (self.weights != 0)[:, None]
        if axis == "class":
            return np.broadcast_to(seen.any(axis=0), (len(self.classes),))
        examples = seen.any(axis=1)
        if axis == "example":
            return np.asarray(examples)
        names, groups = self.by[axis]
        return np.bincount(groups, examples, len(names)) > 0


UNOBSERVED = ", without observed examples that have a weight"  # why a score of examples may be undefined


@dataclass(frozen=True, eq=False)
class Kind:
    """What a score of contributions is called, and what its averages mean."""

    of: Quantity
    by_example: bool = False  # a group's value is the mean over its examples; otherwise it is that of its pooled entries
    lacking: str = ""  # why a unit may be undefined
    refused: Mapping[str, str] = field(default_factory=dict)  # axis -> why there is no value along it
    binary: bool = False  # there is one column, of the positive class
    total: bool = False  # a value is the sum of parts, and is not divided by the wholes
    unweighted: str = ""  # why units have no positives and negatives that could weight them


@dataclass(frozen=True, eq=False)
class Entries:
    """What some examples add, entry by entry: (n, m), or (n, 1) if an example has one entry.

    An entry that was not observed adds 0.
    """

    parts: Array
    wholes: Array
    labels: Callable[[], tuple[Array, Array]] | None = (
        None  # actual positives and negatives, bools (n, m): where weights read them
    )
    owners: Array | None = None  # the class of each example's only entry; None: entries belong to the class of their column
    example: tuple[Array, Array] | None = None  # part and whole of each example, where they are not the sums of its entries'

    def of_examples(self) -> tuple[Array, Array]:
        """Return the part and the whole of each example."""
        return self.example or (row_sums(self.parts), row_sums(self.wholes))

    def of_classes(self, weights: Array | None, size: int) -> Array:
        """Return the part and the whole of each class."""
        tables = (_times(table, None if weights is None else weights[:, None]) for table in (self.parts, self.wholes))
        owners = self.owners
        return np.array([x.sum(axis=0) if owners is None else np.bincount(owners, x[:, 0], size) for x in tables])

    def labels_of_examples(self) -> tuple[Array, ...]:
        """Return the actual positives and negatives of each example; nothing where no weights read them."""
        return () if self.labels is None else tuple(side.sum(axis=1) for side in self.labels())

    def labels_of_classes(self, weights: Array | None) -> tuple[Array, ...]:
        """Return the actual positives and negatives of each class; nothing where no weights read them."""
        sides = () if self.labels is None else self.labels()
        return tuple(_times(side, None if weights is None else weights[:, None]).sum(axis=0) for side in sides)


@dataclass(frozen=True, eq=False)
class SparseEntries:
    """What examples add where it is not 0: example, class and amount of each entry."""

    parts: tuple[Array, Array, Array]
    wholes: tuple[Array, Array, Array] | None  # None: every example, and each of its entries, has the whole 1
    positives: tuple[Array, Array]  # examples and classes
    shape: tuple[int, int]
    seen: Array | None = None  # observed entries (n, m), or examples (n, 1); None: everything

    def of_examples(self) -> tuple[Array, Array]:
        """Return the part and the whole of each example."""
        n = self.shape[0]
        part, whole = (np.ones(n) if x is None else np.bincount(x[0], x[2], n) for x in (self.parts, self.wholes))
        return part, whole

    def of_classes(self, weights: Array | None, size: int) -> Array:
        """Return the part and the whole of each class."""
        each = np.ones(self.shape[0]) if weights is None else weights
        given = (self.parts, self.wholes)
        return np.array(
            [np.full(size, each.sum()) if x is None else np.bincount(x[1], _times(x[2], each[x[0]]), size) for x in given]
        )

    def labels_of_examples(self) -> tuple[Array, ...]:
        """Return the actual positives and negatives of each example."""
        found = np.bincount(self.positives[0], minlength=self.shape[0])
        seen = self.shape[1] if self.seen is None else np.broadcast_to(self.seen, self.shape).sum(axis=1)
        return found, seen - found

    def labels_of_classes(self, weights: Array | None) -> tuple[Array, ...]:
        """Return the actual positives and negatives of each class."""
        rows, owners = self.positives
        each = np.ones(self.shape[0]) if weights is None else weights
        found = np.bincount(owners, each[rows], self.shape[1])
        seen = each.sum() if self.seen is None else each @ np.broadcast_to(self.seen, self.shape)
        return found, seen - found


Blocks = Iterable[tuple[slice, Entries | SparseEntries]]


class BoundaryScore(Score):
    """A score that is not a function of four counts.

    An infinite loss is a value of such a score; it is not undefined.
    """

    __slots__ = ()

    def undefined_mask(self) -> Mask:
        """Return which units carry weight but have no value at all."""
        lost = np.isnan(np.asarray(self.values, np.float64))
        return lost if self.weights is None else lost & (np.asarray(self.weights) != 0)

    def reads_hidden(self) -> bool:
        """Return False: it reads no counts."""
        return False

    @staticmethod
    def mean(values: Any, weights: Any, undefined: Undefined) -> float:
        """Return the mean of values, infinite if one of them is."""
        infinite = np.isposinf(values) if weights is None else np.isposinf(values) & (weights != 0)
        return math.inf if np.any(infinite) else combine(values, weights, undefined)


@dataclass(frozen=True)
class ByExample:
    """In place of an average: its units, with what every example adds to each instead of their sums."""

    average: Any


@dataclass(frozen=True, eq=False)
class AddedToUnit:
    """What some examples add to the part and the whole of a unit, and which of them are its positives."""

    name: Any
    rows: Array  # the examples; the others add nothing
    parts: Array
    wholes: Array
    positives: Array  # none, where no weights of units read them


@dataclass(frozen=True, eq=False)
class KeptUnits:
    """What an average keeps here: the axis ("" if all is pooled), its units, and their weights."""

    average: str
    rule: Average
    axis: str
    names: tuple[Any, ...]
    undefined: Undefined

    @property
    def weighted(self) -> bool:
        """Whether the units have weights of their own, which read actual positives and negatives."""
        return self.rule.weight is not None and bool(self.axis)


def keep_units(kind: Kind, axes: UnitAxes, average: Any, undefined: Undefined) -> KeptUnits:
    """Return the units that an average keeps; one that does not exist here is refused with the reason."""
    if isinstance(average, ByExample):
        raise ValueError(f"There is no interval of {kind.of}: it is not a ratio of sums over examples.")
    check_undefined(undefined)
    absent = {"class": ONE_COLUMN if kind.binary else "", **kind.refused}
    unweighted = dict.fromkeys(("class", "example", *axes.by), kind.unweighted) if kind.unweighted else {}
    binary = {"binary": ""} if kind.binary else {}
    units = ("class", "example", *axes.by)
    offer = Offer(kind.of, units, absent, refuse_all_but_labels(UNDECIDED), unweighted, **binary)
    name, rule = OfferedAverages(kind.of, offer).find(average)
    axis = rule.per[0] if rule.per else ""
    if not axis:
        names: tuple[Any, ...] = ()
    else:
        names = axes.classes if axis == "class" else tuple(range(axes.n)) if axis == "example" else axes.by[axis][0]
    return KeptUnits(name, rule, axis, names, undefined)


def average_contributions(kind: Kind, axes: UnitAxes, blocks: Blocks, average: str, undefined: Undefined) -> BoundaryScore:
    """Return the mean, over the units that an average keeps, of the part of each unit over its whole.

    A kind that is a total has the parts themselves.
    """
    if isinstance(average, ByExample):
        return added_by_examples(kind, axes, blocks, average.average, undefined)  # type: ignore[return-value]
    kept = keep_units(kind, axes, average, undefined)
    sums = _per_class(axes, blocks, kept.weighted) if kept.axis == "class" else _per_example(axes, blocks, kept.weighted)
    if kept.axis not in ("class", "example"):
        sums = _pool(kind, axes, kept, sums)
    weights = weights_of(kind, kept, *sums[2:]) if kept.weighted else None
    if kept.axis == "example":
        weights = product_of_weights(weights, axes.weights)
    parts, wholes = sums[:2]
    return score_of_values(kind, kept, axes, np.where(wholes > 0, parts if kind.total else ratio(parts, wholes), np.nan), weights)


def added_by_examples(kind: Kind, axes: UnitAxes, blocks: Blocks, average: Any, undefined: Undefined) -> tuple[AddedToUnit, ...]:
    """Return what examples add to each unit of an average, without their weights."""
    kept = keep_units(kind, axes, average, undefined)
    if kind.total or "example" in kind.refused:
        reason = "it is a total" if kind.total else "what one example adds depends on the others"
        raise ValueError(f"There is no interval for the {kept.average!r} average of {kind.of}: {reason}.")
    every = np.arange(axes.n)
    if kept.axis != "class":
        sums = _per_example(axes, blocks, weighted=False)
        if not kept.axis:
            return (AddedToUnit("", every, sums[0], sums[1], np.zeros(axes.n, bool)),)
        if kind.by_example:
            sums = np.array(_means(sums[0], sums[1], axes.observed_units("example"), undefined))
        groups = axes.by[kept.axis][1]
        ends = np.cumsum(np.bincount(groups, minlength=len(kept.names)))[:-1]
        each = zip(kept.names, np.split(np.argsort(groups, kind="stable"), ends), strict=True)
        return tuple(AddedToUnit(name, own, sums[0, own], sums[1, own], np.zeros(len(own), bool)) for name, own in each)
    size, tables = len(axes.classes), np.zeros((2, axes.n, len(axes.classes)))
    positives = np.zeros((axes.n, size), bool)
    for rows, some in blocks:
        if isinstance(some, SparseEntries):
            raise ValueError(f"There is no interval for the {kept.average!r} average of {kind.of} of sparse scores.")
        for table, given in zip(tables, (some.parts, some.wholes), strict=True):
            table[rows] = given if some.owners is None else np.where(some.owners[:, None] == np.arange(size), given, 0.0)
        if kept.weighted and some.labels is not None:
            positives[rows] = some.labels()[0]
    parts, wholes = tables
    return tuple(AddedToUnit(name, every, parts[:, j], wholes[:, j], positives[:, j]) for j, name in enumerate(axes.classes))


def weights_of(kind: Kind, kept: KeptUnits, positives: Array, negatives: Array) -> Any:
    """Return the weight of each unit from its actual positives and negatives."""
    return kept.rule.weights(kind.of, undecided_counts(positives, negatives, per=(kept.axis,), names=(kept.names,)))


def score_of_values(kind: Kind, kept: KeptUnits, axes: UnitAxes, values: Array, weights: Array | None) -> BoundaryScore:
    """Return the mean of the values of units under a convention; no four counts are behind them.

    A unit of which nothing was observed has weight zero.
    """
    names = (kept.names,) if kept.axis else ()
    seen = axes.observed_units(kept.axis) if kept.axis else None
    if seen is not None and not seen.all():
        weights = product_of_weights(weights, seen)
    counts = Counts(*(np.full(np.shape(values), math.nan),) * 4, per=(kept.axis,) if kept.axis else (), names=names)
    shown = Values.of(values, names) if kept.axis else float(values)
    given = (kind.of, kept.average, kept.undefined, shown, counts, weights)
    return score_of_units(*given, why=kind.lacking, kind=BoundaryScore)


def row_sums(table: Array) -> Array:
    """Return the sum of each row.

    Its numbers are added one after the other, so a zero between two of them changes nothing.
    """
    n, m = table.shape
    if n < m:
        return np.bincount(np.repeat(np.arange(n), m), table.ravel(), n)
    total = np.zeros(n)
    for j in range(m):  # column by column, which is faster where there are few
        total += table[:, j]
    return total


def _per_example(axes: UnitAxes, blocks: Blocks, weighted: bool) -> Array:
    """Return the part and the whole of each example.

    Where weights read them, its actual positives and negatives follow.
    """
    sums = np.empty((4 if weighted else 2, axes.n))
    for rows, some in blocks:
        sums[:2, rows] = some.of_examples()
        if weighted and (labels := some.labels_of_examples()):
            sums[2:, rows] = labels
    return sums


def _per_class(axes: UnitAxes, blocks: Blocks, weighted: bool) -> Array:
    """Return the part and the whole of each class.

    Where weights read them, its actual positives and negatives follow.
    """
    size = len(axes.classes)
    sums = np.zeros((4 if weighted else 2, size))
    for rows, some in blocks:
        weights = None if axes.weights is None else axes.weights[rows]
        sums[:2] += some.of_classes(weights, size)
        if weighted and (labels := some.labels_of_classes(weights)):
            sums[2:] += labels
    return sums


def _pool(kind: Kind, axes: UnitAxes, kept: KeptUnits, sums: Array) -> Array:
    """Return the weighted sums over all examples, or over the examples of each group."""
    if kept.axis and kind.by_example:
        sums = np.array([*_means(sums[0], sums[1], axes.observed_units("example"), kept.undefined), *sums[2:]])
    sums = _times(sums, axes.weights)
    if not kept.axis:
        return np.asarray(sums.sum(axis=1))
    names, groups = axes.by[kept.axis]
    return np.array([np.bincount(groups, x, len(names)) for x in sums])


def _means(parts: Array, wholes: Array, seen: Array | None, undefined: Undefined) -> tuple[Array, Array]:
    """Return the value of each example as its part, 1 as its whole; both are 0 where it counts nowhere.

    Sums of these are means over examples.
    """
    defined = wholes > 0
    counted = defined if undefined == "exclude" else np.ones(len(wholes), bool) if seen is None else seen
    stand_in = np.nan if isinstance(undefined, str) else undefined
    return np.where(counted, np.where(defined, ratio(parts, wholes), stand_in), 0.0), counted.astype(np.float64)


def _times(amounts: Any, weights: Array | None) -> Array:
    """Return amounts times weights; what is infinite or nan counts for nothing under a weight of zero."""
    return np.asarray(amounts, np.float64) if weights is None else np.where(weights > 0, amounts, 0.0) * weights
