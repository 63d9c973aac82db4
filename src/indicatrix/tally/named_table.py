"""A table of pairs of texts that grows.

Codes into dictionaries are counted as they are, and each distinct text is read once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..encode.plain_forms import Labels
from . import kernels
from .group_counts import CrossTable
from .tally import MANY, Tally

PAIRS = 1 << 20  # pairs of the two dictionaries of a batch; with more, the codes that occur are searched first


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
            self.counts = kernels.embed(self.counts, np.arange(len(self.counts)), len(self.places))
        here = np.ix_(*([self.places[name] for name in side] for side in names))
        self.counts[here] += found[np.ix_(rows, columns)]
        self.n += len(true)
        return True

    def tally(self, **facts: Any) -> Tally:
        """Return the tally of what was counted; classes that were found are sorted."""
        classes = tuple(self.places) if self.fixed else tuple(sorted(self.places))
        order = [self.places[name] for name in classes]
        table = kernels.embed(self.counts[np.ix_(order, order)], np.arange(len(order)), len(order) + 1)
        return Tally(classes, {(): CrossTable(table)}, self.n, open=not self.fixed, **facts)


def _count(true: Array, pred: Array, height: int, width: int) -> Array:
    """Return how often each pair of codes occurs."""
    counts = np.zeros(height * width, np.int64)
    step = max(kernels.BLOCK, counts.size)
    for start in range(0, len(true), step):
        rows = slice(start, start + step)
        fused = np.multiply(true[rows], width, dtype=np.intp, casting="unsafe")
        np.add(fused, pred[rows], out=fused, casting="unsafe")
        counts += np.bincount(fused, minlength=counts.size)
    return counts.reshape(height, width)
