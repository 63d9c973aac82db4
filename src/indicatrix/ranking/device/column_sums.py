"""The sums behind areas of many columns of scores, from one sort of all of them on a device."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ...encode.device_arrays import namespace_of, to_host
from .rank_sums import rank_sums

ENTRIES = 1 << 27  # scores that are sorted at once; each needs about 60 bytes
KEY = 33  # bits of a key in its column: 32 of the score, which ascend with it, and the label
LARGEST = 0x7FFFFFFF


def rank_sums_of_columns(scores: Any, labels: Any) -> list[tuple[int, float, int]]:
    """Return what ``rank_sums`` returns of each row of an m x n table.

    Labels are a table of bools, or for each example the number of its row. Scores of 64 bits, and those of a library that does
    not show their bits, are ranked row by row.

    >>> import numpy as np
    >>> scores = np.array([[0.9, 0.2, 0.9], [0.1, 0.2, 0.3]], np.float32)
    >>> rank_sums_of_columns(scores, np.array([0, 1, 1]))
    [(3, 0.5, 1), (4, 2.0, 2)]
    """
    xp, (m, n) = namespace_of(scores), scores.shape
    if scores.dtype != xp.float32 and scores.dtype != xp.float64:
        scores = xp.astype(scores, xp.float32)
    if scores.dtype == xp.float64 or not hasattr(scores, "view") or not n:
        return [rank_sums(scores[j, :], _positives(labels, j, j + 1)[0, :]) for j in range(m)]
    step, found = max(1, ENTRIES // n), list[tuple[int, float, int]]()
    for start in range(0, m, step):
        stop = min(start + step, m)
        found += _some_columns(scores[start:stop, :], _positives(labels, start, stop))
    return found


def _positives(labels: Any, start: int, stop: int) -> Any:
    if labels.ndim == 2:
        return labels[start:stop, :]
    xp = namespace_of(labels)
    return xp.expand_dims(xp.arange(start, stop, dtype=labels.dtype, device=labels.device), axis=1) == labels


def _some_columns(scores: Any, positive: Any) -> list[tuple[int, float, int]]:
    """Return the sums of some columns.

    A key is the number of the column, the score and the label, so the keys of a column lie together, and at each score its
    negatives before its positives.
    """
    xp, (m, n), there = namespace_of(scores), scores.shape, scores.device
    columns = xp.arange(m, dtype=xp.int64, device=there)
    total = xp.sum(positive, axis=1, dtype=xp.int64)
    keys, counts = xp.unique_counts(xp.reshape(_keys(scores, positive, columns), (-1,)))
    counts = xp.astype(counts, xp.int64)
    running = xp.cumulative_sum(counts)
    (at,) = xp.nonzero((keys & 1) == 1)  # where a score has positives
    own, here = xp.take(keys, at), xp.take(counts, at)
    column = own >> KEY
    before = xp.take(running, at) - here - column * n  # entries of the column with a lower key
    below = xp.cumulative_sum(here) - here - xp.take(xp.cumulative_sum(total) - total, column)  # positives among them
    last = xp.where(at > 0, at - 1, at)
    ties = xp.where(xp.take(keys, last) == own - 1, xp.take(counts, last), xp.zeros_like(here))  # negatives of the same score
    twice = here * (2 * (before - below) - ties)
    reached = n - before + ties
    precisions = xp.astype(here * (xp.take(total, column) - below), xp.float64) / xp.astype(reached, xp.float64)
    ends = to_host(xp.searchsorted(own, xp.arange(m + 1, dtype=xp.int64, device=there) << KEY)).tolist()
    sums = [to_host(xp.stack([xp.sum(x[a:b]) for a, b in pairwise(ends)])).tolist() for x in (twice, precisions)]
    return [(int(t), float(p), int(k)) for t, p, k in zip(*sums, to_host(total).tolist(), strict=True)]


def _keys(scores: Any, positive: Any, columns: Any) -> Any:
    """Return integers that ascend with column, score and label; both zeros have one key."""
    xp = namespace_of(scores)
    bits = (scores + 0.0).view(xp.int32)
    keys = xp.astype(xp.where(bits < 0, bits ^ LARGEST, bits), xp.int64)  # of negative numbers, larger ones have smaller bits
    keys = (keys + (LARGEST + 1)) << 1
    return (keys | xp.astype(positive, xp.int64)) + (xp.expand_dims(columns, axis=1) << KEY)
