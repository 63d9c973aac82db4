"""From examples to the counts of bootstrap replicates, exactly: weights and cells are whole numbers."""

from __future__ import annotations

import numpy as np

from ...algebra.arrays import Array
from ..cells import Cells
from ..states.replicates import Replicates, Sums, weights_of
from .examples import Examples
from .row_products import columns_of, count_labels, entries_of, row_blocks, unit_of

NUMBERS = 1 << 18  # weights, or cells, of a block of rows
WORTH_LISTING = 32  # to add a listed entry takes as long as this many multiplications


def replicate(x: Examples, rows: Array, asked: Replicates) -> Sums:
    """Return the counts of replicates of examples, which have these numbers of rows."""
    if x.cells is not None and not (seen := x.cells.any(axis=1)).all():
        chosen = np.flatnonzero(seen)
        return replicate(x.take(chosen), rows[chosen], asked)
    unit, b = unit_of(x), asked.number
    kinds = 3 if unit is None and x.cells is None else 4
    listed = unit is None and x.cells is None and WORTH_LISTING * count_labels(x) < kinds * x.m * x.n
    sums = np.zeros((1 + kinds * x.m, b), np.int64)
    for some in row_blocks(x.n, max(64, NUMBERS // max(b, 1 if listed else 1 + kinds * x.m))):
        block, weights = x.between(some.start, some.stop), weights_of(rows[some], b, asked.seed)
        if listed:
            _add_entries(sums, block, weights)
        else:
            columns = columns_of(block, kinds, None) if unit is None else _whole_cells(block, unit)
            sums += (columns.T @ weights.astype(columns.dtype, copy=False)).astype(np.int64)
    cells = np.moveaxis(sums[1:].reshape(kinds, x.m, b), 1, 2)
    if unit is None:
        cells = np.concatenate([cells[:3], (sums[0][:, None] - cells.sum(axis=0))[None]])
    return Sums(np.ascontiguousarray(cells), sums[0], x.n, unit or 0)


def _add_entries(sums: Array, x: Examples, weights: Array) -> None:
    """Add the weights of each entry at its place."""
    lengths, places = entries_of(x)
    order = np.argsort(places, kind="stable")
    owner, places = np.repeat(np.arange(x.n), lengths)[order], places[order]
    first = np.flatnonzero(np.diff(places, prepend=-1))
    if len(first):
        sums[places[first]] += np.add.reduceat(weights[owner], first, axis=0).astype(np.int64)
    sums[0] += weights.sum(axis=0).astype(np.int64)


def _whole_cells(x: Examples, unit: int) -> Array:
    """Return a column of ones, then tp, fp, fn and tn as whole multiples of 2**unit."""
    cells = Cells(x.y, x.yhat, x.tnorm, x.cells, scale=x.scale)
    four = (np.rint(np.ldexp(np.asarray(c, np.float64), -unit)) for c in (cells.tp, cells.fp, cells.fn, cells.tn))
    return np.hstack([np.ones((x.n, 1)), *four])
