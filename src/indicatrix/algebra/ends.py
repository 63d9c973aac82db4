"""Ends of numbers: Wilson's interval of a share, and how a value with two ends behaves as a number.

It behaves so in format strings, in ``round`` and in ``float``. Also which levels an interval can have.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np

from .arrays import Array, quiet

# [[fill]align][sign][z][#][0][width][grouping][.precision][type], as Python's format strings are written
SPEC = re.compile(r"(?:(?P<fill>.)?(?P<align>[<>^]))?(?P<signs>[-+ ]?z?#?)(?P<zeros>0)?(?P<width>\d+)?(?P<rest>.*)", re.DOTALL)


def format_with_ends(self: Any, spec: str) -> str:
    """Return the value and its ends, each number formatted as a spec says.

    A width is that of the whole text. Ends that are not known are left out.

    >>> import indicatrix as ix
    >>> found = ix.from_confusion([[40, 10], [5, 45]]).interval("recall", "micro")
    >>> f"{found:.3f}", f"{found:.1%}", f"{found:>24.2f}", f"{found}"
    ('0.850 [0.770, 0.910]', '85.0% [77.0%, 91.0%]', '       0.85 [0.77, 0.91]', '0.85 [0.77, 0.91]')
    """
    parts = SPEC.fullmatch(spec)
    if not spec or parts is None:
        return str(self)
    numbers = f"{parts['signs']}{parts['rest']}"
    if parts["zeros"]:  # zeros fill numbers, not the text
        numbers = f"{parts['signs']}0{parts['width'] or ''}{parts['rest']}"
    value, low, high = (format(float(x), numbers) for x in (self.value, self.low, self.high))
    ends = "" if math.isnan(self.low) and math.isnan(self.high) else f" [{low}, {high}]"
    text = f"{value}{ends}" if numbers else str(self)
    return format(text, f"{parts['fill'] or ''}{parts['align'] or '>'}{'' if parts['zeros'] else parts['width'] or ''}")


def round_with_ends(self: Any, digits: int | None = None) -> Any:
    """Return the same with its value and its ends rounded.

    >>> import indicatrix as ix
    >>> found = round(ix.from_confusion([[40, 10], [5, 45]]).interval("recall", "micro"), 2)
    >>> found.value, found.low, found.high
    (0.85, 0.77, 0.91)
    """
    return replace(self, **{name: round(float(getattr(self, name)), digits or 0) + 0.0 for name in ("value", "low", "high")})


def refuse_order(self: Any, other: Any) -> Any:
    """Refuse to compare an interval with a number: which of its numbers is meant decides the answer.

    >>> import indicatrix as ix
    >>> ix.from_confusion([[40, 10], [5, 45]]).interval("recall", "micro") < 0.9
    Traceback (most recent call last):
    TypeError: An interval is three numbers: compare float(interval), which is the score, interval.low or interval.high.
    """
    raise TypeError("An interval is three numbers: compare float(interval), which is the score, interval.low or interval.high.")


def float_of_value(self: Any) -> float:
    """Return the value.

    >>> import indicatrix as ix
    >>> float(ix.from_confusion([[40, 10], [5, 45]]).interval("recall", "micro"))
    0.85
    """
    return float(self.value)


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
