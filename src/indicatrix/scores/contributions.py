"""Contributions: what each entry adds to two sums, whose ratio is a loss or a gain.

Such scores are outside the algebra (sec:calibration). An entry (i, j) of a table of examples and classes adds a part to a
numerator and a whole to a denominator. Summed over all of them they give the global value, down the columns those of the
classes, along the rows those of the examples, and over some rows those of groups. So every average of every loss and every
ranking is here, once; a score only says what its entries add.

Losses that stay on a device: sums of all of them and of columns come to main memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.average import Average, check_offered
from ..algebra.measure import Measure
from ..algebra.numbers.functions import ratio
from ..algebra.score import Score, Undefined
from ..algebra.source_score import Offer, OfferedAverages, meant, refuse_all_but_labels
from ..algebra.sums import UnitSums
from ..encode.device_arrays import namespace_of, to_host
from ..encode.weights import Groups


class LossesOnDevice:
    """Losses of examples (n,) or of entries (n, m), all of which were observed.

    Read as blocks, they are in main memory.
    """

    def __init__(self, losses: Any, entries: Callable[[Array], Any]) -> None:
        """Keep losses, and how entries are made of them."""
        self.losses, self.entries = losses, entries

    def __iter__(self) -> Iterator[tuple[slice, Any]]:
        yield slice(None), self.entries(to_host(self.losses))

    def sums(self, axis: str) -> tuple[Any, Any] | None:
        """Return the part and the whole of everything, or of each column; None for other units.

        >>> losses = LossesOnDevice(np.array([[0.25, 0.0], [0.5, 1.0]]), None)
        >>> losses.sums(""), losses.sums("class")[0].tolist(), losses.sums("example")
        ((1.75, 4.0), [0.75, 1.0], None)
        """
        xp, shape = namespace_of(self.losses), self.losses.shape
        if not axis:
            return float(xp.sum(self.losses)), float(math.prod(shape))
        if axis == "class" and len(shape) == 2:
            return to_host(xp.sum(self.losses, axis=0)), np.full(shape[1], float(shape[0]))
        return None


ONE_COLUMN = (
    "there is one column of probabilities, of the positive class, so there is nothing to average. Leave average= out, or "
    "give one column per class."
)
NO_POSITIVE = "there is no positive class."
NOTHING = np.zeros(0)
PART_OF_FIT = (
    "the reference has the class frequencies of all examples, and what one example adds to it depends on the others; 'micro' "
    "has one"
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

    def names_of(self, axis: str) -> tuple[Any, ...]:
        """Return the names of the units of an axis."""
        return self.classes if axis == "class" else tuple(range(self.n)) if axis == "example" else self.by[axis][0]

    def weights_of(self, rows: slice) -> Array | None:
        """Return the weights of some examples; None if all weigh the same."""
        return None if self.weights is None else self.weights[rows]

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
class Meaning:
    """What a score of contributions is called, and what its averages mean."""

    of: Measure
    by_example: bool = False  # a group's value is the mean over its examples; otherwise it is that of its pooled entries
    lacking: str = ""  # why a unit may be undefined
    refused: Mapping[str, str] = field(default_factory=dict)  # axis -> why there is no value along it
    binary: bool = False  # there is one column, of the positive class
    total: bool = False  # a value is the sum of parts, and is not divided by the wholes
    unweighted: str = ""  # why units have no positives and negatives that could weight them
    fitted: bool = False  # wholes are the least losses of all examples together, of each column: see ``_Sums.added``
    not_summed: str = "it is not a ratio of sums over examples"  # why there is no interval, where nothing says what examples add


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

    def only_labels(self) -> Entries:
        """Return the same without the amounts, for weights that are read later."""
        return replace(self, parts=NOTHING, wholes=NOTHING, owners=None, example=None)

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

    def only_labels(self) -> SparseEntries:
        """Return the same without the amounts, for weights that are read later."""
        return replace(self, parts=(NOTHING,) * 3, wholes=None)

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


Blocks = Iterable[tuple[slice, Entries | SparseEntries]] | LossesOnDevice


@dataclass(frozen=True, eq=False)
class AddedToUnit:
    """What some examples add to the part and the whole of a unit, and which of them are its positives."""

    name: Any
    rows: Array  # the examples; the others add nothing
    parts: Array
    wholes: Array
    positives: Array  # none, where no weights of units read them


@dataclass(frozen=True, eq=False)
class ScoredUnits:
    """A source of units whose values are known: everything, examples, classes and named groups."""

    meaning: Meaning
    unit_axes: UnitAxes
    values: Callable[[str], Any]  # of the units of an axis, or of everything pooled: ""
    sides: Callable[[str], tuple[Any, Any]] | None = None  # actual positives and negatives of units, where weights read them
    added: Callable[[str, Average], tuple[AddedToUnit, ...]] | None = None  # what examples add to units, if these are sums
    positive = None  # a column of the positive class is everything there is

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes that may be kept, one at a time."""
        return ("class", "example", *self.unit_axes.by)

    @property
    def lacking(self) -> str:
        """Why a unit may be undefined."""
        return self.meaning.lacking

    def refusal(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> str:
        """Return why there are no units of the measure, or of a weight; "" if there are."""
        kind = self.meaning
        offer = Offer(
            None if measure.reads.counted else measure,
            self.axes,
            {"class": ONE_COLUMN if kind.binary else "", **kind.refused},
            refuse_all_but_labels(UNDECIDED),
            dict.fromkeys(self.axes, kind.unweighted),
            "" if kind.binary else NO_POSITIVE,
        )
        return offer.refusal(measure, per, positive=positive)

    def units(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> UnitSums:
        """Return the units of an axis with their values."""
        check_offered(self, measure, per, positive=positive)
        if not per:
            return UnitSums(self.values(""))
        (axis,), axes, sides = per, self.unit_axes, self.sides
        times = axes.weights if axis == "example" else None
        known = None if sides is None else lambda: sides(axis)
        return UnitSums(self.values(axis), per, (axes.names_of(axis),), times, axes.observed_units(axis), sides=known)

    def added_by_examples(self, average: str) -> tuple[AddedToUnit, ...]:
        """Return what examples add to each unit of an average, without their weights."""
        if self.added is None:
            raise ValueError(f"There is no interval of {self.meaning.of}: {self.meaning.not_summed}.")
        name, rule = OfferedAverages(self.meaning.of, self).find(average)
        return self.added(name, rule)


def averaged(source: ScoredUnits, average: Any, undefined: Undefined) -> Score:
    """Return the score of a source under an average, or the source itself where it was asked for."""
    return meant(source.meaning.of, source, average, undefined)


def average_contributions(kind: Meaning, axes: UnitAxes, blocks: Blocks, average: Any, undefined: Undefined) -> Score:
    """Return the mean, over the units that an average keeps, of the part of each unit over its whole.

    A score that is a total has the parts themselves.
    """
    sums = _Sums(kind, axes, blocks, undefined)
    return averaged(ScoredUnits(kind, axes, sums.values, sums.sides, sums.added), average, undefined)


@dataclass(frozen=True, eq=False)
class _Sums:
    """What entries add to two sums, block by block; blocks are read once."""

    kind: Meaning
    axes: UnitAxes
    blocks: Blocks
    undefined: Undefined  # what an undefined example does in the mean over those of a group
    labels: list[tuple[slice, Entries | SparseEntries]] = field(default_factory=list)  # of the blocks that were read

    def values(self, axis: str) -> Any:
        """Return the part of each unit over its whole; nan where nothing is."""
        known = self.blocks.sums(axis) if isinstance(self.blocks, LossesOnDevice) else None
        parts, wholes = known or (self._of_classes() if axis == "class" else self._of_examples())
        if known is None and axis not in ("class", "example"):
            if axis and self.kind.by_example:
                parts, wholes = _means(parts, wholes, self.axes.observed_units("example"), self.undefined)
            parts, wholes = self._pool(axis, (parts, wholes))
        return np.where(wholes > 0, parts if self.kind.total else ratio(parts, wholes), np.nan)

    def sides(self, axis: str) -> tuple[Any, Any]:
        """Return the actual positives and negatives of each unit."""
        if not self.labels and isinstance(self.blocks, LossesOnDevice):  # whose sums were read, and no block
            _ = [*self._read()]
        if axis == "class":
            positives, negatives = np.zeros((2, len(self.axes.classes)))
            for rows, some in self.labels:
                if sides := some.labels_of_classes(self.axes.weights_of(rows)):
                    positives, negatives = positives + sides[0], negatives + sides[1]
            return positives, negatives
        sums = np.zeros((2, self.axes.n))
        for rows, some in self.labels:
            if sides := some.labels_of_examples():
                sums[:, rows] = sides
        return (sums[0], sums[1]) if axis == "example" else self._pool(axis, (sums[0], sums[1]))

    def _of_examples(self) -> tuple[Array, Array]:
        """Return the part and the whole of each example."""
        sums = np.empty((2, self.axes.n))
        for rows, some in self._read():
            sums[:, rows] = some.of_examples()
        return sums[0], sums[1]

    def _of_classes(self) -> tuple[Array, Array]:
        """Return the part and the whole of each class."""
        sums = np.zeros((2, len(self.axes.classes)))
        for rows, some in self._read():
            sums += some.of_classes(self.axes.weights_of(rows), sums.shape[1])
        return sums[0], sums[1]

    def _read(self) -> Iterator[tuple[slice, Entries | SparseEntries]]:
        for rows, some in self.blocks:
            self.labels.append((rows, some.only_labels()))
            yield rows, some

    def _pool(self, axis: str, amounts: tuple[Array, Array]) -> tuple[Any, Any]:
        """Return the weighted sums over all examples, or over the examples of each group."""
        one, two = (_times(x, self.axes.weights) for x in amounts)
        if not axis:
            return one.sum(), two.sum()
        names, groups = self.axes.by[axis]
        return np.bincount(groups, one, len(names)), np.bincount(groups, two, len(names))

    def added(self, average: str, rule: Average) -> tuple[AddedToUnit, ...]:
        """Return what examples add to each unit of an average, without their weights.

        Wholes that are losses of what fits all examples best move with the examples, but not to first order: there the loss is
        least. Those of a part of the examples do.
        """
        kind, axes, axis = self.kind, self.axes, rule.per[0] if rule.per else ""
        no_interval = f"There is no interval for the {average!r} average of {kind.of}: "
        if kind.total:
            raise ValueError(f"{no_interval}it is a total.")
        if kind.fitted and axis not in ("", "class"):
            raise ValueError(f"{no_interval}{PART_OF_FIT}.")
        every = np.arange(axes.n)
        if axis != "class":
            parts, wholes = self._of_examples()
            if not axis:
                return (AddedToUnit("", every, parts, wholes, np.zeros(axes.n, bool)),)
            if kind.by_example:
                parts, wholes = _means(parts, wholes, axes.observed_units("example"), self.undefined)
            names, groups = axes.by[axis]
            ends = np.cumsum(np.bincount(groups, minlength=len(names)))[:-1]
            each = zip(names, np.split(np.argsort(groups, kind="stable"), ends), strict=True)
            return tuple(AddedToUnit(name, own, parts[own], wholes[own], np.zeros(len(own), bool)) for name, own in each)
        size, tables = len(axes.classes), np.zeros((2, axes.n, len(axes.classes)))
        positives = np.zeros((axes.n, size), bool)
        for rows, some in self.blocks:
            if isinstance(some, SparseEntries):
                raise ValueError(f"There is no interval for the {average!r} average of {kind.of} of sparse scores.")
            if kind.fitted and some.owners is not None:
                raise ValueError(f"{no_interval}{PART_OF_FIT}.")
            for table, given in zip(tables, (some.parts, some.wholes), strict=True):
                table[rows] = given if some.owners is None else np.where(some.owners[:, None] == np.arange(size), given, 0.0)
            if rule.weight is not None and some.labels is not None:
                positives[rows] = some.labels()[0]
        parts, wholes = tables
        return tuple(AddedToUnit(name, every, parts[:, j], wholes[:, j], positives[:, j]) for j, name in enumerate(axes.classes))


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
