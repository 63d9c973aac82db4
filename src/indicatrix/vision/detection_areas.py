"""Average precision and recall of matched predictions, by the areas of the library (errata A15)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.counts import Counts
from ..algebra.functions import ratio
from ..algebra.measure import Measure
from ..scores.curves.ranked_rows import Steps
from .matches import Ranking


@dataclass(frozen=True)
class AverageRecall:
    """The share of objects that are found, averaged over thresholds of the overlap."""

    name: str = "average_recall"
    reads: Any = None
    better: str = "higher"
    range: tuple[float, float] = (0, 1)

    def denominator(self, counts: Counts) -> Any:
        """Return what it divides by: the objects."""
        return counts.tpos

    def __str__(self) -> str:
        return self.name


AVERAGE_RECALL = AverageRecall()
Quantity = Measure | AverageRecall


def values_at_thresholds(ranking: Ranking, quantity: Quantity) -> Array:
    """Return the quantity at each threshold of the overlap, nan without objects."""
    if isinstance(quantity, AverageRecall):
        return np.asarray(ratio(ranking.right.sum(axis=0), np.full(ranking.right.shape[1], ranking.objects)))
    if quantity.params["interpolation"] == "trapezoid":
        ranking = ranking.with_every_step()
    return np.asarray(quantity.function(steps_of(ranking), **quantity.params), np.float64)


def steps_of(ranking: Ranking) -> Steps:
    """Return the running counts of a ranking at each threshold of the overlap, missed objects last.

    Predictions with equal scores are taken one by one, in the order in which they chose. Objects that no prediction finds are
    reached only after infinitely many false predictions: there, recall is 1 and precision 0.
    """
    right, matched = ranking.right.T, (ranking.found & ranking.counts[ranking.place, None]).T
    tp, found = np.cumsum(right, axis=-1), np.cumsum(matched, axis=-1)
    every = np.cumsum(ranking.counts)[ranking.place]
    shape = (*tp.shape[:-1], 1)
    nothing, forever = np.zeros(shape), np.full(shape, np.inf)
    last = tp[..., -1:] if tp.shape[-1] else nothing
    positives = np.concatenate([nothing, tp, last, np.full(shape, float(ranking.objects))], axis=-1)
    negatives = np.concatenate([nothing, every - found, forever, forever], axis=-1)
    return Steps(positives, negatives, nothing)
