"""The beta-binomial distribution: k of n, where the share is itself a draw from a beta distribution."""

from __future__ import annotations

import math

import numpy as np


def beta_binomial_p(k: int, n: int, a: float, b: float) -> float:
    """Return twice the smaller tail at k of n successes whose share is Beta(a, b).

    For infinite b it is a itself.

    >>> round(beta_binomial_p(8, 10, 0.9, math.inf), 3), beta_binomial_p(9, 10, 9, 1) == 1
    (0.528, True)
    """
    i = np.arange(n, dtype=np.float64)
    with np.errstate(divide="ignore"):
        # The ratio of each probability to the one before it.
        steps = np.log((n - i) / (i + 1)) + (math.log(a / (1 - a)) if math.isinf(b) else np.log(a + i) - np.log(b + n - 1 - i))
    heights = np.concatenate([[0.0], np.cumsum(steps)])
    shares = np.exp(heights - heights.max())
    whole = shares.sum()
    return float(min(1.0, 2 * min(shares[: k + 1].sum(), shares[k:].sum()) / whole))
