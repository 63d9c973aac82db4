"""The two sums behind AUC and average precision, on a device.

They are of one column of scores, or of many from one sort.

The sum of pairs is an exact integer.
"""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from ...encode.cuda_kernels import Kernel, are_usable, halves, kernel_for, processors, type_in_c
from ...encode.device_arrays import contiguous, has_long_integers, holds_labels, is_kind, namespace_of, to_host

THREADS, BLOCKS = 256, 8
TILE = THREADS * 8  # distinct keys that a block sums
PACKED = 1 << 31  # up to this many scores, the running numbers of all and of positives fit in one integer
LARGEST = 2**63 - 1


def copy_checked(labels: Any, scores: Any) -> tuple[Any, Any] | None:
    """Return copies of labels, as bools, and of scores of the same shape; None if one is not right.

    Labels are 0 and 1 or bools, and no score is NaN.
    """
    xp = namespace_of(scores)
    if not holds_labels(labels) or not has_long_integers(xp) or not is_kind(scores, "real floating"):
        return None
    if are_usable(labels, scores) and type_in_c(scores) in ("float", "double"):
        labels, scores = contiguous(labels), contiguous(scores)
        to, bits = xp.empty_like(scores), xp.empty_like(scores, dtype=xp.bool)
        odd = xp.zeros(1, dtype=xp.int32, device=scores.device)
        n = prod(scores.shape)
        kernel_of_scores("copy_checked", scores, labels)(launch_size(scores, n), scores, labels, to, bits, odd, *halves(n))
        return None if int(odd[0]) else (bits, to)
    if bool(xp.any(xp.isnan(scores))) or (not is_kind(labels, "bool") and bool(xp.any((labels != 0) & (labels != 1)))):
        return None
    return xp.asarray(labels, copy=True) if is_kind(labels, "bool") else labels == 1, xp.asarray(scores, copy=True)


def launch_size(like: Any, n: int) -> tuple[int, int]:
    """Return how many blocks, and threads of each, go through n numbers."""
    return max(1, min(BLOCKS * processors(like), -(-n // THREADS))), THREADS


def kernel_of_scores(name: str, scores: Any, labels: Any = None, *, wide: bool = False) -> Kernel:
    """Return a kernel for scores; ``wide`` asks for keys of twice their size."""
    key = "long long" if wide or type_in_c(scores) == "double" else "int"
    label = "unsigned char" if labels is None else type_in_c(labels)
    macros = {"SCORE": type_in_c(scores), "KEY": key, "LABEL": label, "THREADS": THREADS}
    return kernel_for(scores, (__package__ or "", "keys.cu"), name, macros)


def rank_sums(scores: Any, positive: Any) -> tuple[int, float, int]:
    """Return twice the number of ordered pairs, the sum of precisions, and the number of positives.

    Precisions are those at positives. A pair is ordered if its positive ranks above its negative; a tie counts one half. Scores
    and bools are vectors.

    >>> import numpy as np
    >>> rank_sums(np.array([0.9, 0.2, 0.9]), np.array([True, False, False]))
    (3, 0.5, 1)
    """
    xp = namespace_of(scores)
    if scores.dtype not in (xp.float32, xp.float64):
        scores = xp.astype(scores, xp.float32)
    if are_usable(scores, positive) and 0 < scores.shape[0] < PACKED:
        found = _by_keys(scores, positive)
        if found is not None:
            return found
    return _by_order(scores, positive)


def _by_keys(scores: Any, positive: Any) -> tuple[int, float, int] | None:
    """Return the sums from sorted keys; None if scores of very different sizes need longer keys."""
    xp, n = namespace_of(scores), scores.shape[0]
    scores, positive = contiguous(scores), contiguous(positive)
    size, there = launch_size(scores, n), scores.device
    span = xp.asarray([LARGEST, 0], dtype=xp.int64, device=there)
    kernel_of_scores("magnitudes", scores)(size, scores, span, *halves(n))
    for wide in (False, True) if scores.dtype == xp.float32 else (False,):
        keys = xp.empty(n, dtype=xp.int64 if wide or scores.dtype == xp.float64 else xp.int32, device=there)
        crowded = xp.zeros(1, dtype=xp.int32, device=there)
        kernel_of_scores("make_keys", scores, wide=wide)(size, scores, positive, span, keys, crowded, *halves(n))
        if not int(crowded[0]):
            break
    else:
        return None
    keys, counts = xp.unique_counts(keys)
    counts, length = xp.astype(counts, xp.int64), halves(keys.shape[0])
    running, size = count_tiles(scores, keys, counts, wide=wide), (-(-keys.shape[0] // TILE), THREADS)
    twice, precisions = (xp.empty(size[0] * THREADS // 32, dtype=dtype, device=there) for dtype in (xp.int64, xp.float64))
    kernel_of_scores("sum_ranks", scores, wide=wide)(size, keys, counts, running, twice, precisions, *length)
    return int(xp.sum(twice)), float(xp.sum(precisions)), int(running[-1]) >> 32


def count_tiles(scores: Any, keys: Any, counts: Any, *, wide: bool) -> Any:
    """Return the numbers of all and of positives up to the end of each tile of distinct keys.

    Both are packed in one integer.
    """
    xp = namespace_of(scores)
    size = -(-keys.shape[0] // TILE), THREADS
    tiles = xp.empty(size[0], dtype=xp.int64, device=scores.device)
    kernel_of_scores("count_tiles", scores, wide=wide)(size, keys, counts, tiles, *halves(keys.shape[0]))
    return xp.cumulative_sum(tiles)


def _by_order(scores: Any, positive: Any) -> tuple[int, float, int]:
    """Return the sums from scores in ascending order."""
    xp, n = namespace_of(scores), scores.shape[0]
    order = xp.argsort(scores)
    scores, labels = xp.take(scores, order), xp.astype(xp.take(positive, order), xp.int64)
    running = xp.cumulative_sum(labels)
    total = int(running[-1]) if n else 0
    (after,) = xp.nonzero(scores[1:] != scores[:-1])  # the last of each group of equal scores, but one
    zero, end = (xp.zeros(k, dtype=xp.int64, device=labels.device) for k in (min(n, 1), 1))
    starts = xp.concat([zero, xp.astype(after, xp.int64) + 1])
    before = xp.concat([zero, xp.take(running, after)])  # positives below each group
    here = xp.concat([before, end + total])[1:] - before
    sizes = xp.concat([starts, end + n])[1:] - starts
    twice = xp.sum(here * (2 * (starts - before) + sizes - here))
    precisions = xp.sum(xp.astype(here * (total - before), xp.float64) / xp.astype(n - starts, xp.float64))
    return int(twice), float(precisions), total


ENTRIES = 1 << 27  # scores that are sorted at once; each needs about 60 bytes
KEY = 33  # bits of a key in its column: 32 of the score, which ascend with it, and the label
LARGEST_BITS = 0x7FFFFFFF  # of a float of 32 bits, without its sign

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
    keys = xp.astype(
        xp.where(bits < 0, bits ^ LARGEST_BITS, bits), xp.int64
    )  # of negative numbers, larger ones have smaller bits
    keys = (keys + (LARGEST_BITS + 1)) << 1
    return (keys | xp.astype(positive, xp.int64)) + (xp.arange(m, dtype=xp.int64, device=scores.device) << KEY)
