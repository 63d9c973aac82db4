"""Many columns of scores on a device, from one sort of all: sums behind areas, counts at thresholds.

Of one column, the two sums behind AUC and average precision. The sum of pairs is an exact integer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts
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
    on_device_of,
    processors,
    to_host,
    type_in_c,
)

ENTRIES = 1 << 27  # scores that are sorted at once; each needs about 60 bytes
KEY = 33  # bits of a key in its column: 32 of the score, which ascend with it, and the label
LARGEST_BITS = 0x7FFFFFFF  # of a float of 32 bits, without its sign

Sums = tuple[int, float, int]
Steps = tuple[Any, Any, Any]  # distinct scores, highest first, and how many positives and negatives reach each
HostSteps = tuple[Array, Array, Array]
BLOCK = 1 << 24  # steps of which a formula is computed at a time


def rank_sums_of_columns(scores: Any, labels: Any) -> list[Sums]:
    """Return what ``rank_sums`` returns of each column of an n x m table.

    Labels are a table of bools, or for each example the number of its column. Scores of 64 bits, and those of a library that does
    not show their bits, are ranked column by column.

    >>> scores = np.array([[0.9, 0.1], [0.2, 0.2], [0.9, 0.3]], np.float32)
    >>> rank_sums_of_columns(scores, np.array([0, 1, 1]))
    [(3, 0.5, 1), (4, 2.0, 2)]
    """
    (n, m), scores = scores.shape, as_float(scores)
    if not _sort_together(scores):
        return [rank_sums(scores[:, j], positives(labels, j, j + 1)[:, 0]) for j in range(m)]
    step, found = _step(n), list[Sums]()
    for start in range(0, m, step):
        stop = min(start + step, m)
        sums_of = _by_kernels if are_usable(scores, labels) else _by_operations
        found += sums_of(scores[:, start:stop], labels, start, stop)
    return found


def _sort_together(scores: Any) -> bool:
    """Return whether the bits of scores leave room for the number of a column."""
    return bool(scores.shape[0]) and scores.dtype != namespace_of(scores).float64 and hasattr(scores, "view")


def _step(n: int) -> int:
    """Return how many columns of n scores are sorted at once."""
    return max(1, ENTRIES // n)


def positives(labels: Any, start: int, stop: int) -> Any:
    """Return some columns of a table of bools; of the numbers of columns, which of them each example has."""
    if labels.ndim == 2:
        return labels[:, start:stop]
    xp = namespace_of(labels)
    return xp.expand_dims(labels, axis=1) == xp.arange(start, stop, dtype=labels.dtype, device=labels.device)


def sort_columns(scores: Any, labels: Any, start: int, stop: int) -> tuple[Any, Any]:
    """Return the distinct keys of some columns, ascending, and how many rows have each.

    A key is the number of the column, the score and the label, so the keys of a column lie together, and at each score its
    negatives before its positives.
    """
    xp, (n, m), coded = namespace_of(scores), scores.shape, labels.ndim == 1
    if are_usable(scores, labels):
        scores, labels = contiguous(scores), contiguous(labels if coded else labels[:, start:stop])
        keys = xp.empty(n * m, dtype=xp.int64, device=scores.device)
        kernel = kernel_of_scores("column_keys", scores, labels, wide=True)
        kernel(launch_size(scores, n * m), scores, labels, keys, *halves(n * m), m, start, int(coded))
    else:
        keys = xp.reshape(_keys(scores, positives(labels, start, stop), m), (-1,))
    keys, counts = xp.unique_counts(keys)
    return keys, xp.astype(counts, xp.int64)


def _by_kernels(scores: Any, labels: Any, start: int, stop: int) -> list[Sums]:
    xp, (n, m), there, coded = namespace_of(scores), scores.shape, scores.device, labels.ndim == 1
    keys, counts = sort_columns(scores, labels, start, stop)
    running = count_tiles(scores, keys, counts, wide=True)
    size, length = (-(-keys.shape[0] // TILE), THREADS), halves(keys.shape[0])
    if coded:
        total = xp.stack([xp.sum(labels == j, dtype=xp.int64) for j in range(start, stop)])
    else:
        total = xp.sum(labels[:, start:stop], axis=0, dtype=xp.int64)
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
    xp, (n, m), there = namespace_of(scores), scores.shape, scores.device
    total = xp.sum(positives(labels, start, stop), axis=0, dtype=xp.int64)
    keys, counts = sort_columns(scores, labels, start, stop)
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


@dataclass(frozen=True, eq=False)
class ColumnSteps:
    """The distinct scores of neighboring columns on a device, and how many rows of each side reach each.

    Scores are highest first in each column; the last column stands first, as in keys that fall.
    """

    n: int  # rows of each column
    scores: Any
    tp: Any
    fp: Any
    place: Any  # of the column of each score, 0 for the last; None: there is one
    ends: list[int]  # where the column of each place begins, and the last one ends

    def of(self, j: int) -> Steps:
        """Return the steps of one column."""
        a, b = self.ends[-2 - j], self.ends[-1 - j]
        return self.scores[a:b], self.tp[a:b], self.fp[a:b]

    def near_best(self, values: Callable[[Counts], Any], tolerance: float) -> list[HostSteps] | None:
        """Return few steps of each column, in main memory.

        Those whose value is nearly the highest, the next of each, and the ends. None if the formula cannot be computed on the
        device.
        """
        xp, ends = namespace_of(self.scores), np.asarray(self.ends, np.int64)
        last = on_device_of(ends[1:] - 1, self.scores)
        value = self._values(values, [xp.astype(xp.take(x, last), xp.float64) for x in (self.tp, self.fp)])
        if value is None:
            return None
        tops = xp.stack([xp.max(value[a:b]) for a, b in pairwise(self.ends)])
        size = xp.abs(tops)
        least = self._each(tops - tolerance * xp.where(size > 1, size, xp.ones_like(size)))
        at = to_host(xp.nonzero((value >= least) & (value > -xp.inf))[0])
        after = np.minimum(at + 1, ends[np.searchsorted(ends, at, "right")] - 1)
        kept = np.unique(np.concatenate([at, after, ends[:-1], ends[1:] - 1]))
        there = on_device_of(kept, self.scores)
        few = [to_host(xp.take(x, there)) for x in (self.scores, self.tp, self.fp)]
        cuts = pairwise(np.searchsorted(kept, ends).tolist())
        return [(few[0][a:b], few[1][a:b], few[2][a:b]) for a, b in cuts][::-1]

    def _each(self, numbers: Any, here: slice = slice(None)) -> Any:
        """Return a number of each place at some of the steps."""
        return numbers if self.place is None else namespace_of(numbers).take(numbers, self.place[here])

    def _values(self, values: Callable[[Counts], Any], totals: list[Any]) -> Any:
        """Return the value of a formula at each step; None if the device cannot compute it.

        It is -inf where it is not finite. ``totals`` are all positives and all negatives of each place.
        """
        xp, found = namespace_of(self.tp), list[Any]()
        for start in range(0, self.tp.shape[0], BLOCK):
            here = slice(start, start + BLOCK)
            tp, fp = (xp.astype(x[here], xp.float64) for x in (self.tp, self.fp))
            positives, negatives = (self._each(x, here) for x in totals)
            try:
                value = values(Counts(tp, fp, positives - tp, negatives - fp, bound=self.n))
                found.append(xp.where(xp.isfinite(value), value, xp.full_like(value, -xp.inf)))
            except (
                Exception
            ):  # a formula may need what only arrays in main memory have, where it is computed or says what is wrong
                return None
            if found[-1].shape != tp.shape:
                return None
        return xp.concat(found)


def steps_of_columns(scores: Any, labels: Any, start: int, stop: int) -> ColumnSteps:
    """Return the steps of some columns of scores, from one sort.

    Scores are these columns alone; labels are as in ``rank_sums_of_columns``, of all columns.
    """
    xp, (n, m), there = namespace_of(scores), scores.shape, scores.device
    keys, counts = (xp.flip(x) for x in sort_columns(scores, labels, start, stop))
    own = keys >> 1  # column and score
    (last,) = xp.nonzero(xp.concat([own[1:] != own[:-1], xp.ones(1, dtype=xp.bool, device=there)]))
    running = [xp.cumulative_sum(x) for x in (counts, xp.where((keys & 1) == 1, counts, xp.zeros_like(counts)))]
    own, (reached, tp) = xp.take(own, last), (xp.take(x, last) for x in running)
    place = m - 1 - (own >> KEY - 1)
    ends = xp.searchsorted(place, xp.arange(m + 1, dtype=xp.int64, device=there))
    before = xp.concat([xp.zeros(1, dtype=xp.int64, device=there), xp.take(tp, ends[1:-1] - 1)])  # positives of places before
    tp = tp - xp.take(before, place)
    bits = xp.astype((own & (2 * LARGEST_BITS + 1)) - (LARGEST_BITS + 1), xp.int32)
    numbers = xp.where(bits < 0, bits ^ LARGEST_BITS, bits).view(xp.float32)
    return ColumnSteps(n, numbers, tp, reached - place * n - tp, place, to_host(ends).tolist())


class Columns:
    """Columns of scores on a device with their labels.

    Scores are n x m, labels n x m bools or n numbers of columns.

    Whoever asks for a second column mostly asks for all, and one sort takes less time than many.
    """

    def __init__(self, labels: Any, scores: Any) -> None:
        self.labels, self.scores = labels, scores
        self._first: int | None = None  # the column that was asked for first
        self._steps: dict[int, ColumnSteps] = {}  # by the first of neighboring columns
        self._formula: tuple[Any, int] | None = None  # the last one, and the column of which it was asked first
        self._near: dict[int, list[HostSteps] | None] = {}  # of this formula

    @cached_property
    def sums(self) -> list[Sums]:
        """What areas need of each column."""
        return rank_sums_of_columns(self.scores, self.labels)

    def _together(self, j: int) -> tuple[int, ColumnSteps] | None:
        """Return the first of the neighbors of a column, and their steps; None: it is better sorted alone."""
        self._first = j if self._first is None else self._first
        if not _sort_together(self.scores) or (self._first == j and not self._steps):
            return None
        step = _step(self.scores.shape[0])
        start = j // step * step
        if start not in self._steps:
            some = as_float(self.scores[:, start : start + step])
            self._steps[start] = steps_of_columns(some, self.labels, start, start + some.shape[1])
        return start, self._steps[start]

    def steps(self, j: int) -> Steps | None:
        """Return the distinct scores of a column, highest first, and how many rows of each side reach each.

        None where one column is better sorted alone.
        """
        found = self._together(j)
        return None if found is None else found[1].of(j - found[0])

    def near_best(self, j: int, formula: Any, values: Callable[[Counts], Any], tolerance: float) -> HostSteps | None:
        """Return the steps of a column that ``ColumnSteps.near_best`` finds.

        ``formula`` tells ``values`` from others. None where the formula was not asked of another column before, or cannot be
        computed on the device.
        """
        if self._formula is None or self._formula[0] != formula:
            self._formula, self._near = (formula, j), {}
        if self._formula[1] == j and not self._near:
            return None
        found = self._together(j)
        if found is None:
            return None
        start, steps = found
        if start not in self._near:
            self._near[start] = steps.near_best(values, tolerance)
        near = self._near[start]
        return None if near is None else near[j - start]


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
