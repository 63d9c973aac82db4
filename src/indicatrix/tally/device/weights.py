"""Weighted pairs of classes on a device, with exact sums.

A weight is cut into a few digits of 27 bits, which are integers. Integers add without rounding, in any order, and the sums of
digits become fractions in main memory, where the digits of the same weights would give the same ones.
"""

from __future__ import annotations

import math
from typing import Any

from ...algebra.arrays import FLOATS_ARE_EXACT, Array
from ...encode.device_arrays import is_kind, namespace_of, to_host
from ...encode.weights import LARGEST
from ..kernels.kernels import DIGIT, MOST_DIGITS, add_digit_sums, exact_zeros

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
    xp = namespace_of(true)
    true, pred = xp.astype(true, xp.int64), xp.astype(pred, xp.int64)
    right = (true >= 0) & (true < m) & (pred >= 0) & (pred < m) & xp.isfinite(weights) & (weights >= 0)
    if not bool(xp.all(right)):
        return None
    slots, size = true * (m + 1) + pred, (m + 1) ** 2
    largest = float(xp.max(weights)) if weights.shape[0] else 0.0
    if not (largest == 0 or LEAST <= largest <= LARGEST / weights.shape[0]):
        return None
    digits, exponent = list[Array](), math.frexp(largest)[1]
    rest = weights
    while bool(xp.any(rest != 0)):
        if len(digits) == MOST_DIGITS:
            return None
        exponent -= DIGIT
        scaled = rest * 2.0 ** (DIGIT if digits else -exponent)
        digit = xp.trunc(scaled)
        sums = xp.zeros(size, dtype=xp.int64, device=slots.device).scatter_add_(0, slots, xp.astype(digit, xp.int64))
        digits.append(to_host(sums))
        rest = scaled - digit
    table = exact_zeros((size,))
    add_digit_sums(table, digits, exponent)
    return table.reshape(m + 1, m + 1)
