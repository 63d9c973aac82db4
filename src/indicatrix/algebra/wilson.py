"""Wilson's interval of a share, and which levels an interval can have."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from .arrays import Array, quiet


def check_level(level: float) -> None:
    """Refuse a level that is not a share."""
    if not isinstance(level, int | float) or isinstance(level, bool) or not 0 < level < 1:
        raise ValueError(f"level={level!r} must be a share between 0 and 1, such as 0.95.")


def wilson(share: float, n: float, z: float) -> tuple[float, float]:
    """Return Wilson's score interval of a share of n examples; z is the quantile.

    >>> [round(x, 4) for x in wilson(1.0, 20, 1.96)]
    [0.8389, 1.0]
    """
    if not n:
        return 0.0, 1.0
    if math.isinf(n):
        return share, share
    low, high = _around(share, n, z, math.sqrt)
    return max(0.0, low), min(1.0, high)


def wilson_of_each(shares: Any, n: Any, level: float) -> tuple[Array, Array]:
    """Return the lower and the upper ends of Wilson's intervals of shares, each of its own n.

    They are nan where a share is, or where there are no examples.

    >>> [ends.round(4).tolist() for ends in wilson_of_each([1.0, 0.5], [20, 20], 0.95)]
    [[0.8389, 0.2993], [1.0, 0.7007]]
    """
    check_level(level)
    x, sizes = np.broadcast_arrays(np.asarray(shares, np.float64), np.asarray(n, np.float64))
    with quiet():
        low, high = _around(x, sizes, NormalDist().inv_cdf((1 + level) / 2), np.sqrt)
    known = np.isfinite(x) & (sizes > 0)
    return np.where(known, np.maximum(low, 0), np.nan), np.where(known, np.minimum(high, 1), np.nan)


def _around(share: Any, n: Any, z: float, root: Any) -> tuple[Any, Any]:
    c = z * z / n
    spread = abs(share * (1 - share)) / n  # rounding may leave a share a little above 1
    middle, half = (share + c / 2) / (1 + c), z / (1 + c) * root(spread + c / (4 * n))
    return middle - half, middle + half
