"""How many rows of each stratum to label.

Where an unknown label moves a score most, and no stratum goes without.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..algebra.arrays import Array

LEAST = 2  # labels in a stratum: one has no spread
EVEN = 0.1  # the share of the budget that is spread evenly, because guesses may be wrong
ROWS_PER_PART = 4  # labels for which there is a stratum


def cut(score: Array, amount: Array, parts: int) -> Array:
    """Return in which of so many parts each row is.

    Rows with about the same score, and parts with equal sums of amounts.

    >>> cut(np.array([0.1, 0.9, 0.5, 0.5]), np.array([1.0, 1.0, 0.5, 0.5]), 3).tolist()
    [0, 2, 1, 1]
    """
    found, place = np.unique(score, return_inverse=True)
    reached = np.cumsum(np.bincount(place, amount, len(found)))
    if not len(found) or reached[-1] <= 0:
        return np.zeros(len(score), np.intp)
    middle = reached - np.bincount(place, amount, len(found)) / 2
    return np.unique(np.minimum((middle / reached[-1] * parts).astype(np.intp), parts - 1)[place], return_inverse=True)[1]


def strata_to_label(prediction: Array, score: Array, amount: Array, budget: int, most: int) -> Array:
    """Return the stratum of each row: its prediction, and up to ``most`` parts by score.

    There are so few strata that the budget is enough for all. Predictions that are rare go together.
    """
    names, own = np.unique(prediction, return_inverse=True)
    if ROWS_PER_PART * len(names) > max(budget, ROWS_PER_PART):  # the frequent ones stay apart
        often = np.bincount(own)
        kept = np.argsort(-often, kind="stable")[: max(budget // ROWS_PER_PART - 1, 0)]
        own = np.unique(np.where(np.isin(own, kept), own, len(names)), return_inverse=True)[1]
    groups = int(own.max(initial=-1)) + 1
    parts = int(np.clip(budget // (ROWS_PER_PART * max(groups, 1)), 1, most))
    place = np.zeros(len(own), np.intp)
    for k in range(groups):
        here = own == k
        place[here] = cut(score[here], amount[here], parts)
    return np.asarray(np.unique(own * most + place, return_inverse=True)[1])


def allocate(rows: Array, amounts: Array, budget: int, chosen: Array | None = None) -> Array:
    """Return how many rows of each stratum to label.

    Two of each, a tenth evenly, the rest as the amounts (Neyman).

    ``rows`` are the sizes of strata, ``chosen`` how many were chosen before, which are kept.

    >>> allocate(np.array([1000, 1000, 3]), np.array([30.0, 10.0, 9.0]), 40).tolist()
    [27, 10, 3]
    """
    share = (1 - EVEN) * amounts / amounts.sum() + EVEN * rows / rows.sum() if amounts.sum() > 0 else rows / rows.sum()
    low = np.minimum(rows, LEAST if chosen is None else np.maximum(chosen, LEAST))
    left = max(budget, int(low.sum()))
    # More of a stratum than there is go to the others; the rest of a division to those that lack most.
    factor, top = 0.0, float(left / share[share > 0].min())
    for _ in range(200):
        middle = (factor + top) / 2
        factor, top = (middle, top) if np.clip(middle * share, low, rows).sum() <= left else (factor, middle)
    exact = np.clip(factor * share, low, rows)
    whole = np.floor(exact + 1e-9)
    lacking = np.where(whole < rows, exact - whole, -1.0)
    whole[np.argsort(-lacking, kind="stable")[: round(float(min(left, rows.sum()) - whole.sum()))]] += 1
    return np.asarray(whole, np.int64)


@dataclass(frozen=True, eq=False)
class Strata:
    """How many rows strata have, and the mean and variance of what a row of each adds to a sum."""

    sizes: Array
    mean: Array
    spread: Array

    def variance(self, labeled: Array) -> float:
        """Return the variance of the sum over all rows, with so many labeled rows of each stratum."""
        return float((self.sizes**2 * self.spread * (1 / np.maximum(labeled, 1) - 1 / np.maximum(self.sizes, 1))).sum())

    def worth(self, labeled: Array) -> float:
        """Return how many rows, chosen at random from all, give a sum with the same variance."""
        n = self.sizes.sum()
        middle = self.sizes @ self.mean / n
        whole = self.sizes @ (self.spread + (self.mean - middle) ** 2) / n
        return float(1 / (self.variance(labeled) / (n**2 * whole) + 1 / n)) if whole > 0 else float("nan")
