"""Contributions: what each entry adds to two sums, of which a loss or a gain is the ratio (the boundary, sec:calibration).

An entry (i, j) of a table of examples and classes adds a part to a numerator and a whole to a denominator. Summed over all of
them they give the global value, down the columns those of the classes, along the rows those of the examples, and over some rows
those of groups. So every average of every loss and every ranking is here, once; a score only says what its entries add.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..algebra.arrays import Array, Mask, ratio
from ..algebra.average import ALIASES
from ..algebra.counts import Counts
from ..algebra.quantity import Quantity
from ..algebra.score import Score, Undefined, check_undefined, combine, refuse_lost
from ..algebra.sensitivity import Sensitivity
from ..algebra.values import Values
from ..encode.weights import RESERVED, Groups

ONE_COLUMN = (
    "there is one column of probabilities, of the positive class, so that there is nothing to average. Leave average= out, or "
    "give one column per class."
)


@dataclass(frozen=True, eq=False)
class Units:
    """What values may be kept along: examples with their weights, classes, and named groups of examples."""

    n: int
    classes: tuple[Any, ...]
    weights: Array | None
    by: Mapping[str, Groups]


@dataclass(frozen=True, eq=False)
class Kind:
    """What a score of contributions is called, and what its averages mean."""

    of: Quantity
    within: str = "micro"  # what a group's value is: "micro", of its pooled entries, or "exemplar", the mean over its examples
    lacking: str = ""  # how it comes that a unit is undefined
    refused: Mapping[str, str] = field(default_factory=dict)  # axis -> why there is no value along it
    binary: bool = False  # there is one column, of the positive class


@dataclass(frozen=True, eq=False)
class Entries:
    """What some examples add, entry by entry: (n, m), or (n, 1) where an example has one entry; 0 where nothing was observed."""

    parts: Array
    wholes: Array
    relevant: Array | None = None  # bools: the actual positives, which weight the classes; None: there are no classes
    owners: Array | None = None  # the class of each example's only entry; None: entries belong to the class of their column
    example: tuple[Array, Array] | None = None  # part and whole of each example, where they are not the sums of its entries'


Blocks = Iterable[tuple[slice, Entries]]


class BoundaryScore(Score):
    """A score that is no function of four counts: an infinite loss is a value of it, not an undefined one."""

    __slots__ = ()

    def lost_units(self) -> Mask:
        """Return which units carry weight but have no value at all."""
        lost = np.isnan(np.asarray(self.values, np.float64))
        return lost if self.weights is None else lost & (np.asarray(self.weights) != 0)

    def sensitivity(self) -> Sensitivity:
        """Return this score under every convention, with the units that make the difference (sec:degenerate)."""
        conventions = dict.fromkeys(("exclude", 0, 1, "nan", *(() if self.undefined == "raise" else (self.undefined,))))
        return Sensitivity({c: _mean(self.values, self.weights, c) for c in conventions}, self.lost)

    def __reduce__(self) -> Any:
        return BoundaryScore, super().__reduce__()[1]


def _mean(values: Any, weights: Any, undefined: Undefined) -> float:
    infinite = np.isposinf(values) if weights is None else np.isposinf(values) & (weights != 0)
    return math.inf if infinite.any() else combine(values, weights, undefined)


@dataclass(frozen=True)
class Averaging:
    """An average that was asked for: its name, the axis that it keeps ("" for none) and the names of the units along it."""

    name: str
    axis: str
    names: tuple[Any, ...]
    undefined: Undefined


def averaging(kind: Kind, units: Units, average: Any, undefined: Undefined) -> Averaging:
    """Return which average and convention are meant; one that does not exist here is refused with the reason."""
    check_undefined(undefined)
    if not isinstance(average, str):
        raise TypeError(f"average={average!r} must be one name: 'micro', 'macro', 'weighted', 'exemplar' or an axis of by=.")
    name = ALIASES.get(average, average)
    axes = {"micro": "", "macro": "class", "weighted": "class", "exemplar": "example", **{axis: axis for axis in units.by}}
    axes |= {"binary": ""} if kind.binary else {}
    refused = {**kind.refused, "class": ONE_COLUMN} if kind.binary else kind.refused
    possible = [a for a, axis in axes.items() if axis not in refused]
    if name not in axes:
        grouped = "" if name in RESERVED else f", or give by={{{average!r}: ids}} to have it"
        raise ValueError(f"average={average!r} is unknown here. Choose from {', '.join(possible)}{grouped}.")
    if name not in possible:
        raise ValueError(f"average={average!r}: {refused[axes[name]]} Choose from {', '.join(possible)}.")
    names = {"": (), "class": units.classes}.get(axes[name])
    if names is None:
        names = tuple(range(units.n)) if axes[name] == "example" else units.by[name][0]
    return Averaging(name, axes[name], names, undefined)


def averaged(kind: Kind, units: Units, blocks: Blocks, average: str, undefined: Undefined) -> BoundaryScore:
    """Return the mean, over the units that an average keeps, of the part of each unit over its whole."""
    asked, weights = averaging(kind, units, average, undefined), None
    if asked.axis == "class":
        parts, wholes, positives = _per_class(units, blocks)
        weights = positives if asked.name == "weighted" else None
    else:
        parts, wholes = _per_example(units, blocks)
        if asked.axis == "example":
            weights = units.weights
        else:
            parts, wholes = _pooled(kind, units, asked, (parts, wholes))
    return scored(kind, asked, np.where(wholes > 0, ratio(parts, wholes), np.nan), weights)


def scored(kind: Kind, asked: Averaging, values: Array, weights: Array | None) -> BoundaryScore:
    """Return the mean of the values of units under a convention; no four counts are behind them."""
    names = (asked.names,) if asked.axis else ()
    counts = Counts(*(np.full(np.shape(values), math.nan),) * 4, per=(asked.axis,) if asked.axis else (), names=names)
    shown = Values.of(values, names) if asked.axis else float(values)
    value = _mean(values, weights, asked.undefined)
    return refuse_lost(BoundaryScore(value, kind.of, asked.name, asked.undefined, shown, counts, weights), kind.lacking)


def row_sums(table: Array) -> Array:
    """Return the sum of each row, one after the other, so that a zero between two numbers changes nothing."""
    n, m = table.shape
    return table[:, 0].astype(np.float64) if m == 1 else np.bincount(np.repeat(np.arange(n), m), table.ravel(), n)


def _per_example(units: Units, blocks: Blocks) -> tuple[Array, Array]:
    parts, wholes = np.empty(units.n), np.empty(units.n)
    for rows, some in blocks:
        parts[rows], wholes[rows] = some.example or (row_sums(some.parts), row_sums(some.wholes))
    return parts, wholes


def _per_class(units: Units, blocks: Blocks) -> Array:
    """Return the parts, the wholes and the actual positives of each class, weighted."""
    size = len(units.classes)
    sums = np.zeros((3, size))
    for rows, some in blocks:
        weights = None if units.weights is None else units.weights[rows][:, None]
        for k, table in enumerate((some.parts, some.wholes, some.relevant)):
            amounts = _weighted(table, weights)
            sums[k] += amounts.sum(axis=0) if some.owners is None else np.bincount(some.owners, amounts[:, 0], size)
    return sums


def _pooled(kind: Kind, units: Units, asked: Averaging, sums: tuple[Array, Array]) -> tuple[Array, Array]:
    """Return the weighted sums over all examples, or over the examples of each group."""
    if asked.axis and kind.within == "exemplar":
        sums = _means(*sums, asked.undefined)
    parts, wholes = (_weighted(x, units.weights) for x in sums)
    if not asked.axis:
        return parts.sum(), wholes.sum()
    names, groups = units.by[asked.axis]
    return np.bincount(groups, parts, len(names)), np.bincount(groups, wholes, len(names))


def _means(parts: Array, wholes: Array, undefined: Undefined) -> tuple[Array, Array]:
    """Return the value of each example as its part, and 1 as its whole: sums of these are means over examples."""
    defined = wholes > 0
    stand_in = undefined if not isinstance(undefined, str) else 0.0 if undefined == "exclude" else np.nan
    return np.where(defined, ratio(parts, wholes), stand_in), np.where(defined, 1.0, float(undefined != "exclude"))


def _weighted(amounts: Any, weights: Array | None) -> Array:
    """Return amounts times weights; what is infinite or nan counts for nothing under a weight of zero."""
    return np.asarray(amounts, np.float64) if weights is None else np.where(weights > 0, amounts, 0.0) * weights
