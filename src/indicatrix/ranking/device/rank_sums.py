"""The two sums behind AUC and average precision, on a device.

They are of one column of scores. The sum of pairs is an exact integer.
"""

from __future__ import annotations

from math import prod
from typing import Any

from ...encode.device_arrays import (
    Kernel,
    are_usable,
    contiguous,
    halves,
    has_long_integers,
    holds_labels,
    is_kind,
    kernel_for,
    namespace_of,
    processors,
    type_in_c,
)

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


def as_float(scores: Any) -> Any:
    """Return scores in 32 or 64 bits; shorter ones in 32."""
    xp = namespace_of(scores)
    return scores if scores.dtype in (xp.float32, xp.float64) else xp.astype(scores, xp.float32)


def rank_sums(scores: Any, positive: Any) -> tuple[int, float, int]:
    """Return twice the number of ordered pairs, the sum of precisions, and the number of positives.

    Precisions are those at positives. A pair is ordered if its positive ranks above its negative; a tie counts one half. Scores
    and bools are vectors.

    >>> import numpy as np
    >>> rank_sums(np.array([0.9, 0.2, 0.9]), np.array([True, False, False]))
    (3, 0.5, 1)
    """
    scores = as_float(scores)
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
