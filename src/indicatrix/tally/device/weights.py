"""Weighted pairs of classes on a device, with exact sums.

A kernel adds the bits of each weight where they belong in integers of 128 bits. Without one, a weight is cut into a few digits of
27 bits. Integers add without rounding, in any order, and become fractions in main memory, where the same weights give the same.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.arrays import FLOATS_ARE_EXACT, Array
from ...encode.device_arrays import (
    are_usable,
    contiguous,
    halves,
    is_kind,
    kernel_for,
    namespace_of,
    on_device_of,
    processors,
    shared_memory,
    to_host,
    type_in_c,
)
from ...encode.weights import LARGEST
from ..kernels.kernels import DIGIT, MOST_DIGITS, add_digit_sums, exact_zeros
from .pair_buffer import Places, fractions_of

THREADS, COPIES, SHARED, RESERVED = 1024, 8, 48 << 10, 2 << 10  # of a kernel: bytes of shared memory with copies, and not its own
LIMBS, ROOM, MANTISSA = 4, 126, 53  # words of 32 bits of a sum, the bits that it may need, and those of a weight
BIAS, UNIT, NONE = (
    1075,
    1023,
    2047,
)  # the exponents, as floats store them, of weights whose last bit or first bit is 1, and of no weight
LEAST = 1e-20  # smaller weights might leave the range of what is allowed, which is checked in main memory


def exact_floats(weights: Any) -> Any:
    """Return weights as float64; None if that would round them, or if they cannot be counted here.

    Only tensors add integers at given places, and not every device has floats of 64 bits.
    """
    xp = namespace_of(weights)
    if not hasattr(weights, "scatter_add_") or weights.device.type == "mps":
        return None
    whole = is_kind(weights, "integral")
    if not whole and not is_kind(weights, "real floating"):
        return None
    floats = xp.astype(weights, xp.float64)  # also to be compared, because a type of few bits cannot hold the bound
    return None if whole and bool(xp.any(xp.abs(floats) >= FLOATS_ARE_EXACT)) else floats


def weighted_pairs(true: Any, pred: Any, weights: Any, m: int) -> Array | None:
    """Return exact sums of the weights of pairs of codes, (m + 1) x (m + 1), or None.

    None is for a label that is not a class, for a weight that is negative, infinite or NaN, and for weights of so different
    sizes that they would need many digits.
    """
    if true.shape[0] and are_usable(true, pred, weights) and 4 * LIMBS * m * m <= shared_memory(true) - RESERVED:
        return _by_kernel(true, pred, weights, m)
    codes = _classes(true, pred, m)
    table = None if codes is None else _sums_of_slots((codes[0] * (m + 1) + codes[1],), weights, (m + 1) ** 2)
    return None if table is None else table.reshape(m + 1, m + 1)


def weighted_margins(true: Any, pred: Any, weights: Any, m: int) -> Array | None:
    """Return exact sums of the weights of hits, truths and predictions of each class, 3 x m, or None.

    Classes may be very many. None is for what ``weighted_pairs`` does not count.
    """
    codes = _classes(true, pred, m)
    if codes is None:
        return None
    true, pred = codes
    nowhere = namespace_of(true).full_like(true, 3 * m)
    hits = namespace_of(true).where(true == pred, true, nowhere)
    table = _sums_of_slots((hits, true + m, pred + 2 * m), weights, 3 * m + 1)
    return None if table is None else table[:-1].reshape(3, m)


def _classes(true: Any, pred: Any, m: int) -> tuple[Any, Any] | None:
    """Return labels as long integers; None if one is not a class."""
    xp = namespace_of(true)
    true, pred = xp.astype(true, xp.int64), xp.astype(pred, xp.int64)
    return (true, pred) if bool(xp.all((true >= 0) & (true < m) & (pred >= 0) & (pred < m))) else None


def _sums_of_slots(slots: tuple[Any, ...], weights: Any, size: int) -> Array | None:
    """Return exact sums of the weights that meet in each of some slots.

    Each weight stands in one slot of every vector. Weights are cut into digits. None if one is negative, infinite or NaN, or if
    they would need many digits.
    """
    xp, n = namespace_of(weights), weights.shape[0]
    if not bool(xp.all(xp.isfinite(weights) & (weights >= 0))):
        return None
    largest = float(xp.max(weights)) if n else 0.0
    if not (largest == 0 or LEAST <= largest <= LARGEST / n):
        return None
    digits, exponent = list[Array](), math.frexp(largest)[1]
    rest = weights
    while bool(xp.any(rest != 0)):
        if len(digits) == MOST_DIGITS:
            return None
        exponent -= DIGIT
        scaled = rest * 2.0 ** (DIGIT if digits else -exponent)
        digit = xp.trunc(scaled)
        whole, sums = xp.astype(digit, xp.int64), xp.zeros(size, dtype=xp.int64, device=weights.device)
        for at in slots:
            sums.scatter_add_(0, at, whole)
        digits.append(to_host(sums))
        rest = scaled - digit
    table = exact_zeros((size,))
    add_digit_sums(table, digits, exponent)
    return table


def _by_kernel(true: Any, pred: Any, weights: Any, m: int) -> Array | None:
    xp, n, there = namespace_of(true), true.shape[0], true.device
    true, pred, weights = map(contiguous, (true, pred, weights))
    macros = {"TRUE": type_in_c(true), "PRED": type_in_c(pred)}
    file, blocks = (__package__ or "", "weights.cu"), max(1, min(2 * processors(true), -(-n // THREADS)))
    facts = on_device_of(np.array([NONE, 0, 0], np.int32), true)
    kernel_for(true, file, "find_span", macros)((blocks, THREADS), true, pred, weights, facts, *halves(n), m)
    least, largest, odd = to_host(facts).tolist()
    allowed = least == NONE or LEAST <= 2.0 ** (largest - UNIT) <= LARGEST / n / 2
    if odd or not allowed or largest - least + MANTISSA + n.bit_length() > ROOM:
        return None
    cells, sums = m * m, xp.zeros((LIMBS, m * m), dtype=xp.int64, device=there)
    copies = max(1, min(COPIES, SHARED // (4 * LIMBS * cells)))
    shared = 4 * LIMBS * cells * copies
    kernel = kernel_for(true, file, "sum_weights", macros, most_shared=shared_memory(true) - RESERVED)
    kernel((blocks, THREADS), true, pred, weights, sums, *halves(n), m, least, copies, shared=shared)
    table = exact_zeros((m + 1, m + 1))
    table[:m, :m] = fractions_of(to_host(sums).T.reshape(m, m, LIMBS), Places(BIAS - least, LIMBS))
    return table
