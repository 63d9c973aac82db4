"""An exemplar average at every threshold that all labels share: each example moves only when one of its scores is passed."""

from __future__ import annotations

import math

import numpy as np

from ..algebra.arrays import quiet, ratio
from ..algebra.counts import Counts
from ..algebra.measure import Measure
from ..tally.kernels import Array
from .best import Best, plateaus_of
from .rows import Rows

BLOCK = 1 << 20  # entries whose values are computed at a time
ROUNDED = 1e-12  # values that differ by no more are equal: they are sums of many differences


def best_shared(measure: Measure, rows: Rows) -> Best:
    """Return the one threshold for all labels at which the exemplar average of a measure is best (eq:example_ext)."""
    thresholds, values = exemplar_values(measure, rows)
    sign = -1 if measure.better == "lower" else 1
    values *= sign
    if len(thresholds) > 1 and thresholds[1] == np.inf:
        values[0] = np.nan  # no threshold lies above such a score
    if np.isnan(values).all():
        return Best(measure, math.nan, math.nan, math.nan, math.nan, (), None)
    top = float(np.nanmax(values))
    chosen = np.flatnonzero(values >= top - ROUNDED * max(1.0, abs(top)))
    plateaus, (low, high) = plateaus_of(chosen, thresholds)
    return Best(measure, sign * top, high, low, high, plateaus, None)


def exemplar_values(measure: Measure, rows: Rows) -> tuple[Array, Array]:
    """Return all thresholds, from +inf down, and the mean over examples of the measure at each (eq:example_ext).

    Examples where the measure is undefined are left out of the mean at that threshold; nan where it is undefined for all.
    The values are sums of differences, right to about 1e-12.

    >>> import indicatrix as ix
    >>> rows = Rows(np.array([[True, False], [True, True]]), np.array([[0.9, 0.4], [0.3, 0.2]]))
    >>> thresholds, values = exemplar_values(ix.recall, rows)
    >>> thresholds.tolist(), values.tolist()
    ([inf, 0.9, 0.4, 0.3, 0.2], [0.0, 0.5, 0.5, 0.75, 1.0])
    """
    n, m = rows.scores.shape
    falling = -np.asarray(rows.scores, np.float64)  # negated, so that the highest scores come first …
    if rows.mask is not None:
        falling = np.where(rows.mask, falling, np.nan)  # … and last what was not observed, which is no threshold
    weight = np.ones(n) if rows.weights is None else rows.weights
    sums, moves = np.zeros(3), np.empty((3, n * m))
    step = max(1, BLOCK // (m + 1))
    for start in range(0, n, step):
        part = slice(start, start + step)
        table = _row_values(measure, rows.truth(part), falling[part], None if rows.mask is None else rows.mask[part])
        defined = np.isfinite(table)
        w = weight[part, None] * defined
        three = np.stack([np.where(defined, table, 0.0) * w, w, defined & (w > 0)])
        sums += three[:, :, 0].sum(axis=1)
        moves[:, start * m : (start + len(table)) * m] = np.diff(three, axis=2).reshape(3, -1)
    # The moves of a row are in the order of its scores; so are its scores, sorted.
    falling = np.sort(falling, axis=1).ravel()
    order = np.argsort(falling, kind="stable")[: np.count_nonzero(falling == falling)]
    flat = -falling
    last = np.flatnonzero(np.append(flat[order][1:] != flat[order][:-1], np.ones(min(len(order), 1), bool)))
    totals = sums[:, None] + np.concatenate([np.zeros((3, 1)), np.cumsum(moves[:, order], axis=1)[:, last]], axis=1)
    with quiet():
        values = np.where(np.rint(totals[2]) > 0, ratio(totals[0], totals[1]), np.nan)
    return np.concatenate([[np.inf], flat[order][last] + 0.0]), values


def _row_values(measure: Measure, truth: Array, falling: Array, seen: Array | None) -> Array:
    """Return the measure of each example after its 0, 1, …, m highest scores, which come negated, are accepted."""
    order = np.argsort(falling, axis=1, kind="stable")
    yes, no = truth if seen is None else truth & seen, ~truth if seen is None else ~truth & seen
    tp, fp = (np.cumsum(np.take_along_axis(x, order, axis=1), axis=1, dtype=np.int64) for x in (yes, no))
    tp, fp = (np.concatenate([np.zeros((len(x), 1), np.int64), x], axis=1) for x in (tp, fp))
    four = (tp, fp, tp[:, -1:] - tp, fp[:, -1:] - fp)
    return np.asarray(measure.values(Counts(*(x.ravel() for x in four)))).reshape(tp.shape)
