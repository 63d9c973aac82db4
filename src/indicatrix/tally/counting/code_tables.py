"""Tables of pairs of codes, counted as they are: two vectors at once, or batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...compiled import loaded
from ...encode.factorize import code_whole_numbers
from ...encode.plain_forms import Labels
from ..kernels.kernels import BLOCK, BYTE_BLOCK, cross, embed, weighted_cross
from ..states.group_counts import CrossTable, class_counts
from ..tally import MANY, Tally
from .row_products import square

PAIRS = 1 << 20  # pairs of the two dictionaries of a batch; with more, the codes that occur are searched first
DIRECT = 1 << 10  # integer labels below this are counted as they are, without first searching which ones occur
UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
INTP, INT8 = np.dtype(np.intp), np.dtype(np.int8)


def count_codes(
    true: Array, pred: Array, names: tuple[str, ...] | None = None, weights: Array | None = None, *, squares: bool = False
) -> Tally | None:
    """Return the tally of two vectors of bools or of few integers; None for others.

    Integers are few if their range is small, or if few of them occur.

    They are codes of ``names``, each of which occurs, or the labels themselves. ``squares`` says whether the squares of weights
    are counted as well.
    """
    bools, least = true.dtype.kind == "b" and pred.dtype.kind == "b", 0
    table, four = _cross_with_classes(true, pred)
    if table is None:
        coded = code_whole_numbers(true, pred, DIRECT) if names is None else None
        if coded is None:
            return None
        if isinstance(coded.names, tuple):
            return count_codes(*coded, weights, squares=squares)
        true, pred, least = coded
        table, four = _cross_with_classes(true, pred)
        assert table is not None  # they begin at 0 now
    if names is None:
        tally = tally_of_integers(table, len(true), bools=bools, four=four, least=least)
        index = None if len(tally.classes) == len(table) - 1 else [int(c) - least for c in tally.classes]
    else:
        index = _order_of(names)
        per_class = None if four is None else four[:, index]
        tally = Tally(tuple(names[i] for i in index), {(): CrossTable(taken(table, index), 0, per_class)}, len(true))
    if weights is None or not len(true):
        return tally
    parts = {(): _weigh_pairs(true, pred, weights, index)}
    whole = Tally(tally.classes, {(): _weigh_pairs(true, pred, square(weights), index)}, len(true)) if squares else None
    return Tally(tally.classes, parts, len(true), squares=whole)


def tally_of_integers(table: Array, n: int, *, bools: bool, four: Array | None = None, least: int = 0) -> Tally:
    """Return the tally of n pairs of integers 0, 1, …, or from another one on, counted in a table.

    Integers that do not occur are not classes. ``four`` are the counts per class, where they are known already.
    """
    four = class_counts(table) if four is None else four
    classes, index = _integers_that_occur(four, n, bools=bools, least=least)
    if index is not None:
        table, four = taken(table, index), four[:, index]
    return Tally(classes, {(): CrossTable(table, 0, four)} if n else {}, n)


def _integers_that_occur(four: Array, n: int, *, bools: bool, least: int = 0) -> tuple[tuple[Any, ...], Array | None]:
    """Return the integers that occur among n pairs, and where they are in the counts of all.

    None: everywhere.
    """
    index, classes = None, tuple[Any, ...](range(four.shape[1]))
    if n in four[3].tolist():  # only true negatives: this class neither occurs nor is predicted
        index = np.flatnonzero(four[3] != n)
        classes = tuple(index.tolist())
    if least:
        classes = tuple([c + least for c in classes])
    return tuple(map(bool, classes)) if bools else classes, index


def counts_of_codes(true: Array, pred: Array, names: tuple[str, ...] | None = None) -> tuple[tuple[Any, ...], Array] | None:
    """Return the classes of two vectors that ``count_codes`` takes, and their four counts, without more.

    None for others.

    >>> counts_of_codes(np.array([0, 2]), np.array([2, 2]))[0]
    (0, 2)
    """
    table, four = _cross_with_classes(true, pred)
    if table is None:
        return None
    four, index = class_counts(table) if four is None else four, None
    if names is None:
        classes, index = _integers_that_occur(four, len(true), bools=true.dtype.kind == "b" and pred.dtype.kind == "b")
    else:
        order = _order_of(names)
        classes, index = tuple([names[i] for i in order]), np.array(order)
    four = four if index is None else four[:, index]
    four.setflags(write=False)
    return classes, four


def counts_of_short(true: Any, pred: Any) -> tuple[tuple[Any, ...], Array] | None:
    """Return the classes of two short lists or vectors, and their four counts.

    They hold small whole numbers or few texts; None for others, and where there are no kernels in C.

    >>> counts_of_short([0, "cat"], [0, 0])
    """
    if loaded.core is None:
        return None
    found = loaded.core.count_short(true, pred)
    if found is None and getattr(true, "dtype", INTP).kind == getattr(pred, "dtype", INTP).kind == "U":
        found = loaded.core.count_short(true.tolist(), pred.tolist())
    return None if found is None else (found[0], np.ndarray((4, len(found[0])), np.int64, found[1]))


def _order_of(names: Sequence[str]) -> list[int]:
    return sorted(range(len(names)), key=names.__getitem__)


def _weigh_pairs(true: Array, pred: Array, weights: Array, index: Sequence[int] | None) -> CrossTable:
    """Return the sums of weights of pairs of integers, of all or of those that occur."""
    top = int(max(true.max(), pred.max()))
    table = weighted_cross(true.__getitem__, pred.__getitem__, weights, top + 1)
    return CrossTable(table if index is None else taken(table, index))


def taken(table: Array, index: Sequence[int] | Array) -> Array:
    """Return the rows and columns of some classes of a table, and of no class."""
    at = np.array([*index, -1])
    some: Array = table[at[:, None], at]
    return some


def cross_integers(true: Array, pred: Array) -> Array | None:
    """Return the counts of pairs of small non-negative integers, taken as they are.

    The last row and column stay empty. None if some integers are not small.
    """
    if not len(true):
        return np.zeros((1, 1), np.int64)
    if loaded.core is not None:
        return _cross_with_classes(true, pred)[0]
    top = largest_integer(true, pred)
    if top is None:
        return None
    width = top + 2
    if len(true) > BLOCK:
        narrow = true.itemsize == 1 and pred.itemsize == 1 and 256 < width * width <= 1 << 16
        return _cross_words(true, pred, width) if narrow else cross(true.__getitem__, pred.__getitem__, len(true), top + 1)
    return np.bincount(_fuse(true, pred, width), minlength=width * width).reshape(width, width)


def _cross_with_classes(true: Array, pred: Array) -> tuple[Array | None, Array | None]:
    """Return the same, and the four counts of each class where they come with it."""
    if loaded.core is None or not len(true):
        return cross_integers(true, pred), None
    found = loaded.core.count_integers(true, pred, DIRECT)
    if found is None:
        return None, None
    four = np.frombuffer(found[1], np.int64)
    width = len(four) // 4 + 1
    return np.frombuffer(found[0], np.int64).reshape(width, width), four.reshape(4, -1)


def _cross_words(true: Array, pred: Array, width: int) -> Array:
    """Return the counts of pairs of bytes below a width; a pair fits in 16 bits, which saves time."""
    counts = np.zeros(width * width, np.int64)
    true, pred = true.view(np.uint8), pred.view(np.uint8)
    for start in range(0, len(true), BYTE_BLOCK):
        fused = np.multiply(true[start : start + BYTE_BLOCK], np.uint16(width), dtype=np.uint16)
        fused += pred[start : start + BYTE_BLOCK]
        counts += np.bincount(fused, minlength=width * width)
    return counts.reshape(width, width)


def largest_integer(true: Array, pred: Array) -> int | None:
    """Return the largest of the integers of two vectors; None if some are negative or not small."""
    # A negative number looks huge as an unsigned one, so one maximum checks both ends of the range; "huge" is 128 for a byte.
    limit = DIRECT if INT8 not in (true.dtype, pred.dtype) else min(DIRECT, 128)
    t, p = true.view(UNSIGNED[true.dtype.itemsize]), pred.view(UNSIGNED[pred.dtype.itemsize])
    top: int = max(t.item(t.argmax()), p.item(p.argmax()))  # for a short vector in half the time of max()
    return top if top < limit else None


def add_integers(table: Array, true: Array, pred: Array) -> None:
    """Count pairs of integers in a square table, in place; every integer is below its width."""
    width = len(table)
    if len(true) < table.size:
        np.add.at(table.reshape(-1), _fuse(true, pred, width), 1)
        return
    for start in range(0, len(true), max(BLOCK, table.size)):
        rows = slice(start, start + max(BLOCK, table.size))
        table += np.bincount(_fuse(true[rows], pred[rows], width), minlength=table.size).reshape(width, width)


def _fuse(true: Array, pred: Array, width: int) -> Array:
    """Return one integer for each pair of integers below a width."""
    fused = (true if true.dtype is INTP else true.astype(INTP)) * width
    fused += pred if pred.dtype is INTP else pred.astype(INTP)
    return fused


class GrowingTable:
    """How often each pair of integers (true, predicted) occurred; it is changed in place.

    With a number of classes it has its full size from the start. Without, it grows to the largest integer that occurs.

    >>> table = GrowingTable()
    >>> table.add(np.array([0, 2]), np.array([0, 0])), table.add(np.array([-1]), np.array([0]))
    (True, False)
    >>> table.n, table.tally().classes
    (2, (0, 2))
    """

    def __init__(self, m: int | None = None) -> None:
        self.m, self.n = m, 0
        self.bools = True  # every label was a bool
        self.counts: Array = np.zeros((m or 0, m or 0), np.int64)

    def add(self, true: Array, pred: Array) -> bool:
        """Count the pairs of two vectors of integers or bools; return False if they do not belong here."""
        if loaded.core is None or not len(self.counts) or not loaded.core.add_pairs(true, pred, self.counts, 0):
            top = largest_integer(true, pred)
            if top is None or (self.m is not None and top >= self.m):
                return False
            if top >= len(self.counts):
                self.counts = embed(self.counts, np.arange(len(self.counts)), top + 1)
            add_integers(self.counts, true, pred)
        self.n += len(true)
        self.bools = self.bools and true.dtype.kind == "b" and pred.dtype.kind == "b"
        return True

    def tally(self, classes: tuple[Any, ...] | None = None, **facts: Any) -> Tally:
        """Return the tally of what was counted, on all classes of a fixed number, or on those that occurred."""
        seen = np.arange(self.m) if self.m is not None else np.flatnonzero(self.counts.any(axis=0) | self.counts.any(axis=1))
        if classes is None:
            classes = tuple(map(bool if self.bools else int, seen))
        table = embed(self.counts[np.ix_(seen, seen)], np.arange(len(seen)), len(seen) + 1)
        return Tally(classes, {(): CrossTable(table)}, self.n, open=self.m is None, **facts)


class NamedTable:
    """How often each pair of texts (true, predicted) occurred; it is changed in place.

    With classes it has its full size from the start. Without, it grows by the texts that occur.

    >>> table = NamedTable()
    >>> table.add(Labels(np.array([0, 1]), ("b", "a")), Labels(np.array([0, 0]), ("b",)))
    True
    >>> table.n, table.tally().classes
    (2, ('a', 'b'))
    """

    def __init__(self, classes: tuple[str, ...] | None = None) -> None:
        self.fixed, self.n = classes is not None, 0
        self.places = {name: place for place, name in enumerate(classes or ())}
        self.counts: Array = np.zeros((len(self.places),) * 2, np.int64)

    def add(self, true: Labels, pred: Labels) -> bool:
        """Count the pairs of two columns of codes; return False, and count nothing, for other columns."""
        sides = [side.categories or () for side in (true, pred)]
        wide = len(sides[1])
        if not len(true) or len(true) != len(pred) or not (len(sides[0]) * wide <= PAIRS) or true.declared or pred.declared:
            return False
        for side, known in zip((true, pred), sides, strict=True):
            if int(side.values.min()) < 0 or int(side.values.max()) >= len(known):
                return False
        found = _count(true.values, pred.values, len(sides[0]), wide)
        rows, columns = (np.flatnonzero(found.any(axis=axis)) for axis in (1, 0))
        names = [[side[i] for i in seen.tolist()] for side, seen in zip(sides, (rows, columns), strict=True)]
        new = dict.fromkeys(name for side in names for name in side if name not in self.places)
        if (self.fixed and new) or len(self.places) + len(new) > MANY or not all(type(name) is str for name in new):
            return False
        for name in new:
            self.places[name] = len(self.places)
        if new:
            self.counts = embed(self.counts, np.arange(len(self.counts)), len(self.places))
        here = np.ix_(*([self.places[name] for name in side] for side in names))
        self.counts[here] += found[np.ix_(rows, columns)]
        self.n += len(true)
        return True

    def tally(self, **facts: Any) -> Tally:
        """Return the tally of what was counted; classes that were found are sorted."""
        classes = tuple(self.places) if self.fixed else tuple(sorted(self.places))
        order = [self.places[name] for name in classes]
        table = embed(self.counts[np.ix_(order, order)], np.arange(len(order)), len(order) + 1)
        return Tally(classes, {(): CrossTable(table)}, self.n, open=not self.fixed, **facts)


def _count(true: Array, pred: Array, height: int, width: int) -> Array:
    """Return how often each pair of codes occurs."""
    counts = np.zeros(height * width, np.int64)
    step = max(BLOCK, counts.size)
    for start in range(0, len(true), step):
        rows = slice(start, start + step)
        fused = np.multiply(true[rows], width, dtype=np.intp, casting="unsafe")
        np.add(fused, pred[rows], out=fused, casting="unsafe")
        counts += np.bincount(fused, minlength=counts.size)
    return counts.reshape(height, width)
