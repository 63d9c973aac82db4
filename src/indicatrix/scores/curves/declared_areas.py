"""The areas: functions of one ranking under ``@area``.

What cannot be derived of them stands here, and so do parameters that several have.

A grid of thresholds makes an area look at scores only where they reach some given thresholds. Missed positives are those that no
score reaches: they count in recall, and no threshold retrieves them. Of objects that a detector never proposes, or documents
outside the candidates, only the number is known. They have no place in a ranking, so each unit of an average says how many it
has: one ranking by a number, classes or groups by a mapping.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ...algebra.arrays import Array
from ...ranking.ranked import Ranked
from ...words.wording import check_at_most, listing, short

F = TypeVar("F", bound=Callable[..., Any])


class Declared(NamedTuple):
    """What is declared about an area."""

    better: str
    range: tuple[float, float]
    source: str
    checks: dict[str, Callable[[Any], None]]  # what refuses bad values of parameters, beyond check_… of the same module


DECLARED: dict[Callable[..., Any], Declared] = {}


def area(
    source: str = "", *, better: str = "higher", range: tuple[float, float] = (0, 1), **checks: Callable[[Any], None]
) -> Callable[[F], F]:
    """Return the decorator of a function of the steps of one ranking.

    Bad values of a parameter ``x`` are refused by ``check_x`` of its module, or by what ``checks`` name.
    """

    def declare(function: F) -> F:
        DECLARED[function] = Declared(better, range, source, checks)
        return function

    return declare


MOST_THRESHOLDS = 1_000_000


def check_thresholds(thresholds: Any) -> None:
    """Refuse what is not a grid: None, a whole number of at least 2, or a list of numbers."""
    if thresholds is None:
        return
    if isinstance(thresholds, int) and not isinstance(thresholds, bool) and thresholds >= 2:
        check_at_most(
            "thresholds", thresholds, MOST_THRESHOLDS, "Without thresholds= every score is a threshold, and the area is exact."
        )
        return
    numbers = isinstance(thresholds, list | tuple) and all(
        isinstance(t, int | float) and not isinstance(t, bool) and t == t for t in thresholds
    )
    if not numbers or not thresholds:
        raise ValueError(
            f"thresholds={thresholds!r} is not a grid. Give a whole number of at least 2, for this many thresholds from 0 to 1, "
            "or a list of numbers; an array as thresholds.tolist()."
        )


def steps_at(steps: Any, thresholds: Any) -> tuple[Array, Array]:
    """Return the true and false positives of steps at each threshold of a grid, the highest first.

    >>> import indicatrix as ix
    >>> [x.tolist() for x in steps_at(ix.sweep([0, 1, 1], [0.2, 0.5, 0.7]).of(), 3)]
    [[0, 2, 2], [0, 0, 1]]
    """
    even = isinstance(thresholds, int)
    grid = np.arange(thresholds) / (thresholds - 1) if even else np.array(sorted(thresholds), np.float64)  # 0.3 is 3/10
    grid = grid[::-1]
    if isinstance(steps, Ranked):
        at = steps.count_reaching(grid)
        return steps.tp[at], steps.fp[at]
    # The first step, +inf, reaches every threshold, so that the last one that does is one less than their number.
    reached = np.stack([(steps.thresholds >= t).sum(axis=-1) for t in grid.astype(steps.thresholds.dtype)], axis=-1) - 1
    return np.take_along_axis(steps.tp, reached, axis=-1), np.take_along_axis(steps.fp, reached, axis=-1)


MOST_MISSED = 2**53  # up to which floats, in which positives are counted, hold every integer


def check_missed(missed: Any) -> None:
    """Refuse what is not a number of positives, nor a mapping from units to such numbers."""
    for value in missed.values() if isinstance(missed, Mapping) else (missed,):
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= MOST_MISSED:
            raise ValueError(
                f"missed={short(missed)}: give the number of positives that no score reaches, 0 or more (up to 2**53), or a "
                "mapping from classes or groups to such numbers."
            )


def missed_of(missed: Any, units: tuple[Any, ...], axis: str) -> list[Any]:
    """Return how many positives each unit of an average misses.

    >>> missed_of({"cat": 2}, ("ant", "cat"), "class"), missed_of(0, ("ant", "cat"), "class")
    ([0, 2], [0, 0])
    """
    if not isinstance(missed, Mapping):
        if missed:
            raise ValueError(
                f"missed={missed} does not say which {axis} the positives belong to. Give a mapping, such as "
                f"missed={{{units[0] if units else 'a'!r}: {missed}}}; what it does not name misses nothing."
            )
        return [0] * len(units)
    unknown = [unit for unit in missed if unit not in units]
    if unknown:
        raise ValueError(f"missed= names {listing(unknown)}, but the units of the average are {listing(units)}.")
    return [missed.get(unit, 0) for unit in units]


def missed_in_all(missed: Any, units: tuple[Any, ...]) -> Any:
    """Return how many positives are missed in one ranking of all scores.

    >>> missed_in_all({"cat": 2, "ant": 1}, ("ant", "cat")), missed_in_all(3, ())
    (3, 3)
    """
    return sum(missed_of(missed, units, "class")) if isinstance(missed, Mapping) else missed
