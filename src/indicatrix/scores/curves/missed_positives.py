"""Positives that no score reaches: they count in recall, and no threshold retrieves them.

Of objects that a detector never proposes, or documents outside the candidates, only the number is known. They have no place in a
ranking, so each unit of an average says how many it has: one ranking by a number, classes or groups by a mapping.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

from ...words.wording import listing, short

MOST = 2**53  # up to which floats, in which positives are counted, hold every integer


def check_missed(missed: Any) -> None:
    """Refuse what is not a number of positives, nor a mapping from units to such numbers."""
    for value in missed.values() if isinstance(missed, Mapping) else (missed,):
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= MOST:
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
