"""An interval and a test that say the same: 0 is inside unless the test rejects."""

from __future__ import annotations

from .largest_of_several import far_from_zero
from .proportions import Ends
from .quantiles import normal

SMALLEST = 1e-12  # the share of a clear difference that is left at the end next to 0, at least


def ends_of_verdict(ends: Ends, value: float, *, clear: bool, p: float, level: float) -> Ends:
    """Return the ends of an interval, moved where they contradict a test at the same level.

    Exact tests and draws are sharper or blunter near 0 than a variance says. Where the two disagree, the end next to 0 is that of
    the test: 0 itself if it does not reject, and otherwise as far from 0 as its p-value says. The value stays inside.

    >>> ends_of_verdict((0.01, 0.13), 0.07, clear=False, p=0.06, level=0.95)
    (0.0, 0.13)
    >>> low, high = ends_of_verdict((-0.001, 0.141), 0.07, clear=True, p=0.04, level=0.95)
    >>> round(low, 4), high
    (0.0032, 0.141)
    """
    low, high = min(ends[0], value), max(ends[1], value)
    if not clear:
        return min(low, 0.0), max(high, 0.0)
    if low <= 0 <= high:
        kept = value * max(1 - normal(level) / far_from_zero(p), SMALLEST)
        return (kept, high) if value > 0 else (low, kept)
    return low, high
