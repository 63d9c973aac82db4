"""The range of a formula: between which ends its values lie, and whether it takes them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..arrays import Array, as_float
from ..numbers.exact import Value, exact_value, is_defined
from ..numbers.recorded_counts import NotRecordableError, record_branches
from .bounds import ALL, bounds
from .trial_counts import MODERATE, screen, small_counts, values_at

ROUNDING = 1e-9  # floats may leave the range by this share


class Range(tuple[float, float]):
    """The lowest and the highest value, and whether each of them is taken.

    Infinite where there is no bound.

    It is a tuple of the two ends.

    Parameters
    ----------
    low, high : float
        The ends.
    closed : tuple of bool, optional
        Whether the measure takes the low and the high end. Default: it takes those that are finite.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.measure("5*fn + fp").range, ix.measure("1/(1 + fp)").range
    ([0, ∞), (0, 1])
    >>> ix.f1.range == (0, 1)
    True
    """

    closed: tuple[bool, bool]

    def __new__(cls, low: float, high: float, closed: tuple[bool, bool] | None = None) -> Range:
        """Make the range of two ends."""
        made = super().__new__(cls, (low, high))
        made.closed = (math.isfinite(low), math.isfinite(high)) if closed is None else closed
        return made

    def __getnewargs__(self) -> Any:
        return (*self, self.closed)

    def __repr__(self) -> str:
        ends = ("∞" if math.isinf(x) else f"{as_float(x):.4g}" for x in map(abs, self))
        low, high = (f"{'-' if x < 0 else ''}{end}" for x, end in zip(self, ends, strict=True))
        return f"{'[' if self.closed[0] else '('}{low}, {high}{']' if self.closed[1] else ')'}"

    __str__ = __repr__


def derive_range(formula: Callable[..., Any], params: Mapping[str, Any]) -> Range:
    """Return the range of a formula for all counts; infinite at the ends for which no bound is proved."""
    try:
        spans = [bounds(branch) for branch in record_branches(formula, params)]
        low, high = min(span[0] for span in spans), max(span[1] for span in spans)
    except NotRecordableError:
        low, high = ALL
    seen, exact = _Seen(formula, params), exact_value(formula, params)
    if seen.outside((low, high)) is not None:  # infinite steps on the way may lead to a value that no quotient shows
        return Range(*ALL)
    return Range(low, high, (seen.takes(low, exact, lowest=True), seen.takes(high, exact, lowest=False)))


def value_outside(formula: Callable[..., Any], params: Mapping[str, Any], ends: tuple[float, float]) -> tuple[Any, Value] | None:
    """Return counts at which a formula has a value outside of a range, and the value.

    None if no trial shows one.

    >>> import indicatrix as ix
    >>> value_outside(ix.measure("tp - fp").function, {}, (0, 1))
    ((0, 1, 0, 0), Fraction(-1, 1))
    """
    return _Seen(formula, params).outside(ends)


class _Seen:
    """The values of a formula at all small counts, and at many large ones."""

    def __init__(self, formula: Callable[..., Any], params: Mapping[str, Any]) -> None:
        self.exact = exact_value(formula, params)
        self.vectors: Array = np.concatenate([small_counts(), np.array(screen(), np.float64)])
        values = values_at(formula, params, self.vectors)
        self.values = np.where(np.isfinite(values), values, np.nan)

    def outside(self, ends: tuple[float, float]) -> tuple[Any, Value] | None:
        """Return the first counts with a value outside, and the value."""
        low, high = map(as_float, ends)
        slack = ROUNDING * np.maximum(1.0, abs(self.values))
        for i in np.flatnonzero((self.values < low - slack) | (self.values > high + slack))[:40]:
            counts = tuple(map(int, self.vectors[i]))
            value = self.exact(*counts)
            if is_defined(value) and not low - ROUNDING <= as_float(value) <= high + ROUNDING:
                return counts, value
        return None

    def takes(self, end: float, exact: Callable[..., Value], *, lowest: bool) -> bool:
        """Return whether a value is equal to an end."""
        values = self.values[: len(small_counts()) + MODERATE]  # at larger counts, 2**-fp is rounded to 0
        if not math.isfinite(end) or np.isnan(values).all():
            return False
        value = exact(*map(int, self.vectors[int(np.nanargmin(values) if lowest else np.nanargmax(values))]))
        return is_defined(value) and bool(value == end if end == 0 else math.isclose(as_float(value), end, rel_tol=1e-15))
