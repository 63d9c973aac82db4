"""The sums behind areas of many columns of scores, from one sort of all of them on a device."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...encode.cuda_kernels import are_usable, halves
from ...encode.device_arrays import contiguous, namespace_of, to_host
from .rank_sums import THREADS, TILE, count_tiles, kernel_of_scores, launch_size, rank_sums

ENTRIES = 1 << 27  # scores that are sorted at once; each needs about 60 bytes
KEY = 33  # bits of a key in its column: 32 of the score, which ascend with it, and the label
LARGEST = 0x7FFFFFFF

Sums = tuple[int, float, int]


def rank_sums_of_columns(scores: Any, labels: Any) -> list[Sums]:
    """Return what ``rank_sums`` returns of each column of an n x m table.

    Labels are a table of bools, or for each example the number of its column. Scores of 64 bits, and those of a library that does
    not show their bits, are ranked column by column.

    >>> scores = np.array([[0.9, 0.1], [0.2, 0.2], [0.9, 0.3]], np.float32)
    >>> rank_sums_of_columns(scores, np.array([0, 1, 1]))
    [(3, 0.5, 1), (4, 2.0, 2)]
    """
    xp, (n, m) = namespace_of(scores), scores.shape
    if scores.dtype != xp.float32 and scores.dtype != xp.float64:
        scores = xp.astype(scores, xp.float32)
    if scores.dtype == xp.float64 or not hasattr(scores, "view") or not n:
        return [rank_sums(scores[:, j], positives(labels, j, j + 1)[:, 0]) for j in range(m)]
    step, found = max(1, ENTRIES // n), list[Sums]()
    for start in range(0, m, step):
        stop = min(start + step, m)
        sums_of = _by_kernels if are_usable(scores, labels) else _by_operations
        found += sums_of(scores[:, start:stop], labels, start, stop)
    return found


def positives(labels: Any, start: int, stop: int) -> Any:
    """Return some columns of a table of bools; of the numbers of columns, which of them each example has."""
    if labels.ndim == 2:
        return labels[:, start:stop]
    xp = namespace_of(labels)
    return xp.expand_dims(labels, axis=1) == xp.arange(start, stop, dtype=labels.dtype, device=labels.device)


def _by_kernels(scores: Any, labels: Any, start: int, stop: int) -> list[Sums]:
    xp, (n, m), there, coded = namespace_of(scores), scores.shape, scores.device, labels.ndim == 1
    scores, labels = contiguous(scores), contiguous(labels if coded else labels[:, start:stop])
    keys = xp.empty(n * m, dtype=xp.int64, device=there)
    kernel = kernel_of_scores("column_keys", scores, labels, wide=True)
    kernel(launch_size(scores, n * m), scores, labels, keys, *halves(n * m), m, start, int(coded))
    keys, counts = xp.unique_counts(keys)
    counts = xp.astype(counts, xp.int64)
    running = count_tiles(scores, keys, counts, wide=True)
    size, length = (-(-keys.shape[0] // TILE), THREADS), halves(keys.shape[0])
    if coded:
        total = xp.stack([xp.sum(labels == j, dtype=xp.int64) for j in range(start, stop)])
    else:
        total = xp.sum(labels, axis=0, dtype=xp.int64)
    columns = xp.empty(size[0], dtype=xp.int32, device=there)
    twice, precisions = (xp.empty(size[0], dtype=dtype, device=there) for dtype in (xp.int64, xp.float64))
    inside = [xp.zeros((2, m), dtype=dtype, device=there) for dtype in (xp.int64, xp.float64)]
    kernel = kernel_of_scores("sum_columns", scores, wide=True)
    kernel(size, keys, counts, running, xp.cumulative_sum(total), columns, twice, precisions, *inside, *length, n, m)
    sums, at = [to_host(x).sum(axis=0) for x in inside], to_host(columns)
    for own, blocks in zip(sums, (twice, precisions), strict=True):
        np.add.at(own, at, to_host(blocks))
    return [*zip(*(x.tolist() for x in (*sums, to_host(total))), strict=True)]


def _by_operations(scores: Any, labels: Any, start: int, stop: int) -> list[Sums]:
    """Return the sums of some columns.

    A key is the number of the column, the score and the label, so the keys of a column lie together, and at each score its
    negatives before its positives.
    """
    xp, (n, m), there, positive = namespace_of(scores), scores.shape, scores.device, positives(labels, start, stop)
    total = xp.sum(positive, axis=0, dtype=xp.int64)
    keys, counts = xp.unique_counts(xp.reshape(_keys(scores, positive, m), (-1,)))
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


def _keys(scores: Any, positive: Any, m: int) -> Any:
    """Return integers that ascend with column, score and label; both zeros have one key."""
    xp = namespace_of(scores)
    bits = (scores + 0.0).view(xp.int32)
    keys = xp.astype(xp.where(bits < 0, bits ^ LARGEST, bits), xp.int64)  # of negative numbers, larger ones have smaller bits
    keys = (keys + (LARGEST + 1)) << 1
    return (keys | xp.astype(positive, xp.int64)) + (xp.arange(m, dtype=xp.int64, device=scores.device) << KEY)
