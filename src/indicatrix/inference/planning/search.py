"""How many examples are enough: the power of a test, and the smallest number for a goal."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

from ..stats.quantiles import normal

MOST = 2**62  # examples beyond which the search ends


def least(reaches: Callable[[int], bool], guess: float) -> int | float:
    """Return the smallest number of examples that reaches a goal; infinity if no number does.

    More examples must never lose the goal.

    >>> least(lambda n: n * n >= 1000, 5), least(lambda n: False, 5)
    (32, inf)
    """
    high = min(max(1, math.ceil(guess)), MOST) if math.isfinite(guess) else 1
    step = max(1, high // 64)
    if reaches(high):
        while high > 1 and reaches(low := max(1, high - step)):
            high, step = low, 2 * step
        if high == 1:
            return 1
    else:
        low = high
        while not reaches(high := low + step):
            low, step = high, 2 * step
            if high > MOST:
                return math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def rejection(difference: float, spread: float, level: float, null_spread: float | None = None) -> float:
    """Return how often a two-sided z test of a difference rejects.

    ``spread`` is the standard deviation of the difference, and ``null_spread`` the one that the test divides by. Default: the
    same.

    >>> round(rejection(1.96 + 0.8416, 1, 0.95), 3), round(rejection(0, 1, 0.95), 3)
    (0.8, 0.05)
    """
    border = normal(level) * (spread if null_spread is None else null_spread)
    if spread <= 0:
        return float(abs(difference) > border)
    cdf = NormalDist().cdf
    return cdf((abs(difference) - border) / spread) + cdf((-abs(difference) - border) / spread)


def examples_for(power: float, level: float, difference: float, spread: float, null_spread: float | None = None) -> int | float:
    """Return how many examples a z test needs to reject so often.

    The standard deviations are those of one example.

    >>> examples_for(0.8, 0.95, 0.1, 0.5)
    197
    """
    if not difference:
        return math.inf
    null = spread if null_spread is None else null_spread
    guess = ((normal(level) * null + max(NormalDist().inv_cdf(power), 0) * spread) / difference) ** 2

    def reaches(n: int) -> bool:
        root = math.sqrt(n)
        return rejection(difference, spread / root, level, null / root) >= power

    return least(reaches, guess)
