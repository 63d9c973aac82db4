"""An exemplar average at every threshold that all labels share.

The value of an example changes only when the threshold passes one of its scores.
"""

from __future__ import annotations

import math

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.counts import Counts
from ...algebra.derived.derived_facts import SIGNS, needed_direction
from ...algebra.measure import Measure
from ...algebra.numbers.functions import ratio
from ..sweep_rows import SweepRows
from .best_thresholds import Best, plateaus_of

BLOCK = 1 << 20  # entries whose values are computed at a time
ROUNDED = 1e-12  # values that differ by no more are equal: they are sums of many differences


def best_shared(measure: Measure, rows: SweepRows) -> Best:
    """Return the threshold for all labels at which the exemplar average is best."""
    thresholds, values = exemplar_values(measure, rows)
    sign = SIGNS[needed_direction(measure)]
    values *= sign
    if len(thresholds) > 1 and thresholds[1] == np.inf:
        values[0] = np.nan  # no threshold lies above such a score
    if np.isnan(values).all():
        return Best(measure, math.nan, math.nan, math.nan, math.nan, (), None)
    top = float(np.nanmax(values))
    chosen = np.flatnonzero(values >= top - ROUNDED * max(1.0, abs(top)))
    plateaus, (low, high) = plateaus_of(chosen, thresholds)
    return Best(measure, sign * top, high, low, high, plateaus, None)


def exemplar_values(measure: Measure, rows: SweepRows) -> tuple[Array, Array]:
    """Return all thresholds, from +inf down, and the exemplar average at each.

    Examples where the measure is undefined are left out of the mean at that threshold; nan where it is undefined for all.
    The values are sums of differences, kept in twice the digits of a float: so a heavy example that becomes undefined leaves
    the light ones as they are.

    >>> import indicatrix as ix
    >>> rows = SweepRows(np.array([[True, False], [True, True]]), np.array([[0.9, 0.4], [0.3, 0.2]]))
    >>> thresholds, values = exemplar_values(ix.recall, rows)
    >>> thresholds.tolist(), values.tolist()
    ([inf, 0.9, 0.4, 0.3, 0.2], [0.0, 0.5, 0.5, 0.75, 1.0])
    """
    n, m = rows.scores.shape
    falling = -np.asarray(rows.scores, np.float64)  # negated, so that the highest scores come first …
    if rows.mask is not None:
        falling = np.where(rows.mask, falling, np.nan)  # … and last what was not observed, which is not a threshold
    weight = np.ones(n) if rows.weights is None else rows.weights
    first, then, before = (np.empty((3, size)) for size in (n, n * m, n * m))  # value times weight, weight, and 1 if defined
    step = max(1, BLOCK // (m + 1))
    for start in range(0, n, step):
        part, entries = slice(start, start + step), slice(start * m, (start + step) * m)
        table = _row_values(measure, rows.truth(part), falling[part], None if rows.mask is None else rows.mask[part])
        defined = np.isfinite(table)
        w = weight[part, None] * defined
        three = np.stack([np.where(defined, table, 0.0) * w, w, defined & (w > 0)])
        first[:, part] = three[:, :, 0]
        then[:, entries], before[:, entries] = (x.reshape(3, -1) for x in (three[:, :, 1:], three[:, :, :-1]))
    # The moves of a row are in the order of its scores; so are its scores, sorted.
    falling = np.sort(falling, axis=1).ravel()
    order = np.argsort(falling, kind="stable")[: np.count_nonzero(falling == falling)]
    flat = -falling
    last = np.flatnonzero(np.append(flat[order][1:] != flat[order][:-1], np.ones(min(len(order), 1), bool)))
    at = np.append(n - 1, n + last)
    totals = np.stack([_running_sums(first[k], then[k], before[k], order)[at] for k in range(3)]) if n else np.zeros((3, 1))
    with quiet():
        values = np.where(np.rint(totals[2]) > 0, ratio(totals[0], totals[1]), np.nan)
    return np.concatenate([[np.inf], flat[order][last] + 0.0]), values


def _running_sums(first: Array, then: Array, before: Array, order: Array) -> Array:
    """Return the running sum of the first numbers, then of the moves in their order.

    Each move goes from one number to another. What the sums and the differences round away is summed, too: a heavy number that
    comes and goes leaves the light ones behind, and not the rounding errors of its own size.
    """
    then, before = then[order], before[order]
    moves = np.concatenate([first, then - before])
    slips = np.concatenate([np.zeros(len(first)), _slip(then, -before, moves[len(first) :])])
    sums = np.cumsum(moves)
    slips[1:] += _slip(sums[:-1], moves[1:], sums[1:])
    return np.asarray(sums + np.cumsum(slips))


def _slip(a: Array, b: Array, total: Array) -> Array:
    """Return what was rounded away in a + b, exactly (Knuth)."""
    there = total - a
    return np.asarray((a - (total - there)) + (b - there))


def _row_values(measure: Measure, truth: Array, falling: Array, seen: Array | None) -> Array:
    """Return the measure of each example after its 0, 1, …, m highest scores are accepted.

    The scores come negated.
    """
    order = np.argsort(falling, axis=1, kind="stable")
    yes, no = truth if seen is None else truth & seen, ~truth if seen is None else ~truth & seen
    tp, fp = (np.cumsum(np.take_along_axis(x, order, axis=1), axis=1, dtype=np.int64) for x in (yes, no))
    tp, fp = (np.concatenate([np.zeros((len(x), 1), np.int64), x], axis=1) for x in (tp, fp))
    four = (tp, fp, tp[:, -1:] - tp, fp[:, -1:] - fp)
    return np.asarray(measure.values(Counts(*(x.ravel() for x in four)))).reshape(tp.shape)
