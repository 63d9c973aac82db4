"""The precision-recall curve of matched predictions."""

from __future__ import annotations

import numpy as np

from ..algebra.arrays import Array
from ..algebra.functions import ratio
from ..scores.areas import average_precision
from ..scores.curves.curve import Curve
from .matches import Ranking
from .ranked_objects import steps_of


def precision_recall(ranking: Ranking, scores: Array) -> Curve:
    """Return recall and precision after each prediction that counts, at one threshold of the overlap.

    The curve ends at the recall that is reached. Its area is the average precision by steps.
    """
    steps = steps_of(ranking.with_every_step())
    tp, fp = steps.tp[0, :-2], steps.fp[0, :-2]
    moved = np.append(True, (np.diff(tp) != 0) | (np.diff(fp) != 0))  # an ignored prediction changes nothing
    thresholds = np.append(np.inf, scores[ranking.order])[moved]
    recall, precision = ratio(tp, np.full(len(tp), float(ranking.objects)))[moved], ratio(tp, tp + fp)[moved]
    return Curve("pr", recall, precision, thresholds, ("recall", "precision"), float(average_precision.function(steps)[0]))
