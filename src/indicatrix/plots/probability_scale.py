"""A scale for thresholds of probabilities that crowd at 0 and 1: logarithmic towards both ends."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .canvas import tell

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EDGE = 0.01  # how near to 0 or 1 a probability is saturated
TINY = 1e-12  # nearer to 0 than this, thresholds share one place; floats have no finer steps near 1 than 1e-16
MOST_TICKS = 3  # on each side of 0.5


def is_saturated(thresholds: Any) -> bool:
    """Return whether most thresholds are probabilities within 0.01 of 0 or 1.

    >>> is_saturated([0.0001, 0.002, 0.999]), is_saturated([0.2, 0.5, 0.999]), is_saturated([-3.0, 0.0, 4.0])
    (True, False, False)
    """
    p = np.asarray(thresholds, float)
    if p.size < 3 or p.min() < 0 or p.max() > 1:
        return False
    return bool(np.mean(np.minimum(p, 1 - p) < EDGE) > 0.5)


def stretch_ends(ax: Axes, thresholds: Any) -> None:
    """Give the horizontal axis the scale of log odds, with ticks that name probabilities.

    It ends where no threshold lies any more.
    """
    p = np.asarray(thresholds, float)
    low, high = (max(TINY, float(np.min(side[side > 0], initial=EDGE)) / 2) for side in (p, 1 - p))

    def odds(x: Any) -> Any:
        inside = np.clip(np.asarray(x, float), low, 1 - high)
        return np.log(inside) - np.log1p(-inside)

    def back(y: Any) -> Any:
        return 1 / (1 + np.exp(-np.asarray(y, float)))

    ax.set_xscale("function", functions=(odds, back))
    ax.set_xlim(low, 1 - high)
    below, above = _powers(low), _powers(high)
    ticks = [*below, 0.5, *(1 - q for q in reversed(above))]
    names = [show_probability(p) for p in ticks]
    ax.set_xticks(ticks, names)
    ax.set_xticks([], minor=True)
    tell(ax, "the axis is logarithmic towards 0 and 1, where most scores are")


def show_probability(p: float) -> str:
    """Return a number with few digits, and so many near 0 and 1 that it does not look like 0 or 1.

    >>> [show_probability(p) for p in (0.25, 0.9999, 1 - 2.5e-7, 1e-6, 12.0, 1.0)]
    ['0.25', '0.9999', '1−2.5e-7', '1e-6', '12', '1']
    """
    if 0.999 < p < 1:
        rest = 1 - p
        return f"{p:.{2 - math.floor(math.log10(rest))}g}" if rest >= 1e-5 else f"1−{show_probability(float(f'{rest:.2g}'))}"
    return f"{p:.4g}".replace("e-0", "e-")


def _powers(least: float) -> list[float]:
    """Return a few powers of ten from the least to 0.1, in equal steps.

    >>> _powers(0.0005), _powers(1e-9)
    ([0.001, 0.01, 0.1], [1e-09, 1e-06, 0.001])
    """
    exponents = [*range(math.ceil(math.log10(least)), 0)]
    step = -(-len(exponents) // MOST_TICKS)
    return [10.0**k for k in exponents[::step]]
