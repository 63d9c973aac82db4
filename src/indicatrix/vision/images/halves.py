"""Random halves of a sample: by how much a score is too high, and how far it is off."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...algebra.arrays import Array, quiet


def mean_of_units(values: Array, weights: Array, axis: int = 1) -> Array:
    """Return the weighted means of values along an axis, nan where nothing has weight.

    >>> mean_of_units(np.array([[1.0, 0.0, 2.0]]), np.array([[1.0, 0.0, 1.0]])).tolist()
    [1.5]
    """
    with quiet():
        return np.asarray((values * weights).sum(axis=axis) / weights.sum(axis=axis))


@dataclass(frozen=True, eq=False)
class Halves:
    """What random halves of a sample tell: by how much the whole is too high, and draws of its error.

    A half has twice the variance of the whole around the true value, so halves spread around the whole as the whole does around
    the true value; this holds where the bootstrap, which repeats images, fails. The precisions of average precision are the best
    of several, so it is too high by an amount that falls with the square root of the images: how much halves are higher tells how
    much the whole is. Units are compared with themselves, because the rarest are lost in some halves.
    """

    bias: float
    errors: Array  # of draws, around 0

    @classmethod
    def of(cls, units_of: Callable[[Array], tuple[Array, Array]], n: int, rng: np.random.Generator, draws: int) -> Halves:
        """Return what halves tell of the mean over units.

        ``units_of`` has the values of units and their weights, for rows of weights of the n groups.
        """
        order = rng.random((-(-draws // 2), n)).argsort(axis=1).argsort(axis=1)
        first = order < n // 2
        weights = np.stack([first, ~first], axis=1).reshape(-1, n).astype(np.float64)  # each is followed by the other half
        size = weights.sum(axis=1)
        drawn, own = units_of(weights)
        (whole,), (usual,) = units_of(np.ones((1, n)))
        known = usual * own.any(axis=0)
        higher = float(mean_of_units(np.where(known > 0, mean_of_units(drawn, own > 0, 0) - whole, 0)[None], known[None])[0])
        means = mean_of_units(drawn, own)
        means = means[np.isfinite(means)]
        scale = math.sqrt(1 / n / float(np.mean(1 / size - 1 / n)))
        return cls(higher / float(np.mean(np.sqrt(n / size)) - 1), (means - means.mean()) * scale)
