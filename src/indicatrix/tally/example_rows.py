"""The counts of each example, in the order of the data; a tally keeps only the distinct ones."""

from __future__ import annotations

import numpy as np

from ..algebra.arrays import Array
from ..algebra.counts import Counts
from .cells import Cells
from .examples import Examples
from .literal_counting import ENTRIES


def count_each(x: Examples, kept: Array | None, n: int) -> Counts:
    """Return tp, fp, fn, tn of each of n examples; four zeros where nothing was observed.

    ``kept`` says which of the n examples are in ``x``; None: all of them.
    """
    four = _count_codes(x) if x.single else _count_cells(x)
    if kept is not None:
        four, some = np.zeros((4, n), four.dtype), four
        four[:, kept] = some
    return Counts(*four, per=("example",), names=(tuple(range(n)),))


def _count_codes(x: Examples) -> Array:
    true, pred = (side.data.block(slice(None)) for side in (x.y, x.yhat))
    tpos, ppos, tp = true >= 0, pred >= 0, (true == pred) & (true >= 0)
    four = np.empty((4, x.n), np.int64)
    four[:3] = tp, ppos & ~tp, tpos & ~tp
    four[3] = x.m - four[:3].sum(axis=0)
    return four


def _count_cells(x: Examples) -> Array:
    """Return the sums along the rows of literal cells, some rows at a time."""
    blocks = [np.zeros((4, 0), np.int64 if x.tnorm is None and x.scale is None else np.float64)]
    step = max(1, ENTRIES // max(x.m, 1))
    for start in range(0, x.n, step):
        some = x.between(start, min(start + step, x.n))
        cells = Cells(some.y, some.yhat, x.tnorm, some.cells, scale=some.scale)
        blocks.append(np.stack([entries.sum(axis=1) for entries in (cells.tp, cells.fp, cells.fn, cells.tn)]))
    return np.concatenate(blocks, axis=1)
