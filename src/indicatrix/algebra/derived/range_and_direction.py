"""Between which ends the values of a formula lie, and which of them are better.

Correcting errors raises a value, lowers it, or does both. A correction makes a false negative a true positive, or a false
positive a true negative; the true classes stay as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from ..arrays import Array, as_float, quiet
from ..numbers.exact import Value, exact_value, is_defined, order
from ..numbers.recorded_counts import MODERATE, MOST, NotRecordableError, record_branches, screen, small_counts, values_at
from .bounds import ALL, bounds

NEAR = 1e-9  # differences of floats that are a smaller share of the values are computed exactly
SUSPECTS, NEARLY_EQUAL = 40, 24  # so many differences of floats are computed again exactly
SHARES = (0.0, 0.5, 1.0)  # of the errors that are corrected at once, next to a single one

Pair = tuple[tuple[int, ...], tuple[int, ...]]  # counts before and after a correction
ROUNDING = 1e-9  # floats may leave the range by this share


@dataclass(frozen=True)
class Change:
    """A correction that changes the value of a formula: the counts and the values before and after."""

    counts: Pair
    values: tuple[Value, Value]

    def __str__(self) -> str:
        cells = ("({})".format(", ".join(map(str, v))) for v in self.counts)
        before, after = cells
        return f"from {_short(self.values[0])} at {before} to {_short(self.values[1])} at {after}"


@dataclass(frozen=True)
class Direction:
    """Which values are better, and the corrections that show it; a change is None where none was found."""

    better: str  # "higher", "lower", "neither" if no correction changes the value, "unknown" if some raise and some lower it
    rise: Change | None = None
    fall: Change | None = None

    @property
    def reason(self) -> str:
        """Why there is no direction, with a witness; "" if there is one."""
        if self.better == "unknown" and self.rise and self.fall:
            return f"correcting errors raises it {self.rise}, and lowers it {self.fall} (the counts are tp, fp, fn, tn)"
        if self.better == "unknown":
            return "it has no value at the counts that were tried"
        return "correcting errors does not change it" if self.better == "neither" else ""


def derive_direction(formula: Callable[..., Any], params: Mapping[str, Any]) -> Direction:
    """Return which values of a formula are better, from all small counts and many large ones.

    >>> import indicatrix as ix
    >>> [derive_direction(ix.measure(text).function, {}).better for text in ("5*fn + fp", "tp/n", "(tp+fn)/n", "abs(tp - fp)")]
    ['lower', 'higher', 'neither', 'unknown']
    """
    value = exact_value(formula, params)
    rises, falls, defined = list[Pair](), list[Pair](), False
    for before, after, old, new in (_small_corrections(formula, params), _large_corrections(formula, params)):
        up, down, known = _sort(before, after, old, new)
        rises += up
        falls += down
        defined |= known
    rise, fall = _confirm(value, rises, 1), _confirm(value, falls, -1)
    better = {(True, False): "higher", (False, True): "lower", (False, False): "neither"}.get((bool(rise), bool(fall)), "unknown")
    return Direction(better if defined else "unknown", rise, fall)


def _sort(before: Array, after: Array, old: Array, new: Array) -> tuple[list[Pair], list[Pair], bool]:
    """Return the pairs whose value seems to rise and those where it seems to fall.

    And whether any has a value.

    Pairs that floats do not tell apart are in both.
    """
    usable = np.isfinite(old) & np.isfinite(new)
    with quiet():
        gain, size = new - old, np.maximum(abs(old), abs(new))
        near = usable & (abs(gain) <= NEAR * size) & (gain != 0)
    unclear = np.flatnonzero(near)
    unclear = unclear[:: max(1, len(unclear) // NEARLY_EQUAL)]

    def pairs(where: Array) -> list[Pair]:
        chosen = [*np.flatnonzero(where & usable & ~near)[:SUSPECTS], *unclear]
        return [(_whole(before[i]), _whole(after[i])) for i in chosen]

    with quiet():
        return pairs(gain > 0), pairs(gain < 0), bool(usable.any())


def _whole(v: Array) -> tuple[int, ...]:
    return tuple(map(int, v))


def _confirm(value: Callable[..., Value], pairs: list[Pair], side: int) -> Change | None:
    """Return the first pair whose exact values rise (side 1) or fall (side -1)."""
    for pair in pairs:
        old, new = (value(*v) for v in pair)
        if is_defined(old, new) and order(new, old) == side:
            return Change(pair, (old, new))
    return None


@cache
def _grid() -> tuple[Array, Array]:
    """Return where each small count vector stands in a table of tpos, tp, tneg and tn."""
    v = small_counts().astype(int)
    return v, np.ravel_multi_index((v[:, 0] + v[:, 2], v[:, 0], v[:, 1] + v[:, 3], v[:, 3]), _shape())


def _shape() -> tuple[int, int, int, int]:
    return 2 * MOST + 1, MOST + 1, 2 * MOST + 1, MOST + 1


def _small_corrections(formula: Callable[..., Any], params: Mapping[str, Any]) -> tuple[Array, Array, Array, Array]:
    """Return each small count vector with the highest and the lowest of those less corrected.

    So any two vectors of the same true classes are compared, also across counts where there is no value.
    """
    v, place = _grid()
    own = values_at(formula, params, small_counts())
    own[~np.isfinite(own)] = np.nan
    table, at = np.full(_shape(), np.nan), np.full(_shape(), -1)
    table.ravel()[place], at.ravel()[place] = own, np.arange(len(v))
    starts, ends = list[Array](), list[Array]()
    for side in (1, -1):
        best, where = side * table, at.copy()
        for axis in (1, 3):
            _carry(best, where, axis)
        chosen = where.ravel()[place]
        known = chosen >= 0
        starts.append(chosen[known])
        ends.append(np.flatnonzero(known))
    start, end = np.concatenate(starts), np.concatenate(ends)
    return v[start], v[end], own[start], own[end]


def _carry(best: Array, where: Array, axis: int) -> None:
    """Put the highest value so far along an axis, and where it is, into each place; nan does not count."""
    best, where = np.moveaxis(best, axis, 0), np.moveaxis(where, axis, 0)
    for i in range(1, len(best)):
        with quiet():
            keep = (best[i - 1] > best[i]) | (np.isnan(best[i]) & ~np.isnan(best[i - 1]))
        best[i], where[i] = np.where(keep, best[i - 1], best[i]), np.where(keep, where[i - 1], where[i])


def _large_corrections(formula: Callable[..., Any], params: Mapping[str, Any]) -> tuple[Array, Array, Array, Array]:
    """Return large count vectors, each with some or all errors of a kind corrected."""
    start = np.array(screen(), np.int64)
    before, after = list[Array](), list[Array]()
    for more in (*SHARES[1:], None):
        for lost, found in ((2, 0), (1, 3)):
            moved = np.minimum(start[:, lost], 1) if more is None else np.ceil(start[:, lost] * more).astype(np.int64)
            end = start.copy()
            end[:, lost] -= moved
            end[:, found] += moved
            changed = moved > 0
            before.append(start[changed])
            after.append(end[changed])
    first, second = np.concatenate(before), np.concatenate(after)
    return first, second, values_at(formula, params, first), values_at(formula, params, second)


def _short(x: Value) -> str:
    return str(x) if isinstance(x, Fraction) and len(str(x)) < 12 else f"{float(x):.6g}"


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
