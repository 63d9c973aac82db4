"""Parts of a tally: the counts of one group of examples.

They add, widen to more classes, and give cells and example rows.

The order of groups: by their names, along the first axis first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...algebra.arrays import FLOATS_ARE_EXACT, Array
from ..kernels.kernels import embed


@dataclass(frozen=True, eq=False, slots=True)
class CrossTable:
    """Examples with at most one class on each side: how often each pair (true, predicted) occurred.

    The last index means "no class".
    """

    table: Array  # (m + 1) x (m + 1), integers, or exact fractions where examples are weighted
    masked: Any = 0  # examples of which nothing was observed
    per_class: Array | None = field(default=None, repr=False)  # computed from the table at the first use

    def __post_init__(self) -> None:
        if self.per_class is not None:
            self.per_class.setflags(write=False)

    @property
    def confusion(self) -> Array:
        """The m x m confusion matrix, rows true.

        It is a read-only view, like all arrays that callers get.
        """
        inner = self.table[:-1, :-1]
        inner.flags.writeable = False
        return inner

    def cells(self) -> Array:
        """Return tp, fp, fn, tn per class, as a 4 x m array."""
        if self.per_class is None:
            counts = exactly(class_counts, self.table)
            counts.flags.writeable = False
            object.__setattr__(self, "per_class", counts)
        assert self.per_class is not None
        return self.per_class

    def rows(self) -> tuple[Array, Array]:
        """Return the distinct example rows (tp, fp, fn, tn) as a 4 x k array, with how often each occurs."""
        rows, times = rows_of_one_class(len(self.table) - 1), self._times_of_rows()
        times[0] += self.masked
        if len(self.table) == 1:  # without classes, all rows are alike
            return distinct(rows, times)
        here = times != 0  # the rows are sorted already
        return rows[:, here], times[here]

    def _times_of_rows(self) -> Array:
        """Return how often each row occurs.

        Sums of weights come from those of the classes, which are added up only once.
        """
        if self.table.dtype != object or len(self.table) == 1:
            return exactly(times_of_rows, self.table)
        from fractions import Fraction

        four, neither = self.cells(), self.table[-1, -1]
        no_true, no_pred = self.table[-1, :-1].sum(), self.table[:-1, -1].sum()
        times = split_examples(four[0].sum(), no_true, no_pred, neither, four[:, 0].sum())
        return np.array([Fraction(x) for x in times], object)

    def widen(self, position: Array, m: int) -> CrossTable:
        """Return the same counts on ``m`` classes, with the old classes at the given positions."""
        return CrossTable(embed(self.table, np.append(position, m), m + 1), self.masked)

    def only(self, columns: Array) -> CrossTable:
        """Return the pairs on some classes; the other classes become "no class"."""
        position = np.full(len(self.table), len(columns))
        position[columns] = np.arange(len(columns))
        side = np.arange(len(columns) + 1)[:, None] == position
        pick = side.astype(self.table.dtype if self.table.dtype != object else int)
        return CrossTable(pick.dot(self.table).dot(pick.T), self.masked)

    def answered(self) -> CrossTable:
        """Return the pairs with a predicted class; the other examples count as not observed."""
        table = self.table.copy()
        table[:, -1] = 0
        return CrossTable(table, self.masked + self.table[:, -1].sum())

    def declined_counts(self) -> Summed | None:
        """Return the counts of the examples without a predicted class; None if there is no such example."""
        table = np.zeros_like(self.table)
        table[:, -1] = self.table[:, -1]
        return CrossTable(table).summed() if table.any() else None

    def summed(self) -> Summed:
        """Return the counts without the pairs."""
        return Summed(self.cells(), *self.rows())

    def __add__(self, other: Part) -> Part:
        return total([self, other])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CrossTable) and np.array_equal(self.table, other.table) and self.masked == other.masked

    __hash__ = None  # type: ignore[assignment]


class TableElsewhere(CrossTable):
    """Pairs that are copied from a device when somebody asks for them.

    Most measures need only the counts per class.
    """

    __slots__ = ("_copied", "_copy")
    _copy: Callable[[], Array] | None
    _copied: Array

    def __init__(self, copy: Callable[[], Array], per_class: Array) -> None:
        for name, value in (("_copy", copy), ("_copied", None), ("masked", 0), ("per_class", per_class)):
            object.__setattr__(self, name, value)
        self.__post_init__()

    @property
    def table(self) -> Array:
        """The table of pairs, in main memory from now on."""
        copy = self._copy
        if copy is not None:
            object.__setattr__(self, "_copied", copy())
            object.__setattr__(self, "_copy", None)  # which holds the table on the device
        return self._copied

    def __reduce__(self) -> Any:
        return CrossTable, (self.table, self.masked, self.per_class)


@dataclass(frozen=True, eq=False, slots=True)
class Summed:
    """Any examples: tp, fp, fn, tn per class, and the distinct example rows with how often each occurs."""

    per_class: Array  # 4 x m
    per_example: Array | None  # 4 x k, sorted; None if the counts were given without examples
    times: Array | None
    unseen: Any = 0  # without any class: how many examples were not observed; with classes, rows without counts show them

    def __post_init__(self) -> None:
        for array in (self.per_class, self.per_example, self.times):
            if array is not None:
                array.flags.writeable = False

    def cells(self) -> Array:
        """Return tp, fp, fn, tn per class, as a 4 x m array."""
        return self.per_class

    def rows(self) -> tuple[Array, Array]:
        """Return the distinct example rows (tp, fp, fn, tn) as a 4 x k array, with how often each occurs."""
        if self.per_example is None or self.times is None:
            raise ValueError(
                "These counts were given per class, or only() took some classes of them, so nothing is known about single "
                "examples. Evaluate the labels of these classes to know them."
            )
        return self.per_example, self.times

    def widen(self, position: Array, m: int) -> Summed:
        """Return the same counts on ``m`` classes, with the old classes at the given positions.

        The new classes have only true negatives.
        """
        rows, times = self.rows()
        if not self.per_class.shape[1]:  # the rows are all the same: first those that were observed, then the others
            rows, times = np.zeros((4, 2), rows.dtype), np.array([times.sum() - self.unseen, self.unseen], times.dtype)
            observed = np.array([True, False])
        else:
            observed = rows.sum(axis=0) > 0
        wide = np.zeros((4, m), self.per_class.dtype)
        wide += times[observed].sum() * np.array([[0], [0], [0], [1]])
        wide[:, position] = self.per_class
        more = np.zeros_like(rows)
        more[3, observed] = m - len(position)
        return Summed(wide, *distinct(rows + more, times))

    def only(self, columns: Array) -> Summed:
        """Return the counts of some classes; their counts in single examples are not known."""
        return Summed(self.per_class[:, columns], None, None)

    def hide(self, some: Summed) -> Summed:
        """Return the counts with some of the examples as not observed."""
        (rows, times), (gone, often) = self.rows(), some.rows()
        hidden = np.zeros((4, 1), rows.dtype), often.sum(keepdims=True)
        rows = np.concatenate([rows, gone, hidden[0]], axis=1)
        unseen = 0 if self.per_class.shape[1] else self.unseen + often.sum()
        return Summed(self.per_class - some.per_class, *distinct(rows, np.concatenate([times, -often, hidden[1]])), unseen)

    def summed(self) -> Summed:
        """Return this part."""
        return self

    def __add__(self, other: Part) -> Part:
        return total([self, other])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Summed) or self.unseen != other.unseen:
            return False
        return all(
            np.array_equal(a, b) if a is not None and b is not None else a is b
            for a, b in zip(
                (self.per_class, self.per_example, self.times), (other.per_class, other.per_example, other.times), strict=True
            )
        )

    __hash__ = None  # type: ignore[assignment]


Part = CrossTable | Summed
Key = tuple[Any, ...]  # the name of a group: one for each ``by`` axis

ENTRIES = 1 << 20  # how many numbers of several parts are handled together
IN_LISTS = 6  # a table of this many classes is added faster as lists than as an array
ROOM = 2**61  # counts whose total is below it cannot overflow when they are added


def total(parts: Sequence[Part]) -> Part:
    """Return the sum of one or more parts; pairs are kept if all parts have them."""
    tables = [part for part in parts if isinstance(part, CrossTable)]
    if len(tables) == len(parts):
        return CrossTable(_add([part.table for part in tables]), sum(part.masked for part in tables))
    summed = [part.summed() for part in parts]
    per_class = _add([part.per_class for part in summed])
    if any(part.per_example is None for part in summed):
        return Summed(per_class, None, None)
    rows, times = zip(*(part.rows() for part in summed), strict=True)
    unseen = sum(part.unseen for part in summed)
    return Summed(per_class, *distinct(np.concatenate(rows, axis=1), with_room(np.concatenate(times))), unseen)


def _add(counts: list[Array]) -> Array:
    """Return the sum of arrays of counts, added in blocks."""
    step = max(2, ENTRIES // max(1, counts[0].size))
    while len(counts) > 1:
        blocks = (counts[start : start + step] for start in range(0, len(counts), step))
        counts = [with_room(np.stack(block)).sum(axis=0) for block in blocks]
    return counts[0]


def with_room(counts: Array) -> Array:
    """Return counts whose sums cannot overflow.

    Integers of 64 bits become Python integers if their total could overflow; other arrays are returned as they are.
    """
    return counts.astype(object) if counts.dtype != object and counts.sum(dtype=float) >= ROOM else counts


def cells_of(parts: Sequence[Part], m: int) -> Array:
    """Return tp, fp, fn, tn per class of each part, as a k x 4 x m array."""
    step = max(1, ENTRIES // (m + 1) ** 2)
    cells = [np.zeros((0, 4, m), np.int64)]
    for start in range(0, len(parts), step):
        some = parts[start : start + step]
        tables = [part.table for part in some if isinstance(part, CrossTable)]
        many = len(tables) == len(some) > 1
        cells.append(np.moveaxis(class_counts(np.stack(tables)), 0, 1) if many else np.stack([part.cells() for part in some]))
    return np.concatenate(cells)


def class_counts(table: Array) -> Array:
    """Return tp, fp, fn, tn of each class of a table of pairs, as a 4 x m array.

    For k tables the result is a 4 x k x m array.
    """
    m = table.shape[-1] - 1
    if m > IN_LISTS or table.ndim > 2:
        tpos, ppos = margins_of_table(table)
        return four_counts(table.diagonal(0, -2, -1), tpos, ppos, np.add.reduce(tpos, axis=-1, keepdims=True))[..., :m]
    pairs, width = table.ravel().tolist(), m + 1
    tp, fp, fn, tn, n = pairs[: -1 : width + 1], [], [], [], sum(pairs)
    for j, hits in enumerate(tp):
        true, wrong = sum(pairs[j * width : (j + 1) * width]), sum(pairs[j::width]) - hits
        fp.append(wrong)
        fn.append(true - hits)
        tn.append(n - true - wrong)
    return np.array((tp, fp, fn, tn), table.dtype)


def margins_of_table(table: Array) -> tuple[Array, Array]:
    """Return the sums of the rows and of the columns of tables; zero fractions cost almost nothing."""
    if table.dtype != object or not table.size:
        return np.add.reduce(table, axis=-1), np.add.reduce(table, axis=-2)
    *outer, true, pred = np.nonzero(table)
    values, zero = table[*outer, true, pred], table.flat[0] * 0
    rows, columns = np.full(table.shape[:-1], zero, object), np.full((*table.shape[:-2], table.shape[-1]), zero, object)
    np.add.at(rows, (*outer, true), values)
    np.add.at(columns, (*outer, pred), values)
    return rows, columns


def four_counts(tp: Array, tpos: Array, ppos: Array, n: Any) -> Array:
    """Return tp, fp, fn, tn as a 4 x k array, from hits, actual and predicted positives.

    Each unit has n entries.
    """
    fp = ppos - tp
    return np.array([tp, fp, tpos - tp, n - tpos - fp])


def rows_of_one_class(m: int) -> Array:
    """Return the possible rows (tp, fp, fn, tn) of examples with at most one label on each side, sorted.

    The first is that of an example of which nothing was observed.
    """
    return np.array([(0, 0, 0, 0), (0, 0, 0, m), (0, 0, 1, m - 1), (0, 1, 0, m - 1), (0, 1, 1, m - 2), (1, 0, 0, m - 1)]).T


def times_of_rows(table: Array) -> Array:
    """Return how often each of these rows occurs in a table of pairs."""
    (true, pred), neither = margins_of_table(table), table[-1, -1]
    return split_examples(np.diagonal(table).sum() - neither, true[-1] - neither, pred[-1] - neither, neither, true.sum())


def split_examples(right: Any, no_true: Any, no_pred: Any, neither: Any, n: Any) -> Array:
    """Return how many of n examples have each of the rows of one class; all of them were observed."""
    times = 0, neither, no_pred, no_true, n - right - no_true - no_pred - neither, right
    return np.array(times, np.int64 if isinstance(n, np.integer) else object)


def exactly(add: Callable[[Array], Array], table: Array) -> Array:
    """Return what a function that adds and subtracts makes of a table.

    Fractions become multiples of their common unit for it, because sums of integers are many times faster.
    """
    if table.dtype != object:
        return add(table)
    from fractions import Fraction

    unit = math.lcm(*(x.denominator for x in table.flat))
    whole = np.array([x.numerator * (unit // x.denominator) for x in table.flat], object).reshape(table.shape)
    sums = add(whole)
    return np.array([Fraction(x, unit) for x in sums.flat], object).reshape(sums.shape)


def distinct(rows: Array, times: Array) -> tuple[Array, Array]:
    """Return each row once, sorted, with the sum of its times; rows that never occur are left out."""
    if rows.shape[1] > 1:
        order = np.lexsort(rows[::-1])
        rows, times = rows[:, order], times[order]
        first = np.append(True, (rows[:, 1:] != rows[:, :-1]).any(axis=0))
        rows, times = rows[:, first], np.add.reduceat(times, np.flatnonzero(first))
    here = times != 0
    return rows[:, here], times[here]


def as_numbers(x: Array) -> Array:
    """Return exact fractions as float64, correctly rounded, and integers as they are.

    Fractions that are all whole numbers become Python integers if a float could not hold them.
    """
    if x.dtype != object or not x.size or all(type(v) is int for v in x.flat):
        return x
    floats = x.astype(np.float64)
    if np.abs(floats).max() < FLOATS_ARE_EXACT or any(v != int(v) for v in x.flat):
        return floats
    return np.array([*map(int, x.flat)], object).reshape(x.shape)


def sort_names(names: set[Any]) -> list[Any]:
    """Return group names in order; names that cannot be compared are ordered by their repr."""
    try:
        return sorted(names)
    except TypeError:
        return sorted(names, key=repr)


def order_of_groups(keys: Sequence[tuple[Any, ...]]) -> Array:
    """Return the places of groups in the order of their names, each a name along every axis.

    >>> order_of_groups([("b", 1), ("a", 2), ("a", 1)]).tolist()
    [2, 1, 0]
    """
    ranks = [{name: at for at, name in enumerate(sort_names(set(names)))} for names in zip(*keys, strict=True)]
    columns = [[rank[key[i]] for key in keys] for i, rank in enumerate(ranks)]
    return np.lexsort(columns[::-1]) if columns else np.arange(len(keys))
