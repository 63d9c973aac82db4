"""What several classifiers predicted for the same examples: distinct tuples of classes.

Two confusion matrices do not say how often the one was right where the other was wrong. These tuples do, and they add.

Several classifiers on the same rows of label matrices: sums of products of their cells.

A row adds its four cells of every class to the counts of each classifier. The sums of products of these numbers give the
variance of any difference, whatever the measure. Means over examples need the distinct rows of counts, which are kept, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import CELLS
from ...storage.json_values import array_in, array_out, counts_in, fields, whole_in
from ...tally.cells import Cells
from ...tally.counting.literal_counting import Examples
from ...tally.kernels.kernels import exact_bincount
from ...tally.states.group_counts import distinct

NO_CLASS = -1
MOST_BITS = 62  # of the number of a column
SMALL_TABLE = 1 << 18  # cells of a table of true and predicted classes that is counted whole
UNLIKE_WEIGHTS = "One of these has sample weights and the other has not. Count both with sample_weight=, or none."


@dataclass(frozen=True, eq=False)
class JointLabels:
    """Distinct tuples of class codes: the true class, then what each classifier predicted."""

    codes: Array  # (1 + classifiers) x tuples, sorted; -1: without a class
    times: Array  # how many examples have each tuple
    weights: Array | None = None  # the exact sum of their weights; None: they have no weights
    squares: Array | None = None  # the exact sum of the squares of their weights
    samples: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)  # made of two classifiers each, for all scores

    @staticmethod
    def of(codes: Sequence[Array], weights: Array | None = None) -> JointLabels:
        """Return the distinct tuples of some examples, given the codes of each side."""
        rows = np.stack(codes)
        keys = _Keys.of(rows)
        if weights is None and keys is not None:  # sorting is much faster where nobody asks which row came from where
            if 1 << keys.bits * len(rows) <= SMALL_TABLE:  # counting is faster still
                table = np.bincount(keys.numbers)
                found = np.flatnonzero(table)
                times = table[found]
            else:
                found, times = np.unique(keys.numbers, return_counts=True)
            return JointLabels(keys.read(found), times.astype(np.int64, copy=False))
        tuples, where = _distinct(rows)
        size = tuples.shape[1]
        times = np.bincount(where, minlength=size).astype(np.int64)
        if weights is None:
            return JointLabels(tuples, times)
        return JointLabels(tuples, times, *(exact_bincount(where, w, size) for w in (weights, weights * weights)))

    def __add__(self, other: JointLabels) -> JointLabels:
        if (self.weights is None) != (other.weights is None):
            raise ValueError(UNLIKE_WEIGHTS)
        codes, where = _distinct(np.concatenate([self.codes, other.codes], axis=1))

        def total(one: Array | None, two: Array | None) -> Array | None:
            if one is None or two is None:
                return None
            out = np.zeros(codes.shape[1], one.dtype)
            np.add.at(out, where, np.concatenate([one, two]))
            return out

        times = total(self.times, other.times)
        assert times is not None
        return JointLabels(codes, times, total(self.weights, other.weights), total(self.squares, other.squares))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JointLabels):
            return NotImplemented
        return all(map(_same, self._arrays, other._arrays))

    __hash__ = None  # type: ignore[assignment]

    @property
    def _arrays(self) -> tuple[Array | None, ...]:
        return self.codes, self.times, self.weights, self.squares

    def recode(self, place: Array, m: int) -> JointLabels:
        """Return the tuples on other classes: each code becomes ``place[code]``."""
        moved = np.append(place, NO_CLASS)[self.codes]  # -1 is the last one
        order = np.lexsort(moved[::-1])
        own = (None if x is None else x[order] for x in (self.times, self.weights, self.squares))
        return JointLabels(moved[:, order], *own)  # type: ignore[arg-type]

    def two(self, first: int, second: int) -> JointLabels:
        """Return the tuples of two classifiers."""
        width, keys = self._true_keys
        if self.weights is None and width**3 <= SMALL_TABLE:  # counting is much faster than sorting
            keys = keys + self.codes[1 + first] * width + self.codes[1 + second]
            table = np.bincount(keys, self._times, width**3).reshape(width, width, width)
            seen = np.nonzero(table)
            return JointLabels(np.stack(seen) - 1, np.rint(table[seen]).astype(np.int64))
        whole = replace(self, codes=self.codes[[0, 1 + first, 1 + second]])
        none = JointLabels(whole.codes[:, :0], *(None if x is None else x[:0] for x in self._arrays[1:]))  # type: ignore[arg-type]
        return whole + none

    @cached_property
    def _true_keys(self) -> tuple[int, Array]:
        """The width of a table of pairs of codes, and where that of each true class starts.

        Both count no class as a further code.
        """
        width = int(self.codes.max(initial=NO_CLASS)) + 2
        return width, (self.codes[0] + 1) * width**2 + width + 1

    @cached_property
    def _times(self) -> Array:
        return self.times.astype(np.float64)

    def to_json(self) -> dict[str, Any]:
        """Return the tuples as plain data."""
        weighted = {} if self.weights is None else {"weights": array_out(self.weights), "squares": array_out(self.squares)}  # type: ignore[arg-type]
        return {"kind": "labels", "codes": array_out(self.codes), "times": array_out(self.times), **weighted}


def labels_in(data: Any, classifiers: int, m: int) -> JointLabels:
    """Return the tuples that plain data describe; data that describe none are a ValueError."""
    codes, times = fields(data, ("codes", "times"), "the joint counts")
    tuples = array_in(codes, "the tuples of classes", (1 + classifiers, None))
    if tuples.dtype != np.int64 or (tuples.size and not -1 <= tuples.min() <= tuples.max() < m):
        raise ValueError(f"the tuples of classes hold codes that are not from -1 to {m - 1}")
    size = tuples.shape[1]
    weighted = [
        counts_in(data[name], f"the {name} of the tuples", (size,), signed=name == "weights")
        for name in ("weights", "squares")
        if name in data
    ]
    found = JointLabels(tuples.astype(np.intp), counts_in(times, "the times of the tuples", (size,), signed=False), *weighted)
    if not np.array_equal(_distinct(found.codes)[0], found.codes):
        raise ValueError("the tuples of classes are not distinct and in order")
    return found


def _distinct(codes: Array) -> tuple[Array, Array]:
    """Return the distinct columns, sorted, and which of them each column is."""
    codes = codes.astype(np.intp, copy=False)
    keys = _Keys.of(codes)
    if keys is not None:
        found, where = np.unique(keys.numbers, return_inverse=True)
        return keys.read(found), where
    tuples, where = np.unique(codes, axis=1, return_inverse=True)
    return tuples, where.ravel()


@dataclass(frozen=True)
class _Keys:
    """One number for each column, in the same order as columns: it is much faster to sort."""

    numbers: Array
    rows: int
    bits: int  # of each code and -1

    @staticmethod
    def of(codes: Array) -> _Keys | None:
        """Return the numbers of columns; None if they need too many bits."""
        bits = (int(codes.max(initial=NO_CLASS)) + 1).bit_length()
        if bits * len(codes) > MOST_BITS:
            return None
        numbers = np.zeros(codes.shape[1], np.int64)
        for row in codes:
            numbers <<= bits
            numbers |= np.add(row, 1, dtype=np.int64)
        return _Keys(numbers, len(codes), bits)

    def read(self, numbers: Array) -> Array:
        """Return the columns of some numbers."""
        places = self.bits * np.arange(self.rows - 1, -1, -1)[:, None]
        return ((numbers >> places) & ((1 << self.bits) - 1)).astype(np.intp, copy=False) - 1


def _same(one: Array | None, other: Array | None) -> bool:
    return (one is None) == (other is None) and (one is None or np.array_equal(one, other))  # type: ignore[arg-type]


LARGEST = 4096  # numbers that a row may add to all counts: four cells of each class and each classifier
ENTRIES = 1 << 20  # numbers of a block of rows


@dataclass(frozen=True, eq=False)
class JointCells:
    """Sums over rows of the cells of all classifiers, of their products, and the distinct rows of counts.

    With weights w, the sums are of w times a cell, and of w squared times a product.
    """

    n: int
    sums: Array  # (classifiers, 4, m)
    squares: Array | None  # (classifiers 4 m) x (classifiers 4 m); None: there are too many classes
    rows: Array  # (classifiers 4) x distinct rows: counts of an example, sorted
    times: Array  # how many examples have each row; none where there are weights
    apart: Array  # classifiers x classifiers: in how many rows their cells differ
    weighted: bool = False

    @staticmethod
    def of(examples: Iterable[tuple[Examples, Array]], m: int) -> JointCells:
        """Return the sums of the classifiers' examples; with each come the places of its classes among ``m``."""
        sides = [*examples]
        k, n = len(sides), sides[0][0].n
        weights = sides[0][0].times
        times = None if weights is None else weights.astype(np.float64)
        width = 4 * m * k
        sums, squares = np.zeros(width), np.zeros((width, width)) if width <= LARGEST else None
        rows, apart = [np.zeros((4 * k, 0))], np.zeros((k, k), np.int64)
        step = max(1, ENTRIES // max(width, 1))
        for start in range(0, n, step):
            stop = min(start + step, n)
            z = np.stack([_cells(x.between(start, stop), place, m) for x, place in sides], axis=1)  # rows x k x 4 x m
            rows.append(z.sum(axis=3).reshape(stop - start, 4 * k).T)
            apart += (z[:, :, None] != z[:, None]).any(axis=(3, 4)).sum(axis=0)
            flat = z.reshape(stop - start, width)
            flat = flat if times is None else flat * times[start:stop, None]
            sums += flat.sum(axis=0)
            if squares is not None:
                squares += cross_moments(flat)
        found = np.concatenate(rows, axis=1)
        own, often = distinct(found, np.ones(n, np.int64)) if times is None else (found[:, :0], np.zeros(0, np.int64))
        return JointCells(n, sums.reshape(k, 4, m), squares, own, often, apart, times is not None)

    def __add__(self, other: JointCells) -> JointCells:
        if self.weighted != other.weighted:
            raise ValueError(UNLIKE_WEIGHTS)
        rows, times = distinct(np.concatenate([self.rows, other.rows], axis=1), np.concatenate([self.times, other.times]))
        squares = None if self.squares is None or other.squares is None else self.squares + other.squares
        return JointCells(self.n + other.n, self.sums + other.sums, squares, rows, times, self.apart + other.apart, self.weighted)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JointCells):
            return NotImplemented
        if (self.n, self.weighted, self.squares is None) != (other.n, other.weighted, other.squares is None):
            return False
        pairs = [(getattr(self, x), getattr(other, x)) for x in ("sums", "squares", "rows", "times", "apart")]
        return all(a is None or np.array_equal(a, b) for a, b in pairs)

    __hash__ = None  # type: ignore[assignment]

    def recode(self, place: Array, m: int) -> JointCells:
        """Return the sums on ``m`` classes, of which these are at ``place``; no row has any of the others."""
        k, _, own = self.sums.shape
        new = np.setdiff1d(np.arange(m), place)
        if len(new) and self.weighted:
            raise ValueError("These have weights and different classes. Count all with the same classes=.")
        sums = np.zeros((k, 4, m))
        sums[:, :, place] = self.sums
        sums[:, 3, new] = self.n
        rows = self.rows.copy()
        rows[3::4] += m - own
        squares = None
        if self.squares is not None and 4 * m * k <= LARGEST:
            wide = np.zeros((k, 4, m, k, 4, m))
            wide[:, :, place[:, None], :, :, place] = np.moveaxis(self.squares.reshape(k, 4, own, k, 4, own), (2, 5), (0, 1))
            wide[:, 3, new] = sums  # every row has a true negative in a new class
            wide[:, :, :, :, 3, new] = sums[:, :, :, None, None]
            squares = wide.reshape(4 * m * k, 4 * m * k)
        return JointCells(self.n, sums, squares, *distinct(rows, self.times), self.apart, self.weighted)

    def to_json(self) -> dict[str, Any]:
        """Return the sums as plain data."""
        squares = None if self.squares is None else array_out(self.squares)
        arrays = {name: array_out(getattr(self, name)) for name in ("sums", "rows", "times", "apart")}
        return {"kind": "cells", "n": self.n, "weighted": self.weighted, "squares": squares, **arrays}


def cells_in(data: Any, classifiers: int, m: int) -> JointCells:
    """Return the sums that plain data describe; data that describe none are a ValueError."""
    names = ("n", "sums", "squares", "rows", "times", "apart")
    n, sums, squares, rows, times, apart = fields(data, names, "the joint counts")
    width = 4 * m * classifiers
    found = counts_in(rows, "the rows of examples", (4 * classifiers, None), signed=False)
    return JointCells(
        whole_in(n, "n"),
        array_in(sums, "the sums", (classifiers, 4, m)),
        None if squares is None else array_in(squares, "the sums of products", (width, width)),
        found,
        counts_in(times, "the times of the rows", (found.shape[1],), signed=False),
        counts_in(apart, "the rows that differ", (classifiers, classifiers), signed=False),
        data.get("weighted") is True,
    )


def cross_moments(z: Array) -> Array:
    """Return the sum over rows of the products of all numbers of a row."""
    return np.asarray(z.T @ z)


def _cells(x: Examples, place: Array, m: int) -> Array:
    """Return the four cells of each row and class, rows x 4 x m; other classes are true negatives."""
    made = Cells(x.y, x.yhat, x.tnorm, x.cells, scale=x.scale)
    out = np.zeros((x.n, 4, m))
    out[:, 3] = 1.0
    for i, name in enumerate(CELLS):
        out[:, i, place] = getattr(made, name)
    return out
