"""How a value with two ends behaves as a number: in format strings, in ``round`` and in ``float``."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

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
