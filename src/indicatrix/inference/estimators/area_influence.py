"""What each example adds to an area: to AUC, by DeLong's placements, and to average precision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...algebra.arrays import Array, quiet


@dataclass(frozen=True, eq=False)
class Placed:
    """An area, and what one more positive or negative example at each distinct score adds to it.

    ``more`` is by how much the variance grows with one pseudo-example, half of it right and half of it wrong.
    """

    value: float
    positive: Array
    negative: Array
    smoothed: float
    more: float
    freedom: float  # degrees of freedom of its variance


def place_auc(positives: Array, negatives: Array) -> Placed:
    """Return the AUC with DeLong's placements.

    The arguments are how many examples there are at each distinct score, highest first.

    Half an example of the rarer class is misplaced, with Hanley and McNeil's variance in Newcombe's symmetric form.
    """
    p, q = float(positives.sum()), float(negatives.sum())
    below = (np.cumsum(negatives[::-1])[::-1] - negatives / 2) / q  # the share of negatives below, ties count half
    above = (np.cumsum(positives) - positives / 2) / p
    value = float(positives @ below) / p
    least = min(p, q)
    smoothed = (least * value + 0.5) / (least + 1)
    more = _hanley_mcneil(smoothed, p, q) - _hanley_mcneil(value, p, q)
    unbiased = [np.sqrt(k / (k - 1)) if k > 1 else 0.0 for k in (p, q)]
    return Placed(value, unbiased[0] * (below - value) / p, unbiased[1] * (above - value) / q, smoothed, more, np.inf)


def _hanley_mcneil(area: float, p: float, q: float) -> float:
    k = (p + q) / 2 - 1
    return area * (1 - area) * (1 + k * (1 - area) / (2 - area) + k * area / (1 + area)) / (p * q)


def place_average_precision(positives: Array, negatives: Array) -> Placed:
    """Return the average precision with its influence function; the arguments are as for the AUC.

    The pseudo-example is a positive, half of it first and half of it last.
    """
    p, n = float(positives.sum()), float(positives.sum() + negatives.sum())
    tp, fp = np.cumsum(positives), np.cumsum(negatives)
    reached = tp + fp
    with quiet():
        precision = np.where(reached > 0, tp / reached, 0.0)
        rise, fall = (np.where(reached > 0, positives * side / reached**2, 0.0) / p for side in (fp, tp))
    value = float(positives @ precision) / p
    later = [np.cumsum(x[::-1])[::-1] for x in (rise, fall)]  # from positives with this score or a lower one
    smoothed = (p * value + 0.5 + 0.5 * p / n) / (p + 1)
    more = (0.5 * (1 - smoothed) ** 2 + 0.5 * (p / n - smoothed) ** 2) / (p + 1) ** 2
    return Placed(value, (precision - value) / p + later[0], -later[1], smoothed, more, p)


PLACED: dict[str, Callable[[Array, Array], Placed]] = {"auc": place_auc, "average_precision": place_average_precision}
