"""Pairs of classes, counted in a buffer that stays on the device until it is read.

The buffer is a square table. Rows are the true classes, then one for no class, which stays empty, one for what should be a class
and is not one, and one for what is ignored. Columns are the predicted classes in the same way; the last column is for NaN. So
nothing waits for the device to learn whether a label is bad.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array
from ...encode.device_arrays import (
    address,
    are_usable,
    contiguous,
    count_codes,
    halves,
    kernel_for,
    namespace_of,
    processors,
    shared_memory,
    type_in_c,
)

RESERVED = 2 << 10  # bytes of shared memory that a block keeps for itself
THREADS, MANY_THREADS, MANY_BLOCKS = 1024, 256, 8
WIDE = 16  # bytes that a thread reads at once
MASKED, IGNORES, SCORES, PROBES = 1, 2, 4, 8  # flags of the kernels


def buffer_size(m: int) -> int:
    """Return how many integers the buffer of pairs of ``m`` classes has."""
    return (m + 3) ** 2


def add_pairs(
    buffer: Any,
    true: Any,
    pred: Any,
    m: int,
    *,
    ignored: int | None = None,
    seen: Any = None,
    of_scores: bool = False,
    probes: bool = False,
) -> Any:
    """Return the buffer with more pairs; a tensor is changed in place.

    ``true`` and ``pred`` are vectors of integers or bools. A row whose truth is ``ignored``, or that ``seen`` does not show,
    counts as ignored. ``of_scores`` says that the predictions were made from scores: m + 2 then stands for NaN. ``probes`` lets a
    kernel for few classes give up early, with one bad truth in the buffer, where a few rows show that a label is not a class.
    """
    if true.shape[0] and are_usable(true, pred, *(() if seen is None else (seen,))):
        flags = (SCORES if of_scores else 0) | (PROBES if probes else 0)
        return _by_kernel(buffer, true, pred, m, ignored, seen, flags)
    counts = count_codes(slots_of_pairs(true, pred, m, ignored, seen, of_scores), buffer_size(m))
    if hasattr(buffer, "add_"):
        return buffer.add_(counts)
    return buffer + namespace_of(buffer).astype(counts, buffer.dtype)


def slots_of_pairs(true: Any, pred: Any, m: int, ignored: int | None, seen: Any, of_scores: bool) -> Any:
    """Return the place of each pair in the buffer; the arguments are those of ``add_pairs``."""
    xp = namespace_of(true)
    true, pred = xp.astype(true, xp.int64), xp.astype(pred, xp.int64)
    pred = pred if of_scores else _with_bad(xp, pred, m)
    slots = _with_bad(xp, true, m) * (m + 3) + pred
    gone = None if ignored is None else true == ignored
    if seen is not None:
        gone = ~seen if gone is None else gone | ~seen
    return slots if gone is None else xp.where(gone, xp.full_like(slots, (m + 2) * (m + 3)), slots)


def _with_bad(xp: Any, labels: Any, m: int) -> Any:
    """Return codes with m + 1 where a label is not a class."""
    return xp.where((labels < 0) | (labels >= m), xp.full_like(labels, m + 1), labels)


def _by_kernel(buffer: Any, true: Any, pred: Any, m: int, ignored: int | None, seen: Any, flags: int) -> Any:
    true, pred = contiguous(true), contiguous(pred)
    most, shared = shared_memory(true) - RESERVED, (m * m + 4) * 4
    few = shared <= most
    size = max(true.dtype.itemsize, pred.dtype.itemsize)
    vector = WIDE // size if all(address(x) % (WIDE // size * x.dtype.itemsize) == 0 for x in (true, pred)) else 1
    macros = {"TRUE": type_in_c(true), "PRED": type_in_c(pred), "VECTOR": vector}
    name = "few_classes" if few else "many_classes"
    kernel = kernel_for(true, (__package__ or "", "pairs.cu"), name, macros, most_shared=most if few else 0)
    per = MANY_BLOCKS if not few else 2 if 2 * shared < most else 1  # blocks that run on a multiprocessor at a time
    threads = THREADS if few else MANY_THREADS
    blocks = max(1, min(per * processors(true), -(-true.shape[0] // (threads * vector))))
    flags |= (MASKED if seen is not None else 0) | (IGNORES if ignored is not None else 0)
    mask = true if seen is None else contiguous(seen)
    length, gone = halves(true.shape[0]), halves(ignored or 0)
    kernel((blocks, threads), true, pred, mask, buffer, *length, m, *gone, flags, shared=shared if few else 0)
    return buffer


class PairCounts(NamedTuple):
    """What a buffer holds, in main memory."""

    table: Array  # (m + 1) x (m + 1); the last row and column, of no class, are empty
    ignored: int
    bad_true: int
    bad_pred: int
    nan: int
    per_class: Array | None = None  # tp, fp, fn, tn, where they are known already

    @property
    def bad(self) -> bool:
        """Whether something could not be counted."""
        return bool(self.bad_true or self.bad_pred or self.nan)


def margins_of_pairs(buffer: Any, m: int) -> Any:
    """Return tp, actual and predicted positives of each class, 3 x m, next to the buffer."""
    xp = namespace_of(buffer)
    table = xp.reshape(buffer, (m + 3, m + 3))[:m, :m]
    return xp.stack([xp.linalg.diagonal(table), xp.sum(table, axis=1), xp.sum(table, axis=0)])


def read_pairs(buffer: Array, m: int) -> PairCounts:
    """Return what a buffer that was copied to main memory holds.

    >>> buffer = add_pairs(np.zeros(buffer_size(2), np.int64), np.array([0, 1, 5]), np.array([1, 1, 0]), 2)
    >>> read_pairs(buffer, 2).table.tolist(), read_pairs(buffer, 2).bad_true
    ([[0, 1, 0], [0, 1, 0], [0, 0, 0]], 1)
    """
    counts = np.asarray(buffer, np.int64).reshape(m + 3, m + 3)
    return PairCounts(
        counts[: m + 1, : m + 1],
        ignored=int(counts[m + 2].sum()),
        bad_true=int(counts[m + 1].sum()),
        bad_pred=int(counts[:m, m + 1].sum()),
        nan=int(counts[:m, m + 2].sum()),
    )
