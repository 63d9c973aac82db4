"""Any function of labels and predictions at every threshold of a score, called once for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...ranking.sort_keys import falling_order


def at_thresholds(
    function: Callable[..., Any],
    labels: Array,
    scores: Array,
    weights: Array | None = None,
    /,
    *,
    everything_negative: bool = False,
    **options: Any,
) -> tuple[Array, Array]:
    """Return the results of a function at each distinct score, from the highest down, and these scores.

    The function takes labels and predictions in falling order of scores, and their weights where there are some. An example of
    weight 0 is left out. ``everything_negative`` adds a first result, at the threshold +inf.

    >>> values, thresholds = at_thresholds(lambda y, z: int(sum(y & z)), np.array([True, False, True]), np.array([2.0, 3.0, 1.0]))
    >>> values.tolist(), thresholds.tolist()
    ([0, 1, 2], [3.0, 2.0, 1.0])
    """
    if weights is not None:
        kept = np.flatnonzero(weights)
        labels, scores, weights = labels[kept], scores[kept], weights[kept]
    order = falling_order(scores)
    labels, ranked = labels[order], scores[order]
    given = {} if weights is None else {"sample_weight": weights[order]}
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], np.ones(min(len(ranked), 1), bool)))  # of each run of ties
    reached = np.append(0, last + 1) if everything_negative else last + 1
    results = []
    for count in reached.tolist():
        predicted = np.zeros(len(ranked), np.int32)
        predicted[:count] = 1
        results.append(function(labels, predicted, **given, **options))
    return np.asarray(results), np.append(np.inf, ranked[last]) if everything_negative else ranked[last]
