"""Sums of weights as numbers of effective examples: what the squares of the weights tell.

Weights say how much an example counts. Weights that are all equal change nothing; others make the sample as precise as a smaller
one without weights.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...tally.states.group_counts import Part, Summed
from ...tally.tally import Tally
from .samples import typical_weight

ROUNDED = 1 + Fraction(1, 2**51)  # squares of weights are rounded
WEIGHTED = "These counts are sums of weights, or were changed by mix(), so they do not tell how many examples are behind them"


def counts_examples(ev: Any) -> bool:
    """Return whether every entry is of one kind, so that cells are numbers or weights of entries."""
    return not (ev.kind == "soft" or ev.recipe.uses("cost"))


def squares_of(tally: Tally) -> Part:
    """Return the counts with squared weights; refuse where they were not kept."""
    if tally.squares is None:
        raise ValueError(
            f"{WEIGHTED}. The squares of the weights do, but they were not kept. Evaluate all examples with moments=True, or "
            "name clusters= that were sampled."
        )
    return tally.squares.pooled


def common_weight(tally: Tally) -> Fraction | None:
    """Return the weight that every example has; None if the weights differ, or it is not known."""
    whole = tally.pooled
    if tally.squares is None or (isinstance(whole, Summed) and whole.times is None):
        return None
    weight, squares = (sum(part.rows()[1].tolist(), Fraction(0)) for part in (whole, tally.squares.pooled))
    if weight <= 0 or squares * tally.n > weight**2 * ROUNDED:
        return None
    return weight / tally.n


def effective(tally: Tally, take: Callable[[Part], Array]) -> tuple[Array, Array | None]:
    """Return counts as numbers of effective examples, and the sums of the squares of their weights.

    ``take`` takes the counts from a part. The squares are None if there are no weights, or all are equal.
    """
    counts = take(tally.pooled)
    if counts.dtype != object and tally.squares is None:  # chosen shares may make whole numbers, which are still no examples
        return counts.astype(np.float64), None
    squares = take(squares_of(tally))
    check_sums(counts)
    same = common_weight(tally)
    if same is not None:
        return np.rint((counts / same).astype(np.float64)), None
    typical = typical_weight(counts.sum(), squares.sum())
    return counts.astype(np.float64) / typical, squares.astype(np.float64) / typical**2


def typical_of(tally: Tally) -> float:
    """Return the typical weight of the examples; 1 where squares of weights were not kept."""
    if tally.squares is None:
        return 1.0
    weights, squares = tally.pooled.rows()[1], tally.squares.pooled.rows()[1]
    check_sums(weights)
    return typical_weight(weights.sum(), squares.sum())


def check_sums(weights: Array) -> None:
    """Refuse sums of weights that cannot be numbers of examples."""
    if (weights < 0).any() or not weights.any():
        raise ValueError("There is no interval for this score: some sums of weights are negative, or all of them are 0.")
