"""Random halves of a sample: how much a score varies, and by how much it is too high.

Two halves that share no example have independent scores, so half their difference varies as the score of the whole does. This
holds where a bootstrap, which repeats examples, and slopes, which a score may lack, fail. A score that takes the best of several
is too high, the more so the fewer examples there are: by how much halves are higher tells by how much the whole is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...algebra.arrays import Array
from ..sampling.samples import chunk_sizes

SPLITS = 50  # of the sample into two halves
RATE = 2 / 3  # the bias of a convex hull, and of the best of many thresholds, falls with this power of the number of examples


@dataclass(frozen=True)
class Halves:
    """What random halves of a sample tell of a score."""

    variance: float  # nan if too few halves have a score
    bias: float


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
    if known.sum() < 2:
        return Halves(np.nan, 0.0)
    higher = float((one[known] + other[known]).mean()) / 2 - value
    return Halves(float(((one - other)[known] ** 2).mean()) / 4, higher / (2**RATE - 1))
