"""Random halves of a sample: how much a score varies, and by how much it is too high.

Two halves that share no example have independent scores, so half their difference varies as the score of the whole does. This
holds where a bootstrap, which repeats examples, and slopes, which a score may lack, fail. A score that takes the best of several
is too high, the more so the fewer examples there are: by how much halves are higher tells by how much the whole is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...algebra.arrays import Array
from ..sampling.samples import chunk_sizes

SPLITS = 50  # of the sample into two halves
# The bias of a convex hull, and of the best of many thresholds, falls with this power of the number of examples: in the limit
# with 2/3, more slowly for some hundreds of examples, for which it was chosen by simulation.
RATE = 0.55
UNSURE = 0.5  # of the bias is not known: it counts as a standard deviation


@dataclass(frozen=True, eq=False)
class Halves:
    """What random halves of a sample tell of a score."""

    errors: Array  # half the differences of two halves, which vary as the error of the whole; nan where one has no score
    bias: float

    @property
    def variance(self) -> float:
        """The variance of the score; nan if too few halves have one."""
        return self.covariance(self)

    def covariance(self, other: Halves) -> float:
        """Return the covariance of the scores of two classifiers, from the same halves."""
        both = (self.errors * other.errors)[np.isfinite(self.errors) & np.isfinite(other.errors)]
        return float(both.mean()) if len(both) > 1 else math.nan


def halves_of(scores_of: Callable[[Array], Array], unit: Array, value: float) -> Halves:
    """Return what halves tell of a score, a function of sets of weights of the examples.

    ``unit`` is the example or the cluster that each row belongs to: a half has all rows of a unit or none.
    """
    rng, number = np.random.default_rng(0), int(unit.max()) + 1
    found = []
    for some in chunk_sizes(SPLITS, 8 * len(unit)):
        first = rng.permuted(np.broadcast_to(np.arange(number) < number // 2, (some, number)), axis=1)
        found.append([scores_of(side[:, unit].astype(np.float64)) for side in (first, ~first)])
    one, other = np.concatenate(found, axis=1)
    known = np.isfinite(one) & np.isfinite(other)
    higher = float((one[known] + other[known]).mean()) / 2 - value if known.any() else 0.0
    return Halves((one - other) / 2, higher / (2**RATE - 1))
