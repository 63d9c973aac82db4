"""Average precision and average recall of matched predictions, by the areas of the library (errata A15)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra.arrays import Array, ratio
from ..scores.areas import Area, Steps
from .matches import Ranking


def average_precisions(ranking: Ranking, area: Area) -> Array:
    """Return the average precision of a ranking at each threshold of the overlap.

    Objects that no prediction finds are reached only after infinitely many false predictions: there, recall is 1 and precision 0.
    """
    return np.asarray(area.function(steps_of(ranking), **area.params), np.float64)


def steps_of(ranking: Ranking) -> Steps:
    """Return the running counts of a ranking at each threshold of the overlap, with the objects that were missed last.

    Predictions with equal scores are taken one by one, in the order in which they chose.
    """
    tp = np.cumsum(ranking.right, axis=0).T.astype(np.float64)
    matched = np.cumsum(ranking.found & ranking.counts[:, None], axis=0).T
    fp = ranking.base - matched
    t = len(tp)
    last = tp[:, -1:] if tp.shape[1] else np.zeros((t, 1))
    nothing, all_of_them, forever = np.zeros((t, 1)), np.full((t, 1), float(ranking.objects)), np.full((t, 1), np.inf)
    return Steps(
        np.concatenate([nothing, tp, last, all_of_them], axis=1), np.concatenate([nothing, fp, forever, forever], axis=1), nothing
    )


def recalls(ranking: Ranking) -> Any:
    """Return the share of objects that are found at each threshold of the overlap; nan without objects."""
    return ratio(ranking.right.sum(axis=0), np.full(ranking.right.shape[1], ranking.objects))
