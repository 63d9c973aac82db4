"""Counts of very many classes on a device: hits, truths and predictions of each.

Their pairs have no place in memory.

The classes with the highest scores on a device, as ``encode/decisions.py`` finds them in memory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array
from ...encode.decisions import HitInTop
from ...encode.device_arrays import (
    are_usable,
    contiguous,
    count_codes,
    halves,
    is_kind,
    kernel_for,
    namespace_of,
    processors,
    shared_memory,
    to_host,
    type_in_c,
)

WIDEST = 1 << 20  # labels below this have a place each, whether they occur or not
RESERVED = 2 << 10  # bytes of shared memory that a block keeps for itself
THREADS, MANY_THREADS, MANY_BLOCKS = 1024, 256, 8


class Margins(NamedTuple):
    """The integers that occur in two vectors, ascending, with how often they do, in main memory."""

    classes: Array
    tp: Array
    tpos: Array
    ppos: Array


def margins_of_range(true: Any, pred: Any) -> Margins | None:
    """Return the counts of integers without a sort; None if one is negative or far above the others.

    >>> margins = margins_of_range(np.array([7, 3, 7]), np.array([7, 7, 9]))
    >>> [counts.tolist() for counts in margins]
    [[3, 7, 9], [0, 1, 0], [1, 2, 0], [0, 2, 1]]
    """
    if not true.shape[0]:
        return None
    xp, ends = namespace_of(true), list[Any]()
    for labels in (true, pred):
        labels = xp.astype(labels, xp.uint8) if is_kind(labels, "bool") else labels
        ends += [xp.astype(end, xp.int64) for end in (xp.min(labels), xp.max(labels))]
    found = to_host(xp.stack(ends))  # all together, to wait for the device once
    if found.min() < 0 or found.max() >= WIDEST:
        return None
    hits, truths, predictions = to_host(class_margins(true, pred, int(found.max()) + 1))[:, :-1]
    classes = np.flatnonzero(truths + predictions)
    return Margins(classes, hits[classes], truths[classes], predictions[classes])


def class_margins(true: Any, pred: Any, m: int) -> Any:
    """Return hits, truths and predictions of the integers below m, next to the labels.

    The last column counts truths and predictions that are not below m; for hits it means nothing.

    >>> class_margins(np.array([0, 1, 5]), np.array([0, 0, 1]), 2)[1:].tolist()
    [[1, 1, 1], [2, 1, 0]]
    """
    xp = namespace_of(true)
    if true.shape[0] and are_usable(true, pred):
        return _by_kernel(true, pred, m)
    sides = [xp.astype(labels, xp.int64) for labels in (true, pred)]
    t, p = (xp.where((labels < 0) | (labels >= m), xp.full_like(labels, m), labels) for labels in sides)
    return xp.stack([count_codes(codes, m + 1) for codes in (xp.where(t == p, t, xp.full_like(t, m)), t, p)])


def _by_kernel(true: Any, pred: Any, m: int) -> Any:
    xp, true, pred = namespace_of(true), contiguous(true), contiguous(pred)
    buffer = xp.zeros((3, m + 1), dtype=xp.int64, device=true.device)
    most, shared = shared_memory(true) - RESERVED, 12 * (m + 1)
    few, macros = shared <= most, {"TRUE": type_in_c(true), "PRED": type_in_c(pred)}
    name = "margins_of_some" if few else "margins_of_many"
    kernel = kernel_for(true, (__package__ or "", "margins.cu"), name, macros, most_shared=most if few else 0)
    per = MANY_BLOCKS if not few else 2 if 2 * shared < most else 1  # blocks that run on a multiprocessor at a time
    threads = THREADS if few else MANY_THREADS
    blocks = max(1, min(per * processors(true), -(-true.shape[0] // threads)))
    kernel((blocks, threads), true, pred, buffer, *halves(true.shape[0]), m, shared=shared if few else 0)
    return buffer


BLOCKS, ARGMAX_THREADS = 8, 256


def best_class(scores: Any) -> Any:
    """Return the class with the highest score of each row, the lowest among equal ones.

    A row with a NaN has m + 2 instead, where there are m classes. A row is along dimension 1.
    """
    xp, m = namespace_of(scores), scores.shape[1]
    if scores.ndim == 2 and are_usable(scores) and type_in_c(scores) in ("float", "double"):
        return _best_by_kernel(scores)
    if hasattr(scores, "gather"):  # a tensor gives both in one reading
        highest, best = scores.max(dim=1)
    else:
        highest, best = xp.max(scores, axis=1), xp.argmax(scores, axis=1)
    return xp.where(xp.isnan(highest), xp.full_like(best, m + 2), best)  # of a row with a NaN, it is the highest


def picked_class(scores: Any, rule: Any, true: Any) -> Any:
    """Return the class of each row that "argmax" or ``hit_in_top(k)`` picks; m + 2 where a score is NaN."""
    best = best_class(scores)
    if not isinstance(rule, HitInTop):
        return best
    xp, m = namespace_of(scores), scores.shape[1]
    hit = xp.any(highest_classes(scores, rule.k) == xp.expand_dims(true, axis=1), axis=1)
    return xp.where(hit & (best < m), xp.astype(true, best.dtype), best)


def _best_by_kernel(scores: Any) -> Any:
    xp, (n, m), scores = namespace_of(scores), scores.shape, contiguous(scores)
    group = min(32, 1 << max(0, (m - 1) // 8).bit_length())
    kernel = kernel_for(scores, (__package__ or "", "argmax.cu"), "best_class", {"SCORE": type_in_c(scores), "GROUP": group})
    best = xp.empty(n, dtype=xp.int32, device=scores.device)
    kernel(
        (max(1, min(BLOCKS * processors(scores), -(-n * group // ARGMAX_THREADS))), ARGMAX_THREADS), scores, best, *halves(n), m
    )
    return best


def highest_classes(scores: Any, k: int) -> Any:
    """Return the k classes with the highest scores, along dimension 1; the lower index first among ties."""
    xp = namespace_of(scores)
    return xp.argsort(scores, axis=1, descending=True, stable=True)[:, :k, ...]
