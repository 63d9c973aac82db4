"""Average precision and recall of matched predictions, by the areas of the library (errata A15)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.arrays import Array, ratio
from ..scores.areas import Area, Steps
from .matches import Ranking


@dataclass(frozen=True)
class AverageRecall:
    """The share of objects that are found, averaged over thresholds of the overlap."""

    name: str = "average_recall"
    better: str = "higher"
    range: tuple[float, float] = (0, 1)

    def __str__(self) -> str:
        return self.name


AVERAGE_RECALL = AverageRecall()
Quantity = Area | AverageRecall


@dataclass(frozen=True, eq=False)
class Weights:
    """How often each prediction and each true object counts in each of several replicates."""

    predictions: Array  # (B, predictions)
    truth: Array  # (B, objects)


def values_at_thresholds(ranking: Ranking, quantity: Quantity, weights: Weights | None = None) -> Array:
    """Return the quantity at each threshold of the overlap, nan without objects.

    With weights, it is that of each replicate.
    """
    if not isinstance(quantity, Area):
        return np.asarray(_recalls(ranking, weights))
    if quantity.params["interpolation"] == "trapezoid":
        ranking = ranking.with_every_step()
    return np.asarray(quantity.function(steps_of(ranking, weights), **quantity.params), np.float64)


def steps_of(ranking: Ranking, weights: Weights | None = None) -> Steps:
    """Return the running counts of a ranking at each threshold of the overlap, missed objects last.

    Predictions with equal scores are taken one by one, in the order in which they chose. Objects that no prediction finds are
    reached only after infinitely many false predictions: there, recall is 1 and precision 0.
    """
    right, matched = ranking.right.T, (ranking.found & ranking.counts[ranking.place, None]).T
    if weights is None:
        tp, found = np.cumsum(right, axis=-1), np.cumsum(matched, axis=-1)
        every, total = np.cumsum(ranking.counts)[ranking.place], np.asarray(float(ranking.objects))
    else:
        own = weights.predictions[:, ranking.order]
        some = own[:, None, ranking.place]
        tp, found = np.cumsum(right * some, axis=-1), np.cumsum(matched * some, axis=-1)
        every = np.cumsum(ranking.counts * own, axis=-1)[:, None, ranking.place]
        total = weights.truth[:, ranking.truth].sum(axis=-1)[:, None]
    shape = (*tp.shape[:-1], 1)
    nothing, forever = np.zeros(shape), np.full(shape, np.inf)
    last = tp[..., -1:] if tp.shape[-1] else nothing
    everything = np.broadcast_to(total[..., None], shape)
    positives = np.concatenate([nothing, tp, last, everything], axis=-1)
    negatives = np.concatenate([nothing, every - found, forever, forever], axis=-1)
    return Steps(positives, negatives, nothing)


def _recalls(ranking: Ranking, weights: Weights | None) -> Any:
    """Return the share of objects that are found at each threshold of the overlap."""
    if weights is None:
        found, total = ranking.right.sum(axis=0), np.asarray(ranking.objects)
    else:
        found = weights.predictions[:, ranking.order[ranking.place]] @ ranking.right
        total = weights.truth[:, ranking.truth].sum(axis=-1)[:, None]
    return ratio(found, np.broadcast_to(total, found.shape))
