"""Exact sums of weights that stay on the device until they are read.

A float is a whole number of 53 bits times a power of two. It is written in digits of 32 bits, each at a fixed place, so that
sums of digits are integers: they add without rounding, in any order and over any number of processes, and nothing waits for the
device to learn how large the weights are.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import FLOATS_ARE_EXACT, Array
from ...encode.device_arrays import is_kind, namespace_of
from ..kernels.kernels import exact_zeros

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
