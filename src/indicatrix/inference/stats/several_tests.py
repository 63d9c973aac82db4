"""Several tests together: p-values by Holm or Benjamini-Hochberg, and ends that fit a verdict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from .largest_of_several import far_from_zero
from .proportions import Ends
from .quantiles import normal


def holm(p: Any) -> Array:
    """Return p-values adjusted by Holm: the chance of any false discovery stays below the level.

    A nan is a test that was not made: it stays nan and does not count in the family. The result has the shape of ``p``.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    return _adjust(p, lambda sorted_p, k: np.maximum.accumulate(sorted_p * np.arange(k, 0, -1)))


def benjamini_hochberg(p: Any) -> Array:
    """Return p-values adjusted by Benjamini and Hochberg, for the share of false discoveries.

    Its expectation stays below the level for independent or positively dependent tests. A nan is a test that was not made: it
    stays nan and does not count in the family. The result has the shape of ``p``.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.04, 0.04]
    """
    return _adjust(p, lambda sorted_p, k: np.minimum.accumulate((sorted_p * k / np.arange(1, k + 1))[::-1])[::-1])


def _adjust(p: Any, step: Callable[[Array, int], Array]) -> Array:
    """Return the p-values after a step that takes the known ones in rising order and how many there are."""
    given = np.asarray(p, np.float64)
    known = ~np.isnan(given)
    small = given[known]
    if ((small < 0) | (small > 1)).any():
        raise ValueError("p-values lie between 0 and 1; nan stands for a test that was not made.")
    order = np.argsort(small, kind="stable")
    adjusted = np.empty_like(small)
    adjusted[order] = np.minimum(step(small[order], len(small)), 1.0)
    out = np.full(given.shape, np.nan)
    out[known] = adjusted
    return out


SMALLEST = 1e-12  # the share of a clear difference that is left at the end next to 0, at least


def ends_of_verdict(ends: Ends, value: float, *, clear: bool, p: float, level: float) -> Ends:
    """Return the ends of an interval, moved where they contradict a test at the same level.

    Exact tests and draws are sharper or blunter near 0 than a variance says. Where the two disagree, the end next to 0 is that of
    the test: 0 itself if it does not reject, and otherwise as far from 0 as its p-value says. The value stays inside.

    >>> ends_of_verdict((0.01, 0.13), 0.07, clear=False, p=0.06, level=0.95)
    (0.0, 0.13)
    >>> low, high = ends_of_verdict((-0.001, 0.141), 0.07, clear=True, p=0.04, level=0.95)
    >>> round(low, 4), high
    (0.0032, 0.141)
    """
    low, high = min(ends[0], value), max(ends[1], value)
    if not clear:
        return min(low, 0.0), max(high, 0.0)
    if low <= 0 <= high:
        kept = value * max(1 - normal(level) / far_from_zero(p), SMALLEST)
        return (kept, high) if value > 0 else (low, kept)
    return low, high
