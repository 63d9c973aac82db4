"""What several classifiers predicted for the same examples: distinct tuples of classes.

Two confusion matrices do not say how often the one was right where the other was wrong. These tuples do, and they add.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...storage.json_values import array_in, array_out, counts_in, fields
from ...tally.kernels.kernels import exact_bincount

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
