"""What each example adds to an area, and which variance is expected before any is seen.

AUC has DeLong's placements, and average precision its influence function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...algebra.arrays import Array, quiet

LIKE = 2.0  # examples of each class that the expected variance counts as, next to those that were seen


@dataclass(frozen=True, eq=False)
class Placed:
    """An area, and what one more positive or negative example at each distinct score adds to it."""

    value: float
    positive: Array
    negative: Array
    bias: float = 0.0  # by how much the area of a sample is too high


@dataclass(frozen=True)
class Expected:
    """What is expected of an area of so many positives and negatives, if one of them is a pseudo-example.

    The pseudo-example is of the rarer class, half of it right and half of it wrong.
    """

    smoothed: float  # the area with the pseudo-example
    more: float  # by how much the variance grows with it
    positive: float  # the variance that comes from the positives
    negative: float  # the variance that comes from the negatives


def place_auc(positives: Array, negatives: Array) -> Placed:
    """Return the AUC with DeLong's placements.

    The arguments are how many examples there are at each distinct score, highest first.
    """
    p, q = float(positives.sum()), float(negatives.sum())
    below = (np.cumsum(negatives[::-1])[::-1] - negatives / 2) / q  # the share of negatives below, ties count half
    above = (np.cumsum(positives) - positives / 2) / p
    value = float(positives @ below) / p
    return Placed(value, (below - value) / p, (above - value) / q)


def expect_auc(value: float, p: float, q: float) -> Expected:
    """Return what is expected of an AUC: Hanley and McNeil's variance in Newcombe's symmetric form.

    An area near 1 has a small variance in the sample, and a larger one if half an example of the rarer class is misplaced.
    """
    least = min(p, q)
    smoothed = (least * value + 0.5) / (least + 1)
    more = _hanley_mcneil(smoothed, p, q) - _hanley_mcneil(value, p, q)
    apart, pair = _variance_of_placements(smoothed), smoothed * (1 - smoothed)
    return Expected(smoothed, more, (apart + (pair - apart) / q) / p, (apart + (pair - apart) / p) / q)


def _hanley_mcneil(area: float, p: float, q: float) -> float:
    return (area * (1 - area) + (p + q - 2) * _variance_of_placements(area)) / (p * q)


def _variance_of_placements(area: float) -> float:
    """Return the variance of the share of the other class that an example is ranked above or below."""
    return area * (1 - area) * ((1 - area) / (2 - area) + area / (1 + area)) / 2


def place_average_precision(positives: Array, negatives: Array) -> Placed:
    """Return the average precision with its influence function; the arguments are as for the AUC.

    A positive is counted in the precision at its own rank, which makes the area of few positives too high: half of what it
    adds there is the bias.
    """
    p = float(positives.sum())
    tp, fp = np.cumsum(positives), np.cumsum(negatives)
    reached = tp + fp
    with quiet():
        precision = np.where(reached > 0, tp / reached, 0.0)
        value = float(positives @ precision) / p
        others = np.where(reached > 1, (tp - 1) / (reached - 1), value)  # the precision without one positive
        rise, fall = (np.where(reached > 0, positives * side / reached**2, 0.0) / p for side in (fp, tp))
    later = [np.cumsum(x[::-1])[::-1] for x in (rise, fall)]  # from positives with this score or a lower one
    bias = float(positives @ (precision - others)) / p / 2
    return Placed(value, (precision - value) / p + later[0], -later[1], bias)


def expect_average_precision(value: float, p: float, q: float) -> Expected:
    """Return what is expected of an average precision.

    The pseudo-example is a positive, half of it first and half of it last. The precisions at the positives spread as those of
    examples that are first or last.
    """
    last = p / (p + q)
    smoothed = (p * value + 0.5 + 0.5 * last) / (p + 1)
    more = (0.5 * (1 - smoothed) ** 2 + 0.5 * (last - smoothed) ** 2) / (p + 1) ** 2
    return Expected(smoothed, more, smoothed * (1 - smoothed) / p, 0.0)


@dataclass(frozen=True)
class KnownInfluence:
    """An area of which is known what each example adds."""

    place: Callable[[Array, Array], Placed]
    expect: Callable[[float, float, float], Expected]


PLACED = {
    "auc": KnownInfluence(place_auc, expect_auc),
    "average_precision": KnownInfluence(place_average_precision, expect_average_precision),
}
