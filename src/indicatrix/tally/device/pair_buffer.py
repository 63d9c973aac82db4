"""Pairs of classes and exact sums of weights, in buffers that stay on the device until they are read.

The buffer of pairs is a square table. Rows are the true classes, then one for no class, which stays empty, one for what should be
a class and is not one, and one for what is ignored. Columns are the predicted classes in the same way; the last column is for
NaN. So nothing waits for the device to learn whether a label is bad.

A weight, a float, is a whole number of 53 bits times a power of two. It is written in digits of 32 bits, each at a fixed place,
so that sums of digits are integers: they add without rounding, in any order and over any number of processes, and nothing waits
for the device to learn how large the weights are.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import FLOATS_ARE_EXACT, Array
from ...encode.device_arrays import (
    address,
    are_usable,
    contiguous,
    count_codes,
    halves,
    is_kind,
    kernel_for,
    namespace_of,
    processors,
    shared_memory,
    type_in_c,
)
from ..kernels.kernels import exact_zeros

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


DIGIT, MANTISSA = 32, 53
LARGEST = 2.0**64  # weights are 0, or between 1 / LARGEST and LARGEST: few digits are enough
ROWS = 1 << 20  # this many digits of 32 bits add exactly in float64


class Places(NamedTuple):
    """Where the digits of some numbers stand."""

    unit: int  # the first digit counts multiples of 2 ** -unit, which may be negative
    digits: int


WEIGHTS, SQUARES = Places(128, 7), Places(192, 11)  # of weights, and of their squares


def checked_weights(weights: Any) -> tuple[Any, Any]:
    """Return weights as float64, with 0 for those that cannot be added here, and which these are."""
    xp = namespace_of(weights)
    wide = xp.astype(weights, xp.float64)
    fine = (wide == 0) | ((wide >= 1 / LARGEST) & (wide <= LARGEST))
    if is_kind(weights, "integral"):  # compared as floats, because a type of few bits cannot hold the bound
        fine &= xp.abs(wide) < FLOATS_ARE_EXACT
    return xp.where(fine, wide, xp.zeros_like(wide)), ~fine


def digits_of(numbers: Any, places: Places) -> Any:
    """Return the digits of a tensor of float64, n x digits, the lowest first."""
    torch: Any = sys.modules["torch"]
    mantissa, exponent = torch.frexp(numbers)
    whole = (mantissa * 2.0**MANTISSA).long()
    at = exponent.long() + (places.unit - MANTISSA)
    shift, mask = at % DIGIT, (1 << DIGIT) - 1
    low = (whole & mask) << shift
    high = ((whole >> DIGIT) << shift) + (low >> DIGIT)
    three = torch.stack([low & mask, high & mask, high >> DIGIT], dim=1)
    columns = (at // DIGIT).clamp_(0, places.digits - 3)[:, None] + torch.arange(3, device=at.device)  # 0 may stand anywhere
    return torch.zeros((len(numbers), places.digits), dtype=torch.int64, device=at.device).scatter_(1, columns, three)


def weighted_sums(digits: Any, table: Any) -> Any:
    """Return the digits of the sums of weights over the rows where each column of bools is True."""
    xp = namespace_of(table)
    sums = xp.zeros((digits.shape[1], table.shape[1]), dtype=xp.int64, device=table.device)
    for start in range(0, table.shape[0], ROWS):
        some = slice(start, start + ROWS)
        parts = (xp.astype(x[some, :], xp.float64) for x in (digits, table))
        sums += xp.astype(xp.matmul(next(parts).T, next(parts)), xp.int64)
    return sums


def weighted_products(digits: Any, table: Any) -> Any:
    """Return the digits of the weighted sums of products of any two columns of a table of bools."""
    xp, k = namespace_of(table), table.shape[1]
    sums = xp.zeros((digits.shape[1], k, k), dtype=xp.int64, device=table.device)
    for start in range(0, table.shape[0], ROWS):
        rows = xp.astype(table[start : start + ROWS, :], xp.float64)
        for place in range(digits.shape[1]):
            own = xp.astype(digits[start : start + ROWS, place : place + 1], xp.float64)
            sums[place] += xp.astype(xp.matmul((rows * own).T, rows), xp.int64)
    return sums


def fractions_of(digits: Array, places: Places) -> Array:
    """Return sums of digits in main memory, along the last axis, as exact fractions.

    >>> fractions_of(np.array([[0, 0, 0, 0, 3, 0, 0]]), WEIGHTS).tolist()
    [Fraction(3, 1)]
    """
    from fractions import Fraction

    found = exact_zeros(digits.shape[:-1])
    for at in zip(*np.nonzero(digits.any(axis=-1)), strict=True):
        total = sum(digit << DIGIT * k for k, digit in enumerate(digits[at].tolist()))
        found[at] = Fraction(total, 1 << places.unit) if places.unit >= 0 else Fraction(total << -places.unit)
    return found
