"""The Bayesian signed-rank test: how likely one of two classifiers is better on most data sets.

The data sets are a sample. Their weights in the population are drawn (a Dirichlet process, Benavoli et al. 2014 and 2017), and
each draw says which share of pairs of data sets has a mean difference below, inside or above the region of practical equivalence.
The prior is one more data set without a difference, of half the weight of the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.arrays import Array

PRIOR = 0.5  # the weight of a data set without a difference
BLOCK = 1 << 20  # numbers that are drawn at a time


def draw_shares(differences: Any, rope: float, rng: np.random.Generator, draws: int) -> Array:
    """Return draws of the shares below, inside and above the region of practical equivalence, (draws, 3).

    >>> found = draw_shares([0.1, 0.2, 0.3], 0.01, np.random.default_rng(0), 100)
    >>> found.shape, bool((abs(found.sum(axis=1) - 1) < 1e-12).all())
    ((100, 3), True)
    """
    z = np.append(0.0, np.asarray(differences, np.float64))
    means = (z[:, None] + z) / 2
    above, below = (_step(sign * means - rope) for sign in (1.0, -1.0))
    shape, parts = np.append(PRIOR, np.ones(len(z) - 1)), []
    step = max(1, BLOCK // len(z))
    for start in range(0, draws, step):
        weights = rng.dirichlet(shape, min(step, draws - start))
        down, up = (((weights @ table) * weights).sum(axis=1) for table in (below, above))
        parts.append(np.stack([down, 1 - down - up, up], axis=1))
    return np.concatenate(parts)


def _step(x: Array) -> Array:
    """Return 1 above 0, a half at 0, and 0 below; what is left of rounding counts as 0."""
    close = np.abs(x) <= 1e-12 * max(1.0, float(np.abs(x).max(initial=0.0)))
    return np.where(close, 0.5, (x > 0).astype(np.float64))
