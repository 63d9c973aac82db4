"""A quick check of calibration (sec:calibration).

Some thresholds are right only for calibrated probabilities.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...algebra.arrays import Array
from ...ranking.sort_keys import stable_order
from ...words.call_mistakes import answers_mistakes

BINS, LEVEL = 10, 0.05


@answers_mistakes
@dataclass(frozen=True)
class Calibration:
    """A quick check of calibration: mean prediction and observed share in up to ten bins of equal mass.

    It says whether chance explains the gaps. ``p_value`` is the probability, if the predictions are the true probabilities, of
    a standardized gap as large as the largest one here in any bin (normal approximation with continuity correction; the bins
    are independent). ``passed`` says that it is at least 0.05: with few examples that is not a proof.

    Attributes
    ----------
    predicted : tuple of float
        The mean prediction in each bin, from the highest.
    observed : tuple of float
        The share of positives in each bin.
    mass : tuple of float
        The number of examples in each bin, or their weight.
    p_value : float
        The probability of gaps as large as these if the predictions are calibrated; nan without examples, and where scores
        are not probabilities.
    """

    predicted: tuple[float, ...]  # mean in each bin, from the highest
    observed: tuple[float, ...]
    mass: tuple[float, ...]  # examples, or weight
    p_value: float  # nan without examples, and where scores are not probabilities

    @property
    def passed(self) -> bool:
        """Whether gaps as large as these are to be expected of calibrated probabilities."""
        return self.p_value >= LEVEL

    @property
    def gap(self) -> float:
        """The largest difference between mean prediction and observed share in a bin."""
        return max((abs(p - o) for p, o in zip(self.predicted, self.observed, strict=True)), default=math.nan)

    def __str__(self) -> str:
        if not self.mass or math.isnan(self.p_value):
            why = "scores are not probabilities" if self.mass else "there are no examples"
            return f"calibration was not checked: {why}"
        verdict = "chance explains it" if self.passed else "chance does not explain it"
        chance = "p < 0.0001" if self.p_value < 1e-4 else f"p = {self.p_value:.2g}"
        return f"largest gap {self.gap:.3g} in {len(self.mass)} bins of equal mass, {chance}: {verdict}"


def check_calibration(scores: Array, positive: Array, weights: Array | None = None) -> Calibration:
    """Return whether scores, read as probabilities, agree with the labels up to chance.

    Equal scores stay in one bin.

    >>> labels = np.arange(400) % 4 == 0
    >>> check_calibration(np.full(400, 0.25), labels).passed, check_calibration(np.full(400, 0.4), labels).passed
    (True, False)
    """
    w = np.ones(len(scores)) if weights is None else weights
    total = float(w.sum())
    if not total:
        return Calibration((), (), (), math.nan)
    if not ((scores >= 0) & (scores <= 1)).all():
        return Calibration((), (), (total,), math.nan)
    p = np.asarray(scores, np.float64) + 0.0  # -0.0 becomes 0.0, so that the bits of all of them are in their order
    order = stable_order(p.view(np.uint64))[0][::-1]
    p, w, positive = p[order], w[order], positive[order]
    first = np.flatnonzero(np.append(True, p[1:] != p[:-1]))  # of each run of equal scores
    mass = np.add.reduceat(w, first)
    bin_of = np.minimum((BINS * (np.cumsum(mass) - mass / 2) / total).astype(int), BINS - 1)
    starts = first[np.diff(bin_of, prepend=-1) > 0]
    sums = np.stack([np.add.reduceat(x, starts) for x in (w, w * p, w * positive, w**2 * p * (1 - p))])
    size, expected, observed, variance = sums[:, sums[0] > 0]
    surplus = np.maximum(abs(observed - expected) - float((w**2).sum()) / total / 2, 0)  # half an example
    with np.errstate(divide="ignore", invalid="ignore"):  # predictions that are certain and wrong are infinitely far off
        z = float(np.where(surplus > 0, surplus / np.sqrt(variance), 0.0).max())
    alone = math.erfc(z / math.sqrt(2))
    p_value = 1.0 if alone == 1 else -math.expm1(len(size) * math.log1p(-alone))
    predicted, shares = (tuple((x / size).tolist()) for x in (expected, observed))
    return Calibration(predicted, shares, tuple(size.tolist()), p_value)
