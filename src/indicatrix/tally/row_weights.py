"""How often each row is in each bootstrap replicate, from its number alone.

The weight of a row in a replicate depends on a seed, the number of the row and the number of the replicate, and on nothing else:
not on the batch that the row came in, nor on how many rows or replicates there are. So any batches, counted in any order and on
any machine, give the same replicates as all rows at once.
"""

from __future__ import annotations

import numpy as np

from ..algebra.arrays import Array

# How many of 65,536 numbers have the weight 0, 1, 2, …: Poisson(1), rounded so that mean and variance are exactly 1.
TIMES = (24109, 24110, 12055, 4017, 1005, 201, 34, 4, 1)
WEIGHT = np.repeat(np.arange(len(TIMES), dtype=np.float32), TIMES)
WEIGHT.flags.writeable = False
MOST_SEED = 2**64  # seeds are below

# SplitMix64 (Steele, Lea and Flood 2014): a counter that grows by an odd number, and a function that mixes its bits.
STEP = np.uint64(0x9E3779B97F4A7C15)
MIX = ((np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB)))
LAST = np.uint64(31)


def weights_of(rows: Array, number: int, seed: int) -> Array:
    """Return how often each row is in each replicate, of shape (rows, number): whole numbers as floats.

    Seed and number of a row start the generator of this row; each 64 bits of it give four weights.

    >>> weights_of(np.array([7, 8]), 6, seed=0).astype(int).tolist()
    [[2, 0, 0, 1, 1, 0], [1, 0, 1, 2, 2, 2]]
    """
    start = _mix(np.full(1, seed, np.uint64))
    start = _mix(start + rows.astype(np.uint64) * STEP)
    counter = np.arange(1, -(-number // 4) + 1, dtype=np.uint64) * STEP
    bits = _mix(start[:, None] + counter)
    quarters = bits.astype("<u8", copy=False).view("<u2")[:, :number]
    return np.take(WEIGHT, quarters, mode="clip")  # no number is outside; to clip is faster than to check


def _mix(z: Array) -> Array:
    """Return numbers with their bits mixed, in place."""
    for shift, factor in MIX:
        z ^= z >> shift
        z *= factor
    z ^= z >> LAST
    return z
