"""AUC and average precision from the counts at every threshold: the definitions, term by term.

See prop:roc, errata A15 and A16. ``tp`` and ``fp`` are cumulative positives and negatives at falling thresholds, along the last
axis. They may be integers, sums of weights or fractions, of one ranking or of many rows. Rankings without weights have a faster
way to the same numbers (``rank_sums.py``); these functions are what it is tested against.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.numbers.functions import ratio


def area_under_roc(tp: Array, fp: Array) -> Any:
    """Return the area under the ROC curve by the trapezoidal rule.

    A tie counts one half. The area is nan if there is no pair of a positive and a negative.

    >>> float(area_under_roc(np.array([0, 1, 1]), np.array([0, 1, 2])))
    0.75
    """
    twice = (np.diff(fp) * (tp[..., 1:] + tp[..., :-1])).sum(axis=-1)
    return ratio(twice, 2 * tp[..., -1] * fp[..., -1])


def mean_precision(tp: Array, fp: Array) -> Any:
    """Return the sum over thresholds of precision times added recall; nan without positives.

    >>> float(mean_precision(np.array([0, 1, 1]), np.array([0, 1, 2])))
    0.5
    """
    return ratio((np.diff(tp) * precision_at_steps(tp, fp)[..., 1:]).sum(axis=-1), tp[..., -1])


def precision_at_steps(tp: Array, fp: Array) -> Array:
    """Return the precision at each threshold, and zero where nothing is predicted.

    There, no recall is added.
    """
    predicted = tp + fp
    return np.asarray(ratio(tp, np.where(predicted == 0, 1, predicted)))
