"""Many short rankings at a time: each row of a table of scores is ranked by itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...algebra.arrays import Array
from ..sweep_rows import SweepRows


@dataclass(frozen=True, eq=False)
class Steps:
    """What formulas of areas read: running sums of positives and negatives at falling thresholds.

    They run along the last axis.
    """

    tp: Array
    fp: Array
    thresholds: Array

    @property
    def fn(self) -> Array:
        """The positives that do not reach each threshold."""
        return np.asarray(self.tp[..., -1:] - self.tp)

    @property
    def tn(self) -> Array:
        """The negatives that do not reach each threshold."""
        return np.asarray(self.fp[..., -1:] - self.fp)


def steps_of_groups(rows: SweepRows, order: Array, first: Array, sizes: Array, width: int) -> Steps:
    """Return the steps of some groups, each in a row with room for ``width`` examples."""
    place = np.arange(width)
    here = place < sizes[:, None]
    at = order[np.where(here, first[:, None] + place, 0).ravel()] if len(order) else np.zeros(0, np.intp)
    some, shape = rows.take(at), (len(sizes), -1)
    seen = np.broadcast_to(here.reshape(-1, 1) if some.mask is None else here.reshape(-1, 1) & some.mask, some.scores.shape)
    return row_steps(some.truth().reshape(shape), some.scores.reshape(shape), seen.reshape(shape))


def row_steps(truth: Array, scores: Array, seen: Array | None = None) -> Steps:
    """Return the steps of each row of a table of scores, ranked within the row.

    Inside a tie the step before it is repeated, so that every row has as many steps as there are columns; a score that was not
    seen counts for nothing, and its step comes last.

    >>> steps = row_steps(np.array([[True, False, True]]), np.array([[0.5, 0.5, 0.1]]))
    >>> steps.tp.tolist(), steps.fp.tolist()
    ([[0, 0, 1, 2]], [[0, 0, 1, 1]])
    """
    if seen is not None:
        scores = np.where(seen, scores, -np.inf)
    order = np.argsort(scores, axis=1)[:, ::-1]
    ranked, up = np.take_along_axis(scores, order, axis=1), np.take_along_axis(truth, order, axis=1)
    observed = True if seen is None else np.take_along_axis(np.broadcast_to(seen, scores.shape), order, axis=1)
    last = np.ones(scores.shape, bool)  # of each run of ties
    np.not_equal(ranked[:, 1:], ranked[:, :-1], out=last[:, :-1])
    tp, fp = (_running_sums(side & observed, last) for side in (up, ~up))
    return Steps(tp, fp, np.concatenate((np.full((len(scores), 1), np.inf, np.result_type(ranked, np.float16)), ranked), axis=1))


def _running_sums(cells: Array, last: Array) -> Array:
    sums = np.zeros((cells.shape[0], cells.shape[1] + 1), np.int64)
    np.cumsum(cells, axis=1, out=sums[:, 1:])
    sums[:, 1:] *= last
    np.maximum.accumulate(sums, axis=1, out=sums)
    return sums
