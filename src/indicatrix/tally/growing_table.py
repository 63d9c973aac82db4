"""A table of pairs of small integers that grows: the counts of a stream, added in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra.arrays import Array
from . import kernels
from .group_counts import CrossTable
from .tally import Tally


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
        top = kernels.largest_integer(true, pred)
        if top is None or (self.m is not None and top >= self.m):
            return False
        if top >= len(self.counts):
            self.counts = kernels.embed(self.counts, np.arange(len(self.counts)), top + 1)
        kernels.add_integers(self.counts, true, pred)
        self.n += len(true)
        self.bools = self.bools and true.dtype.kind == "b" and pred.dtype.kind == "b"
        return True

    def tally(self, classes: tuple[Any, ...] | None = None, **facts: Any) -> Tally:
        """Return the tally of what was counted, on all classes of a fixed number, or on those that occurred."""
        seen = np.arange(self.m) if self.m is not None else np.flatnonzero(self.counts.any(axis=0) | self.counts.any(axis=1))
        if classes is None:
            classes = tuple(map(bool if self.bools else int, seen))
        table = kernels.embed(self.counts[np.ix_(seen, seen)], np.arange(len(seen)), len(seen) + 1)
        return Tally(classes, {(): CrossTable(table)}, self.n, open=self.m is None, **facts)
