"""Ranks with ties, and Wilcoxon's signed-rank test, exact also with ties."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from .tails import two_sided

EXACT = 200  # differences up to which all signs are counted; beyond, the sum of ranks is normal to many digits


def mid_ranks(values: Any) -> Array:
    """Return ranks along the last axis, 1 for the smallest; equal values share the mean rank.

    >>> mid_ranks([0.3, 0.1, 0.3, 0.5]).tolist()
    [2.5, 1.0, 2.5, 4.0]
    """
    x = np.asarray(values, np.float64)
    out = np.empty(x.shape)
    for place in np.ndindex(x.shape[:-1]):
        _, found, times = np.unique(x[place], return_inverse=True, return_counts=True)
        out[place] = (np.cumsum(times) - (times - 1) / 2)[found]
    return out


@dataclass(frozen=True)
class SignedRanks:
    """Wilcoxon's signed-rank test: the two-sided p-value, and an effect whose sign says who is ahead."""

    p: float  # nan if all differences are 0
    effect: (
        float  # rank-biserial correlation: positive ranks minus negative ranks, over all ranks: 1 if every difference is positive
    )


def signed_ranks(differences: Any) -> SignedRanks:
    """Return Wilcoxon's test of differences; those of 0 are left out.

    If the true median is 0, every choice of signs of the others is equally likely.

    >>> signed_ranks([1, 2, 3, 4, 5])
    SignedRanks(p=0.0625, effect=1.0)
    >>> signed_ranks([1, -1, 2])
    SignedRanks(p=0.75, effect=0.5)
    """
    d = np.asarray(differences, np.float64)
    d = d[d != 0]
    if not len(d):
        return SignedRanks(math.nan, 0.0)
    ranks = mid_ranks(np.abs(d))
    up, down = float(ranks[d > 0].sum()), float(ranks[d < 0].sum())
    if len(d) > EXACT:
        p = two_sided((up - down) / math.sqrt(float(ranks @ ranks)))
    else:
        p = 2 * float(_sums_of_ranks(ranks)[: round(2 * min(up, down)) + 1].sum())
    return SignedRanks(min(p, 1.0), (up - down) / (up + down))


def _sums_of_ranks(ranks: Array) -> Array:
    """Return how likely each sum of positive ranks is; ranks are doubled, so that halves are whole."""
    steps = np.rint(2 * ranks).astype(int)
    chances = np.zeros(int(steps.sum()) + 1)
    chances[0] = 1.0
    for step in steps:
        moved = np.zeros_like(chances)
        moved[step:] = chances[: len(chances) - step]
        chances = (chances + moved) / 2
    return chances
